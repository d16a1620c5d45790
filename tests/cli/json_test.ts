import { assert, assertEquals } from "@std/assert";
import { COMMANDS } from "../../src/cli/main.ts";
import { cli, jsonLines, type Ran, sample, type World } from "./fake_host.ts";

/** A world in which everything can go wrong. */
const world: World = {
  files: {
    "a.vvd": sample("lantern.vvd"),
    "b.payload": sample("figure.payload"),
    "cut.vvd": sample("lantern.vvd").subarray(0, 100),
    "cut.payload": sample("figure.payload").subarray(0, 100),
    "empty.glb": "",
    "there.vvd": "there",
    "there.payload": "there",
    "there.glb": "there",
    "there.png": "there",
    "there.json": "there",
  },
  folders: ["folder", "folder.glb"],
};

/** A way in which a command may fail: its arguments, its exit code, and how many lines it prints (1 unless given). */
interface Failure {
  args: string;
  code: number;
  lines?: number;
}

const USAGE: readonly Failure[] = [
  { args: "--nonsense", code: 2 },
  { args: "a b c d --lod x", code: 2 },
];

/** Conversions of one file to another. */
const CONVERSIONS: readonly Failure[] = [
  ...USAGE,
  { args: "a.vvd", code: 2 },
  { args: "a.vvd out.xyz", code: 2 },
  { args: "b.payload - --to payload", code: 2 },
  { args: "none.payload out.payload", code: 3 },
  { args: "cut.payload out.payload", code: 3 },
  { args: "b.payload there.payload", code: 2 },
  { args: "b.payload there.payload --dry-run", code: 2 },
  { args: "b.payload folder.glb --force", code: 2 },
];
const NOWHERE: readonly Failure[] = [
  { args: "b.payload nowhere/out.glb", code: 5 },
  { args: "b.payload nowhere/out.glb --dry-run", code: 5 },
];

const FAILURES: Readonly<Record<string, readonly Failure[]>> = {
  inspect: [
    ...USAGE,
    { args: "", code: 2 },
    { args: "- -", code: 2 },
    { args: "none.vvd", code: 3 },
    { args: "cut.vvd none.vvd empty.glb", code: 3, lines: 3 },
    { args: "a.vvd b.payload --lod 99", code: 2, lines: 2 },
  ],
  validate: [
    ...USAGE,
    { args: "a.vvd --fix there.json", code: 2 },
    { args: "a.vvd --fix out.json", code: 2 },
    { args: "none.vvd", code: 3 },
    { args: "cut.vvd none.vvd empty.glb", code: 3, lines: 3 },
  ],
  convert: [
    ...CONVERSIONS,
    ...NOWHERE,
    { args: "a.vvd out.glb --lod 99", code: 2 },
  ],
  batch: [
    ...USAGE,
    { args: "*.vvd", code: 2 },
    { args: "*.vvd --out-dir out", code: 2 },
    { args: "*.vvd --out-dir out --to gltf", code: 2 }, // this host has no batch
  ],
  replay: [
    ...USAGE,
    { args: "a.vvd -", code: 2 },
    { args: "none.vvd out.vvd", code: 3 },
    { args: "cut.vvd out.vvd", code: 3 },
    { args: "a.vvd there.vvd", code: 2 },
    { args: "a.vvd there.vvd --dry-run", code: 2 },
    { args: "a.vvd nowhere/out.vvd", code: 5 },
    { args: "a.vvd nowhere/out.vvd --dry-run", code: 5 },
  ],
  tangents: [...CONVERSIONS, ...NOWHERE],
  normals: [...CONVERSIONS, ...NOWHERE],
  heightfield: [...CONVERSIONS, { args: "b.payload out.payload", code: 2 }],
  diff: [
    ...USAGE,
    { args: "a.vvd", code: 2 },
    { args: "a.vvd none.vvd", code: 3 },
    { args: "none.vvd cut.vvd", code: 3 },
    { args: "a.vvd a.vvd --lod 99", code: 2 },
  ],
  view: [...USAGE, { args: "-", code: 2 }, { args: "none.vvd", code: 2 }],
  preview: [
    ...USAGE,
    { args: "a.vvd -", code: 2 },
    { args: "a.vvd out.jpg", code: 2 },
    { args: "none.vvd out.png", code: 3 },
    { args: "cut.vvd out.png", code: 3 },
    { args: "a.vvd there.png", code: 2 },
    { args: "a.vvd nowhere/out.png", code: 5 },
    { args: "a.vvd out.png --lod 99", code: 2 },
  ],
  explain: [{ args: "--nonsense", code: 2 }, { args: "NO-CODE", code: 2 }],
  formats: [{ args: "--nonsense", code: 2 }, { args: "vvd", code: 2 }],
};

const words = (line: string) => line.split(" ").filter((word) => word);

/** The error that a line tells: its own, or the finding in its place. */
function errorOf(line: Record<string, unknown>): Record<string, unknown> {
  const [finding] = (line.findings ?? []) as Record<string, unknown>[];
  return finding ?? (line.error as Record<string, unknown>);
}

