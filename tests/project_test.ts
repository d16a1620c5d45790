/**
 * What the repository promises about itself: one version, whole exports, nothing of the machine it was made on.
 */
import { assert, assertEquals } from "@std/assert";
import {
  KERNELS_BASE64,
  KERNELS_SHA256,
} from "../src/kernels/kernels_embed.ts";
import { VERSION } from "../src/core/version.ts";

const root = new URL("../", import.meta.url);
const text = (path: string) => Deno.readTextFileSync(new URL(path, root));
const json = (path: string) => JSON.parse(text(path));
const hex = (bytes: Uint8Array) =>
  Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");

/** Every file that a commit could hold: all but what .gitignore names, which is a plain list of folders. */
function committable(): string[] {
  const ignored = text(".gitignore").trim().split("\n");
  const out: string[] = [];
  const walk = (folder: string) => {
    for (const entry of Deno.readDirSync(new URL(folder || ".", root))) {
      const path = folder + entry.name;
      if (entry.isFile) out.push(path);
      else if (
        entry.isDirectory && entry.name !== ".git" &&
        !ignored.includes(`${entry.name}/`)
      ) walk(`${path}/`);
    }
  };
  walk("");
  return out.sort();
}

Deno.test("VERSION equals the version in deno.json", () => {
  assertEquals(VERSION, json("deno.json").version);
});

Deno.test("CHANGELOG.md has an entry when the version is VERSION", () => {
  const heading = new RegExp(`^## .*${VERSION.replaceAll(".", "\\.")}`, "m");
  assert(heading.test(text("CHANGELOG.md")), VERSION);
});

Deno.test("kernels_embed.ts holds kernels.wasm and its SHA-256", async () => {
  const wasm = Deno.readFileSync(new URL("kernels.wasm", root));
  const digest = await crypto.subtle.digest("SHA-256", wasm);
  assertEquals(KERNELS_SHA256, hex(new Uint8Array(digest)));
  const embedded = Uint8Array.from(
    atob(KERNELS_BASE64),
    (c) => c.charCodeAt(0),
  );
  assertEquals(hex(embedded), hex(wasm));
});

Deno.test("deno.json exports files that exist and are published", () => {
  const { exports, publish } = json("deno.json") as {
    exports: Record<string, string>;
    publish: { include: string[] };
  };
  for (const [name, path] of Object.entries(exports)) {
    const file = path.replace(/^\.\//, "");
    assert(Deno.statSync(new URL(file, root)).isFile, name);
    assert(
      publish.include.some((given) =>
        given.endsWith("/") ? file.startsWith(given) : file === given
      ),
      `${name}: ${file} is not published`,
    );
  }
  for (const path of publish.include) Deno.statSync(new URL(path, root));
});

Deno.test("browser.json checks as strictly as deno.json, without Deno's types", () => {
  const [deno, browser] = [json("deno.json"), json("browser.json")];
  const { lib, ...options } = browser.compilerOptions;
  const { lib: _, ...expected } = deno.compilerOptions;
  assertEquals(options, expected);
  assertEquals(browser.links, deno.links);
  assertEquals(lib.filter((name: string) => name.startsWith("deno")), []);
});

Deno.test("README.md gives the two commands of a stranger with the pinned Deno", () => {
  const { deno } = json("tools/package.json").devDependencies;
  for (const task of ["demo", "test"]) {
    const command = `npx -y deno@${deno} task ${task}\n`;
    assert(text("README.md").includes(command), command);
    assert(task in json("deno.json").tasks, task);
  }
});

Deno.test("README.md and SECURITY.md link to files that exist", () => {
  for (const page of ["README.md", "SECURITY.md", "CHANGELOG.md"]) {
    for (
      const [, target] of text(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)
    ) {
      Deno.statSync(new URL(target, root));
    }
  }
});

Deno.test("no file names a folder of the machine it was made on, nor a package registry's host", () => {
  // spelled in pieces, so that this file does not contain what it looks for
  const folders = ["work", "root", "home", "tmp", "Users"];
  const hosts = [
    ["registry", "npmjs", "org"],
    ["registry", "yarnpkg", "com"],
    ["npm", "jsr", "io"],
    ["deb", "debian", "org"],
  ];
  const unwanted = [
    ...folders.map((name) => `/${name}/`),
    ...hosts.map((parts) => parts.join(".")),
  ];
  const files = committable();
  assert(files.includes("tools/package-lock.json"), "the lock is among them");
  assert(files.includes(".ci/run") && files.length > 60, files.join());
  const found = files.flatMap((path) => {
    const content = Deno.readFileSync(new URL(path, root));
    // one character a byte: binary files are searched as well
    const chars = new TextDecoder("latin1").decode(content);
    return unwanted
      .filter((word) => chars.includes(word))
      .map((word) => `${path}: ${word}`);
  });
  assertEquals(found, []);
});

Deno.test("scripts/test.ts counts passed, failed, skipped and unloadable when tests end in each way", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "meshwright_count_" });
  const lastLine = async (...sources: string[]) => {
    const files = sources.map((source, i) => {
      const path = `${folder}/${i}_test.ts`;
      Deno.writeTextFileSync(path, source);
      return path;
    });
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", new URL("scripts/test.ts", root).pathname, ...files],
      stderr: "null",
    }).output();
    const line = new TextDecoder().decode(stdout).trimEnd().split("\n").pop();
    return [line, code];
  };
  const passes = 'Deno.test("a", () => {}); Deno.test.ignore("b", () => {});';
  const fails = 'Deno.test("c", () => { throw new Error("on purpose"); });';
  const throwsAtOnce = 'throw new Error("on purpose");';
  const wrongType = "const x: string = 1;";
  try {
    assertEquals(
      await lastLine(passes, fails, throwsAtOnce),
      ["1 passed, 2 failed, 1 skipped", 1],
    );
    assertEquals(
      await lastLine(passes, wrongType),
      ["0 passed, 1 failed, 0 skipped", 1],
    );
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
