/**
 * The CSS reader, judge and writer against `JSON.parse` with the loops that fill the same arrays, as MB/s of text.
 *
 * `deno run --allow-read=/proc bench/css_bench.ts [POINTS]`; 100,000 points (about 28 MB) unless given. The contenders take
 * turns, so that a machine that is busy for a while is busy for all; the best of five rounds counts.
 *
 * @module
 */
import {
  type CssMesh,
  readCssMesh,
  validateCssMesh,
  writeCssMesh,
} from "../src/formats/css/mod.ts";

const ROUNDS = 5;

/** A sheet with two texture channels and normals, its numbers like those of an exporter that writes f64. */
function sheet(points: number): { text: string } {
  const side = Math.max(2, Math.round(Math.sqrt(points)));
  const rows = {
    points: [] as number[][],
    wedges: [] as number[][],
    faces: [] as number[][],
    influences: [] as number[][],
    normals: [] as number[][],
  };
  for (let i = 0; i < side * side; i++) {
    const [x, y] = [(i % side) / side, Math.floor(i / side) / side];
    const z = Math.sin(9 * x) * Math.cos(7 * y);
    rows.points.push([x * 180, y * 180, z * 20]);
    // an exporter gives f32 as the f64 that it is: seventeen digits
    rows.wedges.push([i, Math.fround(x), Math.fround(y), x, 1 - y]);
    const length = Math.hypot(z, x, 1);
    rows.normals.push([z / length, x / length, 1 / length]);
    rows.influences.push([i, 0, 0.75], [i, 1, 0.25]);
  }
  for (let y = 0; y + 1 < side; y++) {
    for (let x = 0; x + 1 < side; x++) {
      const a = y * side + x;
      rows.faces.push([a, a + side, a + 1, 0]);
      rows.faces.push([a + 1, a + side, a + side + 1, 0]);
    }
  }
  const bone = (name: string, parent: number) => ({
    name,
    parent,
    translation: [0, 0, 0],
    rotation: [0, 0, 0, 1],
    scale: [1, 1, 1],
  });
  return {
    text: JSON.stringify({
      schema: 1,
      mesh_package: "/Game/CSSAuthoring/Bench/SK_Bench",
      skeleton_package: "/Game/CSSAuthoring/Bench/SKEL_Bench",
      bones: [bone("root", -1), bone("tip", 0)],
      materials: ["Sheet"],
      uv_channels: 2,
      ...rows,
    }),
  };
}

/** What a reader without this library does: parse, then copy rows into typed arrays, unchecked. */
function parseAndLoop(bytes: Uint8Array): Partial<CssMesh> {
  const doc = JSON.parse(new TextDecoder().decode(bytes));
  const floats = (rows: number[][], from: number, width: number) => {
    const out = new Float32Array(rows.length * width);
    rows.forEach((row, i) => {
      for (let k = 0; k < width; k++) out[i * width + k] = row[from + k];
    });
    return out;
  };
  const faces = new Uint32Array(doc.faces.length * 4);
  doc.faces.forEach((row: number[], i: number) => faces.set(row, i * 4));
  return {
    points: floats(doc.points, 0, 3),
    wedgePoints: Uint32Array.from(doc.wedges, (row: number[]) => row[0]),
    wedgeUvs: floats(doc.wedges, 1, 4),
    normals: floats(doc.normals, 0, 3),
    influenceWeights: floats(doc.influences, 2, 1),
    faces,
  };
}

function residentMiB(): number {
  return Math.round(Deno.memoryUsage().rss / 2 ** 20);
}

if (import.meta.main) {
  const bytes = new TextEncoder().encode(
    sheet(Number(Deno.args[0] ?? 100_000)).text,
  );
  const mesh = readCssMesh(bytes);
  const contenders: [string, () => unknown][] = [
    ["readCssMesh", () => readCssMesh(bytes)],
    ["JSON.parse + loops", () => parseAndLoop(bytes)],
    ["validateCssMesh", () => validateCssMesh(bytes)],
    ["writeCssMesh", () => writeCssMesh(mesh)],
    ["JSON.parse alone", () => JSON.parse(new TextDecoder().decode(bytes))],
  ];
  const best = contenders.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    contenders.forEach(([, work], i) => {
      const start = performance.now();
      work();
      best[i] = Math.min(best[i], performance.now() - start);
    });
  }
  console.log(`${(bytes.length / 1e6).toFixed(1)} MB of text`);
  contenders.forEach(([name], i) => {
    const rate = bytes.length / 1e3 / best[i];
    console.log(`  ${name.padEnd(20)} ${rate.toFixed(0).padStart(6)} MB/s`);
  });
  console.log(`  resident at the end: ${residentMiB()} MiB`);
}
