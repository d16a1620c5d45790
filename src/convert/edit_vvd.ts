/**
 * A Source vertex file that stays one: what was asked for is done to it in place, so that it still fits the model's other
 * files as far as it can.
 *
 * @module
 */
import type { LossReport } from "../core/loss.ts";
import type { Mesh } from "../core/mesh.ts";
import { meshToVvd } from "../formats/vvd/mesh.ts";
import { replayVvd } from "../formats/vvd/replay.ts";
import type { Vvd } from "../formats/vvd/types.ts";

/** What can be asked of the file itself, whatever becomes of its vertices. */
export interface VvdEdits {
  /** The one level of detail to keep, which must exist. */
  lod?: number;
  /** The last level of detail to keep. */
  lods?: "all" | number;
  /** Another checksum. */
  checksum?: number;
}

/** At another root LOD: records are copied, not made anew. */
function atRootLod(vvd: Vvd, lod: number, loss: LossReport): Vvd {
  const out = replayVvd(vvd, lod, { singleLod: true });
  const why = `root LOD ${lod} was asked for`;
  loss.add("dropped", "levels of detail", vvd.numLODs - 1, why);
  loss.add(
    "dropped",
    "vertices of higher detail",
    vvd.numLODVertexes[0] - out.numLODVertexes[0],
    why,
  );
  return out;
}

/** Without the coarser levels. Their vertices stay: only the VTX tells which of them no finer level draws. */
function upToLod(vvd: Vvd, last: number, loss: LossReport): Vvd {
  if (vvd.numLODs <= last + 1) return vvd;
  loss.add(
    "dropped",
    "levels of detail",
    vvd.numLODs - last - 1,
    `levels 0 to ${last} were asked for`,
  );
  return {
    ...vvd,
    numLODs: last + 1,
    numLODVertexes: vvd.numLODVertexes.map((_, i, counts) =>
      counts[Math.min(i, last)]
    ),
    fixups: vvd.fixups.map((row) => ({
      ...row,
      lod: Math.min(row.lod, last),
    })),
  };
}

/** The file with what was asked of it; itself when that changes nothing. */
export function editVvd(
  vvd: Vvd,
  { lod, lods, checksum }: VvdEdits,
  loss: LossReport,
): Vvd {
  let out = lod === undefined ? vvd : atRootLod(vvd, lod, loss);
  if (typeof lods === "number") out = upToLod(out, lods, loss);
  if (checksum === undefined || checksum >>> 0 === out.checksum) return out;
  loss.add("changed", "checksum", 1, "asked for");
  return { ...out, checksum: checksum >>> 0 };
}

/** The file as one level without fixups, so that its mesh has the order of the pool. */
export function poolOf(vvd: Vvd): Vvd {
  return {
    ...vvd,
    numLODs: 1,
    numLODVertexes: vvd.numLODVertexes.map((_, __, [pool]) => pool),
    fixups: [],
  };
}

/**
 * The file with the vertices of a mesh, and everything else as it was.
 *
 * @param mesh What became of the mesh of {@linkcode poolOf}: points, as many as they were, since none is ever merged.
 */
export function vvdWithVertices(
  vvd: Vvd,
  mesh: Mesh,
  loss: LossReport,
): Vvd {
  const { vertexData, tangentData } = meshToVvd(mesh);
  if (tangentData) return { ...vvd, vertexData, tangentData };
  const why = "they can stand only behind tangents";
  loss.add("dropped", "extra-data arrays", vvd.extra.length, why);
  return { ...vvd, vertexData, tangentData, extra: [] };
}
