/**
 * The kernels of the library for Cloudflare Workers, which compile nothing at run time: the runtime gives a module for the
 * import. The npm package takes it by the condition `workerd`.
 *
 * @module
 */
// @ts-ignore: on Workers a .wasm import is a WebAssembly.Module; Deno's checker sees an instance's exports
import kernels from "../kernels.wasm";

/** The kernels as a module. */
export function ownKernels(): WebAssembly.Module {
  return kernels as WebAssembly.Module;
}
