import { assertEquals } from "@std/assert";
import { AllocationWatch } from "./watch.ts";

const REQUESTS: [what: string, make: () => unknown, bytes: number][] = [
  ["a typed array", () => new Float32Array(1000), 4000],
  ["a buffer", () => new ArrayBuffer(1234), 1234],
  ["an array", () => new Array(100), 800],
  ["a copy of an array", () => new Uint16Array([1, 2, 3]), 6],
  ["Uint32Array.from()", () => Uint32Array.from({ length: 50 }), 200],
  ["Uint8Array.of()", () => Uint8Array.of(1, 2, 3), 3],
  ["Array.from()", () => Array.from({ length: 30 }), 240],
];

Deno.test("AllocationWatch sees every way of asking for memory", () => {
  using watch = new AllocationWatch();
  for (const [what, make, bytes] of REQUESTS) {
    watch.reset();
    make();
    assertEquals(watch.largest, bytes, what);
  }
  const source = new Float32Array(500);
  const derived: [string, () => unknown][] = [
    ["slice()", () => source.slice()],
    ["map()", () => source.map((x) => x)],
    ["filter()", () => source.filter(() => true)],
  ];
  for (const [what, make] of derived) {
    watch.reset();
    make();
    assertEquals(watch.largest, 2000, what);
  }
});

Deno.test("AllocationWatch does not count views", () => {
  using watch = new AllocationWatch();
  const source = new Uint8Array(400);
  watch.reset();
  source.subarray(10, 300);
  new Float32Array(source.buffer);
  new Uint32Array(source.buffer, 4, 9);
  assertEquals(watch.largest, 0);
});

Deno.test("AllocationWatch leaves everything as it was", () => {
  const before = [
    Uint8Array,
    Array,
    ArrayBuffer,
    Uint8Array.prototype.constructor,
  ];
  {
    using watch = new AllocationWatch();
    const seen = new Uint8Array(3);
    assertEquals(seen instanceof Uint8Array, true);
    assertEquals(Array.isArray(new Array(2)), true);
    assertEquals(Object.prototype.toString.call(seen), "[object Uint8Array]");
    assertEquals(watch.largest, 16);
  }
  assertEquals(
    [Uint8Array, Array, ArrayBuffer, Uint8Array.prototype.constructor],
    before,
  );
});
