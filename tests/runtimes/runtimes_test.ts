/**
 * The same bytes everywhere: one bundle of the library converts the samples in each runtime, and every SHA-256 must be the
 * one that Deno gets from the sources. A runtime that is not installed is skipped, and the test's name says how to get it.
 */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import * as kit from "../../mod.ts";
import { digests, SAMPLES } from "./digests.ts";
import { findProgram } from "./programs.ts";

const root = new URL("../../", import.meta.url);
const samples = new URL("samples/", root);
const readSample = (name: string) => Deno.readFile(new URL(name, samples));

const node = findProgram("node");
const bun = findProgram("bun");
const workerd = findProgram("workerd");
const chromium = findProgram("chromium", "chromium-browser", "google-chrome");

/** Filled before the first test: the bundle's folder, and what Deno makes of the samples. */
let dist: URL;
let expected: Record<string, string>;

Deno.test.beforeAll(async () => {
  const folder = await Deno.makeTempDir({ prefix: "meshwright_runtimes_" });
  dist = new URL(`file://${folder}/`);
  // as a user runs it, with the permissions of `deno task bundle`
  await run(Deno.execPath(), [
    "run",
    "--no-prompt",
    "--allow-read",
    `--allow-write=${folder}`,
    new URL("scripts/bundle.ts", root).pathname,
    "--out",
    folder,
  ]);
  expected = await digests(kit, readSample);
});

Deno.test.afterAll(async () => {
  if (dist) await Deno.remove(dist, { recursive: true });
});

async function run(program: string, args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args })
    .output();
  const text = new TextDecoder();
  assert(success, `${program}: ${text.decode(stderr)}`);
  return text.decode(stdout);
}

/** A test of one runtime. */
function runtimeTest(
  name: string,
  program: string | undefined,
  install: string,
  fn: (program: string) => Promise<void>,
): void {
  const missing = program === undefined;
  Deno.test({
    name: missing ? `${name} [SKIPPED: not installed: ${install}]` : name,
    ignore: missing,
    sanitizeOps: false, // playwright keeps its pipes to a browser for a moment after close()
    sanitizeResources: false,
    fn: () => fn(program!),
  });
}

Deno.test("digests() names different results when Deno converts the samples", () => {
  const names = Object.keys(expected);
  assert(names.length > 3 * SAMPLES.length, names.join());
  for (const sample of SAMPLES) {
    const results = names.filter((name) => name.startsWith(`${sample} > `));
    assert(results.length >= 2, `${sample}: ${results}`);
    for (const name of results) {
      assert(/^[0-9a-f]{64}$/.test(expected[name]), name);
      if (!name.endsWith("payload")) {
        assertNotEquals(expected[name], expected[sample], name);
      }
    }
  }
});

Deno.test("convert() gives the payload back when its GLB is converted to a payload", () => {
  for (const sample of SAMPLES.filter((name) => name.endsWith(".payload"))) {
    assertEquals(expected[`${sample} > gltf > payload`], expected[sample]);
  }
});

Deno.test("bundle gives the same SHA-256 in Deno", async () => {
  const bundled = await import(new URL("mod.js", dist).href);
  assertEquals(await digests(bundled, readSample), expected);
});

runtimeTest(
  "bundle gives the same SHA-256 in Node",
  node,
  "Node 20 or later",
  async (program) => {
    const args = [new URL("command.js", dist).pathname, samples.pathname];
    assertEquals(JSON.parse(await run(program, args)), expected);
  },
);

runtimeTest(
  "bundle gives the same SHA-256 in Bun",
  bun,
  "npm ci --prefix tools",
  async (program) => {
    const args = [new URL("command.js", dist).pathname, samples.pathname];
    assertEquals(JSON.parse(await run(program, args)), expected);
  },
);

/** A second worker, to see what the library says when nobody has called initSync(). */
const UNPREPARED = `
import { convert } from "./mod.js";
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

const WORKERD_CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "prepared", worker = (
      modules = [
        (name = "worker.js", esModule = embed "worker.js"),
        (name = "mod.js", esModule = embed "mod.js"),
        (name = "kernels.wasm", wasm = embed "kernels.wasm"),
      ],
      compatibilityDate = "2026-11-01",
    )),
    (name = "unprepared", worker = (
      modules = [
        (name = "main.js", esModule = embed "unprepared.js"),
        (name = "mod.js", esModule = embed "mod.js"),
      ],
      compatibilityDate = "2026-11-01",
    )),
  ],
  sockets = [
    (name = "prepared", address = "127.0.0.1:0", http = (), service = "prepared"),
    (name = "unprepared", address = "127.0.0.1:0", http = (), service = "unprepared"),
  ],
);
`;

