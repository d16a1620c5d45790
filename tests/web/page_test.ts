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
import { put } from "../batch/batches.ts";
import { cli, sample } from "../cli/fake_host.ts";
import { plainGlb, plainGltf } from "../cli/plain_gltf.ts";
import { corpusBytes } from "../corpus.ts";
import { writeGlb } from "../../src/formats/gltf/mod.ts";
import { byCommand, OPTION_CASES } from "../edge/option_cases.ts";
import { plainMesh } from "../ops/plain_mesh.ts";
import {
  chromium,
  download,
  downloadAll,
  drop,
  dropPaths,
  look,
  settled,
  until,
  withPage,
} from "./browser.ts";
import {
  ask,
  pageTest,
  SAMPLES,
  samples,
  showsAndConverts,
  usePage,
} from "./page.ts";
import { byPage, choose, openOptions } from "./options.ts";

const root = new URL("../../", import.meta.url);

usePage();

pageTest(
  "page shows a sample in every mode and gives the command line's bytes when it is dropped without a network",
  async (page) => {
    await page.context().setOffline(true);
    await showsAndConverts(page, ["figure.payload"]);
    await page.context().setOffline(false);
  },
);

pageTest(
  "page gives the command line's files in every format when one is chosen",
  async (page) => {
    const name = "figure.payload";
    await drop(page, samples([name]));
    const targets: Record<string, string> = {
      "gltf-json": "figure.gltf",
      payload: "figure.payload",
      vvd: "figure.vvd",
      css: "figure.json",
      obj: "figure.obj",
      smd: "figure.smd",
    };
    const offered: string = await ask(
      page,
      "[...document.querySelectorAll('#to option')].map((o) => o.value).join()",
    );
    assertEquals(
      offered.split(",").sort(),
      [...Object.keys(targets), "gltf"].sort(),
    );
    for (const [to, out] of Object.entries(targets)) {
      const ran = await cli(`convert ${name} out/${out}`, {
        files: samples([name]),
        folders: ["out"],
      });
      const want = Object.fromEntries(
        ran.writes.flat().map((path) => [
          path.replace("out/", ""),
          new Uint8Array(ran.files.get(path)!),
        ]),
      );
      assertEquals(await downloadAll(page, to), want, to);
    }
  },
);

pageTest(
  "page gives the command line's bytes when several options are chosen",
  async (page) => {
    await openOptions(page);
    const { files } = OPTION_CASES["build-lods"];
    const options = { "build-lods": "0.5", tangents: "drop", scale: "2" };
    const one = { files, to: "glb", options };
    assertEquals(await byPage(page, one), await byCommand(one));
  },
);

pageTest(
  "page shows the options that a model and a target have, and takes them from the keyboard",
  async (page) => {
    const shown = () =>
      page.evaluate(
        "[...document.querySelectorAll('#options label:not([hidden]) > :is(input, select)')].map((e) => e.id.slice(7))",
      ) as Promise<string[]>;
    await drop(page, { "figure.payload": sample("figure.payload") });
    await page.locator("#convert summary").focus();
    await page.keyboard.press("Enter");
    assert(
      !(await shown()).some((id) => /skin|bodygroup|lenient|split/.test(id)),
    );
    await page.locator("#to").selectOption("payload");
    assert((await shown()).includes("split"));
    await page.locator("#to").selectOption("gltf");
    await drop(page, OPTION_CASES.bodygroup.files);
    const offered = await shown();
    assert(offered.includes("skin") && offered.includes("bodygroup"));

    await page.locator("#convert summary").focus();
    const reached: string[] = [];
    for (const _ of offered) {
      await page.keyboard.press("Tab");
      reached.push(await ask(page, "document.activeElement.id.slice(7)"));
    }
    assertEquals(reached, offered);
    await page.locator("#option-bodygroup").focus();
    // letters that are keys of the page elsewhere
    await page.keyboard.type("hat=cat");
    await page.keyboard.press("Enter");
    await until(page, "document.querySelector('#result .error')");
    assertMatch(
      await ask(page, "document.querySelector('#result .error').textContent"),
      /^Give "Body groups" NAME=N/,
    );
    await page.locator("#options-reset").click();
    assertEquals(
      await ask(page, "document.getElementById('option-bodygroup').value"),
      "",
    );
  },
);

