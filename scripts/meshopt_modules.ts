/**
 * npm's meshoptimizer for Cloudflare Workers, which take WebAssembly as files and never as bytes: its JavaScript stays as it
 * is, but for the one place that compiles, and its WebAssembly goes into files beside the bundle.
 *
 * @module
 */
import type * as esbuild from "esbuild-wasm/esm/browser.js";

/** What a module of meshoptimizer compiles as it is loaded. */
async function compiledBy(load: () => Promise<unknown>): Promise<Uint8Array> {
  const { instantiate } = WebAssembly;
  const compiled: Uint8Array[] = [];
  WebAssembly.instantiate =
    ((bytes: BufferSource, imports: WebAssembly.Imports) => {
      compiled.push(new Uint8Array(bytes as ArrayBuffer));
      return instantiate(bytes, imports);
    }) as typeof instantiate;
  try {
    await load();
  } finally {
    WebAssembly.instantiate = instantiate;
  }
  if (compiled.length !== 1) {
    throw new Error(`compiles ${compiled.length} times`);
  }
  return compiled[0];
}

/** The script with its WebAssembly as an import. */
function withImport(script: string, file: string): string {
  const compiles = /WebAssembly\.instantiate\((?:unpack\()?wasm\)?, \{\}\)/g;
  if (script.match(compiles)?.length !== 1) {
    throw new Error(`${file}: meshoptimizer compiles in another way`);
  }
  const instance =
    "WebAssembly.instantiate(staticWasm, {}).then((instance) => ({ instance }))";
  return `import staticWasm from "./${file}";\n` +
    script.replace(compiles, instance)
      .replaceAll(/'[^'\\\n]{1000,}'/g, "''"); // the same, as text
}

/** Files that stand beside a bundle with this plugin, by name. */
export async function meshoptFiles(): Promise<Record<string, Uint8Array>> {
  return {
    "meshopt_decoder.wasm": await compiledBy(() =>
      import("meshoptimizer/decoder")
    ),
    "meshopt_simplifier.wasm": await compiledBy(() =>
      import("meshoptimizer/simplifier")
    ),
  };
}

/** Takes meshoptimizer's WebAssembly from files. */
export const meshoptModules: esbuild.Plugin = {
  name: "meshopt-modules",
  setup(build) {
    build.onResolve({ filter: /^\.\/meshopt_\w+\.wasm$/ }, ({ path }) => ({
      path,
      external: true,
    }));
    build.onLoad(
      { filter: /\/meshopt_(decoder|simplifier)\.m?js$/, namespace: "url" },
      async ({ path }) => {
        const file = path.replace(/^.*\/|\.m?js$/g, "") + ".wasm";
        const script = await Deno.readTextFile(new URL(path));
        return { contents: withImport(script, file), loader: "js" };
      },
    );
  },
};
