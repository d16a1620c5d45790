import { assertEquals, assertStrictEquals } from "@std/assert";
import { dropUnusedVertices } from "../../src/ops/mod.ts";
import { entriesOf, plainMesh } from "./plain_mesh.ts";

const corners = (n: number) =>
  Array.from({ length: n }, (_, v) => [v, v * v, -v]).flat();

Deno.test("dropUnusedVertices() keeps the vertices of all levels in their order, with all they have", () => {
  const mesh = plainMesh(corners(6), [5, 1, 3], {});
  mesh.lods.push({
    indices: Uint32Array.of(1, 4, 5),
    groups: [],
    switchDistance: 3,
  });
  mesh.morphs = {
    names: ["m"],
    offsets: Uint32Array.of(0, 1, 1, 2, 2, 3, 3),
    targets: Uint32Array.of(0, 0, 0),
    position: Float32Array.of(1, 1, 1, 2, 2, 2, 4, 4, 4),
    normal: null,
  };
  const out = dropUnusedVertices(mesh);
  assertEquals(out.vertexCount, 4);
  assertEquals(
    [...out.attributes.position],
    [1, 3, 4, 5].flatMap((v) => [v, v * v, -v]),
  );
  assertEquals(out.lods.map((l) => [...l.indices!]), [[3, 0, 1], [0, 2, 3]]);
  assertEquals(entriesOf(out.morphs!).map((e) => [e[0], e[2][0]]), [[2, 4]]);
});

Deno.test("dropUnusedVertices() leaves points, and meshes without unused vertices, as they are", () => {
  const used = plainMesh(corners(3), [2, 0, 1], {});
  assertStrictEquals(dropUnusedVertices(used), used);
  const points = plainMesh(corners(3), [], {});
  points.lods = [{ indices: null, groups: [], switchDistance: null }];
  assertStrictEquals(dropUnusedVertices(points), points);
});
