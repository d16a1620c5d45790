/**
 * Splits a mesh so that every part has at most a given number of vertices, for formats with narrow indices.
 *
 * @module
 */
import { meshError } from "../core/errors.ts";
import type { MaterialGroup, Mesh, MeshLod } from "../core/mesh.ts";
import { PAYLOAD_MAX_VERTICES } from "../core/limits.ts";
import { remapVertices } from "./remap_vertices.ts";

/** One part under construction: which vertices it holds and its indices by level. */
class Part {
  readonly order: number[] = [];
  readonly lods: { indices: number[]; groups: MaterialGroup[] }[];

  constructor(levels: number) {
    this.lods = Array.from({ length: levels }, () => ({
      indices: [],
      groups: [],
    }));
  }
}

/** Material of every triangle of a level. */
function materialOf(lod: MeshLod): (index: number) => number {
  let g = 0;
  return (index) => {
    while (
      g < lod.groups.length &&
      index >= lod.groups[g].start + lod.groups[g].count
    ) g++;
    return lod.groups[g]?.material ?? 0;
  };
}

/**
 * Splits greedily in triangle order: a part takes triangles until the next one would bring its vertices over the limit.
 * Every triangle is in exactly one part; vertices on the cut are repeated with all their attributes, influences and morph
 * deltas. Further levels of detail go to the part that holds most of a triangle's vertices; vertices that it lacks are
 * added, or a new part is begun. Skeleton and names go with every part, the heightfield with the first.
 *
 * @param mesh Any mesh; a cloud of points is cut into runs.
 * @param maxVertices Largest number of vertices of a part, 65,536 unless given.
 *
 * @example
 * ```ts
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { splitMesh } from "@meshwright/kit/ops";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/terrain.payload")));
 * console.log(splitMesh(mesh, 300).every((part) => part.vertexCount <= 300)); // true
 * ```
 */
export function splitMesh(
  mesh: Mesh,
  maxVertices: number = PAYLOAD_MAX_VERTICES,
): Mesh[] {
  if (!(Number.isInteger(maxVertices) && maxVertices >= 3)) {
    throw meshError(
      "ARGUMENT",
      `Allow at least 3 vertices a part: found ${maxVertices}`,
      { path: "maxVertices", found: maxVertices, allowed: ">= 3" },
    );
  }
  if (mesh.vertexCount <= maxVertices) return [mesh];
  mesh.lods.forEach((lod, level) => {
    const bad = lod.indices?.findIndex((v) => v >= mesh.vertexCount) ?? -1;
    if (bad < 0) return;
    throw meshError(
      "ARGUMENT",
      `Drop triangles out of range before splitting: index ${bad} of LOD ${level} names vertex ${
        lod.indices![bad]
      } of ${mesh.vertexCount}`,
      {
        path: `lods/${level}/indices/${bad}`,
        found: lod.indices![bad],
        allowed: `< ${mesh.vertexCount}`,
      },
    );
  });
  const levels = mesh.lods.length;
  const parts: Part[] = [];
  /** local[v] of the newest part that holds v, and which part that is. */
  const home = new Int32Array(mesh.vertexCount).fill(-1);
  const local = new Uint32Array(mesh.vertexCount);
  /** For parts other than a vertex's home. */
  const others: Map<number, number>[] = [];
  const placeOf = (part: number, v: number): number | undefined =>
    home[v] === part ? local[v] : others[part].get(v);
  const place = (part: number, v: number): number => {
    const known = placeOf(part, v);
    if (known !== undefined) return known;
    if (home[v] >= 0) others[home[v]].set(v, local[v]);
    home[v] = part;
    local[v] = parts[part].order.length;
    parts[part].order.push(v);
    return local[v];
  };
  const begin = (): number => {
    others.push(new Map());
    return parts.push(new Part(levels)) - 1;
  };
  const missing = (part: number, corners: readonly number[]) =>
    new Set(corners.filter((v) => placeOf(part, v) === undefined)).size;
  const fits = (part: number, corners: readonly number[]) =>
    parts[part].order.length + missing(part, corners) <= maxVertices;

  let newest = begin();
  if (mesh.lods[0].indices === null) {
    for (let v = 0; v < mesh.vertexCount; v++) {
      if (parts[newest].order.length === maxVertices) newest = begin();
      place(newest, v);
    }
  }
  mesh.lods.forEach((lod, level) => {
    const { indices } = lod;
    if (!indices) return;
    const material = materialOf(lod);
    for (let i = 0; i + 2 < indices.length; i += 3) {
      const corners = [indices[i], indices[i + 1], indices[i + 2]];
      let part = newest;
      if (level > 0) {
        // a level of detail reuses vertices: the homes of its corners are the likely parts
        const likely = corners.map((v) => home[v]).filter((p) => p >= 0)
          .sort((a, b) => missing(a, corners) - missing(b, corners) || a - b);
        part = likely.find((p) => fits(p, corners)) ?? newest;
      }
      if (!fits(part, corners)) part = newest = begin();
      const to = parts[part].lods[level];
      const m = material(i);
      const group = to.groups.at(-1);
      if (group && group.material === m) group.count += 3;
      else to.groups.push({ start: to.indices.length, count: 3, material: m });
      for (const v of corners) to.indices.push(place(part, v));
    }
  });
  return parts.map((part, i) => ({
    ...remapVertices(mesh, Uint32Array.from(part.order)),
    name: `${mesh.name || "part"}.${i}`,
    heightfield: i === 0 ? mesh.heightfield : null,
    lods: mesh.lods.map((lod, level) => ({
      indices: lod.indices ? Uint32Array.from(part.lods[level].indices) : null,
      groups: lod.groups.length > 0 ? part.lods[level].groups : [],
      switchDistance: lod.switchDistance,
    })),
  }));
}
