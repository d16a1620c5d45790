import { meshOf, readFile } from "../../convert/read.ts";
import type { Mesh } from "../../core/mesh.ts";
import { diffMeshes, type MeshDifference } from "../../ops/diff_meshes.ts";
import { readInput } from "../files.ts";
import type { Host } from "../host.ts";
import { eachFile } from "../run_files.ts";
import { clean, count, paint, plural, short, table } from "../text.ts";
import type { Command, OptionValues } from "../usage.ts";

async function load(
  host: Host,
  name: string,
  o: OptionValues,
): Promise<Mesh> {
  const input = await readInput(host, name);
  const file = await readFile(input.bytes, {
    name,
    resources: input.resources,
    decoders: input.decoders,
  });
  return meshOf(file, o.lod ?? null);
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
  const lines = [
    ...(d.unpaired[0] + d.unpaired[1] > 0
      ? [
        `${
          plural(d.unpaired[0], "vertex", "vertices")
        } only in the first mesh, ${count(d.unpaired[1])} only in the second`,
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
  args: "A B",
  summary: "tell whether two files hold the same mesh, across formats",
  details:
    "Both meshes are brought to the same axes and unit. Exit 0 when they are the same within the\ntolerance, 1 when not. Without --tolerance it is 1e-5, for positions times the mesh's extent.",
  count: [2, 2],
  options: ["json", "tolerance", "lod", "quiet"],
  async run(host, [a, b], o) {
    const meshes: Mesh[] = [];
    const failed = await eachFile(host, [a, b], async (name) => {
      meshes.push(await load(host, name, o));
      return 0;
    });
    if (failed > 0) return failed;
    const d = diffMeshes(
      meshes[0],
      meshes[1],
      o.tolerance === undefined ? {} : { tolerance: o.tolerance },
    );
    if (o.json) {
      await host.out(
        JSON.stringify({ schema: "meshwright/diff/1", a, b, ...d }, finite) +
          "\n",
      );
    } else if (!o.quiet) await host.out(describe(host, a, b, d));
    return d.same ? 0 : 1;
  },
};
