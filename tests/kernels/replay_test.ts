import "./build.ts";
import { assert, assertEquals, assertLess, assertThrows } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import { kernelMemoryBytes } from "../../src/kernels/mod.ts";
import {
  gatherRecords,
  mergeRuns,
  RECORD_BYTES,
  replaySplit,
  type SplitVertices,
  TANGENT_BYTES,
} from "../../src/kernels/replay.ts";
import { Random } from "../random.ts";
import { assertSameBytes } from "../same_bytes.ts";

type Run = [first: number, count: number];

/** Pool vertices in output order: the plainest reading of a run table. */
function order(runs: Run[]): number[] {
  return runs.flatMap(([first, count]) =>
    Array.from({ length: count }, (_, i) => first + i)
  );
}

/** The oracle: one DataView, one field at a time, as bits. */
function plainSplit(
  records: Uint8Array,
  tangents: Uint8Array | null,
  runs: Run[],
): Record<string, Uint8Array | null> {
  const from = new DataView(records.buffer, records.byteOffset);
  const vertices = order(runs);
  const take = (source: DataView, stride: number, at: number, size: number) => {
    const out = new DataView(new ArrayBuffer(vertices.length * size));
    vertices.forEach((v, i) => {
      for (let k = 0; k < size; k += 4) {
        out.setUint32(
          i * size + k,
          source.getUint32(v * stride + at + k, true),
          true,
        );
      }
    });
    return new Uint8Array(out.buffer);
  };
  return {
    weights: take(from, 48, 0, 12),
    bones: take(from, 48, 12, 4),
    position: take(from, 48, 16, 12),
    normal: take(from, 48, 28, 12),
    uv: take(from, 48, 40, 8),
    tangent: tangents
      ? take(new DataView(tangents.buffer, tangents.byteOffset), 16, 0, 16)
      : null,
  };
}

function assertSplit(
  actual: SplitVertices,
  expected: Record<string, Uint8Array | null>,
  what: string,
): void {
  for (const [name, bytes] of Object.entries(expected)) {
    const array = actual[name as keyof SplitVertices] as
      | Float32Array
      | Uint8Array
      | null;
    if (!bytes) assertEquals(array, null, `${what}: ${name}`);
    else {
      assert(array, `${what}: ${name}`);
      assertSameBytes(array, bytes, `${what}: ${name}`);
      // each array owns a buffer of its size, so that it can be transferred
      assertEquals(array.buffer.byteLength, bytes.length, `${what}: ${name}`);
    }
  }
  assertEquals(actual.count, expected.bones!.length / 4, what);
}

/** Random bytes behind an odd offset, where no f32 view could be laid. */
function unaligned(random: Random, length: number): Uint8Array {
  const offset = random.pick([0, 1, 2, 3, 5, 7, 16]);
  return random.bytes(length + offset).subarray(offset);
}

/** Run tables of every kind that meets an edge of the code. */
const TABLES: Record<string, (random: Random, pool: number) => Run[]> = {
  "the whole pool": (_, pool) => [[0, pool]],
  "nothing": () => [],
  "empty runs": (random, pool) => [[0, 0], [random.below(pool), 0], [pool, 0]],
  "runs of 1": (random, pool) =>
    Array.from({ length: 1 + random.below(3000) }, () => [
      random.below(pool),
      1,
    ]),
  "runs of 0 to 7": (random, pool) =>
    Array.from({ length: 1 + random.below(1500) }, () => {
      const first = random.below(pool + 1);
      return [first, Math.min(random.below(8), pool - first)];
    }),
  "runs that merge": (random, pool) => {
    const runs: Run[] = [];
    for (let first = 0; first < pool;) {
      const count = Math.min(1 + random.below(40), pool - first);
      runs.push([first, count]);
      first += count;
    }
    return runs;
  },
  "overlapping runs": (random, pool) =>
    Array.from({ length: 20 }, () => {
      const first = random.below(pool);
      return [first, random.below(Math.min(pool - first, 900) + 1)];
    }),
  "runs past a chunk": (random, pool) =>
    Array.from({ length: 3 }, () => {
      const first = random.below(Math.ceil(pool / 4));
      return [first, pool - first];
    }),
  "one long run among short ones": (random, pool) => [
    ...Array.from({ length: 50 }, (): Run => [random.below(pool), 1]),
    [0, pool],
    ...Array.from({ length: 50 }, (): Run => [random.below(pool), 1]),
  ],
};

for (const [name, make] of Object.entries(TABLES)) {
  Deno.test(`replaySplit() equals a DataView loop when the table has ${name}`, () => {
    const random = new Random(name.length);
    for (const pool of [1, 2, 3, 5, 64, 2047, 2048, 2049, 5000]) {
      for (const withTangents of [false, true]) {
        const records = unaligned(random, pool * RECORD_BYTES);
        const tangents = withTangents
          ? unaligned(random, pool * TANGENT_BYTES)
          : null;
        const before = [records.slice(), tangents?.slice()];
        const runs = make(random, pool);
        assertSplit(
          replaySplit(records, tangents, Uint32Array.from(runs.flat())),
          plainSplit(records, tangents, runs),
          `pool ${pool}, tangents ${withTangents}`,
        );
        assertSameBytes(records, before[0]!, "records");
        if (tangents) assertSameBytes(tangents, before[1]!, "tangents");
      }
    }
  });
}

Deno.test("replaySplit() gives the same when a pool of short runs is too large to copy", () => {
  // 192 KiB of staging fit, twice the pool does not: runs are staged one by one instead of gathered in the kernel
  const random = new Random(5);
  const pool = 6000;
  const records = unaligned(random, pool * RECORD_BYTES);
  const tangents = unaligned(random, pool * TANGENT_BYTES);
  const runs = TABLES["runs of 0 to 7"](random, pool);
  const limit = 300_000;
  assertLess(limit, records.length + tangents.length);
  assertSplit(
    replaySplit(records, tangents, Uint32Array.from(runs.flat()), limit),
    plainSplit(records, tangents, runs),
    "staged",
  );
});

