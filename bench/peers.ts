/**
 * Tangent generators side by side, in one process and one run: ours, npm mikktspace (the C code in WebAssembly), three's
 * port, meshoptimizer's approximation and glTF-Transform's tangents(). Meshes are made here (tangent_meshes.ts).
 *
 * `--quick` measures the regular families at 100,000 triangles in under 40 s, with fewer samples of the slow peers;
 * `--sizes 10000,100000,1000000` measures others, `--samples 15` is how many, at most and, unless quick, at least;
 * `--json FILE` writes the numbers. Ratios are the peer's median over ours, geometric means over the families at 100,000
 * triangles: above 1 we are faster. Over runs of 64 and more, `replay/set` is the whole replaySplit(), copies in and out
 * included, against a `set` per run into a new array; `replay-resident/set` is ResidentPool.replay(), where the pool is in
 * kernel memory already and the result stays there, against the same, and `replay-resident/set-old` against a `set` per run
 * into an array that was there before;
 * `sparsify/ts` and `normals/ts` are against the fastest TypeScript of the same arithmetic (measure.ts).
 */
import { Document } from "@gltf-transform/core";
import { MeshoptTangents } from "meshoptimizer/tangents";
import { generateTangents as npmGenerate } from "mikktspace";
import { generateTangents as threeGenerate } from "three/mikktspace";
import type { Mesh } from "../src/core/mesh.ts";
import { generateTangents } from "../src/kernels/tangents.ts";
import { rebuildTangents } from "../src/ops/rebuild_tangents.ts";
import type { Measurement } from "./measure.ts";
import {
  ADVERSARIAL,
  OPPOSITE,
  REGULAR,
  type TangentMesh,
  triangleCount,
  unindexed,
} from "./tangent_meshes.ts";
import { type Times, timesOf } from "./times.ts";

/** Times of one contender on one mesh. */
interface PeerTimes extends Times {
  /** Corners whose bits are those of the generator it is to equal; null where nothing is claimed. */
  equalBits: string | null;
}

interface Row {
  family: string;
  triangles: number;
  input: "indexed" | "unindexed";
  times: Record<string, PeerTimes>;
}

type Run = () => Float32Array | void;

/** Keeps freed memory in the process: glibc would hand it back, and every call would fault its pages in again. */
const KEEP_PAGES = {
  MALLOC_TRIM_THRESHOLD_: String(2 ** 32),
  MALLOC_MMAP_THRESHOLD_: String(2 ** 32),
  MALLOC_TOP_PAD_: String(2 ** 26),
};
if (!Deno.env.get("MALLOC_TOP_PAD_")) {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--v8-flags=--expose-gc"],
      import.meta.url,
      ...Deno.args,
    ],
    env: KEEP_PAGES,
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  Deno.exit(code);
}
const collect =
  (globalThis as { gc?: (options: { type: "minor" }) => void }).gc;

const quick = Deno.args.includes("--quick");
/** The value behind an option. */
function option(name: string): string | null {
  const at = Deno.args.indexOf(name);
  return at < 0 ? null : Deno.args[at + 1] ?? null;
}
const jsonFile = option("--json");
const SIZES = option("--sizes")?.split(",").map(Number) ??
  (quick ? [100_000] : [10_000, 100_000, 1_000_000]);
const SAMPLES = Number(option("--samples") ?? 15);
if (![...SIZES, SAMPLES].every((n) => Number.isInteger(n) && n > 0)) {
  console.error("bench:peers: give --sizes and --samples whole numbers");
  Deno.exit(2);
}
await MeshoptTangents.ready;

function bits(a: Float32Array | void, b: Float32Array | void): string | null {
  if (!a || !b || a.length !== b.length) return null;
  let same = 0;
  for (let i = 0; i < a.length; i += 4) {
    let equal = true;
    for (let k = i; k < i + 4; k++) {
      equal &&= Object.is(a[k], b[k]);
    }
    if (equal) same++;
  }
  return `${(same * 400 / a.length).toFixed(2)} %`;
}

/**
 * Medians of interleaved runs: every round runs every contender once. A contender that spent its time sits out; in a quick
 * bench its warm-up counts where that alone spent it.
 */
function measure(
  contenders: Readonly<Record<string, Run>>,
  warmUps: Readonly<Record<string, number>>,
  rounds: number,
  budgetMs: number,
): Record<string, number[]> {
  const fewest = quick ? 1 : rounds;
  const samples: Record<string, number[]> = {};
  for (const [name, time] of Object.entries(warmUps)) {
    samples[name] = quick && time > budgetMs ? [time] : [];
  }
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(contenders)) {
      const spent = samples[name].reduce((a, b) => a + b, 0);
      if (samples[name].length >= fewest && spent > budgetMs) continue;
      collect?.({ type: "minor" }); // results of earlier calls go back to the allocator
      const start = performance.now();
      run();
      samples[name].push(performance.now() - start);
    }
  }
  return samples;
}

