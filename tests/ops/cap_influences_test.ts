import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { capInfluences } from "../../src/ops/mod.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import { Random } from "../random.ts";
import { assertSameBytes } from "../same_bytes.ts";
import { plainMesh } from "./plain_mesh.ts";

/** A mesh whose vertices have the given joints and weights, as many slots each as the first. */
function skinned(rows: [joints: number[], weights: number[]][]): Mesh {
  const influences = rows[0][0].length;
  return plainMesh(new Float32Array(rows.length * 3), null, {
    influences,
    attributes: {
      position: new Float32Array(rows.length * 3),
      uvs: [],
      joints: Uint16Array.from(rows.flatMap((r) => r[0])),
      weights: Float32Array.from(rows.flatMap((r) => r[1])),
    },
  });
}

const jointsOf = (m: Mesh, v = 0) => [
  ...m.attributes.joints!.subarray(v * m.influences, (v + 1) * m.influences),
];
const weightsOf = (m: Mesh, v = 0) => [
  ...m.attributes.weights!.subarray(v * m.influences, (v + 1) * m.influences),
];
const f32 = (...values: number[]) => values.map(Math.fround);

const QUIET = {
  capped: 0,
  largestLost: 0,
  merged: 0,
  invalid: 0,
  normalised: 0,
  largestSum: 0,
  weightless: 0,
  clamped: 0,
  cleared: 0,
};
const countsOf = (c: ReturnType<typeof capInfluences>) => {
  const { mesh: _, ...counts } = c;
  return counts;
};

Deno.test("capInfluences() keeps the largest and gives the lost weight back when there are too many", () => {
  const got = capInfluences(
    skinned([[
      [0, 1, 2, 3, 4, 5, 6, 7],
      [0.1, 0.05, 0.3, 0.02, 0.25, 0.08, 0.15, 0.05],
    ]]),
    4,
    8,
  );
  assertEquals(jointsOf(got.mesh), [2, 4, 6, 0]);
  weightsOf(got.mesh).forEach((w, k) =>
    assertAlmostEquals(w, [0.375, 0.3125, 0.1875, 0.125][k], 1e-7)
  );
  assertEquals(got.capped, 1);
  assertAlmostEquals(got.largestLost, 0.2, 1e-7);
  assertEquals(got.normalised, 0, "they did sum to one before");
  assertEquals(got.largestSum, 0);
});

Deno.test("capInfluences() divides by the sum when weights do not reach one", () => {
  const got = capInfluences(skinned([[[3, 1], [0.757, 0.008]]]), 2, 4);
  const sum = Math.fround(0.757) + Math.fround(0.008);
  assertEquals(
    weightsOf(got.mesh),
    f32(Math.fround(0.757) / sum, Math.fround(0.008) / sum),
  );
  assertEquals(countsOf(got), {
    ...QUIET,
    normalised: 1,
    largestSum: Math.abs(sum - 1),
  });
});

Deno.test("capInfluences() keeps the lower joint when weights tie", () => {
  const got = capInfluences(
    skinned([[[9, 2, 5, 1], [0.25, 0.25, 0.25, 0.25]]]),
    2,
    10,
  );
  assertEquals(jointsOf(got.mesh), [1, 2]);
  assertEquals(weightsOf(got.mesh), [0.5, 0.5]);
  assertEquals(countsOf(got), { ...QUIET, capped: 1, largestLost: 0.5 });
});

Deno.test("capInfluences() leaves slots and bits of a vertex that obeys", () => {
  const third = Math.fround(1 / 3);
  const mesh = skinned([
    [[7, 0, 3, 0], [0.5, 0, 0.5, 0]],
    [[1, 2, 3, 0], [third, third, third, 0]],
    [[0, 0, 0, 6], [0, 0, 0, 1]],
    [[1, 2, 0, 0], [0.5, 0.5 + 2 ** -21, 0, 0]],
  ]);
  const got = capInfluences(mesh, 4, 8);
  assertEquals(countsOf(got), QUIET);
  assertSameBytes(got.mesh.attributes.joints!, mesh.attributes.joints!);
  assertSameBytes(got.mesh.attributes.weights!, mesh.attributes.weights!);
});

