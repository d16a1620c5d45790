/**
 * For workerd and Cloudflare Workers: answers a request whose body is a form of samples with their digests.
 *
 * @module
 */
// @ts-ignore: on Workers a .wasm import is a WebAssembly.Module; Deno's checker sees an instance without default export
import kernels from "../../kernels.wasm";
import * as kit from "../../mod.ts";
import { digests } from "./digests.ts";

// Workers forbid compiling from bytes, so the module comes from the import
kit.initSync(kernels as WebAssembly.Module);

const worker: { fetch(request: Request): Promise<Response> } = {
  async fetch(request) {
    const form = await request.formData();
    const read = async (sample: string) =>
      new Uint8Array(await (form.get(sample) as File).arrayBuffer());
    return Response.json(await digests(kit, read));
  },
};
export default worker;
