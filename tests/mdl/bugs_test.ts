/**
 * One test for each applicable row of the collection of public bug reports about Source models; the number in each name is
 * the row's. `bugs_count_test.ts` counts them.
 *
 * @module
 */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertThrows,
} from "@std/assert";
import { inspect } from "../../src/convert/inspect.ts";
import { MeshError } from "../../src/core/errors.ts";
import { boundsOf, type Mesh, type SparseMorphs } from "../../src/core/mesh.ts";
import {
  readMdl,
  readSourceModel,
  readVtx,
  sourceModelToMesh,
} from "../../src/formats/mdl/mod.ts";
import { readVvd, splitVvd } from "../../src/formats/vvd/mod.ts";
import { convertBasis } from "../../src/ops/convert_basis.ts";
import { weldMesh } from "../../src/ops/weld_mesh.ts";
import { corpusTest } from "../corpus.ts";
import {
  buildFixture,
  type FixtureSpec,
  type FlexSpec,
  type MeshSpec,
  oneModel,
  square,
  type VertexSpec,
} from "./build_fixture.ts";
import { mdlPath, oracleModels, readCorpusModel } from "./corpus_models.ts";

const readFixture = (spec: FixtureSpec) => readSourceModel(buildFixture(spec));
const meshOf = (spec: FixtureSpec, options = {}) =>
  sourceModelToMesh(readFixture(spec), options);

function codeOf(work: () => unknown): string {
  return assertThrows(work, MeshError).code;
}

/** A copy with some 32-bit words replaced. */
function patched(
  bytes: Uint8Array,
  ...words: [at: number, value: number][]
): Uint8Array {
  const out = bytes.slice();
  for (const [at, value] of words) {
    new DataView(out.buffer).setInt32(at, value, true);
  }
  return out;
}

/** Position deltas of one target by vertex. */
function deltasOf(morphs: SparseMorphs | null, name: string) {
  const out: Record<number, number[]> = {};
  const t = morphs!.names.indexOf(name);
  for (let v = 0; v + 1 < morphs!.offsets.length; v++) {
    for (let e = morphs!.offsets[v]; e < morphs!.offsets[v + 1]; e++) {
      if (morphs!.targets[e] === t) {
        out[v] = Array.from(morphs!.position.subarray(e * 3, e * 3 + 3));
      }
    }
  }
  return out;
}

/** Corner positions of all triangles of a level. */
function corners(mesh: Mesh, level: number): number[][] {
  return Array.from(
    mesh.lods[level].indices!,
    (v) => Array.from(mesh.attributes.position.subarray(v * 3, v * 3 + 3)),
  );
}

corpusTest(
  "bug 1, 10: models with LODs are not scrambled: edges stay short",
  () => {
    for (const name of ["laser_detector", "agm_114"]) {
      const mesh = sourceModelToMesh(readCorpusModel(mdlPath(name)));
      mesh.lods.forEach((_, level) => {
        const list = corners(mesh, level);
        const edges = list.map((a, i) => {
          const b = list[i % 3 === 2 ? i - 2 : i + 1];
          return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        }).sort((a, b) => a - b);
        const size = Math.max(...[0, 1, 2].map((k) => {
          const xs = list.map((p) => p[k]);
          return Math.max(...xs) - Math.min(...xs);
        }));
        // in a scrambled mesh most edges cross the model
        const median = edges[edges.length >> 1];
        assert(median < size / 8, `${name} LOD ${level}: ${median} of ${size}`);
      });
    }
  },
);

Deno.test("bug 2: three LODs of a four-choice body group keep their vertices past the 16-bit edge", () => {
  const each = 20_000;
  // vertices by LOD, highest first; what stands in x says which vertex it is
  const lodOf = (v: number) => v < 6 ? 2 : v < 12 ? 1 : 0;
  const choice = (m: number): MeshSpec => ({
    vertices: Array.from(
      { length: each },
      (_, v): VertexSpec => ({ position: [m * each + v, 0, v], lod: lodOf(v) }),
    ),
    triangles: [[each - 3, each - 2, each - 1, 0, 7, 13], [0, 6, 11], [
      0,
      4,
      5,
    ]],
  });
  const model = readFixture({
    lods: 3,
    bodyParts: [{
      name: "choices",
      models: [0, 1, 2, 3].map((m) => ({ meshes: [choice(m)] })),
    }],
  });
  assertEquals(model.vvd!.fixups.length, 12);
  const { position } = splitVvd(model.vvd!, 0);
  assertEquals(
    Array.from({ length: 4 * each }, (_, v) => position[v * 3]),
    Array.from({ length: 4 * each }, (_, v) => v),
  );
  model.lods.forEach((lod, level) =>
    assertEquals(
      Array.from(lod.indices, (v) => position[v * 3]),
      [0, 1, 2, 3].flatMap((m) =>
        choice(m).triangles[level].map((v) => m * each + v)
      ),
    )
  );
});

