/**
 * Heightfields: terrain from an image by the payload cook's rule, and the collider grid of a grid mesh.
 *
 * @module
 */
import { meshError } from "../core/errors.ts";
import { GRID_TOLERANCE, TERRAIN_CELLS } from "../core/limits.ts";
import type { HeightfieldGrid, Mesh } from "../core/mesh.ts";
import { payloadNormals, payloadTangents } from "./payload_frames.ts";

/** Options of {@linkcode heightfieldMesh}. */
export interface HeightfieldOptions {
  /** Heights row by row: the red or grey channel of an image. */
  samples: ArrayLike<number>;
  /** Columns of the image. */
  width: number;
  /** Rows of the image. */
  height: number;
  /** Sample that stands for `elevationMax`: 255 unless given, 65,535 for 16 bits, 1 for heights that are numbers already. */
  white?: number;
  /** Height of the sample `white`. */
  elevationMax: number;
  /** Height of sample 0; 0 unless given. */
  elevationMin?: number;
  /** Half the extent along X; 64 unless given. */
  halfWidth?: number;
  /** Half the extent along Z; 64 unless given. */
  halfDepth?: number;
  /**
   * Cells along each side, or along Z and along X; 64 unless given, clamped to 4 to 255. The cook knows one number for both;
   * one less than the rows and columns of the image gives every sample a vertex.
   */
  subdivisions?: number | readonly [rows: number, cols: number];
}

const f = Math.fround;

/** The cook's colour of heightfield meshes. */
const COLOR = [f(0.55), f(0.62), f(0.42), 1] as const;

function bilinear(o: HeightfieldOptions, u: number, v: number): number {
  const [x, y] = [f(u * (o.width - 1)), f(v * (o.height - 1))];
  const [x0, y0] = [Math.floor(x), Math.floor(y)];
  const x1 = Math.min(x0 + 1, o.width - 1);
  const y1 = Math.min(y0 + 1, o.height - 1);
  const [fx, fy] = [f(x - x0), f(y - y0)];
  const white = o.white ?? 255;
  const at = (c: number, r: number) => f(o.samples[r * o.width + c] / white);
  const mix = (a: number, b: number, t: number) => f(a + f(f(b - a) * t));
  const top = mix(at(x0, y0), at(x1, y0), fx);
  const bottom = mix(at(x0, y1), at(x1, y1), fx);
  return mix(top, bottom, fy);
}

/** Cells along Z and X. */
function cells({ subdivisions = 64 }: HeightfieldOptions): number[] {
  const both = typeof subdivisions === "number"
    ? [subdivisions, subdivisions]
    : subdivisions;
  const [least, most] = TERRAIN_CELLS;
  return both.map((n) => Math.min(most, Math.max(least, Math.floor(n))));
}

/** Refuses images without extent or samples, and numbers that give no terrain. */
function check(o: HeightfieldOptions): void {
  const { width, height, samples } = o;
  if (
    !(Number.isInteger(width) && Number.isInteger(height) && width > 0 &&
      height > 0) || samples.length < width * height
  ) {
    throw meshError(
      "HEIGHTFIELD-IMAGE",
      `Give an image with a sample for every place: ${width} x ${height} needs ${
        width * height
      }, ${samples.length} found`,
      {
        path: "samples",
        found: samples.length,
        allowed: width * height,
      },
    );
  }
  const above0 = { halfWidth: 64, halfDepth: 64, white: 255, ...o };
  for (const name of ["halfWidth", "halfDepth", "white"] as const) {
    const found = above0[name];
    if (found > 0 && Number.isFinite(found)) continue;
    throw meshError(
      "ARGUMENT",
      `Give ${name} a number above 0: found ${found}`,
      { path: name, found, allowed: "> 0" },
    );
  }
  const finite = [
    o.elevationMax,
    o.elevationMin ?? 0,
    ...[o.subdivisions ?? 64].flat(),
  ];
  if (!finite.every(Number.isFinite)) {
    throw meshError(
      "ARGUMENT",
      `Give elevations and subdivisions that are finite: found ${
        finite.join(", ")
      }`,
      { path: "elevationMax", found: finite, allowed: "finite" },
    );
  }
}

/**
 * A terrain mesh with its collider grid, by the cook's rule: (subdivisions + 1)² vertices, rows along +Z, columns along +X,
 * heights by bilinear sampling, texture coordinates in world units. An image that is not square is stretched over the
 * extent; two different numbers of subdivisions give a grid that is not square either.
 *
 * @throws {MeshError} HEIGHTFIELD-IMAGE when the image has no extent or too few samples; ARGUMENT for an extent that is not
 * above 0 or numbers that are not finite.
 *
 * @example
 * ```ts
 * import { heightfieldMesh } from "@meshwright/kit/ops";
 *
 * const mesh = heightfieldMesh({ samples: [0, 255, 0, 255], width: 2, height: 2, elevationMax: 10, subdivisions: 4 });
 * console.log(mesh.vertexCount, mesh.heightfield?.rows); // 25 5
 * ```
 */
