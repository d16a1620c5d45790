/**
 * `meshwright batch`: plans, hands files to the lanes, writes what comes back and keeps the journal.
 *
 * What makes it safe to kill at any instant: an output appears by a rename; its hash is in the journal before that; the
 * manifest appears by a rename when all is done, and only then the journal goes.
 *
 * @module
 */
import { MeshError } from "../../core/errors.ts";
import { DEFAULT_LIMITS } from "../../core/limits.ts";
import { conversionOptions } from "../conversion_options.ts";
import { checkOutputs } from "../files.ts";
import type { Host } from "../host.ts";
import { ERASE_LINE, PROGRESS_MS, rate } from "../progress.ts";
import { advice, clean, count, paint, plural } from "../text.ts";
import { type OptionValues, UsageError } from "../usage.ts";
import type { BatchHost, JournalFile } from "./batch_host.ts";
import {
  type History,
  JOURNAL,
  MANIFEST,
  manifestOf,
  readHistory,
  type Row,
  type Settings,
  settings,
} from "./manifest.ts";
import { folderOf } from "./paths.ts";
import { planBatch, type Planned } from "./plan.ts";
import { type Lane, LaneBroken } from "./pool.ts";
import { type Done, errorRow, failedRow } from "./work.ts";

/** Breakdowns of workers, with no file converted between, after which no more work is begun. */
const MOST_BREAKDOWNS = 3;
/** Lanes where nobody asked for a number: more rarely help, and each holds a whole model. */
const MOST_LANES = 8;

/** Options that say how to run, not what the outputs are. */
const NOT_SETTINGS: readonly string[] = [
  "to",
  "out-dir",
  "jobs",
  "resume",
  "force",
  "json",
  "quiet",
  "dry-run",
];

/** Prints errors in the order of the files, whatever the order in which they end, and the progress below them. */
class Reporter {
  readonly #ended = new Map<number, Row>();
  #next = 0;
  #done = 0;
  #failed = 0;
  #bytes = 0;
  #kept = 0;
  #shown = 0;
  readonly #start = performance.now();

  constructor(
    readonly host: Host,
    readonly terminal: boolean,
    readonly total: number,
  ) {}

  get kept(): number {
    return this.#kept;
  }

  async end(index: number, row: Row, kept: boolean): Promise<void> {
    this.#ended.set(index, row);
    this.#done++;
    if (row.status !== "ok") this.#failed++;
    if (kept) this.#kept++;
    else this.#bytes += row.bytes.in ?? 0;
    for (let next; (next = this.#ended.get(this.#next)); this.#next++) {
      this.#ended.delete(this.#next);
      if (next.error) await this.#error(next, next.error);
    }
    const now = performance.now();
    if (this.terminal && now - this.#shown >= PROGRESS_MS) {
      this.#shown = now;
      await this.#progress(now);
    }
  }

  async #error(row: Row, error: NonNullable<Row["error"]>): Promise<void> {
    const { code, where, message } = error;
    // these two name the file themselves, and it need not be the input
    const named = code === "FILE-READ" || code === "FILE-WRITE";
    const place = named || where === null ? code : `${code}, ${where}`;
    await this.host.err(
      `${this.erase()}${paint(this.host, "red", "error")}: ${
        named ? "" : `${clean(row.in)}: `
      }${advice(`${message} [${place}]`)}\n`,
    );
  }

  async #progress(now: number): Promise<void> {
    const seconds = (now - this.#start) / 1000;
    const failed = this.#failed > 0 ? `, ${count(this.#failed)} failed` : "";
    await this.host.err(
      `${this.erase()}${count(this.#done)} of ${
        plural(this.total, "file")
      }${failed}, ${
        ((this.#done - this.#kept) / seconds).toFixed(1)
      } files/s, ${rate(this.#bytes, now - this.#start)}`,
    );
  }

  /** Takes the progress line away. */
  erase(): string {
    return this.terminal ? ERASE_LINE : "";
  }
}

/** Everything a lane needs to know about the run. */
interface Run {
  readonly host: Host;
  readonly batch: BatchHost;
  readonly outDir: string;
  readonly options: OptionValues;
  readonly files: readonly Planned[];
  readonly history: History;
  /** Null for a dry run, which writes nothing. */
  readonly journal: JournalFile | null;
  readonly reporter: Reporter;
  readonly rows: (Row | undefined)[];
  breakdowns: number;
}

