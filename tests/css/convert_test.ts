import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import { fixCss } from "../../src/convert/fix_css.ts";
import { inspect } from "../../src/convert/inspect.ts";
import { validate } from "../../src/convert/validate.ts";
import { MeshError } from "../../src/core/errors.ts";
import { wholeOf } from "../../src/core/pieces.ts";
import {
  inspectCssMesh,
  readCssMesh,
  validateCssMesh,
  writeCssMesh,
} from "../../src/formats/css/mod.ts";
import { readGltf } from "../../src/formats/gltf/mod.ts";
import { Random } from "../random.ts";
import { correctedOracle } from "../tangents/oracles.ts";
import { bone, bytesOf, changed, findingsOf, triangle } from "./plain_css.ts";
import { randomCss } from "./random_css.ts";

const PACKAGES = {
  meshPackage: "/Game/CSSAuthoring/Random/SK_Random",
  skeletonPackage: "/Game/CSSAuthoring/Random/SKEL_Random",
};
const whats = (loss: { what: string }[]) => loss.map((l) => l.what);

Deno.test("convert() gives a CSS mesh back through GLB with only the losses that it names", async () => {
  const random = new Random(51);
  for (let i = 0; i < 6; i++) {
    const css = randomCss(random, 4, 1 + random.below(4));
    const bytes = writeCssMesh(css);
    const glb = await convert(bytes, { to: "gltf", name: "x.json" });
    assertEquals(whats(glb.report.loss), ["package paths"]);
    assertEquals(glb.report.basis.determinant, -1);
    assertEquals(glb.report.basis.windingReversed, false);
    const back = await convert(glb.outputs[0], { to: "css", ...PACKAGES });
    const again = readCssMesh(back.outputs[0]);
    assertEquals(again.points.length, css.points.length);
    // the vertices follow the faces' materials; compare what stays in order
    assertEquals(again.materials, css.materials);
    assertEquals(again.morphTargets!.map((t) => t.name), ["Hips", "Waist_2"]);
    again.bones.forEach((b, k) => {
      assertEquals([b.name, b.parent], [
        css.bones[k].name,
        css.bones[k].parent,
      ]);
      b.rotation.forEach((x, c) =>
        assert(Math.abs(x - css.bones[k].rotation[c]) < 1e-6)
      );
      b.translation.forEach((x, c) =>
        assert(Math.abs(x - css.bones[k].translation[c]) < 1e-4)
      );
    });
    assertEquals(validateCssMesh(back.outputs[0]).errors, 0);
    // and the GLB once more: nothing moves on the second way
    const second = await convert(back.outputs[0], { to: "gltf" });
    const third = await convert(second.outputs[0], { to: "css", ...PACKAGES });
    assertEquals(readCssMesh(third.outputs[0]).faces, again.faces);
  }
});

Deno.test("convert() gives a payload back through CSS with only the losses that it names", async () => {
  const bytes = Deno.readFileSync("samples/figure.payload");
  const css = await convert(bytes, { to: "css", name: "figure.payload" });
  assertEquals(whats(css.report.loss), [
    "tangents",
    "levels of detail",
    "morph normals",
  ]);
  assertEquals(whats(css.report.added), [
    "mesh package",
    "skeleton package",
    "material slots",
  ]);
  const mesh = readCssMesh(css.outputs[0]);
  assertEquals(mesh.meshPackage, "/Game/CSSAuthoring/figure/SK_figure");
  assertEquals(validateCssMesh(css.outputs[0]).errors, 0);
  const back = await convert(css.outputs[0], { to: "payload" });
  assertEquals(whats(back.report.loss), ["package paths", "materials"]);
  const a = (await inspect(bytes)).mesh!;
  const b = (await inspect(back.outputs[0])).mesh!;
  assertEquals([b.vertices, b.triangles, b.joints], [
    a.vertices,
    a.triangles,
    a.joints,
  ]);
  b.bounds!.max.forEach((x, k) => {
    assert(Math.abs(x - a.bounds!.max[k]) < 1e-6);
  });
});

