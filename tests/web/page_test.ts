/**
 * The page in a real browser, opened as a file without any server: drop, look at the pixels, convert, compare with the
 * command line's bytes. Skipped, saying so, where there is no Chromium.
 */
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
} from "@std/assert";
import { cli, sample } from "../cli/fake_host.ts";
import { corpusBytes, hasCorpus } from "../corpus.ts";
import {
  chromium,
  download,
  drop,
  look,
  type Page,
  settled,
  startBrowser,
  stopBrowser,
  until,
  withPage,
} from "./browser.ts";

const root = new URL("../../", import.meta.url);
const SAMPLES = ["lantern.vvd", "terrain.payload", "figure.payload"];

/** The page, built from the sources as they are. */
let address: string;
let folder: string;

Deno.test.beforeAll(async () => {
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
});

Deno.test.afterAll(async () => {
  await stopBrowser();
  if (folder) await Deno.remove(folder, { recursive: true });
});

/** A test of the page; it must not complain. */
function pageTest(
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

const ask = (page: Page, expression: string) =>
  page.evaluate(expression) as Promise<string>;

pageTest(
  "page shows each sample in every mode and gives the command line's bytes when a file is dropped",
  async (page) => {
    for (const name of SAMPLES) {
      await drop(page, { [name]: sample(name) });
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
        files: { [name]: sample(name) },
      });
      assertEquals(got.name, glb);
      assertEquals(got.bytes, new Uint8Array(ran.files.get(glb)!));
      assertMatch(
        await ask(page, "document.getElementById('contents').textContent"),
        /Vertices/,
      );
    }
  },
);

pageTest(
  "page moves, switches and recolours when its tools are used",
  async (page) => {
    await drop(page, { "terrain.payload": sample("terrain.payload") });
    await page.keyboard.press("2");
    assertEquals(
      await ask(page, "document.querySelector('#modes :checked').value"),
      "wire",
    );
    const fine = await look(page);
    await page.locator("#lod").selectOption("2");
    const coarse = await look(page);
    assert(coarse.drawn > 500);
    assertNotEquals(coarse.key, fine.key);

    await page.locator("#canvas").focus();
    await page.keyboard.press("ArrowLeft");
    const turned = await look(page);
    assertNotEquals(turned.key, coarse.key);
    await page.locator("#from").selectOption("top");
    assertNotEquals((await look(page)).key, turned.key);

    await drop(page, { "figure.payload": sample("figure.payload") });
    await page.locator("#from").focus(); // else the focus ring is in the picture
    await page.locator("#from").selectOption("front");
    const still = await look(page);
    const slider = page.locator("#morphs input").first();
    await slider.fill("1");
    const moved = await look(page);
    assertNotEquals(moved.key, still.key);
    await page.locator("#morphs-reset").click();
    assertEquals((await look(page)).key, still.key);

    await drop(page, {
      "figure.payload": sample("figure.payload"),
      "lantern.vvd": sample("lantern.vvd"),
    });
    const one = await look(page);
    await page.locator("#sets").selectOption("1");
    await until(
      page,
      "/578 vertices/.test(document.getElementById('status').value)",
    );
    assertNotEquals((await look(page)).key, one.key);

    await page.locator("h1").click();
    await page.keyboard.press("?");
    assertEquals(await page.evaluate("keys.open"), true);
  },
);

pageTest("page is dark when the system or its button says so", async (page) => {
  await drop(page, { "figure.payload": sample("figure.payload") });
  const brightness = async () =>
    (await look(page)).background.reduce((a, b) => a + b) / 3;
  assert(await brightness() > 180);
  await page.emulateMedia({ colorScheme: "dark" });
  await until(page, "document.documentElement.dataset.theme === 'dark'");
  assert(await brightness() < 80);
  await page.locator("#theme").click(); // auto, then light
  assert(await brightness() > 180);
  await page.locator("#theme").click();
  assert(await brightness() < 80);
});

pageTest(
  "page says what is wrong and offers no picture when the file is broken",
  async (page) => {
    await drop(page, { "lantern.vvd": sample("lantern.vvd").subarray(0, 80) });
    assertMatch(
      await ask(page, "document.getElementById('findings-count').textContent"),
      /1 error/,
    );
    assertMatch(
      await ask(page, "document.getElementById('findings').textContent"),
      /VVD-/,
    );
    assertEquals(await page.evaluate("tools.hidden"), true);
    // and goes on
    await drop(page, { "terrain.payload": sample("terrain.payload") });
    assert((await look(page)).drawn > 1500);
  },
);

pageTest(
  "page forbids itself everything but its own script when its policy is read",
  async (page) => {
    const policy = await ask(
      page,
      "document.querySelector('meta[http-equiv=Content-Security-Policy]').content",
    );
    assertMatch(policy, /default-src 'none'/);
    assert(!policy.includes("unsafe-inline"), policy);
    assert(!policy.includes("'unsafe-eval'"), policy);
    assert(!/https?:/.test(policy), policy);
    const unnamed = await ask(
      page,
      `[...document.querySelectorAll("button, input, select, canvas")].filter((e) =>
      !e.textContent.trim() && !e.labels?.length && !e.ariaLabel).map((e) => e.id).join()`,
    );
    assertEquals(unnamed, "");
  },
);

pageTest(
  "page opens a whole Source model when its files are dropped together",
  async (page) => {
    const base = "source/thegrb93+StarfallEx/models/starfall/holograms/torus";
    const files = Object.fromEntries(
      [".dx90.vtx", ".mdl", ".vvd"].map((ending) => [
        `torus${ending}`,
        corpusBytes(base + ending),
      ]),
    );
    await drop(page, files);
    assertMatch(
      await ask(page, "document.getElementById('status').value"),
      /1,152 triangles/,
    );
    assert((await look(page)).drawn > 5000);
    const got = await download(page, "gltf");
    const ran = await cli("convert torus.mdl torus.glb", { files });
    assertEquals(got.bytes, new Uint8Array(ran.files.get("torus.glb")!));
  },
  true,
);

pageTest(
  "page opens a compressed glTF when it is dropped",
  async (page) => {
    const base = "gltf/gltf-transform/extensions/test/in/BoxMeshopt.glb";
    const files = { "box.glb": corpusBytes(base) };
    await drop(page, files);
    assert((await look(page)).drawn > 1500);
    const got = await download(page, "payload");
    const ran = await cli("convert box.glb box.payload", { files });
    assertEquals(got.bytes, new Uint8Array(ran.files.get("box.payload")!));
  },
  true,
);

Deno.test({
  name: chromium
    ? "view shows the file in the browser when the command serves it"
    : "view shows the file in the browser [SKIPPED: no Chromium: apt-get install chromium]",
  ignore: !chromium,
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-prompt",
        "--allow-read",
        "--allow-net=127.0.0.1",
        new URL("cli.ts", root).pathname,
        ...["view", new URL("samples/figure.payload", root).pathname],
      ],
      stdout: "piped",
      stderr: "null",
    }).spawn();
    try {
      let url = "";
      const text = new TextDecoder();
      for await (const chunk of child.stdout) {
        url += text.decode(chunk, { stream: true });
        if (url.endsWith("\n")) break;
      }
      await withPage(url.trim(), async (page, errors) => {
        await until(
          page,
          '/384 triangles/.test(document.getElementById("status").value)',
        );
        await settled(page);
        assert((await look(page)).drawn > 1500);
        assertEquals(errors, []);
      });
    } finally {
      child.kill("SIGKILL");
      await child.status;
    }
  },
});