Deno.test("bug 3, 22: a v49 model with small strip headers is read like one with large ones", () => {
  const spec = oneModel([
    { ...square(), groups: 2 },
    { ...square(5), strips: 2 },
  ], { version: 49 });
  const small = readFixture({ ...spec, layout: "25/27" });
  const large = readFixture({ ...spec, layout: "33/35" });
  assertEquals([small.vtx!.layout, large.vtx!.layout], ["25/27", "33/35"]);
  assertEquals(small.lods, large.lods);
  assertEquals(
    Array.from(small.lods[0].indices),
    [0, 2, 1, 0, 3, 2, 4, 6, 5, 4, 7, 6],
  );
});

Deno.test("bug 4: models with 1 to 8 LODs are read", () => {
  for (let lods = 1; lods <= 8; lods++) {
    const vertices: VertexSpec[] = [];
    for (let lod = lods - 1; lod >= 0; lod--) {
      for (let k = 0; k < 3; k++) {
        vertices.push({ position: [lod, k, k * k], lod });
      }
    }
    const triangles = Array.from(
      { length: lods },
      (_, lod) => Array.from({ length: (lods - lod) * 3 }, (_, i) => i),
    );
    const model = readFixture(
      oneModel([{ vertices, triangles }, { vertices, triangles }], { lods }),
    );
    assertEquals(model.lods.map((l) => l.indices.length), [
      ...triangles.map((t) => t.length * 2),
    ]);
    assertEquals(model.notes, []);
  }
});

corpusTest("bug 5: triangles agree with normals at every LOD", () => {
  for (const name of ["laser_detector", "hq_torus"]) {
    const mesh = sourceModelToMesh(readCorpusModel(mdlPath(name)));
    const { position: p, normal: n } = mesh.attributes;
    mesh.lods.forEach(({ indices }, level) => {
      let [agree, all] = [0, 0];
      for (let i = 0; i < indices!.length; i += 3) {
        const [a, c, b] = indices!.subarray(i, i + 3); // clockwise
        const u = [0, 1, 2].map((k) => p[b * 3 + k] - p[a * 3 + k]);
        const v = [0, 1, 2].map((k) => p[c * 3 + k] - p[a * 3 + k]);
        const x = [
          u[1] * v[2] - u[2] * v[1],
          u[2] * v[0] - u[0] * v[2],
          u[0] * v[1] - u[1] * v[0],
        ];
        const side = [a, b, c].reduce(
          (s, w) => s + x.reduce((d, e, k) => d + e * n![w * 3 + k], 0),
          0,
        );
        if (side > 0) agree++;
        if (side !== 0) all++;
      }
      assert(agree / all >= 0.99, `${name} LOD ${level}: ${agree} of ${all}`);
    });
  }
});

Deno.test("bug 6, 21, 39, 40: models of other games are refused by name", () => {
  const { mdl } = buildFixture(oneModel([square()]));
  const versions: [number, RegExp][] = [
    [10, /GoldSrc/],
    [37, /vertices are inside the MDL/],
    [27, /vertices are inside the MDL/],
    [2531, /Bloodlines/],
    [52, /Titanfall/],
    [53, /Titanfall 2/],
    [54, /Apex/],
    [43, /vertices are inside/],
    [-1, /unknown/],
  ];
  for (const [version, said] of versions) {
    const error = assertThrows(
      () => readMdl(patched(mdl, [4, version])),
      MeshError,
    );
    assertEquals(error.code, "MDL-VERSION");
    assert(said.test(error.message), error.message);
    assert(error.message.includes(String(version)), error.message);
  }
  const magics: [string, RegExp, string][] = [
    ["IDPO", /Quake model/, "MDL-MAGIC"],
    ["IDP2", /Quake II/, "MDL-MAGIC"],
    ["IDSQ", /GoldSrc/, "MDL-MAGIC"],
    ["IDSV", /vertex file/, "MDL-MAGIC"],
    ["MDL7", /3D GameStudio/, "MDL-MAGIC"],
    ["abcd", /begins with IDST/, "MDL-MAGIC"],
    ["TSDI", /big-endian console file/, "MDL-BIG-ENDIAN"],
  ];
  for (const [magic, said, code] of magics) {
    const file = mdl.slice();
    file.set(new TextEncoder().encode(magic));
    const error = assertThrows(() => readMdl(file), MeshError);
    assertEquals(error.code, code);
    assert(said.test(error.message), error.message);
  }
});

