/**
 * What the library is as one file, for `<script type="module">` and everything else that wants no package: the entries
 * without the command line and the HTTP handler.
 *
 * @module
 */
export * from "../mod.ts";
export * from "../src/formats/payload/mod.ts";
export * from "../src/formats/mdl/mod.ts";
export * from "../src/ops/mod.ts";
export * from "../src/kernels/mod.ts";
export * from "../src/preview/mod.ts";
