/**
 * The files beside an .mdl: which belong to it, and which are used.
 *
 * @module
 */
import { meshError } from "../core/errors.ts";
import { needsGeometry } from "../formats/mdl/model.ts";
import { isLfsPointer, isZero } from "../formats/mdl/tables.ts";
import type { Mdl } from "../formats/mdl/types.ts";

/** What a file beside the .mdl holds. */
export type CompanionKind = "vvd" | "vtx" | "vvc";

/** One file beside the .mdl. */
export interface CompanionInfo {
  /** Its name. */
  file: string;
  /** What it holds. */
  kind: CompanionKind;
  /** Its checksum, unsigned; null when it is too short to have one, or no such file at all. */
  checksum: number | null;
  /** What it holds in place of a file of its kind. */
  content?: "nothing" | "zero bytes" | "a Git LFS pointer";
  /** True when it carries the MDL's checksum. */
  matches: boolean;
  /** True when the model is read from it. */
  used: boolean;
}

/** The companions of one model. */
export interface Companions {
  /** Every file that was looked at, in the order of preference. */
  list: CompanionInfo[];
  /** Names of files that are missing, where the model needs them; their endings where the .mdl has no name. */
  missing: string[];
  /** Bytes of the files that are used. */
  files: Partial<Record<CompanionKind, Uint8Array>>;
  /** Names of the files that are used. */
  names: Partial<Record<CompanionKind, string>>;
}

/** Endings of companions. Of several VTX with the right checksum the first one counts. */
const ENDINGS: readonly [ending: string, kind: CompanionKind, at: number][] = [
  [".vvd", "vvd", 8],
  [".dx90.vtx", "vtx", 16],
  [".vtx", "vtx", 16],
  [".dx80.vtx", "vtx", 16],
  [".sw.vtx", "vtx", 16],
  [".xbox.vtx", "vtx", 16],
  [".dx90.360.vtx", "vtx", 16],
  [".vvc", "vvc", 8],
];

/** What all of a model's names share: the .mdl's name without its ending, in lower case. */
function stemOf(name: string): string {
  return name.replace(/^.*[\\/]/, "").replace(/\.mdl$/i, "").toLowerCase();
}

/**
 * True for the name of a file that may belong to a model: same stem, whatever the case, and a known ending.
 *
 * @param mdlName Name of the .mdl, or its path.
 * @param fileName Name of a file beside it, or its path.
 */
export function isCompanion(mdlName: string, fileName: string): boolean {
  const stem = stemOf(mdlName);
  const lower = fileName.replace(/^.*[\\/]/, "").toLowerCase();
  return ENDINGS.some(([ending]) => lower === stem + ending);
}

/** Row of {@linkcode ENDINGS} that a name has; the longest ending counts. */
function endingOf(name: string): number {
  const lower = name.toLowerCase();
  let best = -1;
  ENDINGS.forEach(([ending], i) => {
    if (
      lower.endsWith(ending) &&
      (best < 0 || ending.length > ENDINGS[best][0].length)
    ) best = i;
  });
  return best;
}

/** What stands where the file should be: unpackers and version control leave such files behind. */
function strayContent(bytes: Uint8Array): Pick<CompanionInfo, "content"> {
  if (bytes.length === 0) return { content: "nothing" };
  if (isZero(bytes)) return { content: "zero bytes" };
  return isLfsPointer(bytes) ? { content: "a Git LFS pointer" } : {};
}

function checksumOf(bytes: Uint8Array, at: number): number | null {
  if (bytes.length < at + 4) return null;
  return new DataView(bytes.buffer, bytes.byteOffset + at, 4)
    .getUint32(0, true);
}

/**
 * Chooses the files that a model is read from: of each kind the first with the MDL's checksum, or where none has it the
 * first of all, so that the error can name both.
 *
 * @param mdl The model.
 * @param mdlName Name of the .mdl, for the names of missing files.
 * @param files Files beside it, by name; those of another kind are passed over.
 */
export function chooseCompanions(
  mdl: Mdl,
  mdlName: string,
  files: Readonly<Record<string, Uint8Array>>,
): Companions {
  const rows = Object.entries(files)
    .map(([file, bytes]) => ({ file, bytes, ending: endingOf(file) }))
    .filter((row) => row.ending >= 0)
    .sort((a, b) => a.ending - b.ending || (a.file < b.file ? -1 : 1))
    .map(({ file, bytes, ending }) => {
      const [, kind, at] = ENDINGS[ending];
      const stray = strayContent(bytes);
      const checksum = stray.content ? null : checksumOf(bytes, at);
      const matches = checksum === mdl.checksum;
      return { file, bytes, kind, checksum, matches, used: false, ...stray };
    });
  const out: Companions = { list: [], missing: [], files: {}, names: {} };
  for (const kind of ["vvd", "vtx", "vvc"] as const) {
    const own = rows.filter((row) => row.kind === kind);
    const best = own.find((row) => row.matches) ?? own[0];
    if (!best || (kind === "vvc" && !best.matches)) continue;
    best.used = true;
    out.files[kind] = best.bytes;
    out.names[kind] = best.file;
  }
  out.list = rows.map(({ bytes: _, ...info }) => info);
  if (needsGeometry(mdl)) {
    const own = mdlName.replace(/^.*[\\/]/, "").replace(/\.mdl$/i, "");
    // without a path there is no stem, and the endings alone are true
    const stem = own === "-" ? "" : own;
    if (!out.files.vvd) out.missing.push(`${stem}.vvd`);
    if (!out.files.vtx) {
      for (const [ending, kind] of ENDINGS.slice(0, 5)) {
        if (kind === "vtx") out.missing.push(stem + ending);
      }
    }
  }
  return out;
}

/**
 * Refuses a model with geometry whose files are missing.
 *
 * @param mdlName Name of the .mdl; `-` is stdin.
 * @throws {MeshError} MDL-COMPANION, which names every file that was looked for.
 */
export function requireCompanions(
  companions: Companions,
  mdlName: string,
): void {
  const { missing } = companions;
  if (missing.length === 0) return;
  if (mdlName === "-") {
    throw meshError(
      "MDL-COMPANION",
      "Give the path of the .mdl: its .vvd and .vtx are looked for beside it, and beside stdin there is nothing",
      { format: "mdl", path: "companions", found: [], allowed: "a path" },
    );
  }
  const vvd = missing.filter((name) => name.endsWith(".vvd"));
  const vtx = missing.filter((name) => name.endsWith(".vtx"));
  const parts = [
    ...vvd,
    ...(vtx.length > 0 ? [`one of ${vtx.join(", ")}`] : []),
  ];
  throw meshError(
    "MDL-COMPANION",
    `Keep the rest of the model with the .mdl: missing ${
      parts.join(" and ")
    } (upper and lower case are the same)`,
    {
      format: "mdl",
      path: "companions",
      found: companions.list.map((c) => c.file),
      allowed: missing,
    },
  );
}
