import { assert, assertEquals, assertRejects } from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import { inspect } from "../../src/convert/inspect.ts";
import { validate, type Validation } from "../../src/convert/validate.ts";
import { CODES } from "../../src/core/codes.ts";
import { MeshError } from "../../src/core/errors.ts";
import { CORNERS, encode, PlainGltf, triangle } from "../gltf/plain_gltf.ts";
import {
  Put,
  putHeightfield,
  putLods,
  putMorphs,
  skinnedPart,
  staticPart,
} from "../payload/plain_payload.ts";
import { plainRecords, plainTangents, plainVvd } from "../vvd/plain_vvd.ts";

/** What the command line prints, so that undefined and NaN count as they do there. */
// deno-lint-ignore no-explicit-any
const printed = (value: unknown): any => JSON.parse(JSON.stringify(value));

const vvd = (changes = {}) =>
  plainVvd({
    counts: [6, 4],
    fixups: [[1, 2, 4], [0, 0, 2]],
    vertices: plainRecords(6),
    tangents: plainTangents(6),
    checksum: 0xfedcba98,
    ...changes,
  });
const terrain = () =>
  putHeightfield(
    putLods(staticPart(4, [0, 1, 2, 1, 3, 2, 0]), [[12.5, [0, 2, 1]]]),
    3,
    5,
    Array.from({ length: 15 }, (_, i) => i),
  ).raw([1, 2, 3, 4, 5]).bytes;
const figure = () => {
  const part = skinnedPart(12, [0, 1, 2], [
    { name: "root", parent: -1 },
    { name: "tip", parent: 0 },
  ]);
  const entries = Array.from(
    { length: 12 },
    (_, v) => [v, 1, 0, v, -1, 0, 0, 0] as [number, number, ...number[]],
  );
  return putMorphs(part, 12, ["still", "grow"], entries).bytes;
};

Deno.test("inspect() describes a payload with every key and type of the contract", async () => {
  const got = printed(await inspect(terrain(), { name: "hill.payload" }));
  assertEquals(got, {
    schema: "meshwright/inspect/1",
    file: "hill.payload",
    format: "payload",
    bytes: terrain().length,
    mesh: {
      vertices: 4,
      triangles: 2,
      bounds: { min: [0, 0.25, -3], max: [3, 3.25, 0] },
      materials: [],
      uvChannels: 1,
      attributes: ["position", "normal", "tangent", "color", "uv0"],
      joints: 0,
      maxInfluences: 0,
      morphTargets: [],
      lods: [
        { level: 0, triangles: 2, vertices: 4, switchDistance: null },
        { level: 1, triangles: 1, vertices: 3, switchDistance: 12.5 },
      ],
      heightfield: { rows: 3, cols: 5 },
    },
    payload: { kind: "static", trailingBytes: 5 },
  });
});

Deno.test("inspect() describes the level that is asked for, and refuses one that does not exist", async () => {
  const { mesh } = await inspect(terrain(), { lod: 1 });
  assertEquals([mesh!.triangles, mesh!.vertices], [1, 4]);
  const error = await assertRejects(
    () => inspect(terrain(), { lod: 2 }),
    MeshError,
  );
  assertEquals([error.code, error.found], ["ARGUMENT", 2]);
});

Deno.test("inspect() lists joints, influences and at most eight deltas of a morph target", async () => {
  const got = printed(await inspect(figure()));
  assertEquals(got.payload, {
    kind: "skinned",
    trailingBytes: 0,
    morphBlock: "MRPS",
  });
  const { mesh } = got;
  assertEquals([mesh.joints, mesh.maxInfluences], [2, 2]);
  assertEquals(mesh.attributes.slice(-2), ["joints", "weights"]);
  assertEquals(mesh.morphTargets, [
    { name: "still", movedVertices: 0, largestDelta: 0, sample: [] },
    {
      name: "grow",
      movedVertices: 12,
      largestDelta: Math.hypot(11, 1),
      sample: [0, 1, 2, 3, 4, 5, 6, 7].map((v) => [v, 0, v, -1]),
    },
  ]);
});

