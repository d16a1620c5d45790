import { runBatch } from "../batch/run.ts";
import { CONVERSION_OPTIONS, CONVERSION_OWN } from "../conversion_options.ts";
import { exitCodeOf } from "../exit_codes.ts";
import { type Command, UsageError } from "../usage.ts";

/** `meshwright batch`. */
export const batchCommand: Command = {
  name: "batch",
  args: "GLOB...",
  summary: "convert many files at once into a folder, with a manifest",
  details:
    'Patterns: * ? [a-z] {a,b}, and ** for any number of folders; quote them ("models/**/*.mdl").\nOutputs mirror the folders of the inputs below --out-dir, from the deepest folder that the\npatterns have in common. The files of a Source model are read with its .mdl.\nDIR/manifest.json lists every file with hashes and errors, the same whatever --jobs is.\nOne bad file does not stop the rest; the exit code is the worst. After Ctrl-C or a crash the\nsame command with --resume goes on: what has the same input, options and output is kept.',
  count: [1, Number.MAX_SAFE_INTEGER],
  options: ["out-dir", "jobs", "resume", ...CONVERSION_OPTIONS],
  own: CONVERSION_OWN,
  failed: (_, error) => ({
    schema: "meshwright/batch/1",
    exit: exitCodeOf(error),
    counts: null,
    files: [],
  }),
  async run(host, patterns, o) {
    const { to, "out-dir": outDir } = o;
    if (outDir === undefined) {
      throw new UsageError("Name the folder for the outputs with --out-dir");
    }
    if (to === undefined) throw new UsageError("Name the target with --to");
    if (patterns.includes("-")) {
      throw new UsageError("Name files: batch does not read stdin");
    }
    if (!host.batch) {
      throw new UsageError("Use convert: this runtime has no batch");
    }
    return await runBatch(host, host.batch, patterns, { ...o, to });
  },
};
