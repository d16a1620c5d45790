import { assert, assertEquals } from "@std/assert";
import { cli, jsonLines, sample } from "../cli/fake_host.ts";
import { buildFixture, type FixtureSpec, square } from "./build_fixture.ts";

const spec: FixtureSpec = {
  lods: 2,
  flexDescs: ["smile"],
  bones: [{ name: "root" }, { name: "tip", parent: 0 }],
  bodyParts: [
    {
      name: "body",
      models: [{
        meshes: [{
          ...square(),
          flexes: [{ desc: 0, entries: [{ vertex: 0, delta: [0, 0, 1] }] }],
        }],
      }],
    },
    {
      name: "hat",
      models: [{ meshes: [square(3)] }, { meshes: [square(5), square(7)] }],
    },
  ],
};
const { mdl, vvd, vtx } = buildFixture(spec);
const stale = buildFixture({ ...spec, checksum: 1 }).vtx;

/** A folder with a model whose files differ in case, a stale VTX, and files of another model. */
const world = {
  files: {
    "props/Box.mdl": mdl,
    "props/box.VVD": vvd,
    "props/BOX.dx90.vtx": vtx,
    "props/box.sw.vtx": stale,
    "props/box2.vvd": vvd,
    "props/box.dx90.vtx.bak": vtx,
    "box.vvd": vvd,
  },
};

Deno.test("convert finds the rest of a model beside it, whatever the case of the names", async () => {
  const ran = await cli("convert props/Box.mdl out.glb --json", world);
  assertEquals(ran.code, 0, ran.err);
  assertEquals(ran.reads.toSorted(), [
    "props/BOX.dx90.vtx",
    "props/Box.mdl",
    "props/box.VVD",
    "props/box.sw.vtx",
  ]);
  const [report] = jsonLines(ran.out);
  assertEquals([report.from, report.to], ["mdl", "gltf"]);
  assertEquals(report.basis, {
    from: "right-handed, +Z up, inches",
    to: "right-handed, +Y up, metres",
    determinant: 1,
    scale: 0.0254,
    windingReversed: true,
    uvFlipped: false,
  });
  const [found] = jsonLines(
    (await cli("inspect out.glb --json", {
      files: { "out.glb": ran.files.get("out.glb")! },
    })).out,
  );
  const mesh = found.mesh as { triangles: number; lods: unknown[] };
  assertEquals([mesh.triangles, mesh.lods.length], [4, 2]);
});

Deno.test("convert takes --bodygroup, --lods and --skin", async () => {
  const triangles = async (options: string) => {
    const ran = await cli(`convert props/Box.mdl a.glb ${options}`, world);
    assertEquals(ran.code, 0, ran.err);
    const [found] = jsonLines(
      (await cli("inspect a.glb --json", {
        files: { "a.glb": ran.files.get("a.glb")! },
      })).out,
    );
    const mesh = found.mesh as { triangles: number; lods: unknown[] };
    return [mesh.triangles, mesh.lods.length];
  };
  assertEquals(await triangles("--bodygroup hat=1"), [6, 2]);
  assertEquals(await triangles("--bodygroup body=0,hat=1 --lods 0"), [6, 1]);
  assertEquals(await triangles("--lods all --skin 0"), [4, 2]);
  for (
    const wrong of [
      "--bodygroup hat",
      "--bodygroup hat=9",
      "--bodygroup feet=0",
      "--lods some",
      "--skin 4",
      "--target source2",
    ]
  ) {
    const ran = await cli(`convert props/Box.mdl a.glb ${wrong}`, world);
    assertEquals(ran.code, 2, wrong);
    assertEquals(ran.writes, []);
  }
});

