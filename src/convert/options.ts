/**
 * The options of a conversion as people write them: one table for the command line, its completions, HTTP, its description and
 * the page, and one way from text to {@linkcode ConvertOptions}.
 *
 * @module
 */
import { type FormatId, FORMATS } from "../core/formats.ts";
import type { ConvertOptions } from "./convert.ts";

/** One option. */
export interface OptionInfo {
  /** Type of its value; a flag has none. */
  readonly type:
    | "flag"
    | "number"
    | "integer"
    | "choice"
    | "format"
    | "target"
    | "text";
  /** Placeholder in the help. */
  readonly value?: string;
  /** Values of a choice. */
  readonly choices?: readonly string[];
  /** Smallest number. */
  readonly min?: number;
  /** Largest number. */
  readonly max?: number;
  /** One line. */
  readonly help: string;
}

/** The options that say what a conversion does, wherever it runs, in the order of the help. */
export const CONVERT_OPTIONS = {
  from: { type: "format", value: "ID", help: "format of the input" },
  to: { type: "target", value: "ID", help: "format of the output" },
  lod: {
    type: "integer",
    value: "N",
    min: 0,
    help: "level of detail of the input (0 is the finest)",
  },
  lods: {
    type: "text",
    value: "all|N",
    help: "keep levels of detail 0 to N (default all)",
  },
  "build-lods": {
    type: "text",
    value: "RATIOS|N",
    help: "make new LODs: parts of LOD 0 (0.5,0.25), or N levels, halving",
  },
  "lod-rule": {
    type: "choice",
    value: "RULE",
    choices: ["meshoptimizer", "payload"],
    help: "new LODs by meshoptimizer (default), or bit for bit as a cook",
  },
  "lod-error": {
    type: "number",
    value: "E",
    min: 0,
    help: "largest deviation of new LODs, as a part of the extent (0.1)",
  },
  "lock-border": {
    type: "flag",
    help: "new LODs keep the edges that only one triangle has",
  },
  "switch-distances": {
    type: "text",
    value: "X,...",
    help: "distances of new LODs, in the output's unit (12 radii, doubling)",
  },
  "shadow-lod": {
    type: "flag",
    help: "keep the level of detail that only casts shadows",
  },
  bodygroup: {
    type: "text",
    value: "NAME=N,...|all",
    help: "model N of group NAME (default 0), or every model",
  },
  skin: {
    type: "integer",
    value: "N",
    min: 0,
    help: "skin family that names the materials (default 0)",
  },
  target: {
    type: "choice",
    value: "ENGINE",
    choices: ["source1"],
    help: "engine that an SMD is for: source1 has 3 influences, 128 bones",
  },
  tangents: {
    type: "choice",
    value: "WHAT",
    choices: ["keep", "rebuild", "drop"],
    help: "keep tangents (default), rebuild them (MikkTSpace), or drop them",
  },
  mode: {
    type: "choice",
    value: "MODE",
    choices: ["corrected", "reference"],
    help: "new tangents: all edges sorted (default), or the C code's bits",
  },
  degenerate: {
    type: "choice",
    value: "WHAT",
    choices: ["reference", "repair"],
    help: "new tangents without meaning: as they come (default), or mended",
  },
  normals: {
    type: "choice",
    value: "WHAT",
    choices: ["keep", "rebuild"],
    help: "keep normals (default) or rebuild them from the faces",
  },
  weld: {
    type: "number",
    value: "E",
    min: 0,
    help: "merge vertices that differ in nothing but E of their position",
  },
  heightfield: {
    type: "flag",
    help: "add the heights of a grid mesh for collision (payload, gltf)",
  },
  scale: {
    type: "number",
    value: "X",
    min: Number.MIN_VALUE,
    help: "metres in a Source unit, in or out (0.0254); else a factor",
  },
  "morph-epsilon": {
    type: "number",
    value: "E",
    min: 0,
    help: "drop morph deltas at or below E (payload: 1e-6)",
  },
  "max-influences": {
    type: "integer",
    value: "N",
    min: 1,
    help: "keep the N largest influences of a vertex",
  },
  split: {
    type: "flag",
    help: "write OUT.0.payload, OUT.1.payload, … when one can not hold it",
  },
  checksum: {
    type: "integer",
    value: "N",
    min: 0,
    max: 0xffff_ffff,
    help: "checksum of a VVD (its own; 0 from another format)",
  },
  basis: {
    type: "choice",
    value: "WHAT",
    choices: ["blender"],
    help: "the input holds raw Blender data: Z up, metres, v from below",
  },
  "package-prefix": {
    type: "text",
    value: "PATH",
    help: "folder that meshes must lie in (css: /Game/CSSAuthoring/)",
  },
  "mesh-package": {
    type: "text",
    value: "PATH",
    help: "package of the mesh (css; default: from its name)",
  },
  "skeleton-package": {
    type: "text",
    value: "PATH",
    help: "package of the skeleton (css; default: from the mesh's name)",
  },
  lenient: {
    type: "flag",
    help: "take a CSS mesh that its importer would refuse",
  },
  force: { type: "flag", help: "take model files that do not match" },
} as const satisfies Record<string, OptionInfo>;

