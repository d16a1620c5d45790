/**
 * The options that every command takes that converts, and what they mean to the conversion.
 *
 * @module
 */
import type { ConvertOptions } from "../convert/convert.ts";
import {
  CONVERT_OPTIONS,
  type ConvertOptionName,
  convertOptionsOf,
  type ConvertOptionValues,
  given,
} from "../convert/options.ts";
import { stemName } from "../convert/output_paths.ts";
import { targetFormat } from "./files.ts";
import {
  COMMAND_LINE,
  type OptionInfo,
  type OptionName,
  type OptionValues,
} from "./usage.ts";

/** Options of a conversion of one file: they name things that no two files share. */
export const SINGLE_FILE_OPTIONS: readonly ConvertOptionName[] = [
  "mesh-package",
  "skeleton-package",
];

/** Options about what is printed and written, not about the conversion. */
const ABOUT_FILES: readonly OptionName[] = [
  "json",
  "strict",
  "quiet",
  "force",
  "dry-run",
];

/** Options of a conversion that hold for one file and for many, in the order of the help. */
export const CONVERSION_OPTIONS: readonly OptionName[] = [
  ...ABOUT_FILES,
  ...(Object.keys(CONVERT_OPTIONS) as ConvertOptionName[])
    .filter((name) =>
      !ABOUT_FILES.includes(name) && !SINGLE_FILE_OPTIONS.includes(name)
    ),
];

/** What `--mode` means to a conversion. */
export const CONVERSION_OWN: Readonly<Partial<Record<OptionName, OptionInfo>>> =
  { mode: CONVERT_OPTIONS.mode };

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
  return {
    ...targetFormat(out, o.to),
    name,
    ...(out === "-" ? {} : { outName: stemName(out) }),
    ...convertOptionsOf(o as ConvertOptionValues, COMMAND_LINE),
  };
}

/** Which model of a Source model is meant, as `--bodygroup` and `--skin` say it. */
export function modelOptions(
  { bodygroup, skin }: OptionValues,
): Pick<ConvertOptions, "bodygroup" | "skin"> {
  return convertOptionsOf(given({ bodygroup, skin }), COMMAND_LINE);
}
