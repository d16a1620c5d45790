/**
 * The quick plan as batches on the command line: one batch for each target format, with some number of workers.
 *
 * @module
 */
import { type Manifest, nameOf } from "./conversions.ts";
import { FOLDERS, quickPlan } from "./plan.ts";
import { printed, type Surroundings } from "./runtimes.ts";

const cli = new URL("../../cli.ts", import.meta.url).pathname;

interface BatchManifest {
  files: {
    in: string;
    sha256: { out: string };
  }[];
}

/** What of the quick plan a batch can do. */
const converting = () =>
  quickPlan().filter(({ steps: [step] }) => "to" in step);

/** Hashes of the first outputs of the quick plan, by the names of the plan, as `batch` states them. */
export async function batchOutputs(
  jobs: number,
  { env }: Surroundings,
): Promise<Manifest> {
  const plan = converting();
  const folder = await Deno.makeTempDir({ prefix: "meshwright_jobs_" });
  const found: Manifest = {};
  try {
    for (const { name } of Deno.readDirSync(FOLDERS.samples)) {
      await Deno.copyFile(
        new URL(name, FOLDERS.samples),
        `${folder}/${name}`,
      );
    }
    const targets = new Set(
      plan.map(({ steps: [step] }) => "to" in step ? step.to : null),
    );
    for (const to of targets) {
      const here = plan.filter(({ steps: [step] }) =>
        "to" in step && step.to === to
      );
      const files = here.map(({ file }) => file.replace("samples", folder));
      const { files: rows }: BatchManifest = JSON.parse(
        await printed(Deno.execPath(), [
          ...["run", "--no-prompt", "--allow-read", "--allow-write", cli],
          ...["batch", ...files, "--to", to!, "--jobs", `${jobs}`],
          ...["--out-dir", `${folder}/out_${to}`, "--json", "--quiet"],
        ], env),
      );
      for (const row of rows) {
        const conversion = here.find(({ file }) =>
          row.in.endsWith(file.replace("samples", ""))
        )!;
        found[nameOf(conversion)] = row.sha256.out;
      }
    }
    return found;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The same part of a manifest of the plan: each first output. */
export function firstOutputs(manifest: Manifest): Manifest {
  return Object.fromEntries(
    converting().map(nameOf).map((
      name,
    ) => [name, manifest[name].split(" ")[0]]),
  );
}
