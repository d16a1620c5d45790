/**
 * Fits a mesh to what a target format can hold, and reports every change.
 *
 * @module
 */
import { meshError } from "../core/errors.ts";
import {
  MORPH_DELTA_EPSILON,
  SOURCE1_MAX_BONES,
  UNIT_LENGTH_TOLERANCE,
  VVD_MAX_INFLUENCES,
} from "../core/limits.ts";
import {
  eulerDegreesFromQuaternion,
  quaternionFromEulerDegrees,
} from "../core/matrix.ts";
import type { LossReport } from "../core/loss.ts";
import type { Mesh, MeshJoint } from "../core/mesh.ts";
import { CSS_MAX_INFLUENCES } from "../formats/css/types.ts";
import { PAYLOAD_INFLUENCES } from "../formats/payload/mesh.ts";
import { defaultSwitchDistance, lodRadius } from "../ops/build_lods.ts";
import { capInfluences } from "../ops/cap_influences.ts";
import { cleanTriangles } from "../ops/clean_triangles.ts";
import { filterMorphs } from "../ops/filter_morphs.ts";
import { rebindSkeleton } from "../ops/rebind_skeleton.ts";
import { rebuildNormals } from "../ops/rebuild_normals.ts";
import { rebuildTangents } from "../ops/rebuild_tangents.ts";
import { repairVectors } from "../ops/repair_vectors.ts";

/** Options of the fitting. */
export interface FitOptions {
  /** Largest morph delta component that is dropped. */
  morphEpsilon?: number;
  /** Fewer influences than the target holds. */
  maxInfluences?: number;
  /** Engine that an SMD is for: `source1` holds 3 influences a vertex and 128 bones. */
  target?: "source1";
}

/** Largest |length − 1| of a quaternion that glTF's validator takes, halved. */
const ROTATION_TOLERANCE = 2.5e-4;

/** Data that the target needs and the source had not. */
export interface AddedEntry {
  /** What. */
  what: string;
  /** How many. */
  count: number;
  /** By which rule. */
  why: string;
}

/** Result of a fitting. */
export interface Fitted {
  /** The mesh. */
  mesh: Mesh;
  /** What was added. */
  added: AddedEntry[];
}

/** Triangles and vectors that a strict format can not hold. */
function repairGeometry(
  mesh: Mesh,
  loss: LossReport,
  up: readonly [number, number, number],
): Mesh {
  const demanded = { demanded: true };
  const clean = cleanTriangles(mesh);
  loss.add(
    "repaired",
    "triangles",
    clean.outOfRange,
    "they name a vertex that does not exist, and were left out",
    demanded,
  );
  loss.add(
    "repaired",
    "triangles",
    clean.nonFinite,
    "a corner is not finite, and they were left out",
    demanded,
  );
  loss.add(
    "repaired",
    "indices",
    clean.leftover,
    "they make no whole triangle, and were left out",
    demanded,
  );
  const r = repairVectors(clean.mesh, up);
  const rows: [string, number, string][] = [
    ["positions", r.positions, "NaN or infinite components became 0"],
    [
      "texture coordinates, colours and weights",
      r.values,
      "NaN or infinite components became 0",
    ],
    ["normals", r.zeroNormals, "they had no direction and became the up axis"],
    [
      "tangents",
      r.zeroTangents,
      "they had no direction and became one at right angles to the normal",
    ],
    ["tangent signs", r.signs, "they were neither 1 nor -1"],
  ];
  for (const [what, count, why] of rows) {
    loss.add("repaired", what, count, why, demanded);
  }
  loss.add("repaired", "normals", r.normals, "they were not of unit length", {
    ...demanded,
    largest: r.largest,
  });
  loss.add("repaired", "tangents", r.tangents, "they were not of unit length", {
    ...demanded,
    largest: r.largest,
  });
  return r.mesh;
}

