import { assert, assertEquals } from "@std/assert";
import { skinnedPart, staticPart } from "../payload/plain_payload.ts";
import { plainRecords, plainVvd } from "../vvd/plain_vvd.ts";
import { cli, jsonLines, sample } from "./fake_host.ts";

interface Line {
  schema: string;
  file: string;
  format: string | null;
  ok: boolean;
  errors: number;
  warnings: number;
  findings: {
    severity: string;
    code: string;
    where: string;
    message: string;
    found?: unknown;
    allowed?: unknown;
  }[];
}

const lines = (out: string) => jsonLines(out) as unknown as Line[];

/** No finding at all: normals and tangents of unit length, weights of one, in the range of sizes that makes sense. */
const good = sample("terrain.payload");
/** An error: its last index names no vertex. */
const bad = staticPart(3, [0, 1, 9]).bytes;
/** A warning alone: four indices. */
const doubtful = staticPart(3, [0, 1, 2, 0]).bytes;
const broken = good.subarray(0, 1000);
const files = {
  "good.payload": good,
  "bad.payload": bad,
  "doubtful.payload": doubtful,
  "broken.payload": broken,
};

Deno.test("validate exits 0 for a good file, 1 for an error, 3 for one that can not be read", async () => {
  for (
    const [line, want] of [
      ["good.payload", 0],
      ["bad.payload", 1],
      ["doubtful.payload", 0],
      ["good.payload --strict", 0],
      ["doubtful.payload --strict", 1],
      ["bad.payload --strict", 1],
      ["broken.payload", 3],
      ["missing.payload", 3],
      ["good.payload bad.payload doubtful.payload", 1],
      ["broken.payload bad.payload good.payload", 3],
    ] as const
  ) {
    assertEquals((await cli(`validate ${line}`, { files })).code, want, line);
    assertEquals(
      (await cli(`validate ${line} --json`, { files })).code,
      want,
      line,
    );
  }
  assertEquals(
    (await cli("validate good.payload", { files, maxBytes: 9 })).code,
    4,
  );
});

Deno.test("validate --json prints one object a file with the contract's keys, whatever the file is like", async () => {
  const names = [...Object.keys(files), "missing.payload"];
  const { out, err } = await cli(["validate", "--json", ...names], { files });
  const rows = lines(out);
  assertEquals(rows.map((r) => r.file), names);
  for (const row of rows) {
    assertEquals(Object.keys(row), [
      "schema",
      "file",
      "format",
      "ok",
      "errors",
      "warnings",
      "findings",
    ]);
    assertEquals(row.schema, "meshwright/validate/1");
    assertEquals(row.ok, row.errors === 0);
    const of = (severity: string) =>
      row.findings.filter((f) => f.severity === severity).length;
    assertEquals([of("error"), of("warning")], [row.errors, row.warnings]);
    for (const f of row.findings) {
      assert(f.code && f.where && f.message, JSON.stringify(f));
    }
  }
  assertEquals(rows.map((r) => r.ok), [true, false, true, false, false]);
  assertEquals(rows[1].findings[0].code, "PAYLOAD-INDEX-RANGE");
  assertEquals(rows[1].findings[0].found, 9);
  assertEquals(rows[2].findings.map((f) => f.code), [
    "PAYLOAD-INDEX-TAIL",
    "MESH-DEGENERATE", // the plain vertices stand in a line
  ]);
  assertEquals(rows[3].findings.map((f) => f.code), ["PAYLOAD-TRUNCATED"]);
  assertEquals(rows[4].findings.map((f) => f.code), ["FILE-READ"]);
  // of these only the file that is not there is told on stderr
  assertEquals(err.split("\n").length, 2);
});

