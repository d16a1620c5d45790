import { assert, assertEquals } from "@std/assert";
import { diskReader } from "../../src/cli/disk.ts";
import { nodeBatch } from "../../src/cli/batch/node_batch.ts";
import { nodeDisk } from "../../src/cli/node_disk.ts";

const config = new URL("../../deno.json", import.meta.url).pathname;
const batch = nodeBatch(diskReader(nodeDisk));

Deno.test({
  name:
    "nodeBatch().openJournal() gives null while another has the journal, and it again when that is closed or killed",
  sanitizeOps: false, // a server that closes does so in its own time
  sanitizeResources: false,
  async fn() {
    const folder = await Deno.makeTempDir();
    const path = `${folder}/journal`;
    try {
      const first = await batch.openJournal(path, true);
      assert(first);
      await first.append("one\n");
      assertEquals(await batch.openJournal(path, false), null);
      await first.close(false);

      const second = await batch.openJournal(path, false);
      assert(second, "closed is free");
      await second.append("two\n");
      await second.close(false);
      assertEquals(await Deno.readTextFile(path), "one\ntwo\n");

      // another process, which is killed while it has the journal
      const source = `
        import { nodeBatch } from ${
        JSON.stringify(import.meta.resolve("../../src/cli/batch/node_batch.ts"))
      };
        const journal = await nodeBatch({} as never).openJournal(${
        JSON.stringify(path)
      }, false);
        console.log(journal ? "mine" : "taken");
        setInterval(() => {}, 1000);`;
      await Deno.writeTextFile(`${folder}/killed.ts`, source);
      const child = new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "-A",
          "--no-check",
          "--config",
          config,
          `${folder}/killed.ts`,
        ],
        stdin: "null",
        stdout: "piped",
        stderr: "null",
      }).spawn();
      const reader = child.stdout.getReader();
      const said = new TextDecoder().decode((await reader.read()).value);
      assertEquals(said, "mine\n");
      assertEquals(await batch.openJournal(path, false), null);
      child.kill("SIGKILL");
      await child.status;
      await reader.cancel();
      const third = await batch.openJournal(path, true);
      assert(third, "a killed process has nothing");
      assertEquals(await Deno.readTextFile(path), "");
      await third.close(true);
      await Deno.remove(`${folder}/killed.ts`);
      assertEquals(Array.from(Deno.readDirSync(folder)), []);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
