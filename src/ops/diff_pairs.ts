/**
 * Pairs the vertices of two meshes, by order or by place.
 *
 * @module
 */
import type { Mesh } from "../core/mesh.ts";

/** One attribute. */
export interface Stream {
  /** Name. */
  name: string;
  /** Numbers a vertex. */
  width: number;
  /** The numbers. */
  values: Float32Array;
}

/** Attributes that are measured component by component; a mesh without vertices has none. */
export function streams(mesh: Mesh): Stream[] {
  if (mesh.vertexCount === 0) return [];
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

/** Distance of two numbers; two NaN are the same, one is as far as can be. */
export function distance(x: number, y: number): number {
  if (Object.is(x, y) || x === y) return 0;
  const d = Math.abs(x - y);
  return Number.isNaN(d) ? Infinity : d;
}

/** Vertices by place: in cells twice as wide as the tolerance, or by their exact bits where it is 0. */
class Places {
  /** First vertex of every bucket of cells, and for each vertex the next one. */
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  readonly #bits = new Float32Array(1);
  readonly #word = new Int32Array(this.#bits.buffer);

  constructor(
    readonly mesh: Mesh,
    readonly tolerance: number,
  ) {
    const n = mesh.vertexCount;
    this.#first = new Int32Array(2 ** Math.ceil(Math.log2(n + 1))).fill(-1);
    this.#next = new Int32Array(n);
    const { position } = mesh.attributes;
    // from the last on, so that each bucket lists its vertices in order
    for (let v = n - 1; v >= 0; v--) {
      const [x, y, z] = this.#cell(position, v);
      const bucket = this.#bucket(x, y, z);
      this.#next[v] = this.#first[bucket];
      this.#first[bucket] = v;
    }
  }

  /** Number of the cell along an axis. */
  #along(x: number): number {
    if (this.tolerance > 0) return Math.floor(x / (this.tolerance * 2));
    this.#bits[0] = x + 0; // folds -0
    return this.#word[0];
  }

  #cell(position: Float32Array, v: number): [number, number, number] {
    return [
      this.#along(position[v * 3]),
      this.#along(position[v * 3 + 1]),
      this.#along(position[v * 3 + 2]),
    ];
  }

  #bucket(x: number, y: number, z: number): number {
    const hash = Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^
      Math.imul(z, 83492791);
    return (hash ^ hash >>> 15) & (this.#first.length - 1);
  }

  /** The cells along an axis that reach within the tolerance of a number: its own and the nearer neighbour. */
  #cells(x: number): number[] {
    const own = this.#along(x);
    const inside = x / (this.tolerance * 2) - own;
    const other = inside < 0.5 ? own - 1 : own + 1;
    return this.tolerance === 0 || other === own || !Number.isFinite(own)
      ? [own]
      : [own, other];
  }

  #isClose(w: number, position: Float32Array, v: number): boolean {
    const own = this.mesh.attributes.position;
    for (let k = 0; k < 3; k++) {
      const d = Math.abs(own[w * 3 + k] - position[v * 3 + k]);
      if (!(d <= this.tolerance)) return false;
    }
    return true;
  }

  /** At most `most` vertices within the tolerance of vertex `v` of another mesh. */
  near(position: Float32Array, v: number, most = Infinity): number[] {
    const out: number[] = [];
    const [xs, ys, zs] = [0, 1, 2].map((k) => this.#cells(position[v * 3 + k]));
    for (const x of xs) {
      for (const y of ys) {
        for (const z of zs) {
          let w = this.#first[this.#bucket(x, y, z)];
          for (; w >= 0; w = this.#next[w]) {
            if (!this.#isClose(w, position, v)) continue;
            // other cells may share the bucket, and come again in their own turn
            const cell = this.#cell(this.mesh.attributes.position, w);
            if (cell[0] !== x || cell[1] !== y || cell[2] !== z) continue;
            out.push(w);
            if (out.length >= most) return out;
          }
        }
      }
    }
    return out;
  }
}

/** Partners that are weighed for one vertex: a heap of vertices at one place must not cost its square. */
const MOST_PARTNERS = 64;

/** Pairs of vertices: for each of `a` its partner in `b`, or −1. */
export function pairVertices(
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
  const sb = new Map(streams(b).map((s) => [s.name, s.values]));
  const shared = streams(a).filter((s) => sb.has(s.name))
    .map((s) => ({ ...s, other: sb.get(s.name)! }));
  const taken = new Uint8Array(b.vertexCount);
  for (let v = 0; v < a.vertexCount; v++) {
    // of several at one place the one whose other attributes are nearest, unused ones first
    let best = -1;
    let bestScore = Infinity;
    for (const w of places.near(pa, v, MOST_PARTNERS)) {
      let score = taken[w] ? 1e-3 : 0;
      for (const { width, values, other } of shared) {
        for (let k = 0; k < width; k++) {
          score += distance(values[v * width + k], other[w * width + k]);
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

/** Vertices that a triangle of any level uses. */
function inTriangles(mesh: Mesh): Uint8Array {
  const used = new Uint8Array(mesh.vertexCount);
  for (const { indices } of mesh.lods) {
    for (const v of indices ?? []) if (v < used.length) used[v] = 1;
  }
  return used;
}

/**
 * A number for every place, shared by both meshes, so that triangles can be compared whatever their vertices are. Vertices
 * that no triangle uses have none.
 */
export function placeNumbers(
  a: Mesh,
  b: Mesh,
  partner: Int32Array,
  tolerance: number,
): [Int32Array, Int32Array] {
  const [inA, inB] = [a, b].map((mesh) =>
    new Int32Array(mesh.vertexCount).fill(-1)
  );
  const [usedA, usedB] = [inTriangles(a), inTriangles(b)];
  usedA.forEach((used, v) => {
    if (used && partner[v] >= 0) usedB[partner[v]] = 1;
  });
  const places = new Places(b, tolerance);
  let next = 0;
  for (let v = 0; v < b.vertexCount; v++) {
    if (!usedB[v] || inB[v] >= 0) continue;
    for (const w of places.near(b.attributes.position, v)) {
      if (inB[w] < 0) inB[w] = next;
    }
    inB[v] = next++;
  }
  for (let v = 0; v < a.vertexCount; v++) {
    if (usedA[v]) inA[v] = partner[v] >= 0 ? inB[partner[v]] : next++;
  }
  return [inA, inB];
}
