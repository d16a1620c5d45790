/**
 * Broken rules as they are met: kept in order, counted beyond what is listed.
 *
 * @module
 */
import type { Code } from "../../core/codes.ts";
import { MAX_LISTED_FINDINGS } from "../../core/limits.ts";

/** Keys and indices from the root to a value. */
export type Path = readonly (string | number)[];

/** One broken rule. */
export interface Problem {
  /** The rule. */
  readonly code: Code;
  /** Where. */
  readonly path: Path;
  /** Sentence for people, without the place. */
  readonly message: string;
  /** The value met. */
  readonly found?: unknown;
  /** What is allowed. */
  readonly allowed?: unknown;
  /** True when the value does not fit the model at all, so that reading fails. */
  readonly structural?: boolean;
}

/** The problems of one array, in the order of its rows. */
export class Problems {
  /** The first ones. */
  readonly items: Problem[] = [];
  /** How many there are in all. */
  count = 0;
  /** The first one that keeps the file from being read. */
  structural: Problem | null = null;

  /** Adds a problem; `make` is called for those that are listed. */
  add(make: () => Problem): void {
    this.count++;
    if (this.items.length >= MAX_LISTED_FINDINGS && this.structural) return;
    const problem = make();
    if (problem.structural) this.structural ??= problem;
    if (this.items.length < MAX_LISTED_FINDINGS) this.items.push(problem);
  }
}

/** A JSON pointer. */
export function pointer(path: Path): string {
  return path.map((key) =>
    `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`
  ).join("");
}

/** A value as findings show it: JSON has no NaN and no infinity, and long texts say nothing. */
export function shown(value: unknown): unknown {
  if (value === undefined) return "nothing";
  if (typeof value === "number" && !Number.isFinite(value)) {
    return String(value);
  }
  if (typeof value === "string" && value.length > 200) {
    return `${value.slice(0, 200)}…`;
  }
  return value;
}

/** A value inside a sentence. */
export function quoted(value: unknown): string {
  const text = shown(value);
  return typeof text === "string" && value !== undefined &&
      text !== "an array" && text !== "an object" && typeof value !== "number"
    ? JSON.stringify(text)
    : String(text);
}
