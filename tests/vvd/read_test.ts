import { assertEquals, assertThrows } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import {
  MAX_NUM_LODS,
  MODEL_VERTEX_FILE_ID,
  readVvd,
  type ReadVvdOptions,
  replayVvd,
  splitVvd,
  writeVvd,
} from "../../src/formats/vvd/mod.ts";
import { Random } from "../random.ts";
import { assertSameBytes } from "../same_bytes.ts";
import {
  plainExtraBlock,
  plainGather,
  plainRecords,
  plainReplay,
  plainSplit,
  plainTangents,
  plainVvd,
  type Row,
} from "./plain_vvd.ts";

const ascii = (text: string) => new TextEncoder().encode(text);

/** The file with one header field overwritten. */
function patched(
  file: Uint8Array,
  offset: number,
  value: number,
): Uint8Array {
  const out = file.slice();
  new DataView(out.buffer).setUint32(offset, value >>> 0, true);
  return out;
}

function refusal(bytes: Uint8Array, options?: ReadVvdOptions): MeshError {
  const error = assertThrows(() => readVvd(bytes, options), MeshError);
  assertEquals(error.format, "vvd");
  return error;
}

/** Two meshes of four and three vertices, two LODs: the pool is sorted, so the table moves vertices. */
const rows: Row[] = [[1, 0, 2], [0, 3, 2], [1, 2, 1], [0, 5, 2]];
const sorted = () =>
  plainVvd({
    counts: [7, 3],
    fixups: rows,
    vertices: plainRecords(7),
    tangents: plainTangents(7),
  });

/** Checks a readable file against the plain reader at every root LOD, and its rewriting. */
function checkAgainstPlain(file: Uint8Array): void {
  const vvd = readVvd(file);
  assertSameBytes(writeVvd(vvd), file, "rewritten file");
  for (let r = 0; r < vvd.numLODs; r++) {
    const order = plainReplay(file, r);
    const expected = plainSplit(file, order);
    const split = splitVvd(vvd, r);
    assertEquals(split.count, order.length);
    for (
      const name of ["position", "normal", "uv", "weights", "bones"] as const
    ) {
      assertSameBytes(split[name], expected[name], `${name} of LOD ${r}`);
    }
    if (expected.tangent) {
      assertSameBytes(split.tangent!, expected.tangent, `tangent of LOD ${r}`);
    } else assertEquals(split.tangent, null);

    const flat = replayVvd(vvd, r);
    const again = readVvd(writeVvd(flat));
    assertEquals(again.numLODVertexes[0], order.length);
    if (vvd.vertexData) {
      const records = plainGather(vvd.vertexData, 48, order);
      assertSameBytes(flat.vertexData!, records, `records of LOD ${r}`);
      assertSameBytes(again.vertexData!, records, `records read again`);
    }
    if (vvd.tangentData) {
      const tangents = plainGather(vvd.tangentData, 16, order);
      assertSameBytes(flat.tangentData!, tangents, `tangents of LOD ${r}`);
      assertSameBytes(again.tangentData!, tangents, `tangents read again`);
    }
  }
}

Deno.test("MODEL_VERTEX_FILE_ID spells IDSV and MAX_NUM_LODS is eight", () => {
  const bytes = new Uint8Array(Uint32Array.of(MODEL_VERTEX_FILE_ID).buffer);
  assertEquals(new TextDecoder().decode(bytes), "IDSV");
  assertEquals(MAX_NUM_LODS, 8);
});

Deno.test("readVvd() gives every header field when the file is plain", () => {
  const vvd = readVvd(sorted());
  assertEquals(vvd.version, 4);
  assertEquals(vvd.checksum, 0x1234abcd);
  assertEquals(vvd.numLODs, 2);
  assertEquals(vvd.numLODVertexes, [7, 3, 3, 3, 3, 3, 3, 3]);
  assertEquals(
    vvd.fixups.map((f) => [f.lod, f.sourceVertexID, f.numVertexes]),
    rows.map((r) => [...r]),
  );
  assertEquals(vvd.fixupTableStart, 64);
  assertEquals(vvd.vertexDataStart, 112);
  assertEquals(vvd.tangentDataStart, 112 + 7 * 48);
  assertSameBytes(vvd.vertexData!, plainRecords(7));
  assertSameBytes(vvd.tangentData!, plainTangents(7));
  assertEquals(vvd.extra, []);
});

