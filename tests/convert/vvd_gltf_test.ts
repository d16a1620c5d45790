import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertGreater,
  assertLess,
  assertRejects,
} from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import type { LossEntry } from "../../src/core/loss.ts";
import { MeshError } from "../../src/core/errors.ts";
import { readGltf } from "../../src/formats/gltf/mod.ts";
import { readPayload } from "../../src/formats/payload/mod.ts";
import { readVvd } from "../../src/formats/vvd/mod.ts";
import { corpusBytes, corpusFiles, corpusTest } from "../corpus.ts";
import { assertClean } from "../gltf/khronos.ts";
import { at, dot, length } from "../ops/plain_mesh.ts";
import { fields14, Put, staticPart } from "../payload/plain_payload.ts";
import { assertSameBytes } from "../same_bytes.ts";
import {
  plainRecords,
  plainReplay,
  plainSplit,
  plainTangents,
  plainVvd,
} from "../vvd/plain_vvd.ts";

const lantern = () =>
  Deno.readFileSync(new URL("../../samples/lantern.vvd", import.meta.url));
const floats = (words: Uint32Array) => new Float32Array(words.buffer);
const sumOf = (loss: LossEntry[], what: string) =>
  loss.filter((l) => l.what === what).reduce((sum, l) => sum + l.count, 0);
const lodsOf = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset).getInt32(12, true);

/** Whether a length is one as closely as the conversion leaves it. */
const isUnit = (v: readonly number[]) => Math.abs(Math.hypot(...v) - 1) <= 5e-4;

/**
 * Compares a GLB with the VVD it was made from, in f64 and by the file's own bytes: 0.0254·(x, z, −y), directions
 * (x, z, −y), tangent signs turned around, texture coordinates as stored. Gives how many vectors needed a repair.
 */
async function checkAgainst(
  bytes: Uint8Array,
  lod: number,
  glb: Uint8Array,
  unit = 0.0254,
): Promise<{ normals: number; tangents: number }> {
  const vertices = plainReplay(bytes, lod);
  const split = plainSplit(bytes, vertices);
  const { mesh } = await readGltf(glb);
  const a = mesh.attributes;
  const want = { normals: 0, tangents: 0 };
  assertEquals([mesh.vertexCount, mesh.lods[0].indices], [
    vertices.length,
    null,
  ]);
  const position = floats(split.position);
  const normal = floats(split.normal);
  const tangent = split.tangent && floats(split.tangent);
  const wanted = {
    position: new Float32Array(position.length),
    normal: a.normal!.slice(),
    tangent: a.tangent?.slice(),
  };
  for (let v = 0; v < vertices.length; v++) {
    const [x, y, z] = at(position, v);
    wanted.position.set([unit * x, unit * z, -unit * y], v * 3);
    const [nx, ny, nz] = at(normal, v);
    const repaired = at(a.normal!, v);
    if (isUnit([nx, ny, nz])) wanted.normal.set([nx, nz, -ny], v * 3);
    else {
      want.normals++;
      const size = length([nx, ny, nz]);
      if (!isUnit(repaired)) throw new Error(`normal ${v} is not unit`);
      if (size > 0) {
        assertAlmostEquals(dot([nx, nz, -ny], repaired), size, 1e-6);
      }
    }
    if (!tangent) continue;
    const [tx, ty, tz] = at(tangent, v, 4);
    wanted.tangent![v * 4 + 3] = -tangent[v * 4 + 3];
    if (isUnit([tx, ty, tz])) wanted.tangent!.set([tx, tz, -ty], v * 4);
    else {
      want.tangents++;
      const made = at(a.tangent!, v, 4);
      if (!isUnit(made)) throw new Error(`tangent ${v} is not unit`);
      if (length([tx, ty, tz]) === 0) {
        assertLess(Math.abs(dot(made, repaired)), 1e-5);
      }
    }
  }
  assertSameBytes(a.position, wanted.position, "position");
  assertSameBytes(a.normal!, wanted.normal, "normal");
  if (tangent) assertSameBytes(a.tangent!, wanted.tangent!, "tangent");
  assertSameBytes(a.uvs[0], split.uv);
  return want;
}

