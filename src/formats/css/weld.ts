/**
 * Finds equal elements among many without a string for each.
 *
 * @module
 */

/** Mixes one more word into a hash. */
export function mix(hash: number, word: number): number {
  const x = Math.imul(hash ^ word, 0x9e3779b1);
  return x ^ (x >>> 15);
}

const cell = new Float32Array(1);
const bits = new Uint32Array(cell.buffer);

/** The bits of a number as f32; both zeros are one. */
export function bitsOfNumber(x: number): number {
  cell[0] = x + 0;
  return bits[0];
}

/** Result of {@linkcode weld}. */
export interface Welded {
  /** The first of its equals, for each kept element, in order. */
  first: Uint32Array;
  /** Number of the kept element that each element became. */
  to: Uint32Array;
}

/**
 * Joins equal elements, in the order of their first appearance.
 *
 * @param count Number of elements.
 * @param hash Equal elements have equal hashes.
 * @param equal Whether two elements are the same.
 */
export function weld(
  count: number,
  hash: (i: number) => number,
  equal: (a: number, b: number) => boolean,
): Welded {
  let size = 16;
  while (size < 2 * count) size *= 2;
  /** Kept elements, plus one. */
  const table = new Uint32Array(size);
  const first = new Uint32Array(count);
  const to = new Uint32Array(count);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    let slot = hash(i) & (size - 1);
    while (table[slot] !== 0 && !equal(first[table[slot] - 1], i)) {
      slot = (slot + 1) & (size - 1);
    }
    if (table[slot] === 0) {
      first[kept] = i;
      table[slot] = ++kept;
    }
    to[i] = table[slot] - 1;
  }
  return { first: first.slice(0, kept), to };
}
