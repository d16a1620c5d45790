/**
 * Builds the pool order and the fixup table from per-mesh LOD lists, as the compiler does, with 32-bit tables: stock
 * compilers used 16-bit ones and destroyed models above 65,535 vertices.
 *
 * @module
 */
import { meshError } from "../../core/errors.ts";
import { MAX_NUM_LODS, type VvdFixup } from "./types.ts";

/** Result of {@linkcode buildFixups}. */
export interface BuiltFixups {
  /** For every vertex of the pool the vertex of the mesh-ordered input that stands there. */
  poolOrder: Uint32Array;
  /** The table; empty when pool order equals mesh order. */
  fixups: VvdFixup[];
  /** Eight counts; entries past the last LOD repeat it. */
  numLODVertexes: number[];
  /** Mesh-ordered input, as replay at root LOD 0 will give it: for every place the vertex of the caller's list. */
  meshOrder: Uint32Array;
}

/**
 * Sorts vertices into a pool and lists the fixups.
 *
 * Inside a mesh vertices go by LOD, lowest detail first, stable; the pool takes the lowest-detail LOD of all meshes first,
 * meshes in order; rows go by mesh, then by LOD descending, empty ones left out. With one LOD, one non-empty mesh or one
 * row there is no table, since pool order then equals mesh order.
 *
 * @param meshes For every mesh the lowest-detail LOD (0 to numLODs − 1) that needs each of its vertices.
 * @param numLODs Levels of detail, 1 to 8.
 * @throws {MeshError} ARGUMENT for a LOD out of range.
 *
 * @example
 * ```ts
 * import { buildFixups } from "@meshwright/kit/vvd";
 *
 * const { fixups } = buildFixups([Uint8Array.of(0, 1), Uint8Array.of(1, 0)], 2);
 * console.log(fixups.map((f) => [f.lod, f.sourceVertexID, f.numVertexes]));
 * // [[1, 0, 1], [0, 2, 1], [1, 1, 1], [0, 3, 1]]
 * ```
 */
export function buildFixups(
  meshes: readonly ArrayLike<number>[],
  numLODs: number,
): BuiltFixups {
  if (!Number.isInteger(numLODs) || numLODs < 1 || numLODs > MAX_NUM_LODS) {
    throw meshError(
      "ARGUMENT",
      `Give 1 to ${MAX_NUM_LODS} LODs: found ${numLODs}`,
      { format: "vvd", path: "numLODs", found: numLODs, allowed: "1 to 8" },
    );
  }
  const total = meshes.reduce((sum, m) => sum + m.length, 0);
  // counts[mesh][lod]
  const counts = meshes.map((lods, m) => {
    const row = new Array<number>(numLODs).fill(0);
    for (let v = 0; v < lods.length; v++) {
      if (!(lods[v] >= 0 && lods[v] < numLODs && Number.isInteger(lods[v]))) {
        throw meshError(
          "ARGUMENT",
          `Give every vertex a LOD from 0 to ${
            numLODs - 1
          }: vertex ${v} of mesh ${m} has ${lods[v]}`,
          {
            format: "vvd",
            path: `meshes/${m}/${v}`,
            found: lods[v],
            allowed: numLODs - 1,
          },
        );
      }
      row[lods[v]]++;
    }
    return row;
  });
  // First pool vertex of every (mesh, lod) run: LODs descending, then meshes.
  const start = meshes.map(() => new Array<number>(numLODs).fill(0));
  let at = 0;
  const numLODVertexes = new Array<number>(MAX_NUM_LODS).fill(0);
  for (let lod = numLODs - 1; lod >= 0; lod--) {
    for (let m = 0; m < meshes.length; m++) {
      start[m][lod] = at;
      at += counts[m][lod];
    }
    numLODVertexes[lod] = at;
  }
  numLODVertexes.fill(numLODVertexes[numLODs - 1], numLODs);

  const poolOrder = new Uint32Array(total);
  let first = 0;
  meshes.forEach((lods, m) => {
    const next = start[m].slice();
    for (let v = 0; v < lods.length; v++) {
      poolOrder[next[lods[v]]++] = first + v;
    }
    first += lods.length;
  });

  const rows: VvdFixup[] = [];
  const meshOrder = new Uint32Array(total);
  let out = 0;
  for (let m = 0; m < meshes.length; m++) {
    for (let lod = numLODs - 1; lod >= 0; lod--) {
      const n = counts[m][lod];
      if (n === 0) continue;
      rows.push({ lod, sourceVertexID: start[m][lod], numVertexes: n });
      for (let i = 0; i < n; i++) {
        meshOrder[out++] = poolOrder[start[m][lod] + i];
      }
    }
  }
  const used = counts.filter((row) => row.some((n) => n > 0)).length;
  const fixups = numLODs === 1 || used <= 1 || rows.length <= 1 ? [] : rows;
  return { poolOrder, fixups, numLODVertexes, meshOrder };
}
