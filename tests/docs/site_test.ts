/** The documentation site as it is built, but for the API. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { bodyOf, section, slug } from "../../scripts/docs/markdown.ts";
import { siteFiles, sitePages } from "../../scripts/docs/site.ts";
import { CODES } from "../../src/core/codes.ts";
import { FORMATS } from "../../src/core/formats.ts";
import { DEFAULT_LIMITS } from "../../src/core/limits.ts";

const files = await siteFiles();
const pages = [...files].filter(([path]) => path.endsWith(".html")) as [
  string,
  string,
][];
const page = (path: string) => files.get(path) as string;
const { exports } = JSON.parse(
  Deno.readTextFileSync(new URL("../../deno.json", import.meta.url)),
) as { exports: Record<string, string> };

/** Pages that Deno's documentation tool adds. */
const API = ["api/all_symbols.html"].concat(
  Object.keys(exports).map((entry) =>
    `api/${entry.replace(/^\.\/?/, "")}/index.html`.replace("//", "/")
  ),
);

const decoded = (html: string) =>
  html.replaceAll(/&#(\d+);/g, (_, n) => String.fromCharCode(Number(n)));

Deno.test("siteFiles() has no link that leads nowhere", () => {
  let seen = 0;
  for (const [path, html] of pages) {
    for (const [, href] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (/^(https?|data):/.test(href)) continue;
      const url = new URL(decoded(href), `http://site/${path}`);
      const target = url.pathname.slice(1);
      assert(files.has(target) || API.includes(target), `${path}: ${href}`);
      if (url.hash !== "") {
        const id = decodeURIComponent(url.hash.slice(1));
        assert(page(target).includes(`id="${id}"`), `${path}: ${href}`);
      }
      seen++;
    }
  }
  assert(seen > 500, `${seen} links`);
});

Deno.test("siteFiles() takes nothing from the network", () => {
  for (const [path, data] of files) {
    if (typeof data !== "string") continue;
    for (const [tag] of data.matchAll(/<(?:link|img|script|iframe)\b[^>]*>/g)) {
      assert(!/https?:/.test(tag), `${path}: ${tag}`);
    }
    assert(!/@import|url\(/.test(data) || !path.endsWith(".css"), path);
  }
});

Deno.test("siteFiles() has a page a format with what its modules say, and every limit and code", () => {
  for (const { id } of FORMATS) {
    const html = page(`formats/${id}.html`);
    assertStringIncludes(html, `<code>${id}</code>`);
    assertStringIncludes(html, `src/formats/${id}/`, "a table of its own");
  }
  // Valve's header, as published: seven fields and the table of eight LODs
  const vvd = page("formats/vvd.html");
  for (const field of ["numLODVertexes", "numFixups", "tangentDataStart"]) {
    assertStringIncludes(vvd, field);
  }
  for (const name of Object.keys(DEFAULT_LIMITS)) {
    assertStringIncludes(page("limits.html"), `<code>${name}</code>`);
  }
  assertStringIncludes(page("limits.html"), "<td>250,000</td>");
  assertStringIncludes(page("limits.html"), "<td>16 MiB</td>");
  for (const code of Object.keys(CODES)) {
    // a group of one code has the code as its heading
    const headings = [`<code>${code}</code></a></h3>`, `>${code}</a></h2>`];
    assert(headings.some((h) => page("codes.html").includes(h)), code);
  }
  for (const command of ["inspect", "batch", "explain"]) {
    assertStringIncludes(page("commands.html"), `<h2 id="${command}">`);
  }
});

Deno.test("siteFiles() names only codes that exist", () => {
  const groups = [...new Set(Object.keys(CODES).map((c) => c.split("-")[0]))];
  const like = new RegExp(
    `<code>((?:${groups.join("|")})-[A-Z0-9-]+)</code>`,
    "g",
  );
  for (const [path, html] of pages) {
    for (const [, code] of html.matchAll(like)) {
      assert(code in CODES, `${path}: ${code}`);
    }
  }
});

Deno.test("bodyOf() refuses a link to a page that is not there", async () => {
  const sources = (await sitePages()).flatMap((group) => group.pages);
  const made = (text: string) =>
    bodyOf({ from: "docs/jobs/x.md", to: "jobs/x.html", text }, sources);
  assertEquals(
    made("[a](../edge.md#jobs-on-queues)"),
    '<p><a href="../edge.html#jobs-on-queues">a</a></p>\n',
  );
  assertEquals(
    made("[a](https://example.com/b)"),
    '<p><a href="https://example.com/b">a</a></p>\n',
  );
  let message = "";
  try {
    made("[a](../gone.md)");
  } catch (error) {
    message = String(error);
  }
  assertStringIncludes(message, "docs/jobs/x.md links to ../gone.md");
});

Deno.test("section() gives a section, slug() what a link to it ends with", () => {
  const text = "# A\n\n## B b\n\none\n\n### C\n\ntwo\n\n## D\n\nthree\n";
  assertEquals(section(text, "B b"), "one\n\n### C\n\ntwo");
  assertEquals(section(text, "D"), "three");
  assertEquals(slug("What is `this`, then?"), "what-is-this-then");
});
