/**
 * Fixup replay: from the pool, sorted by LOD, to the mesh order that a model's meshes index.
 *
 * At root LOD r the table is walked in stored order and rows with `lod >= r` are appended: vertices, tangents and extra
 * arrays alike. Without fixups the first numLODVertexes[r] vertices are taken in stored order.
 *
 * @module
 */
import { meshError } from "../../core/errors.ts";
import {
  gatherRecords,
  mergeRuns,
  RECORD_BYTES,
  replaySplit,
  type SplitVertices,
  TANGENT_BYTES,
} from "../../kernels/replay.ts";
import { DEFAULT_LIMITS } from "../../core/limits.ts";
import type { Vvd } from "./types.ts";

/** Options of the replay functions. */
export interface ReplayVvdOptions {
  /**
   * What to do when the fixups do not add up to numLODVertexes of the root LOD: refuse, or take what they give up to the
   * size of the pool. Default false.
   */
  lenient?: boolean;
  /** Write one LOD only, so that no reader can take a wrong prefix for a lower LOD. Default false: as the engine. */
  singleLod?: boolean;
}

/** Clamps a root LOD as the engine does. */
export function clampRootLod(vvd: Vvd, rootLod: number): number {
  if (!Number.isInteger(rootLod) || rootLod < 0) {
    throw meshError(
      "ARGUMENT",
      `Give a root LOD of 0 or more: found ${rootLod}`,
      { format: "vvd", path: "rootLod", found: rootLod, allowed: ">= 0" },
    );
  }
  return Math.min(rootLod, vvd.numLODs - 1);
}

/** Sum of the fixups that a root LOD keeps. */
export function fixupSum(vvd: Vvd, rootLod: number): number {
  let sum = 0;
  for (const row of vvd.fixups) if (row.lod >= rootLod) sum += row.numVertexes;
  return sum;
}

/**
 * The runs of pool vertices, in output order, that a root LOD is made of: pairs of first vertex and count, merged where
 * they continue one another.
 *
 * @throws {MeshError} VVD-NO-VERTICES, VVD-FIXUP-SUM, VVD-RANGE, ARGUMENT.
 */
export function replayRuns(
  vvd: Vvd,
  rootLod: number,
  lenient = false,
): Uint32Array {
  const r = clampRootLod(vvd, rootLod);
  const pool = vvd.numLODVertexes[0];
  const want = vvd.numLODVertexes[r];
  if (!vvd.vertexData && pool > 0) {
    throw meshError(
      "VVD-NO-VERTICES",
      `Use the complete file: the header counts ${pool} vertices, but vertexDataStart is 0`,
      { format: "vvd", offset: 56, path: "vertexDataStart", found: 0 },
    );
  }
  if (want > pool && !lenient) {
    throw meshError(
      "VVD-RANGE",
      `Compile the model again: LOD ${r} needs ${want} vertices, the pool has ${pool}`,
      {
        format: "vvd",
        offset: 16 + 4 * r,
        path: `numLODVertexes[${r}]`,
        found: want,
        allowed: pool,
      },
    );
  }
  if (vvd.fixups.length === 0) {
    return mergeRuns(Uint32Array.of(0, Math.min(want, pool)));
  }
  const sum = fixupSum(vvd, r);
  if (sum !== want && !lenient) {
    throw meshError(
      "VVD-FIXUP-SUM",
      `Compile the model again: the fixups of root LOD ${r} hold ${sum} vertices, numLODVertexes says ${want}`,
      {
        format: "vvd",
        offset: vvd.fixupTableStart,
        path: "fixups",
        found: sum,
        allowed: want,
      },
    );
  }
  // Overlapping rows could add up to far more than the file holds: never more than the pool.
  const runs: number[] = [];
  let left = pool;
  for (const row of vvd.fixups) {
    if (row.lod < r || left === 0) continue;
    const take = Math.min(row.numVertexes, left);
    runs.push(row.sourceVertexID, take);
    left -= take;
  }
  return mergeRuns(Uint32Array.from(runs));
}

/**
 * What the engine holds after loading at a root LOD: a VVD without fixups whose vertices, tangents and extra arrays stand
 * in mesh order. As in the engine, numLODVertexes[i] becomes the new size for i ≤ root LOD and stays for lower details,
 * although a pool of several meshes has no right prefix for those; `singleLod` writes one LOD instead.
 *
 * @param vvd A VVD.
 * @param rootLod Root LOD, clamped to the last one.
 * @throws {MeshError} VVD-NO-VERTICES, VVD-FIXUP-SUM, VVD-RANGE, ARGUMENT.
 *
 * @example
 * ```ts
 * import { readVvd, replayVvd, writeVvd } from "@meshwright/kit/vvd";
 *
 * const vvd = readVvd(Deno.readFileSync("samples/lantern.vvd"));
 * const lod1 = replayVvd(vvd, 1);
 * console.log(lod1.fixups.length, lod1.numLODVertexes[0] === vvd.numLODVertexes[1]); // 0 true
 * const file: Uint8Array = writeVvd(lod1);
 * ```
 */
export function replayVvd(
  vvd: Vvd,
  rootLod: number,
  options: ReplayVvdOptions = {},
): Vvd {
  const r = clampRootLod(vvd, rootLod);
  const runs = replayRuns(vvd, r, options.lenient);
  let count = 0;
  for (let i = 1; i < runs.length; i += 2) count += runs[i];
  const gather = (data: Uint8Array, size: number) =>
    gatherRecords(data, size, runs);
  const single = options.singleLod === true;
  return {
    version: vvd.version,
    checksum: vvd.checksum,
    numLODs: single ? 1 : vvd.numLODs,
    numLODVertexes: vvd.numLODVertexes.map((n, i) =>
      single || i <= r ? count : n
    ),
    fixups: [],
    fixupTableStart: 0,
    vertexDataStart: 0,
    tangentDataStart: 0,
    vertexData: vvd.vertexData ? gather(vvd.vertexData, RECORD_BYTES) : null,
    tangentData: vvd.tangentData
      ? gather(vvd.tangentData, TANGENT_BYTES)
      : null,
    extra: vvd.extra.map((e) => ({
      ...e,
      data: gather(e.data, e.bytesPerVertex),
    })),
    original: null,
  };
}

/**
 * Replays and splits in one pass: the attribute arrays of a root LOD, in mesh order.
 *
 * @param vvd A VVD.
 * @param rootLod Root LOD, clamped to the last one.
 * @throws {MeshError} VVD-NO-VERTICES, VVD-FIXUP-SUM, VVD-RANGE, ARGUMENT.
 *
 * @example
 * ```ts
 * import { readVvd, splitVvd } from "@meshwright/kit/vvd";
 *
 * const vvd = readVvd(Deno.readFileSync("samples/lantern.vvd"));
 * const { count, position } = splitVvd(vvd, 0);
 * console.log(position.length === count * 3); // true
 * ```
 */
export function splitVvd(
  vvd: Vvd,
  rootLod: number,
  options: ReplayVvdOptions & { maxKernelBytes?: number } = {},
): SplitVertices {
  return replaySplit(
    vvd.vertexData ?? new Uint8Array(0),
    vvd.tangentData,
    replayRuns(vvd, rootLod, options.lenient),
    options.maxKernelBytes ?? DEFAULT_LIMITS.maxKernelBytes,
  );
}
