/**
 * The shortest decimal text of an f32.
 *
 * @module
 */

const f = Math.fround;

/** 1 to 10^10. */
const POWERS = Array.from({ length: 11 }, (_, i) => Number(`1e${i}`));

/**
 * The fewest digits that give the same f32 back, in JavaScript's notation; of equally short ones the nearest. Nine digits
 * always do. `-0` stays.
 *
 * A number of few digits, which most of a file are, is found by scaling: if x · 10^k rounds to a whole number m below 10^9
 * for which m / 10^k gives x back, no shorter text has fewer decimals. Other numbers go through `toPrecision`.
 *
 * @param x A finite f32.
 */
export function f32Text(x: number): string {
  const size = Math.abs(x);
  if (size < 1e9 && size === Math.floor(size)) {
    if (size === 0) return Object.is(x, -0) ? "-0" : "0";
    // up to 2^24 every whole number is its own shortest text
    if (size <= 16_777_216) return String(x);
  }
  if (size >= 1e-3 && size < 1e5) {
    for (let k = 1; k <= 10; k++) {
      const m = Math.round(size * POWERS[k]);
      if (m >= 1e9) break;
      if (f(m / POWERS[k]) !== size) continue;
      const whole = Math.floor(m / POWERS[k]);
      const part = String(m - whole * POWERS[k]).padStart(k, "0");
      return `${x < 0 ? "-" : ""}${whole}.${part}`;
    }
  }
  for (let digits = 1; digits < 9; digits++) {
    const text = Number(x.toPrecision(digits));
    if (f(text) === x) return String(text);
  }
  return String(Number(x.toPrecision(9)));
}
