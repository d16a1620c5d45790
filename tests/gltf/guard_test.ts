import { assert, assertEquals, assertRejects } from "@std/assert";
import { readGltf } from "../../src/formats/gltf/mod.ts";
import { MeshError } from "../../src/core/errors.ts";
import type { Code } from "../../src/core/codes.ts";
import {
  encode,
  glb,
  type Loose,
  PlainGltf,
  triangle,
  TYPE,
} from "./plain_gltf.ts";

/** Expects a refusal with a code; gives the error. */
async function refused(bytes: Uint8Array, code: Code): Promise<MeshError> {
  const error = await assertRejects(() => readGltf(bytes), MeshError);
  assertEquals([error.code, error.format], [code, "gltf"], error.message);
  return error;
}

/** A triangle whose JSON a change has damaged, as GLB. */
function damaged(change: (json: Loose) => void): Uint8Array {
  const g = triangle();
  change(g.json);
  return g.glb();
}

Deno.test("readGltf() reads a sound triangle as GLB and as glTF", async () => {
  for (const bytes of [triangle().glb(), triangle().gltf()]) {
    const { mesh, notes } = await readGltf(bytes);
    assertEquals([mesh.vertexCount, notes], [3, []]);
    assertEquals([...mesh.lods[0].indices!], [0, 1, 2]);
    assertEquals([...mesh.attributes.position], [0, 0, 0, 1, 0, 0, 0, 1, 0]);
  }
});

Deno.test("readGltf() throws GLTF-HEADER when the GLB container does not fit", async () => {
  const good = triangle().glb();
  const change = (at: number, value: number) => {
    const out = good.slice();
    new DataView(out.buffer).setUint32(at, value, true);
    return out;
  };
  assertEquals((await refused(good.slice(0, 19), "GLTF-HEADER")).offset, 19);
  const long = await refused(change(8, good.length + 1), "GLTF-HEADER");
  assertEquals([long.offset, long.found], [8, good.length + 1]);
  await refused(change(8, 19), "GLTF-HEADER");
  await refused(change(12, good.length), "GLTF-HEADER");
  await refused(change(12, 0xffff_ffff), "GLTF-HEADER");
  assertEquals(
    (await refused(change(16, 0x004e4942), "GLTF-HEADER")).offset,
    16,
    "BIN first",
  );
  // a length that ends before the first chunk header
  const bare = glb(encode("{}"), new Uint8Array(0)).slice(0, 20);
  new DataView(bare.buffer).setUint32(8, 20, true);
  new DataView(bare.buffer).setUint32(12, 0, true);
  await refused(bare, "GLTF-JSON");
});

Deno.test("readGltf() ignores chunks that it does not know and a second BIN", async () => {
  const g = triangle();
  const base = g.glb();
  for (const type of ["WHAT", "BIN\0"]) {
    const out = new Uint8Array(base.length + 12);
    out.set(base);
    const view = new DataView(out.buffer);
    view.setUint32(8, out.length, true);
    view.setUint32(base.length, 4, true);
    out.set(encode(type), base.length + 4);
    const { mesh } = await readGltf(out);
    assertEquals(mesh.attributes.position[3], 1);
  }
});

Deno.test("readGltf() throws GLTF-VERSION for anything but 2.x", async () => {
  const out = triangle().glb();
  new DataView(out.buffer).setUint32(4, 1, true);
  const error = await refused(out, "GLTF-VERSION");
  assertEquals([error.offset, error.found], [4, 1]);
  for (const version of ["1.0", "2", 2, null, undefined, "2.0 ", "3.0"]) {
    const bytes = damaged((j) => j.asset.version = version);
    assertEquals(
      (await refused(bytes, "GLTF-VERSION")).path,
      "/asset/version",
    );
  }
  await readGltf(damaged((j) => j.asset.version = "2.1"));
});

Deno.test("readGltf() throws GLTF-JSON when the text is no JSON object or nested too deep", async () => {
  for (const text of ["", "{", "[]", "null", "5", '{"asset":}', "\xff"]) {
    await refused(encode(text), "GLTF-JSON");
  }
  await refused(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d), "GLTF-JSON");
  const nested = (depth: number) =>
    encode(
      `{"asset":{"version":"2.0"},"x":${"[".repeat(depth - 1)}${
        "]".repeat(depth - 1)
      }}`,
    );
  await readGltf(nested(64));
  const error = await refused(nested(65), "GLTF-JSON");
  assertEquals([error.found, error.allowed], [65, 64]);
  await refused(nested(1000), "GLTF-JSON");
  await refused(nested(1e6), "GLTF-JSON");
});

