/**
 * The documentation site: which pages it has and what each is made from.
 *
 * @module
 */
import {
  apiPage,
  codesPage,
  commandsPage,
  formatPages,
  limitsPage,
} from "./generated.ts";
import { type Group, pageOf, section, type Source } from "./markdown.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string) => Deno.readTextFileSync(new URL(path, root));

/** A page that stands in the repository. `<!-- README: Heading -->` is replaced by that section of the README. */
function written(from: string, to = ""): Source {
  const text = read(from).replaceAll(
    /^<!-- README: (.+) -->$/gm,
    (_, heading) =>
      section(read("README.md"), heading)
        // links there begin at the root
        .replaceAll(
          /\]\((?![a-z]+:|#)/g,
          `](${"../".repeat(from.split("/").length - 1)}`,
        ),
  );
  const place = from.replace(/^docs\//, "").replace(/\.md$/, ".html");
  return { from, to: to || place, text };
}

/** Jobs, in the order of the navigation. */
const JOBS = [
  "source_models",
  "css_meshes",
  "vertex_files",
  "payloads",
  "tangents",
  "compare",
  "look",
  "batch",
];

/** All pages, in groups. */
export async function sitePages(): Promise<Group[]> {
  return [
    {
      name: "Begin",
      pages: [{ ...written("docs/index.md"), label: "Overview" }],
    },
    {
      name: "Jobs",
      pages: [
        ...JOBS.map((name) => written(`docs/jobs/${name}.md`)),
        written("docs/edge.md"),
      ],
    },
    { name: "Formats", pages: formatPages() },
    {
      name: "Reference",
      pages: [
        await commandsPage(),
        apiPage(),
        written("docs/conventions.md"),
        {
          ...written("docs/MATRIX.md", "matrix.html"),
          label: "Conversion matrix",
        },
        limitsPage(),
        codesPage(),
        written("SECURITY.md", "security.html"),
        written("CHANGELOG.md", "changelog.html"),
      ],
    },
  ];
}

/** The files of the site but for the API, by their paths. */
export async function siteFiles(): Promise<Map<string, string | Uint8Array>> {
  const groups = await sitePages();
  const files = new Map<string, string | Uint8Array>([
    ["style.css", read("docs/style.css")],
  ]);
  for (const page of groups.flatMap((group) => group.pages)) {
    files.set(page.to, pageOf(page, groups));
  }
  for (const { name } of Deno.readDirSync(new URL("docs/images/", root))) {
    files.set(
      `images/${name}`,
      Deno.readFileSync(new URL(`docs/images/${name}`, root)),
    );
  }
  return files;
}
