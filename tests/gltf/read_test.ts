import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertLess,
} from "@std/assert";
import { type GltfNote, readGltf } from "../../src/formats/gltf/mod.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import {
  at,
  cross,
  dot,
  entriesOf,
  length,
  sub,
  type V3,
  worldOf,
} from "../ops/plain_mesh.ts";
import {
  CORNERS,
  type Loose,
  PlainGltf,
  triangle,
  TYPE,
} from "./plain_gltf.ts";

const read = async (g: PlainGltf): Promise<Mesh> =>
  (await readGltf(g.glb())).mesh;
const notesOf = async (g: PlainGltf): Promise<GltfNote[]> =>
  (await readGltf(g.glb())).notes;
/** What is left out, and how often. */
const left = async (g: PlainGltf): Promise<Record<string, number>> =>
  Object.fromEntries((await notesOf(g)).map((n) => [n.what, n.count]));
const indicesOf = (mesh: Mesh, level = 0) => [...mesh.lods[level].indices!];

/** `count` points on a line. */
const line = (count: number) =>
  Array.from({ length: count }, (_, i) => [i, 0, 0]).flat();

Deno.test("readGltf() makes lists of strips and fans, their winding kept", async () => {
  for (
    const [mode, count, want] of [
      [4, 7, [0, 1, 2, 3, 4, 5]],
      [5, 6, [0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4]],
      [6, 5, [0, 1, 2, 0, 2, 3, 0, 3, 4]],
      [5, 2, []],
    ] as const
  ) {
    const g = new PlainGltf();
    g.root({
      mesh: g.mesh({ POSITION: g.accessor("VEC3", line(count)) }, { mode }),
    });
    assertEquals(indicesOf(await read(g)), [...want]);
  }
  const g = new PlainGltf();
  const indices = g.accessor("SCALAR", [3, 2, 1, 0], TYPE.u8);
  g.root({
    mesh: g.mesh({ POSITION: g.accessor("VEC3", line(4)) }, {
      mode: 5,
      indices,
    }),
  });
  assertEquals(indicesOf(await read(g)), [3, 2, 1, 2, 0, 1]);
});

Deno.test("readGltf() reads indices of every width and names those that make no whole triangle", async () => {
  for (const type of [TYPE.u8, TYPE.u16, TYPE.u32]) {
    const g = triangle();
    g.json.meshes[0].primitives[0].indices = g.accessor(
      "SCALAR",
      [2, 1, 0, 1, 2],
      type,
    );
    assertEquals(indicesOf(await read(g)), [2, 1, 0]);
    assertEquals(await left(g), { indices: 2 });
  }
});

Deno.test("readGltf() takes points for a mesh without faces and leaves lines out", async () => {
  const points = triangle({ mode: 0 });
  const mesh = await read(points);
  assertEquals([mesh.vertexCount, mesh.lods[0].indices], [3, null]);
  const lines = triangle({ mode: 1 });
  const none = await read(lines);
  assertEquals([none.vertexCount, none.lods[0].indices], [0, null]);
  assertEquals(await left(lines), { "line primitives": 1 });
  const bare = new PlainGltf();
  bare.root({ mesh: bare.mesh({}) });
  assertEquals(await left(bare), { primitives: 1 });
});

Deno.test("readGltf() makes one material group a primitive and shares the vertices of shared accessors", async () => {
  const g = new PlainGltf();
  const POSITION = g.accessor("VEC3", [...CORNERS, 1, 1, 0]);
  const other = g.accessor("VEC3", CORNERS);
  g.json.materials = [{ name: "wood" }, {}, { name: "wood" }];
  const indices = (values: number[]) => g.accessor("SCALAR", values, TYPE.u16);
  g.json.meshes.push({
    primitives: [
      { attributes: { POSITION }, indices: indices([0, 1, 2]), material: 2 },
      { attributes: { POSITION: other } },
      { attributes: { POSITION }, indices: indices([1, 3, 2]), material: 0 },
      { attributes: { POSITION }, indices: indices([3, 2, 1]), material: 2 },
    ],
  });
  g.root({ name: "table", mesh: 0 });
  const mesh = await read(g);
  assertEquals(mesh.name, "table");
  assertEquals(mesh.vertexCount, 7);
  assertEquals(indicesOf(mesh), [0, 1, 2, 4, 5, 6, 1, 3, 2, 3, 2, 1]);
  // in the order of the file, without the one that nothing uses; no material at all comes last
  assertEquals(mesh.materials, ["wood", "wood", ""]);
  assertEquals(mesh.lods[0].groups, [
    { start: 0, count: 3, material: 1 },
    { start: 3, count: 3, material: 2 },
    { start: 6, count: 3, material: 0 },
    { start: 9, count: 3, material: 1 },
  ]);
});

