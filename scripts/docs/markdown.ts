/**
 * From Markdown to the pages of the documentation site.
 *
 * @module
 */
import { Marked, type Tokens } from "marked";

/** A page in Markdown. */
export interface Source {
  /** Path of the Markdown in the repository, which its links are relative to. */
  from: string;
  /** Path of the page on the site. */
  to: string;
  /** The text. */
  text: string;
  /** What the navigation calls it; its first heading unless given. */
  label?: string;
}

/** A group of pages in the navigation. */
export interface Group {
  name: string;
  pages: Source[];
}

/** Text as HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** Text as Markdown that means nothing, in a table's cell too. */
export function plainMarkdown(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;")
    .replaceAll("\n", " ");
}

/** The first heading, without its marks. */
export function titleOf({ text, from }: Source): string {
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (!title) throw new Error(`Begin ${from} with a heading`);
  return title.replaceAll("`", "");
}

/** What stands between a heading and the next one of its depth. */
export function section(text: string, heading: string): string {
  const from = text.split(new RegExp(`^## ${heading}$`, "m"))[1];
  if (from === undefined) throw new Error(`no section "${heading}"`);
  return from.split(/^## /m)[0].trim();
}

/** A heading as the part of an address behind `#`. */
export function slug(heading: string): string {
  return heading.toLowerCase().replaceAll(/<[^>]*>|`/g, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "");
}

/** A path without `.` and `..`. */
function tidy(path: string): string {
  const out: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") out.pop();
    else if (part !== "." && part !== "") out.push(part);
  }
  return out.join("/");
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);

/** How one page of the site names another. */
export function relative(from: string, to: string): string {
  return "../".repeat(from.split("/").length - 1) + to;
}

/** The address that a link of a page leads to on the site. */
function address(
  page: Source,
  href: string,
  sources: readonly Source[],
): string {
  if (/^([a-z]+:|#)/i.test(href)) return href;
  const [path, hash] = href.split("#");
  const target = tidy(folderOf(page.from) + path);
  const found = sources.find(({ from }) => from === target);
  const asset = /^docs\/(api|images)\//.test(target);
  if (!found && !asset) {
    throw new Error(`${page.from} links to ${href}, which is no page`);
  }
  const to = found?.to ?? target.replace(/^docs\//, "");
  return relative(page.to, to) + (hash === undefined ? "" : `#${hash}`);
}

/** The body of a page. */
export function bodyOf(page: Source, sources: readonly Source[]): string {
  const marked = new Marked();
  marked.use({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const inside = this.parser.parseInline(tokens);
        const id = slug(text);
        return `<h${depth} id="${id}"><a href="#${id}">${inside}</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inside = this.parser.parseInline(tokens);
        const to = address(page, href, sources);
        return `<a href="${escapeHtml(to)}">${inside}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        const from = address(page, href, sources);
        return `<img src="${escapeHtml(from)}" alt="${escapeHtml(text)}">`;
      },
      // wide tables scroll by themselves, not the page
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${
            cells.map((cell) =>
              `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`
            ).join("")
          }</tr>`;
        return `<div class="table"><table><thead>${
          row(token.header, "th")
        }</thead><tbody>${
          token.rows.map((cells) => row(cells, "td")).join("\n")
        }</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(page.text, { async: false });
}

/** The whole page, with the way to all others. */
export function pageOf(page: Source, groups: readonly Group[]): string {
  const sources = groups.flatMap((group) => group.pages);
  const entry = (other: Source) =>
    `<li><a href="${relative(page.to, other.to)}"${
      other === page ? ' aria-current="page"' : ""
    }>${escapeHtml(other.label ?? titleOf(other))}</a></li>`;
  const navigation = groups.map(({ name, pages }) =>
    `<h2>${escapeHtml(name)}</h2><ul>${pages.map(entry).join("")}</ul>`
  ).join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(titleOf(page))} – meshwright</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${relative(page.to, "style.css")}">
</head>
<body>
<a class="skip" href="#content">To the text</a>
<nav aria-label="Pages">
<p><a href="${relative(page.to, "index.html")}">meshwright</a></p>
${navigation}
</nav>
<main id="content">
${bodyOf(page, sources)}</main>
</body>
</html>
`;
}
