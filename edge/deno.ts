/**
 * The handler for `deno serve` and Deno Deploy: `deno serve --port 8787 edge/deno.ts`.
 *
 * @module
 */
import { decodersFor } from "../src/cli/decoders.ts";
import { loadSimplifier } from "../src/convert/meshopt.ts";
import { createHandler, type Handler } from "../src/edge/mod.ts";

const handler: Handler = createHandler({
  decoders: decodersFor,
  simplifier: loadSimplifier,
});
export default handler;
