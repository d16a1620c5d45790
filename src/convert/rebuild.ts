/**
 * What is made anew on the way from one format to another: tangents, levels of detail, heightfields; with its rows in the
 * report.
 *
 * @module
 */
import { bitsOf } from "../core/bytes.ts";
import type { FormatId } from "../core/formats.ts";
import { meshError } from "../core/errors.ts";
import { IMPORTER_TANGENT_TRIANGLES } from "../core/limits.ts";
import type { LossReport } from "../core/loss.ts";
import type { Mesh } from "../core/mesh.ts";
import { firstNotBelow } from "../core/scan.ts";
import {
  type BuildLodsOptions,
  type BuiltLods,
  measureLods,
} from "../ops/build_lods.ts";
import { heightfieldOf } from "../ops/heightfield.ts";
import { rebuildNormals } from "../ops/rebuild_normals.ts";
import {
  countTangents,
  type RebuildTangentsOptions,
} from "../ops/rebuild_tangents.ts";
import type { Simplifier } from "../ops/simplify_triangles.ts";
import { weldMesh, type WeldOptions } from "../ops/weld_mesh.ts";
import { type AddedEntry, fitTriangles } from "./fit_parts.ts";

/** What a conversion makes of the geometry that the input had not. */
export interface MakeOptions {
  /** Merge vertices, before levels of detail are made; tolerances are in the output's unit. */
  weld?: WeldOptions;
  /** Make levels of detail in place of those of the input; distances are in the output's unit. */
  buildLods?: Omit<BuildLodsOptions, "simplifier">;
  /** meshoptimizer's `MeshoptSimplifier`, once its `ready` has resolved, for levels of detail by its rule. */
  simplifier?: Simplifier;
  /** Give the mesh, which must be a grid, the collider grid of its heights: payload and glTF hold one. */
  heightfield?: boolean;
}

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

/**
 * Vertices whose vector became another one, bit for bit, and the largest difference of a component.
 *
 * @param stride Numbers of a vertex.
 * @param size How many of them, the first ones, count.
 */
function compareVectors(
  before: Float32Array,
  after: Float32Array,
  stride: number,
  size = stride,
): { count: number; largest: number } {
  const [a, b] = [bitsOf(before), bitsOf(after)];
  let count = 0;
  let largest = 0;
  for (let v = 0; v < before.length; v += stride) {
    let differs = false;
    for (let i = v; i < v + size; i++) {
      if (a[i] === b[i]) continue;
      differs = true;
      const difference = Math.abs(after[i] - before[i]);
      if (difference > largest && difference < Infinity) largest = difference;
    }
    if (differs) count++;
  }
  return { count, largest };
}

/** The mesh with normals from its faces, by the payload's rule. */
export function withNewNormals(
  mesh: Mesh,
  format: FormatId,
  loss: LossReport,
  added: AddedEntry[],
): Mesh {
  if (mesh.lods[0].indices === null) {
    throw meshError(
      "ARGUMENT",
      "Keep the normals: they are rebuilt from faces, and this file has none",
      { format, path: "normals", found: "rebuild" },
    );
  }
  const made = rebuildNormals(mesh);
  const [before, after] = [mesh.attributes.normal, made.attributes.normal!];
  if (before) {
    const { count, largest } = compareVectors(before, after, 3);
    loss.add("changed", "normals", count, "asked for: rebuilt", { largest });
  } else {
    added.push({
      what: "normals",
      count: mesh.vertexCount,
      why: "asked for: rebuilt, by the payload's own rule",
    });
  }
  return made;
}

/** Why new tangents make vertices more. */
const REPEATED = "repeated where the corners of one have different tangents";

/** The mesh with MikkTSpace tangents. */
export function withNewTangents(
  mesh: Mesh,
  format: FormatId,
  { mode = "corrected", degenerate = "reference" }: Pick<
    RebuildTangentsOptions,
    "mode" | "degenerate"
  >,
  loss: LossReport,
  added: AddedEntry[],
): Mesh {
  check(mesh, format);
  const hasBadIndex = mesh.lods.some(({ indices }) =>
    indices && firstNotBelow(indices, mesh.vertexCount) >= 0
  );
  const source = hasBadIndex ? fitTriangles(mesh, loss) : mesh;
  const result = countTangents(source, { mode, degenerate });
  const { tangent } = source.attributes;
  if (tangent) {
    // copies stand behind the vertices that the mesh had; a payload stores no signs, so none can change
    const { count, largest } = compareVectors(
      tangent,
      result.mesh.attributes.tangent!,
      4,
      format === "payload" ? 3 : 4,
    );
    loss.add(
      "changed",
      "tangents",
      count,
      `asked for: rebuilt by MikkTSpace, ${mode}`,
      { largest },
    );
  } else {
    added.push({
      what: "tangents",
      count: result.mesh.vertexCount,
      why: `asked for: MikkTSpace, ${mode}`,
    });
  }
  added.push({
    what: "degenerate tangents",
    count: result.degenerate,
    why: degenerate === "repair"
      ? "MikkTSpace leaves them without meaning; they were made unit and at right angles to the normal"
      : "MikkTSpace leaves them without meaning, and so they stay; the option degenerate=repair mends them",
  });
  loss.add(
    "changed",
    "vertices",
    result.split,
    REPEATED,
  );
  return result.mesh;
}

