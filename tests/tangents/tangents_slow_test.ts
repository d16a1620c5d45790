import { assert, assertGreater, assertLess } from "@std/assert";
import {
  ADVERSARIAL,
  OPPOSITE,
  REGULAR,
  type TangentMesh,
} from "../../bench/tangent_meshes.ts";
import { withArena } from "../../src/kernels/loader.ts";
import { Random } from "../random.ts";
import { corpusTest } from "../corpus.ts";
import { gltfMeshes, sourceMeshes } from "./corpus_meshes.ts";
import {
  assertBothOracles,
  assertSameTangents,
  compareOddMeshes,
  compareRandomMeshes,
  correctedOracle,
  ours,
  oursUnindexed,
  referenceOracle,
} from "./oracles.ts";
import { plainTangents } from "./plain_mikktspace.ts";
import { smallMesh } from "./small_meshes.ts";

Deno.test("generateTangents() gives both generators' bits on 100,000 random small meshes", () => {
  const { compared, apart } = compareRandomMeshes(1_000_000, 115_000);
  assertGreater(compared, 100_000);
  assertGreater(apart, 1000);
});

Deno.test("generateTangents() gives the corrected bits on 50,000 small meshes with NaN, infinities and any normals", () => {
  compareOddMeshes(2_000_000, 50_000);
});

for (
  const [corpus, meshes, least] of [
    ["glTF", gltfMeshes, 100],
    ["Source", sourceMeshes, 200],
  ] as const
) {
  corpusTest(
    `generateTangents() gives both generators' bits on every mesh of the ${corpus} corpus`,
    async () => {
      let compared = 0;
      for await (const [where, mesh] of meshes()) {
        assertBothOracles(mesh, where);
        compared++;
      }
      assertGreater(compared, least);
    },
  );
}

Deno.test("generateTangents() splits 20,000 small meshes at any threshold as the plain one does", () => {
  for (let seed = 3_000_000; seed < 3_020_000; seed++) {
    const random = new Random(seed);
    const mesh = smallMesh(random);
    if (mesh.indices.length > 120) continue;
    const angularThreshold = random.between(0, 180);
    assertSameTangents(
      ours(mesh, { angularThreshold }),
      plainTangents(mesh, null, angularThreshold),
      `seed ${seed}`,
    );
  }
});

for (
  const [name, make] of Object.entries({ ...REGULAR, ...ADVERSARIAL })
) {
  Deno.test(`generateTangents() gives both generators' bits on ${name}, large`, () => {
    // three is quadratic on the fan, and the reference on several more
    const mesh = make(name === "fan" ? 8000 : 60_000);
    assertSameTangents(ours(mesh), correctedOracle(mesh), name);
    assertSameTangents(oursUnindexed(mesh), ours(mesh), name);
    if (["nan", "coincident"].includes(name)) return;
    const small = make(4000);
    const mode = { mode: "reference" } as const;
    assertSameTangents(ours(small, mode), referenceOracle(small), name);
    if (!(name in REGULAR)) return;
    assertSameTangents(ours(mesh, mode), referenceOracle(mesh), name);
  });
}

Deno.test("mikkAcos() rounds as acos in f64 does, on every 61st float of [-1, 1]", () => {
  const chunk = 1 << 16;
  const words = new Uint32Array(chunk);
  const floats = new Float32Array(words.buffer);
  let checked = 0;
  withArena(1 << 20, (arena) => {
    const p = arena.alloc(chunk * 4);
    for (let first = 0; first <= 0x3f800000; first += chunk * 61) {
      for (let i = 0; i < chunk; i++) {
        const word = Math.min(first + i * 61, 0x3f800000);
        words[i] = i & 1 ? word | 0x80000000 : word;
      }
      const view = arena.f32(p, chunk);
      view.set(floats);
      arena.exports.mikkAcos(p, chunk);
      for (let i = 0; i < chunk; i++) {
        const expected = Math.fround(Math.acos(floats[i]));
        assert(
          view[i] === expected,
          `acos(${floats[i]}) is ${view[i]}, expected ${expected}`,
        );
        checked++;
      }
    }
  });
  assertGreater(checked, 17_000_000);
});

/** Shortest of some runs, in milliseconds. */
function fastest(mesh: TangentMesh, runs: number): number {
  let best = Infinity;
  for (let k = 0; k < runs; k++) {
    const start = performance.now();
    ours(mesh);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/** Slope of time over size, both as logarithms, by least squares. */
function slope(points: readonly (readonly [number, number])[]): number {
  const logs = points.map(([n, ms]) => [Math.log(n), Math.log(ms)]);
  const mean = [0, 1].map((k) =>
    logs.reduce((sum, p) => sum + p[k], 0) / logs.length
  );
  let [up, down] = [0, 0];
  for (const [x, y] of logs) {
    up += (x - mean[0]) * (y - mean[1]);
    down += (x - mean[0]) ** 2;
  }
  return up / down;
}

/** [triangles, milliseconds] of one family, in a process of its own. */
async function timeFamily(name: string): Promise<[number, number][]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-check",
      new URL("time_family.ts", import.meta.url).href,
      name,
    ],
    env: {
      MALLOC_TRIM_THRESHOLD_: String(2 ** 32),
      MALLOC_MMAP_THRESHOLD_: String(2 ** 32),
    },
  }).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

for (const name of Object.keys(ADVERSARIAL)) {
  Deno.test(`generateTangents() takes time in proportion to triangles on ${name}`, async () => {
    // other tests run beside this one: the shortest time at each size is what it takes
    let points = await timeFamily(name);
    for (let again = 0; again < 3 && slope(points) >= 1.2; again++) {
      const more = await timeFamily(name);
      points = points.map(([n, ms], i) => [n, Math.min(ms, more[i][1])]);
    }
    assertLess(slope(points), 1.2, JSON.stringify(points));
  });
}

Deno.test("generateTangents() ends soon where others are quadratic or overflow", () => {
  const limits: [string, TangentMesh, number][] = [
    ["fan 20k", ADVERSARIAL.fan(20_000), 60],
    ["fan 250k", ADVERSARIAL.fan(250_000), 600],
    ["20k on one edge", ADVERSARIAL.book(20_000), 150],
    ["20k coincident", ADVERSARIAL.coincident(20_000), 60],
    ["20k good, 10k degenerate", ADVERSARIAL.degenerate(30_000), 80],
    ["2k opposite", OPPOSITE(2000), 100],
  ];
  for (const [name, mesh, limit] of limits) {
    assertLess(fastest(mesh, 5), limit, name);
  }
});
