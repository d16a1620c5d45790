/**
 * The command line's host for Deno. Needs `--allow-read` and `--allow-write`, nothing else.
 *
 * @module
 */
import { denoBatch } from "./batch/deno_batch.ts";
import { denoDisk } from "./deno_disk.ts";
import { AtomicWriter, diskReader, stdoutError, writeAll } from "./disk.ts";
import type { Reader } from "./files.ts";
import type { Host } from "./host.ts";
import { statusLine } from "./progress.ts";
import { UsageError } from "./usage.ts";

const { reason } = denoDisk;

async function writeStream(
  stream: { write(bytes: Uint8Array): Promise<number> },
  data: Uint8Array | string,
): Promise<void> {
  const bytes = typeof data === "string"
    ? new TextEncoder().encode(data)
    : data;
  try {
    await writeAll(stream, bytes);
  } catch (cause) {
    // a reader that closed the pipe (head, less) has what it wanted
    if (cause instanceof Deno.errors.BrokenPipe) return;
    throw stdoutError(denoDisk, cause);
  }
}

const writer = new AtomicWriter(denoDisk);
let listening = false;

/** Ctrl-C, and a polite kill, remove unfinished files. */
function removePendingOnSignals(): void {
  if (listening) return;
  listening = true;
  const exits: [Deno.Signal, number][] = [["SIGINT", 130]];
  if (Deno.build.os !== "windows") exits.push(["SIGTERM", 143]);
  for (const [signal, exit] of exits) {
    Deno.addSignalListener(signal, () => {
      writer.abandon();
      Deno.exit(exit);
    });
  }
}

/** Reading alone, for workers: no signals, no arguments. */
export const denoReader: Reader = diskReader(denoDisk);

async function serve(
  port: number,
  answer: (request: Request) => Promise<Response>,
  onListen: (url: string) => Promise<void>,
): Promise<void> {
  const hostname = "127.0.0.1";
  let server: Deno.HttpServer<Deno.NetAddr>;
  try {
    server = Deno.serve({ hostname, port, onListen() {} }, answer);
  } catch (cause) {
    if (
      cause instanceof Deno.errors.NotCapable ||
      cause instanceof Deno.errors.PermissionDenied
    ) {
      throw new UsageError(
        `Allow deno run to listen with --allow-net=${hostname}: it may not (${
          reason(cause)
        })`,
      );
    }
    if (!(cause instanceof Deno.errors.AddrInUse)) throw cause;
    throw new UsageError(
      `Choose another --port: something else listens on ${port}`,
    );
  }
  await onListen(`http://${hostname}:${server.addr.port}/`);
  await server.finished;
}

/**
 * The host of the running Deno process. Ctrl-C removes unfinished files and exits with 130.
 *
 * @param args Arguments behind the program's name.
 */
export function denoHost(args: readonly string[] = Deno.args): Host {
  removePendingOnSignals();
  return {
    args,
    // both, for a pipe behind either must not get escape sequences
    color: !Deno.noColor && Deno.stdout.isTerminal() &&
      Deno.stderr.isTerminal(),
    ...denoReader,
    write: (files) => writer.write(files),
    checkWrite: (paths) => writer.check(paths),
    serve,
    out: (data) => writeStream(Deno.stdout, data),
    // where a message can not go, there is nobody to tell
    err: (text) => writeStream(Deno.stderr, text).catch(() => {}),
    ...(Deno.stderr.isTerminal()
      ? {
        status: statusLine((text) =>
          void Deno.stderr.writeSync(new TextEncoder().encode(text))
        ),
      }
      : {}),
    batch: denoBatch(denoReader),
  };
}
