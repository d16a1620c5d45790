/**
 * Reads VVC version 1: colours and a second texture coordinate set, in the VVD's pool order.
 *
 * | @  | type   | field          | @  | type   | field                                     |
 * | -- | ------ | -------------- | -- | ------ | ----------------------------------------- |
 * | 0  | u8[4]  | id `IDCV`      | 16 | i32[8] | numLODVertexes, as in the VVD             |
 * | 4  | i32    | version 1      | 48 | i32    | colorDataStart, 4 × u8 a vertex; 0 absent |
 * | 8  | i32    | checksum       | 52 | i32    | uv2DataStart, 2 × f32 a vertex; 0 absent  |
 * | 12 | i32    | numLODs        |    |        |                                           |
 *
 * @module
 */
import { meshError } from "../../core/errors.ts";
import { checkLimit, withLimits } from "../../core/limits.ts";
import type { ReadSourceFileOptions } from "./read_mdl.ts";
import { asciiAt, Tables } from "./tables.ts";
import type { Vvc } from "./types.ts";

const HEADER_BYTES = 56;
/** Bytes of a colour. */
export const VVC_COLOR_BYTES = 4;
/** Bytes of a pair of texture coordinates. */
export const VVC_UV_BYTES = 8;

/**
 * Reads a VVC file. Its arrays stay views of `bytes`.
 *
 * @throws {MeshError} VVC-MAGIC, VVC-COUNT, VVC-RANGE, LIMIT-EXCEEDED.
 */
export function readVvc(
  bytes: Uint8Array,
  options: ReadSourceFileOptions = {},
): Vvc {
  const limits = withLimits(options.limits);
  checkLimit("maxInputBytes", bytes.length, limits.maxInputBytes, "mdl");
  const t = new Tables(bytes, "VVC", {
    count: "VVC-COUNT",
    range: "VVC-RANGE",
    work: "VVC-RANGE",
  });
  const magic = asciiAt(bytes, 0, 4);
  if (magic !== "IDCV") {
    throw meshError(
      "VVC-MAGIC",
      `Give a Source colour file: it begins with IDCV, this one with ${
        JSON.stringify(magic)
      }`,
      { format: "mdl", offset: 0, found: magic, allowed: "IDCV" },
    );
  }
  t.table("header bytes", 0, 0, HEADER_BYTES, 1);
  const version = t.i32(4);
  if (version !== 1) {
    throw meshError(
      "VVC-MAGIC",
      `Use a colour file of version 1: the version is ${version}`,
      { format: "mdl", offset: 4, path: "version", found: version, allowed: 1 },
    );
  }
  const count = t.i32(16);
  const array = (field: string, at: number, size: number) => {
    const start = t.i32(at);
    if (start === 0) return null;
    t.table(field, at, start, count, size);
    return bytes.subarray(start, start + count * size);
  };
  return {
    version,
    checksum: t.i32(8) >>> 0,
    numLODs: t.i32(12),
    numLODVertexes: Array.from({ length: 8 }, (_, i) => t.i32(16 + 4 * i)),
    colors: array("colours", 48, VVC_COLOR_BYTES),
    uv2: array("texture coordinates", 52, VVC_UV_BYTES),
  };
}