Deno.test("readGltf() keeps no materials and groups where there is one without a name", async () => {
  const mesh = await read(triangle());
  assertEquals([mesh.materials, mesh.lods[0].groups], [[], []]);
});

Deno.test("readGltf() decodes normalised and interleaved attributes", async () => {
  const g = new PlainGltf();
  const attributes: Loose = {
    POSITION: g.accessor("VEC3", [-32768, 0, 32767, 1, 2, 3], TYPE.i16, {
      normalized: true,
    }),
    NORMAL: g.accessor("VEC3", [127, 0, 0, -128, 0, 0], TYPE.i8, {
      normalized: true,
    }),
    TEXCOORD_0: g.accessor("VEC2", [0, 65535, 1, 2], TYPE.u16, {
      normalized: true,
    }),
    TEXCOORD_1: g.accessor("VEC2", [0, 255, 51, 1], TYPE.u8, {
      normalized: true,
    }),
    COLOR_0: g.accessor("VEC3", [255, 0, 51, 0, 255, 0], TYPE.u8, {
      normalized: true,
    }),
  };
  // rows of i16 are padded to 8 bytes, rows of i8 to 4
  const rows = (
    number: number,
    values: number[],
    type: number,
    stride: number,
  ) => {
    const view = g.view(values, type);
    g.json.bufferViews[view].byteStride = stride;
    g.json.accessors[number].bufferView = view;
  };
  rows(
    attributes.POSITION,
    [-32768, 0, 32767, 9, 1, 2, 3, 9],
    TYPE.i16,
    8,
  );
  rows(attributes.NORMAL, [127, 0, 0, 9, -128, 0, 0, 9], TYPE.i8, 4);
  g.root({ mesh: g.mesh(attributes, { mode: 0 }) });
  const a = (await read(g)).attributes;
  const f32 = (...values: number[]) => values.map(Math.fround);
  assertEquals(
    [...a.position],
    f32(-1, 0, 1, 1 / 32767, 2 / 32767, 3 / 32767),
  );
  assertEquals([...a.normal!], f32(1, 0, 0, -1, 0, 0));
  assertEquals([...a.uvs[0]], f32(0, 1, 1 / 65535, 2 / 65535));
  assertEquals([...a.uvs[1]], f32(0, 1, 51 / 255, 1 / 255));
  assertEquals([...a.color!], f32(1, 0, 51 / 255, 1, 0, 1, 0, 1));
});

Deno.test("readGltf() fills or drops an attribute that only some primitives have, and names one that it does not know", async () => {
  const g = new PlainGltf();
  const position = () => g.accessor("VEC3", CORNERS);
  const up = g.accessor("VEC3", [0, 0, 1, 0, 0, 1, 0, 0, 1]);
  g.json.meshes.push({
    primitives: [
      {
        attributes: {
          POSITION: position(),
          NORMAL: up,
          TEXCOORD_0: g.accessor("VEC2", [1, 2, 3, 4, 5, 6]),
          _TEMPERATURE: g.accessor("SCALAR", [1, 2, 3]),
        },
      },
      {
        attributes: {
          POSITION: position(),
          COLOR_0: g.accessor("VEC4", new Array(12).fill(0.5)),
        },
      },
    ],
  });
  g.root({ mesh: 0 });
  const { mesh, notes } = await readGltf(g.glb());
  const a = mesh.attributes;
  assertEquals(a.normal, undefined);
  assertEquals([...a.uvs[0]], [1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0]);
  assertEquals([...a.color!], [
    ...new Array(12).fill(1),
    ...new Array(12).fill(0.5),
  ]);
  assertEquals(notes.map((n) => [n.what, n.count]), [
    ["_TEMPERATURE", 1],
    ["NORMAL", 1],
  ]);
});

