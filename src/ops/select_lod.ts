/**
 * Keeps one level of detail.
 *
 * @module
 */
import { meshError } from "../core/errors.ts";
import type { Mesh } from "../core/mesh.ts";

/**
 * Refuses a level that does not exist.
 *
 * @param level Level that is asked for.
 * @param levels How many the mesh has.
 * @throws {MeshError} ARGUMENT.
 */
export function requireLod(level: number, levels: number): void {
  if (Number.isInteger(level) && level >= 0 && level < levels) return;
  throw meshError(
    "ARGUMENT",
    `Choose an existing level of detail: found ${level}, the mesh has 0 to ${
      levels - 1
    }`,
    { path: "lod", found: level, allowed: `0 to ${levels - 1}` },
  );
}

/**
 * The mesh with level `level` alone, as its level 0. All vertices stay.
 *
 * @throws {MeshError} ARGUMENT when there is no such level.
 */
export function selectLod(mesh: Mesh, level: number): Mesh {
  requireLod(level, mesh.lods.length);
  return { ...mesh, lods: [{ ...mesh.lods[level], switchDistance: null }] };
}
