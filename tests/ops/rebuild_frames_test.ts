import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertThrows,
} from "@std/assert";
import { rebuildNormals, rebuildTangents } from "../../src/ops/mod.ts";
import { MeshError } from "../../src/core/errors.ts";
import { bitsOf } from "../../src/core/bytes.ts";
import { corpusJson, corpusTest } from "../corpus.ts";
import { Random } from "../random.ts";
import { at, dot, length, plainMesh } from "./plain_mesh.ts";

interface Frames {
  name: string;
  positions: number[][];
  uvs: number[][];
  indices: number[];
  normals_bits: string[][];
  tangents_bits: string[][];
}

const hex = (values: ArrayLike<number>) =>
  Array.from(
    bitsOf(Float32Array.from(values)),
    (x) => x.toString(16).padStart(8, "0"),
  );

corpusTest(
  "rebuildNormals() and rebuildTangents() give the cook's bits and sign 1",
  () => {
    const { normals_tangents } = corpusJson<{ normals_tangents: Frames[] }>(
      "payload/COMPUTE_geometry.json",
    );
    assert(normals_tangents.length > 0);
    for (const want of normals_tangents) {
      const mesh = rebuildNormals(
        plainMesh(want.positions.flat(), want.indices, {
          attributes: {
            position: Float32Array.from(want.positions.flat()),
            uvs: [Float32Array.from(want.uvs.flat())],
          },
        }),
      );
      assertEquals(
        hex(mesh.attributes.normal!),
        want.normals_bits.flat(),
        want.name,
      );
      const { tangent } = rebuildTangents(mesh, { rule: "payload" }).attributes;
      const three = [...tangent!].filter((_, i) => i % 4 !== 3);
      assertEquals(hex(three), want.tangents_bits.flat(), want.name);
      tangent!.forEach((w, i) => i % 4 === 3 && assertEquals(w, 1));
    }
  },
);

Deno.test("rebuildNormals() gives +Y to points and to a vertex without faces", () => {
  const points = rebuildNormals(plainMesh([1, 2, 3, 4, 5, 6], null));
  assertEquals([...points.attributes.normal!], [0, 1, 0, 0, 1, 0]);
  const loose = rebuildNormals(
    plainMesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 9, 9, 9], [0, 1, 2, 0, 1, 77]),
  );
  assertEquals([...loose.attributes.normal!], [
    ...[0, 0, 1, 0, 0, 1, 0, 0, 1],
    ...[0, 1, 0],
  ]);
});

Deno.test("rebuildTangents() gives unit vectors at right angles to the normal when there are no texture coordinates", () => {
  const random = new Random(3);
  const normal = new Float32Array(300);
  for (let v = 0; v < 100; v++) normal.set(random.unitVector(), v * 3);
  const position = random.floats(300, -1, 1);
  const { tangent } = rebuildTangents(
    plainMesh(position, Array.from({ length: 99 }, (_, i) => i), {
      attributes: { position, normal, uvs: [] },
    }),
    { rule: "payload" },
  ).attributes;
  for (let v = 0; v < 99; v++) {
    assertAlmostEquals(length(at(tangent!, v, 4)), 1, 3e-7);
    // the perpendicular of the triangle's first corner, made orthogonal to each corner's normal
    assertAlmostEquals(dot(at(tangent!, v, 4), at(normal, v)), 0, 1e-5);
  }
});

Deno.test("rebuildTangents() throws ARGUMENT when there are no normals", () => {
  const error = assertThrows(
    () => rebuildTangents(plainMesh([0, 0, 0], null)),
    MeshError,
  );
  assertEquals([error.code, error.path], ["ARGUMENT", "normal"]);
});

Deno.test("rebuildTangents() gives points a tangent too", () => {
  const mesh = rebuildNormals(plainMesh([1, 2, 3], null));
  assertEquals([
    ...rebuildTangents(mesh, { rule: "payload" }).attributes.tangent!,
  ], [0, 1, 0, 1]);
});
