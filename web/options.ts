/**
 * The options of a conversion on the page, made from the table that the command line has, too.
 *
 * @module
 */
import type { ConvertOptions } from "../src/convert/convert.ts";
import {
  type Asker,
  CONVERT_OPTIONS,
  type ConvertOptionName,
  convertOptionsOf,
  type OptionInfo,
  optionValue,
} from "../src/convert/options.ts";
import type { FormatId } from "../src/core/formats.ts";
import { $, el, fill } from "./dom.ts";
import { PAGE_OPTIONS } from "./option_labels.ts";

const NAMES = Object.keys(PAGE_OPTIONS) as ConvertOptionName[];

const PAGE: Asker = {
  spelled: (name) =>
    `"${PAGE_OPTIONS[name as ConvertOptionName]?.label ?? name}"`,
  refusal: (message) => new Error(message),
};

const inputOf = (name: ConvertOptionName) =>
  $<HTMLInputElement | HTMLSelectElement>(`option-${name}`);

function control(
  name: ConvertOptionName,
  { type, choices, min }: OptionInfo,
): HTMLInputElement | HTMLSelectElement {
  const id = `option-${name}`;
  if (type === "flag") return el("input", { id, type: "checkbox" });
  if (name === "lod" || choices) {
    const select = el("select", { id });
    fill(select, [
      ["", "as usual"],
      ...(choices ?? []).map((c) => [c, c] as const),
    ]);
    return select;
  }
  const isNumber = type === "number" || type === "integer";
  return el("input", {
    id,
    placeholder: PAGE_OPTIONS[name]?.example ?? "as usual",
    ...(isNumber
      ? {
        type: "number",
        step: type === "integer" ? "1" : "any",
        ...(min === undefined
          ? {}
          : { min: String(type === "integer" ? min : 0) }),
      }
      : { type: "text", spellcheck: "false" }),
  });
}

/** Puts the controls on the page. */
export function showOptions(): void {
  $("options").replaceChildren(...NAMES.map((name) => {
    const info: OptionInfo = CONVERT_OPTIONS[name];
    const { label } = PAGE_OPTIONS[name]!;
    const title = info.help;
    return info.type === "flag"
      ? el(
        "label",
        { class: "check wide", title },
        control(name, info),
        ` ${label}`,
      )
      : el("label", { title }, label, control(name, info));
  }));
}

/** Empties the controls. */
export function resetOptions(): void {
  for (const name of NAMES) {
    const input = inputOf(name);
    if (CONVERT_OPTIONS[name].type === "flag") {
      (input as HTMLInputElement).checked = false;
    } else input.value = "";
  }
}

/** Shows the options that this input and this output have, the input's levels among them. */
export function fitOptions(
  from: FormatId | undefined,
  to: FormatId,
  levels: readonly number[],
): void {
  for (const name of NAMES) {
    const shown = PAGE_OPTIONS[name]!;
    const fits = (shown.from === undefined || shown.from === from) &&
      (shown.to?.includes(to) ?? true);
    inputOf(name).closest("label")!.hidden = !fits;
  }
  const lod = inputOf("lod") as HTMLSelectElement;
  const { value } = lod;
  fill(lod, [
    ["", "all"],
    ...levels.map((level) => [String(level), `only ${level}`] as const),
  ]);
  lod.value = levels.includes(Number(value)) ? value : "";
}

/**
 * The options as they are chosen; those that are not shown count as left out.
 *
 * @throws {Error} For a value that is none.
 */
export function chosenOptions(): Omit<ConvertOptions, "to"> {
  const values: Record<string, unknown> = {};
  for (const name of NAMES) {
    const input = inputOf(name);
    if (input.closest("label")!.hidden) continue;
    if (CONVERT_OPTIONS[name].type === "flag") {
      if ((input as HTMLInputElement).checked) values[name] = true;
    } else if (input.value.trim() !== "") {
      values[name] = optionValue(
        name,
        CONVERT_OPTIONS[name],
        input.value.trim(),
        PAGE,
      );
    }
  }
  if (values["build-lods"] === undefined) delete values["lod-rule"];
  return convertOptionsOf(values, PAGE);
}
