/**
 * Reads the mesh payload. Little-endian, packed, no padding; blocks follow each other byte for byte.
 *
 * Static:
 *
 * | order | size   | type      | field                                                                   |
 * | ----- | ------ | --------- | ----------------------------------------------------------------------- |
 * | 1     | 4      | u32       | vertex_count V                                                          |
 * | 2     | 56 · V | 14 f32    | position 3, normal 3, tangent 3, colour 3, uv 2                         |
 * | 3     | 4      | u32       | index_count                                                             |
 * | 4     | 2 each | u16       | LOD 0                                                                   |
 * | 5     |        | optional  | `LODS`, u32 alt_count, then {f32 switch_distance, u32 index_count, u16…} |
 * | 6     |        | optional  | `HFLD`, u32 rows, u32 cols, rows · cols f32                             |
 *
 * Skinned: `SKMV`, then 1 to 4 with vertices of 80 bytes (… u16 joints[4], f32 weights[4]), then u32 joint_count and per
 * joint {u32 name bytes, UTF-8 name, i32 parent, 3 f32 translation, 3 f32 rotation in degrees, 3 f32 scale}, then optional
 * `MRPS` (u32 targets, per target {u32 name bytes, name}, u32 entry_count, V + 1 u32 offsets, entries of 28 bytes: u32
 * target, 3 f32 position, 3 f32 normal), then optional `LODS`. Older files have a dense `MRPH` in place of MRPS: u32 targets,
 * names, then targets · V · 24 bytes, target-major.
 *
 * An optional block whose magic is not the next four bytes counts as absent, and whatever is left over is ignored; that is
 * how every version of the engine reads. It is kept here, so that a file can be written again as it was.
 *
 * @module
 */
import { bitsOf, ByteReader } from "../../core/bytes.ts";
import { MeshError, meshError } from "../../core/errors.ts";
import { checkLimit, type Limits, withLimits } from "../../core/limits.ts";
import { sparsifyMorphs } from "../../kernels/morphs.ts";
import {
  type HeightfieldGrid,
  type LodAlternate,
  MORPH_DELTA_BYTES,
  MORPH_ENTRY_BYTES,
  noMorphs,
  type PayloadFile,
  type PayloadJoint,
  type PayloadMorphs,
  SKINNED_VERTEX_BYTES,
  type SkinnedPayload,
  type SkinnedVertexArrays,
  type StaticPayload,
  VERTEX_BYTES,
  type VertexArrays,
} from "./types.ts";

/** Magic of a skinned payload. */
export const SKINNED_MAGIC = "SKMV";

/** Options of the readers. */
export interface ReadPayloadOptions {
  /** Limits on size and counts. */
  limits?: Partial<Limits>;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

class PayloadReader extends ByteReader {
  readonly limits: Limits;
  #indices = 0;

  constructor(
    bytes: Uint8Array,
    label: string,
    options: ReadPayloadOptions,
  ) {
    super(bytes, "payload", "PAYLOAD-TRUNCATED", label);
    this.limits = withLimits(options.limits);
    checkLimit(
      "maxInputBytes",
      bytes.length,
      this.limits.maxInputBytes,
      "payload",
    );
  }

  /** A name: length, then UTF-8. */
  name(what: string): string {
    const length = this.u32();
    const offset = this.offset;
    const bytes = this.take(length);
    try {
      return utf8.decode(bytes);
    } catch (cause) {
      throw meshError(
        "PAYLOAD-UTF8",
        `Rename the ${what}: ${what} name is not valid utf-8`,
        { format: "payload", offset, path: `${what} name`, cause },
      );
    }
  }

