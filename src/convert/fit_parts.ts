/**
 * Steps that fitting a mesh to several formats shares, each with its rows in the report.
 *
 * @module
 */
import { UNIT_LENGTH_TOLERANCE } from "../core/limits.ts";
import type { LossReport } from "../core/loss.ts";
import type { Mesh, MeshJoint } from "../core/mesh.ts";
import { capInfluences } from "../ops/cap_influences.ts";
import { cleanTriangles } from "../ops/clean_triangles.ts";
import { filterMorphs } from "../ops/filter_morphs.ts";
import { rebindSkeleton } from "../ops/rebind_skeleton.ts";
import { rebuildNormals } from "../ops/rebuild_normals.ts";
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

/** What was mended, how often, why, and by how much at most. */
type Repair = readonly [
  what: string,
  count: number,
  why: string,
  largest?: number,
];

/** Reports repairs that the target format demands. */
export function reportRepairs(loss: LossReport, rows: readonly Repair[]): void {
  for (const [what, count, why, largest] of rows) {
    loss.add("repaired", what, count, why, {
      demanded: true,
      ...(largest === undefined ? {} : { largest }),
    });
  }
}

/** Leaves out triangles that name no vertex or one without a place, and indices that make no triangle. */
export function fitTriangles(mesh: Mesh, loss: LossReport): Mesh {
  const clean = cleanTriangles(mesh);
  reportRepairs(loss, [
    [
      "triangles",
      clean.outOfRange,
      "they name a vertex that does not exist, and were left out",
    ],
    [
      "triangles",
      clean.nonFinite,
      "a corner is not finite, and they were left out",
    ],
    [
      "indices",
      clean.leftover,
      "they make no whole triangle, and were left out",
    ],
  ]);
  return clean.mesh;
}

/** Triangles and vectors that a strict format can not hold. */
export function repairGeometry(
  mesh: Mesh,
  loss: LossReport,
  up: readonly [number, number, number],
): Mesh {
  const r = repairVectors(fitTriangles(mesh, loss), up);
  reportRepairs(loss, [
    ["positions", r.positions, "NaN or infinite components became 0"],
    [
      "texture coordinates, colours and weights",
      r.values,
      "NaN or infinite components became 0",
    ],
    [
      "normals",
      r.zeroNormals,
      "they had no direction and took that of the faces around them, up where there is none",
    ],
    [
      "tangents",
      r.zeroTangents,
      "they had no direction and became one at right angles to the normal",
    ],
    ["tangent signs", r.signs, "they were neither 1 nor -1"],
    ["normals", r.normals, "they were not of unit length", r.largest],
    ["tangents", r.tangents, "they were not of unit length", r.largest],
  ]);
  return r.mesh;
}

/** At most so many influences a vertex, weights that sum to one, joints that exist. */
export function fitSkin(
  mesh: Mesh,
  slots: number,
  joints: number,
  loss: LossReport,
): Mesh {
  const c = capInfluences(mesh, slots, joints);
  loss.add(
    "dropped",
    "influences",
    c.capped,
    `vertices keep their ${slots} largest`,
    { largest: c.largestLost },
  );
  reportRepairs(loss, [
    [
      "influences",
      c.merged,
      "vertices named a joint twice; the weights were added",
    ],
    ["weights", c.invalid, "negative or non-finite weights became 0"],
    [
      "weights",
      c.normalised,
      "they did not sum to one and were divided by their sum",
      c.largestSum,
    ],
    [
      "weights",
      c.weightless,
      "vertices without weight became rigid to their first joint",
    ],
    [
      "joint numbers",
      c.clamped,
      "they named no joint and became the last one, as in the payload's engine",
    ],
    ["joint numbers", c.cleared, "slots without weight name joint 0"],
  ]);
  return c.mesh;
}

