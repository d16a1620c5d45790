import { assert, assertEquals } from "@std/assert";
import { type Code, CODES } from "../../src/core/codes.ts";
import { FORMATS } from "../../src/core/formats.ts";
import { cli, jsonLines } from "./fake_host.ts";

const codes = Object.keys(CODES) as Code[];

Deno.test("explain prints meaning and mend of every code", async () => {
  for (const code of codes) {
    const { severity, meaning, mend } = CODES[code];
    const { code: exit, out, err } = await cli(["explain", code]);
    assertEquals([exit, err], [0, ""]);
    assertEquals(
      out,
      `${code} (${severity})\n\n  ${meaning}\n\n  To mend it: ${mend}\n`,
    );
  }
});

Deno.test("explain takes a code in lower case", async () => {
  const { code, out } = await cli("explain vvd-fixup-sum");
  assertEquals(code, 0);
  assert(out.startsWith("VVD-FIXUP-SUM (error)\n"), out);
});

Deno.test("explain --json prints one object a code", async () => {
  const one = jsonLines((await cli("explain VVD-RANGE --json")).out);
  const schema = "meshwright/explain/1";
  assertEquals(one, [{ schema, code: "VVD-RANGE", ...CODES["VVD-RANGE"] }]);
  const all = jsonLines((await cli("explain --json")).out);
  assertEquals(all.map((row) => row.code), codes);
});

Deno.test("explain takes several codes, and prints none when one is unknown", async () => {
  const single = async (code: string) => (await cli(`explain ${code}`)).out;
  const both = await cli("explain VVD-RANGE vvd-lod-count");
  assertEquals(both.code, 0);
  assertEquals(
    both.out,
    `${await single("VVD-RANGE")}\n${await single("VVD-LOD-COUNT")}`,
  );
  const json = jsonLines(
    (await cli("explain --json VVD-LOD-COUNT VVD-RANGE")).out,
  );
  assertEquals(json.map((row) => row.code), ["VVD-LOD-COUNT", "VVD-RANGE"]);
  const wrong = await cli("explain VVD-RANGE NO-SUCH");
  assertEquals([wrong.code, wrong.out], [2, ""]);
});

Deno.test("explain lists every code when none is given", async () => {
  const { code, out } = await cli("explain");
  assertEquals(code, 0);
  const listed = out.trimEnd().split("\n");
  assertEquals(listed.map((line) => line.split(" ")[0]), codes);
  codes.forEach((c, i) => assert(listed[i].endsWith(CODES[c].meaning)));
});

Deno.test("explain exits 2 for an unknown code and proposes one", async () => {
  for (
    const [asked, want] of [
      ["PAYLOAD-MAGICK", "PAYLOAD-MAGICK is none; did you mean PAYLOAD-MAGIC?"],
      ["vvd", "vvd is none; did you mean VVD-"],
      ["zzzz", "zzzz is none\n"],
    ]
  ) {
    const { code, out, err } = await cli(["explain", asked]);
    assertEquals([code, out], [2, ""]);
    assert(err.includes(want), err);
  }
});

Deno.test("formats lists every format and what this version does with it", async () => {
  const { code, out, err } = await cli("formats");
  assertEquals([code, err], [0, ""]);
  const rows = out.trimEnd().split("\n").slice(1);
  assertEquals(rows.length, FORMATS.length);
  FORMATS.forEach((f, i) => {
    const [id, reads, writes] = rows[i].split(/\s+/);
    assertEquals(id, f.id);
    assertEquals([reads === "yes", writes === "yes"], [f.reads, f.writes]);
    for (const e of f.extensions) assert(rows[i].includes(e));
  });
});

Deno.test("formats --json prints one object a format", async () => {
  const rows = jsonLines((await cli("formats --json")).out);
  assertEquals(rows, FORMATS as unknown as Record<string, unknown>[]);
});

Deno.test("formats agrees with convert on what is written", async () => {
  for (const { id, writes } of FORMATS) {
    const { code } = await cli(["convert", "missing", "out", "--to", id]);
    assertEquals(code, writes ? 3 : 2, id);
  }
});
