/**
 * A mesh of a million points whose text is just under 512 MiB, or over it with a row on each line, and the work on it in a
 * process of its own, so that its memory can be measured. Every mode prints one line of JSON, `run` behind what the command
 * prints:
 *
 * `big_css.ts write PATH`, `big_css.ts lines PATH`, `big_css.ts read PATH`, `big_css.ts run ARGUMENT...`
 *
 * @module
 */
import { denoHost } from "../../src/cli/deno_host.ts";
import { run as runCli } from "../../src/cli/main.ts";
import { type CssMesh, writeCssMeshChunks } from "../../src/formats/css/mod.ts";
import { examineCss } from "../../src/formats/css/validate.ts";
import { Random } from "../random.ts";

/** A sheet of `side` × `side` points with `wedges` wedges, each of them on the point of its number modulo the points. */
export function sheet(side: number, wedges: number, channels: number): CssMesh {
  const random = new Random(side);
  const n = side * side;
  const points = new Float32Array(n * 3);
  for (let i = 0; i < n; i++) {
    points[i * 3] = (i % side) * 1.1;
    points[i * 3 + 1] = Math.floor(i / side) * 1.1;
    points[i * 3 + 2] = random.float();
  }
  const faces = new Uint32Array((side - 1) * (side - 1) * 8);
  // every use of a point takes its next wedge, so that all are in use
  const uses = new Uint8Array(n);
  const layers = Math.floor(wedges / n);
  const wedge = (p: number) => p + (uses[p]++ % layers) * n;
  let at = 0;
  for (let y = 0; y + 1 < side; y++) {
    for (let x = 0; x + 1 < side; x++) {
      const a = y * side + x;
      const b = a + side;
      for (const corners of [[a, b, a + 1], [a + 1, b, b + 1]]) {
        for (const p of corners) faces[at++] = wedge(p);
        faces[at++] = 0;
      }
    }
  }
  const normals = new Float32Array(wedges * 3);
  for (let i = 0; i < wedges; i++) {
    const [a, b] = [random.between(-0.1, 0.1), random.between(-0.1, 0.1)];
    const length = Math.sqrt(1 + a * a + b * b);
    normals.set([a / length, b / length, 1 / length], i * 3);
  }
  return {
    meshPackage: "/Game/CSSAuthoring/Big/SK_Big",
    skeletonPackage: "/Game/CSSAuthoring/Big/SKEL_Big",
    bones: [{
      name: "root",
      parent: -1,
      translation: [0, 0, 0],
      rotation: [0, 0, 0, 1],
      scale: [1, 1, 1],
    }],
    materials: ["Sheet"],
    points,
    uvChannels: channels,
    wedgePoints: Uint32Array.from({ length: wedges }, (_, i) => i % n),
    wedgeUvs: random.floats(wedges * 2 * channels, 0, 1),
    faces,
    influencePoints: Uint32Array.from({ length: n }, (_, i) => i),
    influenceBones: new Uint32Array(n),
    influenceWeights: new Float32Array(n).fill(1),
    normals,
    colors: null,
    morphTargets: null,
    unknownKeys: [],
  };
}

/** Most memory that this process has held, MiB; 0 where the system does not say. */
function peak(): number {
  try {
    const status = Deno.readTextFileSync("/proc/self/status");
    return Math.round(Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

function write(path: string, lines: boolean): Record<string, unknown> {
  const mesh = sheet(1000, 4_000_000, 3);
  const start = performance.now();
  const file = Deno.openSync(path, { write: true, create: true });
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  let size = 0;
  for (const compact of writeCssMeshChunks(mesh)) {
    const chunk = lines
      ? encoder.encode(decoder.decode(compact).replaceAll(",[", ",\n["))
      : compact;
    size += chunk.length;
    for (let at = 0; at < chunk.length;) {
      at += file.writeSync(chunk.subarray(at));
    }
  }
  file.close();
  return { size, seconds: (performance.now() - start) / 1000 };
}

/** One command of the command line. */
async function command(args: string[]): Promise<Record<string, unknown>> {
  const start = performance.now();
  const code = await runCli(denoHost(args));
  return { code, seconds: (performance.now() - start) / 1000 };
}

function read(path: string): Record<string, unknown> {
  const bytes = Deno.readFileSync(path);
  const start = performance.now();
  const { findings, mesh } = examineCss(bytes);
  const judged = performance.now();
  let at = 0;
  let same = true;
  for (const chunk of writeCssMeshChunks(mesh!)) {
    for (let i = 0; i < chunk.length && same; i++) {
      same = chunk[i] === bytes[at + i];
    }
    at += chunk.length;
  }
  return {
    size: bytes.length,
    points: mesh!.points.length / 3,
    errors: findings.errors,
    codes: findings.list.map((f) => f.code),
    same: same && at === bytes.length,
    seconds: [judged - start, performance.now() - judged].map((t) => t / 1000),
  };
}

if (import.meta.main) {
  const [mode, ...rest] = Deno.args;
  const found = mode === "run"
    ? await command(rest)
    : mode === "read"
    ? read(rest[0])
    : write(rest[0], mode === "lines");
  console.log(JSON.stringify({ ...found, peak: peak() }));
}
