/**
 * Which of the dropped files are models, and which belong to them.
 *
 * @module
 */
import { isCompanion } from "../src/convert/companions.ts";
import { FORMATS } from "../src/core/formats.ts";
import type { ModelSet } from "./protocol.ts";

/** A file with its name. */
export interface NamedFile {
  name: string;
  bytes: Uint8Array;
}

const extensionOf = (name: string) =>
  /\.[^.]*$/.exec(name.toLowerCase())?.[0] ?? "";

/** Names that a glTF's buffers go by. */
function bufferUris(bytes: Uint8Array): string[] {
  try {
    const json = JSON.parse(new TextDecoder().decode(bytes));
    return json.buffers.map((b: { uri?: unknown }) => b.uri)
      .filter((uri: unknown) => typeof uri === "string");
  } catch {
    return []; // the reader says what is wrong with it
  }
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/** The files that a model points to, by the name it uses; folders do not come with dropped files, so only names count. */
function resourcesOf(main: NamedFile, files: NamedFile[]): NamedFile[] {
  const extension = extensionOf(main.name);
  if (extension === ".mdl") {
    return files.filter((f) => isCompanion(main.name, f.name));
  }
  if (extension !== ".gltf") return [];
  return bufferUris(main.bytes).flatMap((uri) => {
    const name = decoded(uri).replace(/^.*[\\/]/, "");
    const file = files.find((f) => f.name === name);
    return file ? [{ name: uri, bytes: file.bytes }] : [];
  });
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
    const resources = resourcesOf(file, [...files].filter((f) => f !== file));
    for (const { bytes } of resources) {
      for (const f of left) if (f.bytes === bytes) left.delete(f);
    }
    sets.push({
      ...file,
      resources: Object.fromEntries(resources.map((r) => [r.name, r.bytes])),
    });
  }
  return sets.length > 0 || files.length === 0
    ? sets
    : files.map((f) => ({ ...f, resources: {} }));
}
