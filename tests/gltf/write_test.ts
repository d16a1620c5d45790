import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertLess,
  assertRejects,
} from "@std/assert";
import { readGltf, writeGlb, writeGltf } from "../../src/formats/gltf/mod.ts";
import { MeshError } from "../../src/core/errors.ts";
import type { Mesh, MeshJoint } from "../../src/core/mesh.ts";
import { Random } from "../random.ts";
import { assertSameBytes } from "../same_bytes.ts";
import {
  after,
  entriesOf,
  type M3,
  plainMesh,
  plainMorphs,
  randomMesh,
  randomQuaternion,
  type V3,
  worldOf,
} from "../ops/plain_mesh.ts";
import { assertClean } from "./khronos.ts";
import type { Loose } from "./plain_gltf.ts";

/** The JSON of a GLB. */
function jsonOf(glb: Uint8Array): Loose {
  const size = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  return JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + size)));
}

/** Writes, judges and reads again. */
async function roundTrip(mesh: Mesh): Promise<{ mesh: Mesh; json: Loose }> {
  const glb = await writeGlb(mesh);
  await assertClean(glb, "written mesh");
  const { mesh: again, notes } = await readGltf(glb);
  assertEquals(notes, []);
  return { mesh: again, json: jsonOf(glb) };
}

function joints(random: Random, count: number): MeshJoint[] {
  return Array.from({ length: count }, (_, i): MeshJoint => ({
    name: ["root", "", "Bein/..\u0000", "größe", "root"][i % 5],
    parent: i === 0 ? -1 : random.below(i),
    translation: [random.between(-1, 1), random.between(-1, 1), 1.5],
    rotation: randomQuaternion(random).map(Math.fround) as MeshJoint[
      "rotation"
    ],
    scale: [1, random.between(0.5, 2), 1],
  }));
}

function assertSameMesh(got: Mesh, want: Mesh) {
  const [a, b] = [got.attributes, want.attributes];
  assertEquals(got.vertexCount, want.vertexCount);
  assertSameBytes(a.position, b.position, "position");
  assertSameBytes(a.normal!, b.normal!, "normal");
  assertSameBytes(a.tangent!, b.tangent!, "tangent");
  assertSameBytes(a.color!, b.color!, "color");
  assertEquals(a.uvs.length, b.uvs.length);
  a.uvs.forEach((uv, i) => assertSameBytes(uv, b.uvs[i], `uv${i}`));
  assertEquals(got.materials, want.materials);
  assertEquals(got.lods.length, want.lods.length);
  got.lods.forEach((lod, i) => {
    assertSameBytes(lod.indices!, want.lods[i].indices!, `LOD ${i}`);
    assertEquals(lod.switchDistance, want.lods[i].switchDistance);
  });
  assertEquals(got.morphs!.names, want.morphs!.names);
  assertSameBytes(got.morphs!.offsets, want.morphs!.offsets);
  assertSameBytes(got.morphs!.targets, want.morphs!.targets);
  assertSameBytes(got.morphs!.position, want.morphs!.position);
  assertSameBytes(got.morphs!.normal!, want.morphs!.normal!);
}

Deno.test("writeGlb() writes every stream so that readGltf() gives its bits back, and Khronos finds no fault", async () => {
  const random = new Random(81);
  for (let round = 0; round < 8; round++) {
    const mesh = randomMesh(random, 20 + round * 40, 30);
    mesh.attributes.position[4] = -0;
    mesh.attributes.uvs[0][3] = -0;
    mesh.skeleton = joints(random, 5);
    const { mesh: got } = await roundTrip(mesh);
    assertSameMesh(got, mesh);
    assertSameBytes(got.attributes.joints!, mesh.attributes.joints!);
    assertSameBytes(got.attributes.weights!, mesh.attributes.weights!);
    assertEquals(got.skeleton, mesh.skeleton);
    assertEquals(got.lods[0].groups, mesh.lods[0].groups);
  }
});

Deno.test("writeGlb() writes colours without alpha as VEC3 and others as VEC4", async () => {
  for (const [alpha, type] of [[1, "VEC3"], [0.5, "VEC4"]] as const) {
    const mesh = plainMesh([0, 0, 0], null, {
      attributes: {
        position: new Float32Array(3),
        uvs: [],
        color: Float32Array.of(0.1, 0.2, 0.3, alpha),
      },
    });
    const { mesh: got, json } = await roundTrip(mesh);
    const { COLOR_0 } = json.meshes[0].primitives[0].attributes;
    assertEquals(json.accessors[COLOR_0].type, type);
    assertSameBytes(got.attributes.color!, mesh.attributes.color!);
  }
});

