import { assertEquals, assertStrictEquals } from "@std/assert";
import { deriveTangentSigns } from "../../src/ops/mod.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import { Random } from "../random.ts";
import {
  add,
  apply,
  at,
  cross,
  dot,
  plainMesh,
  randomQuaternion,
  rotationOf,
  times,
  unit,
  type V3,
} from "./plain_mesh.ts";

/** Unit squares side by side, each with its own texture coordinates; corners in the order of the square's rim. */
function squares(
  uvs: number[][],
  changes: { turned?: boolean; inward?: boolean; size?: number[] } = {},
): Mesh {
  const turn = rotationOf(randomQuaternion(new Random(5)));
  const place = (v: V3): V3 => changes.turned ? apply(turn, v) : v;
  const position: number[] = [];
  const normal: number[] = [];
  const indices: number[] = [];
  uvs.forEach((_, i) => {
    const s = changes.size?.[i] ?? 1;
    for (const [x, y] of [[0, 0], [1, 0], [1, 1], [0, 1]]) {
      position.push(...place([x * s + 2 * i, y * s, 0]));
      normal.push(...place([0, 0, 1]));
    }
    const f = i * 4;
    indices.push(f, f + 1, f + 2, f, f + 2, f + 3);
  });
  if (changes.inward) indices.reverse();
  const n = uvs.length * 4;
  return plainMesh(position, indices, {
    attributes: {
      position: Float32Array.from(position),
      normal: Float32Array.from(normal),
      tangent: new Float32Array(n * 4).fill(1),
      uvs: [Float32Array.from(uvs.flat())],
    },
  });
}

/** v grows downward: the lower rim has v = 1. */
const PLAIN = [0, 1, 1, 1, 1, 0, 0, 0];
/** u runs the other way. */
const MIRRORED = [1, 1, 0, 1, 0, 0, 1, 0];
/** Both run the other way: a half turn, not a mirror. */
const HALF_TURN = [1, 0, 0, 0, 0, 1, 1, 1];

const signsOf = (mesh: Mesh) =>
  [...mesh.attributes.tangent!].filter((_, i) => i % 4 === 3);

Deno.test("deriveTangentSigns() gives 1 to plain and -1 to mirrored textures, however the square lies or winds", () => {
  for (const turned of [false, true]) {
    for (const inward of [false, true]) {
      const mesh = squares([PLAIN, MIRRORED, HALF_TURN], { turned, inward });
      const got = deriveTangentSigns(mesh);
      assertEquals(signsOf(got.mesh), [
        ...[1, 1, 1, 1],
        ...[-1, -1, -1, -1],
        ...[1, 1, 1, 1],
      ]);
      assertEquals([got.mirrored, got.shared], [4, 0]);
    }
  }
});

Deno.test("deriveTangentSigns() makes w · cross(N, T) look up in the image", () => {
  const random = new Random(6);
  for (let round = 0; round < 200; round++) {
    // one triangle with any texture triangle; dP/du and dP/dv solved in f64
    const turn = rotationOf(randomQuaternion(random));
    const corners: V3[] = [[0, 0, 0], [1, 0, 0], [0, 1, 0]];
    const uv = Array.from({ length: 6 }, () => random.between(-1, 1));
    const [du1, dv1] = [uv[2] - uv[0], uv[3] - uv[1]];
    const [du2, dv2] = [uv[4] - uv[0], uv[5] - uv[1]];
    const det = du1 * dv2 - du2 * dv1;
    if (Math.abs(det) < 0.05) continue;
    const [e1, e2] = [apply(turn, [1, 0, 0]), apply(turn, [0, 1, 0])];
    const dpdu = times(add(times(e1, dv2), times(e2, -dv1)), 1 / det);
    const dpdv = times(add(times(e2, du1), times(e1, -du2)), 1 / det);
    const normal = apply(turn, [0, 0, 1]);
    const tangent = unit(dpdu);
    const mesh = plainMesh([], [0, 1, 2], {
      vertexCount: 3,
      attributes: {
        position: Float32Array.from(corners.flatMap((c) => apply(turn, c))),
        normal: Float32Array.from([normal, normal, normal].flat()),
        tangent: Float32Array.from([0, 1, 2].flatMap(() => [...tangent, 1])),
        uvs: [Float32Array.from(uv)],
      },
    });
    const got = deriveTangentSigns(mesh).mesh.attributes.tangent!;
    const up = times(dpdv, -1); // v grows downward
    const want = Math.sign(dot(cross(normal, tangent), up));
    for (let v = 0; v < 3; v++) {
      assertEquals(got[v * 4 + 3], want);
      assertEquals(at(got, v, 4), at(mesh.attributes.tangent!, v, 4));
    }
  }
});

Deno.test("deriveTangentSigns() lets the larger area decide where plain and mirrored triangles meet", () => {
  const mesh = squares([PLAIN, MIRRORED], { size: [1, 0.5] });
  // the small square also uses a corner of the large one
  mesh.lods[0].indices!.set([2], 6);
  const got = deriveTangentSigns(mesh);
  assertEquals(got.shared, 1);
  assertEquals(signsOf(got.mesh)[2], 1);
});

Deno.test("deriveTangentSigns() keeps 1 where nothing decides: no triangle, no texture area, an index out of range", () => {
  const flat = squares([[0, 0, 0, 0, 0, 0, 0, 0], MIRRORED]);
  flat.lods[0].indices!.set([99], 8);
  const got = deriveTangentSigns(flat);
  // corner 1 of the mirrored square belongs to the broken triangle alone
  assertEquals(signsOf(got.mesh), [1, 1, 1, 1, -1, 1, -1, -1]);
});

Deno.test("deriveTangentSigns() gives a mesh without tangents, normals, textures or faces back as it is", () => {
  const mesh = squares([MIRRORED]);
  const { tangent: _, ...noTangent } = mesh.attributes;
  const { normal: __, ...noNormal } = mesh.attributes;
  for (
    const bare of [
      { ...mesh, attributes: noTangent },
      { ...mesh, attributes: noNormal },
      { ...mesh, attributes: { ...mesh.attributes, uvs: [] } },
      { ...mesh, lods: [{ indices: null, groups: [], switchDistance: null }] },
    ]
  ) assertStrictEquals(deriveTangentSigns(bare).mesh, bare);
});
