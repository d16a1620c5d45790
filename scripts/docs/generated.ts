/**
 * Pages that are taken out of the sources: formats, limits, codes, commands.
 *
 * @module
 */
import { run } from "../../src/cli/main.ts";
import type { Host } from "../../src/cli/host.ts";
import { type Code, CODES } from "../../src/core/codes.ts";
import { type FormatInfo, FORMATS } from "../../src/core/formats.ts";
import * as limits from "../../src/core/limits.ts";
import { DEFAULT_REQUEST_LIMITS } from "../../src/edge/mod.ts";
import { plainMarkdown, slug, type Source } from "./markdown.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string) => Deno.readTextFileSync(new URL(path, root));

/** A documentation comment's text. */
function commentText(comment: string): string {
  return comment.split("\n").map((line) => line.replace(/^\s*\* ?/, ""))
    .join("\n").replace(/@module\b/, "")
    .replaceAll(/\{@link(?:code)? ([^}]+)\}/g, "`$1`").trim();
}

/** The comment that a module begins with. */
function openingComment(path: string): string {
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(read(path))?.[1];
  return commentText(comment ?? "");
}

/** What a format is comes before what is done with it. */
const FIRST = /^(types|read)/;

/** Modules of a format whose opening comment has a table: how its bytes or fields lie. */
function tables(id: string): string[] {
  const folder = `src/formats/${id}/`;
  const names = Array.from(
    Deno.readDirSync(new URL(folder, root)),
    (entry) => entry.name,
  ).filter((name) => name.endsWith(".ts")).sort();
  return [
    ...names.filter((name) => FIRST.test(name)),
    ...names.filter((name) => !FIRST.test(name)),
  ].map((name) => folder + name)
    .filter((path) => /^\| ?-/m.test(openingComment(path)));
}

/** Codes with one of the given beginnings, as links. */
function codeLinks(prefixes: readonly string[]): string {
  return Object.keys(CODES)
    .filter((code) => prefixes.some((prefix) => code.startsWith(prefix)))
    .map((code) => `[\`${code}\`](../codes.md#${slug(code)})`)
    .join(", ");
}

/** What the codes of a format begin with. */
const PREFIXES: Record<FormatInfo["id"], string[]> = {
  vvd: ["VVD-"],
  payload: ["PAYLOAD-"],
  gltf: ["GLTF-"],
  mdl: ["MDL-", "VTX-", "VVC-"],
  css: ["R-", "CSS-"],
  obj: ["OBJ-"],
  smd: ["SMD-"],
};

function formatPage(format: FormatInfo): Source {
  const { id, extensions, reads, writes, recognisedBy } = format;
  const [, name, more] = /^([^(]+?)(?: \((.+)\))?$/.exec(format.name) ??
    ["", format.name];
  const does = [reads ? "read" : "", writes ? "written" : ""]
    .filter((word) => word).join(" and ");
  const codes = codeLinks(PREFIXES[id]);
  const modules = Array.from(
    Deno.readDirSync(new URL(`src/formats/${id}/`, root)),
    (entry) => entry.name,
  );
  const opening = modules.includes("mod.ts")
    ? openingComment(`src/formats/${id}/mod.ts`)
    : "";
  const text = `# ${name}

${more ? `${more[0].toUpperCase()}${more.slice(1)}.` : ""}

| | |
| --- | --- |
| id | \`${id}\` |
| extensions | ${extensions.map((e) => `\`${e}\``).join(", ")} |
| recognised by | ${plainMarkdown(recognisedBy)} |
| here | ${does} |

${opening}

${
    tables(id).map((path) =>
      `## From \`${path}\`

${openingComment(path)}
`
    ).join("\n")
  }