Deno.test("readGltf() bakes the transforms of nested nodes, one instance a node", async () => {
  const g = new PlainGltf();
  const mesh = g.mesh({ POSITION: g.accessor("VEC3", CORNERS) });
  const child = g.node({ mesh, translation: [0, 0, 5] });
  g.root({ scale: [2, 3, 1], children: [child] });
  g.root({ mesh, rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] });
  const { mesh: got, notes } = await readGltf(g.glb());
  assertEquals([...got.attributes.position.subarray(0, 9)], [
    ...[0, 0, 5],
    ...[2, 0, 5],
    ...[0, 3, 5],
  ]);
  [0, 0, 0, 0, 1, 0, -1, 0, 0].forEach((x, i) =>
    assertAlmostEquals(got.attributes.position[9 + i], x, 1e-7)
  );
  assertEquals(notes.map((n) => [n.what, n.count]), [
    ["nodes", 2],
    ["node transforms", 2],
  ]);
});

Deno.test("readGltf() bakes shear that a matrix holds, and says when a flat one leaves normals no direction", async () => {
  const g = triangle();
  g.json.meshes[0].primitives[0].attributes.NORMAL = g.accessor("VEC3", [
    ...[0, 0, 1],
    ...[1, 0, 0],
    ...[0, 1, 0],
  ]);
  const shear = [1, 0, 0, 0, 0.7, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1];
  g.json.nodes[0].matrix = shear;
  const a = (await read(g)).attributes;
  assertEquals(
    [...a.position],
    [5, 0, 0, 6, 0, 0, 5.7, 1, 0].map(Math.fround),
  );
  // the plane x = 0 leans: its normal goes by the inverse transpose
  const n = at(a.normal!, 1);
  assertAlmostEquals(n[1] / n[0], -0.7, 1e-6);
  g.json.nodes[0].matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
  const { mesh, notes } = await readGltf(g.glb());
  assert(mesh.attributes.normal!.every(Number.isFinite));
  assertEquals(
    notes.find((n) => n.what === "normals without direction")?.count,
    2,
  );
});

Deno.test("readGltf() turns triangles, tangent signs and morphs of mirrored nodes around", async () => {
  const g = triangle({}, { scale: [-1, 2, 1], translation: [10, 0, 0] });
  const primitive = g.json.meshes[0].primitives[0];
  Object.assign(primitive.attributes, {
    NORMAL: g.accessor("VEC3", [0, 0, 1, 0, 0, 1, 0, 0, 1]),
    TANGENT: g.accessor("VEC4", [1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1]),
  });
  primitive.targets = [{
    POSITION: g.sparse("VEC3", 3, [1], [1, 1, 0]),
    NORMAL: g.accessor("VEC3", [0, 0, 0, 0.5, 0, 0, 0, 0, 0]),
  }];
  const mesh = await read(g);
  assertEquals(indicesOf(mesh), [2, 1, 0]);
  assertEquals([...mesh.attributes.position], [10, 0, 0, 9, 0, 0, 10, 2, 0]);
  assertEquals([...mesh.attributes.tangent!.subarray(0, 4)], [-1, 0, 0, -1]);
  const [[v, t, p, n]] = entriesOf(mesh.morphs!);
  assertEquals([v, t, ...p], [1, 0, -1, 2, 0], "no translation in a delta");
  const [x, y, z] = n!;
  const size = Math.hypot(0.5, 1);
  [x + 0.5 / size, y, z - (1 / size - 1)].forEach((e) =>
    assertAlmostEquals(e, 0, 1e-7)
  );
});

Deno.test("readGltf() reads what the scene shows, once, and names what it does not", async () => {
  const g = triangle();
  const hidden = g.mesh({ POSITION: g.accessor("VEC3", CORNERS) });
  g.node({ mesh: hidden });
  g.json.scenes.push({ nodes: [] });
  const { mesh, notes } = await readGltf(g.glb());
  assertEquals(mesh.vertexCount, 3);
  assertEquals(notes.map((n) => [n.what, n.count]), [["scenes", 1], [
    "meshes",
    1,
  ]]);
  // a node that the scene lists twice, or lists beside its parent, is one node
  const twice = triangle();
  twice.json.scenes[0].nodes = [0, 0];
  assertEquals((await read(twice)).lods[0].indices!.length, 3);
  const nested = triangle();
  nested.node({ children: [0] });
  nested.json.scenes[0].nodes = [0, 1];
  assertEquals((await read(nested)).lods[0].indices!.length, 3);
  // the first scene stands in for a default one
  const first = triangle();
  delete first.json.scene;
  assertEquals((await read(first)).vertexCount, 3);
  const empty = triangle();
  empty.json.scenes[0].nodes = [];
  assertEquals((await read(empty)).vertexCount, 0);
  assertEquals(await left(empty), { meshes: 1 });
});

