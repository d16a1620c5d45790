// Morph sparsification: which vertices of one dense target move.
//
// A dense target is vertexCount × 6 f32: position delta, normal delta. A delta is kept when ANY component has
// |x| > epsilon, strictly, in f32. NaN is never greater, so a delta whose only large component is NaN is dropped,
// and infinity is kept: the reference's rule, bit for bit. The host copies the kept deltas from its own array, so the
// kernel only says which. Design note: morph_scan.md.

/** 1 when one 24-byte delta is kept, else 0: two overlapping loads cover its six lanes. */
function kept(p: usize, abs: v128, limit: v128): u32 {
  const head = f32x4.gt(v128.and(v128.load(p), abs), limit);
  const tail = f32x4.gt(v128.and(v128.load(p, 8), abs), limit);
  return u32(v128.any_true(v128.or(head, tail)));
}

/**
 * Scans `count` deltas at `deltas`, appends `base + i` to `index` (u32, room for `count`) for each kept one and returns
 * how many there are.
 */
export function morphScan(deltas: usize, count: u32, epsilon: f32, base: u32, index: usize): u32 {
  const abs = i32x4.splat(0x7fffffff);
  const limit = f32x4.splat(epsilon);
  // As integers the magnitudes of floats order like the floats, with NaN above all, and an OR is never less than its
  // operands: eight vertices pass the quick test only when none of their 48 components can be greater. What fails it,
  // a NaN or several small bits together, is judged by kept().
  const limitBits = i32x4.splat(reinterpret<i32>(epsilon));
  const first = index;
  let p = deltas;
  let i: u32 = 0;
  const blocks = count & ~7;
  while (i < blocks) {
    let m = v128.or(v128.or(v128.load(p), v128.load(p, 16)), v128.load(p, 32));
    m = v128.or(m, v128.or(v128.or(v128.load(p, 48), v128.load(p, 64)), v128.load(p, 80)));
    m = v128.or(m, v128.or(v128.or(v128.load(p, 96), v128.load(p, 112)), v128.load(p, 128)));
    m = v128.or(m, v128.or(v128.or(v128.load(p, 144), v128.load(p, 160)), v128.load(p, 176)));
    if (v128.any_true(i32x4.gt_s(v128.and(m, abs), limitBits))) {
      // written always, kept by moving on: active vertices come in runs, but their edges would mispredict
      for (const end = i + 8; i < end; i++, p += 24) {
        store<u32>(index, base + i);
        index += <usize>kept(p, abs, limit) << 2;
      }
    } else {
      p += 192;
      i += 8;
    }
  }
  for (; i < count; i++, p += 24) {
    store<u32>(index, base + i);
    index += <usize>kept(p, abs, limit) << 2;
  }
  assert(p == deltas + <usize>count * 24); // debug build only
  return <u32>((index - first) >> 2);
}
