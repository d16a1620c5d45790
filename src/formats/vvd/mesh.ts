/**
 * Between the VVD and the mesh model. A lone VVD is a pool of points: the faces are in the VTX.
 *
 * @module
 */
import { meshError } from "../../core/errors.ts";
import type { Mesh } from "../../core/mesh.ts";
import { VVD_MAX_INFLUENCES } from "../../core/limits.ts";
import { RECORD_BYTES, TANGENT_BYTES } from "../../kernels/replay.ts";
import { type ReplayVvdOptions, splitVvd } from "./replay.ts";
import { type Vvd, VVD_VERSION } from "./types.ts";

/**
 * The vertices of a root LOD as a mesh without faces, in Source's axes and inches.
 *
 * Slots past a vertex's bone count carry no weight; a vertex without bones is rigid to bone 0, one that claims more than
 * three has three. Only an MDL tells what the extra-data block holds, so its arrays are not looked at.
 *
 * @param vvd A VVD.
 * @param rootLod Root LOD, clamped to the last one.
 * @throws {MeshError} As {@linkcode splitVvd}.
 */
export function vvdToMesh(
  vvd: Vvd,
  rootLod: number,
  options: ReplayVvdOptions & { maxKernelBytes?: number } = {},
): Mesh {
  const split = splitVvd(vvd, rootLod, options);
  const joints = new Uint16Array(split.count * VVD_MAX_INFLUENCES);
  const weights = split.weights;
  for (let v = 0; v < split.count; v++) {
    const claimed = split.bones[v * 4 + 3];
    const n = Math.min(claimed, VVD_MAX_INFLUENCES);
    for (let k = 0; k < VVD_MAX_INFLUENCES; k++) {
      if (k < n) joints[v * 3 + k] = split.bones[v * 4 + k];
      else weights[v * 3 + k] = claimed === 0 && k === 0 ? 1 : 0;
    }
  }
  return {
    name: "",
    basis: "source",
    vertexCount: split.count,
    attributes: {
      position: split.position,
      normal: split.normal,
      ...(split.tangent ? { tangent: split.tangent } : {}),
      uvs: [split.uv],
      joints,
      weights,
    },
    influences: VVD_MAX_INFLUENCES,
    lods: [{ indices: null, groups: [], switchDistance: null }],
    materials: [],
    morphs: null,
    skeleton: null,
    heightfield: null,
  };
}

/** Number of bones that a vertex's weights need: up to the last slot that carries any. */
function boneCount(mesh: Mesh, v: number): number {
  const { weights } = mesh.attributes;
  if (!weights) return 1;
  for (let k = mesh.influences - 1; k > 0; k--) {
    if (weights[v * mesh.influences + k] !== 0) return k + 1;
  }
  return 1;
}

/** A joint number as the byte that a record has for it; a larger one is refused, never wrapped. */
function boneNumber(joint: number, v: number): number {
  if (joint <= 255) return joint;
  throw meshError(
    "ARGUMENT",
    `Number the joints below 256 before writing a VVD: vertex ${v} names joint ${joint}`,
    { format: "vvd", path: "joints", found: joint, allowed: 255 },
  );
}

/**
 * A VVD with one LOD from a mesh in Source's axes and inches. Vertices only: faces, morph targets and the skeleton belong
 * to other files. The mesh has at most three influences and joint numbers below 256.
 *
 * @param mesh Mesh in the `source` basis.
 * @param checksum Checksum of the model, 0 unless given.
 * @throws {MeshError} ARGUMENT for more influences or joints than a record holds.
 */
export function meshToVvd(mesh: Mesh, checksum = 0): Vvd {
  const n = mesh.vertexCount;
  if (mesh.influences > VVD_MAX_INFLUENCES) {
    throw meshError(
      "ARGUMENT",
      `Cap influences to ${VVD_MAX_INFLUENCES} before writing a VVD: the mesh has ${mesh.influences}`,
      {
        format: "vvd",
        path: "influences",
        found: mesh.influences,
        allowed: VVD_MAX_INFLUENCES,
      },
    );
  }
  const { position, normal, tangent, uvs, joints, weights } = mesh.attributes;
  const vertexData = new Uint8Array(n * RECORD_BYTES);
  const view = new DataView(vertexData.buffer);
  for (let v = 0; v < n; v++) {
    const at = v * RECORD_BYTES;
    const bones = boneCount(mesh, v);
    for (let k = 0; k < bones; k++) {
      const from = v * mesh.influences + k;
      view.setFloat32(at + 4 * k, weights ? weights[from] : 1, true);
      vertexData[at + 12 + k] = joints ? boneNumber(joints[from], v) : 0;
    }
    vertexData[at + 15] = bones;
    for (let k = 0; k < 3; k++) {
      view.setFloat32(at + 16 + 4 * k, position[v * 3 + k], true);
      view.setFloat32(at + 28 + 4 * k, normal ? normal[v * 3 + k] : 0, true);
    }
    for (let k = 0; k < 2 && uvs.length > 0; k++) {
      view.setFloat32(at + 40 + 4 * k, uvs[0][v * 2 + k], true);
    }
  }
  return {
    version: VVD_VERSION,
    checksum: checksum >>> 0,
    numLODs: 1,
    numLODVertexes: new Array<number>(8).fill(n),
    fixups: [],
    fixupTableStart: 0,
    vertexDataStart: 0,
    tangentDataStart: 0,
    vertexData,
    tangentData: tangent
      ? new Uint8Array(tangent.slice().buffer, 0, n * TANGENT_BYTES)
      : null,
    extra: [],
    original: null,
  };
}
