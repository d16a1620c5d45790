import { assert, assertEquals, assertThrows } from "@std/assert";
import { bitsOf } from "../../src/core/bytes.ts";
import { MeshError } from "../../src/core/errors.ts";
import type { Limits } from "../../src/core/limits.ts";
import {
  densifyMorphs,
  deserialiseHeightfield,
  deserialiseSkinned,
  deserialiseSkinnedWithLods,
  deserialiseWithLods,
  looksLikeStaticPayload,
  readPayload,
  writePayload,
} from "../../src/formats/payload/mod.ts";
import { isStaticPayload } from "../../src/formats/payload/read.ts";
import { assertSameBytes } from "../same_bytes.ts";
import {
  fields14,
  Put,
  putHeightfield,
  putLods,
  putMorphs,
  skinnedPart,
  staticPart,
} from "./plain_payload.ts";

const ROOT = { name: "root", parent: -1 };
const TIP = { name: "tip", parent: 0 };

Deno.test("readPayload() splits static vertices field by field", () => {
  const file = readPayload(staticPart(3, [0, 1, 2]).bytes);
  assertEquals(file.kind, "static");
  const { vertices: v } = file;
  for (let i = 0; i < 3; i++) {
    assertEquals([
      ...v.pos.subarray(i * 3, i * 3 + 3),
      ...v.normal.subarray(i * 3, i * 3 + 3),
      ...v.tangent.subarray(i * 3, i * 3 + 3),
      ...v.color.subarray(i * 3, i * 3 + 3),
      ...v.uv.subarray(i * 2, i * 2 + 2),
    ], fields14(i));
  }
});

Deno.test("readPayload() reads a view when it does not begin at the start of its buffer", () => {
  const skinned = putLods(
    putMorphs(skinnedPart(3, [0, 1, 2], [ROOT, TIP]), 3, ["a"], [
      [1, 0, 1, 2, 3, 4, 5, 6],
    ]),
    [[4, [0, 1, 2, 2, 1]]],
  ).bytes;
  for (
    const bytes of [skinned, putLods(staticPart(3, [0]), [[4, [1]]]).bytes]
  ) {
    for (let shift = 1; shift < 8; shift++) {
      const wide = new Uint8Array(bytes.length + shift + 3).fill(0xee);
      wide.set(bytes, shift);
      const view = wide.subarray(shift, shift + bytes.length);
      assertEquals(
        { ...readPayload(view), trailing: null },
        { ...readPayload(bytes), trailing: null },
      );
      assertSameBytes(writePayload(readPayload(view)), bytes);
    }
  }
});

Deno.test("readPayload() copies what it gives, so that the input may be reused", () => {
  const bytes = putHeightfield(
    putLods(staticPart(3, [0, 1, 2]), [[1, [0, 1, 2]]]),
    1,
    2,
    [5, 6],
  ).bytes;
  const file = readPayload(bytes);
  const before = writePayload(file);
  bytes.fill(0xff);
  assertSameBytes(writePayload(file), before);
});

/** Floats whose bits a trip through a floating point register might change. */
const NAN_BITS = [
  0x7fc00000, // quiet
  0xffc00001,
  0x7fdeadbe,
  0x7f800001, // signalling
  0xff800001,
  0x7fbfffff,
  0xffa5a5a5,
];
const nan = (i: number) => NAN_BITS[i % NAN_BITS.length];
const nans = (count: number) => Array.from({ length: count }, (_, i) => nan(i));

Deno.test("writePayload() keeps every NaN's bits in a static payload", () => {
  for (let turn = 0; turn < NAN_BITS.length; turn++) {
    const out = new Put().u32(3).u32(...nans(turn), ...nans(42 - turn))
      .u32(3).u16(0, 1, 2)
      .ascii("LODS").u32(NAN_BITS.length);
    for (const bits of NAN_BITS) out.u32(bits).u32(1).u16(7);
    const { bytes } = out.ascii("HFLD").u32(2, 4)
      .u32(nan(turn), ...nans(7));
    assertSameBytes(writePayload(readPayload(bytes)), bytes);
    // a copy of the object, as a caller would make it, keeps them too
    const file = structuredClone(readPayload(bytes));
    assertSameBytes(writePayload(file), bytes);
  }
});

