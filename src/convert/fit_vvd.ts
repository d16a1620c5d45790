/**
 * Fits a mesh to a Source vertex file.
 *
 * @module
 */
import { VVD_MAX_INFLUENCES } from "../core/limits.ts";
import type { LossReport } from "../core/loss.ts";
import type { Mesh } from "../core/mesh.ts";
import {
  addDefaults,
  type AddedEntry,
  dropUnheld,
  type FitOptions,
  fitSkin,
  type Fitted,
  repairGeometry,
  reportSkeleton,
} from "./fit_parts.ts";

/** Bone numbers of a Source vertex are bytes. */
const VVD_MAX_BONES = 256;

/** What a Source vertex file takes. */
export function fitVvd(
  mesh: Mesh,
  loss: LossReport,
  options: FitOptions,
): Fitted {
  const target = "a Source vertex file";
  const why = `${target} holds none`;
  let m = dropUnheld(mesh, loss, target, {
    uvs: 1,
    materials: false,
    color: "none",
  });
  const count = (level: number) =>
    Math.floor((m.lods[level].indices?.length ?? 0) / 3);
  loss.add("dropped", "triangles", count(0), `${why}; they belong in a VTX`);
  loss.add(
    "dropped",
    "levels of detail",
    m.lods.length - 1,
    "without the meshes they can not be told apart",
  );
  loss.add("dropped", "morph targets", m.morphs?.names.length ?? 0, why);
  reportSkeleton(m, loss, `${why}; they belong in an MDL`);
  loss.add("dropped", "heightfield", m.heightfield ? 1 : 0, why);
  const bones = m.skeleton && m.skeleton.length > 0
    ? Math.min(m.skeleton.length, VVD_MAX_BONES)
    : VVD_MAX_BONES;
  const slots = Math.min(
    options.maxInfluences ?? VVD_MAX_INFLUENCES,
    VVD_MAX_INFLUENCES,
  );
  if (m.attributes.joints) m = fitSkin(m, slots, bones, loss);
  m = repairGeometry({ ...m, lods: [] }, loss, [0, 0, 1]);
  const added: AddedEntry[] = [];
  addDefaults(m, target, { color: false, skin: true }, added);
  return {
    mesh: {
      ...m,
      lods: [{ indices: null, groups: [], switchDistance: null }],
      morphs: null,
      skeleton: null,
      heightfield: null,
    },
    added,
  };
}
