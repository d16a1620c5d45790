import "../kernels/build.ts";
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertLess,
  assertThrows,
} from "@std/assert";
import { transformMesh } from "../../src/ops/mod.ts";
import { MeshError } from "../../src/core/errors.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import { Random } from "../random.ts";
import { assertSameBytes } from "../same_bytes.ts";
import {
  add,
  angle,
  apply,
  at,
  cross,
  determinant,
  dot,
  entriesOf,
  inverse,
  length,
  type M3,
  matrix16,
  plainMesh,
  plainMorphs,
  randomMesh,
  randomQuaternion,
  rotationOf,
  sub,
  transpose,
  unit,
  type V3,
} from "./plain_mesh.ts";

const ONE: M3 = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

function randomMatrix(random: Random): M3 {
  const row = (): V3 => [
    random.between(-2, 2),
    random.between(-2, 2),
    random.between(-2, 2),
  ];
  for (;;) {
    const m: M3 = [row(), row(), row()];
    if (Math.abs(determinant(m)) > 0.3) return m;
  }
}

Deno.test("transformMesh() turns tangents and normals within 1e-6 rad for 1000 random rotations", () => {
  const random = new Random(61);
  const mesh = randomMesh(random, 4, 1);
  mesh.attributes.tangent!.set([0.6, 0.8, 0, 1]);
  const { tangent, normal, position } = mesh.attributes;
  for (let round = 0; round < 1000; round++) {
    const m = rotationOf(randomQuaternion(random));
    const got = transformMesh(mesh, matrix16(m)).mesh.attributes;
    for (let v = 0; v < 4; v++) {
      assertLess(
        angle(at(got.tangent!, v, 4), apply(m, at(tangent!, v, 4))),
        1e-6,
      );
      assertLess(angle(at(got.normal!, v), apply(m, at(normal!, v))), 1e-6);
      assertLess(
        length(sub(at(got.position, v), apply(m, at(position, v)))),
        2e-6,
      );
      assertEquals(got.tangent![v * 4 + 3], tangent![v * 4 + 3]);
    }
  }
});

Deno.test("transformMesh() maps by any matrix as f64 does: positions, normals, tangents, deltas", () => {
  const random = new Random(62);
  for (let round = 0; round < 100; round++) {
    const m = randomMatrix(random);
    const t: V3 = [random.between(-9, 9), random.between(-9, 9), 3];
    const mesh = randomMesh(random, 12, 6);
    const got = transformMesh(mesh, matrix16(m, t));
    const [a, b] = [mesh.attributes, got.mesh.attributes];
    const normals = transpose(inverse(m));
    assertEquals(got.repairedNormals, 0);
    assertEquals(got.windingReversed, determinant(m) < 0);
    for (let v = 0; v < 12; v++) {
      assertLess(
        length(sub(at(b.position, v), add(apply(m, at(a.position, v)), t))),
        4e-6,
      );
      const n = at(b.normal!, v);
      // the matrix may stretch errors of f32 by its condition, which is bounded here
      assertLess(angle(n, apply(normals, at(a.normal!, v))), 2e-5);
      assertAlmostEquals(length(n), 1, 3e-7);
      const tangent = at(b.tangent!, v, 4);
      assertLess(angle(tangent, apply(m, at(a.tangent!, v, 4))), 1e-6);
      assertAlmostEquals(length(tangent), 1, 3e-7);
      assertEquals(
        b.tangent![v * 4 + 3],
        a.tangent![v * 4 + 3] * Math.sign(determinant(m)),
      );
    }
    const [before, after] = [
      entriesOf(mesh.morphs!),
      entriesOf(got.mesh.morphs!),
    ];
    before.forEach(([, , delta], e) =>
      assertLess(length(sub(after[e][2], apply(m, delta))), 1e-6)
    );
  }
});

