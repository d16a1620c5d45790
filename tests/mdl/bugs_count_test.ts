import { assertEquals } from "@std/assert";

/** Rows of the collection of public bug reports about Source models. */
const ROWS = 52;

Deno.test("every public bug report about Source models has a test that is named by its row", () => {
  const here = new URL(".", import.meta.url);
  const rows = [...Deno.readDirSync(here)]
    .filter(({ name }) => name.endsWith("_test.ts"))
    .flatMap(({ name }) => [
      ...Deno.readTextFileSync(new URL(name, here))
        .matchAll(/(?:Deno\.test|corpusTest)\(\s*["`]bug (\d+(?:, \d+)*): /g),
    ])
    .flatMap(([, numbers]) => numbers.split(", ").map(Number));
  assertEquals(
    [...new Set(rows)].sort((a, b) => a - b),
    Array.from({ length: ROWS }, (_, i) => i + 1),
  );
});
