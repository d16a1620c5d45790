/**
 * The loss report: what a conversion dropped, changed, repaired or approximated, and why.
 *
 * @module
 */

/** What happened to the data. */
export type LossKind = "dropped" | "changed" | "repaired" | "approximated";

/** One row of the report. */
export interface LossEntry {
  /** What it happened to. */
  what: string;
  /** What happened. */
  kind: LossKind;
  /** How many elements. */
  count: number;
  /** Largest deviation, where there is one. */
  largest: number | null;
  /** The reason. */
  why: string;
  /** True when the target format cannot hold the data otherwise, so that `--strict` lets it pass. */
  demanded: boolean;
}

/** Collects rows; rows without elements are not kept. */
export class LossReport {
  /** The rows in the order they happened. */
  readonly entries: LossEntry[] = [];

  /** Adds a row unless `count` is 0. */
  add(
    kind: LossKind,
    what: string,
    count: number,
    why: string,
    options: { largest?: number; demanded?: boolean } = {},
  ): void {
    if (count === 0) return;
    this.entries.push({
      what,
      kind,
      count,
      largest: options.largest ?? null,
      why,
      demanded: options.demanded ?? false,
    });
  }
}
