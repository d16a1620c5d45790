/**
 * Fits a mesh to a CSS authored mesh.
 *
 * @module
 */
import type { LossReport } from "../core/loss.ts";
import type { Mesh } from "../core/mesh.ts";
import { CSS_MAX_INFLUENCES } from "../formats/css/types.ts";
import {
  dropBonelessSkin,
  dropTangents,
  fitBindPose,
  fitJoints,
  fitMorphs,
  type FitOptions,
  fitSkin,
  type Fitted,
  repairGeometry,
} from "./fit_parts.ts";

/** Skin, vectors and triangles as a CSS authored mesh needs them; what remains is done when the mesh becomes one. */
export function fitCss(
  mesh: Mesh,
  loss: LossReport,
  options: FitOptions,
): Fitted {
  let m = fitJoints(mesh, loss);
  m = dropTangents(
    m,
    loss,
    "the format holds none; the importer rebuilds them",
  );
  m = dropBonelessSkin(m, loss);
  if (m.skeleton && m.skeleton.length > 0) {
    m = fitSkin(
      fitBindPose(m, loss, "the format"),
      Math.min(options.maxInfluences ?? CSS_MAX_INFLUENCES, CSS_MAX_INFLUENCES),
      m.skeleton.length,
      loss,
    );
  }
  m = repairGeometry(m, loss, [0, 0, 1]);
  return { mesh: fitMorphs(m, options.morphEpsilon ?? 0, loss), added: [] };
}
