import { assert, assertEquals, assertThrows } from "@std/assert";
import { COMMANDS } from "../../src/cli/main.ts";
import {
  type Command,
  commandHelp,
  hint,
  OPTIONS,
  parseCommand,
  UsageError,
} from "../../src/cli/usage.ts";
import { cli } from "./fake_host.ts";

const every: Command = {
  name: "every",
  args: "FILE...",
  summary: "takes every option",
  details: "",
  count: [0, Infinity],
  options: Object.keys(OPTIONS) as (keyof typeof OPTIONS)[],
  run: () => Promise.resolve(0),
};

const parse = (...args: string[]) => parseCommand(every, args);

function refused(args: string[], command = every): string {
  return assertThrows(() => parseCommand(command, args), UsageError).message;
}

Deno.test("parseCommand() keeps file names as they are when they look like numbers", () => {
  for (const name of ["007.vvd", "007", "1e3", "0x10", "-", ".5", "NaN"]) {
    assertEquals(parse(name, "b").args, [name, "b"]);
  }
});

Deno.test("parseCommand() takes everything behind -- for names", () => {
  assertEquals(parse("--json", "--", "-a.vvd", "--force", "-5", "--").args, [
    "-a.vvd",
    "--force",
    "-5",
    "--",
  ]);
  assertEquals(parse("--", "--json").options, {});
});

Deno.test("parseCommand() takes a value with = and with a space", () => {
  assertEquals(parse("--lod=1").options, { lod: 1 });
  assertEquals(parse("--lod", "1", "a").options, { lod: 1 });
  assertEquals(parse("--lod", "1", "a").args, ["a"]);
  assertEquals(parse("a", "--scale", "2.5e-1", "b"), {
    args: ["a", "b"],
    options: { scale: 0.25 },
    help: false,
  });
});

Deno.test("parseCommand() lets no flag swallow the name behind it", () => {
  for (const name of ["in.vvd", "true", "false", "1", "-"]) {
    const { args, options } = parse("--force", name, "--json", name);
    assertEquals(args, [name, name]);
    assertEquals(options, { force: true, json: true });
  }
});

Deno.test("parseCommand() takes options in any place, flags more than once", () => {
  const { args, options } = parse("a", "--json", "b", "--json", "--to", "gltf");
  assertEquals(args, ["a", "b"]);
  assertEquals(options, { json: true, to: "gltf" });
});

Deno.test("parseCommand() gives ids of formats in lower case, glTF for a GLB that is read", () => {
  assertEquals(parse("--from", "VVD", "--to=GLB").options, {
    from: "vvd",
    to: "glb",
  });
  assertEquals(parse("--from", "Glb", "--to=glTF-json").options, {
    from: "gltf",
    to: "gltf-json",
  });
});

Deno.test("parseCommand() reads numbers in hexadecimal, as inspect shows checksums", () => {
  assertEquals(parse("--checksum", "0x1a27e12d").options, {
    checksum: 0x1a27e12d,
  });
  assertEquals(parse("--checksum", "0xffffffff").options, {
    checksum: 0xffffffff,
  });
});

Deno.test("parseCommand() refuses a repeated option, a value for a flag, a missing value", () => {
  assertEquals(
    refused(["--lod", "1", "--lod=2"]),
    "Give --lod once: found it 2 times",
  );
  assertEquals(
    refused(["--lod=", "--lod="]),
    "Give --lod once: found it 2 times",
  );
  for (const arg of ["--force=0", "--force=true", "--force="]) {
    assertEquals(
      refused([arg, "a"]),
      `Give --force without a value: found ${arg}`,
    );
  }
  assertEquals(refused(["--lod"]), "Give --lod a value: found none");
  assertEquals(refused(["--to", "--force"]), "Give --to a value: found none");
  assertEquals(refused(["--lod", "--", "a"]), "Give --lod a value: found none");
});

Deno.test("parseCommand() refuses numbers out of range, saying what is allowed", () => {
  for (const bad of ["-1", "1.5", "x", "", " ", "Infinity", "NaN", "1e400"]) {
    assertEquals(
      refused(["--lod", bad]),
      `Give --lod a whole number of 0 or more: found "${bad}"`,
    );
    assertEquals(refused([`--lod=${bad}`]), refused(["--lod", bad]));
  }
  for (const bad of ["0", "-1", "-0.5", "1e-400", "two"]) {
    assertEquals(
      refused(["--scale", bad]),
      `Give --scale a number above 0: found "${bad}"`,
    );
  }
  assertEquals(
    refused(["--morph-epsilon", "-1e-6"]),
    'Give --morph-epsilon a number of 0 or more: found "-1e-6"',
  );
  assertEquals(
    refused(["--max-influences", "0"]),
    'Give --max-influences a whole number of 1 or more: found "0"',
  );
  for (const bad of ["-1", "4294967296"]) {
    assertEquals(
      refused(["--checksum", bad]),
      `Give --checksum a whole number from 0 to 4294967295: found "${bad}"`,
    );
  }
  assertEquals(parse("--morph-epsilon", "0").options, { "morph-epsilon": 0 });
});

Deno.test("parseCommand() refuses an unknown choice or format and proposes one", () => {
  assertEquals(
    refused(["--normals", "rebuilt"]),
    'Give --normals keep or rebuild: found "rebuilt"; did you mean rebuild?',
  );
  const message = refused(["--to", "glt"]);
  assertEquals(
    message,
    'Give --to one of vvd, payload, gltf, glb, gltf-json, css, obj, smd: found "glt"; did you mean gltf?',
  );
  const source = refused(["--from", "xx"]);
  assertEquals(
    source,
    'Give --from one of vvd, payload, gltf, glb, mdl, css: found "xx"',
  );
});

