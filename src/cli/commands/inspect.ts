import {
  inspect,
  type Inspection,
  type MdlInspection,
} from "../../convert/inspect.ts";
import { formatInfo } from "../../core/formats.ts";
import { checksumText } from "../../core/number_text.ts";
import { readInput, readOptions } from "../files.ts";
import type { Host } from "../host.ts";
import { eachFile, failureLine } from "../run_files.ts";
import { clean, count, paint, plural, short, size, table } from "../text.ts";
import type { Command } from "../usage.ts";

function vector(v: readonly number[]): string {
  return `(${v.map(short).join(", ")})`;
}

/** Companions and body parts of a Source model. */
function describeModel(mdl: MdlInspection, file: string): string[] {
  const parts: string[] = [];
  // beside stdin no file can be missing
  const missing = file === "-" ? [] : mdl.missing;
  const files = [
    ...mdl.companions.map((c) => [
      `  ${c.file}`,
      c.kind,
      c.checksum === null ? "-" : checksumText(c.checksum),
      c.matches
        ? "matches"
        : c.content
        ? `holds ${c.content}`
        : "another model or compile",
      c.used ? "used" : "-",
    ]),
    ...missing.map((name) => [`  ${name}`, "-", "-", "missing", "-"]),
  ];
  if (files.length > 0) {
    parts.push(table([
      ["  companion", "kind", "checksum", "", "use"],
      ...files,
    ]));
  }
  const models = mdl.bodyparts.flatMap((part, b) =>
    part.models.map((m, i) => [
      `  ${i === 0 ? part.name || b : ""}`,
      count(i),
      m.name,
      count(m.vertices),
      count(m.meshes),
    ])
  );
  if (models.length > 1) {
    parts.push(table([
      ["  body group", "choice", "model", "vertices", "meshes"],
      ...models,
    ]));
  }
  return parts;
}

/** Why nothing is said of the mesh. */
function whyNoMesh({ file, mdl, vvd }: Inspection): string {
  if (mdl && mdl.missing.length > 0) {
    return file === "-"
      ? "not read: its .vvd and .vtx are looked for beside the .mdl, and beside stdin there is nothing"
      : "not read: files of the model are missing";
  }
  if (mdl?.companions.some((c) => c.content)) {
    return "not read: files of the model hold nothing of it";
  }
  if (mdl?.companions.some((c) => !c.matches)) {
    return "not read: the files come from different compiles";
  }
  const counted = vvd?.numLODVertexes[0] ?? 0;
  return counted > 0
    ? `absent: the header counts ${
      plural(counted, "vertex", "vertices")
    }, the file holds none`
    : "none: the file holds no vertices";
}

