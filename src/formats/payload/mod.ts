/**
 * The packed mesh payload: static and skinned meshes with levels of detail, sparse morph targets and collision
 * heightfields, under the format's own names.
 *
 * ```ts
 * import { deserialiseWithLods, serialiseWithLods } from "@meshwright/kit/payload";
 *
 * const { vertices, indices, lodAlternates } = deserialiseWithLods(
 *   Deno.readFileSync("samples/terrain.payload"),
 * );
 * const bytes: Uint8Array = serialiseWithLods(vertices, indices, lodAlternates);
 * ```
 *
 * @module
 */
export {
  deserialise,
  deserialiseHeightfield,
  deserialiseSkinned,
  deserialiseSkinnedWithLods,
  deserialiseWithLods,
  looksLikeStaticPayload,
  readPayload,
  type ReadPayloadOptions,
} from "./read.ts";
export {
  packedWords,
  serialise,
  serialiseHeightfieldTrailer,
  serialiseSkinnedWithLods,
  serialiseWithLods,
  writePayload,
} from "./write.ts";
export { meshToPayload, payloadToMesh } from "./mesh.ts";
export { validatePayload } from "./validate.ts";
export { densifyMorphs, sparsifyMorphs } from "../../kernels/morphs.ts";
export { MORPH_DELTA_EPSILON } from "../../core/limits.ts";
export type {
  HeightfieldGrid,
  LodAlternate,
  MorphBlock,
  MorphDelta,
  MorphEntry,
  PayloadFile,
  PayloadJoint,
  PayloadMorphs,
  SkinnedPayload,
  SkinnedVertex,
  SkinnedVertexArrays,
  StaticPayload,
  Triple,
  Vertex,
  VertexArrays,
} from "./types.ts";