Deno.test("readGltf() names animations, cameras, lights, textures, images, material settings, extras and unread extensions", async () => {
  const g = triangle();
  Object.assign(g.json, {
    animations: [{}, {}],
    cameras: [{}],
    images: [{}, {}, {}],
    materials: [{ name: "a" }, { name: "b", doubleSided: true }],
    textures: [{ source: 0 }],
    extensions: { KHR_lights_punctual: { lights: [{}, {}] } },
    extensionsUsed: ["KHR_lights_punctual", "ACME_x", "MSFT_lod", "ACME_x"],
  });
  g.json.asset.copyright = "someone";
  g.json.nodes[0].extras = { mine: 1, meshwright: {} };
  g.json.meshes[0].extras = { targetNames: [] };
  g.json.meshes[0].weights = [0.5];
  g.json.scenes[0].extras = "text";
  assertEquals(await left(g), {
    animations: 2,
    cameras: 1,
    images: 3,
    lights: 2,
    textures: 1,
    copyright: 1,
    "material settings": 1,
    extensions: 1,
    extras: 2,
    "default morph weights": 1,
  });
});

Deno.test("readGltf() names nodes that hold nothing, but for those above a mesh, a joint, a camera or a light", async () => {
  const g = triangle();
  const hook = g.node({ name: "hook" });
  const hand = g.node({ name: "hand", children: [hook] });
  g.root({ name: "arm", children: [hand] });
  const held = g.node({ mesh: 0 });
  g.root({ children: [held] });
  const lens = g.node({ camera: 0 });
  g.root({ children: [lens] });
  g.root({ extensions: { KHR_lights_punctual: { light: 0 } } });
  g.json.cameras = [{}];
  const { notes } = await readGltf(g.glb());
  assertEquals(
    notes.filter((n) => n.what === "nodes").map((n) => n.count),
    [3, 2], // arm, hand and hook; the two meshes that become one
  );
});

Deno.test("readGltf() names joint numbers without a skin, coordinate sets behind a gap, and what else morph targets change", async () => {
  const g = new PlainGltf();
  const attributes = {
    POSITION: g.accessor("VEC3", CORNERS),
    JOINTS_0: g.accessor("VEC4", new Array(12).fill(0), TYPE.u8),
    WEIGHTS_0: g.accessor("VEC4", new Array(12).fill(0.25)),
    TEXCOORD_0: g.accessor("VEC2", new Array(6).fill(0)),
    TEXCOORD_2: g.accessor("VEC2", new Array(6).fill(0)),
  };
  g.root({
    mesh: g.mesh(attributes, {
      targets: [{
        POSITION: attributes.POSITION,
        TEXCOORD_0: attributes.TEXCOORD_0,
      }],
    }),
  });
  assertEquals(await left(g), {
    "skin weights": 3,
    "texture coordinate sets": 1,
    "morph TEXCOORD_0": 1,
  });
});

Deno.test("readGltf() reads all nodes of a file without scenes, and all meshes of one without nodes", async () => {
  const g = triangle();
  const child = g.node({ mesh: 0, translation: [0, 0, 1] });
  g.node({ children: [child], translation: [0, 0, 2] });
  delete g.json.scene;
  for (const scenes of [undefined, []]) {
    g.json.scenes = scenes;
    const { position } = (await read(g)).attributes;
    assertEquals([position.length, position[2], position[11]], [18, 0, 3]);
  }
  delete g.json.nodes;
  g.json.scenes = undefined;
  g.mesh({ POSITION: g.accessor("VEC3", CORNERS) });
  assertEquals((await read(g)).vertexCount, 6);
  assertEquals(await left(g), { nodes: 2 });
});

/** A triangle skinned to joints; vertex v hangs on slot v. */
function skinned(
  build: (g: PlainGltf) => number[],
  skin: (g: PlainGltf) => Loose = () => ({}),
  weights = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
  slots = [0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0],
): PlainGltf {
  const g = new PlainGltf();
  const mesh = g.mesh({
    POSITION: g.accessor("VEC3", CORNERS),
    JOINTS_0: g.accessor("VEC4", slots, TYPE.u8),
    WEIGHTS_0: g.accessor("VEC4", weights),
  });
  const joints = build(g);
  g.json.skins = [{ joints, ...skin(g) }];
  g.root({ mesh, skin: 0, translation: [99, 99, 99] });
  return g;
}

