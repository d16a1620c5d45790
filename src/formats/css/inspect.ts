/**
 * What is in a CSS authored mesh: the report that the engine's inspector gives of an imported one.
 *
 * A vertex is a wedge, here as in the engine and in every other format: the corner of a face with its normal and its texture
 * coordinates. Points, which several wedges share, are counted beside them.
 *
 * @module
 */
import { type Bounds, boundsOf } from "../../core/mesh.ts";
import { rowsByPoint } from "./judge.ts";
import { readCssMesh, type ReadCssOptions } from "./read.ts";
import type { CssMesh, CssMorphTarget } from "./types.ts";

/** Report on one morph target. */
export interface CssMorphInspection {
  /** Its name. */
  name: string;
  /** Wedges that it moves: those on the points of its rows. */
  moved_vertices: number;
  /** Points that it moves: its rows. */
  moved_points: number;
  /** Length of its longest delta, cm. */
  largest_delta_cm: number;
  /** The first wedges that it moves, at most eight rows: wedge, dx, dy, dz. */
  sample: [number, number, number, number][];
}

/** Result of {@linkcode inspectCssMesh}: the inspector's keys, then more. */
export interface CssInspection {
  /** Package path of the mesh. */
  mesh: string;
  /** Package path of the skeleton. */
  skeleton: string;
  /** Number of bones. */
  bones: number;
  /** Material slot names. */
  material_slots: string[];
  /** The one level. `vertices` counts the wedges that faces use: the engine makes at least that many. */
  lods: { vertices: number; triangles: number; sections: number }[];
  /** Morph targets. */
  morph_targets: CssMorphInspection[];
  /** 1. */
  schema: 1;
  /** Names of the bones. */
  boneNames: string[];
  /** Points. */
  points: number;
  /** Wedges. */
  wedges: number;
  /** Texture coordinate channels. */
  uvChannels: number;
  /** Rows of influences. */
  influences: number;
  /** Most influences of a point. */
  maxInfluences: number;
  /** True when the file brings normals. */
  hasNormals: boolean;
  /** True when the file brings colours. */
  hasColors: boolean;
  /** Box of all points, cm. */
  bounds: Bounds | null;
  /** Top-level keys that the importer ignores. */
  unknownKeys: string[];
}

/** One morph target; `rowOf` has room for one number a point. */
function describeMorph(
  css: CssMesh,
  target: CssMorphTarget,
  rowOf: Uint32Array,
): CssMorphInspection {
  const { points, deltas } = target;
  /** Row of each point, plus one; of two rows the last one counts. */
  rowOf.fill(0);
  points.forEach((point, i) => rowOf[point] = i + 1);
  let largest = 0;
  for (let i = 0; i < deltas.length; i += 3) {
    const [x, y, z] = deltas.subarray(i, i + 3);
    largest = Math.max(largest, Math.sqrt(x * x + y * y + z * z));
  }
  let moved = 0;
  const sample: CssMorphInspection["sample"] = [];
  css.wedgePoints.forEach((point, wedge) => {
    const row = rowOf[point] - 1;
    if (row < 0) return;
    moved++;
    if (sample.length === 8) return;
    const [x, y, z] = deltas.subarray(row * 3, row * 3 + 3);
    sample.push([wedge, x, y, z]);
  });
  return {
    name: target.name,
    moved_vertices: moved,
    moved_points: points.length,
    largest_delta_cm: largest,
    sample,
  };
}

/** Describes a mesh. */
export function describeCss(css: CssMesh): CssInspection {
  const used = new Uint8Array(css.wedgePoints.length);
  const sections = new Set<number>();
  for (let f = 0; f < css.faces.length; f += 4) {
    used[css.faces[f]] = used[css.faces[f + 1]] = used[css.faces[f + 2]] = 1;
    sections.add(css.faces[f + 3]);
  }
  const { starts } = rowsByPoint(css.influencePoints, css.points.length / 3);
  let maxInfluences = 0;
  for (let p = 0; p + 1 < starts.length; p++) {
    maxInfluences = Math.max(maxInfluences, starts[p + 1] - starts[p]);
  }
  const rowOf = new Uint32Array(css.points.length / 3);
  return {
    mesh: css.meshPackage,
    skeleton: css.skeletonPackage,
    bones: css.bones.length,
    material_slots: [...css.materials],
    lods: [{
      vertices: used.reduce((n, u) => n + u, 0),
      triangles: css.faces.length / 4,
      sections: sections.size,
    }],
    morph_targets: (css.morphTargets ?? []).map((target) =>
      describeMorph(css, target, rowOf)
    ),
    schema: 1,
    boneNames: css.bones.map((b) => b.name),
    points: css.points.length / 3,
    wedges: css.wedgePoints.length,
    uvChannels: css.uvChannels,
    influences: css.influencePoints.length,
    maxInfluences,
    hasNormals: css.normals !== null,
    hasColors: css.colors !== null,
    bounds: boundsOf(css.points),
    unknownKeys: [...css.unknownKeys],
  };
}

/**
 * Describes a file under the inspector's own names: bones, material slots, levels, and every morph target with the number
 * of vertices it moves, its largest delta and a sample.
 *
 * @throws {MeshError} As {@linkcode readCssMesh}.
 *
 * @example
 * ```ts
 * import { inspectCssMesh, meshToCss, writeCssMesh } from "@meshwright/kit/css";
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { convertBasis } from "@meshwright/kit/ops";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/figure.payload")));
 * const { css } = meshToCss(convertBasis(mesh, "css").mesh);
 * console.log(inspectCssMesh(writeCssMesh(css)).bones);
 * ```
 */
export function inspectCssMesh(
  bytes: Uint8Array,
  options: ReadCssOptions = {},
): CssInspection {
  return describeCss(readCssMesh(bytes, options));
}