corpusTest(
  "convert() makes of every VVD, at every LOD, a GLB without fault that holds its numbers",
  async () => {
    let [files, several] = [0, 0];
    for (const path of corpusFiles("source", ".vvd")) {
      const bytes = corpusBytes(path);
      if (bytes.length < 200) continue; // a Git LFS pointer
      files++;
      if (lodsOf(bytes) > 1) several++;
      for (let lod = 0; lod < lodsOf(bytes); lod++) {
        const what = `${path} at LOD ${lod}`;
        const { outputs, report } = await convert(bytes, { to: "gltf", lod });
        await assertClean(outputs[0], what);
        const want = await checkAgainst(bytes, lod, outputs[0]);
        assertEquals(sumOf(report.loss, "normals"), want.normals, what);
        assertEquals(sumOf(report.loss, "tangents"), want.tangents, what);
        assertEquals(report.basis.scale, 0.0254);
      }
    }
    assertGreater(files, 90);
    assertGreater(several, 10);
  },
);

Deno.test("convert() makes of the sample, at every LOD, a GLB without fault that holds its numbers", async () => {
  const bytes = lantern();
  const lods = lodsOf(bytes);
  assertGreater(lods, 1);
  for (let lod = 0; lod < lods; lod++) {
    for (const gltfJson of [false, true]) {
      const { outputs, report } = await convert(bytes, {
        to: "gltf",
        lod,
        gltfJson,
      });
      await assertClean(outputs[0], `lantern at LOD ${lod}`);
      assertEquals(await checkAgainst(bytes, lod, outputs[0]), {
        normals: 0,
        tangents: 0,
      });
      assertEquals(report.basis, {
        from: "right-handed, +Z up, inches",
        to: "right-handed, +Y up, metres",
        determinant: 1,
        scale: 0.0254,
        windingReversed: true,
        uvFlipped: false,
      });
    }
  }
});

Deno.test("convert() takes --scale for the metres of a Source unit", async () => {
  const bytes = lantern();
  for (const scale of [1, 0.01, 0.01905, 2.5]) {
    const { outputs, report } = await convert(bytes, { to: "gltf", scale });
    assertEquals(report.basis.scale, scale);
    await checkAgainst(bytes, 0, outputs[0], scale);
  }
  const payload = await convert(bytes, { to: "payload", scale: 0.5 });
  const first = floats(plainSplit(bytes, [plainReplay(bytes, 0)[0]]).position);
  assertEquals(
    readPayload(payload.outputs[0]).vertices.pos[1],
    Math.fround(0.5 * first[2]),
  );
});

Deno.test("convert() names what a VVD holds that no mesh does", async () => {
  const bytes = lantern();
  const { vvd } = { vvd: readVvd(bytes) };
  const { report } = await convert(bytes, { to: "gltf", lod: 1 });
  const rows = report.loss.map((l) => [l.kind, l.what, l.count]);
  assertEquals(rows, [
    ["dropped", "checksum", 1],
    ["dropped", "levels of detail", vvd.numLODs - 1],
    ["dropped", "fixups", vvd.fixups.length],
    [
      "dropped",
      "vertices of higher detail",
      vvd.numLODVertexes[0] - vvd.numLODVertexes[1],
    ],
  ]);
  assert(vvd.fixups.length > 0);
});

/** A VVD of four vertices, changed by a test. */
function damaged(
  change: (v: DataView, vertex: (i: number) => number) => void,
  tangents: (v: DataView) => void = () => {},
): Uint8Array {
  const records = plainRecords(4);
  change(new DataView(records.buffer), (i) => i * 48);
  const pool = plainTangents(4);
  const view = new DataView(pool.buffer);
  for (let v = 0; v < 4; v++) {
    [1, 0, 0, 1].forEach((x, k) => view.setFloat32(v * 16 + 4 * k, x, true));
  }
  tangents(view);
  return plainVvd({ counts: [4], vertices: records, tangents: pool });
}

