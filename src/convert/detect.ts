/**
 * Which format a file has: its content decides, its extension breaks ties.
 *
 * @module
 */
import { meshError } from "../core/errors.ts";
import { type FormatId, formatInfo, FORMATS } from "../core/formats.ts";
import {
  isStaticPayload,
  looksLikeStaticPayload,
} from "../formats/payload/read.ts";

/** The format that a file's name tells of, or null. */
export function extensionFormat(name: string): FormatId | null {
  const lower = name.toLowerCase();
  return FORMATS.find((f) => f.extensions.some((e) => lower.endsWith(e)))
    ?.id ?? null;
}

/** Names of files that belong to a Source model and say nothing without its .mdl. */
const BESIDE_MDL = /\.(vtx|vvc|phy|ani)$/i;

/** The first characters behind white space and a byte order mark, as far as a look needs them. */
function head(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, 65_536)).trimStart();
}

/** The key of a JSON object that names its format, at the top level of its beginning. */
function jsonFormat(text: string): FormatId | null {
  if (!text.startsWith("{")) return null;
  let depth = 0;
  // by hand, one step a character: a regular expression goes back over a string that never ends, again and again
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === "{" || c === "[") depth++;
    else if (c === "}" || c === "]") depth--;
    if (c !== '"') continue;
    const start = i + 1;
    for (i = start; i < text.length && text[i] !== '"'; i++) {
      if (text[i] === "\\") i++; // what follows a backslash ends no string
    }
    const word = text.slice(start, i);
    if (depth !== 1 || (word !== "schema" && word !== "asset")) continue;
    if (text.slice(i + 1).trimStart().startsWith(":")) {
      return word === "schema" ? "css" : "gltf";
    }
  }
  return null;
}

/**
 * The format of a file, or null when neither content nor name settles it.
 *
 * @param bytes The file.
 * @param name Its name, for ties: a damaged file of a known extension is judged as that format.
 *
 * @example
 * ```ts
 * import { detectFormat } from "@meshwright/kit";
 *
 * console.log(detectFormat(Deno.readFileSync("samples/lantern.vvd"))); // vvd
 * ```
 */
export function detectFormat(bytes: Uint8Array, name = ""): FormatId | null {
  const magic = String.fromCharCode(...bytes.subarray(0, 4));
  if (magic === "IDSV") return "vvd";
  if (magic === "IDST") return "mdl";
  if (magic === "SKMV") return "payload";
  if (magic === "glTF") return "gltf";
  if (BESIDE_MDL.test(name)) return null;
  const byName = extensionFormat(name);
  const json = jsonFormat(head(bytes));
  if (json) return json;
  if (isStaticPayload(bytes)) return "payload";
  if (byName) return byName;
  return looksLikeStaticPayload(bytes) ? "payload" : null;
}

/** Formats that a file may have to be read. */
const readableIds = () => FORMATS.filter((f) => f.reads).map((f) => f.id);

/** What else a file without a format may be. */
function guess(bytes: Uint8Array): string {
  const text = head(bytes.subarray(0, 256));
  if (text.startsWith("{")) {
    return '. A JSON object of a known format has the key "schema" (CSS authored mesh) or "asset" (glTF)';
  }
  // a static payload begins with its number of vertices; text read as a number is far larger than any
  const counted = bytes.length >= 4
    ? new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true)
    : 0;
  return counted > 0 && counted < 2 ** 24
    ? ". A static payload has no magic: the option from=payload tells what is wrong with one"
    : "";
}

/**
 * The format of a file.
 *
 * @throws {MeshError} FORMAT-UNKNOWN; FORMAT-UNSUPPORTED for a file that belongs to a Source model.
 */
export function requireFormat(bytes: Uint8Array, name: string): FormatId {
  const format = detectFormat(bytes, name);
  if (format) return format;
  const [, beside] = BESIDE_MDL.exec(name) ?? [];
  if (beside) {
    throw meshError(
      "FORMAT-UNSUPPORTED",
      `Give its .mdl: a .${beside.toLowerCase()} is a part of a Source model and is read with it`,
      { found: beside.toLowerCase(), allowed: readableIds() },
    );
  }
  const start = Array.from(
    bytes.subarray(0, 8),
    (b) => b.toString(16).padStart(2, "0"),
  ).join(" ");
  throw meshError(
    "FORMAT-UNKNOWN",
    `Name the format with the option from: the content matches none (${
      bytes.length === 0 ? "the file is empty" : `it begins with ${start}`
    })${guess(bytes)}`,
    { offset: 0, found: start, allowed: readableIds() },
  );
}

/** Refuses a format that this version can not read. */
export function requireReadable(format: FormatId): void {
  const info = formatInfo(format);
  if (!info.reads) {
    throw meshError(
      "FORMAT-UNSUPPORTED",
      `Choose another input: this version does not read ${info.name}`,
      {
        format,
        found: format,
        allowed: readableIds(),
      },
    );
  }
}

/** Refuses a format that this version can not write. */
export function requireWritable(format: FormatId): void {
  const info = formatInfo(format);
  if (!info.writes) {
    throw meshError(
      "FORMAT-UNSUPPORTED",
      `Choose another target: this version does not write ${info.name}`,
      {
        format,
        found: format,
        allowed: FORMATS.filter((f) => f.writes).map((f) => f.id),
      },
    );
  }
}
