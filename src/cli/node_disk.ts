/**
 * Node's calls for files, which Bun has as well.
 *
 * @module
 */
import * as fs from "node:fs";
import process from "node:process";
import { promisify } from "node:util";
import type { Disk, Entry, OpenFile } from "./disk.ts";

const [read, write, sync] = [
  promisify(fs.read),
  promisify(fs.write),
  promisify(fs.fsync),
];
const open = promisify(fs.open);

function openFile(fd: number): OpenFile {
  return {
    async read(into) {
      const { bytesRead } = await read(fd, into, 0, into.length, null);
      return bytesRead === 0 ? null : bytesRead;
    },
    async write(from) {
      return (await write(fd, from, 0, from.length, null)).bytesWritten;
    },
    sync: () => sync(fd),
    close: () => fs.closeSync(fd),
  };
}

function kindOf(info: fs.Stats | fs.Dirent): "file" | "folder" | "other" {
  return info.isFile() ? "file" : info.isDirectory() ? "folder" : "other";
}

const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code;

/** The disk of the running Node or Bun process. */
export const nodeDisk: Disk = {
  async status(path, link = false) {
    const info = await (link ? fs.promises.lstat : fs.promises.stat)(path);
    return { kind: kindOf(info), size: info.size, mode: info.mode };
  },
  realPath: (path) => fs.promises.realpath(path),
  open: async (path) => openFile(await open(path, "r")),
  openTo: async (path) => openFile(await open(path, fs.constants.O_WRONLY)),
  create: (path, mode) => openFile(fs.openSync(path, "wx", mode ?? 0o666)),
  stdin: () => process.stdin,
  async entries(folder) {
    const found = await fs.promises.readdir(folder || ".", {
      withFileTypes: true,
    });
    return found.map((entry): Entry => ({
      name: entry.name,
      kind: entry.isSymbolicLink() ? "link" : kindOf(entry),
    }));
  },
  async makeFolder(path) {
    await fs.promises.mkdir(path, { recursive: true });
  },
  rename: (from, to) => fs.promises.rename(from, to),
  remove: (path) => fs.promises.unlink(path),
  removeNow: (path) => fs.unlinkSync(path),
  isMissing: (error) => codeOf(error) === "ENOENT",
  reason(error) {
    if (!(error instanceof Error)) return String(error);
    if (typeof codeOf(error) !== "string") return error.message;
    // "ENOENT: no such file or directory, open 'a.glb'"
    const text = error.message.replace(/^E[A-Z0-9]+: /, "")
      .replace(/, [a-z]+(?: '.*)?$/s, "");
    return text.slice(0, 1).toUpperCase() + text.slice(1);
  },
};
