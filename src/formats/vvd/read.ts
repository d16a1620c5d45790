/**
 * Reads VVD version 4. All integers are little-endian; offsets count from the start of the file.
 *
 * | @  | type   | field           | meaning                                                        |
 * | -- | ------ | --------------- | -------------------------------------------------------------- |
 * | 0  | u8[4]  | id              | `IDSV`                                                         |
 * | 4  | i32    | version         | 4                                                              |
 * | 8  | i32    | checksum        | the same in all files of a model                               |
 * | 12 | i32    | numLODs         | 1 to 8                                                         |
 * | 16 | i32[8] | numLODVertexes  | vertices needed when the root LOD is i; entry 0 sizes the pool |
 * | 48 | i32    | numFixups       | 0: no replay                                                   |
 * | 52 | i32    | fixupTableStart | 12 bytes a row: i32 lod, i32 sourceVertexID, i32 numVertexes   |
 * | 56 | i32    | vertexDataStart | 48 bytes a vertex; 0: absent                                   |
 * | 60 | i32    | tangentDataStart| 16 bytes a vertex; 0: absent                                   |
 *
 * Vertex: f32 weight[3], u8 bone[3], u8 numbones, f32 position[3], f32 normal[3], f32 uv[2]. Tangent: f32 x, y, z, w.
 * Bone numbers are unsigned: values from 128 on occur in models with more than 128 bones.
 *
 * Behind the tangents there may be an extra-data block: i32 count, i32 totalBytes, count × {i32 type, i32 offset from the
 * block's start, i32 bytesPerVertex}, then the arrays in pool order. Only the MDL's flags announce it, so here it is
 * recognised by an index that holds; anything else is kept as trailing bytes.
 *
 * @module
 */
import { meshError } from "../../core/errors.ts";
import { checkLimit, type Limits, withLimits } from "../../core/limits.ts";
import {
  MAX_NUM_LODS,
  type Vvd,
  VVD_FIXUP_BYTES,
  VVD_HEADER_BYTES,
  VVD_VERSION,
  type VvdExtraArray,
  type VvdFixup,
} from "./types.ts";
import { RECORD_BYTES, TANGENT_BYTES } from "../../kernels/replay.ts";

/** Options of {@linkcode readVvd}. */
export interface ReadVvdOptions {
  /** Limits on size and counts. */
  limits?: Partial<Limits>;
}

const ascii = (bytes: Uint8Array, at: number, length: number) =>
  String.fromCharCode(...bytes.subarray(at, at + length));

/** Refuses what is not a VVD by the name of what it looks like. */
function checkMagic(bytes: Uint8Array): void {
  const fail = (
    code: Parameters<typeof meshError>[0],
    message: string,
    found: unknown,
  ): never => {
    throw meshError(code, message, {
      format: "vvd",
      offset: 0,
      found,
      allowed: "IDSV",
    });
  };
  if (bytes.length === 0) {
    fail("VVD-EMPTY", "Extract the file again: it is empty", "0 bytes");
  }
  const magic = ascii(bytes, 0, 4);
  if (magic === "IDSV") {
    if (bytes.length < VVD_HEADER_BYTES) {
      throw meshError(
        "VVD-TRUNCATED",
        `Give the whole file: the header takes ${VVD_HEADER_BYTES} bytes, the file has ${bytes.length}`,
        {
          format: "vvd",
          offset: bytes.length,
          found: bytes.length,
          allowed: VVD_HEADER_BYTES,
        },
      );
    }
    return;
  }
  if (bytes.subarray(0, VVD_HEADER_BYTES).every((b) => b === 0)) {
    fail(
      "VVD-ZERO",
      "Extract the file again: it holds only zero bytes",
      "zero bytes",
    );
  }
  if (ascii(bytes, 0, 19) === "version https://git") {
    fail(
      "VVD-LFS-POINTER",
      "Fetch the real file with `git lfs pull`: this is a Git LFS pointer text",
      "Git LFS pointer",
    );
  }
  if (magic === "VSDI") {
    fail(
      "VVD-BIG-ENDIAN",
      "Use the PC version of the model: this is a big-endian console file",
      magic,
    );
  }
  if (magic === "IDCV" || magic === "IDDV") {
    fail(
      "VVD-MEMORY-IMAGE",
      `Use the .vvd from the game's archive: magic ${magic} marks a colour file or an image of memory`,
      magic,
    );
  }
  // An unpacker that lost or added bytes leaves the magic near its place.
  for (let at = 1; at <= 16; at++) {
    if (ascii(bytes, at, 4) === "IDSV") {
      fail(
        "VVD-SHIFTED",
        `Extract the file again: the magic stands at byte ${at}, an unpacker damaged the file`,
        `IDSV at byte ${at}`,
      );
    }
  }
  for (const lost of ["DSV\x04", "SV\x04\0", "V\x04\0\0"]) {
    if (magic.startsWith(lost)) {
      fail(
        "VVD-SHIFTED",
        "Extract the file again: its first bytes are lost",
        JSON.stringify(magic),
      );
    }
  }
  fail(
    "VVD-MAGIC",
    `Give a Source vertex file: it begins with IDSV, this one with ${
      JSON.stringify(magic)
    }`,
    magic,
  );
}

