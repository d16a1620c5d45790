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
import { meshError } from "../../core/errors.ts";
import { type Limits, withLimits } from "../../core/limits.ts";
import { DEFAULT_PREFIX, judgeCss } from "./judge.ts";
import { locate } from "./locate.ts";
import { modelOf } from "./model.ts";
import { parseCss, type RawCss } from "./parse.ts";
import { pointer, type Problem } from "./problems.ts";
import type { CssMesh } from "./types.ts";

/** Options of {@linkcode readCssMesh}. */
export interface ReadCssOptions {
  /** Limits on size, counts and depth. */
  limits?: Partial<Limits>;
}

/** The model of a parsed file. */
export function modelOrThrow(
  raw: RawCss,
  bytes: Uint8Array,
  limits: Limits,
  first: Problem | null,
): CssMesh {
  if (!first) return modelOf(raw);
  const [place] = locate(bytes, [first.path], limits.maxJsonDepth);
  throw meshError(
    first.code,
    `${first.message} (line ${place.line}, column ${place.column})`,
    {
      format: "css",
      offset: place.offset,
      path: pointer(first.path),
      found: first.found,
      allowed: first.allowed,
    },
  );
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
  const raw = parseCss(bytes, limits);
  const { structural } = judgeCss(raw, {
    bytes: bytes.length,
    packagePrefix: DEFAULT_PREFIX,
    structureOnly: true,
  });
  return modelOrThrow(raw, bytes, limits, structural);
}
