/**
 * Writes the mesh payload (byte table: `read.ts`).
 *
 * @module
 */
import { bitsOf, bytesOf, ByteWriter } from "../../core/bytes.ts";
import { meshError } from "../../core/errors.ts";
import { PAYLOAD_MAX_VERTICES } from "../../core/limits.ts";
import {
  type HeightfieldGrid,
  type LodAlternate,
  MORPH_ENTRY_BYTES,
  noMorphs,
  type PayloadFile,
  type PayloadJoint,
  type PayloadMorphs,
  SKINNED_VERTEX_BYTES,
  type SkinnedVertex,
  type SkinnedVertexArrays,
  type Vertex,
  VERTEX_BYTES,
  type VertexArrays,
} from "./types.ts";

const utf8 = new TextEncoder();

function lengthError(
  path: string,
  found: number,
  allowed: number,
): never {
  throw meshError(
    "PAYLOAD-LENGTH",
    `Give arrays of one length: ${path} has ${found} elements, ${allowed} needed`,
    { format: "payload", path, found, allowed },
  );
}

/** Indices as u16; a number that does not fit is refused, never wrapped. */
export function narrow(indices: ArrayLike<number>, path: string): Uint16Array {
  if (indices instanceof Uint16Array) return indices;
  const out = new Uint16Array(indices.length);
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i];
    if (
      !(index >= 0 && index < PAYLOAD_MAX_VERTICES && Number.isInteger(index))
    ) {
      throw meshError(
        "PAYLOAD-INDEX-WIDTH",
        `Split the mesh: index ${index} at ${path}[${i}] does not fit 16 bits, the largest is ${
          PAYLOAD_MAX_VERTICES - 1
        }`,
        {
          format: "payload",
          path: `${path}/${i}`,
          found: index,
          allowed: PAYLOAD_MAX_VERTICES - 1,
        },
      );
    }
    out[i] = index;
  }
  return out;
}

function toArrays(vertices: readonly Vertex[]): VertexArrays {
  const flat = (pick: (v: Vertex) => readonly number[]) =>
    Float32Array.from(vertices.flatMap((v) => [...pick(v)]));
  return {
    count: vertices.length,
    pos: flat((v) => v.pos),
    normal: flat((v) => v.normal),
    tangent: flat((v) => v.tangent),
    color: flat((v) => v.color),
    uv: flat((v) => v.uv),
  };
}

function toSkinnedArrays(
  vertices: readonly SkinnedVertex[],
): SkinnedVertexArrays {
  return {
    ...toArrays(vertices),
    joints: narrow(vertices.flatMap((v) => [...v.joints]), "joints"),
    weights: Float32Array.from(vertices.flatMap((v) => [...v.weights])),
  };
}

/** Puts a column of words into records. */
function putColumn(
  words: Uint32Array,
  stride: number,
  first: number,
  width: number,
  values: Uint32Array,
): void {
  for (let from = 0, to = first; from < values.length; to += stride) {
    for (let k = 0; k < width; k++) words[to + k] = values[from++];
  }
}

function vertexWords(v: VertexArrays, vertexBytes: number): Uint32Array {
  const stride = vertexBytes / 4;
  const words = new Uint32Array(v.count * stride);
  let first = 0;
  for (
    const [name, width] of [
      ["pos", 3],
      ["normal", 3],
      ["tangent", 3],
      ["color", 3],
      ["uv", 2],
    ] as const
  ) {
    const values = v[name];
    if (values.length !== v.count * width) {
      lengthError(name, values.length, v.count * width);
    }
    putColumn(words, stride, first, width, bitsOf(values));
    first += width;
  }
  return words;
}

function skinnedVertexWords(v: SkinnedVertexArrays): Uint32Array {
  for (const name of ["joints", "weights"] as const) {
    if (v[name].length !== v.count * 4) {
      lengthError(name, v[name].length, v.count * 4);
    }
  }
  const words = vertexWords(v, SKINNED_VERTEX_BYTES);
  const stride = SKINNED_VERTEX_BYTES / 4;
  // joints go as pairs of u16 in one word; a copy gives them the alignment of words
  putColumn(words, stride, 14, 2, new Uint32Array(v.joints.slice().buffer));
  putColumn(words, stride, 16, 4, bitsOf(v.weights));
  return words;
}

