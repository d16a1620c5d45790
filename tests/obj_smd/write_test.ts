import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertThrows,
} from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import { shortFloat } from "../../src/core/number_text.ts";
import { convert, type ConvertOptions } from "../../src/convert/convert.ts";
import { sourceModelToMesh } from "../../src/formats/mdl/mod.ts";
import { writeObj } from "../../src/formats/obj/mod.ts";
import { writeSmd } from "../../src/formats/smd/mod.ts";
import { convertBasis } from "../../src/ops/convert_basis.ts";
import { corpusTest } from "../corpus.ts";
import { Random } from "../random.ts";
import {
  buildFixture,
  type FixtureSpec,
  oneModel,
  square,
} from "../mdl/build_fixture.ts";
import { mdlPath, readCorpusModel } from "../mdl/corpus_models.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

async function convertFixture(spec: FixtureSpec, options: ConvertOptions) {
  const { mdl, vvd, vtx } = buildFixture(spec);
  const made = await convert(mdl, {
    name: "box.mdl",
    resources: { "box.vvd": vvd, "box.vtx": vtx },
    ...options,
  });
  return { ...made, texts: made.outputs.map(text) };
}

/** A reader of OBJ that is as plain as can be. */
function parseObj(file: string) {
  const out = {
    lists: { v: [], vt: [], vn: [] } as Record<string, number[][]>,
    faces: [] as { material: string; group: string; corners: number[][] }[],
    other: [] as string[],
  };
  let [material, group] = ["", ""];
  for (const line of file.split("\n")) {
    const [word, ...rest] = line.split(" ");
    if (word in out.lists) out.lists[word].push(rest.map(Number));
    else if (word === "usemtl") material = rest.join(" ");
    else if (word === "g") group = rest.join(" ");
    else if (word === "f") {
      out.faces.push({
        material,
        group,
        corners: rest.map((c) => c.split("/").map(Number)),
      });
    } else out.other.push(line);
  }
  return out;
}

/** A reader of SMD and VTA that is as plain as can be. */
function parseSmd(file: string) {
  const lines = file.trimEnd().split("\n");
  assertEquals(lines.shift(), "version 1");
  const sections: Record<string, string[]> = {};
  while (lines.length > 0) {
    const name = lines.shift()!;
    const end = lines.indexOf("end");
    assert(end >= 0, `${name} does not end`);
    sections[name] = lines.splice(0, end);
    lines.shift();
  }
  return sections;
}

Deno.test("shortFloat() reads back as the same f32, and is short", () => {
  const random = new Random(81);
  const floats = new Float32Array(
    new Uint32Array(2000).map(() => random.u32()).buffer,
  );
  for (const x of floats) {
    if (!Number.isFinite(x)) continue;
    assertEquals(Math.fround(Number(shortFloat(x))), x + 0);
  }
  assertEquals(
    [0.1, -0.25, 3, -0, 1e-20, 16_777_216].map((x) => shortFloat(x)),
    ["0.1", "-0.25", "3", "0", "1e-20", "16777216"],
  );
});

Deno.test("writeObj() writes positions in metres, v upwards, and triangles that face outwards", async () => {
  const { texts: [obj, mtl], endings } = await convertFixture({
    textures: ["wood\\oak", "steel"],
    bodyParts: [
      { name: "door", models: [{ meshes: [square(0, 10)] }] },
      { name: "knob", models: [{ meshes: [{ ...square(4), material: 1 }] }] },
    ],
  }, { to: "obj", outName: "house" });
  assertEquals(endings, [".obj", ".mtl"]);
  const { lists: { v, vt, vn }, faces, other } = parseObj(obj);
  assert(other.includes("mtllib house.mtl"));
  assert(other.includes("o fixture"));
  assertEquals([v.length, vt.length, vn.length], [8, 8, 8]);
  // (x, y, z) becomes 0.0254 · (x, z, −y)
  assertEquals(
    v[2].map(Math.fround),
    [0.0254, 0.254, -0.0254].map(Math.fround),
  );
  assertEquals(vn[0], [0, 1, 0]);
  // stored v of (0, 0) is 1; upwards it is 0
  assertEquals(vt[0], [0, 0]);
  assertEquals(vt[2], [1, 1]);
  assertEquals(faces.map((f) => [f.material, f.group]), [
    ["wood\\oak", "door"],
    ["wood\\oak", "door"],
    ["steel", "knob"],
    ["steel", "knob"],
  ]);
  for (const { corners } of faces) {
    for (const c of corners) assertEquals(c, [c[0], c[0], c[0]]);
    const [a, b, c] = corners.map(([i]) => v[i - 1]);
    const up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
    assert(up > 0, "a triangle faces down");
  }
  assertEquals(mtl.match(/^newmtl .*/gm), ["newmtl wood\\oak", "newmtl steel"]);
});

/** A mesh of one triangle. */
function triangle(basis: "obj" | "smd", more: Partial<Mesh> = {}): Mesh {
  return {
    name: "t",
    basis,
    vertexCount: 3,
    attributes: {
      position: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
      uvs: [],
    },
    influences: 0,
    lods: [{
      indices: Uint32Array.of(0, 1, 2),
      groups: [],
      switchDistance: null,
    }],
    materials: [],
    morphs: null,
    skeleton: null,
    heightfield: null,
    ...more,
  };
}

