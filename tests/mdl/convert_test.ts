import { assert, assertEquals, assertRejects } from "@std/assert";
import { convert, type ConvertOptions } from "../../src/convert/convert.ts";
import { inspect } from "../../src/convert/inspect.ts";
import { validate } from "../../src/convert/validate.ts";
import { MeshError } from "../../src/core/errors.ts";
import { readGltf } from "../../src/formats/gltf/mod.ts";
import { payloadToMesh, readPayload } from "../../src/formats/payload/mod.ts";
import { corpusBytes, corpusTest } from "../corpus.ts";
import {
  buildFixture,
  type FixtureSpec,
  fixtureVtx,
  oneModel,
  square,
} from "./build_fixture.ts";
import { companionsOf, mdlFiles, mdlPath } from "./corpus_models.ts";
import { BENT } from "./bent_models.ts";
import { agreementOf } from "./plain_model.ts";
import { plainVtx } from "./plain_vtx.ts";
import { assertLossTold } from "./told_loss.ts";
import { assertClean } from "../gltf/khronos.ts";

function convertFixture(spec: FixtureSpec, options: ConvertOptions) {
  const { mdl, vvd, vtx } = buildFixture(spec);
  return convert(mdl, {
    name: "box.mdl",
    resources: { "box.vvd": vvd, "box.dx90.vtx": vtx },
    ...options,
  });
}

interface GltfJson {
  scene: number;
  scenes: { name?: string; nodes: number[] }[];
  nodes: {
    name: string;
    mesh?: number;
    skin?: number;
    extras?: { meshwright?: Record<string, unknown> };
    extensions?: { MSFT_lod?: { ids: number[] } };
  }[];
  meshes: {
    primitives: {
      indices: number;
      material: number;
      extensions?: {
        KHR_materials_variants?: {
          mappings: { material: number; variants: number[] }[];
        };
      };
    }[];
  }[];
  materials: { name: string }[];
  accessors: { count: number }[];
  extensions?: {
    KHR_materials_variants?: { variants: { name: string }[] };
  };
  skins?: { joints: number[] }[];
}

function jsonOf(glb: Uint8Array): GltfJson {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.length);
  const text = glb.subarray(20, 20 + view.getUint32(12, true));
  return JSON.parse(new TextDecoder().decode(text));
}

const choices: FixtureSpec = {
  textures: ["a", "b", "c"],
  skins: [[0, 1], [2, 1], [0, 2]],
  bones: [{ name: "root" }, { name: "tip", parent: 0 }],
  lods: 2,
  bodyParts: [
    { name: "body", models: [{ name: "torso", meshes: [square(0)] }] },
    {
      name: "head",
      models: [
        { name: "plain", meshes: [square(5), { ...square(7), material: 1 }] },
        { name: "hat", meshes: [{ ...square(9), material: 1 }] },
        { name: "", meshes: [] },
      ],
    },
  ],
};

Deno.test("convert() to glTF gives a node a body group, the other choices in a second scene", async () => {
  const { outputs: [glb] } = await convertFixture(choices, { to: "gltf" });
  await assertClean(glb, "the GLB");
  const json = jsonOf(glb);
  const names = (scene: number) =>
    json.scenes[scene].nodes.map((n) => json.nodes[n].name);
  assertEquals(json.scene, 0);
  assertEquals(names(0), ["body", "head", "armature"]);
  assertEquals(names(1), ["head: hat", "head: 2", "armature"]);
  const triangles = (name: string) => {
    const node = json.nodes.find((n) => n.name === name)!;
    return node.mesh === undefined
      ? 0
      : json.meshes[node.mesh].primitives.reduce(
        (n, p) => n + json.accessors[p.indices].count / 3,
        0,
      );
  };
  assertEquals(
    ["body", "head", "head: hat", "head: 2", "head_LOD1"].map(triangles),
    [2, 4, 2, 0, 4],
  );
  const head = json.nodes.find((n) => n.name === "head")!;
  assertEquals(head.extras!.meshwright!.bodyGroup, {
    group: "head",
    groupIndex: 1,
    name: "plain",
    choice: 0,
    shown: true,
  });
  assertEquals(
    head.extensions!.MSFT_lod!.ids.map((n) => json.nodes[n].name),
    ["head_LOD1"],
  );
  assertEquals(json.skins!.length, 1);
});

