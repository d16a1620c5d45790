/**
 * Rebuilds vertex normals from faces.
 *
 * @module
 */
import { BASES } from "../core/basis.ts";
import { meshError } from "../core/errors.ts";
import type { Mesh, MeshLod } from "../core/mesh.ts";
import { payloadNormals } from "./payload_frames.ts";
import { remapVertices } from "./remap_vertices.ts";

/** How much a face counts at a corner: by its area, by the angle it spans there, by both, or as much as any other. */
export type NormalWeighting = "area" | "angle" | "area-angle" | "unit";

/** Options of {@linkcode rebuildNormals}. */
export interface RebuildNormalsOptions {
  /**
   * `payload`, unless another option says otherwise: unit face normals summed at their vertices in f32, as the payload's
   * cook does, bit for bit. `smooth`: faces of one vertex. `unreal`: one smoothing group, so that vertices at one position
   * share their normal, as the Unreal import makes them for a mesh without normals.
   */
  rule?: "payload" | "smooth" | "unreal";
  /** Weight of a face: `area` unless given, for the rule `unreal` `area-angle`, as that engine weighs. */
  weighting?: NormalWeighting;
  /**
   * A 32-bit mask for each triangle of LOD 0: faces at one position are smooth to each other when their masks share a bit,
   * and a face of mask 0 is flat. Vertices are split where their corners differ. Implies the rule `smooth`.
   */
  smoothingGroups?: ArrayLike<number>;
}

type Vector = [number, number, number];

/** Weighted face normals of one LOD at each of its corners, in f64; null for a face without area. */
function cornerNormals(
  position: Float32Array,
  indices: Uint32Array,
  outward: 1 | -1,
  weighting: NormalWeighting,
  visit: (corner: number, vertex: number, normal: Vector) => void,
): void {
  const vertices = position.length / 3;
  const at = (v: number): Vector => [
    position[v * 3],
    position[v * 3 + 1],
    position[v * 3 + 2],
  ];
  const minus = (a: Vector, b: Vector): Vector => [
    a[0] - b[0],
    a[1] - b[1],
    a[2] - b[2],
  ];
  const length = (a: Vector) =>
    Math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const corners = [indices[i], indices[i + 1], indices[i + 2]];
    if (Math.max(...corners) >= vertices) continue;
    const p = corners.map(at);
    const [e1, e2] = [minus(p[1], p[0]), minus(p[2], p[0])];
    const cross: Vector = [
      e1[1] * e2[2] - e1[2] * e2[1],
      e1[2] * e2[0] - e1[0] * e2[2],
      e1[0] * e2[1] - e1[1] * e2[0],
    ];
    const area = length(cross);
    if (!(area > 0 && area < Infinity)) continue;
    for (let k = 0; k < 3; k++) {
      let weight = outward / area;
      if (weighting.startsWith("area")) weight = outward;
      if (weighting.endsWith("angle")) {
        const [a, b] = [
          minus(p[(k + 1) % 3], p[k]),
          minus(p[(k + 2) % 3], p[k]),
        ];
        // exact where acos of a quotient would lose half of its digits
        const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        weight *= Math.atan2(area, dot);
      }
      visit(i + k, corners[k], [
        cross[0] * weight,
        cross[1] * weight,
        cross[2] * weight,
      ]);
    }
  }
}

/** The first vertex at each position; −0 is 0, and a NaN is at no position but its own. */
function byPosition(position: Float32Array): Uint32Array {
  const first = new Map<string, number>();
  return Uint32Array.from({ length: position.length / 3 }, (_, v) => {
    const p = position.subarray(v * 3, v * 3 + 3);
    if (p.some(Number.isNaN)) return v;
    const key = `${p[0] + 0},${p[1] + 0},${p[2] + 0}`;
    const known = first.get(key);
    if (known === undefined) first.set(key, v);
    return known ?? v;
  });
}

function unit(
  sum: Float64Array,
  at: number,
  fallback: Readonly<Vector>,
): Vector {
  const [x, y, z] = [sum[at], sum[at + 1], sum[at + 2]];
  const length = Math.sqrt(x * x + y * y + z * z);
  return length > 0 && length < Infinity
    ? [x / length, y / length, z / length]
    : [...fallback];
}

/** What a vertex without faces gets: up in the mesh's own axes. */
function upOf(mesh: Mesh): Vector {
  const { axis, sign } = BASES[mesh.basis].toGltf;
  const up: Vector = [0, 0, 0];
  up[axis[1]] = sign[1];
  return up;
}

/**
 * One normal a vertex, from the faces that use it. Vertices that LOD 0 does not use take theirs from the first LOD that does.
 *
 * @param weighting How much a face counts.
 * @param fallback What a vertex without a face that has area gets.
 * @param representative For every vertex the one that stands for it, where several share a normal.
 */
export function faceNormals(
  mesh: Mesh,
  weighting: NormalWeighting,
  fallback: Readonly<Vector>,
  representative: Uint32Array | null = null,
): Float32Array {
  const { position } = mesh.attributes;
  const outward = BASES[mesh.basis].outward;
  const of = (v: number) => representative ? representative[v] : v;
  const normal = new Float32Array(position.length);
  const known = new Uint8Array(mesh.vertexCount);
  for (const { indices } of mesh.lods) {
    if (!indices) continue;
    const sum = new Float64Array(position.length);
    cornerNormals(position, indices, outward, weighting, (_, vertex, n) => {
      const at = of(vertex) * 3;
      for (let k = 0; k < 3; k++) sum[at + k] += n[k];
    });
    const used = new Uint8Array(mesh.vertexCount);
    for (const v of indices) if (v < mesh.vertexCount) used[v] = 1;
    for (let v = 0; v < mesh.vertexCount; v++) {
      if (known[v] || !used[v]) continue;
      known[v] = 1;
      normal.set(unit(sum, of(v) * 3, fallback), v * 3);
    }
  }
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (!known[v]) normal.set(fallback, v * 3);
  }
  return normal;
}