pageTest(
  "page remembers no option when it is opened again",
  async (page) => {
    await openOptions(page);
    await choose(page, "scale", "3");
    await choose(page, "tangents", "drop");
    await page.reload();
    assertEquals(
      await ask(
        page,
        "[...document.querySelectorAll('#options :is(input, select)')].map((e) => e.type === 'checkbox' ? e.checked || '' : e.value).join('')",
      ),
      "",
    );
  },
);

pageTest(
  "page tells how much is done while it converts",
  async (page) => {
    await drop(page, { "strip.glb": plainGlb(30_000) });
    // a CSS mesh has at most 100 m
    await page.locator("#convert summary").click();
    await page.locator("#option-scale").fill("0.001");
    await page.evaluate(`{
      globalThis.said = [];
      const note = () => said.push(document.getElementById("status").value);
      new MutationObserver(note).observe(document.getElementById("status"), {
        childList: true, characterData: true, subtree: true,
      });
    }`);
    await download(page, "css");
    const said = await page.evaluate("said") as string[];
    const percents = said.flatMap((text) =>
      /^\w+… (\d+) %$/.exec(text)?.slice(1).map(Number) ?? []
    );
    assert(percents.length > 5, said.join());
    assertEquals(percents, percents.toSorted((a, b) => a - b));
    assertMatch(said.at(-1)!, /^Converted to strip.json/);
  },
);

pageTest(
  "page opens what is in a dropped folder, models with the files beside them",
  async (page) => {
    const disk = await Deno.makeTempDir({ prefix: "meshwright_drop_" });
    try {
      const files: Record<string, Uint8Array | string> = {};
      for (const name of SAMPLES[3]) files[`props/${name}`] = sample(name);
      const { json, bin } = plainGltf(4, "data/my%20data.bin");
      files["strips/strip.gltf"] = json;
      files["strips/data/my data.bin"] = bin;
      files["readme.txt"] = "no model";
      // more than the browser tells at once
      for (let i = 0; i < 120; i++) {
        files[`many/${i}.payload`] = sample("figure.payload");
      }
      put(`${disk}/game`, files);
      await dropPaths(page, [`${disk}/game`], "game/props/buoy");
      assertMatch(
        await ask(page, "document.getElementById('status').value"),
        /336 triangles/,
      );
      const sets = await ask(
        page,
        "[...document.querySelectorAll('#sets option')].map((o) => o.text).join()",
      );
      assertEquals(sets.split(",").length, 122);
      const got = await download(page, "gltf");
      const ran = await cli("convert buoy.mdl buoy.glb", {
        files: samples(SAMPLES[3]),
      });
      assertEquals(got.name, "buoy.glb");
      assertEquals(got.bytes, new Uint8Array(ran.files.get("buoy.glb")!));

      const at = sets.split(",").indexOf("game/strips/strip.gltf");
      await page.locator("#sets").selectOption(String(at));
      await until(
        page,
        "/8 vertices/.test(document.getElementById('status').value)",
      );
    } finally {
      await Deno.remove(disk, { recursive: true });
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
  "page shows the front when a sheet has both its sides in one plane",
  async (page) => {
    const corners = [[-1, -1, 0.3], [1, -1, 0.3], [1, 1, -0.4], [-1, 1, -0.4]];
    // the back is cut along the other diagonal, on vertices of its own
    const front = [0, 1, 2, 0, 2, 3];
    const back = [5, 4, 7, 5, 7, 6];
    const seen = async (indices: number[]) => {
      const mesh = plainMesh([...corners, ...corners].flat(), indices);
      await drop(page, { "sheet.glb": await writeGlb(mesh) });
      return await look(page);
    };
    const alone = await seen(front);
    assertNotEquals((await seen(back)).key, alone.key);
    assertEquals(await seen([...front, ...back]), alone);
    assertEquals(await seen([...back, ...front]), alone);
  },
);

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
        // folders the older way, which browsers other than Chromium have
        await page.evaluate(
          "delete DataTransferItem.prototype.getAsFileSystemHandle",
        );
        await dropPaths(page, [new URL("samples", root).pathname], "samples/");
        const sets = await ask(
          page,
          "[...document.querySelectorAll('#sets option')].map((o) => o.text).join()",
        );
        assertEquals(sets.split(",").sort(), [
          "samples/buoy.mdl",
          "samples/figure.payload",
          "samples/lantern.vvd",
          "samples/terrain.payload",
        ]);
        assertEquals(errors, []);
      });
    } finally {
      child.kill("SIGKILL");
      await child.status;
    }
  },
});
