/**
 * The build of the kernels that the kernel tests run on: the shipped one, or the debug build (assertions, no optimiser)
 * when the variable MESHWRIGHT_KERNELS is `debug`. Every test of the kernels imports this module.
 *
 * @module
 */
import { initSync } from "../../src/kernels/mod.ts";

/** True when the debug build is under test. */
export const isDebugBuild: boolean =
  Deno.env.get("MESHWRIGHT_KERNELS") === "debug";

/** Where the build under test lies; scripts/build_wasm.ts writes it. */
export const kernelsUrl: URL = new URL(
  isDebugBuild ? "../../build/kernels.debug.wasm" : "../../kernels.wasm",
  import.meta.url,
);

/** The bytes of the build under test. */
export const kernelsBytes: Uint8Array<ArrayBuffer> = Deno.readFileSync(
  kernelsUrl,
);

/** Starts the build under test, also after a test has started something else. */
export function startKernels(): void {
  initSync(new WebAssembly.Module(kernelsBytes));
}

startKernels();
