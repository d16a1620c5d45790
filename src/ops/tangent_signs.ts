/**
 * Finds tangent signs for meshes whose format stores none.
 *
 * @module
 */
import type { Mesh } from "../core/mesh.ts";

/** Result of {@linkcode deriveTangentSigns}. */
export interface DerivedTangentSigns {
  /** The mesh. */
  mesh: Mesh;
  /** Vertices whose texture is mirrored, sign −1. */
  mirrored: number;
  /** Vertices that mirrored and plain triangles share, on which no one sign is right; the larger area decides. */
  shared: number;
}

/**
 * Gives every tangent the sign that its triangles' texture coordinates ask for: w = 1 where w · cross(normal, tangent)
 * points up in the image (the glTF convention, v down), −1 where the texture is mirrored. A vertex without textured
 * triangles keeps 1.
 *
 * For triangle (A, B, C) with normal n the texture is mirrored when the texture triangle turns the same way as the
 * triangle seen from its front: with v down, plain mapping turns it the other way.
 *
 * @param mesh A mesh with normals, tangents and texture coordinates, in glTF's axes.
 */
export function deriveTangentSigns(mesh: Mesh): DerivedTangentSigns {
  const { position: p, normal, tangent, uvs } = mesh.attributes;
  const indices = mesh.lods[0].indices;
  if (!normal || !tangent || uvs.length === 0 || !indices) {
    return { mesh, mirrored: 0, shared: 0 };
  }
  const uv = uvs[0];
  const plainArea = new Float64Array(mesh.vertexCount);
  const mirroredArea = new Float64Array(mesh.vertexCount);
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]];
    if (Math.max(a, b, c) >= mesh.vertexCount) continue;
    const e1 = [0, 1, 2].map((k) => p[b * 3 + k] - p[a * 3 + k]);
    const e2 = [0, 1, 2].map((k) => p[c * 3 + k] - p[a * 3 + k]);
    const face = [
      e1[1] * e2[2] - e1[2] * e2[1],
      e1[2] * e2[0] - e1[0] * e2[2],
      e1[0] * e2[1] - e1[1] * e2[0],
    ];
    const texture = (uv[b * 2] - uv[a * 2]) *
        (uv[c * 2 + 1] - uv[a * 2 + 1]) -
      (uv[c * 2] - uv[a * 2]) * (uv[b * 2 + 1] - uv[a * 2 + 1]);
    const area = Math.sqrt(
      face[0] * face[0] + face[1] * face[1] + face[2] * face[2],
    );
    if (!(area > 0) || !(Math.abs(texture) > 0)) continue;
    for (const v of [a, b, c]) {
      // the stored normal, not the winding, says which side is the front: several generators wind inward
      const front = face[0] * normal[v * 3] + face[1] * normal[v * 3 + 1] +
        face[2] * normal[v * 3 + 2];
      if (front * texture > 0) mirroredArea[v] += area;
      else if (front * texture < 0) plainArea[v] += area;
    }
  }
  const out = tangent.slice();
  let mirrored = 0;
  let shared = 0;
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (mirroredArea[v] > 0 && plainArea[v] > 0) shared++;
    const minus = mirroredArea[v] > plainArea[v];
    if (minus) mirrored++;
    out[v * 4 + 3] = minus ? -1 : 1;
  }
  return {
    mesh: { ...mesh, attributes: { ...mesh.attributes, tangent: out } },
    mirrored,
    shared,
  };
}

/**
 * Tangents whose sign is lost in a format that stores none: those that {@linkcode deriveTangentSigns} does not give back.
 *
 * @param mesh A mesh in glTF's axes.
 */
export function countLostSigns(mesh: Mesh): number {
  const { tangent } = mesh.attributes;
  if (!tangent) return 0;
  const derived = deriveTangentSigns(mesh).mesh.attributes.tangent!;
  // a mesh without normals, faces or texture coordinates comes back unchanged, and will be read with 1 throughout
  const sign = (at: number) => derived === tangent ? 1 : derived[at];
  let lost = 0;
  for (let i = 3; i < tangent.length; i += 4) {
    if (tangent[i] !== sign(i)) lost++;
  }
  return lost;
}