Deno.test("convert() to glTF draws every model in the scene when bodygroup is all, each under its own name", async () => {
  const { outputs: [glb], report } = await convertFixture(choices, {
    to: "gltf",
    bodygroup: "all",
  });
  const { scene, scenes, nodes } = jsonOf(glb);
  const drawn = scenes[scene].nodes.map((n) => nodes[n].name);
  assertEquals(
    drawn.filter((name) => /^(body|head)/.test(name)),
    ["body", "head: plain", "head: hat", "head: 2"],
  );
  assertEquals(scenes.length, 1);
  await assertClean(glb, "all models of the body groups");
  // 2 of the body, 4, 2 and 0 of the head
  assertEquals((await readGltf(glb)).mesh.lods[0].indices!.length / 3, 8);
  const row = report.loss.find((l) => l.what.startsWith("alternative"));
  assertEquals([row?.kind, row?.count], ["changed", 2]);
});

Deno.test("convert() to glTF gives skin families as material variants", async () => {
  const { outputs: [glb] } = await convertFixture(choices, { to: "gltf" });
  const json = jsonOf(glb);
  assertEquals(json.extensions!.KHR_materials_variants!.variants, [
    { name: "skin0" },
    { name: "skin1" },
    { name: "skin2" },
  ]);
  const body = json.nodes.find((n) => n.name === "body")!;
  const [primitive] = json.meshes[body.mesh!].primitives;
  const name = (m: number) => json.materials[m].name;
  assertEquals(name(primitive.material), "a");
  assertEquals(
    primitive.extensions!.KHR_materials_variants!.mappings.map((m) => [
      name(m.material),
      m.variants,
    ]),
    [["a", [0, 2]], ["c", [1]]],
  );
});

Deno.test("convert() shows the model that --bodygroup chooses, by name or number", async () => {
  const shown = async (bodygroup: ConvertOptions["bodygroup"]) => {
    const { outputs: [glb] } = await convertFixture(choices, {
      to: "gltf",
      ...(bodygroup ? { bodygroup } : {}),
    });
    return (await readGltf(glb)).mesh.lods[0].indices!.length / 3;
  };
  assertEquals(await shown(undefined), 6);
  assertEquals(await shown({ head: 1 }), 4);
  assertEquals(await shown({ HEAD: 2 }), 2);
  assertEquals(await shown({ "1": 1 }), 4);
  for (const bodygroup of [{ tail: 0 }, { head: 3 }, { "2": 0 }]) {
    const error = await assertRejects(() => shown(bodygroup), MeshError);
    assertEquals([error.code, error.format], ["ARGUMENT", "mdl"]);
  }
  const twins: FixtureSpec = {
    bodyParts: [0, 1].map((i) => ({
      name: "same",
      models: [{ meshes: [square(i)] }],
    })),
  };
  const error = await assertRejects(
    () => convertFixture(twins, { to: "gltf", bodygroup: { same: 0 } }),
    MeshError,
    "by its number",
  );
  assertEquals(error.code, "ARGUMENT");
});

Deno.test("convert() to a payload takes the shown models and leaves out the vertices of the others", async () => {
  const read = async (options: Partial<ConvertOptions>) => {
    const { outputs, report } = await convertFixture(choices, {
      to: "payload",
      ...options,
    });
    return { mesh: payloadToMesh(readPayload(outputs[0])), report };
  };
  const { mesh, report } = await read({});
  assertEquals([mesh.vertexCount, mesh.lods[0].indices!.length], [12, 18]);
  assertEquals(mesh.skeleton!.map((j) => j.name), ["root", "tip"]);
  const row = report.loss.find((l) =>
    l.what === "alternative models of body groups"
  );
  assertEquals(row?.count, 2);
  const hat = (await read({ bodygroup: { head: 1 } })).mesh;
  assertEquals([hat.vertexCount, hat.lods[0].indices!.length], [8, 12]);
  // the hat stands 9 inches along x
  assertEquals(
    Math.max(...hat.attributes.position.filter((_, i) => i % 3 === 0)),
    Math.fround(10 * 0.0254),
  );
  const all = (await read({ bodygroup: "all" })).mesh;
  assertEquals([all.vertexCount, all.lods[0].indices!.length], [16, 24]);
});

Deno.test("convert() keeps the levels of detail that are asked for", async () => {
  const spec = oneModel([square()], { lods: 4, switchPoints: [0, 10, 20, -1] });
  const levels = async (options: Partial<ConvertOptions>) => {
    const { outputs: [glb], report } = await convertFixture(spec, {
      to: "gltf",
      ...options,
    });
    const { mesh } = await readGltf(glb);
    return [
      mesh.lods.length,
      report.loss.filter((l) => l.what.includes("levels")).map((l) => l.count),
    ];
  };
  assertEquals(await levels({}), [3, [1]]);
  assertEquals(await levels({ lods: "all" }), [3, [1]]);
  assertEquals(await levels({ shadowLod: true }), [4, []]);
  assertEquals(await levels({ lods: 0 }), [1, [1, 2]]);
  assertEquals(await levels({ lods: 1 }), [2, [1, 1]]);
  // by its number a level is any that inspect lists
  assertEquals(await levels({ lod: 2 }), [1, [3]]);
  assertEquals(await levels({ lod: 3 }), [1, [3]]);
});

