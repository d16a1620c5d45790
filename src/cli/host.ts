/**
 * What the command line needs of its runtime. Commands know nothing else of it, so that they run wherever a host is
 * written; `deno_host.ts` is the one for Deno.
 *
 * @module
 */

import type { Content } from "../core/pieces.ts";
import type { BatchHost } from "./batch/batch_host.ts";

/** Files, streams and the terminal. */
export interface Host {
  /** Arguments behind the program's name. */
  readonly args: readonly string[];
  /** True when stdout and stderr both are terminals that may show colours. */
  readonly color: boolean;
  /**
   * Reads a file whole, or stdin for `-`; refuses more than `maxBytes`. The bytes are the caller's own. `onBytes` is told how
   * many are read, and of how many where that is known.
   */
  read(
    path: string,
    maxBytes: number,
    onBytes?: (done: number, total: number | null) => void,
  ): Promise<Uint8Array>;
  /** What stands at the path, links followed; null for nothing. A device, a pipe or a broken link counts as a file. */
  look(path: string): Promise<"file" | "folder" | null>;
  /** Names of the files in a folder ("" is the current one), in no order; none when it can not be listed. */
  list(folder: string): Promise<string[]>;
  /**
   * Writes files beside their places and renames them there, all or none as far as the file system allows: after a failure
   * every old file is whole and no stray file is left. What is made in pieces is written as it is made.
   */
  write(files: readonly { path: string; bytes: Content }[]): Promise<void>;
  /** Fails as {@linkcode write} would for paths that lead nowhere, and writes nothing; space and rights only writing can tell. */
  checkWrite(paths: readonly string[]): Promise<void>;
  /** Writes to stdout. */
  out(data: Uint8Array | string): Promise<void>;
  /**
   * Answers requests on the loopback address until the process ends; tells the address when it listens. A host that can not
   * has none.
   */
  serve?(
    port: number,
    answer: (request: Request) => Promise<Response>,
    onListen: (url: string) => Promise<void>,
  ): Promise<void>;
  /** Writes to stderr; never fails. */
  err(text: string): Promise<void>;
  /**
   * Shows a line on stderr at once, in place of the one before; an empty one takes it away. There where stderr is a terminal.
   */
  readonly status?: (line: string) => void;
  /** What to tell how many bytes of a file, of how many, are looked through. There where progress is shown. */
  readonly checking?: (path: string) => (done: number, total: number) => void;
  /** What `batch` needs on top; left out where a runtime can not give it. */
  readonly batch?: BatchHost;
}
