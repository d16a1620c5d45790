/**
 * `validate --fix OUT`: writes a judged file again with its safe repairs.
 *
 * @module
 */
import { fixCss } from "../convert/fix_css.ts";
import type { Validation } from "../convert/validate.ts";
import { MeshError, meshError } from "../core/errors.ts";
import type { LossEntry } from "../core/loss.ts";
import { checkExtension, checkOutputs } from "./files.ts";
import type { Host } from "./host.ts";
import { errorText } from "./run_files.ts";
import { clean, count, paint } from "./text.ts";
import { type OptionValues, UsageError } from "./usage.ts";

/** What became of a repair. */
export interface FixReport {
  /** Where the mended file is, or null when it can not be mended without a person. */
  out: string | null;
  /** What was mended. */
  loss: LossEntry[];
}

/** A repair, and what is left for a person. */
export interface Fix extends FixReport {
  /** Why nothing was written, or null. */
  error: MeshError | null;
}

/** Refuses `--fix` where it makes no sense, before anything is read. */
export async function checkFix(
  host: Host,
  files: readonly string[],
  options: OptionValues,
): Promise<void> {
  if (options.fix === undefined) return;
  if (files.length !== 1) {
    throw new UsageError(`Give --fix one file: found ${files.length}`);
  }
  if (options.fix === "-") {
    throw new UsageError("Write to a file: the findings go to stdout");
  }
  checkExtension(options.fix, "css");
  await checkOutputs(host, [options.fix], options.force === true);
}

/** Mends a file and writes it. What is left for a person is an error, and nothing is written. */
export async function fixFile(
  host: Host,
  v: Validation,
  bytes: Uint8Array,
  options: OptionValues,
): Promise<Fix | null> {
  const out = options.fix;
  if (out === undefined) return null;
  if (v.format !== "css") {
    throw new UsageError(
      `Give --fix a CSS authored mesh: ${v.file} is ${v.format ?? "unknown"}`,
    );
  }
  let fixed;
  try {
    fixed = fixCss(
      bytes,
      options["package-prefix"] === undefined
        ? {}
        : { packagePrefix: options["package-prefix"] },
    );
  } catch (error) {
    if (!(error instanceof MeshError)) throw error;
    return { out: null, loss: [], error };
  }
  await host.write([{ path: out, bytes: fixed.text }]);
  return { out, loss: fixed.loss, error: null };
}

/** Says what was mended, or what is left. */
export async function tellFix(
  host: Host,
  file: string,
  fix: Fix,
  quiet: boolean,
): Promise<void> {
  const { out, loss, error } = fix;
  if (error) {
    // the finding above tells the value as the file has it; this one would tell what f32 made of it
    const { code, path } = error;
    const left = code === "CSS-DEGENERATE-COUNT" ? error : meshError(
      code,
      `Mend the rest by hand, nothing was written: ${code} is left`,
      path === undefined ? {} : { path },
    );
    await host.err(errorText(host, left, file));
  } else if (!quiet) {
    const lines = loss.map((l) =>
      `  ${paint(host, "cyan", l.kind)} ${clean(l.what)} (${count(l.count)}): ${
        clean(l.why)
      }\n`
    );
    await host.err(
      `Wrote ${clean(out ?? "")}\n${lines.join("") || "  nothing to mend\n"}`,
    );
  }
}