Deno.test("readVvd() gives an unsigned checksum when its top bit is set", () => {
  const file = patched(sorted(), 8, 0xfedcba98);
  assertEquals(readVvd(file).checksum, 0xfedcba98);
  checkAgainstPlain(file);
});

Deno.test("readVvd() reads a view when it does not begin at the start of its buffer", () => {
  const file = sorted();
  for (const shift of [1, 2, 3, 7]) {
    const wide = new Uint8Array(file.length + shift + 5).fill(0xee);
    wide.set(file, shift);
    checkAgainstPlain(wide.subarray(shift, shift + file.length));
  }
});

Deno.test("replayVvd() agrees with a plain reader when fixups move vertices", () => {
  checkAgainstPlain(sorted());
});

Deno.test("replayVvd() keeps a row exactly when its lod is at or above the root LOD", () => {
  const file = plainVvd({
    counts: [6, 4, 1],
    fixups: [[0, 4, 2], [2, 0, 1], [1, 1, 3]],
    vertices: plainRecords(6),
    tangents: plainTangents(6),
  });
  assertEquals(plainReplay(file, 0), [4, 5, 0, 1, 2, 3]);
  assertEquals(plainReplay(file, 1), [0, 1, 2, 3]);
  assertEquals(plainReplay(file, 2), [0]);
  checkAgainstPlain(file);
});

Deno.test("replayVvd() takes the first vertices when there are several LODs and no fixups", () => {
  const file = plainVvd({
    counts: [9, 5, 2],
    vertices: plainRecords(9),
    tangents: plainTangents(9),
  });
  const vvd = readVvd(file);
  const flat = replayVvd(vvd, 1);
  assertEquals(flat.numLODVertexes, [5, 5, 2, 2, 2, 2, 2, 2]);
  assertSameBytes(flat.vertexData!, plainRecords(9).subarray(0, 5 * 48));
  assertSameBytes(flat.tangentData!, plainTangents(9).subarray(0, 5 * 16));
  checkAgainstPlain(file);
});

Deno.test("replayVvd() writes a single LOD when asked to", () => {
  const flat = replayVvd(readVvd(sorted()), 1, { singleLod: true });
  assertEquals(flat.numLODs, 1);
  assertEquals(flat.numLODVertexes, new Array(8).fill(3));
  assertEquals(readVvd(writeVvd(flat)).numLODs, 1);
});

Deno.test("replayVvd() clamps the root LOD when it is past the last one", () => {
  const vvd = readVvd(sorted());
  assertSameBytes(
    replayVvd(vvd, 7).vertexData!,
    replayVvd(vvd, 1).vertexData!,
  );
  assertEquals(splitVvd(vvd, 99).count, 3);
});

Deno.test("replayVvd() refuses a root LOD when it is negative or no integer", () => {
  const vvd = readVvd(sorted());
  for (const root of [-1, 0.5, NaN, Infinity]) {
    const error = assertThrows(() => replayVvd(vvd, root), MeshError);
    assertEquals(error.code, "ARGUMENT");
    assertEquals(
      assertThrows(() => splitVvd(vvd, root), MeshError).path,
      "rootLod",
    );
  }
});

Deno.test("readVvd() gives no tangents when tangentDataStart is 0", () => {
  const file = plainVvd({
    counts: [7, 3],
    fixups: rows,
    vertices: plainRecords(7),
  });
  const vvd = readVvd(file);
  assertEquals(vvd.tangentData, null);
  assertEquals(replayVvd(vvd, 0).tangentData, null);
  assertEquals(readVvd(writeVvd(replayVvd(vvd, 0))).tangentDataStart, 0);
  checkAgainstPlain(file);
});

Deno.test("readVvd() follows the offsets when a gap stands between the pools", () => {
  for (const filler of [0, 0xa5]) {
    checkAgainstPlain(plainVvd({
      counts: [7, 3],
      fixups: rows,
      vertices: plainRecords(7),
      tangents: plainTangents(7),
      fixupsAt: 80,
      verticesAt: 176,
      tangentsAt: 176 + 7 * 48 + 100,
      filler,
    }));
  }
});

Deno.test("readVvd() follows the offsets when the tangents stand before the vertices", () => {
  checkAgainstPlain(plainVvd({
    counts: [7, 3],
    fixups: rows,
    vertices: plainRecords(7),
    tangents: plainTangents(7),
    tangentsAt: 112,
    verticesAt: 112 + 7 * 16,
  }));
});