/** Ports of the sockets, by name: workerd picks free ones and reports each as a line of JSON. */
async function listening(
  output: ReadableStream<Uint8Array>,
  sockets: number,
): Promise<Map<string, number>> {
  const ports = new Map<string, number>();
  const text = new TextDecoder();
  let seen = "";
  for await (const chunk of output) {
    seen += text.decode(chunk, { stream: true });
    const lines = seen.split("\n");
    seen = lines.pop()!;
    for (const line of lines) {
      const { event, socket, port } = JSON.parse(line);
      if (event === "listen") ports.set(socket, port);
    }
    if (ports.size === sockets) return ports;
  }
  throw new Error(`workerd ended before it listened; it said: ${seen}`);
}

runtimeTest(
  "bundle gives the same SHA-256 in workerd, and says KERNEL-START where initSync() was not called",
  workerd,
  "npm ci --prefix tools",
  async (program) => {
    const config = new URL("workerd.capnp", dist);
    await Deno.writeTextFile(config, WORKERD_CONFIG);
    await Deno.writeTextFile(new URL("unprepared.js", dist), UNPREPARED);
    const server = new Deno.Command(program, {
      args: ["serve", "--control-fd=1", config.pathname],
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    try {
      const ports = await listening(server.stdout, 2);
      const post = async (socket: string, body: BodyInit) => {
        const url = `http://127.0.0.1:${ports.get(socket)}/`;
        return await (await fetch(url, { method: "POST", body })).text();
      };
      const form = new FormData();
      for (const name of SAMPLES) {
        form.set(name, new File([await readSample(name)], name));
      }
      assertEquals(JSON.parse(await post("prepared", form)), expected);

      const said = await post("unprepared", await readSample("lantern.vvd"));
      assert(said.startsWith("KERNEL-START: "), said);
      assert(said.includes("initSync"), said);
    } finally {
      server.kill("SIGKILL");
      await server.status;
    }
  },
);

const PAGE = `<!doctype html>
<meta charset="utf-8">
<title>meshwright in a browser</title>
<link rel="icon" href="data:,">
<script type="module" src="page.js"></script>
`;

/** Serves the page with and without the word in its policy that allows WebAssembly: `/page.html`, `/strict/page.html`. */
function servePage(): Deno.HttpServer<Deno.NetAddr> {
  const answer = async (path: string): Promise<[BodyInit, type: string]> => {
    if (path === "page.html") return [PAGE, "text/html"];
    if (/^(?:page|mod)\.js$/.test(path)) {
      return [await Deno.readFile(new URL(path, dist)), "text/javascript"];
    }
    const sample = SAMPLES.find((name) => path === `samples/${name}`);
    if (!sample) throw new Deno.errors.NotFound(path);
    return [await readSample(sample), "application/octet-stream"];
  };
  return Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async ({ url }) => {
      const [, strict, path] = /^\/(strict\/)?(.*)$/.exec(
        new URL(url).pathname,
      )!;
      const scripts = strict ? "'self'" : "'self' 'wasm-unsafe-eval'";
      try {
        const [body, type] = await answer(path);
        return new Response(body, {
          headers: {
            "content-type": type,
            "content-security-policy":
              `default-src 'none'; img-src data:; connect-src 'self'; script-src ${scripts}`,
          },
        });
      } catch {
        return new Response("not found", { status: 404 });
      }
    },
  );
}

runtimeTest(
  "bundle gives the same SHA-256 in Chromium, and says KERNEL-START where the page's policy forbids WebAssembly",
  chromium,
  "apt-get install chromium",
  async (program) => {
    const playwright = await import("playwright-core");
    const profile = await Deno.makeTempDir({ prefix: "meshwright_chromium_" });
    const server = servePage();
    const browser = await playwright.chromium.launchPersistentContext(profile, {
      executablePath: program,
      headless: true,
      args: [
        "--no-sandbox", // CI runs as root
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--use-gl=angle",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
      ],
    });
    try {
      const page = browser.pages()[0] ?? await browser.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error") errors.push(message.text());
      });
      const base = `http://127.0.0.1:${server.addr.port}`;
      await page.goto(`${base}/page.html`);
      assertEquals(await page.evaluate("digests"), expected);
      assertEquals(errors, []);

      await page.goto(`${base}/strict/page.html`);
      assertEquals(
        await page.evaluate("digests.catch((error) => error.code)"),
        "KERNEL-START",
      );
    } finally {
      await browser.close();
      await server.shutdown();
      await Deno.remove(profile, { recursive: true });
    }
  },
);