Deno.test("convert() repairs NaN, zero normals and zero tangents of a VVD, each counted and explained", async () => {
  const bytes = damaged((v, at) => {
    v.setFloat32(at(0) + 16, NaN, true); // position
    v.setFloat32(at(1) + 20, Infinity, true);
    for (const k of [28, 32, 36]) v.setFloat32(at(2) + k, 0, true); // normal
    v.setFloat32(at(3) + 28, 3, true);
    v.setFloat32(at(0) + 40, NaN, true); // uv
    v.setFloat32(at(1) + 0, NaN, true); // weight
  }, (v) => {
    v.setFloat32(0, 0, true);
    v.setFloat32(16, NaN, true);
    v.setFloat32(32, 7, true);
    v.setFloat32(32 + 12, 0, true); // sign
  });
  const { outputs, report } = await convert(bytes, { to: "gltf" });
  await assertClean(outputs[0], "repaired VVD");
  assertEquals(
    report.loss.filter((l) => l.kind === "repaired").map((l) => [
      l.what,
      l.count,
      l.largest,
      l.demanded,
    ]),
    [
      ["positions", 2, null, true],
      ["texture coordinates, colours and weights", 2, null, true],
      ["normals", 1, null, true],
      ["tangents", 2, null, true],
      ["tangent signs", 1, null, true],
      ["normals", 1, 6, true],
      ["tangents", 1, 6, true],
    ],
  );
  for (const row of report.loss) assert(row.why.length > 10);
});

Deno.test("convert() keeps the weights of a VVD beside the standard names, and drops them for a payload", async () => {
  const bytes = plainVvd({
    counts: [6],
    vertices: plainRecords(6),
    tangents: null,
  });
  const glb = await convert(bytes, { to: "gltf" });
  await assertClean(glb.outputs[0], "weights");
  const { mesh } = await readGltf(glb.outputs[0]);
  assertEquals(mesh.attributes.tangent, undefined);
  assertEquals([mesh.skeleton, mesh.influences], [null, 4]);
  const split = plainSplit(bytes, [0, 1, 2, 3, 4, 5]);
  const weights = floats(split.weights);
  for (let v = 0; v < 6; v++) {
    for (let k = 0; k < 3; k++) {
      const claimed = k < split.bones[v * 4 + 3];
      assertEquals(
        mesh.attributes.weights![v * 4 + k],
        claimed ? weights[v * 3 + k] : 0,
      );
      assertEquals(
        mesh.attributes.joints![v * 4 + k],
        claimed ? split.bones[v * 4 + k] : 0,
      );
    }
  }
  const payload = await convert(bytes, { to: "payload" });
  assertEquals(readPayload(payload.outputs[0]).kind, "static");
  assertEquals(sumOf(payload.report.loss, "skin weights"), 6);
  assertEquals(payload.report.added.map((a) => [a.what, a.count]), [
    ["tangents", 6],
    ["colours", 6],
  ]);
});

Deno.test("convert() gives a VVD's vertices to a payload: axes, unit, kept bits", async () => {
  const bytes = lantern();
  const { outputs, report } = await convert(bytes, { to: "payload" });
  const { vertices, indices } = readPayload(outputs[0]);
  const split = plainSplit(bytes, plainReplay(bytes, 0));
  assertEquals([vertices.count, indices.length], [split.uv.length / 2, 0]);
  const [position, normal] = [floats(split.position), floats(split.normal)];
  const tangent = floats(split.tangent!);
  let negative = 0;
  for (let v = 0; v < vertices.count; v++) {
    const [x, y, z] = at(position, v);
    assertEquals(
      [...at(vertices.pos, v)],
      [0.0254 * x, 0.0254 * z, -0.0254 * y].map(Math.fround),
    );
    const n = at(normal, v);
    assertEquals([...at(vertices.normal, v)], [n[0], n[2], -n[1]]);
    const t = at(tangent, v, 4);
    assertEquals([...at(vertices.tangent, v)], [t[0], t[2], -t[1]]);
    if (-tangent[v * 4 + 3] < 0) negative++;
  }
  assertSameBytes(vertices.uv, split.uv);
  assertEquals([...vertices.color], new Array(vertices.count * 3).fill(1));
  assertEquals(sumOf(report.loss, "tangent signs"), negative);
});

