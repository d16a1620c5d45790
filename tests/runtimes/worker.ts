/**
 * For workerd and Cloudflare Workers: answers a request whose body is a form of a conversion and its files with its result.
 *
 * @module
 */
// @ts-ignore: on Workers a .wasm import is a WebAssembly.Module; Deno's checker sees an instance without default export
import kernels from "../../kernels.wasm";
import * as kit from "../../mod.ts";
import { resultOf } from "./conversions.ts";

// Workers forbid compiling from bytes, so the module comes from the import
kit.initSync(kernels as WebAssembly.Module);

const worker: { fetch(request: Request): Promise<Response> } = {
  async fetch(request) {
    const form = await request.formData();
    const conversion = JSON.parse(form.get("conversion") as string);
    const read = async (path: string) =>
      new Uint8Array(await (form.get(path) as File).arrayBuffer());
    return new Response(await resultOf(kit, conversion, read));
  },
};
export default worker;
