import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertLess,
} from "@std/assert";
import { repairVectors } from "../../src/ops/mod.ts";
import { Random } from "../random.ts";
import { assertSameBytes } from "../same_bytes.ts";
import {
  add,
  at,
  cross,
  dot,
  length,
  plainMesh,
  randomMesh,
  sub,
  unit,
  type V3,
} from "./plain_mesh.ts";

const countsOf = (r: ReturnType<typeof repairVectors>) => {
  const { mesh: _, ...counts } = r;
  return counts;
};
const QUIET = {
  positions: 0,
  values: 0,
  zeroNormals: 0,
  normals: 0,
  zeroTangents: 0,
  tangents: 0,
  signs: 0,
  largest: 0,
};

Deno.test("repairVectors() leaves every bit when nothing is wrong", () => {
  const mesh = randomMesh(new Random(5), 40, 20);
  mesh.attributes.position[3] = -0;
  // real files hold normals that are off by the noise of a packed form: within 5e-4 they stay
  mesh.attributes.normal!.set([0, 0, 1 + 4.9e-4], 0);
  const got = repairVectors(mesh, [0, 1, 0]);
  assertEquals(countsOf(got), QUIET);
  const [a, b] = [got.mesh.attributes, mesh.attributes];
  assertSameBytes(a.position, b.position);
  assertSameBytes(a.normal!, b.normal!);
  assertSameBytes(a.tangent!, b.tangent!);
  assertSameBytes(a.color!, b.color!);
  assertSameBytes(a.weights!, b.weights!);
  a.uvs.forEach((uv, i) => assertSameBytes(uv, b.uvs[i]));
});

Deno.test("repairVectors() makes components that are not finite 0 and counts elements, not components", () => {
  const mesh = randomMesh(new Random(6), 6, 4);
  const a = mesh.attributes;
  a.position.set([NaN, Infinity, 1, 2, -Infinity, 3]);
  a.uvs[0][2] = NaN;
  a.uvs[0][3] = NaN;
  a.uvs[1][0] = Infinity;
  a.color![7] = NaN;
  a.weights![9] = NaN;
  const before = structuredClone(a);
  const got = repairVectors(mesh, [0, 1, 0]);
  assertEquals(countsOf(got), { ...QUIET, positions: 2, values: 4 });
  const b = got.mesh.attributes;
  assertEquals([...b.position.subarray(0, 6)], [0, 0, 1, 2, 0, 3]);
  assertEquals([...b.uvs[0].subarray(2, 4)], [0, 0]);
  assertEquals([b.uvs[1][0], b.color![7], b.weights![9]], [0, 0, 0]);
  assertEquals(a, before, "the input stays as it was");
});

Deno.test("repairVectors() gives a normal without direction that of the faces around it, weighted by area", () => {
  const random = new Random(12);
  for (const basis of ["gltf", "source"] as const) {
    const n = 30;
    const position = random.floats(n * 3, -4, 4);
    // the last vertex is used by no face, the one before it by faces of the second level alone
    const level = (count: number, top: number) =>
      Uint32Array.from({ length: count * 3 }, () => random.below(top));
    const finest = level(25, n - 2);
    const coarser = Uint32Array.of(n - 2, 1, 0, 3, n - 2, 2);
    const mesh = plainMesh(position, [...finest], {
      basis,
      attributes: { position, uvs: [], normal: new Float32Array(n * 3) },
    });
    mesh.lods.push({ indices: coarser, groups: [], switchDistance: 9 });
    mesh.attributes.normal!.set([0, 0, 1], 3);
    const got = repairVectors(mesh, [0, 1, 0]);
    assertEquals(countsOf(got), { ...QUIET, zeroNormals: n - 1 });
    const normals = got.mesh.attributes.normal!;
    assertEquals(at(normals, 1), [0, 0, 1], "a direction stays");
    for (let v = 0; v < n; v++) {
      if (v === 1) continue;
      const indices = v < n - 2 ? finest : coarser;
      let sum: V3 = [0, 0, 0];
      for (let i = 0; i < indices.length; i += 3) {
        const corners = [...indices.subarray(i, i + 3)];
        if (!corners.includes(v)) continue;
        const [a, b, c] = corners.map((w) => at(position, w));
        // a face with a vertex twice has no area, and adds nothing
        const face = cross(sub(b, a), sub(c, a));
        const times = corners.filter((w) => w === v).length;
        for (let k = 0; k < times; k++) sum = add(sum, face);
      }
      if (length(sum) === 0) {
        assertEquals(at(normals, v), [0, 1, 0]);
        continue;
      }
      const want = unit(sum);
      const side = basis === "source" ? -1 : 1;
      at(normals, v).forEach((x, k) =>
        assertAlmostEquals(x, side * want[k], 1e-6)
      );
    }
    assertEquals(at(normals, n - 1), [0, 1, 0]);
  }
});

