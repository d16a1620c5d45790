/**
 * Heightfields: terrain from an image by the payload cook's rule, and the collider grid of a grid mesh.
 *
 * @module
 */
import { meshError } from "../core/errors.ts";
import type { HeightfieldGrid, Mesh } from "../core/mesh.ts";
import { payloadNormals, payloadTangents } from "./payload_frames.ts";

/** Options of {@linkcode heightfieldMesh}. */
export interface HeightfieldOptions {
  /** Heights as bytes, row by row: the red channel of an image. */
  samples: ArrayLike<number>;
  /** Columns of the image. */
  width: number;
  /** Rows of the image. */
  height: number;
  /** Height of sample 255. */
  elevationMax: number;
  /** Height of sample 0; 0 unless given. */
  elevationMin?: number;
  /** Half the extent along X; 64 unless given. */
  halfWidth?: number;
  /** Half the extent along Z; 64 unless given. */
  halfDepth?: number;
  /** Cells along each side; 64 unless given, clamped to 4 to 255. */
  subdivisions?: number;
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
  const at = (c: number, r: number) => f(o.samples[r * o.width + c] / 255);
  const mix = (a: number, b: number, t: number) => f(a + f(f(b - a) * t));
  const top = mix(at(x0, y0), at(x1, y0), fx);
  const bottom = mix(at(x0, y1), at(x1, y1), fx);
  return mix(top, bottom, fy);
}

/**
 * A terrain mesh with its collider grid, by the cook's rule: a square grid of (subdivisions + 1)² vertices, rows along +Z,
 * columns along +X, heights by bilinear sampling, texture coordinates in world units.
 *
 * @throws {MeshError} ARGUMENT when the image has no extent or too few samples.
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
  const { width, height, samples } = options;
  if (
    !(Number.isInteger(width) && Number.isInteger(height) && width > 0 &&
      height > 0) || samples.length < width * height
  ) {
    throw meshError(
      "ARGUMENT",
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
  const halfWidth = options.halfWidth ?? 64;
  const halfDepth = options.halfDepth ?? 64;
  const low = options.elevationMin ?? 0;
  const s = Math.min(255, Math.max(4, Math.floor(options.subdivisions ?? 64)));
  const side = s + 1;
  const count = side * side;
  const position = new Float32Array(count * 3);
  const uv = new Float32Array(count * 2);
  const color = new Float32Array(count * 4);
  const heights = new Float32Array(count);
  for (let r = 0; r < side; r++) {
    for (let c = 0; c < side; c++) {
      const i = r * side + c;
      const [u, v] = [f(c / s), f(r / s)];
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
  const indices = new Uint32Array(s * s * 6);
  let n = 0;
  for (let r = 0; r < s; r++) {
    for (let c = 0; c < s; c++) {
      const tl = r * side + c;
      const [tr, bl] = [tl + 1, tl + side];
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
    heightfield: { rows: side, cols: side, heights },
  };
}

/**
 * The collider grid of a mesh whose vertices form one, row by row: rows along +Z, columns along +X, heights along +Y. The
 * cook takes square grids alone; this takes any rectangle and checks that it is one.
 *
 * @param mesh A grid mesh in the payload's axes.
 * @throws {MeshError} ARGUMENT when the vertices form no such grid.
 */
export function heightfieldOf(mesh: Mesh): HeightfieldGrid {
  const { position } = mesh.attributes;
  const n = mesh.vertexCount;
  const fail = (message: string): never => {
    throw meshError("ARGUMENT", `Give a grid mesh: ${message}`, {
      path: "position",
    });
  };
  if (n < 4) fail(`${n} vertices form no grid`);
  let cols = 1;
  while (cols < n && position[cols * 3 + 2] === position[2]) cols++;
  const rows = n / cols;
  if (cols < 2 || !Number.isInteger(rows) || rows < 2) {
    fail(`the first row has ${cols} of ${n} vertices`);
  }
  const heights = new Float32Array(n);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      const i = r * cols + c;
      const [x, y, z] = position.subarray(i * 3, i * 3 + 3);
      const right = c === 0 || x > position[(i - 1) * 3];
      const below = r === 0 || z > position[(i - cols) * 3 + 2];
      const aligned = x === position[c * 3] &&
        z === position[r * cols * 3 + 2];
      if (!right || !below || !aligned) {
        fail(`vertex ${i} is not at row ${r}, column ${c}`);
      }
      heights[i] = y;
    }
  }
  return { rows, cols, heights };
}
