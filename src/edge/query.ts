/**
 * Conversion options from a query string: the command line's options under the same names.
 *
 * @module
 */
import type { ConvertOptions } from "../convert/convert.ts";
import { requireWritable } from "../convert/detect.ts";
import { BASES, type BasisId } from "../core/basis.ts";
import { type FormatId, FORMATS } from "../core/formats.ts";
import type { Limits } from "../core/limits.ts";
import { RequestError } from "./answers.ts";

/** Names of the parameters that a conversion takes. */
export const PARAMETERS = [
  "to",
  "from",
  "name",
  "lod",
  "lods",
  "scale",
  "basis",
  "tangents",
  "mode",
  "normals",
  "morph-epsilon",
  "max-influences",
  "split",
] as const;

function formatId(
  text: string,
  name: string,
  does: "reads" | "writes",
): FormatId {
  const id = text.toLowerCase() === "glb" ? "gltf" : text.toLowerCase();
  const known = FORMATS.find((f) => f.id === id);
  if (!known) {
    const able = FORMATS.filter((f) => f[does]).map((f) => f.id);
    throw new RequestError(
      400,
      `Give ${name} one of ${able.join(", ")}: found ${JSON.stringify(text)}`,
    );
  }
  return known.id;
}

function number(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = text.trim() === "" ? NaN : Number(text);
  if (!Number.isFinite(value)) {
    throw new RequestError(
      400,
      `Give ${name} a number: found ${JSON.stringify(text)}`,
    );
  }
  return value;
}

function choice<T extends string>(
  query: URLSearchParams,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!allowed.includes(text as T)) {
    throw new RequestError(
      400,
      `Give ${name} one of ${allowed.join(", ")}: found ${
        JSON.stringify(text)
      }`,
    );
  }
  return text as T;
}

/** Highest level of detail to keep, or all. */
function lods(query: URLSearchParams): "all" | number | undefined {
  return query.get("lods") === "all" ? "all" : number(query, "lods");
}

/** A switch: `split`, `split=1`, `split=true`; `0` and `false` are off. */
function flag(query: URLSearchParams, name: string): boolean | undefined {
  const text = choice(query, name, ["", "1", "true", "0", "false"]);
  return text === undefined ? undefined : ["", "1", "true"].includes(text);
}

/** Drops the options that were not given, which the types want absent. */
function given<T extends object>(options: T): T {
  return Object.fromEntries(
    Object.entries(options).filter(([, v]) => v !== undefined),
  ) as T;
}

/** Options that reading alone takes. */
export function readParameters(
  query: URLSearchParams,
): { from?: FormatId; name?: string; lod?: number } {
  const from = query.get("from");
  return given({
    from: from === null ? undefined : formatId(from, "from", "reads"),
    name: query.get("name") ?? undefined,
    lod: number(query, "lod"),
  }) as { from?: FormatId; name?: string; lod?: number };
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
  for (const name of query.keys()) {
    if (!(PARAMETERS as readonly string[]).includes(name)) {
      throw new RequestError(
        400,
        `Give known parameters: ${name} is none of ${PARAMETERS.join(", ")}`,
      );
    }
  }
  const to = query.get("to");
  if (to === null) {
    throw new RequestError(
      400,
      "Name the target with ?to=, for example to=glb",
    );
  }
  const target = formatId(to, "to", "writes");
  requireWritable(target);
  return given({
    ...readParameters(query),
    to: target,
    lods: lods(query),
    scale: number(query, "scale"),
    basis: choice(query, "basis", Object.keys(BASES) as BasisId[]),
    tangents: choice(query, "tangents", ["keep", "rebuild", "drop"]),
    tangentMode: choice(query, "mode", ["corrected", "reference"]),
    normals: choice(query, "normals", ["keep", "rebuild"]),
    morphEpsilon: number(query, "morph-epsilon"),
    maxInfluences: number(query, "max-influences"),
    split: flag(query, "split"),
    limits,
  }) as ConvertOptions;
}