function summary(samples: number[], equalBits: string | null): PeerTimes {
  return { ...timesOf(samples), equalBits };
}

/** What a caller of an unindexed generator does with an indexed mesh, inside the time. */
function flat(mesh: TangentMesh, input: Row["input"]): TangentMesh {
  return input === "indexed" ? unindexed(mesh) : mesh;
}

function contendersFor(
  mesh: TangentMesh,
  input: Row["input"],
): Record<string, Run> {
  const indices = input === "indexed" ? mesh.indices : null;
  const { position, normal, uv } = mesh;
  return {
    ours: () => generateTangents(position, normal, uv, indices),
    "ours, reference": () =>
      generateTangents(position, normal, uv, indices, { mode: "reference" }),
    mikktspace: () => {
      const m = flat(mesh, input);
      return npmGenerate(m.position, m.normal, m.uv);
    },
    three: () => {
      const m = flat(mesh, input);
      return threeGenerate(m.position, m.normal, m.uv);
    },
    meshoptimizer: () =>
      MeshoptTangents.generateTangents(
        indices,
        position,
        3,
        normal,
        3,
        uv,
        2,
        ["Compatible"],
      ),
  };
}

function rowOf(
  family: string,
  mesh: TangentMesh,
  input: Row["input"],
  rounds: number,
  budgetMs: number,
): Row {
  const contenders = contendersFor(mesh, input);
  const corrected = contenders.ours();
  const claims: Record<string, Run> = {
    ours: contenders.three,
    "ours, reference": contenders.mikktspace,
    three: contenders.ours,
    meshoptimizer: contenders.ours,
  };
  const results: Record<string, Float32Array | void> = { ours: corrected };
  const warmUps: Record<string, number> = {};
  for (const [name, run] of Object.entries(contenders)) {
    const start = performance.now();
    results[name] ??= run();
    warmUps[name] = performance.now() - start;
  }
  const samples = measure(contenders, warmUps, rounds, budgetMs);
  const times: Row["times"] = {};
  for (const [name, list] of Object.entries(samples)) {
    const partner = Object.entries(contenders)
      .find(([, run]) => run === claims[name])?.[0];
    times[name] = summary(
      list,
      partner ? bits(results[name], results[partner]) : null,
    );
  }
  return { family, triangles: triangleCount(mesh), input, times };
}

/** Tangents, indexed in and indexed out: ours against unweld, tangents and weld of glTF-Transform. */
async function pipeline(mesh: TangentMesh): Promise<[number, number] | null> {
  // it loads a native image library that is not everywhere
  const functions = await import("@gltf-transform/functions")
    .catch((error) => void console.log(`glTF-Transform left out: ${error}`));
  if (!functions) return null;
  const { tangents, unweld, weld } = functions;
  const document = () => {
    const doc = new Document();
    doc.setLogger({ debug() {}, info() {}, warn() {}, error() {} });
    const buffer = doc.createBuffer();
    const accessor = (
      array: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>,
      type: "VEC3" | "VEC2" | "SCALAR",
    ) => doc.createAccessor().setArray(array).setType(type).setBuffer(buffer);
    const primitive = doc.createPrimitive()
      .setIndices(accessor(mesh.indices.slice(), "SCALAR"))
      .setAttribute("POSITION", accessor(mesh.position.slice(), "VEC3"))
      .setAttribute("NORMAL", accessor(mesh.normal.slice(), "VEC3"))
      .setAttribute("TEXCOORD_0", accessor(mesh.uv.slice(), "VEC2"));
    doc.createScene().addChild(
      doc.createNode().setMesh(doc.createMesh().addPrimitive(primitive)),
    );
    return doc;
  };
  const indexed: Mesh = {
    name: "",
    basis: "gltf",
    vertexCount: mesh.position.length / 3,
    attributes: {
      position: mesh.position,
      normal: mesh.normal,
      uvs: [mesh.uv],
    },
    influences: 0,
    lods: [{ indices: mesh.indices, groups: [], switchDistance: null }],
    materials: [],
    morphs: null,
    skeleton: null,
    heightfield: null,
  };
  const theirs: number[] = [];
  const own: number[] = [];
  for (let round = 0; round < (quick ? 2 : 5); round++) {
    const doc = document();
    let start = performance.now();
    await doc.transform(
      unweld(),
      tangents({ generateTangents: npmGenerate }),
      weld(),
    );
    theirs.push(performance.now() - start);
    // the first calls of a process run before the compilers have seen them
    for (let k = round === 0 ? -8 : 0; k < 5; k++) {
      start = performance.now();
      rebuildTangents(indexed);
      if (k >= 0) own.push(performance.now() - start);
    }
  }
  return [summary(own, null).median, summary(theirs, null).median];
}

