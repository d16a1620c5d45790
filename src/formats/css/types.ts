/**
 * What a CSS authored mesh holds, and the rules' numbers.
 *
 * | field | content |
 * | --- | --- |
 * | `schema` | 1 |
 * | `mesh_package`, `skeleton_package` | package paths |
 * | `bones` | objects `{name, parent, translation, rotation, scale}`, parents first, one root |
 * | `materials` | slot names |
 * | `points` | rows x, y, z in centimetres; left-handed, +Z up |
 * | `uv_channels` | 1 to 4, 1 when left out |
 * | `wedges` | rows point, u, v, then u, v of every further channel |
 * | `faces` | rows wedge, wedge, wedge, material; clockwise from the front |
 * | `influences` | rows point, bone, weight |
 * | `normals` | optional, rows x, y, z, one a wedge |
 * | `colors` | optional, rows r, g, b, a of bytes, one a wedge |
 * | `morph_targets` | optional, objects `{name, deltas}` of rows point, dx, dy, dz |
 *
 * @module
 */

/** A bone, relative to its parent. */
export interface CssBone {
  /** Name; engine names ignore case. */
  name: string;
  /** Number of the parent bone, which stands before it; −1 for bone 0 alone. */
  parent: number;
  /** Translation in centimetres. */
  translation: [number, number, number];
  /** Quaternion x, y, z, w. */
  rotation: [number, number, number, number];
  /** Scale, each above 0. */
  scale: [number, number, number];
}

/** A shape key. */
export interface CssMorphTarget {
  /** Name: 1 to 64 letters, digits and underscores. */
  name: string;
  /** Points that move. */
  points: Uint32Array;
  /** 3 f32 a moved point, centimetres. */
  deltas: Float32Array;
}

/** A CSS authored mesh. Numbers are f32, as the importer stores them. */
export interface CssMesh {
  /** Package path of the mesh. */
  meshPackage: string;
  /** Package path of the skeleton. */
  skeletonPackage: string;
  /** Bones, parents first. */
  bones: CssBone[];
  /** Material slot names. */
  materials: string[];
  /** 3 f32 a point. */
  points: Float32Array;
  /** Texture coordinate channels, 1 to 4. */
  uvChannels: number;
  /** Point of each wedge. */
  wedgePoints: Uint32Array;
  /** 2 × `uvChannels` f32 a wedge. */
  wedgeUvs: Float32Array;
  /** 4 a face: three wedges, one material. */
  faces: Uint32Array;
  /** Point of each influence. */
  influencePoints: Uint32Array;
  /** Bone of each influence. */
  influenceBones: Uint32Array;
  /** Weight of each influence. */
  influenceWeights: Float32Array;
  /** 3 f32 a wedge, or null. */
  normals: Float32Array | null;
  /** 4 bytes a wedge, or null. */
  colors: Uint8Array | null;
  /** Morph targets; null when the field is absent. */
  morphTargets: CssMorphTarget[] | null;
  /** Top-level keys that the importer ignores; they are not kept. */
  unknownKeys: string[];
}

/** The arrays that every file must have, in the importer's order, and how many rows they may have. */
export const REQUIRED_ARRAYS = [
  "bones",
  "points",
  "wedges",
  "faces",
  "influences",
  "materials",
] as const;

/** Name of a required array. */
export type RequiredArray = (typeof REQUIRED_ARRAYS)[number];

/** The importer's limit of bytes: 512 MiB. */
export const CSS_MAX_BYTES: number = 2 ** 29;

/** The importer's limits of rows; influences may be eight times the points. */
export const CSS_MAX_ROWS: Readonly<
  Record<Exclude<RequiredArray, "influences">, number>
> = {
  bones: 2048,
  points: 1_000_000,
  wedges: 6_000_000,
  faces: 2_000_000,
  materials: 64,
};
/** Most influences of a point. */
export const CSS_MAX_INFLUENCES = 8;
/** Most texture coordinate channels. */
export const CSS_MAX_UV_CHANNELS = 4;
/** Most morph targets. */
export const CSS_MAX_MORPHS = 64;
/** Largest coordinate of a point, cm; the value itself passes. */
export const CSS_MAX_COORDINATE = 10_000;
/** Largest component of a morph delta, cm; the value itself passes. */
export const CSS_MAX_DELTA = 100;
/** Largest |sum − 1| of a point's weights, and of a quaternion's squared length, in f64. */
export const CSS_SUM_TOLERANCE = 0.001;
/** Largest |n·n − 1| of a normal, f32. */
export const CSS_NORMAL_TOLERANCE: number = Math.fround(0.001);
/** Smallest squared length of cross(B − A, C − A), f32; the value itself passes. */
export const CSS_DEGENERATE: number = Math.fround(1e-12);
/** The engine drops a morph whose deltas are all at or below this length, cm. */
export const CSS_MORPH_THRESHOLD = 0.015;
/** The engine merges corners nearer than this on every axis, cm. */
export const CSS_POSITION_THRESHOLD = 2e-5;
/** Two weights nearer than this may change places when the engine makes them whole numbers. */
export const CSS_WEIGHT_STEP: number = 1 / 65_535;
/** Longest name that the engine holds. */
export const CSS_MAX_NAME = 1023;
/** A mesh smaller than this in all directions, cm, was probably saved in metres. */
export const CSS_SUSPICIOUS_SMALL = 3;
/** A mesh larger than this in some direction, cm, was probably saved in millimetres. */
export const CSS_SUSPICIOUS_LARGE = 1500;
/** Where schema 1 puts meshes. */
export const CSS_MESH_PREFIX = "/Game/CSSAuthoring/";
/** Where skeletons lie. */
export const CSS_SKELETON_PREFIX = "/Game/";