corpusTest(
  "bug 7: alternatives of a body group keep their own vertices",
  () => {
    const model = readCorpusModel(mdlPath("agm_114"));
    const { mdl, lods } = model;
    const counts = mdl.bodyParts.map((p) => p.models.length);
    assert(Math.max(...counts) >= 3, `models ${counts}`);
    const ranges = lods[0].runs.map((run) => {
      const own = lods[0].indices.subarray(run.start, run.start + run.count);
      return [Math.min(...own), Math.max(...own)];
    }).sort((a, b) => a[0] - b[0]);
    for (let i = 1; i < ranges.length; i++) {
      assert(ranges[i][0] > ranges[i - 1][1], "meshes share vertices");
    }
  },
);

corpusTest(
  "bug 8, 9: lower LODs of models with and without fixups use the pool of LOD 0",
  () => {
    const some = oracleModels().filter(([key]) =>
      /(hq_torus|cplane|fab250|hvar|gbu10)$/.test(key)
    );
    assert(some.length >= 3, `only ${some.length} in the oracle`);
    for (const [key, row] of some) {
      const model = readCorpusModel(`source/${key}.mdl`);
      model.lods.forEach((lod, i) =>
        assertEquals(
          new Set(lod.indices).size,
          row.vtx[".dx90.vtx"].lods[i].usedVertices,
          key,
        )
      );
    }
  },
);

Deno.test("bug 11: the number of vertices comes from the header, not from the places of pools", () => {
  const spec = oneModel([square()]);
  const bare = readFixture({ ...spec, noTangents: true });
  assertEquals(bare.vvd!.tangentData, null);
  const mesh = sourceModelToMesh(bare);
  assertEquals(mesh.vertexCount, 4);
  assertEquals(mesh.attributes.tangent, undefined);
  // a gap of 100 bytes between the pools
  const files = buildFixture(spec);
  const start = new DataView(files.vvd.buffer).getInt32(60, true);
  const gap = new Uint8Array(files.vvd.length + 100);
  gap.set(files.vvd.subarray(0, start));
  gap.set(files.vvd.subarray(start), start + 100);
  new DataView(gap.buffer).setInt32(60, start + 100, true);
  const moved = sourceModelToMesh(readSourceModel({ ...files, vvd: gap }));
  assertEquals(moved, sourceModelToMesh(readSourceModel(files)));
});

Deno.test("bug 12: files of different compiles are refused with both names and values, and forced together on demand", () => {
  const files = buildFixture(oneModel([square()]));
  const other = buildFixture(oneModel([square()], { checksum: 0x0badcafe }));
  const names = { mdl: "a.mdl", vvd: "a.vvd", vtx: "a.dx90.vtx" };
  for (const kind of ["vvd", "vtx"] as const) {
    const mixed = { ...files, [kind]: other[kind] };
    const error = assertThrows(
      () => readSourceModel(mixed, { names }),
      MeshError,
    );
    assertEquals(error.code, "MDL-CHECKSUM");
    for (const part of ["a.mdl", names[kind], "0x5ca1ab1e", "0x0badcafe"]) {
      assert(error.message.includes(part), error.message);
    }
    assertEquals([error.found, error.allowed], [0x0badcafe, 0x5ca1ab1e]);
    const forced = readSourceModel(mixed, { force: true });
    assertEquals(forced.lods, readSourceModel(files).lods);
    assertEquals(forced.notes.map((n) => n.code), ["MDL-CHECKSUM"]);
  }
  const places = { mdl: 8, vvd: 8, vtx: 16 };
  for (const [kind, at] of Object.entries(places)) {
    for (let bit = 0; bit < 32; bit++) {
      const bytes = files[kind as "mdl"].slice();
      bytes[at + (bit >> 3)] ^= 1 << (bit & 7);
      assertEquals(
        codeOf(() => readSourceModel({ ...files, [kind]: bytes })),
        "MDL-CHECKSUM",
      );
    }
  }
});

/** What `inspect` says about a model with the given files beside it. */
const look = (
  mdl: Uint8Array,
  resources: Record<string, Uint8Array>,
  name = "box.mdl",
) => inspect(mdl, { name, resources });