Deno.test("replaySplit() keeps the bits when values are NaN, signalling ones included", () => {
  const patterns = [
    ...[0x7f800001, 0x7fa00000, 0x7fc00000, 0x7fffffff, 0xff800001],
    ...[0xffc00001, 0xffffffff, 0x7fbfffff, 0x80000000, 0x00000001],
  ];
  for (const runLength of [1, 100]) { // gathered in the kernel and staged
    const pool = 300;
    const words = Uint32Array.from(
      { length: pool * 12 },
      (_, i) => patterns[i % patterns.length],
    );
    const tangentWords = words.slice(1, 1 + pool * 4);
    const runs: Run[] = [];
    for (let v = pool - runLength; v >= 0; v -= runLength) {
      runs.push([v, runLength]);
    }
    const records = new Uint8Array(words.buffer);
    const tangents = new Uint8Array(tangentWords.buffer);
    assertSplit(
      replaySplit(records, tangents, Uint32Array.from(runs.flat())),
      plainSplit(records, tangents, runs),
      `runs of ${runLength}`,
    );
  }
});

Deno.test("replaySplit() ignores the rest when the pool ends with a part of a record", () => {
  const records = new Random(1).bytes(2 * RECORD_BYTES + 47);
  assertSplit(
    replaySplit(records, null, Uint32Array.of(0, 2)),
    plainSplit(records, null, [[0, 2]]),
    "two records",
  );
  assertThrows(
    () => replaySplit(records, null, Uint32Array.of(2, 1)),
    MeshError,
  );
});

Deno.test("replaySplit() throws ARGUMENT when a run leaves the pool or the table is odd", () => {
  const records = new Uint8Array(10 * RECORD_BYTES);
  const short = new Uint8Array(9 * TANGENT_BYTES);
  const cases: [Uint8Array | null, number[]][] = [
    [null, [0, 11]],
    [null, [10, 1]],
    [null, [0, 1, 11, 0]],
    [null, [0xffffffff, 1]],
    [null, [1, 0xffffffff]],
    // two runs that continue one another and would wrap to nothing in 32 bits
    [null, [0, 0x80000000, 0x80000000, 0x80000000]],
    [null, [0, 1, 2]],
    [short, [9, 1]],
  ];
  for (const [tangents, runs] of cases) {
    const error = assertThrows(
      () => replaySplit(records, tangents, Uint32Array.from(runs)),
      MeshError,
    );
    assertEquals(error.code, "ARGUMENT", runs.join());
  }
  assertEquals(replaySplit(records, short, Uint32Array.of(8, 1)).count, 1);
});

Deno.test("replaySplit() throws LIMIT-EXCEEDED when overlapping runs add up to too much", () => {
  const pool = 65_536;
  const records = new Uint8Array(pool * RECORD_BYTES);
  const runs = Uint32Array.from({ length: 2 * 2049 }, (_, i) => i % 2 * pool);
  const error = assertThrows(() => replaySplit(records, null, runs), MeshError);
  assertEquals(error.code, "LIMIT-EXCEEDED");
});

Deno.test("replaySplit() throws KERNEL-MEMORY when the limit is too small, and works afterwards", () => {
  const records = new Random(3).bytes(3000 * RECORD_BYTES);
  const runs: Run[] = [[0, 3000]];
  const table = Uint32Array.from(runs.flat());
  replaySplit(records, null, table);
  const memory = kernelMemoryBytes();
  for (const limit of [0, 1, 1000, 100_000, NaN]) {
    const error = assertThrows(
      () => replaySplit(records, null, table, limit),
      MeshError,
    );
    assertEquals(error.code, "KERNEL-MEMORY");
    assert(error instanceof RangeError);
    assertEquals(error.allowed, limit);
  }
  assertEquals(kernelMemoryBytes(), memory);
  assertSplit(
    replaySplit(records, null, table),
    plainSplit(records, null, runs),
    "afterwards",
  );
});

Deno.test("mergeRuns() keeps the order of vertices and leaves no two runs that could be one", () => {
  const random = new Random(11);
  for (let round = 0; round < 300; round++) {
    const runs: Run[] = [];
    let next = 0;
    for (let i = random.below(12); i > 0; i--) {
      if (random.below(2)) next = random.below(50);
      const count = random.below(5);
      runs.push([next, count]);
      next += count;
    }
    const merged = mergeRuns(Uint32Array.from(runs.flat()));
    const pairs: Run[] = [];
    for (let i = 0; i < merged.length; i += 2) {
      pairs.push([merged[i], merged[i + 1]]);
    }
    assertEquals(order(pairs), order(runs));
    pairs.forEach(([first, count], i) => {
      assert(count > 0);
      if (i > 0) assert(pairs[i - 1][0] + pairs[i - 1][1] !== first);
    });
  }
});

Deno.test("gatherRecords() equals a copy record by record when sizes and runs are random", () => {
  const random = new Random(12);
  for (let round = 0; round < 100; round++) {
    const size = 1 + random.below(20);
    const pool = 1 + random.below(100);
    const data = unaligned(random, pool * size);
    const runs = TABLES["overlapping runs"](random, pool);
    const expected = order(runs).flatMap((v) => [
      ...data.subarray(v * size, (v + 1) * size),
    ]);
    assertEquals(
      [...gatherRecords(data, size, Uint32Array.from(runs.flat()))],
      expected,
    );
  }
});
