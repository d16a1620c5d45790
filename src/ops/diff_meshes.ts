/**
 * Compares two meshes of any formats.
 *
 * @module
 */
import { boundsOf, type Mesh, type MeshLod } from "../core/mesh.ts";
import { composeTrs, multiply } from "../core/matrix.ts";
import { convertBasis } from "./convert_basis.ts";

/** Options of {@linkcode diffMeshes}. */
export interface DiffOptions {
  /**
   * Largest deviation that counts as the same: absolute, in metres for positions. Without it 1e-5, for positions times the
   * larger extent of the two meshes: above the rounding of one change of unit, below anything that shows.
   */
  tolerance?: number;
}

/** Deviation of one attribute over the vertices that were paired. */
export interface AttributeDeviation {
  /** Attribute. */
  name: string;
  /** Largest deviation of a component; directions are compared as vectors. Null when no vertices were paired. */
  largest: number | null;
  /** Mean deviation; null when no vertices were paired. */
  mean: number | null;
  /** Vertices that deviate by more than the tolerance. */
  count: number;
}

/** One level of detail of both meshes. */
export interface LodDifference {
  /** Level. */
  level: number;
  /** Triangles of the first mesh. */
  trianglesA: number;
  /** Triangles of the second. */
  trianglesB: number;
  /** Triangles of the first that the second lacks. */
  missing: number;
  /** Triangles of the second that the first lacks. */
  extra: number;
  /** Triangles that both have, facing opposite ways. */
  reversed: number;
}

/** Result of {@linkcode diffMeshes}. */
export interface MeshDifference {
  /** True when nothing differs beyond the tolerance. */
  same: boolean;
  /** How vertices were paired. */
  pairedBy: "order" | "position";
  /** Vertices of both meshes. */
  vertices: [number, number];
  /** Vertices of the first without a partner in the second, and the other way round. */
  unpaired: [number, number];
  /** Attributes that both have. */
  attributes: AttributeDeviation[];
  /** Attributes that only one has. */
  only: { a: string[]; b: string[] };
  /** Levels of detail. */
  lods: LodDifference[];
  /** What else differs, a sentence each. */
  notes: string[];
}

/** Vertices by place: cells as wide as the tolerance, exact bits where it is 0. */
class Places {
  readonly #cells = new Map<string, number[]>();

  constructor(
    readonly mesh: Mesh,
    readonly tolerance: number,
  ) {
    for (let v = 0; v < mesh.vertexCount; v++) {
      const key = this.#key(this.#cell(mesh.attributes.position, v));
      const list = this.#cells.get(key);
      if (list) list.push(v);
      else this.#cells.set(key, [v]);
    }
  }

  #cell(position: Float32Array, v: number): number[] {
    const t = this.tolerance;
    return [0, 1, 2].map((k) =>
      // + 0 folds −0
      t > 0
        ? Math.floor(position[v * 3 + k] / (t * 2))
        : position[v * 3 + k] + 0
    );
  }

  #key(cell: readonly number[]): string {
    return cell.join();
  }

  /** At most `most` vertices within the tolerance of vertex `v` of another mesh. */
  near(position: Float32Array, v: number, most = Infinity): number[] {
    const own = this.mesh.attributes.position;
    const cell = this.#cell(position, v);
    const out: number[] = [];
    const reach = this.tolerance > 0 ? [0, -1, 1] : [0];
    for (const x of reach) {
      for (const y of reach) {
        for (const z of reach) {
          const list = this.#cells.get(
            this.#key([cell[0] + x, cell[1] + y, cell[2] + z]),
          );
          for (const w of list ?? []) {
            const close = [0, 1, 2].every((k) =>
              Math.abs(own[w * 3 + k] - position[v * 3 + k]) <=
                this.tolerance
            );
            if (close) out.push(w);
            if (out.length >= most) return out;
          }
        }
      }
    }
    return out;
  }
}

type Stream = { name: string; width: number; values: Float32Array };

function streams(mesh: Mesh): Stream[] {
  const a = mesh.attributes;
  const out: Stream[] = [
    { name: "position", width: 3, values: a.position },
  ];
  if (a.normal) out.push({ name: "normal", width: 3, values: a.normal });
  if (a.tangent) out.push({ name: "tangent", width: 4, values: a.tangent });
  if (a.color) out.push({ name: "color", width: 4, values: a.color });
  a.uvs.forEach((values, i) => out.push({ name: `uv${i}`, width: 2, values }));
  return out;
}

