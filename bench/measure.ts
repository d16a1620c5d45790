/**
 * Measures and prints one JSON object; bench/main.ts starts it with the memory settings that it needs.
 *
 * Every contender of a case is called in turn, round after round, so that a slow moment of the machine meets all of them;
 * of two calls the second counts.
 * Between calls the young generation is collected: results of earlier calls go back to the allocator, and the next call
 * gets pages that were touched before. Without that, every call pays the operating system for fresh pages, and the figures
 * are those of its page faults.
 *
 * @module
 */
import { cpus } from "node:os";
import {
  replaySplit,
  ResidentPool,
  sparsifyMorphs,
  transformNormals,
} from "../src/kernels/mod.ts";
import { normalMatrix } from "../src/kernels/normals.ts";
import { loadNative } from "./native.ts";
import {
  normalsByLoop,
  normalsByReciprocal,
  type PlainSparse,
  replayBySet,
  sparsifyByBits,
  sparsifyByLists,
  sparsifyByLoop,
  splitByLoop,
} from "./twins.ts";

/** Nanoseconds per vertex (per delta for morphs) of one contender. */
export interface Timing {
  /** Who. */
  contender: string;
  /** Middle of the samples. */
  median: number;
  /** Fastest sample. */
  min: number;
  /** Slowest sample. */
  max: number;
}

/** One case: the kernel first, its peers after it. */
export interface Case {
  /** Kernel and input. */
  name: string;
  /** What the figures are per. */
  unit: string;
  /** Kernel first. */
  timings: Timing[];
}

/** What measure.ts prints. */
export interface Measurement {
  /** Model name of the processor. */
  cpu: string;
  /** Samples of each contender. */
  samples: number;
  /** All cases. */
  cases: Case[];
}

const quick = Deno.args.includes("--quick");
/** The few cases that the ratios of bench/peers.ts come from. */
const ratiosOnly = Deno.args.includes("--ratios");
const SAMPLES = quick ? 15 : 25;
const WARM_UP = 6; // enough for the optimising compilers of both languages

const collect =
  (globalThis as { gc?: (options: { type: "minor" }) => void }).gc;
if (!collect) throw new Error("Run bench/main.ts, which exposes the collector");

function measure(
  name: string,
  unit: string,
  elements: number,
  contenders: Record<string, () => unknown>,
): Case {
  const samples = new Map<string, number[]>();
  for (let round = -WARM_UP; round < SAMPLES; round++) {
    for (const [contender, work] of Object.entries(contenders)) {
      // once before: contenders with data of their own find them in the caches as those do that share theirs
      work();
      collect!({ type: "minor" });
      const start = performance.now();
      work();
      const time = (performance.now() - start) * 1e6 / elements;
      if (round < 0) continue;
      samples.set(contender, [...samples.get(contender) ?? [], time]);
    }
  }
  const timings = Array.from(samples, ([contender, times]) => {
    times.sort((a, b) => a - b);
    return {
      contender,
      median: times[times.length >> 1],
      min: times[0],
      max: times[times.length - 1],
    };
  });
  console.error(`${name}: measured`);
  return { name, unit, timings };
}

const native = loadNative();

/** Contenders of the native kind, where there is a compiler. */
function ifNative(
  name: string,
  work: (lib: NonNullable<typeof native>) => unknown,
): Record<string, () => unknown> {
  return native ? { [name]: () => work(native) } : {};
}

/** A figure means nothing when the contenders do not compute the same. */
function assertSame(what: string, a: ArrayBufferView, b: ArrayBufferView) {
  const view = (x: ArrayBufferView) =>
    new Uint8Array(x.buffer, x.byteOffset, x.byteLength);
  const [p, q] = [view(a), view(b)];
  if (p.length !== q.length || p.some((byte, i) => byte !== q[i])) {
    throw new Error(`${what}: the contenders disagree`);
  }
}

/** A small seeded generator (Numerical Recipes' constants); measurements repeat on the same data. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () =>
    (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** All runs of a pool, each `length` long, in random order, as a fixup table after much editing. */
function shuffledRuns(vertices: number, length: number): Uint32Array {
  const next = random(length);
  const order = Uint32Array.from(
    { length: Math.floor(vertices / length) },
    (_, i) => i * length,
  );
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  const runs = new Uint32Array(order.length * 2);
  order.forEach((first, i) => runs.set([first, length], i * 2));
  return runs;
}

function replayCases(
  vertices: number,
  lengths: readonly number[] = [4, 64, 1024, 16_384],
): Case[] {
  const next = random(1);
  const words = Uint32Array.from(
    { length: vertices * 12 },
    () => next() * 2 ** 32,
  );
  const records = new Uint8Array(words.buffer);
  const copy = records.slice(); // touched
  return lengths.map((length) => {
    const runs = shuffledRuns(vertices, length);
    const count = Math.floor(vertices / length) * length;
    const ours = replaySplit(records, null, runs);
    const [position, normal, uv, weights, bones] = splitByLoop(records, runs);
    assertSame("position", ours.position, position);
    assertSame("normal", ours.normal, normal);
    assertSame("uv", ours.uv, uv);
    assertSame("weights", ours.weights, weights);
    assertSame("bones", ours.bones, bones);
    const part = records.subarray(0, count * 48);
    const pool = new ResidentPool(vertices);
    pool.records.set(records);
    assertSame("resident", pool.replay(runs).normal, ours.normal);
    const pairs = runs.length;
    return measure(
      `replaySplit, ${vertices} vertices, runs of ${length}`,
      "ns/vertex",
      count,
      {
        replaySplit: () => replaySplit(records, null, runs),
        "typed-array loop, same split": () => splitByLoop(records, runs),
        "Uint8Array.set per run, no split": () => replayBySet(records, runs),
        "Uint8Array.set per run, into an old array": () =>
          replayBySet(records, runs, copy),
        "ResidentPool.replay": () => pool.replay(runs),
        "memcpy, one set into an old array": () => copy.set(part),
        ...ifNative("C, memcpy per run, no split", (c) => {
          const out = new Uint8Array(count * 48);
          c.replay(records, runs, pairs, out);
        }),
        ...ifNative("C, same split", (c) => {
          const out = [12, 12, 8, 12, 4].map((n) => new Uint8Array(count * n));
          const [p, n, uv, w, b] = out;
          c.split(records, runs, pairs, p, n, uv, w, b);
        }),
      },
    );
  });
}

