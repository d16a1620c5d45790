import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertThrows,
} from "@std/assert";
import type { Code } from "../../src/core/codes.ts";
import { MeshError } from "../../src/core/errors.ts";
import type { SparseMorphs } from "../../src/core/mesh.ts";
import {
  type Mdl,
  readMdl,
  readSourceModel,
  readVtx,
  rootLodView,
  sourceModelToMesh,
} from "../../src/formats/mdl/mod.ts";
import { splitVvd } from "../../src/formats/vvd/mod.ts";
import {
  buildFixture,
  type FixtureSpec,
  fixtureVtx,
  type MeshSpec,
  oneModel,
  square,
} from "./build_fixture.ts";
import { plainVtx } from "./plain_vtx.ts";

const readFixture = (spec: FixtureSpec) => readSourceModel(buildFixture(spec));
const meshOf = (spec: FixtureSpec, options = {}) =>
  sourceModelToMesh(readFixture(spec), options);

function codeOf(work: () => unknown): Code {
  return assertThrows(work, MeshError).code;
}

/** A mesh whose vertices survive to different LODs, and whose LODs differ. */
function detailed(x: number): MeshSpec {
  return {
    vertices: [
      { position: [x, 0, 0], lod: 2 },
      { position: [x, 1, 0], lod: 2 },
      { position: [x, 0, 1], lod: 2 },
      { position: [x, 1, 1], lod: 1 },
      { position: [x, 2, 2], lod: 0 },
    ],
    triangles: [[0, 1, 2, 1, 3, 2, 2, 3, 4], [0, 1, 2, 1, 3, 2], [0, 1, 2]],
  };
}

Deno.test("readSourceModel() places every mesh in the pool of LOD 0 by body part, model and mesh", () => {
  const model = readFixture({
    lods: 3,
    bodyParts: [
      { models: [{ meshes: [detailed(1), detailed(2)] }] },
      { models: [{ meshes: [] }, { meshes: [detailed(3)] }] },
    ],
  });
  assert(model.vvd!.fixups.length > 3);
  const { position } = splitVvd(model.vvd!, 0);
  model.lods.forEach((lod, level) => {
    assertEquals(lod.runs.map((r) => [r.bodyPart, r.model, r.mesh]), [
      [0, 0, 0],
      [0, 0, 1],
      [1, 1, 0],
    ]);
    lod.runs.forEach((run, i) => {
      const { vertices, triangles } = detailed(i + 1);
      assertEquals(
        Array.from(
          lod.indices.subarray(run.start, run.start + run.count),
          (v) => Array.from(position.subarray(v * 3, v * 3 + 3)),
        ),
        triangles[level].map((v) => [...vertices[v].position]),
      );
    });
  });
});

Deno.test("rootLodView() shows what the model shows, from fewer vertices", () => {
  const model = readFixture({
    lods: 3,
    bodyParts: [
      { models: [{ meshes: [detailed(1), detailed(2)] }] },
      { models: [{ meshes: [detailed(3)] }] },
    ],
  });
  const corners = (m: typeof model, level: number) => {
    const { position } = splitVvd(m.vvd!, 0);
    const lod = m.lods.find((l) => l.level === level)!;
    return Array.from(
      lod.indices,
      (v) => Array.from(position.subarray(v * 3, v * 3 + 3)),
    );
  };
  for (const root of [0, 1, 2, 5]) {
    const view = rootLodView(model, root);
    const r = Math.min(root, 2);
    assertEquals(view.vvd!.numLODVertexes[0], [15, 12, 9][r]);
    assertEquals(view.lods.map((l) => l.level), [0, 1, 2].slice(r));
    for (const { level } of view.lods) {
      assertEquals(corners(view, level), corners(model, level));
    }
  }
});

Deno.test("rootLodView() stops at the root LODs that the MDL allows", () => {
  const spec = oneModel([detailed(1)], { lods: 3, allowedRootLods: 2 });
  const view = rootLodView(readFixture(spec), 2);
  assertEquals(view.lods.map((l) => l.level), [1, 2]);
  const bare = readSourceModel({ mdl: buildFixture({ bodyParts: [] }).mdl });
  assertEquals(rootLodView(bare, 1), bare);
});