Deno.test("readVvd() follows the offsets when they are not multiples of four", () => {
  for (let shift = 1; shift < 8; shift++) {
    checkAgainstPlain(plainVvd({
      counts: [7, 3],
      fixups: rows,
      vertices: plainRecords(7),
      tangents: plainTangents(7),
      fixupsAt: 64 + shift,
      verticesAt: 131 + shift,
      tangentsAt: 131 + 7 * 48 + 2 * shift,
    }));
  }
});

Deno.test("readVvd() keeps trailing bytes when the file is written again", () => {
  const random = new Random(1);
  for (const tail of [ascii("x"), random.bytes(7), random.bytes(64)]) {
    const file = plainVvd({
      counts: [7, 3],
      fixups: rows,
      vertices: plainRecords(7),
      tangents: plainTangents(7),
      tail,
    });
    assertEquals(readVvd(file).extra, []);
    checkAgainstPlain(file);
  }
});

Deno.test("replayVvd() moves the arrays of an extra-data block as it moves vertices", () => {
  const random = new Random(2);
  const arrays = [
    { type: 1, bytesPerVertex: 8, data: random.bytes(7 * 8) },
    { type: 7, bytesPerVertex: 5, data: random.bytes(7 * 5) },
  ];
  const file = plainVvd({
    counts: [7, 3],
    fixups: rows,
    vertices: plainRecords(7),
    tangents: plainTangents(7),
    tail: plainExtraBlock(arrays),
  });
  const vvd = readVvd(file);
  assertEquals(vvd.extra.length, 2);
  for (const [i, a] of arrays.entries()) {
    assertEquals(vvd.extra[i].type, a.type);
    assertEquals(vvd.extra[i].bytesPerVertex, a.bytesPerVertex);
    assertSameBytes(vvd.extra[i].data, a.data);
  }
  for (const r of [0, 1]) {
    const flat = replayVvd(vvd, r);
    const again = readVvd(writeVvd(flat));
    for (const [i, a] of arrays.entries()) {
      const moved = plainGather(a.data, a.bytesPerVertex, plainReplay(file, r));
      assertSameBytes(flat.extra[i].data, moved);
      assertSameBytes(again.extra[i].data, moved);
      assertEquals(again.extra[i].type, a.type);
    }
  }
  checkAgainstPlain(file);
});

Deno.test("readVvd() keeps a block as trailing bytes when its index does not hold", () => {
  const block = plainExtraBlock([{
    type: 1,
    bytesPerVertex: 8,
    data: new Uint8Array(7 * 8),
  }]);
  const broken: [offset: number, value: number][] = [
    [0, 0], // no arrays
    [0, 17], // more than anyone has
    [0, 2], // the index would run into the array
    [4, 12], // smaller than its own index
    [4, block.length + 1], // larger than the file
    [12, 19], // the array would begin inside the index
    [12, 0xffffffff],
    [12, 21], // the array would end behind the block
    [16, 0], // an array without bytes
    [16, 0x7fffffff],
  ];
  for (const [offset, value] of broken) {
    const file = plainVvd({
      counts: [7, 3],
      fixups: rows,
      vertices: plainRecords(7),
      tangents: plainTangents(7),
      tail: patched(block, offset, value),
    });
    assertEquals(readVvd(file).extra, [], `${offset}: ${value}`);
    checkAgainstPlain(file);
  }
});

Deno.test("splitVvd() gives bone 200 as 200 when a model has that many bones", () => {
  const records = plainRecords(1);
  records.set([200, 255, 128, 3], 12);
  const file = plainVvd({ counts: [1], vertices: records });
  assertEquals([...splitVvd(readVvd(file), 0).bones], [200, 255, 128, 3]);
});

Deno.test("readVvd() accepts a file when it has no vertices", () => {
  for (
    const file of [
      plainVvd({ counts: [0], vertices: null }),
      plainVvd({
        counts: [0],
        vertices: new Uint8Array(0),
        tangents: new Uint8Array(0),
      }),
    ]
  ) {
    assertEquals(file.length, 64);
    assertEquals(splitVvd(readVvd(file), 0).count, 0);
    assertEquals(replayVvd(readVvd(file), 0).numLODVertexes[0], 0);
    checkAgainstPlain(file);
  }
});

