/**
 * Holds a loss report against what a comparison of input and output finds: nothing differs unsaid, nothing is said in vain.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { decodersFor } from "../../src/cli/decoders.ts";
import { convert, type ConvertReport } from "../../src/convert/convert.ts";
import { meshOf, readFile } from "../../src/convert/read.ts";
import { MeshError } from "../../src/core/errors.ts";
import type { FormatId } from "../../src/core/formats.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import {
  deriveTangentSigns,
  diffMeshes,
  type MeshDifference,
} from "../../src/ops/mod.ts";
import { jsonOf, resourcesOf } from "../gltf/corpus_files.ts";

/** What a difference is called, and which rows may speak of it. */
const ROWS: readonly (readonly [string, RegExp])[] = [
  ["position", /position/],
  ["normal", /^normals/],
  ["tangent", /^tangent/],
  ["color", /^colour/],
  ["uv", /^texture/],
  ["weights", /weights|influences|joint/],
  ["morphs", /morph/],
];

const deviates = (d: MeshDifference, name: string) =>
  d.attributes.some((a) => a.name.startsWith(name) && a.count > 0) ||
  d.only.a.some((n) => n.startsWith(name));

/** Differences that no row speaks of. What the target adds is none. */
function unsaid(d: MeshDifference, report: ConvertReport): string[] {
  const says = (what: RegExp) => report.loss.some((l) => what.test(l.what));
  const adds = (what: RegExp) => report.added.some((l) => what.test(l.what));
  const out: string[] = [];
  // vertices that are gone leave none at their place, or others
  const fewer = says(/^(vertices|points|wedges)/);
  if (
    d.unpaired[0] + d.unused[0] > 0 && !fewer &&
    !says(/position|triangles|faces/)
  ) {
    out.push("vertices");
  }
  for (const [name, row] of ROWS) {
    if (deviates(d, name) && !says(row) && !fewer) out.push(name);
  }
  const triangles = d.lods.some((l) => l.missing + l.extra + l.reversed > 0);
  if (triangles && !says(/triangles|faces|levels|indices/)) {
    out.push("triangles");
  }
  const notes = d.notes.filter((n) => !n.startsWith("Only the second"));
  const explained = says(/joint|skeleton|morph|levels|heightfield|distances/) ||
    adds(/bone|joint/);
  if (notes.length > 0 && !explained) out.push(...notes);
  return out;
}

/** Rows on attributes in which nothing differs by a bit. What the mesh never had, such as weights without a skin, no comparison shows. */
function saidInVain(exact: MeshDifference, report: ConvertReport): string[] {
  const gone = [...exact.unpaired, ...exact.unused].some((n) => n > 0);
  const held = (name: string) =>
    [...exact.attributes.map((a) => a.name), ...exact.only.a]
      .some((n) => n.startsWith(name));
  const claims: [string, RegExp][] = [
    ["position", /^positions$/],
    ["normal", /^normals$/],
    ["tangent", /^tangent/],
    ["color", /^colours$/],
    ["weights", /^(weights|influences|skin weights)$/],
  ];
  return claims.filter(([name, row]) =>
    !gone && held(name) && !deviates(exact, name) &&
    report.loss.some((l) => row.test(l.what))
  ).map(([name]) => name);
}

/** A mesh with what stands for nothing in its format spelled out: a payload's tangents have no signs. */
function spelledOut(mesh: Mesh, format: FormatId): Mesh {
  return format === "payload" ? deriveTangentSigns(mesh).mesh : mesh;
}

/** Options for reading a corpus file. */
export async function corpusOptions(
  path: string,
  from: FormatId,
  bytes: Uint8Array,
) {
  if (from !== "gltf") return { from, name: path };
  const json = jsonOf(bytes);
  return {
    from,
    name: path,
    resources: resourcesOf(path, json),
    decoders: await decodersFor(json),
  };
}

/**
 * Converts a corpus file and holds its report against the output; gives the outputs, or the MeshError that refuses the file.
 */
export async function assertSaid(
  path: string,
  bytes: Uint8Array,
  from: FormatId,
  to: "gltf" | "payload" | "css" | "vvd",
): Promise<Uint8Array[] | MeshError> {
  const options = await corpusOptions(path, from, bytes);
  let made;
  try {
    made = await convert(bytes, { ...options, to });
  } catch (error) {
    if (error instanceof MeshError) return error;
    throw error;
  }
  const { outputs, report } = made;
  const a = spelledOut(meshOf(await readFile(bytes, options), null), from);
  const out = await readFile(outputs[0], { from: to });
  const b = spelledOut(meshOf(out, null), to);
  const label = `${path} to ${to}`;
  assertEquals(unsaid(diffMeshes(a, b), report), [], `${label}: unsaid`);
  const exact = diffMeshes(a, b, { tolerance: 0 });
  assertEquals(saidInVain(exact, report), [], `${label}: said in vain`);
  return outputs;
}