Deno.test("capInfluences() closes gaps only where fewer slots demand it", () => {
  const got = capInfluences(
    skinned([
      [[7, 0, 3, 0], [0.5, 0, 0.5, 0]],
      [[7, 3, 0, 0], [0.5, 0.5, 0, 0]],
      [[0, 4, 0, 0], [0, 1, 0, 0]],
    ]),
    2,
    8,
  );
  assertEquals(jointsOf(got.mesh, 0), [7, 3]);
  assertEquals(jointsOf(got.mesh, 1), [7, 3]);
  assertEquals(jointsOf(got.mesh, 2), [0, 4]);
  assertEquals(weightsOf(got.mesh, 2), [0, 1]);
  assertEquals(countsOf(got), QUIET);
});

Deno.test("capInfluences() merges a joint that stands twice", () => {
  const got = capInfluences(
    skinned([[[2, 2, 1], [0.25, 0.5, 0.25]], [[2, 2, 0], [1, 0, 0]]]),
    3,
    3,
  );
  assertEquals(jointsOf(got.mesh), [2, 0, 1]);
  assertEquals(weightsOf(got.mesh), [0.75, 0, 0.25]);
  assertEquals(countsOf(got), { ...QUIET, merged: 1, cleared: 1 });
});

Deno.test("capInfluences() takes a negative, NaN or infinite weight for none", () => {
  for (const weight of [-0.5, NaN, Infinity, -Infinity]) {
    const got = capInfluences(skinned([[[1, 2], [1, weight]]]), 2, 3);
    assertEquals(jointsOf(got.mesh), [1, 0]);
    assertEquals(weightsOf(got.mesh), [1, 0]);
    assertEquals(countsOf(got), { ...QUIET, invalid: 1, cleared: 1 });
  }
});

Deno.test("capInfluences() makes a vertex without weight rigid to its first joint", () => {
  const got = capInfluences(
    skinned([
      [[2, 1], [0, 0]],
      [[0, 1], [0, NaN]],
      [[9, 0], [0, 0]],
    ]),
    2,
    3,
  );
  assertEquals([0, 1, 2].map((v) => jointsOf(got.mesh, v)), [
    [2, 0],
    [0, 0],
    [2, 0],
  ]);
  assertEquals([0, 1, 2].map((v) => weightsOf(got.mesh, v)), [
    [1, 0],
    [1, 0],
    [1, 0],
  ]);
  assertEquals(countsOf(got), {
    ...QUIET,
    weightless: 3,
    invalid: 1,
    cleared: 2,
  });
});

Deno.test("capInfluences() clamps a joint that does not exist to the last one", () => {
  const got = capInfluences(skinned([[[5, 1], [0.5, 0.5]]]), 2, 4);
  assertEquals(jointsOf(got.mesh), [3, 1]);
  assertEquals(got.clamped, 1);
  const none = capInfluences(skinned([[[5, 1], [0.5, 0.5]]]), 2, 0);
  assertEquals(jointsOf(none.mesh), [0, 0]);
  assertEquals(weightsOf(none.mesh), [1, 0]);
  assertEquals([none.clamped, none.merged], [2, 1]);
});

Deno.test("capInfluences() widens without a change when there are more slots", () => {
  const got = capInfluences(skinned([[[5, 1], [0.25, 0.75]]]), 4, 8);
  assertEquals(got.mesh.influences, 4);
  assertEquals(jointsOf(got.mesh), [5, 1, 0, 0]);
  assertEquals(weightsOf(got.mesh), [0.25, 0.75, 0, 0]);
  assertEquals(countsOf(got), QUIET);
});

Deno.test("capInfluences() gives a mesh without weights back as it is", () => {
  const mesh = plainMesh([0, 0, 0], null);
  assertEquals(capInfluences(mesh, 4, 1).mesh, mesh);
});

