import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { SINGULAR_DETERMINANT } from "../../src/core/limits.ts";
import {
  cofactor3,
  composeTrs,
  decomposeTrs,
  determinant3,
  eulerDegreesFromQuaternion,
  IDENTITY_MATRIX,
  invertAffine,
  multiply,
  quaternionFromEulerDegrees,
  sinCosDegrees,
} from "../../src/core/matrix.ts";
import { corpusJson, corpusTest } from "../corpus.ts";
import { Random } from "../random.ts";

/** Rows of a column-major matrix. */
const rows = (m: ArrayLike<number>) =>
  [0, 1, 2, 3].map((r) => [0, 1, 2, 3].map((c) => m[c * 4 + r]));

/** The textbook product. */
function product(a: number[][], b: number[][]): number[][] {
  return a.map((row) =>
    b[0].map((_, c) => row.reduce((sum, x, k) => sum + x * b[k][c], 0))
  );
}

function assertClose(
  got: ArrayLike<number>,
  want: ArrayLike<number>,
  tolerance: number,
  what = "",
): void {
  assertEquals(got.length, want.length, what);
  for (let i = 0; i < want.length; i++) {
    assertAlmostEquals(got[i], want[i], tolerance, `${what} [${i}]`);
  }
}

const RAD = Math.PI / 180;
const c = (deg: number) => Math.cos(deg * RAD);
const s = (deg: number) => Math.sin(deg * RAD);
const rotateX = (d: number) => [[1, 0, 0], [0, c(d), -s(d)], [0, s(d), c(d)]];
const rotateY = (d: number) => [[c(d), 0, s(d)], [0, 1, 0], [-s(d), 0, c(d)]];
const rotateZ = (d: number) => [[c(d), -s(d), 0], [s(d), c(d), 0], [0, 0, 1]];

/** The payload's rotation, as its text says: yaw, then pitch, then roll, for column vectors. */
const eulerRows = (pitch: number, yaw: number, roll: number) =>
  product(product(rotateY(yaw), rotateX(pitch)), rotateZ(roll));

function randomAffine(random: Random): number[] {
  return composeTrs(
    [0, 1, 2].map(() => random.between(-5, 5)),
    quaternionFromEulerDegrees([0, 1, 2].map(() => random.between(-360, 360))),
    [0, 1, 2].map(() => random.between(0.2, 3) * random.pick([1, -1])),
  );
}

interface JointVector {
  translation: number[];
  rotation_deg: number[];
  scale: number[];
  local_col_major: number[][];
  inverse_col_major: number[][];
  quat_xyzw: number[];
  euler_back: number[];
}

corpusTest(
  "composeTrs() and invertAffine() give the reference's joint matrices",
  () => {
    const joints = corpusJson<{ joint_matrices: JointVector[] }>(
      "payload/COMPUTE_geometry.json",
    ).joint_matrices;
    assert(joints.length >= 7);
    for (const j of joints) {
      const at = JSON.stringify(j.rotation_deg);
      const q = quaternionFromEulerDegrees(j.rotation_deg);
      const local = composeTrs(j.translation, q, j.scale);
      assertClose(local, j.local_col_major.flat(), 1e-6, `local of ${at}`);
      const inverse = invertAffine(local, SINGULAR_DETERMINANT) ??
        IDENTITY_MATRIX;
      assertClose(
        inverse,
        j.inverse_col_major.flat(),
        1e-6,
        `inverse of ${at}`,
      );
      // q and −q are one rotation
      const sign = Math.sign(
        q.reduce((sum, x, k) => sum + x * j.quat_xyzw[k], 0),
      );
      assertClose(
        q.map((x) => x * sign),
        j.quat_xyzw,
        1e-6,
        `quaternion of ${at}`,
      );
      // the reference works in f32: a degree has 57 of its units
      assertClose(
        eulerDegreesFromQuaternion(j.quat_xyzw),
        j.euler_back,
        1e-4,
        `angles of ${at}`,
      );
    }
  },
);

Deno.test("multiply() equals the textbook product", () => {
  const random = new Random(41);
  for (let i = 0; i < 50; i++) {
    const [a, b] = [0, 1].map(() =>
      Array.from({ length: 16 }, () => random.between(-9, 9))
    );
    assertClose(
      rows(multiply(a, b)).flat(),
      product(rows(a), rows(b)).flat(),
      1e-12,
    );
    assertEquals(multiply(a, IDENTITY_MATRIX), a);
    assertEquals(multiply(IDENTITY_MATRIX, a), a);
  }
});

