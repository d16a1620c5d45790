/**
 * Conversion options from a query string: the command line's options under the same names.
 *
 * @module
 */
import type { ConvertOptions } from "../convert/convert.ts";
import { requireWritable } from "../convert/detect.ts";
import { type FormatId, FORMATS } from "../core/formats.ts";
import type { Limits } from "../core/limits.ts";
import { RequestError } from "./answers.ts";

/** Names of the parameters that a conversion takes. */
export const PARAMETERS = [
  "to",
  "from",
  "name",
  "lod",
  "scale",
  "tangents",
  "normals",
  "morph-epsilon",
  "max-influences",
] as const;

function formatId(text: string, name: string): FormatId {
  const id = text.toLowerCase() === "glb" ? "gltf" : text.toLowerCase();
  const known = FORMATS.find((f) => f.id === id);
  if (!known) {
    throw new RequestError(
      400,
      `Give ${name} one of ${FORMATS.map((f) => f.id).join(", ")}: found ${
        JSON.stringify(text)
      }`,
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
    from: from === null ? undefined : formatId(from, "from"),
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
  const target = formatId(to, "to");
  requireWritable(target);
  return given({
    ...readParameters(query),
    to: target,
    scale: number(query, "scale"),
    tangents: choice(query, "tangents", ["keep", "drop"]),
    normals: choice(query, "normals", ["keep", "rebuild"]),
    morphEpsilon: number(query, "morph-epsilon"),
    maxInfluences: number(query, "max-influences"),
    limits,
  }) as ConvertOptions;
}
