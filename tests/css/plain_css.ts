/**
 * CSS authored meshes written the plainest way: an object, changed by the test, through `JSON.stringify`.
 *
 * @module
 */
import type { Finding } from "../../src/core/findings.ts";
import { validateCssMesh } from "../../src/formats/css/mod.ts";

/** A document of any content: tests break it on purpose. */
// deno-lint-ignore no-explicit-any
export type Doc = any;

/** One triangle on one bone, in front as seen from +Z. */
export function triangle(): Doc {
  return {
    schema: 1,
    mesh_package: "/Game/CSSAuthoring/Plain/SK_Plain",
    skeleton_package: "/Game/CSSAuthoring/Plain/SKEL_Plain",
    bones: [bone("root", -1)],
    materials: ["Skin"],
    points: [[0, 0, 0], [50, 0, 0], [0, 40, 0]],
    wedges: [[0, 0, 0], [1, 1, 0], [2, 0, 1]],
    faces: [[0, 2, 1, 0]],
    influences: [[0, 0, 1], [1, 0, 1], [2, 0, 1]],
  };
}

/** A bone that stands still. */
export function bone(name: string, parent: number): Doc {
  return {
    name,
    parent,
    translation: [0, 0, 0],
    rotation: [0, 0, 0, 1],
    scale: [1, 1, 1],
  };
}

/** The triangle with changes; a key that becomes undefined is left out. */
export function changed(change: (doc: Doc) => void): Doc {
  const doc = triangle();
  change(doc);
  return doc;
}

/** UTF-8. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** The bytes of a document. */
export function bytesOf(doc: Doc): Uint8Array<ArrayBuffer> {
  return utf8(JSON.stringify(doc));
}

/** The findings of a document. */
export function findingsOf(doc: Doc): Finding[] {
  return validateCssMesh(bytesOf(doc)).list;
}

/** Code and place of each finding. */
export function brief(list: readonly Finding[]): [string, string][] {
  return list.map((f) => [f.code, f.where]);
}

/** The value that a finding's pointer leads to, found by walking the parsed text. */
export function valueAt(doc: Doc, pointer: string): unknown {
  return pointer.split("/").slice(1).reduce(
    (value, key) => value[key.replaceAll("~1", "/").replaceAll("~0", "~")],
    doc,
  );
}
