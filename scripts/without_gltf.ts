/**
 * Every entry that neither reads glTF nor is a program, to measure them together.
 *
 * @module
 */
export * as vvd from "../src/formats/vvd/mod.ts";
export * as mdl from "../src/formats/mdl/mod.ts";
export * as payload from "../src/formats/payload/mod.ts";
export * as css from "../src/formats/css/mod.ts";
export * as obj from "../src/formats/obj/mod.ts";
export * as smd from "../src/formats/smd/mod.ts";
export * as ops from "../src/ops/mod.ts";
export * as kernels from "../src/kernels/mod.ts";
export * as preview from "../src/preview/mod.ts";
