/**
 * Simplifies a triangle list with meshoptimizer: edges collapse onto vertices that are there already, so that every level of
 * detail indexes the same ones, with the skin and the morph targets that they have.
 *
 * @module
 */
import type { MaterialGroup, Mesh } from "../core/mesh.ts";
import {
  SIMPLIFY_ATTRIBUTE_WEIGHT,
  SIMPLIFY_TARGET_ERROR,
} from "../core/limits.ts";
import { firstNotFinite } from "../core/scan.ts";

/** `MeshoptSimplifier` of npm's `meshoptimizer/simplifier`, once its `ready` has resolved. */
export interface Simplifier {
  /** A vertex for every vertex, the same one for all at one position. */
  readonly generatePositionRemap: (
    positions: Float32Array,
    stride: number,
  ) => Uint32Array;
  /** A triangle list of about `targetIndices` indices, and its error as a part of the extent of all positions. */
  readonly simplifyWithAttributes: (
    indices: Uint32Array,
    positions: Float32Array,
    positionStride: number,
    attributes: Float32Array,
    attributeStride: number,
    weights: number[],
    lock: Uint8Array | null,
    targetIndices: number,
    targetError: number,
    flags?: "LockBorder"[],
  ) => [Uint32Array, number];
}

/** Options of {@linkcode simplifyTriangles}. */
export interface SimplifyOptions {
  /** meshoptimizer's simplifier. */
  simplifier: Simplifier;
  /** Largest deviation, as a part of the mesh's extent; 0.1 unless given. It comes before the number of triangles. */
  targetError?: number;
  /** Keep every edge that only one triangle has. */
  lockBorder?: boolean;
}

/** What {@linkcode simplifyTriangles} gives. */
export interface SimplifiedTriangles {
  /** The triangle list. */
  indices: Uint32Array;
  /** Its groups: those of the mesh, in order; empty where the mesh has none. */
  groups: MaterialGroup[];
  /** Deviation from LOD 0 as a part of the mesh's extent, as the simplifier estimates it. */
  error: number;
}

/** Values with 0 for what is not finite, which no estimate could be made from. */
const finite = (values: Float32Array) =>
  firstNotFinite(values) < 0
    ? values
    : values.map((x) => Number.isFinite(x) ? x : 0);

/** Largest extent of the values of a stream, over its components; 1 for one that does not vary. */
function extentOf(values: Float32Array, width: number): number {
  let extent = 0;
  for (let k = 0; k < width; k++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = k; i < values.length; i += width) {
      low = Math.min(low, values[i]);
      high = Math.max(high, values[i]);
    }
    extent = Math.max(extent, high - low);
  }
  return extent > 0 && Number.isFinite(extent) ? extent : 1;
}

/** Normals, the first texture coordinates and colours side by side, each weighed by its own extent. */
function attributesOf(mesh: Mesh): {
  values: Float32Array;
  weights: number[];
} {
  const { normal, uvs, color } = mesh.attributes;
  const streams: { values: Float32Array; width: number; extent: number }[] = [];
  const add = (values: Float32Array | undefined, width: number, own = true) => {
    if (!values) return;
    const clean = finite(values);
    const extent = own ? extentOf(clean, width) : 1;
    streams.push({ values: clean, width, extent });
  };
  add(normal, 3, false);
  add(uvs[0], 2);
  add(color, 4);
  const stride = streams.reduce((sum, s) => sum + s.width, 0);
  const out = new Float32Array(mesh.vertexCount * stride);
  let at = 0;
  for (const { values, width } of streams) {
    for (let v = 0; v < mesh.vertexCount; v++) {
      for (let k = 0; k < width; k++) {
        out[v * stride + at + k] = values[v * width + k];
      }
    }
    at += width;
  }
  return {
    values: out,
    weights: streams.flatMap(({ width, extent }) =>
      new Array<number>(width).fill(SIMPLIFY_ATTRIBUTE_WEIGHT / extent)
    ),
  };
}

