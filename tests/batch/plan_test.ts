import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { planBatch, type PlanHost } from "../../src/cli/batch/plan.ts";
import { UsageError } from "../../src/cli/usage.ts";

/** Files in memory below `/here`. */
function world(paths: readonly string[]): PlanHost {
  const whole = (path: string) => path.startsWith("/") ? path : `/here/${path}`;
  const all = paths.map(whole);
  return {
    cwd: "/here",
    look: (path) =>
      Promise.resolve(
        all.includes(whole(path))
          ? "file"
          : all.some((f) => f.startsWith(`${whole(path)}/`))
          ? "folder"
          : null,
      ),
    tree(folder, depth) {
      const start = folder === "" ? "/here/" : `${whole(folder)}/`;
      return Promise.resolve(
        all.filter((f) =>
          f.startsWith(start) &&
          f.slice(start.length).split("/").length <= depth
        ).map((f) =>
          folder === ""
            ? f.slice(start.length)
            : `${folder}/${f.slice(start.length)}`
        ),
      );
    },
  };
}

async function plan(
  paths: readonly string[],
  patterns: readonly string[],
  outDir = "out",
  own: readonly string[] = [],
): Promise<string[]> {
  const { files } = await planBatch(
    world(paths),
    patterns,
    outDir,
    "gltf",
    new Set(own),
  );
  return files.map((f) =>
    `${f.in} > ${f.out}${f.collision ? ` (${f.collision})` : ""}`
  );
}

Deno.test("planBatch() sorts inputs and mirrors their folders from where the pattern begins", async () => {
  const files = ["m/b/y.vvd", "m/a/x.vvd", "m/Z.vvd", "n/q.vvd", "m/a/x.txt"];
  assertEquals(await plan(files, ["m/**/*.vvd"]), [
    "m/Z.vvd > Z.glb",
    "m/a/x.vvd > a/x.glb",
    "m/b/y.vvd > b/y.glb",
  ]);
  assertEquals(await plan(files, ["/here/m/*/*.vvd"], "/else"), [
    "/here/m/a/x.vvd > a/x.glb",
    "/here/m/b/y.vvd > b/y.glb",
  ]);
});

Deno.test("planBatch() gives paths that a shell expanded the places of the pattern", async () => {
  const files = ["m/a/x.vvd", "m/b/x.vvd"];
  const want = ["m/a/x.vvd > a/x.glb", "m/b/x.vvd > b/x.glb"];
  assertEquals(await plan(files, files), want);
  assertEquals(await plan(files, ["m/*/x.vvd"]), want);
  assertEquals(await plan(files, ["m/a/*", "./m/b/*", "m/a/x.vvd"]), want);
});

Deno.test("planBatch() takes the files of a model with its .mdl", async () => {
  const files = [
    ...["m/a.mdl", "m/A.VVD", "m/a.dx90.vtx", "m/a.vvc"],
    ...["m/ab.vvd", "n/a.vvd"],
  ];
  assertEquals(await plan(files, ["**/*"]), [
    "m/a.mdl > m/a.glb",
    "m/ab.vvd > m/ab.glb",
    "n/a.vvd > n/a.glb",
  ]);
  // without it they are files like others
  assertEquals(await plan(files, ["m/*.[vV][vV]?"]), [
    "m/A.VVD > A.glb",
    "m/a.vvc > a.glb (Rename it: m/A.VVD already gives a.glb)",
    "m/ab.vvd > ab.glb",
  ]);
});

Deno.test("planBatch() reports outputs that collide", async () => {
  assertEquals(await plan(["a.payload", "a.vvd", "A.css"], ["*.*"]), [
    "A.css > A.glb",
    "a.payload > a.glb (Rename it: A.css already gives a.glb)",
    "a.vvd > a.glb (Rename it: A.css already gives a.glb)",
  ]);
  // in place: an output must not take the place of an input
  assertEquals(await plan(["m/a.vvd", "m/b.glb"], ["m/*"], "m"), [
    "m/a.vvd > a.glb",
    "m/b.glb > b.glb (Choose another --out-dir: b.glb there is an input)",
  ]);
  const { files } = await planBatch(
    world(["manifest.vvd", "x/manifest.vvd"]),
    ["**/*.vvd"],
    "out",
    "css",
  );
  assertEquals(files.map((f) => f.collision), [
    "Rename it: the manifest already gives manifest.json",
    null,
  ]);
});

Deno.test("planBatch() takes no output for an input", async () => {
  const files = ["a.vvd", "out/a.glb", "out/manifest.json"];
  assertEquals(await plan(files, ["**/*"]), ["a.vvd > a.glb"]);
  assertEquals(
    await plan(
      ["m/a.vvd", "m/a.glb", "m/manifest.json"],
      ["m/*"],
      "m",
      ["a.glb"],
    ),
    ["m/a.vvd > a.glb"],
  );
  // chosen there and nowhere else, they are meant
  assertEquals(await plan(files, ["out/*.glb"], "out/b"), [
    "out/a.glb > a.glb",
  ]);
});

Deno.test("planBatch() takes a file that is called like a pattern", async () => {
  assertEquals(await plan(["a[1].vvd", "a1.vvd"], ["a[1].vvd"]), [
    "a[1].vvd > a[1].glb",
  ]);
});

Deno.test("planBatch() keeps a missing file, for its own error, and names patterns without files", async () => {
  const { files, empty } = await planBatch(
    world(["a.vvd"]),
    ["a.vvd", "b.vvd", "*.mdl"],
    "out",
    "gltf",
  );
  assertEquals(files.map((f) => f.in), ["a.vvd", "b.vvd"]);
  assertEquals(empty, ["*.mdl"]);
});

Deno.test("planBatch() refuses folders and patterns that choose nothing", async () => {
  const none = await assertRejects(
    () => plan(["a.vvd"], ["*.mdl"]),
    UsageError,
  );
  assertStringIncludes(none.message, "no file matches *.mdl");
  const folder = await assertRejects(
    () => plan(["m/a.vvd"], ["m"]),
    UsageError,
  );
  assertStringIncludes(folder.message, '"m/**/*.mdl"');
});
