/**
 * The CSS authored mesh among the other formats: what its mesh leaves out, what an inspection says, how a mesh becomes one.
 *
 * @module
 */
import type { LossReport } from "../core/loss.ts";
import type { Mesh } from "../core/mesh.ts";
import { type CssAsMesh, cssToMesh } from "../formats/css/css_to_mesh.ts";
import { type CssInspection, describeCss } from "../formats/css/inspect.ts";
import { type CssAddition, meshToCss } from "../formats/css/mesh_to_css.ts";
import { readCssMesh, type ReadCssOptions } from "../formats/css/read.ts";
import type { CssMesh } from "../formats/css/types.ts";
import { writeCssMesh } from "../formats/css/write.ts";
import type { MeshInspection } from "./inspect.ts";

/** A CSS authored mesh in its own terms. */
export interface CssFile {
  /** The file. */
  css: CssMesh;
  /** Its mesh, made when it is first asked for. */
  asMesh(): CssAsMesh;
}

/** Where the packages of a written CSS authored mesh lie. */
export interface CssPackages {
  /** Package of the mesh; made from its name when left out. */
  meshPackage?: string;
  /** Package of the skeleton; made from the mesh's name when left out. */
  skeletonPackage?: string;
  /** Folder that the importer allows: `/Game/CSSAuthoring/` unless given. */
  packagePrefix?: string;
}

/** Reads a file. */
export function readCssFile(
  bytes: Uint8Array,
  options: ReadCssOptions,
): CssFile {
  const css = readCssMesh(bytes, options);
  let made: CssAsMesh | undefined;
  return { css, asMesh: () => made ??= cssToMesh(css) };
}

/** Reports what a file holds and its mesh does not. */
export function reportCss(
  file: CssFile,
  toCss: boolean,
  loss: LossReport,
): void {
  const { mesh: _, normalsMade: __, ...counts } = file.asMesh();
  if (!toCss) {
    loss.add(
      "dropped",
      "package paths",
      2,
      "only a CSS authored mesh has them",
    );
  }
  reportUnknownKeys(file.css, loss);
  loss.add("dropped", "points", counts.unusedPoints, "no wedge stands on them");
  loss.add(
    "changed",
    "wedges",
    counts.mergedWedges,
    "they repeat others in everything and became one with them",
  );
}

function reportUnknownKeys(css: CssMesh, loss: LossReport): void {
  loss.add(
    "dropped",
    "keys",
    css.unknownKeys.length,
    `the importer ignores them: ${css.unknownKeys.slice(0, 5).join(", ")}`,
  );
}

/** The `mesh` part of an inspection: points and wedges as stored. */
export function inspectCssFile(
  css: CssMesh,
): { mesh: MeshInspection; css: CssInspection } {
  const d = describeCss(css);
  const [lod] = d.lods;
  return {
    mesh: {
      vertices: d.wedges,
      triangles: lod.triangles,
      bounds: d.bounds,
      materials: d.material_slots,
      uvChannels: d.uvChannels,
      attributes: [
        "position",
        ...(d.hasNormals ? ["normal"] : []),
        ...(d.hasColors ? ["color"] : []),
        ...Array.from({ length: d.uvChannels }, (_, i) => `uv${i}`),
        "joints",
        "weights",
      ],
      joints: d.bones,
      maxInfluences: d.maxInfluences,
      morphTargets: d.morph_targets.map((t) => ({
        name: t.name,
        movedVertices: t.moved_vertices,
        largestDelta: t.largest_delta_cm,
        sample: t.sample,
      })),
      lods: [{
        level: 0,
        triangles: lod.triangles,
        vertices: lod.vertices,
        switchDistance: null,
      }],
      heightfield: null,
    },
    css: d,
  };
}

/** A file written again in its canonical form. */
export function rewriteCss(
  css: CssMesh,
  packages: CssPackages,
  loss: LossReport,
): Uint8Array {
  reportUnknownKeys(css, loss);
  for (const key of ["meshPackage", "skeletonPackage"] as const) {
    if (packages[key] !== undefined && packages[key] !== css[key]) {
      loss.add("changed", key, 1, `asked for: ${packages[key]}`);
    }
  }
  return writeCssMesh(
    {
      ...css,
      meshPackage: packages.meshPackage ?? css.meshPackage,
      skeletonPackage: packages.skeletonPackage ?? css.skeletonPackage,
    },
    packages,
  );
}

/**
 * A mesh in CSS axes as a file.
 *
 * @param stem Name for packages where the mesh has none.
 * @param source The file that it came from, if that was of this format: its packages stay.
 * @param dropAllDegenerate Drop faces without area however many there are.
 */
export function meshToCssFile(
  mesh: Mesh,
  packages: CssPackages,
  stem: string,
  source: CssMesh | null,
  loss: LossReport,
  dropAllDegenerate = false,
): { bytes: Uint8Array; added: CssAddition[] } {
  const { css, added } = meshToCss(
    { ...mesh, name: mesh.name || stem },
    {
      ...(source
        ? {
          meshPackage: source.meshPackage,
          skeletonPackage: source.skeletonPackage,
        }
        : {}),
      ...packages,
      dropAllDegenerate,
      loss,
    },
  );
  return { bytes: writeCssMesh(css, packages), added };
}
