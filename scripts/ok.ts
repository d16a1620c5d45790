/**
 * `deno task ok`: everything a change must pass, cheapest first; stops at the first failure.
 *
 * `--static` leaves the tests out, for a caller that runs them itself.
 */
const root = new URL("../", import.meta.url);
const { exports } = JSON.parse(
  await Deno.readTextFile(new URL("deno.json", root)),
) as { exports: Record<string, string> };
const entries = Object.values(exports).filter((path) => path.endsWith(".ts"));

/** Arguments of deno for each step. The direction of imports is among the tests. */
const steps: [name: string, args: string[]][] = [
  ["format", ["fmt", "--check"]],
  ["lint", ["lint"]],
  ["types", [
    "check",
    ...["mod.ts", "cli.ts", "src", "edge", "scripts", "tests", "bench"],
  ]],
  ["types for browsers", [
    "check",
    ...["--config", "browser.json", "mod.ts", "src", "web"],
  ]],
  ["documentation of every export", ["doc", "--lint", ...entries]],
  ["publish, dry run", ["publish", "--dry-run", "--allow-dirty"]],
  ["kernels are built from assembly/", [
    "run",
    ...["--allow-read", "--allow-env", "scripts/build_wasm.ts", "--check"],
  ]],
  ["the page is built from web/ and src/", [
    "run",
    ...["--allow-read", "scripts/bundle_page.ts", "--check"],
  ]],
];
const sizes: [name: string, args: string[]] = [
  "sizes of bundles",
  ["run", "--allow-read", "scripts/check_sizes.ts"],
];
const tests: [name: string, args: string[]] = [
  "tests with coverage",
  [
    "run",
    ...["--allow-run", "--allow-env", "--allow-read"],
    ...["scripts/test.ts", "--coverage"],
  ],
];

/** Runs one step. Its output is shown as it comes when `live`, else only when it fails. */
async function step(
  name: string,
  args: string[],
  live = false,
): Promise<void> {
  const start = performance.now();
  const command = new Deno.Command(Deno.execPath(), {
    args,
    cwd: root,
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
    stdout: live ? "inherit" : "piped",
    stderr: live ? "inherit" : "piped",
  });
  let log = "";
  let code: number;
  if (live) {
    console.log(`${name} ...`);
    ({ code } = await command.spawn().status);
  } else {
    const output = await command.output();
    const text = new TextDecoder();
    log = text.decode(output.stdout) + text.decode(output.stderr);
    code = output.code;
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${name}: ${code === 0 ? "ok" : "FAILED"} (${seconds} s)`);
  if (code === 0) return;
  console.log(`${log}\ndeno ${args.join(" ")} ended with exit code ${code}`);
  Deno.exit(1);
}

for (const [name, args] of steps) await step(name, args);
await step(...sizes, true);
if (!Deno.args.includes("--static")) await step(...tests, true);