Deno.test("convert writes what belongs beside an OBJ and an SMD", async () => {
  const obj = await cli("convert props/Box.mdl x/chair.obj", world);
  assertEquals(obj.writes, [["x/chair.obj", "x/chair.mtl"]], obj.err);
  const text = new TextDecoder().decode(obj.files.get("x/chair.obj"));
  assert(text.includes("mtllib chair.mtl\n"));
  const smd = await cli(
    "convert props/Box.mdl x/chair.smd --target source1",
    world,
  );
  assertEquals(smd.writes, [[
    "x/chair.smd",
    "x/chair_lod1.smd",
    "x/chair.vta",
  ]]);
  // a file in the way of one of them stops all
  const taken = {
    files: { ...world.files, "x/chair.vta": "mine" },
  };
  const refused = await cli("convert props/Box.mdl x/chair.smd", taken);
  assertEquals([refused.code, refused.writes], [2, []]);
  const forced = await cli("convert props/Box.mdl x/chair.smd --force", taken);
  assertEquals(forced.code, 0);
  // stdout holds one file; the further levels and the VTA would be lost
  const piped = await cli("convert props/Box.mdl - --to smd", world);
  assertEquals([piped.code, piped.out], [2, ""]);
  assert(piped.err.includes("takes 3 files"), piped.err);
});

Deno.test("convert names every file that it looked for when the rest of a model is missing", async () => {
  const ran = await cli("convert Box.mdl out.glb", {
    files: { "Box.mdl": mdl },
  });
  assertEquals(ran.code, 3);
  for (
    const name of [
      "MDL-COMPANION",
      "Box.vvd",
      "Box.dx90.vtx",
      "Box.vtx",
      "Box.dx80.vtx",
      "Box.sw.vtx",
    ]
  ) assert(ran.err.includes(name), ran.err);
  assertEquals(ran.writes, []);
});

Deno.test("inspect shows what is there of a model with files missing, and every command that needs them refuses it", async () => {
  const alone = { files: { "Box.mdl": mdl } };
  const codes: Record<string, number> = {
    "inspect Box.mdl": 0,
    "validate Box.mdl": 3,
    "convert Box.mdl out.glb": 3,
    "preview Box.mdl out.png": 3,
    "tangents Box.mdl out.glb": 3,
    "diff Box.mdl Box.mdl": 3,
  };
  for (const [line, code] of Object.entries(codes)) {
    const ran = await cli(line, alone);
    assertEquals(ran.code, code, `${line}\n${ran.out}${ran.err}`);
    assertEquals(ran.writes, []);
  }
});

Deno.test("inspect, validate and convert name a companion that is a Git LFS pointer, zero bytes or empty", async () => {
  const pointer = new TextEncoder().encode(
    "version https://git-lfs.example/spec/v1\noid sha256:0\nsize 1\n",
  );
  const contents: [Uint8Array, holds: string, code: string][] = [
    [pointer, "a Git LFS pointer", "LFS-POINTER"],
    [new Uint8Array(64), "zero bytes", "ZERO"],
    [new Uint8Array(0), "nothing", "EMPTY"],
  ];
  for (const [bytes, holds, code] of contents) {
    for (const kind of ["vvd", "vtx"] as const) {
      const files = { "Box.mdl": mdl, "box.vvd": vvd, "box.vtx": vtx };
      const stray = { files: { ...files, [`box.${kind}`]: bytes } };
      const shown = await cli("inspect Box.mdl --json", stray);
      assertEquals(shown.code, 0);
      const { companions } = jsonLines(shown.out)[0].mdl as {
        companions: Record<string, unknown>[];
      };
      assertEquals(companions.find((c) => c.kind === kind), {
        file: `box.${kind}`,
        kind,
        checksum: null,
        matches: false,
        used: false,
        content: holds,
      });
      const table = await cli("inspect Box.mdl", stray);
      assert(table.out.includes(`holds ${holds}`), table.out);
      assert(table.out.includes("hold nothing of it"), table.out);
      for (const command of ["convert Box.mdl a.glb", "validate Box.mdl"]) {
        const ran = await cli(command, stray);
        const said = ran.out + ran.err;
        assertEquals(ran.code, 3, said);
        assert(said.includes(`${kind.toUpperCase()}-${code}`), said);
        assert(said.includes(`(box.${kind})`), said);
      }
    }
    // a spare file of that sort stands in nobody's way
    const spare = { files: { ...world.files, "props/box.sw.vtx": bytes } };
    const ran = await cli("validate props/Box.mdl", spare);
    assertEquals(ran.code, 0, ran.err);
    assert(ran.out.includes(`box.sw.vtx holds ${holds}`), ran.out);
  }
});

