/**
 * Whether a conversion's report tells exactly what reading its output lacks.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { convert, type ConvertOptions } from "../../src/convert/convert.ts";
import { meshOf, readFile, type ReadOptions } from "../../src/convert/read.ts";
import { deriveTangentSigns, diffMeshes } from "../../src/ops/mod.ts";

/** What a report may name though the meshes are the same: the mesh model has no place for it. */
const OUTSIDE_THE_MESH = [
  "checksum",
  "material folders",
  "surface property",
  "surface properties of bones",
  "shadow levels of detail",
  "skin families",
  "flex ramps",
  "eyeballs",
  "flex controllers",
  "sequences",
  "attachments",
  "hitbox sets",
  "bone controllers",
  "pose parameters",
  "IK chains",
  "included models",
  "materials",
];

/** Converts, reads back, compares: a difference and a row about the mesh must go together. */
export async function assertLossTold(
  bytes: Uint8Array,
  read: ReadOptions,
  to: "gltf" | "payload" | "css",
  options: Partial<ConvertOptions> = {},
): Promise<void> {
  const { outputs: [out], report } = await convert(bytes, {
    ...read,
    ...options,
    to,
  });
  const before = meshOf(await readFile(bytes, read), null);
  const file = await readFile(out, { from: to });
  const after = meshOf(file, null);
  const diff = diffMeshes(
    before,
    to === "payload" ? deriveTangentSigns(after).mesh : after,
  );
  // the models of a body group that are not shown leave vertices alone
  const same = diff.same && diff.unused.every((n) => n === 0);
  const rows = report.loss.map((l) => l.what)
    .filter((what) => !OUTSIDE_THE_MESH.includes(what));
  const at = `${read.name} to ${to}: ${rows}`;
  // rounding is reported and too small to be a difference
  if (to === "gltf") assertEquals(same, rows.length === 0, at);
  else if (!same) assertEquals(rows.length > 0, true, at);
}