Deno.test("inspect() describes a VVD: header, fixups, unsigned checksum, one row a level", async () => {
  const got = printed(await inspect(vvd(), { name: "crate.vvd" }));
  assertEquals([got.format, got.file], ["vvd", "crate.vvd"]);
  assertEquals(got.vvd, {
    version: 4,
    checksum: 0xfedcba98,
    numLODs: 2,
    numLODVertexes: [6, 4, 4, 4, 4, 4, 4, 4],
    fixups: [
      { lod: 1, sourceVertexID: 2, numVertexes: 4 },
      { lod: 0, sourceVertexID: 0, numVertexes: 2 },
    ],
    fixupTableStart: 64,
    vertexDataStart: 96,
    tangentDataStart: 96 + 6 * 48,
    extra: [],
  });
  const { mesh } = got;
  assertEquals([mesh.vertices, mesh.triangles, mesh.uvChannels], [6, 0, 1]);
  assertEquals(mesh.bounds, { min: [0, 0.25, -5], max: [5, 5.25, 0] });
  assertEquals(mesh.lods, [
    { level: 0, triangles: 0, vertices: 6, switchDistance: null },
    { level: 1, triangles: 0, vertices: 4, switchDistance: null },
  ]);
  assertEquals(mesh.maxInfluences, 3);
  // vertex 5 has three bones: 5, 55, 105
  assertEquals(mesh.joints, 106);
  const lower = printed(await inspect(vvd(), { lod: 1 })).mesh;
  assertEquals([lower.vertices, lower.bounds.min[0]], [4, 2]);
});

Deno.test("inspect() gives a VVD without vertices no mesh, but its header", async () => {
  const got = printed(await inspect(vvd({ vertices: null, tangents: null })));
  assertEquals(got.mesh, null);
  assertEquals(got.vvd.numLODs, 2);
  assertEquals(got.vvd.vertexDataStart, 0);
});

Deno.test("inspect() describes a glTF in its own axes, names as stored", async () => {
  const g = new PlainGltf();
  g.json.materials = [{ name: "größe" }];
  const POSITION = g.accessor("VEC3", CORNERS);
  g.root({
    mesh: g.mesh(
      { POSITION, COLOR_0: g.accessor("VEC3", new Array(9).fill(1)) },
      { material: 0, targets: [{ POSITION }] },
      { extras: { targetNames: ["a"] } },
    ),
  });
  const got = printed(await inspect(g.glb()));
  assertEquals(got.format, "gltf");
  assertEquals(got.mesh.materials, ["größe"]);
  assertEquals(got.mesh.attributes, ["position", "color"]);
  assertEquals(got.mesh.morphTargets, [{
    name: "a",
    movedVertices: 2,
    largestDelta: 1,
    sample: [[1, 1, 0, 0], [2, 0, 1, 0]],
  }]);
  assertEquals(got.mesh.bounds, { min: [0, 0, 0], max: [1, 1, 0] });
  assertEquals(Object.keys(got).sort(), [
    "bytes",
    "file",
    "format",
    "mesh",
    "schema",
  ]);
});

Deno.test("inspect() has no bounds for positions that are not finite, nor for none", async () => {
  const empty = printed(await inspect(new Put().u32(0, 0).bytes));
  assertEquals(empty.mesh.bounds, null);
  const put = new Put().u32(1).f32(...new Array(14).fill(NaN)).u32(0);
  assertEquals(printed(await inspect(put.bytes)).mesh.bounds, null);
});

Deno.test("inspect() throws what the reader throws, and FORMAT-UNKNOWN for what matches nothing", async () => {
  const codes = async (bytes: Uint8Array, name = "") =>
    (await assertRejects(() => inspect(bytes, { name }), MeshError)).code;
  assertEquals(await codes(encode("hello, world")), "FORMAT-UNKNOWN");
  assertEquals(await codes(new Uint8Array(0)), "FORMAT-UNKNOWN");
  assertEquals(await codes(new Uint8Array(0), "a.vvd"), "VVD-EMPTY");
  assertEquals(await codes(vvd().slice(0, 90)), "VVD-RANGE");
  assertEquals(await codes(encode("{}"), "a.gltf"), "GLTF-STRUCTURE");
});

/** Checks the shape of a validation, whatever it says. */
function checkShape(got: Validation) {
  const v = printed(got);
  assertEquals(v.schema, "meshwright/validate/1");
  assertEquals(typeof v.file, "string");
  assertEquals(v.ok, v.errors === 0);
  assert(Number.isInteger(v.errors) && Number.isInteger(v.warnings));
  for (const f of v.findings) {
    assert(["error", "warning", "info"].includes(f.severity));
    assert(f.code in CODES, f.code);
    assert(typeof f.where === "string" && f.where.length > 0);
    assert(typeof f.message === "string" && f.message.length > 10);
  }
  const count = (severity: string) =>
    got.findings.filter((f) => f.severity === severity).length;
  if (got.findings.length < 1000) {
    assertEquals([count("error"), count("warning")], [v.errors, v.warnings]);
  }
}