/** The table of one file. */
function describe(host: Host, x: Inspection): string {
  const rows: string[][] = [];
  const add = (name: string, value: string) => void rows.push([name, value]);
  add("format", `${x.format}: ${formatInfo(x.format).name}`);
  add("size", size(x.bytes));
  if (x.vvd) {
    const { vvd } = x;
    add(
      "header",
      `version ${vvd.version}, checksum ${checksumText(vvd.checksum)}, ${
        plural(vvd.numLODs, "LOD")
      }, ${plural(vvd.fixups.length, "fixup")}`,
    );
  }
  if (x.mdl) {
    const { mdl } = x;
    add(
      "model",
      `version ${mdl.version}, checksum ${checksumText(mdl.checksum)}, ${
        plural(mdl.bones.length, "bone")
      }, ${plural(mdl.bodyparts.length, "body part")}, ${
        plural(mdl.skinFamilies.length, "skin")
      }`,
    );
  }
  if (x.payload) {
    add(
      "payload",
      x.payload.kind +
        (x.payload.trailingBytes > 0
          ? `, ${plural(x.payload.trailingBytes, "trailing byte")}`
          : ""),
    );
  }
  if (x.css && !x.css.importer.accepts) {
    const { errors, first } = x.css.importer;
    add(
      "importer",
      `refuses it: ${
        plural(errors, "error")
      }, the first ${first} (validate tells more)`,
    );
  }
  const m = x.mesh;
  if (m) {
    add(
      "mesh",
      `${plural(m.vertices, "vertex", "vertices")}, ${
        x.format === "vvd"
          ? "no faces (a VTX has them)"
          : plural(m.triangles, "triangle")
      }`,
    );
    if (x.css) {
      add(
        "points",
        `${
          count(x.css.report.points)
        }; a vertex is a wedge, the corner of a face on a point`,
      );
    }
    if (m.bounds) {
      add("bounds", `${vector(m.bounds.min)} to ${vector(m.bounds.max)}`);
    }
    add("attributes", m.attributes.join(", "));
    if (m.materials.length > 0) {
      add("materials", m.materials.map((n) => n || "(no name)").join(", "));
    }
    if (m.joints > 0) {
      add(
        "skin",
        `${plural(m.joints, "joint")}, at most ${
          plural(m.maxInfluences, "influence")
        } a vertex`,
      );
    }
    if (m.heightfield) {
      add("heightfield", `${m.heightfield.rows} x ${m.heightfield.cols}`);
    }
  } else {
    add("mesh", whyNoMesh(x));
  }
  const parts = [table(rows.map(([a, b]) => ["  " + a, b]))];
  if (x.mdl) parts.push(...describeModel(x.mdl, x.file));
  if (m && m.lods.length > 1) {
    // a lone VVD knows neither faces nor distances
    const columns = <T>(row: [T, T, T, T]) =>
      x.format === "vvd" ? [row[0], row[1]] : row;
    parts.push(table([
      columns(["  LOD", "vertices", "triangles", "from distance"]),
      ...m.lods.map((l) =>
        columns([
          `  ${l.level}`,
          count(l.vertices),
          count(l.triangles),
          l.switchDistance === null ? "-" : short(l.switchDistance),
        ])
      ),
    ]));
  }
  if (x.vvd && x.vvd.fixups.length > 0) {
    parts.push(table([
      ["  fixup", "lod", "source", "vertices"],
      ...x.vvd.fixups.slice(0, 20).map((f, i) => [
        `  ${i}`,
        String(f.lod),
        count(f.sourceVertexID),
        count(f.numVertexes),
      ]),
    ]));
    if (x.vvd.fixups.length > 20) {
      parts.push(`  … ${count(x.vvd.fixups.length - 20)} more (--json)`);
    }
  }
  if (m && m.morphTargets.length > 0) {
    parts.push(table([
      ["  morph target", "moves", "largest delta"],
      ...m.morphTargets.map((t) => [
        `  ${t.name}`,
        count(t.movedVertices),
        short(t.largestDelta),
      ]),
    ]));
  }
  return `${paint(host, "bold", clean(x.file))}\n${parts.join("\n\n")}\n`;
}

/** `meshwright inspect`. */
export const inspectCommand: Command = {
  name: "inspect",
  args: "FILE...",
  summary: "show what is in a file",
  details:
    "Header, vertices, levels of detail, morph targets, skin and heightfield, as stored,\n" +
    "in the format's own units and axes. A CSS mesh that its importer would refuse is shown as far as\n" +
    "it fits the format, and the table says so; its vertices are wedges. A Source model whose files\n" +
    "are missing or stale is shown without its mesh, and they are named: that is no error here, while\n" +
    "convert refuses it (exit 3). --json prints a line for every file, with an error in it where the\n" +
    "file can not be read.",
  count: [1, Infinity],
  options: ["json", "lod", "from", "package-prefix", "quiet"],
  failed: ([file], error) => ({
    schema: "meshwright/inspect/1",
    file: file ?? null,
    format: error.format ?? null,
  }),
  run(host, args, options) {
    let shown = 0;
    return eachFile(
      host,
      args,
      async (name) => {
        const input = await readInput(host, name);
        const found = await inspect(input.bytes, {
          ...readOptions(input),
          giveAway: true,
          lod: options.lod ?? 0,
          ...(options.from ? { from: options.from } : {}),
          ...(options["package-prefix"] !== undefined
            ? { packagePrefix: options["package-prefix"] }
            : {}),
        });
        await host.out(
          options.json
            ? JSON.stringify(found) + "\n"
            : (shown++ > 0 ? "\n" : "") + describe(host, found),
        );
        return 0;
      },
      failureLine(host, options.json, inspectCommand),
    );
  },
};
