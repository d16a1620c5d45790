/**
 * Operations on meshes: pure functions from mesh to mesh, one a file. Each says what it changed.
 *
 * ```ts
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { buildLods, rebuildTangents, splitMesh, weldMesh } from "@meshwright/kit/ops";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/terrain.payload")));
 * const { mesh: welded } = weldMesh(mesh);
 * const lods = buildLods(rebuildTangents(welded), { levels: 3 });
 * console.log(lods.lods.length, splitMesh(lods, 500).length > 1); // 3 true
 * ```
 *
 * @module
 */
export {
  buildLods,
  type BuildLodsOptions,
  type BuiltLods,
  defaultSwitchDistance,
  lodRadius,
  type LodRule,
  measureLods,
  targetTriangles,
} from "./build_lods.ts";
export {
  capInfluences,
  type CapInfluencesOptions,
  type CappedInfluences,
} from "./cap_influences.ts";
export { type CleanedTriangles, cleanTriangles } from "./clean_triangles.ts";
export { convertBasis, type ConvertBasisOptions } from "./convert_basis.ts";
export { reverseWinding } from "../core/mesh.ts";
export {
  type AttributeDeviation,
  diffMeshes,
  type DiffOptions,
  type LodDifference,
  type MeshDifference,
  type SkeletonDifference,
} from "./diff_meshes.ts";
export { dropUnusedVertices } from "./drop_unused.ts";
export { type FilteredMorphs, filterMorphs } from "./filter_morphs.ts";
export {
  type HeightImage,
  readHeightImage,
  type ReadHeightImageOptions,
} from "./height_image.ts";
export {
  heightfieldMesh,
  heightfieldOf,
  type HeightfieldOptions,
} from "./heightfield.ts";
export { decimatePayload } from "./payload_decimator.ts";
export { payloadNormals, payloadTangents } from "./payload_frames.ts";
export { rebindSkeleton, type ReboundSkeleton } from "./rebind_skeleton.ts";
export {
  type NormalWeighting,
  rebuildNormals,
  type RebuildNormalsOptions,
} from "./rebuild_normals.ts";
export {
  countTangents,
  rebuildTangents,
  type RebuildTangentsOptions,
  type RebuiltTangents,
  tangentSign,
} from "./rebuild_tangents.ts";
export { remapVertices } from "./remap_vertices.ts";
export { type RepairedVectors, repairVectors } from "./repair_vectors.ts";
export { selectLod } from "./select_lod.ts";
export {
  type SimplifiedTriangles,
  type Simplifier,
  type SimplifyOptions,
  simplifyTriangles,
} from "./simplify_triangles.ts";
export { splitMesh } from "./split_mesh.ts";
export {
  type DerivedTangentSigns,
  deriveTangentSigns,
} from "./tangent_signs.ts";
export { type TransformedMesh, transformMesh } from "./transform_mesh.ts";
export { type WeldedMesh, weldMesh, type WeldOptions } from "./weld_mesh.ts";
export { validateMesh } from "./validate_mesh.ts";
export { densifyMorphs, sparsifyMorphs } from "../kernels/morphs.ts";
export type * from "../core/mesh.ts";
export type { Mat4 } from "../core/matrix.ts";
