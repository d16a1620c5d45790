import { assert, assertEquals, assertGreater } from "@std/assert";
import { isDebugBuild } from "./build.ts";

const root = new URL("../../", import.meta.url);

async function deno(
  args: string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    env: { NO_COLOR: "1", ...env },
    cwd: root,
  }).output();
  const log = new TextDecoder().decode(stdout) +
    new TextDecoder().decode(stderr);
  assertEquals(code, 0, log);
  return log;
}

/** The quick tests of a folder. */
function quickTests(folder: string): string[] {
  return [...Deno.readDirSync(new URL(`${folder}/`, root))]
    .map(({ name }) => `${folder}/${name}`)
    .filter((path) => /_test\.ts$/.test(path) && !/_slow_test/.test(path));
}

Deno.test({
  name:
    "the debug build of the kernels passes the tests of the kernels, tangents and transforms too",
  ignore: isDebugBuild,
  fn: async () => {
    await deno(["run", "-A", "scripts/build_wasm.ts", "--debug"]);
    const log = await deno([
      ...["test", "-A", "--no-check", "--parallel"],
      ...quickTests("tests/kernels"),
      ...quickTests("tests/tangents"),
      "tests/ops/transform_mesh_test.ts",
    ], { MESHWRIGHT_KERNELS: "debug" });
    const summary = /ok \| (\d+) passed .*\| 0 failed/.exec(log);
    assert(summary, log);
    assertGreater(Number(summary[1]), 120);
  },
});
