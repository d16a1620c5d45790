/**
 * Merges vertices that are equal in every stream, or nearly so.
 *
 * @module
 */
import { bitsOf } from "../core/bytes.ts";
import { meshError } from "../core/errors.ts";
import type { Mesh, SparseMorphs } from "../core/mesh.ts";
import { remapVertices } from "./remap_vertices.ts";

/** Options of {@linkcode weldMesh}. */
export interface WeldOptions {
  /** Largest difference of a coordinate of positions and morph deltas, in the mesh's unit; 0 unless given. */
  positionTolerance?: number;
  /** Largest difference of a component of every other stream; joint numbers are always equal. 0 unless given. */
  attributeTolerance?: number;
}

/** Result of {@linkcode weldMesh}. */
export interface WeldedMesh {
  /** The mesh. */
  mesh: Mesh;
  /** Vertices merged into an earlier one. */
  merged: number;
}

/** One stream of a mesh. */
interface Stream {
  values: Float32Array | Uint16Array;
  width: number;
  kind: "position" | "attribute" | "joints";
}

function streamsOf(mesh: Mesh): Stream[] {
  const a = mesh.attributes;
  const out: Stream[] = [{ values: a.position, width: 3, kind: "position" }];
  const add = (
    values: Stream["values"] | undefined,
    width: number,
    kind: Stream["kind"] = "attribute",
  ) => values && out.push({ values, width, kind });
  for (const uv of a.uvs) add(uv, 2);
  add(a.normal, 3);
  add(a.tangent, 4);
  add(a.color, 4);
  add(a.joints, mesh.influences, "joints");
  add(a.weights, mesh.influences);
  return out;
}

/** The words of one vertex, stream after stream. */
function recordOf(mesh: Mesh): {
  width: number;
  read(v: number, into: Uint32Array): void;
} {
  const streams = streamsOf(mesh).map(({ values, width }) => ({
    words: values instanceof Float32Array ? bitsOf(values) : values,
    width,
  }));
  return {
    width: streams.reduce((sum, s) => sum + s.width, 0),
    read(v, into) {
      let at = 0;
      for (const { words, width } of streams) {
        for (let k = 0; k < width; k++) into[at++] = words[v * width + k];
      }
    },
  };
}

/** True when two vertices have the same morph entries, bit for bit. */
function sameMorphs(mesh: Mesh, a: number, b: number): boolean {
  const m = mesh.morphs;
  if (!m) return true;
  const count = m.offsets[a + 1] - m.offsets[a];
  if (count !== m.offsets[b + 1] - m.offsets[b]) return false;
  const position = bitsOf(m.position);
  const normal = m.normal ? bitsOf(m.normal) : null;
  for (let i = 0; i < count; i++) {
    const [e, f] = [m.offsets[a] + i, m.offsets[b] + i];
    if (m.targets[e] !== m.targets[f]) return false;
    for (let k = 0; k < 3; k++) {
      if (position[e * 3 + k] !== position[f * 3 + k]) return false;
      if (normal && normal[e * 3 + k] !== normal[f * 3 + k]) return false;
    }
  }
  return true;
}

