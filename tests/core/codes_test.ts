import { assert, assertEquals } from "@std/assert";
import { CODES } from "../../src/core/codes.ts";
import { sourceFiles, withoutComments } from "../source_files.ts";

const codes = Object.keys(CODES) as (keyof typeof CODES)[];

Deno.test("CODES explains every code in sentences", () => {
  for (const code of codes) {
    const { kind, severity, meaning, mend } = CODES[code];
    assert(/^[A-Z]+(-[A-Z0-9]+)*(:[a-z]+)?$/.test(code), code);
    assert(["range", "syntax", "type", "plain"].includes(kind), code);
    assert(["error", "warning", "info"].includes(severity), code);
    for (const text of [meaning, mend]) {
      assert(/^\S.+\.$/s.test(text), `${code}: ${JSON.stringify(text)}`);
    }
  }
});

/** Codes that stand as a string literal in a text; comments do not count. */
function literals(text: string): Set<string> {
  const found = withoutComments(text).matchAll(
    /(["'`])([A-Z][A-Z0-9-]*(?::[a-z]+)?)\1/g,
  );
  return new Set(Array.from(found, (m) => m[2]));
}

Deno.test("literals() finds codes in strings and none in comments", () => {
  const text = [
    'const a = "VVD-MAGIC"; // "VVD-ZERO"',
    "/* 'VVD-EMPTY' */ x('VVD-RANGE', `ARGUMENT`);",
    'const b = "VVD-LOD";',
  ].join("\n");
  assertEquals(
    [...literals(text)].toSorted(),
    ["ARGUMENT", "VVD-LOD", "VVD-MAGIC", "VVD-RANGE"],
  );
});

Deno.test("every code has a test that names it", () => {
  const tested = new Set<string>();
  for (const [path, text] of sourceFiles("tests")) {
    // this file's own examples prove nothing about the code
    if (!path.endsWith("_test.ts") || path.endsWith("/codes_test.ts")) continue;
    for (const code of literals(text)) tested.add(code);
  }
  const missing = codes.filter((code) => !tested.has(code));
  assertEquals(missing, [], `no test names ${missing.join(", ")}`);
});

Deno.test("every code is used by the library", () => {
  const used = new Set<string>();
  for (const [path, text] of sourceFiles("src")) {
    if (path.endsWith("/core/codes.ts")) continue;
    for (const code of literals(text)) used.add(code);
  }
  const missing = codes.filter((code) => !used.has(code));
  assertEquals(missing, [], `nothing gives ${missing.join(", ")}`);
});
