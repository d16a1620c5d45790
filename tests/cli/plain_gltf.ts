/**
 * A glTF writer for the tests, on purpose the plainest one: positions and u32 indices, one buffer, nothing of the library.
 *
 * @module
 */

/** The JSON of one mesh whose buffer holds the positions, then the indices. */
function plainJson(
  vertices: number,
  indices: number,
  uri: string | undefined,
  max: readonly number[],
): Record<string, unknown> {
  const positionBytes = vertices * 12;
  return {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{
      primitives: [{ attributes: { POSITION: 0 }, indices: 1 }],
    }],
    accessors: [
      {
        bufferView: 0,
        componentType: 5126,
        count: vertices,
        type: "VEC3",
        min: [0, 0, 0],
        max,
      },
      { bufferView: 1, componentType: 5125, count: indices, type: "SCALAR" },
    ],
    bufferViews: [
      { buffer: 0, byteLength: positionBytes },
      { buffer: 0, byteOffset: positionBytes, byteLength: indices * 4 },
    ],
    buffers: [{
      byteLength: positionBytes + indices * 4,
      ...(uri === undefined ? {} : { uri }),
    }],
  };
}

/** A strip of squares in the plane z = 0: two vertices a column. */
function strip(columns: number): { bin: Uint8Array; indices: number } {
  const indices = (columns - 1) * 6;
  const bin = new Uint8Array(columns * 2 * 12 + indices * 4);
  const view = new DataView(bin.buffer);
  for (let c = 0; c < columns; c++) {
    for (let r = 0; r < 2; r++) {
      view.setFloat32((c * 2 + r) * 12, c, true);
      view.setFloat32((c * 2 + r) * 12 + 4, r, true);
    }
  }
  let at = columns * 2 * 12;
  for (let c = 0; c + 1 < columns; c++) {
    const v = c * 2;
    for (const i of [v, v + 2, v + 1, v + 1, v + 2, v + 3]) {
      view.setUint32(at, i, true);
      at += 4;
    }
  }
  return { bin, indices };
}

/** A strip of `columns` × 2 vertices: the JSON, which names its buffer by `uri`, and that buffer. */
export function plainGltf(
  columns: number,
  uri: string,
): { json: string; bin: Uint8Array } {
  const { bin, indices } = strip(columns);
  const max = [columns - 1, 1, 0];
  return {
    json: JSON.stringify(plainJson(columns * 2, indices, uri, max)),
    bin,
  };
}

/** The strip as GLB; with a `uri` its buffer stays outside. */
export function plainGlb(columns: number, uri?: string): Uint8Array {
  const { bin, indices } = strip(columns);
  const max = [columns - 1, 1, 0];
  let json = JSON.stringify(plainJson(columns * 2, indices, uri, max));
  while (json.length % 4 !== 0) json += " ";
  const inside = uri === undefined ? 8 + bin.length : 0;
  const out = new Uint8Array(20 + json.length + inside);
  const view = new DataView(out.buffer);
  out.set(new TextEncoder().encode("glTF"));
  view.setUint32(4, 2, true);
  view.setUint32(8, out.length, true);
  view.setUint32(12, json.length, true);
  out.set(new TextEncoder().encode("JSON"), 16);
  out.set(new TextEncoder().encode(json), 20);
  if (inside > 0) {
    const at = 20 + json.length;
    view.setUint32(at, bin.length, true);
    out.set(new TextEncoder().encode("BIN\0"), at + 4);
    out.set(bin, at + 8);
  }
  return out;
}
