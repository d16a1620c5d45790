import { assert } from "@std/assert";
import { inRepository, runLines, shellBlocks } from "./commands.ts";

const readme = await Deno.readTextFile(
  new URL("../README.md", import.meta.url),
);

Deno.test({
  name: "README's commands run as they are written",
  ignore: Deno.build.os === "windows",
  async fn() {
    const commands = shellBlocks(readme).flatMap(({ lines }) => lines)
      .filter((line) => line.startsWith("deno run "));
    assert(commands.length >= 8, "the README shows its commands");
    await inRepository((folder) => runLines(commands, folder));
  },
});
