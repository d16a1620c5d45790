/**
 * Fixup replay fused with the split of vertex records into attribute arrays.
 *
 * @module
 */
import { bytesOf } from "../core/bytes.ts";
import { meshError } from "../core/errors.ts";
import { checkLimit, DEFAULT_LIMITS } from "../core/limits.ts";
import { type Arena, withArena } from "./loader.ts";

/** Bytes of a Source vertex record. */
export const RECORD_BYTES = 48;
/** Bytes of a Source tangent record. */
export const TANGENT_BYTES = 16;

/** Vertices staged at once: 96 bytes each, 192 KiB, which stays in L2. See assembly/replay_split.md for measurements. */
const CHUNK = 2048;
/**
 * A copy call for one run costs about as much as copying this many records of the pool in one go: pools of shorter runs go
 * into kernel memory whole, and the kernel gathers (same note).
 */
const RECORDS_PER_COPY_CALL = 12;
/** Pools above this are never copied whole, so that the instance stays small enough to be kept (loader.ts). */
const MAX_POOL_COPY_BYTES = 56 * 2 ** 20;
/** Bytes a vertex in each output: position, normal, uv, weights, bones, tangent. */
export const STRIDES: readonly number[] = [12, 12, 8, 12, 4, TANGENT_BYTES];
/** Spare bytes behind each output: the kernel stores 16 bytes for the last 12. */
export const SPARE = 16;

/** Attribute arrays of a replayed vertex pool. */
export interface SplitVertices {
  /** Number of vertices. */
  count: number;
  /** 3 f32 a vertex. */
  position: Float32Array<ArrayBuffer>;
  /** 3 f32 a vertex. */
  normal: Float32Array<ArrayBuffer>;
  /** 2 f32 a vertex. */
  uv: Float32Array<ArrayBuffer>;
  /** 3 f32 a vertex. */
  weights: Float32Array<ArrayBuffer>;
  /** 4 bytes a vertex: three bone numbers and the number of bones. */
  bones: Uint8Array<ArrayBuffer>;
  /** 4 f32 a vertex, or null where there are no tangents. */
  tangent: Float32Array<ArrayBuffer> | null;
}

/**
 * Joins runs that continue one another; drops empty ones. Runs are pairs: first record, number of records.
 */
export function mergeRuns(runs: Uint32Array): Uint32Array {
  const out = new Uint32Array(runs.length);
  let n = 0;
  for (let i = 0; i < runs.length; i += 2) {
    if (runs[i + 1] === 0) continue;
    if (n > 0 && out[n - 2] + out[n - 1] === runs[i]) out[n - 1] += runs[i + 1];
    else {
      out[n++] = runs[i];
      out[n++] = runs[i + 1];
    }
  }
  return out.subarray(0, n);
}

/**
 * Copies fixed-size records in run order.
 *
 * @param pool The records.
 * @param bytesPerRecord Size of one.
 * @param runs Merged runs, all inside the pool.
 */
export function gatherRecords(
  pool: Uint8Array,
  bytesPerRecord: number,
  runs: Uint32Array,
): Uint8Array<ArrayBuffer> {
  let count = 0;
  for (let i = 1; i < runs.length; i += 2) count += runs[i];
  const out = new Uint8Array(count * bytesPerRecord);
  copyPieces(pool, bytesPerRecord, runs, runs.length / 2, out, 0);
  return out;
}

/** Throws unless every run lies inside a pool of `vertices` records; returns how many vertices the runs hold. */
export function checkRuns(runs: Uint32Array, vertices: number): number {
  if (runs.length % 2 !== 0) {
    throw meshError(
      "ARGUMENT",
      `Give runs as pairs of first record and number: found ${runs.length} values`,
      { path: "runs", found: runs.length, allowed: "an even number" },
    );
  }
  let count = 0;
  for (let i = 0; i < runs.length; i += 2) {
    const end = runs[i] + runs[i + 1];
    if (end > vertices) {
      throw meshError(
        "ARGUMENT",
        `Keep every run inside the pool: run ${
          i / 2
        } ends at ${end}, the pool holds ${vertices} records`,
        { path: `runs[${i}]`, found: end, allowed: vertices },
      );
    }
    count += runs[i + 1];
  }
  return count;
}

