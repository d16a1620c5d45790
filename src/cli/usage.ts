/**
 * Options and their parsing: one table gives help, checks and values.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { type MeshError, meshError } from "../core/errors.ts";
import type { Host } from "./host.ts";
import { MANUAL } from "./manual.ts";
import { plural } from "./text.ts";
import {
  type Asker,
  CONVERT_OPTIONS,
  type OptionInfo,
  optionValue,
  type ValuesOf,
} from "../convert/options.ts";
import { VIEWS } from "../preview/views.ts";

/** Wrong use of the command line: exit 2. */
export class UsageError extends Error {
  override name = "UsageError";

  /** The same as an error of the library, which every line of JSON can hold. */
  asMeshError(): MeshError {
    return meshError("ARGUMENT", this.message);
  }
}

export type { OptionInfo };

/** Every option that any command takes; it means the same everywhere. */
export const OPTIONS = {
  ...CONVERT_OPTIONS,
  json: { type: "flag", help: "print JSON on stdout, one object a line" },
  strict: { type: "flag", help: "make warnings, or losses, fail" },
  quiet: { type: "flag", help: "print no report on stderr, errors only" },
  force: {
    type: "flag",
    help: "overwrite OUT if it exists; take model files that do not match",
  },
  "dry-run": { type: "flag", help: "report as usual, write nothing" },
  "single-lod": {
    type: "flag",
    help: "write one LOD only, so that no reader takes a wrong prefix",
  },
  tolerance: {
    type: "number",
    value: "X",
    min: 0,
    help: "largest deviation that counts as the same",
  },
  fix: {
    type: "text",
    value: "OUT",
    help: "write the file with its safe repairs (css)",
  },
  mode: { type: "text", value: "MODE", help: "how to do it" },
  view: {
    type: "choice",
    value: "VIEW",
    choices: VIEWS,
    help: "side that is seen (default iso)",
  },
  size: {
    type: "text",
    value: "WxH",
    help: "width and height in pixels (default 800x600)",
  },
  elevation: {
    type: "text",
    value: "MAX|MIN,MAX",
    help: "height of a white sample, and of a black one (0)",
  },
  extent: {
    type: "text",
    value: "X,Z",
    help: "width and depth of the terrain, in metres (default 128,128)",
  },
  cells: {
    type: "text",
    value: "N|RxC|image",
    help: "cells a side, rows by columns, or one a sample (default 64)",
  },
  port: {
    type: "integer",
    value: "N",
    min: 0,
    max: 65_535,
    help: "port to listen on (default: a free one)",
  },
  "out-dir": {
    type: "text",
    value: "DIR",
    help: "folder for the outputs and manifest.json; made if needed",
  },
  jobs: {
    type: "integer",
    value: "N",
    min: 1,
    max: 64,
    help: "files at once (default: the processors, at most 8)",
  },
  resume: {
    type: "flag",
    help: "go on with the batch in DIR: keep what is done and unchanged",
  },
} as const satisfies Record<string, OptionInfo>;

/** Name of an option. */
export type OptionName = keyof typeof OPTIONS;

/** Parsed options by name. */
export type OptionValues = ValuesOf<typeof OPTIONS>;

/** One command. */
export interface Command {
  /** Its name. */
  readonly name: string;
  /** Arguments as the help shows them. */
  readonly args: string;
  /** One line. */
  readonly summary: string;
  /** More lines for `help COMMAND`. */
  readonly details: string;
  /** Fewest and most arguments. */
  readonly count: readonly [number, number];
  /** Options it takes. */
  readonly options: readonly OptionName[];
  /** Options whose values are this command's own. */
  readonly own?: Readonly<Partial<Record<OptionName, OptionInfo>>>;
  /** What its arguments may be, where they are not files. */
  words?(): readonly string[];
  /**
   * What its line of JSON says of a run or a file that failed, besides the error.
   *
   * @param args Its arguments, or the file; none where they could not be understood.
   */
  failed?(args: readonly string[], error: MeshError): Record<string, unknown>;
  /** Runs it; gives the exit code. */
  run(host: Host, args: string[], options: OptionValues): Promise<number>;
}

/** Words within a few edits (one for three letters) of one that was not understood, best first. */
export function similar(word: string, words: readonly string[]): string[] {
  const distance = (a: string, b: string): number => {
    let row = Array.from({ length: b.length + 1 }, (_, i) => i);
    for (let i = 1; i <= a.length; i++) {
      const next = [i];
      for (let j = 1; j <= b.length; j++) {
        next.push(
          Math.min(
            row[j] + 1,
            next[j - 1] + 1,
            row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1),
          ),
        );
      }
      row = next;
    }
    return row[b.length];
  };
  return words.map((w) => [distance(word.toLowerCase(), w.toLowerCase()), w])
    .filter(([d]) => (d as number) <= Math.max(1, word.length / 3))
    .sort((a, b) => (a[0] as number) - (b[0] as number))
    .map(([, w]) => w as string);
}