Deno.test("convert asks for a path when an .mdl comes from stdin, where nothing stands beside it", async () => {
  const stdin = sample("buoy.mdl");
  const { code, err } = await cli("convert - b.glb", { stdin });
  assertEquals(code, 3);
  assert(err.includes("Give the path of the .mdl"), err);
  assert(err.includes("[MDL-COMPANION"), err);
  // what the file alone says is shown all the same
  const shown = await cli("inspect -", { stdin });
  assertEquals(shown.code, 0);
  assert(shown.out.includes("beside stdin there is nothing"), shown.out);
  // the model has no name, and none is made up
  assert(!/\.vvd +-|missing/.test(shown.out), shown.out);
  const [{ mdl: told }] = jsonLines(
    (await cli("inspect - --json", { stdin })).out,
  ) as { mdl: { missing: string[] } }[];
  assertEquals(told.missing, [
    ".vvd",
    ".dx90.vtx",
    ".vtx",
    ".dx80.vtx",
    ".sw.vtx",
  ]);
});

Deno.test("inspect shows the VVD's header where the VTX is missing, and not that of a stale VVD", async () => {
  const files = { "buoy.mdl": sample("buoy.mdl") };
  const own = { files: { ...files, "buoy.vvd": sample("buoy.vvd") } };
  const { out } = await cli("inspect buoy.mdl", own);
  assert(/^ {2}header +version 4, checksum 0x0b0e0b0e, 2 LODs/m.test(out), out);
  assert(/^ {2}mesh +not read: files of the model are missing/m.test(out), out);
  const [found] = jsonLines((await cli("inspect buoy.mdl --json", own)).out);
  const [lone] = jsonLines((await cli("inspect buoy.vvd --json", own)).out);
  assertEquals(found.vvd, lone.vvd);
  assertEquals(found.mesh, null);
  const other = { files: { ...files, "buoy.vvd": vvd } };
  const [strange] = jsonLines(
    (await cli("inspect buoy.mdl --json", other)).out,
  );
  assertEquals(strange.vvd, undefined);
});

Deno.test("validate ends with 1 for a stale set and with 3 where a file is missing", async () => {
  const files = { "box.mdl": mdl, "box.vvd": vvd };
  const old = { files: { ...files, "box.vtx": stale } };
  assertEquals((await cli("validate box.mdl", old)).code, 1);
  assertEquals((await cli("validate box.mdl", { files })).code, 3);
});

Deno.test("diff finds a GLB the same whose other scene brings vertices that no triangle draws here", async () => {
  const made = await cli("convert props/Box.mdl box.glb", world);
  const both = {
    files: { ...world.files, "box.glb": made.files.get("box.glb")! },
  };
  const ran = await cli("diff props/Box.mdl box.glb --json", both);
  assertEquals(ran.code, 0, ran.out);
  // the hat's second choice: two squares of four vertices
  const [d] = jsonLines(ran.out);
  assertEquals([d.same, d.unpaired, d.unused], [true, [0, 0], [0, 8]]);
  const text = (await cli("diff props/Box.mdl box.glb", both)).out;
  assert(text.includes("that no triangle uses 0 are only in the first"), text);
});

Deno.test("convert refuses files of different compiles and names them, until it is forced", async () => {
  const mixed = {
    files: { "Box.mdl": mdl, "box.vvd": vvd, "box.vtx": stale },
  };
  const ran = await cli("convert Box.mdl out.glb", mixed);
  assertEquals(ran.code, 3);
  for (const part of ["MDL-CHECKSUM", "Box.mdl", "box.vtx", "0x00000001"]) {
    assert(ran.err.includes(part), ran.err);
  }
  const forced = await cli("convert Box.mdl out.glb --force", mixed);
  assertEquals(forced.code, 0);
  assert(forced.err.includes("MDL-CHECKSUM"), forced.err);
  assert(/checksum 0x00000001 against 0x[0-9a-f]{8},/.test(forced.err));
});

