/**
 * Small matrices in f64: 16 numbers, column-major, for column vectors.
 *
 * @module
 */

/** A 4 × 4 matrix, column-major. */
export type Mat4 = readonly number[] | Float32Array | Float64Array;

/** The identity. */
export const IDENTITY_MATRIX: readonly number[] = [
  ...[1, 0, 0, 0],
  ...[0, 1, 0, 0],
  ...[0, 0, 1, 0],
  ...[0, 0, 0, 1],
];

/** a · b: first b, then a. */
export function multiply(a: Mat4, b: Mat4): number[] {
  const out = new Array<number>(16);
  for (let c = 0; c < 4; c++) {
    for (let r = 0; r < 4; r++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[k * 4 + r] * b[c * 4 + k];
      out[c * 4 + r] = sum;
    }
  }
  return out;
}

/** Translation · rotation · scale, the rotation as a quaternion x, y, z, w. */
export function composeTrs(
  t: ArrayLike<number>,
  q: ArrayLike<number>,
  s: ArrayLike<number>,
): number[] {
  const [x, y, z, w] = [q[0], q[1], q[2], q[3]];
  const n = x * x + y * y + z * z + w * w;
  const k = n > 0 ? 2 / n : 0;
  const rows = [
    [1 - k * (y * y + z * z), k * (x * y - w * z), k * (x * z + w * y)],
    [k * (x * y + w * z), 1 - k * (x * x + z * z), k * (y * z - w * x)],
    [k * (x * z - w * y), k * (y * z + w * x), 1 - k * (x * x + y * y)],
  ];
  const out: number[] = [];
  for (let c = 0; c < 3; c++) {
    out.push(rows[0][c] * s[c], rows[1][c] * s[c], rows[2][c] * s[c], 0);
  }
  out.push(t[0], t[1], t[2], 1);
  return out;
}

/**
 * Translation, rotation (unit quaternion x, y, z, w) and scale of a matrix. Exact for matrices without shear; a mirror goes
 * into the x scale, and a column without length gives scale 0.
 */
export function decomposeTrs(m: Mat4): {
  translation: [number, number, number];
  rotation: [number, number, number, number];
  scale: [number, number, number];
} {
  const length = (c: number) =>
    Math.sqrt(m[c] * m[c] + m[c + 1] * m[c + 1] + m[c + 2] * m[c + 2]);
  const scale: [number, number, number] = [length(0), length(4), length(8)];
  if (determinant3(m) < 0) scale[0] = -scale[0];
  const r = [0, 4, 8].map((c, i) =>
    [0, 1, 2].map((k) =>
      scale[i] !== 0 ? m[c + k] / scale[i] : (i === k ? 1 : 0)
    )
  );
  // r[column][row]; the largest of the four squares keeps the root away from zero
  const [xx, yy, zz] = [r[0][0], r[1][1], r[2][2]];
  const squares = [
    1 + xx - yy - zz,
    1 - xx + yy - zz,
    1 - xx - yy + zz,
    1 + xx + yy + zz,
  ];
  // no square is the largest when one is NaN: NaN in, NaN out
  const top = Math.max(0, squares.indexOf(Math.max(...squares)));
  const q: [number, number, number, number] = [0, 0, 0, 0];
  if (top === 3) {
    q[0] = r[1][2] - r[2][1];
    q[1] = r[2][0] - r[0][2];
    q[2] = r[0][1] - r[1][0];
    q[3] = squares[3];
  } else {
    const [i, j, k] = [top, (top + 1) % 3, (top + 2) % 3];
    q[i] = squares[top];
    q[j] = r[i][j] + r[j][i];
    q[k] = r[i][k] + r[k][i];
    q[3] = r[j][k] - r[k][j];
  }
  const size = Math.sqrt(q.reduce((sum, x) => sum + x * x, 0));
  return {
    translation: [m[12], m[13], m[14]],
    rotation: q.map((x) => x / size) as typeof q,
    scale,
  };
}

/** Cofactor matrix of the upper 3 × 3, row-major: inverse transpose times the determinant, defined for singular input. */
export function cofactor3(m: Mat4): number[] {
  const [a, d, g] = [m[0], m[1], m[2]]; // first column
  const [b, e, h] = [m[4], m[5], m[6]];
  const [c, f, i] = [m[8], m[9], m[10]];
  return [
    ...[e * i - f * h, f * g - d * i, d * h - e * g],
    ...[c * h - b * i, a * i - c * g, b * g - a * h],
    ...[b * f - c * e, c * d - a * f, a * e - b * d],
  ];
}