Deno.test("writePayload() keeps every NaN's bits in a skinned payload", () => {
  const out = new Put().ascii("SKMV").u32(2);
  for (let v = 0; v < 2; v++) {
    out.u32(...nans(14)).u16(0x7fc0, 0xffff, 1, 0).u32(...nans(4));
  }
  out.u32(0).u32(1).name("j").u32(0xffffffff).u32(...nans(9));
  out.ascii("MRPS").u32(1).name("m").u32(3).u32(0, 1, 3);
  for (let e = 0; e < 3; e++) {
    out.u32(0);
    for (let k = 0; k < 6; k++) out.u32(nan(e * 6 + k));
  }
  out.ascii("LODS").u32(1).u32(0x7f800001).u32(0);
  assertSameBytes(writePayload(readPayload(out.bytes)), out.bytes);
  assertSameBytes(
    writePayload(structuredClone(readPayload(out.bytes))),
    out.bytes,
  );
});

Deno.test("writePayload() keeps every NaN's bits in a legacy morph block", () => {
  const out = skinnedPart(2, [], [ROOT]).ascii("MRPH").u32(1).name("m")
    .u32(...nans(12));
  const file = readPayload(out.bytes);
  assert(file.kind === "skinned");
  assertEquals([...bitsOf(file.denseMorphs!)], nans(12));
  assertSameBytes(writePayload(file), out.bytes);
});

Deno.test("writePayload() writes a new distance when one that was NaN is replaced", () => {
  const bytes = new Put().u32(0).u32(0).ascii("LODS").u32(1).u32(0x7f800001)
    .u32(0).bytes;
  const file = readPayload(bytes);
  file.lodAlternates[0].switchDistance = 8;
  const again = readPayload(writePayload(file));
  assertEquals(again.lodAlternates[0].switchDistance, 8);
});

function legacy(vertices: number, names: readonly string[]): Put {
  const out = skinnedPart(vertices, [0, 0, 0], [ROOT]).ascii("MRPH")
    .u32(names.length);
  for (const name of names) out.name(name);
  for (let t = 0; t < names.length; t++) {
    for (let v = 0; v < vertices; v++) out.f32(t + 1, v, 0, 0, 0, -v);
  }
  return out;
}

Deno.test("readPayload() reads legacy morphs and the levels behind them", () => {
  const { bytes } = putLods(legacy(3, ["a", "b"]), [[9, [0, 1, 2]]]);
  const file = readPayload(bytes);
  assert(file.kind === "skinned");
  assertEquals(file.morphBlock, "MRPH");
  assertEquals(file.morphs.names, ["a", "b"]);
  assertEquals([...file.morphs.offsets], [0, 2, 4, 6]);
  assertEquals([...file.morphs.targets], [0, 1, 0, 1, 0, 1]);
  assertEquals(
    [...densifyMorphs(file.morphs, 3)],
    [0, 1].flatMap((t) =>
      [0, 1, 2].flatMap((v) => [t + 1, v, 0, 0, 0, v === 0 ? 0 : -v])
    ).map((x, i) => (i % 6 === 5 && x === 0 ? -0 : x)),
  );
  assertEquals(file.lodAlternates.length, 1);
  assertSameBytes(writePayload(file), bytes);
});

Deno.test("readPayload() reads a legacy block when it has no targets or no vertices", () => {
  for (const [vertices, names] of [[2, []], [0, ["a"]], [0, []]] as const) {
    const { bytes } = putLods(legacy(vertices, names), [[9, []]]);
    const file = readPayload(bytes);
    assert(file.kind === "skinned");
    assertEquals(file.morphs.names, [...names]);
    assertEquals(file.lodAlternates.length, 1);
    assertSameBytes(writePayload(file), bytes);
  }
});

