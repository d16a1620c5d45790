/**
 * GLB to GLB with new tangents, ours against glTF-Transform, in one process and one run: read, rebuild tangents, write.
 *
 * glTF-Transform's `tangents()` takes unindexed primitives, so that indexed in and indexed out is `unweld()`, `tangents()`,
 * `weld()` there; its generator is the one that it recommends, npm's mikktspace. Files are made here from formulas: one of
 * the size of the Khronos sample 2CylinderEngine (34 meshes, 82 nodes, 121,000 triangles), one mesh of 100,000 triangles,
 * and one of 10,000; files named on the command line and the largest suitable one of the corpus are measured too.
 *
 * Every round runs both once, so that a busy moment of the machine meets both. `--rounds N` (15 unless given), `--json FILE`.
 *
 * @module
 */
import { Document, type ILogger, WebIO } from "@gltf-transform/core";
import { tangents, unweld, weld } from "@gltf-transform/functions";
import { parseArgs } from "@std/cli/parse-args";
import { cpus } from "node:os";
import { generateTangents } from "mikktspace";
import { convert } from "../src/convert/convert.ts";
import { readGltf } from "../src/formats/gltf/read.ts";
import { writeGlb } from "../src/formats/gltf/write.ts";
import { rebuildTangents } from "../src/ops/rebuild_tangents.ts";
import { corpusUrl, hasCorpus } from "../tests/corpus.ts";
import { REGULAR, type TangentMesh } from "./tangent_meshes.ts";
import { type Times, timesOf } from "./times.ts";

interface Row {
  file: string;
  bytes: number;
  triangles: number;
  /** Whole conversions. */
  ours: Times;
  gltfTransform: Times;
  /** Their median over ours: above 1 we are faster. */
  ratio: number;
  /** Our stages, each by itself. */
  stages: { read: Times; tangents: Times; write: Times };
}

const WARM_UP = 3;
const args = parseArgs(Deno.args, { string: ["json", "rounds"] });
const rounds = Number(args.rounds ?? 15);
const jsonFile = args.json as string | undefined;
const silent: ILogger = { debug() {}, info() {}, warn() {}, error() {} };

/** A GLB whose every mesh hangs on a node of its own, as CAD programs export them, moved and turned. */
async function glbOf(
  parts: readonly TangentMesh[],
  nodes: number,
): Promise<Uint8Array> {
  const document = new Document().setLogger(silent);
  const buffer = document.createBuffer();
  const scene = document.createScene();
  let parent = document.createNode();
  scene.addChild(parent);
  for (let i = 1; i < nodes - parts.length; i++) {
    const child = document.createNode().setTranslation([0.1, 0, 0]);
    parent.addChild(child);
    if (i % 4 === 0) parent = child;
  }
  parts.forEach((part, i) => {
    const accessor = (
      array: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>,
      type: "VEC3" | "VEC2" | "SCALAR",
    ) =>
      document.createAccessor().setArray(array).setType(type).setBuffer(buffer);
    const small = part.position.length / 3 < 65_535;
    const indices = document.createAccessor().setType("SCALAR").setBuffer(
      buffer,
    )
      .setArray(small ? Uint16Array.from(part.indices) : part.indices.slice());
    const primitive = document.createPrimitive()
      .setIndices(indices)
      .setAttribute("POSITION", accessor(part.position.slice(), "VEC3"))
      .setAttribute("NORMAL", accessor(part.normal.slice(), "VEC3"))
      .setAttribute("TEXCOORD_0", accessor(part.uv.slice(), "VEC2"))
      .setMaterial(document.createMaterial(`material ${i % 8}`));
    const half = i * 0.1;
    parent.addChild(
      document.createNode(`part ${i}`)
        .setTranslation([i % 6, i % 5, i % 7])
        .setRotation([0, Math.sin(half), 0, Math.cos(half)])
        .setMesh(document.createMesh().addPrimitive(primitive)),
    );
  });
  return await new WebIO().setLogger(silent).writeBinary(document);
}

