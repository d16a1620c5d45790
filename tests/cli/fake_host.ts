/**
 * The command line on files in memory: every command runs in this process, on nothing but maps and strings.
 *
 * @module
 */
import { run } from "../../src/cli/main.ts";
import type { Host } from "../../src/cli/host.ts";
import { meshError } from "../../src/core/errors.ts";
import { checkLimit } from "../../src/core/limits.ts";
import { wholeOf } from "../../src/core/pieces.ts";

/** What the command line finds when it starts. */
export interface World {
  /** Files by path. */
  files?: Readonly<Record<string, Uint8Array | string>>;
  /** Paths that are folders; `nowhere` is none. */
  folders?: readonly string[];
  /** Bytes on stdin. */
  stdin?: Uint8Array;
  /** Whether colours are shown. */
  color?: boolean;
  /** Whether stderr is a terminal. */
  terminal?: boolean;
  /** Fails every write of files. */
  full?: boolean;
  /** A smaller limit on input sizes than the command asks for. */
  maxBytes?: number;
}

/** What it left behind. */
export interface Ran {
  /** Exit code. */
  code: number;
  /** Stdout as text. */
  out: string;
  /** Stdout as bytes. */
  bytes: Uint8Array;
  /** Stderr. */
  err: string;
  /** Lines shown on the terminal, in order; "" where one was taken away. */
  status: string[];
  /** All files afterwards. */
  files: Map<string, Uint8Array>;
  /** Paths written, one list a call. */
  writes: string[][];
  /** Paths read, stdin included. */
  reads: string[];
}

const encoder = new TextEncoder();
const asBytes = (data: Uint8Array | string) =>
  typeof data === "string" ? encoder.encode(data) : data;

/** Runs a command line; a string is cut at its spaces. */
export async function cli(
  line: string | readonly string[],
  world: World = {},
): Promise<Ran> {
  const files = new Map(
    Object.entries(world.files ?? {}).map(([k, v]) => [k, asBytes(v)]),
  );
  const folders = new Set(world.folders ?? []);
  const writes: string[][] = [];
  const reads: string[] = [];
  const status: string[] = [];
  const out: Uint8Array[] = [];
  let err = "";
  const host: Host = {
    args: typeof line === "string" ? line.split(" ") : line,
    color: world.color ?? false,
    async read(path, maxBytes, onBytes = () => {}) {
      reads.push(path);
      await Promise.resolve();
      const bytes = path === "-" ? world.stdin : files.get(path);
      if (!bytes) {
        throw meshError("FILE-READ", `Check the path: no ${path}`, { path });
      }
      checkLimit(
        "maxInputBytes",
        bytes.length,
        Math.min(maxBytes, world.maxBytes ?? Infinity),
      );
      onBytes(bytes.length >> 1, path === "-" ? null : bytes.length);
      onBytes(bytes.length, path === "-" ? null : bytes.length);
      return bytes.slice(); // the reader may free its own
    },
    look(path) {
      return Promise.resolve(
        folders.has(path) ? "folder" : files.has(path) ? "file" : null,
      );
    },
    list(folder) {
      return Promise.resolve(
        [...files.keys()].filter((path) =>
          path.startsWith(folder) && !path.slice(folder.length).includes("/")
        ).map((path) => path.slice(folder.length)),
      );
    },
    async write(made) {
      await host.checkWrite(made.map(({ path }) => path));
      if (world.full) {
        throw meshError("FILE-WRITE", `Check free space: ${made[0].path}`);
      }
      writes.push(made.map(({ path }) => path));
      for (const { path, bytes } of made) files.set(path, wholeOf(bytes));
    },
    async checkWrite(paths) {
      await Promise.resolve();
      const lost = paths.find((path) => path.startsWith("nowhere/"));
      if (lost !== undefined) {
        throw meshError("FILE-WRITE", `Check the folder: ${lost}`, {
          path: lost,
        });
      }
    },
    out(data) {
      out.push(asBytes(data).slice());
      return Promise.resolve();
    },
    err(text) {
      err += text;
      return Promise.resolve();
    },
    ...(world.terminal ? { status: (line) => void status.push(line) } : {}),
  };
  const code = await run(host);
  const bytes = new Uint8Array(out.reduce((n, b) => n + b.length, 0));
  let at = 0;
  for (const chunk of out) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return {
    code,
    out: new TextDecoder().decode(bytes),
    bytes,
    err,
    status,
    files,
    writes,
    reads,
  };
}

/** Bytes of a shipped sample. */
export function sample(name: string): Uint8Array<ArrayBuffer> {
  return Deno.readFileSync(new URL(`../../samples/${name}`, import.meta.url));
}

/** The lines of stdout as JSON, each of which must be one object. */
export function jsonLines(out: string): Record<string, unknown>[] {
  if (!out.endsWith("\n")) throw new Error("the last line has no end");
  return out.slice(0, -1).split("\n").map((line) => {
    const value = JSON.parse(line);
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new Error(`not an object: ${line}`);
    }
    return value;
  });
}