Deno.test("readPayload() keeps a damaged legacy block as trailing bytes, as engines skip it", () => {
  const whole = legacy(3, ["a"]).bytes;
  const damaged = [
    whole.subarray(0, whole.length - 1),
    skinnedPart(1, [], []).ascii("MRPH").u32(1).u32(1).raw([0xff]).bytes,
    skinnedPart(1, [], []).ascii("MRPH").u32(0xffffffff).bytes,
    skinnedPart(1, [], []).ascii("MRPH").bytes,
  ];
  for (const bytes of damaged) {
    const file = readPayload(bytes);
    assert(file.kind === "skinned");
    assertEquals(file.morphBlock, "none");
    assertEquals(file.morphs.names, []);
    assertEquals(
      new TextDecoder().decode(file.trailing.subarray(0, 4)),
      "MRPH",
    );
    assertSameBytes(writePayload(file), bytes);
  }
});

Deno.test("readPayload() ignores blocks where no reader looks, and keeps their bytes", () => {
  const hidden = [
    putLods(putLods(staticPart(1, []), []), [[1, []]]), // LODS twice
    putLods(putHeightfield(staticPart(1, []), 1, 1, [0]), [[1, []]]), // HFLD first
    staticPart(1, []).ascii("LOD"), // three bytes of a magic
    staticPart(1, []).ascii("lods").u32(1),
    putHeightfield(skinnedPart(1, [], []), 1, 1, [0]),
    putMorphs(putLods(skinnedPart(1, [], []), []), 1, ["a"], []), // MRPS second
  ];
  for (const { bytes } of hidden) {
    const file = readPayload(bytes);
    assert(file.trailing.length > 0);
    assertSameBytes(writePayload(file), bytes);
  }
});

Deno.test("readPayload() keeps every name as it is when it is odd UTF-8", () => {
  const names = [
    "",
    "\0",
    "\uFEFFmark",
    "é",
    "e\u0301",
    "\u{1F600}",
    "a\0b",
    "\uFFFD",
  ];
  const joints = names.map((name) => ({ name, parent: -1 }));
  const out = putMorphs(skinnedPart(1, [], joints), 1, names, []);
  const file = readPayload(out.bytes);
  assert(file.kind === "skinned");
  assertEquals(file.joints.map((j) => j.name), names);
  assertEquals(file.morphs.names, names);
  assertSameBytes(writePayload(file), out.bytes);
});

Deno.test("readPayload() throws PAYLOAD-UTF8 when a name is no UTF-8", () => {
  const broken = [
    [0xff],
    [0xc3],
    [0xc0, 0x80], // an overlong zero
    [0xed, 0xa0, 0x80], // half of a surrogate pair
    [0xf4, 0x90, 0x80, 0x80], // past the last code point
  ];
  for (const name of broken) {
    const joint = new Put().ascii("SKMV").u32(0, 0, 1).u32(name.length)
      .raw(name).u32(...new Array(10).fill(0)).bytes;
    const error = assertThrows(
      () => readPayload(joint),
      MeshError,
      "joint name is not valid utf-8",
    );
    assertEquals([error.code, error.offset], ["PAYLOAD-UTF8", 20]);
    assertEquals(error instanceof SyntaxError, true);
    const morph = skinnedPart(0, [], []).ascii("MRPS").u32(1)
      .u32(name.length).raw(name).u32(0, 0).bytes;
    assertEquals(
      assertThrows(
        () => deserialiseSkinned(morph),
        MeshError,
        "morph target name is not valid utf-8",
      ).code,
      "PAYLOAD-UTF8",
    );
  }
});

