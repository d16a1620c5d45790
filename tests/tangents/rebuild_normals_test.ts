import "../kernels/build.ts";
import {
  assertAlmostEquals,
  assertEquals,
  assertLess,
  assertThrows,
} from "@std/assert";
import type { BasisId } from "../../src/core/basis.ts";
import { MeshError } from "../../src/core/errors.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import {
  convertBasis,
  type NormalWeighting,
  rebuildNormals,
} from "../../src/ops/mod.ts";
import {
  angle,
  at,
  cross,
  dot,
  length,
  plainMesh,
  randomMesh,
  sub,
  times,
  unit,
  type V3,
} from "../ops/plain_mesh.ts";
import { Random } from "../random.ts";

/** The normal of one vertex, summed face by face in f64. */
function plainNormal(mesh: Mesh, vertex: number, by: NormalWeighting): V3 {
  let sum: V3 = [0, 0, 0];
  const p = mesh.attributes.position;
  const indices = mesh.lods[0].indices!;
  for (let i = 0; i < indices.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      if (indices[i + k] !== vertex) continue;
      const [a, b, c] = [0, 1, 2].map((j) => at(p, indices[i + (k + j) % 3]));
      const face = cross(sub(b, a), sub(c, a));
      if (length(face) === 0) continue;
      let weight = by.startsWith("area") ? length(face) : 1;
      if (by.endsWith("angle")) weight *= angle(sub(b, a), sub(c, a));
      const n = times(unit(face), weight);
      sum = [sum[0] + n[0], sum[1] + n[1], sum[2] + n[2]];
    }
  }
  return length(sum) > 0 ? unit(sum) : [0, 1, 0];
}

/** Distance in units in the last place of an f32 near 1. */
const ulps = (a: V3, b: V3) =>
  Math.max(...a.map((x, k) => Math.abs(x - b[k]))) / 2 ** -24;

const WEIGHTINGS = ["area", "angle", "area-angle", "unit"] as const;

for (const weighting of WEIGHTINGS) {
  Deno.test(`rebuildNormals() weighs faces by ${weighting}`, () => {
    const random = new Random(1);
    for (let k = 0; k < 10; k++) {
      const mesh = randomMesh(random, 40, 60);
      const { normal } = rebuildNormals(mesh, { weighting }).attributes;
      const used = new Set(mesh.lods[0].indices);
      for (const v of used) {
        assertLess(ulps(at(normal!, v), plainNormal(mesh, v, weighting)), 4);
      }
    }
  });
}

Deno.test("rebuildNormals() points out of the front faces of every convention", () => {
  const any = randomMesh(new Random(2), 30, 40);
  // by the payload's rule a face without area counts as +Y, whatever the axes
  const whole = any.lods[0].indices!.filter((_, i, all) => {
    const t = i - i % 3;
    return new Set(all.subarray(t, t + 3)).size === 3;
  });
  const mesh: Mesh = {
    ...any,
    lods: [{ ...any.lods[0], indices: whole, groups: [] }],
  };
  for (const rule of ["smooth", "payload"] as const) {
    const expected = rebuildNormals(mesh, { rule });
    for (const basis of ["source", "css", "payload", "blender"] as BasisId[]) {
      const direct = rebuildNormals(convertBasis(mesh, basis).mesh, { rule });
      const moved = convertBasis(expected, basis).mesh;
      for (const v of new Set(mesh.lods[0].indices)) {
        const [a, b] = [direct, moved].map((m) => at(m.attributes.normal!, v));
        assertLess(angle(a, b), 1e-5, `${rule} ${basis} ${v}`);
      }
    }
  }
});

/** A folded strip: two squares at a right angle; the vertices on the fold are doubled when `seam`. */
function fold(seam: boolean): Mesh {
  const flat = [0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0];
  const wall = [0, 0, -1, 0, 1, -1];
  const position = seam
    ? [...flat, ...wall, 0, 0, -0, 0, 1, -0]
    : [...flat, ...wall];
  const [a, b] = seam ? [6, 7] : [0, 1];
  return plainMesh(position, [0, 2, 1, 1, 2, 3, a, b, 4, b, 5, 4]);
}

Deno.test("rebuildNormals() joins coincident positions by the rule unreal, whatever the sign of zero", () => {
  const smooth = rebuildNormals(fold(true), { rule: "unreal" });
  const apart = rebuildNormals(fold(true), { rule: "smooth" });
  assertEquals(smooth.vertexCount, 8);
  for (const [v, twin] of [[0, 6], [1, 7]]) {
    const n = smooth.attributes.normal!;
    assertEquals(at(n, v), at(n, twin));
    assertAlmostEquals(
      dot(at(apart.attributes.normal!, v), at(apart.attributes.normal!, twin)),
      0,
      1e-7,
    );
  }
});

Deno.test("rebuildNormals() keeps an edge between smoothing groups and splits its vertices", () => {
  const hard = rebuildNormals(fold(false), { smoothingGroups: [1, 1, 2, 2] });
  assertEquals(hard.vertexCount, 8);
  const faces = hard.lods[0].indices!;
  for (let i = 0; i < 12; i++) {
    const n = at(hard.attributes.normal!, faces[i]);
    assertEquals(n.map((x) => x + 0), i < 6 ? [0, 0, 1] : [-1, 0, 0]);
  }
  const soft = rebuildNormals(fold(false), {
    smoothingGroups: [1, 1, 3, 3],
    weighting: "unit",
  });
  assertEquals(soft.vertexCount, 6);
  const smooth = rebuildNormals(fold(false), { weighting: "unit" });
  assertEquals(soft.attributes.normal, smooth.attributes.normal);
});

Deno.test("rebuildNormals() makes faces of smoothing group 0 flat", () => {
  const random = new Random(3);
  const mesh = randomMesh(random, 20, 20);
  const flat = rebuildNormals(mesh, { smoothingGroups: new Uint32Array(20) });
  const { position, normal } = flat.attributes;
  const indices = flat.lods[0].indices!;
  for (let i = 0; i < 60; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => at(position, indices[i + k]));
    const face = cross(sub(b, a), sub(c, a));
    if (length(face) < 1e-9) continue;
    for (let k = 0; k < 3; k++) {
      assertLess(angle(at(normal!, indices[i + k]), face), 1e-6);
    }
  }
  // everything else went along
  const before = mesh.lods[0].indices!;
  indices.forEach((v, c) =>
    assertEquals(
      flat.attributes.color!.slice(v * 4, v * 4 + 4),
      mesh.attributes.color!.slice(before[c] * 4, before[c] * 4 + 4),
    )
  );
});

Deno.test("rebuildNormals() takes vertices that LOD 0 does not use from the LOD that does", () => {
  const mesh = plainMesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 5, 5], [
    0,
    1,
    2,
  ]);
  const lods = [mesh.lods[0], {
    indices: Uint32Array.of(0, 3, 1),
    groups: [],
    switchDistance: 1,
  }];
  const { normal } = rebuildNormals({ ...mesh, lods }, { rule: "smooth" })
    .attributes;
  assertEquals(at(normal!, 0), [0, 0, 1]);
  assertEquals(at(normal!, 3), [0, 1, 0]);
  assertEquals(at(normal!, 4), [0, 1, 0]); // used by none: up
});

Deno.test("rebuildNormals() throws ARGUMENT for masks that are not one a triangle", () => {
  const error = assertThrows(
    () => rebuildNormals(fold(false), { smoothingGroups: [1, 2, 3] }),
    MeshError,
  );
  assertEquals([error.code, error.path], ["ARGUMENT", "smoothingGroups"]);
});
