import { assertEquals } from "@std/assert";

/** How many rows each part of the collection has. */
const PARTS = { A: 12, B: 16, C: 14, D: 17, E: 10, F: 8, G: 12, H: 9, I: 16 };

const text = (path: string) =>
  Deno.readTextFileSync(new URL(path, import.meta.url));

Deno.test("every user report has one test or a reason, and README.md gives the count", () => {
  const rows = Object.entries(PARTS).flatMap(([part, count]) =>
    Array.from({ length: count }, (_, i) => `${part}${i + 1}`)
  );
  const tested = [...Deno.readDirSync(new URL(".", import.meta.url))]
    .filter((entry) => entry.name.endsWith("_test.ts"))
    .flatMap((entry) => [
      ...text(entry.name).matchAll(/^Deno\.test\("([A-I]\d+): /gm),
    ])
    .map((match) => match[1]);
  const reasoned = [...text("README.md").matchAll(/^- ([A-I]\d+): /gm)]
    .map((match) => match[1]);
  assertEquals([...tested, ...reasoned].sort(), rows.sort());
  const [, given] = /(\d+ of \d+) reports have a test/
    .exec(text("../../README.md")) ?? [];
  assertEquals(given, `${tested.length} of ${rows.length}`);
});