Deno.test("validate() finds no error in sound files", async () => {
  const sound = [
    vvd(),
    (await convert(figure(), { to: "gltf" })).outputs[0],
    triangle().gltf(),
  ];
  for (const bytes of sound) {
    const got = await validate(bytes, { name: "x" });
    checkShape(got);
    assertEquals([got.ok, got.errors, got.readable], [true, 0, true]);
  }
});

Deno.test("validate() judges a file that can not be read by one error", async () => {
  const broken: [bytes: Uint8Array, name: string, code: string][] = [
    [encode("hello, world"), "", "FORMAT-UNKNOWN"],
    [new Uint8Array(0), "a.payload", "PAYLOAD-TRUNCATED"],
    [vvd().slice(0, 90), "a.vvd", "VVD-RANGE"],
    [encode("glTF"), "", "GLTF-HEADER"],
    [encode('{"asset":{"version":"1.0"}}'), "", "GLTF-VERSION"],
    [encode('{"asset":{}'), "", "GLTF-JSON"],
    [triangle().gltf("far.bin"), "", "GLTF-EXTERNAL"],
    [encode("o cube"), "a.obj", "FORMAT-UNSUPPORTED"],
  ];
  for (const [bytes, name, code] of broken) {
    const got = await validate(bytes, { name });
    checkShape(got);
    assertEquals(got.findings.map((f) => f.code), [code], name);
    assertEquals([got.ok, got.errors, got.readable], [false, 1, false]);
  }
  const unknown = await validate(encode("hello, world"));
  assertEquals(printed(unknown).format, null);
});

Deno.test("validate() gives the place of an unreadable byte and what was found and allowed", async () => {
  const { findings: [finding] } = await validate(
    encode("glTF\x01\0\0\0\x14\0\0\0        "),
  );
  assertEquals(printed(finding), {
    severity: "error",
    code: "GLTF-VERSION",
    where: "byte 4",
    message: finding.message,
    found: 1,
    allowed: 2,
  });
});

Deno.test("validate() joins the findings of the format with those of the geometry", async () => {
  const put = staticPart(3, [0, 1, 7, 2]);
  const got = await validate(put.bytes);
  checkShape(got);
  const codes = got.findings.map((f) => f.code);
  assert(codes.includes("PAYLOAD-INDEX-RANGE"));
  assert(codes.includes("PAYLOAD-INDEX-TAIL"));
  const short = plainRecords(3);
  new DataView(short.buffer).setFloat32(28, 0.5, true);
  const other = await validate(plainVvd({ counts: [3], vertices: short }));
  assert(other.findings.some((f) => f.code === "MESH-NORMAL-LENGTH"));
});

Deno.test("validate() names what a glTF holds beside its mesh as GLTF-NOTE, and an empty scene as GLTF-NO-MESH", async () => {
  const g = triangle();
  g.json.animations = [{}, {}];
  const got = await validate(g.glb());
  checkShape(got);
  const note = got.findings.find((f) => f.code === "GLTF-NOTE")!;
  assertEquals([note.severity, note.where, note.found], [
    "info",
    "animations",
    2,
  ]);
  const empty = await validate(encode('{"asset":{"version":"2.0"}}'));
  assertEquals(empty.findings.map((f) => [f.code, f.severity]), [
    ["GLTF-NO-MESH", "warning"],
  ]);
  assertEquals([empty.ok, empty.warnings], [true, 1]);
});

Deno.test("validate() lists a thousand findings and counts all of them", async () => {
  const n = 1200;
  const put = new Put().u32(n);
  for (let v = 0; v < n; v++) {
    put.f32(NaN, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 0);
  }
  const got = await validate(put.u32(0).bytes);
  assertEquals([got.findings.length, got.errors, got.ok], [1000, n, false]);
});

Deno.test("validate() looks at every level of a payload, and through fixups that do not add up", async () => {
  const put = putLods(staticPart(3, [0, 1, 2]), [[5, [0, 0, 1]]]);
  const { findings } = await validate(put.bytes);
  assert(
    findings.some((f) =>
      f.code === "MESH-DEGENERATE" && f.where.includes("LOD 1")
    ),
  );
  const odd = await validate(vvd({ fixups: [[1, 2, 4]] }));
  checkShape(odd);
  assert(odd.readable && !odd.ok);
  assert(odd.findings.some((f) => f.code === "VVD-FIXUP-SUM"));
});