Deno.test("bug 13, 17: inspect lists which companions are there, missing and stale", async () => {
  const { mdl, vvd, vtx } = buildFixture(oneModel([square()]));
  const stale = buildFixture(oneModel([square()], { checksum: 77 })).vtx;
  const whole = await look(mdl, {
    "box.vvd": vvd,
    "box.dx90.vtx": vtx,
    "box.dx80.vtx": stale,
  });
  assertEquals(whole.mesh?.triangles, 2);
  assertEquals(whole.mdl?.missing, []);
  assertEquals(
    whole.mdl?.companions.map((c) => [c.file, c.kind, c.matches, c.used]),
    [
      ["box.vvd", "vvd", true, true],
      ["box.dx90.vtx", "vtx", true, true],
      ["box.dx80.vtx", "vtx", false, false],
    ],
  );
  assertEquals(whole.mdl?.companions[2].checksum, 77);

  const noVtx = await look(mdl, { "box.vvd": vvd });
  assertEquals(noVtx.mesh, null);
  assertEquals(noVtx.mdl?.missing, [
    "box.dx90.vtx",
    "box.vtx",
    "box.dx80.vtx",
    "box.sw.vtx",
  ]);
  const noVvd = await look(mdl, { "box.dx90.vtx": vtx });
  assertEquals(noVvd.mesh, null);
  assertEquals(noVvd.mdl?.missing, ["box.vvd"]);
  assertEquals(codeOf(() => readSourceModel({ mdl, vvd })), "MDL-COMPANION");
});

Deno.test("bug 14, 15: any one tier of VTX is enough, the bare one too", async () => {
  const { mdl, vvd, vtx } = buildFixture(oneModel([square()]));
  for (const ending of [".dx90.vtx", ".vtx", ".dx80.vtx", ".sw.vtx"]) {
    const found = await look(mdl, { "box.vvd": vvd, [`box${ending}`]: vtx });
    assertEquals(found.mesh?.triangles, 2, ending);
  }
});

Deno.test("bug 16: companions are found whatever the case of their names", async () => {
  const { mdl, vvd, vtx } = buildFixture(oneModel([square()]));
  const found = await look(
    mdl,
    { "foo.vvd": vvd, "FOO.DX90.vtx": vtx },
    "Foo.MDL",
  );
  assertEquals(found.mesh?.triangles, 2);
});

Deno.test("bug 18: a model without geometry is no error", async () => {
  const bare = buildFixture({
    bodyParts: [],
    bones: [{ name: "root" }],
    includeModels: ["models/shared_anim.mdl"],
  });
  const model = readSourceModel({ mdl: bare.mdl });
  assertEquals(model.lods, []);
  assertEquals(model.mdl.includeModels, [
    { label: "", path: "models/shared_anim.mdl" },
  ]);
  assertEquals(sourceModelToMesh(model).vertexCount, 0);
  const found = await look(bare.mdl, {});
  assertEquals([found.mesh, found.mdl?.missing, found.mdl?.bones], [
    null,
    [],
    ["root"],
  ]);
  const empty = readFixture(oneModel([]));
  assertEquals(sourceModelToMesh(empty).vertexCount, 0);
});

Deno.test("bug 19: empty, zeroed and pointer files are named for what they are", () => {
  const pointer = new TextEncoder().encode(
    "version https://git-lfs.example/spec/v1\noid sha256:0\nsize 1\n",
  );
  const files: [Uint8Array, mdl: string, vtx: string][] = [
    [new Uint8Array(0), "MDL-EMPTY", "VTX-EMPTY"],
    [new Uint8Array(64), "MDL-ZERO", "VTX-ZERO"],
    [pointer, "MDL-LFS-POINTER", "VTX-LFS-POINTER"],
  ];
  for (const [bytes, mdl, vtx] of files) {
    assertEquals(codeOf(() => readMdl(bytes)), mdl);
    assertEquals(codeOf(() => readVtx(bytes)), vtx);
  }
});

Deno.test("bug 20: files that an unpacker shifted are named so", () => {
  const { mdl, vvd, vtx } = buildFixture(oneModel([square()]));
  for (const lost of [1, 2, 3]) {
    assertEquals(codeOf(() => readMdl(mdl.slice(lost))), "MDL-SHIFTED");
  }
  const late = new Uint8Array(mdl.length + 2);
  late.set(mdl, 2);
  assertEquals(codeOf(() => readMdl(late)), "MDL-SHIFTED");
  assertEquals(codeOf(() => readVtx(vtx.slice(1))), "VTX-SHIFTED");
  assertEquals(codeOf(() => readVvd(vvd.slice(1))), "VVD-SHIFTED");
});

