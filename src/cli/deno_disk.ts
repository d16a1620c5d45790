/**
 * Deno's calls for files. They need `--allow-read` and `--allow-write`, nothing else.
 *
 * @module
 */
import type { Disk, OpenFile } from "./disk.ts";

function openFile(file: Deno.FsFile): OpenFile {
  return {
    read: (into) => file.read(into),
    write: (from) => file.write(from),
    sync: () => file.sync(),
    close: () => file.close(),
  };
}

/** The disk of the running Deno process. */
export const denoDisk: Disk = {
  async status(path, link = false) {
    const info = await (link ? Deno.lstat(path) : Deno.stat(path));
    return {
      kind: info.isFile ? "file" : info.isDirectory ? "folder" : "other",
      size: info.size,
      mode: info.mode,
    };
  },
  realPath: (path) => Deno.realPath(path),
  open: async (path) => openFile(await Deno.open(path)),
  openTo: async (path) => openFile(await Deno.open(path, { write: true })),
  create: (path, mode) =>
    openFile(Deno.openSync(path, {
      write: true,
      createNew: true,
      ...(mode === null ? {} : { mode }),
    })),
  stdin: () => Deno.stdin.readable,
  entries: (folder) =>
    Array.fromAsync(
      Deno.readDir(folder || "."),
      ({ name, isFile, isDirectory, isSymlink }) => ({
        name,
        kind: isFile
          ? "file"
          : isDirectory
          ? "folder"
          : isSymlink
          ? "link"
          : "other",
      }),
    ),
  makeFolder: (path) => Deno.mkdir(path, { recursive: true }),
  rename: (from, to) => Deno.rename(from, to),
  remove: (path) => Deno.remove(path),
  removeNow: (path) => Deno.removeSync(path),
  isMissing: (error) => error instanceof Deno.errors.NotFound,
  reason: (error) =>
    error instanceof Deno.errors.NotCapable
      ? `Deno needs ${
        /--allow-[a-z-]+/.exec(error.message)?.[0] ?? "a permission"
      } for it`
      : error instanceof Error
      ? error.message.replace(/(?: \(os error \d+\))?(?:: [a-z]+ '.*)?$/s, "")
      : String(error),
};