/** For each vertex the one that it merges with, itself where there is none: bit for bit. */
function equalVertices(mesh: Mesh): Uint32Array {
  const n = mesh.vertexCount;
  const { width, read } = recordOf(mesh);
  // open addressing, at most half full, over vertex numbers + 1
  let size = 16;
  while (size < n * 2) size *= 2;
  const table = new Uint32Array(size);
  const first = new Uint32Array(n);
  const record = new Uint32Array(width);
  const other = new Uint32Array(width);
  for (let v = 0; v < n; v++) {
    read(v, record);
    let hash = 0;
    for (let k = 0; k < width; k++) {
      hash = Math.imul(hash ^ record[k], 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    let slot = hash & (size - 1);
    for (;; slot = (slot + 1) & (size - 1)) {
      if (table[slot] === 0) {
        table[slot] = v + 1;
        first[v] = v;
        break;
      }
      const w = table[slot] - 1;
      read(w, other);
      if (record.every((x, k) => x === other[k]) && sameMorphs(mesh, v, w)) {
        first[v] = w;
        break;
      }
    }
  }
  return first;
}

type Near = (a: number, b: number) => boolean;

/** True where numbers are at most that far apart; equal infinities and two NaN count as equal. */
const within = (tolerance: number): Near => (a, b) =>
  Math.abs(a - b) <= tolerance || Object.is(a, b);

/** True when two vertices have entries for the same targets with nearly the same deltas. */
function nearMorphs(
  morphs: SparseMorphs | null,
  position: Near,
  attribute: Near,
): (a: number, b: number) => boolean {
  if (!morphs) return () => true;
  const { offsets, targets, normal } = morphs;
  return (a, b) => {
    const count = offsets[a + 1] - offsets[a];
    if (count !== offsets[b + 1] - offsets[b]) return false;
    for (let i = 0; i < count; i++) {
      const [e, f] = [offsets[a] + i, offsets[b] + i];
      if (targets[e] !== targets[f]) return false;
      for (let k = 0; k < 3; k++) {
        const [p, q] = [e * 3 + k, f * 3 + k];
        if (!position(morphs.position[p], morphs.position[q])) return false;
        if (normal && !attribute(normal[p], normal[q])) return false;
      }
    }
    return true;
  };
}

/**
 * Whole numbers that are the same, or next to one another, for coordinates within a tolerance: cells twice as wide as it;
 * the bits where there is none.
 */
function cellsOf(
  position: Float32Array,
  tolerance: number,
): (v: number, k: number) => number {
  if (tolerance > 0) {
    return (v, k) => Math.floor(position[v * 3 + k] / (tolerance * 2));
  }
  const bits = bitsOf(position.map((x) => x + 0)); // no -0
  return (v, k) => bits[v * 3 + k];
}

/** A number that vertices share whose values in some streams are equal, 0 and -0 as one. */
function exactHash(streams: readonly Stream[]): (v: number) => number {
  const words = streams.map(({ values, width }) => ({
    words: values instanceof Float32Array
      ? bitsOf(values.map((x) => x + 0))
      : values,
    width,
  }));
  return (v) => {
    let hash = 0;
    for (const { words: w, width } of words) {
      for (let i = v * width; i < (v + 1) * width; i++) {
        hash = Math.imul(hash ^ w[i], 0x9e3779b1);
        hash ^= hash >>> 15;
      }
    }
    return hash;
  };
}

/** For each vertex the first kept one within the tolerances, itself where there is none. */
function nearVertices(mesh: Mesh, o: Required<WeldOptions>): Uint32Array {
  const streams = streamsOf(mesh);
  const near: Record<Stream["kind"], Near> = {
    position: within(o.positionTolerance),
    attribute: within(o.attributeTolerance),
    joints: within(0),
  };
  const morphs = nearMorphs(mesh.morphs, near.position, near.attribute);
  const same = (a: number, b: number) =>
    streams.every(({ values, width, kind }) => {
      for (let k = 0; k < width; k++) {
        if (!near[kind](values[a * width + k], values[b * width + k])) {
          return false;
        }
      }
      return true;
    }) && morphs(a, b);
  const cellOf = cellsOf(mesh.attributes.position, o.positionTolerance);
  const steps = o.positionTolerance > 0 ? [-1, 0, 1] : [0];
  const exact = exactHash(
    streams.filter(({ kind }) =>
      kind === "joints" || (kind === "attribute" && o.attributeTolerance === 0)
    ),
  );
  // chains of kept vertices by cell and what must be equal; others may share one, since `same` decides
  let size = 16;
  while (size < mesh.vertexCount * 2) size *= 2;
  const head = new Int32Array(size).fill(-1);
  const next = new Int32Array(mesh.vertexCount);
  const slotOf = (seed: number, x: number, y: number, z: number) => {
    const h = seed ^ Math.imul(x, 0x85ebca6b) ^ Math.imul(y, 0xc2b2ae35) ^
      Math.imul(z, 0x27d4eb2f);
    return (h ^ (h >>> 15)) & (size - 1);
  };
  const first = new Uint32Array(mesh.vertexCount);
  for (let v = 0; v < mesh.vertexCount; v++) {
    const [x, y, z] = [cellOf(v, 0), cellOf(v, 1), cellOf(v, 2)];
    const seed = exact(v);
    let found = v;
    for (const i of steps) {
      for (const j of steps) {
        for (const k of steps) {
          let w = head[slotOf(seed, x + i, y + j, z + k)];
          for (; w >= 0; w = next[w]) if (w < found && same(v, w)) found = w;
        }
      }
    }
    first[v] = found;
    if (found !== v) continue;
    const slot = slotOf(seed, x, y, z);
    next[v] = head[slot];
    head[slot] = v;
  }
  return first;
}

function toleranceOf(options: WeldOptions, name: keyof WeldOptions): number {
  const value = options[name] ?? 0;
  if (value >= 0 && value < Infinity) return value;
  throw meshError("ARGUMENT", `Give ${name} a number of 0 or more: ${value}`, {
    path: name,
    found: value,
    allowed: ">= 0",
  });
}

/**
 * Merges vertices whose streams and morph entries are all equal, bit for bit unless tolerances are given, so that nothing is
 * lost: what is drawn stays the same to the last bit. The first of equal vertices stays, in order; indices follow. With
 * tolerances a vertex merges with the first kept one that is near enough, never through others in between; triangles that
 * lose their area so stay, for `cleanTriangles` and the target to judge.
 *
 * @param mesh A mesh with faces; a cloud of points comes back as it is, since its vertices are its content.
 * @param options How far apart merged vertices may be.
 * @throws {MeshError} ARGUMENT for a tolerance that is negative or not finite.
 *
 * @example
 * ```ts
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { weldMesh } from "@meshwright/kit/ops";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/terrain.payload")));
 * console.log(weldMesh(mesh).merged); // 0: every vertex has its own place
 * ```
 */
export function weldMesh(mesh: Mesh, options: WeldOptions = {}): WeldedMesh {
  const tolerances = {
    positionTolerance: toleranceOf(options, "positionTolerance"),
    attributeTolerance: toleranceOf(options, "attributeTolerance"),
  };
  const n = mesh.vertexCount;
  if (n === 0 || mesh.lods.some((l) => l.indices === null)) {
    return { mesh, merged: 0 };
  }
  const exact = Object.values(tolerances).every((t) => t === 0);
  const first = exact ? equalVertices(mesh) : nearVertices(mesh, tolerances);
  const order = first.filter((w, v) => w === v);
  if (order.length === n) return { mesh, merged: 0 };
  const place = new Uint32Array(n);
  order.forEach((v, i) => place[v] = i);
  return {
    mesh: {
      ...remapVertices(mesh, order),
      lods: mesh.lods.map((l) => ({
        ...l,
        // an index out of range stays out of range
        indices: l.indices!.map((v) => v < n ? place[first[v]] : v),
      })),
    },
    merged: n - order.length,
  };
}
