/**
 * Bundles the library for Node, Bun, workerd and browsers: `dist/mod.js`, one ES module with its npm packages inside, beside
 * a copy of kernels.wasm for runtimes that import it. The entries of the runtime tests, which import `./mod.js` as a user
 * would, are written next to it.
 *
 * esbuild runs in process, as WebAssembly: no child process and no node_modules. `--out DIR` writes elsewhere.
 */
import * as esbuild from "esbuild-wasm/esm/browser.js";
import { createRequire } from "node:module";
// only names the package for Deno, so that resolving it below finds it on an empty cache too
import type {} from "@gltf-transform/core";

const root = new URL("../", import.meta.url);
const library = new URL("mod.ts", root).href;

/** What is bundled, and under which name. */
const ENTRIES: readonly (readonly [source: string, name: string])[] = [
  ["mod.ts", "mod.js"],
  ["tests/runtimes/command.ts", "command.js"],
  ["tests/runtimes/worker.ts", "worker.js"],
  ["tests/runtimes/page.ts", "page.js"],
];

/** Finds modules as Deno does: files by URL, npm packages in Deno's cache. */
export const denoModules: esbuild.Plugin = {
  name: "deno-modules",
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
      if (kind === "entry-point") {
        return { path: new URL(path, root).href, namespace: "url" };
      }
      if (path.startsWith("node:")) return { path, external: true };
      if (/^\.{1,2}\//.test(path)) {
        const url = new URL(path, importer).href;
        if (url === library) return { path: "./mod.js", external: true };
        if (url.endsWith(".wasm")) {
          return { path: "./kernels.wasm", external: true };
        }
        return { path: url, namespace: "url" };
      }
      // our own imports go through the import map, those inside a package through that package's dependencies
      const url = importer.startsWith(root.href)
        ? import.meta.resolve(path)
        : `file://${createRequire(importer).resolve(path)}`;
      return { path: url, namespace: "url", sideEffects: false };
    });
    build.onLoad({ filter: /.*/, namespace: "url" }, async ({ path }) => ({
      contents: await Deno.readFile(new URL(path)),
      loader: path.endsWith(".ts") ? "ts" : "js",
    }));
  },
};

/** Writes the bundles into a folder and returns their names and sizes. */
export async function bundle(
  out: URL,
): Promise<{ name: string; bytes: number }[]> {
  await esbuild.initialize({
    wasmModule: await WebAssembly.compile(
      await Deno.readFile(
        new URL(import.meta.resolve("esbuild-wasm/esbuild.wasm")),
      ),
    ),
    worker: false,
  });
  await Deno.mkdir(out, { recursive: true });
  const written: { name: string; bytes: number }[] = [];
  const write = async (name: string, contents: Uint8Array) => {
    await Deno.writeFile(new URL(name, out), contents);
    written.push({ name, bytes: contents.length });
  };
  for (const [source, name] of ENTRIES) {
    const { outputFiles, metafile } = await esbuild.build({
      entryPoints: [source],
      bundle: true,
      format: "esm",
      target: "es2022",
      minify: true,
      legalComments: "inline",
      logLevel: "warning",
      metafile: true,
      write: false,
      plugins: [denoModules],
    });
    const [{ imports }] = Object.values(metafile.outputs);
    if (name === "mod.js" && imports.length > 0) {
      throw new Error(
        `mod.js must import nothing, but imports ${imports.map((i) => i.path)}`,
      );
    }
    await write(name, outputFiles[0].contents);
  }
  await write(
    "kernels.wasm",
    await Deno.readFile(new URL("kernels.wasm", root)),
  );
  await esbuild.stop();
  return written;
}

if (import.meta.main) {
  const at = Deno.args.indexOf("--out");
  const folder = at < 0 ? "dist" : Deno.args[at + 1];
  const out = at < 0
    ? new URL("dist/", root)
    : new URL(`${folder}/`, `file://${Deno.cwd()}/`);
  for (const { name, bytes } of await bundle(out)) {
    console.log(`${folder}/${name}: ${bytes} bytes`);
  }
}