function lodsBytes(lods: readonly LodAlternate[]): number {
  return lods.reduce((sum, l) => sum + 8 + l.indices.length * 2, 8);
}

function putLods(out: ByteWriter, lods: readonly LodAlternate[]): void {
  out.ascii("LODS");
  out.u32(lods.length);
  for (const lod of lods) {
    // stored bits count only while the distance still is the NaN that they stand for
    const bits = lod.switchDistanceBits;
    if (bits !== undefined && Number.isNaN(lod.switchDistance)) out.u32(bits);
    else out.f32(lod.switchDistance);
    out.u32(lod.indices.length);
    out.array(lod.indices);
  }
}

function checkedLods(lods: readonly LodAlternate[]): LodAlternate[] {
  return lods.map((lod, i) => ({
    ...lod,
    indices: narrow(lod.indices, `lodAlternates/${i}/indices`),
  }));
}

function checkMorphs(morphs: PayloadMorphs, vertices: number): void {
  const { names, offsets, targets, position, normal } = morphs;
  if (names.length === 0) {
    if (targets.length > 0) lengthError("morphs/targets", targets.length, 0);
    return;
  }
  const entries = targets.length;
  if (offsets.length !== vertices + 1) {
    lengthError("morphs/offsets", offsets.length, vertices + 1);
  }
  if (position.length !== entries * 3) {
    lengthError("morphs/position", position.length, entries * 3);
  }
  if (normal.length !== entries * 3) {
    lengthError("morphs/normal", normal.length, entries * 3);
  }
  const ordered = offsets[0] === 0 && offsets[vertices] === entries &&
    offsets.every((o, i) => i === 0 || o >= offsets[i - 1]);
  const bad = targets.findIndex((t) => t >= names.length);
  if (!ordered || bad >= 0) {
    throw meshError(
      "PAYLOAD-MORPH-TABLE",
      ordered
        ? `Give entries of known targets: entry ${bad} names target ${
          targets[bad]
        } of ${names.length}`
        : `Give ascending morph offsets from 0 to ${entries}`,
      { format: "payload", path: "morphs" },
    );
  }
}

const namesBytes = (names: readonly Uint8Array[]) =>
  names.reduce((sum, n) => sum + 4 + n.length, 0);

function putName(out: ByteWriter, name: Uint8Array): void {
  out.u32(name.length);
  out.put(name);
}

/** A block of bytes with its size, so that a file is measured once and written once. */
interface Block {
  size: number;
  put(out: ByteWriter): void;
}

const array = (values: Uint32Array | Uint16Array | Float32Array): Block => ({
  size: values.byteLength,
  put: (out) => out.array(values),
});
const u32 = (value: number): Block => ({
  size: 4,
  put: (out) => out.u32(value),
});
const raw = (bytes: Uint8Array): Block => ({
  size: bytes.length,
  put: (out) => out.put(bytes),
});
const ascii = (text: string): Block => ({
  size: text.length,
  put: (out) => out.ascii(text),
});

function lodBlock(lods: readonly LodAlternate[]): Block {
  const checked = checkedLods(lods);
  return { size: lodsBytes(checked), put: (out) => putLods(out, checked) };
}

function jointBlock(joints: readonly PayloadJoint[]): Block {
  const names = joints.map((j) => utf8.encode(j.name));
  return {
    size: 4 + namesBytes(names) + joints.length * 40,
    put(out) {
      out.u32(joints.length);
      joints.forEach((joint, i) => {
        putName(out, names[i]);
        out.u32(joint.parent);
        for (
          const triple of [joint.translation, joint.rotationDeg, joint.scale]
        ) {
          out.array(
            triple instanceof Float32Array ? triple : Float32Array.from(triple),
          );
        }
      });
    },
  };
}

