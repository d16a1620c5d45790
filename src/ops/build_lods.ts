/**
 * Makes levels of detail: by meshoptimizer's simplifier, or by the payload cook's own rule, so that a cook is reproduced bit
 * for bit.
 *
 * @module
 */
import { meshError } from "../core/errors.ts";
import { MAX_BUILT_LODS } from "../core/limits.ts";
import { boundsOf, type Mesh, type MeshLod } from "../core/mesh.ts";
import { decimatePayload } from "./payload_decimator.ts";
import { type Simplifier, simplifyTriangles } from "./simplify_triangles.ts";

/** What decides which triangles a level has. */
export type LodRule = "meshoptimizer" | "payload";

/** Options of {@linkcode buildLods}. */
export interface BuildLodsOptions {
  /** meshoptimizer where a `simplifier` is given, else the payload's rule, unless named. */
  rule?: LodRule;
  /** Levels in all, LOD 0 included, each with half the triangles of the one before; clamped to 1 to 8. Or give `ratios`. */
  levels?: number;
  /** Triangles of LOD 1 and on as parts of those of LOD 0: below 1, each smaller than the one before, at most 7. */
  ratios?: readonly number[];
  /** Switch distances of LOD 1 and on, in the mesh's unit; 12 radii, doubling, unless given. */
  switchDistances?: readonly number[];
  /** meshoptimizer: its `MeshoptSimplifier`, of npm's `meshoptimizer/simplifier`, once `ready` has resolved. */
  simplifier?: Simplifier;
  /** meshoptimizer: largest deviation as a part of the mesh's extent; 0.1 unless given. It comes before the ratios. */
  targetError?: number;
  /** meshoptimizer: keep every edge that only one triangle has. */
  lockBorder?: boolean;
}

/** What {@linkcode measureLods} gives. */
export interface BuiltLods {
  /** The mesh. */
  mesh: Mesh;
  /** The rule that was used. */
  rule: LodRule;
  /** Levels asked for, LOD 0 included. */
  asked: number;
  /** Largest deviation from LOD 0 as a part of the extent, as meshoptimizer estimates it; null for the payload's rule. */
  largestError: number | null;
}

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

/** Number of levels asked for, LOD 0 included. */
function askedLevels({ levels, ratios }: BuildLodsOptions): number {
  if (ratios !== undefined) return ratios.length + 1;
  return Math.min(MAX_BUILT_LODS, Math.max(1, Math.floor(levels ?? 1)));
}

/** Refuses options that contradict one another or the mesh. */
function check(mesh: Mesh, rule: LodRule, o: BuildLodsOptions): void {
  const bad = (
    path: string,
    message: string,
    found: unknown,
    allowed: unknown,
  ) => meshError("ARGUMENT", message, { path, found, allowed });
  const { ratios, levels, switchDistances, targetError } = o;
  if ((ratios === undefined) === (levels === undefined)) {
    throw bad(
      "ratios",
      "Give either levels or ratios",
      ratios === undefined ? "neither" : "both",
      "one",
    );
  }
  if (levels !== undefined && Number.isNaN(levels)) {
    throw bad("levels", "Give a number of levels: found NaN", levels, ">= 1");
  }
  if (ratios !== undefined) {
    if (ratios.length === 0 || ratios.length >= MAX_BUILT_LODS) {
      throw bad(
        "ratios",
        `Give 1 to ${MAX_BUILT_LODS - 1} ratios: found ${ratios.length}`,
        ratios.length,
        [1, MAX_BUILT_LODS - 1],
      );
    }
    const wrong = ratios.findIndex((r, i) =>
      !(r > 0 && r < (i === 0 ? 1 : ratios[i - 1]))
    );
    if (wrong >= 0) {
      throw bad(
        `ratios/${wrong}`,
        `Give ratios above 0 and below 1, each smaller than the one before: found ${
          ratios.join(", ")
        }`,
        ratios[wrong],
        `0 to ${wrong === 0 ? 1 : ratios[wrong - 1]}`,
      );
    }
  }
  if (targetError !== undefined && !(targetError >= 0)) {
    throw bad(
      "targetError",
      `Give a deviation of 0 or more: found ${targetError}`,
      targetError,
      ">= 0",
    );
  }
  const needed = askedLevels(o) - 1;
  const given = switchDistances?.length ?? 0;
  if (given > 0 && given !== needed) {
    throw bad(
      "switchDistances",
      `Give a distance for every level but the first: ${given} found, ${needed} needed`,
      given,
      needed,
    );
  }
  if (rule === "meshoptimizer" && !o.simplifier) {
    throw bad(
      "simplifier",
      "Hand over MeshoptSimplifier of meshoptimizer/simplifier once it is ready, or choose the payload's rule",
      "none",
      "a simplifier",
    );
  }
  const { indices, groups } = mesh.lods[0];
  if (!indices) {
    throw meshError("ARGUMENT", "Give a mesh with faces: this one has none", {
      path: "lods/0/indices",
    });
  }
  if (rule === "payload" && groups.length > 1) {
    throw bad(
      "lods/0/groups",
      `Use meshoptimizer's rule, or one material at a time: the payload's rule knows no materials, and the mesh has ${groups.length} groups`,
      groups.length,
      1,
    );
  }
}

