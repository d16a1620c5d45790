import {
  assert,
  assertEquals,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import { splitMesh } from "../../src/ops/mod.ts";
import { MeshError } from "../../src/core/errors.ts";
import type { Mesh, MeshLod } from "../../src/core/mesh.ts";
import { Random } from "../random.ts";
import { assertSameBytes } from "../same_bytes.ts";
import { at, entriesOf, plainMesh, randomMesh } from "./plain_mesh.ts";

/**
 * One corner as a text that holds all of it: position, every other stream, influences and morph entries. Positions of a
 * random mesh differ, so the text names the vertex.
 */
function cornerOf(mesh: Mesh): (v: number) => string {
  const a = mesh.attributes;
  const entries: unknown[][] = Array.from(
    { length: mesh.vertexCount },
    () => [],
  );
  for (const [v, ...rest] of mesh.morphs ? entriesOf(mesh.morphs) : []) {
    entries[v].push(rest);
  }
  return (v) =>
    JSON.stringify([
      at(a.position, v),
      a.normal && at(a.normal, v),
      a.tangent && [...a.tangent.subarray(v * 4, v * 4 + 4)],
      a.color && [...a.color.subarray(v * 4, v * 4 + 4)],
      a.uvs.map((uv) => [uv[v * 2], uv[v * 2 + 1]]),
      a.joints && [...a.joints.subarray(v * 4, v * 4 + 4)],
      a.weights && [...a.weights.subarray(v * 4, v * 4 + 4)],
      entries[v],
    ]);
}

/** The triangles of a level, in order, with their materials. */
function trianglesOf(mesh: Mesh, level: number): string[] {
  const corner = cornerOf(mesh);
  const lod: MeshLod = mesh.lods[level];
  const out: string[] = [];
  for (let i = 0; i + 2 < lod.indices!.length; i += 3) {
    const material = lod.groups.find((g) =>
      i >= g.start && i < g.start + g.count
    )?.material ?? 0;
    const corners = [...lod.indices!.subarray(i, i + 3)].map(corner);
    out.push(`${corners.join()} ${material}`);
  }
  return out;
}

Deno.test("splitMesh() puts every triangle in one part, in order, with all that its corners hold", () => {
  const random = new Random(31);
  for (let round = 0; round < 40; round++) {
    const vertices = 20 + random.below(60);
    const mesh = randomMesh(random, vertices, 10 + random.below(60));
    const max = 3 + random.below(vertices - 4);
    const parts = splitMesh(mesh, max);
    for (const part of parts) {
      assert(part.vertexCount <= max);
      for (const lod of part.lods) {
        for (const i of lod.indices!) assert(i < part.vertexCount);
      }
      assertEquals(part.lods.length, 2);
      assertEquals(part.lods[1].switchDistance, 7.5);
      assertEquals(part.materials, mesh.materials);
      assertEquals(part.morphs!.names, mesh.morphs!.names);
    }
    assertEquals(
      parts.flatMap((p) => trianglesOf(p, 0)),
      trianglesOf(mesh, 0),
      "level 0: the parts one after the other are the whole",
    );
    // a lower level goes where its vertices are, so its order holds inside a part alone
    assertEquals(
      parts.flatMap((p) => trianglesOf(p, 1)).sort(),
      trianglesOf(mesh, 1).sort(),
    );
    const whole = trianglesOf(mesh, 1);
    for (const part of parts) {
      let from = 0;
      for (const t of trianglesOf(part, 1)) {
        const place = whole.indexOf(t, from);
        assert(place >= 0, "order inside a part");
        from = place + 1;
      }
    }
  }
});

Deno.test("splitMesh() fills a part before it begins the next", () => {
  // a strip of separate triangles: 3 vertices each
  const mesh = plainMesh(
    Array.from({ length: 30 * 3 }, (_, i) => i),
    Array.from({ length: 30 }, (_, i) => i),
  );
  const parts = splitMesh(mesh, 8);
  assertEquals(parts.map((p) => p.vertexCount), [6, 6, 6, 6, 6]);
  assertEquals([...parts[1].lods[0].indices!], [0, 1, 2, 3, 4, 5]);
  assertEquals(at(parts[1].attributes.position, 0), [18, 19, 20]);
});

Deno.test("splitMesh() takes a lower level to the part that has its vertices", () => {
  const mesh = plainMesh(
    Array.from({ length: 12 * 3 }, (_, i) => i),
    Array.from({ length: 12 }, (_, i) => i),
    {
      lods: [
        {
          indices: Uint32Array.from({ length: 12 }, (_, i) => i),
          groups: [],
          switchDistance: null,
        },
        {
          // the first from part 0, the second from part 1; the others across the cut, two corners here and one there
          indices: Uint32Array.of(2, 1, 0, 9, 7, 8, 0, 5, 11, 0, 9, 11),
          groups: [],
          switchDistance: 2,
        },
      ],
    },
  );
  const parts = splitMesh(mesh, 7);
  assertEquals(parts.map((p) => p.vertexCount), [7, 7]);
  assertEquals([...parts[0].lods[1].indices!], [2, 1, 0, 0, 5, 6]);
  assertEquals([...parts[1].lods[1].indices!], [3, 1, 2, 6, 3, 5]);
  assertEquals(at(parts[0].attributes.position, 6), [33, 34, 35]);
});

Deno.test("splitMesh() cuts points into runs", () => {
  const mesh = plainMesh(Array.from({ length: 30 }, (_, i) => i), null);
  const parts = splitMesh(mesh, 4);
  assertEquals(parts.map((p) => p.vertexCount), [4, 4, 2]);
  assertEquals(parts.map((p) => p.lods[0].indices), [null, null, null]);
  assertEquals(
    parts.flatMap((p) => [...p.attributes.position]),
    [...mesh.attributes.position],
  );
});

Deno.test("splitMesh() gives a mesh that fits back as it is", () => {
  const mesh = randomMesh(new Random(1), 10, 10);
  const parts = splitMesh(mesh, 10);
  assertEquals(parts.length, 1);
  assertStrictEquals(parts[0], mesh);
  assertStrictEquals(splitMesh(mesh)[0], mesh);
});

Deno.test("splitMesh() names the parts and gives the heightfield to the first", () => {
  const grid = { rows: 1, cols: 2, heights: Float32Array.of(1, 2) };
  const mesh = { ...randomMesh(new Random(2), 20, 20), heightfield: grid };
  const parts = splitMesh({ ...mesh, name: "hill" }, 9);
  assertEquals(
    parts.map((p) => p.name),
    parts.map((_, i) => `hill.${i}`),
  );
  assertEquals(splitMesh(mesh, 9)[1].name, "part.1");
  assertEquals(parts.map((p) => p.heightfield), [
    grid,
    ...parts.slice(1).map(() => null),
  ]);
});

Deno.test("splitMesh() gives the same parts each time", () => {
  const make = () => splitMesh(randomMesh(new Random(77), 60, 80), 17);
  const [a, b] = [make(), make()];
  assertEquals(a.length, b.length);
  a.forEach((part, i) => {
    assertSameBytes(part.attributes.position, b[i].attributes.position);
    part.lods.forEach((lod, k) =>
      assertSameBytes(lod.indices!, b[i].lods[k].indices!)
    );
  });
});

Deno.test("splitMesh() holds exactly 65,536 vertices in one part and one more in two", () => {
  const strip = (vertices: number) =>
    plainMesh(
      new Float32Array(vertices * 3).map((_, i) => i),
      Array.from({ length: (vertices - 2) * 3 }, (_, i) =>
        Math.floor(i / 3) + i % 3),
    );
  assertEquals(splitMesh(strip(65_536)).length, 1);
  const parts = splitMesh(strip(65_537));
  assertEquals(parts.map((p) => p.vertexCount), [65_536, 3]);
});

Deno.test("splitMesh() throws ARGUMENT when a part could hold no triangle or an index is out of range", () => {
  const mesh = randomMesh(new Random(4), 10, 5);
  for (const max of [2, 0, -1, 3.5, NaN, Infinity]) {
    assertEquals(
      assertThrows(() => splitMesh(mesh, max), MeshError).code,
      "ARGUMENT",
    );
  }
  mesh.lods[1].indices![4] = 10;
  const error = assertThrows(() => splitMesh(mesh, 5), MeshError);
  assertEquals(error.code, "ARGUMENT");
  assertEquals(error.path, "lods/1/indices/4");
  assertEquals(error.found, 10);
});
