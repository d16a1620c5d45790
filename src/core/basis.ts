/**
 * Axes, units, winding and texture conventions of the formats, and the linear map between any two of them. Every map is a
 * uniform scale times a signed permutation of axes, so directions keep their bits.
 *
 * Source: the conventions table of the contract. Its position table follows from the rows below and is tested against them.
 *
 * @module
 */

/** A convention. `blender` is raw Blender data in a file that cannot say so. */
export type BasisId =
  | "gltf"
  | "source"
  | "css"
  | "payload"
  | "blender"
  | "obj"
  | "smd";

/** A signed permutation: result[i] = sign[i] · input[axis[i]]. */
export interface AxisMap {
  /** Which input axis feeds each output axis. */
  readonly axis: readonly [number, number, number];
  /** Its sign. */
  readonly sign: readonly [number, number, number];
}

/** One convention, described against glTF's (right-handed, +Y up, metres). */
export interface Basis {
  /** Axes: from this convention to glTF's. */
  readonly toGltf: AxisMap;
  /** Metres in one unit. */
  readonly metres: number;
  /** 1 when cross(B − A, C − A) of a stored triangle points outward, −1 when inward. */
  readonly outward: 1 | -1;
  /** Where v = 0 lies. */
  readonly uvOrigin: "top" | "bottom";
  /** 1 when w · cross(normal, tangent) points up in the image, −1 when down. */
  readonly bitangent: 1 | -1;
  /** What people read in reports. */
  readonly label: string;
}

const IDENTITY: AxisMap = { axis: [0, 1, 2], sign: [1, 1, 1] };

/** The conventions. */
export const BASES: Readonly<Record<BasisId, Basis>> = {
  gltf: {
    toGltf: IDENTITY,
    metres: 1,
    outward: 1,
    uvOrigin: "top",
    bitangent: 1,
    label: "right-handed, +Y up, metres",
  },
  payload: {
    toGltf: IDENTITY,
    metres: 1,
    outward: 1,
    uvOrigin: "top",
    bitangent: 1,
    label: "right-handed, +Y up, metres",
  },
  source: {
    toGltf: { axis: [0, 2, 1], sign: [1, 1, -1] },
    metres: 0.0254,
    outward: -1,
    uvOrigin: "top",
    bitangent: -1,
    label: "right-handed, +Z up, inches",
  },
  css: {
    toGltf: { axis: [0, 2, 1], sign: [1, 1, 1] },
    metres: 0.01,
    outward: -1,
    uvOrigin: "top",
    bitangent: 1,
    label: "left-handed, +Z up, centimetres",
  },
  blender: {
    toGltf: { axis: [0, 2, 1], sign: [1, 1, -1] },
    metres: 1,
    outward: 1,
    uvOrigin: "bottom",
    bitangent: 1,
    label: "right-handed, +Z up, metres",
  },
  // not in the contract's table: what most programs write and expect
  obj: {
    toGltf: IDENTITY,
    metres: 1,
    outward: 1,
    uvOrigin: "bottom",
    bitangent: 1,
    label: "right-handed, +Y up, metres",
  },
  // studiomdl turns v and triangles around when it compiles
  smd: {
    toGltf: { axis: [0, 2, 1], sign: [1, 1, -1] },
    metres: 0.0254,
    outward: 1,
    uvOrigin: "bottom",
    bitangent: 1,
    label: "right-handed, +Z up, inches",
  },
};

/** Inverse of a signed permutation. */
export function invertAxes(map: AxisMap): AxisMap {
  const axis: [number, number, number] = [0, 0, 0];
  const sign: [number, number, number] = [1, 1, 1];
  for (let i = 0; i < 3; i++) {
    axis[map.axis[i]] = i;
    sign[map.axis[i]] = map.sign[i];
  }
  return { axis, sign };
}

/** The map that does `first`, then `second`. */
export function composeAxes(first: AxisMap, second: AxisMap): AxisMap {
  const axis = second.axis.map((a) => first.axis[a]);
  const sign = second.axis.map((a, i) => second.sign[i] * first.sign[a]);
  return {
    axis: axis as [number, number, number],
    sign: sign as [number, number, number],
  };
}

/** Determinant of a signed permutation: 1 or −1. */
export function axesDeterminant(map: AxisMap): 1 | -1 {
  const [a, b, c] = map.axis;
  const even = (a === 0 && b === 1 && c === 2) ||
    (a === 1 && b === 2 && c === 0) || (a === 2 && b === 0 && c === 1);
  const signs = map.sign[0] * map.sign[1] * map.sign[2];
  return (even ? signs : -signs) as 1 | -1;
}

/** What happens between two conventions. */
export interface BasisChange {
  /** Convention of the input. */
  readonly from: BasisId;
  /** Convention of the output. */
  readonly to: BasisId;
  /** Axes. */
  readonly axes: AxisMap;
  /** Output units in one input unit. */
  readonly scale: number;
  /** Sign of the determinant of the whole map. */
  readonly determinant: 1 | -1;
  /** True when the corners of every triangle change order. */
  readonly windingReversed: boolean;
  /** True when v becomes 1 − v. */
  readonly uvFlipped: boolean;
  /** What tangent signs are multiplied with. */
  readonly tangentSign: 1 | -1;
}

/** 0.07 divided by 0.01 is 7.000000000000001 in f64; rounded to the 15 digits that f64 always holds, it is 7. */
function unitRatio(from: number, to: number): number {
  return Number((from / to).toPrecision(15));
}

/** True for the conventions whose unit is Source's own. */
const inSourceUnits = (id: BasisId) => id === "source" || id === "smd";

/** Metres in a unit of the input and of the output. */
function metresOf(
  from: BasisId,
  to: BasisId,
  unit: number | undefined,
): [number, number] {
  const [a, b] = [BASES[from].metres, BASES[to].metres];
  if (unit === undefined) return [a, b];
  // between two of Source's own formats the unit's length is the same on both sides
  if (inSourceUnits(from) === inSourceUnits(to)) return [a * unit, b];
  return inSourceUnits(from) ? [unit, b] : [a, unit];
}

/**
 * The change from one convention to another.
 *
 * @param from Convention of the input.
 * @param to Convention of the output.
 * @param unit Metres in one Source unit in place of 0.0254, where either side is in Source units; else a factor.
 *
 * @example
 * ```ts
 * import { basisChange } from "@meshwright/kit";
 *
 * const change = basisChange("source", "css");
 * console.log(change.scale, change.determinant, change.windingReversed); // 2.54 -1 true
 * ```
 */
export function basisChange(
  from: BasisId,
  to: BasisId,
  unit?: number,
): BasisChange {
  const a = BASES[from];
  const b = BASES[to];
  const axes = composeAxes(a.toGltf, invertAxes(b.toGltf));
  const determinant = axesDeterminant(axes);
  const [metres, target] = metresOf(from, to, unit);
  return {
    from,
    to,
    axes,
    scale: unitRatio(metres, target),
    determinant,
    windingReversed: a.outward * determinant * b.outward < 0,
    uvFlipped: a.uvOrigin !== b.uvOrigin,
    // cross(N', T') = det · M cross(N, T): a mirror turns the bitangent around
    tangentSign: (determinant * a.bitangent * b.bitangent) as 1 | -1,
  };
}
