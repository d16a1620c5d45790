/**
 * Fits a mesh to what a target format can hold, and reports every change.
 *
 * @module
 */
import type { LossReport } from "../core/loss.ts";
import type { Mesh } from "../core/mesh.ts";
import { fitCss } from "./fit_css.ts";
import { fitGltf } from "./fit_gltf.ts";
import type { AddedEntry, FitOptions, Fitted } from "./fit_parts.ts";
import { fitPayload } from "./fit_payload.ts";
import { fitObj, fitSmd } from "./fit_text.ts";
import { fitVvd } from "./fit_vvd.ts";

export type { AddedEntry, FitOptions, Fitted };

/**
 * Fits a mesh, already in the target's axes, to a target format.
 *
 * @param mesh Mesh in the target's basis.
 * @param target Format to be written.
 * @param loss Takes a row for every change.
 */
export function fitMesh(
  mesh: Mesh,
  target: "gltf" | "payload" | "vvd" | "css" | "obj" | "smd",
  loss: LossReport,
  options: FitOptions = {},
): Fitted {
  if (target === "gltf") return fitGltf(mesh, loss, options);
  if (target === "payload") return fitPayload(mesh, loss, options);
  if (target === "css") return fitCss(mesh, loss, options);
  if (target === "obj") return fitObj(mesh, loss);
  if (target === "smd") return fitSmd(mesh, loss, options);
  return fitVvd(mesh, loss, options);
}
