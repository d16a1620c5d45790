import { assert, assertEquals, assertThrows } from "@std/assert";
import type { Code } from "../../src/core/codes.ts";
import { MeshError } from "../../src/core/errors.ts";
import {
  halfToFloat,
  materialPaths,
  readMdl,
  readSourceModel,
  readVtx,
  readVvc,
} from "../../src/formats/mdl/mod.ts";
import { decodeName } from "../../src/formats/mdl/tables.ts";
import {
  buildFixture,
  fixtureVtx,
  halfBits,
  oneModel,
  square,
} from "./build_fixture.ts";
import { plainVtx } from "./plain_vtx.ts";

const files = buildFixture(
  oneModel([{ ...square(), groups: 2 }, square(5)], {
    name: "props/lamp.mdl",
    textures: ["Lamp", "Shade"],
    texturePaths: ["models\\Props\\", "", "/a//b"],
    bones: [
      { name: "root", position: [1, 2, 3] },
      { name: "tip", parent: 0, quaternion: [0, 0, 1, 0] },
    ],
  }),
);

/** A copy with some 32-bit words replaced. */
function patched(
  bytes: Uint8Array,
  ...words: [at: number, value: number][]
): Uint8Array<ArrayBuffer> {
  const out = bytes.slice();
  for (const [at, value] of words) {
    new DataView(out.buffer).setInt32(at, value, true);
  }
  return out;
}

const i32 = (bytes: Uint8Array<ArrayBuffer>, at: number) =>
  new DataView(bytes.buffer).getInt32(at, true);

function fails(work: () => unknown, code: Code, offset?: number): MeshError {
  const error = assertThrows(work, MeshError);
  assertEquals(error.code, code, error.message);
  assertEquals(error.format, "mdl");
  if (offset !== undefined) assertEquals(error.offset, offset);
  return error;
}

Deno.test("readMdl() reads header, bones, textures and body parts", () => {
  const mdl = readMdl(files.mdl);
  assertEquals(mdl.name, "props/lamp.mdl");
  assertEquals(mdl.length, files.mdl.length);
  assertEquals(mdl.checksum, 0x5ca1ab1e);
  assertEquals(mdl.bones.map((b) => [b.name, b.parent, b.position]), [
    ["root", -1, [1, 2, 3]],
    ["tip", 0, [0, 0, 0]],
  ]);
  assertEquals(mdl.bones[1].quaternion, [0, 0, 1, 0]);
  assertEquals(mdl.textures, ["Lamp", "Shade"]);
  assertEquals(mdl.skinFamilies, [[0, 1]]);
  const [part] = mdl.bodyParts;
  assertEquals([part.name, part.base, part.models.length], ["body", 1, 1]);
  assertEquals(
    part.models[0].meshes.map((m) => [m.vertexCount, m.vertexOffset]),
    [[4, 0], [4, 4]],
  );
  assertEquals(mdl.notes, []);
});

Deno.test("readMdl() reads from a view that begins anywhere", () => {
  const wide = new Uint8Array(files.mdl.length + 7);
  wide.set(files.mdl, 3);
  assertEquals(
    readMdl(wide.subarray(3, 3 + files.mdl.length)),
    readMdl(files.mdl),
  );
});

Deno.test("readMdl() refuses a file that ends in its header", () => {
  fails(() => readMdl(files.mdl.slice(0, 407)), "MDL-TRUNCATED", 407);
  fails(() => readMdl(files.mdl.slice(0, 4)), "MDL-TRUNCATED", 4);
});

/** Tables of the header: where their number stands, and how large a record is. */
const TABLES: [name: string, at: number, size: number][] = [
  ["bones", 156, 216],
  ["textures", 204, 64],
  ["texture folders", 212, 4],
  ["body parts", 232, 16],
  ["flexdescs", 260, 4],
  ["flex controllers", 268, 20],
  ["include models", 336, 8],
];

Deno.test("readMdl() refuses counts below zero and tables outside the file", () => {
  for (const [name, at, size] of TABLES) {
    fails(() => readMdl(patched(files.mdl, [at, -1])), "MDL-COUNT", at);
    for (
      const [count, start] of [
        [1, files.mdl.length - size + 1],
        [1, -size],
        [0x7fffffff, 408],
        [2, 0x7fffffff],
      ]
    ) {
      const code = at === 156 && count > 65_536
        ? "LIMIT-EXCEEDED"
        : "MDL-RANGE";
      const error = fails(
        () => readMdl(patched(files.mdl, [at, count], [at + 4, start])),
        code,
      );
      if (code === "MDL-RANGE") assertEquals(error.path, name);
    }
    // an empty table may point anywhere
    const empty = patched(files.mdl, [at, 0], [at + 4, -1]);
    assertEquals(readMdl(empty).version, 48);
  }
});

