/** Part A of the users' reports: defects found in the leading tools. */
import { assert, assertEquals, assertLess, assertRejects } from "@std/assert";
import { denoHost } from "../../src/cli/deno_host.ts";
import { convert } from "../../src/convert/convert.ts";
import { MeshError } from "../../src/core/errors.ts";
import { readGltf } from "../../src/formats/gltf/mod.ts";
import { payloadToMesh, readPayload } from "../../src/formats/payload/mod.ts";
import { transformMesh } from "../../src/ops/mod.ts";
import { cli, sample } from "../cli/fake_host.ts";
import { AllocationWatch } from "../fuzz/watch.ts";
import { encode, PlainGltf, triangle, TYPE } from "../gltf/plain_gltf.ts";
import {
  angle,
  apply,
  at,
  matrix16,
  plainMorphs,
  randomQuaternion,
  rotationOf,
} from "../ops/plain_mesh.ts";
import { Random } from "../random.ts";
import { cube, eightCubes, meshIn, scaling, wrong } from "./pieces.ts";

Deno.test("A1: tangents turn with the mesh under any rotation", () => {
  const random = new Random(0xa1);
  const mesh = cube();
  for (let i = 0; i < 1000; i++) {
    const rotation = rotationOf(randomQuaternion(random));
    const turned = transformMesh(mesh, matrix16(rotation)).mesh;
    for (let v = 0; v < mesh.vertexCount; v += 4) {
      const want = apply(rotation, at(mesh.attributes.tangent!, v, 4));
      const got = at(turned.attributes.tangent!, v, 4);
      assertLess(angle(got, want), 1e-6);
    }
  }
});

Deno.test("A2: no tangent frame of a mirrored instance faces the wrong way", async () => {
  const mesh = await meshIn(eightCubes());
  assertEquals(mesh.lods[0].indices!.length / 3, 96);
  assertEquals(wrong(mesh), { winding: 0, frames: 0, lengths: 0 });
});

Deno.test("A3: morph deltas take only the linear part", () => {
  const mesh = {
    ...cube(),
    morphs: plainMorphs(24, ["a"], [[3, 0, [0, 0, 0]], [5, 0, [0.1, 0.2, 0]]]),
  };
  const moved = transformMesh(mesh, scaling(1, 1, 1, [10, 20, 30])).mesh;
  assertEquals(moved.morphs!.position, mesh.morphs.position);
});

Deno.test("A4: normal deltas are the difference of two transformed shapes", () => {
  const mesh = {
    ...cube(),
    morphs: plainMorphs(24, ["a"], [[0, 0, [0, 0, 0], [0, 1, 0]]]),
  };
  const moved = transformMesh(mesh, scaling(1, 2, 1)).mesh;
  // (1, 1, 0) by the inverse transpose is (1, 1/2, 0), of length √5 / 2
  const want = [2 / Math.sqrt(5) - 1, 1 / Math.sqrt(5), 0];
  want.forEach((x, k) =>
    assertLess(Math.abs(moved.morphs!.normal![k] - x), 1e-6)
  );
});

Deno.test("A5: the identity leaves all bytes of morphs, and tangent deltas write no NaN", async () => {
  const g = new PlainGltf();
  const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0];
  const deltas = [0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.3];
  const mesh = g.mesh({
    POSITION: g.accessor("VEC3", corners),
    NORMAL: g.accessor("VEC3", [0, 0, 1, 0, 0, 1, 0, 0, 1]),
    TANGENT: g.accessor("VEC4", [1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1]),
  }, {
    targets: [{
      POSITION: g.accessor("VEC3", deltas),
      NORMAL: g.accessor("VEC3", deltas),
      TANGENT: g.accessor("VEC3", deltas),
    }],
  });
  g.root({ mesh });
  const read = await meshIn(g);
  const same = transformMesh(read, scaling(1, 1, 1)).mesh;
  assertEquals(same.morphs, read.morphs);
  assertEquals(same.attributes, read.attributes);
  assertEquals([...read.morphs!.position], [...Float32Array.from(deltas)]);
});