/** What one vertex becomes, by the text alone: joint to weight. */
function oracle(
  joints: number[],
  weights: number[],
  slots: number,
  jointCount: number,
): Map<number, number> {
  const sums = new Map<number, number>();
  weights.forEach((w, k) => {
    if (!(w > 0) || w === Infinity) return;
    const joint = Math.min(joints[k], jointCount - 1);
    sums.set(joint, (sums.get(joint) ?? 0) + w);
  });
  const kept = [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, slots);
  if (kept.length === 0) {
    return new Map([[Math.min(joints[0], jointCount - 1), 1]]);
  }
  const total = kept.reduce((sum, [, w]) => sum + w, 0);
  return new Map(kept.map(([joint, w]) => [joint, w / total]));
}

Deno.test("capInfluences() equals the plain rule for random vertices", () => {
  const random = new Random(41);
  for (let round = 0; round < 200; round++) {
    const from = 1 + random.below(9);
    const slots = 1 + random.below(8);
    const jointCount = 1 + random.below(12);
    const rows = Array.from({ length: 20 }, (): [number[], number[]] => [
      Array.from({ length: from }, () => random.below(14)),
      Array.from(
        { length: from },
        () =>
          Math.fround(random.pick([0, 0.5, NaN, -1, random.float(), 0.125])),
      ),
    ]);
    const { mesh } = capInfluences(skinned(rows), slots, jointCount);
    assertEquals(mesh.influences, slots);
    rows.forEach(([joints, weights], v) => {
      const want = oracle(joints, weights, slots, jointCount);
      const got = new Map<number, number>();
      jointsOf(mesh, v).forEach((joint, k) => {
        const weight = weightsOf(mesh, v)[k];
        if (weight === 0) return assertEquals(joint, 0);
        assert(!got.has(joint), "each joint once");
        got.set(joint, weight);
      });
      assertEquals([...got.keys()].sort(), [...want.keys()].sort());
      for (const [joint, weight] of got) {
        // a sum within 1e-6 of one is left as it is
        assertAlmostEquals(weight, want.get(joint)!, 1.1e-6);
      }
    });
  }
});

Deno.test("capInfluences() keeps each vertex's own sum when sums are not to be repaired", () => {
  const rows: [number[], number[]][] = [
    [[0, 1, 2, 3], [0.4, 0.3, 0.2, 0.3]], // 1.2
    [[3, 1, 0, 0], [0.25, 0.25, 0, 0]],
    [[2, 0, 0, 0], [0, 0, 0, 0]],
    [[1, 2, 0, 0], [0.5, 0.5, 0, 0]],
  ];
  const got = capInfluences(skinned(rows), 2, 4, { repairSums: false });
  const sums = rows.map((_, v) =>
    weightsOf(got.mesh, v).reduce((a, b) => a + b, 0)
  );
  [1.2, 0.5, 0, 1].forEach((sum, v) => assertAlmostEquals(sums[v], sum, 1e-6));
  // ties by the lower joint; what stays keeps its proportion
  assertEquals(jointsOf(got.mesh, 0), [0, 1]);
  assertAlmostEquals(weightsOf(got.mesh, 0)[0], 1.2 * 4 / 7, 1e-6);
  assertEquals(weightsOf(got.mesh, 1), [0.25, 0.25]);
  assertEquals(jointsOf(got.mesh, 2), [2, 0]);
  const { capped, normalised, weightless } = got;
  assertEquals([capped, normalised, weightless], [1, 2, 1]);
  // by default all of them sum to one
  const repaired = capInfluences(skinned(rows), 2, 4);
  rows.forEach((_, v) =>
    assertAlmostEquals(
      weightsOf(repaired.mesh, v).reduce((a, b) => a + b, 0),
      1,
      1e-6,
    )
  );
  assertEquals(countsOf(repaired), countsOf(got));
});
