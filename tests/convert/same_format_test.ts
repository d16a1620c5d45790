import { assertEquals, assertNotEquals } from "@std/assert";
import { convert, type ConvertOptions } from "../../src/convert/convert.ts";
import {
  CONVERT_OPTIONS,
  type ConvertOptionName,
} from "../../src/convert/options.ts";
import type { FormatId } from "../../src/core/formats.ts";
import { readPayload } from "../../src/formats/payload/mod.ts";
import { readVvd } from "../../src/formats/vvd/mod.ts";
import { bytesOf, triangle } from "../css/plain_css.ts";
import { Put, putLods, staticPart } from "../payload/plain_payload.ts";
import { assertSameBytes } from "../same_bytes.ts";
import {
  plainExtraBlock,
  plainRecords,
  plainReplay,
  plainSplit,
  plainTangents,
  plainVvd,
} from "../vvd/plain_vvd.ts";

const sample = (name: string) =>
  Deno.readFileSync(new URL(`../../samples/${name}`, import.meta.url));

const grid = () => {
  const put = new Put().u32(4);
  for (let v = 0; v < 4; v++) {
    put.f32(v % 2, v, v >> 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, v % 2, v >> 1);
  }
  return put.u32(6).u16(0, 2, 1, 1, 2, 3).bytes;
};

/** Four vertices, of which the last differs from the third in its position alone. */
function near(): Uint8Array<ArrayBuffer> {
  const put = new Put().u32(4);
  for (const [x, z] of [[0, 0], [9, 0], [0, 9], [0.5, 9]]) {
    put.f32(x, 0, z, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0);
  }
  return put.u32(6).u16(0, 2, 1, 0, 3, 1).bytes;
}

const INPUTS = {
  lantern: ["vvd", () => sample("lantern.vvd")],
  terrain: ["payload", () => sample("terrain.payload")],
  figure: ["payload", () => sample("figure.payload")],
  tilted: ["payload", () => staticPart(4, [0, 1, 2]).bytes],
  grid: ["payload", grid],
  near: ["payload", near],
  large: ["payload", () => staticPart(65_537, [0, 1, 2]).bytes],
  css: ["css", () => bytesOf(triangle())],
} as const satisfies Record<string, readonly [FormatId, () => Uint8Array]>;

type Change = readonly [
  input: keyof typeof INPUTS,
  options: Partial<ConvertOptions>,
];

/** For every option what it changes of a file that keeps its format, or why it can not change any. */
const EFFECTS: Record<ConvertOptionName, readonly Change[] | string> = {
  from: "says how to read",
  to: "is the format",
  lod: [["lantern", { lod: 1 }], ["terrain", { lod: 1 }]],
  lods: [
    ["lantern", { lods: 0 }],
    ["lantern", { lods: 1 }],
    ["terrain", { lods: 0 }],
    ["terrain", { lods: 1 }],
  ],
  "build-lods": [["terrain", {
    buildLods: { ratios: [0.5], rule: "payload" },
  }]],
  "lod-rule": "belongs to build-lods",
  "lod-error": "belongs to build-lods",
  "lock-border": "belongs to build-lods",
  "switch-distances": "belongs to build-lods",
  "shadow-lod": "only a Source model has one, and none is written",
  bodygroup: "only a Source model has them, and none is written",
  skin: "only a Source model has them, and none is written",
  target: "is for SMD, which is not read",
  tangents: [
    ["lantern", { tangents: "drop" }],
    ["terrain", { tangents: "rebuild" }],
  ],
  mode: "belongs to tangents",
  degenerate: "belongs to tangents",
  normals: [["tilted", { normals: "rebuild" }]],
  weld: [["near", { weld: { positionTolerance: 1 } }]],
  heightfield: [["grid", { heightfield: true }]],
  scale: [
    ["lantern", { scale: 2 }],
    ["terrain", { scale: 2 }],
    ["figure", { scale: 2 }],
    ["css", { scale: 2 }],
  ],
  "morph-epsilon": [["figure", { morphEpsilon: 0.1 }]],
  "max-influences": [
    ["lantern", { maxInfluences: 1 }],
    ["figure", { maxInfluences: 1 }],
  ],
  split: [["large", { split: true }]],
  checksum: [["lantern", { checksum: 7 }]],
  basis: [["lantern", { basis: "blender" }], ["grid", { basis: "blender" }]],
  "package-prefix": "is a condition",
  "mesh-package": [["css", { meshPackage: "/Game/CSSAuthoring/Other" }]],
  "skeleton-package": [["css", {
    skeletonPackage: "/Game/CSSAuthoring/Other_Skeleton",
  }]],
  lenient: "says what to read",
  force: "says what to read",
};

Deno.test("convert() does to a file that keeps its format what every option asks for, and copies it when none asks", async () => {
  assertEquals(
    Object.keys(EFFECTS).sort(),
    Object.keys(CONVERT_OPTIONS).sort(),
  );
  for (const [name, changes] of Object.entries(EFFECTS)) {
    if (typeof changes === "string") continue;
    for (const [input, options] of changes) {
      const [to, make] = INPUTS[input];
      const plain = await convert(make(), { to });
      assertEquals(plain.report.loss, [], `${name} ${input}`);
      const { outputs } = await convert(make(), { to, ...options });
      assertNotEquals(outputs, plain.outputs, `${name} ${input}`);
    }
  }
});

