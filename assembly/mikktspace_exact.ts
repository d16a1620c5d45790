// Groups that may fall apart. Every member of a group joins with the members whose derivatives are not beyond the angular
// threshold from its own; members with equal sets share one tangent, the sum over the set in triangle order.
//
// Sets are rows of bits, made four members at a time and never kept: a row is found again by its hash and checked by making
// the other one anew, so memory stays linear.
import { acosOf4 } from "./mikktspace_acos";
import { arenaAlloc, arenaMark, arenaRelease } from "./arena";
import { FLT_MIN, Job, next, NONE, previous } from "./mikktspace_job";
import { ANY, finished } from "./mikktspace";
import { magnitudes } from "./mikktspace_quads";

/** Members of a group in walking order; returns how many. With `to` 0 it only counts. */
function collect(job: Job, root: u32, to: usize): u32 {
  const roots = <usize>job.roots;
  let count: u32 = 1;
  if (to) store<u32>(to, root);
  for (let side = 0; side < 2; side++) {
    const links = <usize>(side ? job.right : job.left);
    let c = load<u32>(links + (<usize>root << 2));
    while (c != NONE && c != root && load<u32>(roots + (<usize>c << 2)) == root) {
      if (to) store<u32>(to + (<usize>count << 2), c);
      count++;
      c = load<u32>(links + (<usize>c << 2));
    }
    if (c == root) break; // a circle: the other side is the same corners
  }
  return count;
}

/** Sorts `n` numbers at `a`, ascending, with `n` numbers of room at `b`: merges runs of 1, 2, 4, … */
export function sortNumbers(a: usize, b: usize, n: u32): void {
  let from = a, to = b;
  for (let width: u32 = 1; width < n; width <<= 1) {
    for (let start: u32 = 0; start < n; start += width << 1) {
      const middle = min<u32>(start + width, n), end = min<u32>(middle + width, n);
      let i = start, k = middle, p = to + (<usize>start << 2);
      while (i < middle || k < end) {
        const x = i < middle ? load<u32>(from + (<usize>i << 2)) : NONE;
        const y = k < end ? load<u32>(from + (<usize>k << 2)) : NONE;
        if (k >= end || (i < middle && x <= y)) {
          store<u32>(p, x);
          i++;
        } else {
          store<u32>(p, y);
          k++;
        }
        p += 4;
      }
    }
    const swap = from;
    from = to;
    to = swap;
  }
  if (from != a) memory.copy(a, from, <usize>n << 2);
}

/** Horizontal (x + y) + z of a vector. */
// @ts-ignore: decorator
@inline
function sum3(v: v128): f32 {
  return (f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1)) + f32x4.extract_lane(v, 2);
}

/** A vector in the plane at right angles to n, unit where it has a length; fourth lane undefined. */
function projected(v: v128, n: v128): v128 {
  const flat = f32x4.sub(v, f32x4.mul(f32x4.splat(sum3(f32x4.mul(n, v))), n));
  const x = f32x4.extract_lane(flat, 0), y = f32x4.extract_lane(flat, 1), z = f32x4.extract_lane(flat, 2);
  if (!(abs<f32>(x) > FLT_MIN || abs<f32>(y) > FLT_MIN || abs<f32>(z) > FLT_MIN)) return flat;
  return f32x4.mul(flat, f32x4.splat(<f32>1 / sqrt<f32>(sum3(f32x4.mul(flat, flat)))));
}

/** The angle of corner `c` in the plane of its normal. */
function cornerAngle(job: Job, c: u32, p: v128, n: v128): f32 {
  const ids = <usize>job.ids, records = <usize>job.records;
  const before = v128.load(records + (<usize>load<u32>(ids + (<usize>previous(c) << 2)) << 5));
  const after = v128.load(records + (<usize>load<u32>(ids + (<usize>next(c) << 2)) << 5));
  const a = projected(f32x4.sub(before, p), n), b = projected(f32x4.sub(after, p), n);
  return f32x4.extract_lane(acosOf4(f32x4.splat(sum3(f32x4.mul(a, b)))), 0);
}

/** The arrays of one group. */
@unmanaged
class Split {
  members: usize;
  /** Six arrays of f32, `stride` bytes each: projected derivatives x y z along u, x y z along v. */
  vectors: usize;
  stride: usize;
  /** 0 or −1, 4 bytes a member: joins everything. */
  any: usize;
  /** 16 bytes a member: angle times the derivative along u. */
  terms: usize;
  /** Quads: 32 bytes a member: angle times the derivative along v; angle times both magnitudes, and the angle. */
  more: usize;
  count: u32;
}

