/**
 * Files for the command line, the same on every runtime that gives the few calls of a {@linkcode Disk}: reading up to a
 * limit, and outputs that appear whole or not at all.
 *
 * @module
 */
import { joinChunks } from "../core/bytes.ts";
import { MeshError, meshError } from "../core/errors.ts";
import { checkLimit } from "../core/limits.ts";
import { chunksOf, type Content } from "../core/pieces.ts";
import type { Reader } from "./files.ts";

/** A file that is open. */
export interface OpenFile {
  /** Fills the front of the array; gives the number of bytes, null at the end. */
  read(into: Uint8Array): Promise<number | null>;
  /** Writes from the front of the array; gives the number of bytes. */
  write(from: Uint8Array): Promise<number>;
  /** Waits until the disk has it. */
  sync(): Promise<void>;
  /** Closes it. */
  close(): void;
}

/** What stands at a path. */
export interface Status {
  /** What it is; other than both are pipes, devices and links that are not followed. */
  kind: "file" | "folder" | "other";
  /** Bytes. */
  size: number;
  /** Permissions, null where there are none. */
  mode: number | null;
}

/** An entry of a folder. */
export interface Entry {
  /** Its name. */
  name: string;
  /** What it is. */
  kind: "file" | "folder" | "link" | "other";
}

/** The calls of a runtime; each rejects with the runtime's own errors. */
export interface Disk {
  /** What stands at a path, links followed unless `link` is set. */
  status(path: string, link?: boolean): Promise<Status>;
  /** Where a path leads to. */
  realPath(path: string): Promise<string>;
  /** Opens for reading. */
  open(path: string): Promise<OpenFile>;
  /** Opens what is there for writing. */
  openTo(path: string): Promise<OpenFile>;
  /** Makes a file that is not there yet, before anything else can run. */
  create(path: string, mode: number | null): OpenFile;
  /** Bytes of stdin. */
  stdin(): AsyncIterable<Uint8Array>;
  /** Names in a folder ("" is the current one). */
  entries(folder: string): Promise<Entry[]>;
  /** Makes a folder and those above it. */
  makeFolder(path: string): Promise<void>;
  /** Renames over what is there. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file. */
  remove(path: string): Promise<void>;
  /** Removes a file before anything else can run. */
  removeNow(path: string): void;
  /** True for the error of a path that does not exist. */
  isMissing(error: unknown): boolean;
  /** What the system said, without the call and the paths that the runtime adds. */
  reason(error: unknown): string;
}

type OnBytes = (done: number, total: number | null) => void;

/** Bytes read at a time. */
const PIECE = 2 ** 22;

/** The pieces of what has no size beforehand. */
async function* piecesOf(file: OpenFile): AsyncGenerator<Uint8Array> {
  for (;;) {
    const bytes = new Uint8Array(2 ** 16);
    const n = await file.read(bytes);
    if (n === null) return;
    yield bytes.subarray(0, n);
  }
}

/** Reads what has no size beforehand: stdin, pipes, devices. */
async function collect(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onBytes: OnBytes,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    checkLimit("maxInputBytes", size, maxBytes);
    chunks.push(chunk);
    onBytes(size, null);
  }
  return joinChunks(chunks, size);
}

/** A file of known size, held once: files reach half a GiB. */
async function readWhole(
  file: OpenFile,
  size: number,
  onBytes: OnBytes,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let at = 0;
  while (at < size) {
    const n = await file.read(bytes.subarray(at, at + PIECE));
    if (n === null) break;
    at += n;
    onBytes(at, size);
  }
  return bytes.subarray(0, at);
}

/** Reading by the calls of a runtime. */
export function diskReader(disk: Disk): Required<Omit<Reader, "checking">> {
  const readPath = async (path: string, maxBytes: number, onBytes: OnBytes) => {
    const { kind, size } = await disk.status(path);
    if (kind === "folder") throw new Error("it is a folder");
    if (kind === "file") checkLimit("maxInputBytes", size, maxBytes);
    const file = await disk.open(path);
    try {
      return kind === "file"
        ? await readWhole(file, size, onBytes)
        : await collect(piecesOf(file), maxBytes, onBytes);
    } finally {
      file.close();
    }
  };
  return {
    async read(path, maxBytes, onBytes = () => {}) {
      try {
        return path === "-"
          ? await collect(disk.stdin(), maxBytes, onBytes)
          : await readPath(path, maxBytes, onBytes);
      } catch (cause) {
        if (cause instanceof MeshError) throw cause;
        throw meshError(
          "FILE-READ",
          `Check the path and its permissions: can not read ${
            path === "-" ? "stdin" : path
          } (${disk.reason(cause)})`,
          { path, cause },
        );
      }
    },
    async look(path) {
      try {
        // a link that leads nowhere is something too
        const { kind } = await disk.status(path)
          .catch(() => disk.status(path, true));
        return kind === "folder" ? "folder" : "file";
      } catch {
        return null;
      }
    },
    async list(folder) {
      // what is needed and not found is named by whoever needs it
      const entries = await disk.entries(folder).catch((): Entry[] => []);
      return entries.filter(({ kind }) => kind !== "folder")
        .map(({ name }) => name);
    },
  };
}