/** Triangles of a run that a level can be made from: three corners that exist, differ and have a place. */
function usable(
  mesh: Mesh,
  indices: Uint32Array,
  { start, count }: Pick<MaterialGroup, "start" | "count">,
): Uint32Array {
  const { position } = mesh.attributes;
  const placed = (v: number) =>
    v < mesh.vertexCount && Number.isFinite(position[v * 3]) &&
    Number.isFinite(position[v * 3 + 1]) &&
    Number.isFinite(position[v * 3 + 2]);
  const end = Math.min(start + count, indices.length);
  const out = new Uint32Array(Math.max(0, end - start));
  let n = 0;
  for (let i = start; i + 2 < end; i += 3) {
    const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]];
    if (a === b || b === c || c === a) continue;
    if (!placed(a) || !placed(b) || !placed(c)) continue;
    out[n++] = a;
    out[n++] = b;
    out[n++] = c;
  }
  return out.slice(0, n);
}

/** 1 for each vertex at a position that several groups share: were it moved in one of them, a gap would open. */
function sharedPlaces(
  mesh: Mesh,
  runs: readonly Uint32Array[],
  place: Uint32Array,
): Uint8Array {
  const owner = new Int32Array(mesh.vertexCount).fill(-1);
  const shared = new Uint8Array(mesh.vertexCount);
  runs.forEach((run, g) => {
    for (const v of run) {
      const p = place[v];
      if (owner[p] >= 0 && owner[p] !== g) shared[p] = 1;
      owner[p] = g;
    }
  });
  return shared.map((_, v) => shared[place[v]]);
}

/**
 * Simplifies LOD 0 of a mesh to a part of its triangles. Normals, the first texture coordinates and colours count beside
 * positions. Groups are simplified one by one, and vertices on the borders between them stay. Triangles that name no vertex
 * or one that has no finite position are left out. The result is the same in every runtime.
 *
 * @param mesh A mesh with faces.
 * @param ratio Triangles wanted, as a part of those of each group.
 * @param options The simplifier, the largest deviation, and whether borders stay.
 *
 * @example
 * ```ts
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { simplifyTriangles } from "@meshwright/kit/ops";
 * import { MeshoptSimplifier } from "meshoptimizer/simplifier";
 *
 * await MeshoptSimplifier.ready;
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/terrain.payload")));
 * const { indices } = simplifyTriangles(mesh, 0.5, { simplifier: MeshoptSimplifier });
 * console.log(indices.length / 3 <= 768); // true: half of 1536
 * ```
 */
export function simplifyTriangles(
  mesh: Mesh,
  ratio: number,
  options: SimplifyOptions,
): SimplifiedTriangles {
  const { simplifier, targetError = SIMPLIFY_TARGET_ERROR } = options;
  const { indices, groups } = mesh.lods[0];
  const source = indices ?? new Uint32Array(0);
  const parts = groups.length > 0
    ? groups
    : [{ start: 0, count: source.length, material: 0 }];
  const runs = parts.map((group) => usable(mesh, source, group));
  const position = finite(mesh.attributes.position);
  const { values, weights } = attributesOf(mesh);
  const lock = runs.length > 1
    ? sharedPlaces(mesh, runs, simplifier.generatePositionRemap(position, 3))
    : null;
  let error = 0;
  const lists = runs.map((run) => {
    if (run.length === 0) return run;
    const wanted = Math.max(1, Math.floor(run.length / 3 * ratio));
    const [list, deviation] = simplifier.simplifyWithAttributes(
      run,
      position,
      3,
      values,
      weights.length,
      weights,
      lock,
      wanted * 3,
      targetError,
      options.lockBorder ? ["LockBorder"] : [],
    );
    error = Math.max(error, deviation);
    return list;
  });
  const out = new Uint32Array(lists.reduce((sum, l) => sum + l.length, 0));
  const made: MaterialGroup[] = [];
  let start = 0;
  lists.forEach((list, g) => {
    out.set(list, start);
    made.push({ ...parts[g], start, count: list.length });
    start += list.length;
  });
  return { indices: out, groups: groups.length > 0 ? made : [], error };
}
