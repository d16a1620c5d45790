/**
 * `validate --fix OUT`: writes a judged file again with its safe repairs.
 *
 * @module
 */
import { fixCss } from "../convert/fix_css.ts";
import type { Validation } from "../convert/validate.ts";
import { MeshError } from "../core/errors.ts";
import type { LossEntry } from "../core/loss.ts";
import { checkOutputs } from "./files.ts";
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
  await checkOutputs(host, [options.fix], options.force === true);
}

/**
 * Mends a file, writes it and says what was done. What is left for a person is an error on stderr, and nothing is written.
 */
export async function fixFile(
  host: Host,
  v: Validation,
  bytes: Uint8Array,
  options: OptionValues,
): Promise<FixReport | null> {
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
    await host.err(errorText(host, error, v.file));
    return { out: null, loss: [] };
  }
  await host.write([{ path: out, bytes: fixed.bytes }]);
  if (!options.quiet) {
    const lines = fixed.loss.map((l) =>
      `  ${paint(host, "cyan", l.kind)} ${clean(l.what)} (${count(l.count)}): ${
        clean(l.why)
      }\n`
    );
    await host.err(
      `Wrote ${clean(out)}\n${lines.join("") || "  nothing to mend\n"}`,
    );
  }
  return { out, loss: fixed.loss };
}