/** tip, middle, root: a chain whose skin lists the children first. */
function chain(g: PlainGltf): number[] {
  const tip = g.node({ name: "tip", translation: [0, 0, 3] });
  const middle = g.node({
    name: "middle",
    translation: [0, 2, 0],
    children: [tip],
  });
  const root = g.root({
    name: "root",
    translation: [1, 0, 0],
    children: [middle],
  });
  return [tip, middle, root];
}

Deno.test("readGltf() puts parents before children and renumbers the joints of the vertices", async () => {
  const mesh = await read(skinned(chain));
  assertEquals(mesh.skeleton!.map((j) => [j.name, j.parent]), [
    ["root", -1],
    ["middle", 0],
    ["tip", 1],
  ]);
  assertEquals(mesh.influences, 4);
  const first = [0, 4, 8].map((i) => mesh.attributes.joints![i]);
  assertEquals(first, [2, 1, 0]);
  assertEquals(
    [...mesh.attributes.position],
    CORNERS,
    "a skinned node's own transform does not count",
  );
});

Deno.test("readGltf() folds nodes between two joints, and above the first, into the joint", async () => {
  const g = skinned((g) => {
    const tip = g.node({ name: "tip", rotation: [0, 0.6, 0, 0.8] });
    const between = g.node({
      translation: [0, 1, 0],
      scale: [2, 2, 2],
      children: [tip],
    });
    const root = g.node({
      name: "root",
      scale: [1, 1, 3],
      children: [between],
    });
    g.root({ name: "armature", translation: [5, 0, 0], children: [root] });
    return [root, tip];
  });
  const { skeleton } = await read(g);
  assertEquals(skeleton!.map((j) => [j.name, j.parent]), [
    ["root", -1],
    ["tip", 0],
  ]);
  assertEquals(skeleton![0].translation, [5, 0, 0]);
  assertEquals(skeleton![0].scale, [1, 1, 3]);
  assertEquals(skeleton![1].translation, [0, 1, 0]);
  skeleton![1].scale.forEach((x) => assertAlmostEquals(x, 2, 1e-15));
  [0, 0.6, 0, 0.8].forEach((x, k) =>
    assertAlmostEquals(skeleton![1].rotation[k], x, 1e-15)
  );
});

Deno.test("readGltf() takes a joint's transform from a matrix, a flat one too", async () => {
  for (const flat of [1, 0]) {
    const g = skinned((g) => [
      g.root({ matrix: [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, flat, 0, 7, 8, 9, 1] }),
    ]);
    const { skeleton } = await read(g);
    assertEquals(skeleton![0].translation, [7, 8, 9]);
    assertEquals(skeleton![0].scale, [2, 2, flat]);
    const { m } = worldOf(skeleton!)[0];
    [[0, -2, 0], [2, 0, 0], [0, 0, flat]].forEach((row, r) =>
      row.forEach((x, c) => assertAlmostEquals(m[r][c], x, 1e-12))
    );
  }
});

Deno.test("readGltf() keeps the numbers of the joints behind one that a skin lists twice", async () => {
  const g = skinned((g) => {
    const [a, b] = [g.root({ name: "a" }), g.root({ name: "b" })];
    return [a, a, b];
  });
  const mesh = await read(g);
  assertEquals(mesh.skeleton!.map((j) => j.name), ["a", "b"]);
  assertEquals([0, 4, 8].map((i) => mesh.attributes.joints![i]), [0, 0, 1]);
});

Deno.test("readGltf() names weighted slots without a joint, and no others", async () => {
  const two = (g: PlainGltf) => [g.root({}), g.root({})];
  const g = skinned(two, undefined, [
    ...[1, 0, 0, 0],
    ...[0.5, 0.5, 0, 0],
    ...[0.5, 0.5, 0, 0],
  ], [
    ...[0, 9, 0, 0],
    ...[1, 2, 0, 0],
    ...[7, 8, 0, 0],
  ]);
  const mesh = await read(g);
  assertEquals([...mesh.attributes.joints!].filter((j) => j > 1), []);
  assertEquals((await left(g))["joint numbers"], 3);
});

const ONE = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** A skin whose two joints stand at (1, 0, 0) and (1, 2, 0), with its inverse binds. */
const bound = (matrices: number[][]) =>
  skinned(
    (g) => {
      const b = g.node({ translation: [0, 2, 0] });
      return [g.root({ translation: [1, 0, 0], children: [b] }), b];
    },
    (g) => ({ inverseBindMatrices: g.accessor("MAT4", matrices.flat()) }),
  );
