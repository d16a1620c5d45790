/**
 * Progress on a terminal: shown for large files, gone when something else is printed, and nowhere else.
 */
import { assert, assertEquals } from "@std/assert";
import { writeCssMesh } from "../../src/formats/css/mod.ts";
import { sheet } from "../css/big_css.ts";
import { bytesOf, triangle } from "../css/plain_css.ts";
import { cli, sample, type World } from "./fake_host.ts";

const SIZE = 20 * 2 ** 20;

/** A mesh whose text is large, since white space stands before it. */
function largeCss(): Uint8Array {
  const text = bytesOf(triangle());
  const bytes = new Uint8Array(SIZE).fill(0x20);
  bytes.set(text, SIZE - text.length);
  return bytes;
}

/** A payload with many bytes behind it, which a copy keeps. */
function largePayload(): Uint8Array {
  const bytes = new Uint8Array(SIZE);
  bytes.set(sample("figure.payload"));
  return bytes;
}

const world: World = {
  terminal: true,
  files: {
    "dir/large.json": largeCss(),
    "large.payload": largePayload(),
    "small.payload": sample("figure.payload"),
  },
};

/** The lines that are shown, without their rates. */
const shown = (status: readonly string[]) =>
  status.map((line) => line.replace(/, [\d.]+ [KMG]?i?B(ytes?)?\/s$/, ""))
    .filter((line) => line !== "");

Deno.test("progress says what is read and checked, how far and how fast, when a large file is validated", async () => {
  const { status, code } = await cli("validate dir/large.json", world);
  assertEquals(code, 0);
  const lines = shown(status);
  assertEquals(
    [lines[0], lines.find((l) => l.startsWith("Checking")), lines.at(-1)],
    [
      "Reading large.json: 10 MiB of 20 MiB (50 %)",
      "Checking large.json: 20 MiB of 20 MiB (99 %)",
      "Checking large.json: 20 MiB of 20 MiB (100 %)",
    ],
  );
  for (const line of status) {
    assert(line === "" || /, [\d.]+ [KMG]iB\/s$/.test(line), line);
  }
});

Deno.test("progress says how far a large file is written, whole or in pieces", async () => {
  const { status, files } = await cli(
    "convert large.payload b.payload",
    world,
  );
  assertEquals(files.get("b.payload")!.length, SIZE);
  const writing = shown(status).filter((l) => l.startsWith("Writing"));
  assertEquals(writing.at(0), "Writing b.payload: 4.0 MiB of 20 MiB (20 %)");
  assertEquals(writing.at(-1), "Writing b.payload: 20 MiB of 20 MiB (100 %)");
});

Deno.test("progress tells the share of a text that is made as it is written", async () => {
  // rows enough for 16 MiB of text
  const css = sheet(400, 160_000, 4);
  const { status, files } = await cli("convert a.json b.json", {
    terminal: true,
    files: { "a.json": writeCssMesh(css) },
  });
  assert(files.get("b.json")!.length > 16 * 2 ** 20);
  const writing = shown(status).filter((l) => l.startsWith("Writing"));
  assert(/^Writing b\.json: 16 MiB \(\d\d %\)$/.test(writing[0]), writing[0]);
  assert(/ MiB \(100 %\)$/.test(writing.at(-1)!), writing.at(-1));
});

Deno.test("progress knows no end of stdin", async () => {
  const { status } = await cli("inspect -", {
    ...world,
    stdin: largePayload(),
  });
  assertEquals(shown(status)[0], "Reading stdin: 20 MiB");
});

Deno.test("progress takes its line away before anything else is printed and at the end", async () => {
  for (
    const line of [
      "validate dir/large.json",
      "convert dir/large.json a.glb",
      "inspect large.payload none.vvd",
      "convert large.payload b.payload",
    ]
  ) {
    const { status } = await cli(line, world);
    assert(shown(status).length > 0, line);
    assertEquals(status.at(-1), "", line);
  }
});

Deno.test("progress stays away without a terminal, with --quiet or --json, and from small files", async () => {
  const silent: [string, World][] = [
    ["validate dir/large.json", { ...world, terminal: false }],
    ["validate dir/large.json --quiet", world],
    ["validate dir/large.json --json", world],
    ["convert large.payload b.payload --json", world],
  ];
  for (const [line, given] of silent) {
    assertEquals((await cli(line, given)).status, [], line);
  }
  const small = await cli("convert small.payload b.glb", world);
  assertEquals(shown(small.status), []);
});

Deno.test("progress cuts long names and shows no control characters", async () => {
  const name = `\x1b[31m${"long".repeat(20)}.payload`;
  const { status } = await cli(["inspect", name], {
    terminal: true,
    files: { [name]: largePayload() },
  });
  const [first] = shown(status);
  assert(first.startsWith("Reading \\u001b[31mlonglong"), first);
  assert(first.includes("…: ") && first.length < 80, first);
});