async function textOf(host: Host, path: string): Promise<string> {
  if (await host.look(path) !== "file") return "";
  const bytes = await host.read(path, DEFAULT_LIMITS.maxInputBytes);
  return new TextDecoder().decode(bytes);
}

/** What earlier runs left in the output folder; refused unless the user said what to do with it. */
async function historyOf(
  host: Host,
  outDir: string,
  now: Settings,
  o: OptionValues,
): Promise<History> {
  if (await host.look(outDir) === "file") {
    throw new UsageError(`Name a folder with --out-dir: ${outDir} is a file`);
  }
  if (o.resume) {
    return readHistory(
      await textOf(host, `${outDir}/${MANIFEST}`),
      await textOf(host, `${outDir}/${JOURNAL}`),
      now,
    );
  }
  for (const name of [MANIFEST, JOURNAL]) {
    const found = await host.look(`${outDir}/${name}`);
    if (found !== null && !o.force) {
      throw new UsageError(
        `Pass --resume to go on with the batch in ${outDir}, or --force to begin it again: it holds ${name}`,
      );
    }
  }
  return readHistory("", "", now);
}

/** The row of an output that exists and is not ours to replace, or null. */
async function refused(
  run: Run,
  file: Planned,
  out: string,
): Promise<Row | null> {
  const mine = run.options.force === true || run.history.outputs.has(out);
  try {
    await checkOutputs(run.host, [`${run.outDir}/${out}`], mine);
    return null;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return failedRow(file, "skipped", 2, "ARGUMENT", error.message);
  }
}

/** Writes the outputs of one file, once the journal knows them. */
async function store(run: Run, file: Planned, done: Done): Promise<Row> {
  const { journal } = run;
  if (done.kept || done.row.status !== "ok") return done.row;
  try {
    for (const { file: out } of done.files) {
      if (out === file.out) continue; // looked at before the conversion
      const other = run.files.find((f) =>
        f.out.toLowerCase() === out.toLowerCase()
      );
      if (other) {
        return failedRow(
          file,
          "failed",
          2,
          "BATCH-COLLISION",
          `Rename it: ${other.in} already gives ${out}`,
        );
      }
      const row = await refused(run, file, out);
      if (row) return row;
    }
    if (!journal) return done.row;
    await run.batch.makeFolder(folderOf(`${run.outDir}/${file.out}`));
    await journal.append(`\n${JSON.stringify({ row: done.row })}\n`);
    await run.host.write(
      done.files.map(({ file, bytes }) => ({
        path: `${run.outDir}/${file}`,
        bytes,
      })),
    );
    return done.row;
  } catch (error) {
    if (!(error instanceof MeshError)) throw error;
    return {
      ...errorRow(file, error),
      sha256: { in: done.row.sha256.in, out: null },
      bytes: { in: done.row.bytes.in, out: null },
    };
  }
}

/** Brings one file to its end. */
async function one(
  run: Run,
  lane: Lane,
  file: Planned,
): Promise<[Row, boolean]> {
  if (file.collision) {
    return [
      failedRow(file, "skipped", 2, "BATCH-COLLISION", file.collision),
      false,
    ];
  }
  if (run.breakdowns >= MOST_BREAKDOWNS) {
    return [
      failedRow(
        file,
        "skipped",
        4,
        "BATCH-WORKER",
        `Try fewer --jobs: not tried, for ${MOST_BREAKDOWNS} workers broke down one after another`,
      ),
      false,
    ];
  }
  const skipped = await refused(run, file, file.out);
  if (skipped) return [skipped, false];
  try {
    await run.journal?.append(`\n${JSON.stringify({ begin: file.in })}\n`);
    const done = await lane.run({
      in: file.in,
      out: file.out,
      outDir: run.outDir,
      options: conversionOptions(file.out, file.in, run.options),
      strict: run.options.strict === true,
      before: run.history.rows.get(file.in) ?? null,
    });
    run.breakdowns = 0;
    return [await store(run, file, done), done.kept];
  } catch (error) {
    if (error instanceof MeshError) return [errorRow(file, error), false];
    if (!(error instanceof LaneBroken)) throw error;
    run.breakdowns++;
    return [
      failedRow(
        file,
        "failed",
        4,
        "BATCH-WORKER",
        `Try it alone with convert: the worker broke down (${error.message})`,
      ),
      false,
    ];
  }
}

