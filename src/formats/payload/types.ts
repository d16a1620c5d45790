/**
 * The mesh payload as data, under the format's own names.
 *
 * @module
 */
import type { HeightfieldGrid } from "../../core/mesh.ts";

export type { HeightfieldGrid } from "../../core/mesh.ts";

/** Bytes of a static vertex: position, normal, tangent, colour (3 f32 each), uv (2 f32). */
export const VERTEX_BYTES = 56;
/** Bytes of a skinned vertex: the static one, 4 u16 joints, 4 f32 weights. */
export const SKINNED_VERTEX_BYTES = 80;
/** Bytes of a sparse morph entry: u32 target, position and normal delta (3 f32 each). */
export const MORPH_ENTRY_BYTES = 28;
/** Bytes of a dense morph delta. */
export const MORPH_DELTA_BYTES = 24;

/** One static vertex. */
export interface Vertex {
  /** Object-space position. */
  pos: [number, number, number];
  /** Object-space normal, unit. */
  normal: [number, number, number];
  /** Direction of +u, unit; no handedness sign. */
  tangent: [number, number, number];
  /** Linear red, green, blue. */
  color: [number, number, number];
  /** Texture coordinates, origin at the top left. */
  uv: [number, number];
}

/** One skinned vertex. */
export interface SkinnedVertex extends Vertex {
  /** Four joint numbers. */
  joints: [number, number, number, number];
  /** Four weights. */
  weights: [number, number, number, number];
}

/** Static vertices as typed arrays: {@linkcode Vertex} field by field. */
export interface VertexArrays {
  /** Number of vertices. */
  count: number;
  /** 3 f32 a vertex. */
  pos: Float32Array;
  /** 3 f32 a vertex. */
  normal: Float32Array;
  /** 3 f32 a vertex. */
  tangent: Float32Array;
  /** 3 f32 a vertex. */
  color: Float32Array;
  /** 2 f32 a vertex. */
  uv: Float32Array;
}

/** Skinned vertices as typed arrays. */
export interface SkinnedVertexArrays extends VertexArrays {
  /** 4 u16 a vertex. */
  joints: Uint16Array;
  /** 4 f32 a vertex. */
  weights: Float32Array;
}

/** One more level of detail: it applies at camera distances from `switchDistance` on. */
export interface LodAlternate {
  /** Camera distance. */
  switchDistance: number;
  /** The stored bits, where the distance is a NaN: a NaN does not keep its bits as a number. */
  switchDistanceBits?: number;
  /** Indices into the same vertices. */
  indices: Uint16Array;
}

/** Three numbers; the readers give f32 arrays, whose bits stay as stored. */
export type Triple = readonly [number, number, number] | Float32Array;

/** One joint of the bind pose, relative to its parent. */
export interface PayloadJoint {
  /** Name; may be empty or repeat. */
  name: string;
  /** Parent joint; negative for a root. */
  parent: number;
  /** Translation. */
  translation: Triple;
  /** Pitch about X, yaw about Y, roll about Z, in degrees; the matrix is Ry · Rx · Rz. */
  rotationDeg: Triple;
  /** Scale. */
  scale: Triple;
}

/** One delta of a dense morph target. */
export interface MorphDelta {
  /** Added to the bind-pose position. */
  position: [number, number, number];
  /** Added to the bind-pose normal. */
  normal: [number, number, number];
}

/** One sparse morph entry. */
export interface MorphEntry extends MorphDelta {
  /** Target that it belongs to. */
  target: number;
}

/** Morph targets: names, and sparse entries in vertex order. Vertex v owns entries offsets[v] to offsets[v + 1] − 1. */
export interface PayloadMorphs {
  /** Target names. */
  names: string[];
  /** vertex count + 1 entry offsets; empty when there are no targets. */
  offsets: Uint32Array;
  /** Target of each entry. */
  targets: Uint32Array;
  /** Position delta of each entry, 3 f32. */
  position: Float32Array;
  /** Normal delta of each entry, 3 f32. */
  normal: Float32Array;
}

/** A static payload. */
export interface StaticPayload {
  /** Vertices. */
  vertices: VertexArrays;
  /** LOD 0. */
  indices: Uint16Array;
  /** LOD 1 and on; empty when there are none. */
  lodAlternates: LodAlternate[];
}

/** A skinned payload. */
export interface SkinnedPayload {
  /** Vertices. */
  vertices: SkinnedVertexArrays;
  /** LOD 0. */
  indices: Uint16Array;
  /** LOD 1 and on; empty when there are none. */
  lodAlternates: LodAlternate[];
  /** Joints of the bind pose. */
  joints: PayloadJoint[];
  /** Morph targets; without names when there are none. */
  morphs: PayloadMorphs;
}

/** How the morph targets of a file are stored. */
export type MorphBlock = "none" | "MRPS" | "MRPH";

/** A whole payload file, with what is needed to write the same bytes again. */
export type PayloadFile =
  & {
    /** True when the file has a LODS block, which may hold no levels. */
    hasLodsBlock: boolean;
    /** Bytes behind the last block that any reader looks at. */
    trailing: Uint8Array;
  }
  & (
    | (StaticPayload & {
      /** Static: no magic. */
      kind: "static";
      /** Collision heightfield, or null. */
      heightfield: HeightfieldGrid | null;
    })
    | (SkinnedPayload & {
      /** Skinned: magic SKMV. */
      kind: "skinned";
      /** How the morph targets are stored. */
      morphBlock: MorphBlock;
      /** The dense deltas of a legacy MRPH block, target-major, 6 f32 each; null otherwise. */
      denseMorphs: Float32Array | null;
    })
  );

/** Morphs without targets. */
export function noMorphs(): PayloadMorphs {
  return {
    names: [],
    offsets: new Uint32Array(0),
    targets: new Uint32Array(0),
    position: new Float32Array(0),
    normal: new Float32Array(0),
  };
}
