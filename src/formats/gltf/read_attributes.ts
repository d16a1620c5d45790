/**
 * Reads vertex attributes.
 *
 * @module
 */
import type { Accessor } from "@gltf-transform/core";
import type { MeshAttributes } from "../../core/mesh.ts";
import type { Block, Reader } from "./reader.ts";
import { mapUvs } from "./texture_transform.ts";

/** Decoded values of an accessor with `width` numbers an element, to read only; missing numbers become `fill`. */
export function floats(
  accessor: Accessor,
  width: number,
  fill: number,
): Float32Array<ArrayBuffer> {
  const count = accessor.getCount();
  const array = accessor.getArray();
  if (
    array instanceof Float32Array && accessor.getElementSize() === width
  ) return array as Float32Array<ArrayBuffer>;
  const out = new Float32Array(count * width).fill(fill);
  const element: number[] = [];
  const n = Math.min(width, accessor.getElementSize());
  for (let v = 0; v < count; v++) {
    accessor.getElement(v, element);
    for (let k = 0; k < n; k++) out[v * width + k] = element[k];
  }
  return out;
}

/** Fills a stream from all blocks; null when a block with vertices lacks the attribute. */
function stream(
  reader: Reader,
  semantic: string,
  width: number,
  fill: number,
  missing: "drop" | "fill",
  change: (values: Float32Array, block: Block) => Float32Array = (x) => x,
): Float32Array<ArrayBuffer> | null {
  const holders = reader.blocks.filter((b) =>
    b.primitive.getAttribute(semantic)
  );
  if (holders.length === 0) return null;
  if (holders.length < reader.blocks.length) {
    if (missing === "drop") {
      reader.note(semantic, holders.length, "other primitives have none");
      return null;
    }
  }
  const out = new Float32Array(reader.vertexCount * width);
  if (fill !== 0 && holders.length < reader.blocks.length) out.fill(fill);
  for (const b of holders) {
    const values = floats(b.primitive.getAttribute(semantic)!, width, fill);
    out.set(change(values, b), b.first * width);
  }
  return out;
}

export function readAttributes(reader: Reader): MeshAttributes {
  const a: MeshAttributes = {
    position: stream(reader, "POSITION", 3, 0, "fill") ?? new Float32Array(0),
    uvs: [],
  };
  const normal = stream(reader, "NORMAL", 3, 0, "drop");
  if (normal) a.normal = normal;
  const tangent = stream(reader, "TANGENT", 4, 1, "drop");
  if (tangent) a.tangent = tangent;
  const color = stream(reader, "COLOR_0", 4, 1, "fill");
  if (color) a.color = color;
  for (let i = 0;; i++) {
    const uv = stream(
      reader,
      `TEXCOORD_${i}`,
      2,
      0,
      "fill",
      (values, { uvMaps }) => {
        const map = uvMaps?.get(i);
        return map ? mapUvs(values, map) : values;
      },
    );
    if (!uv) break;
    a.uvs.push(uv);
  }
  const beyond = reader.blocks.flatMap((b) => b.primitive.listSemantics())
    .filter((name) =>
      name.startsWith("TEXCOORD_") && Number(name.slice(9)) >= a.uvs.length
    );
  reader.note(
    "texture coordinate sets",
    new Set(beyond).size,
    "sets are numbered without gaps",
  );
  return a;
}
