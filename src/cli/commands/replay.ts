import { readVvd } from "../../formats/vvd/read.ts";
import { replayRuns, replayVvd } from "../../formats/vvd/replay.ts";
import { writeVvd } from "../../formats/vvd/write.ts";
import { checkExtension, checkOutputs, readInput } from "../files.ts";
import { eachFile, failureLine } from "../run_files.ts";
import { clean, count, plural } from "../text.ts";
import { type Command, UsageError } from "../usage.ts";

/** `meshwright replay`. */
export const replayCommand: Command = {
  name: "replay",
  args: "IN.vvd OUT.vvd",
  summary: "write what the engine holds after loading a VVD at a root LOD",
  details:
    "Fixups are replayed for vertices, tangents and extra data together; the output has no fixups.\nA root LOD beyond the last is clamped, as the engine does. The header keeps the counts of the lower\nLODs, as the engine does; with several meshes in the file no prefix of the pool is such a LOD, and\n--single-lod leaves their counts out.",
  count: [2, 2],
  options: ["lod", "single-lod", "json", "quiet", "force", "dry-run"],
  failed: ([name = null, out = null]: readonly (string | null)[]) => ({
    schema: "meshwright/replay/1",
    in: name,
    out,
    written: false,
  }),
  async run(host, [name, out], o) {
    if (out === "-" && o.json) {
      throw new UsageError(
        "Write to a file, or leave out --json: both would go to stdout",
      );
    }
    checkExtension(out, "vvd");
    await checkOutputs(host, [out], o.force === true);
    return await eachFile(
      host,
      [name],
      async () => {
        const { bytes } = await readInput(host, name);
        const vvd = readVvd(bytes);
        const asked = o.lod ?? 0;
        const rootLod = Math.min(asked, vvd.numLODs - 1);
        const runs = replayRuns(vvd, rootLod).length / 2;
        const replayed = replayVvd(vvd, rootLod, {
          singleLod: o["single-lod"] === true,
        });
        const file = writeVvd(replayed);
        if (o["dry-run"]) { if (out !== "-") await host.checkWrite([out]); }
        else if (out === "-") await host.out(file);
        else await host.write([{ path: out, bytes: file }]);
        const vertices = replayed.numLODVertexes[0];
        if (o.json) {
          await host.out(
            JSON.stringify({
              schema: "meshwright/replay/1",
              in: name,
              out,
              rootLod,
              asked,
              clamped: asked !== rootLod,
              vertices,
              tangents: replayed.tangentData !== null,
              fixups: vvd.fixups.length,
              runs,
              bytes: { in: bytes.length, out: file.length },
              written: !o["dry-run"],
            }) + "\n",
          );
        } else if (!o.quiet) {
          const clamped = asked === rootLod
            ? ""
            : ` (LOD ${asked} was asked for; the file has 0 to ${
              vvd.numLODs - 1
            })`;
          await host.err(
            `${o["dry-run"] ? "Would replay" : "Replayed"} ${
              clean(name)
            } at root LOD ${rootLod}${clamped}: ${
              plural(vertices, "vertex", "vertices")
            } of ${count(vvd.numLODVertexes[0])} in ${plural(runs, "run")}, ${
              plural(vvd.fixups.length, "fixup")
            } resolved, to ${clean(out)}\n`,
          );
        }
        return 0;
      },
      failureLine(host, o.json, replayCommand, [name, out]),
    );
  },
};
