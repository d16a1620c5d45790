/**
 * Writes VVD version 4 (byte table: `read.ts`).
 *
 * @module
 */
import { ByteWriter } from "../../core/bytes.ts";
import { meshError } from "../../core/errors.ts";
import { RECORD_BYTES, TANGENT_BYTES } from "../../kernels/replay.ts";
import { extraIndex } from "./read.ts";
import {
  MODEL_VERTEX_FILE_ID,
  type Vvd,
  VVD_FIXUP_BYTES,
  VVD_HEADER_BYTES,
} from "./types.ts";

function checkPool(
  what: string,
  data: Uint8Array | null,
  count: number,
  size: number,
): void {
  if (data && data.length !== count * size) {
    throw meshError(
      "ARGUMENT",
      `Give ${what} for every vertex: ${data.length} bytes found, ${count} × ${size} needed`,
      {
        format: "vvd",
        path: what,
        found: data.length,
        allowed: count * size,
      },
    );
  }
}

function putHeader(
  out: ByteWriter,
  vvd: Vvd,
  starts: { fixups: number; vertices: number; tangents: number },
): void {
  out.offset = 0;
  out.u32(MODEL_VERTEX_FILE_ID);
  out.u32(vvd.version);
  out.u32(vvd.checksum);
  out.u32(vvd.numLODs);
  for (let i = 0; i < 8; i++) out.u32(vvd.numLODVertexes[i]);
  out.u32(vvd.fixups.length);
  out.u32(starts.fixups);
  out.u32(starts.vertices);
  out.u32(starts.tangents);
}

function putFixups(out: ByteWriter, vvd: Vvd, start: number): void {
  out.offset = start;
  for (const row of vvd.fixups) {
    out.u32(row.lod);
    out.u32(row.sourceVertexID);
    out.u32(row.numVertexes);
  }
}

/**
 * True when every region still fits the place it was read from, so that the original bytes can serve as the ground.
 */
function fitsOriginal(vvd: Vvd): boolean {
  const { original, fixups, vertexData, tangentData } = vvd;
  if (!original) return false;
  const view = new DataView(
    original.buffer,
    original.byteOffset,
    original.length,
  );
  const i32 = (at: number) => view.getInt32(at, true);
  const pool = vvd.numLODVertexes[0];
  if (
    i32(16) !== pool || i32(48) !== fixups.length ||
    i32(52) !== vvd.fixupTableStart || i32(56) !== vvd.vertexDataStart ||
    i32(60) !== vvd.tangentDataStart ||
    (i32(56) !== 0) !== (vertexData !== null) ||
    (i32(60) !== 0) !== (tangentData !== null)
  ) return false;
  const index = tangentData
    ? extraIndex(original, i32(60) + pool * TANGENT_BYTES, pool)
    : null;
  const entries = Array.isArray(index) ? index : [];
  return entries.length === vvd.extra.length &&
    entries.every((e, i) =>
      e.type === vvd.extra[i].type &&
      e.bytesPerVertex === vvd.extra[i].bytesPerVertex
    );
}

function writeOver(vvd: Vvd, original: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(original.length);
  out.put(original);
  const pool = vvd.numLODVertexes[0];
  // Regions of a damaged file may overlap. Unchanged ones are views of the original and write their own bytes back.
  if (vvd.vertexData) out.bytes.set(vvd.vertexData, vvd.vertexDataStart);
  if (vvd.tangentData) out.bytes.set(vvd.tangentData, vvd.tangentDataStart);
  const index = vvd.tangentData
    ? extraIndex(original, vvd.tangentDataStart + pool * TANGENT_BYTES, pool)
    : null;
  if (Array.isArray(index)) {
    index.forEach((e, i) => out.bytes.set(vvd.extra[i].data, e.start));
  }
  if (vvd.fixups.length > 0) putFixups(out, vvd, vvd.fixupTableStart);
  putHeader(out, vvd, {
    fixups: vvd.fixupTableStart,
    vertices: vvd.vertexDataStart,
    tangents: vvd.tangentDataStart,
  });
  return out.bytes;
}

/** Lays the file out as the compiler does: fixups at 64, vertices at the next multiple of 16, tangents, extra data. */
function writeFresh(vvd: Vvd): Uint8Array<ArrayBuffer> {
  const pool = vvd.numLODVertexes[0];
  const fixups = VVD_HEADER_BYTES;
  const vertices = Math.ceil(
    (fixups + vvd.fixups.length * VVD_FIXUP_BYTES) / 16,
  ) * 16;
  const tangents = vertices + (vvd.vertexData ? pool * RECORD_BYTES : 0);
  const extra = tangents + (vvd.tangentData ? pool * TANGENT_BYTES : 0);
  const indexBytes = vvd.extra.length > 0 ? 8 + 12 * vvd.extra.length : 0;
  const total = extra + indexBytes +
    vvd.extra.reduce((sum, e) => sum + e.data.length, 0);
  if (total > 0x7fffffff) {
    throw meshError(
      "LIMIT-EXCEEDED",
      `Write fewer vertices: the file would have ${total} bytes, its offsets are signed 32-bit`,
      { format: "vvd", found: total, allowed: 0x7fffffff },
    );
  }
  const out = new ByteWriter(total);
  putHeader(out, vvd, {
    fixups,
    vertices: vvd.vertexData ? vertices : 0,
    tangents: vvd.tangentData ? tangents : 0,
  });
  putFixups(out, vvd, fixups);
  if (vvd.vertexData) out.bytes.set(vvd.vertexData, vertices);
  if (vvd.tangentData) out.bytes.set(vvd.tangentData, tangents);
  if (vvd.extra.length > 0) {
    out.offset = extra;
    out.u32(vvd.extra.length);
    out.u32(total - extra);
    let at = indexBytes;
    for (const e of vvd.extra) {
      out.u32(e.type);
      out.u32(at);
      out.u32(e.bytesPerVertex);
      at += e.data.length;
    }
    for (const e of vvd.extra) out.put(e.data);
  }
  return out.bytes;
}

/**
 * Writes a VVD file. An unchanged `readVvd` result gives the very bytes it came from; one whose regions keep their sizes
 * keeps its layout; anything else is laid out as the compiler does.
 *
 * @throws {MeshError} ARGUMENT when a pool does not fit numLODVertexes[0], LIMIT-EXCEEDED above 2 GiB.
 *
 * @example
 * ```ts
 * import { readVvd, writeVvd } from "@meshwright/kit/vvd";
 *
 * const bytes = Deno.readFileSync("samples/lantern.vvd");
 * const vvd = readVvd(bytes);
 * vvd.checksum = 0x1234;
 * console.log(writeVvd(vvd).length === bytes.length); // true
 * ```
 */
export function writeVvd(vvd: Vvd): Uint8Array<ArrayBuffer> {
  const pool = vvd.numLODVertexes[0];
  if (vvd.numLODVertexes.length !== 8) {
    throw meshError(
      "ARGUMENT",
      `Give eight numLODVertexes: found ${vvd.numLODVertexes.length}`,
      {
        format: "vvd",
        path: "numLODVertexes",
        found: vvd.numLODVertexes.length,
        allowed: 8,
      },
    );
  }
  checkPool("vertexData", vvd.vertexData, pool, RECORD_BYTES);
  checkPool("tangentData", vvd.tangentData, pool, TANGENT_BYTES);
  for (const e of vvd.extra) {
    checkPool("extra data", e.data, pool, e.bytesPerVertex);
  }
  return vvd.original && fitsOriginal(vvd)
    ? writeOver(vvd, vvd.original)
    : writeFresh(vvd);
}
