/**
 * What the command line needs of its runtime. Commands know nothing else of it, so that they run wherever a host is
 * written; `deno_host.ts` is the one for Deno.
 *
 * @module
 */

import type { BatchHost } from "./batch/batch_host.ts";

/** Files, streams and the terminal. */
export interface Host {
  /** Arguments behind the program's name. */
  readonly args: readonly string[];
  /** True when stdout and stderr both are terminals that may show colours. */
  readonly color: boolean;
  /** Reads a file whole, or stdin for `-`; refuses more than `maxBytes`. */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
  /** What stands at the path, links followed; null for nothing. A device, a pipe or a broken link counts as a file. */
  look(path: string): Promise<"file" | "folder" | null>;
  /** Names of the files in a folder ("" is the current one), in no order; none when it can not be listed. */
  list(folder: string): Promise<string[]>;
  /**
   * Writes files beside their places and renames them there, all or none as far as the file system allows: after a failure
   * every old file is whole and no stray file is left.
   */
  write(files: readonly { path: string; bytes: Uint8Array }[]): Promise<void>;
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
  /** What `batch` needs on top; left out where a runtime can not give it. */
  readonly batch?: BatchHost;
}
