// The part of @std/cli/parse-args that the command line uses: option names are data there, so values come back as unknown.
/** What the command line passes to parseArgs. */
export interface ParseOptions {
  readonly string?: readonly string[];
  readonly boolean?: readonly string[];
  readonly collect?: readonly string[];
  readonly alias?: Readonly<Record<string, string | readonly string[]>>;
  readonly unknown?: (arg: string, key?: string, value?: unknown) => unknown;
}
/** Parsed arguments: option values by name, the rest in `_`. */
export interface ParsedArgs {
  [name: string]: unknown;
  _: (string | number)[];
}
export function parseArgs(
  args: string[],
  options?: ParseOptions,
): ParsedArgs;
