/**
 * The mesh model that every format is read into and written from: plain objects of typed arrays.
 *
 * One mesh has one set of vertices that all LODs index. Data stay in the axes, unit and winding of the format they came
 * from (`basis`) until a conversion moves them.
 *
 * @module
 */
import type { BasisId } from "./basis.ts";

/** Vertex attributes. Every array has `vertexCount` elements. */
export interface MeshAttributes {
  /** 3 f32 a vertex. */
  position: Float32Array;
  /** 3 f32 a vertex, unit. */
  normal?: Float32Array;
  /** 4 f32 a vertex: unit direction of +u, and the sign w of bitangent = w · cross(normal, tangent). */
  tangent?: Float32Array;
  /** 4 f32 a vertex: linear red, green, blue, and alpha. */
  color?: Float32Array;
  /** Texture coordinate sets, 2 f32 a vertex each, origin at the top left. */
  uvs: Float32Array[];
  /** `influences` joint numbers a vertex. */
  joints?: Uint16Array;
  /** `influences` weights a vertex, summing to one. */
  weights?: Float32Array;
}

/** A run of indices that share one material. */
export interface MaterialGroup {
  /** First index. */
  start: number;
  /** Number of indices. */
  count: number;
  /** Position in `materials`. */
  material: number;
  /** Position in `parts`, where the mesh has parts. */
  part?: number;
}

/** A piece of a mesh that can be shown or left out: one choice of a group of alternatives. */
export interface MeshPart {
  /** Name of the group; names may repeat. */
  group: string;
  /** Number of the group. */
  groupIndex: number;
  /** Name of the choice; names may repeat. */
  name: string;
  /** Number of the choice inside its group. */
  choice: number;
  /** True for the choice of its group that is shown; for every one where all are drawn at once. */
  shown: boolean;
}

/** Other materials for the same mesh. */
export interface MeshVariant {
  /** Name. */
  name: string;
  /** For every entry of the mesh's `materials` the name that takes its place. */
  materials: string[];
}

/** One level of detail; level 0 is the finest. */
export interface MeshLod {
  /** Triangle list, or null for a cloud of points that has no faces. */
  indices: Uint32Array | null;
  /** Material groups in index order; empty when the whole level has material 0. */
  groups: MaterialGroup[];
  /** Camera distance from which this level applies, in the mesh's unit; null at level 0 or where the format has none. */
  switchDistance: number | null;
}

/**
 * Sparse morph targets, vertex-major: vertex v owns entries `offsets[v]` to `offsets[v + 1] - 1`.
 */
export interface SparseMorphs {
  /** Target names, in order. */
  names: string[];
  /** `vertexCount + 1` entry offsets. */
  offsets: Uint32Array;
  /** Target of each entry. */
  targets: Uint32Array;
  /** Position delta of each entry, 3 f32. */
  position: Float32Array;
  /** Normal delta of each entry, 3 f32; null when no target has any. */
  normal: Float32Array | null;
}

/** A joint of the bind pose, relative to its parent. */
export interface MeshJoint {
  /** Name, as the format has it; may be empty or repeat. */
  name: string;
  /** Number of the parent joint, or −1 for a root. Parents stand before their children. */
  parent: number;
  /** Translation, in the mesh's unit. */
  translation: [number, number, number];
  /** Unit quaternion x, y, z, w. */
  rotation: [number, number, number, number];
  /** Scale. */
  scale: [number, number, number];
  /** The payload's own pitch, yaw and roll in degrees where the joint came with them: Euler angles do not survive a quaternion bit for bit. */
  rotationDeg?: [number, number, number];
  /** Inverse bind matrix (mesh to joint), 16 numbers, column-major, when the format stores one. */
  inverseBind?: Float32Array;
}

/** A grid of heights, row-major: rows along +Z, columns along +X, heights along +Y. */
export interface HeightfieldGrid {
  /** Number of rows. */
  rows: number;
  /** Number of columns. */
  cols: number;
  /** rows × cols heights. */
  heights: Float32Array;
}

