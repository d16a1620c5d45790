import { assert, assertEquals } from "@std/assert";
import { MUTANTS, TESTS } from "../../scripts/mutant_list.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string) => Deno.readTextFileSync(new URL(path, root));

Deno.test("every planted fault is an edit of one place, with tests that concern it", () => {
  assert(MUTANTS.length >= 40);
  for (const { file, name, find, replace } of MUTANTS) {
    const what = `${file}: ${name}`;
    assertEquals(read(file).split(find).length, 2, what);
    assert(find !== replace, what);
    assert(TESTS[file].length > 0, what);
    for (const test of TESTS[file]) Deno.statSync(new URL(test, root));
  }
});

Deno.test("no two planted faults have one name", () => {
  const names = MUTANTS.map(({ file, name }) => `${file}: ${name}`);
  assertEquals(new Set(names).size, names.length);
});
