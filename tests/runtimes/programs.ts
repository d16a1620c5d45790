/**
 * Where the other runtimes are: in tools/node_modules when `npm ci --prefix tools` has been run, else on the PATH.
 *
 * @module
 */

const tools = new URL("../../tools/node_modules/.bin/", import.meta.url);

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** The first of some programs that is installed, or undefined. */
export function findProgram(...names: string[]): string | undefined {
  const folders = [
    tools.pathname.replace(/\/$/, ""),
    ...(Deno.env.get("PATH") ?? "").split(":"),
  ];
  return names
    .flatMap((name) => folders.map((folder) => `${folder}/${name}`))
    .find(isFile);
}
