/**
 * Moves a bind pose so that it needs no stored inverse bind matrices.
 *
 * @module
 */
import { SINGULAR_DETERMINANT } from "../core/limits.ts";
import {
  composeTrs,
  decomposeTrs,
  IDENTITY_MATRIX,
  invertAffine,
  type Mat4,
  multiply,
} from "../core/matrix.ts";
import type { Mesh, MeshJoint } from "../core/mesh.ts";

/** Result of {@linkcode rebindSkeleton}. */
export interface ReboundSkeleton {
  /** The mesh; no joint stores an inverse bind matrix. */
  mesh: Mesh;
  /** Joints that moved. */
  moved: number;
  /** Largest entry of (new bind · stored inverse bind − identity): shear and mirrors do not fit a joint. */
  largestError: number;
}

/** True when a stored inverse bind matrix is what the bind pose gives anyway. */
function saysNothingNew(inverseBind: Mat4, world: Mat4): boolean {
  return invertAffine(world, SINGULAR_DETERMINANT)
    ?.every((x, k) => Math.fround(x) === inverseBind[k]) ?? false;
}

/**
 * Makes every joint's bind pose the inverse of its stored inverse bind matrix. Vertices stay and are bound as before; only
 * the rest pose of a file whose two disagree changes.
 */
export function rebindSkeleton(mesh: Mesh): ReboundSkeleton {
  const joints = mesh.skeleton;
  if (!joints?.some((j) => j.inverseBind)) {
    return { mesh, moved: 0, largestError: 0 };
  }
  const world: number[][] = [];
  const wanted: number[][] = [];
  let moved = 0;
  let largestError = 0;
  const out = joints.map((joint, i): MeshJoint => {
    const parentOld = joint.parent < 0 ? IDENTITY_MATRIX : world[joint.parent];
    world.push(
      multiply(
        parentOld,
        composeTrs(joint.translation, joint.rotation, joint.scale),
      ),
    );
    const { inverseBind, ...plain } = joint;
    const stands = !inverseBind || saysNothingNew(inverseBind, world[i]);
    wanted.push(
      (stands ? null : invertAffine(inverseBind, SINGULAR_DETERMINANT)) ??
        world[i],
    );
    const parent = joint.parent < 0 ? IDENTITY_MATRIX : wanted[joint.parent];
    const inverse = invertAffine(parent, SINGULAR_DETERMINANT) ??
      IDENTITY_MATRIX;
    const local = decomposeTrs(multiply(inverse, wanted[i]));
    const same = stands &&
      (joint.parent < 0 || wanted[joint.parent] === world[joint.parent]);
    if (same) return inverseBind ? plain : joint;
    moved++;
    const { rotationDeg: _, ...rest } = plain;
    const next = { ...rest, ...local };
    if (inverseBind) {
      const made = multiply(
        multiply(
          parent,
          composeTrs(next.translation, next.rotation, next.scale),
        ),
        inverseBind,
      );
      made.forEach((x, k) => {
        largestError = Math.max(
          largestError,
          Math.abs(x - IDENTITY_MATRIX[k]),
        );
      });
    }
    return next;
  });
  return { mesh: { ...mesh, skeleton: out }, moved, largestError };
}