/** Weight of every joint of a vertex; slots and their order do not matter. */
function influencesOf(mesh: Mesh, v: number): Map<number, number> {
  const { joints, weights } = mesh.attributes;
  const out = new Map<number, number>();
  if (!joints || !weights) return out;
  for (let k = v * mesh.influences; k < (v + 1) * mesh.influences; k++) {
    if (weights[k] !== 0) {
      out.set(joints[k], (out.get(joints[k]) ?? 0) + weights[k]);
    }
  }
  return out;
}

/** Deltas of a vertex by target name, as six numbers. */
function deltasOf(mesh: Mesh, v: number): Map<string, number[]> {
  const m = mesh.morphs;
  const out = new Map<string, number[]>();
  if (!m) return out;
  for (let e = m.offsets[v]; e < m.offsets[v + 1]; e++) {
    const sum = out.get(m.names[m.targets[e]]) ?? [0, 0, 0, 0, 0, 0];
    for (let k = 0; k < 3; k++) {
      sum[k] += m.position[e * 3 + k];
      if (m.normal) sum[3 + k] += m.normal[e * 3 + k];
    }
    out.set(m.names[m.targets[e]], sum);
  }
  return out;
}

/** Distance of two numbers; two NaN are the same, one is as far as can be. */
function distance(x: number, y: number): number {
  if (Object.is(x, y) || x === y) return 0;
  const d = Math.abs(x - y);
  return Number.isNaN(d) ? Infinity : d;
}

/** Largest distance between the values of two maps; absent means zero. */
function mapDistance<K>(
  a: Map<K, number[] | number>,
  b: Map<K, number[] | number>,
): number {
  let largest = 0;
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    const [x, y] = [a.get(key) ?? 0, b.get(key) ?? 0];
    const xs = Array.isArray(x) ? x : [x];
    const ys = Array.isArray(y) ? y : [y];
    for (let k = 0; k < Math.max(xs.length, ys.length); k++) {
      largest = Math.max(largest, distance(xs[k] ?? 0, ys[k] ?? 0));
    }
  }
  return largest;
}

/** Partners that are weighed for one vertex: a heap of vertices at one place must not cost its square. */
const MOST_PARTNERS = 64;

/** Pairs of vertices: for each of `a` its partner in `b`, or −1. */
function pairVertices(
  a: Mesh,
  b: Mesh,
  tolerance: number,
): { partner: Int32Array; by: "order" | "position" } {
  const partner = new Int32Array(a.vertexCount).fill(-1);
  const [pa, pb] = [a.attributes.position, b.attributes.position];
  const inOrder = a.vertexCount === b.vertexCount &&
    pa.every((x, i) => distance(x, pb[i]) <= tolerance);
  if (inOrder) {
    return { partner: partner.map((_, v) => v), by: "order" };
  }
  const places = new Places(b, tolerance);
  const [sa, sb] = [streams(a), streams(b)];
  const taken = new Uint8Array(b.vertexCount);
  for (let v = 0; v < a.vertexCount; v++) {
    // of several at one place the one whose other attributes are nearest, unused ones first
    let best = -1;
    let bestScore = Infinity;
    for (const w of places.near(pa, v, MOST_PARTNERS)) {
      let score = taken[w] ? 1e-3 : 0;
      for (const s of sa) {
        const t = sb.find((x) => x.name === s.name);
        if (!t) continue;
        for (let k = 0; k < s.width; k++) {
          score += distance(
            s.values[v * s.width + k],
            t.values[w * t.width + k],
          );
        }
      }
      if (score < bestScore) {
        bestScore = score;
        best = w;
      }
    }
    if (best >= 0) taken[best] = 1;
    partner[v] = best;
  }
  return { partner, by: "position" };
}

/** A number for every place, shared by both meshes, so that triangles can be compared whatever their vertices are. */
function placeNumbers(
  a: Mesh,
  b: Mesh,
  partner: Int32Array,
  tolerance: number,
): [Int32Array, Int32Array] {
  const inB = new Int32Array(b.vertexCount).fill(-1);
  const places = new Places(b, tolerance);
  let next = 0;
  for (let v = 0; v < b.vertexCount; v++) {
    if (inB[v] >= 0) continue;
    for (const w of places.near(b.attributes.position, v)) {
      if (inB[w] < 0) inB[w] = next;
    }
    inB[v] = next++;
  }
  const inA = new Int32Array(a.vertexCount);
  for (let v = 0; v < a.vertexCount; v++) {
    inA[v] = partner[v] >= 0 ? inB[partner[v]] : next++;
  }
  return [inA, inB];
}