Deno.test("convert() brings positions of a payload back from a VVD within 1 ulp, directions and textures bit for bit", async () => {
  const put = new Put().u32(200);
  for (let v = 0; v < 200; v++) {
    const [, , , ...rest] = fields14(v);
    put.f32(v / 7 - 9, 100 / (v + 1), -v * v / 300, ...rest);
  }
  put.u32(0);
  const vvd = await convert(put.bytes, { to: "vvd", checksum: 77 });
  assertEquals(readVvd(vvd.outputs[0]).checksum, 77);
  const back = await convert(vvd.outputs[0], { to: "payload" });
  const [a, b] = [readPayload(put.bytes), readPayload(back.outputs[0])];
  a.vertices.pos.forEach((x, i) =>
    assert(Math.abs(b.vertices.pos[i] - x) <= 2 ** -23 * Math.abs(x), `${x}`)
  );
  assertSameBytes(b.vertices.normal, a.vertices.normal);
  assertSameBytes(b.vertices.tangent, a.vertices.tangent);
  assertSameBytes(b.vertices.uv, a.vertices.uv);
  assertEquals(
    vvd.report.loss.map((l) => [l.kind, l.what, l.count]),
    [["dropped", "colours", 200]],
  );
});

Deno.test("convert() names what a payload holds that a VVD does not", async () => {
  const terrain = Deno.readFileSync(
    new URL("../../samples/terrain.payload", import.meta.url),
  );
  const before = readPayload(terrain);
  const { report } = await convert(terrain, { to: "vvd" });
  const count = (what: string) => sumOf(report.loss, what);
  assertEquals(count("triangles"), before.indices.length / 3);
  assertEquals(count("levels of detail"), before.lodAlternates.length);
  assertEquals(count("heightfield"), 1);
  const figure = Deno.readFileSync(
    new URL("../../samples/figure.payload", import.meta.url),
  );
  const skinned = readPayload(figure);
  const other = await convert(figure, { to: "vvd" });
  assert(skinned.kind === "skinned");
  assertEquals(sumOf(other.report.loss, "joints"), skinned.joints.length);
  assertEquals(
    sumOf(other.report.loss, "morph targets"),
    skinned.morphs.names.length,
  );
});

Deno.test("convert() at a root LOD keeps a VVD a VVD: records copied, one level, no fixups", async () => {
  const bytes = lantern();
  for (let lod = 0; lod < lodsOf(bytes); lod++) {
    const { outputs, report } = await convert(bytes, { to: "vvd", lod });
    const vvd = readVvd(outputs[0]);
    const want = plainSplit(bytes, plainReplay(bytes, lod));
    const got = plainSplit(outputs[0], plainReplay(outputs[0], 0));
    assertEquals(got, want);
    assertEquals([vvd.numLODs, vvd.fixups.length], [1, 0]);
    assertEquals(vvd.checksum, readVvd(bytes).checksum);
    assertEquals(sumOf(report.loss, "levels of detail"), lodsOf(bytes) - 1);
  }
  const same = await convert(bytes, { to: "vvd" });
  assertSameBytes(same.outputs[0], bytes);
  assertEquals(same.report.loss, []);
});

Deno.test("convert() throws ARGUMENT for a level that a VVD has not, and for normals that no face can give", async () => {
  for (const to of ["gltf", "vvd", "payload"] as const) {
    const error = await assertRejects(
      () => convert(lantern(), { to, lod: 8 }),
      MeshError,
    );
    assertEquals([error.code, error.found], ["ARGUMENT", 8]);
  }
  const normals = await assertRejects(
    () => convert(lantern(), { to: "gltf", normals: "rebuild" }),
    MeshError,
  );
  assertEquals([normals.code, normals.path], ["ARGUMENT", "normals"]);
});

Deno.test("convert() caps influences for a VVD and refuses nothing that it can clamp", async () => {
  const glb = await convert(staticPart(3, [0, 1, 2]).bytes, { to: "gltf" });
  const vvd = await convert(glb.outputs[0], { to: "vvd" });
  const [bones] = [readVvd(vvd.outputs[0]).vertexData!.subarray(12, 16)];
  assertEquals([...bones], [0, 0, 0, 1], "rigid to bone 0");
  const figure = Deno.readFileSync(
    new URL("../../samples/figure.payload", import.meta.url),
  );
  const { outputs } = await convert(figure, { to: "vvd", maxInfluences: 1 });
  const { vertexData } = readVvd(outputs[0]);
  for (let at = 15; at < vertexData!.length; at += 48) {
    assertEquals(vertexData![at], 1);
  }
});