  /** Next `count` indices; those of all levels together count towards the limit. */
  indices(count: number): Uint16Array<ArrayBuffer> {
    const out = this.u16Array(count);
    this.#indices += count;
    checkLimit("maxIndices", this.#indices, this.limits.maxIndices, "payload");
    return out;
  }

  /** Skips without making views. */
  skip(length: number): void {
    this.take(length);
  }
}

/** Copies columns of 4-byte words out of fixed-size records, bits untouched. */
function column(
  words: Uint32Array,
  stride: number,
  first: number,
  width: number,
  count: number,
): Float32Array<ArrayBuffer> {
  const out = new Uint32Array(count * width);
  for (let v = 0, from = first, to = 0; v < count; v++, from += stride) {
    for (let k = 0; k < width; k++) out[to++] = words[from + k];
  }
  return new Float32Array(out.buffer);
}

/** Words of a block at any alignment: a view where the place allows it, else a copy. */
function words(bytes: Uint8Array): Uint32Array {
  return bytes.byteOffset % 4 === 0
    ? new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
    : new Uint32Array(bytes.slice().buffer);
}

function splitVertices(
  block: Uint8Array,
  vertexBytes: number,
): VertexArrays {
  const w = words(block);
  const stride = vertexBytes / 4;
  const count = block.length / vertexBytes;
  return {
    count,
    pos: column(w, stride, 0, 3, count),
    normal: column(w, stride, 3, 3, count),
    tangent: column(w, stride, 6, 3, count),
    color: column(w, stride, 9, 3, count),
    uv: column(w, stride, 12, 2, count),
  };
}

function splitSkinnedVertices(block: Uint8Array): SkinnedVertexArrays {
  const w = words(block);
  const stride = SKINNED_VERTEX_BYTES / 4;
  const count = block.length / SKINNED_VERTEX_BYTES;
  return {
    ...splitVertices(block, SKINNED_VERTEX_BYTES),
    joints: new Uint16Array(column(w, stride, 14, 2, count).buffer),
    weights: column(w, stride, 16, 4, count),
  };
}

function vertexBlock(r: PayloadReader, vertexBytes: number): Uint8Array {
  const count = r.u32();
  const block = r.take(count * vertexBytes);
  checkLimit("maxVertices", count, r.limits.maxVertices, "payload");
  return block;
}

function lodsBlock(r: PayloadReader): LodAlternate[] | null {
  if (!r.peek("LODS")) return null;
  r.skip(4);
  const count = r.u32();
  // The count reserves nothing: a file with fewer records ends in the one that is cut. Buffers are shared, since a hostile
  // file holds ten thousand empty levels in 80 kB.
  const distance = new Float32Array(1);
  const bits = bitsOf(distance);
  const none = new Uint16Array(0);
  const out: LodAlternate[] = [];
  for (let i = 0; i < count; i++) {
    checkLimit("maxLods", i + 1, r.limits.maxLods, "payload");
    bits[0] = r.u32();
    const lod: LodAlternate = { switchDistance: distance[0], indices: none };
    if (Number.isNaN(lod.switchDistance)) lod.switchDistanceBits = bits[0];
    const size = r.u32();
    if (size > 0) lod.indices = r.indices(size);
    out.push(lod);
  }
  return out;
}

function heightfieldBlock(r: PayloadReader): HeightfieldGrid | null {
  if (!r.peek("HFLD")) return null;
  r.skip(4);
  const rows = r.u32();
  const cols = r.u32();
  // Up to 2^66: exact enough in f64 to compare with what is left, and never used as a size unless it fits.
  const size = rows * cols * 4;
  if (size > r.remaining) {
    // what no file can hold is a broken count, anything else a file that ends too early
    const mend = size > r.limits.maxInputBytes
      ? "Bake the heightfield again"
      : "Give the whole file";
    throw meshError(
      "PAYLOAD-HEIGHTFIELD-SHORT",
      `${mend}: heightfield trailer too short for ${rows} x ${cols} grid: need ${size} bytes at offset ${r.offset}, have ${r.bytes.length}`,
      {
        format: "payload",
        offset: r.offset,
        path: "heightfield",
        found: r.remaining,
        allowed: size,
      },
    );
  }
  return { rows, cols, heights: r.f32Array(rows * cols) };
}

/** Three f32, taken one by one: a file cut inside them is reported at the number that is missing. */
function triple(r: PayloadReader): Float32Array {
  const start = r.offset;
  for (let i = 0; i < 3; i++) r.skip(4);
  r.offset = start;
  return r.f32Array(3);
}

function jointBlock(r: PayloadReader): PayloadJoint[] {
  const count = r.u32();
  checkLimit(
    "maxJoints",
    Math.min(count, r.remaining / 44),
    r.limits.maxJoints,
    "payload",
  );
  const out: PayloadJoint[] = [];
  for (let i = 0; i < count; i++) {
    out.push({
      name: r.name("joint"),
      parent: r.i32(),
      translation: triple(r),
      rotationDeg: triple(r),
      scale: triple(r),
    });
  }
  return out;
}

function morphNames(r: PayloadReader): string[] {
  const count = r.u32();
  const names: string[] = [];
  for (let i = 0; i < count; i++) {
    checkLimit("maxMorphTargets", i + 1, r.limits.maxMorphTargets, "payload");
    names.push(r.name("morph target"));
  }
  return names;
}

function morphTableError(
  offset: number,
  rule: string,
  found: unknown,
  allowed: unknown,
): MeshError {
  return meshError(
    "PAYLOAD-MORPH-TABLE",
    `Build the payload again: skinned mesh payload morph block: ${rule}`,
    { format: "payload", offset, path: "morphs", found, allowed },
  );
}

/** The sparse block, read in full before its table is judged, in the reference's order. */
function sparseMorphBlock(
  r: PayloadReader,
  vertices: number,
): PayloadMorphs | null {
  if (!r.peek("MRPS")) return null;
  const start = r.offset;
  r.skip(4);
  const names = morphNames(r);
  const entries = r.u32();
  const tableOffset = r.offset;
  const offsets = r.u32Array(vertices + 1);
  const entryOffset = r.offset;
  const block = words(r.take(entries * MORPH_ENTRY_BYTES));
  if (names.length === 0) {
    throw morphTableError(
      start,
      "morph block has entries but no targets",
      0,
      ">= 1 target",
    );
  }
  if (offsets[0] !== 0) {
    throw morphTableError(
      tableOffset,
      "morph offsets must start at 0",
      offsets[0],
      0,
    );
  }
  for (let v = 0; v < vertices; v++) {
    if (offsets[v + 1] < offsets[v]) {
      throw morphTableError(
        tableOffset + 4 * (v + 1),
        "morph offsets must not decrease",
        offsets[v + 1],
        `>= ${offsets[v]}`,
      );
    }
  }
  if (offsets[vertices] !== entries) {
    throw morphTableError(
      tableOffset + 4 * vertices,
      `morph offsets end at ${
        offsets[vertices]
      }, the block has ${entries} entries`,
      offsets[vertices],
      entries,
    );
  }
  const stride = MORPH_ENTRY_BYTES / 4;
  const targets = new Uint32Array(
    column(block, stride, 0, 1, entries).buffer,
  );
  const bad = targets.findIndex((t) => t >= names.length);
  if (bad >= 0) {
    throw morphTableError(
      entryOffset + bad * MORPH_ENTRY_BYTES,
      `morph entry names target ${targets[bad]} of ${names.length}`,
      targets[bad],
      `< ${names.length}`,
    );
  }
  return {
    names,
    offsets,
    targets,
    position: column(block, stride, 1, 3, entries),
    normal: column(block, stride, 4, 3, entries),
  };
}

/**
 * The dense block of older files. Current engines take it for an unknown tag and go on without error, so a damaged one is
 * no error here either: it stays part of the trailing bytes.
 */
function legacyMorphBlock(
  r: PayloadReader,
  vertices: number,
): { names: string[]; dense: Float32Array } | null {
  if (!r.peek("MRPH")) return null;
  const start = r.offset;
  try {
    r.skip(4);
    const names = morphNames(r);
    const deltas = names.length * vertices;
    const block = r.take(deltas * MORPH_DELTA_BYTES);
    checkLimit("maxMorphDeltas", deltas, r.limits.maxMorphDeltas, "payload");
    return { names, dense: new Float32Array(block.slice().buffer) };
  } catch (error) {
    if (error instanceof MeshError && error.code !== "LIMIT-EXCEEDED") {
      r.offset = start;
      return null;
    }
    throw error;
  }
}

function checkSkinnedMagic(bytes: Uint8Array, r: PayloadReader): void {
  if (bytes.length < 8 || !r.peek(SKINNED_MAGIC)) {
    throw meshError(
      "PAYLOAD-MAGIC",
      "Give a skinned mesh payload: skinned mesh payload missing SKMV magic header",
      {
        format: "payload",
        offset: 0,
        found: String.fromCharCode(...bytes.subarray(0, 4)),
        allowed: SKINNED_MAGIC,
      },
    );
  }
  r.skip(4);
}

function readStatic(
  bytes: Uint8Array,
  options: ReadPayloadOptions,
  withHeightfield: boolean,
): PayloadFile & { kind: "static" } {
  const r = new PayloadReader(bytes, "mesh payload", options);
  const block = vertexBlock(r, VERTEX_BYTES);
  const indices = r.indices(r.u32());
  const lods = lodsBlock(r);
  const heightfield = withHeightfield ? heightfieldBlock(r) : null;
  return {
    kind: "static",
    vertices: splitVertices(block, VERTEX_BYTES),
    indices,
    lodAlternates: lods ?? [],
    hasLodsBlock: lods !== null,
    heightfield,
    trailing: bytes.subarray(r.offset),
  };
}

function readSkinned(
  bytes: Uint8Array,
  options: ReadPayloadOptions,
): PayloadFile & { kind: "skinned" } {
  const r = new PayloadReader(bytes, "skinned mesh payload", options);
  checkSkinnedMagic(bytes, r);
  const block = vertexBlock(r, SKINNED_VERTEX_BYTES);
  const count = block.length / SKINNED_VERTEX_BYTES;
  const indices = r.indices(r.u32());
  const joints = jointBlock(r);
  const sparse = sparseMorphBlock(r, count);
  const legacy = sparse ? null : legacyMorphBlock(r, count);
  const lods = lodsBlock(r);
  return {
    kind: "skinned",
    vertices: splitSkinnedVertices(block),
    indices,
    joints,
    morphs: sparse ??
      (legacy
        ? sparsePayloadMorphs(legacy.dense, legacy.names, count)
        : null) ??
      noMorphs(),
    morphBlock: sparse ? "MRPS" : legacy ? "MRPH" : "none",
    denseMorphs: legacy?.dense ?? null,
    lodAlternates: lods ?? [],
    hasLodsBlock: lods !== null,
    trailing: bytes.subarray(r.offset),
  };
}

/** Dense deltas in the payload's own sparse form, whose normal deltas are never left out. */
function sparsePayloadMorphs(
  dense: Float32Array,
  names: readonly string[],
  vertices: number,
): PayloadMorphs {
  const sparse = sparsifyMorphs(dense, names, vertices);
  return { ...sparse, normal: sparse.normal! };
}

/** True when the bytes begin like a skinned payload. */
export function isSkinnedPayload(bytes: Uint8Array): boolean {
  return bytes.length >= 4 &&
    new ByteReader(bytes, "payload", "PAYLOAD-TRUNCATED", "payload")
      .peek(SKINNED_MAGIC);
}

/** Where LOD 0 of a static payload would end, by its two counts; null when they do not fit the bytes. */
function staticEnd(bytes: Uint8Array): number | null {
  if (bytes.length < 8) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const indexAt = 4 + view.getUint32(0, true) * VERTEX_BYTES;
  if (indexAt + 4 > bytes.length) return null;
  const end = indexAt + 4 + view.getUint32(indexAt, true) * 2;
  return end <= bytes.length ? end : null;
}

/** True when the bytes may be a static payload: both counts fit. Zeros pass, as a payload without vertices. */
export function looksLikeStaticPayload(bytes: Uint8Array): boolean {
  return staticEnd(bytes) !== null;
}

/** True when the bytes can hardly be anything but a static payload: it has vertices, and a known block or nothing follows. */
export function isStaticPayload(bytes: Uint8Array): boolean {
  const end = staticEnd(bytes);
  const empty = bytes.subarray(0, 4).every((byte) => byte === 0);
  if (end === null || empty) return false;
  const tag = String.fromCharCode(...bytes.subarray(end, end + 4));
  return end === bytes.length || tag === "LODS" || tag === "HFLD";
}

/**
 * Reads a whole payload, static or skinned, with every optional block.
 *
 * @param bytes The whole file.
 * @throws {MeshError} PAYLOAD-TRUNCATED, PAYLOAD-MAGIC, PAYLOAD-UTF8, PAYLOAD-MORPH-TABLE, PAYLOAD-HEIGHTFIELD-SHORT,
 * LIMIT-EXCEEDED.
 *
 * @example
 * ```ts
 * import { readPayload } from "@meshwright/kit/payload";
 *
 * const file = readPayload(Deno.readFileSync("samples/terrain.payload"));
 * console.log(file.kind, file.vertices.count, file.lodAlternates.length);
 * ```
 */
export function readPayload(
  bytes: Uint8Array,
  options: ReadPayloadOptions = {},
): PayloadFile {
  return isSkinnedPayload(bytes)
    ? readSkinned(bytes, options)
    : readStatic(bytes, options, true);
}

/**
 * Reads vertices and LOD 0 of a static payload; what follows is not looked at.
 *
 * @throws {MeshError} PAYLOAD-TRUNCATED, LIMIT-EXCEEDED.
 */
export function deserialise(
  bytes: Uint8Array,
  options: ReadPayloadOptions = {},
): { vertices: VertexArrays; indices: Uint16Array } {
  const r = new PayloadReader(bytes, "mesh payload", options);
  const block = vertexBlock(r, VERTEX_BYTES);
  return {
    indices: r.indices(r.u32()),
    vertices: splitVertices(block, VERTEX_BYTES),
  };
}

/**
 * Reads a static payload with its further levels of detail, in file order.
 *
 * @throws {MeshError} PAYLOAD-TRUNCATED, LIMIT-EXCEEDED.
 */
export function deserialiseWithLods(
  bytes: Uint8Array,
  options: ReadPayloadOptions = {},
): StaticPayload {
  const { vertices, indices, lodAlternates } = readStatic(
    bytes,
    options,
    false,
  );
  return { vertices, indices, lodAlternates };
}

/**
 * Reads the collision heightfield of a static payload: walks past vertices, indices and LODs by their counts.
 *
 * @returns The grid, or null when the payload has none.
 * @throws {MeshError} PAYLOAD-TRUNCATED, PAYLOAD-HEIGHTFIELD-SHORT.
 */
export function deserialiseHeightfield(
  bytes: Uint8Array,
  options: ReadPayloadOptions = {},
): HeightfieldGrid | null {
  const r = new PayloadReader(bytes, "mesh payload", options);
  r.skip(r.u32() * VERTEX_BYTES);
  r.skip(r.u32() * 2);
  if (r.peek("LODS")) {
    r.skip(4);
    for (let left = r.u32(); left > 0; left--) {
      r.skip(4);
      r.skip(r.u32() * 2);
    }
  }
  return heightfieldBlock(r);
}

/**
 * Reads a skinned payload; its further levels of detail are checked and left out.
 *
 * @throws {MeshError} PAYLOAD-MAGIC, PAYLOAD-TRUNCATED, PAYLOAD-UTF8, PAYLOAD-MORPH-TABLE, LIMIT-EXCEEDED.
 */
export function deserialiseSkinned(
  bytes: Uint8Array,
  options: ReadPayloadOptions = {},
): SkinnedPayload {
  return { ...deserialiseSkinnedWithLods(bytes, options), lodAlternates: [] };
}

/**
 * Reads a skinned payload with its morph targets and levels of detail. Morph targets of the legacy dense block are made
 * sparse.
 *
 * @throws {MeshError} PAYLOAD-MAGIC, PAYLOAD-TRUNCATED, PAYLOAD-UTF8, PAYLOAD-MORPH-TABLE, LIMIT-EXCEEDED.
 */
export function deserialiseSkinnedWithLods(
  bytes: Uint8Array,
  options: ReadPayloadOptions = {},
): SkinnedPayload {
  const { vertices, indices, joints, morphs, lodAlternates } = readSkinned(
    bytes,
    options,
  );
  return { vertices, indices, joints, morphs, lodAlternates };
}
