/**
 * Operations on meshes: pure functions from mesh to mesh, one a file. Each says what it changed.
 *
 * @module
 */
export {
  buildLods,
  type BuildLodsOptions,
  defaultSwitchDistance,
  lodRadius,
  targetTriangles,
} from "./build_lods.ts";
export { capInfluences, type CappedInfluences } from "./cap_influences.ts";
export { type CleanedTriangles, cleanTriangles } from "./clean_triangles.ts";
export { convertBasis, type ConvertBasisOptions } from "./convert_basis.ts";
export { reverseWinding } from "../core/mesh.ts";
export {
  type AttributeDeviation,
  diffMeshes,
  type DiffOptions,
  type LodDifference,
  type MeshDifference,
} from "./diff_meshes.ts";
export { type FilteredMorphs, filterMorphs } from "./filter_morphs.ts";
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
export { splitMesh } from "./split_mesh.ts";
export {
  type DerivedTangentSigns,
  deriveTangentSigns,
} from "./tangent_signs.ts";
export { type TransformedMesh, transformMesh } from "./transform_mesh.ts";
export { type WeldedMesh, weldMesh } from "./weld_mesh.ts";
export { validateMesh } from "./validate_mesh.ts";
export { densifyMorphs, sparsifyMorphs } from "../kernels/morphs.ts";
export type * from "../core/mesh.ts";
export type { Mat4 } from "../core/matrix.ts";