Deno.test("readMdl() refuses skin tables outside the file", () => {
  fails(() => readMdl(patched(files.mdl, [220, -1])), "MDL-COUNT", 220);
  fails(() => readMdl(patched(files.mdl, [224, -1])), "MDL-COUNT", 224);
  fails(
    () => readMdl(patched(files.mdl, [220, 0x10000], [224, 0x10000])),
    "MDL-RANGE",
  );
  const none = readMdl(patched(files.mdl, [220, 0], [224, 0x7fffffff]));
  assertEquals(none.skinFamilies, []);
});

Deno.test("readMdl() notes a stated length, bone parents and pool places that do not hold", () => {
  const bone = i32(files.mdl, 160);
  const part = i32(files.mdl, 236);
  const model = part + i32(files.mdl, part + 12);
  const notes = (...words: [number, number][]) =>
    readMdl(patched(files.mdl, ...words)).notes.map((n) => [n.code, n.found]);
  assertEquals(notes([76, 5]), [["MDL-LENGTH", 5]]);
  assertEquals(notes([bone + 4, 0]), [["MDL-BONE-PARENT", 0]]);
  assertEquals(notes([bone + 216 + 4, 7]), [["MDL-BONE-PARENT", 7]]);
  assertEquals(notes([model + 84, 50]), [["MDL-VERTEX-INDEX", 50]]);
  const mesh = model + i32(files.mdl, model + 76);
  for (const at of [mesh + 8, mesh + 12]) {
    fails(() => readMdl(patched(files.mdl, [at, -4])), "MDL-COUNT", at);
  }
});

Deno.test("readMdl() notes flexes of shapes that the model has not", () => {
  const { mdl } = buildFixture(oneModel([{
    ...square(),
    flexes: [{ desc: 3, entries: [] }, { desc: 0, pair: 9, entries: [] }],
  }], { flexDescs: ["a", "b"] }));
  assertEquals(readMdl(mdl).notes.map((n) => [n.code, n.found]), [
    ["MDL-FLEX-DESC", 3],
    ["MDL-FLEX-DESC", 9],
  ]);
});

Deno.test("readMdl() ends when tables point at one another", () => {
  // 400 body parts that share one table of 400 models, which share one table of 400 meshes
  const n = 400;
  const bytes = new Uint8Array(408 + n * (16 + 148 + 116));
  bytes.set(files.mdl.subarray(0, 408));
  const view = new DataView(bytes.buffer);
  const put = (at: number, x: number) => view.setInt32(at, x, true);
  for (const [, at] of TABLES) put(at, 0);
  put(220, 0);
  put(224, 0);
  const parts = 408;
  const models = parts + n * 16;
  const meshes = models + n * 148;
  put(232, n);
  put(236, parts);
  for (let i = 0; i < n; i++) {
    put(parts + i * 16 + 4, n);
    put(parts + i * 16 + 12, models - (parts + i * 16));
    put(models + i * 148 + 72, n);
    put(models + i * 148 + 76, meshes - (models + i * 148));
  }
  fails(() => readMdl(bytes), "MDL-WORK");
});

Deno.test("decodeName() takes UTF-8, and Latin-1 where the bytes are none", () => {
  assertEquals(decodeName(new TextEncoder().encode("Größe")), "Größe");
  assertEquals(decodeName(Uint8Array.of(0x47, 0xf6, 0x80)), "Gö\x80");
  assertEquals(
    decodeName(Uint8Array.of(0xef, 0xbb, 0xbf, 0x41)),
    "\ufeffA",
  );
});

Deno.test("materialPaths() joins folders and names as the engine does", () => {
  assertEquals(materialPaths(readMdl(files.mdl).texturePaths, "Sub\\Lamp"), [
    "materials/models/props/sub/lamp.vmt",
    "materials/sub/lamp.vmt",
    "materials/a/b/sub/lamp.vmt",
  ]);
  assertEquals(materialPaths([], "Lamp"), []);
});

