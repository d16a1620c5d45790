/** Part G of the users' reports: text, JSON, names, precision, units. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import { inspect } from "../../src/convert/inspect.ts";
import { validate } from "../../src/convert/validate.ts";
import { MeshError } from "../../src/core/errors.ts";
import { f32Text } from "../../src/formats/css/float_text.ts";
import { readGltf, writeGlb } from "../../src/formats/gltf/mod.ts";
import { convertBasis, transformMesh } from "../../src/ops/mod.ts";
import { cli } from "../cli/fake_host.ts";
import { assertClean } from "../gltf/khronos.ts";
import { PlainGltf, triangle } from "../gltf/plain_gltf.ts";
import { buildFixture, oneModel, square } from "../mdl/build_fixture.ts";
import { plainMesh } from "../ops/plain_mesh.ts";
import { Random } from "../random.ts";
import { sourceFiles, withoutComments } from "../source_files.ts";
import { cube, cubeIn, scaling } from "./pieces.ts";

Deno.test("G1: a number that is not finite is refused before the first byte, with its vertex", async () => {
  const mesh = cube();
  mesh.attributes.position[7 * 3 + 1] = NaN;
  const error = await assertRejects(() => writeGlb(mesh), MeshError);
  assertEquals(error.code, "ARGUMENT");
  // the second number of vertex 7
  assertEquals(error.path, "position/22");
});

Deno.test("G2: a byte order mark is read, and not written", async () => {
  const plain = triangle().gltf();
  const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...plain]);
  assertEquals((await readGltf(marked)).mesh.vertexCount, 3);
  const { outputs } = await convert(marked, { to: "gltf", gltfJson: true });
  assertEquals(outputs[0][0], "{".charCodeAt(0));
});

Deno.test("G3: no number or order in src/ depends on the place where it runs", () => {
  for (const [path, text] of sourceFiles("src")) {
    assert(
      !/toLocale(String|Upper|Lower)|localeCompare|Intl\./.test(
        withoutComments(text),
      ),
      path,
    );
  }
});

Deno.test("G4: text gives every f32 back, with at most nine digits", () => {
  const random = new Random(4);
  const float = new Float32Array(1);
  const bits = new Uint32Array(float.buffer);
  for (let i = 0; i < 100_000; i++) {
    // every exponent comes up, subnormal ones too
    bits[0] = (random.u32() & 0x807fffff) | (i % 255) << 23;
    const text = f32Text(float[0]);
    const before = bits[0];
    float[0] = Number(text);
    assertEquals(bits[0], before, text);
    const digits = text.replace(/e.*/i, "").replace(/[-.]/g, "").replace(
      /^0+/,
      "",
    ).replace(/0+$/, "");
    assert(digits.length <= 9, text);
  }
});

Deno.test("G5: a number is written as shortly as it can be", () => {
  assertEquals(f32Text(Math.fround(10.588)), "10.588");
  assertEquals(f32Text(Math.fround(0.1)), "0.1");
});

Deno.test("G6: bounds are those of the f32 data", async () => {
  const random = new Random(6);
  const mesh = plainMesh(
    random.floats(300, -1e3, 1e3),
    Array.from({ length: 99 }, (_, i) => i),
  );
  await assertClean(await writeGlb(mesh), "bounds");
});

Deno.test("G7: v is turned around once a border, as 1 - v", () => {
  const mesh = { ...cube(), basis: "blender" as const };
  mesh.attributes.uvs[0] = mesh.attributes.uvs[0].map((x) => x * 3 - 1);
  const there = convertBasis(mesh, "css").mesh;
  mesh.attributes.uvs[0].forEach((x, i) =>
    assertEquals(there.attributes.uvs[0][i], i % 2 ? Math.fround(1 - x) : x)
  );
  const back = convertBasis(there, "blender").mesh.attributes.uvs[0];
  back.forEach((x, i) =>
    assert(Math.abs(x - mesh.attributes.uvs[0][i]) <= 2 ** -22)
  );
  const kept = convertBasis(cube(), "css").mesh.attributes.uvs;
  assertEquals(kept, cube().attributes.uvs);
});

