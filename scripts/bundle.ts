/**
 * Bundles the library into dist/: `meshwright.js`, one ES module with its npm packages and its kernels inside, which a
 * browser, Deno, Node and Bun import as it is, beside a copy of kernels.wasm for runtimes that want the kernels as a module.
 *
 * esbuild runs in process, as WebAssembly: no child process and no node_modules. `--out DIR` writes elsewhere; `--with FILE`
 * bundles a program too, which imports the library from `./meshwright.js` as a user would.
 */
import * as esbuild from "esbuild-wasm/esm/browser.js";
import { createRequire } from "node:module";
// only names the package for Deno, so that resolving it below finds it on an empty cache too
import type {} from "@gltf-transform/core";

const root = new URL("../", import.meta.url);
const library = new URL("mod.ts", root).href;
/** The bundle of the library. */
const ONE_FILE = "meshwright.js";

/** For programs that stand beside the bundle: they import it, and the kernels. */
const besideLibrary: esbuild.Plugin = {
  name: "beside-library",
  setup(build) {
    build.onResolve({ filter: /^\.{1,2}\// }, ({ path, importer }) => {
      if (importer !== "" && new URL(path, importer).href === library) {
        return { path: `./${ONE_FILE}`, external: true };
      }
    });
  },
};

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
        if (url.endsWith(".wasm")) {
          return { path: "./kernels.wasm", external: true };
        }
        return { path: url, namespace: "url" };
      }
      // what it gives Deno asks for the worker threads of Node
      if (path === "fflate") {
        const url = new URL("browser.js", import.meta.resolve("fflate")).href;
        return { path: url, namespace: "url", sideEffects: false };
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

/** Starts esbuild in this process; it can be stopped and started again. */
export async function startEsbuild(): Promise<void> {
  const wasm = new URL(import.meta.resolve("esbuild-wasm/esbuild.wasm"));
  await esbuild.initialize({
    wasmModule: await WebAssembly.compile(await Deno.readFile(wasm)),
    worker: false,
  });
}

/** Bundles a module of the repository into one minified ES module. */
export async function bundleModule(
  source: string,
  plugins: readonly esbuild.Plugin[] = [],
): Promise<{ contents: Uint8Array; imports: string[] }> {
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
    plugins: [...plugins, denoModules],
  });
  const [{ imports }] = Object.values(metafile.outputs);
  return {
    contents: outputFiles[0].contents,
    imports: imports.map(({ path }) => path),
  };
}

/** Writes the bundles into a folder and returns their names and sizes. */
export async function bundle(
  out: URL,
  programs: readonly string[] = [],
): Promise<{ name: string; bytes: number }[]> {
  await Deno.mkdir(out, { recursive: true });
  const written: { name: string; bytes: number }[] = [];
  const write = async (name: string, contents: Uint8Array) => {
    await Deno.writeFile(new URL(name, out), contents);
    written.push({ name, bytes: contents.length });
  };
  await startEsbuild();
  const { contents, imports } = await bundleModule("scripts/one_file.ts");
  if (imports.length > 0) {
    throw new Error(`${ONE_FILE} must import nothing, but imports ${imports}`);
  }
  await write(ONE_FILE, contents);
  for (const source of programs) {
    const { contents } = await bundleModule(source, [besideLibrary]);
    await write(source.replace(/^.*\/|\.ts$/g, "") + ".js", contents);
  }
  await esbuild.stop();
  await write(
    "kernels.wasm",
    await Deno.readFile(new URL("kernels.wasm", root)),
  );
  return written;
}

if (import.meta.main) {
  const { args } = Deno;
  const valuesOf = (name: string) =>
    args.filter((_, i) => i > 0 && args[i - 1] === name);
  const [given] = valuesOf("--out");
  const folder = given ?? "dist";
  const base = given === undefined ? root : new URL(`file://${Deno.cwd()}/`);
  const out = new URL(folder.endsWith("/") ? folder : `${folder}/`, base);
  for (const { name, bytes } of await bundle(out, valuesOf("--with"))) {
    console.log(`${folder.replace(/\/$/, "")}/${name}: ${bytes} bytes`);
  }
}
