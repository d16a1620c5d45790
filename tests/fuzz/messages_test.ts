/** Every sentence that a damaged JSON file brings: none shows a value that is not there. */
import { assert, assertEquals } from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import { inspect } from "../../src/convert/inspect.ts";
import { validate } from "../../src/convert/validate.ts";
import { MeshError } from "../../src/core/errors.ts";
import { triangle } from "../css/plain_css.ts";

// deno-lint-ignore no-explicit-any
type Loose = any;

/** What takes the place of a value; undefined leaves its key out. */
const OTHERS: readonly unknown[] = [
  undefined,
  null,
  "x",
  true,
  -1,
  1.5,
  7,
  [],
  [null],
  {},
];

/** Elements of a list that are changed: the rest are of the same kind. */
const ELEMENTS = 2;

/** Calls `visit` with every place of a document changed in turn, and puts it back. */
async function eachChange(
  value: Loose,
  visit: (what: string) => Promise<void>,
  path = "",
): Promise<void> {
  const keys = Object.keys(value);
  for (const key of Array.isArray(value) ? keys.slice(0, ELEMENTS) : keys) {
    const kept = value[key];
    for (const other of OTHERS) {
      value[key] = other;
      await visit(`${path}/${key} = ${JSON.stringify(other)}`);
    }
    value[key] = kept;
    if (typeof kept === "object" && kept !== null) {
      await eachChange(kept, visit, `${path}/${key}`);
    }
  }
}

/** All sentences that commands print about a file. */
async function sentences(bytes: Uint8Array, name: string): Promise<string[]> {
  const told: string[] = [];
  const { findings } = await validate(bytes, { name });
  told.push(...findings.flatMap((f) => [f.where, f.message]));
  for (
    const work of [
      () => inspect(bytes, { name }),
      async () => {
        const { report } = await convert(bytes, { name, to: "payload" });
        const rows = [...report.loss, ...report.added];
        told.push(...rows.flatMap((row) => [row.what, row.why]));
      },
    ]
  ) {
    try {
      await work();
    } catch (error) {
      assert(error instanceof MeshError, `${name}: ${error}`);
      told.push(error.message);
    }
  }
  return told;
}

async function assertPlain(document: Loose, name: string): Promise<void> {
  const bad: string[] = [];
  let told = 0;
  await eachChange(document, async (what) => {
    const bytes = new TextEncoder().encode(JSON.stringify(document));
    for (const text of await sentences(bytes, name)) {
      told++;
      if (/undefined|\[object|NaN\b|Infinity/.test(text)) {
        bad.push(`${what}: ${text}`);
      }
    }
  });
  assert(told > 500, `${told}`);
  assertEquals([...new Set(bad)], []);
}

/** A small mesh with a bit of everything. */
function rich(): Loose {
  return {
    ...triangle(),
    colors: Array(3).fill([1, 1, 1, 1]),
    morph_targets: [{ name: "m", deltas: [[0, 1, 1, 1]] }],
  };
}

Deno.test("convert(), inspect() and validate() show no value that is not there, whatever is wrong in a glTF", async () => {
  const css = new TextEncoder().encode(JSON.stringify(rich()));
  const { outputs: [text] } = await convert(css, {
    to: "gltf",
    gltfJson: true,
  });
  await assertPlain(JSON.parse(new TextDecoder().decode(text)), "a.gltf");
});

Deno.test("convert(), inspect() and validate() show no value that is not there, whatever is wrong in a CSS mesh", async () => {
  await assertPlain(rich(), "a.json");
});