function triangleKeys(
  lod: MeshLod | undefined,
  place: Int32Array,
): Map<string, number> {
  const out = new Map<string, number>();
  const { indices } = lod ?? { indices: null };
  for (let i = 0; indices && i + 2 < indices.length; i += 3) {
    const corners = [0, 1, 2].map((k) => place[indices[i + k]] ?? -1);
    let low = corners.indexOf(Math.min(...corners));
    // of a place that stands twice the first in turn begins
    if (corners[(low + 2) % 3] === corners[low]) low = (low + 2) % 3;
    const key = [0, 1, 2].map((k) => corners[(low + k) % 3]).join();
    out.set(key, (out.get(key) ?? 0) + 1);
  }
  return out;
}

function diffLod(
  level: number,
  a: MeshLod | undefined,
  b: MeshLod | undefined,
  placeA: Int32Array,
  placeB: Int32Array,
): LodDifference {
  const count = (lod: MeshLod | undefined) =>
    Math.floor((lod?.indices?.length ?? 0) / 3);
  const [ka, kb] = [triangleKeys(a, placeA), triangleKeys(b, placeB)];
  const out: LodDifference = {
    level,
    trianglesA: count(a),
    trianglesB: count(b),
    missing: 0,
    extra: 0,
    reversed: 0,
  };
  const left = new Map(kb);
  const unmatched: [string, number][] = [];
  for (const [key, n] of ka) {
    const have = left.get(key) ?? 0;
    left.set(key, Math.max(0, have - n));
    if (n > have) unmatched.push([key, n - have]);
  }
  for (const [key, n] of unmatched) {
    const [x, y, z] = key.split(",");
    const turned = `${x},${z},${y}`;
    const have = left.get(turned) ?? 0;
    const reversed = Math.min(n, have);
    left.set(turned, have - reversed);
    out.reversed += reversed;
    out.missing += n - reversed;
  }
  for (const n of left.values()) out.extra += n;
  return out;
}

/** Bind matrices of the joints in the mesh's space. */
function bindMatrices(mesh: Mesh): number[][] {
  const world: number[][] = [];
  for (const j of mesh.skeleton ?? []) {
    const local = composeTrs(j.translation, j.rotation, j.scale);
    world.push(j.parent < 0 ? local : multiply(world[j.parent], local));
  }
  return world;
}

function diffSkeleton(
  a: Mesh,
  b: Mesh,
  tolerance: number,
  notes: string[],
): void {
  const [ja, jb] = [a.skeleton, b.skeleton];
  if (!ja || !jb) {
    if (ja !== jb) {
      notes.push(`Only the ${ja ? "first" : "second"} mesh has a skeleton`);
    }
    return;
  }
  if (ja.length !== jb.length) {
    notes.push(`The skeletons have ${ja.length} and ${jb.length} joints`);
    return;
  }
  const [wa, wb] = [bindMatrices(a), bindMatrices(b)];
  let renamed = 0;
  let moved = 0;
  let largest = 0;
  ja.forEach((joint, i) => {
    if (joint.name !== jb[i].name || joint.parent !== jb[i].parent) renamed++;
    const d = wa[i].reduce((m, x, k) => Math.max(m, distance(x, wb[i][k])), 0);
    if (d > tolerance) moved++;
    largest = Math.max(largest, d);
  });
  if (renamed > 0) {
    notes.push(`${renamed} joints have another name or parent`);
  }
  if (moved > 0) {
    notes.push(`${moved} joints have another bind pose, by at most ${largest}`);
  }
}

function diffRest(a: Mesh, b: Mesh, tolerance: number, notes: string[]): void {
  const names = (m: Mesh) => m.morphs?.names ?? [];
  if (JSON.stringify(names(a)) !== JSON.stringify(names(b))) {
    notes.push(
      `The morph targets are [${names(a).join(", ")}] and [${
        names(b).join(", ")
      }]`,
    );
  }
  const [ha, hb] = [a.heightfield, b.heightfield];
  if (!ha || !hb) {
    if (ha !== hb) {
      notes.push(`Only the ${ha ? "first" : "second"} mesh has a heightfield`);
    }
  } else if (ha.rows !== hb.rows || ha.cols !== hb.cols) {
    notes.push(
      `The heightfields are ${ha.rows} x ${ha.cols} and ${hb.rows} x ${hb.cols}`,
    );
  } else {
    const d = ha.heights.reduce(
      (m, h, i) => Math.max(m, distance(h, hb.heights[i])),
      0,
    );
    if (d > tolerance) notes.push(`The heights differ by at most ${d}`);
  }
  if (a.lods.length !== b.lods.length) {
    notes.push(
      `The meshes have ${a.lods.length} and ${b.lods.length} levels of detail`,
    );
  }
  a.lods.forEach((lod, i) => {
    const [x, y] = [lod.switchDistance, b.lods[i]?.switchDistance ?? null];
    if (x !== null && y !== null && distance(x, y) > tolerance) {
      notes.push(`LOD ${i} applies from ${x} and from ${y}`);
    }
  });
}

