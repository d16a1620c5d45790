import { assertEquals } from "@std/assert";
import { type Code, CODES } from "../../src/core/codes.ts";
import { meshError } from "../../src/core/errors.ts";
import { exitCodeOf } from "../../src/cli/exit_codes.ts";
import { partPath } from "../../src/convert/output_paths.ts";
import {
  clean,
  count,
  errorPlace,
  plural,
  short,
  size,
  table,
} from "../../src/cli/text.ts";

Deno.test("count() puts commas between thousands", () => {
  assertEquals(
    [0, 999, 1000, 65536, 1234567, -4321].map(count),
    ["0", "999", "1,000", "65,536", "1,234,567", "-4,321"],
  );
});

Deno.test("plural() takes the singular for 1 alone", () => {
  assertEquals(
    [0, 1, 2, 1000].map((n) => plural(n, "vertex", "vertices")),
    ["0 vertices", "1 vertex", "2 vertices", "1,000 vertices"],
  );
  assertEquals(plural(2, "LOD"), "2 LODs");
});

Deno.test("short() keeps six significant digits", () => {
  assertEquals(
    [0, 1, Math.fround(0.1), 123456.7, 1 / 3, -2e-9, 5e20].map(short),
    ["0", "1", "0.1", "123457", "0.333333", "-2e-9", "500000000000000000000"],
  );
});

Deno.test("size() takes the unit that leaves one to four digits", () => {
  assertEquals(
    [0, 1, 1023, 1024, 10 * 1024, 2 ** 20, 3.5 * 2 ** 30, 2 ** 42].map(size),
    [
      "0 bytes",
      "1 byte",
      "1,023 bytes",
      "1.0 KiB",
      "10 KiB",
      "1.0 MiB",
      "3.5 GiB",
      "4096 GiB",
    ],
  );
});

Deno.test("clean() shows control and direction characters as escapes", () => {
  assertEquals(clean("plain Ünïcode 骨 💀"), "plain Ünïcode 骨 💀");
  assertEquals(
    clean("\x1b[31m\x07\r\n\t\x7f\x9b\u202e\u2066"),
    "\\u001b[31m\\u0007\\u000d\\u000a\\u0009\\u007f\\u009b\\u202e\\u2066",
  );
});

Deno.test("table() pads columns, numbers to the right", () => {
  assertEquals(
    table([["name", "n", "note"], ["a", "1,000", "x"], ["long one", "-2", ""]]),
    "name      n      note\na         1,000  x\nlong one     -2",
  );
});

Deno.test("errorPlace() shows the byte, else the path, else the code alone", () => {
  const error = (detail: object) => meshError("VVD-RANGE", "x", detail);
  assertEquals(
    errorPlace(error({ offset: 0, path: "p" })),
    "[VVD-RANGE, byte 0]",
  );
  assertEquals(errorPlace(error({ path: "p" })), "[VVD-RANGE, p]");
  assertEquals(errorPlace(error({})), "[VVD-RANGE]");
});

Deno.test("exitCodeOf() gives 1, 2, 4 or 5 for the codes that say so and 3 for all others", () => {
  const special: Partial<Record<Code, number>> = {
    "ARGUMENT": 2,
    "LIMIT-EXCEEDED": 4,
    "KERNEL-MEMORY": 4,
    "PAYLOAD-VERTEX-COUNT": 4,
    "PAYLOAD-INDEX-WIDTH": 4,
    "FILE-WRITE": 5,
    "BATCH-COLLISION": 2,
    "BATCH-STRICT": 1,
    "BATCH-WORKER": 4,
  };
  for (const code of Object.keys(CODES) as Code[]) {
    const want = special[code] ?? (code.startsWith("R-LIMIT:") ? 4 : 3);
    assertEquals(exitCodeOf(meshError(code, "x")), want, code);
  }
});

Deno.test("partPath() puts the number before the extension", () => {
  assertEquals(
    ["a.payload", "d.x/a", "d.x/a.b.c", "d\\a.p", ".payload", "d/.hidden"].map(
      (p) => partPath(p, 1),
    ),
    [
      "a.1.payload",
      "d.x/a.1",
      "d.x/a.b.1.c",
      "d\\a.1.p",
      ".payload.1",
      "d/.hidden.1",
    ],
  );
});