Deno.test("transformMesh() keeps every frame's handedness and outside when it mirrors", () => {
  // a unit square, its texture plain: +u along x, up in the image along y
  const mesh = plainMesh(
    [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0],
    [0, 1, 2, 0, 2, 3],
    {
      attributes: {
        position: new Float32Array(0),
        normal: Float32Array.from([0, 1, 2, 3].flatMap(() => [0, 0, 1])),
        tangent: Float32Array.from([0, 1, 2, 3].flatMap(() => [1, 0, 0, 1])),
        uvs: [Float32Array.of(0, 1, 1, 1, 1, 0, 0, 0)],
      },
    },
  );
  mesh.attributes.position = Float32Array.of(
    ...[0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0],
  );
  for (let signs = 0; signs < 8; signs++) {
    const s = [0, 1, 2].map((k) => signs & (1 << k) ? -1 : 1);
    const m: M3 = [[s[0], 0, 0], [0, s[1], 0], [0, 0, s[2]]];
    const { mesh: got } = transformMesh(mesh, matrix16(m, [4, 5, 6]));
    const { position: p, normal, tangent } = got.attributes;
    const indices = got.lods[0].indices!;
    for (let i = 0; i < indices.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => at(p, indices[i + k]));
      const face = cross(sub(b, a), sub(c, a));
      assert(dot(face, at(normal!, indices[i])) > 0, "the face looks outward");
    }
    for (let v = 0; v < 4; v++) {
      const bitangent = cross(at(normal!, v), at(tangent!, v, 4));
      const w = tangent![v * 4 + 3];
      const up = apply(m, [0, 1, 0]);
      assert(w * dot(bitangent, up) > 0, "the bitangent looks up the image");
    }
    assertEquals(mesh.lods[0].indices![0], 0, "the input stays");
  }
});

Deno.test("transformMesh() leaves directions and deltas bit for bit when it only moves", () => {
  const mesh = randomMesh(new Random(63), 30, 9);
  mesh.attributes.normal!.set([0, 0, 0.3, -0, 0, 1]);
  const got = transformMesh(mesh, matrix16(ONE, [1e6, -1e6, 1e6])).mesh;
  const [a, b] = [mesh.attributes, got.attributes];
  assertSameBytes(b.normal!, a.normal!);
  assertSameBytes(b.tangent!, a.tangent!);
  assertSameBytes(got.morphs!.position, mesh.morphs!.position);
  assertSameBytes(got.morphs!.normal!, mesh.morphs!.normal!);
  a.position.forEach((x, i) =>
    assertEquals(b.position[i], Math.fround(x + (i % 3 === 1 ? -1e6 : 1e6)))
  );
  assertSameBytes(got.lods[0].indices!, mesh.lods[0].indices!);
});

Deno.test("transformMesh() by the identity changes no byte", () => {
  const mesh = randomMesh(new Random(64), 30, 9);
  const got = transformMesh(mesh, matrix16(ONE)).mesh;
  const [a, b] = [mesh.attributes, got.attributes];
  assertSameBytes(b.position, a.position);
  assertSameBytes(b.normal!, a.normal!);
  assertSameBytes(b.tangent!, a.tangent!);
});

Deno.test("transformMesh() keeps zero deltas zero and takes normal deltas as the difference of two shapes", () => {
  const normal = Float32Array.of(0, 0, 1, 0.6, 0, 0.8, 1, 0, 0);
  const mesh = plainMesh(new Float32Array(9), null, {
    attributes: { position: new Float32Array(9), uvs: [], normal },
    morphs: plainMorphs(3, ["a"], [
      [0, 0, [0, 0, 0], [0, 0, 0]],
      [1, 0, [1, 0, 0], [0.1, 0, 0]],
      [2, 0, [0, 2, 0], [-0.5, 0.5, 0]],
    ]),
  });
  const stretch: M3 = [[1, 0, 0], [0, 2, 0], [0, 0, 1]];
  for (
    const m of [stretch, rotationOf(randomQuaternion(new Random(65)))]
  ) {
    const got = transformMesh(mesh, matrix16(m, [10, 20, 30])).mesh;
    const back = transpose(inverse(m));
    const shape = (n: V3) => unit(apply(back, n));
    entriesOf(got.morphs!).forEach(([v, , p, n], e) => {
      const [, , p0, n0] = entriesOf(mesh.morphs!)[e];
      assertLess(length(sub(p, apply(m, p0))), 1e-6);
      const want = sub(shape(add(at(normal, v), n0!)), shape(at(normal, v)));
      assertLess(length(sub(n!, want)), 5e-7);
    });
    assertEquals(entriesOf(got.morphs!)[0].slice(2), [[0, 0, 0], [0, 0, 0]]);
  }
});

