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
import { type UniqueNames, uniqueNames } from "../../core/unique_names.ts";
import { folded } from "./judge.ts";

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
): UniqueNames {
  return uniqueNames(names, {
    clean: CLEAN[what],
    fallback: (place) => `${what}_${place}`,
    fold: folded,
    longest: what === "morph" ? 64 : Infinity,
  });
}
