import "./build.ts";
import {
  assert,
  assertEquals,
  assertLess,
  assertLessOrEqual,
  assertThrows,
} from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import { normalMatrix, transformNormals } from "../../src/kernels/mod.ts";
import {
  cancellation,
  exactNormalMatrix,
  MAX_F32_CANCELLATION,
} from "../../src/kernels/normals.ts";
import { Random } from "../random.ts";
import { assertSameBytes } from "../same_bytes.ts";

type Vec = [number, number, number];
/** Rows of a 3 × 3 matrix. */
type Rows = [Vec, Vec, Vec];

const IDENTITY: Rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

/** Column-major 4 × 4 with a translation. */
function mat4(m: Rows, translation: Vec = [0, 0, 0]): number[] {
  const out: number[] = [];
  for (let c = 0; c < 3; c++) out.push(m[0][c], m[1][c], m[2][c], 0);
  return [...out, ...translation, 1];
}

function times(a: Rows, b: Rows): Rows {
  return a.map((row) =>
    [0, 1, 2].map((c) => row[0] * b[0][c] + row[1] * b[1][c] + row[2] * b[2][c])
  ) as Rows;
}

const scale = (x: number, y: number, z: number): Rows => [
  [x, 0, 0],
  [0, y, 0],
  [0, 0, z],
];

