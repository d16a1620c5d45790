/**
 * The glTF files of the corpus, with the files that each points to.
 *
 * @module
 */
import { corpusBytes, corpusFiles, corpusText } from "../corpus.ts";
import type { Loose } from "./plain_gltf.ts";

/** Paths of all glTF files below the corpus. */
export const gltfFiles = (): string[] => [
  ...corpusFiles("gltf", ".glb"),
  ...corpusFiles("gltf", ".gltf"),
];

/** The JSON of a file, or null when it has none that parses. */
export function jsonOf(bytes: Uint8Array): Loose {
  const isGlb = String.fromCharCode(...bytes.subarray(0, 4)) === "glTF";
  let text = bytes;
  if (isGlb && bytes.length >= 20) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    text = bytes.subarray(20, 20 + view.getUint32(12, true));
  }
  try {
    return JSON.parse(new TextDecoder().decode(text));
  } catch {
    return null;
  }
}

/** Bytes of the files beside one that its buffers name, as far as they are there. */
export function resourcesOf(
  path: string,
  json: Loose,
): Record<string, Uint8Array> {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const out: Record<string, Uint8Array> = {};
  const buffers = Array.isArray(json?.buffers) ? json.buffers : [];
  for (const { uri } of buffers) {
    if (typeof uri !== "string" || /^[a-z]*:|^[./]/.test(uri)) continue;
    try {
      out[uri] = corpusBytes(folder + decodeURIComponent(uri));
    } catch {
      // the corpus has files whose buffers are missing on purpose
    }
  }
  return out;
}

/** One row of the inventory: what others count in a file. */
export interface Inventory {
  vertices: number;
  triangles: number;
  errors: number;
}

/** The inventory by path. */
export function inventory(): Map<string, Inventory> {
  const rows = corpusText("gltf/INVENTORY.tsv").trim().split("\n").slice(1);
  return new Map(rows.map((row) => {
    const cells = row.split("\t");
    return [`gltf/${cells[0]}`, {
      vertices: Number(cells[2]),
      triangles: Number(cells[3]),
      errors: Number(cells[7]),
    }];
  }));
}
