/**
 * The same bytes everywhere: one bundle of the library converts the samples in each runtime, and every SHA-256 must be the
 * one that Deno gets from the sources. A runtime that is not installed is skipped, and the test's name says how to get it.
 */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import * as kit from "../../mod.ts";
import { type Manifest, manifestOf } from "./conversions.ts";
import { quickPlan, urlOf } from "./plan.ts";
import {
  bundleInto,
  hashOf,
  type Runtime,
  RUNTIMES,
  SURROUNDINGS,
} from "./runtimes.ts";
import { serveWorker } from "./workerd.ts";

const plan = quickPlan();
const read = (path: string) => Deno.readFile(urlOf(path));

/** Filled before the first test: the bundle's folder, and what Deno makes of the samples. */
let bundle: URL;
let expected: Manifest;

Deno.test.beforeAll(async () => {
  const folder = await Deno.makeTempDir({ prefix: "meshwright_runtimes_" });
  bundle = new URL(`file://${folder}/`);
  await bundleInto(bundle);
  expected = await manifestOf(kit, plan, read);
});

Deno.test.afterAll(async () => {
  if (bundle) await Deno.remove(bundle, { recursive: true });
});

const runtimeOf = (name: string) => RUNTIMES.find((r) => r.name === name)!;

/** A test of one runtime. */
function runtimeTest(
  name: string,
  { program, install }: Runtime,
  fn: () => Promise<void>,
): void {
  const missing = program === undefined;
  Deno.test({
    name: missing ? `${name} [SKIPPED: not installed: ${install}]` : name,
    ignore: missing,
    sanitizeOps: false, // playwright keeps its pipes to a browser for a moment after close()
    sanitizeResources: false,
    fn,
  });
}

Deno.test("manifestOf() names different results when Deno converts the samples", async () => {
  assertEquals(Object.keys(expected).length, 24);
  const results = Object.values(expected);
  for (const result of results) {
    assert(/^[0-9a-f]{64}(?: [0-9a-f]{64})*$/.test(result), result);
  }
  assertEquals(new Set(results).size, results.length);

  const bent = { ...expected };
  const [first] = Object.keys(bent);
  bent[first] = bent[first].replace(/.$/, (c) => c === "0" ? "1" : "0");
  assertNotEquals(await hashOf(bent), await hashOf(expected));
});

Deno.test("manifestOf() gives the payload back when its GLB is converted to a payload", async () => {
  for (const name of ["terrain.payload", "figure.payload"]) {
    const file = `samples/${name}`;
    const through = [{ to: "gltf" }, { to: "payload" }] as const;
    const manifest = await manifestOf(
      kit,
      [
        { file, resources: [], steps: [...through] },
        { file, resources: [], steps: [{ to: "payload" }] },
      ],
      read,
    );
    const [there, direct] = Object.values(manifest).map((r) => r.split(" "));
    assertEquals(there[2], direct[0]);
  }
});

for (const [i, runtime] of RUNTIMES.entries()) {
  // each in another language and time zone
  const around = SURROUNDINGS[i % SURROUNDINGS.length];
  runtimeTest(
    `bundle gives the same SHA-256 in ${runtime.name} (${around.label})`,
    runtime,
    async () => {
      assertEquals(await runtime.run(bundle, plan, around), expected);
    },
  );
}

/** A worker that does not call initSync(). */
const UNPREPARED = `
import { convert } from "./meshwright.js";
export default {
  async fetch(request) {
    try {
      const bytes = new Uint8Array(await request.arrayBuffer());
      await convert(bytes, { to: "gltf" });
      return new Response("converted");
    } catch (error) {
      return new Response(error.code + ": " + error.message);
    }
  },
};`;

const workerd = runtimeOf("workerd");
runtimeTest(
  "bundle says KERNEL-START in workerd when initSync() was not called",
  workerd,
  async () => {
    await Deno.writeTextFile(new URL("unprepared.js", bundle), UNPREPARED);
    const main = ["unprepared.js", "meshwright.js"];
    await serveWorker(workerd.program!, bundle, { main }, async (ports) => {
      const answer = await fetch(`http://127.0.0.1:${ports.get("main")}/`, {
        method: "POST",
        body: await read("samples/lantern.vvd"),
      });
      const said = await answer.text();
      assert(said.startsWith("KERNEL-START: "), said);
      assert(said.includes("initSync"), said);
    });
  },
);
