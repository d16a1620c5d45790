/**
 * Compares two meshes of any formats.
 *
 * @module
 */
import { boundsOf, type Mesh, type MeshLod } from "../core/mesh.ts";
import { convertBasis } from "./convert_basis.ts";
import {
  distance,
  pairVertices,
  placeNumbers,
  type Stream,
  streams,
} from "./diff_pairs.ts";
import {
  diffSkeletons,
  jointKeys,
  type SkeletonDifference,
} from "./diff_skeletons.ts";

export type { SkeletonDifference };

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
  /** True when nothing differs beyond the tolerance; vertices that no triangle uses may lack a partner. */
  same: boolean;
  /** How vertices were paired. */
  pairedBy: "order" | "position";
  /** Vertices of both meshes. */
  vertices: [number, number];
  /** Vertices of the first without a partner in the second, and the other way round; those of `unused` are not counted. */
  unpaired: [number, number];
  /** The same of vertices that no triangle of any level uses, in a mesh that has triangles. */
  unused: [number, number];
  /** Attributes that both have. */
  attributes: AttributeDeviation[];
  /** Attributes that only one has. */
  only: { a: string[]; b: string[] };
  /** Levels of detail. */
  lods: LodDifference[];
  /** Skeletons; null where neither mesh has one. */
  skeleton: SkeletonDifference | null;
  /** Morph targets that both have, by name: their deltas, normals included. */
  morphTargets: AttributeDeviation[];
  /** What else differs, a sentence each. */
  notes: string[];
}

/** Weight of every joint of a vertex, by what joints go by; slots and their order do not matter. */
function influencesOf(
  mesh: Mesh,
  v: number,
  keys: readonly string[],
): Map<string, number> {
  const { joints, weights } = mesh.attributes;
  const out = new Map<string, number>();
  if (!joints || !weights) return out;
  for (let k = v * mesh.influences; k < (v + 1) * mesh.influences; k++) {
    if (weights[k] !== 0) {
      const key = keys[joints[k]] ?? String(joints[k]);
      out.set(key, (out.get(key) ?? 0) + weights[k]);
    }
  }
  return out;
}

/** What morph targets go by: their names, with a number where one repeats. */
function targetKeys(mesh: Mesh): string[] {
  const seen = new Map<string, number>();
  return (mesh.morphs?.names ?? []).map((name) => {
    const nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    return nth === 0 ? name : `${name} (${nth + 1})`;
  });
}

