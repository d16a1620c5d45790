import { assertEquals } from "@std/assert";
import {
  boundsOf,
  maxInfluences,
  type Mesh,
  type MeshLod,
  reverseWinding,
  summariseMorphs,
  usedVertices,
} from "../../src/core/mesh.ts";
import { Random } from "../random.ts";

const lod = (indices: number[] | null): MeshLod => ({
  indices: indices && Uint32Array.from(indices),
  groups: [],
  switchDistance: null,
});

Deno.test("boundsOf() gives the smallest and largest coordinate of each axis", () => {
  const position = new Random(61).floats(300, -50, 50);
  const axis = (k: number) =>
    Array.from(position).filter((_, i) => i % 3 === k);
  assertEquals(boundsOf(position), {
    min: [0, 1, 2].map((k) => Math.min(...axis(k))) as [number, number, number],
    max: [0, 1, 2].map((k) => Math.max(...axis(k))) as [number, number, number],
  });
});

Deno.test("boundsOf() passes over numbers that are not finite", () => {
  const position = Float32Array.of(
    ...[NaN, 1, Infinity],
    ...[2, -Infinity, 3],
    ...[4, 5, -Infinity],
  );
  assertEquals(boundsOf(position), { min: [2, 1, 3], max: [4, 5, 3] });
});

Deno.test("boundsOf() is null when an axis has no finite number", () => {
  assertEquals(boundsOf(new Float32Array(0)), null);
  assertEquals(boundsOf(Float32Array.of(1, NaN, 2)), null);
  assertEquals(boundsOf(Float32Array.of(1, 2, Infinity)), null);
});

Deno.test("boundsOf() of one point is that point", () => {
  assertEquals(boundsOf(Float32Array.of(1, 2, 3)), {
    min: [1, 2, 3],
    max: [1, 2, 3],
  });
});

Deno.test("summariseMorphs() counts moved vertices, the longest delta and at most eight samples", () => {
  const entries: [vertex: number, target: number, number, number, number][] = [
    [0, 0, 3, 4, 0],
    [0, 1, 0, 0, 1],
    ...Array.from(
      { length: 10 },
      (_, i): [number, number, number, number, number] => [i + 1, 1, 0, i, 0],
    ),
    [11, 1, 0, 0, -2],
    [11, 1, 0, 0, -30], // a second entry of one vertex and target
  ];
  const morphs = {
    names: ["a", "b", "c"],
    offsets: Uint32Array.from(
      { length: 14 },
      (_, v) => entries.filter(([at]) => at < v).length,
    ),
    targets: Uint32Array.from(entries, (e) => e[1]),
    position: Float32Array.from(entries.flatMap((e) => e.slice(2))),
    normal: null,
  };
  const [a, b, c] = summariseMorphs(morphs);
  assertEquals(a, {
    name: "a",
    movedVertices: 1,
    largestDelta: 5,
    sample: [[0, 3, 4, 0]],
  });
  assertEquals([b.name, b.movedVertices, b.largestDelta], ["b", 12, 30]);
  assertEquals(
    b.sample,
    entries.filter((e) => e[1] === 1).slice(0, 8)
      .map(([v, , x, y, z]) => [v, x, y, z]),
  );
  assertEquals([c.movedVertices, c.largestDelta, c.sample], [0, 0, []]);
  assertEquals(summariseMorphs(null), []);
});

Deno.test("maxInfluences() is the largest number of weights above zero", () => {
  const mesh = (influences: number, weights?: number[]) =>
    ({
      vertexCount: 2,
      influences,
      attributes: {
        position: new Float32Array(6),
        uvs: [],
        ...(weights ? { weights: Float32Array.from(weights) } : {}),
      },
    }) as unknown as Mesh;
  assertEquals(maxInfluences(mesh(0)), 0);
  assertEquals(maxInfluences(mesh(4)), 0);
  assertEquals(maxInfluences(mesh(3, [1, 0, 0, 0.5, 0, 0.5])), 2);
  assertEquals(maxInfluences(mesh(3, [0, 0, 0, NaN, -1, 0])), 0);
});

Deno.test("usedVertices() counts each vertex once and none that does not exist", () => {
  assertEquals(usedVertices(lod([0, 1, 2, 2, 1, 7, 9]), 8), 4);
  assertEquals(usedVertices(lod([]), 8), 0);
  assertEquals(usedVertices(lod(null), 8), 8);
});

Deno.test("reverseWinding() turns every triangle around and leaves its input alone", () => {
  const before = lod([0, 1, 2, 3, 4, 5, 6]);
  const after = reverseWinding(before);
  const turns = (
    [a, b, c]: number[],
  ) => [`${a}${b}${c}`, `${b}${c}${a}`, `${c}${a}${b}`];
  for (const at of [0, 3]) {
    const [was, is] = [before, after].map((
      l,
    ) => [...l.indices!.subarray(at, at + 3)]);
    assertEquals(turns(was).includes(turns(is)[0]), false);
    assertEquals(turns(was.toReversed()).includes(turns(is)[0]), true);
  }
  assertEquals(after.indices![6], 6);
  assertEquals([...before.indices!], [0, 1, 2, 3, 4, 5, 6]);
  assertEquals(reverseWinding(lod(null)).indices, null);
  assertEquals([...reverseWinding(after).indices!], [...before.indices!]);
});
