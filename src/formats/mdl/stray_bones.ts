/**
 * Vertices that are weighted to bones which their model has not.
 *
 * @module
 */
import { RECORD_BYTES } from "../../kernels/replay.ts";
import type { SourceModel } from "./types.ts";

/** Bones of vertices that a model has not. */
export interface StrayBones {
  /** Vertices that name one. */
  vertices: number;
  /** Influences that name one, of weight 0 too. */
  influences: number;
  /** Those that carry weight. */
  weighted: number;
  /** The first one met. */
  first: { vertex: number; bone: number } | null;
}

/** Counts the influences whose bone the model has not, in the order of the VVD. A model without bones has none to check against. */
export function strayBones(
  { mdl, vvd }: Pick<SourceModel, "mdl" | "vvd">,
): StrayBones {
  const out: StrayBones = {
    vertices: 0,
    influences: 0,
    weighted: 0,
    first: null,
  };
  const data = vvd?.vertexData;
  const bones = mdl.bones.length;
  if (!data || bones === 0) return out;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  for (let at = 0; at < data.length; at += RECORD_BYTES) {
    const used = Math.min(data[at + 15], 3);
    let stray = 0;
    for (let k = 0; k < used; k++) {
      const bone = data[at + 12 + k];
      if (bone < bones) continue;
      out.first ??= { vertex: at / RECORD_BYTES, bone };
      if (view.getFloat32(at + 4 * k, true) !== 0) out.weighted++;
      stray++;
    }
    out.influences += stray;
    if (stray > 0) out.vertices++;
  }
  return out;
}
