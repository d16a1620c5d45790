/**
 * The WebAssembly kernels: fixup replay with split, morph sparsification, normals by the inverse transpose. They start by
 * themselves; {@linkcode init} and {@linkcode initSync} are for runtimes that forbid compiling from bytes.
 *
 * @module
 */
export {
  init,
  initSync,
  kernelMemoryBytes,
  type KernelSource,
} from "./loader.ts";
export { replaySplit, type SplitVertices } from "./replay.ts";
export { ResidentPool, type ResidentPoolOptions } from "./resident_pool.ts";
export { densifyMorphs, sparsifyMorphs } from "./morphs.ts";
export {
  normalMatrix,
  type TransformedNormals,
  transformNormals,
} from "./normals.ts";
export {
  generateTangents,
  type GenerateTangentsOptions,
  type TangentMode,
} from "./tangents.ts";
export { KERNELS_SHA256 } from "./kernels_embed.ts";
export type { Mat4 } from "../core/matrix.ts";
export type { SparseMorphs } from "../core/mesh.ts";
