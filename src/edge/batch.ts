/**
 * A zip in, a zip out: every mesh file converted, one bad file does not stop the rest, `report.json` last.
 *
 * @module
 */
import { convert, type ConvertOptions } from "../convert/convert.ts";
import {
  outputPaths,
  stemName,
  withExtension,
} from "../convert/output_paths.ts";
import { resourcesAmong } from "../convert/resources.ts";
import { MeshError } from "../core/errors.ts";
import { findingOf, RequestError } from "./answers.ts";
import { decodersOf } from "./decoders.ts";
import type { HandlerLimits } from "./limits.ts";
import type { ZipEntry } from "./unzip.ts";
import { ZipOut } from "./zip.ts";

/** One row of report.json. */
export interface BatchRow {
  /** Entry of the input. */
  in: string;
  /** Entry of the output, when there is one. */
  out?: string;
  /** All entries of the output, when there are several. */
  outputs?: string[];
  /** True when it was converted. */
  ok: boolean;
  /** Why not. */
  message?: string;
  /** The finding behind the message. */
  findings?: unknown[];
  /** The conversion's report. */
  report?: unknown;
}

/** Files of models that are several files wait for each other: any of them may come last. */
const WAITS = /\.(mdl|vvd|vtx|vvc|gltf|bin)$/i;
/** Of these, the ones that name or lead the others. */
const LEADS = /\.(mdl|gltf)$/i;

/**
 * Converts entries as they arrive and gives the pieces of the output zip. Files of Source models, and a glTF with its
 * buffers, are kept until the end, since one needs the other; everything else is forgotten once it is converted.
 *
 * @param entries Entries of the input.
 * @param options Options of every conversion.
 * @param limits Limits and codecs of the handler.
 */
export async function* convertBatch(
  entries: AsyncIterable<ZipEntry>,
  options: ConvertOptions,
  limits: HandlerLimits,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipOut();
  const rows: BatchRow[] = [];
  const taken = new Set<string>(["report.json"]);
  const waiting = new Map<string, Uint8Array>();
  const { maxHeldBytes } = limits.request;
  let held = 0;

  const fail = (name: string, message: string) =>
    rows.push({ in: name, ok: false, message });

  const one = async (
    name: string,
    bytes: Uint8Array,
    resources: Record<string, Uint8Array>,
  ) => {
    const out = withExtension(name, options.to, options.gltfJson);
    const refuse = (path: string) =>
      fail(name, `Rename it: another file already gives ${path}`);
    if (taken.has(out)) return refuse(out);
    try {
      const made = await convert(bytes, {
        ...options,
        name,
        outName: stemName(name),
        resources,
        decoders: await decodersOf(bytes, options.from, limits),
      });
      const paths = outputPaths(out, made);
      const other = paths.find((path) => taken.has(path));
      if (other !== undefined) return refuse(other);
      paths.forEach((path, i) => {
        taken.add(path);
        zip.add(path, made.outputs[i]);
      });
      rows.push({
        in: name,
        out: paths[0],
        ...(paths.length > 1 ? { outputs: paths } : {}),
        ok: true,
        report: made.report,
      });
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

  let begun = false;
  let stopped: string | null = null;
  try {
    for await (const entry of entries) {
      if (entry.bytes === null) {
        fail(entry.name, `Left out: ${entry.problem}`);
      } else if (!WAITS.test(entry.name)) {
        await one(entry.name, entry.bytes, {});
      } else if (held + entry.bytes.length > maxHeldBytes) {
        fail(
          entry.name,
          `Send it in another batch: the files that wait for the rest of their model pass ${maxHeldBytes} bytes`,
        );
      } else {
        waiting.set(entry.name, entry.bytes);
        held += entry.bytes.length;
      }
      const pieces = zip.take();
      begun ||= pieces.length > 0;
      yield* pieces;
    }
  } catch (error) {
    // once something is on its way the status is out: the report says where the batch ended
    if (!(error instanceof RequestError && begun)) throw error;
    stopped = error.message;
  }
  const used = new Set<string>();
  for (const [name, bytes] of waiting) {
    if (!LEADS.test(name)) continue;
    const found = resourcesAmong(name, bytes, waiting.keys());
    for (const { path } of found) used.add(path);
    used.add(name);
    await one(
      name,
      bytes,
      Object.fromEntries(found.map((f) => [f.name, waiting.get(f.path)!])),
    );
    yield* zip.take();
  }
  for (const [name, bytes] of waiting) {
    if (used.has(name)) continue;
    if (/\.(vtx|vvc)$/i.test(name)) {
      fail(name, "Put the .mdl beside it: the file is part of a model");
    } else await one(name, bytes, {});
    yield* zip.take();
  }
  const report = {
    schema: "meshwright/batch-report/1",
    to: options.to,
    files: rows.length,
    failed: rows.filter((r) => !r.ok).length,
    ...(stopped === null ? {} : { stopped }),
    results: rows,
  };
  zip.add(
    "report.json",
    new TextEncoder().encode(JSON.stringify(report, null, 1) + "\n"),
  );
  zip.end();
  yield* zip.take();
}
