/**
 * Which of the dropped files are models, and which belong to them.
 *
 * @module
 */
import {
  bufferUris,
  folderPath,
  gltfJson,
  localPath,
  resourcesAmong,
} from "../src/convert/resources.ts";
import { FORMATS } from "../src/core/formats.ts";
import type { ModelSet } from "./protocol.ts";

/** A file with its name, or its path where a folder was dropped. */
export interface NamedFile {
  name: string;
  bytes: Uint8Array;
}

const extensionOf = (name: string) =>
  /\.[^.]*$/.exec(name.toLowerCase())?.[0] ?? "";

const baseOf = (path: string) => path.slice(folderPath(path).length);

/** A file that a model is read with, by the name that the model uses. */
interface Belonging {
  name: string;
  file: NamedFile;
}

/** Files that a model points to. Files chosen one by one come without their folders: then only their names count. */
function resourcesOf(main: NamedFile, files: NamedFile[]): Belonging[] {
  const byPath = new Map(files.map((file) => [file.name, file]));
  const named = resourcesAmong(main.name, main.bytes, byPath.keys())
    .map(({ name, path }) => ({ name, file: byPath.get(path)! }));
  if (extensionOf(main.name) !== ".gltf") return named;
  const flat = bufferUris(gltfJson(main.bytes)).flatMap((name) => {
    if (named.some((found) => found.name === name)) return [];
    const base = baseOf(localPath(name) ?? "");
    const file = files.find((f) => f.name === base);
    return file ? [{ name, file }] : [];
  });
  return [...named, ...flat];
}

/** Groups files into models: those that others need come first, what nobody needs and nobody knows is left out. */
export function groupFiles(files: readonly NamedFile[]): ModelSet[] {
  const rank = (f: NamedFile) =>
    [".mdl", ".gltf"].includes(extensionOf(f.name)) ? 0 : 1;
  const readable = FORMATS.filter((f) => f.reads).flatMap((f) => f.extensions);
  const left = new Set(files);
  const sets: ModelSet[] = [];
  for (const file of [...files].sort((a, b) => rank(a) - rank(b))) {
    if (!left.delete(file)) continue;
    const known = readable.includes(extensionOf(file.name));
    if (!known && files.length > 1) continue;
    const belonging = resourcesOf(file, files.filter((f) => f !== file));
    for (const { file: other } of belonging) left.delete(other);
    sets.push({
      ...file,
      resources: Object.fromEntries(
        belonging.map(({ name, file: { bytes } }) => [name, bytes]),
      ),
    });
  }
  return sets.length > 0 || files.length === 0
    ? sets
    : files.map((f) => ({ ...f, resources: {} }));
}
