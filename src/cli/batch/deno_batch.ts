/**
 * What `batch` needs of Deno. Nothing here needs more than `--allow-read` and `--allow-write`.
 *
 * @module
 */
import { meshError } from "../../core/errors.ts";
import type { Reader } from "../files.ts";
import type { BatchHost, JournalFile } from "./batch_host.ts";
import { byText } from "./manifest.ts";
import { laneInPlace, workerLanes } from "./pool.ts";

const WORKER = new URL("./worker.ts", import.meta.url);

/** Files that an atomic write leaves when the process is killed. */
const LEFTOVER = /^\.meshwright-[0-9a-f]{8}\.tmp$/;

function unwritable(path: string, cause: unknown) {
  return meshError(
    "FILE-WRITE",
    `Check free space, folder and permissions: can not write ${path} (${
      cause instanceof Error ? cause.message : cause
    })`,
    { path, cause },
  );
}

async function tree(folder: string, depth: number): Promise<string[]> {
  const files: string[] = [];
  const walk = async (path: string, left: number) => {
    const entries: Deno.DirEntry[] = [];
    try {
      for await (const entry of Deno.readDir(path || ".")) entries.push(entry);
    } catch {
      return; // a folder that can not be listed has no files for us
    }
    for (const entry of entries.sort((a, b) => byText(a.name, b.name))) {
      const whole = path === "" || path.endsWith("/")
        ? path + entry.name
        : `${path}/${entry.name}`;
      if (entry.isDirectory) {
        if (left > 1) await walk(whole, left - 1);
      } else if (entry.isFile) files.push(whole);
      else if (entry.isSymlink) {
        // a link to a file is a file; a link to a folder could lead in circles
        const info = await Deno.stat(whole).catch(() => null);
        if (info?.isFile) files.push(whole);
      }
    }
  };
  await walk(folder, depth);
  return files;
}

async function openJournal(
  path: string,
  empty: boolean,
): Promise<JournalFile | null> {
  let file: Deno.FsFile;
  try {
    file = await Deno.open(path, { append: true, create: true });
    if (!await file.tryLock(true)) {
      file.close();
      return null;
    }
    if (empty) await file.truncate();
  } catch (cause) {
    throw unwritable(path, cause);
  }
  return {
    async append(text) {
      const bytes = new TextEncoder().encode(text);
      try {
        for (let at = 0; at < bytes.length;) {
          at += await file.write(bytes.subarray(at));
        }
      } catch (cause) {
        throw unwritable(path, cause);
      }
    },
    async close(remove) {
      if (remove) await Deno.remove(path).catch(() => {});
      file.close();
    },
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
 * @param look What stands at a path.
 */
export function denoBatch(reader: Reader): BatchHost {
  return {
    get cwd() {
      return Deno.cwd().replaceAll("\\", "/");
    },
    look: reader.look,
    tree,
    processors: navigator.hardwareConcurrency,
    get terminal() {
      return Deno.stderr.isTerminal();
    },
    async makeFolder(path) {
      try {
        await Deno.mkdir(path, { recursive: true });
      } catch (cause) {
        throw unwritable(path, cause);
      }
    },
    openJournal,
    async removeLeftovers(folder) {
      for (const name of await reader.list(folder)) {
        if (LEFTOVER.test(name)) {
          await Deno.remove(`${folder}/${name}`).catch(() => {});
        }
      }
    },
    async openLanes(count) {
      const lanes = count > 1 && await mayLoadWorker()
        ? await workerLanes(WORKER, count)
        : null;
      return lanes ?? [laneInPlace(reader)];
    },
  };
}