Deno.test("run() prints one line of JSON a file, or one, whatever way a command with --json fails", async () => {
  const takers = COMMANDS.filter((c) => c.options.includes("json"));
  assertEquals(takers.map((c) => c.name).sort(), Object.keys(FAILURES).sort());
  for (const [command, failures] of Object.entries(FAILURES)) {
    for (const { args, code, lines: expected = 1 } of failures) {
      const line = `${command} ${args} --json`;
      const ran = await cli(words(line), world);
      assertEquals(ran.code, code, `${line}\n${ran.err}`);
      assertEquals(ran.writes, [], line);
      const lines = jsonLines(ran.out);
      assertEquals(lines.length, expected, line);
      for (const told of lines) {
        const { code, message, found, allowed } = errorOf(told);
        assert(typeof code === "string", line);
        // what is found in a file is data
        if (!told.findings || code === "FILE-READ" || ran.code === 2) {
          assert(ran.err.includes(String(message)), `${line}\n${ran.err}`);
        }
        assert(found !== undefined && allowed !== undefined, line);
        const { schema } = told;
        assert(
          /^meshwright\/[a-z]+\/1$/.test(String(schema)) ||
            command === "explain" || command === "formats",
          line,
        );
      }
    }
  }
});

Deno.test("run() prints no line of JSON for a failure without --json, nor where --json is a file's name", async () => {
  for (
    const line of [
      "diff a.vvd none.vvd",
      "preview a.vvd out.jpg",
      "convert a.vvd there.glb",
      "inspect --nonsense -- --json",
    ]
  ) assertEquals((await cli(line, world)).out, "", line);
});

Deno.test("run() names files and what became of them in the line of a failure", async () => {
  const one = async (line: string) =>
    jsonLines((await cli(`${line} --json`, world)).out)[0];
  const { error: _, ...convert } = await one("convert b.payload there.glb");
  assertEquals(convert, {
    schema: "meshwright/convert/1",
    in: "b.payload",
    out: "there.glb",
    written: false,
  });
  const diff = await one("diff none.vvd a.vvd");
  assertEquals([diff.a, diff.b, diff.same], ["none.vvd", "a.vvd", null]);
  assertEquals(errorOf(diff).path, "none.vvd");
  const preview = await one("preview cut.vvd out.png");
  assertEquals([preview.in, preview.out], ["cut.vvd", "out.png"]);
  const inspect = await one("inspect a.vvd --lod 99");
  assertEquals([inspect.file, inspect.format], ["a.vvd", "vvd"]);
});

Deno.test("inspect --json names the format of a file that was recognised, whatever is refused of it", async () => {
  const from = { "figure.payload": sample("figure.payload") };
  for (
    const [file, format] of [
      ["figure.payload", "payload"],
      ["figure.json", "css"],
      ["figure.glb", "gltf"],
    ]
  ) {
    const { files } = format === "payload"
      ? { files: new Map(Object.entries(from)) }
      : await cli(`convert figure.payload ${file}`, { files: from });
    const ran = await cli(`inspect ${file} --json --lod 99`, {
      files: Object.fromEntries(files),
    });
    const [line] = jsonLines(ran.out);
    assertEquals([ran.code, line.format], [2, format], file);
  }
});

/** Exit code and the first line for people. */
const verdict = ({ code, err }: Ran) => [code, err.split("\n")[0]];

Deno.test("--dry-run gives the verdict of the real run on where the output goes", async () => {
  for (
    const line of [
      "convert b.payload there.glb",
      "convert b.payload folder.glb",
      "convert b.payload nowhere/out.glb",
      "convert cut.payload nowhere/out.glb",
      "tangents b.payload there.payload",
      "normals b.payload nowhere/out.payload",
      "replay a.vvd there.vvd",
      "replay a.vvd folder",
      "replay a.vvd nowhere/out.vvd",
    ]
  ) {
    const real = await cli(line, world);
    const dry = await cli(`${line} --dry-run`, world);
    assert(real.code > 0, line);
    assertEquals(verdict(dry), verdict(real), line);
    assertEquals([...real.writes, ...dry.writes], []);
  }
  const forced = await cli(
    "convert b.payload there.glb --dry-run --force",
    world,
  );
  assertEquals([forced.code, forced.writes], [0, []]);
});

Deno.test("preview writes nothing under a name that is no PNG's", async () => {
  for (const out of ["a.jpg", "a", "png", "a.png.bak"]) {
    const ran = await cli(`preview a.vvd ${out}`, world);
    assertEquals([ran.code, ran.writes], [2, []], out);
    assert(ran.err.includes(".png"), ran.err);
  }
  const upper = await cli("preview a.vvd A.PNG --size 16x16", world);
  assertEquals([upper.code, upper.writes], [0, [["A.PNG"]]]);
  const stdout = await cli("preview a.vvd - --size 16x16", world);
  assertEquals(stdout.bytes.subarray(1, 4), new TextEncoder().encode("PNG"));
});
