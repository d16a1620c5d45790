/**
 * The kernels against plain TypeScript and the bandwidth of memory, as ratios: the peer's median over ours, so that more
 * than 1 means that the kernel is faster. Outputs are allocated and copies made inside every timing, ours and theirs.
 *
 * `deno task bench` prints a table, `--json` prints JSON instead, `--json FILE` writes it to a file beside the table,
 * `--quick` takes fewer samples and smaller morphs.
 *
 * @module
 */
import type { Case, Measurement, Timing } from "./measure.ts";

/** Keeps freed memory in the process: glibc would hand it back, and every call would fault its pages in again. */
const KEEP_PAGES = {
  MALLOC_TRIM_THRESHOLD_: String(2 ** 32),
  MALLOC_MMAP_THRESHOLD_: String(2 ** 32),
  MALLOC_TOP_PAD_: String(2 ** 26),
};

/** What `--json` gives. */
interface Report {
  schema: "meshwright/bench/1";
  date: string;
  machine: { cpu: string; cores: number; system: string };
  runtime: { deno: string; v8: string };
  samples: number;
  /** `case | peer` → the peer's median over ours. */
  ratios: Record<string, number>;
  cases: Case[];
}

async function measure(args: string[]): Promise<Measurement> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--allow-sys=cpus", "--v8-flags=--expose-gc"],
      // the native loops are compiled on the spot
      ...["--allow-read", "--allow-write", "--allow-run=cc", "--allow-ffi"],
      new URL("measure.ts", import.meta.url).href,
      ...args,
    ],
    env: KEEP_PAGES,
    stderr: "inherit",
  }).output();
  if (code !== 0) Deno.exit(code);
  return JSON.parse(new TextDecoder().decode(stdout));
}

function ratiosOf(cases: Case[]): Record<string, number> {
  const ratios: Record<string, number> = {};
  for (const { name, timings: [ours, ...peers] } of cases) {
    for (const peer of peers) {
      ratios[`${name} | ${peer.contender}`] = Number(
        (peer.median / ours.median).toFixed(2),
      );
    }
  }
  return ratios;
}

function row({ contender, median, min, max }: Timing, ratio: string): string {
  const range = `${min.toFixed(2)}–${max.toFixed(2)}`;
  return `  ${contender.padEnd(36)}${median.toFixed(2).padStart(8)}  ${
    range.padEnd(15)
  }${ratio}`;
}

function table(report: Report): string {
  const { machine, runtime } = report;
  const lines = [
    `${report.date}, ${machine.cpu}, ${machine.cores} cores, ${machine.system}, Deno ${runtime.deno}, V8 ${runtime.v8}`,
    `median of ${report.samples} samples, range, and ratio: the peer's median over ours`,
  ];
  for (const { name, unit, timings: [ours, ...peers] } of report.cases) {
    lines.push("", `${name} (${unit})`, row(ours, ""));
    for (const peer of peers) {
      lines.push(row(peer, `× ${(peer.median / ours.median).toFixed(2)}`));
    }
  }
  return lines.join("\n");
}

const args = [...Deno.args];
const at = args.indexOf("--json");
const json = at >= 0;
const file = json && args[at + 1] && !args[at + 1].startsWith("-")
  ? args[at + 1]
  : undefined;

const known = ["--json", "--quick", ...(file ? [file] : [])];
const unknown = args.find((a) => !known.includes(a));
if (unknown !== undefined) {
  console.error(`bench: unknown argument ${unknown}; --json [FILE], --quick`);
  Deno.exit(2);
}
const { cpu, samples, cases } = await measure(
  args.filter((a) => a === "--quick"),
);
const report: Report = {
  schema: "meshwright/bench/1",
  date: new Date().toISOString().slice(0, 10),
  machine: {
    cpu,
    cores: navigator.hardwareConcurrency,
    system: `${Deno.build.os} ${Deno.build.arch}`,
  },
  runtime: { deno: Deno.version.deno, v8: Deno.version.v8 },
  samples,
  ratios: ratiosOf(cases),
  cases,
};
if (file) Deno.writeTextFileSync(file, JSON.stringify(report, null, 2) + "\n");
console.log(json && !file ? JSON.stringify(report, null, 2) : table(report));