Deno.test("G8: a chain of units multiplies to one, and a suspicious size is named", async () => {
  const g = new PlainGltf();
  const inner = g.node({ mesh: cubeIn(g), scale: [0.01, 0.01, 0.01] });
  g.root({ children: [inner], scale: [100, 100, 100] });
  const { mesh } = await inspect(g.glb());
  mesh!.bounds!.max.forEach((x) => assert(Math.abs(x - 1) < 1e-6));
  for (const s of [1e-3, 1e4]) {
    const file = await writeGlb(transformMesh(cube(), scaling(s, s, s)).mesh);
    const { findings } = await validate(file);
    assert(findings.some((f) => f.code === "MESH-UNIT-SIZE"), `${s}`);
  }
  const { findings } = await validate(await writeGlb(cube()));
  assert(!findings.some((f) => f.code === "MESH-UNIT-SIZE"));
});

Deno.test("G9: all 256 values of a colour byte come back", async () => {
  const n = 256 * 3;
  const color = Float32Array.from(
    { length: n * 4 },
    (_, i) => Math.floor(i / 12) / 255,
  );
  const mesh = plainMesh(
    Float32Array.from(
      { length: n * 3 },
      (_, i) =>
        i % 9 === 3 || i % 9 === 7
          ? 1
          : i % 3 === 2
          ? Math.floor(i / 9) / 8
          : 0,
    ),
    Array.from({ length: n }, (_, i) => i),
  );
  mesh.attributes.color = color;
  const css = await convert(await writeGlb(mesh), { to: "css", outName: "a" });
  assert(
    !css.report.loss.some((l) =>
      l.what === "colours" && (l.largest ?? 0) > 1e-6
    ),
  );
  const glb = await convert(css.outputs[0], { to: "gltf" });
  const again = await convert(glb.outputs[0], { to: "css", outName: "a" });
  const bytes = (await readGltf(glb.outputs[0])).mesh.attributes.color!;
  assertEquals(new Set([...bytes].map((x) => Math.round(x * 255))).size, 256);
  assert(
    !again.report.loss.some((l) =>
      l.what === "colours" && (l.largest ?? 0) > 1e-6
    ),
  );
});

Deno.test("G10: names that repeat are told apart by one rule, the same each time", async () => {
  const g = new PlainGltf();
  g.json.materials = ["Skin", "Skin", "", "Skin_2"].map((name) => ({ name }));
  for (let material = 0; material < 4; material++) {
    g.root({
      mesh: cubeIn(g, { material }),
      translation: [material * 5, 0, 0],
    });
  }
  const made = () => convert(g.glb(), { to: "css", outName: "a" });
  const [a, b] = [await made(), await made()];
  assertEquals(a.outputs, b.outputs);
  const { materials } = JSON.parse(new TextDecoder().decode(a.outputs[0]));
  assertEquals(new Set(materials).size, 4);
  assert(materials.includes("Skin_2"), materials.join());
  assert(a.report.loss.some((l) => l.what === "material names"));
});

Deno.test("G11: a material's name in another code page is read as Latin-1, not as question marks", async () => {
  const { mdl, vvd, vtx } = buildFixture({
    ...oneModel([square()]),
    textures: ["stone"],
  });
  const at = new TextDecoder("latin1").decode(mdl).indexOf("stone\0");
  mdl[at + 2] = 0xe9;
  const { mesh } = await inspect(mdl, {
    name: "a.mdl",
    resources: { "a.vvd": vvd, "a.dx90.vtx": vtx },
  });
  assertEquals(mesh!.materials, ["st\u00e9ne"]);
});

Deno.test("G12: no file outside the input's folder is read, and no network", async () => {
  for (
    const uri of [
      "../secret.bin",
      "/etc/secret.bin",
      "http://localhost/a.bin",
      "file:///secret.bin",
      "a/../../secret.bin",
    ]
  ) {
    const ran = await cli("inspect in/a.gltf", {
      files: {
        "in/a.gltf": triangle().gltf(uri),
        "secret.bin": new Uint8Array(64),
        "/etc/secret.bin": new Uint8Array(64),
      },
    });
    assertEquals(ran.code, 3, uri);
    assertEquals(ran.reads.filter((p) => p.includes("secret")), [], uri);
  }
});