Deno.test("readGltf() says in its own words what stands in place of JSON, and where JSON breaks off", async () => {
  const chunk = (text: string) => glb(encode(text), new Uint8Array());
  const cases: [Uint8Array, found: unknown, offset: number, RegExp][] = [
    [encode(""), "nothing", 0, /begins with glTF.*key asset; found nothing$/],
    [encode(" \r\n"), "nothing", 3, /found nothing$/],
    [encode("solid cube"), '"solid cu"', 0, /found "solid cu"$/],
    [encode("\ufeff [1]"), '"[1]"', 4, /found "\[1\]"$/],
    [Uint8Array.of(0, 0xff), "the bytes 00 ff", 0, /found the bytes 00 ff$/],
    [chunk("5"), '"5   "', 20, /the JSON chunk of a GLB/],
    [encode('{"a":}'), "}", 5, /breaks off at byte 5, which is }$/],
    [encode('{"a":1'), "the end of the file", 6, /the end of the file$/],
    [encode("\ufeff{}}"), "}", 5, /at byte 5/],
    [encode('{"a":"\n"}'), "byte 0x0a", 6, /at byte 6/],
    [chunk('{"a":1,}'), "}", 27, /at byte 27/],
    [Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d), "byte 0xff", 2, /byte 2/],
  ];
  for (const [bytes, found, offset, message] of cases) {
    const error = await refused(bytes, "GLTF-JSON");
    assertEquals([error.found, error.offset], [found, offset]);
    assert(message.test(error.message), error.message);
    assert(error.allowed !== undefined);
  }
  const deep = await refused(chunk("{".repeat(70)), "GLTF-JSON");
  assertEquals(deep.offset, 20 + 64);
});

Deno.test("readGltf() names the field of an accessor that is wrong, and what is allowed there", async () => {
  const cases: [(j: Loose) => unknown, string, RegExp][] = [
    [
      (a) => delete a.componentType,
      "componentType",
      /is nothing, .* 5120, 5121/,
    ],
    [(a) => a.componentType = [1], "componentType", /is an array, allowed/],
    [(a) => delete a.type, "type", /is nothing, allowed is SCALAR, VEC2/],
    [(a) => a.type = "VEC5", "type", /is "VEC5", allowed is SCALAR/],
    [(a) => delete a.count, "count", /is nothing, allowed is a whole number/],
    [(a) => a.bufferView = "x", "bufferView", /is "x", allowed is 0 to/],
  ];
  for (const [change, key, message] of cases) {
    const bytes = damaged((j) => change(j.accessors[0]));
    const error = await refused(bytes, "GLTF-STRUCTURE");
    assertEquals(error.path, `/accessors/0/${key}`);
    assert(message.test(error.message), error.message);
  }
});

Deno.test("readGltf() counts no brackets inside strings", async () => {
  const g = triangle();
  g.json.asset.copyright = `${"[{".repeat(100)} \\" \\\\ ]`;
  await readGltf(g.glb());
});

Deno.test("readGltf() reads a file with a byte order mark and white space", async () => {
  const json = JSON.parse(new TextDecoder().decode(triangle().gltf()));
  const text = JSON.stringify(json, null, 2).replaceAll("\n", "\r\n");
  const { mesh } = await readGltf(encode(`\ufeff\r\n ${text}`));
  assertEquals(mesh.vertexCount, 3);
});

Deno.test("readGltf() throws GLTF-UNSUPPORTED for a required extension that changes geometry, not for one of materials", async () => {
  const required = (...names: unknown[]) =>
    damaged((j) => j.extensionsRequired = names);
  for (
    const name of [
      "KHR_draco_mesh_compression",
      "EXT_meshopt_compression",
      "EXT_mesh_gpu_instancing",
      "ACME_gizmo",
      7,
    ]
  ) {
    const error = await refused(required(name), "GLTF-UNSUPPORTED");
    assertEquals(error.found, [name]);
  }
  await refused(damaged((j) => j.extensionsRequired = 5), "GLTF-UNSUPPORTED");
  await readGltf(required("KHR_mesh_quantization", "MSFT_lod"));
  await readGltf(
    required(
      "KHR_materials_unlit",
      "KHR_texture_transform",
      "KHR_lights_punctual",
      "EXT_texture_webp",
    ),
  );
});

