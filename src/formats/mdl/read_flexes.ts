/**
 * Flexes of an MDL's meshes (byte table: `read_mdl.ts`).
 *
 * @module
 */
import type { Tables } from "./tables.ts";
import { type Mdl, MDL_FLAG_FLEX_FIXED_POINT, type MdlFlex } from "./types.ts";

const FLEX_BYTES = 60;
const ENTRY_BYTES = 16;
const WRINKLE_ENTRY_BYTES = 18;

/**
 * A half float as Valve reads it: the exponent that IEEE keeps for infinity and NaN gives ±65504 and 0 here.
 *
 * @example
 * ```ts
 * import { halfToFloat } from "@meshwright/kit/mdl";
 *
 * console.log(halfToFloat(0x3c00), halfToFloat(0xfc00), halfToFloat(0x7e00)); // 1 -65504 0
 * ```
 */
export function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 1023;
  if (exponent === 31) return mantissa === 0 ? sign * 65504 : 0;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  return sign * (1024 + mantissa) * 2 ** (exponent - 25);
}

function readFlex(
  t: Tables,
  at: number,
  mdl: Mdl,
  vertexCount: number,
): MdlFlex {
  const wrinkled = t.u8(at + 32) === 1;
  const size = wrinkled ? WRINKLE_ENTRY_BYTES : ENTRY_BYTES;
  const count = t.i32(at + 20);
  const start = t.table(
    "flex entries",
    at + 20,
    at + t.i32(at + 24),
    count,
    size,
  );
  const fixed = (mdl.flags & MDL_FLAG_FLEX_FIXED_POINT) !== 0;
  const delta = (place: number) =>
    fixed ? t.i16(place) * mdl.vertAnimScale : halfToFloat(t.u16(place));
  const flex: MdlFlex = {
    flexDesc: t.i32(at),
    targets: t.floats(at + 4, 4) as MdlFlex["targets"],
    pair: t.i32(at + 28),
    wrinkled,
    vertices: new Uint16Array(count),
    sides: new Uint8Array(count),
    position: new Float32Array(count * 3),
    normal: new Float32Array(count * 3),
    wrinkle: wrinkled ? new Float32Array(count) : null,
  };
  let outside = 0;
  for (let i = 0, place = start; i < count; i++, place += size) {
    flex.vertices[i] = t.u16(place);
    if (flex.vertices[i] >= vertexCount) outside++;
    flex.sides[i] = t.u8(place + 3);
    for (let k = 0; k < 3; k++) {
      flex.position[i * 3 + k] = delta(place + 4 + 2 * k);
      flex.normal[i * 3 + k] = delta(place + 10 + 2 * k);
    }
    // a wrinkle is fixed point even where the deltas are half floats
    if (flex.wrinkle) flex.wrinkle[i] = t.i16(place + 16) * mdl.vertAnimScale;
  }
  if (outside > 0) {
    t.note(
      "MDL-FLEX-VERTEX",
      `byte ${at + 24}`,
      `Compile the model again: ${outside} flex entries name a vertex that the mesh of ${vertexCount} has not; they are left out`,
      outside,
      0,
    );
  }
  for (
    const [name, row] of [["flexdesc", flex.flexDesc], [
      "flexpair",
      flex.pair,
    ]] as const
  ) {
    if (row >= 0 && row < Math.max(mdl.flexDescs.length, 1)) continue;
    t.note(
      "MDL-FLEX-DESC",
      `byte ${at}`,
      `Compile the model again: ${name} is ${row}, the model names ${mdl.flexDescs.length} shapes`,
      row,
      `0 to ${mdl.flexDescs.length - 1}`,
    );
  }
  return flex;
}

/** Flexes of the mesh at `at`. */
export function readFlexes(
  t: Tables,
  at: number,
  mdl: Mdl,
  vertexCount: number,
): MdlFlex[] {
  const count = t.i32(at + 16);
  const start = t.table(
    "flexes",
    at + 16,
    at + t.i32(at + 20),
    count,
    FLEX_BYTES,
  );
  return Array.from(
    { length: count },
    (_, i) => readFlex(t, start + i * FLEX_BYTES, mdl, vertexCount),
  );
}
