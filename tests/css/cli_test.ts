import { assert, assertEquals } from "@std/assert";
import { readCssMesh, validateCssMesh } from "../../src/formats/css/mod.ts";
import { cli, jsonLines, sample } from "../cli/fake_host.ts";
import { bytesOf, changed, triangle } from "./plain_css.ts";

const files = {
  "good.json": bytesOf(triangle()),
  "moved.json": bytesOf(changed((d) => d.mesh_package = "/Game/CSS/A/SK")),
  "sliver.json": bytesOf(changed((d) => d.faces.push([0, 0, 1, 0]))),
  "broken.json": bytesOf(triangle()).subarray(0, 300),
  "off.json": bytesOf(changed((d) => d.influences[0][2] = 0.5)),
  "figure.payload": sample("figure.payload"),
};

Deno.test("validate judges CSS files by the importer's rules, and takes another folder with --package-prefix", async () => {
  for (
    const [line, code] of [
      ["good.json", 0],
      ["moved.json", 1],
      ["moved.json --package-prefix /Game/CSS/", 0],
      ["moved.json --package-prefix Game", 2],
      ["sliver.json", 1],
      ["broken.json", 3],
    ] as const
  ) assertEquals((await cli(`validate ${line}`, { files })).code, code, line);
  const { out } = await cli("validate --json sliver.json", { files });
  const [line] = jsonLines(out) as unknown as {
    format: string;
    findings: { code: string; where: string; offset: number }[];
  }[];
  assertEquals(line.format, "css");
  const [finding] = line.findings;
  assertEquals([finding.code, finding.where], [
    "R-FACE-DEGENERATE",
    "/faces/1",
  ]);
  assertEquals(
    new TextDecoder().decode(files["sliver.json"]).slice(finding.offset)
      .startsWith("[0,0,1,0]"),
    true,
  );
});

Deno.test("validate --fix writes the mended file and says what it mended", async () => {
  const ran = await cli("validate sliver.json --fix out.json", { files });
  assertEquals(ran.code, 0);
  assert(ran.err.includes("repaired faces (1)"), ran.err);
  assertEquals(validateCssMesh(ran.files.get("out.json")!).errors, 0);
  const json = await cli("validate --json sliver.json --fix o.json", { files });
  const [line] = jsonLines(json.out) as unknown as {
    fixed: { out: string; loss: unknown[] };
  }[];
  assertEquals([line.fixed.out, line.fixed.loss.length], ["o.json", 1]);
});

Deno.test("validate --fix writes nothing when a person must mend the file, or its use is wrong", async () => {
  for (
    const [line, code] of [
      ["off.json --fix out.json", 1],
      ["broken.json --fix out.json", 3],
      ["good.json off.json --fix out.json", 2],
      ["figure.payload --fix out.json", 2],
      ["sliver.json --fix -", 2],
      ["sliver.json --fix good.json", 2],
    ] as const
  ) {
    const ran = await cli(`validate ${line}`, { files });
    assertEquals([ran.code, ran.writes], [code, []], line);
  }
  const forced = await cli("validate sliver.json --fix good.json --force", {
    files,
  });
  assertEquals([forced.code, forced.writes], [0, [["good.json"]]]);
});

Deno.test("convert writes a CSS mesh under the packages that are asked for", async () => {
  const ran = await cli(
    "convert figure.payload out.json --mesh-package /Game/CSS/F/SK_F --skeleton-package /Game/CSS/F/SKEL_F --package-prefix /Game/CSS/",
    { files },
  );
  assertEquals(ran.code, 0, ran.err);
  const mesh = readCssMesh(ran.files.get("out.json")!);
  assertEquals([mesh.meshPackage, mesh.skeletonPackage], [
    "/Game/CSS/F/SK_F",
    "/Game/CSS/F/SKEL_F",
  ]);
  const refused = await cli(
    "convert figure.payload out.json --mesh-package /Game/CSS/F/SK_F",
    { files },
  );
  assertEquals([refused.code, refused.writes], [3, []]);
  assert(refused.err.includes("R-PKG-MESH-PREFIX"), refused.err);
});

Deno.test("convert --basis blender takes the input's numbers for Blender's", async () => {
  const glb = await cli("convert good.json a.glb", { files });
  const world = { files: Object.fromEntries(glb.files) };
  const ran = await cli("convert a.glb b.json --basis blender --json", world);
  assertEquals(ran.code, 0, ran.err);
  const report = JSON.parse(ran.out);
  assertEquals([report.basis.determinant, report.basis.uvFlipped], [-1, true]);
  assertEquals((await cli("convert a.glb c.json --basis maya", world)).code, 2);
});

Deno.test("inspect shows a CSS mesh as stored", async () => {
  const { out, code } = await cli("inspect --json good.json", { files });
  assertEquals(code, 0);
  const [line] = jsonLines(out) as unknown as {
    css: { schema: number; meshPackage: string; skeletonPackage: string };
    mesh: { vertices: number; triangles: number; attributes: string[] };
  }[];
  assertEquals(line.css.meshPackage, triangle().mesh_package);
  assertEquals(line.css.skeletonPackage, triangle().skeleton_package);
  assertEquals([line.mesh.vertices, line.mesh.triangles], [3, 1]);
  assertEquals(line.mesh.attributes, ["position", "uv0", "joints", "weights"]);
});
