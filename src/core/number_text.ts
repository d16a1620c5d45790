/**
 * Numbers as text, the same on every runtime.
 *
 * @module
 */

/**
 * The shortest decimal that reads back as the same f32.
 */
export function shortFloat(x: number): string {
  const value = Math.fround(x);
  if (Number.isInteger(value) && Math.abs(value) < 1e7) {
    return String(value + 0);
  }
  // 9 digits tell any two f32 apart
  for (let digits = 6; digits < 9; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return String(text);
  }
  return String(Number(value.toPrecision(9)));
}
