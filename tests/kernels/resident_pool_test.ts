import "./build.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import { replaySplit, ResidentPool } from "../../src/kernels/mod.ts";
import { Random } from "../random.ts";
import { assertSameBytes } from "../same_bytes.ts";

const NAMES = ["position", "normal", "uv", "weights", "bones"] as const;

function randomRuns(random: Random, pool: number, runs: number): Uint32Array {
  const table = new Uint32Array(runs * 2);
  for (let i = 0; i < table.length; i += 2) {
    table[i] = random.below(pool);
    table[i + 1] = random.below(Math.min(9, pool - table[i]) + 1);
  }
  return table;
}

function filled(random: Random, vertices: number, tangents: boolean) {
  const pool = new ResidentPool(vertices, {
    tangents,
    maxReplayed: vertices * 40,
  });
  pool.records.set(random.bytes(vertices * 48));
  pool.tangents?.set(random.bytes(vertices * 16));
  return pool;
}

for (const tangents of [false, true]) {
  Deno.test(
    `ResidentPool.replay() gives what replaySplit() gives when the pool has ${
      tangents ? "" : "no "
    }tangents`,
    () => {
      const random = new Random(7);
      const pool = filled(random, 1000, tangents);
      // the middle one is several tables long
      for (const runs of [0, 1, 5000, 40]) {
        const table = randomRuns(random, 1000, runs);
        const expected = replaySplit(pool.records, pool.tangents, table);
        const actual = pool.replay(table);
        assertEquals(actual.count, expected.count);
        for (const name of NAMES) {
          assertSameBytes(actual[name], expected[name], `${runs}, ${name}`);
        }
        if (!tangents) assertEquals(actual.tangent, null);
        else assertSameBytes(actual.tangent!, expected.tangent!, `${runs}`);
      }
    },
  );
}

Deno.test("ResidentPool.replay() leaves its results in the pool's memory, which never grows", () => {
  const pool = filled(new Random(1), 100, false);
  const { buffer } = pool.records;
  const { byteLength } = buffer;
  const first = pool.replay(Uint32Array.of(0, 100));
  for (let k = 0; k < 2000; k++) {
    const split = pool.replay(Uint32Array.of(k % 100, 1, 0, 99));
    assert(NAMES.every((name) => split[name].buffer === buffer));
    assertThrows(() => pool.replay(Uint32Array.of(99, 2)), MeshError);
  }
  assertEquals(buffer.byteLength, byteLength);
  // the views of the first replay show the last: (1999 % 100, 1), then the pool from its start
  assertSameBytes(
    first.position.subarray(3, 6),
    new Uint8Array(pool.records.slice(16, 28)),
    "second vertex",
  );
});

Deno.test("two ResidentPools share nothing", () => {
  const [a, b] = [1, 2].map((seed) => filled(new Random(seed), 50, false));
  const split = a.replay(Uint32Array.of(0, 50));
  const before = split.position.slice();
  b.replay(Uint32Array.of(10, 40));
  assertSameBytes(split.position, before, "position");
});

Deno.test("ResidentPool throws ARGUMENT, LIMIT-EXCEEDED and KERNEL-MEMORY when runs, room or memory do not do", () => {
  const codeOf = (work: () => unknown) => assertThrows(work, MeshError).code;
  const pool = new ResidentPool(10, { maxReplayed: 15 });
  assertEquals(codeOf(() => pool.replay(Uint32Array.of(5, 6))), "ARGUMENT");
  assertEquals(codeOf(() => pool.replay(Uint32Array.of(5))), "ARGUMENT");
  assertEquals(
    codeOf(() => pool.replay(Uint32Array.of(0, 10, 0, 6))),
    "LIMIT-EXCEEDED",
  );
  assertEquals(pool.replay(Uint32Array.of(0, 10, 0, 5)).count, 15);
  assertEquals(codeOf(() => new ResidentPool(2 ** 31)), "LIMIT-EXCEEDED");
  assertEquals(
    codeOf(() => new ResidentPool(10_000, { maxKernelBytes: 100_000 })),
    "KERNEL-MEMORY",
  );
});