Deno.test("readSourceModel() refuses a stale VTX and says so", () => {
  const files = buildFixture(oneModel([square()]));
  const more = buildFixture(oneModel([{
    vertices: [...square().vertices, { position: [9, 9, 9] }],
    triangles: [[0, 1, 4, 0, 2, 1]],
  }]));
  const stale = { ...files, vtx: more.vtx };
  const error = assertThrows(() => readSourceModel(stale), MeshError, "stale");
  assertEquals(error.code, "VTX-VERTEX-RANGE");
  const forced = readSourceModel(stale, { force: true });
  assertEquals(Array.from(forced.lods[0].indices), [0, 2, 1]);
  assertEquals(forced.notes.map((n) => n.code), ["VTX-VERTEX-RANGE"]);
});

Deno.test("readSourceModel() says where a model begins before the VVD does", () => {
  const files = buildFixture(oneModel([square()]));
  const view = new DataView(files.mdl.buffer);
  const part = view.getInt32(236, true);
  const model = part + view.getInt32(part + 12, true);
  view.setInt32(model + 84, -48, true);
  const error = assertThrows(
    () => readSourceModel(files),
    MeshError,
    "begins at vertex -1",
  );
  assertEquals([error.code, error.found, error.allowed], [
    "MDL-VERTEX-RANGE",
    -1,
    ">= 0",
  ]);
});

Deno.test("readMdl() and readVtx() say of a table before the file where it begins, behind it where it ends", () => {
  const { mdl, vtx } = buildFixture(oneModel([square()]));
  const tables: [Uint8Array, number, (b: Uint8Array) => unknown][] = [
    [mdl, 160, readMdl],
    [vtx, 32, readVtx],
  ];
  for (const [file, at, read] of tables) {
    const put = (offset: number) => {
      const out = file.slice();
      new DataView(out.buffer).setInt32(at, offset, true);
      return assertThrows(() => read(out), MeshError);
    };
    const before = put(-8);
    assertEquals([before.found, before.allowed], [-8, ">= 0"]);
    assert(before.message.endsWith("begin at byte -8"), before.message);
    const behind = put(file.length);
    assertEquals(behind.allowed, `<= ${file.length}`);
    assert(behind.message.includes(`end at ${behind.found}`), behind.message);
  }
});

Deno.test("readSourceModel() refuses a VVD that lacks a mesh's vertices", () => {
  const files = buildFixture(oneModel([square(), square(5)]));
  const less = buildFixture(oneModel([square()]));
  const mixed = { ...files, vvd: less.vvd };
  const error = assertThrows(
    () => readSourceModel(mixed),
    MeshError,
    "a mesh ends at vertex 8, the VVD holds 4",
  );
  assertEquals([error.code, error.found, error.allowed], [
    "MDL-VERTEX-RANGE",
    8,
    "<= 4",
  ]);
  const forced = readSourceModel(mixed, { force: true });
  assertEquals(Array.from(forced.lods[0].indices), [0, 2, 1, 0, 3, 2]);
});

Deno.test("readSourceModel() reads what MDL and VTX share and notes the rest", () => {
  const spec = oneModel([square(), square(5)], { lods: 2 });
  const files = buildFixture(spec);
  const read = (bend: (vtx: ReturnType<typeof fixtureVtx>) => void) => {
    const vtx = fixtureVtx(spec);
    bend(vtx);
    const model = readSourceModel({ ...files, vtx: plainVtx(vtx, "25/27") });
    return [
      model.notes.map((n) => n.code),
      model.lods.map((l) => l.indices.length),
    ];
  };
  const [model] = fixtureVtx(spec).bodyParts[0].models;
  const part = { models: [model] };
  assertEquals(read((v) => void v.bodyParts.push(part)), [
    ["VTX-SHAPE"],
    [12, 12],
  ]);
  assertEquals(read((v) => void v.bodyParts[0].models.push(model)), [
    ["VTX-SHAPE"],
    [12, 12],
  ]);
  assertEquals(read((v) => void v.bodyParts[0].models[0].lods.pop()), [
    ["VTX-SHAPE"],
    [12, 0],
  ]);
  assertEquals(
    read((v) => void v.bodyParts[0].models[0].lods[1].meshes.pop()),
    [["VTX-SHAPE"], [12, 6]],
  );
});

