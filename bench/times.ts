/**
 * What a contender of a bench took.
 *
 * @module
 */

/** Milliseconds of several runs. */
export interface Times {
  /** Middle of the runs. */
  median: number;
  /** Fastest run. */
  low: number;
  /** Slowest run. */
  high: number;
  /** How many. */
  runs: number;
}

/** Sums up runs. */
export function timesOf(samples: readonly number[]): Times {
  const sorted = samples.toSorted((a, b) => a - b);
  return {
    median: sorted[sorted.length >> 1],
    low: sorted[0],
    high: sorted[sorted.length - 1],
    runs: sorted.length,
  };
}
