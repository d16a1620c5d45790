import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { convertBasis, diffMeshes, remapVertices } from "../../src/ops/mod.ts";
import { payloadToMesh, readPayload } from "../../src/formats/payload/mod.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import { Random } from "../random.ts";
import { plainMesh } from "./plain_mesh.ts";

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
  // without a skeleton joints are numbers alone, and those agree
  assertEquals(d.attributes.find((x) => x.name === "weights")!.count, 0);
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

Deno.test("diffMeshes() says of joints which are missing, renamed, moved and bound elsewhere", () => {
  const a = sample("figure.payload");
  assertEquals(diffMeshes(a, a).skeleton, {
    joints: [a.skeleton!.length, a.skeleton!.length],
    only: { a: [], b: [] },
    renamed: 0,
    reparented: 0,
    moved: 0,
    largest: 0,
    rebound: 0,
  });
  const bound = copy(a);
  bound.skeleton![0].inverseBind = new Float32Array(16).fill(2);
  const rebound = diffMeshes(a, bound);
  assertEquals([rebound.skeleton!.rebound, rebound.same], [1, false]);
  // a matrix that the bind pose gives anyway says nothing new
  const stated = copy(a);
  const [x, y, z] = stated.skeleton![0].translation;
  assertEquals(stated.skeleton![0].rotation, [0, 0, 0, 1]);
  stated.skeleton![0].inverseBind = Float32Array.of(
    ...[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0],
    ...[-x, -y, -z, 1],
  );
  assertEquals(diffMeshes(a, stated).same, true);
  assertEquals(diffMeshes(stated, a).same, true);
  const longer = copy(a);
  longer.skeleton!.push({ ...a.skeleton![0], name: "tail", parent: 0 });
  const { skeleton } = diffMeshes(a, longer);
  assertEquals(skeleton!.only, { a: [], b: ["tail"] });
  assertEquals(diffMeshes(longer, a).skeleton!.only, { a: ["tail"], b: [] });
  const static_ = sample("terrain.payload");
  assertEquals(diffMeshes(static_, static_).skeleton, null);
});

Deno.test("diffMeshes() pairs joints by name, so that their order says nothing about weights", () => {
  const a = sample("figure.payload");
  const n = a.skeleton!.length;
  // a root in front moves every number by one
  const b = copy(a);
  b.skeleton = [
    { ...a.skeleton![0], name: "above", parent: -1 },
    ...a.skeleton!.map((j) => ({ ...j, parent: j.parent + 1 })),
  ];
  b.skeleton[0].translation = [0, 0, 0];
  b.skeleton[0].rotation = [0, 0, 0, 1];
  b.attributes.joints = a.attributes.joints!.map((j) => j + 1);
  const d = diffMeshes(a, b);
  assertEquals(d.attributes.find((x) => x.name === "weights")!.count, 0);
  assertEquals(d.skeleton!.joints, [n, n + 1]);
  assertEquals(d.skeleton!.only.b, ["above"]);
  assertEquals([d.skeleton!.moved, d.skeleton!.reparented], [0, 1]);
});

Deno.test("diffMeshes() measures every morph target, of several with one name each", () => {
  const a = sample("figure.payload");
  a.morphs!.names = ["bulge", "bulge", "tip"];
  const b = copy(a);
  const entry = b.morphs!.targets.indexOf(1);
  b.morphs!.position[entry * 3] += 0.5;
  const d = diffMeshes(a, b);
  assertEquals(d.morphTargets.map((t) => [t.name, t.count]), [
    ["bulge", 0],
    ["bulge (2)", 1],
    ["tip", 0],
  ]);
  assertAlmostEquals(d.morphTargets[1].largest!, 0.5, 1e-6);
  assertAlmostEquals(d.morphTargets[1].mean!, 0.5 / a.vertexCount, 1e-6);
});

Deno.test("diffMeshes() takes white for no colours, other colours not", () => {
  const a = sample("terrain.payload");
  const bare = copy(a);
  delete bare.attributes.color;
  a.attributes.color!.fill(1);
  assert(diffMeshes(a, bare).same);
  assert(diffMeshes(bare, a).same);
  a.attributes.color![5] = 0.5;
  assertEquals(diffMeshes(bare, a).only, { a: [], b: ["color"] });
});

Deno.test("diffMeshes() pairs vertices across the cells of its search, however small the tolerance", () => {
  const random = new Random(11);
  for (const tolerance of [1e-3, 1e-6, 1e-30]) {
    const n = 500;
    const position = Float32Array.from(
      { length: n * 3 },
      () => random.between(-3, 3),
    );
    const a = plainMesh([...position], [], {});
    const b = plainMesh(
      [...position].map((x) => x + random.between(-0.9, 0.9) * tolerance)
        .toReversed(),
      [],
      {},
    );
    // whole vertices in reverse order, not their components
    for (let v = 0; v < n; v++) {
      b.attributes.position.subarray(v * 3, v * 3 + 3).reverse();
    }
    const far = (v: number, w: number) =>
      Math.max(
        ...[0, 1, 2].map((k) =>
          Math.abs(
            a.attributes.position[v * 3 + k] - b.attributes.position[w * 3 + k],
          )
        ),
      );
    let alone = 0;
    for (let v = 0; v < n; v++) {
      let best = Infinity;
      for (let w = 0; w < n; w++) best = Math.min(best, far(v, w));
      if (best > tolerance) alone++;
    }
    const d = diffMeshes(a, b, { tolerance });
    assertEquals([d.pairedBy, d.unpaired[0]], ["position", alone]);
  }
});

Deno.test("diffMeshes() counts vertices that no triangle uses apart, and takes the meshes for the same", () => {
  const a = sample("figure.payload");
  const rest = Array.from({ length: a.vertexCount }, (_, v) => v);
  const longer: Mesh = {
    ...remapVertices(a, Uint32Array.from([...rest, 0, 0, 0])),
    lods: a.lods,
  };
  longer.attributes.position.fill(9, a.vertexCount * 3);
  const d = diffMeshes(a, longer);
  assertEquals([d.same, d.unpaired, d.unused], [true, [0, 0], [0, 3]]);
  assertEquals(diffMeshes(longer, a).unused, [3, 0]);
  // without triangles a mesh is all of its vertices
  const points = (m: Mesh): Mesh => ({
    ...m,
    lods: [{ indices: null, groups: [], switchDistance: null }],
  });
  const p = diffMeshes(points(a), points(longer));
  assertEquals([p.same, p.unpaired, p.unused], [false, [0, 3], [0, 0]]);
});
