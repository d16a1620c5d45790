/**
 * Small helpers to build the page. Text only ever becomes text nodes: names from files are no markup.
 *
 * @module
 */

/** The element with an id. */
export function $<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element #${id}`);
  return found as T;
}

/** An element with a class, attributes and children. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  options: { class?: string } & Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** Choices of a select. */
export function fill(
  select: HTMLSelectElement,
  choices: readonly (readonly [value: string, text: string])[],
): void {
  select.replaceChildren(
    ...choices.map(([value, text]) => el("option", { value }, text)),
  );
}

/** A count with commas, whatever the locale. */
export function count(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "1 vertex", "2 vertices". */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** A number with at most six significant digits. */
export function short(x: number): string {
  return String(Number(x.toPrecision(6)));
}

/** A size for people. */
export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ["KiB", "MiB", "GiB"];
  let value = bytes;
  let unit = -1;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

/** A table of names and values. */
export function facts(
  rows: readonly (readonly [string, string])[],
): HTMLTableElement {
  return el(
    "table",
    {},
    el(
      "tbody",
      {},
      ...rows.map(([name, value]) =>
        el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value))
      ),
    ),
  );
}

/** A table with a caption and a head; numbers go to the right. */
export function grid(
  caption: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): HTMLTableElement {
  const isNumber = (column: number) =>
    rows.every((row) => /^(?:[-\d.,]+|–)$/.test(row[column]));
  const kind = (column: number): Record<string, string> =>
    isNumber(column) ? { class: "number" } : {};
  return el(
    "table",
    {},
    el("caption", {}, caption),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ...head.map((text, i) => el("th", { scope: "col", ...kind(i) }, text)),
      ),
    ),
    el(
      "tbody",
      {},
      ...rows.map((row) =>
        el("tr", {}, ...row.map((text, i) => el("td", kind(i), text)))
      ),
    ),
  );
}