Deno.test("convert warns of joints that a payload's engine cuts", async () => {
  const files = (n: number) => {
    const bones = Array.from({ length: n }, (_, i) => ({ name: `b${i}` }));
    const made = buildFixture({ ...spec, bones });
    return { "b.mdl": made.mdl, "b.vvd": made.vvd, "b.vtx": made.vtx };
  };
  const fine = await cli("convert b.mdl b.payload", { files: files(64) });
  assertEquals(fine.code, 0);
  assert(!fine.err.includes("PAYLOAD-JOINT-COUNT"), fine.err);
  const many = await cli("convert b.mdl b.payload", { files: files(65) });
  assertEquals(many.code, 0);
  assert(many.err.includes("warning PAYLOAD-JOINT-COUNT"), many.err);
});

Deno.test("inspect shows body groups, companions and levels of a model", async () => {
  const ran = await cli("inspect props/Box.mdl --json", world);
  assertEquals(ran.code, 0, ran.err);
  const [found] = jsonLines(ran.out) as unknown as [{
    format: string;
    mesh: { vertices: number; triangles: number; joints: number };
    mdl: {
      bones: string[];
      bodyparts: unknown[];
      companions: { file: string; used: boolean; matches: boolean }[];
    };
    vvd: { checksum: number };
  }];
  assertEquals([found.format, found.vvd.checksum], ["mdl", 0x5ca1ab1e]);
  // all models of all body parts
  assertEquals(
    [found.mesh.vertices, found.mesh.triangles, found.mesh.joints],
    [16, 8, 2],
  );
  assertEquals(found.mdl.bones, ["root", "tip"]);
  assertEquals(found.mdl.bodyparts[1], {
    name: "hat",
    models: [
      { name: "model0.smd", vertices: 4, meshes: 1 },
      { name: "model1.smd", vertices: 8, meshes: 2 },
    ],
  });
  assertEquals(
    found.mdl.companions.map((c) => [c.file, c.matches, c.used]),
    [
      ["box.VVD", true, true],
      ["BOX.dx90.vtx", true, true],
      ["box.sw.vtx", false, false],
    ],
  );
  const table = (await cli("inspect props/Box.mdl", world)).out;
  for (
    const part of ["hat", "model1.smd", "box.sw.vtx", "another", "8 triangles"]
  ) assert(table.includes(part), table);
  const bare = await cli("inspect Box.mdl", { files: { "Box.mdl": mdl } });
  assertEquals(bare.code, 0);
  assert(bare.out.includes("missing"), bare.out);
});

Deno.test("validate passes a sound model and fails a mixed one", async () => {
  const good = { files: { "b.mdl": mdl, "b.vvd": vvd, "b.vtx": vtx } };
  assertEquals((await cli("validate b.mdl --strict", good)).code, 0);
  const mixed = { files: { ...good.files, "b.vtx": stale } };
  const ran = await cli("validate b.mdl", mixed);
  assertEquals(ran.code, 1);
  assert(ran.out.includes("MDL-CHECKSUM"), ran.out);
  const alone = await cli("validate b.mdl", { files: { "b.mdl": mdl } });
  assertEquals(alone.code, 3);
});

Deno.test("the shipped model is sound and goes to every target", async () => {
  const files = Object.fromEntries(
    ["buoy.mdl", "buoy.vvd", "buoy.dx90.vtx"].map((name) => [
      name,
      sample(name),
    ]),
  );
  const judged = await cli("validate buoy.mdl --strict --json", { files });
  assertEquals(jsonLines(judged.out)[0].findings, []);
  assertEquals(judged.code, 0);
  for (const ending of ["glb", "gltf", "payload", "json", "obj", "smd"]) {
    const ran = await cli(`convert buoy.mdl out.${ending}`, { files });
    assertEquals(ran.code, 0, ran.err);
  }
});
