/**
 * A whole Source model as data: the MDL, the VTX and the VVC, and what is assembled from them. The VVD has its own types.
 *
 * @module
 */
import type { Vvd } from "../vvd/types.ts";
import type { SourceNote } from "./tables.ts";

/** Magic number of an MDL, "IDST" read as a little-endian integer. */
export const MDL_FILE_ID = 0x54534449;
/** Oldest version that is read: vertices moved out of the MDL with it. */
export const MDL_MIN_VERSION = 44;
/** Newest version that is read. */
export const MDL_MAX_VERSION = 49;
/** The only VTX version that is read. */
export const VTX_VERSION = 7;

/** Flag: every vertex is rigid to one bone that never moves. */
export const MDL_FLAG_STATIC_PROP = 0x10;
/** Flag: flex deltas are 16-bit fixed point in place of half floats. */
export const MDL_FLAG_FLEX_FIXED_POINT = 0x4000;
/** Flag: the header states the scale of fixed-point flex deltas. */
export const MDL_FLAG_VERT_ANIM_SCALE = 0x200000;
/** Flag: the VVD has an extra-data block. */
export const MDL_FLAG_EXTRA_VERTEX_DATA = 0x04000000;

/** Three numbers. */
export type Vector3 = [number, number, number];

/** A bone of the bind pose. */
export interface MdlBone {
  /** Name. */
  name: string;
  /** Number of the parent, or −1. */
  parent: number;
  /** Position relative to the parent, inches. */
  position: Vector3;
  /** Rotation relative to the parent, x, y, z, w. */
  quaternion: [number, number, number, number];
  /** The same rotation as Euler angles, radians. */
  rotation: Vector3;
  /** Unit of compressed animation positions. */
  positionScale: Vector3;
  /** Unit of compressed animation rotations. */
  rotationScale: Vector3;
  /** 3 × 4 matrix, row-major, from the model's space to the bone's: the inverse bind matrix. */
  poseToBone: Float32Array;
  /** Flags. */
  flags: number;
  /** Surface property. */
  surfaceProp: string;
}

/** What one shape (flex) does to some vertices of a mesh. */
export interface MdlFlex {
  /** Shape, a row of `flexDescs`. */
  flexDesc: number;
  /** Weights at which the shape begins, is full, ends being full, and ends. */
  targets: [number, number, number, number];
  /** Shape of the other side of the face, a row of `flexDescs`; 0 for none. */
  pair: number;
  /** True when the entries also carry wrinkle deltas. */
  wrinkled: boolean;
  /** Vertex of each entry, counted from the mesh's first. */
  vertices: Uint16Array;
  /** How far each entry belongs to `pair`: 0 not at all, 255 wholly. */
  sides: Uint8Array;
  /** Position delta of each entry, 3 f32, inches. */
  position: Float32Array;
  /** Normal delta of each entry, 3 f32. */
  normal: Float32Array;
  /** Wrinkle delta of each entry, or null. */
  wrinkle: Float32Array | null;
}

/** A mesh: the part of a model that has one material. */
export interface MdlMesh {
  /** Column of the skin table. */
  material: number;
  /** Vertices. */
  vertexCount: number;
  /** First vertex, counted from the model's first. */
  vertexOffset: number;
  /** Vertices that each root LOD needs; some compilers leave nonsense here. */
  lodVertexCounts: number[];
  /** True for an eyeball, whose texture coordinates mean nothing. */
  isEyeball: boolean;
  /** Number of the eyeball, where it is one. */
  eyeball: number;
  /** Shapes. */
  flexes: MdlFlex[];
}

/** An eyeball, drawn with a projected iris. */
export interface MdlEyeball {
  /** Name. */
  name: string;
  /** Bone that carries it. */
  bone: number;
  /** Centre relative to the bone, inches. */
  origin: Vector3;
  /** Radius, inches. */
  radius: number;
  /** Up direction. */
  up: Vector3;
  /** Direction of the look. */
  forward: Vector3;
  /** Row of the texture table. */
  texture: number;
  /** Size of the iris. */
  irisScale: number;
}

/** One choice of a body part. */
export interface MdlModel {
  /** Name; names repeat, so a model is known by its place. */
  name: string;
  /** Vertices. */
  vertexCount: number;
  /** First vertex in bytes of the replayed pool, 48 a vertex. */
  vertexIndex: number;
  /** First tangent in bytes of the replayed pool, 16 a tangent. */
  tangentIndex: number;
  /** Meshes; none means "off". */
  meshes: MdlMesh[];
  /** Eyeballs. */
  eyeballs: MdlEyeball[];
}

/** A body part: exactly one of its models is shown. */
export interface MdlBodyPart {
  /** Name. */
  name: string;
  /** Divisor of the body number. */
  base: number;
  /** The choices. */
  models: MdlModel[];
}

/** A slider that shapes are driven by. */
export interface MdlFlexController {
  /** Group. */
  type: string;
  /** Name. */
  name: string;
  /** Smallest value. */
  min: number;
  /** Largest value. */
  max: number;
}

