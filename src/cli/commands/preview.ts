import { meshOf, readFile } from "../../convert/read.ts";
import type { Mesh } from "../../core/mesh.ts";
import {
  drawMesh,
  type DrawOptions,
  type ModeName,
  MODES,
  SIDES,
  writePng,
} from "../../preview/mod.ts";
import { modelOptions } from "../conversion_options.ts";
import { checkOutputs, readInput, readOptions } from "../files.ts";
import { eachFile, failureLine } from "../run_files.ts";
import { clean, plural, size } from "../text.ts";
import { type Command, UsageError } from "../usage.ts";

/** "WxH" in pixels. */
function sizeOf(text: string): { width: number; height: number } {
  const [, width, height] = /^(\d+)x(\d+)$/i.exec(text) ?? [];
  const [least, most] = SIDES;
  const fits = (side: string | undefined) =>
    Number(side) >= least && Number(side) <= most;
  if (fits(width) && fits(height)) {
    return { width: Number(width), height: Number(height) };
  }
  throw new UsageError(
    `Give --size WIDTHxHEIGHT, each ${least} to ${most} pixels: found "${text}"`,
  );
}

/** The mesh with every alternative drawn, where all were asked for. */
function allShown(mesh: Mesh, all: boolean): Mesh {
  return all && mesh.parts
    ? { ...mesh, parts: mesh.parts.map((p) => ({ ...p, shown: true })) }
    : mesh;
}

/** `meshwright preview`. */
export const previewCommand: Command = {
  name: "preview",
  args: "FILE OUT.png",
  summary: "draw a picture of a file, without a graphics card",
  details:
    "The same file gives the same PNG on every machine. Left and right are the beholder's, seen\n" +
    "from the front: +X of a Source model, +Z of a glTF or payload. The iso view is from the front, right\n" +
    "and above. A red-brown surface is seen from its back. A VVD alone has no faces: its vertices\n" +
    "are drawn. Materials differ by colour, which follows the names of their textures where a model has\n" +
    "several skins. --bodygroup all draws all models of a group in one place.",
  count: [2, 2],
  options: [
    "view",
    "mode",
    "size",
    "lod",
    "bodygroup",
    "skin",
    "from",
    "force",
    "json",
    "quiet",
  ],
  own: {
    force: {
      type: "flag",
      help: "overwrite OUT; take model files that do not match",
    },
    mode: {
      type: "choice",
      value: "MODE",
      choices: MODES,
      help: "lit (default), lines, or coloured by the normals",
    },
  },
  failed: ([name = null, out = null]: readonly (string | null)[]) => ({
    schema: "meshwright/preview/1",
    in: name,
    out,
  }),
  async run(host, [name, out], o) {
    if (out !== "-" && !/\.png$/i.test(out)) {
      throw new UsageError(
        `Name OUT with .png, or - for stdout: a picture is a PNG, found ${out}`,
      );
    }
    const draw: DrawOptions = {
      view: o.view ?? "iso",
      mode: (o.mode ?? "solid") as ModeName,
      ...sizeOf(o.size ?? "800x600"),
    };
    const choice = modelOptions(o);
    if (out === "-" && o.json) {
      throw new UsageError(
        "Write to a file, or leave out --json: both would go to stdout",
      );
    }
    await checkOutputs(host, [out], o.force === true);
    return await eachFile(host, [name], async () => {
      const input = await readInput(host, name);
      const file = await readFile(input.bytes, {
        ...readOptions(input),
        ...(o.from ? { from: o.from } : {}),
        ...(o.force ? { force: true } : {}),
      });
      const mesh = allShown(
        meshOf(file, o.lod ?? 0, {
          ...choice,
          lenient: file.format === "mdl" && o.force === true,
        }),
        choice.bodygroup === "all",
      );
      const png = writePng(drawMesh(mesh, draw));
      if (out === "-") await host.out(png);
      else await host.write([{ path: out, bytes: png }]);
      const triangles = Math.floor((mesh.lods[0].indices?.length ?? 0) / 3);
      if (o.json) {
        await host.out(
          JSON.stringify({
            schema: "meshwright/preview/1",
            in: name,
            out,
            format: file.format,
            ...draw,
            lod: o.lod ?? 0,
            ...choice,
            vertices: mesh.vertexCount,
            triangles,
            bytes: png.length,
          }) + "\n",
        );
      } else if (!o.quiet) {
        const what = mesh.lods[0].indices
          ? plural(triangles, "triangle")
          : plural(mesh.vertexCount, "point");
        await host.err(
          `Drew ${clean(name)} (${file.format}, ${what}) to ${
            clean(out)
          } (${draw.width} x ${draw.height} pixels, ${size(png.length)})\n`,
        );
      }
      return 0;
    }, failureLine(host, o.json, previewCommand, [name, out]));
  },
};
