import { assertEquals } from "@std/assert";
import {
  absolute,
  below,
  commonFolder,
  folderOf,
  isPattern,
  patternBase,
  patternMatcher,
  tidy,
} from "../../src/cli/batch/paths.ts";
import { Random } from "../random.ts";

Deno.test("tidy() drops dots and empty parts and keeps the root", () => {
  for (
    const [path, want] of [
      ["a/b", "a/b"],
      ["./a//b/./c", "a/b/c"],
      ["/a/./b", "/a/b"],
      ["../a", "../a"],
      [".", ""],
      ["/", "/"],
    ]
  ) assertEquals(tidy(path), want, path);
});

Deno.test("absolute() resolves dots from the current folder", () => {
  assertEquals(absolute("a/../b", "/x/y"), "/x/y/b");
  assertEquals(absolute("../../..", "/x/y"), "/");
  assertEquals(absolute("/a/./b", "/x/y"), "/a/b");
  assertEquals(absolute("C:/a", "D:/x"), "/C:/a");
});

Deno.test("patternBase() is the folder in which the choice begins", () => {
  for (
    const [pattern, want] of [
      ["a/b/*.vvd", "a/b"],
      ["a/**/c/*.vvd", "a"],
      ["*.vvd", ""],
      ["/*.vvd", "/"],
      ["/a/{b,c}/d", "/a"],
      ["a/b/c.vvd", "a/b"],
      ["c.vvd", ""],
      ["../a/*", "../a"],
    ]
  ) assertEquals(patternBase(pattern), want, pattern);
});

Deno.test("commonFolder(), below() and folderOf() work on whole parts", () => {
  assertEquals(commonFolder(["/a/b/c", "/a/bc", "/a/b"]), "/a");
  assertEquals(commonFolder(["/a/b"]), "/a/b");
  assertEquals(commonFolder(["/a", "/b"]), "/");
  assertEquals(below("/a/b/c", "/a"), "b/c");
  assertEquals(below("/ab/c", "/a"), null);
  assertEquals(below("/a", "/"), "a");
  assertEquals(folderOf("a/b"), "a");
  assertEquals(folderOf("/a"), "/");
  assertEquals(folderOf("a"), "");
});

Deno.test("patternMatcher() chooses as a shell does", () => {
  for (
    const [pattern, path, want] of [
      ["*.vvd", "a.vvd", true],
      ["*.vvd", "a/b.vvd", false],
      ["**/*.vvd", "b.vvd", true],
      ["**/*.vvd", "a/x/b.vvd", true],
      ["a/**/*.vvd", "ab/c.vvd", false],
      ["./a/*.vvd", "a/c.vvd", true],
      ["a?.vvd", "ab.vvd", true],
      ["a?.vvd", "a/.vvd", false],
      ["[a-c].vvd", "b.vvd", true],
      ["[!a-c].vvd", "b.vvd", false],
      ["*.{vvd,payload}", "x.payload", true],
      ["*.{vvd,payload}", "x.glb", false],
      ["a\\[1\\].vvd", "a[1].vvd", true],
      ["/t/*.vvd", "/t/a.vvd", true],
      // hidden names only where they are named
      ["*", ".a", false],
      ["**/*", ".a/b", false],
      ["**/.a/*", "x/.a/b", true],
      [".*", ".a", true],
      ["../*.vvd", "../a.vvd", true],
      [".h/*.vvd", ".h/a.vvd", true],
    ] as const
  ) {
    assertEquals(patternMatcher(pattern)(path), want, `${pattern} ${path}`);
  }
});

/** The plainest matcher of `*`, `?` and `**`: one character or part after the other, every way tried. */
function plainMatch(pattern: string[], path: string[]): boolean {
  if (pattern.length === 0) return path.length === 0;
  const [first, ...rest] = pattern;
  if (first === "**") {
    return plainMatch(rest, path) ||
      (path.length > 0 && plainMatch(pattern, path.slice(1)));
  }
  const part = (p: string, text: string): boolean =>
    p === ""
      ? text === ""
      : p[0] === "*"
      ? part(p.slice(1), text) || (text !== "" && part(p, text.slice(1)))
      : text !== "" && (p[0] === "?" || p[0] === text[0]) &&
        part(p.slice(1), text.slice(1));
  return path.length > 0 && part(first, path[0]) &&
    plainMatch(rest, path.slice(1));
}

Deno.test("patternMatcher() equals a plain matcher on random patterns", () => {
  const random = new Random(7);
  const word = (letters: string, most: number) =>
    Array.from(
      { length: 1 + random.below(most) },
      () => random.pick([...letters]),
    ).join("");
  let matched = 0;
  for (let i = 0; i < 4000; i++) {
    const parts = Array.from(
      { length: 1 + random.below(3) },
      // "**" within a longer name is another thing in every shell
      () =>
        random.below(4) === 0 ? "**" : word("ab*?", 3).replaceAll(/\*+/g, "*"),
    );
    const path = Array.from(
      { length: 1 + random.below(3) },
      () => word("ab", 3),
    );
    if (parts[parts.length - 1] === "**") parts.push("*");
    const want = plainMatch(parts, path);
    const got = patternMatcher(parts.join("/"))(path.join("/"));
    assertEquals(got, want, `${parts.join("/")} on ${path.join("/")}`);
    if (want) matched++;
  }
  assertEquals(matched > 400 && matched < 3600, true, `${matched} matched`);
});

Deno.test("isPattern() knows plain names", () => {
  for (const name of ["a.vvd", "a (1).vvd", "a+b/c-d_e", "#1!"]) {
    assertEquals(isPattern(name), false, name);
  }
  for (const name of ["*", "a?", "[a]", "{a,b}", "@(a)", "a\\*"]) {
    assertEquals(isPattern(name), true, name);
  }
});