export function heightfieldMesh(options: HeightfieldOptions): Mesh {
  check(options);
  const halfWidth = options.halfWidth ?? 64;
  const halfDepth = options.halfDepth ?? 64;
  const low = options.elevationMin ?? 0;
  const [down, across] = cells(options);
  const [rows, cols] = [down + 1, across + 1];
  const count = rows * cols;
  const position = new Float32Array(count * 3);
  const uv = new Float32Array(count * 2);
  const color = new Float32Array(count * 4);
  const heights = new Float32Array(count);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      const i = r * cols + c;
      const [u, v] = [f(c / across), f(r / down)];
      const x = f(-halfWidth + f(f(u * 2) * halfWidth));
      const z = f(-halfDepth + f(f(v * 2) * halfDepth));
      const y = f(
        low + f(bilinear(options, u, v) * f(options.elevationMax - low)),
      );
      position.set([x, y, z], i * 3);
      uv.set([x, z], i * 2);
      color.set(COLOR, i * 4);
      heights[i] = y;
    }
  }
  const indices = new Uint32Array(down * across * 6);
  let n = 0;
  for (let r = 0; r < down; r++) {
    for (let c = 0; c < across; c++) {
      const tl = r * cols + c;
      const [tr, bl] = [tl + 1, tl + cols];
      indices.set([tl, bl, tr, tr, bl, bl + 1], n);
      n += 6;
    }
  }
  const normal = payloadNormals(position, indices);
  const three = payloadTangents(position, normal, uv, indices);
  const tangent = new Float32Array(count * 4).fill(1);
  for (let v = 0; v < count; v++) {
    tangent.set(three.subarray(v * 3, v * 3 + 3), v * 4);
  }
  return {
    name: "heightfield",
    basis: "payload",
    vertexCount: count,
    attributes: { position, normal, tangent, color, uvs: [uv] },
    influences: 0,
    lods: [{ indices, groups: [], switchDistance: null }],
    materials: [],
    morphs: null,
    skeleton: null,
    heightfield: { rows, cols, heights },
  };
}

/** One side of a grid: where it begins and how far its places are apart. */
interface Side {
  first: number;
  step: number;
  count: number;
}

/** The places that vertices have along one axis; null where they are fewer than two or not evenly apart. */
function sideOf(position: Float32Array, axis: 0 | 2): Side | null {
  const values = position.filter((_, i) => i % 3 === axis).sort();
  const first = values[0];
  const extent = values[values.length - 1] - first;
  const gaps = values.subarray(1).map((x, i) => x - values[i]);
  // evenly apart, so what is closer than half of the widest gap is one place
  const widest = gaps.reduce((most, gap) => Math.max(most, gap), 0);
  const count = 1 + gaps.filter((gap) => gap > widest / 2).length;
  const step = extent / (count - 1);
  return count < 2 || !Number.isFinite(step) ? null : { first, step, count };
}

/** Number of the place along a side, or −1 off the grid. */
function placeOf({ first, step }: Side, value: number): number {
  const place = (value - first) / step;
  const whole = Math.round(place);
  return Math.abs(place - whole) <= GRID_TOLERANCE ? whole : -1;
}

/**
 * The collider grid of a mesh whose vertices form one, in any order: rows along +Z, columns along +X, evenly apart, heights
 * along +Y. Vertices may repeat a place at the same height, as exporters make them at the seams of a texture. The cook makes
 * square grids alone; this takes any rectangle and checks that it is one.
 *
 * @param mesh A grid mesh, +Y up.
 * @throws {MeshError} HEIGHTFIELD-GRID when the vertices form no such grid.
 *
 * @example
 * ```ts
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { heightfieldOf } from "@meshwright/kit/ops";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/terrain.payload")));
 * const { rows, cols } = heightfieldOf(mesh);
 * console.log(rows, cols); // 25 33
 * ```
 */
export function heightfieldOf(mesh: Mesh): HeightfieldGrid {
  const { position } = mesh.attributes;
  const n = mesh.vertexCount;
  const fail = (message: string): never => {
    throw meshError(
      "HEIGHTFIELD-GRID",
      `Give a grid mesh, rows along Z and columns along X: ${message}`,
      { path: "position", found: n },
    );
  };
  const z = sideOf(position, 2);
  const x = sideOf(position, 0);
  if (!z || !x) return fail(`${n} vertices form no grid`);
  const [rows, cols] = [z.count, x.count];
  if (rows * cols > n) {
    return fail(
      `${n} vertices can not fill ${rows} rows of ${cols}: they lie at ${rows} places along Z and ${cols} along X`,
    );
  }
  const heights = new Float32Array(rows * cols).fill(NaN);
  const level = GRID_TOLERANCE * Math.min(x.step, z.step);
  let filled = 0;
  for (let v = 0; v < n; v++) {
    const [r, c] = [
      placeOf(z, position[v * 3 + 2]),
      placeOf(x, position[v * 3]),
    ];
    if (r < 0 || c < 0) return fail(`vertex ${v} lies between its places`);
    const y = position[v * 3 + 1];
    if (!Number.isFinite(y)) return fail(`vertex ${v} has no height`);
    const i = r * cols + c;
    if (Number.isNaN(heights[i])) {
      heights[i] = y;
      filled++;
    } else if (!(Math.abs(heights[i] - y) <= level)) {
      return fail(`row ${r}, column ${c} has two heights`);
    }
  }
  if (filled < rows * cols) {
    const hole = heights.findIndex(Number.isNaN);
    return fail(
      `row ${Math.floor(hole / cols)}, column ${
        hole % cols
      } of ${rows} x ${cols} has no vertex`,
    );
  }
  return { rows, cols, heights };
}
