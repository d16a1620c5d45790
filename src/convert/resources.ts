/**
 * The files that a model is read with: the buffers that a glTF names, the VVD and VTX of a Source model.
 *
 * @module
 */
import { isCompanion } from "./companions.ts";

/** The JSON of a glTF, in whichever of its two forms; null for anything else. */
export function gltfJson(bytes: Uint8Array): unknown {
  let text = bytes;
  if (String.fromCharCode(...bytes.subarray(0, 4)) === "glTF") {
    if (bytes.length < 20) return null;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    text = bytes.subarray(20, 20 + view.getUint32(12, true));
  } else if (!/^\s*\{/.test(new TextDecoder().decode(bytes.subarray(0, 256)))) {
    return null;
  }
  try {
    return JSON.parse(new TextDecoder().decode(text));
  } catch {
    return null; // the reader says what is wrong with it
  }
}

/** URIs of a glTF's buffers. Images are not looked at. */
export function bufferUris(json: unknown): string[] {
  const { buffers: list } = (json ?? {}) as { buffers?: unknown };
  const buffers = Array.isArray(list) ? list : [];
  const uris = buffers.map((b: { uri?: unknown } | null) => b?.uri)
    .filter((uri) => typeof uri === "string");
  return [...new Set(uris)];
}

/** The path that a URI names below the input's own folder; null for a scheme, an absolute path or a way up. */
export function localPath(uri: string): string | null {
  let path: string;
  try {
    path = decodeURIComponent(uri);
  } catch {
    return null;
  }
  const outside = path === "" || /^[a-z][a-z0-9+.-]*:/i.test(path) ||
    /^[\\/]/.test(path) || path.split(/[\\/]/).includes("..");
  return outside ? null : path;
}

/** The folder of a path, with its slash; "" for a name alone. */
export function folderPath(path: string): string {
  return path.slice(
    0,
    Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1,
  );
}

/** A file that a model is read with. */
export interface Resource {
  /** What the model calls it: a glTF's URI, or its name beside the .mdl. */
  name: string;
  /** Its path among the files. */
  path: string;
}

/**
 * Which of many files a model is read with.
 *
 * @param main Path of the model.
 * @param bytes Its bytes.
 * @param paths Paths of all files, the model's own among them.
 */
export function resourcesAmong(
  main: string,
  bytes: Uint8Array,
  paths: Iterable<string>,
): Resource[] {
  const folder = folderPath(main);
  if (/\.mdl$/i.test(main)) {
    return [...paths]
      .filter((path) => folderPath(path) === folder && isCompanion(main, path))
      .map((path) => ({ name: path.slice(folder.length), path }));
  }
  if (!/\.(gltf|glb)$/i.test(main)) return [];
  const there = new Set(paths);
  return bufferUris(gltfJson(bytes)).flatMap((uri) => {
    const path = localPath(uri);
    return path !== null && there.has(folder + path)
      ? [{ name: uri, path: folder + path }]
      : [];
  });
}
