/**
 * Dense morph targets to the sparse vertex-major form and back.
 *
 * @module
 */
import { bitsOf, bytesOf } from "../core/bytes.ts";
import { meshError } from "../core/errors.ts";
import {
  checkLimit,
  DEFAULT_LIMITS,
  MORPH_DELTA_EPSILON,
} from "../core/limits.ts";
import type { SparseMorphs } from "../core/mesh.ts";
import { type Arena, withArena } from "./loader.ts";

/** Floats of one dense delta: position x, y, z, normal x, y, z. */
export const DELTA_FLOATS = 6;
/** Vertices staged at once: 24 bytes each of one target, 96 KiB. See assembly/morph_scan.md. */
const CHUNK = 4096;
/** Deltas of all targets that one chunk of vertices may have: up to 56 bytes each, 7 MiB when all are kept. */
const CHUNK_DELTAS = 2 ** 17;
/** Spare bytes: the kernel writes a delta before it knows that it is kept. */
const SPARE = 32;

/**
 * Makes dense morph targets sparse: keeps a delta when any of its six components has |x| > epsilon in f32, strictly; NaN
 * alone never keeps a delta, and kept deltas keep all six components bit for bit.
 *
 * @param dense Target-major deltas: delta of vertex v in target t at `(t · vertexCount + v) · 6`.
 * @param names One name a target.
 * @param vertexCount Vertices of the mesh.
 * @param epsilon Largest magnitude that is dropped.
 * @throws {MeshError} PAYLOAD-LENGTH when the array does not hold targets × vertices deltas; ARGUMENT; LIMIT-EXCEEDED.
 *
 * @example
 * ```ts
 * import { sparsifyMorphs } from "@meshwright/kit/ops";
 *
 * const dense = new Float32Array(3 * 6);
 * dense[6] = 0.5; // vertex 1 moves along x
 * const sparse = sparsifyMorphs(dense, ["smile"], 3);
 * console.log([...sparse.offsets]); // [0, 0, 1, 1]
 * ```
 */
export function sparsifyMorphs(
  dense: Float32Array,
  names: readonly string[],
  vertexCount: number,
  epsilon: number = MORPH_DELTA_EPSILON,
): SparseMorphs {
  const targets = names.length;
  checkVertexCount(vertexCount);
  const need = targets * vertexCount * DELTA_FLOATS;
  if (dense.length !== need) {
    throw meshError(
      "PAYLOAD-LENGTH",
      `Give one delta for every target and vertex: morph deltas hold ${
        dense.length / DELTA_FLOATS
      } entries, ${targets} targets × ${vertexCount} vertices require ${
        targets * vertexCount
      }`,
      { path: "dense", found: dense.length, allowed: need },
    );
  }
  if (!(epsilon >= 0)) {
    throw meshError(
      "ARGUMENT",
      `Give an epsilon of 0 or more: found ${epsilon}`,
      { path: "epsilon", found: epsilon, allowed: ">= 0" },
    );
  }
  const offsets = new Uint32Array(vertexCount + 1);
  const pieces = targets > 0 && vertexCount > 0
    ? scan(dense, targets, vertexCount, epsilon, offsets)
    : [];
  return { names: [...names], offsets, ...join(pieces, offsets[vertexCount]) };
}

function checkVertexCount(vertexCount: number): void {
  if (!Number.isInteger(vertexCount) || vertexCount < 0) {
    throw meshError(
      "ARGUMENT",
      `Give a whole number of vertices: found ${vertexCount}`,
      { path: "vertexCount", found: vertexCount, allowed: ">= 0" },
    );
  }
  checkLimit("vertices", vertexCount, DEFAULT_LIMITS.maxVertices);
}

/** The entries of one chunk of vertices, in their final order; f32 as their bits. */
interface Piece {
  targets: Uint32Array<ArrayBuffer>;
  position: Uint32Array<ArrayBuffer>;
  normal: Uint32Array<ArrayBuffer>;
}

/** One piece after the other. */
function join(
  pieces: readonly Piece[],
  total: number,
): Pick<SparseMorphs, "targets" | "position" | "normal"> {
  const [first] = pieces;
  const whole = pieces.length === 1 ? first : {
    targets: new Uint32Array(total),
    position: new Uint32Array(total * 3),
    normal: new Uint32Array(total * 3),
  };
  let at = 0;
  for (const piece of pieces.length === 1 ? [] : pieces) {
    whole.targets.set(piece.targets, at);
    whole.position.set(piece.position, at * 3);
    whole.normal.set(piece.normal, at * 3);
    at += piece.targets.length;
  }
  return {
    targets: whole.targets,
    position: new Float32Array(whole.position.buffer),
    normal: new Float32Array(whole.normal.buffer),
  };
}