Deno.test("readGltf() throws GLTF-EXTERNAL for a file that it was not given, and reads the one that it was", async () => {
  const g = triangle();
  for (const uri of ["mesh.bin", "../mesh.bin", "http://host/mesh.bin"]) {
    const error = await refused(g.gltf(uri), "GLTF-EXTERNAL");
    assertEquals([error.path, error.found], ["/buffers/0/uri", uri]);
    const { mesh } = await readGltf(g.gltf(uri), {
      resources: { [uri]: g.bin },
    });
    assertEquals(mesh.vertexCount, 3);
  }
  // names of the object prototype are no files
  await refused(g.gltf("constructor"), "GLTF-EXTERNAL");
  await refused(g.gltf("__proto__"), "GLTF-EXTERNAL");
});

Deno.test("readGltf() throws GLTF-STRUCTURE for data URIs that do not decode", async () => {
  for (
    const uri of [
      "data:",
      "data:application/octet-stream;base64",
      "data:application/octet-stream;base64,@@@@",
      "data:application/octet-stream;base64,AAA=A",
      "data:,%zz",
      "data:application/octet-stream;base64,AAAA", // 3 of 36 bytes
    ]
  ) await refused(triangle().gltf(uri), "GLTF-STRUCTURE");
  // percent-encoded bytes are fine
  const g = triangle();
  const percent = [...g.bin].map((b) => `%${b.toString(16).padStart(2, "0")}`);
  const { mesh } = await readGltf(g.gltf(`data:,${percent.join("")}`));
  assertEquals(mesh.attributes.position[3], 1);
});

Deno.test("readGltf() throws GLTF-INDEX-RANGE for an index that names no vertex", async () => {
  for (
    const [values, type] of [[[0, 1, 3], TYPE.u8], [
      [0, 1, 65535],
      TYPE.u16,
    ]] as const
  ) {
    const g = triangle();
    g.json.meshes[0].primitives[0].indices = g.accessor("SCALAR", values, type);
    const error = await refused(g.glb(), "GLTF-INDEX-RANGE");
    assertEquals([error.found, error.allowed], [values[2], "< 3"]);
  }
});

Deno.test("readGltf() throws GLTF-INDEX-RANGE for a sparse index that names no element", async () => {
  for (const index of [3, 0xffff]) {
    const g = triangle();
    g.json.meshes[0].primitives[0].targets = [{
      POSITION: g.sparse("VEC3", 3, [index], [1, 1, 1]),
    }];
    const error = await refused(g.glb(), "GLTF-INDEX-RANGE");
    assertEquals([error.found, error.path], [
      index,
      "/accessors/1/sparse/indices",
    ]);
  }
});

Deno.test("readGltf() throws LIMIT-EXCEEDED for each limit that a file passes", async () => {
  const g = triangle();
  g.json.meshes[0].primitives[0].targets = [
    { POSITION: g.sparse("VEC3", 3, [1], [1, 0, 0]) },
    {},
  ];
  const joint = g.node({});
  g.json.skins = [{ joints: [joint, g.node({})] }];
  g.json.nodes[0].skin = 0;
  g.json.nodes[0].extensions = { MSFT_lod: { ids: [joint] } };
  const bytes = g.glb();
  await readGltf(bytes);
  const limits = {
    maxInputBytes: bytes.length - 1,
    maxVertices: 2,
    maxIndices: 2,
    maxMorphTargets: 1,
    maxMorphDeltas: 5,
    maxJoints: 1,
    maxLods: 1,
  };
  for (const [name, value] of Object.entries(limits)) {
    const error = await assertRejects(
      () => readGltf(bytes, { limits: { [name]: value } }),
      MeshError,
    );
    assertEquals(
      [error.code, error.path, error.format],
      ["LIMIT-EXCEEDED", name, "gltf"],
    );
    await readGltf(bytes, { limits: { [name]: value + 1 } });
  }
  const deep = await assertRejects(
    () => readGltf(bytes, { limits: { maxJsonDepth: 2 } }),
    MeshError,
  );
  assertEquals(deep.code, "GLTF-JSON");
});

