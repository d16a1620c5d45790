/**
 * What is doubtful in a Source model that can be read.
 *
 * @module
 */
import type { Findings } from "../../core/findings.ts";
import { validateVvd } from "../vvd/validate.ts";
import { needsGeometry } from "./model.ts";
import { strayBones } from "./stray_bones.ts";
import type { SourceModel } from "./types.ts";

/**
 * Adds the findings of a model's files and of what stands between them. Findings about the geometry come from the mesh.
 *
 * @param model A model, read with `force` so that files of different compiles become a finding.
 */
export function validateSourceModel(
  model: SourceModel,
  findings: Findings,
): void {
  for (const { code, where, message, found, allowed } of model.notes) {
    findings.add(code, where, message, { found, allowed });
  }
  if (!needsGeometry(model.mdl)) {
    findings.add(
      "MDL-NO-GEOMETRY",
      "mdl/bodyParts",
      "Nothing to do: the model has no geometry of its own",
    );
  }
  validateMaterials(model, findings);
  if (!model.vvd) return;
  validateVvd(model.vvd, findings);
  validateBones(model, findings);
}

function validateMaterials({ mdl }: SourceModel, findings: Findings): void {
  const known = (t: number | undefined) =>
    t !== undefined && t >= 0 && t < mdl.textures.length;
  if (mdl.textures.length === 0) return;
  mdl.bodyParts.forEach((part, b) =>
    part.models.forEach((model, m) =>
      model.meshes.forEach(({ material }, k) => {
        const families = mdl.skinFamilies.length > 0
          ? mdl.skinFamilies.map((family) => family[material])
          : [material];
        const bad = families.findIndex((t) => !known(t));
        if (bad < 0) return;
        findings.add(
          "MDL-MATERIAL",
          `mdl/bodyParts/${b}/models/${m}/meshes/${k}`,
          `Compile the model again: material ${material} is texture ${
            families[bad] ?? "nothing"
          } in skin family ${bad}, the model has ${mdl.textures.length}`,
          {
            found: families[bad] ?? null,
            allowed: `0 to ${mdl.textures.length - 1}`,
          },
        );
      })
    )
  );
}

function validateBones(model: SourceModel, findings: Findings): void {
  const { vertices, first } = strayBones(model);
  if (!first) return;
  const { vertex, bone } = first;
  const bones = model.mdl.bones.length;
  findings.add(
    "MDL-BONE-RANGE",
    `vertex ${vertex}`,
    `Use the files of one compile: vertex ${vertex} is weighted to bone ${bone} of ${bones}${
      vertices > 1 ? `, the first of ${vertices} such vertices` : ""
    }`,
    { found: bone, allowed: `< ${bones}` },
  );
}