/** An MDL file, as far as geometry needs it. */
export interface Mdl {
  /** 44 to 49. */
  version: number;
  /** Checksum that all files of a model share, unsigned. */
  checksum: number;
  /** Name in the header; it need not be the file's. */
  name: string;
  /** Size that the header states. */
  length: number;
  /** Flags. */
  flags: number;
  /** Box of the hull, inches. */
  hull: { min: Vector3; max: Vector3 };
  /** Bones, parents first. */
  bones: MdlBone[];
  /** Texture names, as stored. */
  textures: string[];
  /** Folders that textures are looked for in, as stored. */
  texturePaths: string[];
  /** For every skin family the texture of each mesh material. */
  skinFamilies: number[][];
  /** Body parts. */
  bodyParts: MdlBodyPart[];
  /** Names of the shapes. */
  flexDescs: string[];
  /** Sliders. */
  flexControllers: MdlFlexController[];
  /** Surface property. */
  surfaceProp: string;
  /** Models whose animations belong to this one. */
  includeModels: { label: string; path: string }[];
  /** Root LOD that the compiler chose. */
  rootLod: number;
  /** Number of root LODs that the engine may choose; 0 for no limit. */
  allowedRootLods: number;
  /** Unit of fixed-point flex deltas. */
  vertAnimScale: number;
  /** How many there are of what is not read, by its name: sequences, attachments and the like. */
  unread: Record<string, number>;
  /** What was doubtful while reading. */
  notes: SourceNote[];
}

/** A strip: a run of a group's indices. */
export interface VtxStrip {
  /** First index, counted from the group's first. */
  indexOffset: number;
  /** Number of indices. */
  indexCount: number;
  /** 1: triangles, 2: a strip (quads in 33/35 files), 4: quads. */
  flags: number;
}

/** A strip group: vertices and indices that the hardware takes in one go. */
export interface VtxStripGroup {
  /** 1 flexed, 2 hardware-skinned, 4 delta-flexed, 8 morphs suppressed. */
  flags: number;
  /** For each vertex of the group its vertex of the mesh. */
  vertices: Uint16Array;
  /** Indices into `vertices`. */
  indices: Uint16Array;
  /** Strips. */
  strips: VtxStrip[];
}

/** A mesh at one level of detail. */
export interface VtxMesh {
  /** 1 teeth, 2 eyes. */
  flags: number;
  /** Strip groups; all of them are drawn. */
  stripGroups: VtxStripGroup[];
}

/** A model at one level of detail. */
export interface VtxLod {
  /** Value of the engine's measure from which the level applies; negative marks the shadow level. */
  switchPoint: number;
  /** Meshes, as in the MDL. */
  meshes: VtxMesh[];
}

/** Sizes of strip group and strip headers; no field of the file says which. */
export type VtxLayout = "25/27" | "33/35";

/** A VTX file. */
export interface Vtx {
  /** Always 7. */
  version: number;
  /** Checksum that all files of a model share, unsigned. */
  checksum: number;
  /** Levels of detail. */
  numLODs: number;
  /** Header sizes, found from the bytes. */
  layout: VtxLayout;
  /** For every LOD the textures that it replaces. */
  materialReplacements: { material: number; name: string }[][];
  /** For every body part its models, for every model its levels. */
  bodyParts: { models: { lods: VtxLod[] }[] }[];
  /** What was doubtful while reading. */
  notes: SourceNote[];
}

/** A VVC file: colours and a second texture coordinate set, in the VVD's pool order. */
export interface Vvc {
  /** Always 1. */
  version: number;
  /** Checksum that all files of a model share, unsigned. */
  checksum: number;
  /** Levels of detail. */
  numLODs: number;
  /** As in the VVD. */
  numLODVertexes: number[];
  /** Red, green, blue, alpha, a byte each, for every vertex; null when absent. */
  colors: Uint8Array | null;
  /** Two f32 for every vertex, as bytes; null when absent. */
  uv2: Uint8Array | null;
}

/** One mesh's run of indices at one level of detail. */
export interface SourceRun {
  /** Number of the body part. */
  bodyPart: number;
  /** Number of the model inside it. */
  model: number;
  /** Number of the mesh inside that. */
  mesh: number;
  /** First index. */
  start: number;
  /** Number of indices. */
  count: number;
}

/** One level of detail of a whole model. */
export interface SourceLod {
  /** Number of the level in the VTX. */
  level: number;
  /** Value of the engine's measure from which it applies. */
  switchPoint: number;
  /** True for the level that only casts shadows. */
  shadow: boolean;
  /** Triangles of all models, in file order: numbers of pool vertices after replay. */
  indices: Uint32Array;
  /** Which run belongs to which mesh, in file order. */
  runs: SourceRun[];
}

/** A Source model. */
export interface SourceModel {
  /** The MDL. */
  mdl: Mdl;
  /** The VVD; null for a model without geometry. */
  vvd: Vvd | null;
  /** The VTX; null for a model without geometry. */
  vtx: Vtx | null;
  /** The VVC, where there is one. */
  vvc: Vvc | null;
  /** Levels of detail, the shadow level included; empty for a model without geometry. */
  lods: SourceLod[];
  /** What was doubtful in the files and between them. */
  notes: SourceNote[];
}