Deno.test("convert() writes CSS again in its canonical form and names the keys it leaves out", async () => {
  const doc = changed((d) => d.note = "mine");
  const text = JSON.stringify(doc, null, 2);
  const { outputs, report } = await convert(
    new TextEncoder().encode(text),
    { to: "css" },
  );
  assertEquals(
    new TextDecoder().decode(outputs[0]),
    JSON.stringify(triangle()) + "\n",
  );
  assertEquals(report.loss.map((l) => [l.kind, l.what, l.count]), [
    ["dropped", "keys", 1],
  ]);
  const moved = await convert(outputs[0], {
    to: "css",
    meshPackage: "/Game/CSS/Eve/SK_Eve",
    packagePrefix: "/Game/CSS/",
  });
  assertEquals(whats(moved.report.loss), ["meshPackage"]);
  await assertRejects(
    () => convert(outputs[0], { to: "css", meshPackage: "/Game/CSS/Eve/X" }),
    MeshError,
  );
});

Deno.test("convert() leaves normals to the importer when a CSS mesh has none", async () => {
  const bytes = bytesOf(triangle());
  const scaled = await convert(bytes, { to: "css", scale: 2 });
  const mesh = readCssMesh(scaled.outputs[0]);
  assertEquals([mesh.normals, mesh.points[3]], [null, 100]);
  assertEquals(mesh.meshPackage, triangle().mesh_package);
  const glb = await convert(bytes, { to: "gltf" });
  assertEquals(whats(glb.report.added), ["normals", "tangents"]);
});

Deno.test("convert() gives a CSS mesh the tangents on its way to GLB that its importer would make", async () => {
  const css = writeCssMesh(randomCss(new Random(53), 4, 2));
  const { outputs } = await convert(css, { to: "gltf" });
  const { mesh } = await readGltf(outputs[0]);
  const { position, normal, uvs, tangent } = mesh.attributes;
  const [{ indices }] = mesh.lods;
  // glTF's bitangent points up in the image, where v falls
  const uv = uvs[0].map((x, i) => i % 2 === 0 ? x : 1 - x);
  const expected = correctedOracle({
    position: new Float32Array(position!),
    normal: new Float32Array(normal!),
    uv,
    indices: Uint32Array.from(indices!),
  });
  indices!.forEach((v, corner) => {
    const found = tangent!.subarray(v * 4, v * 4 + 4);
    found.forEach((x, c) =>
      assert(
        Math.abs(x - expected[corner * 4 + c]) < 1e-4,
        `corner ${corner}: ${found}, expected ${
          expected.subarray(corner * 4, corner * 4 + 4)
        }`,
      )
    );
  });
  const kept = await convert(css, { to: "gltf", tangents: "keep" });
  assertEquals(
    (await readGltf(kept.outputs[0])).mesh.attributes.tangent,
    undefined,
  );
});

Deno.test("convert() takes a mesh in Blender's axes when it is told so", async () => {
  const glb = await convert(bytesOf(triangle()), { to: "gltf" });
  const { outputs, report } = await convert(glb.outputs[0], {
    to: "css",
    basis: "blender",
  });
  assertEquals([report.basis.uvFlipped, report.basis.scale], [true, 100]);
  const mesh = readCssMesh(outputs[0]);
  const stored = (await inspect(glb.outputs[0])).mesh!.bounds!;
  const found = (await inspect(outputs[0])).mesh!.bounds!;
  // UE = (100x, −100y, 100z)
  [0, 1, 2].forEach((k) => {
    const [low, high] = k === 1
      ? [-stored.max[k], -stored.min[k]]
      : [stored.min[k], stored.max[k]];
    assert(Math.abs(found.min[k] - 100 * low) < 1e-4);
    assert(Math.abs(found.max[k] - 100 * high) < 1e-4);
  });
  assertEquals([...mesh.wedgeUvs].sort(), [0, 0, 0, 1, 1, 1]);
});

Deno.test("inspect() and inspectCssMesh() say what is in a CSS mesh as stored", async () => {
  const css = randomCss(new Random(52), 4, 2);
  const bytes = writeCssMesh(css);
  const found = await inspect(bytes, { name: "a.json" });
  assertEquals(found.format, "css");
  assertEquals(found.css!.meshPackage, css.meshPackage);
  const mesh = found.mesh!;
  assertEquals([mesh.vertices, mesh.triangles, mesh.joints, mesh.uvChannels], [
    16,
    18,
    9,
    2,
  ]);
  assertEquals(mesh.attributes, [
    ..."position normal color uv0 uv1 joints weights".split(" "),
  ]);
  const report = inspectCssMesh(bytes);
  assertEquals(report.morph_targets.length, 2);
  css.morphTargets!.forEach((target, t) => {
    const row = report.morph_targets[t];
    const lengths = Array.from(
      { length: target.points.length },
      (_, i) => Math.hypot(...target.deltas.subarray(i * 3, i * 3 + 3)),
    );
    assertEquals(row.name, target.name);
    assertEquals(row.moved_vertices, target.points.length);
    assert(Math.abs(row.largest_delta_cm - Math.max(...lengths)) < 1e-12);
    assertEquals(row.sample.length, Math.min(8, target.points.length));
    assertEquals(row.sample[0], [
      target.points[0],
      target.deltas[0],
      target.deltas[1],
      target.deltas[2],
    ]);
    assertEquals(mesh.morphTargets[t].sample, row.sample);
  });
  assertEquals(report.material_slots, css.materials);
});

