/**
 * Compares two skeletons, joint by joint: by name where the names tell joints apart, by number where they do not, or where as
 * many joints have other names.
 *
 * @module
 */
import { SINGULAR_DETERMINANT } from "../core/limits.ts";
import { composeTrs, invertAffine, multiply } from "../core/matrix.ts";
import type { Mesh, MeshJoint } from "../core/mesh.ts";
import { distance } from "./diff_pairs.ts";

/** What differs between two skeletons. */
export interface SkeletonDifference {
  /** Joints of both meshes. */
  joints: [number, number];
  /** Names of the joints that only one mesh has; numbers where names repeat. */
  only: { a: string[]; b: string[] };
  /** Joints of both with another name. */
  renamed: number;
  /** Joints of both below another parent. */
  reparented: number;
  /** Joints of both in another bind pose. */
  moved: number;
  /** By how much at most, over the numbers of their matrices. */
  largest: number;
  /** Joints of both with another inverse bind matrix, where a mesh stores one; without it the bind pose says it. */
  rebound: number;
}

/** Names of the joints; null where they do not tell them apart, or where there is no skeleton and joints are numbers alone. */
function keysOf(mesh: Mesh): string[] | null {
  if (!mesh.skeleton) return null;
  const names = mesh.skeleton.map((j) => j.name);
  return names.includes("") || new Set(names).size < names.length
    ? null
    : names;
}

/** What joints of two meshes go by: names or numbers. */
export function jointKeys(a: Mesh, b: Mesh): [string[], string[]] {
  const [ka, kb] = [keysOf(a), keysOf(b)];
  const renamed = ka?.length === kb?.length &&
    ka?.some((name) => !kb?.includes(name));
  if (ka && kb && !renamed) return [ka, kb];
  const numbers = (mesh: Mesh) =>
    (mesh.skeleton ?? []).map((_, i) => String(i));
  return [numbers(a), numbers(b)];
}

/** Bind matrices of the joints in the mesh's space. */
function bindMatrices(joints: readonly MeshJoint[]): number[][] {
  const world: number[][] = [];
  for (const j of joints) {
    const local = composeTrs(j.translation, j.rotation, j.scale);
    world.push(j.parent < 0 ? local : multiply(world[j.parent], local));
  }
  return world;
}

/** Largest distance of two matrices; of those that do not exist none but itself is near. */
function matrixDistance(
  x: ArrayLike<number> | null,
  y: ArrayLike<number> | null,
): number {
  if (!x || !y) return x === y ? 0 : Infinity;
  return Array.from(x).reduce((m, v, k) => Math.max(m, distance(v, y[k])), 0);
}

/** Distance of two inverse bind matrices; one that is not stored is what the bind pose gives. */
function inverseDistance(
  x: MeshJoint,
  bindX: readonly number[],
  y: MeshJoint,
  bindY: readonly number[],
): number {
  if (!x.inverseBind && !y.inverseBind) return 0;
  return matrixDistance(
    x.inverseBind ?? invertAffine(bindX, SINGULAR_DETERMINANT),
    y.inverseBind ?? invertAffine(bindY, SINGULAR_DETERMINANT),
  );
}

/**
 * Compares the skeletons of two meshes in the same axes; null where neither has one.
 *
 * @param tolerance Largest difference of matrices that counts as none.
 */
export function diffSkeletons(
  a: Mesh,
  b: Mesh,
  tolerance: number,
): SkeletonDifference | null {
  if (!a.skeleton && !b.skeleton) return null;
  const [ja, jb] = [a.skeleton ?? [], b.skeleton ?? []];
  const [ka, kb] = jointKeys(a, b);
  const inB = new Map(kb.map((key, i) => [key, i]));
  const [wa, wb] = [bindMatrices(ja), bindMatrices(jb)];
  const out: SkeletonDifference = {
    joints: [ja.length, jb.length],
    only: {
      a: ka.filter((key) => !inB.has(key)),
      b: kb.filter((key) => !ka.includes(key)),
    },
    renamed: 0,
    reparented: 0,
    moved: 0,
    largest: 0,
    rebound: 0,
  };
  ka.forEach((key, i) => {
    const other = inB.get(key);
    if (other === undefined) return;
    const [x, y] = [ja[i], jb[other]];
    if (x.name !== y.name) out.renamed++;
    if ((ka[x.parent] ?? "") !== (kb[y.parent] ?? "")) out.reparented++;
    const d = matrixDistance(wa[i], wb[other]);
    if (d > tolerance) out.moved++;
    out.largest = Math.max(out.largest, d);
    const inverse = inverseDistance(x, wa[i], y, wb[other]);
    if (inverse > tolerance) out.rebound++;
  });
  return out;
}