Deno.test("writeObj() writes only the attributes that there are", () => {
  const face = (mesh: Mesh) => /^f .*$/m.exec(text(writeObj(mesh).obj))![0];
  const plain = triangle("obj");
  const { position } = plain.attributes;
  const normal = Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1);
  const uvs = [new Float32Array(6)];
  assertEquals(face(plain), "f 1 2 3");
  assertEquals(
    face({ ...plain, attributes: { position, normal, uvs: [] } }),
    "f 1//1 2//2 3//3",
  );
  assertEquals(
    face({ ...plain, attributes: { position, uvs } }),
    "f 1/1 2/2 3/3",
  );
  const points = triangle("obj", {
    lods: [{ indices: null, groups: [], switchDistance: null }],
  });
  assertEquals(text(writeObj(points).obj).match(/^p .*$/gm), [
    "p 1",
    "p 2",
    "p 3",
  ]);
});

Deno.test("writeObj() keeps names on their line", () => {
  const mesh = triangle("obj", {
    name: "a\nf 9 9 9",
    materials: ["", "b\r\nc"],
    lods: [{
      indices: Uint32Array.of(0, 1, 2, 0, 2, 1),
      groups: [
        { start: 0, count: 3, material: 0 },
        { start: 3, count: 3, material: 1 },
      ],
      switchDistance: null,
    }],
  });
  const { obj, mtl } = writeObj(mesh);
  assertEquals(text(obj).match(/^(o|usemtl) .*$/gm), [
    "o a f 9 9 9",
    "usemtl material0",
    "usemtl b c",
  ]);
  assertEquals(text(mtl).match(/^newmtl .*$/gm), [
    "newmtl material0",
    "newmtl b c",
  ]);
});

Deno.test("writeObj() and writeSmd() refuse what text can not hold", () => {
  const writers = [["obj", writeObj], ["smd", writeSmd]] as const;
  for (const [basis, write] of writers) {
    const good = triangle(basis);
    const code = (mesh: Mesh, options = {}) =>
      assertThrows(() => write(mesh, options), MeshError).code;
    assertEquals(code({ ...good, basis: "gltf" }), "ARGUMENT");
    for (const bad of [NaN, Infinity]) {
      const position = good.attributes.position.slice();
      position[4] = bad;
      assertEquals(
        code({ ...good, attributes: { position, uvs: [] } }),
        "ARGUMENT",
      );
    }
    const indices = Uint32Array.of(0, 1, 3);
    assertEquals(
      code({ ...good, lods: [{ ...good.lods[0], indices }] }),
      "ARGUMENT",
    );
    assertEquals(
      code(good, { limits: { maxOutputBytes: 20 } }),
      "LIMIT-EXCEEDED",
    );
  }
});

const turned: FixtureSpec = {
  textures: ["cloth", "end"],
  flexDescs: ["smile"],
  lods: 2,
  bones: [
    {
      name: "pelvis",
      position: [1, 2, 3],
      poseToBone: [
        ...[1, 0, 0, -1],
        ...[0, 1, 0, -2],
        ...[0, 0, 1, -3],
      ],
    },
    {
      name: 'arm "l"',
      parent: 0,
      position: [4, 0, 0],
      // a quarter turn about z
      quaternion: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
      poseToBone: [...[0, 1, 0, -2], ...[-1, 0, 0, 5], ...[0, 0, 1, -3]],
    },
  ],
  bodyParts: [{
    name: "body",
    models: [{
      meshes: [
        {
          ...square(0, 0, { bones: [[1, 0.75], [0, 0.25]] }),
          flexes: [{
            desc: 0,
            entries: [{ vertex: 2, delta: [0, 0, 2], normal: [0.5, 0, 0] }],
          }],
        },
        { ...square(5), material: 1 },
      ],
    }],
  }],
};

Deno.test("writeSmd() writes nodes, bind pose and triangles, counter-clockwise, v upwards", async () => {
  const { texts, endings } = await convertFixture(turned, { to: "smd" });
  assertEquals(endings, [".smd", "_lod1.smd", ".vta"]);
  const smd = parseSmd(texts[0]);
  assertEquals(Object.keys(smd), ["nodes", "skeleton", "triangles"]);
  assertEquals(smd.nodes, ['0 "pelvis" -1', '1 "arm _l_" 0']);
  assertEquals(smd.skeleton.slice(0, 2), ["time 0", "0 1 2 3 0 0 0"]);
  const arm = smd.skeleton[2].split(" ").map(Number);
  [1, 4, 0, 0, 0, 0, 1.570796].forEach((x, k) =>
    assertAlmostEquals(arm[k], x, 1e-5)
  );
  assertEquals(smd.triangles.length, 16);
  assertEquals(
    [0, 4, 8, 12].map((i) => smd.triangles[i]),
    ["cloth", "cloth", "material1", "material1"],
  );
  const corner = smd.triangles[1].split(" ").map(Number);
  // bone, position, normal, texture coordinates, links
  assertEquals(corner, [1, 1, 0, 0, 0, 0, 1, 1, 0, 2, 1, 0.75, 0, 0.25]);
  for (let i = 0; i < smd.triangles.length; i += 4) {
    const [a, b, c] = [1, 2, 3].map((k) =>
      smd.triangles[i + k].split(" ").map(Number).slice(1, 3)
    );
    const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    assert(area > 0, "a triangle faces down");
  }
});

