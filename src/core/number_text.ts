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

/** A checksum for people: eight hexadecimal digits. */
export function checksumText(checksum: number): string {
  return `0x${checksum.toString(16).padStart(8, "0")}`;
}

/** A number for people, exact: the shortest decimal that reads back as the same f32 where it is one, else as the same f64. */
export function exactText(x: number): string {
  return Math.fround(x) === x ? shortFloat(x) : String(x);
}

/** A number for people where a magnitude is enough: six significant digits. */
export function roughText(x: number): string {
  return String(Number(x.toPrecision(6)));
}
