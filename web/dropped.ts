/**
 * The files of a drop, those inside dropped folders too.
 *
 * @module
 */
import { FORMATS } from "../src/core/formats.ts";
import type { NamedFile } from "./sets.ts";

/** Files taken out of folders: who drops a whole game does not want to wait for all of it. */
export const MOST_FILES = 1000;

/** What a folder is searched for: models, the files beside them, buffers of glTF. */
const WANTED = [
  ...FORMATS.filter((format) => format.reads).flatMap((f) => f.extensions),
  ".vtx",
  ".vvc",
  ".bin",
];

/** Files, and whether there were more in the folders than are taken. */
export interface Dropped {
  files: NamedFile[];
  more: boolean;
}

/** Something in a folder: a file, or a folder again. */
interface Node {
  readonly name: string;
  /** Its file; absent for a folder. */
  file?(): Promise<File>;
  /** What it holds; absent for a file. */
  list?(): Promise<Node[]>;
}

/** By the newer interface, the one that Chromium has for pages opened as files too. */
function nodeOfHandle(handle: FileSystemHandle): Node {
  const { name } = handle;
  if (handle.kind === "file") {
    return { name, file: () => (handle as FileSystemFileHandle).getFile() };
  }
  const folder = handle as FileSystemDirectoryHandle;
  return {
    name,
    async list() {
      const nodes: Node[] = [];
      for await (const inner of folder.values()) {
        nodes.push(nodeOfHandle(inner));
      }
      return nodes;
    },
  };
}

/** By the older interface, the one that every browser has. */
function nodeOfEntry(entry: FileSystemEntry): Node {
  const { name } = entry;
  if (entry.isFile) {
    const file = () =>
      new Promise<File>((resolve, reject) =>
        (entry as FileSystemFileEntry).file(resolve, reject)
      );
    return { name, file };
  }
  return {
    name,
    async list() {
      const reader = (entry as FileSystemDirectoryEntry).createReader();
      const nodes: Node[] = [];
      for (;;) {
        // a hundred at a time
        const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
          reader.readEntries(resolve, reject)
        );
        if (some.length === 0) return nodes;
        nodes.push(...some.map(nodeOfEntry));
      }
    },
  };
}

/** The part of a dropped item that the types do not know yet. */
interface DroppedItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
  webkitGetAsEntry?(): FileSystemEntry | null;
}

/** What was dropped, as far as the browser tells. */
function nodeOf(item: DroppedItem): Promise<Node | null> {
  const entry = item.webkitGetAsEntry?.() ?? null;
  if (!entry?.isDirectory) return Promise.resolve(null);
  return item.getAsFileSystemHandle
    ? item.getAsFileSystemHandle().then((found) => found && nodeOfHandle(found))
    : Promise.resolve(nodeOfEntry(entry));
}

/** Walks folders, the shallow ones first. */
async function search(
  folders: Node[],
): Promise<{ found: [path: string, file: File][]; more: boolean }> {
  const found: [string, File][] = [];
  const queue = folders.map((node) => ({ path: node.name, node }));
  for (const { path, node } of queue) {
    const inside = (await node.list!())
      .sort((a, b) => a.name < b.name ? -1 : 1);
    for (const inner of inside) {
      const place = `${path}/${inner.name}`;
      if (inner.list) queue.push({ path: place, node: inner });
      else if (WANTED.some((end) => place.toLowerCase().endsWith(end))) {
        if (found.length === MOST_FILES) return { found, more: true };
        found.push([place, await inner.file!()]);
      }
    }
  }
  return { found, more: false };
}

/** Reads files. */
export async function namedFiles(
  files: Iterable<readonly [path: string, file: File]>,
): Promise<NamedFile[]> {
  return await Promise.all(
    Array.from(files, async ([name, file]) => ({
      name,
      bytes: new Uint8Array(await file.arrayBuffer()),
    })),
  );
}

/**
 * The files of a drop. Must be called while the event is handled: afterwards the browser gives nothing away.
 *
 * @param transfer What was dropped.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<Dropped> {
  const asked = Promise.all(Array.from(transfer.items, nodeOf));
  const files = Array.from(transfer.files);
  const folders = (await asked).filter((node) => node !== null);
  // a folder counts as a file of the transfer, one that can not be read
  const names = new Set(folders.map((folder) => folder.name));
  const plain = files
    .filter((file) => !names.has(file.name))
    .map((file) => [file.name, file] as const);
  const { found, more } = await search(folders);
  return { files: await namedFiles([...plain, ...found]), more };
}