/** Determinant of the upper 3 × 3. */
export function determinant3(m: Mat4): number {
  const c = cofactor3(m);
  return m[0] * c[0] + m[4] * c[1] + m[8] * c[2];
}

/** Inverse of an affine matrix, or null when the absolute determinant of its 3 × 3 is below `limit` or not a number. */
export function invertAffine(m: Mat4, limit: number): number[] | null {
  const det = determinant3(m);
  if (!(Math.abs(det) >= limit) || !Number.isFinite(det)) return null;
  const c = cofactor3(m); // inverse[r][k] = cofactor[k][r] / det
  const out: number[] = [];
  for (let k = 0; k < 3; k++) {
    out.push(c[k * 3] / det, c[k * 3 + 1] / det, c[k * 3 + 2] / det, 0);
  }
  const [x, y, z] = [m[12], m[13], m[14]];
  for (let r = 0; r < 3; r++) {
    out.push(-(out[r] * x + out[4 + r] * y + out[8 + r] * z));
  }
  out.push(1);
  return out;
}

/**
 * Sine and cosine of an angle in degrees, from additions and products alone: Math.sin may differ in its last bit from one
 * engine to the next, and outputs must not. Exact at multiples of 90; elsewhere within 2 ulp (Taylor series to x^17 on
 * ±45 degrees, where the next term is below 1e-19).
 */
export function sinCosDegrees(degrees: number): [number, number] {
  if (!Number.isFinite(degrees)) return [NaN, NaN];
  // a remainder is exact, and without it large angles would leave ±45 degrees
  const angle = degrees % 360;
  const turns = Math.round(angle / 90);
  const x = (angle - turns * 90) * (Math.PI / 180);
  const x2 = x * x;
  let sin = 0;
  let cos = 0;
  for (let n = 16; n >= 2; n -= 2) {
    sin = (1 + sin) * (-x2 / (n * (n + 1)));
    cos = (1 + cos) * (-x2 / (n * (n - 1)));
  }
  sin = x * (1 + sin);
  cos = 1 + cos;
  const quarter = ((turns % 4) + 4) % 4;
  if (quarter === 0) return [sin, cos];
  if (quarter === 1) return [cos, 0 - sin];
  if (quarter === 2) return [0 - sin, 0 - cos];
  return [0 - cos, sin];
}

/**
 * Quaternion of the payload's Euler angles: pitch about X, yaw about Y, roll about Z in degrees, as Ry · Rx · Rz for column
 * vectors.
 */
export function quaternionFromEulerDegrees(
  deg: ArrayLike<number>,
): [number, number, number, number] {
  const [sx, cx] = sinCosDegrees(deg[0] / 2);
  const [sy, cy] = sinCosDegrees(deg[1] / 2);
  const [sz, cz] = sinCosDegrees(deg[2] / 2);
  return [
    cy * sx * cz + sy * cx * sz,
    sy * cx * cz - cy * sx * sz,
    cy * cx * sz - sy * sx * cz,
    cy * cx * cz + sy * sx * sz,
  ];
}

/**
 * The payload's Euler angles of a quaternion, by the rule of its cook: pitch from the sine and cosine, and roll 0 at the
 * gimbal lock.
 */
export function eulerDegreesFromQuaternion(
  q: ArrayLike<number>,
): [number, number, number] {
  const m = composeTrs([0, 0, 0], q, [1, 1, 1]);
  const sinPitch = Math.min(1, Math.max(-1, -m[9])); // column 2, row 1
  const cosPitch = Math.sqrt(m[8] * m[8] + m[10] * m[10]);
  const pitch = Math.atan2(sinPitch, cosPitch);
  const locked = !(cosPitch > 1e-4);
  const yaw = locked
    ? Math.atan2(sinPitch * m[4], m[0])
    : Math.atan2(m[8], m[10]);
  const roll = locked ? 0 : Math.atan2(m[1], m[5]);
  const degrees = 180 / Math.PI;
  return [pitch * degrees, yaw * degrees, roll * degrees];
}