Deno.test("composeTrs() scales, then rotates, then moves", () => {
  const random = new Random(42);
  for (let i = 0; i < 50; i++) {
    const [pitch, yaw, roll] = [0, 1, 2].map(() => random.between(-180, 180));
    const scale = [0, 1, 2].map(() => random.between(-3, 3));
    const move = [0, 1, 2].map(() => random.between(-9, 9));
    const r = eulerRows(pitch, yaw, roll);
    const want = [0, 1, 2].map((k) => [
      ...r[k].map((x, col) => x * scale[col]),
      move[k],
    ]);
    const got = composeTrs(
      move,
      quaternionFromEulerDegrees([pitch, yaw, roll]),
      scale,
    );
    assertClose(rows(got).flat(), [...want.flat(), 0, 0, 0, 1], 1e-12);
  }
});

Deno.test("composeTrs() does not depend on the quaternion's length, and takes zero for no rotation", () => {
  const q = quaternionFromEulerDegrees([10, 20, 30]);
  const unit = composeTrs([1, 2, 3], q, [1, 1, 1]);
  for (const length of [0.01, 3, 1e6]) {
    assertClose(
      composeTrs([1, 2, 3], q.map((x) => x * length), [1, 1, 1]),
      unit,
      1e-12,
    );
  }
  assertEquals(composeTrs([0, 0, 0], [0, 0, 0, 0], [1, 1, 1]), [
    ...IDENTITY_MATRIX,
  ]);
});

Deno.test("decomposeTrs() gives back what composeTrs() was made of", () => {
  const random = new Random(47);
  // half turns about each axis, where the usual formula for a quaternion divides by zero
  const angles = [[180, 0, 0], [0, 180, 0], [0, 0, 180], [0, 0, 0]];
  while (angles.length < 300) {
    angles.push([0, 1, 2].map(() => random.between(-180, 180)));
  }
  for (const euler of angles) {
    const move = [0, 1, 2].map(() => random.between(-9, 9));
    const scale = [0, 1, 2].map(() => random.between(0.1, 3));
    // a mirror can stand in any one axis of a matrix; it comes back in x
    if (random.below(2)) scale[0] = -scale[0];
    const m = composeTrs(move, quaternionFromEulerDegrees(euler), scale);
    const parts = decomposeTrs(m);
    assertEquals(parts.translation, move as [number, number, number]);
    assertClose(parts.scale, scale, 1e-12);
    assertAlmostEquals(Math.hypot(...parts.rotation), 1, 1e-12);
    assertClose(
      composeTrs(parts.translation, parts.rotation, parts.scale),
      m,
      1e-11,
    );
  }
});

Deno.test("decomposeTrs() gives the same matrix when a mirror stands in y or z", () => {
  for (const scale of [[1, -2, 3], [1, 2, -3], [-1, -2, -3]]) {
    const m = composeTrs(
      [1, 2, 3],
      quaternionFromEulerDegrees([20, 30, 40]),
      scale,
    );
    const parts = decomposeTrs(m);
    assert(parts.scale[0] < 0);
    assertClose(
      composeTrs(parts.translation, parts.rotation, parts.scale),
      m,
      1e-12,
    );
  }
});

Deno.test("decomposeTrs() gives scale 0 when a column has no length, and does not throw when numbers are not finite", () => {
  for (const flat of [0, 1, 2]) {
    const scale = [1, 1, 1];
    scale[flat] = 0;
    const parts = decomposeTrs(composeTrs([0, 0, 0], [0, 0, 0, 1], scale));
    assertEquals(parts.scale[flat], 0);
    assertClose(parts.rotation, [0, 0, 0, 1], 0);
  }
  for (const odd of [NaN, Infinity]) {
    for (const at of [0, 5, 10, 1, 14]) {
      const m = [...IDENTITY_MATRIX];
      m[at] = odd;
      assertEquals(decomposeTrs(m).rotation.length, 4);
    }
  }
});

Deno.test("determinant3() and cofactor3() equal the textbook ones", () => {
  const random = new Random(43);
  for (let i = 0; i < 50; i++) {
    const m = Array.from({ length: 16 }, () => random.between(-3, 3));
    const r = rows(m);
    const minor = (row: number, col: number) => {
      const [a, b] = [0, 1, 2].filter((k) => k !== row);
      const [p, q] = [0, 1, 2].filter((k) => k !== col);
      return r[a][p] * r[b][q] - r[a][q] * r[b][p];
    };
    const want = [0, 1, 2].flatMap((row) =>
      [0, 1, 2].map((col) => ((row + col) % 2 ? -1 : 1) * minor(row, col))
    );
    assertClose(cofactor3(m), want, 1e-12);
    assertAlmostEquals(
      determinant3(m),
      r[0][0] * want[0] + r[0][1] * want[1] + r[0][2] * want[2],
      1e-12,
    );
  }
});

Deno.test("invertAffine() times the matrix is the identity", () => {
  const random = new Random(44);
  for (let i = 0; i < 100; i++) {
    const m = multiply(randomAffine(random), randomAffine(random));
    const inverse = invertAffine(m, SINGULAR_DETERMINANT)!;
    assertClose(multiply(m, inverse), IDENTITY_MATRIX, 1e-11);
    assertClose(multiply(inverse, m), IDENTITY_MATRIX, 1e-11);
  }
});

