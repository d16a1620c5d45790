/**
 * Drops vertices that no triangle uses.
 *
 * @module
 */
import type { Mesh } from "../core/mesh.ts";
import { remapVertices } from "./remap_vertices.ts";

/**
 * The mesh without the vertices that no triangle of any level uses; the others keep their order. A cloud of points stays.
 *
 * @param mesh A mesh whose indices are in range.
 */
export function dropUnusedVertices(mesh: Mesh): Mesh {
  if (mesh.lods.some((lod) => lod.indices === null)) return mesh;
  const place = new Int32Array(mesh.vertexCount).fill(-1);
  for (const { indices } of mesh.lods) {
    for (const v of indices!) place[v] = 0;
  }
  const order: number[] = [];
  place.forEach((used, v) => {
    if (used === 0) place[v] = order.push(v) - 1;
  });
  if (order.length === mesh.vertexCount) return mesh;
  return {
    ...remapVertices(mesh, Uint32Array.from(order)),
    lods: mesh.lods.map((lod) => ({
      ...lod,
      indices: lod.indices!.map((v) => place[v]),
    })),
  };
}
