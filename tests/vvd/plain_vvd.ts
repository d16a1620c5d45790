/**
 * A VVD writer and reader for the tests, on purpose the plainest ones: one DataView, one value after the other, nothing of
 * the library in them.
 *
 * @module
 */

/** One row of the fixup table: lod, first vertex, number of vertices. */
export type Row = readonly [lod: number, source: number, count: number];

/** What to put into a file. Everything has the usual place and value unless said otherwise. */
export interface PlainVvd {
  magic?: string;
  version?: number;
  checksum?: number;
  numLODs?: number;
  /** Up to eight counts; the last one is repeated. */
  counts: readonly number[];
  fixups?: readonly Row[];
  /** 48 bytes a vertex, or null for a header that says 0. */
  vertices: Uint8Array | null;
  /** 16 bytes a vertex, or null for a header that says 0. */
  tangents?: Uint8Array | null;
  fixupsAt?: number;
  verticesAt?: number;
  tangentsAt?: number;
  /** Bytes behind everything else. */
  tail?: Uint8Array;
  /** What unused places hold. */
  filler?: number;
}

/** Lays a file out by the compiler's rules, or by the places given. */
export function plainVvd(spec: PlainVvd): Uint8Array<ArrayBuffer> {
  const fixups = spec.fixups ?? [];
  const tangents = spec.tangents ?? null;
  const fixupsAt = spec.fixupsAt ?? 64;
  const verticesAt = spec.verticesAt ??
    Math.ceil((64 + 12 * fixups.length) / 16) * 16;
  const tangentsAt = spec.tangentsAt ??
    verticesAt + (spec.vertices?.length ?? 0);
  const end = Math.max(
    64,
    fixups.length > 0 ? fixupsAt + 12 * fixups.length : 0,
    spec.vertices ? verticesAt + spec.vertices.length : 0,
    tangents ? tangentsAt + tangents.length : 0,
  );
  const out = new Uint8Array(end + (spec.tail?.length ?? 0));
  out.fill(spec.filler ?? 0);
  const view = new DataView(out.buffer);
  const magic = spec.magic ?? "IDSV";
  for (let i = 0; i < 4; i++) out[i] = magic.charCodeAt(i);
  view.setInt32(4, spec.version ?? 4, true);
  view.setUint32(8, spec.checksum ?? 0x1234abcd, true);
  view.setInt32(12, spec.numLODs ?? spec.counts.length, true);
  for (let i = 0; i < 8; i++) {
    const count = spec.counts[Math.min(i, spec.counts.length - 1)];
    view.setInt32(16 + 4 * i, count, true);
  }
  view.setInt32(48, fixups.length, true);
  view.setUint32(52, fixupsAt, true);
  view.setUint32(56, spec.vertices ? verticesAt : 0, true);
  view.setUint32(60, tangents ? tangentsAt : 0, true);
  fixups.forEach((row, i) => {
    row.forEach((x, k) => view.setInt32(fixupsAt + 12 * i + 4 * k, x, true));
  });
  if (spec.vertices) out.set(spec.vertices, verticesAt);
  if (tangents) out.set(tangents, tangentsAt);
  if (spec.tail) out.set(spec.tail, end);
  return out;
}

/** Vertex records whose every field tells the number of the vertex. */
export function plainRecords(count: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(count * 48);
  const view = new DataView(out.buffer);
  for (let v = 0; v < count; v++) {
    const at = v * 48;
    const put = (offset: number, ...values: number[]) =>
      values.forEach((x, k) => view.setFloat32(at + offset + 4 * k, x, true));
    const bones = 1 + v % 3;
    for (let k = 0; k < bones; k++) {
      put(4 * k, 1 / bones);
      out[at + 12 + k] = (v + 50 * k) % 251;
    }
    out[at + 15] = bones;
    put(16, v, v + 0.25, -v);
    put(28, ...[[1, 0, 0], [0, 1, 0], [0, 0, -1]][v % 3]);
    put(40, v / 8, 1 - v / 16);
  }
  return out;
}