/** A rotation by Rodrigues' formula. */
function rotation(random: Random): Rows {
  const [x, y, z] = random.unitVector();
  const angle = random.between(-Math.PI, Math.PI);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const t = 1 - c;
  return [
    [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
    [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
    [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
  ];
}

function unit(v: Vec): Vec {
  // scaled first: lengths of tiny and huge vectors leave the range of f64 squares
  const top = Math.max(...v.map(Math.abs));
  const s = v.map((x) => x / top) as Vec;
  const length = Math.sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
  return s.map((x) => x / length) as Vec;
}

function determinant(m: Rows): number {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
    m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
    m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/** The oracle: solves transpose(M) · n' = n by Gauss' elimination with pivoting, then makes it unit length. */
function inverseTranspose(m: Rows, n: Vec): Vec {
  const a = [0, 1, 2].map((r) => [m[0][r], m[1][r], m[2][r], n[r]]);
  for (let k = 0; k < 3; k++) {
    let pivot = k;
    for (let r = k; r < 3; r++) {
      if (Math.abs(a[r][k]) > Math.abs(a[pivot][k])) pivot = r;
    }
    [a[k], a[pivot]] = [a[pivot], a[k]];
    for (let r = 0; r < 3; r++) {
      if (r === k) continue;
      const f = a[r][k] / a[k][k];
      for (let c = k; c < 4; c++) a[r][c] -= f * a[k][c];
    }
  }
  return unit([a[0][3] / a[0][0], a[1][3] / a[1][1], a[2][3] / a[2][2]]);
}

/** Largest distance of a component from the oracle, in units of 2^-24: the spacing of f32 just below 1. */
function worstError(
  m: Rows,
  normals: Float32Array,
  actual: Float32Array,
): number {
  let worst = 0;
  for (let i = 0; i < normals.length; i += 3) {
    const exact = inverseTranspose(m, [
      normals[i],
      normals[i + 1],
      normals[i + 2],
    ]);
    for (let k = 0; k < 3; k++) {
      worst = Math.max(worst, Math.abs(actual[i + k] - exact[k]));
    }
  }
  return worst * 2 ** 24;
}

function unitNormals(random: Random, count: number): Float32Array<ArrayBuffer> {
  return Float32Array.from(
    Array.from({ length: count }, () => random.unitVector()).flat(),
  );
}

const f = Math.fround;

/** The kernel's twin for one normal, in its stated order of operations. Null: no direction. */
function twin(c: number[], fine: boolean, n: Vec): Vec | null {
  const [x, y, z] = n;
  const wide = [0, 3, 6].map((r) => (c[r] * x + c[r + 1] * y) + c[r + 2] * z);
  const narrow = [0, 3, 6].map((r) =>
    f(f(f(f(c[r]) * x) + f(f(c[r + 1]) * y)) + f(f(c[r + 2]) * z))
  );
  const r = fine ? wide : narrow;
  const length2 = fine
    ? f((r[0] * r[0] + r[1] * r[1]) + r[2] * r[2])
    : f(f(f(r[0] * r[0]) + f(r[1] * r[1])) + f(r[2] * r[2]));
  if (length2 >= 2 ** -100 && length2 <= 2 ** 100) {
    const length = f(Math.sqrt(length2));
    return r.map((v) => f(f(v) / length)) as Vec;
  }
  const top = Math.max(...wide.map(Math.abs));
  if (!(top > 0 && top < Infinity)) return null;
  const s = wide.map((v) => v / top);
  const length = Math.sqrt((s[0] * s[0] + s[1] * s[1]) + s[2] * s[2]);
  return s.map((v) => f(v / length)) as Vec;
}

function plainTransform(
  normals: Float32Array,
  matrix: number[],
  fallback: Vec = [0, 0, 1],
): { normal: Float32Array; repaired: number } {
  const c = exactNormalMatrix(matrix);
  const fine = !(cancellation(c) <= MAX_F32_CANCELLATION);
  const out = new Float32Array(normals.length);
  let repaired = 0;
  for (let i = 0; i < normals.length; i += 3) {
    const n = twin(c, fine, [normals[i], normals[i + 1], normals[i + 2]]);
    if (!n) repaired++;
    out.set(n ?? fallback, i);
  }
  return { normal: out, repaired };
}

/** Every kind of invertible matrix, with a name. */
function matrices(random: Random): [name: string, m: Rows][] {
  const turn = rotation(random);
  const other = rotation(random);
  const shear: Rows = [[1, 0.7, -0.2], [0, 1, 0.4], [0, 0, 1]];
  return [
    ["identity", IDENTITY],
    ["rotation", turn],
    ["uniform scale", scale(40, 40, 40)],
    ["scale along the axes", scale(0.01, 3, 500)],
    ["mirror", scale(-1, 1, 1)],
    ["rotated mirror", times(turn, scale(1, 1, -1))],
    ["point reflection", scale(-2, -2, -2)],
    ["swapped axes", [[0, 0, 1], [0, -1, 0], [2, 0, 0]]],
    ["shear", shear],
    ["mirrored shear", times(shear, scale(1, -1, 1))],
    [
      "slight stretch between turns",
      times(times(turn, scale(1, 1.1, 0.9)), other),
    ],
    ["stretch between turns", times(times(turn, scale(1, 5, 0.1)), other)],
    ["nearly flat", times(times(turn, scale(1, 1, 1e-6)), other)],
    ["random", [
      [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)],
      [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)],
      [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)],
    ]],
  ];
}

Deno.test("transformNormals() is within 4 units of 2^-24 of the f64 oracle for every kind of matrix", () => {
  const random = new Random(31);
  let worst = 0;
  for (let round = 0; round < 60; round++) {
    const normals = unitNormals(random, 500);
    for (const [name, m] of matrices(random)) {
      const { normal, repaired } = transformNormals(normals, mat4(m));
      assertEquals(repaired, 0, name);
      const error = worstError(m, normals, normal);
      assertLessOrEqual(error, 4, `${name}, round ${round}`);
      worst = Math.max(worst, error);
    }
  }
  // the bound is no wider than what is found: about 3
  assertLess(2, worst);
});

Deno.test("transformNormals() gives the bits of its scalar twin when counts end anywhere in a block or chunk", () => {
  const random = new Random(32);
  for (const count of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 4095, 4096, 4097, 8199]) {
    const normals = unitNormals(random, count);
    for (const [name, m] of matrices(random)) {
      const actual = transformNormals(normals, mat4(m));
      const expected = plainTransform(normals, mat4(m));
      assertSameBytes(actual.normal, expected.normal, `${name}, ${count}`);
      assertEquals(actual.repaired, expected.repaired);
    }
  }
});

Deno.test("transformNormals() gives the bits of its scalar twin when normals are any bit pattern", () => {
  const random = new Random(33);
  const normals = new Float32Array(
    Uint32Array.from({ length: 3 * 2000 }, () => random.u32()).buffer,
  );
  for (const [name, m] of matrices(random)) {
    const actual = transformNormals(normals, mat4(m), [0, 1, 0]);
    const expected = plainTransform(normals, mat4(m), [0, 1, 0]);
    assertSameBytes(actual.normal, expected.normal, name);
    assertEquals(actual.repaired, expected.repaired, name);
    assert(actual.repaired > 0); // some patterns are NaN or infinite
    assert(actual.normal.every(Number.isFinite), name);
  }
});