const ns = (ms: number, triangles: number) =>
  (ms * 1e6 / triangles).toFixed(0).padStart(6);

function print(row: Row): void {
  const cells = Object.entries(row.times).map(([name, t]) =>
    `${name} ${ns(t.median, row.triangles)} (${
      ns(t.low, row.triangles).trim()
    }-${ns(t.high, row.triangles).trim()}; n=${t.runs}${
      t.equalBits ? `; same ${t.equalBits}` : ""
    })`
  );
  console.log(
    `${row.family} ${row.triangles} ${row.input}, ns a triangle\n  ${
      cells.join("\n  ")
    }`,
  );
}

/** Geometric mean of a peer's median over a contender's. */
function ratio(rows: readonly Row[], peer: string, own = "ours"): number {
  const logs = rows.map((r) =>
    Math.log(r.times[peer].median / r.times[own].median)
  );
  return Math.exp(logs.reduce((a, b) => a + b, 0) / logs.length);
}

const here = (path: string) =>
  JSON.stringify(new URL(path, import.meta.url).href);

/** Runs code in a process of its own, with the memory settings of everybody, and reads the number that it prints. */
async function inProcess(code: string): Promise<number> {
  const env = { ...Deno.env.toObject() };
  for (const name of Object.keys(KEEP_PAGES)) delete env[name];
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", "--v8-flags=--expose-gc", code],
    cwd: new URL("../", import.meta.url),
    clearEnv: true,
    env,
  }).output();
  return Number(new TextDecoder().decode(stdout));
}

/** How each generator is called on a mesh m, as code. */
const CALLS: Readonly<Record<string, [load: string, call: string]>> = {
  ours: [
    `const { generateTangents } = await import(${
      here("../src/kernels/tangents.ts")
    });`,
    "generateTangents(m.position, m.normal, m.uv, null);",
  ],
  mikktspace: [
    'const { generateTangents } = await import("mikktspace");',
    "generateTangents(m.position, m.normal, m.uv);",
  ],
  three: [
    'const { generateTangents } = await import("three/mikktspace");',
    "generateTangents(m.position, m.normal, m.uv);",
  ],
  meshoptimizer: [
    'const { MeshoptTangents } = await import("meshoptimizer/tangents"); await MeshoptTangents.ready;',
    'MeshoptTangents.generateTangents(null, m.position, 3, m.normal, 3, m.uv, 2, ["Compatible"]);',
  ],
};

const MESH = (triangles: number) =>
  `import { REGULAR, unindexed } from ${here("tangent_meshes.ts")};
const m = unindexed(REGULAR.blob(${triangles}));`;

/** Milliseconds of the first call on 10,000 triangles: ours and three's in turn, in fresh processes. */
async function firstCalls(): Promise<[number, number]> {
  const times: Record<string, number[]> = { ours: [], three: [] };
  for (let k = 0; k < (quick ? 3 : 15); k++) {
    for (const [name, list] of Object.entries(times)) {
      const [load, call] = CALLS[name];
      list.push(
        await inProcess(`${MESH(10_000)}
${load}
const start = performance.now();
${call}
console.log(performance.now() - start);`),
      );
    }
  }
  return [summary(times.ours, null).median, summary(times.three, null).median];
}

/** Bytes a triangle by which one call raises the highest memory of a fresh process, input not counted; Linux alone. */
async function peakMemory(triangles: number): Promise<Record<string, number>> {
  const peaks: Record<string, number> = {};
  if (Deno.build.os !== "linux") return peaks;
  for (const [name, [load, call]] of Object.entries(CALLS)) {
    const bytes = await inProcess(`${MESH(triangles)}
const field = (name) => Number(new RegExp(name + ":\\\\s+(\\\\d+)")
  .exec(Deno.readTextFileSync("/proc/self/status"))[1]) * 1024;
${load}
gc(); // what building the mesh left behind
Deno.writeTextFileSync("/proc/self/clear_refs", "5"); // the mark starts again
const before = field("VmRSS");
${call}
console.log(field("VmHWM") - before);`);
    peaks[name] = Math.round(bytes / triangles);
  }
  return peaks;
}

/** Contenders of the replay cases. */
const NEW_ARRAY = /^Uint8Array.set per run, no split/;
const OLD_ARRAY = /^Uint8Array.set per run, into an old array/;
const RESIDENT = "ResidentPool.replay";