/** Makes the row of member `i`: one byte for four members. Returns its hash. */
function makeRow(job: Job, g: Split, i: u32, row: usize): u32 {
  const v = g.vectors, stride = g.stride, at = v + (<usize>i << 2);
  const sx = v128.load32_splat(at), sy = v128.load32_splat(at + stride), sz = v128.load32_splat(at + stride * 2);
  const tx = v128.load32_splat(at + stride * 3), ty = v128.load32_splat(at + stride * 4), tz = v128.load32_splat(at + stride * 5);
  const mine = v128.load32_splat(g.any + (<usize>i << 2));
  const threshold = f32x4.splat(job.threshold);
  let hash: u32 = 0x811c9dc5;
  for (let p = v, end = v + (<usize>g.count << 2), any = g.any, to = row; p < end; p += 16, any += 16, to++) {
    const s = f32x4.add(f32x4.add(f32x4.mul(sx, v128.load(p)), f32x4.mul(sy, v128.load(p + stride))), f32x4.mul(sz, v128.load(p + stride * 2)));
    const t = f32x4.add(f32x4.add(f32x4.mul(tx, v128.load(p + stride * 3)), f32x4.mul(ty, v128.load(p + stride * 4))), f32x4.mul(tz, v128.load(p + stride * 5)));
    const near = v128.and(f32x4.gt(s, threshold), f32x4.gt(t, threshold));
    const bits = i32x4.bitmask(v128.or(near, v128.or(mine, v128.load(any))));
    store<u8>(to, bits);
  }
  // a triangle joins itself, and the other half of its quad, whatever the angles
  setBit(row, i);
  if (job.faces) {
    const face = faceOf(job, g, i);
    if (i > 0 && faceOf(job, g, i - 1) == face) setBit(row, i - 1);
    if (i + 1 < g.count && faceOf(job, g, i + 1) == face) setBit(row, i + 1);
  }
  // bits beyond the last member
  const last = row + <usize>((g.count - 1) >> 2), rest = g.count & 3;
  if (rest) store<u8>(last, <u32>load<u8>(last) & (<u32>1 << rest) - 1);
  for (let p = row; p <= last; p++) hash = (hash ^ load<u8>(p)) * 0x01000193;
  return hash ^ hash >>> 15;
}

function setBit(row: usize, i: u32): void {
  const p = row + <usize>(i >> 2);
  store<u8>(p, <u32>load<u8>(p) | <u32>1 << (i & 3));
}

function faceOf(job: Job, g: Split, i: u32): u32 {
  return load<u32>(<usize>job.faces + (<usize>(load<u32>(g.members + (<usize>i << 2)) / 3) << 2));
}

/** The sum over a row, in triangle order. */
function sumRow(terms: usize, count: u32, row: usize): v128 {
  let sum = f32x4.splat(0);
  for (let i: u32 = 0; i < count; i++) {
    if (load<u8>(row + <usize>(i >> 2)) >> (i & 3) & 1) sum = f32x4.add(sum, v128.load(terms + (<usize>i << 4)));
  }
  return sum;
}

/** For quads also T and the magnitudes of a row. `more` holds 32 bytes a member: angle times T, angle times magnitudes, angle. */
function storeSpace(more: usize, count: u32, row: usize, to: usize): void {
  let t = f32x4.splat(0), m = f32x4.splat(0);
  for (let i: u32 = 0; i < count; i++) {
    if (!(load<u8>(row + <usize>(i >> 2)) >> (i & 3) & 1)) continue;
    t = f32x4.add(t, v128.load(more + (<usize>i << 5)));
    m = f32x4.add(m, v128.load(more + (<usize>i << 5), 16));
  }
  const angles = f32x4.extract_lane(m, 2);
  if (angles > 0) m = f32x4.div(m, f32x4.splat(angles));
  v128.store(to, finished(t, 0));
  v128.store(to, m, 16);
}

/**
 * Writes the tangents of all members of the group that `root` opened, and makes every member its own root. A `whole` group
 * is known to have one set only. Returns false when memory ends.
 */