Deno.test("readSourceModel() notes a level that uses vertices which the mesh drops there", () => {
  const mesh = detailed(1);
  const model = readFixture(
    oneModel([{ ...mesh, triangles: [mesh.triangles[0]] }], { lods: 3 }),
  );
  assertEquals(model.notes.map((n) => [n.code, n.found]), [
    ["VTX-LOD-VERTEX", 1],
    ["VTX-LOD-VERTEX", 3],
  ]);
});

Deno.test("readSourceModel() reads quads of both kinds", () => {
  for (
    const [stripFlags, layout] of [[4, "25/27"], [4, "33/35"], [
      2,
      "33/35",
    ]] as const
  ) {
    const model = readFixture(oneModel(
      [{ ...square(), triangles: [[0, 3, 2, 1]], stripFlags }, {
        ...square(5),
        groups: 2,
      }],
      { layout },
    ));
    assertEquals(
      Array.from(model.lods[0].indices.subarray(0, 6)),
      [0, 3, 2, 0, 2, 1],
    );
  }
});

Deno.test("readSourceModel() keeps to the limit on indices", () => {
  const files = buildFixture(oneModel([square()]));
  assertEquals(
    codeOf(() => readSourceModel(files, { limits: { maxIndices: 5 } })),
    "LIMIT-EXCEEDED",
  );
});

/** Deltas of a target: vertex → six numbers. */
function target(morphs: SparseMorphs | null, name: string) {
  const out: Record<number, number[]> = {};
  const t = morphs!.names.indexOf(name);
  for (let v = 0; v + 1 < morphs!.offsets.length; v++) {
    for (let e = morphs!.offsets[v]; e < morphs!.offsets[v + 1]; e++) {
      if (morphs!.targets[e] !== t) continue;
      out[v] = [
        ...morphs!.position.subarray(e * 3, e * 3 + 3),
        ...morphs!.normal!.subarray(e * 3, e * 3 + 3),
      ];
    }
  }
  return out;
}

Deno.test("sourceModelToMesh() splits a flex with a pair into two targets by side", () => {
  const mesh = meshOf(oneModel([{
    ...square(),
    flexes: [{
      desc: 1,
      pair: 2,
      entries: [
        { vertex: 0, side: 0, delta: [2, 0, 0], normal: [0, 1, 0] },
        { vertex: 1, side: 255, delta: [0, 4, 0] },
        { vertex: 2, side: 51, delta: [0, 0, 10] },
      ],
    }],
  }], { flexDescs: ["none", "left", "right"] }));
  assertEquals(mesh.morphs!.names, ["left", "right"]);
  assertEquals(target(mesh.morphs, "left"), {
    0: [2, 0, 0, 0, 1, 0],
    2: [0, 0, 8, 0, 0, 0],
  });
  assertEquals(target(mesh.morphs, "right"), {
    1: [0, 4, 0, 0, 0, 0],
    2: [0, 0, 2, 0, 0, 0],
  });
});

Deno.test("sourceModelToMesh() merges flexes of one name and adds what meets", () => {
  const flex = (desc: number, z: number) => ({
    desc,
    entries: [{ vertex: 0, side: 200, delta: [0, 0, z] as const }],
  });
  const mesh = meshOf(oneModel([
    { ...square(), flexes: [flex(0, 1), flex(1, 2)] },
    { ...square(5), flexes: [flex(2, 4)] },
  ], { flexDescs: ["smile", "smile", "blink"] }));
  assertEquals(mesh.morphs!.names, ["smile", "blink"]);
  assertEquals(target(mesh.morphs, "smile"), { 0: [0, 0, 3, 0, 0, 0] });
  assertEquals(target(mesh.morphs, "blink"), { 4: [0, 0, 4, 0, 0, 0] });
});

