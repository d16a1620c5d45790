/**
 * The product's version, equal to deno.json's (a test says so): it goes into `--version` and into glTF's generator.
 *
 * @module
 */

/** Version of the library and the command. */
export const VERSION = "0.1.0";
