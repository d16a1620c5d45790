import { assertEquals } from "@std/assert";
import { firstNotBelow, firstNotFinite } from "../../src/core/scan.ts";

Deno.test("firstNotFinite() finds NaN and both infinities, not zeros, subnormals and the largest numbers", () => {
  const fine = [0, -0, 1e-45, -3.4028234663852886e38, 3.4028234663852886e38];
  assertEquals(firstNotFinite(Float32Array.from(fine)), -1);
  assertEquals(firstNotFinite(new Float32Array(0)), -1);
  for (const bad of [NaN, Infinity, -Infinity]) {
    for (let at = 0; at <= fine.length; at++) {
      const values = Float32Array.from(fine.toSpliced(at, 0, bad, bad));
      assertEquals(firstNotFinite(values), at);
    }
  }
});

Deno.test("firstNotBelow() finds the first index at or above the limit", () => {
  const indices = Uint32Array.of(2, 0, 3, 4_294_967_295, 3);
  assertEquals(firstNotBelow(indices, 3), 2);
  assertEquals(firstNotBelow(indices, 4), 3);
  assertEquals(firstNotBelow(indices.subarray(0, 2), 3), -1);
  assertEquals(firstNotBelow(new Uint32Array(0), 0), -1);
});
