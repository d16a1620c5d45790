/**
 * The options panel of the page, used as a hand would.
 *
 * @module
 */
import { sample } from "../cli/fake_host.ts";
import { hashes, type OptionCase, type Outcome } from "../edge/option_cases.ts";
import { downloadAll, drop, type Page } from "./browser.ts";

/** Opens a model and the panel of options. */
export async function openOptions(page: Page): Promise<void> {
  await drop(page, { "figure.payload": sample("figure.payload") });
  await page.locator("#convert summary").click();
}

/** Sets an option; true is a tick. */
export async function choose(
  page: Page,
  name: string,
  value: string | true,
): Promise<void> {
  const input = page.locator(`#option-${name}`);
  if (value === true) await input.check();
  else if (await page.locator(`select#option-${name}`).count() === 1) {
    await input.selectOption(value);
  } else await input.fill(value);
}

/** What the page makes of a case. */
export async function byPage(
  page: Page,
  { files, to, options }: OptionCase,
): Promise<Outcome> {
  const target = to === "glb" ? "gltf" : to;
  await drop(page, files);
  await page.locator("#to").selectOption(target);
  await page.locator("#options-reset").click();
  for (const [name, value] of Object.entries(options)) {
    await choose(page, name, value);
  }
  return await hashes(await downloadAll(page, target));
}
