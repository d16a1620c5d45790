/**
 * Completion scripts for shells, made from the table of commands and options.
 *
 * @module
 */
import { SOURCE_WORDS, TARGET_WORDS } from "../convert/options.ts";
import { type Command, infoOf, type OptionName } from "./usage.ts";

/** Shells that there are scripts for. */
export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

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
  if (type === "format") return { words: SOURCE_WORDS, path: null };
  if (type === "target") return { words: TARGET_WORDS, path: null };
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

/** Single quotes of PowerShell, where a quote is written twice. */
const psQuoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Lines of a PowerShell hash table, of lists of words. */
function psLists(
  lists: readonly (readonly [name: string, words: readonly string[]])[],
): string[] {
  return lists.map(([name, words]) =>
    `${psQuoted(name)} = @(${words.map(psQuoted).join(", ")})`
  );
}

function powershell(commands: readonly Command[]): string {
  const first = [
    ...commands.map(({ name, summary }) => [name, summary]),
    ...GLOBAL.map((name) => [name, name]),
  ].map(([name, tip]) => `${psQuoted(name)} = ${psQuoted(tip)}`);
  const options = commands.flatMap((command) => [
    `${psQuoted(command.name)} = [ordered]@{`,
    "  '--help' = 'show the help of this command'",
    ...command.options.map((name) =>
      `  ${psQuoted(`--${name}`)} = ${psQuoted(infoOf(command, name).help)}`
    ),
    "}",
  ]);
  const values = commands.flatMap((command) =>
    command.options.flatMap((name) => {
      const expected = expectedOf(command, name);
      return expected
        ? [[`${command.name} --${name}`, expected.words] as const]
        : [];
    })
  );
  const rest = commands.map((command) =>
    [command.name, argumentsOf(command).words] as const
  );
  return `# PowerShell completion for ${NAME}: a line of $PROFILE that runs this file, such as: . ~/${NAME}.ps1
Register-ArgumentCompleter -Native -CommandName ${NAME} -ScriptBlock {
  param($word, $ast, $cursor)
  $commands = [ordered]@{
${indent(4, first)}
  }
  $options = @{
${indent(4, options)}
  }
  # what may follow an option that takes a value, and what a command's arguments may be; files where the list is empty
  $values = @{
${indent(4, psLists(values))}
  }
  $arguments = @{
${indent(4, psLists(rest))}
  }
  $before = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })
  $command = if ($before.Count -gt 1) { $before[1] } else { '' }
  $option = $before[-1]
  $prefix = ''
  if ($word -match '^(--[a-z-]+)=(.*)$') {
    $option = $Matches[1]
    $prefix = "$option="
    $word = $Matches[2]
  }
  $found = [ordered]@{}
  if ($before.Count -eq 1) {
    $found = $commands
  } elseif ($values.ContainsKey("$command $option")) {
    foreach ($value in $values["$command $option"]) { $found[$value] = $value }
  } elseif ($word.StartsWith('-') -and $options.ContainsKey($command)) {
    $found = $options[$command]
  } elseif ($arguments.ContainsKey($command)) {
    foreach ($value in $arguments[$command]) { $found[$value] = $value }
  }
  # where nothing is found PowerShell completes names of files
  $found.GetEnumerator() | Where-Object { $_.Key.StartsWith($word) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($prefix + $_.Key, $_.Key, 'ParameterValue', $_.Value)
  }
}
`;
}

const SCRIPTS = { bash, zsh, fish, powershell } satisfies Record<
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
