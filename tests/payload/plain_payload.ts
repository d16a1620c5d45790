/**
 * A payload writer for the tests, on purpose the plainest one: it puts value after value and takes floats as bit patterns
 * where their bits matter. Nothing of the library is in it.
 *
 * @module
 */

/** Appends little-endian values. */
export class Put {
  readonly #bytes: number[] = [];

  /** 32 bits. */
  u32(...values: number[]): this {
    for (const x of values) {
      for (let k = 0; k < 32; k += 8) this.#bytes.push((x >>> k) & 0xff);
    }
    return this;
  }

  /** 16 bits. */
  u16(...values: number[]): this {
    for (const x of values) this.#bytes.push(x & 0xff, (x >>> 8) & 0xff);
    return this;
  }

  /** Floats. */
  f32(...values: number[]): this {
    const view = new DataView(new ArrayBuffer(4));
    for (const x of values) {
      view.setFloat32(0, x, true);
      this.u32(view.getUint32(0, true));
    }
    return this;
  }

  /** Raw bytes. */
  raw(bytes: Iterable<number>): this {
    for (const byte of bytes) this.#bytes.push(byte);
    return this;
  }

  /** A magic. */
  ascii(text: string): this {
    return this.raw(new TextEncoder().encode(text));
  }

  /** Length and UTF-8. */
  name(text: string): this {
    const bytes = new TextEncoder().encode(text);
    return this.u32(bytes.length).raw(bytes);
  }

  /** Everything so far. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(this.#bytes);
  }
}

/** The 14 floats of a vertex whose every field tells the number of the vertex. */
export function fields14(v: number): number[] {
  return [
    ...[v, v + 0.25, -v],
    ...[0, 0, 1],
    ...[1, 0, 0],
    ...[1, 0.5, v / 8],
    ...[v / 4, 1 - v / 4],
  ];
}

/** A static payload up to its LOD 0. */
export function staticPart(vertices: number, indices: readonly number[]): Put {
  const out = new Put().u32(vertices);
  for (let v = 0; v < vertices; v++) out.f32(...fields14(v));
  return out.u32(indices.length).u16(...indices);
}

/** What a plain joint holds. */
export interface PlainJoint {
  name: string;
  parent: number;
  /** Nine floats: translation, rotation in degrees, scale. */
  trs?: readonly number[];
}

/** A skinned payload up to its joints. Vertex v hangs on joints v mod J and v + 1 mod J. */
export function skinnedPart(
  vertices: number,
  indices: readonly number[],
  joints: readonly PlainJoint[],
): Put {
  const out = new Put().ascii("SKMV").u32(vertices);
  const j = Math.max(1, joints.length);
  for (let v = 0; v < vertices; v++) {
    out.f32(...fields14(v)).u16(v % j, (v + 1) % j, 0, 0)
      .f32(0.75, 0.25, 0, 0);
  }
  out.u32(indices.length).u16(...indices).u32(joints.length);
  for (const joint of joints) {
    out.name(joint.name).u32(joint.parent)
      .f32(...(joint.trs ?? [0, 1, 0, 0, 90, 0, 1, 1, 1]));
  }
  return out;
}

/** One sparse morph entry: its vertex, its target, six deltas. */
export type PlainEntry = readonly [
  vertex: number,
  target: number,
  ...deltas: number[],
];

/** Appends a MRPS block; the entries are in vertex order. */
export function putMorphs(
  out: Put,
  vertices: number,
  names: readonly string[],
  entries: readonly PlainEntry[],
): Put {
  out.ascii("MRPS").u32(names.length);
  for (const name of names) out.name(name);
  out.u32(entries.length);
  for (let v = 0; v <= vertices; v++) {
    out.u32(entries.filter(([at]) => at < v).length);
  }
  for (const [, target, ...deltas] of entries) {
    out.u32(target).f32(...deltas);
  }
  return out;
}

/** Appends a LODS block. */
export function putLods(
  out: Put,
  lods: readonly (readonly [distance: number, indices: readonly number[]])[],
): Put {
  out.ascii("LODS").u32(lods.length);
  for (const [distance, indices] of lods) {
    out.f32(distance).u32(indices.length).u16(...indices);
  }
  return out;
}

/** Appends a HFLD block. */
export function putHeightfield(
  out: Put,
  rows: number,
  cols: number,
  heights: readonly number[],
): Put {
  return out.ascii("HFLD").u32(rows, cols).f32(...heights);
}