/** Name of an option of a conversion. */
export type ConvertOptionName = keyof typeof CONVERT_OPTIONS;

/** What a target is called: a format, or glTF as binary or JSON by name. */
export type Target = FormatId | "glb" | "gltf-json";

/** Formats that are read or written, glTF's other names behind it. */
function formatWords(
  can: "reads" | "writes",
  gltf: readonly string[],
): readonly string[] {
  return FORMATS.filter((f) => f[can])
    .flatMap(({ id }) => id === "gltf" ? [id, ...gltf] : [id]);
}

/** What `from` takes. */
export const SOURCE_WORDS = formatWords("reads", ["glb"]);

/** What `to` takes. */
export const TARGET_WORDS = formatWords("writes", ["glb", "gltf-json"]);

/** A target as a conversion is told it; `gltf` alone leaves open which of both it is. */
export function targetOf(
  target: Target,
): Pick<ConvertOptions, "to" | "gltfJson"> {
  return target === "glb" || target === "gltf-json"
    ? { to: "gltf", gltfJson: target === "gltf-json" }
    : { to: target };
}

/** Values of a table's options by name. */
export type ValuesOf<T extends Record<string, OptionInfo>> = {
  [K in keyof T]?: T[K]["type"] extends "flag" ? boolean
    : T[K]["type"] extends "number" | "integer" ? number
    : T[K]["type"] extends "format" ? FormatId
    : T[K]["type"] extends "target" ? Target
    : T[K]["type"] extends "text" ? string
    : T[K] extends { choices: readonly (infer C)[] } ? C
    : never;
};

/** Values of the options of a conversion. */
export type ConvertOptionValues = ValuesOf<typeof CONVERT_OPTIONS>;

/** Who asks: how an option is written there, and what a wrong one is refused with. */
export interface Asker {
  /** An option as it is written, for messages. */
  spelled(name: string): string;
  /** The error to throw. */
  refusal(message: string, found: string, allowed: readonly string[]): Error;
}

function numberRange({ min, max }: OptionInfo): string {
  return max !== undefined
    ? ` from ${min} to ${max}`
    : min === Number.MIN_VALUE
    ? " above 0"
    : ` of ${min} or more`;
}

/**
 * The value of an option that is no flag.
 *
 * @throws What `asker` refuses with.
 */
export function optionValue(
  name: string,
  info: OptionInfo,
  text: string,
  asker: Asker,
): string | number {
  const bad = (allowed: string, words: readonly string[] = []): never => {
    throw asker.refusal(
      `Give ${asker.spelled(name)} ${allowed}: found "${text}"`,
      text,
      words,
    );
  };
  if (info.type === "choice") {
    return info.choices!.includes(text)
      ? text
      : bad(info.choices!.join(" or "), info.choices);
  }
  if (info.type === "text") return text;
  if (info.type === "format" || info.type === "target") {
    const word = text.toLowerCase();
    const words = info.type === "target" ? TARGET_WORDS : SOURCE_WORDS;
    // a format that only the other direction has is refused with that reason, where it is used
    if (!words.includes(word) && !FORMATS.some((f) => f.id === word)) {
      bad(`one of ${words.join(", ")}`, words);
    }
    return word === "glb" && info.type === "format" ? "gltf" : word;
  }
  const number = text.trim() === "" ? NaN : Number(text);
  const whole = info.type === "integer";
  if (
    !Number.isFinite(number) || number < (info.min ?? -Infinity) ||
    number > (info.max ?? Infinity) || (whole && !Number.isInteger(number))
  ) bad(`a ${whole ? "whole " : ""}number${numberRange(info)}`);
  return number;
}

