/**
 * Comparing large arrays: `assertEquals` would print all of it.
 *
 * @module
 */
import { AssertionError } from "@std/assert";

/** The bytes of any typed array. */
export function asBytes(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Fails, naming the first place, when the bytes differ. Floats compare by their bits. */
export function assertSameBytes(
  actual: ArrayBufferView,
  expected: ArrayBufferView,
  what = "bytes",
): void {
  const [a, b] = [asBytes(actual), asBytes(expected)];
  if (a.length !== b.length) {
    throw new AssertionError(
      `${what}: ${a.length} bytes, expected ${b.length}`,
    );
  }
  const at = firstDifference(a, b);
  if (at >= 0) {
    throw new AssertionError(
      `${what}: byte ${at} is ${a[at]}, expected ${b[at]}`,
    );
  }
}

/** The first place where two arrays of one length differ, or −1. */
export function firstDifference(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return i;
  return -1;
}
