/**
 * Transforms a mesh by any 4 × 4 matrix (the work is done in `kernels/transform.ts`, which readers use too).
 *
 * @module
 */
export { type TransformedMesh, transformMesh } from "../kernels/transform.ts";
