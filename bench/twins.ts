/**
 * The kernels' work in plain TypeScript: what one would write by hand with typed arrays, and write well.
 *
 * @module
 */
import { MORPH_DELTA_EPSILON } from "../src/core/limits.ts";
import { normalMatrix } from "../src/kernels/normals.ts";

/** Words of one vertex record. */
const RECORD_WORDS = 12;
/** Bytes of one vertex record. */
const RECORD_BYTES = RECORD_WORDS * 4;

function countOf(runs: Uint32Array): number {
  let count = 0;
  for (let i = 1; i < runs.length; i += 2) count += runs[i];
  return count;
}

/** Follows the runs and splits the records, word by word: position, normal, uv, weights and bones. */
export function splitByLoop(
  records: Uint8Array,
  runs: Uint32Array,
): [Float32Array, Float32Array, Float32Array, Float32Array, Uint8Array] {
  const count = countOf(runs);
  const from = new Uint32Array(records.buffer, records.byteOffset);
  const position = new Uint32Array(count * 3);
  const normal = new Uint32Array(count * 3);
  const uv = new Uint32Array(count * 2);
  const weights = new Uint32Array(count * 3);
  const bones = new Uint32Array(count);
  let [three, two, one] = [0, 0, 0];
  for (let run = 0; run < runs.length; run += 2) {
    let p = runs[run] * RECORD_WORDS;
    const end = p + runs[run + 1] * RECORD_WORDS;
    for (; p < end; p += RECORD_WORDS, three += 3, two += 2, one++) {
      weights[three] = from[p];
      weights[three + 1] = from[p + 1];
      weights[three + 2] = from[p + 2];
      bones[one] = from[p + 3];
      position[three] = from[p + 4];
      position[three + 1] = from[p + 5];
      position[three + 2] = from[p + 6];
      normal[three] = from[p + 7];
      normal[three + 1] = from[p + 8];
      normal[three + 2] = from[p + 9];
      uv[two] = from[p + 10];
      uv[two + 1] = from[p + 11];
    }
  }
  return [
    new Float32Array(position.buffer),
    new Float32Array(normal.buffer),
    new Float32Array(uv.buffer),
    new Float32Array(weights.buffer),
    new Uint8Array(bones.buffer),
  ];
}

/** Follows the runs with one copy each, without the split. */
export function replayBySet(
  records: Uint8Array,
  runs: Uint32Array,
  out: Uint8Array = new Uint8Array(countOf(runs) * RECORD_BYTES),
): Uint8Array {
  let at = 0;
  for (let run = 0; run < runs.length; run += 2) {
    const first = runs[run] * RECORD_BYTES;
    const bytes = runs[run + 1] * RECORD_BYTES;
    out.set(records.subarray(first, first + bytes), at);
    at += bytes;
  }
  return out;
}

/** Sparse morphs without their names. */
export interface PlainSparse {
  /** First entry of each vertex, and the end. */
  offsets: Uint32Array;
  /** Target of each entry. */
  targets: Uint32Array;
  /** 3 f32 an entry. */
  position: Float32Array;
  /** 3 f32 an entry. */
  normal: Float32Array;
}

/** Places the deltas that are marked in `kept`, one byte a delta, vertex by vertex. */
function place(
  dense: Float32Array,
  targets: number,
  vertices: number,
  kept: Uint8Array,
  counts: Uint32Array,
): PlainSparse {
  const offsets = new Uint32Array(vertices + 1);
  for (let v = 0; v < vertices; v++) offsets[v + 1] = offsets[v] + counts[v];
  const total = offsets[vertices];
  const next = offsets.slice();
  const target = new Uint32Array(total);
  const position = new Uint32Array(total * 3);
  const normal = new Uint32Array(total * 3);
  const from = new Uint32Array(dense.buffer, dense.byteOffset, dense.length);
  for (let t = 0, i = 0; t < targets; t++) {
    for (let v = 0; v < vertices; v++, i++) {
      if (kept[i] === 0) continue;
      const e = next[v]++;
      target[e] = t;
      const [p, q] = [i * 6, e * 3];
      position[q] = from[p];
      position[q + 1] = from[p + 1];
      position[q + 2] = from[p + 2];
      normal[q] = from[p + 3];
      normal[q + 1] = from[p + 4];
      normal[q + 2] = from[p + 5];
    }
  }
  return {
    offsets,
    targets: target,
    position: new Float32Array(position.buffer),
    normal: new Float32Array(normal.buffer),
  };
}

/** Six comparisons a delta, the first that holds keeps it. */
export function sparsifyByLoop(
  dense: Float32Array,
  targets: number,
  vertices: number,
): PlainSparse {
  const e = MORPH_DELTA_EPSILON;
  const kept = new Uint8Array(targets * vertices);
  const counts = new Uint32Array(vertices);
  for (let t = 0, i = 0, p = 0; t < targets; t++) {
    for (let v = 0; v < vertices; v++, i++, p += 6) {
      if (
        Math.abs(dense[p]) > e || Math.abs(dense[p + 1]) > e ||
        Math.abs(dense[p + 2]) > e || Math.abs(dense[p + 3]) > e ||
        Math.abs(dense[p + 4]) > e || Math.abs(dense[p + 5]) > e
      ) {
        kept[i] = 1;
        counts[v]++;
      }
    }
  }
  return place(dense, targets, vertices, kept, counts);
}

