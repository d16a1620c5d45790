/**
 * Fits a mesh to the text formats, OBJ and SMD.
 *
 * @module
 */
import { meshError } from "../core/errors.ts";
import {
  SOURCE1_MAX_BONES,
  UNIT_LENGTH_TOLERANCE,
  VVD_MAX_INFLUENCES,
} from "../core/limits.ts";
import type { LossReport } from "../core/loss.ts";
import type { Mesh } from "../core/mesh.ts";
import { listChanges, uniqueNames } from "../core/unique_names.ts";
import { lineName } from "../formats/obj/write.ts";
import { smdMaterial } from "../formats/smd/write.ts";
import {
  type AddedEntry,
  addNormals,
  dropBonelessSkin,
  dropTangents,
  dropUnheld,
  fitBindPose,
  fitJoints,
  fitMorphs,
  type FitOptions,
  fitSkin,
  type Fitted,
  repairGeometry,
  reportSkeleton,
} from "./fit_parts.ts";

/** Names materials as an OBJ can tell them apart, each on a line of its own. */
function fitObjMaterials(mesh: Mesh, loss: LossReport): Mesh {
  const { names, changed } = uniqueNames(mesh.materials, {
    clean: lineName,
    fallback: (place) => `material${place}`,
  });
  loss.add(
    "changed",
    "material names",
    changed.length,
    `they must be on a line, not empty nor alike: ${listChanges(changed)}`,
    { demanded: true },
  );
  return changed.length > 0 ? { ...mesh, materials: names } : mesh;
}

/** Reports materials that an SMD names in another way, or alike: there a material is its name, and studiomdl joins them. */
function reportSmdMaterials(mesh: Mesh, loss: LossReport): void {
  const names = mesh.materials.map(smdMaterial);
  const changed = names.flatMap((name, i): [string, string][] =>
    name === mesh.materials[i] ? [] : [[mesh.materials[i], name]]
  );
  loss.add(
    "changed",
    "material names",
    changed.length,
    `they must be on a line, not empty nor "end": ${listChanges(changed)}`,
    { demanded: true },
  );
  loss.add(
    "changed",
    "materials",
    names.length - new Set(names).size,
    "an SMD tells them apart by name, and others have theirs",
  );
}

/** What an OBJ takes. */
export function fitObj(mesh: Mesh, loss: LossReport): Fitted {
  const target = "an OBJ";
  const why = `${target} holds none`;
  let m = dropUnheld(mesh, loss, target, {
    uvs: 1,
    materials: true,
    color: "none",
  });
  m = fitObjMaterials(m, loss);
  m = dropTangents(m, loss, why);
  loss.add("dropped", "levels of detail", m.lods.length - 1, why);
  loss.add("dropped", "morph targets", m.morphs?.names.length ?? 0, why);
  reportSkeleton(m, loss, why);
  if (m.attributes.joints) {
    loss.add("dropped", "skin weights", m.vertexCount, why);
  }
  loss.add("dropped", "heightfield", m.heightfield ? 1 : 0, why);
  const { joints: _, weights: __, ...attributes } = m.attributes;
  m = repairGeometry(
    {
      ...m,
      attributes,
      influences: 0,
      lods: m.lods.slice(0, 1),
      morphs: null,
      skeleton: null,
      heightfield: null,
    },
    loss,
    [0, 1, 0],
  );
  const used = new Set(m.lods[0].indices ?? []);
  loss.add(
    "dropped",
    "vertices",
    m.lods[0].indices ? m.vertexCount - used.size : 0,
    "no triangle uses them",
  );
  return { mesh: m, added: [] };
}

/** What an SMD takes. */
export function fitSmd(
  mesh: Mesh,
  loss: LossReport,
  options: FitOptions,
): Fitted {
  const added: AddedEntry[] = [];
  const target = "an SMD";
  const why = `${target} holds none`;
  let m = dropUnheld(mesh, loss, target, {
    uvs: 1,
    materials: true,
    color: "none",
  });
  reportSmdMaterials(m, loss);
  m = dropTangents(m, loss, `${why}; studiomdl makes them anew`);
  loss.add("dropped", "heightfield", m.heightfield ? 1 : 0, why);
  loss.add(
    "dropped",
    "switch distances",
    m.lods.filter((l) => l.switchDistance !== null).length,
    `${why}; they belong in the QC`,
  );
  if (m.lods[0].indices === null) {
    loss.add(
      "dropped",
      "vertices",
      m.vertexCount,
      `${target} holds triangles alone`,
    );
  }
  m = fitJoints({ ...m, heightfield: null }, loss);
  const bones = m.skeleton?.length ?? 0;
  if (options.target === "source1" && bones > SOURCE1_MAX_BONES) {
    throw meshError(
      "LIMIT-EXCEEDED",
      `Reduce the skeleton: it has ${bones} bones, the option target=source1 allows ${SOURCE1_MAX_BONES}`,
      {
        format: "smd",
        path: "skeleton",
        found: bones,
        allowed: SOURCE1_MAX_BONES,
      },
    );
  }
  if (m.skeleton && bones > 0) {
    m = fitBindPose(m, loss, target);
    loss.add(
      "dropped",
      "joint scales",
      m.skeleton!.filter((j) =>
        j.scale.some((s) => Math.abs(s - 1) > UNIT_LENGTH_TOLERANCE)
      ).length,
      why,
    );
    const most = options.target === "source1" ? VVD_MAX_INFLUENCES : Infinity;
    if (m.attributes.joints) {
      const slots = Math.min(
        options.maxInfluences ?? Infinity,
        most,
        m.influences,
      );
      m = fitSkin(m, Math.max(slots, 1), bones, loss);
    }
  } else {
    reportSkeleton(m, loss, why);
    m = dropBonelessSkin({ ...m, skeleton: null }, loss);
  }
  if (m.lods[0].indices) m = addNormals(m, added);
  m = repairGeometry(m, loss, [0, 0, 1]);
  m = fitMorphs(m, options.morphEpsilon ?? 0, loss);
  return { mesh: m, added };
}
