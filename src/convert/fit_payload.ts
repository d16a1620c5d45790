/**
 * Fits a mesh to an engine payload.
 *
 * @module
 */
import { MORPH_DELTA_EPSILON } from "../core/limits.ts";
import type { LossReport } from "../core/loss.ts";
import {
  eulerDegreesFromQuaternion,
  quaternionFromEulerDegrees,
} from "../core/matrix.ts";
import type { Mesh, MeshJoint } from "../core/mesh.ts";
import { PAYLOAD_INFLUENCES } from "../formats/payload/mesh.ts";
import { defaultSwitchDistance, lodRadius } from "../ops/build_lods.ts";
import { capInfluences } from "../ops/cap_influences.ts";
import { rebuildTangents } from "../ops/rebuild_tangents.ts";
import { countLostSigns } from "../ops/tangent_signs.ts";
import {
  addDefaults,
  type AddedEntry,
  addNormals,
  dropBonelessSkin,
  dropUnheld,
  fitBindPose,
  fitMorphs,
  type FitOptions,
  fitSkin,
  type Fitted,
  fitTriangles,
} from "./fit_parts.ts";

/** Angle between the rotation and its Euler form after rounding to f32, radians. */
function eulerError(joint: MeshJoint): number {
  const degrees = joint.rotationDeg ??
    eulerDegreesFromQuaternion(joint.rotation);
  const q = quaternionFromEulerDegrees(degrees.map(Math.fround));
  const r = joint.rotation;
  const length = Math.sqrt(r.reduce((s, x) => s + x * x, 0));
  const dot = Math.abs(q.reduce((s, x, k) => s + x * r[k], 0)) / length;
  return 2 * Math.acos(Math.min(1, dot));
}

/** What a payload takes. */
export function fitPayload(
  mesh: Mesh,
  loss: LossReport,
  options: FitOptions,
): Fitted {
  const added: AddedEntry[] = [];
  const target = "a payload";
  let m = dropUnheld(mesh, loss, target, {
    uvs: 1,
    materials: false,
    color: "rgb",
  });
  m = addNormals(fitTriangles(m, loss), added);
  if (m.attributes.tangent) {
    loss.add(
      "dropped",
      "tangent signs",
      countLostSigns(m),
      `${target} holds none, and texture coordinates and normals give others`,
    );
  } else {
    m = rebuildTangents(m, { rule: "payload" });
    added.push({
      what: "tangents",
      count: m.vertexCount,
      why: m.attributes.uvs.length > 0
        ? "texture gradients, by the payload's own rule"
        : "at right angles to the normals, by the payload's own rule; there are no texture coordinates to follow",
    });
  }
  if (m.morphs && m.morphs.names.length > 0 && !m.skeleton) {
    added.push({
      what: "joints",
      count: 1,
      why: "only a skinned payload holds morph targets; the joint stands still",
    });
    m = withStillJoint(m);
  }
  m = dropBonelessSkin(m, loss);
  addDefaults(m, target, { color: true, skin: m.skeleton !== null }, added);
  if (m.skeleton) {
    m = fitBindPose(m, loss, target);
    const bones = m.skeleton!.length;
    const slots = Math.min(
      options.maxInfluences ?? PAYLOAD_INFLUENCES,
      PAYLOAD_INFLUENCES,
    );
    // joint numbers of a skeleton without joints mean nothing, and stay as they are
    if (bones > 0 || m.influences !== slots) {
      m = fitSkin(m, slots, bones, loss);
      // a payload always has four slots
      m = capInfluences(m, PAYLOAD_INFLUENCES, bones).mesh;
    }
    const errors = m.skeleton!.map(eulerError);
    loss.add(
      "approximated",
      "joint rotations",
      errors.filter((e) => e > 1e-6).length,
      `${target} stores Euler angles in degrees`,
      { largest: Math.max(0, ...errors) },
    );
    if (m.heightfield) {
      loss.add(
        "dropped",
        "heightfield",
        1,
        "a skinned payload holds none",
      );
      m = { ...m, heightfield: null };
    }
  }
  m = fitMorphs(m, options.morphEpsilon ?? MORPH_DELTA_EPSILON, loss);
  const without = m.lods.filter((l, i) => i > 0 && l.switchDistance === null);
  if (without.length > 0) {
    added.push({
      what: "switch distances",
      count: without.length,
      why: "12 radii at LOD 1, doubling, by the payload's own rule",
    });
    m = {
      ...m,
      lods: m.lods.map((l, i) =>
        i > 0 && l.switchDistance === null
          ? { ...l, switchDistance: defaultSwitchDistance(lodRadius(m), i) }
          : l
      ),
    };
  }
  return { mesh: m, added };
}

function withStillJoint(mesh: Mesh): Mesh {
  const weights = new Float32Array(mesh.vertexCount * PAYLOAD_INFLUENCES);
  for (let i = 0; i < weights.length; i += PAYLOAD_INFLUENCES) weights[i] = 1;
  return {
    ...mesh,
    influences: PAYLOAD_INFLUENCES,
    attributes: {
      ...mesh.attributes,
      joints: new Uint16Array(mesh.vertexCount * PAYLOAD_INFLUENCES),
      weights,
    },
    skeleton: [{
      name: "root",
      parent: -1,
      translation: [0, 0, 0],
      rotation: [0, 0, 0, 1],
      scale: [1, 1, 1],
      rotationDeg: [0, 0, 0],
    }],
  };
}
