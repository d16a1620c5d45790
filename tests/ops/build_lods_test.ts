import { assert, assertEquals, assertThrows } from "@std/assert";
import { MeshoptSimplifier } from "meshoptimizer/simplifier";
import { MeshError } from "../../src/core/errors.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import {
  buildLods,
  type BuildLodsOptions,
  decimatePayload,
  measureLods,
  simplifyTriangles,
} from "../../src/ops/mod.ts";
import { Random } from "../random.ts";
import {
  add,
  at,
  cross,
  dot,
  length,
  plainMesh,
  plainMorphs,
  sub,
  times,
  type V3,
} from "./plain_mesh.ts";

await MeshoptSimplifier.ready;
const simplifier = MeshoptSimplifier;

/** A sheet of `side` × `side` cells over [0, 1]², in two materials that meet in the middle column. */
function sheet(side: number, height: (x: number, z: number) => number): Mesh {
  const n = side + 1;
  const position: number[] = [];
  for (let v = 0; v < n * n; v++) {
    const [x, z] = [v % n / side, Math.floor(v / n) / side];
    position.push(x, height(x, z), z);
  }
  const halves: number[][] = [[], []];
  for (let r = 0; r < side; r++) {
    for (let c = 0; c < side; c++) {
      const a = r * n + c;
      halves[c < side / 2 ? 0 : 1].push(
        a,
        a + n,
        a + 1,
        a + 1,
        a + n,
        a + n + 1,
      );
    }
  }
  const mesh = plainMesh(position, halves.flat());
  const count = halves[0].length;
  return {
    ...mesh,
    materials: ["left", "right"],
    lods: [{
      ...mesh.lods[0],
      groups: [
        { start: 0, count, material: 1, part: 3 },
        { start: count, count: halves[1].length, material: 0 },
      ],
    }],
  };
}

const oneMaterial = (mesh: Mesh): Mesh => ({
  ...mesh,
  lods: [{ ...mesh.lods[0], groups: [] }],
});

/** Corners of triangle t of a list. */
const corners = (mesh: Mesh, list: ArrayLike<number>, t: number) =>
  [0, 1, 2].map((k) => at(mesh.attributes.position, list[t * 3 + k]));

/** Area of a list in f64, and what it sums to as seen from above: a hole or an overlap changes the second. */
function areas(mesh: Mesh, list: ArrayLike<number>): [number, number] {
  let [all, above] = [0, 0];
  for (let t = 0; t < list.length / 3; t++) {
    const [a, b, c] = corners(mesh, list, t);
    const n = cross(sub(b, a), sub(c, a));
    all += length(n) / 2;
    above += n[1] / 2;
  }
  return [all, above];
}

/** Distance from a point to a triangle, in f64. */
function distance(p: V3, [a, b, c]: V3[]): number {
  const normal = cross(sub(b, a), sub(c, a));
  const inside = [[a, b], [b, c], [c, a]].every(([u, v]) =>
    dot(cross(sub(v, u), sub(p, u)), normal) >= 0
  );
  if (inside) return Math.abs(dot(sub(p, a), normal)) / length(normal);
  return Math.min(...[[a, b], [b, c], [c, a]].map(([u, v]) => {
    const edge = sub(v, u);
    const t = dot(sub(p, u), edge) / dot(edge, edge);
    return length(sub(p, add(u, times(edge, Math.min(1, Math.max(0, t))))));
  }));
}

const list = (mesh: Mesh, level: number) => [...mesh.lods[level].indices!];

Deno.test("simplifyTriangles() keeps a flat sheet whole: the same area, no hole, no overlap", () => {
  const mesh = oneMaterial(sheet(16, () => 0));
  const { indices, error, groups } = simplifyTriangles(mesh, 0.02, {
    simplifier,
  });
  assert(indices.length / 3 <= 512 * 0.02);
  assertEquals(groups, []);
  // the root of what f32 leaves of squares
  assert(error < 1e-3, `${error}`);
  for (const area of areas(mesh, indices)) assert(Math.abs(area - 1) < 1e-6);
});

Deno.test("simplifyTriangles() keeps materials apart and leaves no gap between them", () => {
  const mesh = sheet(16, (x, z) => Math.sin(5 * x) * Math.cos(4 * z) / 4);
  const { indices, groups } = simplifyTriangles(mesh, 0.3, { simplifier });
  assertEquals(
    groups.map(({ material, part, start }) => [material, part, start]),
    [[1, 3, 0], [0, undefined, groups[0].count]],
  );
  assertEquals(groups[0].count + groups[1].count, indices.length);
  const [left, right] = groups.map((g) =>
    indices.subarray(g.start, g.start + g.count)
  );
  const x = (v: number) => mesh.attributes.position[v * 3];
  const border = (run: Uint32Array) =>
    [...new Set(run)].filter((v) => x(v) === 0.5).sort((a, b) => a - b);
  assertEquals(border(left).length, 17);
  assertEquals(border(left), border(right));
  assert(left.every((v) => x(v) <= 0.5) && right.every((v) => x(v) >= 0.5));
  // each side still covers its half of the ground
  for (const run of [left, right]) {
    assert(Math.abs(areas(mesh, run)[1] - 0.5) < 1e-6);
  }
});