/** A mesh. */
export interface Mesh {
  /** Name, where the format has one. */
  name: string;
  /** Axes, unit and winding of the data. */
  basis: BasisId;
  /** Number of vertices. */
  vertexCount: number;
  /** Vertex attributes. */
  attributes: MeshAttributes;
  /** Joint slots a vertex in `joints` and `weights`; 0 when the mesh has no skin. */
  influences: number;
  /** Levels of detail, at least one. */
  lods: MeshLod[];
  /** Material names. */
  materials: string[];
  /** Morph targets, or null. */
  morphs: SparseMorphs | null;
  /** Bind pose, or null when the mesh has no skeleton. An empty array is a skeleton without joints. */
  skeleton: MeshJoint[] | null;
  /** Collision heightfield, or null. */
  heightfield: HeightfieldGrid | null;
  /** Alternatives, where the format has any. */
  parts?: MeshPart[];
  /** Sets of materials to choose from, where the format has any. */
  variants?: MeshVariant[];
  /** What the mesh model has no place for, as JSON. */
  extras?: Record<string, unknown>;
}

/** Axis-aligned bounding box. */
export interface Bounds {
  /** Smallest coordinates. */
  min: [number, number, number];
  /** Largest coordinates. */
  max: [number, number, number];
}

/** Bounds of the finite positions, or null when there are none. */
export function boundsOf(position: Float32Array): Bounds | null {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 2 < position.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const x = position[i + k];
      // comparisons are false for NaN; an infinity would make the box useless
      if (x < min[k] && x !== -Infinity) min[k] = x;
      if (x > max[k] && x !== Infinity) max[k] = x;
    }
  }
  return min.every((x, k) => x <= max[k]) ? { min, max } : null;
}

/** Summary of one morph target. */
export interface MorphSummary {
  /** Name of the target. */
  name: string;
  /** Vertices that have an entry for it. */
  movedVertices: number;
  /** Length of its longest position delta. */
  largestDelta: number;
  /** At most eight entries: vertex, dx, dy, dz. */
  sample: [number, number, number, number][];
}

/** Summaries of all morph targets. */
export function summariseMorphs(
  morphs: SparseMorphs | null,
): MorphSummary[] {
  if (!morphs) return [];
  const out: MorphSummary[] = morphs.names.map((name) => ({
    name,
    movedVertices: 0,
    largestDelta: 0,
    sample: [],
  }));
  const lastVertex = new Int32Array(out.length).fill(-1);
  for (let v = 0; v + 1 < morphs.offsets.length; v++) {
    for (let e = morphs.offsets[v]; e < morphs.offsets[v + 1]; e++) {
      const t = morphs.targets[e];
      const target = out[t];
      const [x, y, z] = morphs.position.subarray(e * 3, e * 3 + 3);
      const length = Math.sqrt(x * x + y * y + z * z);
      if (length > target.largestDelta) target.largestDelta = length;
      if (lastVertex[t] === v) continue;
      lastVertex[t] = v;
      target.movedVertices++;
      if (target.sample.length < 8) target.sample.push([v, x, y, z]);
    }
  }
  return out;
}

/** Largest number of influences with a weight above zero on one vertex. */
export function maxInfluences(mesh: Mesh): number {
  const { weights } = mesh.attributes;
  const k = mesh.influences;
  if (!weights || k === 0) return 0;
  let most = 0;
  for (let v = 0; v < mesh.vertexCount; v++) {
    let n = 0;
    for (let i = 0; i < k; i++) if (weights[v * k + i] > 0) n++;
    if (n > most) most = n;
  }
  return most;
}

/** Number of distinct vertices that a level of detail uses. */
export function usedVertices(lod: MeshLod, vertexCount: number): number {
  if (!lod.indices) return vertexCount;
  const seen = new Uint8Array(vertexCount);
  let used = 0;
  for (const i of lod.indices) {
    if (i < vertexCount && seen[i] === 0) {
      seen[i] = 1;
      used++;
    }
  }
  return used;
}

/** Reverses the corner order of every triangle; leftover indices stay. */
export function reverseWinding(lod: MeshLod): MeshLod {
  if (!lod.indices) return lod;
  const indices = lod.indices.slice();
  for (let i = 0; i + 2 < indices.length; i += 3) {
    indices[i] = lod.indices[i + 2];
    indices[i + 2] = lod.indices[i];
  }
  return { ...lod, indices };
}