Deno.test("transformNormals() does not look at the translation", () => {
  const random = new Random(34);
  const normals = unitNormals(random, 100);
  for (const [name, m] of matrices(random)) {
    const still = transformNormals(normals, mat4(m));
    for (const far of [1e6, -1e30, Infinity, NaN]) {
      const moved = transformNormals(normals, mat4(m, [far, far, far]));
      assertSameBytes(moved.normal, still.normal, name);
    }
  }
});

Deno.test("transformNormals() keeps the side of a surface when the matrix mirrors it", () => {
  // a mirrored triangle: its normal stays perpendicular and on the side where the mirrored outside lies
  const { normal } = transformNormals(
    Float32Array.of(0, 0, 1, 1, 0, 0),
    mat4(scale(-1, 1, 1)),
  );
  assertEquals([...normal].map((x) => x + 0), [0, 0, 1, -1, 0, 0]);
});

Deno.test("transformNormals() stays perpendicular to transformed tangents when the matrix is of rank 2", () => {
  const random = new Random(35);
  for (let round = 0; round < 200; round++) {
    const flat = times(
      times(rotation(random), scale(random.between(0.2, 3), 1, 0)),
      rotation(random),
    );
    const n = random.unitVector();
    // two tangents, so that u × v points along n
    const u = unit(cross(n, Math.abs(n[0]) < 0.5 ? [1, 0, 0] : [0, 1, 0]));
    const v = cross(n, u);
    const image = cross(apply(flat, u), apply(flat, v));
    if (Math.hypot(...image) < 1e-3) continue; // edge on: no direction to compare
    const expected = unit(image);
    const { normal, repaired } = transformNormals(
      Float32Array.from(n),
      mat4(flat),
    );
    assertEquals(repaired, 0);
    // the normal is rounded to f32 before it goes in, which tilts what the projection magnifies
    const tolerance = 2 ** -22 / Math.hypot(...image);
    // a determinant that is zero but for rounding has no side
    const side = Math.sign(dot(expected, [...normal] as Vec));
    for (let k = 0; k < 3; k++) {
      assertLessOrEqual(Math.abs(normal[k] * side - expected[k]), tolerance);
    }
  }
  // exactly flat: the side is that of the cofactors
  const { normal } = transformNormals(
    Float32Array.of(0.6, 0, 0.8, 0, 0, -1),
    mat4(scale(1, 1, 0)),
  );
  assertEquals([...normal].map((x) => x + 0), [0, 0, 1, 0, 0, -1]);
});

