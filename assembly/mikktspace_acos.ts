// acos of four f32 lanes, computed in f64 and rounded: the f32 that a C library's double acos rounds to, for every f32 in
// [-1, 1] (checked for all of them; see mikktspace.md). The rational approximation of asin is the classic one of fdlibm.
// Source: Sun's fdlibm, e_acos.c, the coefficients.

const P0: f64 = 1.66666666666666657415e-01;
const P1: f64 = -3.25565818622400915405e-01;
const P2: f64 = 2.01212532134862925881e-01;
const P3: f64 = -4.00555345006794114027e-02;
const P4: f64 = 7.91534994289814532176e-04;
const P5: f64 = 3.47933107596021167570e-05;
const Q1: f64 = -2.40339491173441421878e+00;
const Q2: f64 = 2.02094576023350569471e+00;
const Q3: f64 = -6.88283971605453293030e-01;
const Q4: f64 = 7.70381505559019352791e-02;
const PI: f64 = 3.141592653589793;

/** acos of two f64 in [-1, 1]; NaN stays NaN. */
// @ts-ignore: decorator
@inline
function acosOf2(x: v128): v128 {
  const half = f64x2.splat(0.5), one = f64x2.splat(1);
  const size = f64x2.abs(x);
  const inner = f64x2.le(size, half);
  // asin(s) = s + s·R(s²), with s = x near 0 and s = sqrt((1 - |x|) / 2) near ±1
  const outerSquare = f64x2.mul(f64x2.sub(one, size), half);
  const z = v128.bitselect(f64x2.mul(x, x), outerSquare, inner);
  const s = v128.bitselect(x, f64x2.sqrt(outerSquare), inner);
  // both polynomials by halves, which waits less for itself than Horner's rule and rounds to the same f32
  const zz = f64x2.mul(z, z);
  const p45 = f64x2.add(f64x2.splat(P4), f64x2.mul(z, f64x2.splat(P5)));
  const p23 = f64x2.add(f64x2.splat(P2), f64x2.mul(z, f64x2.splat(P3)));
  const p01 = f64x2.add(f64x2.splat(P0), f64x2.mul(z, f64x2.splat(P1)));
  const p = f64x2.mul(z, f64x2.add(p01, f64x2.mul(zz, f64x2.add(p23, f64x2.mul(zz, p45)))));
  const q23 = f64x2.add(f64x2.splat(Q2), f64x2.mul(z, f64x2.splat(Q3)));
  const q01 = f64x2.add(one, f64x2.mul(z, f64x2.splat(Q1)));
  const q = f64x2.add(q01, f64x2.mul(zz, f64x2.add(q23, f64x2.mul(zz, f64x2.splat(Q4)))));
  const asin = f64x2.add(s, f64x2.mul(s, f64x2.div(p, q)));
  const twice = f64x2.add(asin, asin);
  const outer = v128.bitselect(f64x2.sub(f64x2.splat(PI), twice), twice, f64x2.lt(x, f64x2.splat(0)));
  return v128.bitselect(f64x2.sub(f64x2.splat(PI / 2), asin), outer, inner);
}

/** acos of four lanes, clamped to [-1, 1]. */
export function acosOf4(x: v128): v128 {
  // pmin(a, b) is b < a ? b : a: a NaN in the first place stays
  const c = f32x4.pmax(f32x4.pmin(x, f32x4.splat(1)), f32x4.splat(-1));
  const low = acosOf2(f64x2.promote_low_f32x4(c));
  const high = acosOf2(f64x2.promote_low_f32x4(v128.shuffle<f32>(c, c, 2, 3, 2, 3)));
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
}

/** For the tests: acos of `count` f32 in place. */
export function mikkAcos(p: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++, p += 4) {
    store<f32>(p, f32x4.extract_lane(acosOf4(v128.load32_splat(p)), 0));
  }
}
