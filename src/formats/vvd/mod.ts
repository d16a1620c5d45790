/**
 * Valve's vertex files (.vvd): read, replay LOD fixups, build fixups, write byte for byte.
 *
 * ```ts
 * import { readVvd, replayVvd, writeVvd } from "@meshwright/kit/vvd";
 *
 * const vvd = readVvd(Deno.readFileSync("samples/lantern.vvd"));
 * const flat: Uint8Array = writeVvd(replayVvd(vvd, 0));
 * ```
 *
 * @module
 */
export { readVvd, type ReadVvdOptions } from "./read.ts";
export { writeVvd } from "./write.ts";
export {
  replayRuns,
  replayVvd,
  type ReplayVvdOptions,
  splitVvd,
} from "./replay.ts";
export { buildFixups, type BuiltFixups } from "./fixups.ts";
export { meshToVvd, vvdToMesh } from "./mesh.ts";
export { validateVvd } from "./validate.ts";
export {
  MAX_NUM_LODS,
  MODEL_VERTEX_FILE_ID,
  type Vvd,
  type VvdExtraArray,
  type VvdFixup,
} from "./types.ts";