/** Every way to contradict the file, with the place that the error names. */
const CONTRADICTIONS: [path: string, change: (json: Loose) => void][] = [
  ["/asset", (j) => j.asset = 5],
  ["/scenes", (j) => j.scenes = {}],
  ["/nodes", (j) => j.nodes = [null]],
  ["/meshes", (j) => j.meshes = "x"],
  ["/buffers", (j) => j.buffers = [[]]],
  ["/buffers/0/byteLength", (j) => j.buffers = [{ byteLength: -1 }]],
  ["/buffers/0/byteLength", (j) => j.buffers = [{ byteLength: 1.5 }]],
  ["/buffers/0", (j) => j.buffers = [{ byteLength: 37 }]],
  ["/buffers/0", (j) => j.buffers = [{ byteLength: 36, uri: 5 }]],
  [
    "/buffers/1",
    (j) => j.buffers = [{ byteLength: 36 }, { byteLength: 1 }],
  ],
  ["/bufferViews/0/buffer", (j) => j.bufferViews[0].buffer = 1],
  ["/bufferViews/0/buffer", (j) => delete j.bufferViews[0].buffer],
  ["/bufferViews/0", (j) => j.bufferViews[0].byteLength = 37],
  ["/bufferViews/0", (j) => j.bufferViews[0].byteOffset = 2 ** 53 - 1],
  ["/bufferViews/0/byteLength", (j) => j.bufferViews[0].byteLength = 2 ** 53],
  ["/bufferViews/0/byteStride", (j) => j.bufferViews[0].byteStride = 3],
  ["/bufferViews/0/byteStride", (j) => j.bufferViews[0].byteStride = 256],
  ["/accessors/0", (j) => j.bufferViews[0].byteStride = 16],
  ["/accessors/0/componentType", (j) => j.accessors[0].componentType = 5124],
  [
    "/accessors/0/componentType",
    (j) => j.accessors[0].componentType = "constructor",
  ],
  ["/accessors/0/type", (j) => j.accessors[0].type = "VEC5"],
  ["/accessors/0/type", (j) => j.accessors[0].type = "toString"],
  ["/accessors/0/count", (j) => j.accessors[0].count = 0],
  ["/accessors/0/count", (j) => j.accessors[0].count = -1],
  ["/accessors/0", (j) => j.accessors[0].count = 4],
  ["/accessors/0", (j) => j.accessors[0].count = 2 ** 31],
  ["/accessors/0", (j) => j.accessors[0].count = 2 ** 32 + 3],
  ["/accessors/0", (j) => j.accessors[0].count = 2 ** 53 - 1],
  ["/accessors/0/count", (j) => j.accessors[0].count = 2 ** 62],
  ["/accessors/0", (j) => j.accessors[0].byteOffset = 4],
  [
    "/accessors/0",
    (j) => Object.assign(j.accessors[0], { byteOffset: 2, count: 2 }),
  ],
  ["/accessors/0/bufferView", (j) => j.accessors[0].bufferView = 9],
  ["/accessors/0/sparse", (j) => j.accessors[0].sparse = 1],
  ["/accessors/0/sparse", (j) => j.accessors[0].sparse = { count: 1 }],
  [
    "/accessors/0/sparse/count",
    (j) => j.accessors[0].sparse = { count: 4, indices: {}, values: {} },
  ],
  [
    "/accessors/0/sparse/indices/componentType",
    (j) =>
      j.accessors[0].sparse = {
        count: 1,
        indices: { bufferView: 0, componentType: 5126 },
        values: { bufferView: 0 },
      },
  ],
  [
    "/accessors/0/sparse/values/bufferView",
    (j) =>
      j.accessors[0].sparse = {
        count: 1,
        indices: { bufferView: 0, componentType: 5125 },
        values: {},
      },
  ],
  [
    "/accessors/0/sparse/values",
    (j) =>
      j.accessors[0].sparse = {
        count: 1,
        indices: { bufferView: 0, componentType: 5125 },
        values: { bufferView: 0, byteOffset: 28 },
      },
  ],
  ["/meshes/0/primitives", (j) => j.meshes[0].primitives = {}],
  ["/meshes/0/primitives/0/mode", (j) => j.meshes[0].primitives[0].mode = 7],
  [
    "/meshes/0/primitives/0/attributes",
    (j) => delete j.meshes[0].primitives[0].attributes,
  ],
  [
    "/meshes/0/primitives/0/attributes/NORMAL",
    (j) => j.meshes[0].primitives[0].attributes.NORMAL = 1,
  ],
  [
    "/meshes/0/primitives/0/indices",
    (j) => j.meshes[0].primitives[0].indices = 1,
  ],
  [
    "/meshes/0/primitives/0/indices",
    (j) => j.meshes[0].primitives[0].indices = 0,
  ],
  [
    "/meshes/0/primitives/0/material",
    (j) => j.meshes[0].primitives[0].material = 0,
  ],
  [
    "/meshes/0/primitives/0/targets",
    (j) => j.meshes[0].primitives[0].targets = [5],
  ],
  [
    "/meshes/0/primitives/0/targets/0/POSITION",
    (j) => j.meshes[0].primitives[0].targets = [{ POSITION: "0" }],
  ],
  ["/nodes/0/mesh", (j) => j.nodes[0].mesh = 1],
  ["/nodes/0/skin", (j) => j.nodes[0].skin = 0],
  ["/nodes/0/children", (j) => j.nodes[0].children = 1],
  ["/nodes/0/children/0", (j) => j.nodes[0].children = [1]],
  ["/nodes/0/children/1", (j) => {
    j.nodes.push({});
    j.nodes[0].children = [1, -1];
  }],
  ["/nodes/0/translation", (j) => j.nodes[0].translation = [0, 0]],
  ["/nodes/0/rotation", (j) => j.nodes[0].rotation = [0, 0, 0, "1"]],
  ["/nodes/0/scale", (j) => j.nodes[0].scale = [1, null, 1]],
  ["/nodes/0/matrix", (j) => j.nodes[0].matrix = new Array(15).fill(0)],
  ["/nodes/0", (j) => j.nodes[0].children = [0]],
  ["/nodes/0", (j) => {
    j.nodes.push({ children: [2] }, { children: [0] });
    j.nodes[0].children = [1];
  }],
  ["/nodes/1/children", (j) => {
    j.nodes.push({ children: [2] }, {});
    j.nodes[0].children = [2];
  }],
  ["/nodes/0/children", (j) => {
    j.nodes.push({});
    j.nodes[0].children = [1, 1];
  }],
  [
    "/nodes/0/extensions/MSFT_lod",
    (j) => j.nodes[0].extensions = { MSFT_lod: 1 },
  ],
  [
    "/nodes/0/extensions/MSFT_lod/ids/0",
    (j) => j.nodes[0].extensions = { MSFT_lod: { ids: [1] } },
  ],
  ["/scenes/0/nodes/0", (j) => j.scenes[0].nodes = [1]],
  ["/scene", (j) => j.scene = 1],
  ["/skins/0/joints/0", (j) => j.skins = [{ joints: [7] }]],
  ["/skins/0/skeleton", (j) => j.skins = [{ joints: [0], skeleton: 7 }]],
  [
    "/skins/0/inverseBindMatrices",
    (j) => j.skins = [{ joints: [0], inverseBindMatrices: 0 }],
  ],
  [
    "/skins/0/inverseBindMatrices",
    (j) => j.skins = [{ joints: [0], inverseBindMatrices: 4 }],
  ],
];

