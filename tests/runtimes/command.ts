/**
 * For Deno, Node and Bun: prints the manifest of the conversions in a file. Arguments: that file, then pairs of a folder's
 * name in the paths and the folder itself.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import process from "node:process";
import * as kit from "../../mod.ts";
import { manifestOf } from "./conversions.ts";

const [plan, ...pairs] = process.argv.slice(2);
const folders = new Map(
  pairs.flatMap((name, i) => i % 2 === 0 ? [[name, pairs[i + 1]]] : []) as [
    string,
    string,
  ][],
);
const read = async (path: string) => {
  const slash = path.indexOf("/");
  const folder = folders.get(path.slice(0, slash));
  return new Uint8Array(await readFile(`${folder}${path.slice(slash + 1)}`));
};
const conversions = JSON.parse(await readFile(plan, "utf8"));
console.log(JSON.stringify(await manifestOf(kit, conversions, read)));