/** Brings all files to their ends. */
async function all(run: Run, lanes: readonly Lane[]): Promise<Row[]> {
  // what earlier runs died on comes last: should it kill this one too, the rest is done
  const order = [...run.files.keys()];
  const late = (i: number) => run.history.unfinished.has(run.files[i].in);
  const queue = [...order.filter((i) => !late(i)), ...order.filter(late)];
  let next = 0;
  await Promise.all(lanes.map(async (lane) => {
    while (next < queue.length) {
      const index = queue[next++];
      const [row, kept] = await one(run, lane, run.files[index]);
      run.rows[index] = row;
      await run.reporter.end(index, row, kept);
    }
  }));
  return run.rows.map((row) => row!);
}

/** Opens the journal of this run and clears away what killed ones left. */
async function begin(
  batch: BatchHost,
  outDir: string,
  files: readonly Planned[],
  history: History,
  now: Settings,
  resume: boolean,
): Promise<JournalFile> {
  await batch.makeFolder(outDir);
  const journal = await batch.openJournal(`${outDir}/${JOURNAL}`, !resume);
  if (!journal) {
    throw new UsageError(
      `Wait, or choose another --out-dir: a batch is running in ${outDir}`,
    );
  }
  await journal.append(`\n${JSON.stringify({ settings: now })}\n`);
  if (resume) {
    const outs = [...files.map(({ out }) => out), ...history.outputs];
    const folders = new Set(outs.map((out) => folderOf(`${outDir}/${out}`)));
    for (const folder of folders.add(outDir)) {
      await batch.removeLeftovers(folder);
    }
  }
  return journal;
}

function summary(rows: readonly Row[], kept: number, o: OptionValues): string {
  const of = (status: Row["status"]) =>
    rows.filter((row) => row.status === status).length;
  const parts = [
    `${o["dry-run"] ? "Would convert" : "Converted"} ${count(of("ok"))} of ${
      plural(rows.length, "file")
    } to ${o.to === "glb" ? "gltf" : o.to} in ${clean(o["out-dir"]!)}`,
    ...(kept > 0 ? [`${count(kept)} of them earlier`] : []),
    ...(of("failed") > 0 ? [`${count(of("failed"))} failed`] : []),
    ...(of("skipped") > 0 ? [`${count(of("skipped"))} skipped`] : []),
  ];
  return parts.join(", ") + "\n";
}

/** Runs a batch and gives its exit code. */
export async function runBatch(
  host: Host,
  batch: BatchHost,
  patterns: readonly string[],
  o: OptionValues & { to: NonNullable<OptionValues["to"]> },
): Promise<number> {
  const outDir = o["out-dir"]!.replace(/(?<=.)\/+$/, "");
  // wrong values are wrong use, not a fault of every file
  const { to, gltfJson } = conversionOptions("-", "", o);
  const now = settings(
    gltfJson ? o.to : to,
    Object.fromEntries(
      Object.entries(o).filter(([name]) => !NOT_SETTINGS.includes(name)),
    ),
  );
  const history = await historyOf(host, outDir, now, o);
  const { files, empty } = await planBatch(
    batch,
    patterns,
    outDir,
    to,
    history.outputs,
    gltfJson,
  );
  for (const pattern of empty) {
    await host.err(
      `${paint(host, "yellow", "warning")}: no file matches ${
        clean(pattern)
      }\n`,
    );
  }
  const journal = o["dry-run"]
    ? null
    : await begin(batch, outDir, files, history, now, o.resume === true);
  const wanted = o.jobs ?? Math.min(batch.processors, MOST_LANES);
  const lanes = await batch.openLanes(Math.min(wanted, files.length));
  const reporter = new Reporter(host, batch.terminal, files.length);
  let finished = false;
  try {
    const rows = await all({
      host,
      batch,
      outDir,
      options: o,
      files,
      history,
      journal,
      reporter,
      rows: [],
      breakdowns: 0,
    }, lanes);
    const manifest = manifestOf(now, rows);
    if (journal) {
      const text = JSON.stringify(manifest, null, 1) + "\n";
      await host.write([{
        path: `${outDir}/${MANIFEST}`,
        bytes: new TextEncoder().encode(text),
      }]);
    }
    finished = true;
    await host.err(reporter.erase());
    if (o.json) await host.out(JSON.stringify(manifest) + "\n");
    if (!o.quiet) await host.err(summary(rows, reporter.kept, o));
    return manifest.exit;
  } finally {
    for (const lane of lanes) lane.close();
    await journal?.close(finished);
  }
}
