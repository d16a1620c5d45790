/**
 * Measures what a page grows by, against budgets: the vertex file's reader without the kernels, and everything but glTF and the
 * command line with them. Fails when one is above its own.
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

/** Largest sizes in bytes: minified, and in gzip as it is sent. */
interface Budget {
  minified: number;
  gzip: number;
}

let exit = 0;
async function check(
  what: string,
  contents: Uint8Array,
  most: Budget,
): Promise<void> {
  const found = { minified: contents.length, gzip: await zipped(contents) };
  for (const how of ["minified", "gzip"] as const) {
    const over = found[how] > most[how];
    if (over) exit = 1;
    console.log(
      `${what}, ${how}: ${found[how]} bytes, at most ${most[how]}${
        over ? ": TOO MANY" : ""
      }`,
    );
  }
}

await startEsbuild();
const vvd = await bundleModule("src/formats/vvd/mod.ts", [withoutKernels]);
const all = await bundleModule("scripts/without_gltf.ts");
await esbuild.stop();
await check("core and vvd without kernels", vvd.contents, {
  minified: 25_000,
  gzip: 10_000,
});
await check("all but glTF and the command line with kernels", all.contents, {
  minified: 300_000,
  gzip: 150_000,
});
Deno.exit(exit);
