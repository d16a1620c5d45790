/**
 * Reads values out of a glTF's JSON, and says where one is wrong.
 *
 * @module
 */
import type { Code } from "../../core/codes.ts";
import { meshError } from "../../core/errors.ts";

/** A JSON object. */
export type Json = Record<string, unknown>;

/** Refuses a file for what stands at a path of its JSON. */
export function fail(
  code: Code,
  path: string,
  message: string,
  found?: unknown,
  allowed?: unknown,
): never {
  throw meshError(code, message, { format: "gltf", path, found, allowed });
}

/** A value of the file as messages show it: short, and in words where there is none. */
export function told(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  if (isObject(value)) return "an object";
  // numbers beyond f64 are infinite, which JSON has no word for
  const text = typeof value === "number" ? `${value}` : JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** True for a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A list of objects under a key; absent counts as empty. */
export function objects(json: Json, key: string): Json[] {
  const value = json[key];
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every(isObject)) {
    fail(
      "GLTF-STRUCTURE",
      `/${key}`,
      `Export the file again: ${key} is not a list of objects`,
    );
  }
  return value;
}

/** The same under a path. */
export function objectsAt(o: Json, key: string, path: string): Json[] {
  const value = o[key];
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every(isObject)) {
    fail(
      "GLTF-STRUCTURE",
      `${path}/${key}`,
      `Export the file again: ${path}/${key} is not a list of objects`,
    );
  }
  return value;
}

/** What integers are allowed, in words. */
function range(low: number, high: number): string {
  if (high === Number.MAX_SAFE_INTEGER) {
    return `allowed is a whole number of ${low} or more`;
  }
  return high < low
    ? "and there is none to name"
    : `allowed is ${low} to ${high}`;
}

/** An integer from `low` to `high` under a key. */
export function integer(
  o: Json,
  key: string,
  path: string,
  low: number,
  high: number,
  fallback?: number,
): number {
  const value = o[key];
  if (value === undefined && fallback !== undefined) return fallback;
  if (
    !Number.isInteger(value) ||
    !(value as number >= low && value as number <= high)
  ) {
    fail(
      "GLTF-STRUCTURE",
      `${path}/${key}`,
      `Export the file again: ${path}/${key} is ${told(value)}, ${
        range(low, high)
      }`,
      value,
      [low, high],
    );
  }
  return value as number;
}

/** A reference into a list, if it is there. */
export function reference(
  o: Json,
  key: string,
  path: string,
  list: readonly unknown[],
): number | null {
  if (o[key] === undefined) return null;
  return integer(o, key, path, 0, list.length - 1);
}

/** A list of references. */
export function references(
  o: Json,
  key: string,
  path: string,
  list: readonly unknown[],
): number[] {
  const value = o[key];
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    fail(
      "GLTF-STRUCTURE",
      `${path}/${key}`,
      `Export the file again: ${path}/${key} is not a list`,
    );
  }
  value.forEach((x, i) => {
    if (!Number.isInteger(x) || x < 0 || x >= list.length) {
      fail(
        "GLTF-STRUCTURE",
        `${path}/${key}/${i}`,
        `Export the file again: ${path}/${key}/${i} is ${told(x)}, ${
          range(0, list.length - 1)
        }`,
        x,
        [0, list.length - 1],
      );
    }
  });
  return value;
}
