// Morph sparsification: which vertices of dense targets move, and the moving ones in vertex-major order.
//
// A dense target is vertexCount × 6 f32: position delta, normal delta. A delta is kept when ANY component has
// |x| > epsilon, strictly, in f32. NaN is never greater, so a delta whose only large component is NaN is dropped,
// and infinity is kept: the reference's rule, bit for bit. Design note: morph_scan.md.

/**
 * Scans `count` deltas of one target at `deltas`. Of each kept one it appends the number to `index` (u32) and the 24 bytes
 * to `kept`, which both need room for `count` and 16 bytes behind it. Returns how many there are.
 */
export function morphScan(deltas: usize, count: u32, epsilon: f32, index: usize, kept: usize): u32 {
  const abs = i32x4.splat(0x7fffffff);
  const limit = f32x4.splat(epsilon);
  // As integers the magnitudes of floats order like the floats, with NaN above all, and an OR is never less than its
  // operands: eight vertices pass the quick test only when none of their 48 components can be greater. What fails it,
  // a NaN or several small bits together, is judged one by one.
  const limitBits = i32x4.splat(reinterpret<i32>(epsilon));
  const first = index;
  let p = deltas;
  let i: u32 = 0;
  while (i < count) {
    let end = i + 8;
    if (end <= count) {
      let m = v128.or(v128.or(v128.load(p), v128.load(p, 16)), v128.load(p, 32));
      m = v128.or(m, v128.or(v128.or(v128.load(p, 48), v128.load(p, 64)), v128.load(p, 80)));
      m = v128.or(m, v128.or(v128.or(v128.load(p, 96), v128.load(p, 112)), v128.load(p, 128)));
      m = v128.or(m, v128.or(v128.or(v128.load(p, 144), v128.load(p, 160)), v128.load(p, 176)));
      if (!v128.any_true(i32x4.gt_s(v128.and(m, abs), limitBits))) {
        p += 192;
        i = end;
        continue;
      }
    } else {
      end = count;
    }
    // written always, kept by moving on: active vertices come in runs, but their edges would mispredict
    for (; i < end; i++, p += 24) {
      const head = v128.load(p), tail = v128.load(p, 8); // two overlapping loads cover the six lanes
      store<u32>(index, i);
      v128.store(kept, head);
      v128.store(kept, tail, 8);
      const large = v128.or(f32x4.gt(v128.and(head, abs), limit), f32x4.gt(v128.and(tail, abs), limit));
      const step = <usize>u32(v128.any_true(large));
      index += step << 2;
      kept += step * 24;
    }
  }
  assert(p == deltas + <usize>count * 24); // debug build only
  return <u32>((index - first) >> 2);
}

/**
 * Puts what morphScan kept, `sizes[t]` deltas of each of `targets` targets one after the other, in vertex-major order, within
 * a vertex by target: `target` 4 bytes an entry, `position` and `normal` 12. `ends` (u32 a vertex) becomes `base` plus the
 * number of entries up to and including each vertex.
 */
export function morphPlace(
  index: usize, kept: usize, sizes: usize, targets: u32, vertices: u32, base: u32,
  ends: usize, target: usize, position: usize, normal: usize,
): void {
  memory.fill(ends, 0, <usize>vertices << 2);
  let total: usize = 0;
  for (let t: u32 = 0; t < targets; t++) total += <usize>load<u32>(sizes + (<usize>t << 2));
  for (let p = index, stop = index + (total << 2); p < stop; p += 4) {
    const slot = ends + (<usize>load<u32>(p) << 2);
    store<u32>(slot, load<u32>(slot) + 1);
  }
  // counts become starts, and ends once the entries are in
  let sum: u32 = 0;
  for (let p = ends, stop = ends + (<usize>vertices << 2); p < stop; p += 4) {
    const n = load<u32>(p);
    store<u32>(p, sum);
    sum += n;
  }
  for (let t: u32 = 0; t < targets; t++) {
    for (const stop = index + (<usize>load<u32>(sizes + (<usize>t << 2)) << 2); index < stop; index += 4, kept += 24) {
      const slot = ends + (<usize>load<u32>(index) << 2), at = <usize>load<u32>(slot);
      store<u32>(slot, <u32>at + 1);
      store<u32>(target + (at << 2), t);
      const p = position + at * 12, n = normal + at * 12;
      store<u64>(p, load<u64>(kept));
      store<u32>(p, load<u32>(kept, 8), 8);
      store<u32>(n, load<u32>(kept, 12));
      store<u64>(n, load<u64>(kept, 16), 4);
    }
  }
  if (base) {
    for (let p = ends, stop = ends + (<usize>vertices << 2); p < stop; p += 4) store<u32>(p, load<u32>(p) + base);
  }
}
