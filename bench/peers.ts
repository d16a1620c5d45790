/**
 * Tangent generators side by side, in one process and one run: ours, npm mikktspace (the C code in WebAssembly), three's
 * port, meshoptimizer's approximation and glTF-Transform's tangents(). Meshes are made here (tangent_meshes.ts).
 *
 * `--quick` measures the regular families at 100,000 triangles in under 40 s, `--json FILE` writes the numbers. Ratios are
 * the peer's median over ours, geometric means over the families at 100,000 triangles: above 1 we are faster.
 */
import { Document } from "@gltf-transform/core";
import { MeshoptTangents } from "meshoptimizer/tangents";
import { generateTangents as npmGenerate } from "mikktspace";
import { generateTangents as threeGenerate } from "three/mikktspace";
import type { Mesh } from "../src/core/mesh.ts";
import { kernelMemoryBytes } from "../src/kernels/loader.ts";
import { generateTangents } from "../src/kernels/tangents.ts";
import { rebuildTangents } from "../src/ops/rebuild_tangents.ts";
import {
  ADVERSARIAL,
  OPPOSITE,
  REGULAR,
  type TangentMesh,
  triangleCount,
  unindexed,
} from "./tangent_meshes.ts";

/** Milliseconds of one contender on one mesh. */
interface Times {
  median: number;
  low: number;
  high: number;
  runs: number;
  /** Corners whose bits are those of the generator it is to equal; null where nothing is claimed. */
  equalBits: string | null;
}

interface Row {
  family: string;
  triangles: number;
  input: "indexed" | "unindexed";
  times: Record<string, Times>;
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
const jsonAt = Deno.args.indexOf("--json");
const jsonFile = jsonAt < 0 ? null : Deno.args[jsonAt + 1];
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

/** Medians of interleaved runs: every round runs every contender once. A contender that spent its time sits out. */
function measure(
  contenders: Readonly<Record<string, Run>>,
  rounds: number,
  budgetMs: number,
): Record<string, number[]> {
  const fewest = quick ? 2 : 3;
  const samples: Record<string, number[]> = {};
  for (const name of Object.keys(contenders)) samples[name] = [];
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

function summary(times: number[], equalBits: string | null): Times {
  const sorted = times.toSorted((a, b) => a - b);
  return {
    median: sorted[sorted.length >> 1],
    low: sorted[0],
    high: sorted[sorted.length - 1],
    runs: sorted.length,
    equalBits,
  };
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
  for (const [name, run] of Object.entries(contenders)) {
    results[name] ??= run(); // also warms it up
  }
  const samples = measure(contenders, rounds, budgetMs);
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

/** The first call on 10,000 triangles, in fresh processes. */
async function firstCalls(): Promise<[number, number]> {
  const measureFirst = async (call: string) => {
    const times: number[] = [];
    for (let k = 0; k < 3; k++) {
      const code = `
import { REGULAR, unindexed } from ${
        JSON.stringify(new URL("tangent_meshes.ts", import.meta.url))
      };
const m = unindexed(REGULAR.blob(10000));
${call}
console.log(performance.now() - start);`;
      const { stdout } = await new Deno.Command(Deno.execPath(), {
        args: ["eval", "--no-check", code],
        cwd: new URL("../", import.meta.url),
      }).output();
      times.push(Number(new TextDecoder().decode(stdout)));
    }
    return summary(times, null).median;
  };
  const kernel = JSON.stringify(
    new URL("../src/kernels/tangents.ts", import.meta.url),
  );
  return [
    await measureFirst(
      `const { generateTangents } = await import(${kernel});
const start = performance.now();
generateTangents(m.position, m.normal, m.uv, null);`,
    ),
    await measureFirst(
      `const { generateTangents } = await import("three/mikktspace");
const start = performance.now();
generateTangents(m.position, m.normal, m.uv);`,
    ),
  ];
}

console.log(
  `Deno ${Deno.version.deno}, V8 ${Deno.version.v8}, ${Deno.build.os} ${Deno.build.arch}, ${navigator.hardwareConcurrency} cores`,
);
const rows: Row[] = [];
for (const [family, make] of Object.entries(REGULAR)) {
  for (const size of quick ? [100_000] : [10_000, 100_000, 1_000_000]) {
    const mesh = make(size);
    for (const input of ["indexed", "unindexed"] as const) {
      const row = rowOf(
        family,
        input === "indexed" ? mesh : unindexed(mesh),
        input,
        15,
        quick ? 400 : 12_000,
      );
      rows.push(row);
      print(row);
    }
  }
}

/** Worst cases in milliseconds, one warm call each; their peers take seconds, overflow or trap here. */
const worst: Record<string, number> = {};
for (
  const [name, mesh] of [
    ["fan 20k", ADVERSARIAL.fan(20_000)],
    ["fan 250k", ADVERSARIAL.fan(250_000)],
    ["fan with own uv 20k", ADVERSARIAL["fan-own-uv"](20_000)],
    ["one edge 20k", ADVERSARIAL.book(20_000)],
    ["coincident 20k", ADVERSARIAL.coincident(20_000)],
    ["20k good, 10k degenerate", ADVERSARIAL.degenerate(30_000)],
    ["outlier 20k", ADVERSARIAL.outlier(20_000)],
    ["NaN 20k", ADVERSARIAL.nan(20_000)],
    ["opposite 2k", OPPOSITE(2000)],
  ] as [string, TangentMesh][]
) {
  const times: number[] = [];
  for (let k = 0; k < 5; k++) {
    const start = performance.now();
    generateTangents(mesh.position, mesh.normal, mesh.uv, mesh.indices);
    times.push(performance.now() - start);
  }
  worst[name] = summary(times, null).median;
  console.log(`${name}: ${worst[name].toFixed(1)} ms`);
}

const at100k = rows.filter((r) => Math.abs(r.triangles - 100_000) < 5000);
const whole = await pipeline(REGULAR.blob(quick ? 20_000 : 100_000));
const [first, threeFirst] = await firstCalls();
const ratios: Record<string, number> = {
  "tangents/mikktspace": ratio(at100k, "mikktspace"),
  "tangents/three": ratio(at100k, "three"),
  "tangents/meshoptimizer": ratio(at100k, "meshoptimizer"),
  "tangents-reference/mikktspace": ratio(
    at100k,
    "mikktspace",
    "ours, reference",
  ),
  ...(whole ? { "tangents-indexed/gltf-transform": whole[1] / whole[0] } : {}),
  "tangents-first-call/three": threeFirst / first,
};
for (const [name, value] of Object.entries(ratios)) {
  console.log(`${name}: ${value.toFixed(2)} x`);
}
const rss = Deno.memoryUsage().rss;
console.log(
  `kernel memory ${kernelMemoryBytes()} bytes, process ${rss} bytes at the end`,
);
if (jsonFile) {
  await Deno.writeTextFile(
    jsonFile,
    JSON.stringify({ ratios, worst, rows }, null, 1) + "\n",
  );
}
