import { assert, assertEquals } from "@std/assert";
import {
  sourceFiles,
  withoutComments,
  withoutCommentsAndStrings,
} from "../source_files.ts";

/**
 * Which part of src/ a file belongs to: `core`, `kernels`, `formats/vvd`, `ops`, …
 */
function partOf(path: string): string {
  const [, first, second] = path.split("/");
  return first === "formats" ? `formats/${second}` : first;
}

/** The floors, lowest first: a file imports from its own part and from floors below, nothing else. */
const FLOORS: readonly (readonly string[])[] = [
  ["core"],
  ["kernels"],
  ["formats", "ops"],
  ["convert", "preview"],
  ["cli", "edge", "web"],
];

/** A Source model contains a vertex file: the one format that may import another. */
const CONTAINS: Readonly<Record<string, readonly string[]>> = {
  "formats/mdl": ["formats/vvd"],
};

function floorOf(part: string): number {
  return FLOORS.findIndex((floor) => floor.includes(part.split("/")[0]));
}

/** Every module that a text imports or re-exports, types included. */
function specifiers(text: string): string[] {
  const code = withoutComments(text);
  const found = code.matchAll(
    /(?:\bfrom\s*|\bimport\s*\(?\s*)(["'])([^"'\n]+)\1/g,
  );
  return Array.from(found, (m) => m[2]);
}

/** What is wrong with the imports of some files, in words. */
function problems(files: Iterable<[path: string, text: string]>): string[] {
  const out: string[] = [];
  for (const [path, text] of files) {
    const here = partOf(path);
    if (floorOf(here) < 0) out.push(`${path} belongs to no floor`);
    for (const specifier of specifiers(text)) {
      if (!specifier.startsWith(".")) continue;
      const target = new URL(specifier, `file:///${path}`).pathname.slice(1);
      if (!target.startsWith("src/")) {
        out.push(`${path} imports ${target}, outside src/`);
        continue;
      }
      const there = partOf(target);
      if (CONTAINS[here]?.includes(there)) continue;
      if (there !== here && floorOf(there) >= floorOf(here)) {
        out.push(`${path} imports ${target}`);
      }
    }
  }
  return out;
}

Deno.test("problems() allows imports downwards and inside a part", () => {
  assertEquals(
    problems([
      ["src/core/a.ts", 'import "./b.ts";'],
      ["src/kernels/a.ts", 'import { x } from "../core/a.ts";'],
      ["src/formats/vvd/a.ts", 'import "../../kernels/a.ts";import "./b.ts"'],
      ["src/formats/mdl/a.ts", 'import "../vvd/mod.ts";'],
      ["src/ops/a.ts", 'export * from "../core/a.ts";'],
      [
        "src/convert/a.ts",
        'import "../formats/vvd/mod.ts"; import "../ops/a.ts";',
      ],
      ["src/cli/a.ts", 'await import("../convert/a.ts"); import "npm:x";'],
      ["src/core/c.ts", '// import "../cli/a.ts"\n/* from "../ops/a.ts" */'],
    ]),
    [],
  );
});

Deno.test("problems() names every import upwards or sideways", () => {
  const wrong: [string, string][] = [
    ["src/core/a.ts", 'import "../kernels/a.ts";'],
    ["src/core/b.ts", 'import type { X } from "../formats/vvd/types.ts";'],
    ["src/kernels/a.ts", "export * from '../ops/a.ts';"],
    ["src/formats/vvd/a.ts", 'import "../payload/mod.ts";'],
    ["src/formats/vvd/c.ts", 'import "../mdl/mod.ts";'],
    ["src/formats/mdl/a.ts", 'import "../payload/mod.ts";'],
    ["src/formats/vvd/b.ts", 'import {\n  x,\n} from "../../ops/mod.ts";'],
    ["src/ops/a.ts", 'const m = await import("../formats/vvd/mod.ts");'],
    ["src/convert/a.ts", 'import "../cli/a.ts";'],
    ["src/cli/a.ts", 'import "../edge/a.ts";'],
    ["src/ops/b.ts", 'import "../../mod.ts";'],
    ["src/attic/a.ts", ""],
  ];
  assertEquals(problems(wrong).length, wrong.length);
  for (const one of wrong) assertEquals(problems([one]).length, 1, one[0]);
});

Deno.test("src/ imports downwards only, no format another format or an op, no op a format", () => {
  const files = sourceFiles("src");
  assert(files.length > 20, `only ${files.length} files found`);
  assertEquals(problems(files), []);
});

/** Lines that speak to Deno. */
const speaksToDeno = (text: string) =>
  /\bDeno\s*[.[?]|\bglobalThis\s*\.\s*Deno\b/.test(
    withoutCommentsAndStrings(text),
  );

Deno.test("speaksToDeno() sees code and passes over comments and messages", () => {
  for (
    const code of [
      'Deno.readFileSync("x")',
      "x = Deno?.args",
      "`${Deno.cwd()}`",
      "globalThis.Deno",
    ]
  ) {
    assert(speaksToDeno(code), code);
  }
  for (
    const code of [
      "/** Deno.readFileSync */",
      "// Deno.args",
      '"ask Deno. It knows"',
      "denote.x",
    ]
  ) {
    assert(!speaksToDeno(code), code);
  }
});

Deno.test("src/ uses Deno in src/cli alone", () => {
  const found = sourceFiles("src")
    .filter(([path, text]) =>
      !path.startsWith("src/cli/") && speaksToDeno(text)
    )
    .map(([path]) => path);
  assertEquals(found, []);
});
