import "./build.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import type { SparseMorphs } from "../../src/core/mesh.ts";
import { densifyMorphs, sparsifyMorphs } from "../../src/kernels/mod.ts";
import { Random } from "../random.ts";
import { assertSameBytes } from "../same_bytes.ts";

const EPSILON_BITS = 0x358637bd; // 1e-6 in f32

const bitsOf = (a: Float32Array) =>
  new Uint32Array(a.buffer, a.byteOffset, a.length);
const fromBits = (bits: number) =>
  new Float32Array(Uint32Array.of(bits).buffer)[0];
const namesOf = (count: number) =>
  Array.from({ length: count }, (_, i) => `target ${i}`);

/** The rule, written plainly. */
function isKept(delta: Float32Array, epsilon: number): boolean {
  return delta.some((x) => Math.abs(Math.fround(x)) > Math.fround(epsilon));
}

/** The oracle: vertex by vertex, target by target, into lists. */
function plainSparsify(
  dense: Float32Array,
  targets: number,
  vertices: number,
  epsilon = 1e-6,
): {
  offsets: number[];
  targets: number[];
  position: number[];
  normal: number[];
} {
  const out = {
    offsets: [0],
    targets: [] as number[],
    position: [] as number[],
    normal: [] as number[],
  };
  const bits = bitsOf(dense);
  for (let v = 0; v < vertices; v++) {
    for (let t = 0; t < targets; t++) {
      const at = (t * vertices + v) * 6;
      if (!isKept(dense.subarray(at, at + 6), epsilon)) continue;
      out.targets.push(t);
      out.position.push(...bits.subarray(at, at + 3));
      out.normal.push(...bits.subarray(at + 3, at + 6));
    }
    out.offsets.push(out.targets.length);
  }
  return out;
}

function assertSparse(
  actual: SparseMorphs,
  expected: ReturnType<typeof plainSparsify>,
  what: string,
): void {
  assert(actual.normal, what);
  assertSameBytes(actual.offsets, Uint32Array.from(expected.offsets), what);
  assertSameBytes(actual.targets, Uint32Array.from(expected.targets), what);
  assertSameBytes(actual.position, Uint32Array.from(expected.position), what);
  assertSameBytes(actual.normal, Uint32Array.from(expected.normal), what);
}

/** Deltas as meshes have them, mostly zero, with every special value now and then. */
function randomDense(random: Random, length: number): Float32Array {
  const special = [
    ...[EPSILON_BITS - 1, EPSILON_BITS, EPSILON_BITS + 1],
    ...[0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345],
    ...[0x00000001, 0x80000000, 0x007fffff, 0x3f800000],
  ];
  const dense = new Float32Array(length);
  const bits = bitsOf(dense);
  const density = random.pick([0.002, 0.05, 0.6]);
  for (let i = 0; i < length; i++) {
    if (random.float() > density) continue;
    if (random.below(3)) dense[i] = random.between(-1e-5, 1e-5);
    else bits[i] = random.pick(special) | (random.below(2) << 31);
  }
  return dense;
}

Deno.test("sparsifyMorphs() equals a plain loop when deltas are random and counts meet every edge", () => {
  const random = new Random(21);
  const counts = Array.from({ length: 34 }, (_, i) => i);
  for (const vertices of [...counts, 100, 4095, 4096, 4097, 9001]) {
    for (const targets of vertices > 1000 ? [2] : [1, 3, 7]) {
      const dense = randomDense(random, targets * vertices * 6);
      assertSparse(
        sparsifyMorphs(dense, namesOf(targets), vertices),
        plainSparsify(dense, targets, vertices),
        `${targets} targets of ${vertices} vertices`,
      );
    }
  }
});

Deno.test("sparsifyMorphs() equals a plain loop when there are 1,000 targets", () => {
  const dense = randomDense(new Random(22), 1000 * 13 * 6);
  assertSparse(
    sparsifyMorphs(dense, namesOf(1000), 13),
    plainSparsify(dense, 1000, 13),
    "1,000 targets",
  );
});