/** Finds the kept deltas, chunk by chunk of vertices, and writes where the entries of each vertex end to `offsets`. */
function scan(
  dense: Float32Array,
  targets: number,
  vertexCount: number,
  epsilon: number,
  offsets: Uint32Array,
): Piece[] {
  const source = bytesOf(dense);
  const chunk = Math.min(
    CHUNK,
    vertexCount,
    Math.max(1, Math.floor(CHUNK_DELTAS / targets)),
  );
  return withArena(DEFAULT_LIMITS.maxKernelBytes, (arena) => {
    const most = chunk * targets;
    const input = arena.alloc(chunk * 24);
    const sizes = arena.alloc(targets * 4);
    const ends = arena.alloc(chunk * 4);
    const index = arena.alloc(most * 4 + SPARE);
    const kept = arena.alloc(most * 24 + SPARE);
    const outputs = [4, 12, 12].map((bytes) => arena.alloc(most * bytes));
    const views = outputs.map((at, i) => arena.u32(at, most * (i ? 3 : 1)));
    const stage = {
      ...{ input, index, kept, epsilon },
      bytes: arena.u8(input, chunk * 24),
      sizes: arena.u32(sizes, targets),
    };
    const endsView = arena.u32(ends, chunk);
    const pieces: Piece[] = [];
    let total = 0;
    for (let v = 0; v < vertexCount; v += chunk) {
      const n = Math.min(chunk, vertexCount - v);
      const found = scanTargets(arena, stage, source, vertexCount, v, n);
      const lists = [index, kept, sizes, targets, n, total] as const;
      const [target, position, normal] = outputs;
      arena.exports.morphPlace(...lists, ends, target, position, normal);
      offsets.set(n === chunk ? endsView : endsView.subarray(0, n), v + 1);
      if (found > 0) {
        pieces.push({
          targets: views[0].slice(0, found),
          position: views[1].slice(0, found * 3),
          normal: views[2].slice(0, found * 3),
        });
      }
      total += found;
    }
    return pieces;
  });
}

/** What {@linkcode scanTargets} needs of the kernel's memory. */
interface Stage {
  input: number;
  index: number;
  kept: number;
  epsilon: number;
  bytes: Uint8Array;
  sizes: Uint32Array;
}

/** Scans the vertices from `v` on, target by target. A function of its own: V8 leaves the loops of closures slow for long. */
function scanTargets(
  arena: Arena,
  { input, index, kept, epsilon, bytes, sizes }: Stage,
  source: Uint8Array,
  vertexCount: number,
  v: number,
  count: number,
): number {
  let found = 0;
  for (let t = 0; t < sizes.length; t++) {
    const from = (t * vertexCount + v) * 24;
    bytes.set(source.subarray(from, from + count * 24));
    sizes[t] = arena.exports.morphScan(
      input,
      count,
      epsilon,
      index + found * 4,
      kept + found * 24,
    );
    found += sizes[t];
  }
  return found;
}

/**
 * Expands sparse morph targets: zeros where a vertex has no entry. Of two entries for one vertex and target the last
 * stays, as in the reference.
 *
 * @param morphs Sparse targets.
 * @param vertexCount Vertices of the mesh.
 * @param maxMorphDeltas Most deltas to expand to: a small file can name many targets of many vertices.
 * @returns Target-major deltas of 6 f32.
 * @throws {MeshError} ARGUMENT, LIMIT-EXCEEDED.
 * @throws {MeshError} LIMIT-EXCEEDED above that many.
 */
export function densifyMorphs(
  morphs: SparseMorphs,
  vertexCount: number,
  maxMorphDeltas: number = DEFAULT_LIMITS.maxMorphDeltas,
): Float32Array<ArrayBuffer> {
  checkLimit(
    "maxMorphDeltas",
    morphs.names.length * vertexCount,
    maxMorphDeltas,
  );
  const dense = new Float32Array(
    morphs.names.length * vertexCount * DELTA_FLOATS,
  );
  const bits = bitsOf(dense);
  const position = bitsOf(morphs.position);
  const normal = morphs.normal ? bitsOf(morphs.normal) : null;
  for (let v = 0; v < vertexCount; v++) {
    for (let e = morphs.offsets[v]; e < morphs.offsets[v + 1]; e++) {
      const at = (morphs.targets[e] * vertexCount + v) * DELTA_FLOATS;
      for (let k = 0; k < 3; k++) {
        bits[at + k] = position[e * 3 + k];
        if (normal) bits[at + 3 + k] = normal[e * 3 + k];
      }
    }
  }
  return dense;
}
