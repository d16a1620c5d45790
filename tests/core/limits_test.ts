import { assert, assertEquals, assertThrows } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import {
  checkLimit,
  DEFAULT_LIMITS,
  EDGE_LIMITS,
  type Limits,
  MORPH_DELTA_EPSILON,
  withLimits,
} from "../../src/core/limits.ts";

Deno.test("MORPH_DELTA_EPSILON has the reference's bits", () => {
  const bits = new Uint32Array(Float32Array.of(MORPH_DELTA_EPSILON).buffer)[0];
  assertEquals(bits, 0x358637bd);
});

Deno.test("withLimits() fills in what is left out and keeps what is given", () => {
  assertEquals(withLimits(), DEFAULT_LIMITS);
  const some = withLimits({ maxLods: 3, maxVertices: 0 });
  assertEquals(some, { ...DEFAULT_LIMITS, maxLods: 3, maxVertices: 0 });
});

Deno.test("withLimits() takes no guard away when a limit is undefined or no number", () => {
  // what JavaScript callers hand over
  const loose = (limits: unknown) => withLimits(limits as Partial<Limits>);
  assertEquals(loose({ maxVertices: undefined }), DEFAULT_LIMITS);
  for (const bad of [NaN, -1, "many"]) {
    const error = assertThrows(
      () => loose({ maxVertices: bad }),
      MeshError,
      "maxVertices",
    );
    assertEquals(error.code, "ARGUMENT");
  }
  assertEquals(loose({ maxVertices: Infinity }).maxVertices, Infinity);
});

Deno.test("EDGE_LIMITS are stricter than the default ones", () => {
  for (const [name, limit] of Object.entries(EDGE_LIMITS)) {
    assert(limit <= DEFAULT_LIMITS[name as keyof Limits], name);
  }
  assertEquals(Object.keys(EDGE_LIMITS), Object.keys(DEFAULT_LIMITS));
  const { maxInputBytes, maxOutputBytes, maxKernelBytes } = EDGE_LIMITS;
  assert(maxInputBytes + maxOutputBytes + maxKernelBytes < 128 * 2 ** 20);
});

Deno.test("the tables of limits can not be changed", () => {
  for (const table of [DEFAULT_LIMITS, EDGE_LIMITS]) {
    assertThrows(() => {
      (table as { maxLods: number }).maxLods = 0;
    }, TypeError);
  }
});

Deno.test("checkLimit() throws LIMIT-EXCEEDED with both numbers when the limit is passed", () => {
  checkLimit("maxLods", 8, 8, "vvd");
  const error = assertThrows(
    () => checkLimit("maxLods", 9, 8, "vvd"),
    MeshError,
    "maxLods is 9, the limit is 8",
  );
  assertEquals(error.code, "LIMIT-EXCEEDED");
  assertEquals(error.format, "vvd");
  assertEquals([error.path, error.found, error.allowed], ["maxLods", 9, 8]);
  const bare = assertThrows(() => checkLimit("x", 1, 0), MeshError);
  assertEquals(bare.format, undefined);
});
