import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { type Code, CODES } from "../../src/core/codes.ts";
import { MeshError, meshError } from "../../src/core/errors.ts";

Deno.test("meshError() carries code, format, place, found and allowed", () => {
  const cause = new Error("below");
  const error = meshError("VVD-RANGE", "Give the whole file", {
    format: "vvd",
    offset: 56,
    path: "vertexDataStart",
    found: 9,
    allowed: 8,
    cause,
  });
  assertEquals(error.name, "MeshError");
  assertEquals(error.message, "Give the whole file");
  assertEquals(error.code, "VVD-RANGE");
  assertEquals(error.format, "vvd");
  assertEquals(error.offset, 56);
  assertEquals(error.path, "vertexDataStart");
  assertEquals([error.found, error.allowed], [9, 8]);
  assertStrictEquals(error.cause, cause);
  assert(error.stack!.includes("Give the whole file"));
});

Deno.test("meshError() extends the built-in that the code's kind names", () => {
  const builtIns = {
    range: RangeError,
    syntax: SyntaxError,
    type: TypeError,
    plain: Error,
  };
  for (const code of Object.keys(CODES) as Code[]) {
    const error = meshError(code, "text");
    assert(error instanceof MeshError, code);
    assert(error instanceof Error, code);
    for (const [kind, builtIn] of Object.entries(builtIns)) {
      if (builtIn === Error) continue;
      assertEquals(error instanceof builtIn, kind === CODES[code].kind, code);
    }
  }
});

Deno.test("MeshError is made directly and holds nothing that it was not given", () => {
  const error = new MeshError("ARGUMENT", "text");
  assert(error instanceof MeshError);
  assertEquals(error.code, "ARGUMENT");
  assertEquals(
    [error.format, error.offset, error.path, error.found, error.allowed],
    [undefined, undefined, undefined, undefined, undefined],
  );
  assertEquals("cause" in error, false);
});

Deno.test("MeshError recognises its family in another copy of the library and nothing else", async () => {
  const other: { meshError: typeof meshError } = await import(
    new URL("../../src/core/errors.ts?copy", import.meta.url).href
  );
  const foreign = other.meshError("VVD-MAGIC", "text");
  assert(other.meshError !== meshError);
  assert(foreign instanceof MeshError);
  for (
    const value of [
      new Error("x"),
      new RangeError("x"),
      null,
      undefined,
      "VVD-MAGIC",
      { code: "VVD-MAGIC" },
    ] as unknown[]
  ) assertEquals(value instanceof MeshError, false);
});