Deno.test("invertAffine() gives null when a matrix is singular or not finite", () => {
  const scaled = (x: number, y: number, z: number) =>
    composeTrs([1, 2, 3], [0, 0, 0, 1], [x, y, z]);
  for (
    const m of [
      scaled(0, 1, 1),
      scaled(1e-5, 1e-5, 0.99e-2),
      scaled(-1e-13, 1, 1),
      scaled(NaN, 1, 1),
      scaled(Infinity, 1, 1),
      new Array(16).fill(1),
    ]
  ) assertEquals(invertAffine(m, SINGULAR_DETERMINANT), null);
  assert(invertAffine(scaled(1e-12, 1, 1), SINGULAR_DETERMINANT));
  assert(invertAffine(scaled(-1, 1, 1), SINGULAR_DETERMINANT));
});

Deno.test("sinCosDegrees() is exact at every multiple of 90 degrees", () => {
  const quarter = [[0, 1], [1, 0], [0, -1], [-1, 0]];
  for (let k = -40; k <= 40; k++) {
    const [sin, cos] = sinCosDegrees(k * 90);
    const [wantSin, wantCos] = quarter[((k % 4) + 4) % 4];
    // + 0: which zero it is does not matter
    assertEquals([sin + 0, cos + 0], [wantSin, wantCos], `${k * 90} degrees`);
  }
});

Deno.test("sinCosDegrees() is within 2 ulp of Math.sin and Math.cos between −360 and 360 degrees", () => {
  const random = new Random(45);
  // the oracle reduces in degrees first, which is exact, so that its own rounding stays below an ulp
  const oracle = (degrees: number): [number, number] => {
    const turns = Math.round(degrees / 90);
    const x = (degrees - turns * 90) * RAD;
    const [a, b] = [Math.sin(x), Math.cos(x)];
    return ([[a, b], [b, -a], [-a, -b], [-b, a]] as [number, number][])[
      ((turns % 4) + 4) % 4
    ];
  };
  for (let i = 0; i < 20_000; i++) {
    const degrees = random.between(-360, 360);
    const [got, want] = [sinCosDegrees(degrees), oracle(degrees)];
    for (const k of [0, 1]) {
      const ulp = 2 ** (Math.floor(Math.log2(Math.abs(want[k]))) - 52);
      assert(
        Math.abs(got[k] - want[k]) <= 2 * ulp,
        `${degrees}: ${got[k]} for ${want[k]}`,
      );
    }
  }
});

Deno.test("sinCosDegrees() stays on the circle for every finite angle, and is NaN for the others", () => {
  const angles = [
    1e5,
    123456789.125,
    1e15 + 30,
    1e22,
    1e300,
    -3.4e38,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
  ];
  for (const degrees of angles) {
    const [sin, cos] = sinCosDegrees(degrees);
    assertAlmostEquals(sin * sin + cos * cos, 1, 1e-12, `${degrees}`);
    // a remainder of floats is exact, so whole turns may go first
    assertClose([sin, cos], sinCosDegrees(degrees % 360), 1e-12, `${degrees}`);
  }
  for (const degrees of [NaN, Infinity, -Infinity]) {
    assertEquals(sinCosDegrees(degrees), [NaN, NaN]);
  }
});

Deno.test("quaternionFromEulerDegrees() is a unit quaternion when angles are large", () => {
  for (const angle of [1e10, 1e22, 3e38]) {
    const q = quaternionFromEulerDegrees([angle, -angle, angle / 3]);
    assertAlmostEquals(Math.hypot(...q), 1, 1e-12);
  }
});

Deno.test("eulerDegreesFromQuaternion() gives angles of the same rotation", () => {
  const random = new Random(46);
  const cases = Array.from(
    { length: 200 },
    () => [0, 1, 2].map(() => random.between(-180, 180)),
  );
  // at the gimbal lock and beside it
  for (const pitch of [90, -90, 89.999, -89.9999999, 90.00001]) {
    cases.push([pitch, 40, -70], [pitch, 0, 0], [pitch, 180, 20]);
  }
  for (const euler of cases) {
    const q = quaternionFromEulerDegrees(euler);
    const back = eulerDegreesFromQuaternion(q);
    assertClose(
      eulerRows(back[0], back[1], back[2]).flat(),
      eulerRows(euler[0], euler[1], euler[2]).flat(),
      // beyond the lock's threshold of 1e-4 roll is given up
      Math.abs(Math.abs(euler[0]) - 90) < 0.01 ? 2e-4 : 1e-9,
      JSON.stringify(euler),
    );
  }
});

Deno.test("eulerDegreesFromQuaternion() has roll 0 at the gimbal lock", () => {
  for (const pitch of [90, -90]) {
    const [, , roll] = eulerDegreesFromQuaternion(
      quaternionFromEulerDegrees([pitch, 25, 50]),
    );
    assertEquals(roll, 0);
  }
});
