/**
 * A glTF writer for the tests: JSON that a test shapes as it likes, and accessors put one after the other into one buffer.
 * Nothing of the library is in it.
 *
 * @module
 */

// deno-lint-ignore no-explicit-any
export type Loose = any;

const WRITERS: Record<
  number,
  [bytes: number, put: (v: DataView, at: number, x: number) => void]
> = {
  5120: [1, (v, at, x) => v.setInt8(at, x)],
  5121: [1, (v, at, x) => v.setUint8(at, x)],
  5122: [2, (v, at, x) => v.setInt16(at, x, true)],
  5123: [2, (v, at, x) => v.setUint16(at, x, true)],
  5125: [4, (v, at, x) => v.setUint32(at, x, true)],
  5126: [4, (v, at, x) => v.setFloat32(at, x, true)],
};
const SIZES: Record<string, number> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT4: 16,
};

/** Component types by name. */
export const TYPE = {
  i8: 5120,
  u8: 5121,
  i16: 5122,
  u16: 5123,
  u32: 5125,
  f32: 5126,
};

/** A file under construction. `json` is open to any change. */
export class PlainGltf {
  readonly json: Loose = {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [] }],
    nodes: [],
    meshes: [],
    accessors: [],
    bufferViews: [],
    buffers: [],
  };
  #bytes: number[] = [];

  /** Puts values into the buffer, from a multiple of 4 on; gives the number of the buffer view. */
  view(values: readonly number[], componentType: number): number {
    while (this.#bytes.length % 4 !== 0) this.#bytes.push(0);
    const [width, put] = WRITERS[componentType];
    const view = new DataView(new ArrayBuffer(values.length * width));
    values.forEach((x, i) => put(view, i * width, x));
    const byteOffset = this.#bytes.length;
    this.#bytes.push(...new Uint8Array(view.buffer));
    return this.json.bufferViews.push({
      buffer: 0,
      byteOffset,
      byteLength: view.byteLength,
    }) - 1;
  }

  /** An accessor over values of its own; gives its number. */
  accessor(
    type: string,
    values: readonly number[],
    componentType = TYPE.f32,
    changes: Loose = {},
  ): number {
    return this.json.accessors.push({
      bufferView: this.view(values, componentType),
      componentType,
      type,
      count: values.length / SIZES[type],
      ...changes,
    }) - 1;
  }

  /** An accessor of zeros but for some elements; gives its number. */
  sparse(
    type: string,
    count: number,
    indices: readonly number[],
    values: readonly number[],
  ): number {
    return this.json.accessors.push({
      componentType: TYPE.f32,
      type,
      count,
      sparse: {
        count: indices.length,
        indices: {
          bufferView: this.view(indices, TYPE.u16),
          componentType: TYPE.u16,
        },
        values: { bufferView: this.view(values, TYPE.f32) },
      },
    }) - 1;
  }

  /** A mesh of one primitive; gives its number. */
  mesh(attributes: Loose, primitive: Loose = {}, mesh: Loose = {}): number {
    return this.json.meshes.push({
      primitives: [{ attributes, ...primitive }],
      ...mesh,
    }) - 1;
  }

  /** A node outside the scene; gives its number. */
  node(node: Loose): number {
    return this.json.nodes.push(node) - 1;
  }

  /** A node of the scene; gives its number. */
  root(node: Loose): number {
    const number = this.node(node);
    this.json.scenes[0].nodes.push(number);
    return number;
  }

  #withBuffer(uri?: string): Loose {
    const json = structuredClone(this.json);
    if (this.#bytes.length > 0 && json.buffers.length === 0) {
      json.buffers.push({
        byteLength: this.#bytes.length,
        ...(uri === undefined ? {} : { uri }),
      });
    }
    return json;
  }

  /** The buffer. */
  get bin(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }

  /** JSON; the buffer is embedded unless a `uri` names it. */
  gltf(uri?: string): Uint8Array {
    const embedded = `data:application/octet-stream;base64,${
      btoa(String.fromCharCode(...this.#bytes))
    }`;
    return encode(JSON.stringify(this.#withBuffer(uri ?? embedded)));
  }

  /** GLB. */
  glb(): Uint8Array {
    return glb(encode(JSON.stringify(this.#withBuffer())), this.bin);
  }
}

/** UTF-8. */
export const encode = (text: string): Uint8Array =>
  new TextEncoder().encode(text);

const padded = (bytes: Uint8Array, filler: number): Uint8Array => {
  const out = new Uint8Array(Math.ceil(bytes.length / 4) * 4).fill(filler);
  out.set(bytes);
  return out;
};

/** A GLB of a JSON chunk and, unless it is empty, a BIN chunk. */
export function glb(json: Uint8Array, bin: Uint8Array): Uint8Array {
  const chunks: [type: string, data: Uint8Array][] = [
    ["JSON", padded(json, 0x20)],
    ...(bin.length > 0
      ? [["BIN\0", padded(bin, 0)] as [string, Uint8Array]]
      : []),
  ];
  const size = chunks.reduce((n, [, d]) => n + 8 + d.length, 12);
  const out = new Uint8Array(size);
  const view = new DataView(out.buffer);
  out.set(encode("glTF"));
  view.setUint32(4, 2, true);
  view.setUint32(8, size, true);
  let at = 12;
  for (const [type, data] of chunks) {
    view.setUint32(at, data.length, true);
    out.set(encode(type), at + 4);
    out.set(data, at + 8);
    at += 8 + data.length;
  }
  return out;
}

/** Corners of a triangle in the plane z = 0. */
export const CORNERS = [0, 0, 0, 1, 0, 0, 0, 1, 0];

/** One triangle under one node. */
export function triangle(primitive: Loose = {}, node: Loose = {}): PlainGltf {
  const g = new PlainGltf();
  const mesh = g.mesh({ POSITION: g.accessor("VEC3", CORNERS) }, primitive);
  g.root({ mesh, ...node });
  return g;
}
