/**
 * Reads morph targets.
 *
 * @module
 */
import { checkLimit } from "../../core/limits.ts";
import type { SparseMorphs } from "../../core/mesh.ts";
import { floats } from "./read_attributes.ts";
import type { Block, Reader } from "./reader.ts";

/**
 * Morph targets of all blocks, merged by name; any delta that is not zero is kept. Two passes, one that counts and one that
 * fills, so that dense targets never stand in memory together.
 */
export function readMorphs(reader: Reader): SparseMorphs | null {
  // Blocks share targets by name; two of one name in a block stay two: the second is told apart by its number.
  const keysOf = (b: Block) => {
    const seen = new Map<string, number>();
    return b.names.map((name) => {
      const nth = seen.get(name) ?? 0;
      seen.set(name, nth + 1);
      return `${nth} ${name}`;
    });
  };
  const numbers = new Map<string, number>();
  for (const key of reader.blocks.flatMap(keysOf)) {
    if (!numbers.has(key)) numbers.set(key, numbers.size);
  }
  if (numbers.size === 0) return null;
  const names = [...numbers.keys()].map((k) => k.slice(k.indexOf(" ") + 1));
  checkLimit(
    "maxMorphTargets",
    names.length,
    reader.limits.maxMorphTargets,
    "gltf",
  );
  checkLimit(
    "maxMorphDeltas",
    names.length * reader.vertexCount,
    reader.limits.maxMorphDeltas,
    "gltf",
  );
  /** Calls `visit` for every delta that is not zero, targets ascending within a vertex. */
  const eachDelta = (
    visit: (
      vertex: number,
      target: number,
      position: Float32Array | null,
      normal: Float32Array | null,
      at: number,
    ) => void,
  ) => {
    for (const b of reader.blocks) {
      const targets = b.primitive.listTargets();
      const own = keysOf(b).map((key, t) => ({ t, target: numbers.get(key)! }))
        .sort((x, y) => x.target - y.target);
      for (const { t, target } of own) {
        const p = targets[t].getAttribute("POSITION");
        const n = targets[t].getAttribute("NORMAL");
        const position = p ? floats(p, 3, 0) : null;
        const normal = n ? floats(n, 3, 0) : null;
        const moves = (a: Float32Array | null, at: number) =>
          a !== null && (a[at] !== 0 || a[at + 1] !== 0 || a[at + 2] !== 0);
        for (let v = 0, at = 0; v < b.count; v++, at += 3) {
          if (moves(position, at) || moves(normal, at)) {
            visit(b.first + v, target, position, normal, at);
          }
        }
      }
    }
  };
  const offsets = new Uint32Array(reader.vertexCount + 1);
  eachDelta((v) => offsets[v + 1]++);
  for (let v = 0; v < reader.vertexCount; v++) offsets[v + 1] += offsets[v];
  const has = (semantic: string) =>
    reader.blocks.reduce(
      (n, b) =>
        n + b.primitive.listTargets().filter((t) => t.getAttribute(semantic))
          .length,
      0,
    );
  reader.note("morph tangents", has("TANGENT"), "the mesh model has none");
  const entries = offsets[reader.vertexCount];
  const targets = new Uint32Array(entries);
  const position = new Float32Array(entries * 3);
  const normal = has("NORMAL") > 0 ? new Float32Array(entries * 3) : null;
  const next = offsets.slice();
  eachDelta((v, target, p, n, at) => {
    const e = next[v]++;
    targets[e] = target;
    if (p) position.set(p.subarray(at, at + 3), e * 3);
    if (n) normal!.set(n.subarray(at, at + 3), e * 3);
  });
  return { names, offsets, targets, position, normal };
}