Deno.test("convert() refuses skins and levels that do not exist", async () => {
  for (const options of [{ skin: 3 }, { lod: 2 }, { lods: -1 }]) {
    const error = await assertRejects(
      () => convertFixture(choices, { to: "gltf", ...options }),
      MeshError,
    );
    assertEquals(error.code, "ARGUMENT");
  }
  const { report } = await convertFixture(choices, { to: "obj", skin: 1 });
  assertEquals(report.from, "mdl");
});

Deno.test("convert() refuses to write a Source model, and gives CSS every face with area", async () => {
  const flat = { ...square(4), triangles: [[0, 0, 1, 1, 2, 2]] };
  const spec = oneModel([square(), ...Array.from({ length: 20 }, () => flat)]);
  const error = await assertRejects(
    () => convertFixture(spec, { to: "mdl" }),
    MeshError,
  );
  assertEquals(error.code, "FORMAT-UNSUPPORTED");
  const { outputs: [css], report } = await convertFixture(spec, { to: "css" });
  const { ok } = await validate(css, { name: "box.json" });
  assertEquals(ok, true);
  const found = await inspect(css, { name: "box.json" });
  assertEquals(found.mesh!.triangles, 2);
  const row = report.loss.find((l) => l.what === "faces");
  assertEquals([row?.kind, row?.count], ["repaired", 40]);
});

Deno.test("convert() reports what only a Source model holds", async () => {
  const { report } = await convertFixture(
    oneModel([{
      ...square(),
      flexes: [{
        desc: 0,
        wrinkled: true,
        entries: [
          { vertex: 0, delta: [1, 0, 0], wrinkle: 4 },
          { vertex: 7, delta: [1, 0, 0], wrinkle: 4 },
        ],
      }],
    }], { flexDescs: ["f"], includeModels: ["a.mdl"] }),
    { to: "gltf" },
  );
  const rows = report.loss.map((l) => [l.what, l.count]);
  assertEquals(rows, [
    ["checksum", 1],
    ["wrinkle deltas", 2],
    ["flex ramps", 1],
    ["material folders", 1],
    ["included models", 1],
    ["flex entries without a vertex", 1],
  ]);
});

Deno.test("convert() names the sequences, attachments and hitboxes that it leaves out", async () => {
  const { mdl, vvd, vtx } = buildFixture(oneModel([square()]));
  const view = new DataView(mdl.buffer);
  view.setInt32(188, 3, true);
  view.setInt32(240, 2, true);
  view.setInt32(172, -1, true); // nonsense, and nothing depends on it
  const { report } = await convert(mdl, {
    name: "box.mdl",
    resources: { "box.vvd": vvd, "box.vtx": vtx },
    to: "gltf",
  });
  assertEquals(report.loss.map((l) => [l.kind, l.what, l.count]), [
    ["dropped", "checksum", 1],
    ["changed", "material folders", 1],
    ["dropped", "sequences", 3],
    ["dropped", "attachments", 2],
  ]);
});

Deno.test("convert() tells of models and skins to choose from, whether the target holds them or not", async () => {
  for (const to of ["gltf", "payload", "css", "obj", "smd"] as const) {
    const { report } = await convertFixture(choices, { to });
    const kind = to === "gltf" ? "changed" : "dropped";
    assertEquals(
      report.loss.filter((l) => /alternative|skin f/.test(l.what))
        .map((l) => [l.kind, l.what, l.count]),
      [
        [kind, "alternative models of body groups", 2],
        [kind, "skin families", 2],
      ],
      to,
    );
  }
  const { report } = await convertFixture(choices, {
    to: "payload",
    bodygroup: "all",
  });
  const merged = report.loss.find((l) => l.what.startsWith("alternative"));
  assertEquals([merged?.kind, merged?.count], ["changed", 2]);
  const { mdl, vvd, vtx } = buildFixture(choices);
  const read = {
    name: "box.mdl",
    resources: { "box.vvd": vvd, "box.dx90.vtx": vtx },
  };
  for (const to of ["gltf", "payload", "css"] as const) {
    await assertLossTold(mdl, read, to);
  }
});

