/**
 * What `batch` needs of Deno. Nothing here needs more than `--allow-read` and `--allow-write`.
 *
 * @module
 */
import { denoDisk } from "../deno_disk.ts";
import type { Reader } from "../files.ts";
import type { BatchHost } from "./batch_host.ts";
import { diskBatch, type LockedFile } from "./disk_batch.ts";
import { laneInPlace, workerLanes } from "./pool.ts";

const WORKER = new URL("./worker.ts", import.meta.url);

async function openLocked(path: string): Promise<LockedFile | null> {
  const file = await Deno.open(path, { append: true, create: true });
  if (!await file.tryLock(true)) {
    file.close();
    return null;
  }
  return {
    write: (bytes) => file.write(bytes),
    truncate: () => file.truncate(),
    close: () => file.close(),
  };
}

/** True when the worker's module may be loaded: with `--allow-read=FOLDER` it need not be. */
async function mayLoadWorker(): Promise<boolean> {
  if (WORKER.protocol !== "file:") return true;
  const { state } = await Deno.permissions.query({
    name: "read",
    path: WORKER,
  });
  return state === "granted";
}

/**
 * The host of `batch`.
 *
 * @param reader Reads inputs in this thread.
 */
export function denoBatch(reader: Reader): BatchHost {
  return diskBatch({
    disk: denoDisk,
    reader,
    cwd: () => Deno.cwd(),
    processors: navigator.hardwareConcurrency,
    terminal: () => Deno.stderr.isTerminal(),
    openLocked,
    async openLanes(count) {
      const lanes = count > 1 && await mayLoadWorker()
        ? await workerLanes(WORKER, count)
        : null;
      return lanes ?? [laneInPlace(reader)];
    },
  });
}