Deno.test("writeSmd() writes morph targets as VTA: every vertex, then the moved ones in their new place", async () => {
  const { texts } = await convertFixture(turned, { to: "smd" });
  const vta = parseSmd(texts[2]);
  assertEquals(Object.keys(vta), ["nodes", "skeleton", "vertexanimation"]);
  assertEquals(vta.skeleton, ["time 0 # basis shape key", "time 1 # smile"]);
  const frames = vta.vertexanimation;
  assertEquals(frames[0], "time 0");
  assertEquals(frames.slice(1, 9).map((l) => l.split(" ")[0]), [
    ..."01234567",
  ]);
  assertEquals(frames.slice(9), ["time 1", "2 1 1 2 0.5 0 1"]);
});

Deno.test("writeSmd() gives a mesh without a skeleton one bone that stands still", () => {
  const { lods: [file], vta } = writeSmd(triangle("smd"));
  const smd = parseSmd(text(file));
  assertEquals(smd.nodes, ['0 "root" -1']);
  assertEquals(smd.triangles, [
    "material0",
    "0 0 0 0 0 0 0 0 0 0",
    "0 1 0 0 0 0 0 0 0 0",
    "0 0 1 0 0 0 0 0 0 0",
  ]);
  assertEquals(vta, null);
});

Deno.test("convert() for source1 keeps 3 influences and refuses more than 128 bones", async () => {
  const bones = (n: number) =>
    Array.from({ length: n }, (_, i) => ({ name: `b${i}` }));
  const spec = (n: number) => oneModel([square()], { bones: bones(n) });
  const options = { to: "smd" as const, target: "source1" as const };
  const fine = await convertFixture(spec(128), options);
  assertEquals(parseSmd(fine.texts[0]).nodes.length, 128);
  let code = "";
  try {
    await convertFixture(spec(129), options);
  } catch (error) {
    if (!(error instanceof MeshError)) throw error;
    code = error.code;
    assertEquals([error.found, error.allowed], [129, 128]);
  }
  assertEquals(code, "LIMIT-EXCEEDED");
  assertEquals(
    parseSmd((await convertFixture(spec(129), { to: "smd" })).texts[0]).nodes
      .length,
    129,
  );
});

/** World matrices (rows) of an SMD's bones, from its own Euler angles. */
function worldOf(skeleton: string[], nodes: string[]): number[][][] {
  const parents = nodes.map((n) => Number(n.slice(n.lastIndexOf(" "))));
  const world: number[][][] = [];
  skeleton.slice(1).forEach((line, i) => {
    const [, x, y, z, a, b, c] = line.split(" ").map(Number);
    const turn = (s: number, k: number, i0: number, i1: number) => {
      const m = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
      m[i0][i0] = m[i1][i1] = k;
      m[i0][i1] = -s;
      m[i1][i0] = s;
      return m;
    };
    const mul = (p: number[][], q: number[][]) =>
      p.map((row) =>
        q[0].map((_, c) => row.reduce((s, e, k) => s + e * q[k][c], 0))
      );
    const rotation = mul(
      mul(
        turn(Math.sin(c), Math.cos(c), 0, 1),
        turn(-Math.sin(b), Math.cos(b), 0, 2),
      ),
      turn(Math.sin(a), Math.cos(a), 1, 2),
    );
    const local = rotation.map((row, r) => [...row, [x, y, z][r]]);
    local.push([0, 0, 0, 1]);
    world[i] = parents[i] < 0 ? local : mul(world[parents[i]], local);
  });
  return world;
}

corpusTest("writeSmd() writes bones whose chains undo poseToBone", async () => {
  for (const name of ["animated_monkey", "sfchip", "gyroscope"]) {
    const paths = name === "gyroscope"
      ? ["source/wiremod+wire/models/bull/various/gyroscope.mdl"]
      : [mdlPath(name)];
    const model = readCorpusModel(paths[0]);
    const mesh = sourceModelToMesh(model, { rigidBone: true });
    await Promise.resolve();
    const smd = parseSmd(
      text(writeSmd(convertBasis(mesh, "smd").mesh).lods[0]),
    );
    const world = worldOf(smd.skeleton, smd.nodes);
    model.mdl.bones.forEach((bone, i) => {
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 4; c++) {
          let sum = c === 3 ? bone.poseToBone[r * 4 + 3] : 0;
          for (let k = 0; k < 3; k++) {
            sum += bone.poseToBone[r * 4 + k] * world[i][k][c];
          }
          assertAlmostEquals(
            sum,
            r === c ? 1 : 0,
            0.05,
            `${name} ${bone.name}`,
          );
        }
      }
    });
  }
});
