import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { cleanTriangles } from "../../src/ops/mod.ts";
import type { MeshLod } from "../../src/core/mesh.ts";
import { Random } from "../random.ts";
import { plainMesh } from "./plain_mesh.ts";

/** Whole triangles of a level with the material of each. */
function labelled(lod: MeshLod): [number[], number][] {
  const out: [number[], number][] = [];
  for (let i = 0; i + 2 < lod.indices!.length; i += 3) {
    const group = lod.groups.find((g) => i >= g.start && i < g.start + g.count);
    out.push([[...lod.indices!.subarray(i, i + 3)], group?.material ?? 0]);
  }
  return out;
}

Deno.test("cleanTriangles() drops what names no vertex, is not finite or is not whole, each counted once", () => {
  const mesh = plainMesh(
    [0, 0, 0, 1, 0, 0, 0, 1, 0, NaN, 0, 0, 0, Infinity, 0, 0, 0, -Infinity],
    [0, 1, 2, 0, 1, 3, 0, 1, 6, 4, 1, 2, 5, 6, 2, 2, 1, 0, 0, 1],
  );
  const got = cleanTriangles(mesh);
  assertEquals([...got.mesh.lods[0].indices!], [0, 1, 2, 2, 1, 0]);
  assertEquals(got.outOfRange, 2, "a triangle with both faults counts here");
  assertEquals(got.nonFinite, 2);
  assertEquals(got.leftover, 2);
  assertEquals(got.mesh.vertexCount, 6, "vertices stay");
});

Deno.test("cleanTriangles() gives levels back as they are when nothing is wrong", () => {
  const mesh = plainMesh([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2]);
  assertStrictEquals(cleanTriangles(mesh).mesh.lods[0], mesh.lods[0]);
  const points = plainMesh([NaN, 0, 0], null);
  assertEquals(cleanTriangles(points), {
    mesh: points,
    outOfRange: 0,
    nonFinite: 0,
    leftover: 0,
  });
});

Deno.test("cleanTriangles() keeps every sound triangle in order with its material, on every level", () => {
  const random = new Random(7);
  for (let round = 0; round < 300; round++) {
    const vertices = 5 + random.below(10);
    const position = random.floats(vertices * 3, -1, 1);
    if (round % 2) position[random.below(position.length)] = NaN;
    const levels = Array.from({ length: 1 + random.below(3) }, (): MeshLod => {
      const triangles = random.below(12);
      const rest = random.below(3);
      const indices = Array.from(
        { length: triangles * 3 + rest },
        () => random.below(vertices + (random.float() < 0.1 ? 3 : 0)),
      );
      const groups = [];
      for (let start = 0; start < triangles * 3;) {
        const count = Math.min(
          3 * (1 + random.below(4)),
          triangles * 3 - start,
        );
        groups.push({ start, count, material: random.below(3) });
        start += count;
      }
      return {
        indices: Uint32Array.from(indices),
        groups: round % 3 ? groups : [],
        switchDistance: null,
      };
    });
    const mesh = plainMesh(position, [], { lods: levels });
    const sound = ([corners]: [number[], number]) =>
      corners.every((v) => v < vertices) &&
      corners.every((v) =>
        [0, 1, 2].every((k) => Number.isFinite(position[v * 3 + k]))
      );
    const got = cleanTriangles(mesh);
    got.mesh.lods.forEach((lod, i) => {
      assertEquals(labelled(lod), labelled(levels[i]).filter(sound));
      assert(lod.groups.every((g) => g.count > 0), "no empty groups");
    });
    const all = levels.flatMap(labelled);
    const outside = all.filter(([c]) => c.some((v) => v >= vertices)).length;
    assertEquals(got.outOfRange, outside);
    assertEquals(
      got.nonFinite,
      all.length - outside - all.filter(sound).length,
    );
    assertEquals(
      got.leftover,
      levels.reduce((sum, l) => sum + l.indices!.length % 3, 0),
    );
  }
});