/** The bits of six numbers together first: where all are zero, nothing is compared. */
export function sparsifyByBits(
  dense: Float32Array,
  targets: number,
  vertices: number,
): PlainSparse {
  const e = MORPH_DELTA_EPSILON;
  const bits = new Int32Array(dense.buffer, dense.byteOffset, dense.length);
  const kept = new Uint8Array(targets * vertices);
  const counts = new Uint32Array(vertices);
  for (let t = 0, i = 0, p = 0; t < targets; t++) {
    for (let v = 0; v < vertices; v++, i++, p += 6) {
      const any = bits[p] | bits[p + 1] | bits[p + 2] | bits[p + 3] |
        bits[p + 4] | bits[p + 5];
      if ((any & 0x7fffffff) === 0) continue;
      if (
        Math.abs(dense[p]) > e || Math.abs(dense[p + 1]) > e ||
        Math.abs(dense[p + 2]) > e || Math.abs(dense[p + 3]) > e ||
        Math.abs(dense[p + 4]) > e || Math.abs(dense[p + 5]) > e
      ) {
        kept[i] = 1;
        counts[v]++;
      }
    }
  }
  return place(dense, targets, vertices, kept, counts);
}

/** Numbers of the kept deltas of one target, in `found`; counts them by vertex. */
function listKept(
  dense: Float32Array,
  bits: Int32Array,
  first: number,
  found: Uint32Array,
  counts: Uint32Array,
): number {
  const e = MORPH_DELTA_EPSILON;
  let n = 0;
  for (let v = 0, p = first * 6; v < found.length; v++, p += 6) {
    const any = bits[p] | bits[p + 1] | bits[p + 2] | bits[p + 3] |
      bits[p + 4] | bits[p + 5];
    if ((any & 0x7fffffff) === 0) continue;
    if (
      Math.abs(dense[p]) > e || Math.abs(dense[p + 1]) > e ||
      Math.abs(dense[p + 2]) > e || Math.abs(dense[p + 3]) > e ||
      Math.abs(dense[p + 4]) > e || Math.abs(dense[p + 5]) > e
    ) {
      found[n++] = v;
      counts[v + 1]++;
    }
  }
  return n;
}

/** Copies the listed deltas of one target to their places. */
function placeListed(
  list: Uint32Array,
  from: Int32Array,
  first: number,
  t: number,
  next: Uint32Array,
  target: Uint32Array,
  position: Int32Array,
  normal: Int32Array,
): void {
  for (let i = 0; i < list.length; i++) {
    const v = list[i];
    const e = next[v]++;
    const [p, q] = [(first + v) * 6, e * 3];
    target[e] = t;
    position[q] = from[p];
    position[q + 1] = from[p + 1];
    position[q + 2] = from[p + 2];
    normal[q] = from[p + 3];
    normal[q + 1] = from[p + 4];
    normal[q + 2] = from[p + 5];
  }
}

/** As {@linkcode sparsifyByBits}, with lists of what is kept instead of marks: nothing is looked at twice. */
export function sparsifyByLists(
  dense: Float32Array,
  targets: number,
  vertices: number,
): PlainSparse {
  const bits = new Int32Array(dense.buffer, dense.byteOffset, dense.length);
  const offsets = new Uint32Array(vertices + 1);
  const found = new Uint32Array(vertices);
  const lists = Array.from({ length: targets }, (_, t) => {
    const n = listKept(dense, bits, t * vertices, found, offsets);
    return found.slice(0, n);
  });
  for (let v = 0; v < vertices; v++) offsets[v + 1] += offsets[v];
  const total = offsets[vertices];
  const next = offsets.slice();
  const target = new Uint32Array(total);
  const position = new Int32Array(total * 3);
  const normal = new Int32Array(total * 3);
  lists.forEach((list, t) => {
    const first = t * vertices;
    placeListed(list, bits, first, t, next, target, position, normal);
  });
  return {
    offsets,
    targets: target,
    position: new Float32Array(position.buffer),
    normal: new Float32Array(normal.buffer),
  };
}

/** Normals by the inverse transpose, in f64. */
export function normalsByLoop(
  normals: Float32Array,
  matrix: readonly number[],
): { normal: Float32Array; repaired: number } {
  const [a, b, c, d, e, f, g, h, i] = normalMatrix(matrix);
  const normal = new Float32Array(normals.length);
  let repaired = 0;
  for (let k = 0; k < normals.length; k += 3) {
    const [x, y, z] = [normals[k], normals[k + 1], normals[k + 2]];
    const nx = a * x + b * y + c * z;
    const ny = d * x + e * y + f * z;
    const nz = g * x + h * y + i * z;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (length > 0 && length < Infinity) {
      normal[k] = nx / length;
      normal[k + 1] = ny / length;
      normal[k + 2] = nz / length;
    } else {
      normal[k + 2] = 1;
      repaired++;
    }
  }
  return { normal, repaired };
}

/** The same with one division a normal instead of three: other arithmetic, and the fastest. */
export function normalsByReciprocal(
  normals: Float32Array,
  matrix: readonly number[],
): { normal: Float32Array; repaired: number } {
  const [a, b, c, d, e, f, g, h, i] = normalMatrix(matrix);
  const normal = new Float32Array(normals.length);
  let repaired = 0;
  for (let k = 0; k < normals.length; k += 3) {
    const [x, y, z] = [normals[k], normals[k + 1], normals[k + 2]];
    const nx = a * x + b * y + c * z;
    const ny = d * x + e * y + f * z;
    const nz = g * x + h * y + i * z;
    const square = nx * nx + ny * ny + nz * nz;
    if (square > 0 && square < Infinity) {
      const scale = 1 / Math.sqrt(square);
      normal[k] = nx * scale;
      normal[k + 1] = ny * scale;
      normal[k + 2] = nz * scale;
    } else {
      normal[k + 2] = 1;
      repaired++;
    }
  }
  return { normal, repaired };
}