Deno.test("sourceModelToMesh() has a skeleton with inverse binds, but not for a static prop", () => {
  const bones: FixtureSpec["bones"] = [
    {
      name: "root",
      position: [0, 0, 3],
      poseToBone: [
        ...[1, 0, 0, 0],
        ...[0, 1, 0, 0],
        ...[0, 0, 1, -3],
      ],
    },
    { name: "tip", parent: 0, quaternion: [0, 0, 2, 0] },
  ];
  const { skeleton } = meshOf(oneModel([square()], { bones }));
  assertEquals(skeleton!.map((j) => [j.name, j.parent, j.translation]), [
    ["root", -1, [0, 0, 3]],
    ["tip", 0, [0, 0, 0]],
  ]);
  assertEquals(Array.from(skeleton![0].inverseBind!), [
    ...[1, 0, 0, 0],
    ...[0, 1, 0, 0],
    ...[0, 0, 1, 0],
    ...[0, 0, -3, 1],
  ]);
  // a quaternion of another length is brought to length 1
  assertEquals(skeleton![1].rotation, [0, 0, 1, 0]);

  const still = oneModel([square()], { bones: [{ name: "static_prop" }] });
  const prop = meshOf({ ...still, flags: 0x10 });
  assertEquals([prop.skeleton, prop.attributes.joints, prop.influences], [
    null,
    undefined,
    0,
  ]);
  assertEquals(meshOf(still).skeleton!.length, 1);
});

Deno.test("sourceModelToMesh() refuses bones that the model has not, or takes bone 0", () => {
  const spec = oneModel([square(0, 0, { bones: [[4, 1]] })]);
  const model = readFixture(spec);
  assertEquals(codeOf(() => sourceModelToMesh(model)), "MDL-BONE-RANGE");
  const mesh = sourceModelToMesh(model, { lenient: true });
  assertEquals(Array.from(mesh.attributes.joints!), new Array(12).fill(0));
});

Deno.test("sourceModelToMesh() has one material group a mesh and a slot a texture", () => {
  const spec = oneModel(
    [1, 0, 2, 1].map((material, i) => ({ ...square(i), material })),
    {
      textures: ["c", "b", "a"],
      skins: [[2, 1, 1], [0, 1, 1], [2, 0, 1]],
    },
  );
  const mesh = meshOf(spec);
  // family 0: materials 0, 1, 2 are textures a, b, b; family 2 tells the last two apart
  assertEquals(mesh.materials, ["b", "b", "a"]);
  assertEquals(mesh.lods[0].groups.map((g) => [g.start, g.count]), [
    [0, 6],
    [6, 6],
    [12, 6],
    [18, 6],
  ]);
  const names = (family: number) =>
    mesh.lods[0].groups.map((g) =>
      mesh.variants![family].materials[g.material]
    );
  assertEquals(mesh.variants!.map((v) => v.name), ["skin0", "skin1", "skin2"]);
  assertEquals(names(0), ["b", "a", "b", "b"]);
  assertEquals(names(1), ["b", "c", "b", "b"]);
  assertEquals(names(2), ["c", "a", "b", "c"]);
  const other = meshOf(spec, { skin: 2 });
  assertEquals(
    other.lods[0].groups.map((g) => other.materials[g.material]),
    names(2),
  );
});

Deno.test("sourceModelToMesh() falls back to the material's own number, then to 0", () => {
  const mesh = meshOf(oneModel(
    [1, 5, 2].map((material, i) => ({ ...square(i), material })),
    { textures: ["a", "b", "c"], skins: [[0, 9]] },
  ));
  assertEquals(
    mesh.lods[0].groups.map((g) => mesh.materials[g.material]),
    ["b", "a", "c"],
  );
  const bare = meshOf(oneModel([square()], { textures: [], skins: [] }));
  assertEquals([bare.materials, bare.lods[0].groups[0].material], [[], 0]);
});

Deno.test("sourceModelToMesh() takes a level's material replacements", () => {
  const mesh = meshOf(oneModel([square()], {
    lods: 2,
    textures: ["near"],
    replacements: [[], [[0, "far"]]],
  }));
  assertEquals(mesh.materials, ["near", "far"]);
  assertEquals(mesh.lods.map((l) => l.groups[0].material), [0, 1]);
});