Deno.test("halfToFloat() agrees with the plain formula for every half, and with Valve for the rest", () => {
  for (let bits = 0; bits < 0x10000; bits++) {
    const sign = bits >> 15 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const fraction = (bits & 1023) / 1024;
    const want = exponent === 31
      ? (fraction === 0 ? sign * 65504 : 0)
      : exponent === 0
      ? sign * 2 ** -14 * fraction
      : sign * 2 ** (exponent - 15) * (1 + fraction);
    assert(Object.is(halfToFloat(bits), want), `${bits.toString(16)}`);
    if (exponent < 31 && bits !== 0x8000) assertEquals(halfBits(want), bits);
  }
});

Deno.test("readVtx() reads header, levels and strip groups", () => {
  const vtx = readVtx(files.vtx);
  assertEquals([vtx.version, vtx.numLODs, vtx.checksum, vtx.layout], [
    7,
    1,
    0x5ca1ab1e,
    "25/27",
  ]);
  const [lod] = vtx.bodyParts[0].models[0].lods;
  assertEquals(lod.meshes.map((m) => m.stripGroups.length), [2, 1]);
  const [group] = lod.meshes[1].stripGroups;
  assertEquals(Array.from(group.vertices), [0, 2, 1, 3]);
  assertEquals(Array.from(group.indices), [0, 1, 2, 0, 3, 1]);
  assertEquals(group.strips, [{ indexCount: 6, indexOffset: 0, flags: 1 }]);
  assertEquals(vtx.notes, []);
});

Deno.test("readVtx() refuses other versions by name", () => {
  const said: [number, RegExp][] = [
    [6, /Half-Life 2 beta/],
    [107, /Bloodlines/],
    [8, /no known game/],
  ];
  for (const [version, text] of said) {
    const error = fails(
      () => readVtx(patched(files.vtx, [0, version])),
      "VTX-VERSION",
      0,
    );
    assert(text.test(error.message), error.message);
  }
  fails(() => readVtx(files.vtx.slice(0, 35)), "VTX-TRUNCATED", 35);
});

Deno.test("readVtx() refuses numbers of LODs that no model has", () => {
  for (const lods of [0, -1, 9, 0x7fffffff]) {
    fails(() => readVtx(patched(files.vtx, [20, lods])), "VTX-LOD-COUNT", 20);
  }
});

Deno.test("readVtx() refuses counts below zero and tables outside the file", () => {
  fails(() => readVtx(patched(files.vtx, [28, -1])), "VTX-COUNT", 28);
  fails(() => readVtx(patched(files.vtx, [32, -8])), "VTX-RANGE", 28);
  fails(() => readVtx(files.vtx.slice(0, 90)), "VTX-RANGE");
  // body part, model, level and mesh each begin with a number and an offset
  for (const at of [36, 44, 52, 64]) {
    fails(() => readVtx(patched(files.vtx, [at, -1])), "VTX-COUNT", at);
    fails(
      () => readVtx(patched(files.vtx, [at + 4, 1 << 30])),
      "VTX-RANGE",
      at,
    );
  }
});

Deno.test("readVtx() refuses an index past its strip group", () => {
  const spec = oneModel([square()]);
  const vtx = fixtureVtx(spec);
  vtx.bodyParts[0].models[0].lods[0].meshes[0].groups[0].indices[4] = 4;
  for (const layout of ["25/27", "33/35"] as const) {
    const error = fails(
      () => readVtx(plainVtx(vtx, layout)),
      "VTX-INDEX-RANGE",
    );
    assertEquals([error.found, error.allowed], [4, "< 4"]);
  }
});

Deno.test("readVtx() refuses a strip past its group's indices", () => {
  const vtx = fixtureVtx(oneModel([square()]));
  const [strip] = vtx.bodyParts[0].models[0].lods[0].meshes[0].groups[0].strips;
  strip.indexCount = 7;
  fails(() => readVtx(plainVtx(vtx, "25/27")), "VTX-RANGE");
  strip.indexCount = -3;
  fails(() => readVtx(plainVtx(vtx, "25/27")), "VTX-COUNT");
  strip.indexCount = 3;
  strip.indexOffset = -1;
  fails(() => readVtx(plainVtx(vtx, "25/27")), "VTX-RANGE");
});

