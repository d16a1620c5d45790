/**
 * Runs workers in workerd, the runtime of Cloudflare Workers.
 *
 * @module
 */

const DATE = "2026-11-01";

/** The workers as workerd's configuration, each on a port that the system chooses. */
function configuration(workers: Readonly<Record<string, string[]>>): string {
  const services = Object.entries(workers).map(([name, files]) => {
    const modules = files.map((file) =>
      `(name = "${file}", ${
        file.endsWith(".wasm") ? "wasm" : "esModule"
      } = embed "${file}")`
    );
    return `(name = "${name}", worker = (
      modules = [${modules.join(", ")}], compatibilityDate = "${DATE}"))`;
  });
  const sockets = Object.keys(workers).map((name) =>
    `(name = "${name}", address = "127.0.0.1:0", http = (), service = "${name}")`
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${services.join(", ")}],
  sockets = [${sockets.join(", ")}],
);
`;
}

/** Ports of the sockets, by name: workerd reports each as a line of JSON. */
async function listening(
  output: ReadableStream<Uint8Array>,
  sockets: number,
): Promise<Map<string, number>> {
  const ports = new Map<string, number>();
  const text = new TextDecoder();
  let seen = "";
  for await (const chunk of output) {
    seen += text.decode(chunk, { stream: true });
    const lines = seen.split("\n");
    seen = lines.pop()!;
    for (const line of lines) {
      const { event, socket, port } = JSON.parse(line);
      if (event === "listen") ports.set(socket, port);
    }
    if (ports.size === sockets) return ports;
  }
  throw new Error(`workerd ended before it listened; it said: ${seen}`);
}

/**
 * Runs workers while some work is done.
 *
 * @param program Path of workerd.
 * @param folder Where the files of the workers are.
 * @param workers Files of each worker; the first one is its entry.
 * @param work Is given the port of each worker on the loopback address.
 * @param env Variables of the process.
 */
export async function serveWorker<T>(
  program: string,
  folder: URL,
  workers: Readonly<Record<string, string[]>>,
  work: (ports: ReadonlyMap<string, number>) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  const config = new URL("workerd.capnp", folder);
  await Deno.writeTextFile(config, configuration(workers));
  const server = new Deno.Command(program, {
    args: ["serve", "--control-fd=1", config.pathname],
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  try {
    return await work(
      await listening(server.stdout, Object.keys(workers).length),
    );
  } finally {
    server.kill("SIGKILL");
    await server.status;
  }
}
