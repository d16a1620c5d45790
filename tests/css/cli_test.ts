import { assert, assertEquals } from "@std/assert";
import { readCssMesh, validateCssMesh } from "../../src/formats/css/mod.ts";
import { cli, jsonLines, sample } from "../cli/fake_host.ts";
import { bytesOf, changed, triangle } from "./plain_css.ts";

const files = {
  "good.json": bytesOf(triangle()),
  "moved.json": bytesOf(changed((d) => d.mesh_package = "/Game/CSS/A/SK")),
  "sliver.json": bytesOf(changed((d) => d.faces.push([0, 0, 1, 0]))),
  "broken.json": bytesOf(triangle()).subarray(0, 300),
  "close.json": bytesOf(changed((d) => d.influences[0][2] = 0.98)),
  "unused.json": bytesOf(changed((d) => d.wedges.push([0, 1, 1]))),
  "flat.json": bytesOf(changed((d) => d.faces = [[0, 0, 1, 0]])),
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
  // the verdict is about what is there now
  assert(
    ran.out.startsWith("sliver.json: mended (1 error before), see out.json\n"),
    ran.out,
  );
  assert(!ran.out.includes("not ok"), ran.out);
  const good = await cli("validate good.json --fix out.json", { files });
  assert(good.out.startsWith("good.json: ok"), good.out);
  assert(good.err.includes("nothing to mend"), good.err);
  // a warning that stays is nothing mended
  const unused = await cli("validate unused.json --fix out.json", { files });
  assert(unused.out.startsWith("unused.json: ok (1 warning)\n"), unused.out);
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
  // the sum stands once, as the file has it
  const off = await cli("validate close.json --fix out.json", { files });
  assertEquals([off.code, off.writes], [1, []]);
  assert(off.out.includes("sum to 0.98 "), off.out);
  assert(!/0\.98/.test(off.err), off.err);
  assert(off.err.includes("Mend the rest by hand"), off.err);
  const flat = await cli("validate flat.json --fix out.json", { files });
  assertEquals([flat.code, flat.writes], [1, []]);
  assert(flat.err.includes("[CSS-DEGENERATE-COUNT"), flat.err);
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

Deno.test("inspect counts wedges as vertices, in morph targets too, and points beside them", async () => {
  // two wedges on point 1, which the target moves with point 2
  const file = bytesOf(changed((d) => {
    d.wedges.push([1, 0.5, 0.5]);
    d.faces.push([0, 2, 3, 0]);
    d.morph_targets = [{ name: "M", deltas: [[2, 0, 3, 4], [1, 1, 0, 0]] }];
  }));
  const { out } = await cli("inspect --json a.json", {
    files: { "a.json": file },
  });
  const [{ mesh, css }] = jsonLines(out) as unknown as {
    mesh: { vertices: number; morphTargets: unknown[]; lods: unknown[] };
    css: { report: { points: number; morph_targets: unknown[] } };
  }[];
  const sample = [[1, 1, 0, 0], [2, 0, 3, 4], [3, 1, 0, 0]];
  assertEquals(mesh.vertices, 4);
  assertEquals(mesh.morphTargets, [
    { name: "M", movedVertices: 3, largestDelta: 5, sample },
  ]);
  assertEquals(css.report.points, 3);
  assertEquals(css.report.morph_targets, [{
    name: "M",
    moved_vertices: 3,
    moved_points: 2,
    largest_delta_cm: 5,
    sample,
  }]);
  const table =
    (await cli("inspect a.json", { files: { "a.json": file } })).out;
  assert(/^ {2}mesh +4 vertices, 2 triangles$/m.test(table), table);
  assert(/^ {2}points +3;/m.test(table), table);
});

Deno.test("a mesh's morph targets move as many vertices in a payload as in the CSS mesh made of it", async () => {
  const made = await cli("convert figure.payload f.json", { files });
  const world = { files: Object.fromEntries(made.files) };
  const { out } = await cli("inspect --json figure.payload f.json", world);
  const [payload, css] = jsonLines(out).map((line) =>
    (line.mesh as { morphTargets: { movedVertices: number }[] }).morphTargets
      .map((t) => t.movedVertices)
  );
  assertEquals(css, payload);
});

Deno.test("validate --fix refuses an OUT that is called like another format", async () => {
  const ran = await cli("validate sliver.json --fix out.glb", { files });
  assertEquals([ran.code, ran.writes, ran.reads], [2, [], []]);
  assert(ran.err.includes("this writes css, out.glb is called like gltf"));
});