Deno.test("simplifyTriangles() deviates no further than it is allowed and says", () => {
  const mesh = oneMaterial(
    sheet(20, (x, z) => Math.sin(6 * x) * Math.cos(5 * z) / 5),
  );
  let before = 800;
  for (const targetError of [0.001, 0.01, 0.05]) {
    const { indices, error } = simplifyTriangles(mesh, 0.01, {
      simplifier,
      targetError,
    });
    assert(error <= targetError, `${error} > ${targetError}`);
    assert(indices.length / 3 < before);
    before = indices.length / 3;
    const triangles = Array.from(
      { length: indices.length / 3 },
      (_, t) => corners(mesh, indices, t),
    );
    // the simplifier estimates by quadrics, so that single vertices may lie a little further out
    for (let v = 0; v < mesh.vertexCount; v++) {
      const p = at(mesh.attributes.position, v);
      const d = Math.min(...triangles.map((t) => distance(p, t)));
      assert(d <= 3 * targetError, `vertex ${v} is ${d} away`);
    }
  }
});

Deno.test("simplifyTriangles() keeps an edge of the texture that positions alone would lose", () => {
  const flat = oneMaterial(sheet(16, () => 0));
  const uv = new Float32Array(flat.vertexCount * 2);
  // the texture turns around at x = 0.5, in units as large as a world
  for (let v = 0; v < flat.vertexCount; v++) {
    uv[v * 2] = 1000 * Math.abs(flat.attributes.position[v * 3] - 0.5);
  }
  const mesh = {
    ...flat,
    attributes: { ...flat.attributes, uvs: [uv] },
  };
  // no triangle may span the edge
  const { indices } = simplifyTriangles(mesh, 0.05, {
    simplifier,
    targetError: 0.02,
  });
  for (let t = 0; t < indices.length / 3; t++) {
    const xs = corners(mesh, indices, t).map(([x]) => x);
    assert(Math.max(...xs) <= 0.5 || Math.min(...xs) >= 0.5, `${xs}`);
  }
});

Deno.test("simplifyTriangles() with lockBorder keeps every vertex of the rim", () => {
  const mesh = oneMaterial(sheet(12, () => 0));
  const rim = (v: number) => {
    const [x, , z] = at(mesh.attributes.position, v);
    return x === 0 || x === 1 || z === 0 || z === 1;
  };
  const kept = (lockBorder: boolean) =>
    new Set(
      [...simplifyTriangles(mesh, 0.01, { simplifier, lockBorder }).indices]
        .filter(rim),
    ).size;
  assertEquals(kept(true), 48);
  assert(kept(false) < 48);
});

Deno.test("simplifyTriangles() leaves out triangles that can not be drawn and takes streams that are not finite", () => {
  const mesh = oneMaterial(sheet(8, () => 0));
  const bad = [0, 1, 999, 0, 0, 1, 3, 80, 4];
  const position = mesh.attributes.position.slice();
  position[80 * 3] = NaN;
  const color = new Float32Array(mesh.vertexCount * 4).fill(0.5);
  color[5] = Infinity;
  const broken: Mesh = {
    ...mesh,
    attributes: { ...mesh.attributes, position, color },
    lods: [{
      ...mesh.lods[0],
      indices: Uint32Array.from([...bad, ...list(mesh, 0)]),
    }],
  };
  const { indices } = simplifyTriangles(broken, 0.5, { simplifier });
  assert(indices.length > 0);
  assert(indices.every((v) => v < mesh.vertexCount && v !== 80));
  const none = {
    ...mesh,
    lods: [{ ...mesh.lods[0], indices: new Uint32Array(0) }],
  };
  assertEquals(simplifyTriangles(none, 0.5, { simplifier }).indices.length, 0);
});