Deno.test("replayVvd() says that vertices are absent when vertexDataStart is 0", () => {
  const file = plainVvd({
    counts: [7],
    vertices: null,
    tangents: plainTangents(7),
    tangentsAt: 64,
  });
  const vvd = readVvd(file);
  assertEquals(vvd.vertexData, null);
  assertSameBytes(vvd.tangentData!, plainTangents(7));
  assertSameBytes(writeVvd(vvd), file);
  for (const call of [replayVvd, splitVvd]) {
    const error = assertThrows(
      () => call(vvd, 0),
      MeshError,
      "vertexDataStart",
    );
    assertEquals(error.code, "VVD-NO-VERTICES");
    assertEquals(error.offset, 56);
  }
});

Deno.test("readVvd() does not look at fixupTableStart when there are no fixups", () => {
  for (const word of [0x80000040, 0xffffffff, 0x7fffffff, 0]) {
    const file = patched(
      plainVvd({ counts: [3], vertices: plainRecords(3) }),
      52,
      word,
    );
    checkAgainstPlain(file);
  }
});

Deno.test("readVvd() ignores counts when they stand past numLODs", () => {
  const file = patched(sorted(), 16 + 4 * 5, 0xffffffff);
  assertEquals(readVvd(file).numLODVertexes[5], -1);
  checkAgainstPlain(file);
});

Deno.test("replayVvd() refuses a file when LOD 1 needs more vertices than the pool has", () => {
  const vvd = readVvd(plainVvd({ counts: [3, 4], vertices: plainRecords(3) }));
  const error = assertThrows(() => replayVvd(vvd, 1), MeshError);
  assertEquals(error.code, "VVD-RANGE");
  assertEquals([error.found, error.allowed, error.offset], [4, 3, 20]);
  assertEquals(replayVvd(vvd, 1, { lenient: true }).numLODVertexes[0], 3);
});

Deno.test("replayVvd() refuses fixups when they do not add up, and takes them when lenient", () => {
  for (const [count, claimed] of [[2, 5], [2, 1]]) {
    const file = plainVvd({
      counts: [6, claimed],
      fixups: [[1, 0, count], [0, 2, 4]],
      vertices: plainRecords(6),
      tangents: plainTangents(6),
    });
    const vvd = readVvd(file);
    assertEquals(replayVvd(vvd, 0).numLODVertexes[0], 6);
    const error = assertThrows(() => replayVvd(vvd, 1), MeshError);
    assertEquals(error.code, "VVD-FIXUP-SUM");
    assertEquals([error.found, error.allowed], [count, claimed]);
    assertEquals(
      assertThrows(() => splitVvd(vvd, 1), MeshError).code,
      "VVD-FIXUP-SUM",
    );
    const flat = replayVvd(vvd, 1, { lenient: true });
    assertEquals(flat.numLODVertexes[0], count);
    assertSameBytes(flat.vertexData!, plainRecords(6).subarray(0, count * 48));
    assertEquals(splitVvd(vvd, 1, { lenient: true }).count, count);
  }
});

Deno.test("replayVvd() never gives more than the pool when overlapping fixups ask for it", () => {
  const pool = 1000;
  const many = 2000;
  const file = plainVvd({
    counts: [pool],
    fixups: Array.from({ length: many }, (): Row => [0, 0, pool]),
    vertices: plainRecords(pool),
    tangents: plainTangents(pool),
  });
  const vvd = readVvd(file);
  const error = assertThrows(() => replayVvd(vvd, 0), MeshError);
  assertEquals(error.code, "VVD-FIXUP-SUM");
  assertEquals([error.found, error.allowed], [pool * many, pool]);
  const flat = replayVvd(vvd, 0, { lenient: true });
  assertSameBytes(flat.vertexData!, plainRecords(pool));
  assertEquals(splitVvd(vvd, 0, { lenient: true }).count, pool);
});

Deno.test("replayVvd() does not cut silently when overlapping fixups add up to what a lower LOD claims", () => {
  const file = plainVvd({
    counts: [4, 12],
    fixups: [[1, 0, 4], [1, 0, 4], [1, 0, 4]],
    vertices: plainRecords(4),
  });
  const vvd = readVvd(file);
  for (const call of [replayVvd, splitVvd]) {
    const error = assertThrows(() => call(vvd, 1), MeshError);
    assertEquals([error.found, error.allowed], [12, 4]);
  }
});

Deno.test("replayVvd() repeats vertices when two fixups overlap and the sum holds", () => {
  const file = plainVvd({
    counts: [4],
    fixups: [[0, 1, 2], [0, 1, 2]],
    vertices: plainRecords(4),
  });
  assertEquals(plainReplay(file, 0), [1, 2, 1, 2]);
  checkAgainstPlain(file);
});

