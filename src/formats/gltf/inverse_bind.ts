/**
 * The inverse bind matrix of a bind pose, one rule for reader and writer.
 *
 * @module
 */
import { SINGULAR_DETERMINANT } from "../../core/limits.ts";
import { IDENTITY_MATRIX, invertAffine, type Mat4 } from "../../core/matrix.ts";

const F32_MAX = (2 - 2 ** -23) * 2 ** 127;

/**
 * Inverse of a joint's world matrix, column-major. A singular one has none, and the payload's engine takes the identity
 * then; numbers beyond f32 become its largest, since a file may hold no infinity.
 */
export function inverseBindOf(world: Mat4): Float32Array<ArrayBuffer> {
  const inverse = invertAffine(world, SINGULAR_DETERMINANT);
  return Float32Array.from(
    inverse && !inverse.some(Number.isNaN) ? inverse : IDENTITY_MATRIX,
    (x) => Math.min(F32_MAX, Math.max(-F32_MAX, x)),
  );
}
