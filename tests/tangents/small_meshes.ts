/**
 * Small random meshes that are as awkward as possible: coordinates on coarse grids so that positions, edges and texture
 * coordinates meet, fall together and mirror.
 *
 * @module
 */
import type { TangentMesh } from "../../bench/tangent_meshes.ts";
import type { Random } from "../random.ts";

/** Kinds of small meshes. */
export const KINDS = [
  "grid", // few places: shared, duplicate and degenerate triangles, non-manifold edges
  "fan", // one apex, derivatives in all directions
  "strip", // neighbours with mirrored and constant texture coordinates
  "soup", // nothing shared
  "pages", // many triangles on one edge
  "tiny", // squares that underflow
  "close", // many corners at a few places that lie close together, some far ones
] as const;

const NORMALS = [
  [0, 0, 1],
  [0, 0, -1],
  [0, 1, 0],
  [0.6, 0, 0.8],
  [0, -0.6, 0.8],
  [-0.48, 0.6, 0.64],
];

/** Any vertex of one kind. */
function vertex(random: Random, kind: (typeof KINDS)[number]): number[] {
  const zero = random.below(8) === 0 ? -0 : 0;
  const grid = (n: number) => random.below(n) - (n >> 1) || zero;
  const uv = () => random.pick([0, zero, 0.25, 0.5, 1, -1]);
  switch (kind) {
    case "grid":
      return [grid(3), grid(3), grid(2), ...random.pick(NORMALS), uv(), uv()];
    case "fan": {
      const angle = random.below(12) / 6 * Math.PI;
      const turn = random.below(8) / 4 * Math.PI;
      const p = [Math.cos(angle), Math.sin(angle), zero];
      return [...p, 0, 0, 1, Math.cos(turn), Math.sin(turn)];
    }
    case "strip":
      return [grid(6), grid(2), zero, 0, 0, 1, Math.abs(grid(5)), grid(2)];
    case "tiny": {
      const s = random.pick([1e-12, 1e-20, 1e-30, 1e-38]);
      return [grid(3) * s, grid(3) * s, grid(3), 0, 0, 1, uv() * s, uv()];
    }
    case "close": {
      // 2,048 cells of a search grid lie between the far ones: several places in one cell, and neighbours in the next
      const x = random.below(5) === 0 ? grid(3) : random.below(12) / 8192;
      return [x, grid(2) / 4096, zero, 0, 0, 1, grid(2), grid(3)];
    }
    default: {
      const f = () => random.between(-1, 1);
      return [f(), f(), f(), ...random.unitVector(), f(), f()];
    }
  }
}

function triangles(
  random: Random,
  kind: (typeof KINDS)[number],
  vertices: number,
  count: number,
): number[] {
  const out: number[] = [];
  const any = () => random.below(vertices);
  for (let t = 0; t < count; t++) {
    if (kind === "fan") {
      out.push(0, 1 + t % (vertices - 1), 1 + (t + 1) % (vertices - 1));
    } else if (kind === "strip") {
      const v = t % (vertices - 2);
      out.push(...(t % 2 ? [v + 1, v, v + 2] : [v, v + 1, v + 2]));
    } else if (kind === "pages") {
      out.push(...(random.below(2) ? [0, 1, any()] : [1, 0, any()]));
    } else out.push(any(), any(), any());
    if (random.below(10) === 0) out.splice(-2, 2, ...out.slice(-2).reverse());
  }
  return out;
}

/** Puts up to five NaN, infinities, huge, tiny and zero numbers anywhere. */
function makeOdd(random: Random, streams: readonly Float32Array[]): void {
  const values = [NaN, Infinity, -Infinity, 3e38, -3e38, 1e-42, 0];
  for (let k = random.below(6); k > 0; k--) {
    const stream = random.pick(streams);
    stream[random.below(stream.length)] = random.pick(values);
  }
}

/** One small mesh; `odd` also puts NaN, infinities and normals of any length into it. */
export function smallMesh(random: Random, odd = false): TangentMesh {
  const kind = random.pick(KINDS);
  const vertices = 3 + random.below(random.pick([4, 12, 40]));
  const count = 1 + random.below(random.pick([4, 12, 60]));
  const position = new Float32Array(vertices * 3);
  const normal = new Float32Array(vertices * 3);
  const uv = new Float32Array(vertices * 2);
  for (let v = 0; v < vertices; v++) {
    const [x, y, z, nx, ny, nz, s, t] = vertex(random, kind);
    position.set([x, y, z], v * 3);
    normal.set([nx, ny, nz], v * 3);
    uv.set([s, t], v * 2);
    if (kind === "fan" && v === 0) position.fill(0, 0, 3);
  }
  if (odd) makeOdd(random, [position, normal, uv]);
  const indices = Uint32Array.from(triangles(random, kind, vertices, count));
  return { position, normal, uv, indices };
}

/** A rippled grid of quads, some of them triangles, some with a corner at its neighbour's place, some mirrored; `odd` as for small meshes. */
export function quadGrid(
  random: Random,
  odd = false,
): { mesh: TangentMesh; sizes: Uint8Array } {
  const side = 2 + random.below(4);
  const [p, n, t]: number[][] = [[], [], []];
  for (let r = 0; r <= side; r++) {
    for (let c = 0; c <= side; c++) {
      p.push(c, r, random.pick([0, 0, 0.25]));
      n.push(...random.pick([[0, 0, 1], [0, 0.6, 0.8]]));
      t.push(random.pick([c, c, side - c]), random.pick([r, r, 0.5]));
    }
  }
  const [indices, sizes]: number[][] = [[], []];
  for (let r = 0; r < side; r++) {
    for (let c = 0; c < side; c++) {
      const v = r * (side + 1) + c;
      const quad = [v, v + 1, v + side + 2, v + side + 1];
      const kind = random.below(16);
      if (kind < 4) quad.pop();
      else if (kind < 7) quad[random.below(4)] = quad[0];
      if (random.below(8) === 0) quad.reverse();
      indices.push(...quad);
      sizes.push(quad.length);
    }
  }
  const mesh = {
    position: Float32Array.from(p),
    normal: Float32Array.from(n),
    uv: Float32Array.from(t),
    indices: Uint32Array.from(indices),
  };
  if (odd) makeOdd(random, [mesh.position, mesh.normal, mesh.uv]);
  return { mesh, sizes: Uint8Array.from(sizes) };
}
