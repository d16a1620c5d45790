/**
 * A VTX writer and reader for the tests, on purpose the plainest ones: nothing of the library in them.
 *
 * @module
 */

/** Strip of a group. */
export interface PlainStrip {
  indexOffset: number;
  indexCount: number;
  vertexOffset: number;
  vertexCount: number;
  numBones: number;
  flags: number;
  boneChanges: [hardware: number, bone: number][];
}

/** Strip group. */
export interface PlainGroup {
  flags: number;
  /** Nine bytes each. */
  vertices: Uint8Array[];
  indices: number[];
  strips: PlainStrip[];
}

/** A whole VTX. */
export interface PlainVtx {
  version?: number;
  checksum: number;
  numLODs: number;
  bodyParts: {
    models: {
      lods: {
        switchPoint: number;
        meshes: { flags: number; groups: PlainGroup[] }[];
      }[];
    }[];
  }[];
  replacements?: [material: number, name: string][][];
}

/** Sizes of strip group and strip headers. */
export const SIZES = {
  "25/27": [25, 27],
  "33/35": [33, 35],
} as const;

/** Name of a layout. */
export type Layout = keyof typeof SIZES;

/** Bytes that grow. */
export class Growing {
  #bytes = new Uint8Array(1024);
  length = 0;

  /** @param littleEndian How numbers are laid down. */
  constructor(readonly littleEndian = true) {}

  /** Adds zero bytes and gives their place. */
  room(size: number): number {
    const at = this.length;
    this.length += size;
    if (this.length > this.#bytes.length) {
      const more = new Uint8Array(this.length * 2);
      more.set(this.#bytes);
      this.#bytes = more;
    }
    return at;
  }
  put(bytes: Uint8Array): number {
    const at = this.room(bytes.length);
    this.#bytes.set(bytes, at);
    return at;
  }
  text(text: string): number {
    return this.put(new TextEncoder().encode(text + "\0"));
  }
  #view(): DataView {
    return new DataView(this.#bytes.buffer);
  }
  i32(at: number, ...values: number[]): void {
    values.forEach((x, i) =>
      this.#view().setInt32(at + 4 * i, x, this.littleEndian)
    );
  }
  i16(at: number, ...values: number[]): void {
    values.forEach((x, i) =>
      this.#view().setInt16(at + 2 * i, x, this.littleEndian)
    );
  }
  u8(at: number, ...values: number[]): void {
    values.forEach((x, i) => this.#bytes[at + i] = x);
  }
  f32(at: number, ...values: number[]): void {
    values.forEach((x, i) =>
      this.#view().setFloat32(at + 4 * i, x, this.littleEndian)
    );
  }
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.length);
  }
}

