/**
 * Whole Source models: MDL with VVD and VTX, read and put together.
 *
 * ```ts
 * import { readSourceModel, sourceModelToMesh } from "@meshwright/kit/mdl";
 *
 * const model = readSourceModel({
 *   mdl: Deno.readFileSync("samples/buoy.mdl"),
 *   vvd: Deno.readFileSync("samples/buoy.vvd"),
 *   vtx: Deno.readFileSync("samples/buoy.dx90.vtx"),
 * });
 * const mesh = sourceModelToMesh(model);
 * console.log(mesh.lods.length, mesh.materials); // 2 [ "buoy_red", "lamp" ]
 * ```
 *
 * @module
 */
export {
  materialPaths,
  readMdl,
  type ReadSourceFileOptions,
} from "./read_mdl.ts";
export { readVtx } from "./read_vtx.ts";
export { readVvc } from "./read_vvc.ts";
export { halfToFloat } from "./read_flexes.ts";
export {
  assembleSourceModel,
  needsGeometry,
  readSourceModel,
  type ReadSourceModelOptions,
  rootLodView,
  type SourceModelFiles,
} from "./model.ts";
export type { SourceNote } from "./tables.ts";
export type * from "./types.ts";
export { isRigid, type SourceMeshOptions, sourceModelToMesh } from "./mesh.ts";
export { validateSourceModel } from "./validate.ts";
