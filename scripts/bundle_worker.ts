/**
 * Bundles the Cloudflare worker: one module, and the kernels and codecs beside it, which `edge/wrangler.jsonc` deploys. `--out DIR` writes
 * elsewhere, `--entry FILE` bundles another worker under the same name.
 */
import * as esbuild from "esbuild-wasm/esm/browser.js";
import { bundleModule, startEsbuild } from "./bundle.ts";
import { meshoptFiles, meshoptModules } from "./meshopt_modules.ts";

const root = new URL("../", import.meta.url);
const given = (name: string) => {
  const at = Deno.args.indexOf(name);
  return at < 0 ? null : Deno.args[at + 1];
};

const folder = given("--out");
const out = folder === null
  ? new URL("dist/worker/", root)
  : new URL(`${folder}/`, `file://${Deno.cwd()}/`);
await startEsbuild();
const { contents } = await bundleModule(
  given("--entry") ?? "edge/cloudflare.ts",
  [meshoptModules],
);
await esbuild.stop();
await Deno.mkdir(out, { recursive: true });
await Deno.writeFile(new URL("cloudflare.js", out), contents);
await Deno.copyFile(
  new URL("kernels.wasm", root),
  new URL("kernels.wasm", out),
);
for (const [name, bytes] of Object.entries(await meshoptFiles())) {
  await Deno.writeFile(new URL(name, out), bytes);
}
console.log(`cloudflare.js: ${contents.length} bytes`);
