/**
 * Makes names legal and unlike each other.
 *
 * @module
 */

/** What makes a name legal. */
export interface NameRule {
  /** What a name becomes before it is made unlike the others; empty where nothing of it is legal. */
  clean(name: string): string;
  /** Name of one that has none, by its place. */
  fallback(place: number): string;
  /** What two names share that count as alike; the name itself unless given. */
  fold?(name: string): string;
  /** Most UTF-16 units of a name; any number unless given. */
  longest?: number;
}

/** Result of {@linkcode uniqueNames}. */
export interface UniqueNames {
  /** The names, in order. */
  names: string[];
  /** Old and new name of each that changed. */
  changed: [from: string, to: string][];
}

/**
 * Makes names legal and unlike each other: a name that is legal keeps its first bearer, the others get `_2`, `_3`, ….
 *
 * @param names Names as they are.
 * @param rule What makes one legal.
 */
export function uniqueNames(
  names: readonly string[],
  rule: NameRule,
): UniqueNames {
  const { longest = Infinity } = rule;
  const fold = (name: string) => rule.fold?.(name) ?? name;
  const taken = new Set<string>();
  const kept = names.map((name) => {
    const legal = name !== "" && rule.clean(name) === name &&
      !taken.has(fold(name));
    if (legal) taken.add(fold(name));
    return legal ? name : null;
  });
  const changed: [string, string][] = [];
  const done = kept.map((legal, i) => {
    if (legal !== null) return legal;
    const base = rule.clean(names[i]) || rule.fallback(i);
    let name = base;
    for (let n = 2; taken.has(fold(name)); n++) {
      const suffix = `_${n}`;
      name = base.slice(0, longest - suffix.length) + suffix;
    }
    taken.add(fold(name));
    changed.push([names[i], name]);
    return name;
  });
  return { names: done, changed };
}

/** The first changes in words, for a report. */
export function listChanges(changed: readonly [string, string][]): string {
  return changed.slice(0, 5).map(([a, b]) => `${JSON.stringify(a)} to ${b}`)
    .join(", ") + (changed.length > 5 ? `, ${changed.length - 5} more` : "");
}
