/**
 * Builds the documentation site into dist/docs/: static files that need no server and no network. `--out DIR` writes
 * elsewhere.
 */
import { siteFiles } from "./docs/site.ts";

const root = new URL("../", import.meta.url);
const at = Deno.args.indexOf("--out");
const out = at < 0
  ? new URL("dist/docs/", root)
  : new URL(`${Deno.args[at + 1]}/`, `file://${Deno.cwd()}/`);

/** The API, page by page, by Deno's own documentation tool. */
async function buildApi(): Promise<void> {
  const { exports } = JSON.parse(
    await Deno.readTextFile(new URL("deno.json", root)),
  ) as { exports: Record<string, string> };
  const entries = Object.values(exports).filter((path) => path.endsWith(".ts"));
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["doc", "--html", "--name=meshwright"],
      ...[`--output=${new URL("api", out).pathname}`, ...entries],
    ],
    cwd: root,
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

await Deno.remove(out, { recursive: true }).catch(() => {});
const files = await siteFiles();
for (const [path, data] of files) {
  const place = new URL(path, out);
  await Deno.mkdir(new URL(".", place), { recursive: true });
  await (typeof data === "string"
    ? Deno.writeTextFile(place, data)
    : Deno.writeFile(place, data));
}
await buildApi();
console.log(`${out.pathname}index.html: ${files.size} files and the API`);
