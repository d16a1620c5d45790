import {
  type Conversion,
  convertInPieces,
  type ConvertOptions,
  type ConvertReport,
} from "../../convert/convert.ts";
import { simplifierFor } from "../../convert/meshopt.ts";
import { outputPaths } from "../../convert/output_paths.ts";
import { chunksOf, type Content, Counted } from "../../core/pieces.ts";
import {
  CONVERSION_OPTIONS,
  CONVERSION_OWN,
  conversionOptions,
  SINGLE_FILE_OPTIONS,
} from "../conversion_options.ts";
import { checkOutputs, type Input, readInput, readOptions } from "../files.ts";
import type { Host } from "../host.ts";
import { eachFile, failureLine } from "../run_files.ts";
import { advice, clean, count, paint, short, size } from "../text.ts";
import { type Command, type OptionValues, UsageError } from "../usage.ts";

const KIND_STYLE = {
  dropped: "yellow",
  changed: "yellow",
  approximated: "cyan",
  repaired: "cyan",
} as const;

/** The loss report for people. */
function describe(
  host: Host,
  input: string,
  outputs: readonly string[],
  report: ConvertReport,
  verb: string,
): string {
  const lines = [
    `${verb} ${clean(input)} (${report.from}, ${size(report.bytes.in)}) to ${
      clean(outputs.join(", "))
    } (${report.to}, ${size(report.bytes.out)})`,
  ];
  for (const w of report.warnings ?? []) {
    lines.push(
      `  ${paint(host, "yellow", "warning")} ${w.code}: ${advice(w.message)}`,
    );
  }
  for (const l of report.loss) {
    const largest = l.largest ? `, at most ${short(l.largest)}` : "";
    lines.push(
      `  ${paint(host, KIND_STYLE[l.kind], l.kind)} ${clean(l.what)} (${
        count(l.count)
      }${largest}): ${advice(l.why)}`,
    );
  }
  if (report.loss.length === 0) {
    lines.push(`  ${paint(host, "green", "nothing lost")}`);
  }
  for (const a of report.added) {
    lines.push(`  added ${a.what} (${count(a.count)}): ${advice(a.why)}`);
  }
  return lines.join("\n") + "\n";
}

/** What becomes of outputs: they are written, or only made, their places looked at or not. */
type Fate = "write" | "check" | "refuse";

/** Writes the outputs, or only makes them. Gives their bytes in all. */
async function store(
  host: Host,
  paths: readonly string[],
  outputs: readonly Content[],
  fate: Fate,
): Promise<number> {
  const counted = outputs.map((content) => new Counted(content));
  if (fate === "check" && paths[0] !== "-") await host.checkWrite(paths);
  if (fate !== "write") { for (const one of counted) for (const _ of one); }
  else if (paths[0] === "-") {
    for (const chunk of chunksOf(counted[0])) await host.out(chunk);
  } else {
    await host.write(counted.map((bytes, i) => ({ path: paths[i], bytes })));
  }
  return counted.reduce((sum, one) => sum + one.size, 0);
}

/** Reads a file with what belongs to it and converts it. */
export async function convertNamed(
  host: Host,
  name: string,
  options: ConvertOptions,
): Promise<Conversion> {
  return await convertInput(await readInput(host, name), options);
}

/** Converts what was read. */
export async function convertInput(
  input: Input,
  options: ConvertOptions,
): Promise<Conversion> {
  return await convertInPieces(input.bytes, {
    ...options,
    ...await simplifierFor(options),
    ...readOptions(input),
    giveAway: true,
  });
}

/**
 * Runs a command that makes one output and reports on it.
 *
 * @param make Reads the input and converts it.
 */
export async function runConversion(
  host: Host,
  [name, out]: readonly string[],
  o: OptionValues,
  make: (options: ConvertOptions) => Promise<Conversion>,
): Promise<number> {
  const options = conversionOptions(out, name, o);
  if (out === "-" && o.json) {
    throw new UsageError(
      "Write to a file, or leave out --json: both would go to stdout",
    );
  }
  if (out === "-" && o.split) {
    throw new UsageError("Write to a file: --split makes several");
  }
  await checkOutputs(host, [out], o.force === true);
  return await eachFile(
    host,
    [name],
    async () => {
      const made = await make(options);
      const paths = outputPaths(out, made);
      if (out === "-" && paths.length > 1) {
        throw new UsageError(
          `Write to a file: this model as ${options.to} takes ${paths.length} files, stdout holds one`,
        );
      }
      const lossy = made.report.loss.some((l) =>
        l.kind !== "repaired" || !l.demanded
      );
      const refused = o.strict === true && lossy;
      if (!refused && paths.length > 1) {
        await checkOutputs(host, paths, o.force === true);
      }
      const fate = refused ? "refuse" : o["dry-run"] ? "check" : "write";
      made.report.bytes.out = await store(host, paths, made.outputs, fate);
      if (o.json) {
        await host.out(
          JSON.stringify({
            schema: "meshwright/convert/1",
            in: name,
            out,
            ...(paths.length > 1 ? { outputs: paths } : {}),
            ...made.report,
            written: fate === "write",
          }) + "\n",
        );
      } else if (!o.quiet) {
        const verb = refused
          ? "Refused (--strict) to convert"
          : o["dry-run"]
          ? "Would convert"
          : "Converted";
        await host.err(describe(host, name, paths, made.report, verb));
      }
      return refused ? 1 : 0;
    },
    failureLine(host, o.json, { failed: conversionFailed }, [name, out]),
  );
}

/** The line of a conversion that failed. */
export function conversionFailed(
  [name = null, out = null]: readonly (string | null)[],
): Record<string, unknown> {
  return { schema: "meshwright/convert/1", in: name, out, written: false };
}

/** `meshwright convert`. */
export const convertCommand: Command = {
  name: "convert",
  args: "IN OUT",
  summary: "convert a file to another format and report what was lost",
  details:
    "OUT's extension names the format: .glb, .gltf, .payload, .json (CSS), .vvd, .obj, .smd. `-` is stdin\nor stdout. The report goes to stderr; --json prints it on stdout as one object. With --strict any\nloss other than a repair that the target format demands gives exit 1, and nothing is written.\nA CSS mesh that its importer would refuse is refused here too, with the importer's first error\n(exit 3, or 4 for a count beyond its limits); --lenient converts what can be read of it to another\nformat and names the errors as warnings. A text of more than 512 MiB is only a warning.",
  count: [2, 2],
  options: [...CONVERSION_OPTIONS, ...SINGLE_FILE_OPTIONS],
  own: CONVERSION_OWN,
  failed: conversionFailed,
  run: (host, args, o) =>
    runConversion(
      host,
      args,
      o,
      (options) => convertNamed(host, args[0], options),
    ),
};