Deno.test("buildLods() by meshoptimizer reaches the ratios, and every level has the vertices, skin and morph targets", () => {
  const random = new Random(5);
  const plain = oneMaterial(sheet(24, (x, z) => Math.sin(3 * x) * z / 3));
  const n = plain.vertexCount;
  const mesh: Mesh = {
    ...plain,
    influences: 4,
    attributes: {
      ...plain.attributes,
      joints: new Uint16Array(n * 4),
      weights: random.floats(n * 4, 0, 1),
    },
    morphs: plainMorphs(n, ["a"], [[3, 0, [0, 1, 0]]]),
    // what was there before goes
    lods: [plain.lods[0], { ...plain.lods[0], switchDistance: 1 }],
  };
  const before = structuredClone(mesh);
  const made = measureLods(mesh, {
    ratios: [0.5, 0.25, 0.1],
    switchDistances: [8, 20.1, 40],
    simplifier,
  });
  assertEquals(mesh, before);
  assertEquals([made.rule, made.asked], ["meshoptimizer", 4]);
  assert(made.largestError! > 0 && made.largestError! < 0.1);
  assertEquals(
    made.mesh.lods.map((l) => l.switchDistance),
    [null, 8, Math.fround(20.1), 40],
  );
  [1, 0.5, 0.25, 0.1].forEach((ratio, level) => {
    const triangles = made.mesh.lods[level].indices!.length / 3;
    assert(triangles <= 1152 * ratio, `level ${level} has ${triangles}`);
    assert(triangles >= 1152 * ratio * 0.9, `level ${level} has ${triangles}`);
  });
  const { lods: _, ...rest } = made.mesh;
  const { lods: __, ...same } = mesh;
  assertEquals(rest, same);
});

Deno.test("buildLods() by meshoptimizer gives the same levels whatever was simplified before", () => {
  const mesh = sheet(16, (x, z) => Math.sin(9 * x + 7 * z) / 9);
  const options: BuildLodsOptions = { levels: 4, simplifier };
  const first = buildLods(mesh, options);
  buildLods(sheet(40, (x) => x * x), options);
  assertEquals(buildLods(mesh, options), first);
  assertEquals(first.lods.length, 4);
});

Deno.test("buildLods() by meshoptimizer ends where it may deviate no further", () => {
  const random = new Random(6);
  const bumpy = oneMaterial(
    sheet(8, () => random.between(-1, 1)),
  );
  const made = measureLods(bumpy, {
    ratios: [0.5, 0.25],
    simplifier,
    targetError: 0,
  });
  assertEquals([made.mesh.lods.length, made.asked], [1, 3]);
});

Deno.test("buildLods() by the payload's rule takes ratios too, at least four triangles, and is chosen without a simplifier", () => {
  const mesh = oneMaterial(sheet(8, (x, z) => x * z));
  const made = measureLods(mesh, { ratios: [0.5, 0.3, 0.001] });
  assertEquals([made.rule, made.largestError], ["payload", null]);
  const position = mesh.attributes.position;
  const indices = mesh.lods[0].indices!;
  [64, 38, 4].forEach((target, i) =>
    assertEquals(
      list(made.mesh, i + 1),
      [...decimatePayload(position, indices, target)],
    )
  );
  const named = buildLods(mesh, { levels: 2, rule: "payload", simplifier });
  assertEquals(named, buildLods(mesh, { levels: 2 }));
});

Deno.test("buildLods() throws ARGUMENT for options that do not fit one another or the mesh", () => {
  const mesh = oneMaterial(sheet(4, () => 0));
  const points = {
    ...mesh,
    lods: [{ indices: null, groups: [], switchDistance: null }],
  };
  const cases: [Mesh, BuildLodsOptions, string][] = [
    [mesh, { levels: 3, switchDistances: [1] }, "switchDistances"],
    [mesh, { ratios: [0.5], switchDistances: [1, 2] }, "switchDistances"],
    [points, { levels: 2 }, "lods/0/indices"],
    [sheet(4, () => 0), { levels: 2 }, "lods/0/groups"],
    [mesh, {}, "ratios"],
    [mesh, { levels: 2, ratios: [0.5] }, "ratios"],
    [mesh, { levels: NaN }, "levels"],
    [mesh, { ratios: [] }, "ratios"],
    [mesh, { ratios: [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2] }, "ratios"],
    [mesh, { ratios: [1] }, "ratios/0"],
    [mesh, { ratios: [0.5, 0.5] }, "ratios/1"],
    [mesh, { ratios: [0.5, NaN] }, "ratios/1"],
    [mesh, { ratios: [0] }, "ratios/0"],
    [mesh, { levels: 2, simplifier, targetError: NaN }, "targetError"],
    [mesh, { levels: 2, rule: "meshoptimizer" }, "simplifier"],
  ];
  for (const [of, options, path] of cases) {
    const e = assertThrows(() => buildLods(of, options), MeshError);
    assertEquals([e.code, e.path], ["ARGUMENT", path]);
  }
});