/** Deltas of a vertex by target, as six numbers. */
function deltasOf(
  mesh: Mesh,
  v: number,
  keys: readonly string[],
): Map<string, number[]> {
  const m = mesh.morphs;
  const out = new Map<string, number[]>();
  if (!m) return out;
  for (let e = m.offsets[v]; e < m.offsets[v + 1]; e++) {
    const key = keys[m.targets[e]];
    const sum = out.get(key) ?? [0, 0, 0, 0, 0, 0];
    for (let k = 0; k < 3; k++) {
      sum[k] += m.position[e * 3 + k];
      if (m.normal) sum[3 + k] += m.normal[e * 3 + k];
    }
    out.set(key, sum);
  }
  return out;
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

/** A skeleton's differences, a sentence each. */
function skeletonNotes(a: Mesh, b: Mesh, d: SkeletonDifference): string[] {
  if (!a.skeleton || !b.skeleton) {
    return [`Only the ${a.skeleton ? "first" : "second"} mesh has a skeleton`];
  }
  const out: string[] = [];
  const say = (count: number, what: string) => {
    if (count > 0) out.push(`${count} joints ${what}`);
  };
  if (d.joints[0] !== d.joints[1]) {
    out.push(`The skeletons have ${d.joints.join(" and ")} joints`);
  }
  say(d.only.a.length, `are only in the first skeleton: ${few(d.only.a)}`);
  say(d.only.b.length, `are only in the second skeleton: ${few(d.only.b)}`);
  say(d.renamed, "have another name");
  say(d.reparented, "have another parent");
  say(d.moved, `have another bind pose, by at most ${d.largest}`);
  say(d.rebound, "have another inverse bind matrix");
  return out;
}

/** The first names of a list. */
function few(names: readonly string[]): string {
  const more = names.length - 5;
  return names.slice(0, 5).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function diffRest(a: Mesh, b: Mesh, tolerance: number, notes: string[]): void {
  const names = targetKeys;
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

/** Measures attributes over the paired vertices. */
class Measure {
  constructor(
    readonly a: Mesh,
    readonly b: Mesh,
    readonly partner: Int32Array,
    readonly tolerance: number,
  ) {}

  /** One row; `deviation` is asked for every pair. */
  row(
    name: string,
    limit: number,
    deviation: (v: number, w: number) => number,
  ): AttributeDeviation {
    const row = { name, largest: 0, mean: 0, count: 0 };
    let pairs = 0;
    this.partner.forEach((w, v) => {
      if (w < 0) return;
      const d = deviation(v, w);
      pairs++;
      row.mean += d;
      row.largest = Math.max(row.largest, d);
      if (!(d <= limit)) row.count++;
    });
    return pairs > 0
      ? { ...row, mean: row.mean / pairs }
      : { ...row, largest: null, mean: null };
  }

  stream(s: Stream, t: Stream, limit: number): AttributeDeviation {
    return this.row(s.name, limit, (v, w) => {
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

  weights(): AttributeDeviation {
    const [ka, kb] = jointKeys(this.a, this.b);
    return this.row(
      "weights",
      this.tolerance,
      (v, w) =>
        mapDistance(
          influencesOf(this.a, v, ka),
          influencesOf(this.b, w, kb),
        ),
    );
  }

  morphs(): AttributeDeviation {
    const [ka, kb] = [targetKeys(this.a), targetKeys(this.b)];
    return this.row(
      "morphs",
      this.tolerance,
      (v, w) => mapDistance(deltasOf(this.a, v, ka), deltasOf(this.b, w, kb)),
    );
  }

  /** The same for each target alone. */
  morphTargets(): AttributeDeviation[] {
    const [ka, kb] = [targetKeys(this.a), targetKeys(this.b)];
    const rows = new Map(
      ka.filter((key) => kb.includes(key))
        .map((name) => [name, { name, largest: 0, mean: 0, count: 0 }]),
    );
    let pairs = 0;
    this.partner.forEach((w, v) => {
      if (w < 0) return;
      pairs++;
      const [x, y] = [deltasOf(this.a, v, ka), deltasOf(this.b, w, kb)];
      for (const key of new Set([...x.keys(), ...y.keys()])) {
        const row = rows.get(key);
        if (!row) continue;
        const d = mapDistance(
          new Map([[0, x.get(key) ?? 0]]),
          new Map([[0, y.get(key) ?? 0]]),
        );
        row.mean += d;
        row.largest = Math.max(row.largest, d);
        if (!(d <= this.tolerance)) row.count++;
      }
    });
    return [...rows.values()].map((row) =>
      pairs > 0
        ? { ...row, mean: row.mean / pairs }
        : { ...row, largest: null, mean: null }
    );
  }
}

/** True for colours that are white throughout, which is what no colours mean. */
function isWhite(mesh: Mesh): boolean {
  return mesh.attributes.color?.every((x) => x === 1) ?? false;
}

/** Names of the attributes that only one mesh has, in the order of a mesh. */
function onlyIn(a: Mesh, b: Mesh): string[] {
  const names = (m: Mesh) => [
    ...streams(m).map((s) => s.name),
    ...(isSkinned(m) ? ["weights"] : []),
    ...(m.morphs ? ["morphs"] : []),
  ];
  const known = names(b);
  return names(a).filter((n) =>
    !known.includes(n) && !(n === "color" && isWhite(a))
  );
}

function isSkinned(mesh: Mesh): boolean {
  return mesh.attributes.joints !== undefined && mesh.vertexCount > 0;
}

/** Counts the vertices without a partner, apart those that no triangle uses: a mesh without triangles is all of its vertices. */
function countAlone(
  mesh: Mesh,
  isPaired: (v: number) => boolean,
): { unpaired: number; unused: number } {
  const drawn = new Uint8Array(mesh.vertexCount);
  const hasTriangles = mesh.lods.some((l) => (l.indices?.length ?? 0) >= 3);
  if (!hasTriangles) drawn.fill(1);
  for (const { indices } of mesh.lods) {
    indices?.forEach((v) => {
      if (v < drawn.length) drawn[v] = 1;
    });
  }
  const out = { unpaired: 0, unused: 0 };
  drawn.forEach((d, v) => {
    if (!isPaired(v)) out[d ? "unpaired" : "unused"]++;
  });
  return out;
}

/** Largest extent of a mesh. */
function extentOf(mesh: Mesh): number {
  const box = boundsOf(mesh.attributes.position);
  return box ? Math.max(...box.max.map((x, k) => x - box.min[k])) : 0;
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
  const tolerance = options.tolerance ?? 1e-5;
  const place = options.tolerance ?? 1e-5 * Math.max(extentOf(a), extentOf(b));
  const { partner, by } = pairVertices(a, b, place);
  const used = new Uint8Array(b.vertexCount);
  for (const w of partner) if (w >= 0) used[w] = 1;
  const aloneA = countAlone(a, (v) => partner[v] >= 0);
  const aloneB = countAlone(b, (w) => used[w] === 1);

  const measure = new Measure(a, b, partner, tolerance);
  const sb = new Map(streams(b).map((s) => [s.name, s]));
  const attributes = streams(a).filter((s) => sb.has(s.name)).map((s) =>
    measure.stream(
      s,
      sb.get(s.name)!,
      s.name === "position" ? place : tolerance,
    )
  );
  if (isSkinned(a) && isSkinned(b)) attributes.push(measure.weights());
  const morphed = a.morphs !== null && b.morphs !== null;
  if (morphed) attributes.push(measure.morphs());
  const only = { a: onlyIn(a, b), b: onlyIn(b, a) };

  const [placeA, placeB] = placeNumbers(a, b, partner, place);
  const lods: LodDifference[] = [];
  for (let i = 0; i < Math.max(a.lods.length, b.lods.length); i++) {
    lods.push(diffLod(i, a.lods[i], b.lods[i], placeA, placeB));
  }
  const limit = Math.max(place, tolerance);
  const skeleton = diffSkeletons(a, b, limit);
  const notes = skeleton ? skeletonNotes(a, b, skeleton) : [];
  diffRest(a, b, limit, notes);
  const same = aloneA.unpaired + aloneB.unpaired === 0 && notes.length === 0 &&
    only.a.length === 0 && only.b.length === 0 &&
    attributes.every((x) => x.count === 0) &&
    lods.every((l) => l.missing + l.extra + l.reversed === 0);
  return {
    same,
    pairedBy: by,
    vertices: [a.vertexCount, b.vertexCount],
    unpaired: [aloneA.unpaired, aloneB.unpaired],
    unused: [aloneA.unused, aloneB.unused],
    attributes,
    only,
    lods,
    skeleton,
    morphTargets: morphed ? measure.morphTargets() : [],
    notes,
  };
}