Deno.test("replayVvd() applies lod >= root LOD when a fixup's lod is negative or too large", () => {
  const file = plainVvd({
    counts: [5, 2],
    fixups: [[-1, 0, 0], [99, 3, 2], [0, 0, 3]],
    vertices: plainRecords(5),
    tangents: plainTangents(5),
  });
  assertEquals(plainReplay(file, 1), [3, 4]);
  checkAgainstPlain(file);
});

const HEADER = sorted().subarray(0, 64);
const lfs = ascii(
  "version https://git-lfs.github.com/spec/v1\noid sha256:0000\nsize 12345\n",
);
const bigEndian = sorted();
for (let i = 0; i < 64; i += 4) bigEndian.subarray(i, i + 4).reverse();

const IMPOSTORS: [
  what: string,
  bytes: Uint8Array,
  code: string,
  says: string,
][] = [
  ["is empty", new Uint8Array(0), "VVD-EMPTY", "it is empty"],
  ["is 64 zero bytes", new Uint8Array(64), "VVD-ZERO", "only zero bytes"],
  ["is 3 zero bytes", new Uint8Array(3), "VVD-ZERO", "only zero bytes"],
  ["is a Git LFS pointer", lfs, "VVD-LFS-POINTER", "git lfs pull"],
  ["is big-endian", bigEndian, "VVD-BIG-ENDIAN", "big-endian console file"],
  [
    "has magic IDCV",
    plainVvd({ magic: "IDCV", counts: [0], vertices: null }),
    "VVD-MEMORY-IMAGE",
    "IDCV",
  ],
  [
    "has magic IDDV",
    plainVvd({ magic: "IDDV", counts: [0], vertices: null }),
    "VVD-MEMORY-IMAGE",
    "IDDV",
  ],
  [
    "has one byte in front",
    new Uint8Array([7, ...sorted()]),
    "VVD-SHIFTED",
    "byte 1",
  ],
  [
    "has 16 bytes in front",
    new Uint8Array([...new Uint8Array(16), ...sorted()]),
    "VVD-SHIFTED",
    "byte 16",
  ],
  [
    "lost its first byte",
    sorted().subarray(1),
    "VVD-SHIFTED",
    "first bytes are lost",
  ],
  [
    "lost its first two bytes",
    sorted().subarray(2),
    "VVD-SHIFTED",
    "first bytes are lost",
  ],
  [
    "lost its first three bytes",
    sorted().subarray(3),
    "VVD-SHIFTED",
    "first bytes are lost",
  ],
  ["is an MDL", ascii("IDST0000"), "VVD-MAGIC", "IDST"],
  ["is one byte", ascii("I"), "VVD-MAGIC", "begins with IDSV"],
  ["has no magic", new Random(3).bytes(200), "VVD-MAGIC", "begins with IDSV"],
  [
    "is the magic alone",
    ascii("IDSV"),
    "VVD-TRUNCATED",
    "header takes 64 bytes",
  ],
  ["ends in the header", HEADER.subarray(0, 63), "VVD-TRUNCATED", "has 63"],
];

for (const [what, bytes, code, says] of IMPOSTORS) {
  Deno.test(`readVvd() throws ${code} when the file ${what}`, () => {
    const error = assertThrows(() => readVvd(bytes), MeshError, says);
    assertEquals(error.code, code);
    assertEquals(error.format, "vvd");
    assertEquals(typeof error.offset, "number");
  });
}

for (const version of [3, 5, 37, 2531, 0, -4, 4 << 8]) {
  Deno.test(`readVvd() throws VVD-VERSION when the version is ${version}`, () => {
    const error = assertThrows(
      () => readVvd(patched(sorted(), 4, version)),
      MeshError,
      `version is ${version}, allowed is 4`,
    );
    assertEquals(error.code, "VVD-VERSION");
    assertEquals([error.found, error.allowed, error.offset], [version, 4, 4]);
  });
}