/**
 * A CSS authored mesh for a viewer: it stores no tangents, its importer makes them by MikkTSpace, and so does this. Meshes
 * that have nothing to make them from stay as they are, and so do very large ones, whose viewers make them.
 */
export function withImporterTangents(mesh: Mesh, added: AddedEntry[]): Mesh {
  const triangles = mesh.lods.reduce(
    (sum, { indices }) => sum + (indices?.length ?? 0) / 3,
    0,
  );
  const possible = mesh.attributes.uvs.length > 0 && triangles > 0 &&
    mesh.attributes.normal !== undefined;
  if (!possible || triangles > IMPORTER_TANGENT_TRIANGLES) return mesh;
  const made = countTangents(mesh, { degenerate: "repair" });
  added.push({
    what: "tangents",
    count: made.mesh.vertexCount,
    why: "MikkTSpace, as the importer makes them",
  });
  if (made.split > 0) {
    added.push({
      what: "vertices",
      count: made.split,
      why: REPEATED,
    });
  }
  return made.mesh;
}

/** Formats that hold levels of detail, and those that hold a heightfield. */
const WITH_LODS: readonly FormatId[] = ["gltf", "payload", "smd"];
const WITH_HEIGHTFIELD: readonly FormatId[] = ["gltf", "payload"];

function requireTarget(
  path: string,
  what: string,
  to: FormatId,
  allowed: readonly FormatId[],
): void {
  if (allowed.includes(to)) return;
  throw meshError(
    "ARGUMENT",
    `Choose a target that holds ${what}, ${
      allowed.join(" or ")
    }: ${to} holds none`,
    { path, found: to, allowed },
  );
}

/** Takes away the levels of detail that new ones are to replace. */
export function withoutOldLods(
  mesh: Mesh,
  to: FormatId,
  loss: LossReport,
): Mesh {
  requireTarget("buildLods", "levels of detail", to, WITH_LODS);
  loss.add(
    "dropped",
    "levels of detail",
    mesh.lods.length - 1,
    "asked for: new ones took their place",
  );
  return { ...mesh, lods: mesh.lods.slice(0, 1) };
}

function lodsReport({ mesh, rule, asked, largestError }: BuiltLods): string {
  const by = rule === "payload"
    ? "by the payload's own rule"
    : "by meshoptimizer's simplifier";
  const triangles = mesh.lods.map((l) => Math.floor(l.indices!.length / 3));
  const deviation = largestError === null
    ? ""
    : `, at most ${
      Number((largestError * 100).toPrecision(2))
    } % of the extent away`;
  const fewer = mesh.lods.length < asked
    ? `; ${asked - mesh.lods.length} more would have been no coarser or empty`
    : "";
  return `asked for: ${by}, ${
    triangles.join(", ")
  } triangles${deviation}${fewer}`;
}

/** The fitted mesh, welded, with the levels of detail and the heightfield that were asked for. */
export function withNewData(
  mesh: Mesh,
  to: FormatId,
  { weld, buildLods, simplifier, heightfield }: MakeOptions,
  loss: LossReport,
  added: AddedEntry[],
): Mesh {
  let out = mesh;
  if (weld) {
    const { mesh: welded, merged } = weldMesh(mesh, weld);
    out = welded;
    loss.add("changed", "vertices", merged, "asked for: merged with others");
  }
  if (buildLods) {
    const made = measureLods(out, {
      ...buildLods,
      ...(simplifier ? { simplifier } : {}),
    });
    out = made.mesh;
    added.push({
      what: "levels of detail",
      count: out.lods.length - 1,
      why: lodsReport(made),
    });
  }
  if (heightfield) {
    requireTarget("heightfield", "a heightfield", to, WITH_HEIGHTFIELD);
    if (to === "payload" && mesh.skeleton) {
      throw meshError(
        "ARGUMENT",
        "Convert a mesh without a skeleton: a skinned payload holds no heightfield",
        { format: "payload", path: "heightfield", found: "skinned" },
      );
    }
    const grid = heightfieldOf(mesh);
    out = { ...out, heightfield: grid };
    added.push({
      what: "heightfield",
      count: 1,
      why: `asked for: ${grid.rows} rows along Z, ${grid.cols} columns along X`,
    });
  }
  return out;
}
