/**
 * Completion scripts for shells, made from the table of commands and options.
 *
 * @module
 */
import { FORMATS } from "../core/formats.ts";
import { type Command, infoOf, type OptionName } from "./usage.ts";

/** Shells that there are scripts for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** A shell that there is a script for. */
export type Shell = (typeof SHELLS)[number];

/** What may follow: one of some words, a path, or something that nobody can guess. */
interface Expected {
  words: readonly string[];
  path: "file" | "folder" | null;
}

/** What may follow an option; null for a flag. */
function expectedOf(command: Command, name: OptionName): Expected | null {
  const { type, value, choices = [] } = infoOf(command, name);
  if (type === "flag") return null;
  if (type === "format") {
    const can = name === "from" ? "reads" : "writes";
    return {
      words: FORMATS.filter((f) => f[can]).map((f) => f.id),
      path: null,
    };
  }
  const path = value === "DIR" ? "folder" : value === "OUT" ? "file" : null;
  return { words: choices, path };
}

/** What a command's arguments may be. */
function argumentsOf({ words, count }: Command): Expected {
  if (words) return { words: words(), path: null };
  return { words: [], path: count[1] === 0 ? null : "file" };
}

const NAME = "meshwright";
const GLOBAL = ["--help", "--version"];

/** Options of a command as they are typed. */
const optionsOf = (command: Command) =>
  ["help", ...command.options].map((name) => `--${name}`);

/** Single quotes of a shell where a quote inside ends and begins them anew. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Lines behind some spaces. */
const indent = (spaces: number, lines: readonly string[]) =>
  lines.map((line) => " ".repeat(spaces) + line).join("\n");

function bashAction({ words, path }: Expected): string {
  if (path === "folder") return "path=directory";
  if (path === "file") return "path=file";
  return words.length > 0 ? `words=${quoted(words.join(" "))}` : "";
}

function bash(commands: readonly Command[]): string {
  const values = commands.flatMap((command) =>
    command.options.flatMap((name) => {
      const expected = expectedOf(command, name);
      return expected
        ? [`${command.name}:--${name}) ${bashAction(expected)} ;;`]
        : [];
    })
  );
  const options = commands.map((command) =>
    `${command.name}:-*) words=${quoted(optionsOf(command).join(" "))} ;;`
  );
  const rest = commands.map((command) =>
    `${command.name}:*) ${bashAction(argumentsOf(command))} ;;`
  );
  const first = [...commands.map(({ name }) => name), ...GLOBAL].join(" ");
  return `# bash completion for ${NAME}: source this file
_${NAME}() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]}
  local command=\${COMP_WORDS[1]} words='' path='' IFS=$' \\t\\n'
  # bash takes the = of --name=value for a word of its own
  if [[ $word == = ]]; then
    word=''
  elif [[ $before == = ]]; then
    before=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if ((COMP_CWORD == 1)); then
    words=${quoted(first)}
  else
    case $command:$before in
${indent(6, values)}
      *)
        case $command:$word in
${indent(10, options)}
${indent(10, rest)}
        esac
        ;;
    esac
  fi
  if [[ $path ]]; then
    type compopt &>/dev/null && compopt -o filenames 2>/dev/null
    IFS=$'\\n'
    COMPREPLY=($(compgen -A "$path" -- "$word"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  fi
}
complete -F _${NAME} ${NAME}
`;
}

/** What follows in words of zsh's _arguments. */
function zshAction({ words, path }: Expected): string {
  if (path === "folder") return "_files -/";
  if (path === "file") return "_files";
  return words.length > 0 ? `(${words.join(" ")})` : "";
}

/** A text in a specification of _arguments, where some characters have a meaning. */
const zshText = (text: string) => text.replaceAll(/[[\]:\\]/g, "\\$&");

function zsh(commands: readonly Command[]): string {
  const cases = commands.map((command) => {
    const specs = command.options.map((name) => {
      const info = infoOf(command, name);
      const expected = expectedOf(command, name);
      const value = expected
        ? `:${zshText(info.value ?? name)}:${zshAction(expected)}`
        : "";
      return `--${name}${expected ? "=" : ""}[${zshText(info.help)}]${value}`;
    });
    const rest = zshAction(argumentsOf(command));
    if (rest) specs.push(`*:${zshText(command.args)}:${rest}`);
    const all = ["--help[show the help of this command]", ...specs];
    return `    ${command.name})
      _arguments \\
${all.map((spec) => `        ${quoted(spec)}`).join(" \\\n")}
      ;;`;
  });
  const first = commands.map(({ name, summary }) =>
    quoted(`${name}:${zshText(summary)}`)
  );
  return `#compdef ${NAME}
# zsh completion for ${NAME}: a file called _${NAME} in a folder of fpath, or source it behind compinit
_${NAME}() {
  local -a commands
  commands=(
${indent(4, first)}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${cases.join("\n")}
  esac
}
if [[ \${funcstack[1]} == _${NAME} ]]; then
  _${NAME} "$@"
else
  compdef _${NAME} ${NAME}
fi
`;
}

/** Single quotes of fish, where a backslash escapes. */
const fishQuoted = (text: string) => `'${text.replaceAll(/['\\]/g, "\\$&")}'`;

function fishAction({ words, path }: Expected): string {
  if (path === "folder") return `-x -a '(__fish_complete_directories)'`;
  if (path === "file") return "-r -F";
  return words.length > 0 ? `-x -a ${fishQuoted(words.join(" "))}` : "-x";
}

function fish(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const inside = `complete -c ${NAME} -n '__${NAME}_in ${command.name}'`;
    const { words, path } = argumentsOf(command);
    const rest = path === "file"
      ? [`${inside} -F`]
      : words.length > 0
      ? [`${inside} -a ${fishQuoted(words.join(" "))}`]
      : [];
    const options = command.options.map((name) => {
      const expected = expectedOf(command, name);
      const action = expected ? ` ${fishAction(expected)}` : "";
      const { help } = infoOf(command, name);
      return `${inside} -l ${name}${action} -d ${fishQuoted(help)}`;
    });
    return [
      `complete -c ${NAME} -n __${NAME}_first -a ${command.name} -d ${
        fishQuoted(command.summary)
      }`,
      ...rest,
      `${inside} -l help -d 'show the help of this command'`,
      ...options,
    ];
  });
  return `# fish completion for ${NAME}: a file in ~/.config/fish/completions, or source it
function __${NAME}_first
  test (count (commandline -opc)) -eq 1
end
function __${NAME}_in
  set -l words (commandline -opc)
  test (count $words) -ge 2; and test $words[2] = $argv[1]
end
complete -c ${NAME} -f
${lines.join("\n")}
`;
}

const SCRIPTS = { bash, zsh, fish } satisfies Record<
  Shell,
  (commands: readonly Command[]) => string
>;

/** The completion script of a shell for some commands. */
export function completionScript(
  shell: Shell,
  commands: readonly Command[],
): string {
  return SCRIPTS[shell](commands);
}