Deno.test("writeGlb() takes u16 indices up to 65534 and u32 from 65535 on, the restart value", async () => {
  for (const [top, type] of [[65_534, 5123], [65_535, 5125]]) {
    const mesh = plainMesh(new Float32Array((top + 1) * 3), [0, 1, top]);
    const { mesh: got, json } = await roundTrip(mesh);
    const { indices } = json.meshes[0].primitives[0];
    assertEquals(json.accessors[indices].componentType, type);
    assertEquals([...got.lods[0].indices!], [0, 1, top]);
  }
});

Deno.test("writeGlb() writes a morph target sparse when that is smaller, dense otherwise, with the same values", async () => {
  const vertices = 300;
  const some = (count: number) =>
    Array.from(
      { length: count },
      (_, v) => [v, 0, [v + 1, -0, 0.5] as V3] as const,
    );
  for (const [moved, sparse] of [[1, true], [200, true], [260, false]]) {
    const mesh = plainMesh(new Float32Array(vertices * 3), null, {
      morphs: plainMorphs(vertices, ["a"], some(moved as number)),
    });
    const { mesh: got, json } = await roundTrip(mesh);
    const { POSITION } = json.meshes[0].primitives[0].targets[0];
    assertEquals("sparse" in json.accessors[POSITION], sparse, `${moved}`);
    assertSameBytes(got.morphs!.position, mesh.morphs!.position);
    assertEquals(entriesOf(got.morphs!), entriesOf(mesh.morphs!));
  }
});

Deno.test("writeGlb() writes targets without entries, and deltas of normals only beside normals", async () => {
  const normal = Float32Array.of(0, 1, 0);
  const morphs = plainMorphs(1, ["bare", "b"], [[0, 1, [1, 0, 0], [0, 0, 1]]]);
  const { mesh: got } = await roundTrip(plainMesh([0, 0, 0], null, {
    attributes: { position: new Float32Array(3), uvs: [], normal },
    morphs,
  }));
  assertEquals(got.morphs!.names, ["bare", "b"]);
  assertEquals(entriesOf(got.morphs!), [[0, 1, [1, 0, 0], [0, 0, 1]]]);
  const { mesh: without } = await roundTrip(
    plainMesh([0, 0, 0], null, { morphs }),
  );
  assertEquals(without.morphs!.normal, null);
});

