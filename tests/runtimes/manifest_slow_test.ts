import { assert, assertEquals } from "@std/assert";
import { chromium, startChromium } from "../chromium.ts";
import { fullPlan, quickPlan } from "./plan.ts";
import { type Manifest, nameOf } from "./conversions.ts";
import { compareRuntimes } from "./main.ts";
import { bundleInto, servePage } from "./runtimes.ts";

Deno.test("quickPlan() has 24 conversions, fullPlan() 200 or more, all of different names", () => {
  assertEquals(quickPlan().length, 24);
  const names = fullPlan().map(nameOf);
  assertEquals(new Set(names).size, names.length);
  assert(names.length >= 250, String(names.length));
});

Deno.test({
  name:
    "compareRuntimes() finds 200 conversions or more equal on every runtime, in three languages and time zones, with 1, 2 and 8 jobs",
  sanitizeOps: false, // playwright keeps its pipes to a browser for a moment after close()
  sanitizeResources: false,
  async fn() {
    const lines: string[] = [];
    const hash = await compareRuntimes(false, (line) => {
      lines.push(line);
      console.log(line);
    });
    assert(/^[0-9a-f]{64}$/.test(hash ?? ""), lines.join("\n"));
    const made = Number(/ (\d+) of \d+ /.exec(lines[1])?.[1]);
    assert(made >= 200, lines[1]);
  },
});

Deno.test({
  name:
    "bundle says KERNEL-START in Chromium when the page's policy forbids WebAssembly" +
    (chromium ? "" : " [SKIPPED: not installed: apt-get install chromium]"),
  ignore: !chromium,
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const folder = await Deno.makeTempDir({ prefix: "meshwright_policy_" });
    const bundle = new URL(`file://${folder}/`);
    await bundleInto(bundle);
    const server = servePage(bundle, quickPlan());
    const { browser, close } = await startChromium();
    try {
      const page = browser.pages()[0] ?? await browser.newPage();
      await page.goto(`http://127.0.0.1:${server.addr.port}/strict/`);
      const manifest: Manifest = await page.evaluate("manifest");
      assertEquals(
        manifest["samples/lantern.vvd > gltf"],
        "refused: KERNEL-START",
      );
    } finally {
      await close();
      await server.shutdown();
      await Deno.remove(folder, { recursive: true });
    }
  },
});
