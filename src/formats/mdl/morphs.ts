/**
 * Morph targets of a Source model from its flexes.
 *
 * @module
 */
import { checkLimit, type Limits, withLimits } from "../../core/limits.ts";
import type { SparseMorphs } from "../../core/mesh.ts";
import { RECORD_BYTES } from "../../kernels/replay.ts";
import type { MdlFlex, MdlMesh, MdlModel, SourceModel } from "./types.ts";

/** A flex with the place of its mesh in the pool. */
export interface PlacedFlex {
  /** The flex. */
  flex: MdlFlex;
  /** Its mesh. */
  mesh: MdlMesh;
  /** First vertex of the mesh in the pool. */
  first: number;
}

/** First vertex of a mesh in the pool. */
export function firstVertex(model: MdlModel, mesh: MdlMesh): number {
  return Math.floor(model.vertexIndex / RECORD_BYTES) + mesh.vertexOffset;
}

/** All flexes of the models that `holds` lets through, in file order. */
export function placedFlexes(
  model: SourceModel,
  holds: (bodyPart: number, model: number) => boolean,
): PlacedFlex[] {
  return model.mdl.bodyParts.flatMap((part, b) =>
    part.models.flatMap((m, i) =>
      holds(b, i)
        ? m.meshes.flatMap((mesh) =>
          mesh.flexes.map((flex) => ({
            flex,
            mesh,
            first: firstVertex(m, mesh),
          }))
        )
        : []
    )
  );
}

/** The shapes of a flex: its own, and with a pair that of the other side. */
export function shapesOf(flex: MdlFlex, shapes: number): number[] {
  const known = (row: number) => row >= 0 && row < shapes;
  const own = known(flex.flexDesc) ? [flex.flexDesc] : [];
  return flex.pair !== 0 && flex.pair !== flex.flexDesc && known(flex.pair)
    ? [...own, flex.pair]
    : own;
}

/**
 * Morph targets by the names of their shapes: the flexes of all meshes, models and parts that share a name are one target.
 * A flex with a pair splits its deltas by side: (1 − side/255) for its own shape, side/255 for the pair's.
 */
export function morphsOf(
  model: SourceModel,
  flexes: readonly PlacedFlex[],
  vertexCount: number,
  limits: Partial<Limits> = {},
): SparseMorphs | null {
  const { flexDescs } = model.mdl;
  const rows = new Set<number>();
  let most = 0;
  for (const { flex } of flexes) {
    const shapes = shapesOf(flex, flexDescs.length);
    for (const row of shapes) rows.add(row);
    most += flex.vertices.length * shapes.length;
  }
  if (rows.size === 0) return null;
  const sorted = [...rows].sort((a, b) => a - b);
  const names = [...new Set(sorted.map((row) => flexDescs[row]))];
  checkLimit(
    "maxMorphTargets",
    names.length,
    withLimits(limits).maxMorphTargets,
    "mdl",
  );
  const place = new Map(names.map((name, i) => [name, i]));
  const targetOf = new Map(
    sorted.map((row) => [row, place.get(flexDescs[row])!]),
  );

  // all entries in file order: vertex, target, six numbers
  const owner = new Uint32Array(most);
  const target = new Uint32Array(most);
  const deltas = new Float64Array(most * 6);
  let n = 0;
  for (const { flex, mesh, first } of flexes) {
    const [own, other] = [flex.flexDesc, flex.pair];
    const shapes = shapesOf(flex, flexDescs.length);
    for (let i = 0; i < flex.vertices.length; i++) {
      const vertex = first + flex.vertices[i];
      if (flex.vertices[i] >= mesh.vertexCount || vertex >= vertexCount) {
        continue;
      }
      const side = shapes.includes(other) && other !== own
        ? flex.sides[i] / 255
        : 0;
      for (const row of shapes) {
        const share = row === own ? 1 - side : side;
        if (share === 0) continue;
        owner[n] = vertex;
        target[n] = targetOf.get(row)!;
        for (let k = 0; k < 3; k++) {
          deltas[n * 6 + k] = share * flex.position[i * 3 + k];
          deltas[n * 6 + 3 + k] = share * flex.normal[i * 3 + k];
        }
        n++;
      }
    }
  }
  return collect(names, vertexCount, owner.subarray(0, n), target, deltas);
}

/** Orders entries by vertex, then target, and adds those that share both. */
function collect(
  names: string[],
  vertexCount: number,
  owner: Uint32Array,
  target: Uint32Array,
  deltas: Float64Array,
): SparseMorphs {
  const n = owner.length;
  const order = Array.from({ length: n }, (_, i) => i);
  order.sort((a, b) => owner[a] - owner[b] || target[a] - target[b] || a - b);
  const offsets = new Uint32Array(vertexCount + 1);
  const targets = new Uint32Array(n);
  const position = new Float32Array(n * 3);
  const normal = new Float32Array(n * 3);
  const sum = new Float64Array(6);
  let out = 0;
  for (let i = 0; i < n;) {
    const [v, t] = [owner[order[i]], target[order[i]]];
    sum.fill(0);
    for (; i < n && owner[order[i]] === v && target[order[i]] === t; i++) {
      for (let k = 0; k < 6; k++) sum[k] += deltas[order[i] * 6 + k];
    }
    targets[out] = t;
    position.set(sum.subarray(0, 3), out * 3);
    normal.set(sum.subarray(3), out * 3);
    offsets[v + 1]++;
    out++;
  }
  for (let v = 0; v < vertexCount; v++) offsets[v + 1] += offsets[v];
  return {
    names,
    offsets,
    targets: targets.slice(0, out),
    position: position.slice(0, out * 3),
    normal: normal.slice(0, out * 3),
  };
}
