import { readInput } from "../files.ts";
import { eachFile, failureLine } from "../run_files.ts";
import { clean } from "../text.ts";
import { type Command, UsageError } from "../usage.ts";
import { viewServer } from "../view_server.ts";

/** `meshwright view`. */
export const viewCommand: Command = {
  name: "view",
  args: "FILE",
  summary: "show a file in the browser, from this computer alone",
  details:
    "Serves the page on 127.0.0.1 with the file opened and prints its address; a reload shows the file\n" +
    "as it is then. Ctrl-C ends it. Needs --allow-net=127.0.0.1 of deno run. Nothing is sent anywhere.",
  count: [1, 1],
  options: ["port", "json", "quiet"],
  failed: ([file = null]: readonly (string | null)[]) => ({
    schema: "meshwright/view/1",
    file,
    url: null,
  }),
  async run(host, [name], o) {
    const { serve } = host;
    if (!serve) {
      throw new UsageError("Use preview instead: nothing can be served here");
    }
    if (name === "-") {
      throw new UsageError(
        "Name a file: the page is read again at every reload, stdin only once",
      );
    }
    return await eachFile(host, [name], async () => {
      await readInput(host, name); // what is not there is told now, not in the browser
      // large, and needed here only
      const { PAGE } = await import("../page_embed.ts");
      const answer = viewServer(PAGE, () => readInput(host, name));
      await serve(o.port ?? 0, answer, async (url) => {
        await host.out(
          o.json
            ? JSON.stringify({ schema: "meshwright/view/1", file: name, url }) +
              "\n"
            : `${url}\n`,
        );
        if (!o.quiet && !o.json) {
          await host.err(`Showing ${clean(name)}; Ctrl-C ends it\n`);
        }
      });
      return 0;
    }, failureLine(host, o.json, viewCommand));
  },
};
