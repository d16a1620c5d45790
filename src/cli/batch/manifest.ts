/**
 * What a batch leaves behind: `manifest.json` when it ends, and until then a journal from which it can go on.
 *
 * @module
 */
import type { Code } from "../../core/codes.ts";
import { VERSION } from "../../core/version.ts";

/** Name of the manifest, in the output folder. */
export const MANIFEST = "manifest.json";
/** Name of the journal, beside it while the batch is not done. */
export const JOURNAL = ".meshwright-batch.journal";

/** A file that was read or written. */
export interface FileRecord {
  /** Its path: of an output below the output folder, of a companion beside the input. */
  file: string;
  /** SHA-256 of its bytes. */
  sha256: string;
  /** Its size. */
  bytes: number;
}

/** What became of one input. */
export interface Row {
  /** Path of the input as the pattern gives it. */
  in: string;
  /** Path of the output below the output folder. */
  out: string;
  /** `skipped` was not tried. */
  status: "ok" | "failed" | "skipped";
  /** What the exit code would be for this file alone. */
  exit: number;
  /** SHA-256 of input and output; null for what was not read or not written. */
  sha256: { in: string | null; out: string | null };
  /** Sizes, likewise; all outputs together. */
  bytes: { in: number | null; out: number | null };
  /** Entries of the loss report. */
  losses: number;
  /** Why it failed or was skipped. */
  error: { code: Code; message: string; where: string | null } | null;
  /** Files that the input needs: the rest of a Source model, buffers of a glTF. */
  companions?: FileRecord[];
  /** All outputs, where there are several. */
  outputs?: FileRecord[];
}

/** Everything that decides the bytes of the outputs, besides the inputs. */
export interface Settings {
  /** Version of the program. */
  version: string;
  /** Target format. */
  to: string;
  /** Options by the names they have on the command line. */
  options: Record<string, unknown>;
}

/** The manifest. It holds no times and no order of events: the same inputs and options give the same bytes. */
export interface Manifest extends Settings {
  /** Names this shape. */
  schema: "meshwright/batch/1";
  /** Exit code of the batch: the highest of its files. */
  exit: number;
  /** Counts by status. */
  counts: { files: number; ok: number; failed: number; skipped: number };
  /** The files, sorted by input. */
  files: Row[];
}

/** Sorts by code units, which is the same in every locale. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The settings of a run. */
export function settings(
  to: string,
  options: Record<string, unknown>,
): Settings {
  const entries = Object.entries(options).sort(([a], [b]) => byText(a, b));
  return { version: VERSION, to, options: Object.fromEntries(entries) };
}

/** Makes the manifest of a batch that is done. */
export function manifestOf(used: Settings, rows: readonly Row[]): Manifest {
  const of = (status: Row["status"]) =>
    rows.filter((row) => row.status === status).length;
  return {
    schema: "meshwright/batch/1",
    ...used,
    exit: Math.max(0, ...rows.map((row) => row.exit)),
    counts: {
      files: rows.length,
      ok: of("ok"),
      failed: of("failed"),
      skipped: of("skipped"),
    },
    files: [...rows],
  };
}

/** What earlier runs left: how each input ended, which outputs are theirs, what they were at when they died. */
export interface History {
  /** Rows that hold for the settings of this run, by input. */
  rows: Map<string, Row>;
  /** Outputs that earlier runs wrote, or were about to. */
  outputs: Set<string>;
  /** Inputs that were begun and never ended. */
  unfinished: Set<string>;
}

/** Paths of a row's outputs. */
function outputsOf(row: Row): string[] {
  if (row.status !== "ok") return [];
  return row.outputs?.map(({ file }) => file) ?? [row.out];
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null; // a line that a kill cut off
  }
}

const sameSettings = (a: Partial<Settings>, b: Settings) =>
  JSON.stringify([a.version, a.to, a.options]) ===
    JSON.stringify([b.version, b.to, b.options]);

/** True for what can be taken up; a manifest may have been edited. */
function isRow(value: unknown): value is Row {
  const row = value as Row | null;
  const files = (list: unknown) =>
    list === undefined ||
    (Array.isArray(list) &&
      list.every((f) =>
        typeof f?.file === "string" && typeof f?.sha256 === "string"
      ));
  return typeof row?.in === "string" && typeof row.out === "string" &&
    typeof row.status === "string" && typeof row.sha256 === "object" &&
    files(row.companions) && files(row.outputs);
}

/**
 * Reads what earlier runs left. Whatever can not be read counts as not done.
 *
 * @param manifest Text of the manifest, "" for none.
 * @param journal Text of the journal, "" for none.
 * @param now Settings of this run.
 */
export function readHistory(
  manifest: string,
  journal: string,
  now: Settings,
): History {
  const history: History = {
    rows: new Map(),
    outputs: new Set(),
    unfinished: new Set(),
  };
  const take = (row: unknown, current: boolean) => {
    if (!isRow(row)) return;
    history.unfinished.delete(row.in);
    for (const out of outputsOf(row)) history.outputs.add(out);
    if (current && row.status === "ok") history.rows.set(row.in, row);
    else history.rows.delete(row.in);
  };
  const old = parse(manifest);
  if (Array.isArray(old?.files)) {
    for (const row of old.files) take(row, sameSettings(old, now));
  }
  let current = false;
  for (const line of journal.split("\n")) {
    const entry = parse(line);
    if (entry === null) continue;
    if (entry.settings) {
      current = sameSettings(entry.settings as Settings, now);
    } else if (typeof entry.begin === "string") {
      history.unfinished.add(entry.begin);
    } else take(entry.row, current);
  }
  return history;
}
