/**
 * Plants every fault of mutant_list.ts, one at a time, in a copy of the tree and runs the tests that concern it: they have
 * to fail. Prints killed/total and names the survivors; ends with 1 when one survives or an edit does not apply any more.
 *
 * Words that are given pick the faults whose file or name holds one of them.
 */
import { compileKernels, embedSource } from "./compile_kernels.ts";
import { type Mutant, MUTANTS, TESTS } from "./mutant_list.ts";

const root = new URL("../", import.meta.url);
/** What the tests of the kernels and the operations need. */
const NEEDED = [
  ...["assembly", "bench", "samples", "src", "tests", "vendor"],
  ...["mod.ts", "deno.json", "deno.lock", "kernels.wasm"],
];
/** Trees that are worked in at the same time. */
const WORKERS = Math.min(2, navigator.hardwareConcurrency);
/** A fault may make a loop endless. */
const TIMEOUT_MS = 120_000;

async function copy(from: URL, to: URL): Promise<void> {
  if ((await Deno.stat(from)).isFile) return await Deno.copyFile(from, to);
  await Deno.mkdir(to);
  for await (const { name } of Deno.readDir(from)) {
    await copy(new URL(`${from.href}/${name}`), new URL(`${to.href}/${name}`));
  }
}

/** The file with the fault in it, or null where the edit does not apply. */
function edited(text: string, { find, replace }: Mutant): string | null {
  const parts = text.split(find);
  return parts.length === 2 ? parts.join(replace) : null;
}

/** Quick and good enough for tests: one pass of the optimiser. */
async function installKernels(tree: URL): Promise<void> {
  const wasm = await compileKernels(tree, ["-O1", "--noAssert"]);
  await Deno.writeFile(new URL("kernels.wasm", tree), wasm);
  await Deno.writeTextFile(
    new URL("src/kernels/kernels_embed.ts", tree),
    await embedSource(wasm),
  );
}

/** True when all the tests pass. */
async function passes(tree: URL, tests: readonly string[]): Promise<boolean> {
  const corpus = new URL("../shared/corpus/", root);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", "--fail-fast", ...tests],
    cwd: tree,
    env: {
      NO_COLOR: "1",
      MESHWRIGHT_CORPUS: Deno.env.get("MESHWRIGHT_CORPUS") ?? corpus.href,
    },
    stdout: "null",
    stderr: "null",
  }).spawn();
  const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS);
  const { success } = await child.status;
  clearTimeout(timer);
  return success;
}

type Verdict = "killed" | "SURVIVED" | "DOES NOT APPLY";

async function verdictOf(tree: URL, mutant: Mutant): Promise<Verdict> {
  const file = new URL(mutant.file, tree);
  const text = await Deno.readTextFile(file);
  const changed = edited(text, mutant);
  if (changed === null) return "DOES NOT APPLY";
  await Deno.writeTextFile(file, changed);
  try {
    // a kernel that does not compile is an edit that is no longer one
    if (mutant.file.startsWith("assembly/")) await installKernels(tree);
    return await passes(tree, TESTS[mutant.file]) ? "SURVIVED" : "killed";
  } catch (error) {
    console.error(`${mutant.file}: ${mutant.name}: ${error}`);
    return "DOES NOT APPLY";
  } finally {
    await Deno.writeTextFile(file, text);
  }
}

async function prepare(folder: string): Promise<URL> {
  const tree = new URL(`file://${folder}/`);
  for (const name of NEEDED) {
    await copy(new URL(name, root), new URL(name, tree));
  }
  return tree;
}

const chosen = MUTANTS.filter(({ file, name }) =>
  Deno.args.length === 0 ||
  Deno.args.some((word) => file.includes(word) || name.includes(word))
);
const verdicts: Record<Verdict, Mutant[]> = {
  killed: [],
  SURVIVED: [],
  "DOES NOT APPLY": [],
};
const folders = await Promise.all(
  Array.from({ length: WORKERS }, () => Deno.makeTempDir()),
);
try {
  // what passes without a fault is what a fault can be blamed for
  const first = await prepare(folders[0]);
  await installKernels(first);
  const tests = new Set(chosen.flatMap(({ file }) => TESTS[file]));
  if (!await passes(first, [...tests])) {
    throw new Error("The tests fail without any fault: mend them first");
  }
  const queue = [...chosen];
  await Promise.all(folders.map(async (folder, i) => {
    const tree = i === 0 ? first : await prepare(folder);
    let compiled = "";
    for (let m = queue.shift(); m; m = queue.shift()) {
      // kernels of another fault must not stay
      if (compiled && !m.file.startsWith("assembly/")) {
        await installKernels(tree);
        compiled = "";
      }
      if (m.file.startsWith("assembly/")) compiled = m.file;
      const start = performance.now();
      const verdict = await verdictOf(tree, m);
      verdicts[verdict].push(m);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.log(`${verdict}: ${m.file}: ${m.name} (${seconds} s)`);
    }
  }));
} finally {
  for (const folder of folders) await Deno.remove(folder, { recursive: true });
}

for (const verdict of ["SURVIVED", "DOES NOT APPLY"] as const) {
  for (const { file, name } of verdicts[verdict]) {
    console.log(`${verdict}: ${file}: ${name}`);
  }
}
const killed = verdicts.killed.length;
console.log(`killed ${killed}/${chosen.length}`);
console.log(`${killed} passed, ${chosen.length - killed} failed, 0 skipped`);
Deno.exit(killed === chosen.length ? 0 : 1);