Deno.test("convert() counts the triangles that it drops and the influences that it puts on bone 0 when forced", async () => {
  const spec = oneModel([
    square(),
    square(5, 0, { bones: [[4, 0.75], [0, 0.25]] }),
  ]);
  const { mdl, vvd } = buildFixture(spec);
  const vtx = fixtureVtx(spec);
  // both triangles of the first square meet in its vertex 0
  vtx.bodyParts[0].models[0].lods[0].meshes[0].groups[0].vertices[0][4] = 9;
  for (const to of ["gltf", "smd", "payload"] as const) {
    const { report } = await convert(mdl, {
      name: "box.mdl",
      resources: { "box.vvd": vvd, "box.vtx": plainVtx(vtx, "25/27") },
      to,
      force: true,
    });
    const rows = report.loss.filter((l) =>
      /without a vertex|the model has not/.test(l.what)
    );
    assertEquals(rows.map((l) => [l.kind, l.what, l.count]), [
      ["dropped", "triangles without a vertex", 2],
      ["repaired", "influences of bones that the model has not", 4],
    ]);
  }
});

Deno.test("convert() forces files of different compiles together on demand", async () => {
  const files = buildFixture(oneModel([square()]));
  const other = buildFixture(oneModel([square()], { checksum: 5 }));
  const options = {
    name: "box.mdl",
    to: "gltf" as const,
    resources: { "box.vvd": files.vvd, "box.vtx": other.vtx },
  };
  const error = await assertRejects(
    () => convert(files.mdl, options),
    MeshError,
    "box.vtx",
  );
  assertEquals(error.code, "MDL-CHECKSUM");
  const { outputs } = await convert(files.mdl, { ...options, force: true });
  assertEquals((await readGltf(outputs[0])).mesh.lods[0].indices!.length, 6);
});

/** A few sets of every kind; the slow test takes all of them. */
const SOME = [
  "laser_detector",
  "gyroscope",
  "hollowcylinder",
  "hq_torus",
  "animated_monkey",
  "9m31f",
];

for (const name of SOME) {
  corpusTest(`convert() brings ${name} to every target`, async () => {
    const path = mdlFiles.find((f) => f.endsWith(`/${name}.mdl`))!;
    const read = { name: path, resources: companionsOf(path) };
    const bytes = corpusBytes(path);
    const { outputs: [glb] } = await convert(bytes, { ...read, to: "gltf" });
    await assertClean(glb, "the GLB");
    const { mesh } = await readGltf(glb);
    const { position, normal } = mesh.attributes;
    const { agree, counted } = agreementOf(
      { position, normal: normal! },
      mesh.lods[0].indices!,
      1,
    );
    assertEquals(
      agree / counted < 0.99,
      name in BENT,
      `${agree} of ${counted}`,
    );
    const payload = await convert(bytes, { ...read, to: "payload" });
    const file = payloadToMesh(readPayload(payload.outputs[0]));
    assertEquals(
      file.lods.map((l) => l.indices!.length),
      mesh.lods.map((l) => l.indices!.length),
    );
    const obj = await convert(bytes, { ...read, to: "obj" });
    assertEquals(obj.endings, [".obj", ".mtl"]);
    const faces = new TextDecoder().decode(obj.outputs[0]).match(/^f /gm)!;
    assertEquals(faces.length, mesh.lods[0].indices!.length / 3);
    const smd = await convert(bytes, { ...read, to: "smd", target: "source1" });
    const files = mesh.lods.length + (mesh.morphs ? 1 : 0);
    assertEquals(smd.outputs.length, files);
  });
}

corpusTest(
  "convert() keeps the mirror and the sign of tangents: w · cross(N, T) follows +v of the image upwards",
  async () => {
    const path = mdlPath("laser_detector");
    const { outputs: [glb] } = await convert(corpusBytes(path), {
      name: path,
      resources: companionsOf(path),
      to: "gltf",
    });
    const { mesh } = await readGltf(glb);
    const { position: p, normal: n, tangent: t, uvs: [uv] } = mesh.attributes;
    let [up, all] = [0, 0];
    const { indices } = mesh.lods[0];
    for (let i = 0; i < indices!.length; i += 3) {
      const [a, b, c] = indices!.subarray(i, i + 3);
      const d = (w: number, k: number) => p[w * 3 + k] - p[a * 3 + k];
      const e = (w: number, k: number) => uv[w * 2 + k] - uv[a * 2 + k];
      const det = e(b, 0) * e(c, 1) - e(c, 0) * e(b, 1);
      if (Math.abs(det) < 1e-9) continue;
      // dP/dv, which points down in the image
      const down = [0, 1, 2].map((k) =>
        (e(b, 0) * d(c, k) - e(c, 0) * d(b, k)) / det
      );
      const [N, T] = [n!.subarray(a * 3), t!.subarray(a * 4)];
      const bitangent = [0, 1, 2].map((k) =>
        T[3] *
        (N[(k + 1) % 3] * T[(k + 2) % 3] - N[(k + 2) % 3] * T[(k + 1) % 3])
      );
      const side = bitangent.reduce((s, x, k) => s + x * down[k], 0);
      if (side < 0) up++;
      all++;
    }
    assert(up / all > 0.97, `${up} of ${all}`);
  },
);