function fitSkin(
  mesh: Mesh,
  slots: number,
  joints: number,
  loss: LossReport,
): Mesh {
  const c = capInfluences(mesh, slots, joints);
  const demanded = { demanded: true };
  loss.add(
    "dropped",
    "influences",
    c.capped,
    `vertices keep their ${slots} largest`,
    { largest: c.largestLost },
  );
  loss.add(
    "repaired",
    "influences",
    c.merged,
    "vertices named a joint twice; the weights were added",
    demanded,
  );
  loss.add(
    "repaired",
    "weights",
    c.invalid,
    "negative or non-finite weights became 0",
    demanded,
  );
  loss.add(
    "repaired",
    "weights",
    c.normalised,
    "they did not sum to one and were divided by their sum",
    { ...demanded, largest: c.largestSum },
  );
  loss.add(
    "repaired",
    "weights",
    c.weightless,
    "vertices without weight became rigid to their first joint",
    demanded,
  );
  loss.add(
    "repaired",
    "joint numbers",
    c.clamped,
    "they named no joint and became the last one, as in the payload's engine",
    demanded,
  );
  loss.add(
    "repaired",
    "joint numbers",
    c.cleared,
    "slots without weight name joint 0",
    demanded,
  );
  return c.mesh;
}

function fitMorphs(mesh: Mesh, epsilon: number, loss: LossReport): Mesh {
  const f = filterMorphs(mesh, epsilon);
  loss.add(
    "repaired",
    "morph entries",
    f.nonFinite,
    "NaN or infinite components became 0",
    { demanded: true },
  );
  loss.add(
    "changed",
    "morph entries",
    f.merged,
    "a vertex had two for one target; they were added, as the payload's engine does",
  );
  loss.add(
    "changed",
    "order of morph entries",
    f.reordered,
    "vertices listed their targets in another order",
  );
  loss.add(
    "dropped",
    "morph entries",
    f.dropped,
    epsilon > 0
      ? `every component is at or below ${epsilon}`
      : "they move nothing",
    { largest: f.largest },
  );
  loss.add(
    "dropped",
    "morph targets' last entries",
    f.emptied.length,
    `nothing is left of ${f.emptied.map((n) => JSON.stringify(n)).join(", ")}`,
  );
  return f.mesh;
}

function fitJoints(mesh: Mesh, loss: LossReport): Mesh {
  if (!mesh.skeleton) return mesh;
  let count = 0;
  let turned = 0;
  const skeleton = mesh.skeleton.map((joint): MeshJoint => {
    const finite = (values: readonly number[], fallback: number[]) =>
      values.every(Number.isFinite) ? values : fallback;
    const degrees = joint.rotationDeg?.every(Number.isFinite) ?? true;
    const next = {
      ...joint,
      translation: finite(joint.translation, [0, 0, 0]),
      rotation: finite(joint.rotation, [0, 0, 0, 1]),
      scale: finite(joint.scale, [1, 1, 1]),
    } as MeshJoint;

    if (!degrees) delete next.rotationDeg;
    const changed = !degrees || next.translation !== joint.translation ||
      next.rotation !== joint.rotation || next.scale !== joint.scale;
    if (changed) count++;
    const length = Math.sqrt(next.rotation.reduce((s, x) => s + x * x, 0));
    if (Math.abs(length - 1) > UNIT_LENGTH_TOLERANCE) {
      turned++;
      next.rotation = length > 0
        ? next.rotation.map((x) => x / length) as MeshJoint["rotation"]
        : [0, 0, 0, 1];
    }
    return next;
  });
  loss.add(
    "repaired",
    "joints",
    count,
    "parts of the bind pose that are not finite became the identity",
    { demanded: true },
  );
  loss.add(
    "repaired",
    "joint rotations",
    turned,
    "they were not of unit length",
    { demanded: true },
  );
  return count + turned > 0 ? { ...mesh, skeleton } : mesh;
}

function fitHeightfield(mesh: Mesh, loss: LossReport): Mesh {
  const grid = mesh.heightfield;
  if (!grid) return mesh;
  const bad = grid.heights.reduce(
    (n, h) => n + (Number.isFinite(h) ? 0 : 1),
    0,
  );
  if (bad === 0) return mesh;
  loss.add("repaired", "heights", bad, "NaN or infinite heights became 0", {
    demanded: true,
  });
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
  loss.add(
    "repaired",
    "joint rotations",
    count,
    "the quaternion was not of unit length",
    { demanded: true, largest },
  );
  return count > 0 ? { ...mesh, skeleton } : mesh;
}

