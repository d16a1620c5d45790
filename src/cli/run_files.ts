/**
 * Runs a command on several files: one bad file does not stop the rest, and the worst exit code counts.
 *
 * @module
 */
import { MeshError } from "../core/errors.ts";
import { exitCodeOf } from "./exit_codes.ts";
import type { Host } from "./host.ts";
import { clean, errorPlace, paint } from "./text.ts";
import { UsageError } from "./usage.ts";

/** One line about an error, and its code to ask `explain` about. */
export function errorText(host: Host, error: MeshError, file: string): string {
  const label = paint(host, "red", "error");
  // these two name the file themselves, and it need not be the input
  const named = error.code === "FILE-READ" || error.code === "FILE-WRITE";
  const place = named ? `[${error.code}]` : errorPlace(error);
  const prefix = file && !named ? `${clean(file)}: ` : "";
  return `${label}: ${prefix}${clean(`${error.message} ${place}`)}\n`;
}

/** An error inside the line of JSON that its file gets all the same. */
function errorRecord(error: MeshError): Record<string, unknown> {
  const { code, message, offset, path, found, allowed } = error;
  return { code, message, offset, path, found, allowed };
}

/**
 * What {@linkcode eachFile} tells of an error: with `--json` the file's line all the same, the error in it.
 *
 * @param line The rest of the line.
 */
export function failureLine(
  host: Host,
  json: boolean | undefined,
  line: (file: string, error: MeshError) => Record<string, unknown>,
): (file: string, error: MeshError) => Promise<void> {
  return async (file, error) => {
    if (!json) return;
    const record = { ...line(file, error), error: errorRecord(error) };
    await host.out(JSON.stringify(record) + "\n");
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
