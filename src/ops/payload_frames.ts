/**
 * The payload cook's own rules for normals and tangents, f32 operation by operation, so that a cook is reproduced bit for
 * bit. Source: the payload notes, part A9.
 *
 * @module
 */

const f = Math.fround;

/** Below this length a vector has no direction and becomes +Y. */
const TINY_LENGTH = f(1e-6);
/** Below this |determinant| of the texture edges a triangle gives no tangent of its own. */
const TINY_DETERMINANT = f(1e-8);

type Vector = readonly [number, number, number];
const at = (a: Float32Array, i: number): Vector => [
  a[i * 3],
  a[i * 3 + 1],
  a[i * 3 + 2],
];
const subtract = (a: Vector, b: Vector): Vector => [
  f(a[0] - b[0]),
  f(a[1] - b[1]),
  f(a[2] - b[2]),
];
const cross = (a: Vector, b: Vector): Vector => [
  f(f(a[1] * b[2]) - f(a[2] * b[1])),
  f(f(a[2] * b[0]) - f(a[0] * b[2])),
  f(f(a[0] * b[1]) - f(a[1] * b[0])),
];
const dot = (a: Vector, b: Vector) =>
  f(f(f(a[0] * b[0]) + f(a[1] * b[1])) + f(a[2] * b[2]));
const scale = (a: Vector, s: number): Vector => [
  f(a[0] * s),
  f(a[1] * s),
  f(a[2] * s),
];

/** Unit vector, or +Y where there is no direction (newer revisions say so for NaN and infinity too). */
function normalise(a: Vector): Vector {
  const length = f(Math.sqrt(dot(a, a)));
  if (!(length > TINY_LENGTH && length < Infinity)) return [0, 1, 0];
  return [f(a[0] / length), f(a[1] / length), f(a[2] / length)];
}

function add(sum: Float32Array, i: number, v: Vector): void {
  sum[i * 3] += v[0];
  sum[i * 3 + 1] += v[1];
  sum[i * 3 + 2] += v[2];
}

/** Calls `visit` for every whole triangle whose corners exist. */
function triangles(
  indices: Uint32Array,
  vertices: number,
  visit: (a: number, b: number, c: number) => void,
): void {
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]];
    if (Math.max(a, b, c) < vertices) visit(a, b, c);
  }
}

/** Smooth normals: the unit normal of every triangle added to its corners, then made unit. */
export function payloadNormals(
  position: Float32Array,
  indices: Uint32Array,
): Float32Array<ArrayBuffer> {
  const sum = new Float32Array(position.length);
  const vertices = position.length / 3;
  triangles(indices, vertices, (a, b, c) => {
    const origin = at(position, a);
    const n = normalise(
      cross(
        subtract(at(position, b), origin),
        subtract(at(position, c), origin),
      ),
    );
    for (const v of [a, b, c]) add(sum, v, n);
  });
  for (let v = 0; v < vertices; v++) sum.set(normalise(at(sum, v)), v * 3);
  return sum;
}

/** A unit vector at right angles to n: the axis n is least along, crossed with it. */
function arbitraryPerpendicular(n: Vector): Vector {
  const [x, y, z] = n.map(Math.abs);
  const axis: Vector = x <= y && x <= z
    ? [1, 0, 0]
    : y <= z
    ? [0, 1, 0]
    : [0, 0, 1];
  return normalise(cross(axis, n));
}

/** Gradient tangents: dP/du of every triangle (not normalised) added to its corners, made orthogonal to the normal and unit. */
export function payloadTangents(
  position: Float32Array,
  normal: Float32Array,
  uv: Float32Array,
  indices: Uint32Array,
): Float32Array<ArrayBuffer> {
  const vertices = position.length / 3;
  const sum = new Float32Array(position.length);
  triangles(indices, vertices, (a, b, c) => {
    const origin = at(position, a);
    const e1 = subtract(at(position, b), origin);
    const e2 = subtract(at(position, c), origin);
    const du1 = f(uv[b * 2] - uv[a * 2]);
    const dv1 = f(uv[b * 2 + 1] - uv[a * 2 + 1]);
    const du2 = f(uv[c * 2] - uv[a * 2]);
    const dv2 = f(uv[c * 2 + 1] - uv[a * 2 + 1]);
    const denominator = f(f(du1 * dv2) - f(du2 * dv1));
    let t: Vector;
    if (Math.abs(denominator) < TINY_DETERMINANT) {
      t = arbitraryPerpendicular(at(normal, a));
    } else {
      // times the rounded reciprocal, not divided: the cook's bits differ
      const s = f(1 / denominator);
      t = scale(subtract(scale(e1, dv2), scale(e2, dv1)), s);
    }
    for (const v of [a, b, c]) add(sum, v, t);
  });
  for (let v = 0; v < vertices; v++) {
    const n = at(normal, v);
    const t = at(sum, v);
    sum.set(normalise(subtract(t, scale(n, dot(n, t)))), v * 3);
  }
  return sum;
}
