/**
 * Judges a CSS authored mesh as the importer does, before it does.
 *
 * @module
 */
import { MeshError } from "../../core/errors.ts";
import { Findings } from "../../core/findings.ts";
import { type Limits, withLimits } from "../../core/limits.ts";
import { checkedPrefix, judgeCss, type Judgement } from "./judge.ts";
import { locate, placeOf } from "./locate.ts";
import { modelOf } from "./model.ts";
import { parseCss } from "./parse.ts";
import { pointer } from "./problems.ts";
import type { CssMesh } from "./types.ts";
import { warnCss } from "./warnings.ts";

/** Options of {@linkcode validateCssMesh}. */
export interface ValidateCssOptions {
  /** Where the mesh must lie: `/Game/CSSAuthoring/`, the rule of schema 1, unless given. */
  packagePrefix?: string;
  /** Limits on size, counts and depth. */
  limits?: Partial<Limits>;
  /** Is told how many bytes of how many are read; judging follows when all are. */
  onProgress?: (done: number, total: number) => void;
}

/** Result of {@linkcode examineCss}. */
export interface ExaminedCss {
  /** The findings. */
  findings: Findings;
  /** The mesh, where the file fits the model. */
  mesh: CssMesh | null;
  /** False when the bytes are no JSON object; the one finding says why. */
  readable: boolean;
}

/** Findings with their places in the text; what is not listed is counted. */
function report(
  judgement: Judgement,
  bytes: Uint8Array,
  maxDepth: number,
  findings: Findings,
): void {
  const { list } = judgement;
  const places = locate(bytes, list.map((p) => p.path), maxDepth);
  list.forEach((p, i) => {
    const { offset, line, column } = places[i];
    findings.add(
      p.code,
      pointer(p.path) || "file",
      `${p.message} (line ${line}, column ${column})`,
      {
        offset,
        ...(p.found === undefined ? {} : { found: p.found }),
        ...(p.allowed === undefined ? {} : { allowed: p.allowed }),
      },
    );
  });
  findings.errors = judgement.errors;
  findings.warnings = judgement.warnings;
}

/** Reads and judges at once: what a command needs that does both. */
export function examineCss(
  bytes: Uint8Array,
  options: ValidateCssOptions = {},
): ExaminedCss {
  const limits = withLimits(options.limits);
  const packagePrefix = checkedPrefix(options.packagePrefix);
  const findings = new Findings();
  let raw;
  try {
    raw = parseCss(bytes, limits, options.onProgress);
  } catch (error) {
    if (!(error instanceof MeshError) || error.code === "LIMIT-EXCEEDED") {
      throw error;
    }
    const { line, column } = placeOf(bytes, error.offset ?? 0);
    findings.add(
      error.code,
      `byte ${error.offset ?? 0}`,
      `${error.message} (line ${line}, column ${column})`,
      {
        offset: error.offset ?? 0,
        found: error.found,
        ...(error.allowed === undefined ? {} : { allowed: error.allowed }),
      },
    );
    return { findings, mesh: null, readable: false };
  }
  const judgement = judgeCss(raw, {
    bytes: bytes.length,
    packagePrefix,
    structureOnly: false,
  });
  warnCss(raw, judgement);
  report(judgement, bytes, limits.maxJsonDepth, findings);
  return {
    findings,
    mesh: judgement.structural ? null : modelOf(raw),
    readable: true,
  };
}

/**
 * Judges a file by every rule of the importer, with its thresholds, its strictness and its precision, and by what the
 * engine does afterwards. Errors stand in the importer's order, so the first one is the one that it would report; warnings
 * stand behind them. The first 1,000 findings are listed, each with a JSON pointer, a byte offset, and line and column in
 * its message; all are counted.
 *
 * @param bytes The file. A broken one gives one finding, not an exception.
 * @throws {MeshError} LIMIT-EXCEEDED; ARGUMENT for a prefix without slashes around it.
 *
 * @example
 * ```ts
 * import { validateCssMesh } from "@meshwright/kit/css";
 *
 * const { list, errors } = validateCssMesh(new TextEncoder().encode('{"schema":2}'));
 * console.log(list[0].code, list[0].where, errors); // R-SCHEMA /schema 9
 * ```
 */
export function validateCssMesh(
  bytes: Uint8Array,
  options: ValidateCssOptions = {},
): Findings {
  return examineCss(bytes, options).findings;
}
