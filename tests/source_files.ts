/**
 * The project's own sources as text, for tests about the code itself.
 *
 * @module
 */

const root = new URL("../", import.meta.url);

/** Path (from the repository's root) and text of every TypeScript file below a folder, sorted. */
export function sourceFiles(folder: string): [path: string, text: string][] {
  const out: [string, string][] = [];
  const walk = (path: string) => {
    for (const entry of Deno.readDirSync(new URL(path, root))) {
      const inside = `${path}/${entry.name}`;
      if (entry.isDirectory) walk(inside);
      else if (entry.name.endsWith(".ts")) {
        out.push([inside, Deno.readTextFileSync(new URL(inside, root))]);
      }
    }
  };
  walk(folder);
  return out.sort(([a], [b]) => a < b ? -1 : 1);
}

/** Strings, templates and comments, whichever begins first. */
const TOKEN =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** The text with every comment replaced by a space. */
export function withoutComments(text: string): string {
  return text.replace(TOKEN, (token) => token[0] === "/" ? " " : token);
}

/** The text with comments and quoted strings replaced; templates stay, for they hold code. */
export function withoutCommentsAndStrings(text: string): string {
  return text.replace(
    TOKEN,
    (token) => token[0] === "`" ? token : token[0] === "/" ? " " : '""',
  );
}