Deno.test("writeGlb() computes inverse binds that undo the bind pose, the identity for a flat one", async () => {
  const random = new Random(82);
  const skeleton = joints(random, 9);
  skeleton.push({
    name: "flat",
    parent: -1,
    translation: [1, 2, 3],
    rotation: [0, 0, 0, 1],
    scale: [1, 1, 0],
  });
  const mesh = plainMesh([0, 0, 0], null, {
    influences: 1,
    attributes: {
      position: new Float32Array(3),
      uvs: [],
      joints: Uint16Array.of(3),
      weights: Float32Array.of(1),
    },
    skeleton,
  });
  const glb = await writeGlb(mesh);
  await assertClean(glb, "skin");
  const json = jsonOf(glb);
  const [skin] = json.skins;
  const accessor = json.accessors[skin.inverseBindMatrices];
  const view = json.bufferViews[accessor.bufferView];
  const start = 20 + new DataView(glb.buffer).getUint32(12, true) + 8 +
    (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
  const values = new Float32Array(glb.slice(start, start + 64 * 10).buffer);
  const world = worldOf(skeleton);
  for (let j = 0; j < 9; j++) {
    const m = values.subarray(j * 16, j * 16 + 16);
    const inverse = {
      m: [0, 1, 2].map((r) => [m[r], m[4 + r], m[8 + r]]) as unknown as M3,
      t: [m[12], m[13], m[14]] as V3,
    };
    const one = after(inverse, world[j]);
    [0, 1, 2].forEach((r) => {
      [0, 1, 2].forEach((c) =>
        assertAlmostEquals(one.m[r][c], r === c ? 1 : 0, 2e-5)
      );
      assertAlmostEquals(one.t[r], 0, 2e-5);
    });
  }
  assertEquals([...values.subarray(144)], [
    ...[1, 0, 0, 0],
    ...[0, 1, 0, 0],
    ...[0, 0, 1, 0],
    ...[0, 0, 0, 1],
  ]);
  // an inverse bind that the mesh brings is written instead
  const own = [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 2, 3, 1];
  skeleton[0].inverseBind = Float32Array.from(own);
  const { mesh: again } = await readGltf(await writeGlb(mesh));
  assertEquals([...again.skeleton![0].inverseBind!], own);
});

Deno.test("writeGlb() keeps influences without a skeleton beside the standard names", async () => {
  const mesh = plainMesh([0, 0, 0, 1, 1, 1], null, {
    influences: 6,
    attributes: {
      position: new Float32Array(6),
      uvs: [],
      joints: Uint16Array.of(7, 300, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
      weights: Float32Array.of(1, 0, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5),
    },
  });
  for (const skeleton of [null, []]) {
    const { mesh: got, json } = await roundTrip({ ...mesh, skeleton });
    assertEquals(json.skins, undefined);
    assertEquals(got.skeleton, skeleton);
    assertEquals(got.influences, 8);
    assertEquals(
      [...got.attributes.joints!],
      [7, 300, 0, 1, 2, 3, 0, 0, 4, 5, 6, 7, 8, 9, 0, 0],
    );
  }
});

Deno.test("writeGlb() keeps vertices that nothing draws as points of level 0", async () => {
  const empty = { indices: new Uint32Array(0), groups: [], switchDistance: 5 };
  const face = { ...empty, indices: Uint32Array.of(0, 1, 2) };
  const group = { start: 0, count: 0, material: 0 };
  for (
    const lods of [
      [empty],
      [{ ...empty, groups: [group] }],
      [empty, face],
      [face, empty, face],
    ]
  ) {
    const mesh = plainMesh(new Float32Array(9), [], {
      materials: ["m"],
      lods: lods.map((l, i) => ({ ...l, switchDistance: i ? 5 : null })),
    });
    const { mesh: got } = await roundTrip(mesh);
    assertEquals(got.vertexCount, 3);
    assertEquals(
      got.lods.map((l) => l.indices?.length ?? 0),
      lods.map((l) => l.indices.length),
    );
  }
});

Deno.test("writeGlb() writes an empty mesh, its extras included", async () => {
  const heightfield = {
    rows: 2,
    cols: 1,
    heights: Float32Array.of(0.1, -7.25),
  };
  const { mesh: got } = await roundTrip(plainMesh([], [], { heightfield }));
  assertEquals([got.vertexCount, got.heightfield], [0, heightfield]);
});

Deno.test("writeGlb() writes a distance that is no number as none", async () => {
  const mesh = randomMesh(new Random(83), 9, 4);
  for (const d of [NaN, Infinity, -Infinity]) {
    mesh.lods[1].switchDistance = d;
    const { mesh: got } = await roundTrip(mesh);
    assertEquals(got.lods[1].switchDistance, null);
  }
});

Deno.test("writeGltf() writes JSON with the buffer inside that holds the same mesh", async () => {
  const mesh = randomMesh(new Random(84), 4000, 90);
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(
    await writeGltf(mesh),
  );
  assert(text.startsWith("{") && text.endsWith("}\n"));
  const bytes = new TextEncoder().encode(text);
  await assertClean(bytes, "glTF");
  const { mesh: got } = await readGltf(bytes);
  assertSameMesh(got, mesh);
  assertSameMesh((await roundTrip(mesh)).mesh, mesh);
});

Deno.test("writeGlb() gives the same bytes each time", async () => {
  const make = () => writeGlb(randomMesh(new Random(85), 200, 100));
  assertSameBytes(await make(), await make());
});

Deno.test("writeGlb() says who wrote the file", async () => {
  const mesh = plainMesh([0, 0, 0], null);
  const generatorOf = async (options?: { generator: string }) =>
    jsonOf(await writeGlb(mesh, options)).asset.generator;
  assertEquals(
    await generatorOf({ generator: "somebody 1.2" }),
    "somebody 1.2",
  );
  assert((await generatorOf()).includes("meshwright"));
});

async function refused(mesh: Mesh): Promise<MeshError> {
  const error = await assertRejects(() => writeGlb(mesh), MeshError);
  assertEquals([error.code, error.format], ["ARGUMENT", "gltf"]);
  return error;
}

Deno.test("writeGlb() throws ARGUMENT for another convention", async () => {
  for (const basis of ["source", "css", "blender"] as const) {
    const error = await refused(plainMesh([0, 0, 0], null, { basis }));
    assertEquals(error.path, "basis");
  }
  await writeGlb(plainMesh([0, 0, 0], null, { basis: "payload" }));
});

Deno.test("writeGlb() throws ARGUMENT for a number that is not finite, before the first byte, and names the place", async () => {
  const full = (): Mesh => {
    const mesh = randomMesh(new Random(86), 6, 4);
    mesh.skeleton = joints(new Random(2), 5);
    mesh.skeleton[1].inverseBind = new Float32Array(16).fill(1);
    mesh.heightfield = { rows: 1, cols: 2, heights: new Float32Array(2) };
    return mesh;
  };
  const places: [string, (m: Mesh) => ArrayLike<number>, number][] = [
    ["position/4", (m) => m.attributes.position, 4],
    ["normal/2", (m) => m.attributes.normal!, 2],
    ["tangent/3", (m) => m.attributes.tangent!, 3],
    ["color/0", (m) => m.attributes.color!, 0],
    ["uv1/5", (m) => m.attributes.uvs[1], 5],
    ["weights/7", (m) => m.attributes.weights!, 7],
    ["morphs/position/1", (m) => m.morphs!.position, 1],
    ["morphs/normal/0", (m) => m.morphs!.normal!, 0],
    ["heightfield/1", (m) => m.heightfield!.heights, 1],
    ["skeleton/0/2", (m) => m.skeleton![0].translation, 2],
    ["skeleton/2/3", (m) => m.skeleton![2].rotation, 0],
    ["skeleton/4/9", (m) => m.skeleton![4].scale, 2],
    ["skeleton/1/11", (m) => m.skeleton![1].inverseBind!, 1],
  ];
  await writeGlb(full());
  for (const [path, values, i] of places) {
    for (const bad of [NaN, Infinity, -Infinity]) {
      const mesh = full();
      (values(mesh) as number[])[i] = bad;
      const error = await refused(mesh);
      assertEquals([error.path, error.found], [path, String(bad)]);
    }
  }
});

Deno.test("writeGlb() throws ARGUMENT for indices out of range or not whole", async () => {
  const far = await refused(plainMesh(new Float32Array(9), [0, 1, 3]));
  assertEquals([far.path, far.found], ["lods/0/indices/2", 3]);
  const rest = await refused(plainMesh(new Float32Array(9), [0, 1, 2, 0]));
  assertEquals([rest.path, rest.found], ["lods/0/indices", 4]);
});

Deno.test("writeGlb() and writeGltf() throw LIMIT-EXCEEDED for too large an output", async () => {
  const mesh = randomMesh(new Random(87), 30, 10);
  for (const write of [writeGlb, writeGltf]) {
    const size = (await write(mesh)).length;
    await write(mesh, { limits: { maxOutputBytes: size } });
    const error = await assertRejects(
      () => write(mesh, { limits: { maxOutputBytes: size - 1 } }),
      MeshError,
    );
    assertEquals([error.code, error.path, error.found], [
      "LIMIT-EXCEEDED",
      "maxOutputBytes",
      size,
    ]);
    const deltas = await assertRejects(
      () => write(mesh, { limits: { maxMorphDeltas: 89 } }),
      MeshError,
    );
    assertEquals([deltas.code, deltas.found], ["LIMIT-EXCEEDED", 90]);
  }
});

Deno.test("writeGlb() throws LIMIT-EXCEEDED for a chain of joints that readGltf() would refuse", async () => {
  const chain = (length: number): Mesh => ({
    ...plainMesh([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2], {
      attributes: {
        position: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
        uvs: [],
        joints: new Uint16Array(3),
        weights: Float32Array.of(1, 1, 1),
      },
      influences: 1,
    }),
    skeleton: joints(new Random(1), 1).concat(
      Array.from({ length: length - 1 }, (_, i): MeshJoint => ({
        name: `joint${i}`,
        parent: i,
        translation: [0, 0, 0],
        rotation: [0, 0, 0, 1],
        scale: [1, 1, 1],
      })),
    ),
  });
  const { mesh } = await readGltf(await writeGlb(chain(1000)));
  assertEquals(mesh.skeleton!.length, 1000);
  const error = await assertRejects(() => writeGlb(chain(1001)), MeshError);
  assertEquals([error.code, error.found, error.allowed], [
    "LIMIT-EXCEEDED",
    1001,
    1000,
  ]);
});

Deno.test("writeGlb() stores many morph targets in time that grows with their entries", async () => {
  const vertices = 2000;
  const names = Array.from({ length: 300 }, (_, i) => `t${i}`);
  const offsets = new Uint32Array(vertices + 1).map((_, v) => v);
  const targets = new Uint32Array(vertices).map((_, v) => v % 300);
  const mesh = plainMesh(new Float32Array(vertices * 3), null, {
    morphs: {
      names,
      offsets,
      targets,
      position: new Float32Array(vertices * 3).fill(1),
      normal: null,
    },
  });
  const glb = await writeGlb(mesh);
  assertLess(glb.length, vertices * 12 * 10, "sparse");
  const { mesh: got } = await readGltf(glb);
  assertSameBytes(got.morphs!.targets, targets);
});

/** Two triangles with a material and a part each. */
function choices(): Mesh {
  const lod = (indices: number[]) => ({
    indices: Uint32Array.from(indices),
    groups: [
      { start: 0, count: 3, material: 0, part: 0 },
      { start: 3, count: 3, material: 1, part: 1 },
    ],
    switchDistance: null,
  });
  return plainMesh(
    [...[0, 0, 0], ...[1, 0, 0], ...[0, 1, 0], ...[0, 0, 1]],
    [],
    {
      materials: ["skin", "cloth"],
      lods: [lod([0, 1, 2, 1, 3, 2]), lod([0, 1, 3, 0, 3, 2])],
    },
  );
}

Deno.test("writeGlb() writes variants as KHR_materials_variants, one material a name", async () => {
  const glb = await writeGlb({
    ...choices(),
    variants: [
      { name: "day", materials: ["skin", "cloth"] },
      { name: "night", materials: ["skin", "dark"] },
      { name: "swapped", materials: ["cloth", "skin"] },
    ],
  });
  await assertClean(glb, "variants");
  const json = jsonOf(glb);
  const names = json.materials.map((m: Loose) => m.name);
  assertEquals([...names].sort(), ["cloth", "dark", "skin"]);
  const { variants } = json.extensions.KHR_materials_variants;
  assertEquals(variants.map((v: Loose) => v.name), ["day", "night", "swapped"]);
  for (const mesh of json.meshes) {
    const shown = mesh.primitives.map((p: Loose) => names[p.material]);
    assertEquals(shown, ["skin", "cloth"]);
    const mapped = mesh.primitives.map((p: Loose) =>
      p.extensions.KHR_materials_variants.mappings.map((m: Loose) => [
        names[m.material],
        m.variants,
      ])
    );
    assertEquals(mapped, [
      [["skin", [0, 1]], ["cloth", [2]]],
      [["cloth", [0]], ["dark", [1]], ["skin", [2]]],
    ]);
  }
});

Deno.test("writeGlb() shows one choice of a group and keeps the others in a second scene", async () => {
  const part = (name: string, choice: number, shown: boolean) => ({
    group: "hat",
    groupIndex: 0,
    name,
    choice,
    shown,
  });
  const mesh = choices();
  mesh.parts = [part("cap", 0, false), part("crown", 1, true)];
  mesh.influences = 1;
  mesh.attributes.joints = new Uint16Array(4);
  mesh.attributes.weights = new Float32Array(4).fill(1);
  mesh.skeleton = joints(new Random(3), 1);
  const glb = await writeGlb(mesh);
  await assertClean(glb, "parts");
  const json = jsonOf(glb);
  const shownIn = (scene: number) =>
    json.scenes[scene].nodes.map((n: number) => json.nodes[n].name);
  assertEquals([json.scene, json.scenes.length], [0, 2]);
  assertEquals(shownIn(0), ["hat", "armature"]);
  assertEquals(shownIn(1), ["hat: cap", "armature"]);
  const { mesh: got } = await readGltf(glb);
  assertEquals(
    got.lods.map((l) => [...l.indices!]),
    [[1, 3, 2], [0, 3, 2]],
  );
  assertEquals(got.materials, ["cloth"]);
});