Deno.test("validate() throws LIMIT-EXCEEDED and nothing else", async () => {
  for (const bytes of [vvd(), terrain(), triangle().glb()]) {
    const error = await assertRejects(
      () => validate(bytes, { limits: { maxInputBytes: 10 } }),
      MeshError,
    );
    assertEquals(error.code, "LIMIT-EXCEEDED");
  }
});

Deno.test("convert() reports every key and type of the contract", async () => {
  const from = figure();
  const { outputs, report } = await convert(from, { to: "gltf" });
  assertEquals(printed(report), {
    from: "payload",
    to: "gltf",
    bytes: { in: from.length, out: outputs[0].length },
    basis: {
      from: "right-handed, +Y up, metres",
      to: "right-handed, +Y up, metres",
      determinant: 1,
      scale: 1,
      windingReversed: false,
      uvFlipped: false,
    },
    loss: report.loss,
    added: report.added,
  });
  const lossy = await convert(terrain(), { to: "gltf" });
  assert(lossy.report.loss.length > 0);
  for (const row of lossy.report.loss) {
    assert(
      ["dropped", "changed", "repaired", "approximated"].includes(row.kind),
    );
    assertEquals(typeof row.what, "string");
    assert(Number.isInteger(row.count) && row.count > 0);
    assert(row.largest === null || Number.isFinite(row.largest));
    assert(row.why.length > 5);
    assertEquals(typeof row.demanded, "boolean");
  }
});

Deno.test("convert() says that a skeleton goes where no vertex names its joints, or where it has no joints", async () => {
  const g = triangle({});
  g.json.nodes.push({ name: "bone" });
  g.json.scenes[0].nodes.push(g.json.nodes.length - 1);
  g.json.skins = [{ joints: [g.json.nodes.length - 1] }];
  g.json.nodes[0].skin = 0;
  const skinless = await convert(g.glb(), { to: "gltf" });
  assertEquals(
    skinless.report.loss.map((l) => [l.kind, l.what, l.count]),
    [["dropped", "joints", 1]],
  );
  const none = skinnedPart(3, [0, 1, 2], []).bytes;
  for (const to of ["vvd", "obj", "smd"] as const) {
    const { report } = await convert(none, { to });
    const row = report.loss.find((l) => l.what === "empty skeleton");
    assertEquals([row?.kind, row?.count], ["dropped", 1], to);
  }
});

Deno.test("convert() says which triangles a payload did not get, and what its tangents were made from", async () => {
  const broken = CORNERS.slice();
  broken[1] = NaN;
  const g = new PlainGltf();
  const { json } = g;
  json.meshes.push({
    primitives: [broken, CORNERS].map((corners) => ({
      attributes: { POSITION: g.accessor("VEC3", corners) },
    })),
  });
  g.root({ mesh: 0 });
  const { report } = await convert(g.glb(), { to: "payload" });
  assertEquals(
    report.loss.map((l) => [l.kind, l.what, l.count, l.why]),
    [[
      "repaired",
      "triangles",
      1,
      "a corner is not finite, and they were left out",
    ]],
  );
  const why = (to: typeof report) =>
    to.added.find((a) => a.what === "tangents")!.why;
  assert(why(report).includes("no texture coordinates"), why(report));
  const h = new PlainGltf();
  h.root({
    mesh: h.mesh({
      POSITION: h.accessor("VEC3", CORNERS),
      TEXCOORD_0: h.accessor("VEC2", [0, 0, 1, 0, 0, 1]),
    }),
  });
  const textured = await convert(h.glb(), { to: "payload" });
  assert(why(textured.report).startsWith("texture gradients"));
});

Deno.test("convert() counts colours that are not white where a target holds none", async () => {
  const made = (colors: number[]) => {
    const g = new PlainGltf();
    g.root({
      mesh: g.mesh({
        POSITION: g.accessor("VEC3", CORNERS),
        COLOR_0: g.accessor("VEC4", colors),
      }),
    });
    return g.glb();
  };
  const rows = async (colors: number[]) =>
    (await convert(made(colors), { to: "obj" })).report.loss
      .filter((l) => l.what === "colours").map((l) => l.count);
  const white = new Array(12).fill(1);
  assertEquals(await rows(white), []);
  assertEquals(await rows(white.with(3, 0.5).with(8, 0)), [2]);
});
