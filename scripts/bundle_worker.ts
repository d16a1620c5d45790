/**
 * Bundles the Cloudflare worker: one module and the kernels beside it, which `edge/wrangler.jsonc` deploys. `--out DIR` writes
 * elsewhere, `--entry FILE` bundles another worker under the same name.
 */
import * as esbuild from "esbuild-wasm/esm/browser.js";
import { denoModules, startEsbuild } from "./bundle.ts";

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
const { outputFiles } = await esbuild.build({
  entryPoints: [given("--entry") ?? "edge/cloudflare.ts"],
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "inline",
  logLevel: "warning",
  write: false,
  plugins: [denoModules],
});
await esbuild.stop();
await Deno.mkdir(out, { recursive: true });
await Deno.writeFile(new URL("cloudflare.js", out), outputFiles[0].contents);
await Deno.copyFile(
  new URL("kernels.wasm", root),
  new URL("kernels.wasm", out),
);
console.log(`cloudflare.js: ${outputFiles[0].contents.length} bytes`);
