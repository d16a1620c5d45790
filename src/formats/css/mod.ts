/**
 * The CSS authored mesh, the JSON that an Unreal importer takes: read, judged like the importer, written, and made from
 * other meshes.
 *
 * ```ts
 * import { meshToCss, readCssMesh, validateCssMesh, writeCssMesh } from "@meshwright/kit/css";
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { convertBasis } from "@meshwright/kit/ops";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/figure.payload")));
 * const { css, loss } = meshToCss(convertBasis(mesh, "css").mesh);
 * const bytes = writeCssMesh(css);
 * console.log(validateCssMesh(bytes).errors, readCssMesh(bytes).bones.length, loss.entries.length);
 * ```
 *
 * @module
 */
export { readCssMesh, type ReadCssOptions } from "./read.ts";
export { validateCssMesh, type ValidateCssOptions } from "./validate.ts";
export {
  writeCssMesh,
  writeCssMeshChunks,
  type WriteCssOptions,
} from "./write.ts";
export {
  type CssInspection,
  type CssMorphInspection,
  inspectCssMesh,
} from "./inspect.ts";
export { type CssAsMesh, cssToMesh } from "./css_to_mesh.ts";
export {
  type CssAddition,
  type MeshAsCss,
  meshToCss,
  type MeshToCssOptions,
} from "./mesh_to_css.ts";
export type { CssBone, CssMesh, CssMorphTarget } from "./types.ts";
export { type LossEntry, type LossKind, LossReport } from "../../core/loss.ts";
