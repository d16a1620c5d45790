/**
 * The one door to the shared corpus. Tests that need it skip, and say so, where it is missing.
 *
 * It is looked for in `../shared/corpus` beside the repository, or where the variable MESHWRIGHT_CORPUS points (a path or
 * a file URL).
 *
 * @module
 */

function locate(): URL {
  const beside = new URL("../../shared/corpus/", import.meta.url);
  const given = Deno.env.get("MESHWRIGHT_CORPUS");
  if (!given) return beside;
  const here = new URL(`file://${Deno.cwd()}/`);
  return new URL(given.endsWith("/") ? given : `${given}/`, here);
}

function isFolder(url: URL): boolean {
  try {
    return Deno.statSync(url).isDirectory;
  } catch {
    return false;
  }
}

const root = locate();

/** True when the corpus is there. */
export const hasCorpus: boolean = isFolder(root);

/** Registers a test that reads the corpus; without the corpus it is skipped and its name says why. */
export function corpusTest(
  name: string,
  fn: (t: Deno.TestContext) => void | Promise<void>,
): void {
  Deno.test({
    name: hasCorpus
      ? name
      : `${name} [SKIPPED: no corpus at ../shared/corpus nor at MESHWRIGHT_CORPUS]`,
    ignore: !hasCorpus,
    fn,
  });
}

/** The place of a corpus file, for tests that hand it to the command line. */
export function corpusUrl(path: string): URL {
  return new URL(path.split("/").map(encodeURIComponent).join("/"), root);
}

/** Bytes of a corpus file, by its path below the corpus. */
export function corpusBytes(path: string): Uint8Array<ArrayBuffer> {
  return Deno.readFileSync(corpusUrl(path));
}

/** A corpus text file. */
export function corpusText(path: string): string {
  return Deno.readTextFileSync(corpusUrl(path));
}

/** A corpus JSON file. The caller names the part of its shape that it uses. */
export function corpusJson<T>(path: string): T {
  return JSON.parse(corpusText(path));
}

/** Paths of all files below a corpus folder whose names end with `ending`, sorted; none where the corpus is missing. */
export function corpusFiles(folder: string, ending: string): string[] {
  if (!hasCorpus) return [];
  const found: string[] = [];
  const walk = (path: string) => {
    for (const entry of Deno.readDirSync(corpusUrl(path))) {
      const inside = `${path}/${entry.name}`;
      if (entry.isDirectory) walk(inside);
      else if (entry.name.endsWith(ending)) found.push(inside);
    }
  };
  walk(folder);
  return found.sort();
}
