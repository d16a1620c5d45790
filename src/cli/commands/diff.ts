import { meshOf, readFile } from "../../convert/read.ts";
import type { MeshError } from "../../core/errors.ts";
import type { Mesh } from "../../core/mesh.ts";
import { diffMeshes, type MeshDifference } from "../../ops/diff_meshes.ts";
import { dropUnusedVertices } from "../../ops/drop_unused.ts";
import { deriveTangentSigns } from "../../ops/tangent_signs.ts";
import { readInput, readOptions } from "../files.ts";
import type { Host } from "../host.ts";
import { eachFile, printFailure } from "../run_files.ts";
import { clean, count, paint, plural, short, table } from "../text.ts";
import { type Command, UsageError } from "../usage.ts";

/** Levels of detail of the two meshes; null for all of them. */
type Levels = readonly [number | null, number | null];

/** `A` or `A,B`. */
function levelsOf(text: string | undefined, files: number): Levels {
  const levels = text === undefined ? [] : text.split(",");
  if (levels.length > 2 || !levels.every((x) => /^\d+$/.test(x))) {
    throw new UsageError(
      `Give --lod a level of both meshes or one of each, as in 0 or 0,1: found "${text}"`,
    );
  }
  if (files === 1 && levels.length < 2) {
    throw new UsageError(
      "Name two files, or two levels of detail of one with --lod A,B",
    );
  }
  const [a = null, b = a] = levels.map(Number);
  return [a, b];
}

async function load(
  host: Host,
  name: string,
  level: number | null,
): Promise<Mesh> {
  const input = await readInput(host, name);
  const file = await readFile(input.bytes, {
    ...readOptions(input),
  });
  const mesh = meshOf(file, level);
  // a payload stores no signs, and what is made of it gets these
  const signed = file.format === "payload"
    ? deriveTangentSigns(mesh).mesh
    : mesh;
  const { vertexCount } = signed;
  const inRange = signed.lods.every((lod) =>
    lod.indices?.every((v) => v < vertexCount) ?? true
  );
  // all levels share their vertices; those of the others would all count as missing
  return level === null || !inRange ? signed : dropUnusedVertices(signed);
}

function describe(
  host: Host,
  a: string,
  b: string,
  d: MeshDifference,
): string {
  const parts = [
    `${clean(a)} and ${clean(b)}: ${
      d.same
        ? paint(host, "green", "the same mesh")
        : paint(host, "red", "different")
    } (vertices paired by ${d.pairedBy})`,
    table([
      ["  attribute", "largest", "mean", "vertices beyond tolerance"],
      ...d.attributes.map((x) => [
        `  ${x.name}`,
        // where no vertex has a partner, there is nothing to measure
        x.largest === null ? "-" : short(x.largest),
        x.mean === null ? "-" : short(x.mean),
        count(x.count),
      ]),
    ]),
    table([
      ["  LOD", "triangles of A", "of B", "missing", "extra", "reversed"],
      ...d.lods.map((l) => [
        `  ${l.level}`,
        ...[l.trianglesA, l.trianglesB, l.missing, l.extra, l.reversed].map(
          count,
        ),
      ]),
    ]),
  ];
  if (d.morphTargets.length > 0) {
    parts.push(table([
      ["  morph target", "largest", "mean", "vertices beyond tolerance"],
      ...d.morphTargets.map((x) => [
        `  ${clean(x.name)}`,
        x.largest === null ? "-" : short(x.largest),
        x.mean === null ? "-" : short(x.mean),
        count(x.count),
      ]),
    ]));
  }
  const lines = [
    ...(d.unpaired[0] + d.unpaired[1] > 0
      ? [
        `${
          plural(d.unpaired[0], "vertex", "vertices")
        } only in the first mesh, ${count(d.unpaired[1])} only in the second`,
      ]
      : []),
    ...(d.unused[0] + d.unused[1] > 0
      ? [
        `No difference: of the vertices that no triangle uses ${
          count(d.unused[0])
        } are only in the first mesh, ${count(d.unused[1])} only in the second`,
      ]
      : []),
    ...(d.only.a.length > 0
      ? [`Only the first mesh has ${d.only.a.join(", ")}`]
      : []),
    ...(d.only.b.length > 0
      ? [`Only the second mesh has ${d.only.b.join(", ")}`]
      : []),
    ...d.notes,
  ];
  if (lines.length > 0) {
    parts.push(lines.map((l) => `  ${clean(l)}`).join("\n"));
  }
  return parts.join("\n\n") + "\n";
}

/** Infinity has no place in JSON. */
const finite = (_key: string, value: unknown) =>
  value === Infinity ? "Infinity" : value;

/** `meshwright diff`. */
export const diffCommand: Command = {
  name: "diff",
  args: "A [B]",
  summary: "tell whether two files hold the same mesh, across formats",
  details:
    "Both meshes are brought to the same axes and unit. Exit 0 when they are the same within the\ntolerance, 1 when not. Without --tolerance it is 1e-5, for positions times the mesh's extent.\n--lod N compares level N of both, --lod 0,1 level 0 of A with level 1 of B, or of A where there is\nno B; vertices that the levels do not use are left out.",
  count: [1, 2],
  options: ["json", "tolerance", "lod", "quiet"],
  own: {
    lod: {
      type: "text",
      value: "A[,B]",
      help: "level of detail of both files, or one of each",
    },
  },
  failed: ([a = null, b = a]: readonly (string | null)[]) => ({
    schema: "meshwright/diff/1",
    a,
    b,
    same: null,
  }),
  async run(host, names, o) {
    const levels = levelsOf(
      o.lod as unknown as string | undefined,
      names.length,
    );
    const [a, b = a] = names;
    const meshes: Mesh[] = [];
    const errors: MeshError[] = [];
    const exit = await eachFile(host, [a, b], async (name) => {
      meshes.push(await load(host, name, levels[meshes.length]));
      return 0;
    }, (_, error) => {
      errors.push(error);
      return Promise.resolve();
    });
    if (errors.length > 0) {
      if (o.json) await printFailure(host, diffCommand, names, errors[0]);
      return exit;
    }
    const d = diffMeshes(
      meshes[0],
      meshes[1],
      o.tolerance === undefined ? {} : { tolerance: o.tolerance },
    );
    if (o.json) {
      const lod = levels[0] === null ? {} : { lod: levels };
      await host.out(
        JSON.stringify(
          { schema: "meshwright/diff/1", a, b, ...lod, ...d },
          finite,
        ) + "\n",
      );
    } else if (!o.quiet) {
      const label = (name: string, level: number | null) =>
        level === null ? name : `LOD ${level} of ${name}`;
      await host.out(
        describe(host, label(a, levels[0]), label(b, levels[1]), d),
      );
    }
    return d.same ? 0 : 1;
  },
};
