/**
 * A zip in, a zip out: every mesh file converted, one bad file does not stop the rest, `report.json` last.
 *
 * @module
 */
import { Zip, ZipDeflate } from "fflate";
import { convert, type ConvertOptions } from "../convert/convert.ts";
import { isCompanion } from "../convert/companions.ts";
import { MeshError } from "../core/errors.ts";
import { type FormatId, formatInfo } from "../core/formats.ts";
import { findingOf } from "./answers.ts";
import type { ZipEntry } from "./unzip.ts";

/** One row of report.json. */
export interface BatchRow {
  /** Entry of the input. */
  in: string;
  /** Entry of the output, when there is one. */
  out?: string;
  /** True when it was converted. */
  ok: boolean;
  /** Why not. */
  message?: string;
  /** The finding behind the message. */
  findings?: unknown[];
  /** The conversion's report. */
  report?: unknown;
}

/** Time stamp of every entry, so that the same input gives the same bytes: the first that a zip can hold. */
const MTIME = "1980-01-01T00:00:00";

/** Output name: the input's with the target's extension. */
export function outputName(name: string, to: FormatId): string {
  const slash = name.lastIndexOf("/");
  const dot = name.lastIndexOf(".");
  const stem = dot > slash + 1 ? name.slice(0, dot) : name;
  return stem + formatInfo(to).extensions[0];
}

/** A zip being written; what is packed so far can be taken out. */
class ZipOut {
  readonly #packed: Uint8Array[] = [];
  readonly #zip: Zip;

  constructor() {
    this.#zip = new Zip((error, data) => {
      if (error) throw error;
      this.#packed.push(data);
    });
  }

  add(name: string, bytes: Uint8Array): void {
    const entry = new ZipDeflate(name, { level: 6 });
    entry.mtime = MTIME;
    this.#zip.add(entry);
    entry.push(bytes, true);
  }

  end(): void {
    this.#zip.end();
  }

  take(): Uint8Array[] {
    return this.#packed.splice(0);
  }
}

/** Files of Source models wait for each other: any of them may come last. */
const WAITS = /\.(mdl|vvd|vtx|vvc)$/i;

/**
 * Converts entries as they arrive and gives the pieces of the output zip. Files of Source models are kept until the end,
 * since a model needs several; everything else is forgotten once it is converted.
 *
 * @param entries Entries of the input.
 * @param options Options of every conversion.
 */
export async function* convertBatch(
  entries: AsyncIterable<ZipEntry>,
  options: ConvertOptions,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipOut();
  const rows: BatchRow[] = [];
  const taken = new Set<string>(["report.json"]);
  const waiting = new Map<string, Uint8Array>();

  const one = async (
    name: string,
    bytes: Uint8Array,
    resources: Record<string, Uint8Array>,
  ) => {
    const out = outputName(name, options.to);
    if (taken.has(out)) {
      rows.push({
        in: name,
        ok: false,
        message: `Rename it: another file already gives ${out}`,
      });
      return;
    }
    try {
      const { outputs, report } = await convert(bytes, {
        ...options,
        name,
        resources,
      });
      taken.add(out);
      zip.add(out, outputs[0]);
      rows.push({ in: name, out, ok: true, report });
    } catch (error) {
      if (!(error instanceof MeshError)) throw error;
      rows.push({
        in: name,
        ok: false,
        message: error.message,
        findings: [findingOf(error)],
      });
    }
  };

  for await (const entry of entries) {
    if (entry.bytes === null) {
      rows.push({
        in: entry.name,
        ok: false,
        message: `Left out: ${entry.problem}`,
      });
    } else if (WAITS.test(entry.name)) waiting.set(entry.name, entry.bytes);
    else await one(entry.name, entry.bytes, {});
    yield* zip.take();
  }
  const folderOf = (name: string) => name.slice(0, name.lastIndexOf("/") + 1);
  const baseOf = (name: string) => name.slice(name.lastIndexOf("/") + 1);
  const used = new Set<string>();
  for (const [name, bytes] of waiting) {
    if (!/\.mdl$/i.test(name)) continue;
    const resources: Record<string, Uint8Array> = {};
    for (const [other, data] of waiting) {
      if (
        folderOf(other) === folderOf(name) &&
        isCompanion(baseOf(name), baseOf(other))
      ) {
        resources[baseOf(other)] = data;
        used.add(other);
      }
    }
    used.add(name);
    await one(name, bytes, resources);
    yield* zip.take();
  }
  for (const [name, bytes] of waiting) {
    if (used.has(name)) continue;
    if (/\.vvd$/i.test(name)) await one(name, bytes, {});
    else {
      rows.push({
        in: name,
        ok: false,
        message: "Put the .mdl beside it: the file is part of a model",
      });
    }
    yield* zip.take();
  }
  const report = {
    schema: "meshwright/batch-report/1",
    to: options.to,
    files: rows.length,
    failed: rows.filter((r) => !r.ok).length,
    results: rows,
  };
  zip.add(
    "report.json",
    new TextEncoder().encode(JSON.stringify(report, null, 1) + "\n"),
  );
  zip.end();
  yield* zip.take();
}