Deno.test("validate prints findings for people, and the code to ask about", async () => {
  const { out, err } = await cli(
    "validate good.payload bad.payload doubtful.payload",
    {
      files,
    },
  );
  assertEquals(err, "");
  assert(out.startsWith("good.payload: ok\nbad.payload: not ok (1 error"), out);
  assert(
    /^ {2}error PAYLOAD-INDEX-RANGE at \S.*: Build the payload again: /m.test(
      out,
    ),
    out,
  );
  assert(out.includes("  meshwright explain PAYLOAD-INDEX-RANGE tells more\n"));
  assert(out.includes("\ndoubtful.payload: ok (1 warning)\n"), out);
});

Deno.test("validate says not ok for a warning when --strict is given", async () => {
  const { out } = await cli("validate doubtful.payload --strict", { files });
  assert(out.startsWith("doubtful.payload: not ok (1 warning)\n"), out);
});

Deno.test("validate lists at most 1,000 findings and counts all", async () => {
  const many = staticPart(3, new Array(1503).fill(7)).bytes;
  const { out } = await cli("validate a.payload --json", {
    files: { "a.payload": many },
  });
  const [row] = lines(out);
  assertEquals(row.findings.length, 1000);
  assertEquals(row.errors, 1503);
  const people = await cli("validate a.payload", {
    files: { "a.payload": many },
  });
  assertEquals(people.code, 1);
  assert(people.out.startsWith("a.payload: not ok (1,503 errors)\n"));
  assert(people.out.includes("\n  … 503 more, not listed\n"));
});

Deno.test("validate --from judges a file as another format", async () => {
  const { code, out } = await cli("validate a.bin --from vvd --json", {
    files: { "a.bin": good },
  });
  assertEquals(code, 3);
  assertEquals(lines(out)[0].format, "vvd");
  assertEquals(lines(out)[0].findings[0].code, "VVD-MAGIC");
});

Deno.test("validate gives format null when nothing tells it", async () => {
  const { code, out } = await cli("validate a.bin --json", {
    files: { "a.bin": "hello" },
  });
  assertEquals(code, 3);
  assertEquals(lines(out)[0].format, null);
  assertEquals(lines(out)[0].findings[0].code, "FORMAT-UNKNOWN");
});

Deno.test("validate reads stdin", async () => {
  const { code, out } = await cli("validate -", { stdin: good });
  assertEquals([code, out], [0, "-: ok\n"]);
});

Deno.test("validate tells a wrong VVD by name", async () => {
  const vvd = plainVvd({ counts: [1], vertices: plainRecords(1) });
  const swapped = vvd.slice();
  swapped.set(new TextEncoder().encode("VSDI"));
  const { out } = await cli(
    "validate big.vvd empty.vvd zero.vvd lfs.vvd --json",
    {
      files: {
        "big.vvd": swapped,
        "empty.vvd": new Uint8Array(0),
        "zero.vvd": new Uint8Array(500),
        "lfs.vvd":
          "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
      },
    },
  );
  assertEquals(lines(out).map((r) => r.findings[0].code), [
    "VVD-BIG-ENDIAN",
    "VVD-EMPTY",
    "VVD-ZERO",
    "VVD-LFS-POINTER",
  ]);
});

Deno.test("validate colours severities and the verdict where colours are shown", async () => {
  const world = { files, color: true };
  const { out } = await cli("validate good.payload bad.payload", world);
  assert(out.includes("\x1b[32mok\x1b[39m"), out);
  assert(out.includes("\x1b[31mnot ok"), out);
  assert(out.includes("\x1b[31merror\x1b[39m PAYLOAD-INDEX-RANGE"), out);
  const json = await cli("validate good.payload --json", world);
  assert(!json.out.includes("\x1b"));
});

Deno.test("validate cleans what a file puts into messages", async () => {
  const file = skinnedPart(2, [0, 1, 0], [
    { name: "\x1b[31m", parent: -1 },
    { name: "\x1b[31m", parent: -1 },
  ]).bytes;
  const { out } = await cli("validate a.payload", {
    files: { "a.payload": file },
  });
  assert(out.includes("PAYLOAD-JOINT-NAME"), out);
  assert(!out.includes("\x1b"), out);
});
