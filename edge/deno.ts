/**
 * The handler for `deno serve` and Deno Deploy: `deno serve --port 8787 edge/deno.ts`.
 *
 * @module
 */
import { createHandler, type Handler } from "../src/edge/mod.ts";

const handler: Handler = createHandler();
export default handler;