/** A view of a region, or an error that names the field that asks for it. */
function region(
  bytes: Uint8Array,
  field: string,
  fieldOffset: number,
  start: number,
  count: number,
  size: number,
): Uint8Array {
  const end = start + count * size;
  if (end > bytes.length) {
    throw meshError(
      "VVD-RANGE",
      `Give the whole file: ${field} ${start} and ${count} × ${size} bytes end at ${end}, the file has ${bytes.length}`,
      {
        format: "vvd",
        offset: fieldOffset,
        path: field,
        found: end,
        allowed: bytes.length,
      },
    );
  }
  return bytes.subarray(start, end);
}

/**
 * Where the last pool ends: what lies behind belongs to the extra-data block or to nobody.
 */
export function endOfPools(vvd: Vvd): number {
  const n = vvd.numLODVertexes[0];
  return Math.max(
    VVD_HEADER_BYTES,
    vvd.fixups.length > 0
      ? vvd.fixupTableStart + vvd.fixups.length * VVD_FIXUP_BYTES
      : 0,
    vvd.vertexData ? vvd.vertexDataStart + n * RECORD_BYTES : 0,
    vvd.tangentData ? vvd.tangentDataStart + n * TANGENT_BYTES : 0,
  );
}

/** Place of one extra array inside the file; `writeVvd` uses it again. */
export interface ExtraEntry {
  /** Kind of the array. */
  type: number;
  /** Start from the start of the file. */
  start: number;
  /** Bytes of one vertex. */
  bytesPerVertex: number;
}

/**
 * The index of the extra-data block behind the tangents: null when there is none, "broken" when bytes look like one whose
 * index does not hold.
 */
export function extraIndex(
  bytes: Uint8Array,
  start: number,
  vertices: number,
): ExtraEntry[] | "broken" | null {
  if (vertices === 0 || bytes.length - start < 8) return null;
  const view = new DataView(
    bytes.buffer,
    bytes.byteOffset + start,
    bytes.length - start,
  );
  const count = view.getInt32(0, true);
  const total = view.getInt32(4, true);
  // A real block names 1 to 8 arrays and says its own size; other trailing bytes hardly do both.
  if (count < 1 || count > 16 || total < 8 + 12 * count) return null;
  if (total > view.byteLength) return "broken";
  const entries: ExtraEntry[] = [];
  // Arrays that share bytes would be written out as often as they are named.
  let used = 8 + 12 * count;
  for (let i = 0; i < count; i++) {
    const type = view.getInt32(8 + 12 * i, true);
    const offset = view.getInt32(12 + 12 * i, true);
    const bytesPerVertex = view.getInt32(16 + 12 * i, true);
    used += bytesPerVertex * vertices;
    if (
      offset < 8 + 12 * count || bytesPerVertex < 1 ||
      offset + bytesPerVertex * vertices > total || used > total
    ) return "broken";
    entries.push({ type, start: start + offset, bytesPerVertex });
  }
  return entries;
}

/** Size of an extra-data block whose index holds, as the block itself states it. */
export function extraBytes(bytes: Uint8Array, start: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset + start, 8)
    .getInt32(4, true);
}

/**
 * Reads a VVD file. Pools stay views of `bytes`: nothing is copied but the fixup table.
 *
 * Accepts what the engine can use: any placement, odd alignment, absent tangents, trailing bytes. A vertex pool that is
 * marked absent (`vertexDataStart` 0) gives `vertexData` null.
 *
 * @param bytes The whole file.
 * @throws {MeshError} VVD-EMPTY, VVD-ZERO, VVD-LFS-POINTER, VVD-BIG-ENDIAN, VVD-MEMORY-IMAGE, VVD-SHIFTED, VVD-MAGIC,
 * VVD-TRUNCATED, VVD-VERSION, VVD-LOD-COUNT, VVD-COUNT-NEGATIVE, VVD-RANGE, VVD-FIXUP-RANGE, LIMIT-EXCEEDED.
 *
 * @example
 * ```ts
 * import { readVvd } from "@meshwright/kit/vvd";
 *
 * const vvd = readVvd(Deno.readFileSync("samples/lantern.vvd"));
 * console.log(vvd.numLODs, vvd.numLODVertexes[0], vvd.fixups.length);
 * ```
 */