function fitGltf(
  mesh: Mesh,
  loss: LossReport,
  options: FitOptions,
): Fitted {
  let m = fitHeightfield(fitRotations(fitJoints(mesh, loss), loss), loss);
  if (m.skeleton && m.skeleton.length > 0) {
    const slots = Math.min(options.maxInfluences ?? Infinity, m.influences);
    m = fitSkin(m, Math.max(slots, 1), m.skeleton.length, loss);
    if (m.vertexCount === 0) {
      loss.add(
        "dropped",
        "joints",
        m.skeleton!.length,
        "glTF ties a skeleton to a mesh with vertices",
      );
      m = { ...m, skeleton: null };
    }
  }
  m = repairGeometry(m, loss, [0, 1, 0]);
  if (m.attributes.tangent && !m.attributes.normal) {
    const { tangent: _, ...rest } = m.attributes;
    loss.add(
      "dropped",
      "tangents",
      m.vertexCount,
      "glTF has none without normals",
    );
    m = { ...m, attributes: rest };
  }
  const { color } = m.attributes;
  // comparisons, since Math.max would take the sign off -0
  const clamped = color?.map((x) => x < 0 ? 0 : x > 1 ? 1 : x);
  if (color && clamped) {
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
    m = { ...m, attributes: { ...m.attributes, color: clamped } };
  }
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

function dropUnheld(
  mesh: Mesh,
  loss: LossReport,
  target: string,
  holds: { uvs: number; materials: boolean; color: "rgb" | "none" },
): Mesh {
  const a = { ...mesh.attributes };
  const why = `${target} holds none`;
  if (a.uvs.length > holds.uvs) {
    loss.add(
      "dropped",
      "texture coordinate sets",
      a.uvs.length - holds.uvs,
      `${target} holds ${holds.uvs}`,
    );
    a.uvs = a.uvs.slice(0, holds.uvs);
  }
  if (a.color && holds.color === "none") {
    loss.add("dropped", "colours", mesh.vertexCount, why);
    delete a.color;
  } else if (a.color) {
    let count = 0;
    for (let i = 3; i < a.color.length; i += 4) if (a.color[i] !== 1) count++;
    loss.add("dropped", "colour alphas", count, why);
  }
  if (!holds.materials) {
    loss.add("dropped", "materials", mesh.materials.length, why);
  }
  return { ...mesh, attributes: a };
}

function fitPayload(
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
  const clean = cleanTriangles(m);
  loss.add(
    "repaired",
    "indices",
    clean.leftover,
    "they make no whole triangle, and were left out",
    { demanded: true },
  );
  m = clean.mesh;
  if (!m.attributes.normal) {
    m = rebuildNormals(m);
    added.push({
      what: "normals",
      count: m.vertexCount,
      why: "smooth, by the payload's own rule",
    });
  }
  const { tangent } = m.attributes;
  if (tangent) {
    let negative = 0;
    for (let i = 3; i < tangent.length; i += 4) if (tangent[i] < 0) negative++;
    loss.add("dropped", "tangent signs", negative, `${target} holds none`);
  } else {
    m = rebuildTangents(m, { rule: "payload" });
    added.push({
      what: "tangents",
      count: m.vertexCount,
      why: "texture gradients, by the payload's own rule",
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
  if (!m.skeleton && m.attributes.joints) {
    loss.add(
      "dropped",
      "skin weights",
      m.vertexCount,
      "there is no skeleton that the joint numbers belong to",
    );
    const { joints: _, weights: __, ...rest } = m.attributes;
    m = { ...m, influences: 0, attributes: rest };
  }
  if (m.skeleton) {
    const bound = rebindSkeleton(m);
    loss.add(
      "changed",
      "joints",
      bound.moved,
      `${target} stores no inverse bind matrices; the bind pose takes their place`,
      { largest: bound.largestError },
    );
    const bones = bound.mesh.skeleton!.length;
    const slots = Math.min(
      options.maxInfluences ?? PAYLOAD_INFLUENCES,
      PAYLOAD_INFLUENCES,
    );
    m = bound.mesh;
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

/** Bone numbers of a Source vertex are bytes. */
const VVD_MAX_BONES = 256;

/** Skin, vectors and triangles as a CSS authored mesh needs them; what remains is done when the mesh becomes one. */
function fitCss(mesh: Mesh, loss: LossReport, options: FitOptions): Fitted {
  let m = fitJoints(mesh, loss);
  const { tangent, ...rest } = m.attributes;
  if (tangent) {
    loss.add(
      "dropped",
      "tangents",
      m.vertexCount,
      "the format holds none; the importer rebuilds them",
    );
    m = { ...m, attributes: rest };
  }
  if (m.attributes.joints && !m.skeleton) {
    loss.add(
      "dropped",
      "skin weights",
      m.vertexCount,
      "there is no skeleton that the joint numbers belong to",
    );
    const { joints: _, weights: __, ...unskinned } = m.attributes;
    m = { ...m, influences: 0, attributes: unskinned };
  }
  if (m.skeleton && m.skeleton.length > 0) {
    const bound = rebindSkeleton(m);
    loss.add(
      "changed",
      "joints",
      bound.moved,
      "the format stores no inverse bind matrices; the bind pose takes their place",
      { largest: bound.largestError },
    );
    m = fitSkin(
      bound.mesh,
      Math.min(options.maxInfluences ?? CSS_MAX_INFLUENCES, CSS_MAX_INFLUENCES),
      bound.mesh.skeleton!.length,
      loss,
    );
  }
  m = repairGeometry(m, loss, [0, 0, 1]);
  return { mesh: fitMorphs(m, options.morphEpsilon ?? 0, loss), added: [] };
}

function fitVvd(mesh: Mesh, loss: LossReport, options: FitOptions): Fitted {
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
  loss.add(
    "dropped",
    "joints",
    m.skeleton?.length ?? 0,
    `${why}; they belong in an MDL`,
  );
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
  return {
    mesh: {
      ...m,
      lods: [{ indices: null, groups: [], switchDistance: null }],
      morphs: null,
      skeleton: null,
      heightfield: null,
    },
    added: [],
  };
}

/** Tangents, which neither text format has a place for. */
function dropTangents(mesh: Mesh, loss: LossReport, why: string): Mesh {
  if (!mesh.attributes.tangent) return mesh;
  loss.add("dropped", "tangents", mesh.vertexCount, why);
  const { tangent: _, ...rest } = mesh.attributes;
  return { ...mesh, attributes: rest };
}

function fitObj(mesh: Mesh, loss: LossReport): Fitted {
  const target = "an OBJ";
  const why = `${target} holds none`;
  let m = dropUnheld(mesh, loss, target, {
    uvs: 1,
    materials: true,
    color: "none",
  });
  m = dropTangents(m, loss, why);
  loss.add("dropped", "levels of detail", m.lods.length - 1, why);
  loss.add("dropped", "morph targets", m.morphs?.names.length ?? 0, why);
  loss.add("dropped", "joints", m.skeleton?.length ?? 0, why);
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

function fitSmd(mesh: Mesh, loss: LossReport, options: FitOptions): Fitted {
  const added: AddedEntry[] = [];
  const target = "an SMD";
  const why = `${target} holds none`;
  let m = dropUnheld(mesh, loss, target, {
    uvs: 1,
    materials: true,
    color: "none",
  });
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
      `Reduce the skeleton: it has ${bones} bones, --target source1 holds ${SOURCE1_MAX_BONES}`,
      {
        format: "smd",
        path: "skeleton",
        found: bones,
        allowed: SOURCE1_MAX_BONES,
      },
    );
  }
  if (m.skeleton && bones > 0) {
    const bound = rebindSkeleton(m);
    loss.add(
      "changed",
      "joints",
      bound.moved,
      `${target} stores no inverse bind matrices; the bind pose takes their place`,
      { largest: bound.largestError },
    );
    m = bound.mesh;
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
  } else if (m.attributes.joints) {
    loss.add(
      "dropped",
      "skin weights",
      m.vertexCount,
      "there is no skeleton that the joint numbers belong to",
    );
  }
  if (!m.attributes.normal && m.lods[0].indices) {
    m = rebuildNormals(m);
    added.push({
      what: "normals",
      count: m.vertexCount,
      why: "smooth, by the payload's own rule",
    });
  }
  m = repairGeometry(m, loss, [0, 0, 1]);
  m = fitMorphs(m, options.morphEpsilon ?? 0, loss);
  return { mesh: m, added };
}

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