${codes ? `## Codes\n\n${codes}\n` : ""}`;
  return { from: `docs/formats/${id}.md`, to: `formats/${id}.html`, text };
}

/** A page a format. */
export function formatPages(): Source[] {
  return FORMATS.map(formatPage);
}

/** A number, of bytes in the powers of two that people know. */
function readable(name: string, value: number): string {
  if (/bytes/i.test(name)) {
    for (const [unit, size] of [["GiB", 2 ** 30], ["MiB", 2 ** 20]] as const) {
      if (value % size === 0) return `${value / size} ${unit}`;
      if (value % size === size - 1) {
        return `${(value + 1) / size} ${unit} − 1`;
      }
    }
  }
  return String(value).replace(/\B(?<!\.\d*)(?=(\d{3})+$)/g, ",");
}

/** The members of an interface with their comments. */
function members(path: string, name: string): [name: string, text: string][] {
  const body = new RegExp(`interface ${name} \\{([\\s\\S]*?)\n\\}`)
    .exec(read(path))![1];
  return [...body.matchAll(/\/\*\*([\s\S]*?)\*\/\s+readonly (\w+):/g)]
    .map(([, comment, member]) => [member, commentText(comment)]);
}

/** Every limit and tolerance. */
export function limitsPage(): Source {
  const { DEFAULT_LIMITS, EDGE_LIMITS } = limits;
  type Name = keyof limits.Limits;
  const rows = members("src/core/limits.ts", "Limits").map(([name, text]) =>
    `| \`${name}\` | ${readable(name, DEFAULT_LIMITS[name as Name])} | ${
      readable(name, EDGE_LIMITS[name as Name])
    } | ${plainMarkdown(text)} |`
  );
  const requests = members("src/edge/limits.ts", "RequestLimits")
    .map(([name, text]) =>
      `| \`${name}\` | ${
        readable(
          name,
          DEFAULT_REQUEST_LIMITS[name as keyof typeof DEFAULT_REQUEST_LIMITS],
        )
      } | ${plainMarkdown(text)} |`
    );
  const constants = read("src/core/limits.ts").matchAll(
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export const (\w+)/g,
  );
  const rules = [...constants].flatMap(([, comment, name]) => {
    const value: unknown = limits[name as keyof typeof limits];
    if (typeof value !== "number") return [];
    const text = plainMarkdown(commentText(comment));
    return [`| \`${name}\` | ${readable(name, value)} | ${text} |`];
  });
  const text = `# Limits and tolerances

Limits guard memory and time. They can be set: the library takes \`limits\`, the edge handler \`limits\` and \`request\`. Passing one is
[\`LIMIT-EXCEEDED\`](codes.md#limit-exceeded), exit code 4, status 413. Memory is never reserved from a count that the remaining bytes
cannot back.

| limit | default | \`EDGE_LIMITS\` | |
| --- | --- | --- | --- |
${rows.join("\n")}

## Of a request to the edge handler

| limit | default | |
| --- | --- | --- |
${requests.join("\n")}

## Rules and tolerances

These belong to the formats and are fixed.

| name | value | |
| --- | --- | --- |
${rules.join("\n")}
`;
  return { from: "docs/limits.md", to: "limits.html", text };
}

/** Every code, as \`meshwright explain\` knows it. */
export function codesPage(): Source {
  const groups = Map.groupBy(
    Object.keys(CODES) as Code[],
    (code) => code.split("-")[0],
  );
  const parts = [...groups].map(([prefix, codes]) =>
    `## ${prefix}\n\n` + codes.map((code) => {
      const { severity, meaning, mend } = CODES[code];
      // a group may be called like its only code
      const heading = code === prefix ? "" : `### \`${code}\`\n\n`;
      return `${heading}${severity}. ${plainMarkdown(meaning)}\n\n${
        plainMarkdown(mend)
      }\n`;
    }).join("\n")
  );
  const text = `# Codes

Errors and findings share one table. A finding has a place, what was found and what is allowed; \`meshwright explain CODE\` prints what stands
here. The severity is the usual one.

${parts.join("\n")}`;
  return { from: "docs/codes.md", to: "codes.html", text };
}

/** What a command line prints. */
async function printed(...args: string[]): Promise<string> {
  let text = "";
  const none = () => Promise.reject(new Error("help needs no files"));
  const host: Host = {
    args,
    color: false,
    read: none,
    look: () => Promise.resolve(null),
    list: () => Promise.resolve([]),
    write: none,
    checkWrite: none,
    out: (data) => {
      text += typeof data === "string" ? data : new TextDecoder().decode(data);
      return Promise.resolve();
    },
    err: () => Promise.resolve(),
  };
  const code = await run(host);
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}`);
  return text;
}

/** The help of every command. */
export async function commandsPage(): Promise<Source> {
  const help = await printed("help");
  const names = [...help.matchAll(/^ {2}(\w+) .* {2}\w/gm)].map((m) => m[1]);
  const parts = await Promise.all(
    names.map(async (name) =>
      `## ${name}\n\n\`\`\`\n${
        (await printed("help", name)).trimEnd()
      }\n\`\`\`\n`
    ),
  );
  const text = `# Commands

\`\`\`
${help.trimEnd()}
\`\`\`

${parts.join("\n")}`;
  return { from: "docs/commands.md", to: "commands.html", text };
}

/** The entry points of the package, each with the first paragraph of its documentation. */
export function apiPage(): Source {
  const { name, exports } = JSON.parse(read("deno.json")) as {
    name: string;
    exports: Record<string, string>;
  };
  const rows = Object.entries(exports)
    .filter(([, path]) => path.endsWith(".ts"))
    .map(([entry, path]) => {
      const place = entry.replace(/^\.\/?/, "");
      const [first] = openingComment(path.replace("./", "")).split("\n\n");
      return `| [\`${name}${place && `/${place}`}\`](api/${
        place && `${place}/`
      }index.html) | ${plainMarkdown(first)} |`;
    });
  const text = `# API

| import | |
| --- | --- |
${rows.join("\n")}

\`${name}/kernels.wasm\` is the kernels' module, for runtimes that compile no bytes.

[Every symbol](api/all_symbols.html), with its types and examples. The examples are run as tests.
`;
  return { from: "docs/api.md", to: "api.html", text };
}
