/**
 * For Node and Bun: prints the digests of the samples in the folder given as argument.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import process from "node:process";
import * as kit from "../../mod.ts";
import { digests } from "./digests.ts";

const folder = process.argv[2];
const read = async (sample: string) =>
  new Uint8Array(await readFile(`${folder}/${sample}`));
console.log(JSON.stringify(await digests(kit, read)));