/** Ratios of the other kernels, from the cases that measure.ts keeps for that. */
async function kernelRatios(): Promise<Record<string, number>> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--v8-flags=--expose-gc"],
      new URL("measure.ts", import.meta.url).href,
      ...["--ratios", "--quick"],
    ],
    env: KEEP_PAGES,
    stderr: "null",
  }).output();
  const { cases } = JSON.parse(
    new TextDecoder().decode(stdout),
  ) as Measurement;
  const over = (kernel: string, peer: RegExp, own = kernel) => {
    const logs = cases.filter(({ name }) => name.startsWith(kernel)).map((c) =>
      Math.log(
        Math.min(
          ...c.timings.slice(1).filter((t) => peer.test(t.contender))
            .map((t) => t.median),
        ) / c.timings.find((t) => t.contender === own)!.median,
      )
    );
    return Math.exp(logs.reduce((a, b) => a + b, 0) / logs.length);
  };
  return {
    "sparsify/ts": over("sparsifyMorphs", /^typed-array/),
    "normals/ts": over("transformNormals", /^typed-array loop$/),
    "replay/set": over("replaySplit", NEW_ARRAY),
    "replay/loop": over("replaySplit", /^typed-array/),
    "replay-resident/set": over("replaySplit", NEW_ARRAY, RESIDENT),
    "replay-resident/set-old": over("replaySplit", OLD_ARRAY, RESIDENT),
  };
}

console.log(
  `Deno ${Deno.version.deno}, V8 ${Deno.version.v8}, ${Deno.build.os} ${Deno.build.arch}, ${navigator.hardwareConcurrency} cores`,
);
// the compilers of all see their code before anything counts
for (
  const run of Object.values(contendersFor(REGULAR.sphere(20_000), "indexed"))
) {
  run();
}
const rows: Row[] = [];
for (const [family, make] of Object.entries(REGULAR)) {
  for (const size of SIZES) {
    const mesh = make(size);
    for (const input of ["indexed", "unindexed"] as const) {
      const row = rowOf(
        family,
        input === "indexed" ? mesh : unindexed(mesh),
        input,
        SAMPLES,
        quick ? 400 : 12_000,
      );
      rows.push(row);
      print(row);
    }
  }
}

/** Worst cases in milliseconds, and what each may take; peers take seconds, overflow or trap here. */
const worst: Record<string, { ms: number; most: number | null }> = {};
for (
  const [name, mesh, most] of [
    ["fan 20k", ADVERSARIAL.fan(20_000), 60],
    ["fan 250k", ADVERSARIAL.fan(250_000), 600],
    ["fan with own uv 20k", ADVERSARIAL["fan-own-uv"](20_000), null],
    ["one edge 20k", ADVERSARIAL.book(20_000), 150],
    ["coincident 20k", ADVERSARIAL.coincident(20_000), 60],
    ["20k good, 10k degenerate", ADVERSARIAL.degenerate(30_000), 80],
    ["outlier 20k", ADVERSARIAL.outlier(20_000), null],
    ["NaN 20k", ADVERSARIAL.nan(20_000), null],
    ["opposite 2k", OPPOSITE(2000), 100],
  ] as [string, TangentMesh, number | null][]
) {
  const times: number[] = [];
  for (let k = 0; k < 5; k++) {
    const start = performance.now();
    generateTangents(mesh.position, mesh.normal, mesh.uv, mesh.indices);
    times.push(performance.now() - start);
  }
  worst[name] = { ms: summary(times, null).median, most };
  console.log(
    `${name}: ${worst[name].ms.toFixed(1)} ms${most ? ` of ${most}` : ""}`,
  );
}

const at100k = rows.filter((r) => Math.abs(r.triangles - 100_000) < 5000);
const whole = await pipeline(REGULAR.blob(quick ? 20_000 : 100_000));
const [first, threeFirst] = await firstCalls();
const overPeers = (peer: string, own = "ours") =>
  at100k.length > 0 ? ratio(at100k, peer, own) : NaN;
const ratios: Record<string, number> = {
  "tangents/mikktspace": overPeers("mikktspace"),
  "tangents/three": overPeers("three"),
  "tangents/meshoptimizer": overPeers("meshoptimizer"),
  "tangents-reference/mikktspace": overPeers("mikktspace", "ours, reference"),
  ...(whole ? { "tangents-indexed/gltf-transform": whole[1] / whole[0] } : {}),
  "tangents-first-call/three": threeFirst / first,
  ...await kernelRatios(),
};
const memory = quick ? {} : await peakMemory(1_000_000);
for (const [name, bytes] of Object.entries(memory)) {
  console.log(`peak memory, blob 1M unindexed, ${name}: ${bytes} B a triangle`);
}
for (const [name, value] of Object.entries(ratios)) {
  if (Number.isNaN(value)) delete ratios[name]; // its size was not asked for
  else console.log(`${name}: ${value.toFixed(2)} x`);
}
if (jsonFile) {
  await Deno.writeTextFile(
    jsonFile,
    JSON.stringify({ ratios, worst, memory, rows }, null, 1) + "\n",
  );
}
