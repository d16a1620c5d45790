// acos of four f32 lanes, computed in f64 and rounded: the f32 that a C library's double acos rounds to, for every f32 in
// [-1, 1] (checked for all of them; see mikktspace.md). The rational approximation of asin is the classic one of fdlibm.
// Source: Sun's fdlibm, e_acos.c, the coefficients.

// Two of each, in memory: V8 puts a vector constant together anew at every use, by way of a general register.
const CONSTANTS = memory.data<f64>([
  1.66666666666666657415e-01, 1.66666666666666657415e-01, // PS0
  -3.25565818622400915405e-01, -3.25565818622400915405e-01, // PS1
  2.01212532134862925881e-01, 2.01212532134862925881e-01, // PS2
  -4.00555345006794114027e-02, -4.00555345006794114027e-02, // PS3
  7.91534994289814532176e-04, 7.91534994289814532176e-04, // PS4
  3.47933107596021167570e-05, 3.47933107596021167570e-05, // PS5
  -2.40339491173441421878e+00, -2.40339491173441421878e+00, // QS1
  2.02094576023350569471e+00, 2.02094576023350569471e+00, // QS2
  -6.88283971605453293030e-01, -6.88283971605453293030e-01, // QS3
  7.70381505559019352791e-02, 7.70381505559019352791e-02, // QS4
  1.5707963267948966, 1.5707963267948966, // HALF_PI
  0.5, 0.5, // HALF
  1, 1, // ONE
  -0.0, -0.0, // SIGN
], 16);
const PS0: usize = 0;
const PS1: usize = 16;
const PS2: usize = 32;
const PS3: usize = 48;
const PS4: usize = 64;
const PS5: usize = 80;
const QS1: usize = 96;
const QS2: usize = 112;
const QS3: usize = 128;
const QS4: usize = 144;
const HALF_PI: usize = 160;
const HALF: usize = 176;
const ONE: usize = 192;
const SIGN: usize = 208;

// @ts-ignore: decorator
@inline
function constant(at: usize): v128 {
  return v128.load(CONSTANTS + at);
}

/** acos of two f64 of [-1, 1], anything beyond taken as the end; NaN stays NaN. */
// @ts-ignore: decorator
@inline
function acosOf2(x: v128): v128 {
  const half = constant(HALF), one = constant(ONE), halfPi = constant(HALF_PI), sign = constant(SIGN);
  const size = f64x2.abs(x);
  const inner = f64x2.le(size, half);
  // asin(s) = s + s·R(s²), with s = |x| near 0 and s = sqrt((1 - |x|) / 2) near ±1. The smaller square is the one, and the
  // root of x² is |x| exactly, since x has 24 bits. pmin and pmax keep a NaN that comes first.
  const outerSquare = f64x2.mul(f64x2.sub(one, size), half);
  const z = f64x2.pmax(f64x2.pmin(f64x2.mul(x, x), outerSquare), f64x2.splat(0));
  const s = f64x2.sqrt(z);
  // both polynomials by halves, which waits less for itself than Horner's rule and rounds to the same f32
  const zz = f64x2.mul(z, z);
  const p45 = f64x2.add(constant(PS4), f64x2.mul(z, constant(PS5)));
  const p23 = f64x2.add(constant(PS2), f64x2.mul(z, constant(PS3)));
  const p01 = f64x2.add(constant(PS0), f64x2.mul(z, constant(PS1)));
  const p = f64x2.mul(z, f64x2.add(p01, f64x2.mul(zz, f64x2.add(p23, f64x2.mul(zz, p45)))));
  const q23 = f64x2.add(constant(QS2), f64x2.mul(z, constant(QS3)));
  const q01 = f64x2.add(one, f64x2.mul(z, constant(QS1)));
  const q = f64x2.add(q01, f64x2.mul(zz, f64x2.add(q23, f64x2.mul(zz, constant(QS4)))));
  const asin = f64x2.add(s, f64x2.mul(s, f64x2.div(p, q)));
  // near 0: π/2 ∓ asin; near 1: 0 + 2·asin; near −1: π − 2·asin
  const term = f64x2.add(asin, v128.andnot(asin, inner));
  const turned = v128.xor(term, v128.and(v128.xor(x, inner), sign));
  const back = v128.andnot(v128.or(v128.and(x, sign), halfPi), inner);
  return f64x2.add(f64x2.sub(halfPi, back), turned);
}

/** acos of four lanes, clamped to [-1, 1]. */
export function acosOf4(x: v128): v128 {
  const low = acosOf2(f64x2.promote_low_f32x4(x));
  const high = acosOf2(f64x2.promote_low_f32x4(v128.shuffle<f32>(x, x, 2, 3, 2, 3)));
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
}

/** For the tests: acos of `count` f32 in place. */
export function mikkAcos(p: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++, p += 4) {
    store<f32>(p, f32x4.extract_lane(acosOf4(v128.load32_splat(p)), 0));
  }
}