const moved = (x: number, y: number) => {
  const m = [...ONE];
  m[12] = x;
  m[13] = y;
  return m;
};

Deno.test("readGltf() stores an inverse bind only where it is not that of the bind pose", async () => {
  const same = await read(bound([moved(-1, 0), moved(-1 + 1e-6, -2)]));
  assertEquals(same.skeleton!.map((j) => j.inverseBind), [
    undefined,
    undefined,
  ]);
  const other = await read(bound([moved(-1, 0), moved(-1, -2.01)]));
  assertEquals(other.skeleton![0].inverseBind, undefined);
  assertEquals(
    [...other.skeleton![1].inverseBind!],
    moved(-1, -2.01).map(Math.fround),
  );
});

Deno.test("readGltf() mends inverse binds that are not finite or not affine, and says so", async () => {
  const broken = moved(-1, -2);
  broken[5] = NaN;
  const projective = moved(-1, -5);
  projective[15] = 2;
  projective[3] = 1;
  const g = bound([broken, projective]);
  const mesh = await read(g);
  assertEquals(mesh.skeleton![0].inverseBind, undefined);
  assertEquals([...mesh.skeleton![1].inverseBind!], moved(-1, -5));
  assertEquals(
    (await notesOf(g)).filter((n) => n.what === "inverse bind matrices")
      .map((n) => n.count),
    [1, 1],
  );
});

Deno.test("readGltf() lets the first of two skins count where they bind one joint apart", async () => {
  const g = bound([moved(-1, 0), moved(-1, -2)]);
  const second = g.accessor("MAT4", [...moved(-1, 0), ...moved(-4, -4)]);
  g.json.skins.push({
    joints: g.json.skins[0].joints,
    inverseBindMatrices: second,
  });
  g.root({ mesh: 0, skin: 1 });
  const mesh = await read(g);
  assertEquals(mesh.vertexCount, 6);
  assertEquals(mesh.skeleton!.map((j) => j.inverseBind), [
    undefined,
    undefined,
  ]);
  assertEquals((await left(g))["inverse bind matrices"], 1);
});

Deno.test("readGltf() reads eight influences, and weights alone count", async () => {
  const g = skinned(chain);
  const attributes = g.json.meshes[0].primitives[0].attributes;
  attributes.JOINTS_1 = g.accessor("VEC4", new Array(12).fill(2), TYPE.u16);
  attributes.WEIGHTS_1 = g.accessor("VEC4", new Array(12).fill(0.25));
  attributes.JOINTS_2 = g.accessor("VEC4", new Array(12).fill(1), TYPE.u8);
  const mesh = await read(g);
  assertEquals(mesh.influences, 12);
  assertEquals([...mesh.attributes.joints!.subarray(0, 12)], [
    ...[2, 2, 2, 2], // slot 0 is the tip, the last joint
    ...[0, 0, 0, 0],
    ...[0, 0, 0, 0],
  ]);
  assertEquals([...mesh.attributes.weights!.subarray(4, 12)], [
    ...[0.25, 0.25, 0.25, 0.25],
    ...[0, 0, 0, 0],
  ]);
});

Deno.test("readGltf() reads _JOINTS_0 and _WEIGHTS_0 as influences without a skeleton", async () => {
  const g = triangle();
  Object.assign(g.json.meshes[0].primitives[0].attributes, {
    _JOINTS_0: g.accessor("VEC4", [
      ...[5, 0, 0, 0],
      ...[65535, 0, 0, 0],
      ...[65536, 1.5, 3, 0],
    ]),
    _WEIGHTS_0: g.accessor("VEC4", [
      ...[1, 0, 0, 0],
      ...[1, 0, 0, 0],
      ...[0.5, 0.25, 0.25, 0],
    ]),
  });
  const mesh = await read(g);
  assertEquals([mesh.skeleton, mesh.influences], [null, 4]);
  assertEquals([0, 4, 8, 9, 10].map((i) => mesh.attributes.joints![i]), [
    ...[5, 65535, 0, 0, 3],
  ]);
  assertEquals((await left(g))["joint numbers"], 2);
});

