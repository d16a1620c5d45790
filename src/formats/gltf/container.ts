/**
 * Takes the JSON and the binary chunk out of a file, GLB or glTF.
 *
 * GLB: `glTF`, u32 version 2, u32 length; chunks of {u32 bytes, u32 type, data}: JSON (0x4E4F534A), then optionally BIN
 * (0x004E4942), each padded to 4.
 *
 * @module
 */
import { hasByteOrderMark } from "../../core/bytes.ts";
import { MeshError, meshError } from "../../core/errors.ts";
import type { Limits } from "../../core/limits.ts";
import { JsonTokenizer } from "../../core/json_tokenizer.ts";
import type { Json } from "./json.ts";

const GLB_MAGIC = 0x46546c67;
const CHUNK_JSON = 0x4e4f534a;
const CHUNK_BIN = 0x004e4942;
/** White space of JSON. */
const WHITE: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];
const OPEN_OBJECT = 0x7b;

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
          `Export the file again: the first chunk is no JSON but of type 0x${
            type.toString(16)
          }`,
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

/**
 * Refuses deep nesting before JSON.parse recurses into it.
 *
 * @param start Where the text begins in the file.
 */
function checkDepth(text: Uint8Array, maxDepth: number, start: number): void {
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
          `Flatten the JSON: it is nested deeper than ${maxDepth} at byte ${
            start + i
          }`,
          {
            format: "gltf",
            offset: start + i,
            found: depth,
            allowed: maxDepth,
          },
        );
      }
    } else if (c === 0x7d || c === 0x5d) depth--;
  }
}

/** What a file begins with, for people: its characters, or its bytes where they are none. */
function beginning(text: Uint8Array): string {
  if (text.length === 0) return "nothing";
  const head = text.subarray(0, 8);
  return head.every((c) => c >= 0x20 && c < 0x7f)
    ? `"${String.fromCharCode(...head)}"`
    : `the bytes ${
      Array.from(head, (b) => b.toString(16).padStart(2, "0")).join(" ")
    }`;
}

/** Refuses what is no JSON object at all, in place of a parser that would complain of its first character. */
function checkObject(text: Uint8Array, isGlb: boolean, start: number): void {
  const first = text.findIndex((c) => !WHITE.includes(c));
  if (text[first] === OPEN_OBJECT) return;
  const rest = first < 0 ? text.subarray(text.length) : text.subarray(first);
  const found = beginning(rest);
  throw meshError(
    "GLTF-JSON",
    isGlb
      ? `Export the file again: the JSON chunk of a GLB is an object, found ${found}`
      : `Give a glTF file: a GLB begins with glTF, a .gltf is a JSON object with the key asset; found ${found}`,
    {
      format: "gltf",
      offset: start + text.length - rest.length,
      found,
      allowed: isGlb ? ["{"] : ["glTF", "{"],
    },
  );
}

/** Where JSON breaks, in the same words on every runtime. */
function syntaxError(text: Uint8Array, limits: Limits, start: number): Error {
  const tokens = new JsonTokenizer(text, limits.maxJsonDepth);
  try {
    tokens.skip();
    if (tokens.peek() >= 0) throw tokens.fail("End the file");
  } catch (error) {
    if (!(error instanceof MeshError)) throw error;
    const offset = start + (error.offset ?? 0);
    return meshError(
      "GLTF-JSON",
      `Export the file again: its JSON breaks off at byte ${offset}, which is ${error.found}`,
      {
        format: "gltf",
        offset,
        found: error.found,
        allowed: "JSON in UTF-8",
        cause: error,
      },
    );
  }
  return meshError("GLTF-JSON", "Export the file again: its JSON is not read", {
    format: "gltf",
    offset: start,
  });
}

function parse(
  bytes: Uint8Array,
  limits: Limits,
  isGlb: boolean,
  start: number,
): Json {
  // some exporters write a byte order mark
  const skipped = hasByteOrderMark(bytes) ? 3 : 0;
  const text = bytes.subarray(skipped);
  const at = start + skipped;
  checkObject(text, isGlb, at);
  checkDepth(text, limits.maxJsonDepth, at);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
  } catch {
    throw syntaxError(text, limits, at);
  }
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
  const start = json.byteOffset - bytes.byteOffset;
  return { json: parse(json, limits, isGlb, start), bin };
}