function lodsOf(text: string, asker: Asker): "all" | number {
  if (text === "all") return "all";
  if (/^\d+$/.test(text)) return Number(text);
  throw asker.refusal(
    `Give ${
      asker.spelled("lods")
    } all or a whole number of 0 or more: found "${text}"`,
    text,
    [],
  );
}

/** `NAME=N,NAME=N` or `all`. */
function bodygroupsOf(
  text: string,
  asker: Asker,
): Record<string, number> | "all" {
  if (text === "all") return "all";
  return Object.fromEntries(
    text.split(",").map((item) => {
      const match = /^(.*)=(\d+)$/.exec(item);
      if (match) return [match[1], Number(match[2])];
      throw asker.refusal(
        `Give ${
          asker.spelled("bodygroup")
        } NAME=N, several with commas between, or all: found "${item}"`,
        item,
        [],
      );
    }),
  );
}

/**
 * Numbers with commas between.
 *
 * @param counts How many there may be; any number when left out.
 * @throws What `asker` refuses with.
 */
export function numbersOf(
  name: string,
  text: string,
  asker: Asker,
  counts?: readonly number[],
): number[] {
  const numbers = text.split(",").map((t) => t.trim() === "" ? NaN : Number(t));
  if (
    numbers.every(Number.isFinite) && counts?.includes(numbers.length) !== false
  ) return numbers;
  const many = counts ? `${counts.join(" or ")} numbers` : "numbers";
  throw asker.refusal(
    `Give ${asker.spelled(name)} ${many}, with commas between: found "${text}"`,
    text,
    [],
  );
}

/** `0.5,0.25` are parts of LOD 0, `3` is a number of levels. */
function newLodsOf(
  o: ConvertOptionValues,
  asker: Asker,
): ConvertOptions["buildLods"] {
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
    throw asker.refusal(
      `Add ${asker.spelled("build-lods")}, or leave out ${
        asker.spelled(lone)
      }: it is about new levels of detail`,
      lone,
      [],
    );
  }
  const numbers = numbersOf("build-lods", text, asker);
  const levels = numbers.length === 1 && Number.isInteger(numbers[0]) &&
    numbers[0] >= 1;
  const distances = o["switch-distances"];
  return given({
    ...(levels ? { levels: numbers[0] } : { ratios: numbers }),
    rule: o["lod-rule"] ?? "meshoptimizer" as const,
    targetError: o["lod-error"],
    lockBorder: o["lock-border"],
    switchDistances: distances === undefined
      ? undefined
      : numbersOf("switch-distances", distances, asker),
  });
}

/** Values without those that were not given, which the types want absent. */
type Given<T> = {
  [K in keyof T]: Exclude<T[K], undefined>;
};

/** Drops what was not given. */
export function given<T extends object>(options: T): Given<T> {
  return Object.fromEntries(
    Object.entries(options).filter(([, v]) => v !== undefined),
  ) as Given<T>;
}

/**
 * What a conversion is told of the options that were given, all but its target.
 *
 * @throws What `asker` refuses a value with that is none.
 */
export function convertOptionsOf(
  o: ConvertOptionValues,
  asker: Asker,
): Omit<ConvertOptions, "to"> {
  const options: {
    [K in keyof ConvertOptions]?: ConvertOptions[K] | undefined;
  } = {
    from: o.from,
    force: o.force,
    lenient: o.lenient,
    lod: o.lod,
    lods: o.lods === undefined ? undefined : lodsOf(o.lods, asker),
    shadowLod: o["shadow-lod"],
    buildLods: newLodsOf(o, asker),
    bodygroup: o.bodygroup === undefined
      ? undefined
      : bodygroupsOf(o.bodygroup, asker),
    skin: o.skin,
    target: o.target,
    tangents: o.tangents,
    tangentMode: o.mode,
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
  return given(options) as Omit<ConvertOptions, "to">;
}
