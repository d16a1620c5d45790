// The part of @std/path/glob-to-regexp that `meshwright batch` uses.
/** How a glob is read. */
export interface GlobOptions {
  readonly extended?: boolean;
  readonly globstar?: boolean;
  readonly caseInsensitive?: boolean;
}
export function globToRegExp(glob: string, options?: GlobOptions): RegExp;
