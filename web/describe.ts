/**
 * The panel: what is in a file, what was found about it, what a conversion did.
 *
 * @module
 */
import type { Inspection } from "../src/convert/inspect.ts";
import { formatInfo } from "../src/core/formats.ts";
import { count, el, facts, grid, short, size } from "./dom.ts";
import type { ConvertedFiles, Opened } from "./protocol.ts";

/** Rows of a table that the panel shows; the rest is a number. */
const MOST_ROWS = 40;
/** Findings that the panel shows. */
const MOST_FINDINGS = 200;

const hex = (n: number) => `0x${n.toString(16).padStart(8, "0")}`;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 12).map((name) => name || "(no name)");
  const more = names.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${count(more)} more` : "");
}

function limited(
  caption: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): HTMLElement {
  const table = grid(caption, head, rows.slice(0, MOST_ROWS));
  if (rows.length > MOST_ROWS) {
    table.tBodies[0].append(
      el(
        "tr",
        {},
        el(
          "td",
          { colspan: String(head.length), class: "quiet" },
          `… ${count(rows.length - MOST_ROWS)} more`,
        ),
      ),
    );
  }
  return table;
}

function meshRows(
  { mesh: m }: Inspection,
): [string, string][] {
  if (!m) return [["Vertices", "not in this file"]];
  const rows: [string, string][] = [
    ["Vertices", count(m.vertices)],
    ["Triangles", count(m.triangles)],
  ];
  if (m.bounds) {
    const { min, max } = m.bounds;
    rows.push(["Extent", max.map((x, k) => short(x - min[k])).join(" × ")]);
    rows.push(["From", min.map(short).join(", ")]);
    rows.push(["To", max.map(short).join(", ")]);
  }
  rows.push(["Attributes", m.attributes.join(", ")]);
  if (m.materials.length > 0) {
    rows.push(["Materials", listed(m.materials)]);
  }
  if (m.joints > 0) {
    rows.push(["Joints", count(m.joints)]);
    rows.push(["Influences", `at most ${m.maxInfluences} a vertex`]);
  }
  if (m.heightfield) {
    const { rows: r, cols } = m.heightfield;
    rows.push(["Heightfield", `${r} rows, ${cols} columns`]);
  }
  return rows;
}

/** The tables of an inspection. */
export function contents(found: Inspection): HTMLElement[] {
  const rows: [string, string][] = [
    ["Format", formatInfo(found.format).name],
    ["Size", size(found.bytes)],
  ];
  if (found.payload) rows.push(["Kind", found.payload.kind]);
  if (found.payload && found.payload.trailingBytes > 0) {
    rows.push(["Trailing", `${count(found.payload.trailingBytes)} bytes`]);
  }
  if (found.mdl) {
    rows.push(["Model name", found.mdl.name]);
    rows.push(["Version", String(found.mdl.version)]);
    rows.push(["Checksum", hex(found.mdl.checksum)]);
    if (found.mdl.textures.length > 0) {
      rows.push(["Textures", listed(found.mdl.textures)]);
    }
  } else if (found.vvd) {
    rows.push(["Version", String(found.vvd.version)]);
    rows.push(["Checksum", hex(found.vvd.checksum)]);
  }
  if (found.css) {
    rows.push(["Mesh package", found.css.meshPackage]);
    rows.push(["Skeleton package", found.css.skeletonPackage]);
  }
  const out: HTMLElement[] = [facts([...rows, ...meshRows(found)])];
  const m = found.mesh;
  if (m && m.materials.length > 0) {
    out.push(el(
      "p",
      { class: "quiet" },
      "Textures are not drawn: materials differ by colour, and UV shows how an image would lie.",
    ));
  }
  if (m && m.lods.length > 1) {
    out.push(limited(
      "Levels of detail",
      ["Level", "Vertices", "Triangles", "From distance"],
      m.lods.map((l) => [
        String(l.level),
        count(l.vertices),
        count(l.triangles),
        l.switchDistance === null ? "–" : short(l.switchDistance),
      ]),
    ));
  }
  if (m && m.morphTargets.length > 0) {
    out.push(limited(
      "Morph targets",
      ["Name", "Moves", "Largest"],
      m.morphTargets.map((t) => [
        t.name,
        count(t.movedVertices),
        short(t.largestDelta),
      ]),
    ));
  }
  if (found.mdl) {
    const { companions, missing, bodyparts } = found.mdl;
    out.push(limited(
      "Files of the model",
      ["File", "Checksum", ""],
      [
        ...companions.map((c) => [
          c.file,
          c.checksum === null ? "–" : hex(c.checksum),
          c.used ? "used" : c.matches ? "spare" : c.content ?? "other compile",
        ]),
        ...missing.map((name) => [name, "–", "missing"]),
      ],
    ));
    const models = bodyparts.flatMap((part) =>
      part.models.map((model) => [
        part.name || "–",
        model.name || "(none)",
        count(model.vertices),
      ])
    );
    if (models.length > 1) {
      out.push(limited("Body groups", ["Group", "Model", "Vertices"], models));
    }
  }
  if (found.vvd && found.vvd.fixups.length > 0) {
    out.push(limited(
      "Fixups",
      ["Level", "From vertex", "Vertices"],
      found.vvd.fixups.map((f) => [
        String(f.lod),
        count(f.sourceVertexID),
        count(f.numVertexes),
      ]),
    ));
  }
  return out;
}

/** What the badge beside the heading says. */
export function verdict(
  { validation }: Opened,
): { text: string; class: string } {
  if (!validation) return { text: "not checked", class: "quiet" };
  const { errors, warnings } = validation;
  const part = (n: number, what: string) =>
    n > 0 ? `${count(n)} ${what}${n === 1 ? "" : "s"}` : "";
  const text = [part(errors, "error"), part(warnings, "warning")]
    .filter((t) => t).join(", ");
  return errors > 0
    ? { text, class: "error" }
    : warnings > 0
    ? { text, class: "warning" }
    : {
      text: validation.findings.length > 0 ? "notes only" : "none",
      class: "good",
    };
}

/** The findings, each with what its code means. */
export function findings({ validation, explained }: Opened): HTMLElement[] {
  const list = validation?.findings ?? [];
  if (list.length === 0) {
    return [el("p", { class: "quiet" }, "Nothing to complain about.")];
  }
  const items = list.slice(0, MOST_FINDINGS).map((finding) => {
    const { meaning, mend } = explained[finding.code];
    return el(
      "li",
      { class: "finding" },
      el(
        "details",
        {},
        el(
          "summary",
          {},
          el("span", { class: finding.severity }, finding.severity),
          " ",
          finding.message,
        ),
        el(
          "p",
          { class: "where" },
          el("span", { class: "code" }, finding.code),
          ` at ${finding.where}`,
        ),
        el("p", {}, meaning),
        el("p", {}, mend),
      ),
    );
  });
  const out: HTMLElement[] = [el("ul", { class: "plain" }, ...items)];
  if (list.length > MOST_FINDINGS) {
    out.push(
      el("p", { class: "quiet" }, `… ${list.length - MOST_FINDINGS} more`),
    );
  }
  return out;
}

/** Links to the files that were made, and what got lost on the way. */
export function converted(
  { files, report }: ConvertedFiles,
  urls: readonly string[],
): HTMLElement[] {
  const out: HTMLElement[] = files.map((file, i) =>
    el(
      "a",
      { class: "download", href: urls[i], download: file.name },
      el("strong", {}, `Download ${file.name}`),
      el("span", {}, size(file.bytes.length)),
      el(
        "span",
        { class: "code", title: `SHA-256 ${file.sha256}` },
        `SHA-256 ${file.sha256}`,
      ),
    )
  );
  const lines = [
    ...report.added.map((a) => ["good", "added", a.what, a.count, a.why]),
    ...report.loss.map((l) => [
      l.kind === "dropped" || l.kind === "changed" ? "warning" : "info",
      l.kind,
      l.what,
      l.count,
      l.why,
    ]),
  ].map(([tone, kind, what, n, why]) =>
    el(
      "li",
      {},
      el("span", { class: String(tone) }, String(kind)),
      ` ${what} (${count(Number(n))}): `,
      el("span", { class: "quiet" }, String(why)),
    )
  );
  if (report.loss.length === 0) {
    lines.unshift(el("li", { class: "good" }, "Nothing lost"));
  }
  out.push(el("ul", { class: "plain" }, ...lines));
  return out;
}
