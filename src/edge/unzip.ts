/**
 * Reads a zip as it arrives: entries one by one, each within its limit, names checked. Nothing of an entry is kept once the
 * next one begins, unless the caller keeps it.
 *
 * @module
 */
import { Unzip, UnzipInflate } from "fflate";
import { joinChunks } from "../core/bytes.ts";
import { RequestError } from "./answers.ts";
import type { RequestLimits } from "./limits.ts";

/** One entry. */
export interface ZipEntry {
  /** Its name, with `/` between folders. */
  name: string;
  /** Its bytes; null when it was left out. */
  bytes: Uint8Array | null;
  /** Why it was left out. */
  problem?: string;
}

/**
 * Packed bytes handed to the inflater at once. The inflater makes its buffer anew for each piece, by doubling: pieces of
 * 1,024 bytes take 2.2 x the time of 4,096 on mesh files, while pieces of 4,096 that unpack to 4 MB each leave up to 300 MB
 * behind before anything is collected, against 81 MB. So what unpacks to much more than it is comes in the smaller ones.
 */
const SLICE = 4096;
const DENSE_SLICE = 1024;
/** Unpacked bytes a packed one from which on the smaller pieces are used; mesh files stay below 10. */
const DENSE_RATIO = 64;

/** Why a name is not taken, or null: it must stay below the folder that somebody unpacks it in. */
export function nameProblem(name: string): string | null {
  if (name.length === 0 || name.length > 1024) {
    return "its name is empty or too long";
  }
  if (/^[/\\]|^[a-z]:/i.test(name)) return "its name is an absolute path";
  if (name.includes("\\")) return "its name has a backslash";
  if (name.split("/").includes("..")) return "its name leads out of the folder";
  // deno-lint-ignore no-control-regex
  if (/[\x00-\x1f\x7f]/.test(name)) return "its name has control characters";
  return null;
}

/**
 * Entries of a zip, in its order; folders are passed over.
 *
 * @param chunks The zip, piece by piece.
 * @param limits Limits of the request.
 * @throws {RequestError} 413 for too many entries or too much in all, 400 for a broken zip.
 */
export async function* zipEntries(
  chunks: AsyncIterable<Uint8Array>,
  limits: RequestLimits,
): AsyncGenerator<ZipEntry> {
  const ready: ZipEntry[] = [];
  let failure: Error | null = null;
  let entries = 0;
  let total = 0;
  let open = 0;
  const fail = (error: Error) => {
    failure ??= error;
  };
  const unzip = new Unzip((file) => {
    if (++entries > limits.maxEntries) {
      return fail(
        new RequestError(
          413,
          `Send fewer files: the zip has more than ${limits.maxEntries}`,
        ),
      );
    }
    const name = file.name;
    if (name.endsWith("/")) return;
    let problem = nameProblem(name);
    if ((file.originalSize ?? 0) > limits.maxEntryBytes) {
      problem =
        `it unpacks to ${file.originalSize} bytes, the limit is ${limits.maxEntryBytes}`;
    }
    const parts: Uint8Array[] = [];
    let size = 0;
    const finish = () => {
      open--;
      ready.push(
        problem === null
          ? { name, bytes: joinChunks(parts, size) }
          : { name, bytes: null, problem },
      );
    };
    open++;
    file.ondata = (error, data, final) => {
      if (error) {
        problem ??= `it does not unpack (${error.message})`;
        parts.length = 0;
        return finish();
      }
      size += data.length;
      total += data.length;
      if (total > limits.maxTotalBytes) {
        fail(
          new RequestError(
            413,
            `Send less at once: the files unpack to more than ${limits.maxTotalBytes} bytes`,
          ),
        );
      }
      if (size > limits.maxEntryBytes && problem === null) {
        problem = `it unpacks to more than ${limits.maxEntryBytes} bytes`;
        parts.length = 0;
      }
      if (problem === null) parts.push(data);
      if (final) finish();
    };
    try {
      file.start();
    } catch (error) {
      problem ??= `it is packed in a way that is not read (${
        error instanceof Error ? error.message : error
      })`;
      finish();
    }
  });
  unzip.register(UnzipInflate);

  const push = (data: Uint8Array, final: boolean) => {
    try {
      unzip.push(data, final);
    } catch (error) {
      fail(
        new RequestError(
          400,
          `Send a whole zip: it can not be read (${
            error instanceof Error ? error.message : error
          })`,
        ),
      );
    }
  };
  let received = 0;
  let slice = DENSE_SLICE;
  for await (const chunk of chunks) {
    received += chunk.length;
    for (let at = 0; at < chunk.length && !failure;) {
      const before = total;
      const piece = chunk.subarray(at, at + slice);
      push(piece, false);
      at += piece.length;
      slice = total - before > piece.length * DENSE_RATIO ? DENSE_SLICE : SLICE;
      yield* ready.splice(0);
    }
    if (failure) throw failure;
  }
  push(new Uint8Array(0), true);
  yield* ready.splice(0);
  if (failure) throw failure;
  if (entries === 0 || open > 0) {
    throw new RequestError(
      400,
      received === 0
        ? "Send a zip as the body: it is empty"
        : entries === 0
        ? "Send a zip as the body: no entry found"
        : "Send a whole zip: it ends inside an entry",
    );
  }
}
