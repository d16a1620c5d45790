/**
 * The completion scripts, run by the shells that they are for, and the manual pages, whose examples run on the samples.
 */
import { assert, assertEquals } from "@std/assert";
import { SHELLS } from "../../src/cli/completions.ts";
import { COMMANDS } from "../../src/cli/main.ts";
import { MANUAL } from "../../src/cli/manual.ts";
import { FORMATS } from "../../src/core/formats.ts";
import { findProgram } from "../runtimes/programs.ts";
import { cli, sample } from "./fake_host.ts";

/** What a program prints; its arguments may name the script as `SCRIPT`. */
async function printed(
  program: string,
  script: string,
  args: readonly string[],
): Promise<string[]> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/script`, script);
    await Deno.writeTextFile(`${folder}/a model.mdl`, "");
    await Deno.mkdir(`${folder}/a folder`);
    const { code, stdout, stderr } = await new Deno.Command(program, {
      args: args.map((arg) => arg.replaceAll("SCRIPT", `${folder}/script`)),
      cwd: folder,
      env: { HOME: folder },
    }).output();
    const text = new TextDecoder();
    assertEquals([code, text.decode(stderr)], [0, ""]);
    return text.decode(stdout).split("\n").filter((line) => line !== "");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Whatever the shell: completes the last of some words. */
const COMPLETERS: Readonly<
  Record<
    string,
    (program: string, words: readonly string[]) => Promise<string[]>
  >
> = {
  async bash(program, words) {
    const { out } = await cli("completions bash");
    const list = ["meshwright", ...words].map((word) => `'${word}'`).join(" ");
    return await printed(program, out, [
      ...["--norc", "--noprofile", "-c"],
      `source SCRIPT; COMP_WORDS=(${list}); COMP_CWORD=${words.length}; ` +
      '_meshwright; printf "%s\\n" "${COMPREPLY[@]}"',
    ]);
  },
  async fish(program, words) {
    const { out } = await cli("completions fish");
    const line = ["meshwright", ...words].join(" ");
    const lines = await printed(program, out, [
      ...["--no-config", "-c"],
      `source SCRIPT; complete -C '${line}'`,
    ]);
    return lines.map((found) => found.replace(/\t.*/, ""));
  },
};

/** What --to takes: formats that are written, and glTF's two kinds by name. */
const TARGETS = FORMATS.filter((f) => f.writes)
  .flatMap((f) => f.id === "gltf" ? [f.id, "glb", "gltf-json"] : [f.id]);

for (const [shell, complete] of Object.entries(COMPLETERS)) {
  const program = findProgram(shell);
  const missing = program === undefined;
  Deno.test({
    name: `completions ${shell} completes commands, options, values and files` +
      (missing ? ` [SKIPPED: not installed: ${shell}]` : ""),
    ignore: missing,
    async fn() {
      const of = async (...words: string[]) =>
        (await complete(program!, words)).sort();
      assertEquals(await of("conv"), ["convert"]);
      const all = await of("");
      for (const { name } of COMMANDS) assert(all.includes(name), name);
      assertEquals(await of("convert", "--morph"), ["--morph-epsilon"]);
      assertEquals(await of("formats", "--js"), ["--json"]);
      assertEquals(await of("convert", "--to", "gl"), [
        "glb",
        "gltf",
        "gltf-json",
      ]);
      assertEquals(await of("convert", "--to", ""), TARGETS.toSorted());
      assertEquals(await of("preview", "--view", "fro"), ["front"]);
      // preview draws in modes of its own
      assertEquals(await of("preview", "--mode", "wi"), ["wire"]);
      assertEquals(await of("tangents", "--mode", "ref"), ["reference"]);
      assertEquals(await of("explain", "VVD-FIXUP-S"), ["VVD-FIXUP-SUM"]);
      assertEquals(await of("completions", "z"), ["zsh"]);
      assertEquals(await of("help", "expl"), ["explain"]);
      assert((await of("inspect", "a")).some((f) => /^a.* model.mdl$/.test(f)));
      const folders = await of("batch", "--out-dir", "a");
      assertEquals(folders.length, 1, folders.join());
      assert(/^a.* folder\/?$/.test(folders[0]), folders[0]);
      assertEquals(await of("convert", "--scale", "g"), []);
    },
  });
}

const bash = findProgram("bash");
Deno.test({
  name: "completions bash completes a value behind an equals sign" +
    (bash ? "" : " [SKIPPED: not installed: bash]"),
  ignore: !bash,
  async fn() {
    const complete = (...words: string[]) => COMPLETERS.bash(bash!, words);
    assertEquals(await complete("convert", "--to", "=", "pay"), ["payload"]);
    const found = await complete("convert", "--to", "=");
    assertEquals(found.sort(), TARGETS.toSorted());
  },
});

const zsh = findProgram("zsh");
Deno.test({
  name: "completions zsh gives what _arguments takes" +
    (zsh ? "" : " [SKIPPED: not installed: zsh]"),
  ignore: !zsh,
  async fn() {
    const { out } = await cli("completions zsh");
    // the shell's own functions need a terminal: in their place stand some that print what they are given
    const of = (line: string, current: number) =>
      printed(zsh!, out, [
        "-fc",
        `compdef() { print -r -- "compdef $*" }; source SCRIPT
        _arguments() { print -rl -- "$CURRENT" "$@" }
        _describe() { print -rl -- \${(P)2} }
        words=(${line}); CURRENT=${current}; _meshwright`,
      ]);
    const first = await of("meshwright", 2);
    assertEquals(first[0], "compdef _meshwright meshwright");
    for (const { name } of COMMANDS) {
      assert(first.some((line) => line.startsWith(`${name}:`)), name);
    }
    const [, current, ...specs] = await of("meshwright convert x", 3);
    assertEquals(current, "2");
    const to = TARGETS.join(" ");
    assert(
      specs.includes(`--to=[format of the output]:ID:(${to})`),
      specs.join("\n"),
    );
    assert(specs.includes("*:IN OUT:_files"), specs.join("\n"));
    for (const spec of specs) {
      const shape = /^(?:--[a-z-]+=?\[(?:\\.|[^\]\\])+\](?::.*)?|\*:.+)$/;
      assert(shape.test(spec), spec);
    }
  },
});

/** The strings and brackets of a PowerShell script: the strings as they are meant, and what is open at the end. */
function powershellParts(script: string): { strings: string[]; open: string } {
  const strings: string[] = [];
  let open = "";
  const pairs: Record<string, string> = { ")": "(", "]": "[", "}": "{" };
  const tokens = script.matchAll(
    /#[^\n]*|'((?:[^']|'')*)'|"[^"]*"|[()[\]{}'"]/g,
  );
  for (const [token, quoted] of tokens) {
    if (quoted !== undefined) strings.push(quoted.replaceAll("''", "'"));
    else if ("([{".includes(token)) open += token;
    else if (token in pairs) {
      assertEquals(open.at(-1), pairs[token], "brackets in pairs");
      open = open.slice(0, -1);
    } else assert(token.length > 1, `a lone ${token}`);
  }
  return { strings, open };
}

Deno.test("completions powershell lists commands, options and values in a script whose quotes and brackets close", async () => {
  const { out } = await cli("completions powershell");
  assert(
    out.includes("Register-ArgumentCompleter -Native -CommandName meshwright"),
  );
  const { strings, open } = powershellParts(out);
  assertEquals(open, "");
  /** Entries of one of the script's tables, by name. */
  const table = (name: string) => {
    const lines = out.split(`  $${name} = `)[1].split("\n  }\n")[0].split("\n")
      .slice(1);
    return Object.fromEntries(lines.map((line) => {
      const [, key, value] = /^ +'([^']+)' = (.*)$/.exec(line) ?? [];
      return [key, value];
    }));
  };
  assertEquals(
    Object.keys(table("commands")),
    [...COMMANDS.map(({ name }) => name), "--help", "--version"],
  );
  for (const { name, options } of COMMANDS) {
    const [, block] = out.split(`    '${name}' = [ordered]@{\n`);
    const listed = block.split("\n    }\n")[0].split("\n").map((line) =>
      /^ {6}'--([a-z-]+)' = '.+'$/.exec(line)?.[1]
    );
    assertEquals(listed, ["help", ...options], name);
  }
  const values = table("values");
  const writes = TARGETS.map((word) => `'${word}'`);
  assertEquals(values["convert --to"], `@(${writes.join(", ")})`);
  assertEquals(values["convert --tangents"], "@('keep', 'rebuild', 'drop')");
  assertEquals(values["batch --out-dir"], "@()");
  assertEquals(values["convert --split"], undefined);
  assertEquals(
    table("arguments")["completions"],
    "@('bash', 'zsh', 'fish', 'powershell')",
  );
  // a quote inside a text is written twice, and read as one
  assert(
    strings.includes(
      "package of the skeleton (css; default: from the mesh's name)",
    ),
  );
});

Deno.test("completions exits 2 for a shell that it has no script for", async () => {
  const { code, out, err } = await cli("completions fis");
  assertEquals([code, out], [2, ""]);
  assert(err.includes("did you mean fish?"), err);
});

Deno.test("help COMMAND shows options, exit codes and examples for every command", async () => {
  assertEquals(
    Object.keys(MANUAL).sort(),
    COMMANDS.map(({ name }) => name).sort(),
  );
  for (const { name, options, args } of COMMANDS) {
    const { out } = await cli(["help", name]);
    assert(out.startsWith(`meshwright ${name}`) && out.includes(args), out);
    for (const option of options) assert(out.includes(`  --${option}`), option);
    const examples = MANUAL[name].examples;
    assert(examples.length > 0, name);
    for (const [line] of examples) {
      assert(line.startsWith(`meshwright ${name}`), line);
      assert(out.includes(`\n  ${line}\n`), line);
    }
    for (const code of Object.keys(MANUAL[name].exits)) {
      assert(out.includes(`\n  ${code.padEnd(3)}  `), `${name}: ${code}`);
    }
  }
  const lines = MANUAL.completions.examples.map(([line]) => line).join("\n");
  for (const shell of SHELLS) assert(lines.includes(` ${shell} `), shell);
});

Deno.test("help COMMAND gives examples that run on the samples", async () => {
  const files: Record<string, Uint8Array> = Object.fromEntries(
    Array.from(
      Deno.readDirSync(new URL("../../samples", import.meta.url)),
      ({ name }) => [name, sample(name)],
    ),
  );
  files["heights.raw"] = Uint8Array.from({ length: 81 }, (_, i) => i * 3);
  /** What a shell would do with the line, for the little that examples use of it. */
  const argumentsOf = (line: string) =>
    line.replace(/ >\S+$/, "").split(" ").slice(1).flatMap((word) => {
      const quoted = word.replace(/^"(.*)"$/, "$1");
      if (quoted !== word || !word.includes("*")) return [quoted];
      return Object.keys(files).filter((f) => f.endsWith(word.slice(1))).sort();
    });
  let ran = 0;
  for (const [name, { examples }] of Object.entries(MANUAL)) {
    // batch and view want a whole system under them; their own tests run them
    if (name === "batch" || name === "view") continue;
    for (const [line] of examples) {
      const { code, err } = await cli(argumentsOf(line), { files });
      assertEquals([line, code], [line, 0], err);
      ran++;
    }
  }
  assert(ran > 20, String(ran));
});