Deno.test("deserialiseSkinnedWithLods() throws PAYLOAD-MAGIC when SKMV is missing or nothing stands behind it", () => {
  const cases: [Uint8Array, string][] = [
    [staticPart(3, [0, 1, 2]).bytes, "\x03\0\0\0"],
    [new Put().ascii("SKMW").u32(0, 0, 0).bytes, "SKMW"],
    [new Put().ascii("SKMV").bytes, "SKMV"],
    [new Put().ascii("SKMV").raw([0, 0, 0]).bytes, "SKMV"],
    [new Uint8Array(0), ""],
  ];
  for (const [bytes, found] of cases) {
    for (const read of [deserialiseSkinnedWithLods, deserialiseSkinned]) {
      const error = assertThrows(
        () => read(bytes),
        MeshError,
        "skinned mesh payload missing SKMV magic header",
      );
      assertEquals(error.code, "PAYLOAD-MAGIC");
      assertEquals([error.offset, error.found], [0, found]);
    }
  }
  // what begins with SKMV is no static payload either
  assertEquals(
    assertThrows(() => readPayload(cases[2][0]), MeshError).code,
    "PAYLOAD-MAGIC",
  );
});

Deno.test("readPayload() judges the morph table in the reference's order and names the place", () => {
  /** A block of one vertex more than the given offsets say. */
  const table = (
    names: string[],
    offsets: number[],
    targets: number[],
    entries = targets.length,
  ) => {
    const out = skinnedPart(offsets.length - 1, [], []).ascii("MRPS")
      .u32(names.length);
    for (const name of names) out.name(name);
    out.u32(entries).u32(...offsets);
    for (const t of targets) out.u32(t).f32(1, 0, 0, 0, 0, 0);
    return out.bytes;
  };
  const cases: [Uint8Array, string, unknown][] = [
    [table([], [5, 1], [9]), "morph block has entries but no targets", 0],
    [table(["a"], [1, 0, 3], [9]), "morph offsets must start at 0", 1],
    [table(["a"], [0, 2, 1], [9]), "morph offsets must not decrease", 1],
    [table(["a"], [0, 1, 2], [9]), "morph offsets end at 2", 2],
    [table(["a"], [0, 1, 1], [9]), "morph entry names target 9 of 1", 9],
    [
      table(["a", "b"], [0, 3], [1, 0, 2]),
      "morph entry names target 2 of 2",
      2,
    ],
  ];
  for (const [bytes, says, found] of cases) {
    const error = assertThrows(() => readPayload(bytes), MeshError, says);
    assertEquals(error.code, "PAYLOAD-MORPH-TABLE");
    assertEquals(error.found, found);
    assert(error.offset! > 0 && error.offset! < bytes.length);
  }
  // a block that is cut is reported as cut, whatever its table says
  assertEquals(
    assertThrows(() => readPayload(table([], [5], [], 1)), MeshError).code,
    "PAYLOAD-TRUNCATED",
  );
});

Deno.test("readPayload() takes the counts of a grid as large numbers when they multiply past 32 bits", () => {
  for (
    const [rows, cols] of [
      [0x10000, 0x10000],
      [0x80000000, 0x80000000],
      [0xffffffff, 0xffffffff],
      [0x40000000, 1],
    ]
  ) {
    const { bytes } = putHeightfield(staticPart(0, []), rows, cols, [1, 2]);
    for (const read of [readPayload, deserialiseHeightfield]) {
      const error = assertThrows(
        () => read(bytes),
        MeshError,
        `too short for ${rows} x ${cols} grid`,
      );
      assertEquals(error.code, "PAYLOAD-HEIGHTFIELD-SHORT");
      assertEquals(error.found, 8);
    }
    // the mesh readers do not look there
    assertEquals(deserialiseWithLods(bytes).vertices.count, 0);
  }
  // a file that is cut, and counts that no file can hold
  const advice = (rows: number, cols: number) => {
    const { bytes } = putHeightfield(staticPart(0, []), rows, cols, [1, 2]);
    return assertThrows(() => readPayload(bytes), MeshError).message;
  };
  // the block begins at byte 8, its heights at 20
  assertEquals(
    advice(2, 3),
    "Give the whole file: heightfield trailer too short for 2 x 3 grid: need 24 bytes at offset 20, have 28",
  );
  assertEquals(
    advice(0x10000, 0x10000).split(":")[0],
    "Bake the heightfield again",
  );
  const none = putHeightfield(staticPart(0, []), 0, 0xffffffff, []).bytes;
  assertEquals(deserialiseHeightfield(none)?.heights.length, 0);
  assertSameBytes(writePayload(readPayload(none)), none);
});

