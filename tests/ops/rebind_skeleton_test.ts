import {
  assertAlmostEquals,
  assertEquals,
  assertGreater,
  assertLess,
  assertStrictEquals,
} from "@std/assert";
import { rebindSkeleton } from "../../src/ops/mod.ts";
import type { MeshJoint } from "../../src/core/mesh.ts";
import { Random } from "../random.ts";
import {
  type Affine,
  apply,
  inverse,
  type M3,
  matrix16,
  plainMesh,
  randomQuaternion,
  rotationOf,
  times,
  worldOf,
} from "./plain_mesh.ts";

function joint(parent: number, changes: Partial<MeshJoint> = {}): MeshJoint {
  return {
    name: `child of ${parent}`,
    parent,
    translation: [0, 0, 0],
    rotation: [0, 0, 0, 1],
    scale: [1, 1, 1],
    ...changes,
  };
}

const inverseBindOf = (bind: Affine): Float32Array => {
  const m = inverse(bind.m);
  return Float32Array.from(matrix16(m, times(apply(m, bind.t), -1)));
};
const withJoints = (skeleton: MeshJoint[]) =>
  plainMesh([0, 0, 0], null, { skeleton });

function near(got: Affine, want: Affine, tolerance: number) {
  [0, 1, 2].forEach((r) => {
    [0, 1, 2].forEach((c) =>
      assertAlmostEquals(got.m[r][c], want.m[r][c], tolerance)
    );
    assertAlmostEquals(got.t[r], want.t[r], tolerance);
  });
}

Deno.test("rebindSkeleton() makes every bind pose the inverse of its stored inverse bind matrix", () => {
  const random = new Random(71);
  for (let round = 0; round < 50; round++) {
    const joints = Array.from(
      { length: 5 },
      (_, i) =>
        joint(i === 0 ? -1 : random.below(i), {
          translation: [random.between(-1, 1), random.between(-1, 1), 0.5],
          rotation: randomQuaternion(random),
        }),
    );
    // another pose without shear: rotations, moves and one scale
    const wanted = joints.map((): Affine => {
      const s = random.between(0.5, 2);
      const m = rotationOf(randomQuaternion(random)).map((row) =>
        times(row, s)
      ) as unknown as M3;
      return { m, t: [random.between(-2, 2), random.between(-2, 2), 1] };
    });
    wanted.forEach((w, i) => joints[i].inverseBind = inverseBindOf(w));
    const got = rebindSkeleton(withJoints(joints));
    assertEquals(got.moved, 5);
    assertLess(got.largestError, 1e-5);
    worldOf(got.mesh.skeleton!).forEach((w, i) => near(w, wanted[i], 1e-5));
    for (const j of got.mesh.skeleton!) {
      assertEquals("inverseBind" in j, false);
      assertAlmostEquals(Math.hypot(...j.rotation), 1, 1e-12);
    }
  }
});

Deno.test("rebindSkeleton() finds half turns about every axis, and mirrors", () => {
  const turns: M3[] = [
    [[1, 0, 0], [0, -1, 0], [0, 0, -1]],
    [[-1, 0, 0], [0, 1, 0], [0, 0, -1]],
    [[-1, 0, 0], [0, -1, 0], [0, 0, 1]],
    [[0, -1, 0], [1, 0, 0], [0, 0, 1]],
    [[-1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [[1, 0, 0], [0, -1, 0], [0, 0, 1]],
    [[-1, 0, 0], [0, -1, 0], [0, 0, -1]],
  ];
  for (const m of turns) {
    const want: Affine = { m, t: [1, 2, 3] };
    const got = rebindSkeleton(
      withJoints([joint(-1, { inverseBind: inverseBindOf(want) })]),
    );
    near(worldOf(got.mesh.skeleton!)[0], want, 1e-7);
    assertLess(got.largestError, 1e-6);
  }
});

Deno.test("rebindSkeleton() moves a joint without inverse bind only when its parent moved", () => {
  const moved: Affine = { m: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], t: [5, 0, 0] };
  const skeleton = [
    joint(-1, { inverseBind: inverseBindOf(moved), rotationDeg: [1, 2, 3] }),
    joint(0, { translation: [0, 1, 0], rotationDeg: [0, 0, 0] }),
    joint(-1, { translation: [7, 7, 7], rotationDeg: [4, 5, 6] }),
    joint(2, { translation: [1, 1, 1] }),
  ];
  const got = rebindSkeleton(withJoints(skeleton));
  assertEquals(got.moved, 2);
  const out = got.mesh.skeleton!;
  assertEquals(out[0].translation, [5, 0, 0]);
  assertEquals(out[0].rotationDeg, undefined, "angles belong to the old pose");
  // it stays where it stood in the mesh
  assertEquals(out[1].translation, [-5, 1, 0]);
  assertStrictEquals(out[2], skeleton[2]);
  assertStrictEquals(out[3], skeleton[3]);
});

Deno.test("rebindSkeleton() tells how far a sheared bind pose is from what a joint holds", () => {
  const shear: Affine = {
    m: [[1, 0.7, 0], [0, 1, 0], [0, 0, 1]],
    t: [0, 0, 0],
  };
  const got = rebindSkeleton(
    withJoints([joint(-1, { inverseBind: inverseBindOf(shear) })]),
  );
  assertGreater(got.largestError, 0.05);
});

Deno.test("rebindSkeleton() keeps the pose where an inverse bind has no inverse", () => {
  const got = rebindSkeleton(
    withJoints([
      joint(-1, {
        translation: [1, 2, 3],
        inverseBind: Float32Array.from([...new Array(15).fill(0), 1]),
      }),
      joint(0, { translation: [0, 0, 4] }),
    ]),
  );
  near(worldOf(got.mesh.skeleton!)[1], {
    m: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    t: [1, 2, 7],
  }, 1e-12);
});

Deno.test("rebindSkeleton() gives a mesh without inverse binds back as it is", () => {
  const mesh = withJoints([joint(-1)]);
  assertEquals(rebindSkeleton(mesh), { mesh, moved: 0, largestError: 0 });
  const none = plainMesh([0, 0, 0], null);
  assertStrictEquals(rebindSkeleton(none).mesh, none);
});

Deno.test("rebindSkeleton() lets joints stand whose stored matrix is what their pose gives", () => {
  const joints = [
    joint(-1, { translation: [1, 2, 3], rotationDeg: [0, 0, 0] }),
    joint(0, { translation: [0, -4, 0.5] }),
  ];
  const bare = structuredClone(joints);
  worldOf(joints).forEach((w, i) => joints[i].inverseBind = inverseBindOf(w));
  const got = rebindSkeleton(withJoints(joints));
  assertEquals([got.moved, got.largestError], [0, 0]);
  assertEquals(got.mesh.skeleton, bare);
  // one bit of one number is enough to move it
  joints[1].inverseBind![13] *= 1 + 2 ** -23;
  assertEquals(rebindSkeleton(withJoints(joints)).moved, 1);
});
