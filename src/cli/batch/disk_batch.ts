/**
 * The part of what `batch` needs that is the same on every runtime.
 *
 * @module
 */
import {
  type Disk,
  type Entry,
  LEFTOVER,
  unwritable,
  writeAll,
} from "../disk.ts";
import type { Reader } from "../files.ts";
import type { BatchHost, JournalFile } from "./batch_host.ts";
import { byText } from "./manifest.ts";

/** A journal file that is open and locked. */
export interface LockedFile {
  /** Adds bytes at its end. */
  write(bytes: Uint8Array): Promise<number>;
  /** Makes it empty. */
  truncate(): Promise<void>;
  /** Closes it and gives the lock back. */
  close(): void;
}

/** What each runtime gives in its own way. */
export interface BatchParts {
  /** Files. */
  disk: Disk;
  /** Reads inputs in this thread. */
  reader: Reader;
  /** The current folder. */
  cwd(): string;
  /** Processors that may work at once. */
  processors: number;
  /** True when stderr is a terminal. */
  terminal(): boolean;
  /** Opens a file to add to it, made if needed and locked against other runs; null when another has the lock. */
  openLocked(path: string): Promise<LockedFile | null>;
  /** See {@linkcode BatchHost}. */
  openLanes: BatchHost["openLanes"];
}

async function tree(
  disk: Disk,
  folder: string,
  depth: number,
): Promise<string[]> {
  const files: string[] = [];
  const walk = async (path: string, left: number) => {
    // a folder that can not be listed has no files for us
    const entries = await disk.entries(path).catch((): Entry[] => []);
    for (
      const { name, kind } of entries.sort((a, b) => byText(a.name, b.name))
    ) {
      const whole = path === "" || path.endsWith("/")
        ? path + name
        : `${path}/${name}`;
      if (kind === "folder") {
        if (left > 1) await walk(whole, left - 1);
      } else if (kind === "file") files.push(whole);
      else if (kind === "link") {
        // a link to a file is a file; a link to a folder could lead in circles
        const status = await disk.status(whole).catch(() => null);
        if (status?.kind === "file") files.push(whole);
      }
    }
  };
  await walk(folder, depth);
  return files;
}

async function openJournal(
  { disk, openLocked }: BatchParts,
  path: string,
  empty: boolean,
): Promise<JournalFile | null> {
  let file: LockedFile | null;
  try {
    file = await openLocked(path);
    if (!file) return null;
    if (empty) await file.truncate();
  } catch (cause) {
    throw unwritable(disk, path, cause);
  }
  const { write, close } = file;
  return {
    async append(text) {
      try {
        await writeAll({ write }, new TextEncoder().encode(text));
      } catch (cause) {
        throw unwritable(disk, path, cause);
      }
    },
    async close(remove) {
      if (remove) await disk.remove(path).catch(() => {});
      close();
    },
  };
}

/** The host of `batch`, from what the runtime gives. */
export function diskBatch(parts: BatchParts): BatchHost {
  const { disk, reader } = parts;
  return {
    get cwd() {
      return parts.cwd().replaceAll("\\", "/");
    },
    look: reader.look,
    tree: (folder, depth) => tree(disk, folder, depth),
    processors: parts.processors,
    get terminal() {
      return parts.terminal();
    },
    async makeFolder(path) {
      try {
        await disk.makeFolder(path);
      } catch (cause) {
        throw unwritable(disk, path, cause);
      }
    },
    openJournal: (path, empty) => openJournal(parts, path, empty),
    async removeLeftovers(folder) {
      for (const name of await reader.list(folder)) {
        if (LEFTOVER.test(name)) {
          await disk.remove(`${folder}/${name}`).catch(() => {});
        }
      }
    },
    openLanes: parts.openLanes,
  };
}