function cross(a: Vec, b: Vec): Vec {
  return [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
}
function dot(a: Vec, b: Vec): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
function apply(m: Rows, v: Vec): Vec {
  return m.map((row) => dot(row, v)) as Vec;
}

Deno.test("transformNormals() repairs every normal when the matrix flattens them all", () => {
  const normals = unitNormals(new Random(36), 10);
  for (
    const m of [
      scale(0, 0, 0),
      scale(1, 0, 0),
      [[1, 2, 3], [2, 4, 6], [4, 8, 12]] as Rows, // rank 1
      scale(NaN, 1, 1),
      scale(Infinity, 1, 1),
    ]
  ) {
    const { normal, repaired } = transformNormals(normals, mat4(m), [1, 0, 0]);
    assertEquals(repaired, 10);
    for (let i = 0; i < 10; i++) {
      assertEquals([...normal.subarray(i * 3, i * 3 + 3)], [1, 0, 0]);
    }
  }
});

Deno.test("transformNormals() repairs what has no direction and nothing else, at every place of a block", () => {
  const random = new Random(37);
  const bad: Vec[] = [
    [0, 0, 0],
    [-0, 0, -0],
    [NaN, 0, 1],
    [0, 1, NaN],
    [Infinity, 0, 0],
    [1, -Infinity, 0],
    [Infinity, NaN, 0],
  ];
  for (const m of [rotation(random), times(scale(1, 9, 1), rotation(random))]) {
    const good = unitNormals(random, 11);
    const clean = transformNormals(good, mat4(m)).normal;
    for (const n of bad) {
      for (let place = 0; place < 11; place++) {
        const normals = good.slice();
        normals.set(n, place * 3);
        const { normal, repaired } = transformNormals(normals, mat4(m));
        assertEquals(repaired, 1);
        const expected = clean.slice();
        expected.set([0, 0, 1], place * 3);
        assertSameBytes(normal, expected, `${n} at ${place}`);
      }
    }
  }
});

Deno.test("transformNormals() finds the direction when normals or scales are tiny or huge", () => {
  const random = new Random(38);
  const extremes = [1e-30, 1e-20, 1, 1e20, 1e30];
  const lengths = [1e-45, 1e-42, 1e-38, 1e-20, 1, 1e20, 3e38];
  for (const x of extremes) {
    for (const y of extremes) {
      for (const z of extremes) {
        const m = scale(x, -y, z);
        const normals = Float32Array.from(
          lengths.flatMap((s) => random.unitVector().map((v) => v * s)),
        );
        // along an axis, also the one that the matrix stretches until its inverse vanishes beside the others
        normals.set([0, 0, 1e-45, 0, 1, 0, 3e38, 0, 0], 0);
        const { normal, repaired } = transformNormals(normals, mat4(m));
        assertEquals(repaired, 0);
        for (let i = 0; i < normals.length; i += 3) {
          const expected = unit([
            normals[i] / x,
            -normals[i + 1] / y,
            normals[i + 2] / z,
          ]);
          for (let k = 0; k < 3; k++) {
            assertLessOrEqual(
              Math.abs(normal[i + k] - expected[k]),
              4 * 2 ** -24,
              `scale ${[x, y, z]}, normal ${i / 3}`,
            );
          }
        }
      }
    }
  }
});

Deno.test("transformNormals() finds the direction when the squares of f64 would vanish or overflow", () => {
  const along = Float32Array.of(0, 0, 1e-45, 0, 3e38, 0, -1e-45, 0, 0);
  for (const m of [scale(1e-60, 1, 1e60), scale(1e60, 1, 1e-60)]) {
    const { normal, repaired } = transformNormals(along, mat4(m));
    assertEquals(repaired, 0);
    assertEquals([...normal].map((x) => x + 0), [0, 0, 1, 0, 1, 0, -1, 0, 0]);
  }
});

Deno.test("transformNormals() throws ARGUMENT when normals are not whole or the fallback is not finite", () => {
  for (const length of [1, 2, 4]) {
    const error = assertThrows(
      () => transformNormals(new Float32Array(length), mat4(IDENTITY)),
      MeshError,
    );
    assertEquals(error.code, "ARGUMENT");
  }
  for (const x of [NaN, Infinity]) {
    const error = assertThrows(
      () => transformNormals(new Float32Array(3), mat4(IDENTITY), [0, x, 0]),
      MeshError,
    );
    assertEquals(error.code, "ARGUMENT");
  }
});

Deno.test("normalMatrix() points where the inverse transpose points and has 1 as its largest entry", () => {
  const random = new Random(39);
  for (let round = 0; round < 50; round++) {
    for (const [name, m] of matrices(random)) {
      const c = normalMatrix(mat4(m, [7, 8, 9]));
      assertEquals(Math.max(...c.map(Math.abs)), 1, name);
      const columns: Rows = [[c[0], c[3], c[6]], [c[1], c[4], c[7]], [
        c[2],
        c[5],
        c[8],
      ]];
      for (let k = 0; k < 3; k++) {
        const axis: Vec = [0, 0, 0];
        axis[k] = 1;
        const expected = inverseTranspose(m, axis);
        const actual = unit(columns[k]);
        for (let j = 0; j < 3; j++) {
          assertLess(Math.abs(actual[j] - expected[j]), 1e-6, name);
        }
      }
      // the same handedness: a mirror stays one
      assert(
        determinant(columns) * determinant(m) > 0 ||
          Math.abs(determinant(columns)) < 1e-9,
        name,
      );
    }
  }
});

Deno.test("cancellation() is no less than the growth that any normal meets", () => {
  const random = new Random(40);
  for (let round = 0; round < 300; round++) {
    for (const [name, m] of matrices(random)) {
      const c = exactNormalMatrix(mat4(m));
      const n = random.unitVector();
      const rows = [0, 3, 6].map((r) => c.slice(r, r + 3));
      const length = Math.hypot(...rows.map((r) => dot(r as Vec, n)));
      for (const row of rows) {
        if (row.filter((x) => x !== 0).length < 2) continue;
        const terms = row.reduce((s, x, k) => s + Math.abs(x * n[k]), 0);
        assertLessOrEqual(terms / length, cancellation(c) * (1 + 1e-9), name);
      }
    }
  }
  assertEquals(cancellation([1, 0, 0, 0, 1e-9, 0, 0, 0, 1]), 0);
});
