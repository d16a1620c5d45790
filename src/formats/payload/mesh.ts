/**
 * Between the payload and the mesh model.
 *
 * @module
 */
import { bitsOf } from "../../core/bytes.ts";
import { meshError } from "../../core/errors.ts";
import { PAYLOAD_MAX_VERTICES } from "../../core/limits.ts";
import {
  eulerDegreesFromQuaternion,
  quaternionFromEulerDegrees,
} from "../../core/matrix.ts";
import type {
  Mesh,
  MeshJoint,
  MeshLod,
  SparseMorphs,
} from "../../core/mesh.ts";
import { sparsifyMorphs } from "../../kernels/morphs.ts";
import {
  noMorphs,
  type PayloadFile,
  type PayloadJoint,
  type PayloadMorphs,
  type Triple,
  type VertexArrays,
} from "./types.ts";
import { narrow } from "./write.ts";

/** Influences of a payload vertex. */
export const PAYLOAD_INFLUENCES = 4;

/** Repacks vertices from one width to another, bits untouched, filling new places with `fill`. */
function repack(
  values: Float32Array,
  from: number,
  to: number,
  fill: number,
): Float32Array<ArrayBuffer> {
  const count = values.length / from;
  const out = new Float32Array(count * to).fill(fill);
  const [a, b] = [bitsOf(values), bitsOf(out)];
  const width = Math.min(from, to);
  for (let v = 0; v < count; v++) {
    for (let k = 0; k < width; k++) b[v * to + k] = a[v * from + k];
  }
  return out;
}

const tuple = (t: Triple): [number, number, number] => [t[0], t[1], t[2]];

function toMeshJoint(joint: PayloadJoint, i: number): MeshJoint {
  const rotation = quaternionFromEulerDegrees(joint.rotationDeg);
  return {
    name: joint.name,
    // the engine takes any other parent for "none"
    parent: joint.parent >= 0 && joint.parent < i ? joint.parent : -1,
    translation: tuple(joint.translation),
    rotation: rotation.map(Math.fround) as MeshJoint["rotation"],
    scale: tuple(joint.scale),
    rotationDeg: tuple(joint.rotationDeg),
  };
}

/**
 * A payload as a mesh: right-handed, +Y up, metres. Tangent signs are 1, colours get alpha 1, joints with a parent that the
 * engine ignores become roots. Legacy dense morph targets become sparse with every delta that is not zero.
 */
export function payloadToMesh(file: PayloadFile): Mesh {
  const { vertices: v } = file;
  const lod = (indices: Uint16Array, distance: number | null): MeshLod => ({
    indices: Uint32Array.from(indices),
    groups: [],
    switchDistance: distance,
  });
  const skinned = file.kind === "skinned";
  let morphs: SparseMorphs | null = null;
  if (skinned && file.morphs.names.length > 0) {
    // the dense block keeps deltas below the epsilon; whether to drop them is for the target to say
    morphs = file.denseMorphs
      ? sparsifyMorphs(file.denseMorphs, file.morphs.names, v.count, 0)
      : file.morphs;
  }
  return {
    name: "",
    basis: "payload",
    vertexCount: v.count,
    attributes: {
      position: v.pos,
      normal: v.normal,
      tangent: repack(v.tangent, 3, 4, 1),
      color: repack(v.color, 3, 4, 1),
      uvs: [v.uv],
      ...(skinned
        ? { joints: file.vertices.joints, weights: file.vertices.weights }
        : {}),
    },
    influences: skinned ? PAYLOAD_INFLUENCES : 0,
    lods: [
      lod(file.indices, null),
      ...file.lodAlternates.map((l) => lod(l.indices, l.switchDistance)),
    ],
    materials: [],
    morphs,
    skeleton: skinned ? file.joints.map(toMeshJoint) : null,
    heightfield: skinned ? null : file.heightfield,
  };
}