async function files(): Promise<[string, Uint8Array][]> {
  const families = Object.values(REGULAR);
  const engine = Array.from(
    { length: 34 },
    (_, i) => families[i % families.length](3572),
  );
  const out: [string, Uint8Array][] = [
    ["the size of 2CylinderEngine", await glbOf(engine, 82)],
    ["one mesh, 100,000 triangles", await glbOf([REGULAR.blob(100_000)], 2)],
    ["one mesh, 10,000 triangles", await glbOf([REGULAR.blob(10_000)], 2)],
  ];
  for (const name of args._.map(String)) {
    out.push([name, await Deno.readFile(name)]);
  }
  if (hasCorpus) {
    const name = "gltf/synthetic/grid-70225.glb";
    out.push([name, await Deno.readFile(corpusUrl(name))]);
  }
  return out;
}

async function theirs(glb: Uint8Array): Promise<Uint8Array> {
  const io = new WebIO().setLogger(silent);
  const document = (await io.readBinary(glb)).setLogger(silent);
  await document.transform(
    unweld(),
    tangents({ generateTangents, overwrite: true }),
    weld(),
  );
  return await io.writeBinary(document);
}

async function ours(glb: Uint8Array): Promise<Uint8Array> {
  const { outputs } = await convert(glb, { to: "gltf", tangents: "rebuild" });
  return outputs[0];
}

async function timed<T>(work: () => Promise<T> | T): Promise<[number, T]> {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

/** The time of a conversion means nothing when the result lacks what was asked for. */
async function checkOutput(glb: Uint8Array, triangles: number): Promise<void> {
  const { mesh } = await readGltf(glb);
  const found = mesh.lods[0].indices!.length / 3;
  const { tangent } = mesh.attributes;
  if (found !== triangles || !tangent?.some((x) => x !== 0)) {
    throw new Error(`${found} of ${triangles} triangles, or no tangents`);
  }
}

async function rowOf(file: string, glb: Uint8Array): Promise<Row> {
  const { mesh } = await readGltf(glb);
  const triangles = mesh.lods[0].indices!.length / 3;
  await checkOutput(await ours(glb), triangles);
  await checkOutput(await theirs(glb), triangles);
  const samples: Record<string, number[]> = {};
  const take = (name: string, ms: number) => (samples[name] ??= []).push(ms);
  for (let round = -WARM_UP; round < rounds; round++) {
    const [own] = await timed(() => ours(glb));
    const [peer] = await timed(() => theirs(glb));
    const [read, { mesh }] = await timed(() => readGltf(glb));
    const [rebuild, made] = await timed(() => rebuildTangents(mesh));
    const [write] = await timed(() => writeGlb(made));
    if (round < 0) continue;
    Object.entries({ own, peer, read, rebuild, write })
      .forEach(([name, ms]) => take(name, ms));
  }
  const [own, peer] = [timesOf(samples.own), timesOf(samples.peer)];
  return {
    file,
    bytes: glb.length,
    triangles,
    ours: own,
    gltfTransform: peer,
    ratio: peer.median / own.median,
    stages: {
      read: timesOf(samples.read),
      tangents: timesOf(samples.rebuild),
      write: timesOf(samples.write),
    },
  };
}

const ms = (t: Times) =>
  `${t.median.toFixed(1)} ms (${t.low.toFixed(1)} to ${t.high.toFixed(1)})`;

console.log(
  `Deno ${Deno.version.deno}, V8 ${Deno.version.v8}, ${
    cpus()[0]?.model ?? "unknown processor"
  }, ${navigator.hardwareConcurrency} cores; medians of ${rounds}, with ranges`,
);
const rows: Row[] = [];
for (const [file, glb] of await files()) {
  const row = await rowOf(file, glb);
  rows.push(row);
  const { read, tangents: rebuilt, write } = row.stages;
  console.log(
    `${file}, ${row.triangles} triangles, ${row.bytes} bytes
  ours           ${ms(row.ours)}: read ${ms(read)}, tangents ${
      ms(rebuilt)
    }, write ${ms(write)}
  glTF-Transform ${ms(row.gltfTransform)}
  ratio          ${row.ratio.toFixed(2)}`,
  );
}
if (jsonFile) {
  await Deno.writeTextFile(
    jsonFile,
    JSON.stringify({ rounds, rows }, null, 2),
  );
}
