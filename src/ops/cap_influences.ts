/**
 * Brings skin weights into the form that formats hold: at most n influences, each joint once, positive, summing to one.
 *
 * @module
 */
import { WEIGHT_SUM_TOLERANCE } from "../core/limits.ts";
import type { Mesh } from "../core/mesh.ts";

/** Options of {@linkcode capInfluences}. */
export interface CapInfluencesOptions {
  /**
   * Divide weights that do not sum to one by their sum, and bind vertices without weight to their first joint: the
   * default, since formats demand it. Otherwise both are only counted, and what a cap takes is given back in proportion, so
   * that each vertex keeps its sum.
   */
  repairSums?: boolean;
}

/** Result of {@linkcode capInfluences}: vertices touched, by reason. */
export interface CappedInfluences {
  /** The mesh; it has exactly `slots` slots a vertex. */
  mesh: Mesh;
  /** Vertices that lost influences to the cap. */
  capped: number;
  /** Largest weight lost on one vertex. */
  largestLost: number;
  /** Vertices on which one joint stood twice with weight. */
  merged: number;
  /** Vertices with a negative or non-finite weight, which counts as none. */
  invalid: number;
  /** Vertices whose weights did not sum to one, and were divided by their sum where sums are repaired. */
  normalised: number;
  /** Largest |sum − 1| among those; what the cap took counts in `largestLost` alone. */
  largestSum: number;
  /** Vertices without any weight, now rigid to their first joint where sums are repaired. */
  weightless: number;
  /** Weighted slots whose joint does not exist, now the last joint, as the payload's engine clamps. */
  clamped: number;
  /** Slots without weight that named a joint; they name 0 now. */
  cleared: number;
}

/**
 * Caps influences: the largest stay, ties by the lower joint; the rest is renormalised. A vertex that already obeys keeps
 * its slots and bits.
 *
 * @param mesh A mesh with joints and weights; without them it comes back as it is.
 * @param slots Influences a vertex.
 * @param jointCount Joints that exist.
 * @param options Whether sums are repaired.
 *
 * @example
 * ```ts
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { capInfluences } from "@meshwright/kit/ops";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/figure.payload")));
 * const { mesh: capped } = capInfluences(mesh, 2, mesh.skeleton!.length);
 * console.log(mesh.influences, capped.influences); // 4 2
 * ```
 */
export function capInfluences(
  mesh: Mesh,
  slots: number,
  jointCount: number,
  { repairSums = true }: CapInfluencesOptions = {},
): CappedInfluences {
  const out: CappedInfluences = {
    mesh,
    capped: 0,
    largestLost: 0,
    merged: 0,
    invalid: 0,
    normalised: 0,
    largestSum: 0,
    weightless: 0,
    clamped: 0,
    cleared: 0,
  };
  const { joints, weights } = mesh.attributes;
  if (!joints || !weights || mesh.influences === 0) return out;
  const from = mesh.influences;
  const newJoints = new Uint16Array(mesh.vertexCount * slots);
  const newWeights = new Float32Array(mesh.vertexCount * slots);

  for (let v = 0; v < mesh.vertexCount; v++) {
    let list: { joint: number; weight: number }[] = [];
    let invalid = false;
    let merged = false;
    for (let k = 0; k < from; k++) {
      const weight = weights[v * from + k];
      let joint = joints[v * from + k];
      if (!(weight > 0 && weight < Infinity)) {
        if (weight !== 0) invalid = true;
        // the slot keeps its place, so that a vertex in order keeps its layout
        if (joint !== 0) out.cleared++;
        list.push({ joint: 0, weight: 0 });
        continue;
      }
      if (joint >= jointCount) {
        joint = Math.max(0, jointCount - 1);
        out.clamped++;
      }
      const twin = list.find((e) => e.weight > 0 && e.joint === joint);
      if (twin) {
        twin.weight += weight;
        merged = true;
        list.push({ joint: 0, weight: 0 });
      } else list.push({ joint, weight });
    }
    if (invalid) out.invalid++;
    if (merged) out.merged++;
    const before = list.reduce((s, e) => s + e.weight, 0);
    if (before > 0 && Math.abs(before - 1) > WEIGHT_SUM_TOLERANCE) {
      out.normalised++;
      out.largestSum = Math.max(out.largestSum, Math.abs(before - 1));
    }
    if (list.filter((e) => e.weight > 0).length > slots) {
      list = list.filter((e) => e.weight > 0)
        .sort((a, b) => b.weight - a.weight || a.joint - b.joint);
      const lost = list.slice(slots).reduce((sum, e) => sum + e.weight, 0);
      out.capped++;
      out.largestLost = Math.max(out.largestLost, lost);
      list.length = slots;
    } else if (list.length > slots) {
      const used = list.filter((e) => e.weight > 0);
      list = list.slice(0, slots).filter((e) => e.weight > 0).length ===
          used.length
        ? list.slice(0, slots)
        : used;
    }
    const sum = list.reduce((s, e) => s + e.weight, 0);
    const wanted = repairSums ? 1 : before;
    if (sum === 0) {
      out.weightless++;
      if (joints[v * from] !== 0) out.cleared--; // this slot keeps its joint
      const first = Math.min(joints[v * from], Math.max(0, jointCount - 1));
      list = [{ joint: first, weight: repairSums ? 1 : 0 }];
    } else if (Math.abs(sum - wanted) > WEIGHT_SUM_TOLERANCE) {
      list = list.map((e) => ({ ...e, weight: e.weight * wanted / sum }));
    }
    list.forEach((e, k) => {
      newJoints[v * slots + k] = e.joint;
      newWeights[v * slots + k] = e.weight;
    });
  }
  out.mesh = {
    ...mesh,
    influences: slots,
    attributes: {
      ...mesh.attributes,
      joints: newJoints,
      weights: newWeights,
    },
  };
  return out;
}
