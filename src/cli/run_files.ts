/**
 * Runs a command on several files: one bad file does not stop the rest, and the worst exit code counts.
 *
 * @module
 */
import { MeshError } from "../core/errors.ts";
import { exitCodeOf } from "./exit_codes.ts";
import type { Host } from "./host.ts";
import { advice, clean, errorPlace, paint } from "./text.ts";
import { type Command, UsageError } from "./usage.ts";

/** One line about an error, and its code to ask `explain` about. */
export function errorText(host: Host, error: MeshError, file: string): string {
  const label = paint(host, "red", "error");
  // these two name the file themselves, and it need not be the input
  const named = error.code === "FILE-READ" || error.code === "FILE-WRITE";
  const place = named ? `[${error.code}]` : errorPlace(error);
  const prefix = file && !named ? `${clean(file)}: ` : "";
  return `${label}: ${prefix}${advice(`${error.message} ${place}`)}\n`;
}

/** An error inside the line of JSON that its file gets all the same. */
function errorRecord(error: MeshError): Record<string, unknown> {
  const { code, message, offset, path, found = null, allowed = null } = error;
  return { code, message, offset, path, found, allowed };
}

/** The line of a command, or of a file, that failed: what there is to say, and the error unless a finding tells it. */
export async function printFailure(
  host: Host,
  { failed }: Pick<Command, "failed">,
  args: readonly string[],
  error: MeshError,
): Promise<void> {
  // what could not be printed can not be told there either
  if (error.code === "FILE-WRITE" && error.path === "-") return;
  const line = failed?.(args, error) ?? {};
  const record = line.findings ? line : { ...line, error: errorRecord(error) };
  await host.out(JSON.stringify(record) + "\n");
}

/** What {@linkcode eachFile} tells of an error: with `--json` the file's line all the same, the error in it. */
export function failureLine(
  host: Host,
  json: boolean | undefined,
  command: Pick<Command, "failed">,
  args?: readonly string[],
): (file: string, error: MeshError) => Promise<void> {
  return async (file, error) => {
    if (json) await printFailure(host, command, args ?? [file], error);
  };
}

/**
 * Runs `work` on every file and gives the highest exit code.
 *
 * @param failed Is told of a file's error behind its message: `--json` prints a line for every file.
 */
export async function eachFile(
  host: Host,
  files: readonly string[],
  work: (file: string) => Promise<number>,
  failed: (file: string, error: MeshError) => Promise<void> = async () => {},
): Promise<number> {
  if (files.filter((file) => file === "-").length > 1) {
    throw new UsageError("Name - once: stdin can be read only once");
  }
  let worst = 0;
  for (const file of files) {
    try {
      worst = Math.max(worst, await work(file));
    } catch (error) {
      if (!(error instanceof MeshError)) throw error;
      await host.err(errorText(host, error, file));
      await failed(file, error);
      worst = Math.max(worst, exitCodeOf(error));
    }
  }
  return worst;
}
