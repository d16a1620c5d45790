import type { Command } from "../usage.ts";
import { convertCommand } from "./convert.ts";

/** `meshwright normals`: a conversion that rebuilds normals. */
export const normalsCommand: Command = {
  ...convertCommand,
  name: "normals",
  args: "IN OUT",
  summary: "rebuild normals from the faces and write the mesh",
  details:
    "Unit face normals are summed at their vertices, as the payload's cook does. OUT may be of another\nformat. Tangents stay; add --tangents rebuild to make them follow. The report is that of convert.",
  options: convertCommand.options.filter((o) => o !== "normals"),
  run: (host, args, o) =>
    convertCommand.run(host, args, { ...o, normals: "rebuild" }),
};