Deno.test("repairVectors() gives zero and NaN normals the up axis where there are no faces, and others their length", () => {
  const mesh = plainMesh(new Float32Array(18), null, {
    attributes: {
      position: new Float32Array(18),
      uvs: [],
      normal: Float32Array.of(
        ...[0, 0, 0],
        ...[NaN, 0, 1],
        ...[0, Infinity, 0],
        ...[0, 0, 2],
        ...[1e-30, 0, 0],
        ...[0, 1, 0],
      ),
    },
  });
  const got = repairVectors(mesh, [0, 0, 1]);
  assertEquals([...got.mesh.attributes.normal!], [
    ...[0, 0, 1],
    ...[0, 0, 1],
    ...[0, 0, 1],
    ...[0, 0, 1],
    ...[1, 0, 0],
    ...[0, 1, 0],
  ]);
  assertEquals(countsOf(got), {
    ...QUIET,
    zeroNormals: 3,
    normals: 2,
    largest: 1,
  });
});

Deno.test("repairVectors() gives a tangent without direction one at right angles to the normal", () => {
  const random = new Random(8);
  const n = 2000;
  const normal = new Float32Array(n * 3);
  for (let v = 0; v < n; v++) normal.set(random.unitVector(), v * 3);
  normal.set([1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1]);
  const tangent = new Float32Array(n * 4);
  for (let v = 0; v < n; v++) tangent[v * 4 + 3] = v % 2 ? 1 : -1;
  const mesh = plainMesh(new Float32Array(n * 3), null, {
    attributes: {
      position: new Float32Array(n * 3),
      uvs: [],
      normal,
      tangent,
    },
  });
  const got = repairVectors(mesh, [0, 1, 0]);
  assertEquals(countsOf(got), { ...QUIET, zeroTangents: n });
  const t = got.mesh.attributes.tangent!;
  for (let v = 0; v < n; v++) {
    assertAlmostEquals(length(at(t, v, 4)), 1, 2e-7);
    assertLess(Math.abs(dot(at(t, v, 4), at(normal, v))), 2e-7);
    assertEquals(t[v * 4 + 3], v % 2 ? 1 : -1);
  }
});

Deno.test("repairVectors() takes the up axis for the normal where a mesh has none", () => {
  const mesh = plainMesh(new Float32Array(3), null, {
    attributes: {
      position: new Float32Array(3),
      uvs: [],
      tangent: Float32Array.of(0, 0, 0, 1),
    },
  });
  const t = repairVectors(mesh, [0, 1, 0]).mesh.attributes.tangent!;
  assertEquals(length(at(t, 0, 4)), 1);
  assertEquals(t[1], 0);
});

Deno.test("repairVectors() makes tangent signs 1 or -1 by their sign, 1 for 0 and NaN", () => {
  const signs = [1, -1, 0, -0, NaN, 0.25, -0.25, Infinity, -Infinity];
  const mesh = plainMesh(new Float32Array(signs.length * 3), null, {
    attributes: {
      position: new Float32Array(signs.length * 3),
      uvs: [],
      tangent: Float32Array.from(signs.flatMap((w) => [1, 0, 0, w])),
    },
  });
  const got = repairVectors(mesh, [0, 1, 0]);
  const t = got.mesh.attributes.tangent!;
  assertEquals(
    signs.map((_, v) => t[v * 4 + 3]),
    [1, -1, 1, 1, 1, 1, -1, 1, -1],
  );
  assertEquals(countsOf(got), { ...QUIET, signs: 7 });
});

Deno.test("repairVectors() keeps directions and ends with unit lengths for random vectors", () => {
  const random = new Random(9);
  const n = 500;
  const normal = random.floats(n * 3, -4, 4);
  const mesh = plainMesh(new Float32Array(n * 3), null, {
    attributes: { position: new Float32Array(n * 3), uvs: [], normal },
  });
  const got = repairVectors(mesh, [0, 1, 0]);
  let off = 0;
  let largest = 0;
  for (let v = 0; v < n; v++) {
    const before = at(normal, v);
    const after = at(got.mesh.attributes.normal!, v);
    const miss = Math.abs(length(before) - 1);
    if (miss > 5e-4) {
      off++;
      largest = Math.max(largest, miss);
    }
    assert(length(after) > 1 - 5e-4 && length(after) < 1 + 5e-4);
    assert(dot(unit(before), unit(after)) > 1 - 1e-13);
  }
  assertEquals([got.normals, got.largest], [off, largest]);
});
