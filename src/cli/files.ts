/**
 * Reading inputs and choosing outputs.
 *
 * @module
 */
import { detectFormat } from "../convert/detect.ts";
import { isCompanion } from "../convert/companions.ts";
import { type FormatId, formatInfo, FORMATS } from "../core/formats.ts";
import { DEFAULT_LIMITS } from "../core/limits.ts";
import type { GltfDecoders } from "../formats/gltf/mod.ts";
import { decodersFor } from "./decoders.ts";
import type { Host } from "./host.ts";
import { UsageError } from "./usage.ts";

/** An input with the files that it points to. */
export interface Input {
  /** Name as given. */
  name: string;
  /** Its bytes. */
  bytes: Uint8Array;
  /** Files named by a glTF, by the URI it uses; files beside an .mdl, by their names. */
  resources: Record<string, Uint8Array>;
  /** Codecs that the file asks for. */
  decoders: GltfDecoders;
}

/** The JSON of a glTF, in whichever of its two forms; null for anything else. */
function gltfJson(bytes: Uint8Array): unknown {
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
function bufferUris(json: unknown): string[] {
  const { buffers: list } = (json ?? {}) as { buffers?: unknown };
  const buffers = Array.isArray(list) ? list : [];
  const uris = buffers.map((b: { uri?: unknown } | null) => b?.uri)
    .filter((uri) => typeof uri === "string");
  return [...new Set(uris)];
}

/** The path that a URI names below the input's own folder; null for a scheme, an absolute path or a way up. */
function localPath(uri: string): string | null {
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

/** What reading an input needs. */
export type Reader = Pick<Host, "read" | "look" | "list">;

/** Reads an input; of a glTF also the buffers beside it, of a Source model also the rest of it. */
export async function readInput(host: Reader, name: string): Promise<Input> {
  let left = DEFAULT_LIMITS.maxInputBytes;
  const read = async (path: string) => {
    const bytes = await host.read(path, left);
    left -= bytes.length;
    return bytes;
  };
  const bytes = await read(name);
  const resources: Record<string, Uint8Array> = {};
  // a CSS authored mesh is JSON too, too large to be parsed for nothing
  const isCss = detectFormat(bytes, name) === "css";
  const json = isCss ? null : gltfJson(bytes);
  if (name !== "-") {
    const folder = name.slice(
      0,
      Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1,
    );
    if (name.toLowerCase().endsWith(".mdl")) {
      for (const file of (await host.list(folder)).sort()) {
        if (isCompanion(name, file)) {
          resources[file] = await read(folder + file);
        }
      }
    }
    for (const uri of bufferUris(json)) {
      const path = localPath(uri);
      if (path !== null && await host.look(folder + path) !== null) {
        resources[uri] = await read(folder + path);
      }
    }
  }
  return { name, bytes, resources, decoders: await decodersFor(json) };
}

/** Target format: `--to`, else the output's extension. */
export function targetFormat(out: string, to: FormatId | undefined): FormatId {
  const lower = out.toLowerCase();
  const id = to ??
    FORMATS.find((f) => f.extensions.some((e) => lower.endsWith(e)))?.id;
  if (!id) {
    throw new UsageError(
      out === "-"
        ? "Name the target with --to: stdout has no extension"
        : `Name the target with --to: the extension of ${out} says nothing`,
    );
  }
  if (!formatInfo(id).writes) {
    throw new UsageError(
      `Choose a target of ${
        FORMATS.filter((f) => f.writes).map((f) => f.id).join(", ")
      }: this version does not write ${id}`,
    );
  }
  return id;
}

/** Refuses outputs that are folders, and those that exist, unless forced. */
export async function checkOutputs(
  host: Host,
  paths: readonly string[],
  force: boolean,
): Promise<void> {
  for (const path of paths) {
    const found = path === "-" ? null : await host.look(path);
    if (found === "folder") {
      throw new UsageError(`Name a file to write: ${path} is a folder`);
    }
    if (found === "file" && !force) {
      throw new UsageError(`Pass --force to overwrite ${path}: it exists`);
    }
  }
}

/** Path of part `i` of a split output: the number goes before the extension. */
export function partPath(path: string, i: number): string {
  const slash = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  const dot = path.lastIndexOf(".");
  return dot > slash + 1
    ? `${path.slice(0, dot)}.${i}${path.slice(dot)}`
    : `${path}.${i}`;
}

/** A path without its extension. */
export function stemPath(path: string): string {
  const slash = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  const dot = path.lastIndexOf(".");
  return dot > slash + 1 ? path.slice(0, dot) : path;
}