Deno.test("convert() makes quaternions unit for GLB when the importer takes them and glTF does not", async () => {
  for (const [w, count] of [[1.0004, 1], [1.00001, 1], [0.9999, 0]]) {
    const bytes = bytesOf(changed((d) => d.bones[0].rotation = [0, 0, 0, w]));
    assertEquals(validateCssMesh(bytes).errors, 0);
    const { outputs, report } = await convert(bytes, { to: "gltf" });
    const rows = report.loss.filter((l) => l.what === "joint rotations");
    assertEquals(rows.map((l) => [l.kind, l.count, l.demanded]), [
      ...(count === 1 ? [["repaired", 1, true]] : []),
    ]);
    const back = await convert(outputs[0], { to: "css", ...PACKAGES });
    const { rotation } = readCssMesh(back.outputs[0]).bones[0];
    assertEquals(rotation[3], count === 1 ? 1 : Math.fround(w));
  }
});

Deno.test("validate() judges a CSS file with its own rules", async () => {
  const bytes = bytesOf(changed((d) => d.mesh_package = "/Game/CSS/A/SK"));
  const v = await validate(bytes, { name: "a.json" });
  assertEquals([v.format, v.ok, v.errors, v.readable], [
    "css",
    false,
    1,
    true,
  ]);
  assert((await validate(bytes, { packagePrefix: "/Game/CSS/" })).ok);
  const empty = await validate(new Uint8Array(0), { name: "a.json" });
  assertEquals([empty.readable, empty.findings[0].code], [false, "R-FILE"]);
});

Deno.test("fixCss() mends weights, normals, faces and winding, and says so", () => {
  const broken = changed((d) => {
    d.points.push([50, 40, 0]);
    d.wedges.push([3, 1, 1]);
    d.faces = [[0, 1, 2, 0], [1, 3, 2, 0], [1, 1, 1, 0]];
    d.influences = [
      [0, 0, 0.995],
      [1, 0, 0.6],
      [1, 1, 0.408],
      [2, 0, 1],
      [3, 0, 1],
    ];
    d.bones.push(bone("tip", 0));
    d.normals = [[0, 0, 2], [0, 0, 1], [0, 0, 0.9], [0, 0, 1]];
  });
  assert(findingsOf(broken).length >= 5);
  const { text, loss } = fixCss(bytesOf(broken));
  const bytes = wholeOf(text);
  assertEquals(validateCssMesh(bytes).list, []);
  assertEquals(loss.map((l) => [l.kind, l.what, l.count]), [
    ["repaired", "weights of points", 2],
    ["repaired", "normals", 2],
    ["repaired", "faces", 1],
    ["repaired", "faces", 2],
  ]);
  const mesh = readCssMesh(bytes);
  assertEquals([...mesh.faces], [2, 1, 0, 0, 2, 3, 1, 0]);
  assertEquals(
    Math.fround(mesh.influenceWeights[1] + mesh.influenceWeights[2]),
    1,
  );
});

Deno.test("fixCss() leaves alone what needs a person, and refuses it", () => {
  const cases: [(d: ReturnType<typeof triangle>) => void, string][] = [
    [(d) => d.influences[0][2] = 0.98, "R-INFLUENCE-SUM"],
    [(d) => d.normals = [[0, 0, 0], [0, 0, 1], [0, 0, 1]], "R-NORMAL-UNIT"],
    [(d) => d.points[0][0] = 20000, "R-POINT-RANGE"],
    [
      (d) => d.faces.push(...Array.from({ length: 11 }, () => [0, 0, 0, 0])),
      "CSS-DEGENERATE-COUNT",
    ],
    [(d) => d.schema = 2, "R-SCHEMA"],
  ];
  for (const [change, code] of cases) {
    const error = assertThrows(
      () => fixCss(bytesOf(changed(change))),
      MeshError,
    );
    assertEquals(error.code, code);
  }
});
