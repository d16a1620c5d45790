import { assertEquals, assertThrows } from "@std/assert";
import { remapVertices, selectLod } from "../../src/ops/mod.ts";
import { MeshError } from "../../src/core/errors.ts";
import { Random } from "../random.ts";
import { assertSameBytes } from "../same_bytes.ts";
import { entriesOf, plainMesh, plainMorphs, randomMesh } from "./plain_mesh.ts";

/** Every stream of one vertex as bit patterns, and its morph entries. */
function vertexOf(mesh: ReturnType<typeof randomMesh>, v: number): unknown[] {
  const a = mesh.attributes;
  const bits = (values: Float32Array, width: number) => [
    ...new Uint32Array(values.slice(v * width, (v + 1) * width).buffer),
  ];
  return [
    bits(a.position, 3),
    bits(a.normal!, 3),
    bits(a.tangent!, 4),
    bits(a.color!, 4),
    ...a.uvs.map((uv) => bits(uv, 2)),
    [...a.joints!.subarray(v * 4, v * 4 + 4)],
    bits(a.weights!, 4),
    entriesOf(mesh.morphs!).filter((e) => e[0] === v).map((e) => e.slice(1)),
  ];
}

Deno.test("remapVertices() takes every stream and morph entry of the chosen vertices along", () => {
  const random = new Random(21);
  const mesh = randomMesh(random, 30, 10);
  // bit patterns that arithmetic would not keep
  new Uint32Array(mesh.attributes.position.buffer)[6] = 0xff800001;
  mesh.attributes.uvs[1][9] = -0;
  for (let round = 0; round < 20; round++) {
    const order = Uint32Array.from(
      { length: random.below(50) },
      () => random.below(30),
    );
    const got = remapVertices(mesh, order);
    assertEquals(got.vertexCount, order.length);
    order.forEach((v, i) => assertEquals(vertexOf(got, i), vertexOf(mesh, v)));
    assertEquals(got.morphs!.offsets.length, order.length + 1);
    assertSameBytes(got.lods[0].indices!, mesh.lods[0].indices!);
  }
});

Deno.test("remapVertices() takes morphs without normals and meshes without streams", () => {
  const mesh = plainMesh([1, 2, 3, 4, 5, 6], null, {
    morphs: plainMorphs(2, ["a"], [[0, 0, [7, 8, 9]]]),
  });
  const got = remapVertices(mesh, Uint32Array.of(1, 0, 0));
  assertEquals([...got.attributes.position], [4, 5, 6, 1, 2, 3, 1, 2, 3]);
  assertEquals(Object.keys(got.attributes).sort(), ["position", "uvs"]);
  assertEquals(got.morphs!.normal, null);
  assertEquals(entriesOf(got.morphs!), [[1, 0, [7, 8, 9]], [2, 0, [7, 8, 9]]]);
});

Deno.test("selectLod() keeps one level and all vertices, and refuses a level that does not exist", () => {
  const mesh = randomMesh(new Random(3), 12, 6);
  const got = selectLod(mesh, 1);
  assertEquals(got.vertexCount, 12);
  assertEquals(got.lods.length, 1);
  assertEquals(got.lods[0].switchDistance, null);
  assertSameBytes(got.lods[0].indices!, mesh.lods[1].indices!);
  for (const level of [2, -1, 0.5, NaN]) {
    const error = assertThrows(() => selectLod(mesh, level), MeshError);
    assertEquals(error.code, "ARGUMENT");
    assertEquals(error.found, level);
  }
});
