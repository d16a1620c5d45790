/**
 * Paths and patterns, with `/` between folders.
 *
 * @module
 */
import { globToRegExp } from "@std/path/glob-to-regexp";

/** What makes a folder or file name a pattern. */
const MAGIC = /[*?[\]{}\\]|[!@+]\(/;

/** True for a pattern, false for a plain path. */
export function isPattern(text: string): boolean {
  return MAGIC.test(text);
}

/** A path without `.` and empty parts; "" is the current folder, or `/` stays. */
export function tidy(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return (path.startsWith("/") ? "/" : "") + parts.join("/");
}

/** The whole path, `..` resolved. */
export function absolute(path: string, cwd: string): string {
  const whole = path.startsWith("/") || /^[a-z]:\//i.test(path);
  const out: string[] = [];
  for (const part of (whole ? path : `${cwd}/${path}`).split("/")) {
    if (part === "..") out.pop();
    else if (part !== "" && part !== ".") out.push(part);
  }
  return `/${out.join("/")}`;
}

/** Folder of a path, without the slash. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === 0 ? "/" : path.slice(0, Math.max(slash, 0));
}

/** The folder in which a pattern begins to choose: all parts before the first that is not plain. */
export function patternBase(pattern: string): string {
  const parts = pattern.split("/");
  const first = parts.findIndex(isPattern);
  const plain = parts.slice(0, first < 0 ? parts.length - 1 : first);
  return tidy(plain.join("/") || (pattern.startsWith("/") ? "/" : ""));
}

/** The deepest folder that holds all of the given ones. */
export function commonFolder(folders: readonly string[]): string {
  const lists = folders.map((f) => f.split("/").filter((part) => part !== ""));
  const [first, ...rest] = lists;
  let depth = 0;
  while (
    depth < first.length && rest.every((list) => list[depth] === first[depth])
  ) depth++;
  return `/${first.slice(0, depth).join("/")}`;
}

/** The path below a folder, or null when it is not below it. Both are absolute. */
export function below(path: string, folder: string): string | null {
  const start = folder === "/" ? "/" : `${folder}/`;
  return path.startsWith(start) ? path.slice(start.length) : null;
}

/** One part of a pattern, as a test of one part of a path. */
function partMatcher(part: string): (name: string) => boolean {
  if (!isPattern(part)) return (name) => name === part;
  const whole = globToRegExp(part, { extended: true });
  const showsHidden = /^(.\()?[{\\]?\./.test(part);
  return (name) => whole.test(name) && (showsHidden || !name.startsWith("."));
}

/**
 * Chooses files by a pattern: `*`, `?`, `[a-z]`, `{a,b}`, `**` for any number of folders, `\` before a character that is
 * meant as it is. Hidden files and folders are chosen only where the pattern names them with their dot.
 *
 * @param pattern The pattern.
 */
export function patternMatcher(pattern: string): (path: string) => boolean {
  const parts = tidy(pattern).split("/")
    .map((part) => part === "**" ? null : partMatcher(part));
  // part by part, for in the library's expressions `?` goes beyond a slash
  const from = (names: readonly string[], at: number, i: number): boolean => {
    if (i === parts.length) return at === names.length;
    const part = parts[i];
    if (part === null) {
      return from(names, at, i + 1) ||
        (at < names.length && !names[at].startsWith(".") &&
          from(names, at + 1, i));
    }
    return at < names.length && part(names[at]) && from(names, at + 1, i + 1);
  };
  return (path) => from(path.split("/"), 0, 0);
}
