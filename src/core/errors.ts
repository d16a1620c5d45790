/**
 * The one family of errors. A `MeshError` carries a stable code, the format, where the fault lies and what was found and
 * allowed; each member also extends the built-in that fits (`RangeError` for bounds and limits, `SyntaxError` for text,
 * `TypeError` for wrong arguments), so that `instanceof` works both ways.
 *
 * @module
 */
import { type Code, kindOf } from "./codes.ts";
import type { FormatId } from "./formats.ts";

/** What an error or finding may say about its place and values. */
export interface ErrorDetail {
  /** Format in which the fault was met. */
  format?: FormatId;
  /** Byte offset from the start of the input. */
  offset?: number;
  /** JSON pointer or field name, where a byte offset says less. */
  path?: string;
  /** The value met. */
  found?: unknown;
  /** The values that are allowed, or the bound that was passed. */
  allowed?: unknown;
  /** The lower-level error, if there was one. */
  cause?: unknown;
}

const BRAND: unique symbol = Symbol.for("@meshwright/kit.MeshError") as never;

function fill(error: object, code: Code, detail: ErrorDetail): void {
  Object.assign(error, {
    name: "MeshError",
    code,
    format: detail.format,
    offset: detail.offset,
    path: detail.path,
    found: detail.found,
    allowed: detail.allowed,
  });
  Object.defineProperty(error, BRAND, { value: true });
}

function options(detail: ErrorDetail): ErrorOptions {
  return detail.cause === undefined ? {} : { cause: detail.cause };
}

/**
 * An error of this library: bad input, a limit that was passed, a wrong argument. Nothing else leaves it.
 *
 * @example
 * ```ts
 * import { MeshError, readVvd } from "@meshwright/kit";
 *
 * try {
 *   readVvd(new Uint8Array(10));
 * } catch (error) {
 *   if (!(error instanceof MeshError)) throw error;
 *   console.log(error.code, error.offset); // VVD-ZERO 0
 * }
 * ```
 */
export class MeshError extends Error {
  /** Stable code, explained by `meshwright explain CODE`. */
  declare readonly code: Code;
  /** Format in which the fault was met. */
  declare readonly format: FormatId | undefined;
  /** Byte offset from the start of the input. */
  declare readonly offset: number | undefined;
  /** JSON pointer or field name. */
  declare readonly path: string | undefined;
  /** The value met. */
  declare readonly found: unknown;
  /** The values that are allowed, or the bound that was passed. */
  declare readonly allowed: unknown;

  /** Makes an error; {@linkcode meshError} picks the member that fits the code. */
  constructor(code: Code, message: string, detail: ErrorDetail = {}) {
    super(message, options(detail));
    fill(this, code, detail);
  }

  /** True for every member of the family, of this or another copy of the library. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}

class MeshRangeError extends RangeError {
  constructor(code: Code, message: string, detail: ErrorDetail) {
    super(message, options(detail));
    fill(this, code, detail);
  }
}
class MeshSyntaxError extends SyntaxError {
  constructor(code: Code, message: string, detail: ErrorDetail) {
    super(message, options(detail));
    fill(this, code, detail);
  }
}
class MeshTypeError extends TypeError {
  constructor(code: Code, message: string, detail: ErrorDetail) {
    super(message, options(detail));
    fill(this, code, detail);
  }
}

const MEMBERS = {
  range: MeshRangeError,
  syntax: MeshSyntaxError,
  type: MeshTypeError,
  plain: MeshError,
} as const;

/** The member of the family that fits `code` (see {@linkcode kindOf}). */
export function meshError(
  code: Code,
  message: string,
  detail: ErrorDetail = {},
): MeshError {
  return new MEMBERS[kindOf(code)](code, message, detail) as MeshError;
}

/** Runs work on a file whose format is known: errors that name no format get it. */
export async function inFormat<T>(
  format: FormatId,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MeshError && error.format === undefined) {
      Object.assign(error, { format });
    }
    throw error;
  }
}
