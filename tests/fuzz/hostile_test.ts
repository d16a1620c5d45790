import { assert, assertEquals, assertLess, assertThrows } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import { Findings } from "../../src/core/findings.ts";
import { readPayload } from "../../src/formats/payload/mod.ts";
import { readVvd, validateVvd } from "../../src/formats/vvd/mod.ts";
import {
  Put,
  putHeightfield,
  skinnedPart,
  staticPart,
} from "../payload/plain_payload.ts";
import {
  plainRecords,
  plainTangents,
  plainVvd,
  type Row,
} from "../vvd/plain_vvd.ts";
import { exercisePayload, exerciseVvd, Trial } from "./exercise.ts";
import { AllocationWatch } from "./watch.ts";

/** Large files take their time; here it is the memory that counts. */
const PATIENCE = 10_000;

const MEBIBYTE = 2 ** 20;

/** A beginning, then zeros up to a size. */
function zerosBehind(put: Put, size = MEBIBYTE): Uint8Array {
  const out = new Uint8Array(size);
  out.set(put.bytes);
  return out;
}

/** How many elements fit behind a beginning that ends with their count. */
const fitting = (before: number, bytesEach: number) =>
  Math.floor((MEBIBYTE - before) / bytesEach);

const bare = () => skinnedPart(0, [], []);

/** Files whose counts ask for all the zeros behind them, and for one element more. */
const GREEDY: [what: string, file: (more: number) => Uint8Array][] = [
  [
    "vertices",
    (more) => zerosBehind(new Put().u32(fitting(8, 56) + more)),
  ],
  ["indices", (more) => zerosBehind(new Put().u32(0, fitting(8, 2) + more))],
  [
    "levels",
    (more) =>
      zerosBehind(
        staticPart(0, []).ascii("LODS").u32(65_536 - 1 + more),
        16 + 8 * 65_535,
      ),
  ],
  [
    "indices of a level",
    (more) =>
      zerosBehind(
        staticPart(0, []).ascii("LODS").u32(1, 0, fitting(24, 2) + more),
      ),
  ],
  [
    "heights",
    (more) =>
      zerosBehind(
        putHeightfield(staticPart(0, []), 1, fitting(20, 4) + more, []),
      ),
  ],
  [
    "skinned vertices",
    (more) => zerosBehind(new Put().ascii("SKMV").u32(fitting(16, 80) + more)),
  ],
  [
    "joints",
    (more) =>
      zerosBehind(
        new Put().ascii("SKMV").u32(0, 0, fitting(16, 44) + more),
        16 + 44 * fitting(16, 44),
      ),
  ],
  [
    "morph targets",
    (more) => {
      const count = 60_000;
      return zerosBehind(
        bare().ascii("MRPS").u32(count + more),
        16 + 8 + 4 * count + 8,
      );
    },
  ],
  [
    "morph entries",
    (more) => {
      const put = bare().ascii("MRPS").u32(1).name("m");
      const count = fitting(37, 28);
      return zerosBehind(put.u32(count + more, count + more));
    },
  ],
  [
    "legacy morph targets",
    (more) => {
      const count = 60_000;
      return zerosBehind(
        bare().ascii("MRPH").u32(count + more),
        16 + 8 + 4 * count,
      );
    },
  ],
];

for (const [what, file] of GREEDY) {
  for (const more of [0, 1]) {
    const claim = more ? `more ${what} than` : `as many ${what} as`;
    Deno.test(`payload functions ask for memory in proportion when a file claims ${claim} it has`, () => {
      const bytes = file(more);
      using watch = new AllocationWatch();
      exercisePayload(bytes, new Trial(watch, PATIENCE));
    });
  }
}

