/**
 * Every limit and tolerance of the library, with its source and reason. Limits can be set by the caller; tolerances are
 * rules of the formats and are fixed.
 *
 * @module
 */
import { meshError } from "./errors.ts";
import type { FormatId } from "./formats.ts";

/** Limits that a caller may set. Counts are of elements, sizes of bytes. */
export interface Limits {
  /** Largest input. Default 2 GiB: what one ArrayBuffer holds on every runtime. */
  readonly maxInputBytes: number;
  /** Largest output. Default 4 GiB − 1: GLB has a u32 length. */
  readonly maxOutputBytes: number;
  /** Vertices of one mesh. Default 2^27: 48-byte records of that many pass any file of 2 GiB. */
  readonly maxVertices: number;
  /** Indices of all LODs together. Default 2^29. */
  readonly maxIndices: number;
  /** Morph entries once expanded (targets × vertices). Default 2^28. */
  readonly maxMorphDeltas: number;
  /** Levels of detail of one mesh. Default 65,536: real files have 8 at most. */
  readonly maxLods: number;
  /** Morph targets of one mesh. Default 65,536. */
  readonly maxMorphTargets: number;
  /** Joints of a skeleton. Default 65,536: joint numbers are u16. */
  readonly maxJoints: number;
  /** Memory of the kernels. Default 256 MiB; they stage large arrays, so more brings nothing. */
  readonly maxKernelBytes: number;
  /** Depth of nested JSON. Default 64: real glTF stays below 12. */
  readonly maxJsonDepth: number;
}

/** The limits that hold when none are given. */
export const DEFAULT_LIMITS: Limits = Object.freeze({
  maxInputBytes: 2 ** 31,
  maxOutputBytes: 2 ** 32 - 1,
  maxVertices: 2 ** 27,
  maxIndices: 2 ** 29,
  maxMorphDeltas: 2 ** 28,
  maxLods: 65_536,
  maxMorphTargets: 65_536,
  maxJoints: 65_536,
  maxKernelBytes: 2 ** 28,
  maxJsonDepth: 64,
});

/** Limits under which a whole conversion stays below 128 MiB, the memory of an edge isolate. */
export const EDGE_LIMITS: Limits = Object.freeze({
  maxInputBytes: 16 * 2 ** 20,
  maxOutputBytes: 32 * 2 ** 20,
  maxVertices: 250_000,
  maxIndices: 1_500_000,
  maxMorphDeltas: 1_000_000,
  maxLods: 64,
  maxMorphTargets: 1024,
  maxJoints: 1024,
  maxKernelBytes: 16 * 2 ** 20,
  maxJsonDepth: 64,
});

/**
 * Fills the limits that a caller left out. An `undefined` counts as left out: it must not take a guard away.
 *
 * @throws {MeshError} ARGUMENT for a limit that is not a number of 0 or more.
 */
export function withLimits(limits: Partial<Limits> = {}): Limits {
  const out: Record<string, number> = { ...DEFAULT_LIMITS };
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined) continue;
    if (!(value >= 0)) {
      throw meshError(
        "ARGUMENT",
        `Give a limit of 0 or more: ${name} is ${value}`,
        { path: `limits/${name}`, found: value, allowed: ">= 0" },
      );
    }
    out[name] = value;
  }
  return out as unknown as Limits;
}

/** Throws when `found` passes `allowed`. */
export function checkLimit(
  what: string,
  found: number,
  allowed: number,
  format?: FormatId,
): void {
  if (found > allowed) {
    throw meshError(
      "LIMIT-EXCEEDED",
      `Stay within the limits: ${what} is ${found}, the limit is ${allowed}`,
      { ...(format ? { format } : {}), path: what, found, allowed },
    );
  }
}

/**
 * Deltas whose every component is at or below this magnitude are dropped when a dense morph target is made sparse. f32
 * bits 0x358637bd, compared strictly: exactly this value is dropped. Source: the payload format text.
 */
export const MORPH_DELTA_EPSILON: number = Math.fround(1e-6);

