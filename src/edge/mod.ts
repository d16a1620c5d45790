/**
 * Conversion over HTTP for Deno Deploy, Cloudflare Workers and anything else with `Request` and `Response`.
 *
 * @module
 */
export { createHandler, type Handler } from "./handler.ts";
export {
  DEFAULT_REQUEST_LIMITS,
  type HandlerOptions,
  type RequestLimits,
} from "./limits.ts";
export type { Limits } from "../core/limits.ts";
export type { Simplifier } from "../ops/simplify_triangles.ts";
export type { GltfDecoders } from "../formats/gltf/mod.ts";