Deno.test("payload functions refuse within 100 ms when counts ask for more than the bytes behind them", () => {
  const huge = 0xffffffff;
  const entry = new Array(7).fill(0);
  const hostile: [string, Uint8Array][] = [
    ["vertices", new Put().u32(huge).bytes],
    [
      "vertices wrapping 32 bits",
      new Put().u32(0x04924925).u32(...entry).bytes,
    ],
    ["indices", new Put().u32(0, huge).bytes],
    ["levels", staticPart(0, []).ascii("LODS").u32(huge).bytes],
    [
      "levels with some of them there",
      staticPart(0, []).ascii("LODS").u32(huge)
        .u32(...new Array(4000).fill(0)).u16(0).bytes,
    ],
    [
      "indices of a level",
      staticPart(0, []).ascii("LODS").u32(1, 0, huge).bytes,
    ],
    ["heights", putHeightfield(staticPart(0, []), huge, huge, []).bytes],
    ["skinned vertices", new Put().ascii("SKMV").u32(huge).bytes],
    ["skinned indices", new Put().ascii("SKMV").u32(0, huge).bytes],
    ["joints", new Put().ascii("SKMV").u32(0, 0, huge).bytes],
    [
      "joints with some of them there",
      new Put().ascii("SKMV").u32(0, 0, huge).u32(...new Array(2201).fill(0))
        .u16(0).bytes,
    ],
    ["a joint name", new Put().ascii("SKMV").u32(0, 0, 1, huge).bytes],
    ["morph targets", skinnedPart(0, [], []).ascii("MRPS").u32(huge).bytes],
    ["a morph name", skinnedPart(0, [], []).ascii("MRPS").u32(1, huge).bytes],
    [
      "morph entries",
      skinnedPart(0, [], []).ascii("MRPS").u32(1).name("a").u32(huge, 0)
        .u32(...entry).bytes,
    ],
  ];
  using watch = new AllocationWatch();
  for (const [what, bytes] of hostile) {
    const error = assertThrows(() => readPayload(bytes), MeshError, "", what);
    assert(error.found !== undefined && error.allowed !== undefined, what);
    exercisePayload(bytes, new Trial(watch));
  }
});

Deno.test("readPayload() asks for little in all when a legacy block names many targets of no vertices", () => {
  const count = 60_000;
  const bytes = zerosBehind(bare().ascii("MRPH").u32(count), 24 + 4 * count);
  using watch = new AllocationWatch();
  watch.reset();
  const file = readPayload(bytes);
  assert(file.kind === "skinned");
  assertEquals(file.morphs.names.length, count);
  assertLess(watch.total, 4 * bytes.length + MEBIBYTE);
});

Deno.test("VVD functions ask for memory in proportion when many fixups repeat the whole pool", () => {
  const pool = 10_000;
  const file = plainVvd({
    counts: [pool, pool, pool],
    fixups: Array.from({ length: 20_000 }, (_, i): Row => [i % 3, 0, pool]),
    vertices: plainRecords(pool),
    tangents: plainTangents(pool),
  });
  using watch = new AllocationWatch();
  exerciseVvd(file, new Trial(watch, PATIENCE));
});

Deno.test("VVD functions ask for memory in proportion when a header claims vertices that are absent", () => {
  const claimed = 2 ** 27;
  const file = plainVvd({
    counts: [claimed],
    fixups: [[0, 0, claimed]],
    vertices: null,
  });
  assertEquals(file.length, 76);
  using watch = new AllocationWatch();
  exerciseVvd(file, new Trial(watch));
  const findings = new Findings();
  validateVvd(readVvd(file), findings);
  assertEquals(findings.list[0].code, "VVD-NO-VERTICES");
});

Deno.test("VVD functions ask for memory in proportion when arrays of an extra-data block share their bytes", () => {
  const pool = 4000;
  const arrays = 16;
  // one array of bytes that all sixteen entries point to
  const tail = new Uint8Array(8 + 12 * arrays + 100 * pool);
  const view = new DataView(tail.buffer);
  view.setInt32(0, arrays, true);
  view.setInt32(4, tail.length, true);
  for (let i = 0; i < arrays; i++) {
    view.setInt32(8 + 12 * i, i, true);
    view.setInt32(12 + 12 * i, 8 + 12 * arrays, true);
    view.setInt32(16 + 12 * i, 100, true);
  }
  const file = plainVvd({
    counts: [pool, 100],
    vertices: plainRecords(pool),
    tangents: plainTangents(pool),
    tail,
  });
  using watch = new AllocationWatch();
  exerciseVvd(file, new Trial(watch, PATIENCE));
});
