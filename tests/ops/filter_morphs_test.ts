import { assertEquals, assertStrictEquals } from "@std/assert";
import { filterMorphs } from "../../src/ops/mod.ts";
import { Random } from "../random.ts";
import {
  entriesOf,
  type Entry,
  plainMesh,
  plainMorphs,
  type V3,
} from "./plain_mesh.ts";

const morphed = (vertices: number, names: string[], entries: Entry[]) =>
  plainMesh(new Float32Array(vertices * 3), null, {
    morphs: plainMorphs(vertices, names, entries),
  });
const countsOf = (r: ReturnType<typeof filterMorphs>) => {
  const { mesh, kept, ...counts } = r;
  assertEquals(kept, mesh.morphs!.targets.length);
  return counts;
};
const QUIET = {
  dropped: 0,
  merged: 0,
  nonFinite: 0,
  reordered: 0,
  emptied: [] as string[],
  largest: 0,
};
const EPSILON = Math.fround(1e-6);
/** The next f32 above the epsilon. */
const ABOVE = (() => {
  const bits = new Uint32Array(Float32Array.of(EPSILON).buffer);
  return new Float32Array(Uint32Array.of(bits[0] + 1).buffer)[0];
})();

Deno.test("filterMorphs() drops what is at or below the epsilon, compared strictly in f32", () => {
  const mesh = morphed(6, ["a"], [
    [0, 0, [1e-6, 0, 0]],
    [1, 0, [-1e-6, 1e-6, -1e-6]],
    [2, 0, [0, ABOVE, 0]],
    [3, 0, [0, 0, -ABOVE]],
    [4, 0, [0, 0, 0], [0, -1e-5, 0]],
    [5, 0, [0, 0, 0], [0, 1e-6, 0]],
  ]);
  const got = filterMorphs(mesh); // the payload's epsilon
  assertEquals(entriesOf(got.mesh.morphs!).map((e) => e[0]), [2, 3, 4]);
  assertEquals(countsOf(got), { ...QUIET, dropped: 3, largest: EPSILON });
});

Deno.test("filterMorphs() rounds the epsilon to f32, since deltas are", () => {
  // 0.1 is larger as f32 than as f64, so that a delta of 0.1 lies above the f64
  const mesh = morphed(1, ["a"], [[0, 0, [0.1, 0, 0]]]);
  assertEquals(filterMorphs(mesh, 0.1).dropped, 1);
});

Deno.test("filterMorphs() with epsilon 0 drops entries of zeros alone", () => {
  const mesh = morphed(3, ["a"], [
    [0, 0, [0, -0, 0]],
    [1, 0, [1e-45, 0, 0]],
    [2, 0, [0, 0, 0], [0, 0, 1e-45]],
  ]);
  const got = filterMorphs(mesh, 0);
  assertEquals(entriesOf(got.mesh.morphs!).map((e) => e[0]), [1, 2]);
  assertEquals(countsOf(got), { ...QUIET, dropped: 1 });
});

Deno.test("filterMorphs() adds two entries of one vertex and target", () => {
  const mesh = morphed(2, ["a", "b"], [
    [0, 1, [0.5, 0, 0], [0, 0, 1]],
    [0, 1, [0.25, -1, 0], [0, 0, 1]],
    [1, 0, [1, 0, 0], [0, 0, 0]],
    [1, 0, [-1, 0, 0], [0, 0, 0]],
  ]);
  const got = filterMorphs(mesh, 0);
  assertEquals(entriesOf(got.mesh.morphs!), [
    [0, 1, [0.75, -1, 0], [0, 0, 2]],
  ]);
  assertEquals(countsOf(got), {
    ...QUIET,
    merged: 2,
    dropped: 1,
    emptied: ["a"],
  });
});

Deno.test("filterMorphs() orders the targets of a vertex", () => {
  const mesh = morphed(2, ["a", "b", "c"], [
    [0, 2, [2, 0, 0]],
    [0, 0, [0.5, 0, 0]],
    [1, 0, [1, 0, 0]],
    [1, 1, [1, 0, 0]],
  ]);
  const got = filterMorphs(mesh, 0);
  assertEquals(entriesOf(got.mesh.morphs!).map((e) => [e[0], e[1], e[2][0]]), [
    [0, 0, 0.5],
    [0, 2, 2],
    [1, 0, 1],
    [1, 1, 1],
  ]);
  assertEquals(countsOf(got), { ...QUIET, reordered: 1 });
});

Deno.test("filterMorphs() makes components that are not finite 0", () => {
  const mesh = morphed(2, ["a"], [
    [0, 0, [NaN, 1, -Infinity]],
    [1, 0, [NaN, 0, 0]],
  ]);
  const got = filterMorphs(mesh, 0);
  assertEquals(entriesOf(got.mesh.morphs!), [[0, 0, [0, 1, 0]]]);
  assertEquals(countsOf(got), { ...QUIET, nonFinite: 2, dropped: 1 });
});

Deno.test("filterMorphs() names the targets that it empties, not those that were empty", () => {
  const mesh = morphed(2, ["gone", "kept", "bare", "gone"], [
    [0, 0, [1e-7, 0, 0]],
    [1, 1, [1, 0, 0]],
    [1, 3, [0, 1e-8, 0]],
  ]);
  const got = filterMorphs(mesh, 1e-6);
  assertEquals(got.emptied, ["gone", "gone"]);
  assertEquals(got.mesh.morphs!.names, ["gone", "kept", "bare", "gone"]);
});

Deno.test("filterMorphs() gives a mesh without morphs back as it is", () => {
  const mesh = plainMesh([0, 0, 0], null);
  assertStrictEquals(filterMorphs(mesh, 1).mesh, mesh);
});

Deno.test("filterMorphs() equals the plain rule for random entries", () => {
  const random = new Random(12);
  const number = () =>
    Math.fround(random.pick([0, 1e-6, -1e-6, 2e-6, 1e-7, 0.5, -0.25]));
  const triple = (): V3 => [number(), number(), number()];
  for (let round = 0; round < 300; round++) {
    const vertices = 1 + random.below(6);
    const entries: Entry[] = [];
    for (let v = 0; v < vertices; v++) {
      for (let n = random.below(6); n > 0; n--) {
        entries.push([v, random.below(3), triple(), triple()]);
      }
    }
    const mesh = morphed(vertices, ["a", "b", "c"], entries);
    const epsilon = random.pick([0, 1e-6, 0.3]);
    const want: Entry[] = [];
    for (let v = 0; v < vertices; v++) {
      for (let t = 0; t < 3; t++) {
        const own = entries.filter((e) => e[0] === v && e[1] === t);
        if (own.length === 0) continue;
        const sum = [0, 0, 0, 0, 0, 0];
        for (const [, , p, n] of own) {
          [...p, ...n!].forEach((x, k) => sum[k] = Math.fround(sum[k] + x));
        }
        if (sum.every((x) => Math.abs(x) <= Math.fround(epsilon))) continue;
        want.push([
          v,
          t,
          sum.slice(0, 3) as unknown as V3,
          sum.slice(3) as unknown as V3,
        ]);
      }
    }
    const got = filterMorphs(mesh, epsilon).mesh.morphs!;
    if (entries.length > 0) {
      // + 0 takes the sign off zeros, which the sums do not promise
      const plus = (e: Entry) =>
        [e[0], e[1], ...e[2], ...e[3] ?? []]
          .map((x) => x + 0);
      assertEquals(entriesOf(got).map(plus), want.map(plus));
    }
  }
});
