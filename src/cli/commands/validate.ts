import { validate, type Validation } from "../../convert/validate.ts";
import type { MeshError } from "../../core/errors.ts";
import { Findings } from "../../core/findings.ts";
import { readInput, readOptions } from "../files.ts";
import { checkFix, type Fix, fixFile, tellFix } from "../fix_file.ts";
import type { Host } from "../host.ts";
import { eachFile, failureLine } from "../run_files.ts";
import { advice, clean, count, paint, plural, severityStyle } from "../text.ts";
import type { Command } from "../usage.ts";

function verdict(
  host: Host,
  v: Validation,
  fails: boolean,
  fix: Fix | null,
): string {
  const counts = [
    v.errors > 0 ? plural(v.errors, "error") : "",
    v.warnings > 0 ? plural(v.warnings, "warning") : "",
  ].filter((s) => s).join(", ");
  if (fix?.out && fix.loss.length > 0) {
    return `${paint(host, "green", "mended")} (${counts} before), see ${
      clean(fix.out)
    }`;
  }
  return fails
    ? paint(host, "red", `not ok (${counts})`)
    : paint(host, "green", "ok") + (counts ? ` (${counts})` : "");
}

/** Findings of one file, then the verdict. */
function describe(
  host: Host,
  v: Validation,
  fails: boolean,
  fix: Fix | null,
): string {
  const lines = v.findings.map((f) => {
    const place = f.where === "" ? "" : ` at ${f.where}`;
    return `  ${paint(host, severityStyle(f.severity), f.severity)} ${f.code}${
      advice(`${place}: ${f.message}`)
    }`;
  });
  const listed = v.findings.filter((f) => f.severity !== "info").length;
  const more = v.errors + v.warnings - listed;
  if (more > 0) lines.push(`  … ${count(more)} more, not listed`);
  if (v.findings.length > 0) {
    lines.push(`  meshwright explain ${v.findings[0].code} tells more`);
  }
  return [
    `${paint(host, "bold", clean(v.file))}: ${verdict(host, v, fails, fix)}`,
    ...lines,
    "",
  ].join("\n");
}

/** The line of a file that could not be judged: the error is its one finding, so that every file has its line. */
function unjudged(
  file: string | null,
  error: MeshError,
): Record<string, unknown> {
  const findings = new Findings();
  findings.addError(error);
  return {
    schema: "meshwright/validate/1",
    file,
    format: error.format ?? null,
    ok: false,
    errors: 1,
    warnings: 0,
    findings: findings.list,
  };
}

function json(
  { readable: _, ...line }: Validation,
  fix: Fix | null = null,
): string {
  if (!fix) return JSON.stringify(line) + "\n";
  const { out, loss } = fix;
  return JSON.stringify({ ...line, fixed: { out, loss } }) + "\n";
}

/** `meshwright validate`. */
export const validateCommand: Command = {
  name: "validate",
  args: "FILE...",
  summary: "report what is wrong or doubtful in a file",
  details:
    "Each finding has a code, a place, what was found and what is allowed.\nExit 1 when there is an error (with --strict also a warning), 3 when a file can not be read.\n--fix OUT writes a CSS authored mesh with weights and normals normalised, a few faces without\narea dropped, and faces turned around that oppose their normals; then exit 0 if that was enough.",
  count: [1, Infinity],
  options: [
    "json",
    "strict",
    "from",
    "quiet",
    "package-prefix",
    "fix",
    "force",
  ],
  failed: ([file = null]: readonly (string | null)[], error) =>
    unjudged(file, error),
  async run(host, args, options) {
    await checkFix(host, args, options);
    return await eachFile(host, args, async (name) => {
      const input = await readInput(host, name);
      const v = await validate(input.bytes, {
        ...readOptions(input),
        ...(options.from ? { from: options.from } : {}),
        ...(options["package-prefix"] !== undefined
          ? { packagePrefix: options["package-prefix"] }
          : {}),
      });
      const fix = await fixFile(host, v, input.bytes, options);
      const fails = !v.ok || (options.strict === true && v.warnings > 0);
      await host.out(
        options.json ? json(v, fix) : describe(host, v, fails, fix),
      );
      if (fix) await tellFix(host, name, fix, options.quiet === true);
      if (fix?.out) return 0;
      return !v.readable ? 3 : fails ? 1 : 0;
    }, failureLine(host, options.json, validateCommand));
  },
};
