/**
 * Normals by the inverse transpose of a matrix.
 *
 * @module
 */
import { bytesOf } from "../core/bytes.ts";
import { meshError } from "../core/errors.ts";
import { cofactor3, determinant3, type Mat4 } from "../core/matrix.ts";
import { DEFAULT_LIMITS } from "../core/limits.ts";
import { withArena } from "./loader.ts";

/** Vertices staged at once: 12 bytes each, in place, 48 KiB. See assembly/transform_normals.md. */
const CHUNK = 4096;
/**
 * Largest cancellation (see {@linkcode cancellation}) with which f32 stays within 4 units of 2^-24 of the exact normal;
 * matrices above it are worked in f64. Rotations have 1.73. Measured in assembly/transform_normals.md.
 */
export const MAX_F32_CANCELLATION = 3;

/** Result of {@linkcode transformNormals}. */
export interface TransformedNormals {
  /** Unit normals, 3 f32 each. */
  normal: Float32Array<ArrayBuffer>;
  /** How many had no direction (zero, NaN, infinite, or flattened by a singular matrix) and became the fallback. */
  repaired: number;
}

/** {@linkcode normalMatrix} before it is rounded to f32. */
export function exactNormalMatrix(matrix: Mat4): number[] {
  // Scaling the input first keeps products of its entries in range; the direction does not depend on it.
  let largest = 0;
  for (const i of [0, 1, 2, 4, 5, 6, 8, 9, 10]) {
    largest = Math.max(largest, Math.abs(matrix[i]));
  }
  const unit = Array.from(matrix, (x) => largest > 0 ? x / largest : x);
  const c = cofactor3(unit);
  const sign = determinant3(unit) < 0 ? -1 : 1;
  const top = c.reduce((a, x) => Math.max(a, Math.abs(x)), 0);
  return c.map((x) => top > 0 ? (sign * x) / top : x);
}

/**
 * The matrix that normals are multiplied with: cofactors of the upper 3 × 3 times the sign of the determinant, scaled so
 * that the largest entry is 1. It points where the inverse transpose points and also exists for a singular matrix.
 */
export function normalMatrix(matrix: Mat4): Float32Array<ArrayBuffer> {
  return Float32Array.from(exactNormalMatrix(matrix));
}

/**
 * How much larger than the result the terms of C · n can be for the worst unit n, estimated from above: the rounding error
 * of an f32 product grows with it. |row| / smallest singular value, over the rows that have more than one term; the
 * singular value from the Frobenius norm of the inverse.
 */
export function cancellation(c: number[]): number {
  const columns = [
    c[0],
    c[3],
    c[6],
    0,
    c[1],
    c[4],
    c[7],
    0,
    c[2],
    c[5],
    c[8],
    0,
  ];
  const inverse = Math.sqrt(
    cofactor3(columns).reduce((sum, x) => sum + x * x, 0),
  ) / Math.abs(determinant3(columns));
  let worst = 0;
  for (let row = 0; row < 9; row += 3) {
    const terms = c.slice(row, row + 3).filter((x) => x !== 0);
    if (terms.length < 2) continue; // one product is rounded once, however small
    worst = Math.max(worst, Math.sqrt(terms.reduce((s, x) => s + x * x, 0)));
  }
  return worst === 0 ? 0 : worst * inverse;
}

/**
 * Transforms normals by the inverse transpose of `matrix` and makes them unit length. Never NaN: a normal without
 * direction becomes `fallback` and is counted.
 *
 * @param normal 3 f32 a vertex.
 * @param matrix 4 × 4, column-major; its translation plays no part.
 * @param fallback Unit vector for normals without direction, +Z unless given.
 * @throws {MeshError} ARGUMENT when the array does not hold whole normals or the fallback is not finite.
 *
 * @example
 * ```ts
 * import { transformNormals } from "@meshwright/kit/kernels";
 *
 * const stretch = [1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
 * const { normal, repaired } = transformNormals(Float32Array.of(0, 1, 0, 0, 0, 0), stretch);
 * console.log([...normal], repaired); // [0, 1, 0, 0, 0, 1] 1
 * ```
 */
export function transformNormals(
  normal: Float32Array,
  matrix: Mat4,
  fallback: readonly [number, number, number] = [0, 0, 1],
): TransformedNormals {
  if (normal.length % 3 !== 0) {
    throw meshError(
      "ARGUMENT",
      `Give three numbers a normal: found ${normal.length} numbers`,
      { path: "normal", found: normal.length, allowed: "a multiple of 3" },
    );
  }
  if (!fallback.every(Number.isFinite)) {
    throw meshError(
      "ARGUMENT",
      `Give a finite fallback: found ${fallback.join(", ")}`,
      { path: "fallback", found: [...fallback], allowed: "finite numbers" },
    );
  }
  const out = new Float32Array(normal.length);
  const count = normal.length / 3;
  const c = exactNormalMatrix(matrix);
  const exact = cancellation(c) <= MAX_F32_CANCELLATION ? 0 : 1;
  let repaired = 0;
  const [source, target] = [bytesOf(normal), bytesOf(out)];
  withArena(DEFAULT_LIMITS.maxKernelBytes, (arena) => {
    const chunk = Math.min(CHUNK, Math.max(count, 1));
    const stage = arena.alloc(chunk * 12);
    const block = arena.alloc(120);
    arena.f64(block, 9).set(c);
    arena.f32(block + 72, 9).set(c);
    arena.f32(block + 108, 3).set(fallback);
    const view = arena.u8(stage, chunk * 12);
    for (let v = 0; v < count; v += chunk) {
      const n = Math.min(chunk, count - v);
      view.set(source.subarray(v * 12, (v + n) * 12));
      repaired += arena.exports.transformNormals(stage, stage, n, block, exact);
      target.set(n === chunk ? view : view.subarray(0, n * 12), v * 12);
    }
  });
  return { normal: out, repaired };
}
