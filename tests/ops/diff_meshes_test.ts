import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { convertBasis, diffMeshes, remapVertices } from "../../src/ops/mod.ts";
import { payloadToMesh, readPayload } from "../../src/formats/payload/mod.ts";
import type { Mesh } from "../../src/core/mesh.ts";

const sample = (name: string): Mesh =>
  payloadToMesh(
    readPayload(
      Deno.readFileSync(new URL(`../../samples/${name}`, import.meta.url)),
    ),
  );

/** A deep copy whose arrays may be changed. */
const copy = (mesh: Mesh): Mesh => structuredClone(mesh);

/** The same mesh with its vertices in reverse order. */
function shuffled(mesh: Mesh): Mesh {
  const n = mesh.vertexCount;
  const turned = remapVertices(
    mesh,
    Uint32Array.from({ length: n }, (_, i) => n - 1 - i),
  );
  return {
    ...turned,
    lods: mesh.lods.map((l) => ({
      ...l,
      indices: l.indices!.map((v) => n - 1 - v),
    })),
  };
}

Deno.test("diffMeshes() finds a mesh the same as itself, in order", () => {
  const d = diffMeshes(sample("figure.payload"), sample("figure.payload"));
  assert(d.same);
  assertEquals(d.pairedBy, "order");
  assertEquals(
    d.attributes.map((a) => a.name),
    ["position", "normal", "tangent", "color", "uv0", "weights", "morphs"],
  );
});

Deno.test("diffMeshes() finds a mesh the same in other axes and units", () => {
  const mesh = sample("terrain.payload");
  for (const basis of ["source", "css", "blender"] as const) {
    const moved = convertBasis(mesh, basis).mesh;
    assert(diffMeshes(mesh, moved).same, basis);
  }
});

Deno.test("diffMeshes() with tolerance 0 lets no rounding pass", () => {
  const mesh = sample("terrain.payload");
  const metres = convertBasis(mesh, "gltf").mesh;
  assert(diffMeshes(mesh, metres, { tolerance: 0 }).same);
  const inches = convertBasis(mesh, "source").mesh;
  assertEquals(diffMeshes(mesh, inches, { tolerance: 0 }).same, false);
});

Deno.test("diffMeshes() pairs vertices by place when their order differs", () => {
  for (const name of ["terrain.payload", "figure.payload"]) {
    const d = diffMeshes(sample(name), shuffled(sample(name)));
    assertEquals(d.pairedBy, "position");
    assert(d.same, JSON.stringify(d));
  }
});

Deno.test("diffMeshes() measures one moved vertex", () => {
  const a = sample("terrain.payload");
  const b = copy(a);
  b.attributes.normal![3] += 0.25;
  const d = diffMeshes(a, b);
  assert(!d.same);
  const normal = d.attributes.find((x) => x.name === "normal")!;
  assertAlmostEquals(normal.largest!, 0.25, 1e-6);
  assertAlmostEquals(normal.mean!, 0.25 / a.vertexCount, 1e-6);
  assertEquals(normal.count, 1);
  assert(diffMeshes(a, b, { tolerance: 0.3 }).same);
});

Deno.test("diffMeshes() counts missing, extra and reversed triangles", () => {
  const a = sample("terrain.payload");
  const b = copy(a);
  const indices = b.lods[0].indices!;
  [indices[0], indices[1]] = [indices[1], indices[0]]; // turned around
  b.lods[0].indices = indices.slice(0, -3); // the last one left out
  const forward = diffMeshes(a, b).lods[0];
  assertEquals([forward.reversed, forward.missing, forward.extra], [1, 1, 0]);
  const back = diffMeshes(b, a).lods[0];
  assertEquals([back.reversed, back.missing, back.extra], [1, 0, 1]);
});

Deno.test("diffMeshes() takes rotated corners for the same triangle", () => {
  const a = sample("terrain.payload");
  const b = copy(a);
  const i = b.lods[0].indices!;
  [i[0], i[1], i[2]] = [i[1], i[2], i[0]];
  assert(diffMeshes(a, b).same);
});

Deno.test("diffMeshes() names what only one mesh has", () => {
  const a = sample("figure.payload");
  const b = copy(a);
  delete b.attributes.tangent;
  b.morphs = null;
  b.skeleton = null;
  b.lods.pop();
  const d = diffMeshes(a, b);
  assertEquals(d.only, { a: ["tangent", "morphs"], b: [] });
  assertEquals(d.same, false);
  assertEquals(d.lods[1].missing, a.lods[1].indices!.length / 3);
  assert(d.notes.some((n) => n.includes("skeleton")), d.notes.join());
  assert(d.notes.some((n) => n.includes("levels of detail")));
  assert(d.notes.some((n) => n.includes("morph targets")));
});

Deno.test("diffMeshes() sees a moved joint, a renamed one and another heightfield", () => {
  const a = sample("figure.payload");
  const b = copy(a);
  b.skeleton![1].translation[0] += 1;
  b.skeleton![2].name = "other";
  const notes = diffMeshes(a, b).notes.join("\n");
  assert(notes.includes("1 joints have another name"), notes);
  assert(notes.includes("3 joints have another bind pose"), notes);
  const t = sample("terrain.payload");
  const u = copy(t);
  u.heightfield!.heights[7] += 2;
  assert(diffMeshes(t, u).notes.join().includes("heights differ"));
  u.heightfield!.rows = 1;
  assert(diffMeshes(t, u).notes.join().includes("1 x 33"));
});

Deno.test("diffMeshes() takes a NaN for different from a number and equal to itself", () => {
  const a = sample("terrain.payload");
  const b = copy(a);
  b.attributes.uvs[0][0] = NaN;
  assertEquals(diffMeshes(a, b).same, false);
  assert(diffMeshes(b, copy(b)).same);
});

Deno.test("diffMeshes() ends soon when all vertices are in one place", () => {
  const n = 20_000;
  const heap = (x: number): Mesh => ({
    name: "",
    basis: "gltf",
    vertexCount: n + 1,
    attributes: {
      position: new Float32Array((n + 1) * 3).fill(x, n * 3),
      uvs: [],
    },
    influences: 0,
    lods: [{ indices: null, groups: [], switchDistance: null }],
    materials: [],
    morphs: null,
    skeleton: null,
    heightfield: null,
  });
  assertEquals(diffMeshes(heap(1), heap(2)).unpaired[0], 1);
});