/** Joints and weights of a mesh whose joints are nowhere. */
export function dropBonelessSkin(mesh: Mesh, loss: LossReport): Mesh {
  if (mesh.skeleton || !mesh.attributes.joints) return mesh;
  loss.add(
    "dropped",
    "skin weights",
    mesh.vertexCount,
    "there is no skeleton that the joint numbers belong to",
  );
  const { joints: _, weights: __, ...attributes } = mesh.attributes;
  return { ...mesh, influences: 0, attributes };
}

/** The skeleton of a mesh whose format holds none; one without joints counts too. */
export function reportSkeleton(
  mesh: Mesh,
  loss: LossReport,
  why: string,
): void {
  if (!mesh.skeleton) return;
  const { length } = mesh.skeleton;
  loss.add(
    "dropped",
    length > 0 ? "joints" : "empty skeleton",
    length || 1,
    why,
  );
}

/** The bind pose in place of inverse bind matrices, which most formats do not hold. */
export function fitBindPose(
  mesh: Mesh,
  loss: LossReport,
  target: string,
): Mesh {
  const bound = rebindSkeleton(mesh);
  loss.add(
    "changed",
    "joints",
    bound.moved,
    `${target} stores no inverse bind matrices; the bind pose takes their place`,
    { largest: bound.largestError },
  );
  return bound.mesh;
}

/** Takes tangents off. */
export function dropTangents(mesh: Mesh, loss: LossReport, why: string): Mesh {
  if (!mesh.attributes.tangent) return mesh;
  loss.add("dropped", "tangents", mesh.vertexCount, why);
  const { tangent: _, ...attributes } = mesh.attributes;
  return { ...mesh, attributes };
}

/** Normals for a format that needs them. */
export function addNormals(mesh: Mesh, added: AddedEntry[]): Mesh {
  if (mesh.attributes.normal) return mesh;
  added.push({
    what: "normals",
    count: mesh.vertexCount,
    why: "smooth, by the payload's own rule",
  });
  return rebuildNormals(mesh);
}

/** Reports what the writer of a format fills in where the mesh has none. */
export function addDefaults(
  { attributes, vertexCount }: Mesh,
  target: string,
  has: { color: boolean; skin: boolean },
  added: AddedEntry[],
): void {
  const rows: [what: string, absent: boolean, value: string][] = [
    ["texture coordinates", attributes.uvs.length === 0, "they are 0"],
    ["colours", has.color && !attributes.color, "they are white"],
    [
      "skin weights",
      has.skin && !attributes.joints,
      "each is whole on joint 0",
    ],
  ];
  for (const [what, absent, value] of rows) {
    if (!absent || vertexCount === 0) continue;
    const why = `${target} always has them: ${value}`;
    added.push({ what, count: vertexCount, why });
  }
}

/** Morph entries that do something, one a vertex and target, in order. */
export function fitMorphs(mesh: Mesh, epsilon: number, loss: LossReport): Mesh {
  const f = filterMorphs(mesh, epsilon);
  reportRepairs(loss, [
    ["morph entries", f.nonFinite, "NaN or infinite components became 0"],
  ]);
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

/** Joints whose numbers are finite and whose rotations are of unit length. */
export function fitJoints(mesh: Mesh, loss: LossReport): Mesh {
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
  reportRepairs(loss, [
    [
      "joints",
      count,
      "parts of the bind pose that are not finite became the identity",
    ],
    ["joint rotations", turned, "they were not of unit length"],
  ]);
  return count + turned > 0 ? { ...mesh, skeleton } : mesh;
}

/** Vertices of another colour than opaque white, which is what no colour means. */
function countColored(color: Float32Array): number {
  let count = 0;
  for (let i = 0; i < color.length; i += 4) {
    if (color.subarray(i, i + 4).some((x) => x !== 1)) count++;
  }
  return count;
}

/** Streams that a format has no place for. */
export function dropUnheld(
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
    loss.add("dropped", "colours", countColored(a.color), why);
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
