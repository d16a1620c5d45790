/**
 * Searches over whole streams. Plain loops: an array method with a callback takes several times as long, and every
 * conversion looks through each of its streams.
 *
 * @module
 */

/** Place of the first number that is NaN or infinite, or −1. */
export function firstNotFinite(values: Float32Array): number {
  for (let i = 0; i < values.length; i++) {
    // only finite numbers give 0, and compilers keep this cheaper than isFinite
    if (values[i] - values[i] !== 0) return i;
  }
  return -1;
}

/** Place of the first index that is not below a limit, or −1. */
export function firstNotBelow(indices: Uint32Array, limit: number): number {
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] >= limit) return i;
  }
  return -1;
}
