/**
 * Commands out of Markdown, run as they are written: in a copy of the repository by links, with `deno` and `meshwright` on the
 * path and an empty `out/`.
 *
 * @module
 */
import { assertEquals } from "@std/assert";

const root = new URL("../", import.meta.url);

/** A block of commands. */
export interface ShellBlock {
  /** What stands behind `sh`: `ignore` for what can not be run here. */
  info: string;
  lines: string[];
}

/** The shell blocks of a text. */
export function shellBlocks(markdown: string): ShellBlock[] {
  return [...markdown.matchAll(/^```sh *(.*)\n([\s\S]*?)^```/gm)]
    .map(([, info, text]) => ({ info, lines: text.trimEnd().split("\n") }));
}

/** A folder in which the documentation's commands can be run; goes away afterwards. */
export async function inRepository(
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "meshwright_commands_" });
  try {
    for (
      const name of ["cli.ts", "deno.json", "deno.lock", "edge", "kernels.wasm"]
        .concat("mod.ts", "samples", "src", "vendor")
    ) await Deno.symlink(new URL(name, root), `${folder}/${name}`);
    await Deno.mkdir(`${folder}/out`);
    await Deno.mkdir(`${folder}/bin`);
    await Deno.symlink(Deno.execPath(), `${folder}/bin/deno`);
    await Deno.writeTextFile(
      `${folder}/bin/meshwright`,
      `#!/bin/sh\nexec deno run --no-prompt --allow-read --allow-write ${folder}/cli.ts "$@"\n`,
      { mode: 0o755 },
    );
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Runs lines by the shell. A comment above a line may say `exits with N`. */
export async function runLines(
  lines: readonly string[],
  folder: string,
): Promise<void> {
  let expected = 0;
  for (const line of lines) {
    if (line.startsWith("#")) {
      expected = Number(/exits with (\d+)/.exec(line)?.[1] ?? 0);
      continue;
    }
    const { code, stderr } = await new Deno.Command("sh", {
      args: ["-c", line],
      cwd: folder,
      env: {
        PATH: `${folder}/bin:${Deno.env.get("PATH")}`,
        NO_COLOR: "1",
        DENO_NO_UPDATE_CHECK: "1",
      },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).output();
    assertEquals(
      code,
      expected,
      `${line}\n${new TextDecoder().decode(stderr)}`,
    );
    expected = 0;
  }
}
