/**
 * Names as the importer takes them.
 *
 * | name of | rule |
 * | --- | --- |
 * | bone, material | an empty one becomes `bone_N` or `material_N` |
 * | morph target | every character but letters, digits and underscores becomes `_`; at most 64; an empty one becomes `morph_N` |
 * | package part | as a morph target's, without the length |
 * | all | a name that stands already, whatever its case, gets `_2`, `_3`, … |
 *
 * @module
 */
import { folded } from "./judge.ts";

/** Result of {@linkcode legalNames}. */
export interface LegalNames {
  /** The names, in order. */
  names: string[];
  /** Old and new name of each that changed. */
  changed: [from: string, to: string][];
}

/** What a name becomes before it is made unlike the others. */
const CLEAN = {
  bone: (name: string) => name,
  material: (name: string) => name,
  morph: (name: string) => legalPart(name).slice(0, 64),
} as const;

/** A text of letters, digits and underscores. */
export function legalPart(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/gu, "_");
}

/**
 * Makes names legal and unlike each other. A legal name keeps its bearer: others give way to it.
 *
 * @param names Names as they are.
 * @param what Whose names they are.
 */
export function legalNames(
  names: readonly string[],
  what: keyof typeof CLEAN,
): LegalNames {
  const longest = what === "morph" ? 64 : Infinity;
  const taken = new Set<string>();
  const out = names.map((name) => {
    // the first bearer of a name that is legal as it stands keeps it
    const legal = name !== "" && CLEAN[what](name) === name &&
      !taken.has(folded(name));
    if (legal) taken.add(folded(name));
    return legal ? name : null;
  });
  const changed: [string, string][] = [];
  const done = out.map((kept, i) => {
    if (kept !== null) return kept;
    const base = CLEAN[what](names[i]) || `${what}_${i}`;
    let name = base;
    for (let n = 2; taken.has(folded(name)); n++) {
      const suffix = `_${n}`;
      name = base.slice(0, longest - suffix.length) + suffix;
    }
    taken.add(folded(name));
    changed.push([names[i], name]);
    return name;
  });
  return { names: done, changed };
}
