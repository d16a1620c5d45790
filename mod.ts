/**
 * meshwright: game mesh files read, judged, replayed and converted exactly, in Deno, browsers, Node, Bun and edge functions.
 *
 * ```ts
 * import { convert, inspect, validate } from "@meshwright/kit";
 *
 * const bytes = Deno.readFileSync("samples/lantern.vvd");
 * const { mesh } = await inspect(bytes, { name: "lantern.vvd" });
 * const { ok } = await validate(bytes);
 * const { outputs, report } = await convert(bytes, { to: "gltf" });
 * console.log(mesh?.vertices, ok, outputs[0].length, report.loss.length);
 * ```
 *
 * Narrow entry points stand beside this one: `./vvd`, `./mdl`, `./payload`, `./css`, `./gltf`, `./ops`, `./kernels`, `./cli`.
 *
 * @module
 */
export * from "./src/formats/vvd/mod.ts";
export {
  type LodAlternate,
  meshToPayload,
  type PayloadFile,
  payloadToMesh,
  readPayload,
  type ReadPayloadOptions,
  validatePayload,
  writePayload,
} from "./src/formats/payload/mod.ts";
export * from "./src/formats/css/mod.ts";
export * from "./src/formats/gltf/mod.ts";
export {
  type Mdl,
  readMdl,
  readSourceModel,
  type ReadSourceModelOptions,
  readVtx,
  type SourceModel,
  type SourceModelFiles,
  sourceModelToMesh,
  type Vtx,
} from "./src/formats/mdl/mod.ts";
export * from "./src/formats/obj/mod.ts";
export * from "./src/formats/smd/mod.ts";
export {
  convert,
  type Converted,
  type ConvertOptions,
  type ConvertReport,
} from "./src/convert/convert.ts";
export { detectFormat } from "./src/convert/detect.ts";
export type { AddedEntry, FitOptions } from "./src/convert/fit.ts";
export {
  inspect,
  type Inspection,
  type InspectOptions,
  type MdlInspection,
  type MeshInspection,
} from "./src/convert/inspect.ts";
export type { CompanionInfo, CompanionKind } from "./src/convert/companions.ts";
export type { MakeOptions } from "./src/convert/rebuild.ts";
export type { CssPackages } from "./src/convert/css_file.ts";
export type { ReadOptions } from "./src/convert/read.ts";
export type { BodyGroupOptions } from "./src/convert/source_model.ts";
export { validate, type Validation } from "./src/convert/validate.ts";
export { init, initSync, type KernelSource } from "./src/kernels/mod.ts";
export {
  type Code,
  CODE_TEXTS,
  type CodeInfo,
  CODES,
  type Severity,
} from "./src/core/codes.ts";
export { type ErrorDetail, MeshError } from "./src/core/errors.ts";
export type { Finding, Findings } from "./src/core/findings.ts";
export { type FormatId, type FormatInfo, FORMATS } from "./src/core/formats.ts";
export {
  DEFAULT_LIMITS,
  EDGE_LIMITS,
  type Limits,
  MORPH_DELTA_EPSILON,
} from "./src/core/limits.ts";
export {
  type AxisMap,
  BASES,
  type Basis,
  type BasisChange,
  basisChange,
  type BasisId,
} from "./src/core/basis.ts";
export { type LossEntry, type LossKind, LossReport } from "./src/core/loss.ts";
export type * from "./src/core/mesh.ts";
export type { Mat4 } from "./src/core/matrix.ts";
export { VERSION } from "./src/core/version.ts";