Deno.test("sparsifyMorphs() equals a plain loop when every delta is kept", () => {
  // 100,000 kept deltas: more than are noted in one array
  const dense = new Random(23).floats(20 * 5000 * 6, 0.5, 1);
  assertSparse(
    sparsifyMorphs(dense, namesOf(20), 5000),
    plainSparsify(dense, 20, 5000),
    "all kept",
  );
});

Deno.test("sparsifyMorphs() drops exactly 1e-6 and keeps the next f32 when one component stands alone", () => {
  const judged: [bits: number, kept: boolean][] = [
    [EPSILON_BITS - 1, false],
    [EPSILON_BITS, false],
    [EPSILON_BITS + 1, true],
    [0x7f800000, true], // infinity
    [0x7fc00000, false], // NaN is never greater
    [0x7f800001, false], // nor a signalling one
    [0x00000001, false],
  ];
  for (const [bits, kept] of judged) {
    for (const sign of [0, 0x80000000]) {
      // every component of every vertex of a block, and of the rest behind it
      for (let place = 0; place < 11 * 6; place++) {
        const dense = new Float32Array(11 * 6);
        bitsOf(dense)[place] = bits | sign;
        const { targets, offsets } = sparsifyMorphs(dense, ["one"], 11);
        const what = `${(bits | sign) >>> 0} at ${place}`;
        assertEquals(targets.length, kept ? 1 : 0, what);
        const v = Math.floor(place / 6);
        assertEquals(offsets[v + 1] - offsets[v], kept ? 1 : 0, what);
      }
    }
  }
});

Deno.test("sparsifyMorphs() drops deltas when only their bits together exceed epsilon", () => {
  // 0x358637bd | 0x34400000 is greater than either: the kernel's quick test must not decide
  const dense = new Float32Array(8 * 6);
  const bits = bitsOf(dense);
  bits.fill(0x34400000);
  bits[7] = EPSILON_BITS;
  assert((0x34400000 | EPSILON_BITS) > EPSILON_BITS);
  assertEquals(sparsifyMorphs(dense, ["one"], 8).targets.length, 0);
});

Deno.test("sparsifyMorphs() keeps all six components bit for bit when a delta has a NaN beside a large one", () => {
  const dense = new Float32Array(6);
  bitsOf(dense).set([0x7f800001, 0xffc12345, 0, 0x80000000, 1, 0x3f800000]);
  const { position, normal } = sparsifyMorphs(dense, ["one"], 1);
  assertSameBytes(position, dense.subarray(0, 3));
  assertSameBytes(normal!, dense.subarray(3));
});

Deno.test("sparsifyMorphs() compares with epsilon rounded to f32 when another one is given", () => {
  const tenth = Math.fround(0.1);
  const above = fromBits(0x3dcccccd + 1);
  assertEquals(bitsOf(Float32Array.of(0.1))[0], 0x3dcccccd);
  const dense = Float32Array.of(tenth, 0, 0, 0, 0, 0, 0, 0, above, 0, 0, 0);
  const kept = (epsilon: number) => {
    const { offsets } = sparsifyMorphs(dense, ["one"], 2, epsilon);
    return [offsets[1] - offsets[0], offsets[2] - offsets[1]];
  };
  assertEquals(kept(0.1), [0, 1]);
  assertEquals(kept(0.5), [0, 0]);
  assertEquals(kept(0), [1, 1]);
  assertEquals(kept(-0), [1, 1]);
  const edges = Float32Array.of(-0, 0, 0, 0, 0, 0, 1e-45, 0, 0, 0, 0, 0);
  assertEquals(sparsifyMorphs(edges, ["one"], 2, 0).targets.length, 1);
  const infinite = new Float32Array(6).fill(Infinity);
  assertEquals(
    sparsifyMorphs(infinite, ["one"], 1, Infinity).targets.length,
    0,
  );
});

Deno.test("sparsifyMorphs() gives empty arrays when there are no targets or no vertices", () => {
  const none = sparsifyMorphs(new Float32Array(0), [], 3);
  assertEquals([...none.offsets], [0, 0, 0, 0]);
  assertEquals([none.names.length, none.targets.length], [0, 0]);
  const empty = sparsifyMorphs(new Float32Array(0), ["a", "b"], 0);
  assertEquals([...empty.offsets], [0]);
  assertEquals(empty.names, ["a", "b"]);
  assertEquals([...sparsifyMorphs(new Float32Array(0), [], 0).offsets], [0]);
});