Deno.test("parseCommand() refuses unknown options and proposes one", () => {
  assertEquals(
    refused(["--jsn", "a"]),
    "Check the options of every: --jsn is none; did you mean --json?",
  );
  assertEquals(
    refused(["--max-influence=3"]),
    "Check the options of every: --max-influence is none; did you mean --max-influences?",
  );
  for (
    const odd of [
      "--_",
      "--_=x",
      "--__proto__=x",
      "--constructor",
      "--lod.x=1",
      "--no-json",
      "---json",
      "--=1",
      "-1",
      "-q",
    ]
  ) {
    assert(refused([odd, "a"]).startsWith("Check the options of every: "), odd);
  }
});

Deno.test("parseCommand() counts arguments and refuses empty names", () => {
  const two: Command = { ...every, args: "IN OUT", count: [2, 2] };
  assertEquals(refused([], two), "Use every IN OUT: found 0 arguments");
  assertEquals(refused(["a"], two), "Use every IN OUT: found 1 argument");
  assertEquals(
    refused(["a", "b", "c"], two),
    "Use every IN OUT: found 3 arguments",
  );
  assertEquals(
    refused(["a", ""], two),
    "Use every with names: found an empty one",
  );
});

Deno.test("parseCommand() asks for help with --help and -h, arguments or not", () => {
  for (const args of [["--help"], ["-h"], ["a", "-h", "--json"]]) {
    assertEquals(parse(...args).help, true);
  }
  assertEquals(parse("--", "-h").help, false);
  assertEquals(parse("--", "-h").args, ["-h"]);
});

Deno.test("hint() proposes the nearest word, or none when all are far", () => {
  const words = ["inspect", "validate", "convert", "replay"];
  assertEquals(hint("insepct", words), "; did you mean inspect?");
  assertEquals(hint("CONVRT", words), "; did you mean convert?");
  assertEquals(hint("val", words), "; did you mean validate?");
  assertEquals(hint("frobnicate", words), "");
  assertEquals(hint("in", words), "");
});

Deno.test("commandHelp() names every option of every command, within 100 columns", () => {
  for (const command of COMMANDS) {
    const text = commandHelp(command);
    for (const option of command.options) {
      assert(text.includes(`--${option}`), `${command.name} ${option}`);
    }
    for (const line of text.split("\n")) {
      assert(line.length <= 100, `${command.name}: ${line}`);
      assertEquals(line, line.trimEnd());
    }
    assert(text.endsWith("\n") && !text.endsWith("\n\n"));
  }
});

Deno.test("run() exits 2 and shows the overview on stderr when no command is given", async () => {
  const { code, out, err } = await cli([]);
  assertEquals([code, out], [2, ""]);
  assert(err.includes("Usage: meshwright COMMAND"));
});

Deno.test("run() shows the overview on stdout for help, --help and -h", async () => {
  const [a, b, c] = await Promise.all([cli("help"), cli("--help"), cli("-h")]);
  assertEquals([a.code, b.code, c.code], [0, 0, 0]);
  assertEquals([a.err, b.err, c.err], ["", "", ""]);
  assertEquals(a.out, b.out);
  assertEquals(a.out, c.out);
  for (const command of COMMANDS) {
    assert(a.out.includes(`  ${command.name} `) || command.args === "");
    assert(a.out.includes(command.summary));
  }
  for (const line of a.out.split("\n")) assert(line.length <= 100, line);
});

Deno.test("run() shows one command's help by help COMMAND and COMMAND --help", async () => {
  for (const command of COMMANDS) {
    const a = await cli(["help", command.name]);
    const b = await cli([command.name, "--help"]);
    assertEquals([a.code, b.code], [0, 0]);
    assertEquals(a.out, commandHelp(command));
    assertEquals(b.out, a.out);
  }
});

Deno.test("run() prints the version of deno.json for --version and -V", async () => {
  const { version } = JSON.parse(
    Deno.readTextFileSync(new URL("../../deno.json", import.meta.url)),
  );
  for (const arg of ["--version", "-V"]) {
    const { code, out, err } = await cli([arg]);
    assertEquals([code, out, err], [0, `meshwright ${version}\n`, ""]);
  }
});

Deno.test("run() exits 2 for an unknown command and proposes one", async () => {
  for (
    const [line, want] of [
      ["insepct a", "insepct is no command; did you mean inspect?"],
      ["help vlidate", "vlidate is no command; did you mean validate?"],
      ["frobnicate", "frobnicate is no command\n"],
      ["--json inspect", "Put the command first, then options: found --json"],
    ]
  ) {
    const { code, out, err } = await cli(line);
    assertEquals([code, out], [2, ""]);
    assert(err.includes(want), err);
    assert(err.endsWith("shows how to use it\n"), err);
  }
});

Deno.test("run() points to the help of the command that was used wrongly", async () => {
  const { err } = await cli("convert a");
  assertEquals(
    err,
    "error: Use convert IN OUT: found 1 argument\nmeshwright help convert shows how to use it\n",
  );
  assert((await cli("help a b")).err.includes("meshwright help shows how"));
});

Deno.test("run() colours errors only where the host shows colours", async () => {
  assert(
    (await cli("x", { color: true })).err.startsWith("\x1b[31merror\x1b[39m"),
  );
  assert((await cli("x", { color: false })).err.startsWith("error: "));
});

Deno.test("run() lets no control characters of a name through to the terminal", async () => {
  const { err } = await cli(["inspect", "a\x1b[2J\u202eb.vvd", "\x07"]);
  // deno-lint-ignore no-control-regex
  assertEquals(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/.test(err), false);
  assert(err.includes("a\\u001b[2J\\u202eb.vvd"), err);
});