function payloadMorphs(mesh: Mesh): PayloadMorphs {
  if (!mesh.morphs || mesh.morphs.names.length === 0) return noMorphs();
  return {
    ...mesh.morphs,
    normal: mesh.morphs.normal ??
      new Float32Array(mesh.morphs.position.length),
  };
}

function required(
  values: Float32Array | undefined,
  name: string,
): Float32Array {
  if (values) return values;
  throw meshError(
    "ARGUMENT",
    `Give the mesh ${name} before writing a payload: it has none`,
    { format: "payload", path: name },
  );
}

/**
 * A payload file from a mesh in the payload's or glTF's axes. The mesh must have normals, tangents and at most four
 * influences; colours are white and texture coordinates zero where it has none. It becomes skinned when it has a skeleton.
 *
 * @throws {MeshError} PAYLOAD-VERTEX-COUNT above 65,536 vertices; PAYLOAD-INDEX-WIDTH for an index above 65,535; ARGUMENT
 * for a missing attribute.
 */
export function meshToPayload(mesh: Mesh): PayloadFile {
  const n = mesh.vertexCount;
  if (n > PAYLOAD_MAX_VERTICES) {
    throw meshError(
      "PAYLOAD-VERTEX-COUNT",
      `Split the mesh (the option split does): it has ${n} vertices, a payload holds ${PAYLOAD_MAX_VERTICES}`,
      {
        format: "payload",
        path: "vertices",
        found: n,
        allowed: PAYLOAD_MAX_VERTICES,
      },
    );
  }
  const a = mesh.attributes;
  const vertices: VertexArrays = {
    count: n,
    pos: a.position,
    normal: required(a.normal, "normals"),
    tangent: repack(required(a.tangent, "tangents"), 4, 3, 0),
    color: a.color ? repack(a.color, 4, 3, 1) : new Float32Array(n * 3).fill(1),
    uv: a.uvs[0] ?? new Float32Array(n * 2),
  };
  const indices = (lod: MeshLod, level: number) =>
    narrow(lod.indices ?? [], `lods/${level}/indices`);
  const common = {
    indices: indices(mesh.lods[0], 0),
    lodAlternates: mesh.lods.slice(1).map((lod, i) => ({
      switchDistance: lod.switchDistance ?? 0,
      indices: indices(lod, i + 1),
    })),
    hasLodsBlock: mesh.lods.length > 1,
    trailing: new Uint8Array(0),
  };
  if (!mesh.skeleton) {
    return {
      kind: "static",
      ...common,
      vertices,
      heightfield: mesh.heightfield,
    };
  }
  if (a.joints && mesh.influences !== PAYLOAD_INFLUENCES) {
    throw meshError(
      "ARGUMENT",
      `Cap influences to ${PAYLOAD_INFLUENCES} before writing a payload: the mesh has ${mesh.influences}`,
      {
        format: "payload",
        path: "influences",
        found: mesh.influences,
        allowed: PAYLOAD_INFLUENCES,
      },
    );
  }
  const morphs = payloadMorphs(mesh);
  return {
    kind: "skinned",
    ...common,
    vertices: {
      ...vertices,
      joints: a.joints ?? new Uint16Array(n * PAYLOAD_INFLUENCES),
      weights: a.weights ?? firstSlotOne(n),
    },
    joints: mesh.skeleton.map((joint) => ({
      name: joint.name,
      parent: joint.parent,
      translation: joint.translation,
      rotationDeg: joint.rotationDeg ??
        eulerDegreesFromQuaternion(joint.rotation),
      scale: joint.scale,
    })),
    morphs,
    morphBlock: morphs.names.length > 0 ? "MRPS" : "none",
    denseMorphs: null,
  };
}

function firstSlotOne(vertices: number): Float32Array {
  const out = new Float32Array(vertices * PAYLOAD_INFLUENCES);
  for (let i = 0; i < out.length; i += PAYLOAD_INFLUENCES) out[i] = 1;
  return out;
}
