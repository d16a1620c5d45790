/**
 * Text for people: tables, sizes, errors.
 *
 * @module
 */
import type { MeshError } from "../core/errors.ts";
import type { Severity } from "../core/codes.ts";
import type { Host } from "./host.ts";

const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  yellow: [33, 39],
  green: [32, 39],
  cyan: [36, 39],
} as const;

/** Colours a text where the host allows it. */
export function paint(
  host: Host,
  style: keyof typeof STYLES,
  text: string,
): string {
  const [on, off] = STYLES[style];
  return host.color ? `\x1b[${on}m${text}\x1b[${off}m` : text;
}

/** Text from a file without the control characters that could steer a terminal. */
export function clean(text: string): string {
  return text.replace(
    // deno-lint-ignore no-control-regex
    /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A message, cleaned, with the options that the library names as they are typed here. */
export function advice(message: string): string {
  return clean(message).replace(
    /\bthe option ([a-z][a-z-]*)(?:=([a-z0-9]+))?/g,
    (_, name, value) => `--${name}${value ? ` ${value}` : ""}`,
  );
}

/** A count with a thin look: 1,234,567. Independent of the locale. */
export function count(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "1 vertex", "2 vertices". */
export function plural(n: number, one: string, many = one + "s"): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** A number with at most six significant digits. */
export function short(x: number): string {
  return String(Number(x.toPrecision(6)));
}

/** A size for people. */
export function size(bytes: number): string {
  if (bytes < 1024) return plural(bytes, "byte");
  const units = ["KiB", "MiB", "GiB"];
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

/** Columns padded to one width each, cleaned; numbers go to the right. */
export function table(unclean: readonly (readonly string[])[]): string {
  const rows = unclean.map((row) => row.map(clean));
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => widths[i] = Math.max(widths[i] ?? 0, cell.length));
  }
  return rows.map((row) =>
    row.map((cell, i) =>
      /^-?[\d,.]+$/.test(cell)
        ? cell.padStart(widths[i])
        : i === row.length - 1
        ? cell
        : cell.padEnd(widths[i])
    ).join("  ").trimEnd()
  ).join("\n");
}

/** Colour of a severity. */
export function severityStyle(
  severity: Severity,
): "red" | "yellow" | "cyan" {
  return severity === "error"
    ? "red"
    : severity === "warning"
    ? "yellow"
    : "cyan";
}

/** Code and place of an error, as messages show them. */
export function errorPlace(error: MeshError): string {
  const place = error.offset !== undefined
    ? `, byte ${error.offset}`
    : error.path
    ? `, ${error.path}`
    : "";
  return `[${error.code}${place}]`;
}
