import {
  convert,
  type Converted,
  type ConvertOptions,
  type ConvertReport,
} from "../../convert/convert.ts";
import {
  checkOutputs,
  partPath,
  readInput,
  stemPath,
  targetFormat,
} from "../files.ts";
import type { TangentMode } from "../../kernels/tangents.ts";
import type { Host } from "../host.ts";
import { eachFile } from "../run_files.ts";
import { clean, count, paint, short, size } from "../text.ts";
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
  for (const a of report.added) {
    lines.push(`  added ${a.what} (${count(a.count)}): ${clean(a.why)}`);
  }
  for (const w of report.warnings ?? []) {
    lines.push(`  ${paint(host, "yellow", "warning")} ${w.code}: ${w.message}`);
  }
  for (const l of report.loss) {
    const largest = l.largest ? `, at most ${short(l.largest)}` : "";
    lines.push(
      `  ${paint(host, KIND_STYLE[l.kind], l.kind)} ${clean(l.what)} (${
        count(l.count)
      }${largest}): ${clean(l.why)}`,
    );
  }
  if (report.loss.length === 0) {
    lines.push(`  ${paint(host, "green", "nothing lost")}`);
  }
  return lines.join("\n") + "\n";
}

/** Options of a conversion from those of the command line. */
export function optionsOf(
  out: string,
  name: string,
  o: OptionValues,
): ConvertOptions {
  return {
    to: targetFormat(out, o.to),
    name,
    gltfJson: out.toLowerCase().endsWith(".gltf"),
    ...(o.from !== undefined ? { from: o.from } : {}),
    ...(o.lod !== undefined ? { lod: o.lod } : {}),
    ...(o.scale !== undefined ? { scale: o.scale } : {}),
    ...(o.tangents !== undefined ? { tangents: o.tangents } : {}),
    ...(o.mode !== undefined ? { tangentMode: o.mode as TangentMode } : {}),
    ...(o.normals !== undefined ? { normals: o.normals } : {}),
    ...(o.split !== undefined ? { split: o.split } : {}),
    ...(o.checksum !== undefined ? { checksum: o.checksum } : {}),
    ...(o.basis !== undefined ? { basis: o.basis } : {}),
    ...(o["package-prefix"] !== undefined
      ? { packagePrefix: o["package-prefix"] }
      : {}),
    ...(o["mesh-package"] !== undefined
      ? { meshPackage: o["mesh-package"] }
      : {}),
    ...(o["skeleton-package"] !== undefined
      ? { skeletonPackage: o["skeleton-package"] }
      : {}),
    ...(o.force !== undefined ? { force: o.force } : {}),
    ...(o.skin !== undefined ? { skin: o.skin } : {}),
    ...(o.target !== undefined ? { target: o.target } : {}),
    ...(o["shadow-lod"] !== undefined ? { shadowLod: true } : {}),
    ...(o.lods !== undefined ? { lods: lodsOf(o.lods) } : {}),
    ...(o.bodygroup !== undefined
      ? { bodygroup: bodygroupsOf(o.bodygroup) }
      : {}),
    ...(out !== "-" ? { outName: stemPath(out).replace(/^.*[\\/]/, "") } : {}),
    ...(o["morph-epsilon"] !== undefined
      ? { morphEpsilon: o["morph-epsilon"] }
      : {}),
    ...(o["max-influences"] !== undefined
      ? { maxInfluences: o["max-influences"] }
      : {}),
  };
}

function lodsOf(text: string): "all" | number {
  if (text === "all") return "all";
  if (/^\d+$/.test(text)) return Number(text);
  throw new UsageError(
    `Give --lods all or a whole number of 0 or more: found "${text}"`,
  );
}

/** `NAME=N,NAME=N` or `all`. */
function bodygroupsOf(text: string): Record<string, number> | "all" {
  if (text === "all") return "all";
  const out: Record<string, number> = {};
  for (const item of text.split(",")) {
    const match = /^(.*)=(\d+)$/.exec(item);
    if (!match) {
      throw new UsageError(
        `Give --bodygroup NAME=N, several with commas between, or all: found "${item}"`,
      );
    }
    out[match[1]] = Number(match[2]);
  }
  return out;
}

/** Where the outputs of a conversion go: the first one to `out`, parts and files that belong to it beside it. */
export function outputPaths(out: string, made: Converted): string[] {
  if (made.outputs.length === 1) return [out];
  return made.outputs.map((_, i) =>
    made.endings === undefined
      ? partPath(out, i)
      : i === 0
      ? out
      : stemPath(out) + made.endings[i]
  );
}

async function store(
  host: Host,
  paths: readonly string[],
  made: Converted,
): Promise<void> {
  if (paths[0] === "-") await host.out(made.outputs[0]);
  else {
    await host.write(
      made.outputs.map((bytes, i) => ({ path: paths[i], bytes })),
    );
  }
}

/** `meshwright convert`. */
export const convertCommand: Command = {
  name: "convert",
  args: "IN OUT",
  summary: "convert a file to another format and report what was lost",
  details:
    "OUT's extension names the format: .glb, .gltf, .payload, .vvd, .obj, .smd. `-` is stdin or stdout.\nThe report goes to stderr; --json prints it on stdout as one object. With --strict any loss\nother than a repair that the target format demands gives exit 1, and nothing is written.",
  count: [2, 2],
  options: [
    "json",
    "strict",
    "quiet",
    "force",
    "dry-run",
    "from",
    "to",
    "lod",
    "lods",
    "shadow-lod",
    "bodygroup",
    "skin",
    "target",
    "tangents",
    "mode",
    "normals",
    "scale",
    "morph-epsilon",
    "max-influences",
    "split",
    "checksum",
    "basis",
    "package-prefix",
    "mesh-package",
    "skeleton-package",
  ],
  own: {
    mode: {
      type: "choice",
      value: "MODE",
      choices: ["corrected", "reference"],
      help:
        "rebuilt tangents: all edges sorted (default), or the C code's bits",
    },
  },
  async run(host, [name, out], o) {
    const options = optionsOf(out, name, o);
    if (out === "-" && o.json) {
      throw new UsageError(
        "Write to a file, or leave out --json: both would go to stdout",
      );
    }
    if (out === "-" && o.split) {
      throw new UsageError("Write to a file: --split makes several");
    }
    if (!o["dry-run"]) await checkOutputs(host, [out], o.force === true);
    return await eachFile(host, [name], async () => {
      const input = await readInput(host, name);
      const made = await convert(input.bytes, {
        ...options,
        resources: input.resources,
        decoders: input.decoders,
      });
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
      if (!refused && !o["dry-run"]) {
        if (paths.length > 1) await checkOutputs(host, paths, o.force === true);
        await store(host, paths, made);
      }
      if (o.json) {
        await host.out(
          JSON.stringify({
            schema: "meshwright/convert/1",
            in: name,
            out,
            ...(paths.length > 1 ? { outputs: paths } : {}),
            ...made.report,
            written: !refused && !o["dry-run"],
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
    });
  },
};
