/**
 * Takes the JSON and the binary chunk out of a file, GLB or glTF.
 *
 * GLB: `glTF`, u32 version 2, u32 length; chunks of {u32 bytes, u32 type, data}: JSON (0x4E4F534A), then optionally BIN
 * (0x004E4942), each padded to 4.
 *
 * @module
 */
import { meshError } from "../../core/errors.ts";
import type { Limits } from "../../core/limits.ts";
import { fail, isObject, type Json } from "./json.ts";

const GLB_MAGIC = 0x46546c67;
const CHUNK_JSON = 0x4e4f534a;
const CHUNK_BIN = 0x004e4942;

function splitGlb(bytes: Uint8Array): {
  json: Uint8Array;
  bin: Uint8Array | null;
} {
  const header = (offset: number, message: string, found: unknown): never => {
    throw meshError("GLTF-HEADER", message, { format: "gltf", offset, found });
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 20) {
    header(
      bytes.length,
      `Give the whole file: a GLB has at least 20 bytes, this one ${bytes.length}`,
      bytes.length,
    );
  }
  const version = view.getUint32(4, true);
  if (version !== 2) {
    throw meshError(
      "GLTF-VERSION",
      `Export as glTF 2.0: this GLB has version ${version}`,
      { format: "gltf", offset: 4, found: version, allowed: 2 },
    );
  }
  const length = view.getUint32(8, true);
  if (length > bytes.length || length < 20) {
    header(
      8,
      `Give the whole file: the header says ${length} bytes, the file has ${bytes.length}`,
      length,
    );
  }
  let at = 12;
  let json: Uint8Array | null = null;
  let bin: Uint8Array | null = null;
  while (at + 8 <= length) {
    const size = view.getUint32(at, true);
    const type = view.getUint32(at + 4, true);
    if (at + 8 + size > length) {
      header(
        at,
        `Give the whole file: a chunk of ${size} bytes at ${at} passes the end at ${length}`,
        size,
      );
    }
    const data = bytes.subarray(at + 8, at + 8 + size);
    if (json === null) {
      if (type !== CHUNK_JSON) {
        header(
          at + 4,
          "Export the file again: the first chunk is not JSON",
          type,
        );
      }
      json = data;
    } else if (type === CHUNK_BIN && bin === null) bin = data;
    at += 8 + size;
  }
  if (json === null) {
    return header(12, "Export the file again: it has no JSON chunk", null);
  }
  return { json, bin };
}

/** Refuses deep nesting before JSON.parse recurses into it. */
function checkDepth(text: Uint8Array, maxDepth: number): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (inString) {
      if (c === 0x5c) i++; // backslash: the next byte is escaped
      else if (c === 0x22) inString = false;
    } else if (c === 0x22) inString = true;
    else if (c === 0x7b || c === 0x5b) {
      if (++depth > maxDepth) {
        throw meshError(
          "GLTF-JSON",
          `Flatten the JSON: it is nested deeper than ${maxDepth} at byte ${i}`,
          { format: "gltf", offset: i, found: depth, allowed: maxDepth },
        );
      }
    } else if (c === 0x7d || c === 0x5d) depth--;
  }
}

function parse(text: Uint8Array, limits: Limits): Json {
  checkDepth(text, limits.maxJsonDepth);
  let value: unknown;
  try {
    // the decoder drops a byte order mark, which some exporters write
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
  } catch (cause) {
    throw meshError(
      "GLTF-JSON",
      `Export the file again: its JSON is not valid (${
        cause instanceof Error ? cause.message : cause
      })`,
      { format: "gltf", cause },
    );
  }
  if (!isObject(value)) {
    fail("GLTF-JSON", "", "Export the file again: its JSON is not an object");
  }
  return value;
}

/**
 * The parts of a file.
 *
 * @throws {MeshError} GLTF-HEADER, GLTF-VERSION, GLTF-JSON.
 */
export function readContainer(
  bytes: Uint8Array,
  limits: Limits,
): { json: Json; bin: Uint8Array | null } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const isGlb = bytes.length >= 4 && view.getUint32(0, true) === GLB_MAGIC;
  const { json, bin } = isGlb ? splitGlb(bytes) : { json: bytes, bin: null };
  return { json: parse(json, limits), bin };
}
