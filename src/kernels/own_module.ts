/**
 * The kernels that come with the library: bytes in a module, which every bundler and every runtime can carry. Where compiling
 * them is forbidden, the npm package has `edge/own_module_workerd.ts` in place of this one.
 *
 * @module
 */
import { KERNELS_BASE64 } from "./kernels_embed.ts";

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const native =
    (Uint8Array as { fromBase64?: (s: string) => Uint8Array<ArrayBuffer> })
      .fromBase64;
  if (native) return native.call(Uint8Array, text);
  const binary = atob(text); // Node 20
  return Uint8Array.from(binary, (c) => c.charCodeAt(0));
}

/** The kernels as a module, or its bytes. */
export function ownKernels(): WebAssembly.Module | Uint8Array<ArrayBuffer> {
  return decodeBase64(KERNELS_BASE64);
}