Deno.test("readGltf() merges morph targets by name, second ones of a name apart", async () => {
  const g = new PlainGltf();
  const delta = (x: number) => ({
    POSITION: g.sparse("VEC3", 3, [1], [x, 0, 0]),
  });
  const body = (targets: Loose[], targetNames?: Loose) =>
    g.root({
      mesh: g.mesh({ POSITION: g.accessor("VEC3", CORNERS) }, { targets }, {
        extras: targetNames === undefined ? undefined : { targetNames },
      }),
    });
  body([delta(1), delta(2), delta(3)], ["smile", "blink", "smile"]);
  body([delta(4), delta(5), delta(6)], ["smile", "smile", "größe"]);
  body([delta(7), delta(8)], ["blink", 5]);
  const mesh = await read(g);
  assertEquals(mesh.morphs!.names, [
    "smile",
    "blink",
    "smile",
    "größe",
    "target_1",
  ]);
  assertEquals(
    entriesOf(mesh.morphs!).map(([v, t, [x]]) => [v, t, x]),
    [
      ...[[1, 0, 1], [1, 1, 2], [1, 2, 3]],
      ...[[4, 0, 4], [4, 2, 5], [4, 3, 6]],
      ...[[7, 1, 7], [7, 4, 8]],
    ],
  );
  assertEquals(mesh.morphs!.normal, null);
});

Deno.test("readGltf() keeps every delta that is not zero, replaces by sparse values, and names tangent deltas", async () => {
  const g = triangle();
  const base = g.accessor("VEC3", [1, 2, 3, 4, 5, 6, 0, 0, 0]);
  Object.assign(g.json.accessors[base], {
    sparse: {
      count: 1,
      indices: { bufferView: g.view([0], TYPE.u8), componentType: TYPE.u8 },
      values: { bufferView: g.view([7, 8, 9], TYPE.f32) },
    },
  });
  g.json.meshes[0].primitives[0].targets = [
    { POSITION: base, TANGENT: g.accessor("VEC3", new Array(9).fill(1)) },
    {
      NORMAL: g.accessor("VEC3", [0, 0, 0, 0, 0, 0, 0, 0, 1e-45]),
    },
    {},
  ];
  const mesh = await read(g);
  assertEquals(entriesOf(mesh.morphs!), [
    [0, 0, [7, 8, 9], [0, 0, 0]],
    [1, 0, [4, 5, 6], [0, 0, 0]],
    [2, 1, [0, 0, 0], [0, 0, Math.fround(1e-45)]],
  ]);
  assertEquals(mesh.morphs!.names, ["target_0", "target_1", "target_2"]);
  assertEquals(await left(g), { "morph tangents": 1 });
});

/** A mesh of `count` points for a level of detail. */
const level = (g: PlainGltf, count: number) =>
  g.mesh({ POSITION: g.accessor("VEC3", line(count)) });

Deno.test("readGltf() reads MSFT_lod levels; a node with fewer keeps its last one", async () => {
  const g = new PlainGltf();
  const lod = (mesh: number, ...ids: number[]) => ({
    mesh,
    extensions: { MSFT_lod: { ids } },
  });
  const [a1, a2] = [
    g.node({ mesh: level(g, 6) }),
    g.node({ mesh: level(g, 3) }),
  ];
  const b1 = g.node({});
  g.root(lod(level(g, 9), a1, a2));
  g.root({ mesh: level(g, 12) });
  g.root(lod(level(g, 15), b1));
  const mesh = await read(g);
  assertEquals(
    mesh.lods.map((l) => l.indices!.length),
    [9 + 12 + 15, 6 + 12, 3 + 12],
  );
  // the node without levels has its vertices once, and every level draws them
  assertEquals(mesh.vertexCount, 9 + 12 + 15 + 6 + 3);
  assertEquals(mesh.lods.map((l) => l.switchDistance), [null, null, null]);
});

Deno.test("readGltf() puts a level outside the tree where its node stands", async () => {
  const g = new PlainGltf();
  const lower = g.node({ mesh: level(g, 3), scale: [2, 1, 1] });
  const upper = g.node({
    mesh: level(g, 3),
    translation: [0, 7, 0],
    extensions: { MSFT_lod: { ids: [lower] } },
  });
  g.root({ translation: [0, 0, 5], children: [upper] });
  const mesh = await read(g);
  const p = mesh.attributes.position;
  assertEquals(at(p, mesh.lods[0].indices![1]), [1, 7, 5]);
  assertEquals(at(p, mesh.lods[1].indices![1]), [2, 0, 5]);
});

