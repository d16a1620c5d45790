/**
 * The handler behind `deno serve`: a process of its own, on the loopback address.
 *
 * @module
 */

const root = new URL("../../", import.meta.url);

/** A running server. */
export interface Server {
  /** Its address, with a slash at the end. */
  readonly url: string;
  /** Its port. */
  readonly port: number;
  /** Its process. */
  readonly pid: number;
  /** What it wrote to stderr since it listens. */
  complaints(): string;
  /** Ends it. */
  stop(): Promise<void>;
}

/** Starts a server on a free port. */
export async function startServer(
  entry = "edge/deno.ts",
  flags: readonly string[] = [],
): Promise<Server> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["serve", "--no-prompt", "--allow-read", ...flags],
      ...["--host", "127.0.0.1", "--port", "0"],
      new URL(entry, root).pathname,
    ],
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let said = "";
  const listening = Promise.withResolvers<number>();
  const reading = (async () => {
    const text = new TextDecoder();
    for await (const chunk of child.stderr) {
      said += text.decode(chunk, { stream: true });
      const at = /Listening on http:\/\/127\.0\.0\.1:(\d+).*\n/.exec(said);
      if (!at) continue;
      listening.resolve(Number(at[1]));
      said = said.slice(at.index + at[0].length);
    }
    listening.reject(new Error(`deno serve ended: ${said}`));
  })();
  const port = await listening.promise;
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    pid: child.pid,
    complaints: () => said,
    async stop() {
      child.kill("SIGKILL");
      await child.status;
      await reading;
    },
  };
}

/** True where the system tells of processes below /proc. */
export const hasProc: boolean = Deno.build.os === "linux";

/** Memory that a process holds, in bytes. */
export function residentBytes(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) * 1024;
}

/** Time that a process has computed, in ticks of the system's clock. */
export function computedTicks(pid: number): number {
  const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  // behind the name, which may hold anything; user and system time are the 14th and 15th field
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

/** Waits until a process has nothing to do for a while. */
export async function untilIdle(pid: number): Promise<void> {
  let last = -1;
  for (let still = 0; still < 4;) {
    const now = computedTicks(pid);
    still = now - last <= 1 ? still + 1 : 0;
    last = now;
    await new Promise((go) => setTimeout(go, 100));
  }
}

/** Sends bytes as they are and gives the beginning of what comes back; the connection is closed when `hangUp` says so. */
export async function rawRequest(
  port: number,
  head: string,
  body: Uint8Array,
  hangUp = false,
): Promise<string> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  try {
    const writer = connection.writable.getWriter();
    await writer.write(new TextEncoder().encode(head));
    if (body.length > 0) await writer.write(body);
    writer.releaseLock();
    if (hangUp) return "";
    const piece = new Uint8Array(4096);
    const size = await connection.read(piece);
    return new TextDecoder().decode(piece.subarray(0, size ?? 0));
  } finally {
    connection.close();
  }
}