Deno.test("bug 23, 24, 25: both strides are told apart without the MDL", () => {
  const shapes: MeshSpec[][] = [
    [square()],
    [{ ...square(), groups: 2 }],
    [{ ...square(), strips: 2 }],
    [{ ...square(), groups: 2, strips: 2 }, square(3)],
  ];
  for (const meshes of shapes) {
    for (const layout of ["25/27", "33/35"] as const) {
      const { vtx } = buildFixture(oneModel(meshes, { layout, lods: 3 }));
      assertEquals(readVtx(vtx).layout, layout);
    }
  }
});

Deno.test("bug 26: the material replacement list may point anywhere when nothing needs it", () => {
  const files = buildFixture(oneModel([square()]));
  const whole = readSourceModel(files).lods;
  const end = files.vtx.length;
  for (const at of [0, -1, end, end + 1, 0x7fffffff, -0x80000000]) {
    const model = readSourceModel({
      ...files,
      vtx: patched(files.vtx, [24, at]),
    });
    assertEquals(model.lods, whole);
    assertEquals(
      model.notes.map((n) => n.code),
      at === 0 ? [] : ["VTX-MATERIAL-LIST"],
    );
  }
});

Deno.test("bug 27: absurd counts in any VTX record end at once", () => {
  const { vtx } = buildFixture(oneModel([square()]));
  const begin = performance.now();
  for (let at = 0; at + 4 <= vtx.length; at++) {
    for (const count of [0x7fffffff, -1, 0x01000000]) {
      try {
        readVtx(patched(vtx, [at, count]));
      } catch (error) {
        if (!(error instanceof MeshError)) throw error;
      }
    }
  }
  assert(performance.now() - begin < 20_000);
});

Deno.test("bug 28: more than one strip in a group is read", () => {
  const one = readFixture(oneModel([square()]));
  const two = readFixture(oneModel([{ ...square(), strips: 2 }]));
  const [group] = two.vtx!.bodyParts[0].models[0].lods[0].meshes[0].stripGroups;
  assertEquals(group.strips.length, 2);
  assertEquals(two.lods[0].indices, one.lods[0].indices);
});

const raise: FlexSpec = {
  desc: 0,
  entries: [{ vertex: 1, delta: [0, 0, 2] }, { vertex: 2, delta: [1, 0, 0] }],
};

Deno.test("bug 29, 30: strip groups are drawn and morphed whatever their flags", () => {
  const spec = (groupFlags: number) =>
    oneModel([{ ...square(), groupFlags, flexes: [raise] }], {
      flexDescs: ["raise"],
    });
  const want = meshOf(spec(7));
  assertEquals(deltasOf(want.morphs, "raise"), { 1: [0, 0, 2], 2: [1, 0, 0] });
  for (const flags of [0, 2, 5, 6, 8]) assertEquals(meshOf(spec(flags)), want);
});

Deno.test("bug 31: triangle strips of any length end where they end", () => {
  const vertices = square().vertices;
  const expected: number[][] = [
    [],
    [],
    [],
    [0, 1, 2],
    [0, 1, 2, 2, 1, 3],
  ];
  for (let n = 0; n <= 4; n++) {
    const strip = [0, 1, 2, 3].slice(0, n);
    const model = readFixture(
      oneModel([{ vertices, triangles: [strip], stripFlags: 2 }]),
    );
    assertEquals(Array.from(model.lods[0].indices), expected[n], `${n}`);
  }
  // strips are joined by triangles without area
  const joined = readFixture(
    oneModel([{
      vertices,
      triangles: [[0, 1, 2, 2, 3, 3, 1, 0]],
      stripFlags: 2,
    }]),
  );
  assertEquals(Array.from(joined.lods[0].indices), [0, 1, 2, 1, 3, 0]);
});

Deno.test("bug 32: models with more than 65,535 vertices keep their indices", () => {
  const many = (x: number): MeshSpec => ({
    vertices: Array.from(
      { length: 40_000 },
      (_, i): VertexSpec => ({ position: [x, i, i % 7] }),
    ),
    triangles: [[0, 1, 39_999]],
  });
  const model = readFixture({
    bodyParts: [{ models: [{ meshes: [many(1)] }] }, {
      models: [{ meshes: [many(2)] }],
    }],
  });
  assertEquals(Array.from(model.lods[0].indices), [
    ...[0, 1, 39_999],
    ...[40_000, 40_001, 79_999],
  ]);
  const { position } = splitVvd(model.vvd!, 0);
  assertEquals(Array.from(position.subarray(79_999 * 3)), [2, 39_999, 1]);
});