const DAMAGE: [
  field: string,
  offset: number,
  value: number,
  code: string,
  at?: number,
][] = [
  ["numLODs", 12, 0, "VVD-LOD-COUNT"],
  ["numLODs", 12, 9, "VVD-LOD-COUNT"],
  ["numLODs", 12, -1, "VVD-LOD-COUNT"],
  ["numLODVertexes[0]", 16, -1, "VVD-COUNT-NEGATIVE"],
  ["numLODVertexes[1]", 20, -7, "VVD-COUNT-NEGATIVE"],
  ["numFixups", 48, -1, "VVD-COUNT-NEGATIVE"],
  ["fixupTableStart", 52, -64, "VVD-COUNT-NEGATIVE"],
  ["vertexDataStart", 56, -112, "VVD-COUNT-NEGATIVE"],
  ["tangentDataStart", 60, -1, "VVD-COUNT-NEGATIVE"],
  ["fixupTableStart", 52, 0x7fffffff, "VVD-RANGE"],
  ["fixupTableStart", 48, 0x7fffffff, "VVD-RANGE", 52],
  // 48 bytes times this count is 48 in 32-bit arithmetic
  ["vertexDataStart", 16, 0x05555557, "VVD-RANGE", 56],
  ["tangentDataStart", 16, 8, "VVD-RANGE", 60],
  ["vertexDataStart", 56, 0x7ffffff0, "VVD-RANGE"],
  ["tangentDataStart", 60, 113 + 7 * 48, "VVD-RANGE"],
];

for (const [field, offset, value, code, at] of DAMAGE) {
  Deno.test(`readVvd() throws ${code} when the word at ${offset} is ${value}`, () => {
    const error = refusal(
      patched(sorted().slice(0, 64 + 48 + 7 * 64), offset, value),
    );
    assertEquals(error.code, code);
    assertEquals(error.path, field);
    assertEquals(error.offset, at ?? offset);
  });
}

Deno.test("readVvd() throws VVD-FIXUP-RANGE when a fixup leaves the pool", () => {
  const at = 64 + 12; // the second row
  const cases: [source: number, count: number][] = [
    [-1, 2],
    [3, -1],
    [6, 2],
    [8, 0],
    [0x7fffffff, 0x7fffffff],
    [0, 8],
  ];
  for (const [source, count] of cases) {
    const error = refusal(
      patched(patched(sorted(), at + 4, source), at + 8, count),
    );
    assertEquals(error.code, "VVD-FIXUP-RANGE");
    assertEquals(error.offset, at);
    assertEquals(error.found, [source, count]);
    assertEquals(error.allowed, 7);
  }
  // the end of the pool is a legal place for an empty run
  readVvd(patched(patched(sorted(), at + 4, 7), at + 8, 0));
});

Deno.test("readVvd() throws LIMIT-EXCEEDED when a limit is passed", () => {
  const file = sorted();
  const size = refusal(file, { limits: { maxInputBytes: file.length - 1 } });
  assertEquals([size.code, size.path], ["LIMIT-EXCEEDED", "maxInputBytes"]);
  const count = refusal(file, { limits: { maxVertices: 6 } });
  assertEquals([count.code, count.path], ["LIMIT-EXCEEDED", "maxVertices"]);
  assertEquals([count.found, count.allowed], [7, 6]);
  readVvd(file, { limits: { maxInputBytes: file.length, maxVertices: 7 } });
});

Deno.test("splitVvd() throws KERNEL-MEMORY when the kernels may have no memory", () => {
  const vvd = readVvd(sorted());
  const error = assertThrows(
    () => splitVvd(vvd, 0, { maxKernelBytes: 100 }),
    MeshError,
  );
  assertEquals(error.code, "KERNEL-MEMORY");
  assertEquals(splitVvd(vvd, 0).count, 7);
});

Deno.test("replayVvd() agrees with a plain reader for random tables", () => {
  const random = new Random(4);
  for (let round = 0; round < 200; round++) {
    const numLODs = 1 + random.below(8);
    const pool = 1 + random.below(3000);
    // cut the pool into runs, hand them out in random order with random LODs
    const runs: Row[] = [];
    for (let at = 0; at < pool;) {
      const count = Math.min(pool - at, 1 + random.below(round % 2 ? 5 : 400));
      runs.push([random.below(numLODs), at, count]);
      at += count;
    }
    for (let i = runs.length - 1; i > 0; i--) {
      const k = random.below(i + 1);
      [runs[i], runs[k]] = [runs[k], runs[i]];
    }
    const counts = Array.from(
      { length: numLODs },
      (_, r) => runs.reduce((sum, [lod, , n]) => lod >= r ? sum + n : sum, 0),
    );
    const vertices = random.bytes(pool * 48);
    const tangents = random.bytes(pool * 16);
    checkAgainstPlain(
      plainVvd({
        counts,
        fixups: runs,
        vertices,
        ...(random.below(3) > 0 ? { tangents } : {}),
      }),
    );
  }
});
