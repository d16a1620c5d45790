import { assertEquals, assertThrows } from "@std/assert";
import {
  chunksOf,
  Counted,
  Parts,
  type Pieces,
  wholeOf,
} from "../../src/core/pieces.ts";

/** Chunks of the given sizes, each full of its own number; counts how often they are made. */
class Made implements Pieces {
  done = 0;
  times = 0;
  constructor(readonly sizes: readonly number[]) {}
  *[Symbol.iterator](): Generator<Uint8Array> {
    this.times++;
    for (const [i, size] of this.sizes.entries()) {
      this.done = (i + 1) / this.sizes.length;
      yield new Uint8Array(size).fill(i);
    }
  }
}

Deno.test("wholeOf() joins pieces, and gives bytes as they are", () => {
  const bytes = Uint8Array.of(1, 2, 3);
  assertEquals(wholeOf(bytes), bytes);
  const small = new Made([2, 0, 3]);
  assertEquals([...wholeOf(small)], [0, 0, 2, 2, 2]);
  assertEquals(small.times, 1);
  assertEquals([...wholeOf(new Made([]))], []);
  assertEquals([...wholeOf(new Parts([bytes, bytes]))], [1, 2, 3, 1, 2, 3]);
});

Deno.test("wholeOf() makes a large file twice rather than holding it twice", () => {
  const large = new Made([2 ** 25, 2 ** 25, 5]);
  const whole = wholeOf(large);
  assertEquals([whole.length, large.times], [2 ** 26 + 5, 2]);
  assertEquals([...whole.subarray(2 ** 26 - 1)], [1, 2, 2, 2, 2, 2]);
});

Deno.test("chunksOf() cuts bytes into chunks of 4 MiB, and passes pieces on", () => {
  const sizes = (chunks: Iterable<Uint8Array>) =>
    Array.from(chunks, (chunk) => chunk.length);
  assertEquals(sizes(chunksOf(new Uint8Array(9 * 2 ** 20))), [
    2 ** 22,
    2 ** 22,
    2 ** 20,
  ]);
  assertEquals(sizes(chunksOf(new Uint8Array(0))), []);
  assertEquals(sizes(chunksOf(new Made([3, 1]))), [3, 1]);
});

Deno.test("Counted counts what has passed, and begins again with each iteration", () => {
  const counted = new Counted(new Made([3, 1]));
  const seen: [number, number][] = [];
  for (const _ of counted) seen.push([counted.size, counted.done]);
  for (const _ of counted) seen.push([counted.size, counted.done]);
  assertEquals(seen, [[3, 0.5], [4, 1], [3, 0.5], [4, 1]]);
  const bytes = new Counted(new Uint8Array(10));
  assertEquals(bytes.done, 0);
  for (const _ of bytes);
  assertEquals([bytes.size, bytes.done], [10, 1]);
  // the whole is known where it stands in memory, however often it is wrapped
  const parts = new Parts([new Uint8Array(3), new Uint8Array(9)]);
  const wrapped = new Counted(new Counted(parts));
  const shares: number[] = [];
  for (const _ of wrapped) shares.push(wrapped.done);
  assertEquals([wrapped.total, counted.total, bytes.total], [12, null, 10]);
  assertEquals(shares, [0.25, 1]);
});

Deno.test("Counted passes an error on that stops the making", () => {
  const counted = new Counted({
    done: 0,
    // deno-lint-ignore require-yield
    *[Symbol.iterator](): Generator<Uint8Array> {
      throw new RangeError("too large");
    },
  });
  assertThrows(() => [...counted], RangeError, "too large");
});
