/** Every command of the documentation, run; and the site built whole. */
import { assert, assertEquals } from "@std/assert";
import { sitePages } from "../../scripts/docs/site.ts";
import { inRepository, runLines, shellBlocks } from "../commands.ts";
import { findProgram } from "../runtimes/programs.ts";
import { startServer } from "../edge/server.ts";

const root = new URL("../../", import.meta.url);
const pages = (await sitePages()).flatMap((group) => group.pages)
  .map(({ from, text }) => ({ from, blocks: shellBlocks(text) }))
  .filter(({ blocks }) => blocks.length > 0);
const needsCurl = findProgram("curl") === undefined;

for (const { from, blocks } of pages) {
  const served = blocks.filter(({ info }) => info === "server");
  const lines = blocks.filter(({ info }) => info === "")
    .flatMap((block) => block.lines);
  const skipped = served.length > 0 && needsCurl;
  Deno.test({
    name: `commands of ${from} run as they are written${
      skipped ? " [SKIPPED: no curl]" : ""
    }`,
    ignore: skipped || Deno.build.os === "windows",
    async fn() {
      for (const { info } of blocks) {
        assert(["", "ignore", "server"].includes(info), info);
      }
      await inRepository(async (folder) => {
        if (served.length === 0) return await runLines(lines, folder);
        const [command] = served[0].lines;
        const place = "http://127.0.0.1:8787/";
        assertEquals(
          command,
          "deno serve --allow-read --host 127.0.0.1 --port 8787 edge/deno.ts",
        );
        const server = await startServer("edge/deno.ts");
        try {
          await runLines(
            lines.map((line) => line.replace(place, server.url)),
            folder,
          );
        } finally {
          await server.stop();
        }
      });
    },
  });
}

Deno.test("build_docs.ts writes the site with its API, and no link leads nowhere", async () => {
  const folder = await Deno.makeTempDir({ prefix: "meshwright_docs_" });
  try {
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--no-prompt", "--allow-read", `--allow-write=${folder}`],
        ...["--allow-run", new URL("scripts/build_docs.ts", root).pathname],
        ...["--out", `${folder}/site`],
      ],
      env: { DENO_NO_UPDATE_CHECK: "1" },
    }).output();
    assert(success, new TextDecoder().decode(stderr));
    for (const page of ["index.html", "api.html", "jobs/tangents.html"]) {
      const html = Deno.readTextFileSync(`${folder}/site/${page}`);
      for (const [, href] of html.matchAll(/href="([^"#:]+)"/g)) {
        const { pathname } = new URL(href, `file://${folder}/site/${page}`);
        assert(Deno.statSync(pathname).isFile, `${page}: ${href}`);
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
