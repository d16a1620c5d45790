import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertLess,
} from "@std/assert";
import { convertBasis } from "../../src/ops/mod.ts";
import { BASES, type BasisId } from "../../src/core/basis.ts";
import type { MeshJoint } from "../../src/core/mesh.ts";
import { Random } from "../random.ts";
import { assertSameBytes } from "../same_bytes.ts";
import {
  type Affine,
  after,
  apply,
  at,
  cross,
  determinant,
  dot,
  entriesOf,
  inverse,
  type M3,
  plainMesh,
  product,
  randomMesh,
  randomQuaternion,
  sub,
  times,
  type V3,
  worldOf,
} from "./plain_mesh.ts";

/**
 * The conventions written down once more, independently, as matrices to glTF's axes in metres: Source (x, y, z) stands at
 * (x, z, −y), CSS at (x, z, y), Blender at (x, z, −y).
 */
const TO_GLTF = {
  gltf: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  payload: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  source: [[0.0254, 0, 0], [0, 0, 0.0254], [0, -0.0254, 0]],
  css: [[0.01, 0, 0], [0, 0, 0.01], [0, 0.01, 0]],
  blender: [[1, 0, 0], [0, 0, 1], [0, -1, 0]],
} as const satisfies Partial<Record<BasisId, M3>>;
type Tested = keyof typeof TO_GLTF;
/** Which way cross(B − A, C − A) of a front face points. */
const OUTWARD: Record<Tested, number> = {
  gltf: 1,
  payload: 1,
  source: -1,
  css: -1,
  blender: 1,
};
const IDS = Object.keys(TO_GLTF) as Tested[];
const PAIRS = IDS.flatMap((from) => IDS.map((to) => [from, to] as const));

/** From one convention to another. */
const matrixOf = (from: Tested, to: Tested) =>
  product(inverse(TO_GLTF[to]), TO_GLTF[from]);
/** The same without its unit: a rotation or a mirror. */
const turnOf = (from: Tested, to: Tested): M3 => {
  const m = matrixOf(from, to);
  const s = Math.cbrt(Math.abs(determinant(m)));
  return m.map((row) => times(row, 1 / s)) as unknown as M3;
};
const unitOf = (from: Tested, to: Tested) =>
  Math.cbrt(Math.abs(determinant(matrixOf(from, to))));

function near(got: V3, want: V3, ulps = 2) {
  const size = Math.max(...want.map(Math.abs));
  got.forEach((x, k) =>
    assertLess(Math.abs(x - want[k]), ulps * 2 ** -23 * size + 1e-30)
  );
}

Deno.test("convertBasis() maps positions, directions and deltas by the matrices of all pairs", () => {
  const random = new Random(51);
  for (const [from, to] of PAIRS) {
    const mesh = randomMesh(random, 25, 8, from);
    const { mesh: got, change } = convertBasis(mesh, to);
    const [m, turn] = [matrixOf(from, to), turnOf(from, to)];
    assertEquals(got.basis, to);
    assertEquals(
      change.determinant,
      Math.sign(determinant(m)),
      `${from} ${to}`,
    );
    assertAlmostEquals(change.scale, unitOf(from, to), 1e-12);
    const [a, b] = [mesh.attributes, got.attributes];
    for (let v = 0; v < 25; v++) {
      near(at(b.position, v), apply(m, at(a.position, v)));
      near(at(b.normal!, v), apply(turn, at(a.normal!, v)));
      near(at(b.tangent!, v, 4), apply(turn, at(a.tangent!, v, 4)));
    }
    const flips = BASES[from].uvOrigin !== BASES[to].uvOrigin;
    assertEquals(change.uvFlipped, flips);
    a.uvs.forEach((uv, set) =>
      uv.forEach((x, i) =>
        assertEquals(
          b.uvs[set][i],
          flips && i % 2 === 1 ? Math.fround(1 - x) : x,
        )
      )
    );
    const [before, after] = [entriesOf(mesh.morphs!), entriesOf(got.morphs!)];
    before.forEach(([v, t, p, n], e) => {
      assertEquals([after[e][0], after[e][1]], [v, t]);
      near(after[e][2], apply(m, p));
      near(after[e][3]!, apply(turn, n!));
    });
    assertEquals(
      got.lods[1].switchDistance,
      Math.fround(7.5 * change.scale),
    );
    assertSameBytes(b.color!, a.color!);
    assertSameBytes(b.joints!, a.joints!);
    assertSameBytes(b.weights!, a.weights!);
  }
});