/**
 * Replays `runs` over 48-byte vertex records and splits the result into attribute arrays.
 *
 * @param records The vertex pool.
 * @param tangents The tangent pool, same vertices, or null.
 * @param runs Pairs of first record and number of records, in output order, all inside the pool.
 * @param maxKernelBytes Memory limit of the kernels.
 * @throws {MeshError} ARGUMENT for a run outside the pool, LIMIT-EXCEEDED, KERNEL-MEMORY, KERNEL-START.
 *
 * @example
 * ```ts
 * import { replaySplit } from "@meshwright/kit/kernels";
 *
 * const pool = new Uint8Array(3 * 48);
 * const split = replaySplit(pool, null, Uint32Array.of(2, 1, 0, 1));
 * console.log(split.count, split.position.length); // 2 6
 * ```
 */
export function replaySplit(
  records: Uint8Array,
  tangents: Uint8Array | null,
  runs: Uint32Array,
  maxKernelBytes: number = DEFAULT_LIMITS.maxKernelBytes,
): SplitVertices {
  const poolVertices = Math.floor(
    Math.min(
      records.length / RECORD_BYTES,
      tangents ? tangents.length / TANGENT_BYTES : Infinity,
    ),
  );
  const count = checkRuns(runs, poolVertices);
  checkLimit("replayed vertices", count, DEFAULT_LIMITS.maxVertices);
  const merged = mergeRuns(runs);
  const out: SplitVertices = {
    count,
    position: new Float32Array(count * 3),
    normal: new Float32Array(count * 3),
    uv: new Float32Array(count * 2),
    weights: new Float32Array(count * 3),
    bones: new Uint8Array(count * 4),
    tangent: tangents ? new Float32Array(count * 4) : null,
  };
  if (count === 0) return out;
  // Byte views: copies between arrays of one type are plain moves, and a NaN keeps its bits.
  const streams = [
    bytesOf(out.position),
    bytesOf(out.normal),
    bytesOf(out.uv),
    bytesOf(out.weights),
    out.bones,
  ];
  if (out.tangent) streams.push(bytesOf(out.tangent));
  const poolBytes = records.length + (tangents ? tangents.length : 0);
  const gather = poolVertices <= RECORDS_PER_COPY_CALL * (merged.length / 2) &&
    poolBytes <= Math.min(MAX_POOL_COPY_BYTES, maxKernelBytes / 2);
  withArena(maxKernelBytes, (arena) => {
    const chunk = Math.min(CHUNK, count);
    if (gather) {
      gatherInKernel(arena, records, tangents, merged, streams, chunk);
    } else stageRuns(arena, records, tangents, merged, streams, chunk);
  });
  return out;
}

/** A place in a run table, and what the last {@linkcode cut} took from there. */
interface Cursor {
  /** Index of the run at hand. */
  run: number;
  /** Its vertices that were taken before. */
  done: number;
  /** Vertices taken. */
  vertices: number;
  /** Runs, or parts of one, that they lie in. */
  pieces: number;
}

/**
 * Takes up to `chunk` vertices of the runs into `pieces`, pairs again. Hot loops stand in functions of their own here: V8
 * leaves those of closures and of long-running functions unoptimised for long.
 */
function cut(
  runs: Uint32Array,
  cursor: Cursor,
  pieces: Uint32Array,
  chunk: number,
): void {
  let { run, done } = cursor;
  let words = 0;
  let vertices = 0;
  while (vertices < chunk && run < runs.length) {
    const left = runs[run + 1] - done;
    const take = Math.min(left, chunk - vertices);
    pieces[words++] = runs[run] + done;
    pieces[words++] = take;
    vertices += take;
    if (take === left) {
      run += 2;
      done = 0;
    } else done += take;
  }
  cursor.run = run;
  cursor.done = done;
  cursor.vertices = vertices;
  cursor.pieces = words / 2;
}

