/**
 * Makes levels of detail by the payload cook's own rule, so that a cook is reproduced bit for bit.
 *
 * @module
 */
import { meshError } from "../core/errors.ts";
import { boundsOf, type Mesh, type MeshLod } from "../core/mesh.ts";
import { decimatePayload } from "./payload_decimator.ts";

/** Options of {@linkcode buildLods}. */
export interface BuildLodsOptions {
  /** Levels in all, LOD 0 included; clamped to 1 to 8. */
  levels: number;
  /** Switch distances of LOD 1 and on; 12 radii, doubling, unless given. Must be `levels` − 1. */
  distances?: readonly number[];
}

/** Most levels of a cook. */
const MAX_LEVELS = 8;
/** Fewest triangles that a level is aimed at. */
const LEAST_TRIANGLES = 4;
/** Smallest radius that distances are computed from. */
const LEAST_RADIUS = 0.25;

/** Triangles that level `level` of a mesh with `triangles` is aimed at: half for each level, at least four. */
export function targetTriangles(triangles: number, level: number): number {
  if (triangles === 0) return 0;
  return Math.max(LEAST_TRIANGLES, triangles >> Math.min(level, 20));
}

/** Half the diagonal of the bounding box, at least 0.25; 1 for a mesh without vertices. */
export function lodRadius(mesh: Mesh): number {
  const box = boundsOf(mesh.attributes.position);
  if (!box) return 1;
  const f = Math.fround;
  const d = box.max.map((x, k) => f(x - box.min[k]));
  const length = f(
    Math.sqrt(f(f(f(d[0] * d[0]) + f(d[1] * d[1])) + f(d[2] * d[2]))),
  );
  return Math.max(f(length / 2), LEAST_RADIUS);
}

/** Default switch distance of level `level`: 12 radii at LOD 1, doubling. */
export function defaultSwitchDistance(radius: number, level: number): number {
  return Math.fround(Math.max(radius, LEAST_RADIUS) * 12 * 2 ** (level - 1));
}

/**
 * The mesh with new levels of detail in place of any it had. Every level decimates LOD 0 again; where one comes out empty
 * no further ones are made.
 *
 * @param mesh A mesh with faces and one material: a level's triangles carry no groups.
 * @throws {MeshError} ARGUMENT when distances do not fit the levels, or the mesh has no faces or several materials.
 *
 * @example
 * ```ts
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { buildLods } from "@meshwright/kit/ops";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/terrain.payload")));
 * const lods = buildLods(mesh, { levels: 3 }).lods.map((l) => l.indices!.length / 3);
 * console.log(lods[0], lods.length); // 1536 3
 * ```
 */
export function buildLods(mesh: Mesh, options: BuildLodsOptions): Mesh {
  const { indices, groups } = mesh.lods[0];
  const levels = Math.min(MAX_LEVELS, Math.max(1, Math.floor(options.levels)));
  const { distances } = options;
  if (!indices) {
    throw meshError("ARGUMENT", "Give a mesh with faces: this one has none", {
      path: "lods/0/indices",
    });
  }
  if (groups.length > 1) {
    throw meshError(
      "ARGUMENT",
      `Build levels for one material at a time: the mesh has ${groups.length} groups`,
      { path: "lods/0/groups", found: groups.length, allowed: 1 },
    );
  }
  if (distances && distances.length > 0 && distances.length !== levels - 1) {
    throw meshError(
      "ARGUMENT",
      `Give a distance for every level but the first: ${distances.length} found, ${
        levels - 1
      } needed`,
      { path: "distances", found: distances.length, allowed: levels - 1 },
    );
  }
  const radius = lodRadius(mesh);
  const triangles = Math.floor(indices.length / 3);
  const lods: MeshLod[] = [mesh.lods[0]];
  for (let level = 1; level < levels; level++) {
    const list = decimatePayload(
      mesh.attributes.position,
      indices,
      targetTriangles(triangles, level),
    );
    if (list.length === 0) break;
    lods.push({
      indices: list,
      groups: groups.map((g) => ({
        start: 0,
        count: list.length,
        material: g.material,
      })),
      switchDistance: distances && distances.length > 0
        ? Math.fround(distances[level - 1])
        : defaultSwitchDistance(radius, level),
    });
  }
  return { ...mesh, lods };
}