/** One level without its distance, and its deviation. */
function makeLevel(
  mesh: Mesh,
  rule: LodRule,
  level: number,
  o: BuildLodsOptions,
): { lod: Omit<MeshLod, "switchDistance">; error: number } {
  const { indices, groups } = mesh.lods[0];
  const ratio = o.ratios?.[level - 1];
  if (rule === "meshoptimizer") {
    const { error, ...lod } = simplifyTriangles(mesh, ratio ?? 0.5 ** level, {
      simplifier: o.simplifier!,
      ...(o.targetError === undefined ? {} : { targetError: o.targetError }),
      ...(o.lockBorder === undefined ? {} : { lockBorder: o.lockBorder }),
    });
    return { lod, error };
  }
  const triangles = Math.floor(indices!.length / 3);
  const target = ratio === undefined
    ? targetTriangles(triangles, level)
    : Math.max(LEAST_TRIANGLES, Math.floor(triangles * ratio));
  const list = decimatePayload(mesh.attributes.position, indices!, target);
  return {
    lod: {
      indices: list,
      groups: groups.map((g) => ({ ...g, start: 0, count: list.length })),
    },
    error: 0,
  };
}

/**
 * Makes levels as {@linkcode buildLods} does, and says how far they deviate.
 *
 * @param mesh A mesh with faces.
 * @param options Which levels, by which rule.
 * @throws {MeshError} ARGUMENT, as `buildLods`.
 */
export function measureLods(mesh: Mesh, options: BuildLodsOptions): BuiltLods {
  const rule = options.rule ??
    (options.simplifier ? "meshoptimizer" : "payload");
  check(mesh, rule, options);
  const { switchDistances = [] } = options;
  const asked = askedLevels(options);
  const radius = lodRadius(mesh);
  const lods: MeshLod[] = [mesh.lods[0]];
  let largestError = 0;
  for (let level = 1; level < asked; level++) {
    const { lod, error } = makeLevel(mesh, rule, level, options);
    const before = lods[level - 1].indices!.length;
    // the cook writes every level that is not empty; a simplifier that may deviate no further has nothing new to give
    const idle = rule === "meshoptimizer" && lod.indices!.length >= before;
    if (lod.indices!.length === 0 || idle) break;
    largestError = Math.max(largestError, error);
    lods.push({
      ...lod,
      switchDistance: switchDistances.length > 0
        ? Math.fround(switchDistances[level - 1])
        : defaultSwitchDistance(radius, level),
    });
  }
  return {
    mesh: { ...mesh, lods },
    rule,
    asked,
    largestError: rule === "payload" ? null : largestError,
  };
}

/**
 * The mesh with new levels of detail in place of any it had. Every level is made from LOD 0 and indexes the same vertices,
 * so that skin and morph targets hold for all; where one comes out empty, or no coarser than the one before, no further ones
 * are made.
 *
 * @param mesh A mesh with faces; for the payload's rule with one material.
 * @param options Which levels, by which rule.
 * @throws {MeshError} ARGUMENT when levels, ratios, distances and simplifier do not fit one another or the mesh.
 *
 * @example
 * ```ts
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { buildLods } from "@meshwright/kit/ops";
 * import { MeshoptSimplifier } from "meshoptimizer/simplifier";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/terrain.payload")));
 * const cook = buildLods(mesh, { levels: 3 }).lods.map((l) => l.indices!.length / 3);
 * console.log(cook[0], cook.length); // 1536 3
 *
 * await MeshoptSimplifier.ready;
 * const { lods } = buildLods(mesh, {
 *   ratios: [0.5, 0.1],
 *   switchDistances: [40, 120],
 *   simplifier: MeshoptSimplifier,
 * });
 * console.log(lods.map((l) => l.switchDistance)); // [ null, 40, 120 ]
 * ```
 */
export function buildLods(mesh: Mesh, options: BuildLodsOptions): Mesh {
  return measureLods(mesh, options).mesh;
}
