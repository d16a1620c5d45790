/**
 * The payload cook's decimator: plane quadrics in f32, edges collapsed onto one of their ends, cheapest first. Vertices
 * never move, so every level indexes the same ones. Bit-stable: the heap's order is total. Source: the payload notes, A9.
 *
 * @module
 */

const f = Math.fround;

/** Triangles whose cross product is shorter than this are dropped before anything else. */
const DEGENERATE_CROSS = f(1e-12);
/** f32 of a symmetric 4 × 4 quadric. */
const QUADRIC = 10;

/** Adds the squared distance to a plane (a, b, c, d) to the quadric of a vertex. */
function addPlane(
  q: Float32Array,
  v: number,
  a: number,
  b: number,
  c: number,
  d: number,
): void {
  const at = v * QUADRIC;
  q[at] += f(a * a);
  q[at + 1] += f(a * b);
  q[at + 2] += f(a * c);
  q[at + 3] += f(a * d);
  q[at + 4] += f(b * b);
  q[at + 5] += f(b * c);
  q[at + 6] += f(b * d);
  q[at + 7] += f(c * c);
  q[at + 8] += f(c * d);
  q[at + 9] += f(d * d);
}

/** The summed quadric of two vertices at a point. */
function cost(
  q: Float32Array,
  i: number,
  j: number,
  x: number,
  y: number,
  z: number,
): number {
  const [a, b] = [i * QUADRIC, j * QUADRIC];
  const s = (k: number) => f(q[a + k] + q[b + k]);
  // products in the order m · u · v · s, each rounded: another order gives another mesh on rough ground
  const t = (k: number, m: number, u: number, v: number) =>
    f(f(f(m * u) * v) * s(k));
  const terms = [
    t(0, 1, x, x),
    t(1, 2, x, y),
    t(2, 2, x, z),
    t(3, 2, x, 1),
    t(4, 1, y, y),
    t(5, 2, y, z),
    t(6, 2, y, 1),
    t(7, 1, z, z),
    t(8, 2, z, 1),
    s(9),
  ];
  return terms.reduce((sum, t) => f(sum + t));
}

/** A collapse: `deleted` goes onto `survivor`. */
interface Collapse {
  cost: number;
  survivor: number;
  deleted: number;
}

function before(a: Collapse, b: Collapse): boolean {
  if (a.cost !== b.cost) return a.cost < b.cost;
  if (a.survivor !== b.survivor) return a.survivor < b.survivor;
  return a.deleted < b.deleted;
}

/** Triangles that the decimator works on. */
function usable(
  position: Float32Array,
  indices: Uint32Array,
  q: Float32Array,
): number[] {
  const vertices = position.length / 3;
  const out: number[] = [];
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]];
    if (Math.max(a, b, c) >= vertices || a === b || b === c || a === c) {
      continue;
    }
    const [ax, ay, az] = position.subarray(a * 3, a * 3 + 3);
    const [ux, uy, uz] = [0, 1, 2].map((k) =>
      f(position[b * 3 + k] - position[a * 3 + k])
    );
    const [vx, vy, vz] = [0, 1, 2].map((k) =>
      f(position[c * 3 + k] - position[a * 3 + k])
    );
    const x = f(f(uy * vz) - f(uz * vy));
    const y = f(f(uz * vx) - f(ux * vz));
    const z = f(f(ux * vy) - f(uy * vx));
    const length = f(Math.sqrt(f(f(f(x * x) + f(y * y)) + f(z * z))));
    if (length < DEGENERATE_CROSS) continue;
    const inverse = f(1 / length);
    const [nx, ny, nz] = [f(x * inverse), f(y * inverse), f(z * inverse)];
    const d = f(-f(f(f(nx * ax) + f(ny * ay)) + f(nz * az)));
    for (const v of [a, b, c]) addPlane(q, v, nx, ny, nz, d);
    out.push(a, b, c);
  }
  return out;
}

/** Every undirected edge once, with its cheaper end as survivor; the lower index on a tie. */
function collapses(
  position: Float32Array,
  triangles: readonly number[],
  q: Float32Array,
): Collapse[] {
  const seen = new Set<number>();
  const vertices = position.length / 3;
  const out: Collapse[] = [];
  for (let i = 0; i < triangles.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [triangles[i + k], triangles[i + (k + 1) % 3]];
      const [low, high] = a < b ? [a, b] : [b, a];
      const key = low * vertices + high;
      if (seen.has(key)) continue;
      seen.add(key);
      const at = (v: number) => {
        const [x, y, z] = position.subarray(v * 3, v * 3 + 3);
        const c = cost(q, low, high, x, y, z);
        return Number.isNaN(c) ? Infinity : c;
      };
      const [atLow, atHigh] = [at(low), at(high)];
      out.push(
        atLow <= atHigh
          ? { cost: atLow, survivor: low, deleted: high }
          : { cost: atHigh, survivor: high, deleted: low },
      );
    }
  }
  return out.sort((x, y) => before(x, y) ? -1 : 1);
}

/**
 * Decimates a triangle list to about `target` triangles.
 *
 * @param position 3 f32 a vertex.
 * @param indices Triangle list; triangles without area or with bad indices are dropped.
 * @param target Triangles wanted; every collapse counts as two, on borders too, as the cook counts.
 */
export function decimatePayload(
  position: Float32Array,
  indices: Uint32Array,
  target: number,
): Uint32Array {
  const vertices = position.length / 3;
  const q = new Float32Array(vertices * QUADRIC);
  const triangles = usable(position, indices, q);
  let count = triangles.length / 3;
  if (target >= count) return Uint32Array.from(triangles);

  const parent = Uint32Array.from({ length: vertices }, (_, i) => i);
  const root = (v: number): number => {
    let r = v;
    while (parent[r] !== r) r = parent[r];
    while (parent[v] !== r) [parent[v], v] = [r, parent[v]];
    return r;
  };
  // Costs are never evaluated again, so a sorted list serves as the heap.
  for (const edge of collapses(position, triangles, q)) {
    if (count <= target) break;
    const [survivor, deleted] = [root(edge.survivor), root(edge.deleted)];
    if (survivor === deleted) continue;
    parent[deleted] = survivor;
    for (let k = 0; k < QUADRIC; k++) {
      q[survivor * QUADRIC + k] += q[deleted * QUADRIC + k];
    }
    count -= 2;
  }
  const out: number[] = [];
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => root(triangles[i + k]));
    if (a !== b && b !== c && a !== c) out.push(a, b, c);
  }
  return Uint32Array.from(out);
}