Deno.test("bug 33: the second header may lie anywhere", () => {
  const files = buildFixture(oneModel([square()]));
  const whole = readSourceModel(files);
  for (const at of [0, 3, files.mdl.length, 0x7fffffff, -5]) {
    const mdl = patched(files.mdl, [400, at]);
    assertEquals(readSourceModel({ ...files, mdl }), whole);
  }
});

Deno.test("bug 34: body groups and models with equal names stay apart", () => {
  const same = {
    name: "studio",
    models: [
      { name: "a.smd", meshes: [square(0)] },
      { name: "a.smd", meshes: [square(10)] },
    ],
  };
  const spec: FixtureSpec = { bodyParts: [same, same] };
  const all = meshOf(spec, { alternatives: true });
  assertEquals(all.lods[0].indices!.length, 24);
  assertEquals(all.parts!.map((p) => [p.groupIndex, p.choice, p.shown]), [
    [0, 0, true],
    [0, 1, false],
    [1, 0, true],
    [1, 1, false],
  ]);
  const second = meshOf(spec, { choices: [1, 0] });
  assertEquals(Array.from(second.lods[0].indices!), [
    ...[4, 6, 5, 4, 7, 6],
    ...[8, 10, 9, 8, 11, 10],
  ]);
});

Deno.test("bug 35: a flexed mesh that the compiler cut in two has the union of the deltas", () => {
  const flexDescs = ["raise"];
  const half = (x: number): MeshSpec => ({ ...square(x), flexes: [raise] });
  const one = meshOf(oneModel([half(0), half(5)], { flexDescs }));
  const two = meshOf({
    bodyParts: [{ models: [{ meshes: [half(0)] }] }, {
      models: [{ meshes: [half(5)] }],
    }],
    flexDescs,
  });
  assertEquals(two.morphs, one.morphs);
  assertEquals(deltasOf(two.morphs, "raise"), {
    1: [0, 0, 2],
    2: [1, 0, 0],
    5: [0, 0, 2],
    6: [1, 0, 0],
  });
});

Deno.test("bug 36: more than 32 body groups are read", () => {
  const model = readFixture({
    bodyParts: Array.from({ length: 40 }, (_, i) => ({
      models: [{ meshes: [square(i)] }, { meshes: [] }],
    })),
  });
  const mesh = sourceModelToMesh(model);
  assertEquals(mesh.lods[0].groups.length, 40);
  assertEquals(Math.max(...mesh.lods[0].indices!), 159);
});

corpusTest(
  "bug 37: materials go through the skin table, whose first family is not the identity",
  () => {
    const model = readCorpusModel(mdlPath("toyota_ext/exterior"));
    const { mdl } = model;
    assertEquals(mdl.skinFamilies[0], [0, 5, 4, 3, 2, 1, 6, 7, 10]);
    const mesh = sourceModelToMesh(model, { alternatives: true });
    assertEquals(mesh.variants!.length, 12);
    for (const family of [0, 1, 11]) {
      const run = mesh.lods[0].groups;
      model.lods[0].runs.filter((r) => r.count > 0).forEach((r, i) => {
        const { material } =
          mdl.bodyParts[r.bodyPart].models[r.model].meshes[r.mesh];
        assertEquals(
          mesh.variants![family].materials[run[i].material],
          mdl.textures[mdl.skinFamilies[family][material]],
        );
      });
    }
  },
);

Deno.test("bug 38: versions 44 to 49 load", () => {
  for (let version = 44; version <= 49; version++) {
    const model = readFixture(oneModel([square()], { version }));
    assertEquals(model.mdl.version, version);
    assertEquals(model.lods[0].indices.length, 6);
  }
});

Deno.test("bug 40: byte-swapped twins are named as console files", () => {
  const spec = oneModel([
    { ...square(), flexes: [raise] },
    { ...square(3), groups: 2 },
  ], { flexDescs: ["raise"] });
  const twins = buildFixture({ ...spec, bigEndian: true });
  assertEquals(codeOf(() => readMdl(twins.mdl)), "MDL-BIG-ENDIAN");
  assertEquals(codeOf(() => readVvd(twins.vvd)), "VVD-BIG-ENDIAN");
  assertEquals(codeOf(() => readVtx(twins.vtx)), "VTX-BIG-ENDIAN");
  assertEquals(codeOf(() => readSourceModel(twins)), "MDL-BIG-ENDIAN");
  // the twins say the same as the files that are read
  const { mdl, vvd, vtx } = buildFixture(spec);
  for (const [twin, own] of [[twins.mdl, mdl], [twins.vvd, vvd]]) {
    assertEquals(twin.length, own.length);
    const [a, b] = [twin, own].map((x) => new DataView(x.buffer));
    for (const at of [0, 4, 8, 12 * 16, 60]) {
      assertEquals(a.getInt32(at), b.getInt32(at, true));
    }
  }
  assertEquals(
    new DataView(twins.vtx.buffer).getInt32(16),
    new DataView(vtx.buffer).getInt32(16, true),
  );
});