/** Normals by smoothing groups: corners of LOD 0 whose normals differ get vertices of their own, behind the last one. */
function grouped(
  mesh: Mesh,
  weighting: NormalWeighting,
  groups: ArrayLike<number>,
): Mesh {
  const { position } = mesh.attributes;
  const indices = mesh.lods[0].indices!;
  const triangles = Math.floor(indices.length / 3);
  if (groups.length !== triangles) {
    throw meshError(
      "ARGUMENT",
      `Give one smoothing mask a triangle: found ${groups.length} for ${triangles}`,
      { path: "smoothingGroups", found: groups.length, allowed: triangles },
    );
  }
  const representative = byPosition(position);
  const outward = BASES[mesh.basis].outward;
  const faces = new Map<number, { triangle: number; normal: Vector }[]>();
  const own = new Map<number, Vector>();
  cornerNormals(position, indices, outward, weighting, (corner, v, normal) => {
    const place = representative[v];
    const triangle = Math.floor(corner / 3);
    own.set(corner, normal);
    const list = faces.get(place);
    if (list) list.push({ triangle, normal });
    else faces.set(place, [{ triangle, normal }]);
  });
  // corners at one place with one mask have one normal, so it is summed once
  const sums = new Map<string, Vector>();
  const normalOf = (corner: number): Vector => {
    const mask = groups[Math.floor(corner / 3)] >>> 0;
    const v = indices[corner];
    if (v >= mesh.vertexCount) return upOf(mesh);
    const sum = new Float64Array(3);
    if (mask === 0) {
      sum.set(own.get(corner) ?? [0, 0, 0]);
      return unit(sum, 0, upOf(mesh));
    }
    const key = `${representative[v]} ${mask}`;
    const known = sums.get(key);
    if (known) return known;
    for (const face of faces.get(representative[v]) ?? []) {
      if (((groups[face.triangle] >>> 0) & mask) === 0) continue;
      for (let k = 0; k < 3; k++) sum[k] += face.normal[k];
    }
    const normal = unit(sum, 0, upOf(mesh));
    sums.set(key, normal);
    return normal;
  };
  const order = Array.from({ length: mesh.vertexCount }, (_, v) => v);
  const normals: Vector[] = order.map(() => upOf(mesh));
  const copies = new Map<string, number>();
  const taken = new Uint8Array(mesh.vertexCount);
  const out = indices.slice();
  for (let c = 0; c < triangles * 3; c++) {
    const v = indices[c];
    if (v >= mesh.vertexCount) continue;
    const n = normalOf(c).map(Math.fround) as Vector;
    const key = `${v} ${n}`;
    let copy = copies.get(key);
    if (copy === undefined) {
      copy = taken[v] ? order.push(v) - 1 : v;
      taken[v] = 1;
      normals[copy] = n;
      copies.set(key, copy);
    }
    out[c] = copy;
  }
  const { normal: _, ...rest } = mesh.attributes;
  const lods: MeshLod[] = [
    { ...mesh.lods[0], indices: out },
    ...mesh.lods.slice(1),
  ];
  const remapped = remapVertices(
    { ...mesh, attributes: rest, lods },
    Uint32Array.from(order),
  );
  const normal = Float32Array.from(normals.flat());
  return { ...remapped, attributes: { ...remapped.attributes, normal } };
}

function byPayloadRule(mesh: Mesh): Mesh {
  const indices = (mesh.lods[0].indices ?? new Uint32Array(0)).slice();
  if (BASES[mesh.basis].outward < 0) {
    // the rule is for counter-clockwise faces
    for (let i = 0; i + 2 < indices.length; i += 3) {
      [indices[i + 1], indices[i + 2]] = [indices[i + 2], indices[i + 1]];
    }
  }
  const normal = payloadNormals(mesh.attributes.position, indices);
  return { ...mesh, attributes: { ...mesh.attributes, normal } };
}

/**
 * The mesh with new normals, pointing out of the front faces of its convention. A vertex without faces gets up (+Y by the
 * payload's rule).
 *
 * @param mesh A mesh with faces.
 * @param options Rule, weighting, smoothing groups.
 * @throws {MeshError} ARGUMENT when the smoothing masks are not one a triangle.
 *
 * @example
 * ```ts
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { rebuildNormals } from "@meshwright/kit/ops";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/terrain.payload")));
 * const smooth = rebuildNormals(mesh, { weighting: "angle" });
 * console.log(smooth.attributes.normal!.length === mesh.vertexCount * 3); // true
 * ```
 */
export function rebuildNormals(
  mesh: Mesh,
  options: RebuildNormalsOptions = {},
): Mesh {
  const { smoothingGroups, weighting } = options;
  const rule = options.rule ??
    (weighting || smoothingGroups ? "smooth" : "payload");
  if (rule === "payload") return byPayloadRule(mesh);
  if (smoothingGroups && mesh.lods[0].indices) {
    return grouped(mesh, weighting ?? "area", smoothingGroups);
  }
  const normal = faceNormals(
    mesh,
    weighting ?? (rule === "unreal" ? "area-angle" : "area"),
    upOf(mesh),
    rule === "unreal" ? byPosition(mesh.attributes.position) : null,
  );
  return { ...mesh, attributes: { ...mesh.attributes, normal } };
}