Deno.test("readPayload() throws LIMIT-EXCEEDED when a limit is passed", () => {
  const small = putLods(staticPart(3, [0, 1, 2]), [[1, []], [2, []]]).bytes;
  const figure = putMorphs(
    skinnedPart(3, [0, 1, 2], [ROOT, TIP]),
    3,
    ["a", "b"],
    [],
  ).bytes;
  const old = legacy(3, ["a", "b"]).bytes;
  const cases: [Uint8Array, keyof Limits, enough: number][] = [
    [small, "maxInputBytes", small.length],
    [small, "maxVertices", 3],
    [small, "maxLods", 2],
    [figure, "maxVertices", 3],
    [figure, "maxJoints", 2],
    [figure, "maxMorphTargets", 2],
    [old, "maxMorphTargets", 2],
    [old, "maxMorphDeltas", 6],
  ];
  for (const [bytes, name, enough] of cases) {
    readPayload(bytes, { limits: { [name]: enough } });
    const error = assertThrows(
      () => readPayload(bytes, { limits: { [name]: enough - 1 } }),
      MeshError,
    );
    assertEquals([error.code, error.path], ["LIMIT-EXCEEDED", name]);
    assertEquals(error.allowed, enough - 1);
    assertEquals(error.found, enough);
  }
});

Deno.test("densifyMorphs() throws LIMIT-EXCEEDED when targets times vertices pass the limit", () => {
  const morphs = {
    names: new Array<string>(60_000).fill("a"),
    offsets: new Uint32Array(60_001),
    targets: new Uint32Array(0),
    position: new Float32Array(0),
    normal: new Float32Array(0),
  };
  const error = assertThrows(() => densifyMorphs(morphs, 60_000), MeshError);
  assertEquals([error.code, error.found], ["LIMIT-EXCEEDED", 3.6e9]);
  assertEquals(
    assertThrows(() => densifyMorphs(morphs, 2, 119_999), MeshError).code,
    "LIMIT-EXCEEDED",
  );
  assertEquals(densifyMorphs(morphs, 2, 120_000).length, 720_000);
});

Deno.test("looksLikeStaticPayload() asks for both counts and their bytes", () => {
  const bytes = staticPart(2, [0, 1, 1]).bytes;
  assertEquals(looksLikeStaticPayload(bytes), true);
  assertEquals(looksLikeStaticPayload(staticPart(0, []).bytes), true);
  for (let n = 0; n < bytes.length; n++) {
    assertEquals(looksLikeStaticPayload(bytes.subarray(0, n)), false, `${n}`);
  }
  assertEquals(
    looksLikeStaticPayload(new TextEncoder().encode("IDSV".repeat(40))),
    false,
  );
});

Deno.test("isStaticPayload() asks for vertices, and for a known block or nothing behind them", () => {
  const triangle = () => staticPart(3, [0, 1, 2]);
  for (
    const put of [
      triangle(),
      putLods(triangle(), []),
      putHeightfield(triangle(), 0, 0, []),
    ]
  ) assertEquals(isStaticPayload(put.bytes), true);
  for (
    const bytes of [
      staticPart(0, []).bytes,
      new Uint8Array(500),
      triangle().ascii("LOD").bytes,
      triangle().bytes.subarray(0, 181),
      new Uint8Array(0),
    ]
  ) assertEquals(isStaticPayload(bytes), false);
});

Deno.test("readPayload() counts the indices of all levels towards maxIndices", () => {
  const bytes = Deno.readFileSync(
    new URL("../../samples/terrain.payload", import.meta.url),
  );
  const file = readPayload(bytes);
  const total = file.lodAlternates.reduce(
    (sum, lod) => sum + lod.indices.length,
    file.indices.length,
  );
  readPayload(bytes, { limits: { maxIndices: total } });
  const error = assertThrows(
    () => readPayload(bytes, { limits: { maxIndices: total - 1 } }),
    MeshError,
  );
  assertEquals(error.code, "LIMIT-EXCEEDED");
});