Deno.test("readGltf() takes from extras what is well formed and nothing else", async () => {
  const withExtras = async (meshwright: Loose): Promise<Mesh> => {
    const g = new PlainGltf();
    const lower = g.node({ mesh: level(g, 3) });
    g.root({
      mesh: level(g, 3),
      extras: { meshwright },
      extensions: { MSFT_lod: { ids: [lower] } },
    });
    return await read(g);
  };
  const good = await withExtras({
    switchDistances: [4.5],
    heightfield: { rows: 1, cols: 2, heights: [3, -4] },
    emptySkeleton: true,
  });
  assertEquals(good.lods[1].switchDistance, 4.5);
  assertEquals([...good.heightfield!.heights], [3, -4]);
  assertEquals(good.skeleton, []);
  const grids: Loose[] = [
    5,
    null,
    { rows: 1, cols: 2, heights: [3] },
    { rows: -1, cols: -1, heights: [3] },
    { rows: 0.5, cols: 2, heights: [3] },
    { rows: 0, cols: 2 ** 32, heights: [] },
    { rows: 1, cols: 1, heights: ["3"] },
    { rows: 1e9, cols: 1e9, heights: [] },
  ];
  for (const heightfield of grids) {
    assertEquals((await withExtras({ heightfield })).heightfield, null);
  }
  assertEquals((await withExtras({ emptySkeleton: 1 })).skeleton, null);
  for (const switchDistances of [5, ["4"], [null], {}]) {
    const mesh = await withExtras({ switchDistances });
    assertEquals(mesh.lods[1].switchDistance, null);
  }
  for (const extras of [7, "text", [1]]) {
    assertEquals((await withExtras(extras)).heightfield, null);
  }
});

Deno.test("readGltf() takes Euler angles from extras only while they give the node's rotation", async () => {
  const joint = async (node: Loose) =>
    (await read(skinned((g) => [g.root(node)]))).skeleton![0].rotationDeg;
  const half = Math.fround(Math.SQRT1_2);
  const extras = { meshwright: { rotationDeg: [0, 90, 0] } };
  assertEquals(
    await joint({ rotation: [0, half, 0, half], extras }),
    [0, 90, 0],
  );
  assertEquals(
    await joint({ rotation: [half, 0, 0, half], extras }),
    undefined,
  );
  assertEquals(await joint({ extras }), undefined);
  for (const rotationDeg of [[0, 0], "0", [0, null, 0]]) {
    assertEquals(
      await joint({ extras: { meshwright: { rotationDeg } } }),
      undefined,
    );
  }
});

Deno.test("readGltf() keeps faces outward and frames right under every pattern of signs", async () => {
  const g = new PlainGltf();
  const attributes = {
    POSITION: g.accessor("VEC3", CORNERS),
    NORMAL: g.accessor("VEC3", [0, 0, 1, 0, 0, 1, 0, 0, 1]),
    TANGENT: g.accessor("VEC4", [1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1]),
    TEXCOORD_0: g.accessor("VEC2", [0, 1, 1, 1, 0, 0]),
  };
  const mesh = g.mesh(attributes);
  for (let signs = 0; signs < 8; signs++) {
    const scale = [0, 1, 2].map((k) => signs & (1 << k) ? -2 : 1);
    g.root({
      mesh,
      scale,
      rotation: [0.6, 0, 0, 0.8],
      translation: [signs, 0, 0],
    });
  }
  const got = await read(g);
  const { position: p, normal, tangent, uvs } = got.attributes;
  assertEquals(got.vertexCount, 24);
  for (let i = 0; i < 24; i += 3) {
    const corner = [0, 1, 2].map((k) => got.lods[0].indices![i + k]);
    const [a, b, c] = corner.map((v) => at(p, v));
    const [u1, u2] = [sub(b, a), sub(c, a)];
    const face = cross(u1, u2);
    for (const v of corner) {
      assert(dot(face, at(normal!, v)) > 0);
      assertAlmostEquals(length(at(normal!, v)), 1, 1e-6);
    }
    // dP/dv by the texture coordinates of this triangle; up in the image is −v
    const t = corner.map((v) => [uvs[0][v * 2], uvs[0][v * 2 + 1]]);
    const det = (t[1][0] - t[0][0]) * (t[2][1] - t[0][1]) -
      (t[2][0] - t[0][0]) * (t[1][1] - t[0][1]);
    const dpdv = [0, 1, 2].map((k) =>
      (u2[k] * (t[1][0] - t[0][0]) - u1[k] * (t[2][0] - t[0][0])) / det
    ) as unknown as V3;
    const v = corner[0];
    const w = tangent![v * 4 + 3];
    const bitangent = cross(at(normal!, v), at(tangent!, v, 4));
    assertLess(w * dot(bitangent, dpdv), 0);
  }
});