/** A payload's indices are u16: at most this many vertices can be addressed. 65535 is an ordinary index there. */
export const PAYLOAD_MAX_VERTICES = 65_536;
/** The engine uploads at most this many joints of a payload and cuts the rest silently. */
export const PAYLOAD_MAX_JOINTS = 64;
/** glTF forbids the largest value of an index type, so u16 indices end one earlier. */
export const GLTF_MAX_U16_INDEX = 65_534;
/** Deepest node tree of a glTF that is read or written: real rigs stay below 100, and the library recurses. */
export const GLTF_MAX_NODE_DEPTH = 1000;
/** Bones of a model for the engine of 2013 and before. */
export const SOURCE1_MAX_BONES = 128;
/** Decimals of an angle in an SMD: what studiomdl's own exporters write; below it engines' arc tangents differ. */
export const SMD_PRECISION = 6;
/** A Source vertex holds at most three influences. */
export const VVD_MAX_INFLUENCES = 3;
/**
 * How often the tables of an MDL or VTX may refer to its bytes in all. Eight LODs may share all their data; nested tables
 * that point at one another would otherwise multiply without end.
 */
export const MDL_WORK_FACTOR = 8;
/** Bytes that the tables of any MDL or VTX may refer to, however small the file. */
export const MDL_WORK_SPARE = 65_536;

/**
 * Largest deviation of a length from 1 that is left as it is. Khronos' validator allows 0.00674 for the squared length of
 * three components; this is stricter by ten and still above the noise of f32 (1e-7) and of 10-bit packed normals' decoders.
 */
export const UNIT_LENGTH_TOLERANCE = 5e-4;
/** Largest |sum of weights − 1| that needs no normalising. Source files hold 1e-3; 1e-6 is the interchange rule of the VVD notes. */
export const WEIGHT_SUM_TOLERANCE = 1e-6;
/** Largest |sum of weights − 1| that validate leaves unmentioned: what real Source files show. */
export const WEIGHT_SUM_WARNING = 1e-3;
/** Share of triangles against their normals that validate leaves unmentioned: nearly every real Source model stays within it. */
export const WINDING_NOTE_SHARE = 0.01;
/** A joint's world matrix with a determinant below this has no inverse; the payload's engine then uses the identity. */
export const SINGULAR_DETERMINANT = 1e-12;
/** A mesh whose largest extent is below this, in metres, was probably saved in another unit. */
export const SUSPICIOUS_SMALL_METRES = 0.01;
/** A mesh whose largest extent is above this, in metres, was probably saved in another unit. */
export const SUSPICIOUS_LARGE_METRES = 1000;
/** validate lists at most this many findings; the counts stay complete. */
export const MAX_LISTED_FINDINGS = 1000;
/** Largest deviation of a simplified level, as a part of the mesh's extent, unless the caller says: what meshoptimizer advises for levels of detail. */
export const SIMPLIFY_TARGET_ERROR = 0.1;
/** Weight of an attribute's whole extent against the mesh's own: an edge of a texture counts half of an edge of the shape. */
export const SIMPLIFY_ATTRIBUTE_WEIGHT = 0.5;
/** Levels of detail that are made at most, LOD 0 included: the payload's cook makes no more, and a Source model holds no more. */
export const MAX_BUILT_LODS = 8;
/** Triangles up to which a CSS mesh gets tangents on its way to glTF: 160 bytes each stay within the kernels' memory. */
export const IMPORTER_TANGENT_TRIANGLES = 1_000_000;
/** Largest deviation of a vertex from its place in a grid, as a part of the grid's spacing: what exporters' matrices add stays far below. */
export const GRID_TOLERANCE = 1e-3;
/** Fewest and most cells along a side of a terrain that is made from an image: the cook's range. */
export const TERRAIN_CELLS: readonly [least: number, most: number] = [4, 255];
/** Samples of a height image at most, 8192 × 8192: a payload's grid has 65,536 places at most. */
export const HEIGHT_IMAGE_MAX_SAMPLES: number = 2 ** 26;
