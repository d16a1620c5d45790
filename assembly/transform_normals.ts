// Normals by the inverse transpose: n' = normalise(C · n) with C = sign(det M) · cofactor(M), which points where
// M^-T points and exists for singular M too. The host computes C in f64 and scales it so that its largest entry is 1
// (only the direction counts).
//
// Two precisions of the product, each in a stated order that the twins in the tests repeat:
//   r = (c0·x + c1·y) + c2·z in f32, or in f64 and then rounded where f32 could cancel (the host decides, per matrix);
//   length² = (rx² + ry²) + rz² in the same precision;  n' = r / sqrt(length²) in f32.
// Where length² leaves [LOW, HIGH], so that f32 may have lost bits or overflowed, all is f64; where even that gives no
// direction (zero, NaN, infinity) the normal becomes the fallback and is counted. A normal's result does not depend on
// its neighbours: the vector loops and the scalar functions give the same bits. Design note: transform_normals.md.
//
// Parameter block: f64 C[9] row-major @0, f32 C[9] @72, f32 fallback[3] @108.

/** Below this f32 squares lose bits to the subnormal range (2^-100); above HIGH sums may overflow (2^100). */
const LOW: f32 = 7.888609052210118e-31;
const HIGH: f32 = 1.2676506002282294e30;

/** Lanes 0 and 3 of `a`, 1 of `b`, 2 of `c`: two blends, which are cheaper than permutations of two vectors. */
function mix(a: v128, b: v128, c: v128): v128 {
  return v128.shuffle<f32>(v128.shuffle<f32>(a, b, 0, 5, 2, 3), c, 0, 1, 6, 3);
}

/** True when every lane is in [LOW, HIGH]. */
function inRange(l2: v128): bool {
  const ok = v128.and(f32x4.ge(l2, f32x4.splat(LOW)), f32x4.le(l2, f32x4.splat(HIGH)));
  return i32x4.bitmask(ok) == 15;
}

/** Four normals in the lane order 0 3 2 1 (see `coarse`), stored. */
function storeNormals(out: usize, x: v128, y: v128, z: v128): void {
  const y1032 = v128.shuffle<f32>(y, y, 3, 0, 1, 2);
  const z2103 = v128.shuffle<f32>(z, z, 2, 3, 0, 1);
  v128.store(out, mix(x, y1032, z2103));
  v128.store(out, mix(y1032, z2103, x), 16);
  v128.store(out, mix(z2103, x, y1032), 32);
}

/** Normals with f32 products in blocks of four, up to the first block out of range; returns how many were done. */
function coarse(input: usize, out: usize, count: u32, block: usize): u32 {
  // No call remains in this loop: one would make the engine save and restore the matrix around it, every time.
  const c0 = v128.load32_splat(block, 72), c1 = v128.load32_splat(block, 76), c2 = v128.load32_splat(block, 80);
  const c3 = v128.load32_splat(block, 84), c4 = v128.load32_splat(block, 88), c5 = v128.load32_splat(block, 92);
  const c6 = v128.load32_splat(block, 96), c7 = v128.load32_splat(block, 100), c8 = v128.load32_splat(block, 104);
  const first = input;
  for (const end = input + <usize>(count & ~3) * 12; input < end; input += 48, out += 48) {
    // p = x0 y0 z0 x1, q = y1 z1 x2 y2, r = z2 x3 y3 z3. Mixing gives each component a lane order of its own; one
    // rotation brings y and z into that of x, which is 0 3 2 1.
    const p = v128.load(input), q = v128.load(input, 16), r = v128.load(input, 32);
    const y1032 = mix(q, p, r), z2103 = mix(r, q, p);
    const x = mix(p, r, q);
    const y = v128.shuffle<f32>(y1032, y1032, 1, 2, 3, 0);
    const z = v128.shuffle<f32>(z2103, z2103, 2, 3, 0, 1);
    const rx = f32x4.add(f32x4.add(f32x4.mul(c0, x), f32x4.mul(c1, y)), f32x4.mul(c2, z));
    const ry = f32x4.add(f32x4.add(f32x4.mul(c3, x), f32x4.mul(c4, y)), f32x4.mul(c5, z));
    const rz = f32x4.add(f32x4.add(f32x4.mul(c6, x), f32x4.mul(c7, y)), f32x4.mul(c8, z));
    const l2 = f32x4.add(f32x4.add(f32x4.mul(rx, rx), f32x4.mul(ry, ry)), f32x4.mul(rz, rz));
    if (!inRange(l2)) break;
    const l = f32x4.sqrt(l2);
    storeNormals(out, f32x4.div(rx, l), f32x4.div(ry, l), f32x4.div(rz, l));
  }
  return <u32>(input - first) / 12;
}

/** One row of the matrix times two normals, in f64. */
function row(a: v128, b: v128, c: v128, x: v128, y: v128, z: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(a, x), f64x2.mul(b, y)), f64x2.mul(c, z));
}

/** Squared lengths of two vectors, in f64. */
function squares(x: v128, y: v128, z: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(x, x), f64x2.mul(y, y)), f64x2.mul(z, z));
}

/** Two pairs of f64 rounded to four f32. */
function round(low: v128, high: v128): v128 {
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
}

/** The upper two of four f32 as f64. */
function upper(v: v128): v128 {
  return f64x2.promote_low_f32x4(v128.shuffle<f32>(v, v, 2, 3, 2, 3));
}