function namesBlock(names: readonly string[]): Block {
  const encoded = names.map((n) => utf8.encode(n));
  return {
    size: 4 + namesBytes(encoded),
    put(out) {
      out.u32(encoded.length);
      for (const name of encoded) putName(out, name);
    },
  };
}

function sparseMorphBlocks(morphs: PayloadMorphs): Block[] {
  const entries = morphs.targets.length;
  const stride = MORPH_ENTRY_BYTES / 4;
  const words = new Uint32Array(entries * stride);
  putColumn(words, stride, 0, 1, morphs.targets);
  putColumn(words, stride, 1, 3, bitsOf(morphs.position));
  putColumn(words, stride, 4, 3, bitsOf(morphs.normal));
  return [
    ascii("MRPS"),
    namesBlock(morphs.names),
    u32(entries),
    array(morphs.offsets),
    array(words),
  ];
}

function heightfieldBlocks(grid: HeightfieldGrid): Block[] {
  if (grid.heights.length !== grid.rows * grid.cols) {
    lengthError(
      "heightfield/heights",
      grid.heights.length,
      grid.rows * grid.cols,
    );
  }
  return [
    ascii("HFLD"),
    u32(grid.rows),
    u32(grid.cols),
    array(grid.heights),
  ];
}

function assemble(blocks: readonly Block[]): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(blocks.reduce((sum, b) => sum + b.size, 0));
  for (const block of blocks) block.put(out);
  return out.bytes;
}

function staticBlocks(
  vertices: VertexArrays | readonly Vertex[],
  indices: ArrayLike<number>,
): Block[] {
  const v = "pos" in vertices ? vertices : toArrays(vertices);
  return [
    u32(v.count),
    array(vertexWords(v, VERTEX_BYTES)),
    u32(indices.length),
    array(narrow(indices, "indices")),
  ];
}

/**
 * Writes a static payload with one level of detail.
 *
 * @param vertices Vertices as arrays or one by one.
 * @param indices LOD 0; numbers above 65,535 are refused.
 * @throws {MeshError} PAYLOAD-LENGTH, PAYLOAD-INDEX-WIDTH.
 *
 * @example
 * ```ts
 * import { serialise, type Vertex } from "@meshwright/kit/payload";
 *
 * const corner = (x: number, y: number): Vertex => ({
 *   pos: [x, y, 0],
 *   normal: [0, 0, 1],
 *   tangent: [1, 0, 0],
 *   color: [1, 1, 1],
 *   uv: [x, 1 - y],
 * });
 * const bytes = serialise([corner(0, 0), corner(1, 0), corner(0, 1)], [0, 1, 2]);
 * console.log(bytes.length); // 182
 * ```
 */
export function serialise(
  vertices: VertexArrays | readonly Vertex[],
  indices: ArrayLike<number>,
): Uint8Array<ArrayBuffer> {
  return assemble(staticBlocks(vertices, indices));
}

/**
 * Writes a static payload with further levels of detail; without any the bytes equal {@linkcode serialise}'s.
 *
 * @throws {MeshError} PAYLOAD-LENGTH, PAYLOAD-INDEX-WIDTH.
 */
export function serialiseWithLods(
  vertices: VertexArrays | readonly Vertex[],
  indices: ArrayLike<number>,
  lodAlternates: readonly LodAlternate[],
): Uint8Array<ArrayBuffer> {
  return assemble([
    ...staticBlocks(vertices, indices),
    ...(lodAlternates.length > 0 ? [lodBlock(lodAlternates)] : []),
  ]);
}

/**
 * Writes the heightfield trailer, to be appended to a static payload.
 *
 * @throws {MeshError} PAYLOAD-LENGTH when heights are not rows × cols.
 */
export function serialiseHeightfieldTrailer(
  grid: HeightfieldGrid,
): Uint8Array<ArrayBuffer> {
  return assemble(heightfieldBlocks(grid));
}

function skinnedBlocks(
  vertices: SkinnedVertexArrays | readonly SkinnedVertex[],
  indices: ArrayLike<number>,
  joints: readonly PayloadJoint[],
  morphBlocks: (vertexCount: number) => Block[],
): Block[] {
  const v = "pos" in vertices ? vertices : toSkinnedArrays(vertices);
  return [
    ascii("SKMV"),
    u32(v.count),
    array(skinnedVertexWords(v)),
    u32(indices.length),
    array(narrow(indices, "indices")),
    jointBlock(joints),
    ...morphBlocks(v.count),
  ];
}

