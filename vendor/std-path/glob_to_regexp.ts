/**
 * Typed stand-in for `jsr:@std/path/glob-to-regexp` over its npm copy, used through `links` in deno.json where only npm is reachable.
 * @module
 */
// @ts-types="./types.d.ts"
export * from "npm:deno-std@1.4.0/path/glob_to_regexp.js";