/** Tangent records whose first number tells the number of the vertex. */
export function plainTangents(count: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(count * 16);
  const view = new DataView(out.buffer);
  for (let v = 0; v < count; v++) {
    view.setFloat32(v * 16, v + 0.5, true);
    view.setFloat32(v * 16 + 4, 1, true);
    view.setFloat32(v * 16 + 12, v % 2 === 0 ? 1 : -1, true);
  }
  return out;
}

/** An extra-data block: index, then the arrays back to back. */
export function plainExtraBlock(
  arrays: readonly { type: number; bytesPerVertex: number; data: Uint8Array }[],
): Uint8Array<ArrayBuffer> {
  const index = 8 + 12 * arrays.length;
  const total = arrays.reduce((sum, a) => sum + a.data.length, index);
  const out = new Uint8Array(total);
  const view = new DataView(out.buffer);
  view.setInt32(0, arrays.length, true);
  view.setInt32(4, total, true);
  let at = index;
  arrays.forEach((a, i) => {
    view.setInt32(8 + 12 * i, a.type, true);
    view.setInt32(12 + 12 * i, at, true);
    view.setInt32(16 + 12 * i, a.bytesPerVertex, true);
    out.set(a.data, at);
    at += a.data.length;
  });
  return out;
}

/** Numbers of the pool vertices that a root LOD takes, in order, straight from the file's bytes. */
export function plainReplay(file: Uint8Array, rootLod: number): number[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const root = Math.min(rootLod, view.getInt32(12, true) - 1);
  const numFixups = view.getInt32(48, true);
  const out: number[] = [];
  if (numFixups === 0) {
    for (let v = 0; v < view.getInt32(16 + 4 * root, true); v++) out.push(v);
    return out;
  }
  let at = view.getInt32(52, true);
  for (let i = 0; i < numFixups; i++, at += 12) {
    if (view.getInt32(at, true) < root) continue;
    const first = view.getInt32(at + 4, true);
    for (let k = 0; k < view.getInt32(at + 8, true); k++) out.push(first + k);
  }
  return out;
}

/** The records of some vertices, one after the other. */
export function plainGather(
  pool: Uint8Array,
  bytesPerVertex: number,
  vertices: readonly number[],
): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(vertices.length * bytesPerVertex);
  vertices.forEach((v, i) => {
    for (let k = 0; k < bytesPerVertex; k++) {
      out[i * bytesPerVertex + k] = pool[v * bytesPerVertex + k];
    }
  });
  return out;
}

/** Attribute arrays as bit patterns, straight from the file's bytes. */
export function plainSplit(file: Uint8Array, vertices: readonly number[]): {
  position: Uint32Array;
  normal: Uint32Array;
  uv: Uint32Array;
  weights: Uint32Array;
  bones: Uint8Array;
  tangent: Uint32Array | null;
} {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const verticesAt = view.getInt32(56, true);
  const tangentsAt = view.getInt32(60, true);
  const n = vertices.length;
  const out = {
    position: new Uint32Array(n * 3),
    normal: new Uint32Array(n * 3),
    uv: new Uint32Array(n * 2),
    weights: new Uint32Array(n * 3),
    bones: new Uint8Array(n * 4),
    tangent: tangentsAt === 0 ? null : new Uint32Array(n * 4),
  };
  vertices.forEach((v, i) => {
    const at = verticesAt + 48 * v;
    for (let k = 0; k < 3; k++) {
      out.weights[i * 3 + k] = view.getUint32(at + 4 * k, true);
      out.position[i * 3 + k] = view.getUint32(at + 16 + 4 * k, true);
      out.normal[i * 3 + k] = view.getUint32(at + 28 + 4 * k, true);
    }
    for (let k = 0; k < 4; k++) {
      out.bones[i * 4 + k] = view.getUint8(at + 12 + k);
      if (out.tangent) {
        out.tangent[i * 4 + k] = view.getUint32(
          tangentsAt + 16 * v + 4 * k,
          true,
        );
      }
    }
    for (let k = 0; k < 2; k++) {
      out.uv[i * 2 + k] = view.getUint32(at + 40 + 4 * k, true);
    }
  });
  return out;
}