/** Copies the records of some pieces to `at` and on. */
function copyPieces(
  pool: Uint8Array,
  bytesPerRecord: number,
  pieces: Uint32Array,
  count: number,
  target: Uint8Array,
  at: number,
): void {
  for (let i = 0; i < count * 2; i += 2) {
    const first = pieces[i] * bytesPerRecord;
    const size = pieces[i + 1] * bytesPerRecord;
    target.set(pool.subarray(first, first + size), at);
    at += size;
  }
}

/** Few long runs: copies their records into a chunk, which the kernel then splits as one run. */
function stageRuns(
  arena: Arena,
  records: Uint8Array,
  tangents: Uint8Array | null,
  runs: Uint32Array,
  streams: Uint8Array[],
  chunk: number,
): void {
  const stage = arena.alloc(chunk * RECORD_BYTES);
  const table = arena.alloc(8);
  const outputs = allocOutputs(arena, 5, chunk);
  const stageView = arena.u8(stage, chunk * RECORD_BYTES);
  const tableView = arena.u32(table, 2);
  const views = viewOutputs(arena, outputs, chunk);
  const [position, normal, uv, weights, bones] = outputs;
  const pieces = new Uint32Array(chunk * 2);
  const cursor: Cursor = { run: 0, done: 0, vertices: 0, pieces: 0 };
  let done = 0;
  while (cursor.run < runs.length) {
    cut(runs, cursor, pieces, chunk);
    const { vertices: n, pieces: count } = cursor;
    copyPieces(records, RECORD_BYTES, pieces, count, stageView, 0);
    if (tangents) { // whole records: straight to their place
      const at = done * TANGENT_BYTES;
      copyPieces(tangents, TANGENT_BYTES, pieces, count, streams[5], at);
    }
    tableView[0] = 0;
    tableView[1] = n;
    const run = [stage, 0, table, 1] as const;
    arena.exports.replaySplit(...run, position, normal, uv, weights, bones, 0);
    copyOutputs(views, streams, n, chunk, done);
    done += n;
  }
}

/** Many short runs: copies the pools into kernel memory once and lets the kernel follow the runs. */
function gatherInKernel(
  arena: Arena,
  records: Uint8Array,
  tangents: Uint8Array | null,
  runs: Uint32Array,
  streams: Uint8Array[],
  chunk: number,
): void {
  const pool = arena.alloc(records.length);
  const tangentPool = tangents ? arena.alloc(tangents.length) : 0;
  const table = arena.alloc(chunk * 8);
  const outputs = allocOutputs(arena, streams.length, chunk);
  arena.u8(pool, records.length).set(records);
  if (tangents) arena.u8(tangentPool, tangents.length).set(tangents);
  const pieces = arena.u32(table, chunk * 2);
  const views = viewOutputs(arena, outputs, chunk);
  const [position, normal, uv, weights, bones, tangent = 0] = outputs;
  const cursor: Cursor = { run: 0, done: 0, vertices: 0, pieces: 0 };
  let done = 0;
  while (cursor.run < runs.length) {
    cut(runs, cursor, pieces, chunk);
    const input = [pool, tangentPool, table, cursor.pieces] as const;
    arena.exports.replaySplit(
      ...input,
      ...[position, normal, uv, weights, bones, tangent] as const,
    );
    copyOutputs(views, streams, cursor.vertices, chunk, done);
    done += cursor.vertices;
  }
}

function allocOutputs(arena: Arena, count: number, chunk: number): number[] {
  return STRIDES.slice(0, count).map((s) => arena.alloc(chunk * s + SPARE));
}

function viewOutputs(
  arena: Arena,
  outputs: number[],
  chunk: number,
): Uint8Array[] {
  return outputs.map((at, i) => arena.u8(at, chunk * STRIDES[i]));
}

function copyOutputs(
  views: Uint8Array[],
  streams: Uint8Array[],
  vertices: number,
  chunk: number,
  done: number,
): void {
  views.forEach((view, i) => {
    const piece = vertices === chunk
      ? view
      : view.subarray(0, vertices * STRIDES[i]);
    streams[i].set(piece, done * STRIDES[i]);
  });
}
