import { assert, assertEquals, assertThrows } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import type { Mesh, MeshJoint } from "../../src/core/mesh.ts";
import {
  meshToPayload,
  payloadToMesh,
  readPayload,
  writePayload,
} from "../../src/formats/payload/mod.ts";
import { corpusBytes, corpusJson, corpusTest } from "../corpus.ts";
import { assertSameBytes } from "../same_bytes.ts";
import {
  type PlainJoint,
  putHeightfield,
  putLods,
  putMorphs,
  skinnedPart,
  staticPart,
} from "./plain_payload.ts";

const ground = () =>
  putHeightfield(
    putLods(staticPart(4, [0, 1, 2, 2, 1, 3]), [[8, [0, 1, 3]], [16, []]]),
    2,
    2,
    [0, 1, 2, 3],
  ).bytes;

const figure = (joints: PlainJoint[] = [
  { name: "root", parent: -1 },
  { name: "tip", parent: 0, trs: [1, 2, 3, 10, -20, 30, 1, 2, 0.5] },
]) =>
  putLods(
    putMorphs(skinnedPart(3, [0, 1, 2], joints), 3, ["smile"], [
      [0, 0, 0.5, 0, 0, 0, 0, 0],
      [2, 0, 0, 0, 0.25, 0, 0, -0.5],
    ]),
    [[8, [0, 2, 1]]],
  ).bytes;

Deno.test("payloadToMesh() gives a static payload with alpha 1 and tangent sign 1", () => {
  const file = readPayload(ground());
  const mesh = payloadToMesh(file);
  assert(file.kind === "static");
  assertEquals(mesh.basis, "payload");
  assertEquals(mesh.vertexCount, 4);
  assertEquals(mesh.skeleton, null);
  assertEquals(mesh.morphs, null);
  assertEquals(mesh.influences, 0);
  assertEquals("joints" in mesh.attributes, false);
  assertEquals(mesh.heightfield, file.heightfield);
  assertSameBytes(mesh.attributes.position, file.vertices.pos);
  assertSameBytes(mesh.attributes.normal!, file.vertices.normal);
  assertSameBytes(mesh.attributes.uvs[0], file.vertices.uv);
  for (let v = 0; v < 4; v++) {
    const [tangent, color] = [mesh.attributes.tangent!, mesh.attributes.color!]
      .map((a) => [...a.subarray(v * 4, v * 4 + 4)]);
    assertEquals(tangent, [
      ...file.vertices.tangent.subarray(v * 3, v * 3 + 3),
      1,
    ]);
    assertEquals(color, [
      ...file.vertices.color.subarray(v * 3, v * 3 + 3),
      1,
    ]);
  }
  assertEquals(
    mesh.lods.map((l) => [l.switchDistance, [...l.indices!]]),
    [[null, [0, 1, 2, 2, 1, 3]], [8, [0, 1, 3]], [16, []]],
  );
});

Deno.test("payloadToMesh() gives a skinned payload with joints, weights and morphs", () => {
  const file = readPayload(figure());
  assert(file.kind === "skinned");
  const mesh = payloadToMesh(file);
  assertEquals(mesh.influences, 4);
  assertSameBytes(mesh.attributes.joints!, file.vertices.joints);
  assertSameBytes(mesh.attributes.weights!, file.vertices.weights);
  assertEquals(mesh.morphs, file.morphs);
  assertEquals(mesh.heightfield, null);
  assertEquals(mesh.skeleton!.map((j) => [j.name, j.parent]), [
    ["root", -1],
    ["tip", 0],
  ]);
  assertEquals(mesh.skeleton![1].translation, [1, 2, 3]);
  assertEquals(mesh.skeleton![1].scale, [1, 2, 0.5]);
  assertEquals(mesh.skeleton![1].rotationDeg, [10, -20, 30]);
});

Deno.test("payloadToMesh() makes a joint a root when its parent does not stand before it", () => {
  const joints = [0, 3, -42, 2, 4].map((parent, i) => ({
    name: `j${i}`,
    parent,
  }));
  const mesh = payloadToMesh(readPayload(figure(joints)));
  assertEquals(mesh.skeleton!.map((j) => j.parent), [-1, -1, -1, 2, -1]);
});

Deno.test("meshToPayload() gives the same bytes when a clean payload went through the mesh", () => {
  for (const bytes of [ground(), figure(), staticPart(0, []).bytes]) {
    const again = meshToPayload(payloadToMesh(readPayload(bytes)));
    assertSameBytes(writePayload(again), bytes);
  }
});

corpusTest(
  "meshToPayload() gives every canonical corpus file byte for byte after a way through the mesh",
  () => {
    const index = corpusJson<{ file: string; tags: string[] }[]>(
      "payload/INDEX.json",
    );
    let checked = 0;
    for (const { file, tags } of index) {
      if (!tags.some((t) => t.startsWith("canonical"))) continue;
      // parents that engines ignore become roots, and NaN distances have one spelling in a mesh
      if (/parent|nan_distance/.test(file)) continue;
      const bytes = corpusBytes(`payload/${file}`);
      const again = meshToPayload(payloadToMesh(readPayload(bytes)));
      assertSameBytes(writePayload(again), bytes, file);
      checked++;
    }
    assert(checked > 25, `only ${checked} files`);
  },
);

