import { assert, assertEquals } from "@std/assert";

const root = new URL("../", import.meta.url);
const readme = await Deno.readTextFile(new URL("README.md", root));

/** Lines of the shell blocks that call the command line. */
const commands = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap((m) => m[1].split("\n"))
  .filter((line) => line.startsWith("deno run "));

Deno.test("README's commands run as they are written", async () => {
  assert(commands.length >= 8, "the README shows its commands");
  const folder = await Deno.makeTempDir();
  try {
    await Deno.symlink(new URL("samples", root), `${folder}/samples`);
    await Deno.mkdir(`${folder}/out`);
    for (const line of commands) {
      const args = line.split(" ").slice(1)
        .map((a) => a === "cli.ts" ? new URL("cli.ts", root).pathname : a);
      const { code, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--config", new URL("deno.json", root).pathname]
          .concat(args.slice(1)),
        cwd: folder,
        stdout: "null",
        stderr: "piped",
      }).output();
      assertEquals(code, 0, `${line}\n${new TextDecoder().decode(stderr)}`);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
