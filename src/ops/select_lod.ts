/**
 * Keeps one level of detail.
 *
 * @module
 */
import { meshError } from "../core/errors.ts";
import type { Mesh } from "../core/mesh.ts";

/**
 * The mesh with level `level` alone, as its level 0. All vertices stay.
 *
 * @throws {MeshError} ARGUMENT when there is no such level.
 */
export function selectLod(mesh: Mesh, level: number): Mesh {
  const lod = mesh.lods[level];
  if (!lod) {
    throw meshError(
      "ARGUMENT",
      `Choose an existing level of detail: found ${level}, the mesh has 0 to ${
        mesh.lods.length - 1
      }`,
      { path: "lod", found: level, allowed: `0 to ${mesh.lods.length - 1}` },
    );
  }
  return { ...mesh, lods: [{ ...lod, switchDistance: null }] };
}
