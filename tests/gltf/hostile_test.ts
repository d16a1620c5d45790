import { assertEquals, assertLess, assertRejects } from "@std/assert";
import { readGltf } from "../../src/formats/gltf/mod.ts";
import { MeshError } from "../../src/core/errors.ts";
import type { Code } from "../../src/core/codes.ts";
import {
  CORNERS,
  encode,
  type Loose,
  PlainGltf,
  triangle,
  TYPE,
} from "./plain_gltf.ts";

/** A mesh over one accessor without bytes of its own. */
const unbacked = (count: number, changes: Loose = {}): Uint8Array =>
  encode(JSON.stringify({
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ componentType: TYPE.f32, type: "VEC3", count }],
    ...changes,
  }));

const repeated = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const HOSTILE: [what: string, bytes: () => Uint8Array, code: Code][] = [
  ["3e8 vertices without bytes", () => unbacked(3e8), "LIMIT-EXCEEDED"],
  ["1e5 vertices without bytes", () => unbacked(1e5), "LIMIT-EXCEEDED"],
  ["2^31 vertices without bytes", () => unbacked(2 ** 31), "LIMIT-EXCEEDED"],
  ["2^53 − 1 vertices", () => unbacked(2 ** 53 - 1), "LIMIT-EXCEEDED"],
  ["2^62 vertices", () => unbacked(2 ** 62), "GLTF-STRUCTURE"],
  [
    "many accessors that each stay small",
    () =>
      unbacked(3, {
        accessors: repeated(100, () => ({
          componentType: TYPE.f32,
          type: "VEC3",
          count: 5000,
        })),
      }),
    "LIMIT-EXCEEDED",
  ],
  [
    "a matrix accessor without bytes",
    () =>
      unbacked(3, {
        accessors: [
          { componentType: TYPE.f32, type: "VEC3", count: 3 },
          { componentType: TYPE.f32, type: "MAT4", count: 2e7 },
        ],
      }),
    "LIMIT-EXCEEDED",
  ],
  [
    "nesting a million deep",
    () => encode(`{"asset":${"[".repeat(1e6)}`),
    "GLTF-JSON",
  ],
  [
    "nesting a million deep in objects",
    () => encode(`{"asset":${'{"a":'.repeat(1e6)}`),
    "GLTF-JSON",
  ],
  [
    "a chain of 5000 nodes",
    () =>
      unbacked(3, {
        nodes: repeated(
          5000,
          (i) => i < 4999 ? { children: [i + 1] } : { mesh: 0 },
        ),
      }),
    "GLTF-STRUCTURE",
  ],
  [
    "a ring of 10,000 nodes",
    () =>
      unbacked(3, {
        nodes: repeated(10_000, (i) => ({ children: [(i + 1) % 10_000] })),
      }),
    "GLTF-STRUCTURE",
  ],
  [
    "two parents for every node",
    () =>
      unbacked(3, {
        nodes: repeated(
          1000,
          (i) => i < 2 ? { children: repeated(998, (k) => k + 2) } : {},
        ),
      }),
    "GLTF-STRUCTURE",
  ],
  [
    "100,001 levels of detail in a few bytes",
    () =>
      unbacked(3, {
        nodes: [{
          mesh: 0,
          extensions: { MSFT_lod: { ids: new Array(100_000).fill(0) } },
        }],
      }),
    "LIMIT-EXCEEDED",
  ],
  [
    "levels of detail times nodes",
    () =>
      unbacked(3, {
        scenes: [{ nodes: repeated(300, (i) => i) }],
        nodes: repeated(300, (i) => ({
          mesh: 0,
          extensions: i === 0
            ? { MSFT_lod: { ids: new Array(1000).fill(0) } }
            : undefined,
        })),
      }),
    "LIMIT-EXCEEDED",
  ],
  [
    "morph targets times vertices",
    () =>
      unbacked(80_000, {
        meshes: [{
          primitives: [{
            attributes: { POSITION: 0 },
            targets: repeated(5000, () => ({})),
          }],
        }],
      }),
    "LIMIT-EXCEEDED",
  ],
];

for (const [what, bytes, code] of HOSTILE) {
  Deno.test(`readGltf() refuses ${what} in under 100 ms without reserving memory`, async () => {
    const input = bytes();
    const before = Deno.memoryUsage();
    let best = Infinity;
    for (let tries = 0; tries < 3 && best >= 100; tries++) {
      const start = performance.now();
      const error = await assertRejects(() => readGltf(input), MeshError);
      best = Math.min(best, performance.now() - start);
      assertEquals(error.code, code, error.message);
    }
    assertLess(best, 100);
    const { external } = Deno.memoryUsage();
    assertLess(external - before.external, 16 * 2 ** 20 + input.length * 2);
  });
}

Deno.test("readGltf() reads what stands for itself as long as the file is worth it", async () => {
  assertEquals((await readGltf(unbacked(80_000))).mesh.vertexCount, 80_000);
  // sparse targets are as long as the positions that they move, however many there are
  const g = new PlainGltf();
  const vertices = 500;
  const POSITION = g.accessor("VEC3", new Array(vertices * 3).fill(0.5));
  const targets = repeated(
    400,
    (i) => ({ POSITION: g.sparse("VEC3", vertices, [i], [1, 0, 0]) }),
  );
  g.root({ mesh: g.mesh({ POSITION }, { targets }) });
  const { mesh } = await readGltf(g.glb());
  assertEquals(mesh.morphs!.targets.length, 400);
});

Deno.test("readGltf() reads thousands of primitives, nodes and targets in time that grows with them", async () => {
  const g = new PlainGltf();
  const POSITION = g.accessor("VEC3", CORNERS);
  g.json.meshes.push({
    primitives: repeated(1500, (i) => ({
      attributes: i % 2
        ? { POSITION }
        : { POSITION: g.accessor("VEC3", CORNERS) },
    })),
  });
  g.root({ mesh: 0 });
  for (let i = 0; i < 1000; i++) g.root({ mesh: 0 + 1 });
  g.mesh({ POSITION }, { targets: repeated(1000, () => ({ POSITION })) });
  const start = performance.now();
  const { mesh } = await readGltf(g.glb());
  assertEquals(mesh.lods[0].indices!.length, (1500 + 1000) * 3);
  assertLess(performance.now() - start, 10_000);
});

Deno.test("readGltf() takes names of the object prototype for what they are", async () => {
  const g = triangle();
  g.json.nodes[0].name = "__proto__";
  const text = new TextDecoder().decode(g.gltf())
    .replace('"POSITION"', '"__proto__":0,"constructor":0,"POSITION"');
  const { mesh, notes } = await readGltf(encode(text));
  assertEquals(mesh.name, "__proto__");
  assertEquals(mesh.vertexCount, 3);
  assertEquals(notes.map((n) => n.what), ["__proto__", "constructor"]);
  assertEquals(({} as Loose).mesh, undefined);
});
