/**
 * Fits a mesh to glTF.
 *
 * @module
 */
import type { LossReport } from "../core/loss.ts";
import type { Mesh, MeshJoint } from "../core/mesh.ts";
import {
  dropTangents,
  fitJoints,
  fitMorphs,
  type FitOptions,
  fitSkin,
  type Fitted,
  repairGeometry,
  reportRepairs,
} from "./fit_parts.ts";

/** Largest |length − 1| of a quaternion that glTF's validator takes, halved. */
const ROTATION_TOLERANCE = 2.5e-4;

function fitHeightfield(mesh: Mesh, loss: LossReport): Mesh {
  const grid = mesh.heightfield;
  if (!grid) return mesh;
  const bad = grid.heights.reduce(
    (n, h) => n + (Number.isFinite(h) ? 0 : 1),
    0,
  );
  if (bad === 0) return mesh;
  reportRepairs(loss, [["heights", bad, "NaN or infinite heights became 0"]]);
  const heights = grid.heights.map((h) => Number.isFinite(h) ? h : 0);
  return { ...mesh, heightfield: { ...grid, heights } };
}

/** glTF refuses quaternions that other formats take: their components stay within 1, and their length is 1. */
function fitRotations(mesh: Mesh, loss: LossReport): Mesh {
  if (!mesh.skeleton) return mesh;
  let count = 0;
  let largest = 0;
  const skeleton = mesh.skeleton.map((joint): MeshJoint => {
    const length = Math.sqrt(joint.rotation.reduce((s, x) => s + x * x, 0));
    const off = Math.abs(length - 1);
    const beyond = joint.rotation.some((x) => Math.abs(x) > 1);
    if (!(off > ROTATION_TOLERANCE || beyond) || length === 0) return joint;
    count++;
    largest = Math.max(largest, off);
    const rotation = joint.rotation.map((x) => Math.fround(x / length));
    return { ...joint, rotation: rotation as MeshJoint["rotation"] };
  });
  reportRepairs(loss, [
    [
      "joint rotations",
      count,
      "the quaternion was not of unit length",
      largest,
    ],
  ]);
  return count > 0 ? { ...mesh, skeleton } : mesh;
}

/** Colours within 0 to 1. */
function fitColors(mesh: Mesh, loss: LossReport): Mesh {
  const { color } = mesh.attributes;
  if (!color) return mesh;
  // comparisons, since Math.max would take the sign off -0
  const clamped = color.map((x) => x < 0 ? 0 : x > 1 ? 1 : x);
  let count = 0;
  let largest = 0;
  clamped.forEach((x, i) => {
    if (x === color[i]) return;
    count++;
    largest = Math.max(largest, Math.abs(x - color[i]));
  });
  loss.add("changed", "colours", count, "glTF holds 0 to 1", {
    largest,
    demanded: true,
  });
  return { ...mesh, attributes: { ...mesh.attributes, color: clamped } };
}

/** What glTF takes. */
export function fitGltf(
  mesh: Mesh,
  loss: LossReport,
  options: FitOptions,
): Fitted {
  let m = fitHeightfield(fitRotations(fitJoints(mesh, loss), loss), loss);
  if (m.skeleton && m.skeleton.length > 0) {
    const slots = Math.min(options.maxInfluences ?? Infinity, m.influences);
    m = fitSkin(m, Math.max(slots, 1), m.skeleton.length, loss);
    if (m.vertexCount === 0 || !m.attributes.joints) {
      loss.add(
        "dropped",
        "joints",
        m.skeleton!.length,
        "glTF ties a skeleton to vertices that name its joints",
      );
      m = { ...m, skeleton: null };
    }
  }
  m = repairGeometry(m, loss, [0, 1, 0]);
  if (!m.attributes.normal) {
    m = dropTangents(m, loss, "glTF has none without normals");
  }
  m = fitColors(m, loss);
  if (m.morphs && !m.attributes.normal && m.morphs.normal) {
    loss.add(
      "dropped",
      "morph normals",
      m.morphs.targets.length,
      "glTF has none without base normals",
    );
    m = { ...m, morphs: { ...m.morphs, normal: null } };
  }
  if (m.vertexCount === 0 && m.morphs) {
    loss.add(
      "dropped",
      "morph targets",
      m.morphs.names.length,
      "glTF ties them to a mesh with vertices",
    );
    m = { ...m, morphs: null };
  }
  m = fitMorphs(m, options.morphEpsilon ?? 0, loss);
  loss.add(
    "changed",
    "switch distances",
    m.lods.slice(1).filter((l) =>
      l.switchDistance !== null && !Number.isFinite(l.switchDistance)
    ).length,
    "JSON holds no NaN or infinity",
    { demanded: true },
  );
  return { mesh: m, added: [] };
}
