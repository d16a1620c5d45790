/**
 * Tests of the page as it is built from the sources, opened as a file without any server.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { cli, sample } from "../cli/fake_host.ts";
import { hasCorpus } from "../corpus.ts";
import {
  chromium,
  download,
  drop,
  look,
  type Page,
  startBrowser,
  stopBrowser,
  withPage,
} from "./browser.ts";

const root = new URL("../../", import.meta.url);

/** The samples, each with the files that belong to it. */
export const SAMPLES: readonly string[][] = [
  ["lantern.vvd"],
  ["terrain.payload"],
  ["figure.payload"],
  ["buoy.mdl", "buoy.vvd", "buoy.dx90.vtx"],
];
/** Bytes of samples by name. */
export const samples = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, sample(name)]));

/** The page, built from the sources as they are. */
let address: string;
let folder: string;

/** Builds the page and starts the browser for the tests of a file. */
export function usePage(): void {
  Deno.test.beforeAll(begin);
  Deno.test.afterAll(end);
}

async function begin(): Promise<void> {
  if (!chromium) return;
  folder = await Deno.makeTempDir({ prefix: "meshwright_web_" });
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--allow-read",
      `--allow-write=${folder}`,
      new URL("scripts/bundle_page.ts", root).pathname,
      "--out",
      `${folder}/page.html`,
    ],
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  address = `file://${folder}/page.html`;
  await startBrowser();
}

async function end(): Promise<void> {
  await stopBrowser();
  if (folder) await Deno.remove(folder, { recursive: true });
}

/** A test of the page; it must not complain. */
export function pageTest(
  name: string,
  fn: (page: Page) => Promise<void>,
  needsCorpus = false,
): void {
  const missing = !chromium
    ? "no Chromium: apt-get install chromium"
    : needsCorpus && !hasCorpus
    ? "no corpus at ../shared/corpus nor at MESHWRIGHT_CORPUS"
    : "";
  Deno.test({
    name: missing ? `${name} [SKIPPED: ${missing}]` : name,
    ignore: missing !== "",
    sanitizeOps: false, // playwright keeps its pipes to a browser for a moment after close()
    sanitizeResources: false,
    fn: () =>
      withPage(address, async (page, errors) => {
        await fn(page);
        assertEquals(errors, []);
      }),
  });
}

/** The text that an expression gives on the page. */
export function ask(page: Page, expression: string): Promise<string> {
  return page.evaluate(expression) as Promise<string>;
}

/** Drops a sample, looks at it in every mode, converts it and compares the bytes with the command line's. */
export async function showsAndConverts(
  page: Page,
  names: readonly string[],
): Promise<void> {
  const [name] = names;
  await drop(page, samples(names));
  const modes: string[] = JSON.parse(
    await ask(
      page,
      "JSON.stringify([...document.querySelectorAll('#modes input:enabled')].map((i) => i.value))",
    ),
  );
  assert(modes.length >= 5, `${name}: ${modes}`);
  const keys = new Set<string>();
  for (const mode of modes) {
    await page.locator(`#modes label:has([value=${mode}])`).click();
    const seen = await look(page);
    assert(seen.drawn > 1500, `${name} ${mode}: ${seen.drawn} pixels`);
    assert(seen.colors > 2, `${name} ${mode}: ${seen.colors} colours`);
    keys.add(seen.key);
  }
  // points look alike as solid and as wire
  const least = name.endsWith(".vvd") ? modes.length - 1 : modes.length;
  assert(keys.size >= least, `${name}: ${keys.size} pictures, ${modes}`);

  const got = await download(page, "gltf");
  const glb = name.replace(/\..*/, ".glb");
  const ran = await cli(`convert ${name} ${glb}`, {
    files: samples(names),
  });
  assertEquals(got.name, glb);
  assertEquals(got.bytes, new Uint8Array(ran.files.get(glb)!));
  assertMatch(
    await ask(page, "document.getElementById('contents').textContent"),
    /Vertices/,
  );
}
