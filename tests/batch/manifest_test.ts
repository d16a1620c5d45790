import { assertEquals } from "@std/assert";
import {
  manifestOf,
  readHistory,
  type Row,
  settings,
} from "../../src/cli/batch/manifest.ts";

const now = settings("gltf", { lod: 1, basis: "blender" });

function row(name: string, change: Partial<Row> = {}): Row {
  return {
    in: `${name}.vvd`,
    out: `${name}.glb`,
    status: "ok",
    exit: 0,
    sha256: { in: "1", out: "2" },
    bytes: { in: 1, out: 2 },
    losses: 0,
    error: null,
    ...change,
  };
}
const failed = (name: string) =>
  row(name, {
    status: "failed",
    exit: 3,
    error: { code: "VVD-RANGE", message: "m", where: null },
  });
const line = (value: unknown) => `\n${JSON.stringify(value)}\n`;

Deno.test("settings() sorts options, so that their order on the command line says nothing", () => {
  assertEquals(
    JSON.stringify(settings("gltf", { lod: 1, basis: "blender" })),
    JSON.stringify(settings("gltf", { basis: "blender", lod: 1 })),
  );
});

Deno.test("manifestOf() counts and gives the worst exit code", () => {
  const made = manifestOf(now, [row("a"), failed("b"), row("c")]);
  assertEquals(made.exit, 3);
  assertEquals(made.counts, { files: 3, ok: 2, failed: 1, skipped: 0 });
  assertEquals(manifestOf(now, []).exit, 0);
});

Deno.test("readHistory() takes rows of the manifest when its settings are the same", () => {
  const text = (used: typeof now) =>
    JSON.stringify(manifestOf(used, [row("a"), failed("b")]));
  const same = readHistory(text(now), "", now);
  assertEquals([...same.rows.keys()], ["a.vvd"]);
  assertEquals([...same.outputs], ["a.glb"]);
  for (
    const other of [
      settings("gltf", { lod: 2, basis: "blender" }),
      settings("css", { lod: 1, basis: "blender" }),
      { ...now, version: "0.0.0" },
    ]
  ) {
    const history = readHistory(text(other), "", now);
    assertEquals(history.rows.size, 0);
    assertEquals([...history.outputs], ["a.glb"], "still ours to replace");
  }
});

Deno.test("readHistory() follows the journal over the manifest, up to a line that was cut off", () => {
  const journal = [
    line({ settings: settings("css", {}) }),
    line({ row: row("old") }),
    line({ settings: now }),
    line({ begin: "a.vvd" }),
    line({ row: row("a", { losses: 5 }) }),
    line({ begin: "b.vvd" }),
    line({ begin: "c.vvd" }),
    line({ row: row("c") }).slice(0, 40),
    // the next run writes on behind it
    line({ settings: now }),
    line({
      row: row("d", {
        outputs: [
          { file: "d.0.payload", sha256: "1", bytes: 1 },
          { file: "d.1.payload", sha256: "2", bytes: 1 },
        ],
      }),
    }),
  ].join("");
  const before = JSON.stringify(manifestOf(now, [row("a")]));
  const history = readHistory(before, journal, now);
  assertEquals([...history.rows.keys()].sort(), ["a.vvd", "d.vvd"]);
  assertEquals(history.rows.get("a.vvd")?.losses, 5);
  assertEquals([...history.unfinished].sort(), ["b.vvd", "c.vvd"]);
  assertEquals([...history.outputs].sort(), [
    "a.glb",
    "d.0.payload",
    "d.1.payload",
    "old.glb",
  ]);
});

Deno.test("readHistory() counts what it can not read as not done", () => {
  for (
    const text of [
      "",
      "{",
      "null",
      "[]",
      '{"files":1}',
      '{"files":[null,1,"a",{},{"in":"a","out":"b","status":"ok","sha256":{},"outputs":[1]}]}',
    ]
  ) {
    const journal = `${text}\n{"row":null}\n{"row":7}\n{"begin":7}`;
    const history = readHistory(text, journal, now);
    assertEquals(
      [history.rows.size, history.outputs.size, history.unfinished.size],
      [0, 0, 0],
      text,
    );
  }
});
