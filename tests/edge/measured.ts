/**
 * The server of `edge/deno.ts`, which also tells what its heap holds once the garbage is gone; started with
 * `--v8-flags=--expose-gc`.
 *
 * @module
 */
import server from "../../edge/deno.ts";
import type { Handler } from "../../src/edge/mod.ts";

const measured: Handler = {
  async fetch(request) {
    if (new URL(request.url).pathname !== "/test/memory") {
      return await server.fetch(request);
    }
    // buffers of streams go in a second round
    for (let i = 0; i < 3; i++) {
      (globalThis as unknown as { gc(): void }).gc();
      await new Promise((go) => setTimeout(go, 50));
    }
    return Response.json(Deno.memoryUsage());
  },
};
export default measured;
