import { assert, assertEquals, assertThrows } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import {
  readCssMesh,
  validateCssMesh,
  writeCssMesh,
} from "../../src/formats/css/mod.ts";
import { Random } from "../random.ts";
import { bone, bytesOf, changed, triangle, utf8 } from "./plain_css.ts";
import { randomCss } from "./random_css.ts";

/** Reads and judges; nothing but a MeshError may leave, and reading fails exactly where judging says so. */
function exercise(bytes: Uint8Array): string {
  let read = "read";
  try {
    readCssMesh(bytes);
  } catch (error) {
    assert(error instanceof MeshError, String(error));
    read = error.code;
  }
  try {
    const { list, errors } = validateCssMesh(bytes);
    if (read !== "read") {
      assert(errors > 0, read);
      if (list.length < 1000) assert(list.some((f) => f.code === read), read);
    }
  } catch (error) {
    assert(error instanceof MeshError, String(error));
    assertEquals(error.code, read);
  }
  return read;
}

function within(milliseconds: number, work: () => void): void {
  const start = performance.now();
  work();
  const took = performance.now() - start;
  assert(took < milliseconds, `${took} ms`);
}

Deno.test("readCssMesh() gives R-JSON at every length when a file is cut", () => {
  const bytes = writeCssMesh(randomCss(new Random(11), 2, 1));
  for (let n = 1; n < bytes.length - 1; n++) {
    assertEquals(exercise(bytes.subarray(0, n)), "R-JSON", `${n} bytes`);
  }
  assertEquals(exercise(bytes.subarray(0, 0)), "R-FILE");
  assertEquals(exercise(bytes.subarray(0, bytes.length - 1)), "read");
});

Deno.test("readCssMesh() and validateCssMesh() agree when bits are flipped", () => {
  const bytes = writeCssMesh(randomCss(new Random(12), 2, 2));
  const random = new Random(13);
  const codes = new Set<string>();
  for (let i = 0; i < 3000; i++) {
    const broken = bytes.slice();
    for (let k = 0; k <= random.below(3); k++) {
      broken[random.below(bytes.length)] ^= 1 << random.below(8);
    }
    codes.add(exercise(broken));
  }
  assert(codes.size > 8, [...codes].join(" "));
});

Deno.test("readCssMesh() ends with LIMIT-EXCEEDED at once when nesting is a million deep", () => {
  const n = 1_000_000;
  for (
    const text of [
      "[".repeat(n),
      `{"x":${"[".repeat(n)}${"]".repeat(n)}}`,
      `{"points":${"[".repeat(n)}`,
      `{"points":[${"[".repeat(n)}`,
      `{"bones":[${'{"name":'.repeat(n)}`,
      `{"faces":[[${'{"a":['.repeat(n)}`,
    ]
  ) {
    const bytes = utf8(text);
    within(1000, () => assertEquals(exercise(bytes), "LIMIT-EXCEEDED"));
  }
});

Deno.test("readCssMesh() takes more depth when the limit is raised", () => {
  const deep = changed((d) => d.extra = null);
  const bytes = utf8(
    JSON.stringify(deep).replace("null", "[".repeat(100) + "]".repeat(100)),
  );
  assertThrows(() => readCssMesh(bytes), MeshError);
  readCssMesh(bytes, { limits: { maxJsonDepth: 101 } });
});

Deno.test("validateCssMesh() is quick when 100,000 names are equal", () => {
  const equal = (n: number, item: string) =>
    JSON.stringify(triangle()).replace('"Skin"', `"Skin"${item.repeat(n)}`);
  const n = 100_000;
  within(4000, () => {
    // more names than can be kept are a limit; the others are counted
    const bytes = utf8(equal(60_000, ',"SKIN"'));
    const { errors, list } = validateCssMesh(bytes);
    assertEquals(errors, 60_001);
    assertEquals(list[0].code, "R-LIMIT:materials");
    assertEquals(list[1].code, "R-MATERIAL-DUP");
  });
  within(4000, () => {
    const bytes = utf8(equal(n, ',"SKIN"'));
    const error = assertThrows(() => validateCssMesh(bytes), MeshError);
    assertEquals(error.code, "LIMIT-EXCEEDED");
  });
  within(4000, () => {
    const keys = `{${'"points":[],'.repeat(n)}${
      JSON.stringify(triangle()).slice(1)
    }`;
    const { list, errors } = validateCssMesh(utf8(keys));
    assertEquals([list[0].code, list[0].found, errors], [
      "CSS-KEY-REPEATED",
      n + 1,
      0,
    ]);
  });
  within(4000, () => {
    const doc = changed((d) => {
      d.bones = [bone("a", -1), bone("b", 0)];
      d.influences = Array.from({ length: n }, () => [0, 1, 0.5]);
    });
    const { errors } = validateCssMesh(bytesOf(doc));
    // the limit, the repeated pairs, the sums of three points, the count of one
    assertEquals(errors, 1 + (n - 1) + 3 + 1);
  });
});

Deno.test("readCssMesh() reads a number of ten million digits in flat memory", () => {
  const n = 10_000_000;
  const text = JSON.stringify(triangle());
  for (
    const [digits, value] of [
      [`0.${"3".repeat(n)}`, 1 / 3],
      [`${"1" + "0".repeat(n)}e-${n}`, 1],
      [`0.${"0".repeat(n)}25e${n}`, 0.25],
    ] as const
  ) {
    const bytes = utf8(text.replace("[50,0,0]", `[50,0,${digits}]`));
    within(3000, () => {
      assertEquals(readCssMesh(bytes).points[5], Math.fround(value));
    });
  }
});

Deno.test("readCssMesh() gives LIMIT-EXCEEDED when a kept text is long, and passes one that is not kept", () => {
  const long = "x".repeat(70_000);
  const kept = bytesOf(changed((d) => d.materials[0] = long));
  const error = assertThrows(() => readCssMesh(kept), MeshError);
  assertEquals(error.code, "LIMIT-EXCEEDED");
  const passed = readCssMesh(bytesOf(changed((d) => d[long] = long)));
  assertEquals(passed.unknownKeys, ["(a long key)"]);
});

Deno.test("readCssMesh() keeps to the limits on counts", () => {
  const bytes = bytesOf(triangle());
  for (
    const [limits, what] of [
      [{ maxVertices: 2 }, "points"],
      [{ maxIndices: 2 }, "corners"],
      [{ maxJoints: 0 }, "bones"],
      [{ maxInputBytes: bytes.length - 1 }, "maxInputBytes"],
    ] as const
  ) {
    const error = assertThrows(() => readCssMesh(bytes, { limits }), MeshError);
    assertEquals([error.code, error.path], ["LIMIT-EXCEEDED", what]);
  }
});