export function readVvd(bytes: Uint8Array, options: ReadVvdOptions = {}): Vvd {
  const limits = withLimits(options.limits);
  checkLimit("maxInputBytes", bytes.length, limits.maxInputBytes, "vvd");
  checkMagic(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const i32 = (at: number) => view.getInt32(at, true);
  const bad = (
    code: Parameters<typeof meshError>[0],
    field: string,
    offset: number,
    found: number,
    allowed: string | number,
    action: string,
  ) =>
    meshError(
      code,
      `${action}: ${field} is ${found}, allowed is ${allowed}`,
      { format: "vvd", offset, path: field, found, allowed },
    );

  const version = i32(4);
  if (version !== VVD_VERSION) {
    throw bad(
      "VVD-VERSION",
      "version",
      4,
      version,
      VVD_VERSION,
      "Use a model with an external vertex file of version 4",
    );
  }
  const numLODs = i32(12);
  if (numLODs < 1 || numLODs > MAX_NUM_LODS) {
    throw bad(
      "VVD-LOD-COUNT",
      "numLODs",
      12,
      numLODs,
      `1 to ${MAX_NUM_LODS}`,
      "Compile the model again",
    );
  }
  const numLODVertexes: number[] = [];
  for (let i = 0; i < MAX_NUM_LODS; i++) {
    const count = i32(16 + 4 * i);
    if (count < 0 && i < numLODs) {
      throw bad(
        "VVD-COUNT-NEGATIVE",
        `numLODVertexes[${i}]`,
        16 + 4 * i,
        count,
        ">= 0",
        "Extract the file again",
      );
    }
    numLODVertexes.push(count);
  }
  const pool = numLODVertexes[0];
  checkLimit("maxVertices", pool, limits.maxVertices, "vvd");
  const numFixups = i32(48);
  const starts = {
    fixupTableStart: i32(52),
    vertexDataStart: i32(56),
    tangentDataStart: i32(60),
  };
  if (numFixups < 0) {
    throw bad(
      "VVD-COUNT-NEGATIVE",
      "numFixups",
      48,
      numFixups,
      ">= 0",
      "Extract the file again",
    );
  }
  // Console builds put a DMA word with the top bit set where an unused table would start, hence the condition.
  if (numFixups > 0 && starts.fixupTableStart < 0) {
    throw bad(
      "VVD-COUNT-NEGATIVE",
      "fixupTableStart",
      52,
      starts.fixupTableStart,
      ">= 0",
      "Extract the file again",
    );
  }
  for (
    const [field, at] of [["vertexDataStart", 56], [
      "tangentDataStart",
      60,
    ]] as const
  ) {
    if (starts[field] < 0) {
      throw bad(
        "VVD-COUNT-NEGATIVE",
        field,
        at,
        starts[field],
        ">= 0",
        "Extract the file again",
      );
    }
  }

  const table = numFixups === 0 ? null : region(
    bytes,
    "fixupTableStart",
    52,
    starts.fixupTableStart,
    numFixups,
    VVD_FIXUP_BYTES,
  );
  const vertexData = starts.vertexDataStart === 0 ? null : region(
    bytes,
    "vertexDataStart",
    56,
    starts.vertexDataStart,
    pool,
    RECORD_BYTES,
  );
  const tangentData = starts.tangentDataStart === 0 ? null : region(
    bytes,
    "tangentDataStart",
    60,
    starts.tangentDataStart,
    pool,
    TANGENT_BYTES,
  );

  const fixups: VvdFixup[] = [];
  if (table) {
    for (let i = 0; i < numFixups; i++) {
      const at = starts.fixupTableStart + i * VVD_FIXUP_BYTES;
      const row: VvdFixup = {
        lod: i32(at),
        sourceVertexID: i32(at + 4),
        numVertexes: i32(at + 8),
      };
      const end = row.sourceVertexID + row.numVertexes;
      if (row.sourceVertexID < 0 || row.numVertexes < 0 || end > pool) {
        throw meshError(
          "VVD-FIXUP-RANGE",
          `Compile the model again: fixup ${i} names vertices ${row.sourceVertexID} to ${end}, the pool has ${pool}`,
          {
            format: "vvd",
            offset: at,
            path: `fixups/${i}`,
            found: [row.sourceVertexID, row.numVertexes],
            allowed: pool,
          },
        );
      }
      fixups.push(row);
    }
  }

  const vvd: Vvd = {
    version,
    checksum: i32(8) >>> 0,
    numLODs,
    numLODVertexes,
    fixups,
    ...starts,
    vertexData,
    tangentData,
    extra: [],
    original: bytes,
  };
  if (tangentData) {
    const end = starts.tangentDataStart + pool * TANGENT_BYTES;
    const index = extraIndex(bytes, end, pool);
    if (Array.isArray(index)) {
      vvd.extra = index.map((e): VvdExtraArray => ({
        type: e.type,
        bytesPerVertex: e.bytesPerVertex,
        data: bytes.subarray(e.start, e.start + e.bytesPerVertex * pool),
      }));
    }
  }
  return vvd;
}
