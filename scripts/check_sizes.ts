/**
 * Measures what a page grows by, against budgets: the vertex file's reader minified without the kernels, everything but glTF
 * and the command line as it is sent, kernels included. Fails when one is above its own.
 */
import * as esbuild from "esbuild-wasm/esm/browser.js";
import { bundleModule, startEsbuild } from "./bundle.ts";

/** Leaves the kernels out. */
const withoutKernels: esbuild.Plugin = {
  name: "without-kernels",
  setup(build) {
    build.onResolve({ filter: /\/kernels_embed\.ts$/ }, ({ path }) => ({
      path,
      external: true,
    }));
  },
};

async function zipped(contents: Uint8Array): Promise<number> {
  const stream = new Blob([contents as BufferSource]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).arrayBuffer()).byteLength;
}

let exit = 0;
function check(what: string, bytes: number, most: number): void {
  const over = bytes > most;
  if (over) exit = 1;
  console.log(
    `${what}: ${bytes} bytes, at most ${most}${over ? ": TOO MANY" : ""}`,
  );
}

await startEsbuild();
const vvd = await bundleModule("src/formats/vvd/mod.ts", [withoutKernels]);
const all = await bundleModule("scripts/without_gltf.ts");
await esbuild.stop();
check("core and vvd, minified without kernels", vvd.contents.length, 25_000);
check(
  `all but glTF and the command line, in gzip (${all.contents.length} bytes minified) with kernels`,
  await zipped(all.contents),
  150_000,
);
Deno.exit(exit);