export function evaluateSplitGroup(job: Job, root: u32, w: f32, whole: bool): bool {
  const out = <usize>job.out, spaces = <usize>job.spaces;
  const count = collect(job, root, 0);
  if (count == 1 && !spaces) {
    const p = out + (<usize>root << 4);
    v128.store(p, finished(v128.load(p), w));
    return true;
  }
  const mark = arenaMark();
  const padded = <usize>(count + 3 & ~3), slots = <usize>1 << (32 - clz(count + (count >> 1)));
  const rowBytes = (padded >> 2) + 31 & ~15;
  const need = <u64>padded * (spaces ? 72 : 40) + <u64>slots * 8 + <u64>rowBytes * 2 + 64;
  const block: usize = need > 0xffff0000 ? 0 : arenaAlloc(<u32>need);
  if (block == 0) return false;
  const g = changetype<Split>(block);
  g.count = count;
  g.stride = padded << 2;
  g.terms = block + 64;
  g.vectors = g.terms + (padded << 4);
  g.more = spaces ? g.vectors + padded * 24 : 0;
  const table = g.vectors + padded * (spaces ? 56 : 24), row = table + (slots << 3), other = row + rowBytes;
  // the upper half of the edge buckets is free: 12 bytes a triangle
  g.members = <usize>job.entries + <usize>job.triangles * 12 + 15 & ~15;
  g.any = g.members + (padded << 2);
  collect(job, root, g.members);
  sortNumbers(g.members, g.vectors, count);
  fill(job, g);
  memory.fill(table, 0, slots << 3); // {member + 1, hash}
  for (let i: u32 = 0; i < count; i++) {
    if (whole && i > 0) {
      copySpace(out, spaces, load<u32>(g.members), load<u32>(g.members + (<usize>i << 2)));
      continue;
    }
    const hash = whole ? fullRow(g, row) : makeRow(job, g, i, row);
    let at = <usize>hash & slots - 1, slot = table + (at << 3), twin: u32 = 0;
    while ((twin = load<u32>(slot)) != 0) {
      if (load<u32>(slot, 4) == hash) {
        makeRow(job, g, twin - 1, other);
        if (memory.compare(row, other, padded >> 2) == 0) break;
      }
      at = at + 1 & slots - 1;
      slot = table + (at << 3);
    }
    const c = load<u32>(g.members + (<usize>i << 2));
    if (twin) {
      copySpace(out, spaces, load<u32>(g.members + (<usize>(twin - 1) << 2)), c);
    } else {
      store<u32>(slot, i + 1);
      store<u32>(slot, hash, 4);
      v128.store(out + (<usize>c << 4), finished(sumRow(g.terms, count, row), w));
      if (spaces) storeSpace(g.more, count, row, spaces + (<usize>c << 5));
    }
  }
  for (let i: u32 = 0; i < count; i++) {
    const c = load<u32>(g.members + (<usize>i << 2));
    store<u32>(<usize>job.roots + (<usize>c << 2), c);
  }
  arenaRelease(mark);
  return true;
}

/** The row of all members. */
function fullRow(g: Split, row: usize): u32 {
  memory.fill(row, 15, <usize>(g.count + 3 >> 2));
  return 0;
}

function copySpace(out: usize, spaces: usize, from: u32, to: u32): void {
  v128.store(out + (<usize>to << 4), v128.load(out + (<usize>from << 4)));
  if (spaces) memory.copy(spaces + (<usize>to << 5), spaces + (<usize>from << 5), 32);
}

/** Projects the derivatives of every member and makes its term. */
function fill(job: Job, g: Split): void {
  const records = <usize>job.records, ids = <usize>job.ids;
  memory.fill(g.vectors, 0, g.stride * 6);
  const mine = records + (<usize>load<u32>(ids + (<usize>load<u32>(g.members) << 2)) << 5);
  const p = v128.load(mine), n = v128.load(mine, 16);
  for (let i: u32 = 0; i < g.count; i++) {
    const c = load<u32>(g.members + (<usize>i << 2)), t = c / 3;
    const st = <usize>job.derivatives + (<usize>t << 5);
    const s = projected(v128.load(st), n), v = projected(v128.load(st, 16), n);
    const at = g.vectors + (<usize>i << 2);
    store<f32>(at, f32x4.extract_lane(s, 0));
    store<f32>(at + g.stride, f32x4.extract_lane(s, 1));
    store<f32>(at + g.stride * 2, f32x4.extract_lane(s, 2));
    store<f32>(at + g.stride * 3, f32x4.extract_lane(v, 0));
    store<f32>(at + g.stride * 4, f32x4.extract_lane(v, 1));
    store<f32>(at + g.stride * 5, f32x4.extract_lane(v, 2));
    const any = (load<u8>(<usize>job.flags + t) & ANY) != 0;
    store<i32>(g.any + (<usize>i << 2), any ? -1 : 0);
    const angle = any ? f32x4.splat(0) : f32x4.splat(cornerAngle(job, c, p, n));
    v128.store(g.terms + (<usize>i << 4), any ? angle : f32x4.mul(angle, s));
    if (g.more) {
      v128.store(g.more + (<usize>i << 5), any ? angle : f32x4.mul(angle, v));
      v128.store(g.more + (<usize>i << 5), any ? angle : f32x4.mul(angle, magnitudes(job, t)), 16);
    }
  }
}