Deno.test("convert() keeps levels 0 to N of a payload and every other byte of it", async () => {
  const from = putLods(staticPart(4, [0, 1, 2, 1, 3, 2]), [
    [10, [0, 2, 1]],
    [20, [1, 2, 3]],
  ]).raw([1, 2, 3]).bytes;
  const two = putLods(staticPart(4, [0, 1, 2, 1, 3, 2]), [[10, [0, 2, 1]]])
    .raw([1, 2, 3]).bytes;
  const { outputs, report } = await convert(from, { to: "payload", lods: 1 });
  assertSameBytes(outputs[0], two);
  assertEquals(
    report.loss.map((l) => [l.kind, l.what, l.count]),
    [["dropped", "levels of detail", 1]],
  );
  for (const lods of [2, 9, "all"] as const) {
    const same = await convert(from, { to: "payload", lods });
    assertSameBytes(same.outputs[0], from);
    assertEquals(same.report.loss, []);
  }
  const none = await convert(from, { to: "payload", lods: 0 });
  const file = readPayload(none.outputs[0]);
  assertEquals([file.lodAlternates, [...file.trailing]], [[], [1, 2, 3]]);
});

/** Six vertices, three levels, fixups, extra data. */
const levels = () =>
  plainVvd({
    counts: [6, 4, 2],
    fixups: [[2, 4, 2], [1, 2, 2], [0, 0, 2]],
    vertices: plainRecords(6),
    tangents: plainTangents(6),
    checksum: 0xfedcba98,
    tail: plainExtraBlock([{
      type: 0,
      bytesPerVertex: 8,
      data: new Uint8Array(48),
    }]),
  });

Deno.test("convert() keeps levels 0 to N of a VVD in its header and fixups, with every vertex in its place", async () => {
  const from = levels();
  const { outputs: [out], report } = await convert(from, {
    to: "vvd",
    lods: 1,
  });
  const vvd = readVvd(out);
  assertEquals([vvd.numLODs, vvd.checksum], [2, 0xfedcba98]);
  assertEquals(vvd.numLODVertexes, [6, 4, 4, 4, 4, 4, 4, 4]);
  for (const root of [0, 1]) {
    assertEquals(plainReplay(out, root), plainReplay(from, root));
  }
  assertEquals(
    report.loss.map((l) => [l.what, l.count, l.why]),
    [["levels of detail", 1, "levels 0 to 1 were asked for"]],
  );
  const all = await convert(from, { to: "vvd", lods: 2 });
  assertSameBytes(all.outputs[0], from);
});

Deno.test("convert() changes the vertices of a VVD in place: checksum, levels, fixups and extra data stay", async () => {
  for (const from of [levels(), sample("lantern.vvd")]) {
    const { outputs: [out], report } = await convert(from, {
      to: "vvd",
      scale: 2,
    });
    const dropped = report.loss.filter((l) => l.kind === "dropped");
    assertEquals(dropped, []);
    const [a, b] = [readVvd(from), readVvd(out)];
    assertEquals(
      [b.checksum, b.numLODs, b.numLODVertexes, b.fixups, b.extra],
      [a.checksum, a.numLODs, a.numLODVertexes, a.fixups, a.extra],
    );
    for (let root = 0; root < a.numLODs; root++) {
      const was = plainSplit(from, plainReplay(from, root));
      const is = plainSplit(out, plainReplay(out, root));
      const [p, q] = [was, is].map((x) => new Float32Array(x.position.buffer));
      assertEquals(q, p.map((x) => 2 * x));
      assertEquals(is.uv, was.uv);
    }
  }
  const bare = await convert(levels(), { to: "vvd", tangents: "drop" });
  const vvd = readVvd(bare.outputs[0]);
  assertEquals([vvd.tangentData, vvd.checksum, vvd.fixups.length], [
    null,
    0xfedcba98,
    3,
  ]);
  assertEquals(
    bare.report.loss.filter((l) => l.kind === "dropped")
      .map((l) => [l.what, l.count]),
    [["tangents", 6], ["extra-data arrays", 1]],
  );
});

Deno.test("convert() gives a VVD the checksum that is asked for and no other byte, and says so", async () => {
  const from = sample("lantern.vvd");
  const { outputs: [out], report } = await convert(from, {
    to: "vvd",
    checksum: 7,
  });
  const want = from.slice();
  want.set([7, 0, 0, 0], 8);
  assertSameBytes(out, want);
  assertEquals(
    report.loss.map((l) => [l.kind, l.what, l.why]),
    [["changed", "checksum", "asked for"]],
  );
  const { checksum } = readVvd(from);
  const same = await convert(from, { to: "vvd", checksum });
  assertEquals(same.report.loss, []);
});

/** Vertices whose three floats at a place differ in any bit, read the plainest way. */
function differing(a: Float32Array, b: Float32Array): number {
  let count = 0;
  for (let v = 0; v < a.length; v += 3) {
    if ([0, 1, 2].some((k) => !Object.is(a[v + k], b[v + k]))) count++;
  }
  return count;
}

Deno.test("convert() counts the normals and tangents that a rebuild changed, not those that it looked at", async () => {
  for (const name of ["terrain", "figure", "tilted", "grid"] as const) {
    const from = INPUTS[name][1]();
    const before = readPayload(from).vertices;
    for (const what of ["normals", "tangents"] as const) {
      const { outputs, report } = await convert(from, {
        to: "payload",
        [what]: "rebuild",
      });
      const { vertices } = readPayload(outputs[0]);
      const key = what === "normals" ? "normal" : "tangent";
      const after = vertices[key].subarray(0, before.count * 3);
      const count = differing(before[key], after);
      const largest = after.reduce(
        (most, x, i) => Math.max(most, Math.abs(x - before[key][i])),
        0,
      );
      const row = report.loss.find((l) => l.what === what);
      assertEquals(row?.count ?? 0, count, `${name} ${what}`);
      assertEquals(row?.largest ?? 0, largest, `${name} ${what}`);
    }
  }
  const flat = await convert(sample("terrain.payload"), {
    to: "payload",
    normals: "rebuild",
  });
  assertEquals(flat.report.loss, []);
});
