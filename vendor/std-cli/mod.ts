/**
 * Typed stand-in for `jsr:@std/cli/parse-args` over its npm copy, used through `links` in deno.json where only npm is reachable.
 * @module
 */
// @ts-types="./types.d.ts"
export * from "npm:deno-std@1.4.0/cli/parse_args.js";
