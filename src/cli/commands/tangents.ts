import type { Command } from "../usage.ts";
import { convertCommand } from "./convert.ts";

/** `meshwright tangents`: a conversion that rebuilds tangents. */
export const tangentsCommand: Command = {
  ...convertCommand,
  name: "tangents",
  args: "IN OUT",
  summary: "rebuild tangents (MikkTSpace) and write the mesh",
  details:
    "Vertices are split only where the corners of one have different tangents. --mode reference gives\nthe bits of the C code, its unsorted last edge bucket included. IN needs faces, normals and texture\ncoordinates; OUT may be of another format. The report is that of convert.",
  options: convertCommand.options.filter((o) => o !== "tangents"),
  run: (host, args, o) =>
    convertCommand.run(host, args, { ...o, tangents: "rebuild" }),
};