/**
 * Compares two meshes, each brought to glTF's axes first. Vertices are paired in order where the positions agree, else by
 * place; triangles by their places, whatever their vertices are.
 *
 * @param first A mesh of any format.
 * @param second Another.
 *
 * @example
 * ```ts
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { diffMeshes } from "@meshwright/kit/ops";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/terrain.payload")));
 * console.log(diffMeshes(mesh, mesh).same); // true
 * ```
 */
export function diffMeshes(
  first: Mesh,
  second: Mesh,
  options: DiffOptions = {},
): MeshDifference {
  const a = convertBasis(first, "gltf").mesh;
  const b = convertBasis(second, "gltf").mesh;
  const extent = Math.max(
    ...[a, b].map((m) => {
      const box = boundsOf(m.attributes.position);
      return box ? Math.max(...box.max.map((x, k) => x - box.min[k])) : 0;
    }),
  );
  const tolerance = options.tolerance ?? 1e-5;
  const place = options.tolerance ?? 1e-5 * extent;
  const { partner, by } = pairVertices(a, b, place);
  const used = new Uint8Array(b.vertexCount);
  let unpairedA = 0;
  partner.forEach((w) => {
    if (w < 0) unpairedA++;
    else used[w] = 1;
  });
  const unpairedB = used.reduce((n, u) => n + (u ? 0 : 1), 0);

  const [sa, sb] = [streams(a), streams(b)];
  const attributes: AttributeDeviation[] = [];
  const measure = (
    name: string,
    limit: number,
    deviation: (v: number, w: number) => number,
  ) => {
    const row = { name, largest: 0, mean: 0, count: 0 };
    let pairs = 0;
    partner.forEach((w, v) => {
      if (w < 0) return;
      const d = deviation(v, w);
      pairs++;
      row.mean += d;
      row.largest = Math.max(row.largest, d);
      if (!(d <= limit)) row.count++;
    });
    attributes.push(
      pairs > 0
        ? { ...row, mean: row.mean / pairs }
        : { ...row, largest: null, mean: null },
    );
  };
  for (const s of sa) {
    const t = sb.find((x) => x.name === s.name);
    if (!t) continue;
    measure(s.name, s.name === "position" ? place : tolerance, (v, w) => {
      let d = 0;
      for (let k = 0; k < s.width; k++) {
        d = Math.max(
          d,
          distance(s.values[v * s.width + k], t.values[w * s.width + k]),
        );
      }
      return d;
    });
  }
  const skinned = (m: Mesh) => m.attributes.joints !== undefined;
  if (skinned(a) && skinned(b)) {
    measure(
      "weights",
      tolerance,
      (v, w) => mapDistance(influencesOf(a, v), influencesOf(b, w)),
    );
  }
  if (a.morphs && b.morphs) {
    measure(
      "morphs",
      tolerance,
      (v, w) => mapDistance(deltasOf(a, v), deltasOf(b, w)),
    );
  }
  const names = (m: Mesh, list: Stream[]) => [
    ...list.map((s) => s.name),
    ...(skinned(m) ? ["weights"] : []),
    ...(m.morphs ? ["morphs"] : []),
  ];
  const [na, nb] = [names(a, sa), names(b, sb)];
  const only = {
    a: na.filter((n) => !nb.includes(n)),
    b: nb.filter((n) => !na.includes(n)),
  };

  const [placeA, placeB] = placeNumbers(a, b, partner, place);
  const lods: LodDifference[] = [];
  for (let i = 0; i < Math.max(a.lods.length, b.lods.length); i++) {
    lods.push(diffLod(i, a.lods[i], b.lods[i], placeA, placeB));
  }
  const notes: string[] = [];
  diffSkeleton(a, b, Math.max(place, tolerance), notes);
  diffRest(a, b, Math.max(place, tolerance), notes);
  const same = unpairedA === 0 && unpairedB === 0 && notes.length === 0 &&
    only.a.length === 0 && only.b.length === 0 &&
    attributes.every((x) => x.count === 0) &&
    lods.every((l) => l.missing + l.extra + l.reversed === 0);
  return {
    same,
    pairedBy: by,
    vertices: [a.vertexCount, b.vertexCount],
    unpaired: [unpairedA, unpairedB],
    attributes,
    only,
    lods,
    notes,
  };
}
