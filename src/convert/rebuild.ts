/**
 * Rebuilding tangents on the way from one format to another, with its rows in the report.
 *
 * @module
 */
import type { FormatId } from "../core/formats.ts";
import { meshError } from "../core/errors.ts";
import type { LossReport } from "../core/loss.ts";
import type { Mesh } from "../core/mesh.ts";
import type { TangentMode } from "../kernels/tangents.ts";
import { cleanTriangles } from "../ops/clean_triangles.ts";
import { countTangents } from "../ops/rebuild_tangents.ts";
import type { AddedEntry } from "./fit.ts";

/** Refuses meshes that tangents can not be made from, with words for the one who asked. */
function check(mesh: Mesh, format: FormatId): void {
  const lacking = mesh.lods[0].indices === null
    ? "faces"
    : mesh.attributes.uvs.length === 0
    ? "texture coordinates"
    : !mesh.attributes.normal
    ? "normals"
    : null;
  if (lacking === null) return;
  throw meshError(
    "ARGUMENT",
    `Keep the tangents: they are rebuilt from faces, normals and texture coordinates, and this file has no ${lacking}`,
    { format, path: "tangents", found: "rebuild" },
  );
}

/** The mesh with MikkTSpace tangents. */
export function withNewTangents(
  mesh: Mesh,
  format: FormatId,
  mode: TangentMode,
  loss: LossReport,
  added: AddedEntry[],
): Mesh {
  check(mesh, format);
  const hasBadIndex = mesh.lods.some((lod) =>
    lod.indices?.some((v) => v >= mesh.vertexCount)
  );
  let source = mesh;
  if (hasBadIndex) {
    const clean = cleanTriangles(mesh);
    source = clean.mesh;
    loss.add(
      "repaired",
      "triangles",
      clean.outOfRange,
      "they name a vertex that does not exist, and were left out",
      { demanded: true },
    );
    loss.add(
      "repaired",
      "triangles",
      clean.nonFinite,
      "a corner is not finite, and they were left out",
      { demanded: true },
    );
    loss.add(
      "repaired",
      "indices",
      clean.leftover,
      "they make no whole triangle, and were left out",
      { demanded: true },
    );
  }
  const result = countTangents(source, { mode });
  if (mesh.attributes.tangent) {
    loss.add(
      "changed",
      "tangents",
      mesh.vertexCount,
      `asked for: rebuilt by MikkTSpace, ${mode}`,
    );
  } else {
    added.push({
      what: "tangents",
      count: result.mesh.vertexCount,
      why: `asked for: MikkTSpace, ${mode}`,
    });
  }
  loss.add(
    "changed",
    "vertices",
    result.split,
    "repeated where the corners of one have different tangents",
  );
  return result.mesh;
}
