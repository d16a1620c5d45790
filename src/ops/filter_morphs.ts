/**
 * Morph target entries: drops small ones, merges repeated ones, orders them by target.
 *
 * @module
 */
import { MORPH_DELTA_EPSILON } from "../core/limits.ts";
import type { Mesh, SparseMorphs } from "../core/mesh.ts";

/** Result of {@linkcode filterMorphs}. */
export interface FilteredMorphs {
  /** The mesh. */
  mesh: Mesh;
  /** Entries that stay. */
  kept: number;
  /** Entries dropped because every component is at or below the epsilon. */
  dropped: number;
  /** Entries added to an earlier one of the same vertex and target. */
  merged: number;
  /** Entries with a NaN or an infinity; that component is 0 now. */
  nonFinite: number;
  /** Vertices whose entries were put in order of their targets. */
  reordered: number;
  /** Names of targets that had entries and have none now. */
  emptied: string[];
  /** Largest component dropped. */
  largest: number;
}

/**
 * Brings morph entries into their canonical form: one entry a vertex and target, targets ascending, nothing at or below
 * `epsilon` (compared strictly, in f32). Two entries for one target are added, as the payload's engine does.
 *
 * @param mesh Any mesh.
 * @param epsilon Largest magnitude that is dropped, the payload's 1e-6 unless given; 0 drops entries of zeros alone.
 *
 * @example
 * ```ts
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { filterMorphs } from "@meshwright/kit/ops";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/figure.payload")));
 * const { kept, dropped, emptied } = filterMorphs(mesh, 0.01);
 * console.log(kept + dropped === mesh.morphs!.targets.length, emptied);
 * ```
 */
export function filterMorphs(
  mesh: Mesh,
  epsilon: number = MORPH_DELTA_EPSILON,
): FilteredMorphs {
  const out: FilteredMorphs = {
    mesh,
    kept: 0,
    dropped: 0,
    merged: 0,
    nonFinite: 0,
    reordered: 0,
    emptied: [],
    largest: 0,
  };
  const { morphs } = mesh;
  if (!morphs) return out;
  const limit = Math.fround(epsilon);
  const width = morphs.normal ? 6 : 3;
  const entries = morphs.targets.length;
  const targets = new Uint32Array(entries);
  const position = new Float32Array(entries * 3);
  const normal = new Float32Array(morphs.normal ? entries * 3 : 0);
  const offsets = new Uint32Array(mesh.vertexCount + 1);
  const before = new Uint32Array(morphs.names.length);
  const after = new Uint32Array(morphs.names.length);
  let n = 0;
  for (let v = 0; v < mesh.vertexCount; v++) {
    const row = new Map<number, number[]>();
    let ordered = true;
    let last = -1;
    for (let e = morphs.offsets[v]; e < morphs.offsets[v + 1]; e++) {
      const t = morphs.targets[e];
      before[t]++;
      if (t < last) ordered = false;
      last = t;
      const delta = [...morphs.position.subarray(e * 3, e * 3 + 3)];
      if (morphs.normal) {
        delta.push(...morphs.normal.subarray(e * 3, e * 3 + 3));
      }
      if (delta.some((x) => !Number.isFinite(x))) {
        out.nonFinite++;
        delta.forEach((x, k) => {
          if (!Number.isFinite(x)) delta[k] = 0;
        });
      }
      const earlier = row.get(t);
      if (earlier) {
        out.merged++;
        delta.forEach((x, k) => earlier[k] = Math.fround(earlier[k] + x));
      } else row.set(t, delta);
    }
    if (!ordered) out.reordered++;
    for (const [t, delta] of [...row].sort((a, b) => a[0] - b[0])) {
      const top = delta.reduce((m, x) => Math.max(m, Math.abs(x)), 0);
      if (!(top > limit)) {
        out.dropped++;
        out.largest = Math.max(out.largest, top);
        continue;
      }
      after[t]++;
      targets[n] = t;
      position.set(delta.slice(0, 3), n * 3);
      if (width === 6) normal.set(delta.slice(3), n * 3);
      n++;
    }
    offsets[v + 1] = n;
  }
  out.kept = n;
  out.emptied = morphs.names.filter((_, t) => before[t] > 0 && after[t] === 0);
  const filtered: SparseMorphs = {
    names: [...morphs.names],
    offsets,
    targets: targets.slice(0, n),
    position: position.slice(0, n * 3),
    normal: morphs.normal ? normal.slice(0, n * 3) : null,
  };
  out.mesh = { ...mesh, morphs: filtered };
  return out;
}