function plainMesh(changes: Partial<Mesh> = {}): Mesh {
  return {
    ...payloadToMesh(readPayload(staticPart(3, [0, 1, 2]).bytes)),
    ...changes,
  };
}

Deno.test("meshToPayload() fills in white and texture coordinate zero when a mesh has neither", () => {
  const mesh = plainMesh();
  delete mesh.attributes.color;
  mesh.attributes.uvs = [];
  const { vertices } = meshToPayload(mesh);
  assertEquals([...vertices.color], new Array(9).fill(1));
  assertEquals([...vertices.uv], new Array(6).fill(0));
});

Deno.test("meshToPayload() hangs vertices on joint 0 when a skeleton has no weights", () => {
  const joint: MeshJoint = {
    name: "a",
    parent: -1,
    translation: [0, 0, 0],
    // 90 degrees about Y
    rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2],
    scale: [1, 1, 1],
  };
  const file = meshToPayload(plainMesh({ skeleton: [joint] }));
  assert(file.kind === "skinned");
  assertEquals([...file.vertices.joints], new Array(12).fill(0));
  assertEquals([...file.vertices.weights.subarray(0, 5)], [1, 0, 0, 0, 1]);
  const [pitch, yaw, roll] = file.joints[0].rotationDeg;
  for (const [got, want] of [[pitch, 0], [yaw, 90], [roll, 0]]) {
    assert(Math.abs(got - want) < 1e-5, `${got} for ${want}`);
  }
  readPayload(writePayload(file));
});

Deno.test("meshToPayload() writes zero normal deltas when the mesh's morphs have none", () => {
  const mesh = payloadToMesh(readPayload(figure()));
  mesh.morphs = { ...mesh.morphs!, normal: null };
  const file = meshToPayload(mesh);
  assert(file.kind === "skinned");
  assertEquals(file.morphBlock, "MRPS");
  assertEquals([...file.morphs.normal], new Array(6).fill(0));
});

Deno.test("meshToPayload() writes no morph block when the mesh has no targets", () => {
  const mesh = payloadToMesh(readPayload(figure()));
  for (const morphs of [null, { ...mesh.morphs!, names: [] }]) {
    const file = meshToPayload({ ...mesh, morphs });
    assert(file.kind === "skinned");
    assertEquals([file.morphBlock, file.morphs.names], ["none", []]);
  }
});

Deno.test("meshToPayload() writes an empty level when a level is a cloud of points", () => {
  const file = meshToPayload(plainMesh({
    lods: [{ indices: null, groups: [], switchDistance: null }, {
      indices: null,
      groups: [],
      switchDistance: null,
    }],
  }));
  assertEquals(file.indices.length, 0);
  assertEquals(file.lodAlternates, [{
    switchDistance: 0,
    indices: new Uint16Array(0),
  }]);
});

Deno.test("meshToPayload() throws PAYLOAD-VERTEX-COUNT with both numbers when there are too many vertices", () => {
  const n = 65_537;
  const error = assertThrows(
    () => meshToPayload(plainMesh({ vertexCount: n })),
    MeshError,
    "the option split does",
  );
  assertEquals(error.code, "PAYLOAD-VERTEX-COUNT");
  assertEquals([error.found, error.allowed], [n, 65_536]);
});

Deno.test("meshToPayload() holds 65,536 vertices and names the last one by 65,535", () => {
  const n = 65_536;
  const file = meshToPayload(plainMesh({
    vertexCount: n,
    attributes: {
      position: new Float32Array(n * 3),
      normal: new Float32Array(n * 3),
      tangent: new Float32Array(n * 4),
      uvs: [],
    },
    lods: [{
      indices: Uint32Array.of(0, 1, 65_535),
      groups: [],
      switchDistance: null,
    }],
  }));
  const again = readPayload(writePayload(file));
  assertEquals(again.vertices.count, n);
  assertEquals([...again.indices], [0, 1, 65_535]);
});

Deno.test("meshToPayload() throws PAYLOAD-INDEX-WIDTH when an index does not fit 16 bits", () => {
  const level = (...indices: number[]) => ({
    indices: Uint32Array.from(indices),
    groups: [],
    switchDistance: null,
  });
  const error = assertThrows(
    () => meshToPayload(plainMesh({ lods: [level(0), level(1, 65_536)] })),
    MeshError,
  );
  assertEquals(error.code, "PAYLOAD-INDEX-WIDTH");
  assertEquals([error.path, error.found], ["lods/1/indices/1", 65_536]);
});

Deno.test("meshToPayload() refuses a mesh when it lacks normals or tangents or has other than four influences", () => {
  const without = (name: "normal" | "tangent") => {
    const mesh = plainMesh();
    delete mesh.attributes[name];
    return mesh;
  };
  const three = payloadToMesh(readPayload(figure()));
  three.influences = 3;
  for (
    const [mesh, path] of [
      [without("normal"), "normals"],
      [without("tangent"), "tangents"],
      [three, "influences"],
    ] as const
  ) {
    const error = assertThrows(() => meshToPayload(mesh), MeshError);
    assertEquals([error.code, error.path], ["ARGUMENT", path]);
  }
});