for (const [path, change] of CONTRADICTIONS) {
  const text = String(change).replace(/\s+/g, " ").replace(/^\(j\) => /, "");
  Deno.test(`readGltf() throws GLTF-STRUCTURE at ${path} after ${text}`, async () => {
    const error = await refused(damaged(change), "GLTF-STRUCTURE");
    assertEquals(error.path, path);
    assert(error.message.length > 20);
  });
}

Deno.test("readGltf() throws GLTF-STRUCTURE for attributes of different lengths", async () => {
  const g = triangle();
  g.json.meshes[0].primitives[0].attributes.NORMAL = g.accessor("VEC3", [
    ...[0, 0, 1],
    ...[0, 0, 1],
  ]);
  const error = await refused(g.glb(), "GLTF-STRUCTURE");
  assertEquals([error.found, error.allowed], [2, 3]);
});

Deno.test("readGltf() throws GLTF-STRUCTURE when a node tree is deeper than 1000 or its transforms overflow", async () => {
  const chain = (length: number) => {
    const g = new PlainGltf();
    const mesh = g.mesh({ POSITION: g.accessor("VEC3", [0, 0, 0]) });
    let child = g.node({ mesh });
    for (let i = 0; i < length; i++) child = g.node({ children: [child] });
    g.json.scenes[0].nodes.push(child);
    return g.glb();
  };
  assertEquals((await readGltf(chain(1000))).mesh.vertexCount, 1);
  await refused(chain(1001), "GLTF-STRUCTURE");
  const g = triangle();
  Object.assign(g.json.nodes[0], { scale: [1e200, 1, 1] });
  g.json.nodes.push({ children: [0], scale: [1e200, 1, 1] });
  g.json.scenes[0].nodes = [1];
  await refused(g.glb(), "GLTF-STRUCTURE");
});

Deno.test("readGltf() throws GLTF-STRUCTURE for 5 inverse binds of 6 joints, not for a skin without joints", async () => {
  const g = triangle();
  const joints = Array.from({ length: 6 }, () => g.root({}));
  const one = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  g.json.skins = [{
    joints,
    inverseBindMatrices: g.accessor("MAT4", new Array(5).fill(one).flat()),
  }];
  await refused(g.glb(), "GLTF-STRUCTURE");
  g.json.skins[0].joints = undefined;
  g.json.nodes[0].skin = 0;
  const { mesh } = await readGltf(g.glb());
  assertEquals(mesh.skeleton, []);
});