Deno.test("readVtx() notes indices that make no whole triangle and leaves them out", () => {
  const spec = oneModel([square()]);
  const vtx = fixtureVtx(spec);
  const [strip] = vtx.bodyParts[0].models[0].lods[0].meshes[0].groups[0].strips;
  strip.indexCount = 5;
  const model = readSourceModel({
    ...buildFixture(spec),
    vtx: plainVtx(vtx, "25/27"),
  });
  assertEquals(model.notes.map((n) => [n.code, n.found]), [
    ["VTX-INDEX-TAIL", 5],
  ]);
  assertEquals(Array.from(model.lods[0].indices), [0, 2, 1]);
});

Deno.test("readVtx() reads levels that share one mesh", () => {
  const spec = oneModel([square()], { lods: 4 });
  const { vtx, ...rest } = buildFixture(spec);
  // all levels' mesh tables become the first one's
  const lods = 52;
  const meshes = lods + i32(vtx, lods + 4);
  const shared = patched(
    vtx,
    ...[1, 2, 3].map((l): [number, number] => [
      lods + l * 12 + 4,
      meshes - (lods + l * 12),
    ]),
  );
  const model = readSourceModel({ ...rest, vtx: shared });
  assertEquals(model.lods.length, 4);
  for (const lod of model.lods) {
    assertEquals(Array.from(lod.indices), [0, 2, 1, 0, 3, 2]);
  }
});

Deno.test("readVtx() ends when tables point at one another", () => {
  const n = 500;
  const at = { parts: 36, models: 36 + n * 8, lods: 36 + n * 16 };
  const bytes = new Uint8Array(at.lods + n * 12);
  const view = new DataView(bytes.buffer);
  const put = (place: number, x: number) => view.setInt32(place, x, true);
  put(0, 7);
  put(20, 1);
  put(28, n);
  put(32, at.parts);
  for (let i = 0; i < n; i++) {
    put(at.parts + i * 8, n);
    put(at.parts + i * 8 + 4, at.models - (at.parts + i * 8));
    put(at.models + i * 8, n);
    put(at.models + i * 8 + 4, at.lods - (at.models + i * 8));
  }
  fails(() => readVtx(bytes), "VTX-WORK");
});

/** A VVC of two vertices. */
function plainVvc(checksum: number, count: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(56 + count * 12);
  const view = new DataView(out.buffer);
  out.set(new TextEncoder().encode("IDCV"));
  view.setInt32(4, 1, true);
  view.setInt32(8, checksum, true);
  view.setInt32(12, 1, true);
  for (let i = 0; i < 8; i++) view.setInt32(16 + 4 * i, count, true);
  view.setInt32(48, 56, true);
  view.setInt32(52, 56 + count * 4, true);
  for (let v = 0; v < count; v++) {
    out.set([v, 255, 0, 51], 56 + v * 4);
    view.setFloat32(56 + count * 4 + v * 8, v / 4, true);
  }
  return out;
}

Deno.test("readVvc() reads colours and texture coordinates", () => {
  const vvc = readVvc(plainVvc(9, 3));
  assertEquals([vvc.checksum, vvc.numLODVertexes[0]], [9, 3]);
  assertEquals(Array.from(vvc.colors!.subarray(4, 8)), [1, 255, 0, 51]);
  assertEquals(vvc.uv2!.length, 24);
  const bare = readVvc(patched(plainVvc(9, 3), [48, 0], [52, 0]));
  assertEquals([bare.colors, bare.uv2], [null, null]);
});

Deno.test("readVvc() refuses what is no colour file, and tables outside it", () => {
  const vvc = plainVvc(9, 3);
  fails(() => readVvc(files.vvd), "VVC-MAGIC", 0);
  fails(() => readVvc(patched(vvc, [4, 2])), "VVC-MAGIC", 4);
  fails(() => readVvc(patched(vvc, [16, -1])), "VVC-COUNT", 48);
  fails(() => readVvc(vvc.slice(0, 40)), "VVC-RANGE");
  fails(() => readVvc(vvc.slice(0, 70)), "VVC-RANGE");
});

Deno.test("readers refuse files above the limit before they look", () => {
  const limits = { maxInputBytes: 100 };
  for (const read of [readMdl, readVtx, readVvc]) {
    fails(() => read(new Uint8Array(101), { limits }), "LIMIT-EXCEEDED");
  }
});