/** Lays a VTX out level by level, as the compiler does: all headers of a kind, then the arrays. */
export function plainVtx(
  vtx: PlainVtx,
  layout: Layout,
  littleEndian = true,
): Uint8Array<ArrayBuffer> {
  const [groupSize, stripSize] = SIZES[layout];
  const out = new Growing(littleEndian);
  out.room(36);
  out.i32(0, vtx.version ?? 7, 24);
  out.i16(8, 53, 9);
  out.i32(12, 3, vtx.checksum, vtx.numLODs);
  /** Children of all records of one level, with the place of each. */
  type Level<T> = { at: number; value: T }[];
  /** Puts all children of one level down; each record says number and offset. */
  const below = <T, C>(
    level: Level<T>,
    field: number,
    children: (value: T) => C[],
    size: number,
  ): Level<C> =>
    level.flatMap(({ at, value }) => {
      const list = children(value);
      const start = out.room(list.length * size);
      out.i32(at + field, list.length, start - at);
      return list.map((child, i) => ({ at: start + i * size, value: child }));
    });
  const parts = below([{ at: 0, value: vtx }], 28, (v) => v.bodyParts, 8);
  const models = below(parts, 0, (p) => p.models, 8);
  const lods = below(models, 0, (m) => m.lods, 12);
  for (const { at, value } of lods) out.f32(at + 8, value.switchPoint);
  const meshes = below(lods, 0, (l) => l.meshes, 9);
  for (const { at, value } of meshes) out.u8(at + 8, value.flags);
  const groups = below(meshes, 0, (m) => m.groups, groupSize);
  for (const { at, value } of groups) out.u8(at + 24, value.flags);
  const strips = below(groups, 16, (g) => g.strips, stripSize);
  for (const { at, value: s } of strips) {
    out.i32(at, s.indexCount, s.indexOffset, s.vertexCount, s.vertexOffset);
    out.i16(at + 16, s.numBones);
    out.u8(at + 18, s.flags);
  }
  for (const { at, value: g } of groups) {
    const vertices = out.length;
    for (const v of g.vertices) {
      const at = out.put(v);
      out.i16(at + 4, v[4] | v[5] << 8);
    }
    out.i32(at, g.vertices.length, vertices - at);
    const indices = out.room(g.indices.length * 2);
    g.indices.forEach((x, i) => out.i16(indices + i * 2, x));
    out.i32(at + 8, g.indices.length, indices - at);
  }
  for (const { at, value: s } of strips) {
    const changes = out.room(s.boneChanges.length * 8);
    out.i32(changes, ...s.boneChanges.flat());
    out.i32(at + 19, s.boneChanges.length, changes - at);
  }
  const lists = vtx.replacements ??
    Array.from({ length: vtx.numLODs }, () => []);
  const heads = out.room(lists.length * 8);
  out.i32(24, heads);
  lists.forEach((list, i) => {
    const at = heads + i * 8;
    const start = out.room(list.length * 6);
    out.i32(at, list.length, start - at);
    list.forEach(([material, name], k) => {
      const entry = start + k * 6;
      out.i16(entry, material);
      out.i32(entry + 2, out.text(name) - entry);
    });
  });
  return out.bytes();
}

/** Reads a VTX of a layout that is known. */
export function parseVtx(bytes: Uint8Array, layout: Layout): PlainVtx {
  const [groupSize, stripSize] = SIZES[layout];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const i32 = (at: number) => view.getInt32(at, true);
  const list = <T>(at: number, size: number, read: (at: number) => T): T[] =>
    Array.from(
      { length: i32(at) },
      (_, i) => read(at + i32(at + 4) + i * size),
    );
  const strip = (at: number): PlainStrip => ({
    indexCount: i32(at),
    indexOffset: i32(at + 4),
    vertexCount: i32(at + 8),
    vertexOffset: i32(at + 12),
    numBones: view.getInt16(at + 16, true),
    flags: bytes[at + 18],
    boneChanges: Array.from({ length: i32(at + 19) }, (_, i) => {
      const change = at + i32(at + 23) + i * 8;
      return [i32(change), i32(change + 4)];
    }),
  });
  const group = (at: number): PlainGroup => ({
    vertices: Array.from(
      { length: i32(at) },
      (_, i) =>
        bytes.slice(at + i32(at + 4) + i * 9, at + i32(at + 4) + i * 9 + 9),
    ),
    indices: Array.from(
      { length: i32(at + 8) },
      (_, i) => view.getUint16(at + i32(at + 12) + i * 2, true),
    ),
    strips: Array.from(
      { length: i32(at + 16) },
      (_, i) => strip(at + i32(at + 20) + i * stripSize),
    ),
    flags: bytes[at + 24],
  });
  return {
    version: i32(0),
    checksum: i32(16),
    numLODs: i32(20),
    bodyParts: Array.from({ length: i32(28) }, (_, b) => ({
      models: list(i32(32) + b * 8, 8, (model) => ({
        lods: list(model, 12, (lod) => ({
          switchPoint: view.getFloat32(lod + 8, true),
          meshes: list(lod, 9, (mesh) => ({
            flags: bytes[mesh + 8],
            groups: list(mesh, groupSize, group),
          })),
        })),
      })),
    })),
  };
}

/** Vertices of the mesh that all triangles lists of a mesh name, in file order. */
export function plainTriangles(groups: readonly PlainGroup[]): number[] {
  return groups.flatMap((g) =>
    g.strips.flatMap((s) =>
      g.indices.slice(s.indexOffset, s.indexOffset + s.indexCount)
        .map((i) => g.vertices[i][4] | g.vertices[i][5] << 8)
    )
  );
}
