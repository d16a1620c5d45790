/**
 * Runs the tests and closes with one countable line: `N passed, N failed, N skipped`.
 *
 * `--slow` runs the `*_slow_test.ts` files instead of the quick ones, `--coverage` measures src/ and fails below 95 % of
 * lines, other arguments go to `deno test`.
 */
const root = new URL("../", import.meta.url);
const slow = Deno.args.includes("--slow");
const coverage = Deno.args.includes("--coverage");
const rest = Deno.args.filter((a) => a !== "--slow" && a !== "--coverage");

async function run(args: string[]): Promise<{ code: number; log: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args,
    cwd: root,
    env: {
      NO_COLOR: "1",
      DENO_NO_UPDATE_CHECK: "1",
      // the slow suites wait a lot, for processes that are killed: three files at a time keep two cores busy
      ...(slow ? { DENO_JOBS: "3" } : {}),
    },
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let log = "";
  const text = new TextDecoder();
  for await (const chunk of child.stdout) {
    await Deno.stdout.write(chunk);
    log += text.decode(chunk, { stream: true });
  }
  return { code: (await child.status).code, log };
}

function testFiles(): string[] {
  const files: string[] = [];
  const walk = (dir: string) => {
    for (const entry of Deno.readDirSync(new URL(dir, root))) {
      const path = `${dir}/${entry.name}`;
      if (entry.isDirectory) walk(path);
      else if (entry.name.endsWith("_test.ts")) files.push(path);
    }
  };
  walk("tests");
  return files.filter((f) => f.endsWith("_slow_test.ts") === slow).sort();
}

/** Sums the closing lines of deno test; a run that fails without a failed test (a module that does not load) counts one. */
function tally(
  runs: { code: number; log: string }[],
): [passed: number, failed: number, skipped: number] {
  let [passed, failed, skipped] = [0, 0, 0];
  for (const { code, log } of runs) {
    const line =
      /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored)?/gm;
    let here = 0;
    for (const m of log.matchAll(line)) {
      passed += Number(m[1]);
      here += Number(m[2]);
      skipped += Number(m[3] ?? 0);
    }
    failed += code !== 0 && here === 0 ? 1 : here;
  }
  return [passed, failed, skipped];
}

const files = rest.some((a) => !a.startsWith("-")) ? [] : testFiles();
const runs: { code: number; log: string }[] = [];
if (files.length > 0 || rest.length > 0) {
  runs.push(
    await run([
      "test",
      "-A",
      "--parallel",
      ...(coverage ? ["--coverage=coverage", "--clean"] : []),
      ...rest,
      ...files,
    ]),
  );
}
if (!slow && rest.length === 0) {
  // examples in the documentation comments and the README are tests too
  runs.push(
    await run([
      "test",
      "-A",
      "--doc",
      "README.md",
      "docs/edge.md",
      "mod.ts",
      "src/",
    ]),
  );
}
let exit = runs.some((r) => r.code !== 0) ? 1 : 0;
if (coverage && exit === 0) {
  const report = await run(["coverage", "coverage", "--include=/src/"]);
  // columns: branches, functions, lines
  const all = /^\|?\s*All files\s*\|.*?([\d.]+)\s*\|?\s*$/m.exec(report.log);
  const lines = Number(all?.[1] ?? 0);
  console.log(`Line coverage of src/: ${lines} % (at least 95 %)`);
  if (!(lines >= 95)) exit = 1;
}
const [passed, failed, skipped] = tally(runs);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
Deno.exit(exit);
