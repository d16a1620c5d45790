/**
 * The handler for Cloudflare Workers, which forbid compiling WebAssembly from bytes: the kernels come as a module, and so do
 * meshoptimizer's codec and simplifier, which `scripts/bundle_worker.ts` sees to; a file in Draco is refused by name. With a
 * bucket and a queue bound (`wrangler.jsonc`) it also takes jobs of many models.
 *
 * @module
 */
// @ts-ignore: on Workers a .wasm import is a WebAssembly.Module; Deno's checker sees an instance's exports
import wasm from "../kernels.wasm";
import { loadSimplifier, meshoptFor } from "../src/convert/meshopt.ts";
import { createHandler } from "../src/edge/mod.ts";
import { initSync } from "../src/kernels/mod.ts";
import type { Environment, MessageBatch, Task } from "./bindings.ts";
import { jobsFetch, jobsQueue } from "./jobs.ts";

initSync(wasm as WebAssembly.Module);

const handler = createHandler({
  decoders: meshoptFor,
  simplifier: loadSimplifier,
});

/** A worker with its two ends. */
export interface JobsWorker {
  /** Answers a request; without bindings there are no jobs. */
  fetch(request: Request, env?: Partial<Environment>): Promise<Response>;
  /** Takes messages of the queue. */
  queue(batch: MessageBatch<Task>, env: Environment): Promise<void>;
}

const worker: JobsWorker = {
  async fetch(request, env) {
    const bound = env?.MODELS && env.JOBS;
    const answer = bound ? await jobsFetch(request, env as Environment) : null;
    return answer ?? await handler.fetch(request);
  },
  queue: jobsQueue,
};
export default worker;
