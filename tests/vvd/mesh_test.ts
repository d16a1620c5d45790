import { assertEquals, assertThrows } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import {
  meshToVvd,
  readVvd,
  vvdToMesh,
  writeVvd,
} from "../../src/formats/vvd/mod.ts";
import { Random } from "../random.ts";
import { assertSameBytes } from "../same_bytes.ts";
import {
  plainRecords,
  plainReplay,
  plainSplit,
  plainTangents,
  plainVvd,
} from "./plain_vvd.ts";

const file = () =>
  plainVvd({
    counts: [7, 3],
    fixups: [[1, 0, 2], [0, 3, 2], [1, 2, 1], [0, 5, 2]],
    vertices: plainRecords(7),
    tangents: plainTangents(7),
  });

Deno.test("vvdToMesh() gives the replayed pool as points in Source's axes", () => {
  for (const r of [0, 1]) {
    const mesh = vvdToMesh(readVvd(file()), r);
    const expected = plainSplit(file(), plainReplay(file(), r));
    assertEquals(mesh.basis, "source");
    assertEquals(mesh.vertexCount, r === 0 ? 7 : 3);
    assertEquals(mesh.influences, 3);
    assertEquals(mesh.lods, [{
      indices: null,
      groups: [],
      switchDistance: null,
    }]);
    assertEquals(mesh.skeleton, null);
    assertSameBytes(mesh.attributes.position, expected.position);
    assertSameBytes(mesh.attributes.normal!, expected.normal);
    assertSameBytes(mesh.attributes.tangent!, expected.tangent!);
    assertSameBytes(mesh.attributes.uvs[0], expected.uv);
    // the plain records hold zeros past numbones
    assertSameBytes(mesh.attributes.weights!, expected.weights);
  }
});

Deno.test("vvdToMesh() has no tangents when the file has none", () => {
  const bare = plainVvd({ counts: [2], vertices: plainRecords(2) });
  assertEquals("tangent" in vvdToMesh(readVvd(bare), 0).attributes, false);
});

Deno.test("vvdToMesh() carries no weight past numbones, and is rigid to bone 0 when there are no bones", () => {
  const records = plainRecords(5);
  const view = new DataView(records.buffer);
  const claims = [0, 1, 2, 3, 9];
  claims.forEach((n, v) => {
    for (let k = 0; k < 3; k++) {
      view.setFloat32(v * 48 + 4 * k, [0.5, 0.3, 0.2][k], true);
      records[v * 48 + 12 + k] = [200, 4, 5][k];
    }
    records[v * 48 + 15] = n;
  });
  const mesh = vvdToMesh(
    readVvd(plainVvd({ counts: [5], vertices: records })),
    0,
  );
  const [a, b, c] = [0.5, 0.3, 0.2].map(Math.fround);
  assertEquals([...mesh.attributes.weights!], [
    ...[1, 0, 0],
    ...[a, 0, 0],
    ...[a, b, 0],
    ...[a, b, c],
    ...[a, b, c],
  ]);
  assertEquals([...mesh.attributes.joints!], [
    ...[0, 0, 0],
    ...[200, 0, 0],
    ...[200, 4, 0],
    ...[200, 4, 5],
    ...[200, 4, 5],
  ]);
});

Deno.test("meshToVvd() gives the same records when a clean VVD went through the mesh", () => {
  const vvd = readVvd(plainVvd({
    counts: [60],
    vertices: plainRecords(60),
    tangents: plainTangents(60),
    checksum: 0xfeedf00d,
  }));
  const again = meshToVvd(vvdToMesh(vvd, 0), 0xfeedf00d);
  assertSameBytes(again.vertexData!, plainRecords(60));
  assertSameBytes(again.tangentData!, plainTangents(60));
  assertSameBytes(writeVvd(again), writeVvd(vvd));
});

const points = (changes: Partial<Mesh> = {}): Mesh => ({
  name: "",
  basis: "source",
  vertexCount: 2,
  attributes: { position: Float32Array.of(1, 2, 3, 4, 5, 6), uvs: [] },
  influences: 0,
  lods: [{ indices: null, groups: [], switchDistance: null }],
  materials: [],
  morphs: null,
  skeleton: null,
  heightfield: null,
  ...changes,
});

Deno.test("meshToVvd() makes vertices rigid to bone 0 when the mesh has positions alone", () => {
  const vvd = readVvd(writeVvd(meshToVvd(points())));
  assertEquals(vvd.tangentData, null);
  assertEquals(vvd.numLODVertexes, new Array(8).fill(2));
  const split = plainSplit(writeVvd(vvd), [0, 1]);
  const floats = (bits: Uint32Array) => [...new Float32Array(bits.buffer)];
  assertEquals(floats(split.position), [1, 2, 3, 4, 5, 6]);
  assertEquals(floats(split.weights), [1, 0, 0, 1, 0, 0]);
  assertEquals([...split.bones], [0, 0, 0, 1, 0, 0, 0, 1]);
  assertEquals(floats(split.normal), new Array(6).fill(0));
  assertEquals(floats(split.uv), new Array(4).fill(0));
});

Deno.test("meshToVvd() copies tangents when they are a view into a larger array", () => {
  const wide = new Random(5).floats(3 + 8, -1, 1);
  const tangent = wide.subarray(3);
  const mesh = points();
  mesh.attributes.tangent = tangent;
  assertSameBytes(meshToVvd(mesh).tangentData!, tangent);
});

Deno.test("meshToVvd() refuses a mesh when a vertex has more influences than a record holds", () => {
  const mesh = points({ influences: 4 });
  mesh.attributes.joints = Uint16Array.of(1, 2, 3, 4, 1, 0, 0, 0);
  mesh.attributes.weights = Float32Array.of(0.4, 0.3, 0.2, 0.1, 1, 0, 0, 0);
  assertEquals(assertThrows(() => meshToVvd(mesh), MeshError).code, "ARGUMENT");
});

Deno.test("meshToVvd() refuses a mesh when a bone number does not fit a byte", () => {
  const mesh = points({ influences: 1 });
  mesh.attributes.joints = Uint16Array.of(255, 256);
  mesh.attributes.weights = Float32Array.of(1, 1);
  assertEquals(assertThrows(() => meshToVvd(mesh), MeshError).code, "ARGUMENT");
});
