/**
 * The CSS authored mesh among the other formats: what its mesh leaves out, what an inspection says, how a mesh becomes one.
 *
 * @module
 */
import type { Code } from "../core/codes.ts";
import type { LossReport } from "../core/loss.ts";
import type { Mesh } from "../core/mesh.ts";
import type { Pieces } from "../core/pieces.ts";
import { type CssAsMesh, cssToMesh } from "../formats/css/css_to_mesh.ts";
import { type CssInspection, describeCss } from "../formats/css/inspect.ts";
import { type CssAddition, meshToCss } from "../formats/css/mesh_to_css.ts";
import { pointer, type Problem } from "../formats/css/problems.ts";
import { readJudgedCss, type ReadJudgedOptions } from "../formats/css/read.ts";
import type { CssMesh } from "../formats/css/types.ts";
import { cssText } from "../formats/css/write.ts";
import type { MeshInspection } from "./inspect.ts";

/** A CSS authored mesh in its own terms. */
export interface CssFile {
  /** The file. */
  css: CssMesh;
  /** The first rules of the importer that it breaks. */
  broken: readonly Problem[];
  /** How many it breaks in all. */
  errors: number;
  /** Its mesh, made when it is first asked for. */
  asMesh(): CssAsMesh;
  /** Lets go of all rows, for whoever has taken the mesh: of a large file they are as large as the mesh. */
  release(): void;
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

/**
 * What a conversion takes of a CSS authored mesh.
 *
 * | rule | takes |
 * | --- | --- |
 * | `any` | every file that fits the model: to look at it |
 * | `lenient` | every file that fits the model and has faces to convert |
 * | `importable` | what the importer takes, whatever the size of its text |
 */
export type CssRule = "any" | "lenient" | "importable";

/** Without these there is no mesh. */
const NO_MESH: readonly Code[] = [
  "R-ARRAY-EMPTY:points",
  "R-ARRAY-EMPTY:wedges",
  "R-ARRAY-EMPTY:faces",
];

const REFUSES: Record<CssRule, (problem: Problem) => boolean> = {
  any: () => false,
  lenient: ({ code }) => NO_MESH.includes(code),
  // the size is the text's, not the mesh's
  importable: ({ code }) => code !== "R-FILE",
};

/** What else to know of a refused file. */
function hint(broken: readonly Problem[], errors: number): string {
  if (broken.some(REFUSES.lenient)) return "";
  const rest = errors > 1 ? `; validate lists ${errors} errors` : "";
  return `${rest}; the option lenient takes it for another format`;
}

/**
 * Reads a file.
 *
 * @throws {MeshError} As the format's reader; the first broken rule for which the file is not taken.
 */
export function readCssFile(
  bytes: Uint8Array,
  options: ReadJudgedOptions,
  rule: CssRule,
): CssFile {
  const { css, broken, errors } = readJudgedCss(bytes, {
    ...options,
    refuses: REFUSES[rule],
    hint,
  });
  let made: CssAsMesh | null = null;
  const file: CssFile = {
    css,
    broken,
    errors,
    asMesh: () => made ??= cssToMesh(file.css),
    release() {
      made = null;
      file.css = { ...file.css, ...NO_ROWS };
    },
  };
  return file;
}

/** What is large in a mesh, without a row. */
const NO_ROWS: Partial<CssMesh> = {
  points: new Float32Array(0),
  wedgePoints: new Uint32Array(0),
  wedgeUvs: new Float32Array(0),
  faces: new Uint32Array(0),
  influencePoints: new Uint32Array(0),
  influenceBones: new Uint32Array(0),
  influenceWeights: new Float32Array(0),
  normals: null,
  colors: null,
  morphTargets: null,
};

/** What the importer refuses in a file that was taken all the same: each rule once, by its first case. */
export function cssWarnings(
  { broken }: CssFile,
): { code: Code; message: string }[] {
  const counts = new Map<Code, number>();
  for (const { code } of broken) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].map(([code, n]) => {
    const { message, path } = broken.find((p) => p.code === code)!;
    const more = n > 1 ? `, and ${n - 1} more` : "";
    return { code, message: `${message} (${pointer(path) || "file"}${more})` };
  });
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
): Pieces {
  reportUnknownKeys(css, loss);
  for (const key of ["meshPackage", "skeletonPackage"] as const) {
    if (packages[key] !== undefined && packages[key] !== css[key]) {
      loss.add("changed", key, 1, `asked for: ${packages[key]}`);
    }
  }
  return cssText(
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
): { text: Pieces; added: CssAddition[] } {
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
  return { text: cssText(css, packages), added };
}
