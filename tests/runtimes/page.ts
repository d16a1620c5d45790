/**
 * For a browser: leaves a promise of the manifest in the global `manifest`.
 *
 * @module
 */
import * as kit from "../../mod.ts";
import { manifestOf } from "./conversions.ts";

async function load(path: string): Promise<Response> {
  const answer = await fetch(path.split("/").map(encodeURIComponent).join("/"));
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

async function run() {
  const conversions = await (await load("plan.json")).json();
  const read = async (path: string) =>
    new Uint8Array(await (await load(path)).arrayBuffer());
  return await manifestOf(kit, conversions, read);
}

const result = run();
result.catch(() => {}); // the test reads it later; until then it is not "unhandled"
Object.assign(globalThis, { manifest: result });
