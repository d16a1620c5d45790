/**
 * A vertex pool that lives in kernel memory: filled once, replayed any number of times, split in place.
 *
 * @module
 */
import { checkLimit, DEFAULT_LIMITS } from "../core/limits.ts";
import { Arena, ownInstance } from "./loader.ts";
import {
  checkRuns,
  mergeRuns,
  RECORD_BYTES,
  SPARE,
  type SplitVertices,
  STRIDES,
  TANGENT_BYTES,
} from "./replay.ts";

/** Runs handed to the kernel at once. */
const TABLE_RUNS = 4096;

/** Options of {@linkcode ResidentPool}. */
export interface ResidentPoolOptions {
  /** Also holds tangent records, 16 bytes a vertex; false unless given. */
  tangents?: boolean;
  /** Most vertices that a replay may give; as many as the pool holds unless given. */
  maxReplayed?: number;
  /** Largest kernel memory of the pool, its results included. */
  maxKernelBytes?: number;
}

/**
 * Replays and splits without a copy in and without a copy out. `replaySplit` moves every byte three times: into kernel memory,
 * through the kernel, and out into arrays that had to be zeroed before. Here the pool is read or copied into kernel memory
 * once, and results are views on it, so that a replay takes about as long as one `Uint8Array.set` per run.
 *
 * The price: the next replay overwrites the results of the last (`slice()` what has to stay), they keep the whole pool alive,
 * and they can be cloned but not transferred to a worker.
 *
 * @example
 * ```ts
 * import { ResidentPool } from "@meshwright/kit/kernels";
 *
 * const pool = new ResidentPool(3);
 * pool.records.set(new Uint8Array(3 * 48)); // or read a file straight into it
 * const lod0 = pool.replay(Uint32Array.of(0, 3));
 * console.log(lod0.count, lod0.position.length); // 3 9
 * const lod1 = pool.replay(Uint32Array.of(2, 1)); // in the place of lod0
 * console.log(lod1.count); // 1
 * ```
 */
export class ResidentPool {
  /** The vertex records, 48 bytes each, to be filled and changed at will. */
  readonly records: Uint8Array<ArrayBuffer>;
  /** The tangent records, 16 bytes each, or null where the pool has none. */
  readonly tangents: Uint8Array<ArrayBuffer> | null;
  readonly #arena: Arena;
  readonly #vertices: number;
  readonly #capacity: number;
  readonly #pools: readonly [records: number, tangents: number];
  readonly #table: number;
  readonly #outputs: readonly number[];

  /**
   * Takes the memory of the pool and of its results.
   *
   * @param vertices Number of records.
   * @throws {MeshError} LIMIT-EXCEEDED for too many vertices, KERNEL-MEMORY, KERNEL-START.
   */
  constructor(vertices: number, options: ResidentPoolOptions = {}) {
    const { maxReplayed = vertices, tangents = false } = options;
    const { maxVertices, maxKernelBytes } = DEFAULT_LIMITS;
    checkLimit("vertices", Math.max(vertices, maxReplayed), maxVertices);
    const arena = new Arena(
      ownInstance(),
      options.maxKernelBytes ?? maxKernelBytes,
    );
    const records = arena.alloc(vertices * RECORD_BYTES);
    const tangentPool = tangents ? arena.alloc(vertices * TANGENT_BYTES) : 0;
    this.#arena = arena;
    this.#vertices = vertices;
    this.#capacity = maxReplayed;
    this.#pools = [records, tangentPool];
    this.#table = arena.alloc(TABLE_RUNS * 8);
    this.#outputs = STRIDES.slice(0, tangents ? 6 : 5)
      .map((stride) => arena.alloc(maxReplayed * stride + SPARE));
    // memory does not grow from here on, so views stay
    this.records = arena.u8(records, vertices * RECORD_BYTES);
    this.tangents = tangents
      ? arena.u8(tangentPool, vertices * TANGENT_BYTES)
      : null;
  }

  /**
   * Replays runs over the pool and splits the result into attribute arrays, which the next replay overwrites.
   *
   * @param runs Pairs of first record and number of records, in output order, all inside the pool.
   * @throws {MeshError} ARGUMENT for a run outside the pool, LIMIT-EXCEEDED for more vertices than there is room for.
   */
  replay(runs: Uint32Array): SplitVertices {
    const count = checkRuns(runs, this.#vertices);
    checkLimit("replayed vertices", count, this.#capacity);
    const arena = this.#arena;
    const merged = mergeRuns(runs);
    const table = arena.u32(this.#table, TABLE_RUNS * 2);
    let done = 0;
    for (let i = 0; i < merged.length; i += table.length) {
      const piece = merged.subarray(i, i + table.length);
      table.set(piece);
      const input = [...this.#pools, this.#table, piece.length / 2] as const;
      const [position, normal, uv, weights, bones, tangent = 0] = this.#outputs
        .map((at, k) => at + done * STRIDES[k]);
      arena.exports.replaySplit(
        ...input,
        ...[position, normal, uv, weights, bones, tangent] as const,
      );
      for (let k = 1; k < piece.length; k += 2) done += piece[k];
    }
    const [position, normal, uv, weights, bones, tangent] = this.#outputs;
    return {
      count,
      position: arena.f32(position, count * 3),
      normal: arena.f32(normal, count * 3),
      uv: arena.f32(uv, count * 2),
      weights: arena.f32(weights, count * 3),
      bones: arena.u8(bones, count * 4),
      tangent: this.tangents ? arena.f32(tangent, count * 4) : null,
    };
  }
}
