/**
 * Reads a CSS authored mesh.
 *
 * Reading and judging are two things: a file is read when it fits the model, whatever the importer thinks of it; what the
 * importer refuses is said by {@linkcode validateCssMesh}. What does not fit is an error with the rule's own code: no
 * JSON object, another schema, a missing array, a row of other than the right numbers, an index out of range, a colour that
 * is no bytes, a bone before its parent, counts of normals or colours that differ from the wedges.
 *
 * @module
 */
import { type MeshError, meshError } from "../../core/errors.ts";
import { type Limits, withLimits } from "../../core/limits.ts";
import { checkedPrefix, DEFAULT_PREFIX, judgeCss } from "./judge.ts";
import { locate } from "./locate.ts";
import { modelOf } from "./model.ts";
import { parseCss } from "./parse.ts";
import { pointer, type Problem } from "./problems.ts";
import type { Leaf } from "../../core/json_tokenizer.ts";
import type { CssMesh } from "./types.ts";

/** Options of {@linkcode readCssMesh}. */
export interface ReadCssOptions {
  /** Limits on size, counts and depth. */
  limits?: Partial<Limits>;
  /** Is told how many bytes of how many are read. */
  onProgress?: (done: number, total: number) => void;
}

/** Options of {@linkcode readJudgedCss}. */
export interface ReadJudgedOptions extends ReadCssOptions {
  /** Where the mesh must lie: `/Game/CSSAuthoring/` unless given. */
  packagePrefix?: string;
  /** Package that takes the place of the file's own. */
  meshPackage?: string;
  /** Package of the skeleton that takes the place of the file's own. */
  skeletonPackage?: string;
  /** Broken rules for which the file is not taken, besides those that keep it from being read. */
  refuses?: (problem: Problem) => boolean;
  /** What an error says behind its place, of a file that could be read. */
  hint?: (broken: readonly Problem[], errors: number) => string;
}

/** A file that fits the model. */
export interface JudgedCss {
  /** The mesh, with its packages as the file names them. */
  css: CssMesh;
  /** The first rules of the importer that it breaks, in the importer's order. */
  broken: readonly Problem[];
  /** How many it breaks in all. */
  errors: number;
}

/** A broken rule as an error, with its place in the text; `more` goes behind the place. */
function problemError(
  problem: Problem,
  bytes: Uint8Array,
  limits: Limits,
  more = "",
): MeshError {
  const [place] = locate(bytes, [problem.path], limits.maxJsonDepth);
  return meshError(
    problem.code,
    `${problem.message} (line ${place.line}, column ${place.column}${more})`,
    {
      format: "css",
      offset: place.offset,
      path: pointer(problem.path),
      found: problem.found,
      allowed: problem.allowed,
    },
  );
}

/**
 * Reads a file and judges it by every rule of the importer; the engine's part is left out.
 *
 * @throws {MeshError} As {@linkcode readCssMesh}; the first broken rule for which the file is not taken.
 */
export function readJudgedCss(
  bytes: Uint8Array,
  options: ReadJudgedOptions = {},
): JudgedCss {
  const limits = withLimits(options.limits);
  const raw = parseCss(bytes, limits, options.onProgress);
  // what is no text stays, for the model needs one
  const package_ = (own: Leaf | undefined, given: string | undefined) =>
    typeof own === "string" ? given ?? own : own;
  const judged = {
    ...raw,
    meshPackage: package_(raw.meshPackage, options.meshPackage),
    skeletonPackage: package_(raw.skeletonPackage, options.skeletonPackage),
  };
  const { structural, list, errors } = judgeCss(judged, {
    bytes: bytes.length,
    packagePrefix: checkedPrefix(options.packagePrefix),
    structureOnly: false,
  });
  const { refuses = () => false, hint = () => "" } = options;
  const refused = list.find((p) => p.structural || refuses(p)) ?? structural;
  if (refused) {
    const more = structural ? "" : hint(list, errors);
    throw problemError(refused, bytes, limits, more);
  }
  return { css: modelOf(raw), broken: list, errors };
}

/**
 * Reads a file into typed arrays. Numbers are read as `JSON.parse` gives them and stored as f32, as the importer does. Of a
 * key that stands twice the last value counts; keys without meaning are named in `unknownKeys` and not kept; a byte order
 * mark is passed. Files beyond the longest string of the runtime are read like any other.
 *
 * @param bytes The file, UTF-8.
 * @throws {MeshError} R-FILE for an empty file, R-JSON and R-ROOT for what is no JSON object, the rule's code for what does
 * not fit the model (with `offset` and `path`), LIMIT-EXCEEDED.
 *
 * @example
 * ```ts
 * import { readCssMesh } from "@meshwright/kit/css";
 *
 * const text = JSON.stringify({
 *   schema: 1,
 *   mesh_package: "/Game/CSSAuthoring/Demo/SK_Demo",
 *   skeleton_package: "/Game/CSSAuthoring/Demo/SKEL_Demo",
 *   bones: [{ name: "root", parent: -1, translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] }],
 *   materials: ["Body"],
 *   points: [[0, 0, 0], [100, 0, 0], [0, 100, 0]],
 *   wedges: [[0, 0, 0], [1, 1, 0], [2, 0, 1]],
 *   faces: [[0, 2, 1, 0]],
 *   influences: [[0, 0, 1], [1, 0, 1], [2, 0, 1]],
 * });
 * const mesh = readCssMesh(new TextEncoder().encode(text));
 * console.log(mesh.points.length / 3, mesh.bones[0].name); // 3 root
 * ```
 */
export function readCssMesh(
  bytes: Uint8Array,
  options: ReadCssOptions = {},
): CssMesh {
  const limits = withLimits(options.limits);
  const raw = parseCss(bytes, limits, options.onProgress);
  const { structural } = judgeCss(raw, {
    bytes: bytes.length,
    packagePrefix: DEFAULT_PREFIX,
    structureOnly: true,
  });
  if (structural) throw problemError(structural, bytes, limits);
  return modelOf(raw);
}