Deno.test("bug 41: bones above 127 are numbers, not negative ones", () => {
  const bones = Array.from({ length: 220 }, (_, i) => ({ name: `bone${i}` }));
  const mesh = meshOf(
    oneModel([square(0, 0, { bones: [[200, 1]] })], { bones }),
  );
  assertEquals(mesh.attributes.joints![0], 200);
  assertEquals(mesh.skeleton!.length, 220);
});

Deno.test("bug 42: wrong offsets of names give empty names and a note", () => {
  const { mdl } = buildFixture(oneModel([square()]));
  const view = new DataView(mdl.buffer);
  const bone = view.getInt32(160, true);
  for (const offset of [0, 0x7fffffff, -1_000_000, mdl.length]) {
    const model = readMdl(patched(mdl, [bone, offset]));
    assertEquals(model.bones[0].name, "");
    assertEquals(model.notes.map((n) => n.code), ["MDL-NAME"]);
  }
});

Deno.test("bug 44: flex deltas of 8 units and more do not wrap", () => {
  const spec = (
    delta: number,
    more: Partial<FixtureSpec>,
  ): FixtureSpec =>
    oneModel([{
      ...square(),
      flexes: [{ desc: 0, entries: [{ vertex: 0, delta: [delta, 0, 0] }] }],
    }], { flexDescs: ["move"], ...more });
  const moved = (s: FixtureSpec) => deltasOf(meshOf(s).morphs, "move")[0][0];
  for (const delta of [7.98828125, 8, 100, -100]) {
    assertEquals(moved(spec(delta, {})), delta);
  }
  const fixed = { flags: 0x4000 };
  assertEquals(moved(spec(32_727, fixed)), 32_727 / 4096);
  assertEquals(moved(spec(-32_768, fixed)), -8);
  const scaled = { flags: 0x4000 | 0x200000, vertAnimScale: 1 / 256 };
  assertEquals(moved(spec(25_600, scaled)), 100);
});

Deno.test("bug 45: a flex of a vertex that the mesh has not is left out with a note", () => {
  const model = readFixture(oneModel([
    {
      ...square(),
      flexes: [{
        desc: 0,
        entries: [
          { vertex: 1, delta: [1, 0, 0] },
          { vertex: 4, delta: [9, 9, 9] },
        ],
      }],
    },
    square(5),
  ], { flexDescs: ["move"] }));
  assertEquals(model.notes.map((n) => [n.code, n.found]), [
    ["MDL-FLEX-VERTEX", 1],
  ]);
  const { morphs } = sourceModelToMesh(model);
  assertEquals(deltasOf(morphs, "move"), { 1: [1, 0, 0] });
});

corpusTest(
  "bug 46: every vertex that a flex names moves, and no other",
  () => {
    const model = readCorpusModel(mdlPath("hollowcylinder"));
    const [mesh] = model.mdl.bodyParts[0].models[0].meshes;
    const [flex] = mesh.flexes;
    const { morphs } = sourceModelToMesh(model);
    const moved = deltasOf(morphs, model.mdl.flexDescs[flex.flexDesc]);
    assertEquals(
      Object.keys(moved).map(Number),
      [...new Set(flex.vertices)].sort((a, b) => a - b),
    );
    flex.vertices.forEach((v, i) =>
      assertEquals(
        moved[v],
        Array.from(flex.position.subarray(i * 3, i * 3 + 3)),
      )
    );
  },
);

Deno.test("bug 47: welding keeps vertices apart that a shape moves apart", () => {
  const twice: MeshSpec = {
    vertices: [...square().vertices, square().vertices[1]],
    triangles: [[0, 2, 1, 4, 2, 3]],
  };
  const alike = meshOf(oneModel([twice], { noTangents: true }));
  assertEquals(weldMesh(alike).mesh.vertexCount, 4);
  const told = meshOf(
    oneModel([{
      ...twice,
      flexes: [{ desc: 0, entries: [{ vertex: 4, delta: [0, 0, 1] }] }],
    }], { noTangents: true, flexDescs: ["open"] }),
  );
  assertEquals(weldMesh(told).mesh.vertexCount, 5);
});

