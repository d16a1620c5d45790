/**
 * The runtimes that the library is for, each with its way to run conversions from a bundle.
 *
 * @module
 */
import { chromium, complaintsOf, startChromium } from "../chromium.ts";
import {
  type Conversion,
  type Manifest,
  nameOf,
  sha256,
} from "./conversions.ts";
import { FOLDERS, urlOf } from "./plan.ts";
import { findProgram } from "./programs.ts";
import { serveWorker } from "./workerd.ts";

const root = new URL("../../", import.meta.url);

/** What is around a run. */
export interface Surroundings {
  /** What a table says of it. */
  readonly label: string;
  /** Variables of the process. */
  readonly env: Readonly<Record<string, string>>;
}

/** Languages with their own rules for letters and numbers, and places far from Greenwich. */
export const SURROUNDINGS: readonly Surroundings[] = [
  { label: "C, UTC", env: { LC_ALL: "C", LANG: "C", TZ: "UTC" } },
  {
    label: "tr_TR, Pacific/Apia",
    env: { LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8", TZ: "Pacific/Apia" },
  },
  {
    label: "de_DE, America/St_Johns",
    env: { LC_ALL: "de_DE.UTF-8", LANG: "de_DE.UTF-8", TZ: "America/St_Johns" },
  },
];

/** A runtime. */
export interface Runtime {
  /** Its name. */
  readonly name: string;
  /** Path of its program; undefined where it is not installed. */
  readonly program: string | undefined;
  /** How to get it. */
  readonly install: string;
  /** Runs conversions. */
  run(
    bundle: URL,
    plan: readonly Conversion[],
    around: Surroundings,
  ): Promise<Manifest>;
}

/** Runs a program and gives what it prints. */
export async function printed(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    env: { ...env },
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  if (!success) throw new Error(`${program}: ${text.decode(stderr)}`);
  return text.decode(stdout);
}

/** A runtime that reads files and prints. */
function command(
  name: string,
  program: string | undefined,
  install: string,
  flags: readonly string[] = [],
): Runtime {
  return {
    name,
    program,
    install,
    async run(bundle, plan, { env }) {
      const file = await Deno.makeTempFile();
      try {
        await Deno.writeTextFile(file, JSON.stringify(plan));
        const folders = Object.entries(FOLDERS)
          .flatMap(([name, url]) => [name, decodeURIComponent(url.pathname)]);
        const script = new URL("command.js", bundle).pathname;
        return JSON.parse(
          await printed(program!, [...flags, script, file, ...folders], env),
        );
      } finally {
        await Deno.remove(file);
      }
    },
  };
}

/** Reads files once, for runtimes that get them over the loopback address. */
class Files {
  readonly #bytes = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  read(path: string): Promise<Uint8Array<ArrayBuffer>> {
    const known = this.#bytes.get(path) ?? Deno.readFile(urlOf(path));
    this.#bytes.set(path, known);
    return known;
  }
}

const workerd: Runtime = {
  name: "workerd",
  program: findProgram("workerd"),
  install: "npm ci --prefix tools",
  run(bundle, plan, { env }) {
    const files = new Files();
    const modules = ["worker.js", "meshwright.js", "kernels.wasm"];
    return serveWorker(workerd.program!, bundle, { modules }, async (ports) => {
      const url = `http://127.0.0.1:${ports.get("modules")}/`;
      const manifest: Manifest = {};
      for (const conversion of plan) {
        const body = new FormData();
        body.set("conversion", JSON.stringify(conversion));
        for (const path of [conversion.file, ...conversion.resources]) {
          body.set(path, new File([await files.read(path)], path));
        }
        const answer = await fetch(url, { method: "POST", body });
        const text = await answer.text();
        if (!answer.ok) throw new Error(`${nameOf(conversion)}: ${text}`);
        manifest[nameOf(conversion)] = text;
      }
      return manifest;
    }, env);
  },
};

const PAGE = `<!doctype html>
<meta charset="utf-8">
<title>meshwright in a browser</title>
<link rel="icon" href="data:,">
<script type="module" src="page.js"></script>
`;

/** Serves a page that runs conversions, with and without the word in its policy that allows WebAssembly: `/`, `/strict/`. */
export function servePage(
  bundle: URL,
  plan: readonly Conversion[],
): Deno.HttpServer<Deno.NetAddr> {
  const files = new Files();
  const known = new Set(plan.flatMap((c) => [c.file, ...c.resources]));
  const answer = async (path: string): Promise<[BodyInit, type: string]> => {
    if (path === "") return [PAGE, "text/html"];
    if (path === "plan.json") return [JSON.stringify(plan), "application/json"];
    if (/^(?:page|meshwright)\.js$/.test(path)) {
      return [await Deno.readFile(new URL(path, bundle)), "text/javascript"];
    }
    if (!known.has(path)) throw new Deno.errors.NotFound(path);
    return [await files.read(path), "application/octet-stream"];
  };
  return Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async ({ url }) => {
      const [, strict, path] = /^\/(strict\/)?(.*)$/.exec(
        decodeURIComponent(new URL(url).pathname),
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

const browser: Runtime = {
  name: "Chromium",
  program: chromium,
  install: "apt-get install chromium",
  async run(bundle, plan, { env }) {
    const server = servePage(bundle, plan);
    const { browser, close } = await startChromium({
      env: { ...Deno.env.toObject(), ...env },
      timezoneId: env.TZ,
      locale: env.LANG.replace(/\..*/, "").replace("_", "-")
        .replace(/^C$/, "en-US"),
    });
    try {
      const page = browser.pages()[0] ?? await browser.newPage();
      const complaints = complaintsOf(page);
      await page.goto(`http://127.0.0.1:${server.addr.port}/`);
      const manifest: Manifest = await page.evaluate("manifest");
      if (complaints.length > 0) throw new Error(complaints.join("\n"));
      return manifest;
    } finally {
      await close();
      await server.shutdown();
    }
  },
};

/** All of them. */
export const RUNTIMES: readonly Runtime[] = [
  command("Deno", Deno.execPath(), "it runs this", [
    "run",
    "--no-prompt",
    "--no-config",
    "--allow-read",
  ]),
  command("Node", findProgram("node"), "Node 20 or later"),
  command("Bun", findProgram("bun"), "npm ci --prefix tools"),
  workerd,
  browser,
];

/** Writes the bundle and what runs it in each runtime, as `deno task bundle` does with its permissions. */
export async function bundleInto(folder: URL): Promise<void> {
  await printed(Deno.execPath(), [
    "run",
    "--no-prompt",
    "--allow-read",
    `--allow-write=${folder.pathname}`,
    new URL("scripts/bundle.ts", root).pathname,
    ...["--out", folder.pathname],
    ...["command", "worker", "page"].flatMap((name) => [
      "--with",
      `tests/runtimes/${name}.ts`,
    ]),
  ]);
}

/** SHA-256 of a manifest. */
export function hashOf(manifest: Manifest): Promise<string> {
  return sha256(JSON.stringify(manifest, Object.keys(manifest).sort()));
}

/** Conversions that gave something, of all that were tried. */
export function succeeded(manifest: Manifest): number {
  return Object.values(manifest)
    .filter((result) => !result.startsWith("refused: ")).length;
}
