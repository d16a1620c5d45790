/**
 * `deno task test:runtimes`: runs the same conversions on every runtime, in several languages and time zones and with several
 * workers, and prints the SHA-256 of each manifest; exits with 1 when two of them differ.
 *
 * `--quick` runs 24 conversions, without Chromium.
 *
 * @module
 */
import * as kit from "../../mod.ts";
import { batchOutputs, firstOutputs } from "./batches.ts";
import { type Manifest, manifestOf } from "./conversions.ts";
import { FOLDERS, fullPlan, quickPlan, urlOf } from "./plan.ts";
import {
  bundleInto,
  hashOf,
  RUNTIMES,
  succeeded,
  SURROUNDINGS,
  type Surroundings,
} from "./runtimes.ts";
import { hasCorpus } from "../corpus.ts";

/** A line of the table. */
interface Row {
  runtime: string;
  around: string;
  result: string;
  hash: string;
}

/** Runs everything and prints the table; gives the hash that all agree on, or null. */
export async function compareRuntimes(
  quick: boolean,
  print: (line: string) => void,
): Promise<string | null> {
  const plan = quick ? quickPlan() : fullPlan();
  const expected = await manifestOf(
    kit,
    plan,
    (path) => Deno.readFile(urlOf(path)),
  );
  const hash = await hashOf(expected);
  let same = true;
  const row = ({ runtime, around, result, hash }: Row) =>
    print(
      `${runtime.padEnd(22)} ${around.padEnd(24)} ${result.padEnd(24)} ${hash}`,
    );
  row({
    runtime: "runtime",
    around: "language, time zone",
    result: "conversions",
    hash: "SHA-256 of the manifest",
  });
  const compare = async (
    runtime: string,
    { label }: Surroundings,
    want: Manifest,
    make: () => Promise<Manifest>,
  ) => {
    const found = await make();
    const differ = Object.keys({ ...want, ...found })
      .filter((name) => want[name] !== found[name]);
    row({
      runtime,
      around: label,
      result: differ.length === 0
        ? `${succeeded(found)} equal`
        : `${differ.length} DIFFER`,
      hash: await hashOf(found),
    });
    for (const name of differ.slice(0, 10)) print(`  ${name}`);
    same &&= differ.length === 0;
  };
  row({
    runtime: "Deno, sources",
    around: "as it is",
    result: `${succeeded(expected)} of ${plan.length}`,
    hash,
  });

  const folder = await Deno.makeTempDir({ prefix: "meshwright_runtimes_" });
  try {
    const bundle = new URL(`file://${folder}/`);
    await bundleInto(bundle);
    for (const runtime of RUNTIMES) {
      const { name, program, install } = runtime;
      const left = program === undefined
        ? `not installed: ${install}`
        : quick && name === "Chromium"
        ? "left out by --quick"
        : null;
      if (left !== null) {
        row({
          runtime: name,
          around: "",
          result: `skipped, ${left}`,
          hash: "",
        });
        continue;
      }
      // the first run was as it is here
      for (const around of SURROUNDINGS.slice(1, quick ? 2 : undefined)) {
        await compare(
          name,
          around,
          expected,
          () => runtime.run(bundle, plan, around),
        );
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  const first = firstOutputs(expected);
  for (const [i, jobs] of (quick ? [2] : [1, 2, 8]).entries()) {
    const around = SURROUNDINGS[i];
    await compare(
      `batch --jobs ${jobs}`,
      around,
      first,
      () => batchOutputs(jobs, around),
    );
  }
  if (!quick && !hasCorpus) {
    print(`samples alone: no corpus at ${FOLDERS.corpus.pathname}`);
  }
  return same ? hash : null;
}

if (import.meta.main) {
  const hash = await compareRuntimes(
    Deno.args.includes("--quick"),
    (line) => console.log(line),
  );
  if (hash === null) {
    console.log("the runtimes differ");
    Deno.exit(1);
  }
  console.log(`manifest ${hash}`);
}