Deno.test("sourceModelToMesh() leaves the shadow level out unless it is asked for", () => {
  const model = readFixture(
    oneModel([detailed(1)], { lods: 3, switchPoints: [0, 20, -1] }),
  );
  assertEquals(model.lods.map((l) => l.shadow), [false, false, true]);
  const mesh = sourceModelToMesh(model);
  assertEquals(mesh.lods.map((l) => l.switchDistance), [null, 20]);
  assertEquals(sourceModelToMesh(model, { shadow: true }).lods.length, 3);
});

Deno.test("sourceModelToMesh() marks eyeballs and keeps the ramps of shapes in extras", () => {
  const mesh = meshOf({
    bodyParts: [{
      models: [{
        eyeballs: [{ name: "eye_right", radius: 0.5 }],
        meshes: [square(), { ...square(3), eyeball: 0 }, {
          ...square(6),
          flexes: [{ desc: 0, targets: [-11, -10, -0.5, 0.25], entries: [] }],
        }],
      }],
    }],
    flexDescs: ["lid"],
  });
  const source = mesh.extras!.source as {
    eyeballs: { name: string; radius: number; meshes: number[] }[];
    flexRamps: Record<string, number[]>;
    materialPaths: Record<string, string[]>;
  };
  assertEquals(
    source.eyeballs.map((e) => [e.name, e.radius, e.meshes]),
    [["eye_right", 0.5, [1]]],
  );
  assertEquals(source.flexRamps, { lid: [-11, -10, -0.5, 0.25] });
  assertEquals(source.materialPaths, {
    skin: ["materials/models/test/skin.vmt"],
  });
});

Deno.test("sourceModelToMesh() takes colours and texture coordinates of a VVC through the fixups", () => {
  const spec = oneModel([detailed(1), detailed(2)], { lods: 3 });
  const files = buildFixture(spec);
  const count = 10;
  const vvc = new Uint8Array(56 + count * 12);
  const view = new DataView(vvc.buffer);
  vvc.set(new TextEncoder().encode("IDCV"));
  [1, 0x5ca1ab1e, 3, count].forEach((x, i) =>
    view.setInt32(4 + 4 * i, x, true)
  );
  view.setInt32(48, 56, true);
  view.setInt32(52, 56 + count * 4, true);
  // each pool vertex carries its own x and y
  const records = new DataView(files.vvd.buffer);
  const start = records.getInt32(56, true);
  for (let v = 0; v < count; v++) {
    const [x, y] = [16, 20].map((at) =>
      records.getFloat32(start + v * 48 + at, true)
    );
    vvc.set([x * 51, y * 51, 0, 255], 56 + v * 4);
    view.setFloat32(56 + count * 4 + v * 8, x, true);
    view.setFloat32(56 + count * 4 + v * 8 + 4, y, true);
  }
  const mesh = sourceModelToMesh(readSourceModel({ ...files, vvc }));
  const { color, uvs, position } = mesh.attributes;
  for (let v = 0; v < count; v++) {
    const [x, y] = position.subarray(v * 3, v * 3 + 2);
    assertEquals(Array.from(uvs[1].subarray(v * 2, v * 2 + 2)), [x, y]);
    assertAlmostEquals(color![v * 4], x / 5, 1e-6);
    assertAlmostEquals(color![v * 4 + 1], y / 5, 1e-6);
  }
  view.setInt32(16, count - 1, true);
  const short = readSourceModel({ ...files, vvc });
  assertEquals(codeOf(() => sourceModelToMesh(short)), "VVC-COUNT");
});

Deno.test("sourceModelToMesh() is named by the header's file name", () => {
  const name = (text: string) => meshOf(oneModel([square()], { name: text }));
  assertEquals(name("props\\Sub/Lamp.MDL").name, "Lamp");
  const mdl: Mdl = readFixture(oneModel([square()])).mdl;
  assertEquals(mdl.surfaceProp, "");
});