Deno.test("A6: normalised integer normals are decoded, and come out as unit vectors", async () => {
  const g = triangle();
  g.json.meshes[0].primitives[0].attributes.NORMAL = g.accessor(
    "VEC3",
    [0, 0, 32767, 0, 32767, 0, -32767, 0, 0],
    TYPE.i16,
    { normalized: true },
  );
  // three shorts are no multiple of four bytes; the view says where the next begins
  const view = g.view(
    [0, 0, 32767, 0, 0, 32767, 0, 0, -32767, 0, 0, 0],
    TYPE.i16,
  );
  g.json.bufferViews[view].byteStride = 8;
  const { NORMAL } = g.json.meshes[0].primitives[0].attributes;
  g.json.accessors[NORMAL].bufferView = view;
  const { mesh } = await readGltf(g.glb());
  const same = transformMesh(mesh, scaling(1, 1, 1)).mesh;
  assertEquals([...same.attributes.normal!], [0, 0, 1, 0, 1, 0, -1, 0, 0]);
});

Deno.test("A7: a write that fails leaves the old file whole and no stray one", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/old.glb`;
    await Deno.writeTextFile(path, "old");
    const write = denoHost([]).write([
      { path, bytes: new Uint8Array(1 << 20) },
      { path: `${folder}/none/new.glb`, bytes: new Uint8Array(1) },
    ]);
    const error = await assertRejects(() => write, MeshError);
    assertEquals(error.code, "FILE-WRITE");
    assertEquals(await Deno.readTextFile(path), "old");
    assertEquals([...Deno.readDirSync(folder)].map((e) => e.name), ["old.glb"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("A8: JSON nested beyond the limit is refused in under 100 ms", async () => {
  for (const depth of [65, 1e3, 1e6]) {
    const text = `{"asset":{"version":"2.0"},"extras":${"[".repeat(depth)}${
      "]".repeat(depth)
    }}`;
    const bytes = encode(text);
    const start = performance.now();
    const error = await assertRejects(() => readGltf(bytes), MeshError);
    assertLess(performance.now() - start, 100);
    assertEquals(error.code, "GLTF-JSON");
  }
  // the object around them is the first level
  const allowed = `{"asset":{"version":"2.0"},"extras":${"[".repeat(63)}${
    "]".repeat(63)
  }}`;
  assertEquals((await readGltf(encode(allowed))).mesh.vertexCount, 0);
});

Deno.test("A9: a count that no bytes back is refused before memory is asked for", async () => {
  const g = triangle();
  g.json.accessors[0] = { componentType: TYPE.f32, type: "VEC3", count: 3e8 };
  const bytes = g.gltf();
  using watch = new AllocationWatch();
  await assertRejects(() => readGltf(bytes), MeshError);
  assertLess(watch.total, 1 << 20);
});

Deno.test("A10: flips and cuts give a mesh with indices in range or a MeshError", async () => {
  const g = triangle();
  g.json.meshes[0].primitives[0].indices = g.accessor(
    "SCALAR",
    [0, 1, 2],
    TYPE.u16,
  );
  const file = g.glb();
  let refused = 0;
  const hold = async (bytes: Uint8Array) => {
    try {
      const { mesh } = await readGltf(bytes);
      for (const { indices } of mesh.lods) {
        assert(!indices?.some((v) => v >= mesh.vertexCount));
      }
    } catch (error) {
      if (!(error instanceof MeshError)) throw error;
      assert(
        error.offset !== undefined || error.path !== undefined ||
          error.code === "GLTF-JSON",
        error.code,
      );
      refused++;
    }
  };
  for (let n = 0; n < file.length; n++) await hold(file.subarray(0, n));
  assertEquals(refused, file.length, "no cut file is whole");
  for (let bit = 0; bit < file.length * 8; bit += 3) {
    const flipped = file.slice();
    flipped[bit >> 3] ^= 1 << (bit & 7);
    await hold(flipped);
  }
});

Deno.test("A11: - is stdout, and nothing but the file goes there", async () => {
  const files = { "a.payload": sample("terrain.payload") };
  const ran = await cli("convert a.payload - --to gltf", { files });
  assertEquals(ran.code, 0);
  assertEquals(ran.writes, []);
  assertEquals(
    new DataView(ran.bytes.buffer).getUint32(8, true),
    ran.bytes.length,
  );
  assert(ran.err.length > 0, "the report is on stderr");
  const wrongUse = await cli("convert a.payload b.nothing", { files });
  assertEquals([wrongUse.code, wrongUse.out], [2, ""]);
});

Deno.test("A12: baked mirrors keep every triangle, and tangents that go are reported", async () => {
  const file = eightCubes().glb();
  const made = await convert(file, { to: "payload" });
  const mesh = payloadToMesh(readPayload(made.outputs[0]));
  assertEquals(wrong(mesh).winding, 0);
  const css = await convert(file, { to: "css", outName: "cubes" });
  assert(
    css.report.loss.some((l) => l.kind === "dropped" && l.what === "tangents"),
  );
});