/** The error of an output. */
export function unwritable(disk: Disk, path: string, cause: unknown): Error {
  const why = disk.isMissing(cause)
    ? "its folder does not exist"
    : disk.reason(cause);
  return meshError(
    "FILE-WRITE",
    `Check free space, folder and permissions: can not write ${path} (${why})`,
    { path, cause },
  );
}

/** The error of stdout. */
export function stdoutError(disk: Disk, cause: unknown): Error {
  return meshError(
    "FILE-WRITE",
    `Check what stdout leads to: can not write (${disk.reason(cause)})`,
    { path: "-", cause },
  );
}

/** Writes all bytes of an array. */
export async function writeAll(
  file: Pick<OpenFile, "write">,
  bytes: Uint8Array,
): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    at += await file.write(bytes.subarray(at));
  }
}

/** Where the name begins in a path. */
function nameAt(path: string): number {
  return Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1;
}

/** A name beside the output; not made from its name, which may be as long as names can be. */
function temporaryName(place: string): string {
  const id = crypto.randomUUID().slice(0, 8);
  return `${place.slice(0, nameAt(place))}.meshwright-${id}.tmp`;
}

/** Files that a write leaves when the process is killed. */
export const LEFTOVER = /^\.meshwright-[0-9a-f]{8}\.tmp$/;

/** One output on its way to its place. */
interface Staged {
  path: string;
  bytes: Content;
  /** Where the path leads to: a symbolic link stays one, and what it points to is replaced. */
  place: string;
  /** Null for a pipe or a device, which is written to and must not be replaced. */
  temporary: string | null;
  /** Permissions of the file that is replaced. */
  mode: number | null;
}

/** Writes outputs beside their places and renames them there. */
export class AtomicWriter {
  /** Files being written, to be removed when the run is interrupted. */
  readonly #pending = new Set<string>();

  /** @param disk The calls of the runtime. */
  constructor(readonly disk: Disk) {}

  /** Writes files, all or none as far as the file system allows. */
  async write(
    files: readonly { path: string; bytes: Content }[],
  ): Promise<void> {
    const staged = await Promise.all(
      files.map(({ path, bytes }) => this.#stage(path, bytes)),
    );
    let current = files[0]?.path ?? "";
    try {
      for (const one of staged) {
        current = one.path;
        await this.#writeStaged(one);
      }
      for (const { path, place, temporary } of staged) {
        if (!temporary) continue;
        current = path;
        await this.disk.rename(temporary, place);
        this.#pending.delete(temporary);
      }
    } catch (cause) {
      for (const { temporary } of staged) {
        if (temporary) await this.#remove(temporary);
      }
      // what could not be made, not written
      if (cause instanceof MeshError) throw cause;
      throw unwritable(this.disk, current, cause);
    }
  }

  /** Refuses paths whose folder does not exist or is none, as {@linkcode write} does, and writes nothing. */
  async check(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const place = await this.disk.realPath(path).catch(() => path);
      try {
        await this.disk.status(place).catch(async (cause) => {
          if (!this.disk.isMissing(cause)) throw cause;
          await this.disk.status(place.slice(0, nameAt(place)) || ".");
        });
      } catch (cause) {
        throw unwritable(this.disk, path, cause);
      }
    }
  }

  /** Removes what is half written, at once: the process ends. */
  abandon(): void {
    for (const path of this.#pending) {
      try {
        this.disk.removeNow(path);
      } catch {
        // already renamed or gone
      }
    }
  }

  async #stage(path: string, bytes: Content): Promise<Staged> {
    const place = await this.disk.realPath(path).catch(() => path);
    const old = await this.disk.status(place).catch(() => null);
    const plain = old === null || old.kind === "file";
    return {
      path,
      bytes,
      place,
      temporary: plain ? temporaryName(place) : null,
      mode: old?.kind === "file" ? old.mode : null,
    };
  }

  async #writeStaged({ place, temporary, bytes, mode }: Staged): Promise<void> {
    if (temporary) this.#pending.add(temporary);
    // at once: a file that is made while a signal is handled would stay. A pipe has to wait for its reader.
    const file = temporary
      ? this.disk.create(temporary, mode === null ? null : mode & 0o777)
      : await this.disk.openTo(place);
    try {
      for (const chunk of chunksOf(bytes)) await writeAll(file, chunk);
      if (temporary) await file.sync();
    } finally {
      file.close();
    }
  }

  async #remove(path: string): Promise<void> {
    this.#pending.delete(path);
    await this.disk.remove(path).catch(() => {});
  }
}