Deno.test("transformMesh() leaves morphs without normals, and without base normals, alone in that respect", () => {
  const morphs = plainMorphs(1, ["a"], [[0, 0, [1, 2, 3], [0, 1, 0]]]);
  const half = matrix16([[0.5, 0, 0], [0, 0.5, 0], [0, 0, 0.5]]);
  const bare = transformMesh(plainMesh([0, 0, 0], null, { morphs }), half).mesh;
  assertEquals(entriesOf(bare.morphs!), [[0, 0, [0.5, 1, 1.5], [0, 1, 0]]]);
  const none = transformMesh(
    plainMesh([0, 0, 0], null, {
      attributes: {
        position: new Float32Array(3),
        uvs: [],
        normal: Float32Array.of(0, 0, 1),
      },
      morphs: { ...morphs, normal: null },
    }),
    half,
  ).mesh;
  assertEquals(none.morphs!.normal, null);
});

Deno.test("transformMesh() by a flat matrix gives finite unit normals and says how many it repaired", () => {
  const mesh = randomMesh(new Random(66), 20, 9);
  mesh.attributes.normal!.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const flat = transformMesh(mesh, matrix16([[1, 0, 0], [0, 1, 0], [0, 0, 0]]));
  const n = flat.mesh.attributes.normal!;
  for (let v = 0; v < 20; v++) {
    const [x, y, z] = at(n, v);
    assertEquals([Math.abs(x), Math.abs(y), Math.abs(z)], [0, 0, 1]);
  }
  // the cofactors of (1, 1, 0) keep z alone: x and y leave nothing
  assertEquals(flat.repairedNormals, 2);
  assertEquals(flat.windingReversed, false);
  const nothing: M3 = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
  const gone = transformMesh(mesh, matrix16(nothing)).mesh.attributes;
  for (const x of [...gone.normal!, ...gone.tangent!]) {
    assert(Number.isFinite(x));
  }
});

Deno.test("transformMesh() takes meshes without normals and tangents", () => {
  const mesh: Mesh = plainMesh([1, 2, 3], null);
  const m = matrix16([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [1, 1, 1]);
  const got = transformMesh(mesh, m);
  assertEquals([...got.mesh.attributes.position], [-1, 2, 4]);
  assertEquals(got.repairedNormals, 0);
});

Deno.test("transformMesh() throws ARGUMENT for a skeleton and for a matrix that is not 16 finite numbers", () => {
  const mesh = plainMesh([1, 2, 3], null);
  const joint = {
    name: "",
    parent: -1,
    translation: [0, 0, 0] as [number, number, number],
    rotation: [0, 0, 0, 1] as [number, number, number, number],
    scale: [1, 1, 1] as [number, number, number],
  };
  const one = matrix16(ONE);
  const codeOf = (fn: () => unknown) => assertThrows(fn, MeshError).code;
  assertEquals(
    codeOf(() => transformMesh({ ...mesh, skeleton: [joint] }, one)),
    "ARGUMENT",
  );
  transformMesh({ ...mesh, skeleton: [] }, one);
  for (const bad of [NaN, Infinity]) {
    const m = [...one];
    m[7] = bad;
    assertEquals(codeOf(() => transformMesh(mesh, m)), "ARGUMENT");
  }
  assertEquals(codeOf(() => transformMesh(mesh, one.slice(1))), "ARGUMENT");
});
