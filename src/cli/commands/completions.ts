import { completionScript, type Shell, SHELLS } from "../completions.ts";
import { type Command, hint, UsageError } from "../usage.ts";

/**
 * `meshwright completions`.
 *
 * @param commands All commands; asked when it runs, for it is one of them.
 */
export function completionsCommand(
  commands: () => readonly Command[],
): Command {
  return {
    name: "completions",
    args: "SHELL",
    summary:
      "print a script that completes command lines in bash, zsh, fish, PowerShell",
    details:
      "It completes commands, options, the values of options that take one of a few, codes and file\nnames. Make it again after an update.",
    count: [1, 1],
    options: [],
    words: () => SHELLS,
    async run(host, [shell]) {
      if (!SHELLS.includes(shell as Shell)) {
        throw new UsageError(
          `Use one of ${SHELLS.join(", ")}: there is no script for ${shell}${
            hint(shell, SHELLS)
          }`,
        );
      }
      await host.out(completionScript(shell as Shell, commands()));
      return 0;
    },
  };
}
