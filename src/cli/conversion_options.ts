/**
 * The options that every command takes that converts: one table for their names, and one function for their values.
 *
 * @module
 */
import type { ConvertOptions } from "../convert/convert.ts";
import { stemName } from "../convert/output_paths.ts";
import type { TangentMode } from "../kernels/tangents.ts";
import { targetFormat } from "./files.ts";
import {
  type OptionInfo,
  type OptionName,
  type OptionValues,
  UsageError,
} from "./usage.ts";

/** Options of a conversion that hold for one file and for many, in the order of the help. */
export const CONVERSION_OPTIONS: readonly OptionName[] = [
  "json",
  "strict",
  "quiet",
  "force",
  "dry-run",
  "from",
  "to",
  "lod",
  "lods",
  "build-lods",
  "lod-rule",
  "lod-error",
  "lock-border",
  "switch-distances",
  "shadow-lod",
  "bodygroup",
  "skin",
  "target",
  "tangents",
  "mode",
  "degenerate",
  "normals",
  "weld",
  "heightfield",
  "scale",
  "morph-epsilon",
  "max-influences",
  "split",
  "checksum",
  "basis",
  "package-prefix",
  "lenient",
];

/** Options of a conversion of one file: they name things that no two files share. */
export const SINGLE_FILE_OPTIONS: readonly OptionName[] = [
  "mesh-package",
  "skeleton-package",
];

/** What `--mode` means to a conversion. */
export const CONVERSION_OWN: Readonly<Partial<Record<OptionName, OptionInfo>>> =
  {
    mode: {
      type: "choice",
      value: "MODE",
      choices: ["corrected", "reference"],
      help: "new tangents: all edges sorted (default), or the C code's bits",
    },
  };

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

/**
 * Numbers with commas between.
 *
 * @param counts How many there may be; any number when left out.
 * @throws {UsageError} For anything else.
 */
export function numbersOf(
  option: OptionName,
  text: string,
  counts?: readonly number[],
): number[] {
  const numbers = text.split(",").map((t) => t.trim() === "" ? NaN : Number(t));
  if (
    numbers.every(Number.isFinite) && counts?.includes(numbers.length) !== false
  ) return numbers;
  throw new UsageError(
    `Give --${option} ${
      counts ? `${counts.join(" or ")} numbers` : "numbers"
    }, with commas between: found "${text}"`,
  );
}

/** `0.5,0.25` are parts of LOD 0, `3` is a number of levels. */
function newLodsOf(o: OptionValues): ConvertOptions["buildLods"] {
  const text = o["build-lods"];
  const details = [
    "lod-rule",
    "lod-error",
    "lock-border",
    "switch-distances",
  ] as const;
  if (text === undefined) {
    const lone = details.find((name) => o[name] !== undefined);
    if (lone === undefined) return undefined;
    throw new UsageError(
      `Add --build-lods, or leave out --${lone}: it is about new levels of detail`,
    );
  }
  const numbers = numbersOf("build-lods", text);
  const levels = numbers.length === 1 && Number.isInteger(numbers[0]) &&
    numbers[0] >= 1;
  return given({
    ...(levels ? { levels: numbers[0] } : { ratios: numbers }),
    rule: o["lod-rule"] ?? "meshoptimizer" as const,
    targetError: o["lod-error"],
    lockBorder: o["lock-border"],
    switchDistances: o["switch-distances"] === undefined
      ? undefined
      : numbersOf("switch-distances", o["switch-distances"]),
  });
}

/** Values without those that were not given, which the types want absent. */
type Given<T> = {
  [K in keyof T]: Exclude<T[K], undefined>;
};

function given<T extends object>(options: T): Given<T> {
  return Object.fromEntries(
    Object.entries(options).filter(([, v]) => v !== undefined),
  ) as Given<T>;
}

/**
 * Options of a conversion from those of the command line.
 *
 * @throws {UsageError} For a value that is none.
 */
export function conversionOptions(
  out: string,
  name: string,
  o: OptionValues,
): ConvertOptions {
  const options: {
    [K in keyof ConvertOptions]: ConvertOptions[K] | undefined;
  } = {
    to: targetFormat(out, o.to),
    name,
    gltfJson: out.toLowerCase().endsWith(".gltf"),
    outName: out === "-" ? undefined : stemName(out),
    from: o.from,
    force: o.force,
    lenient: o.lenient,
    lod: o.lod,
    lods: o.lods === undefined ? undefined : lodsOf(o.lods),
    shadowLod: o["shadow-lod"],
    buildLods: newLodsOf(o),
    bodygroup: o.bodygroup === undefined
      ? undefined
      : bodygroupsOf(o.bodygroup),
    skin: o.skin,
    target: o.target,
    tangents: o.tangents,
    tangentMode: o.mode as TangentMode | undefined,
    degenerate: o.degenerate,
    normals: o.normals,
    weld: o.weld === undefined ? undefined : { positionTolerance: o.weld },
    heightfield: o.heightfield,
    scale: o.scale,
    morphEpsilon: o["morph-epsilon"],
    maxInfluences: o["max-influences"],
    split: o.split,
    checksum: o.checksum,
    basis: o.basis,
    packagePrefix: o["package-prefix"],
    meshPackage: o["mesh-package"],
    skeletonPackage: o["skeleton-package"],
  };
  return given(options) as ConvertOptions;
}

/** meshoptimizer's simplifier, where the options ask for levels of detail by its rule. */
export async function simplifierFor(
  { buildLods }: ConvertOptions,
): Promise<Pick<ConvertOptions, "simplifier">> {
  if (buildLods?.rule !== "meshoptimizer") return {};
  const { MeshoptSimplifier } = await import("meshoptimizer/simplifier");
  await MeshoptSimplifier.ready;
  return { simplifier: MeshoptSimplifier };
}
