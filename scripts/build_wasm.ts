/**
 * Compiles assembly/ to kernels.wasm and writes its embedded copy, src/kernels/kernels_embed.ts.
 *
 * `--check` writes nothing and fails when the committed bytes differ; `--debug` writes build/kernels.debug.wasm (asserts,
 * names) instead.
 */
import {
  compileKernels,
  DEBUG,
  embedSource,
  RELEASE,
} from "./compile_kernels.ts";

const root = new URL("../", import.meta.url);
const check = Deno.args.includes("--check");
const debug = Deno.args.includes("--debug");

const wasm = await compileKernels(root, debug ? DEBUG : RELEASE);
if (debug) {
  await Deno.mkdir(new URL("build", root), { recursive: true });
  await Deno.writeFile(new URL("build/kernels.debug.wasm", root), wasm);
  console.log(`build/kernels.debug.wasm: ${wasm.length} bytes`);
  Deno.exit(0);
}

const imports = WebAssembly.Module.imports(new WebAssembly.Module(wasm));
if (imports.length > 0) {
  console.error("kernels.wasm must import nothing, but imports", imports);
  Deno.exit(1);
}

let stale = false;
for (
  const [name, want] of [
    ["kernels.wasm", wasm],
    [
      "src/kernels/kernels_embed.ts",
      new TextEncoder().encode(await embedSource(wasm)),
    ],
  ] as const
) {
  const have = await Deno.readFile(new URL(name, root)).catch(() => null);
  const same = have !== null && have.length === want.length &&
    have.every((byte, i) => byte === want[i]);
  if (!same && !check) await Deno.writeFile(new URL(name, root), want);
  stale ||= !same;
  console.log(
    `${name}: ${want.length} bytes, ${
      same ? "up to date" : check ? "STALE" : "written"
    }`,
  );
}
if (check && stale) {
  console.error(
    "The committed kernels differ from assembly/: run `deno task build:wasm`",
  );
  Deno.exit(1);
}
