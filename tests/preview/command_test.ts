import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertMatch,
  assertNotEquals,
} from "@std/assert";
import { cli, jsonLines, sample } from "../cli/fake_host.ts";
import { buildFixture, square } from "../mdl/build_fixture.ts";
import { drawnBox, drawnPixels, readPng } from "./plain_png.ts";

const files = {
  "lantern.vvd": sample("lantern.vvd"),
  "terrain.payload": sample("terrain.payload"),
  "figure.payload": sample("figure.payload"),
};

Deno.test("preview writes a PNG of 800 x 600 pixels when nothing else is asked for", async () => {
  for (const name of Object.keys(files)) {
    const ran = await cli(`preview ${name} out.png`, { files });
    assertEquals(ran.code, 0, ran.err);
    assertEquals(ran.writes, [["out.png"]]);
    const png = readPng(ran.files.get("out.png")!);
    assertEquals([png.width, png.height], [800, 600]);
    assert(drawnBox(drawnPixels(png)).count > 5000, name);
    assertMatch(ran.err, /^Drew /);
    assertEquals(ran.out, "");
  }
});

Deno.test("preview draws points when a VVD stands alone", async () => {
  const ran = await cli("preview lantern.vvd out.png", { files });
  assertMatch(ran.err, /578 points/);
});

Deno.test("preview says what it drew as JSON when --json is given", async () => {
  const ran = await cli(
    "preview terrain.payload out.png --json --lod 1 --view top --mode wire --size 64x48",
    { files },
  );
  assertEquals(ran.err, "");
  const [said] = jsonLines(ran.out);
  const bytes = ran.files.get("out.png")!.length;
  assertEquals(said, {
    schema: "meshwright/preview/1",
    in: "terrain.payload",
    out: "out.png",
    format: "payload",
    view: "top",
    mode: "wire",
    width: 64,
    height: 48,
    lod: 1,
    vertices: said.vertices,
    triangles: 384,
    bytes,
  });
});

Deno.test("preview reads stdin and writes stdout when both are a minus", async () => {
  const ran = await cli("preview - - --quiet --size 32x32", {
    stdin: files["figure.payload"],
  });
  assertEquals([ran.code, ran.err], [0, ""]);
  assertEquals(readPng(ran.bytes).width, 32);
});

Deno.test("preview refuses when the size, the view, the mode or the level is none", async () => {
  const cases: [string, number, RegExp][] = [
    ["--size 800", 2, /--size WIDTHxHEIGHT/],
    ["--size 8x8", 2, /16 to 4096/],
    ["--size 5000x100", 2, /16 to 4096/],
    ["--view behind", 2, /--view/],
    ["--mode corrected", 2, /--mode solid or wire or normals/],
    ["--lod 9", 2, /0 to 2/],
  ];
  for (const [options, code, message] of cases) {
    const ran = await cli(`preview terrain.payload out.png ${options}`, {
      files,
    });
    assertEquals(ran.code, code, options + ran.err);
    assertMatch(ran.err, message);
    assertEquals(ran.writes, []);
  }
});

Deno.test("preview keeps an existing file when --force is not given", async () => {
  const world = { files: { ...files, "out.png": "old" } };
  const ran = await cli("preview figure.payload out.png", world);
  assertEquals([ran.code, ran.writes], [2, []]);
  const forced = await cli("preview figure.payload out.png --force", world);
  assertEquals(forced.code, 0, forced.err);
});

Deno.test("preview exits with 3 and writes nothing when the file is broken", async () => {
  const ran = await cli("preview a.vvd out.png", {
    files: { "a.vvd": files["lantern.vvd"].subarray(0, 100) },
  });
  assertEquals([ran.code, ran.writes], [3, []]);
});

const { mdl, vvd, vtx } = buildFixture({
  textures: ["paint", "rust"],
  skins: [[0], [1]],
  bodyParts: [
    { name: "body", models: [{ meshes: [square()] }] },
    { name: "hat", models: [{ meshes: [] }, { meshes: [square(3, 1)] }] },
  ],
});
const world = { files: { "box.mdl": mdl, "box.vvd": vvd, "box.vtx": vtx } };

async function drawn(options: string): Promise<Uint8Array> {
  const ran = await cli(
    `preview box.mdl out.png --view top ${options}`.trim(),
    world,
  );
  assertEquals(ran.code, 0, ran.err);
  return ran.files.get("out.png")!;
}

Deno.test("preview draws the models and the skin that --bodygroup and --skin choose", async () => {
  const usual = await drawn("");
  assertEquals(await drawn("--bodygroup body=0,HAT=0 --skin 0"), usual);
  const sides = async (options: string) => {
    const { right, left, bottom, top } = drawnBox(
      drawnPixels(readPng(await drawn(options))),
    );
    const [long, short] = [right - left, bottom - top].sort((a, b) => b - a);
    return (long + 1) / (short + 1);
  };
  // one square, or a second one of the same height two squares away
  assertAlmostEquals(await sides(""), 1, 0.01);
  assertAlmostEquals(await sides("--bodygroup hat=1"), 4, 0.03);
  assertEquals(
    await drawn("--bodygroup all"),
    await drawn("--bodygroup hat=1"),
  );
  const rusty = await drawn("--skin 1");
  assertEquals(await drawn("--skin 1"), rusty);
  const colors = (png: Uint8Array) => {
    const { width, pixels } = readPng(png);
    const middle = (300 * width + 400) * 3;
    return Array.from(pixels.subarray(middle, middle + 3));
  };
  assertNotEquals(colors(rusty), colors(usual));
});

Deno.test("preview gives the names to choose from when a body group or a skin is none", async () => {
  const cases: [string, RegExp][] = [
    ["--bodygroup feet=0", /feet is none of body, hat/],
    ["--bodygroup hat=2", /found 2, it has 0 to 1/],
    ["--bodygroup hat", /--bodygroup NAME=N/],
    ["--skin 2", /found 2, the model has 0 to 1/],
    ["--skin -1", /--skin a whole number/],
  ];
  for (const [options, message] of cases) {
    const ran = await cli(`preview box.mdl out.png ${options}`, world);
    assertEquals([ran.code, ran.writes], [2, []], options);
    assertMatch(ran.err, message);
  }
});

Deno.test("preview says which models and skin it drew as JSON", async () => {
  const ran = await cli(
    "preview box.mdl out.png --json --bodygroup hat=1 --skin 1",
    world,
  );
  const [said] = jsonLines(ran.out);
  assertEquals([said.bodygroup, said.skin, said.triangles], [
    { hat: 1 },
    1,
    4,
  ]);
});