/**
 * Writes a skinned payload. Morph targets and levels of detail are left out where there are none.
 *
 * @throws {MeshError} PAYLOAD-LENGTH, PAYLOAD-INDEX-WIDTH, PAYLOAD-MORPH-TABLE.
 */
export function serialiseSkinnedWithLods(
  vertices: SkinnedVertexArrays | readonly SkinnedVertex[],
  indices: ArrayLike<number>,
  joints: readonly PayloadJoint[],
  morphs: PayloadMorphs = noMorphs(),
  lodAlternates: readonly LodAlternate[] = [],
): Uint8Array<ArrayBuffer> {
  return assemble([
    ...skinnedBlocks(vertices, indices, joints, (count) => {
      checkMorphs(morphs, count);
      return morphs.names.length > 0 ? sparseMorphBlocks(morphs) : [];
    }),
    ...(lodAlternates.length > 0 ? [lodBlock(lodAlternates)] : []),
  ]);
}

/**
 * Writes a whole payload file; what {@linkcode readPayload} gave comes out byte for byte.
 *
 * @throws {MeshError} PAYLOAD-LENGTH, PAYLOAD-INDEX-WIDTH, PAYLOAD-MORPH-TABLE.
 *
 * @example
 * ```ts
 * import { readPayload, writePayload } from "@meshwright/kit/payload";
 *
 * const bytes = Deno.readFileSync("samples/figure.payload");
 * const again = writePayload(readPayload(bytes));
 * console.log(again.every((byte, i) => byte === bytes[i])); // true
 * ```
 */
export function writePayload(file: PayloadFile): Uint8Array<ArrayBuffer> {
  const lods = file.hasLodsBlock || file.lodAlternates.length > 0
    ? [lodBlock(file.lodAlternates)]
    : [];
  if (file.kind === "static") {
    return assemble([
      ...staticBlocks(file.vertices, file.indices),
      ...lods,
      ...(file.heightfield ? heightfieldBlocks(file.heightfield) : []),
      raw(file.trailing),
    ]);
  }
  const legacy = file.morphBlock === "MRPH" ? file.denseMorphs : null;
  return assemble([
    ...skinnedBlocks(file.vertices, file.indices, file.joints, (count) => {
      if (legacy) {
        return [
          ascii("MRPH"),
          namesBlock(file.morphs.names),
          raw(bytesOf(legacy)),
        ];
      }
      checkMorphs(file.morphs, count);
      return file.morphs.names.length > 0 ? sparseMorphBlocks(file.morphs) : [];
    }),
    ...lods,
    raw(file.trailing),
  ]);
}

/**
 * The words that the engine uploads to the GPU: vertex count + 1 offsets, zeros up to a multiple of four words, then seven
 * words an entry (target, position, normal as f32 bits). Empty without targets.
 *
 * @example
 * ```ts
 * import { packedWords, readPayload } from "@meshwright/kit/payload";
 *
 * const file = readPayload(Deno.readFileSync("samples/figure.payload"));
 * if (file.kind === "skinned") {
 *   const words = packedWords(file.morphs);
 *   console.log(words[0]); // 0: vertex 0's first entry
 * }
 * ```
 */
export function packedWords(morphs: PayloadMorphs): Uint32Array<ArrayBuffer> {
  if (morphs.names.length === 0) return new Uint32Array(0);
  const base = Math.ceil(morphs.offsets.length / 4) * 4;
  const stride = MORPH_ENTRY_BYTES / 4;
  const words = new Uint32Array(base + morphs.targets.length * stride);
  words.set(morphs.offsets);
  putColumn(words, stride, base, 1, morphs.targets);
  putColumn(words, stride, base + 1, 3, bitsOf(morphs.position));
  putColumn(words, stride, base + 4, 3, bitsOf(morphs.normal));
  return words;
}