/** A tetrahedron, wound as the convention wants its outside. */
function tetrahedron(basis: Tested) {
  const mesh = plainMesh(
    [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
    [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
    { basis },
  );
  if (OUTWARD[basis] < 0) mesh.lods[0].indices!.reverse();
  return mesh;
}

Deno.test("convertBasis() keeps the outside of a solid outside by the rule of each convention", () => {
  for (const [from, to] of PAIRS) {
    const { mesh: got, change } = convertBasis(tetrahedron(from), to);
    const p = got.attributes.position;
    const centre = [0, 1, 2, 3].reduce<V3>(
      (sum, v) =>
        [0, 1, 2].map((k) => sum[k] + p[v * 3 + k] / 4) as unknown as V3,
      [0, 0, 0],
    );
    const indices = got.lods[0].indices!;
    for (let i = 0; i < indices.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => at(p, indices[i + k]));
      const side = dot(cross(sub(b, a), sub(c, a)), sub(a, centre));
      assertEquals(Math.sign(side), OUTWARD[to], `${from} to ${to}`);
    }
    const reversed = determinant(matrixOf(from, to)) * OUTWARD[from] *
        OUTWARD[to] < 0;
    assertEquals(change.windingReversed, reversed);
  }
});

Deno.test("convertBasis() is 0.0254·(x, z, −y) from Source, its tangent signs turned around", () => {
  const mesh = randomMesh(new Random(52), 10, 4, "source");
  const { mesh: got } = convertBasis(mesh, "gltf");
  for (let v = 0; v < 10; v++) {
    const [x, y, z] = at(mesh.attributes.position, v);
    assertEquals(
      at(got.attributes.position, v),
      [0.0254 * x, 0.0254 * z, -0.0254 * y].map(Math.fround) as unknown as V3,
    );
    assertEquals(
      got.attributes.tangent![v * 4 + 3],
      -mesh.attributes.tangent![v * 4 + 3],
    );
  }
  const other = convertBasis(mesh, "gltf", { unit: 0.01 }).mesh;
  assertEquals(
    other.attributes.position[0],
    Math.fround(0.01 * mesh.attributes.position[0]),
  );
});

Deno.test("convertBasis() there and back gives directions their bits and positions within 1 ulp", () => {
  const random = new Random(53);
  for (const [from, to] of PAIRS) {
    const mesh = randomMesh(random, 20, 9, from);
    mesh.attributes.position[1] = -0;
    mesh.attributes.normal!.set([-0, 0, 1]);
    const back = convertBasis(convertBasis(mesh, to).mesh, from).mesh;
    const [a, b] = [mesh.attributes, back.attributes];
    assertSameBytes(b.normal!, a.normal!, `${from} ${to} normal`);
    assertSameBytes(b.tangent!, a.tangent!, `${from} ${to} tangent`);
    assertSameBytes(back.morphs!.normal!, mesh.morphs!.normal!);
    back.lods.forEach((lod, i) =>
      assertSameBytes(lod.indices!, mesh.lods[i].indices!)
    );
    if (unitOf(from, to) === 1) assertSameBytes(b.position, a.position);
    a.position.forEach((x, i) =>
      assert(Math.abs(x - b.position[i]) <= 2 ** -23 * Math.abs(x))
    );
  }
});

function skeleton(random: Random, count: number): MeshJoint[] {
  return Array.from({ length: count }, (_, i): MeshJoint => ({
    name: `j${i}`,
    parent: i === 0 ? -1 : random.below(i),
    translation: [random.between(-2, 2), random.between(-2, 2), 0.5],
    rotation: randomQuaternion(random),
    scale: [random.between(0.5, 2), random.between(0.5, 2), 1],
    rotationDeg: [1, 2, 3],
  }));
}

Deno.test("convertBasis() conjugates the posed matrices of joints, and inverse binds with them", () => {
  const random = new Random(54);
  for (const [from, to] of PAIRS) {
    const joints = skeleton(random, 6);
    const before = worldOf(joints);
    joints.forEach((j, i) => {
      const m = inverse(before[i].m);
      const t = times(apply(m, before[i].t), -1);
      j.inverseBind = Float32Array.of(
        ...[m[0][0], m[1][0], m[2][0], 0],
        ...[m[0][1], m[1][1], m[2][1], 0],
        ...[m[0][2], m[1][2], m[2][2], 0],
        ...[...t, 1],
      );
    });
    const mesh = plainMesh([0, 0, 0], null, { basis: from, skeleton: joints });
    const got = convertBasis(mesh, to).mesh.skeleton!;
    const s: Affine = { m: matrixOf(from, to), t: [0, 0, 0] };
    const back: Affine = { m: inverse(s.m), t: [0, 0, 0] };
    worldOf(got).forEach((have, i) => {
      const want = after(after(s, before[i]), back);
      const size = Math.max(1, ...want.t.map(Math.abs));
      [0, 1, 2].forEach((r) => {
        [0, 1, 2].forEach((c) =>
          assertAlmostEquals(have.m[r][c], want.m[r][c], 1e-5)
        );
        assertAlmostEquals(have.t[r], want.t[r], 1e-5 * size);
      });
      // the inverse bind still undoes the bind
      const b = got[i].inverseBind!;
      const inverted: Affine = {
        m: [0, 1, 2].map((r) => [b[r], b[4 + r], b[8 + r]]) as unknown as M3,
        t: [b[12], b[13], b[14]],
      };
      const one = after(inverted, have);
      [0, 1, 2].forEach((r) => {
        [0, 1, 2].forEach((c) =>
          assertAlmostEquals(one.m[r][c], r === c ? 1 : 0, 1e-4)
        );
        assertAlmostEquals(one.t[r], 0, 1e-4 * size);
      });
      assertEquals([...b].filter((_, k) => k % 4 === 3), [0, 0, 0, 1]);
    });
  }
});

Deno.test("convertBasis() keeps Euler angles exactly where the axes stay", () => {
  const joints = skeleton(new Random(55), 2);
  const mesh = plainMesh([0, 0, 0], null, {
    basis: "payload",
    skeleton: joints,
  });
  const scaled = convertBasis(mesh, "gltf", { unit: 2 }).mesh.skeleton!;
  assertEquals(scaled[1].rotationDeg, [1, 2, 3]);
  assertEquals(
    scaled[1].translation,
    joints[1].translation.map((x) => Math.fround(2 * x)) as MeshJoint[
      "translation"
    ],
  );
  const turned = convertBasis(mesh, "source").mesh.skeleton!;
  assertEquals(turned[1].rotationDeg, undefined);
});

Deno.test("convertBasis() scales heights with the mesh", () => {
  const mesh = plainMesh([0, 0, 0], null, {
    basis: "payload",
    heightfield: { rows: 1, cols: 2, heights: Float32Array.of(1.5, -2) },
  });
  const got = convertBasis(mesh, "gltf", { unit: 3 }).mesh.heightfield!;
  assertEquals([got.rows, got.cols, ...got.heights], [1, 2, 4.5, -6]);
  const same = convertBasis(mesh, "gltf").mesh;
  assertEquals(same.heightfield, mesh.heightfield);
  assertEquals(same.attributes.position, mesh.attributes.position);
});

Deno.test("convertBasis() takes points, and morphs without normals", () => {
  const mesh = plainMesh([1, 2, 3], null, {
    basis: "source",
    morphs: {
      names: ["a"],
      offsets: Uint32Array.of(0, 1),
      targets: Uint32Array.of(0),
      position: Float32Array.of(1, 0, 0),
      normal: null,
    },
  });
  const got = convertBasis(mesh, "css").mesh;
  assertEquals(got.lods[0].indices, null);
  assertEquals(got.morphs!.normal, null);
  assertEquals([...got.morphs!.position], [Math.fround(2.54), -0, 0]);
});
