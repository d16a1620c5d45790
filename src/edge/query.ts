/**
 * Conversion options from a query string: the command line's options under the same names.
 *
 * @module
 */
import type { ConvertOptions } from "../convert/convert.ts";
import { requireWritable } from "../convert/detect.ts";
import {
  type Asker,
  CONVERT_OPTIONS,
  convertOptionsOf,
  type ConvertOptionValues,
  type OptionInfo,
  optionValue,
  type Target,
  targetOf,
} from "../convert/options.ts";
import type { Limits } from "../core/limits.ts";
import type { Simplifier } from "../ops/simplify_triangles.ts";
import { RequestError } from "./answers.ts";

const NAME: OptionInfo = {
  type: "text",
  help: "name of the file, for messages and for ties between formats",
};

/** Parameters of a conversion. */
export const CONVERT_PARAMETERS: Readonly<Record<string, OptionInfo>> = {
  ...CONVERT_OPTIONS,
  name: NAME,
};

/** Parameters of what reads a file only. */
export const READ_PARAMETERS: Readonly<Record<string, OptionInfo>> = {
  from: CONVERT_OPTIONS.from,
  name: NAME,
  lod: CONVERT_OPTIONS.lod,
  "package-prefix": CONVERT_OPTIONS["package-prefix"],
};

/** Options of the command's `convert` that are none here, with the reason. */
export const COMMAND_ONLY: Readonly<Record<string, string>> = {
  json: "the report is JSON already, in the header meshwright-report",
  strict: "the report in the header meshwright-report lists every loss",
  quiet: "nothing is printed",
  "dry-run": "nothing is stored",
};

const HTTP: Asker = {
  spelled: (name) => name,
  refusal: (message) => new RequestError(400, message),
};

const SWITCH = {
  type: "choice",
  choices: ["1", "true", "0", "false"],
  help: "",
} as const satisfies OptionInfo;

/** A switch: `split`, `split=1`, `split=true`; `0` and `false` are off, as if left out. */
function flag(name: string, text: string): true | undefined {
  const value = text === "" ? "true" : optionValue(name, SWITCH, text, HTTP);
  return value === "1" || value === "true" ? true : undefined;
}

/** The parameters by name, each of its type. */
function valuesOf(
  query: URLSearchParams,
  parameters: Readonly<Record<string, OptionInfo>>,
): ConvertOptionValues & { name?: string } {
  const values: Record<string, unknown> = {};
  for (const [name, text] of query) {
    if (Object.hasOwn(COMMAND_ONLY, name)) {
      throw new RequestError(400, `Leave out ${name}: ${COMMAND_ONLY[name]}`);
    }
    if (!Object.hasOwn(parameters, name)) {
      const known = Object.keys(parameters).join(", ");
      throw new RequestError(
        400,
        `Give known parameters: ${name} is none of ${known}`,
      );
    }
    if (Object.hasOwn(values, name)) {
      throw new RequestError(400, `Give ${name} once`);
    }
    const info = parameters[name];
    values[name] = info.type === "flag"
      ? flag(name, text)
      : optionValue(name, info, text, HTTP);
  }
  return values;
}

/** Options that reading alone takes. */
export type ReadParameters = Pick<
  ConvertOptions,
  "from" | "name" | "lod" | "packagePrefix"
>;

/**
 * Options that reading alone takes.
 *
 * @throws {RequestError} 400 for an unknown parameter or a wrong value.
 */
export function readParameters(query: URLSearchParams): ReadParameters {
  const { name, ...values } = valuesOf(query, READ_PARAMETERS);
  return {
    ...convertOptionsOf(values, HTTP),
    ...(name === undefined ? {} : { name }),
  };
}

function targetParameter(
  text: string,
): Pick<ConvertOptions, "to" | "gltfJson"> {
  const word = optionValue("to", CONVERT_OPTIONS.to, text, HTTP) as Target;
  const target = targetOf(word);
  requireWritable(target.to);
  return target;
}

/**
 * Options of a conversion.
 *
 * @throws {RequestError} 400 for an unknown parameter, a wrong value or a missing target.
 */
export function convertParameters(
  query: URLSearchParams,
  limits: Limits,
): ConvertOptions {
  const rest = new URLSearchParams(query);
  rest.delete("to");
  const { name, ...values } = valuesOf(rest, CONVERT_PARAMETERS);
  const targets = query.getAll("to");
  if (targets.length !== 1) {
    throw new RequestError(
      400,
      "Name one target with ?to=, for example to=glb",
    );
  }
  return {
    ...targetParameter(targets[0]),
    ...convertOptionsOf(values, HTTP),
    ...(name === undefined ? {} : { name }),
    limits,
  };
}

/**
 * meshoptimizer's simplifier, where the options ask for levels of detail by its rule.
 *
 * @param load Loads it; null where there is none.
 * @throws {RequestError} 400 where it is wanted and there is none.
 */
export async function simplifierFor(
  { buildLods }: ConvertOptions,
  load: (() => Promise<Simplifier>) | null,
): Promise<Pick<ConvertOptions, "simplifier">> {
  if (buildLods?.rule !== "meshoptimizer") return {};
  if (load) return { simplifier: await load() };
  throw new RequestError(
    400,
    "Give lod-rule=payload: there is no meshoptimizer here for the other rule",
  );
}
