/**
 * Finds the bytes of a glTF's buffers: in the file, in a data URI, or among the files that the caller gave.
 *
 * @module
 */
import { meshError } from "../../core/errors.ts";
import { fail, integer, type Json, objects } from "./json.ts";

/** Text whose %XX became characters of that code. They are bytes, so UTF-8 plays no part. */
function percentDecoded(text: string): string {
  return text.replace(/%(.{0,2})/gs, (_, hex) => {
    if (!/^[0-9a-f]{2}$/i.test(hex)) throw new Error(`%${hex} is no byte`);
    return String.fromCharCode(parseInt(hex, 16));
  });
}

function decodeDataUri(uri: string, path: string): Uint8Array | null {
  if (!uri.startsWith("data:")) return null;
  const match = /^data:[^,]*?(;base64)?,/.exec(uri);
  if (!match) {
    return fail(
      "GLTF-STRUCTURE",
      `${path}/uri`,
      `Export the file again: ${path}/uri is a data URI without a comma`,
    );
  }
  const body = uri.slice(match[0].length);
  try {
    const text = match[1] ? atob(percentDecoded(body)) : percentDecoded(body);
    return Uint8Array.from(text, (c) => c.charCodeAt(0));
  } catch (cause) {
    throw meshError(
      "GLTF-STRUCTURE",
      `Export the file again: ${path}/uri does not decode`,
      { format: "gltf", path: `${path}/uri`, cause },
    );
  }
}

/** Bytes of every buffer, as many as it says. */
export function buffersOf(
  json: Json,
  bin: Uint8Array | null,
  resources: Readonly<Record<string, Uint8Array>>,
): Uint8Array[] {
  return objects(json, "buffers").map((buffer, i) => {
    const path = `/buffers/${i}`;
    const length = integer(
      buffer,
      "byteLength",
      path,
      0,
      Number.MAX_SAFE_INTEGER,
    );
    let bytes: Uint8Array | null = null;
    if (buffer.uri === undefined) {
      bytes = i === 0 ? bin : null;
    } else if (typeof buffer.uri === "string") {
      bytes = decodeDataUri(buffer.uri, path) ??
        (Object.hasOwn(resources, buffer.uri) ? resources[buffer.uri] : null);
      if (!bytes) {
        fail(
          "GLTF-EXTERNAL",
          `${path}/uri`,
          `Give the file ${
            JSON.stringify(buffer.uri.slice(0, 200))
          } too, or export as GLB: the buffer is stored there`,
          buffer.uri.slice(0, 200),
        );
      }
    }
    if (!bytes || bytes.length < length) {
      fail(
        "GLTF-STRUCTURE",
        path,
        `Give the whole file: buffer ${i} has ${
          bytes?.length ?? 0
        } bytes, ${length} needed`,
        bytes?.length ?? 0,
        length,
      );
    }
    return bytes.subarray(0, length);
  });
}
