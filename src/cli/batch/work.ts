/**
 * One file of a batch: read, convert, hash. Runs in a worker or in place; writes nothing.
 *
 * @module
 */
import { convert, type ConvertOptions } from "../../convert/convert.ts";
import { outputPaths, partPath } from "../../convert/output_paths.ts";
import type { Code } from "../../core/codes.ts";
import { MeshError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { exitCodeOf } from "../exit_codes.ts";
import { simplifierFor } from "../../convert/meshopt.ts";
import { type Input, type Reader, readInput } from "../files.ts";
import { byText, type FileRecord, type Row } from "./manifest.ts";

/** What a worker is told. */
export interface Job {
  /** Path of the input. */
  in: string;
  /** Path of the output below the output folder. */
  out: string;
  /** The output folder. */
  outDir: string;
  /** Options of the conversion. */
  options: ConvertOptions;
  /** Refuse losses. */
  strict: boolean;
  /** What an earlier run says: when it still holds, nothing is converted. */
  before: Row | null;
}

/** What it answers. */
export interface Done {
  /** What became of the file. */
  row: Row;
  /** Outputs to write, their paths below the output folder. */
  files: { file: string; bytes: Uint8Array }[];
  /** True when the outputs of an earlier run are still right. */
  kept: boolean;
}

async function record(file: string, bytes: Uint8Array): Promise<FileRecord> {
  return { file, sha256: await sha256(bytes), bytes: bytes.length };
}

/** A row of a file that was not converted. */
export function failedRow(
  file: { in: string; out: string },
  status: "failed" | "skipped",
  exit: number,
  code: Code,
  message: string,
  where: string | null = null,
): Row {
  return {
    in: file.in,
    out: file.out,
    status,
    exit,
    sha256: { in: null, out: null },
    bytes: { in: null, out: null },
    losses: 0,
    error: { code, message, where },
  };
}

/** The row of an error. */
export function errorRow(
  file: { in: string; out: string },
  error: MeshError,
): Row {
  return failedRow(
    file,
    "failed",
    exitCodeOf(error),
    error.code,
    error.message,
    error.offset !== undefined ? `byte ${error.offset}` : error.path ?? null,
  );
}

const sameFiles = (a: readonly FileRecord[], b: readonly FileRecord[]) =>
  a.length === b.length &&
  a.every((f, i) => f.file === b[i].file && f.sha256 === b[i].sha256);

/** True when an earlier run converted the same input and its outputs are whole. */
async function stillHolds(
  reader: Reader,
  job: Job,
  input: FileRecord,
  companions: readonly FileRecord[],
): Promise<boolean> {
  const { before } = job;
  if (
    before?.status !== "ok" ||
    (before.out !== job.out && before.out !== partPath(job.out, 0)) ||
    before.sha256.in !== input.sha256 ||
    !sameFiles(before.companions ?? [], companions)
  ) return false;
  const outputs = before.outputs ??
    [{ file: before.out, sha256: before.sha256.out }];
  for (const { file, sha256: wanted } of outputs) {
    try {
      const bytes = await reader.read(`${job.outDir}/${file}`, Infinity);
      if (await sha256(bytes) !== wanted) return false;
    } catch (error) {
      if (error instanceof MeshError) return false;
      throw error;
    }
  }
  return true;
}

/** Adds what was read to the row of a file that could not be converted. */
function withInput(
  row: Row,
  input: FileRecord,
  companions: readonly FileRecord[],
): Row {
  return {
    ...row,
    sha256: { in: input.sha256, out: null },
    bytes: { in: input.bytes, out: null },
    ...(companions.length > 0 ? { companions: [...companions] } : {}),
  };
}

/**
 * Converts one file.
 *
 * @param reader The file system.
 * @param job What to do.
 * @returns The row and the outputs; an error of the file is a row as well.
 */
export async function work(reader: Reader, job: Job): Promise<Done> {
  const ends = (row: Row): Done => ({ row, files: [], kept: false });
  let input: Input;
  try {
    input = await readInput(reader, job.in);
  } catch (error) {
    if (!(error instanceof MeshError)) throw error;
    return ends(errorRow(job, error));
  }
  const source = await record(job.in, input.bytes);
  const companions = await Promise.all(
    Object.entries(input.resources).sort(([a], [b]) => byText(a, b))
      .map(([file, bytes]) => record(file, bytes)),
  );
  if (job.before && await stillHolds(reader, job, source, companions)) {
    return { row: job.before, files: [], kept: true };
  }
  try {
    const made = await convert(input.bytes, {
      ...job.options,
      ...await simplifierFor(job.options),
      resources: input.resources,
      decoders: input.decoders,
    });
    const lossy = made.report.loss.filter((l) =>
      l.kind !== "repaired" || !l.demanded
    );
    if (job.strict && lossy.length > 0) {
      const row = failedRow(
        job,
        "failed",
        1,
        "BATCH-STRICT",
        `Leave out --strict to accept it: the conversion loses ${
          lossy.map((l) => l.what).join(", ")
        }`,
      );
      row.losses = made.report.loss.length;
      return ends(withInput(row, source, companions));
    }
    const files = outputPaths(job.out, made).map((file, i) => ({
      file,
      bytes: made.outputs[i],
    }));
    const outputs = await Promise.all(
      files.map(({ file, bytes }) => record(file, bytes)),
    );
    const row: Row = {
      in: job.in,
      out: outputs[0].file,
      status: "ok",
      exit: 0,
      sha256: { in: source.sha256, out: outputs[0].sha256 },
      bytes: {
        in: source.bytes,
        out: outputs.reduce((sum, { bytes }) => sum + bytes, 0),
      },
      losses: made.report.loss.length,
      error: null,
      ...(companions.length > 0 ? { companions } : {}),
      ...(outputs.length > 1 ? { outputs } : {}),
    };
    return { row, files, kept: false };
  } catch (error) {
    if (!(error instanceof MeshError)) throw error;
    return ends(withInput(errorRow(job, error), source, companions));
  }
}
