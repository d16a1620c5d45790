/**
 * The command line: finds the command, runs it, turns errors into messages and exit codes.
 *
 * @module
 */
import { MeshError } from "../core/errors.ts";
import { VERSION } from "../core/version.ts";
import { batchCommand } from "./commands/batch.ts";
import { completionsCommand } from "./commands/completions.ts";
import { convertCommand } from "./commands/convert.ts";
import { diffCommand } from "./commands/diff.ts";
import { explainCommand } from "./commands/explain.ts";
import { formatsCommand } from "./commands/formats.ts";
import { heightfieldCommand } from "./commands/heightfield.ts";
import { inspectCommand } from "./commands/inspect.ts";
import { normalsCommand } from "./commands/normals.ts";
import { previewCommand } from "./commands/preview.ts";
import { replayCommand } from "./commands/replay.ts";
import { tangentsCommand } from "./commands/tangents.ts";
import { validateCommand } from "./commands/validate.ts";
import { viewCommand } from "./commands/view.ts";
import { exitCodeOf } from "./exit_codes.ts";
import type { Host } from "./host.ts";
import { withProgress } from "./progress.ts";
import { errorText, printFailure } from "./run_files.ts";
import { clean, paint } from "./text.ts";
import {
  type Command,
  commandHelp,
  hint,
  parseCommand,
  UsageError,
} from "./usage.ts";

const helpCommand: Command = {
  name: "help",
  args: "[COMMAND]",
  summary: "show this, or the help of one command",
  details: "",
  count: [0, 1],
  options: [],
  words: () => COMMANDS.map((c) => c.name),
  async run(host, [name]) {
    await host.out(name === undefined ? overview() : commandHelp(find(name)));
    return 0;
  },
};

/** All commands, in the order that the help shows. */
export const COMMANDS: readonly Command[] = [
  inspectCommand,
  validateCommand,
  convertCommand,
  batchCommand,
  replayCommand,
  tangentsCommand,
  normalsCommand,
  heightfieldCommand,
  diffCommand,
  viewCommand,
  previewCommand,
  explainCommand,
  formatsCommand,
  completionsCommand(() => COMMANDS),
  helpCommand,
];

function find(name: string): Command {
  if (name.startsWith("-")) {
    throw new UsageError(`Put the command first, then options: found ${name}`);
  }
  const command = COMMANDS.find((c) => c.name === name);
  if (command) return command;
  const names = COMMANDS.map((c) => c.name);
  throw new UsageError(
    `Use one of ${names.join(", ")}: ${name} is no command${hint(name, names)}`,
  );
}

function overview(): string {
  const width = Math.max(
    ...COMMANDS.map((c) => `${c.name} ${c.args}`.length),
  );
  return [
    `meshwright ${VERSION}: game mesh files, converted exactly`,
    "",
    "Usage: meshwright COMMAND [ARGUMENT]... [OPTION]...",
    "",
    ...COMMANDS.map((c) =>
      `  ${`${c.name} ${c.args}`.padEnd(width)}  ${c.summary}`
    ),
    "",
    "meshwright help COMMAND shows a command's options, meshwright --version the version.",
    "",
    "Exit codes: 0 fine, 1 findings, losses or differences, 2 wrong use, 3 input unreadable or",
    "invalid, 4 a limit exceeded, 5 output not written, 130 interrupted; of several files the highest.",
    "Data goes to stdout, everything else to stderr.",
    "",
  ].join("\n");
}

async function dispatch(host: Host): Promise<number> {
  const [name, ...rest] = host.args;
  if (name === undefined || name === "--help" || name === "-h") {
    const text = overview();
    if (name === undefined) {
      await host.err(text);
      return 2;
    }
    await host.out(text);
    return 0;
  }
  if (name === "--version" || name === "-V") {
    await host.out(`meshwright ${VERSION}\n`);
    return 0;
  }
  return await runCommand(host, find(name), rest);
}

/** True where the answer is to be JSON, even if the rest of the options can not be understood. */
function asksForJson(command: Command, args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const options = end < 0 ? args : args.slice(0, end);
  return command.options.includes("json") && options.includes("--json");
}

/** Runs a command; where it fails as a whole, `--json` has its line all the same. */
async function runCommand(
  host: Host,
  command: Command,
  given: readonly string[],
): Promise<number> {
  let args: readonly string[] = [];
  try {
    const parsed = parseCommand(command, given);
    args = parsed.args;
    if (parsed.help) {
      await host.out(commandHelp(command));
      return 0;
    }
    const { options } = parsed;
    // batch counts files, not bytes
    const shows = command !== batchCommand && !options.quiet && !options.json;
    return await command.run(
      shows ? withProgress(host) : host,
      parsed.args,
      options,
    );
  } catch (cause) {
    const error = cause instanceof UsageError ? cause.asMeshError() : cause;
    if (error instanceof MeshError && asksForJson(command, given)) {
      await printFailure(host, command, args, error);
    }
    throw cause;
  }
}

/**
 * Runs the command line.
 *
 * @param host Files, streams and arguments.
 * @returns The exit code.
 */
export async function run(host: Host): Promise<number> {
  try {
    return await dispatch(host);
  } catch (error) {
    if (error instanceof UsageError) {
      const named = COMMANDS.find((c) => c.name === host.args[0]);
      const topic = named && named !== helpCommand ? ` ${named.name}` : "";
      await host.err(
        `${paint(host, "red", "error")}: ${clean(error.message)}\n` +
          `meshwright help${topic} shows how to use it\n`,
      );
      return 2;
    }
    if (error instanceof MeshError) {
      await host.err(errorText(host, error, ""));
      return exitCodeOf(error);
    }
    throw error;
  }
}
