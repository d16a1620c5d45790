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
import { withArena } from "./loader.ts";

/** Floats of one dense delta: position x, y, z, normal x, y, z. */
export const DELTA_FLOATS = 6;
/** Vertices staged at once: 24 bytes each and 4 for their number, 112 KiB. See assembly/morph_scan.md. */
const CHUNK = 4096;
/** Kept vertices noted in one array, 256 KiB; at least a chunk. */
const SEGMENT = 65_536;

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
  const chunk = Math.min(CHUNK, Math.max(vertexCount, 1));
  const offsets = new Uint32Array(vertexCount + 1);
  const kept = scan(dense, targets, vertexCount, epsilon, chunk, offsets);

  // Prefix sums of the counts give every vertex its place.
  for (let v = 0; v < vertexCount; v++) offsets[v + 1] += offsets[v];
  const total = offsets[vertexCount];
  const position = new Float32Array(total * 3);
  const normal = new Float32Array(total * 3);
  const target = new Uint32Array(total);
  const [source, p, n] = [bitsOf(dense), bitsOf(position), bitsOf(normal)];
  const next = offsets.slice();
  // Targets ascend within a vertex, since the pieces of each chunk of vertices do.
  for (const piece of kept) {
    place(piece, source, piece.target * vertexCount, next, target, p, n);
  }
  return { names: [...names], offsets, targets: target, position, normal };
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

/** Copies the deltas of a piece to their places. */
function place(
  { target, vertices }: Piece,
  source: Uint32Array,
  base: number,
  next: Uint32Array,
  targets: Uint32Array,
  position: Uint32Array,
  normal: Uint32Array,
): void {
  for (let i = 0; i < vertices.length; i++) {
    const v = vertices[i];
    const e = next[v]++;
    const to = e * 3;
    const from = (base + v) * DELTA_FLOATS;
    targets[e] = target;
    position[to] = source[from];
    position[to + 1] = source[from + 1];
    position[to + 2] = source[from + 2];
    normal[to] = source[from + 3];
    normal[to + 1] = source[from + 4];
    normal[to + 2] = source[from + 5];
  }
}

/** The kept vertices, ascending, of one target in one chunk of vertices. */
interface Piece {
  target: number;
  vertices: Uint32Array;
}

/** Notes and counts what the kernel found. A function of its own: a hot loop inside a closure stays unoptimised in V8. */
function note(
  found: Uint32Array,
  vertices: Uint32Array,
  counts: Uint32Array,
): void {
  for (let i = 0; i < vertices.length; i++) {
    const v = found[i];
    vertices[i] = v;
    counts[v + 1]++;
  }
}

/** Finds the kept deltas, chunk by chunk and within it target by target, and counts those of vertex v in `counts[v + 1]`. */
function scan(
  dense: Float32Array,
  targets: number,
  vertexCount: number,
  epsilon: number,
  chunk: number,
  counts: Uint32Array,
): Piece[] {
  const pieces: Piece[] = [];
  const source = bytesOf(dense);
  // Pieces lie in segments: one array would be copied as it grows, one array a piece costs an allocation each.
  const segmentLength = Math.min(SEGMENT, targets * vertexCount);
  let segment = new Uint32Array(0);
  let used = 0;
  withArena(DEFAULT_LIMITS.maxKernelBytes, (arena) => {
    const input = arena.alloc(chunk * 24);
    const index = arena.alloc(chunk * 4);
    const inputView = arena.u8(input, chunk * 24);
    const indexView = arena.u32(index, chunk);
    for (let v = 0; v < vertexCount; v += chunk) {
      const n = Math.min(chunk, vertexCount - v);
      for (let t = 0; t < targets; t++) {
        const from = (t * vertexCount + v) * 24;
        inputView.set(source.subarray(from, from + n * 24));
        const found = arena.exports.morphScan(input, n, epsilon, v, index);
        if (found === 0) continue;
        if (used + found > segment.length) {
          segment = new Uint32Array(segmentLength);
          used = 0;
        }
        const vertices = segment.subarray(used, used + found);
        note(indexView, vertices, counts);
        used += found;
        pieces.push({ target: t, vertices });
      }
    }
  });
  return pieces;
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
