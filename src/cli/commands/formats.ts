import { FORMATS } from "../../core/formats.ts";
import { table } from "../text.ts";
import type { Command } from "../usage.ts";

/** `meshwright formats`. */
export const formatsCommand: Command = {
  name: "formats",
  args: "",
  summary: "list the formats and what this version does with them",
  details: "",
  count: [0, 0],
  options: ["json"],
  async run(host, _args, o) {
    await host.out(
      o.json ? FORMATS.map((f) => JSON.stringify(f)).join("\n") + "\n" : table([
        ["ID", "READS", "WRITES", "EXTENSIONS", "RECOGNISED BY", "NAME"],
        ...FORMATS.map((f) => [
          f.id,
          f.reads ? "yes" : "-",
          f.writes ? "yes" : "-",
          f.extensions.join(" "),
          f.recognisedBy,
          f.name,
        ]),
      ]) + "\n",
    );
    return 0;
  },
};