/** `coarse` with f64 products. */
function fine(input: usize, out: usize, count: u32, block: usize): u32 {
  const c0 = v128.load64_splat(block), c1 = v128.load64_splat(block, 8), c2 = v128.load64_splat(block, 16);
  const c3 = v128.load64_splat(block, 24), c4 = v128.load64_splat(block, 32), c5 = v128.load64_splat(block, 40);
  const c6 = v128.load64_splat(block, 48), c7 = v128.load64_splat(block, 56), c8 = v128.load64_splat(block, 64);
  const first = input;
  for (const end = input + <usize>(count & ~3) * 12; input < end; input += 48, out += 48) {
    const p = v128.load(input), q = v128.load(input, 16), r = v128.load(input, 32);
    const y1032 = mix(q, p, r), z2103 = mix(r, q, p);
    const x = mix(p, r, q);
    const y = v128.shuffle<f32>(y1032, y1032, 1, 2, 3, 0);
    const z = v128.shuffle<f32>(z2103, z2103, 2, 3, 0, 1);
    const xl = f64x2.promote_low_f32x4(x), yl = f64x2.promote_low_f32x4(y), zl = f64x2.promote_low_f32x4(z);
    const xh = upper(x), yh = upper(y), zh = upper(z);
    const rxl = row(c0, c1, c2, xl, yl, zl), rxh = row(c0, c1, c2, xh, yh, zh);
    const ryl = row(c3, c4, c5, xl, yl, zl), ryh = row(c3, c4, c5, xh, yh, zh);
    const rzl = row(c6, c7, c8, xl, yl, zl), rzh = row(c6, c7, c8, xh, yh, zh);
    const l2 = round(squares(rxl, ryl, rzl), squares(rxh, ryh, rzh));
    if (!inRange(l2)) break;
    const l = f32x4.sqrt(l2);
    storeNormals(out, f32x4.div(round(rxl, rxh), l), f32x4.div(round(ryl, ryh), l), f32x4.div(round(rzl, rzh), l));
  }
  return <u32>(input - first) / 12;
}

/** One normal as `coarse` does it; false when out of range. */
function coarseOne(input: usize, out: usize, block: usize): bool {
  const x = load<f32>(input), y = load<f32>(input, 4), z = load<f32>(input, 8);
  const rx = (load<f32>(block, 72) * x + load<f32>(block, 76) * y) + load<f32>(block, 80) * z;
  const ry = (load<f32>(block, 84) * x + load<f32>(block, 88) * y) + load<f32>(block, 92) * z;
  const rz = (load<f32>(block, 96) * x + load<f32>(block, 100) * y) + load<f32>(block, 104) * z;
  const l2 = (rx * rx + ry * ry) + rz * rz;
  if (!(l2 >= LOW && l2 <= HIGH)) return false;
  const l = sqrt<f32>(l2);
  store<f32>(out, rx / l);
  store<f32>(out, ry / l, 4);
  store<f32>(out, rz / l, 8);
  return true;
}

/** One normal as `fine` does it, and at any scale; returns 1 when it had no direction and became the fallback. */
function fineOne(input: usize, out: usize, block: usize): u32 {
  const x = <f64>load<f32>(input), y = <f64>load<f32>(input, 4), z = <f64>load<f32>(input, 8);
  let rx = (load<f64>(block) * x + load<f64>(block, 8) * y) + load<f64>(block, 16) * z;
  let ry = (load<f64>(block, 24) * x + load<f64>(block, 32) * y) + load<f64>(block, 40) * z;
  let rz = (load<f64>(block, 48) * x + load<f64>(block, 56) * y) + load<f64>(block, 64) * z;
  const l2 = <f32>((rx * rx + ry * ry) + rz * rz);
  if (!(l2 >= LOW && l2 <= HIGH)) {
    const top = max(max(abs(rx), abs(ry)), abs(rz)); // NaN where one of them is
    if (!(top > 0 && top < Infinity)) {
      memory.copy(out, block + 108, 12);
      return 1;
    }
    rx /= top; ry /= top; rz /= top; // squares of what is near 1 keep their bits
    const length = sqrt((rx * rx + ry * ry) + rz * rz);
    store<f32>(out, <f32>(rx / length));
    store<f32>(out, <f32>(ry / length), 4);
    store<f32>(out, <f32>(rz / length), 8);
    return 0;
  }
  const l = sqrt<f32>(l2);
  store<f32>(out, <f32>rx / l);
  store<f32>(out, <f32>ry / l, 4);
  store<f32>(out, <f32>rz / l, 8);
  return 0;
}

/**
 * Transforms `count` normals (12 B each) from `input` to `out` (which may be the same place) with the parameter block at
 * `block`, with f64 products when `exact` is not 0. Returns how many became the fallback.
 */
export function transformNormals(input: usize, out: usize, count: u32, block: usize, exact: u32): u32 {
  let repaired: u32 = 0;
  let i: u32 = 0;
  while (i < count) {
    const done = exact ? fine(input, out, count - i, block) : coarse(input, out, count - i, block);
    assert(i + done <= count); // debug build only
    i += done;
    input += <usize>done * 12;
    out += <usize>done * 12;
    // the block that stopped it, or the last one to three
    for (const end = min(i + 4, count); i < end; i++, input += 12, out += 12) {
      if (exact || !coarseOne(input, out, block)) repaired += fineOne(input, out, block);
    }
  }
  return repaired;
}