Deno.test("bug 48, 49: entries of 16 and 18 bytes stand side by side, and wrinkles are fixed point", () => {
  const at = (vertex: number, more = {}) => ({
    vertex,
    delta: [vertex, 0.5, -1] as const,
    normal: [0, 0.25, 0] as const,
    ...more,
  });
  const flexes: FlexSpec[] = [
    { desc: 0, entries: [at(0), at(1)] },
    {
      desc: 1,
      wrinkled: true,
      entries: [at(2, { wrinkle: 4096 }), at(3, { wrinkle: -2048 })],
    },
    { desc: 2, entries: [at(1), at(3)] },
  ];
  const spec = oneModel([{ ...square(), flexes }], {
    flexDescs: ["a", "b", "c"],
  });
  const read = readFixture(spec).mdl.bodyParts[0].models[0].meshes[0].flexes;
  assertEquals(read.map((f) => Array.from(f.vertices)), [[0, 1], [2, 3], [
    1,
    3,
  ]]);
  for (const flex of read) {
    flex.vertices.forEach((v, i) => {
      const part = (x: Float32Array) =>
        Array.from(x.subarray(i * 3, i * 3 + 3));
      assertEquals(part(flex.position), [v, 0.5, -1]);
      assertEquals(part(flex.normal), [0, 0.25, 0]);
    });
  }
  // one unit is 1 / 4096, whatever the deltas are stored as; as halves these would be 8 and -0.0
  assertEquals(read.map((f) => f.wrinkle && Array.from(f.wrinkle)), [
    null,
    [1, -0.5],
    null,
  ]);
  const scaled = readFixture({
    ...spec,
    flags: 0x200000,
    vertAnimScale: 1 / 256,
  }).mdl.bodyParts[0].models[0].meshes[0].flexes;
  assertEquals(Array.from(scaled[1].wrinkle!), [16, -8]);
});

Deno.test("bug 50: weights are kept, not divided by their number", () => {
  const bones = [{ name: "a" }, { name: "b" }, { name: "c" }];
  const mesh = meshOf(
    oneModel([
      square(0, 0, { bones: [[2, 0.5], [0, 0.25], [1, 0.25]] }),
    ], { bones }),
  );
  assertEquals(Array.from(mesh.attributes.weights!.subarray(0, 3)), [
    ...[0.5, 0.25, 0.25],
  ]);
  assertEquals(Array.from(mesh.attributes.joints!.subarray(0, 3)), [2, 0, 1]);
});

corpusTest(
  "bug 51: a cube of known size keeps it, in metres by the documented unit",
  () => {
    const mesh = sourceModelToMesh(readCorpusModel(mdlPath("animated_cubes")));
    // two cubes of half an inch whose bones stand an inch apart along x
    const box = boundsOf(mesh.attributes.position)!;
    [...box.min, ...box.max].forEach((x, k) =>
      assertAlmostEquals(x, [-1.25, -0.25, -0.25, 0.25, 0.25, 0.25][k], 1e-6)
    );
    for (const unit of [undefined, 0.01905]) {
      const metres = convertBasis(mesh, "gltf", unit ? { unit } : {}).mesh;
      const { min, max } = boundsOf(metres.attributes.position)!;
      for (const x of max) assertAlmostEquals(x, 0.25 * (unit ?? 0.0254), 1e-8);
      assertAlmostEquals(min[0], -1.25 * (unit ?? 0.0254), 1e-7);
    }
  },
);

Deno.test("bug 52: extra texture coordinates are found by their index and replayed with the fixups", () => {
  const mesh = (x: number): MeshSpec => ({
    vertices: [
      { position: [x, 0, 0], lod: 1 },
      { position: [x, 1, 0], lod: 1 },
      { position: [x, 0, 1], lod: 1 },
      { position: [x, 2, 2] },
    ],
    triangles: [[0, 1, 2, 1, 2, 3], [0, 1, 2]],
  });
  const values = (k: number) => Array.from({ length: 16 }, (_, i) => i * k);
  const model = readFixture(oneModel([mesh(1), mesh(2)], {
    lods: 2,
    flags: 0x04000000,
    extraUvs: { 1: values(1), 2: values(-3) },
  }));
  assertEquals(model.vvd!.fixups.length, 4);
  const { uvs, position } = sourceModelToMesh(model).attributes;
  assertEquals(uvs.length, 3);
  assertEquals(Array.from(uvs[1]), values(1));
  assertEquals(Array.from(uvs[2]), values(-3).map((x) => x + 0));
  assertEquals(Array.from(position.subarray(9, 12)), [1, 2, 2]);
});