/** "did you mean", or nothing: for a slip of the finger, or a beginning of at least three letters. */
export function hint(word: string, words: readonly string[]): string {
  const begun = word.replace(/^-+/, "").length < 3
    ? []
    : words.filter((w) => w.toLowerCase().startsWith(word.toLowerCase()));
  const near = [...similar(word, words), ...begun];
  return near.length > 0 ? `; did you mean ${near[0]}?` : "";
}

/** An option as a command takes it. */
export function infoOf(command: Command, name: OptionName): OptionInfo {
  return command.own?.[name] ?? OPTIONS[name];
}

/** How options are written on the command line, and what refuses them. */
export const COMMAND_LINE: Asker = {
  spelled: (name) => `--${name}`,
  refusal: (message, found, allowed) =>
    new UsageError(message + hint(found, allowed)),
};

/**
 * Brings arguments into a form that parseArgs can not misread: `--name value` becomes `--name=value`, for a value may begin
 * with a minus; all else goes behind `--`, for a flag would take a file named "true" as its value.
 */
function unambiguous(command: Command, args: readonly string[]): string[] {
  const names = ["help", ...command.options];
  const options: string[] = [];
  const rest: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] === "-h" ? "--help" : args[i];
    if (arg === "--") {
      rest.push(...args.slice(i + 1));
      break;
    }
    if (!arg.startsWith("-") || arg === "-") {
      rest.push(arg);
      continue;
    }
    const [option, ...given] = arg.split("=");
    const name = names.find((n) => option === `--${n}`);
    if (name === undefined) {
      throw new UsageError(
        `Check the options of ${command.name}: ${option} is none${
          hint(option, names.map((n) => `--${n}`))
        }`,
      );
    }
    const flag = name === "help" ||
      OPTIONS[name as OptionName].type === "flag";
    if (flag && given.length > 0) {
      throw new UsageError(`Give ${option} without a value: found ${arg}`);
    }
    if (flag || given.length > 0) {
      options.push(arg);
    } else if (i + 1 === args.length || args[i + 1].startsWith("--")) {
      throw new UsageError(`Give ${option} a value: found none`);
    } else {
      options.push(`${arg}=${args[++i]}`);
    }
  }
  return [...options, "--", ...rest];
}

/**
 * Parses the arguments of one command.
 *
 * @throws {UsageError} For an unknown or repeated option, a wrong value, too few or too many arguments.
 */
export function parseCommand(
  command: Command,
  args: readonly string[],
): { args: string[]; options: OptionValues; help: boolean } {
  const of = (flag: boolean) =>
    command.options.filter((o) => (OPTIONS[o].type === "flag") === flag);
  const parsed = parseArgs(unambiguous(command, args), {
    string: of(false),
    boolean: [...of(true), "help"],
    collect: of(false),
  });
  if (parsed.help === true) return { args: [], options: {}, help: true };
  const options: Record<string, unknown> = {};
  for (const name of of(true)) if (parsed[name] === true) options[name] = true;
  for (const name of of(false)) {
    const values = parsed[name] as string[] | undefined;
    if (!values || values.length === 0) continue;
    if (values.length > 1) {
      throw new UsageError(
        `Give --${name} once: found it ${values.length} times`,
      );
    }
    options[name] = optionValue(
      name,
      infoOf(command, name),
      values[0],
      COMMAND_LINE,
    );
  }
  const rest = parsed._.map(String);
  const [least, most] = command.count;
  if (rest.length < least || rest.length > most) {
    throw new UsageError(
      `Use ${`${command.name} ${command.args}`.trimEnd()}: found ${
        plural(rest.length, "argument")
      }`,
    );
  }
  if (rest.includes("")) {
    throw new UsageError(`Use ${command.name} with names: found an empty one`);
  }
  return { args: rest, options: options as OptionValues, help: false };
}

/** Exit codes and examples; a command that is not in the manual has none. */
function manualLines({ name }: Command): string[] {
  const page = MANUAL[name];
  if (!page) return [];
  return [
    "",
    "Exit codes:",
    ...Object.entries(page.exits).map(([code, means]) =>
      `  ${code.padEnd(3)}  ${means}`
    ),
    "",
    "Examples:",
    ...page.examples.flatMap(([line, does]) => [`  ${line}`, `      ${does}`]),
  ];
}

/** Help of one command. */
export function commandHelp(command: Command): string {
  const rows = command.options.map((name) => {
    const info = infoOf(command, name);
    return [
      `--${name}${
        info.value ? ` ${info.choices?.join("|") ?? info.value}` : ""
      }`,
      info.help,
    ];
  });
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  const lines = rows.map(([left, right]) =>
    `  ${left.padEnd(width)}  ${right}`
  );
  return [
    [
      `meshwright ${command.name}`,
      ...(command.options.length > 0 ? ["[OPTION]..."] : []),
      command.args,
    ].join(" ").trimEnd(),
    "",
    command.summary[0].toUpperCase() + command.summary.slice(1) + ".",
    ...(command.details ? ["", command.details] : []),
    ...(lines.length > 0 ? ["", "Options:", ...lines] : []),
    ...manualLines(command),
    "",
  ].join("\n");
}