/** Dense targets of which a share moves, in runs of 200 vertices, as expressions of a face do. */
function denseMorphs(
  vertices: number,
  targets: number,
  share: number,
): Float32Array<ArrayBuffer> {
  const next = random(2);
  const dense = new Float32Array(vertices * targets * 6);
  dense.fill(1);
  dense.fill(0); // an untouched page is the same page of zeros everywhere, and reads far too fast
  const deltas = vertices * targets;
  for (let run = deltas * share / 200; run > 0; run--) {
    const first = Math.floor(next() * (deltas - 200)) * 6;
    for (let i = 0; i < 200 * 6; i++) dense[first + i] = next() - 0.5;
  }
  return dense;
}

function morphCases(
  vertices: number,
  targets: number,
  shares: readonly number[] = [0.05, 0.5],
): Case[] {
  const names = Array.from({ length: targets }, (_, i) => `target ${i}`);
  return shares.map((share) => {
    const dense = denseMorphs(vertices, targets, share);
    const ours = sparsifyMorphs(dense, names, vertices);
    for (const peer of [sparsifyByLoop, sparsifyByBits, sparsifyByLists]) {
      const theirs: PlainSparse = peer(dense, targets, vertices);
      assertSame("offsets", ours.offsets, theirs.offsets);
      assertSame("targets", ours.targets, theirs.targets);
      assertSame("position", ours.position, theirs.position);
      assertSame("normal", ours.normal!, theirs.normal);
    }
    return measure(
      `sparsifyMorphs, ${vertices} vertices × ${targets} targets, ${
        share * 100
      } % moving`,
      "ns/delta",
      vertices * targets,
      {
        sparsifyMorphs: () => sparsifyMorphs(dense, names, vertices),
        "typed-array loop": () => sparsifyByLoop(dense, targets, vertices),
        "typed-array loop on bits": () =>
          sparsifyByBits(dense, targets, vertices),
        "typed-array loop on bits, lists": () =>
          sparsifyByLists(dense, targets, vertices),
        ...ifNative("C, finding alone", (c) => {
          const index = new Uint32Array(vertices);
          for (let t = 0; t < targets; t++) {
            const first = t * vertices * 6;
            const rows = dense.subarray(first, first + vertices * 6);
            c.scan(rows, vertices, 1e-6, index);
          }
        }),
      },
    );
  });
}

function normalCases(vertices: number, only?: string): Case[] {
  const next = random(3);
  const normals = Float32Array.from(
    { length: vertices * 3 },
    () => next() * 2 - 1,
  );
  const matrices: Record<string, number[]> = {
    // f32 is exact enough for the first; the second cancels and is worked in f64
    "a rotation": [
      ...[0.36, 0.48, -0.8, 0],
      ...[-0.8, 0.6, 0, 0],
      ...[0.48, 0.64, 0.6, 0],
      ...[0, 0, 0, 1],
    ],
    "a stretch between turns": [
      ...[1, 2, 3, 0],
      ...[-2, 5, 1, 0],
      ...[4, 0, 1, 0],
      ...[5, 6, 7, 1],
    ],
  };
  return Object.entries(matrices).filter(([name]) => name === (only ?? name))
    .map(([name, matrix]) => {
      const ours = transformNormals(normals, matrix);
      for (const peer of [normalsByLoop, normalsByReciprocal]) {
        const theirs = peer(normals, matrix);
        ours.normal.forEach((x, i) => {
          if (!(Math.abs(x - theirs.normal[i]) < 1e-5)) {
            throw new Error("normals: the contenders disagree");
          }
        });
      }
      const rows = normalMatrix(matrix);
      return measure(
        `transformNormals, ${vertices} normals, ${name}`,
        "ns/normal",
        vertices,
        {
          transformNormals: () => transformNormals(normals, matrix),
          "typed-array loop": () => normalsByLoop(normals, matrix),
          "typed-array loop, one division": () =>
            normalsByReciprocal(normals, matrix),
          ...ifNative("C, f32", (c) => {
            const out = new Float32Array(vertices * 3);
            c.normals(normals, out, vertices, rows);
          }),
        },
      );
    });
}

const cases: Case[] = ratiosOnly
  ? [
    ...replayCases(65_536, [64, 1024, 16_384]),
    ...morphCases(50_000, 16, [0.05]),
    ...normalCases(50_000, "a rotation"),
  ]
  : [
    ...replayCases(65_536),
    ...replayCases(1_000_000),
    ...morphCases(50_000, quick ? 16 : 64),
    ...morphCases(1_000_000, quick ? 2 : 8),
    ...normalCases(50_000),
    ...normalCases(1_000_000),
  ];
const cpu = cpus()[0]?.model ?? "unknown";
const measurement: Measurement = { cpu, samples: SAMPLES, cases };
console.log(JSON.stringify(measurement));
