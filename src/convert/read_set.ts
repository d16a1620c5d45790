/**
 * Reads a model with the files that it points to, from a file system or what stands for one.
 *
 * @module
 */
import { DEFAULT_LIMITS } from "../core/limits.ts";
import { isCompanion } from "./companions.ts";
import { detectFormat } from "./detect.ts";
import { bufferUris, folderPath, gltfJson, localPath } from "./resources.ts";

/** What is read from. */
export interface FileReader {
  /** Reads a file whole; refuses more than `maxBytes`. */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
  /** What stands at a path; null for nothing. */
  look(path: string): Promise<"file" | "folder" | null>;
  /** Names of the files in a folder ("" is the current one), in no order. */
  list(folder: string): Promise<string[]>;
}

/** A model with the files that it points to. */
export interface FileSet {
  /** Its bytes. */
  bytes: Uint8Array;
  /** Files named by a glTF, by the URI it uses; files beside an .mdl, by their names. */
  resources: Record<string, Uint8Array>;
  /** JSON of a glTF; null for anything else. */
  json: unknown;
}

/**
 * Reads a model; of a glTF also the buffers beside it, of a Source model also the rest of it.
 *
 * @param files Where it is.
 * @param name Its path; `-` has nothing beside it.
 */
export async function readSet(
  files: FileReader,
  name: string,
): Promise<FileSet> {
  let left = DEFAULT_LIMITS.maxInputBytes;
  const read = async (path: string) => {
    const bytes = await files.read(path, left);
    left -= bytes.length;
    return bytes;
  };
  const bytes = await read(name);
  const resources: Record<string, Uint8Array> = {};
  // a CSS authored mesh is JSON too, too large to be parsed for nothing
  const isCss = detectFormat(bytes, name) === "css";
  const json = isCss ? null : gltfJson(bytes);
  if (name === "-") return { bytes, resources, json };
  const folder = folderPath(name);
  if (name.toLowerCase().endsWith(".mdl")) {
    for (const file of (await files.list(folder)).sort()) {
      if (isCompanion(name, file)) resources[file] = await read(folder + file);
    }
  }
  for (const uri of bufferUris(json)) {
    const path = localPath(uri);
    if (path !== null && await files.look(folder + path) !== null) {
      resources[uri] = await read(folder + path);
    }
  }
  return { bytes, resources, json };
}
