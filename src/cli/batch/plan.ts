/**
 * Which files a batch converts and where each goes, before anything is read.
 *
 * @module
 */
import { isCompanion } from "../../convert/companions.ts";
import { withExtension } from "../../convert/output_paths.ts";
import type { FormatId } from "../../core/formats.ts";
import { UsageError } from "../usage.ts";
import { byText, MANIFEST } from "./manifest.ts";
import {
  absolute,
  below,
  commonFolder,
  folderOf,
  isPattern,
  patternBase,
  patternMatcher,
  tidy,
} from "./paths.ts";

/** One input with its place. */
export interface Planned {
  /** Path of the input. */
  in: string;
  /** Path of the output below the output folder. */
  out: string;
  /** Why it can not be converted beside the others. */
  collision: string | null;
}

/** What planning needs of the file system. */
export interface PlanHost {
  /** The current folder, with `/` between folders. */
  readonly cwd: string;
  /** What stands at a path. */
  look(path: string): Promise<"file" | "folder" | null>;
  /** Paths of the files below a folder, as far down as `depth` says; links to folders are not followed. */
  tree(folder: string, depth: number): Promise<string[]>;
}

/** The files of one argument. */
async function expand(host: PlanHost, argument: string): Promise<string[]> {
  // a file may be called like a pattern
  const found = await host.look(argument);
  if (found === "file" || (found === null && !isPattern(argument))) {
    return [tidy(argument)];
  }
  if (found === "folder") {
    throw new UsageError(
      `Name files, for example "${
        tidy(argument) || "."
      }/**/*.mdl": ${argument} is a folder`,
    );
  }
  const base = patternBase(argument);
  const rest = tidy(argument).slice(base.length).split("/")
    .filter((part) => part !== "");
  const depth = rest.includes("**") ? Infinity : rest.length;
  const matches = patternMatcher(argument);
  return (await host.tree(base, depth)).filter(matches);
}

/** Leaves out the files that belong to a model which is converted as a whole. */
function withoutCompanions(files: readonly string[]): string[] {
  const models = new Map<string, string[]>();
  for (const file of files) {
    if (!/\.mdl$/i.test(file)) continue;
    const folder = folderOf(file);
    models.set(folder, [...models.get(folder) ?? [], file]);
  }
  return files.filter((file) => {
    const name = file.slice(file.lastIndexOf("/") + 1);
    return !models.get(folderOf(file))?.some((mdl) => isCompanion(mdl, name));
  });
}

/**
 * Plans a batch. Outputs mirror the folders of the inputs, from the deepest folder that the patterns have in common.
 *
 * @param host The file system.
 * @param patterns Patterns and plain paths.
 * @param outDir The output folder. What lies in it is no input, unless the patterns choose there and nowhere else.
 * @param to Target format.
 * @param own Outputs of earlier runs, below the output folder: never inputs.
 * @param gltfJson True where a glTF is to be JSON.
 * @throws {UsageError} When nothing is found.
 */
export async function planBatch(
  host: PlanHost,
  patterns: readonly string[],
  outDir: string,
  to: FormatId,
  own: ReadonlySet<string> = new Set(),
  gltfJson = false,
): Promise<{ files: Planned[]; empty: string[] }> {
  const whole = (path: string) => absolute(path, host.cwd);
  const base = commonFolder(patterns.map((p) => whole(patternBase(p))));
  const target = whole(outDir);
  const inside = target !== base && below(target, base) !== null;
  const isOutput = (path: string) => {
    const name = below(path, target);
    return name !== null && (inside || own.has(name) || name === MANIFEST);
  };
  const found = new Map<string, string>(); // by whole path: two patterns may name the same file
  const empty: string[] = [];
  for (const pattern of patterns) {
    const files = (await expand(host, pattern))
      .filter((file) => !isPattern(pattern) || !isOutput(whole(file)));
    if (files.length === 0) empty.push(pattern);
    for (const file of files) {
      if (!found.has(whole(file))) found.set(whole(file), file);
    }
  }
  if (found.size === 0) {
    throw new UsageError(
      `Check the pattern: no file matches ${patterns.join(" or ")}`,
    );
  }
  const inputs = new Set([...found.keys()].map((path) => path.toLowerCase()));
  const taken = new Map([[MANIFEST, "the manifest"]]);
  const files = withoutCompanions([...found.values()].sort(byText)).map(
    (file): Planned => {
      const path = whole(file);
      // a plain path may lie outside of what the patterns have in common only by ".." behind a link
      const name = below(path, base) ?? file.slice(file.lastIndexOf("/") + 1);
      const out = withExtension(name, to, gltfJson);
      // upper and lower case are one on many disks
      const key = out.toLowerCase();
      const other = taken.get(key);
      taken.set(key, other ?? file);
      const overwrites = inputs.has(`${target}/${out}`.toLowerCase());
      return {
        in: file,
        out,
        collision: other !== undefined
          ? `Rename it: ${other} already gives ${out}`
          : overwrites
          ? `Choose another --out-dir: ${out} there is an input`
          : null,
      };
    },
  );
  return { files, empty };
}
