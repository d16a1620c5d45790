/**
 * The command line's host for Deno. Needs `--allow-read` and `--allow-write`, nothing else.
 *
 * @module
 */
import { joinChunks } from "../core/bytes.ts";
import { MeshError, meshError } from "../core/errors.ts";
import { checkLimit } from "../core/limits.ts";
import { denoBatch } from "./batch/deno_batch.ts";
import type { Reader } from "./files.ts";
import type { Host } from "./host.ts";
import { UsageError } from "./usage.ts";

/** Files being written, to be removed when the run is interrupted. */
const pending = new Set<string>();

/** What the system said, without the call and the temporary names that Deno adds. */
function reason(error: unknown): string {
  return error instanceof Error
    ? error.message.replace(/(?: \(os error \d+\))?(?:: [a-z]+ '.*)?$/s, "")
    : String(error);
}

/** Reads what has no size beforehand: stdin, pipes, devices. */
async function collect(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    checkLimit("maxInputBytes", size, maxBytes);
    chunks.push(chunk);
  }
  return joinChunks(chunks, size);
}

/** Bytes read at a time. */
const PIECE = 2 ** 22;

/** A file of known size. `Deno.readFile` would hold it twice for a moment, and files reach half a GiB. */
async function readWhole(path: string, size: number): Promise<Uint8Array> {
  const file = await Deno.open(path);
  try {
    const bytes = new Uint8Array(size);
    let at = 0;
    while (at < size) {
      const n = await file.read(bytes.subarray(at, at + PIECE));
      if (n === null) break;
      at += n;
    }
    return bytes.subarray(0, at);
  } finally {
    file.close();
  }
}

async function read(path: string, maxBytes: number): Promise<Uint8Array> {
  try {
    if (path === "-") return await collect(Deno.stdin.readable, maxBytes);
    const info = await Deno.stat(path);
    if (info.isDirectory) throw new Error("it is a folder");
    if (!info.isFile) {
      return await collect((await Deno.open(path)).readable, maxBytes);
    }
    checkLimit("maxInputBytes", info.size, maxBytes);
    return await readWhole(path, info.size);
  } catch (cause) {
    if (cause instanceof MeshError) throw cause;
    throw meshError(
      "FILE-READ",
      `Check the path and its permissions: can not read ${
        path === "-" ? "stdin" : path
      } (${reason(cause)})`,
      { path, cause },
    );
  }
}

/** A name beside the output; not made from its name, which may be as long as names can be. */
function temporaryName(place: string): string {
  const slash = Math.max(place.lastIndexOf("/"), place.lastIndexOf("\\")) + 1;
  const id = crypto.randomUUID().slice(0, 8);
  return `${place.slice(0, slash)}.meshwright-${id}.tmp`;
}

/** One output on its way to its place. */
interface Staged {
  path: string;
  bytes: Uint8Array;
  /** Where the path leads to: a symbolic link stays one, and what it points to is replaced. */
  place: string;
  /** Null for a pipe or a device, which is written to and must not be replaced. */
  temporary: string | null;
  /** Permissions of the file that is replaced. */
  mode: number | null;
}

async function stage(path: string, bytes: Uint8Array): Promise<Staged> {
  const place = await Deno.realPath(path).catch(() => path);
  const old = await Deno.stat(place).catch(() => null);
  const plain = old === null || old.isFile;
  return {
    path,
    bytes,
    place,
    temporary: plain ? temporaryName(place) : null,
    mode: old?.isFile ? old.mode : null,
  };
}

async function writeStaged(
  { place, temporary, bytes, mode }: Staged,
): Promise<void> {
  const options = {
    write: true,
    createNew: temporary !== null,
    ...(mode === null ? {} : { mode: mode & 0o777 }),
  };
  if (temporary) pending.add(temporary);
  // at once: a file that is made while a signal is handled would stay. A pipe has to wait for its reader.
  const file = temporary
    ? Deno.openSync(temporary, options)
    : await Deno.open(place, options);
  try {
    for (let at = 0; at < bytes.length;) {
      at += await file.write(bytes.subarray(at));
    }
    if (temporary) await file.sync();
  } finally {
    file.close();
  }
}

async function remove(path: string): Promise<void> {
  pending.delete(path);
  await Deno.remove(path).catch(() => {});
}

async function write(
  files: readonly { path: string; bytes: Uint8Array }[],
): Promise<void> {
  const staged = await Promise.all(
    files.map(({ path, bytes }) => stage(path, bytes)),
  );
  let current = files[0]?.path ?? "";
  try {
    for (const one of staged) {
      current = one.path;
      await writeStaged(one);
    }
    for (const { path, place, temporary } of staged) {
      if (!temporary) continue;
      current = path;
      await Deno.rename(temporary, place);
      pending.delete(temporary);
    }
  } catch (cause) {
    for (const { temporary } of staged) if (temporary) await remove(temporary);
    const why = cause instanceof Deno.errors.NotFound
      ? "its folder does not exist"
      : reason(cause);
    throw meshError(
      "FILE-WRITE",
      `Check free space, folder and permissions: can not write ${current} (${why})`,
      { path: current, cause },
    );
  }
}

async function writeStream(
  stream: { write(bytes: Uint8Array): Promise<number> },
  data: Uint8Array | string,
): Promise<void> {
  const bytes = typeof data === "string"
    ? new TextEncoder().encode(data)
    : data;
  try {
    for (let at = 0; at < bytes.length;) {
      at += await stream.write(bytes.subarray(at));
    }
  } catch (cause) {
    // a reader that closed the pipe (head, less) has what it wanted
    if (cause instanceof Deno.errors.BrokenPipe) return;
    throw meshError(
      "FILE-WRITE",
      `Check what stdout leads to: can not write (${reason(cause)})`,
      { path: "-", cause },
    );
  }
}

let listening = false;

/** Ctrl-C, and a polite kill, remove unfinished files. */
function removePendingOnSignals(): void {
  if (listening) return;
  listening = true;
  const exits: [Deno.Signal, number][] = [["SIGINT", 130]];
  if (Deno.build.os !== "windows") exits.push(["SIGTERM", 143]);
  for (const [signal, exit] of exits) {
    Deno.addSignalListener(signal, () => {
      for (const path of pending) {
        try {
          Deno.removeSync(path);
        } catch {
          // already renamed or gone
        }
      }
      Deno.exit(exit);
    });
  }
}

async function list(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const entry of Deno.readDir(folder || ".")) {
      if (!entry.isDirectory) names.push(entry.name);
    }
  } catch {
    // what is needed and not found is named by whoever needs it
  }
  return names;
}

async function look(path: string): Promise<"file" | "folder" | null> {
  try {
    // a link that leads nowhere is something too
    const info = await Deno.stat(path).catch(() => Deno.lstat(path));
    return info.isDirectory ? "folder" : "file";
  } catch {
    return null;
  }
}

/** Reading alone, for workers: no signals, no arguments. */
export const denoReader: Reader = { read, look, list };

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
    read,
    look,
    list,
    write,
    serve,
    out: (data) => writeStream(Deno.stdout, data),
    // where a message can not go, there is nobody to tell
    err: (text) => writeStream(Deno.stderr, text).catch(() => {}),
    batch: denoBatch(denoReader),
  };
}
