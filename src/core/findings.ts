/**
 * Findings: what `validate` reports. Errors and findings share one table of codes.
 *
 * @module
 */
import { type Code, type Severity, severityOf } from "./codes.ts";
import type { MeshError } from "./errors.ts";
import { MAX_LISTED_FINDINGS } from "./limits.ts";

/** One finding. */
export interface Finding {
  /** How bad it is: an error makes the file not ok. */
  readonly severity: Severity;
  /** Stable code. */
  readonly code: Code;
  /** Byte offset ("byte 128"), JSON pointer, or element ("vertex 12"). */
  readonly where: string;
  /** Byte offset from the start of the file, where `where` is a JSON pointer. */
  readonly offset?: number;
  /** Sentence for people. */
  readonly message: string;
  /** The value met; null where none can be named. */
  readonly found: unknown;
  /** What is allowed; null where that can not be said in a value. */
  readonly allowed: unknown;
}

/** Collects findings: lists the first ones of all, counts every one. */
export class Findings {
  /** The listed findings, in the order met. */
  readonly list: Finding[] = [];
  /** How many errors there are in all. */
  errors = 0;
  /** How many warnings there are in all. */
  warnings = 0;

  /** Adds one finding; its severity is the code's own unless `severity` says otherwise. */
  add(
    code: Code,
    where: string,
    message: string,
    values: {
      found?: unknown;
      allowed?: unknown;
      severity?: Severity;
      offset?: number;
    } = {},
  ): void {
    const severity = values.severity ?? severityOf(code);
    if (severity === "error") this.errors++;
    else if (severity === "warning") this.warnings++;
    if (this.list.length >= MAX_LISTED_FINDINGS) return;
    this.list.push({
      severity,
      code,
      where,
      ...(values.offset === undefined ? {} : { offset: values.offset }),
      message,
      found: values.found ?? null,
      allowed: values.allowed ?? null,
    });
  }

  /** Adds one of many findings: `make` gives place, sentence and values, and is called for those alone that are listed. */
  addLazy(
    code: Code,
    make: () => {
      where: string;
      message: string;
      found?: unknown;
      allowed?: unknown;
    },
  ): void {
    if (this.list.length < MAX_LISTED_FINDINGS) {
      const { where, message, ...values } = make();
      this.add(code, where, message, values);
    } else this.add(code, "", "");
  }

  /** Adds an error that was thrown while reading. */
  addError(error: MeshError): void {
    this.add(error.code, whereOf(error), error.message, {
      severity: "error",
      found: error.found,
      allowed: error.allowed,
    });
  }
}

/** The place of an error as findings write it. */
export function whereOf(error: MeshError): string {
  if (error.offset !== undefined) return `byte ${error.offset}`;
  return error.path ?? "file";
}