Deno.test("sparsifyMorphs() reads the view alone when it lies inside a larger buffer", () => {
  const around = new Random(24).floats(100 + 20 * 6, 1, 2);
  const dense = around.subarray(50, 50 + 20 * 6);
  dense.fill(0, 12, 30);
  assertSparse(
    sparsifyMorphs(dense, ["one"], 20),
    plainSparsify(dense, 1, 20),
    "view",
  );
});

Deno.test("sparsifyMorphs() throws PAYLOAD-LENGTH with both numbers when the array has another length", () => {
  for (const length of [0, 35, 37, 42]) {
    const error = assertThrows(
      () => sparsifyMorphs(new Float32Array(length), ["a", "b"], 3),
      MeshError,
    );
    assertEquals(error.code, "PAYLOAD-LENGTH");
    assertEquals([error.found, error.allowed], [length, 36]);
  }
});

Deno.test("sparsifyMorphs() throws a MeshError when epsilon or the number of vertices makes no sense", () => {
  for (const epsilon of [NaN, -1e-6, -Infinity]) {
    const error = assertThrows(
      () => sparsifyMorphs(new Float32Array(6), ["a"], 1, epsilon),
      MeshError,
    );
    assertEquals(error.code, "ARGUMENT");
  }
  for (const vertices of [-1, 0.5, NaN, Infinity, 1e12]) {
    const error = assertThrows(
      () => sparsifyMorphs(new Float32Array(0), [], vertices),
      MeshError,
    );
    assertEquals(
      error.code,
      vertices === 1e12 ? "LIMIT-EXCEEDED" : "ARGUMENT",
    );
  }
});

Deno.test("densifyMorphs() gives back what sparsifyMorphs() kept, and zeros", () => {
  const random = new Random(25);
  for (const vertices of [0, 1, 9, 500]) {
    const dense = randomDense(random, 3 * vertices * 6);
    const expected = dense.slice();
    for (let at = 0; at < dense.length; at += 6) {
      if (!isKept(dense.subarray(at, at + 6), 1e-6)) {
        expected.fill(0, at, at + 6);
      }
    }
    const sparse = sparsifyMorphs(dense, namesOf(3), vertices);
    assertSameBytes(densifyMorphs(sparse, vertices), expected);
  }
});

Deno.test("densifyMorphs() keeps the last of two entries for one vertex and target", () => {
  const dense = densifyMorphs({
    names: ["a", "b"],
    offsets: Uint32Array.of(0, 0, 3),
    targets: Uint32Array.of(1, 0, 1),
    position: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9),
    normal: Float32Array.of(-1, -2, -3, -4, -5, -6, -7, -8, -9),
  }, 2);
  assertEquals([...dense.subarray(6, 12)], [4, 5, 6, -4, -5, -6]);
  assertEquals([...dense.subarray(18, 24)], [7, 8, 9, -7, -8, -9]);
  assert(dense.subarray(0, 6).every((x) => x === 0));
  assert(dense.subarray(12, 18).every((x) => x === 0));
});

Deno.test("densifyMorphs() leaves normals at zero when there are none", () => {
  const dense = densifyMorphs({
    names: ["a"],
    offsets: Uint32Array.of(0, 1),
    targets: Uint32Array.of(0),
    position: Float32Array.of(1, 2, 3),
    normal: null,
  }, 1);
  assertEquals([...dense], [1, 2, 3, 0, 0, 0]);
});

Deno.test("densifyMorphs() throws LIMIT-EXCEEDED when targets × vertices would be too much", () => {
  const morphs = {
    names: namesOf(100),
    offsets: new Uint32Array(1),
    targets: new Uint32Array(0),
    position: new Float32Array(0),
    normal: null,
  };
  const error = assertThrows(() => densifyMorphs(morphs, 1e7), MeshError);
  assertEquals(error.code, "LIMIT-EXCEEDED");
});
