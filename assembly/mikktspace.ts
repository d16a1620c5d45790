// MikkTSpace tangents, bit for bit: from vertex records and corner classes to one tangent a corner.
//
// The host packs and welds first (mikktspace_weld.ts), then calls, in this order, mikkDerive, mikkNeighbours, for the
// reference's bits mikkLastBucket (mikktspace_last_bucket.ts), mikkGroups, mikkAccumulate and mikkFinish. All data lie
// where the `Job` says.
// Everything is f32 in the reference's order of operations, save acos, which is f64 rounded to f32. Design note:
// mikktspace.md.
import { acosOf4 } from "./mikktspace_acos";
import { evaluateSplitGroup } from "./mikktspace_exact";
import { FLT_MIN, Job, next, NONE } from "./mikktspace_job";

/** Triangle flags. A degenerate one has two corners at one position; UV-degenerate ones join any group. */
export const DEGENERATE: u32 = 1;
export const ANY: u32 = 2;
export const POSITIVE: u32 = 4;

/** States of a corner without group, in `roots`; all lie above any corner number. */
const OPEN_NEGATIVE: u32 = 0xffffffff;
const OPEN_POSITIVE: u32 = 0xfffffffe;
const FIXED_NEGATIVE: u32 = 0xfffffffd; // UV-degenerate, orientation taken over from its first group
const FIXED_POSITIVE: u32 = 0xfffffffc;
const FREE: u32 = 0xfffffffb; // UV-degenerate, orientation still open
const OUTSIDE: u32 = 0xfffffffa; // degenerate
const FIRST_STATE: u32 = 0xfffffffa;

/** Edges of a bucket up to which a quadratic search is the fastest. */
const SMALL_BUCKET: u32 = 24;
/** Added to w of a group's sum for each member outside the guard cone. */
const OUTSIDE_CONE: f32 = 4;

/** True when two positions are equal; the fourth lane is ignored. */
// @ts-ignore: decorator
@inline
function isOnePlace(a: v128, b: v128): bool {
  return (i32x4.bitmask(f32x4.eq(a, b)) & 7) == 7;
}

/**
 * Derivatives of position along u and v for every triangle, its flags, and how many edges each class owns as the smaller
 * of its two classes. Returns the number of degenerate triangles.
 */
export function mikkDerive(j: usize): u32 {
  const job = changetype<Job>(j);
  const records = <usize>job.records, counts = <usize>job.counts;
  let id = <usize>job.ids, st = <usize>job.derivatives, flag = <usize>job.flags;
  const abs = i32x4.splat(0x7fffffff), min = f32x4.splat(FLT_MIN), xyz = i32x4(-1, -1, -1, 0);
  let degenerate: u32 = 0;
  memory.fill(counts, 0, (<usize>job.classes + 1) << 2);
  for (const end = flag + job.triangles; flag < end; flag++, id += 12, st += 32) {
    const a = load<u32>(id), b = load<u32>(id, 4), c = load<u32>(id, 8);
    const ra = records + (<usize>a << 5), rb = records + (<usize>b << 5), rc = records + (<usize>c << 5);
    const pa = v128.load(ra), pb = v128.load(rb), pc = v128.load(rc);
    if (isOnePlace(pa, pb) || isOnePlace(pa, pc) || isOnePlace(pb, pc)) {
      store<u8>(flag, DEGENERATE);
      degenerate++;
      continue;
    }
    // the smallest class owns two edges, the middle one the third
    const ab = min32(a, b), bc = min32(b, c), ca = min32(c, a);
    let slot = counts + (<usize>min32(ab, c) << 2);
    store<u32>(slot, load<u32>(slot) + 2);
    slot = counts + (<usize>max32(max32(ab, bc), ca) << 2);
    store<u32>(slot, load<u32>(slot) + 1);

    const d1 = f32x4.sub(pb, pa), d2 = f32x4.sub(pc, pa); // u differences in the fourth lane
    const va = v128.load32_splat(ra, 28);
    const y1 = f32x4.sub(v128.load32_splat(rb, 28), va), y2 = f32x4.sub(v128.load32_splat(rc, 28), va);
    const x1 = v128.shuffle<f32>(d1, d1, 3, 3, 3, 3), x2 = v128.shuffle<f32>(d2, d2, 3, 3, 3, 3);
    const s = f32x4.sub(f32x4.mul(y2, d1), f32x4.mul(y1, d2)); // fourth lane: twice the signed UV area
    const t = f32x4.add(f32x4.mul(f32x4.neg(x2), d1), f32x4.mul(x1, d2));
    const area = f32x4.extract_lane(s, 3);
    const positive = area > 0;
    if (!(abs32(area) > FLT_MIN)) {
      v128.store(st, f32x4.splat(0));
      v128.store(st, f32x4.splat(0), 16);
      store<u8>(flag, ANY | (positive ? POSITIVE : 0));
      continue;
    }
    // lengths of s and t in lanes 0 and 1
    const ss = f32x4.mul(s, s), tt = f32x4.mul(t, t);
    const xy = v128.shuffle<f32>(ss, tt, 0, 4, 1, 5);
    const sum = f32x4.add(f32x4.add(xy, v128.shuffle<f32>(xy, xy, 2, 3, 2, 3)), v128.shuffle<f32>(ss, tt, 2, 6, 2, 6));
    const length = f32x4.sqrt(sum);
    const scale = f32x4.div(f32x4.splat(positive ? 1 : -1), length);
    const some = f32x4.gt(length, min);
    const sOut = v128.and(f32x4.mul(s, v128.shuffle<f32>(scale, scale, 0, 0, 0, 0)), v128.and(v128.shuffle<f32>(some, some, 0, 0, 0, 0), xyz));
    const tOut = v128.and(f32x4.mul(t, v128.shuffle<f32>(scale, scale, 1, 1, 1, 1)), v128.and(v128.shuffle<f32>(some, some, 1, 1, 1, 1), xyz));
    v128.store(st, sOut);
    v128.store(st, tOut, 16);
    const magnitude = f32x4.div(length, v128.and(f32x4.splat(area), abs));
    const good = (i32x4.bitmask(f32x4.gt(magnitude, min)) & 3) == 3;
    store<u8>(flag, (good ? 0 : ANY) | (positive ? POSITIVE : 0));
  }
  return degenerate;
}

function min32(a: u32, b: u32): u32 {
  return a < b ? a : b;
}

function max32(a: u32, b: u32): u32 {
  return a < b ? b : a;
}

function abs32(x: f32): f32 {
  return abs<f32>(x);
}

/** Links edge `e` with the opposite edge `f` of another triangle: their common vertices follow each other in the fans. */
export function link(left: usize, right: usize, e: u32, f: u32): void {
  const afterE = next(e), afterF = next(f);
  store<u32>(left + (<usize>e << 2), afterF);
  store<u32>(left + (<usize>f << 2), afterE);
  store<u32>(right + (<usize>afterF << 2), e);
  store<u32>(right + (<usize>afterE << 2), f);
}

/** Leaves edge `e` without a partner. */
export function unlink(left: usize, right: usize, e: u32): void {
  store<u32>(left + (<usize>e << 2), NONE);
  store<u32>(right + (<usize>next(e) << 2), NONE);
}

/**
 * Pairs the edges: `left[c]` is the corner at the same vertex in the triangle across the edge that starts at c, `right[c]`
 * the one across the edge that ends there. An edge takes the first later edge of the same two classes, in triangle order,
 * that runs the other way and is not taken.
 */
export function mikkNeighbours(j: usize): void {
  const job = changetype<Job>(j);
  const ids = <usize>job.ids, flags = <usize>job.flags, entries = <usize>job.entries, counts = <usize>job.counts;
  const classes = job.classes, triangles = job.triangles;
  // counts become ends: filling a bucket backwards would reverse it, so starts move forward while scattering
  let sum: u32 = 0;
  for (let c: u32 = 0; c < classes; c++) {
    const p = counts + (<usize>c << 2);
    const n = load<u32>(p);
    store<u32>(p, sum);
    sum += n;
  }
  for (let t: u32 = 0; t < triangles; t++) {
    if (load<u8>(flags + t) & DEGENERATE) continue;
    const first = t * 3;
    const p = ids + (<usize>first << 2);
    const a = load<u32>(p), b = load<u32>(p, 4), c = load<u32>(p, 8);
    scatter(counts, entries, a, b, first);
    scatter(counts, entries, b, c, first + 1);
    scatter(counts, entries, c, a, first + 2);
  }
  let from: u32 = 0;
  for (let c: u32 = 0; c < classes; c++) {
    const to = load<u32>(counts + (<usize>c << 2));
    const p = entries + (<usize>from << 3), end = entries + (<usize>to << 3);
    pairBucket(job, p, end);
    from = to;
  }
}

/** Pairs the edges of one bucket, in their order. */
export function pairBucket(job: Job, p: usize, end: usize): void {
  if (<u32>((end - p) >> 3) <= SMALL_BUCKET) pairSmall(p, end, job.left, job.right);
  else pairLarge(p, end, job.left, job.right, job.out);
}

/** An entry: the larger class, and the edge with its direction in the lowest bit. */
function scatter(counts: usize, entries: usize, a: u32, b: u32, e: u32): void {
  const forward = a < b;
  const slot = counts + (<usize>(forward ? a : b) << 2);
  const at = load<u32>(slot);
  store<u32>(slot, at + 1);
  const p = entries + (<usize>at << 3);
  store<u64>(p, <u64>(forward ? b : a) | (<u64>(e << 1 | u32(forward)) << 32));
}

function pairSmall(p: usize, end: usize, left: usize, right: usize): void {
  for (; p < end; p += 8) {
    const hi = load<u32>(p);
    if (hi == NONE) continue; // taken
    const edge = load<u32>(p, 4);
    let q = p + 8;
    for (; q < end; q += 8) {
      if (load<u32>(q) == hi && ((load<u32>(q, 4) ^ edge) & 1)) break;
    }
    if (q < end) {
      link(left, right, edge >> 1, load<u32>(q, 4) >> 1);
      store<u32>(q, NONE);
    } else {
      unlink(left, right, edge >> 1);
    }
  }
}

/**
 * The same in linear time: edges that wait form one queue for each larger class. A queue holds one direction only, and its
 * oldest edge takes the next one of the other. While they wait, edges are linked in a ring through `left`.
 *
 * The table is where the tangents will be, and fits: a bucket holds two edges of a triangle at most, so fewer than
 * 3 · 2 · 8 = 48 bytes a triangle.
 */
function pairLarge(p: usize, end: usize, left: usize, right: usize, table: usize): void {
  const count = <u32>((end - p) >> 3);
  const slots = <u32>1 << (32 - clz(count + (count >> 1))), mask = slots - 1; // at least 1.5 · count, less than 3
  memory.fill(table, 0xff, <usize>slots << 3); // {class, last edge}
  for (; p < end; p += 8) {
    const hi = load<u32>(p), edge = load<u32>(p, 4);
    let at = (hi * 0x9e3779b1) >> 7 & mask;
    let slot = table + (<usize>at << 3);
    while (load<u32>(slot) != hi && load<u32>(slot) != NONE) {
      at = at + 1 & mask;
      slot = table + (<usize>at << 3);
    }
    store<u32>(slot, hi);
    const last = load<u32>(slot, 4);
    let first = edge;
    if (last != NONE) {
      first = waiting(left, last);
      if ((first ^ edge) & 1) {
        if (first == last) store<u32>(slot, NONE, 4);
        else wait(left, last, waiting(left, first));
        link(left, right, first >> 1, edge >> 1);
        continue;
      }
      wait(left, last, edge);
    }
    wait(left, edge, first);
    store<u32>(slot, edge, 4);
  }
  for (let slot = table, stop = table + (<usize>slots << 3); slot < stop; slot += 8) {
    const last = load<u32>(slot, 4);
    if (load<u32>(slot) == NONE || last == NONE) continue;
    let edge = waiting(left, last);
    while (true) {
      const after = waiting(left, edge);
      unlink(left, right, edge >> 1);
      if (edge == last) break;
      edge = after;
    }
  }
}

/** The edge behind `edge` in its ring; the first one behind the last. */
function waiting(left: usize, edge: u32): u32 {
  return load<u32>(left + (<usize>(edge >> 1) << 2));
}

function wait(left: usize, edge: u32, after: u32): void {
  store<u32>(left + (<usize>(edge >> 1) << 2), after);
}

/**
 * Gives every corner its group, named by the corner that opened it, and the group an empty sum. A group is a path or a circle
 * around one vertex.
 */
export function mikkGroups(j: usize): void {
  const job = changetype<Job>(j);
  const flags = <usize>job.flags, roots = <usize>job.roots, triangles = job.triangles;
  const left = <usize>job.left, right = <usize>job.right, out = <usize>job.out;
  let p = roots;
  for (let t: u32 = 0; t < triangles; t++, p += 12) {
    const f = load<u8>(flags + t);
    const state = f & DEGENERATE ? OUTSIDE : f & ANY ? FREE : f & POSITIVE ? OPEN_POSITIVE : OPEN_NEGATIVE;
    store<u32>(p, state);
    store<u32>(p, state, 4);
    store<u32>(p, state, 8);
  }
  const corners = triangles * 3;
  for (let c: u32 = 0; c < corners; c++) {
    const state = load<u32>(roots + (<usize>c << 2));
    if (state < OPEN_POSITIVE) continue;
    store<u32>(roots + (<usize>c << 2), c);
    v128.store(out + (<usize>c << 4), f32x4.splat(0));
    walk(left, roots, c, state);
    walk(right, roots, c, state);
  }
}

/** Follows a fan from the root until it ends, comes round, or meets a corner that may not join. */
function walk(links: usize, roots: usize, root: u32, open: u32): void {
  let c = load<u32>(links + (<usize>root << 2));
  while (c != NONE) {
    const p = roots + (<usize>c << 2);
    const state = load<u32>(p);
    if (state != open) {
      if (state == FREE) {
        // the first group to come fixes the orientation of all three corners
        const fixed = open == OPEN_POSITIVE ? FIXED_POSITIVE : FIXED_NEGATIVE;
        const triangle = roots + <usize>(c / 3) * 12;
        store<u32>(triangle, fixed);
        store<u32>(triangle, fixed, 4);
        store<u32>(triangle, fixed, 8);
      } else if (state != open - 2) {
        return;
      }
    }
    store<u32>(p, root);
    c = load<u32>(links + (<usize>c << 2));
  }
}

/** The projection of (x, y, z) into the planes at right angles to (nx, ny, nz): one component. */
// @ts-ignore: decorator
@inline
function removed(v: v128, d: v128, n: v128): v128 {
  return f32x4.sub(v, f32x4.mul(d, n));
}

// @ts-ignore: decorator
@inline
function dot3(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.mul(az, bz));
}

/** A vector whose square is near the subnormal numbers is only made unit where a component is above FLT_MIN. */
// @ts-ignore: decorator
@inline
function carefulScale(scale: v128, x: v128, y: v128, z: v128): v128 {
  const min = constant(MIN);
  const some = v128.or(v128.or(f32x4.gt(f32x4.abs(x), min), f32x4.gt(f32x4.abs(y), min)), f32x4.gt(f32x4.abs(z), min));
  return v128.bitselect(scale, constant(ONE), some);
}

/** Addresses of the entries that the three corners of triangle `t` name, in the first three lanes. */
// @ts-ignore: decorator
@inline
function entriesOf(numbers: usize, t: u32, shift: i32, base: usize): v128 {
  return i32x4.add(i32x4.shl(v128.load(numbers + <usize>t * 12), shift), i32x4.splat(<i32>base));
}

/** Derivatives of the triangle that opened the group of corner `c`. */
// @ts-ignore: decorator
@inline
function openerOf(derivatives: usize, roots: usize, c: u32): usize {
  // a third by way of the reciprocal, in one multiplication
  const third = <u64>load<u32>(roots + (<usize>c << 2)) * 0xaaaaaaab >> 33;
  return derivatives + (<usize>third << 5);
}

// Rows to columns: component 0, 1 or 2 of four vectors, by way of their interleaved pairs.
// @ts-ignore: decorator
@inline
function low(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 0, 4, 1, 5);
}
// @ts-ignore: decorator
@inline
function high(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 2, 6, 3, 7);
}
// @ts-ignore: decorator
@inline
function first(ab: v128, cd: v128): v128 {
  return v128.shuffle<f32>(ab, cd, 0, 1, 4, 5);
}
// @ts-ignore: decorator
@inline
function second(ab: v128, cd: v128): v128 {
  return v128.shuffle<f32>(ab, cd, 2, 3, 6, 7);
}

/** Vectors that the loops need, four of each: V8 puts a constant that is not in memory together anew at every use. */
const CONSTANTS = memory.data<f32>([
  1, 1, 1, 1, // ONE
  1e-30, 1e-30, 1e-30, 1e-30, // SAFE: squares above it are far from the subnormal numbers, and so is some component
  1.1754943508222875e-38, 1.1754943508222875e-38, 1.1754943508222875e-38, 1.1754943508222875e-38, // MIN
  4, 4, 4, 4, // BEYOND: OUTSIDE_CONE
], 16);
const ONE: usize = 0;
const SAFE: usize = 16;
const MIN: usize = 32;
const BEYOND: usize = 48;

// @ts-ignore: decorator
@inline
function constant(at: usize): v128 {
  return v128.load(CONSTANTS + at);
}

/** Scratch: projected derivatives x, y, z and marks of four triangles, for each of three corners. */
const derived = memory.data(192, 16);
/** The job's cone and its square, in all lanes. */
const cones = memory.data(32, 16);

/**
 * Adds what each corner contributes, its angle times the projected derivative along u, to the sum of its group, in triangle
 * order. Four triangles are four lanes. A group whose members all lie inside one cone around its root's derivatives has no
 * opposite pair and so no sub-groups; a member outside marks the sum.
 */
export function mikkAccumulate(j: usize): void {
  const job = changetype<Job>(j);
  const flags = <usize>job.flags, triangles = job.triangles;
  v128.store(cones, f32x4.splat(job.cone));
  v128.store(cones, f32x4.splat(job.cone * job.cone), 16);
  let t0: u32 = 0, t1: u32 = 0, t2: u32 = 0, count: u32 = 0;
  for (let t: u32 = 0; t < triangles; t++) {
    if (load<u8>(flags + t) & (ANY | DEGENERATE)) continue;
    if (count == 3) {
      four(job, t0, t1, t2, t, 4);
      count = 0;
      continue;
    }
    if (count == 0) t0 = t;
    else if (count == 1) t1 = t;
    else t2 = t;
    count++;
  }
  if (count == 1) four(job, t0, t0, t0, t0, 1);
  else if (count == 2) four(job, t0, t1, t1, t1, 2);
  else if (count == 3) four(job, t0, t1, t2, t2, 3);
}

/** The terms of four triangles, of which `count` are added. */
function four(job: Job, t0: u32, t1: u32, t2: u32, t3: u32, count: u32): void {
  const records = <usize>job.records, ids = <usize>job.ids, roots = <usize>job.roots, out = <usize>job.out;
  const derivatives = <usize>job.derivatives;

  // derivatives of the triangles, and edges: from each corner to the next
  const p0 = derivatives + (<usize>t0 << 5), p1 = derivatives + (<usize>t1 << 5), p2 = derivatives + (<usize>t2 << 5), p3 = derivatives + (<usize>t3 << 5);
  let a = v128.load(p0), b = v128.load(p1), c = v128.load(p2), d = v128.load(p3);
  let ab = low(a, b), cd = low(c, d);
  const sx = first(ab, cd), sy = second(ab, cd), sz = first(high(a, b), high(c, d));
  a = v128.load(p0, 16); b = v128.load(p1, 16); c = v128.load(p2, 16); d = v128.load(p3, 16);
  ab = low(a, b); cd = low(c, d);
  const tx = first(ab, cd), ty = second(ab, cd), tz = first(high(a, b), high(c, d));

  const r0 = entriesOf(ids, t0, 5, records), r1 = entriesOf(ids, t1, 5, records);
  const r2 = entriesOf(ids, t2, 5, records), r3 = entriesOf(ids, t3, 5, records);
  const a0 = <usize><u32>i32x4.extract_lane(r0, 0), b0 = <usize><u32>i32x4.extract_lane(r1, 0), c0 = <usize><u32>i32x4.extract_lane(r2, 0), d0 = <usize><u32>i32x4.extract_lane(r3, 0);
  const a1 = <usize><u32>i32x4.extract_lane(r0, 1), b1 = <usize><u32>i32x4.extract_lane(r1, 1), c1 = <usize><u32>i32x4.extract_lane(r2, 1), d1 = <usize><u32>i32x4.extract_lane(r3, 1);
  const a2 = <usize><u32>i32x4.extract_lane(r0, 2), b2 = <usize><u32>i32x4.extract_lane(r1, 2), c2 = <usize><u32>i32x4.extract_lane(r2, 2), d2 = <usize><u32>i32x4.extract_lane(r3, 2);
  a = v128.load(a0); b = v128.load(b0); c = v128.load(c0); d = v128.load(d0);
  ab = low(a, b); cd = low(c, d);
  const x0 = first(ab, cd), y0 = second(ab, cd), z0 = first(high(a, b), high(c, d));
  a = v128.load(a1); b = v128.load(b1); c = v128.load(c1); d = v128.load(d1);
  ab = low(a, b); cd = low(c, d);
  const x1 = first(ab, cd), y1 = second(ab, cd), z1 = first(high(a, b), high(c, d));
  a = v128.load(a2); b = v128.load(b2); c = v128.load(c2); d = v128.load(d2);
  ab = low(a, b); cd = low(c, d);
  const x2 = first(ab, cd), y2 = second(ab, cd), z2 = first(high(a, b), high(c, d));
  const ex0 = f32x4.sub(x1, x0), ey0 = f32x4.sub(y1, y0), ez0 = f32x4.sub(z1, z0);
  const ex1 = f32x4.sub(x2, x1), ey1 = f32x4.sub(y2, y1), ez1 = f32x4.sub(z2, z1);
  const ex2 = f32x4.sub(x0, x2), ey2 = f32x4.sub(y0, y2), ez2 = f32x4.sub(z0, z2);

  a = v128.load(a0, 16); b = v128.load(b0, 16); c = v128.load(c0, 16); d = v128.load(d0, 16);
  ab = low(a, b); cd = low(c, d);
  const nx0 = first(ab, cd), ny0 = second(ab, cd), nz0 = first(high(a, b), high(c, d));
  a = v128.load(a1, 16); b = v128.load(b1, 16); c = v128.load(c1, 16); d = v128.load(d1, 16);
  ab = low(a, b); cd = low(c, d);
  const nx1 = first(ab, cd), ny1 = second(ab, cd), nz1 = first(high(a, b), high(c, d));
  a = v128.load(a2, 16); b = v128.load(b2, 16); c = v128.load(c2, 16); d = v128.load(d2, 16);
  ab = low(a, b); cd = low(c, d);
  const nx2 = first(ab, cd), ny2 = second(ab, cd), nz2 = first(high(a, b), high(c, d));

  // each step for all three corners before the next one: their long chains of roots and divisions run side by side
  const cos0 = cosine(ex2, ey2, ez2, ex0, ey0, ez0, nx0, ny0, nz0);
  const cos1 = cosine(ex0, ey0, ez0, ex1, ey1, ez1, nx1, ny1, nz1);
  const cos2 = cosine(ex1, ey1, ez1, ex2, ey2, ez2, nx2, ny2, nz2);
  const k0 = t0 * 3, k1 = t1 * 3, k2 = t2 * 3, k3 = t3 * 3;
  corner(
    derived, nx0, ny0, nz0, sx, sy, sz, tx, ty, tz,
    openerOf(derivatives, roots, k0), openerOf(derivatives, roots, k1), openerOf(derivatives, roots, k2), openerOf(derivatives, roots, k3),
  );
  corner(
    derived + 64, nx1, ny1, nz1, sx, sy, sz, tx, ty, tz,
    openerOf(derivatives, roots, k0 + 1), openerOf(derivatives, roots, k1 + 1), openerOf(derivatives, roots, k2 + 1), openerOf(derivatives, roots, k3 + 1),
  );
  corner(
    derived + 128, nx2, ny2, nz2, sx, sy, sz, tx, ty, tz,
    openerOf(derivatives, roots, k0 + 2), openerOf(derivatives, roots, k1 + 2), openerOf(derivatives, roots, k2 + 2), openerOf(derivatives, roots, k3 + 2),
  );

  // last, so that the next triangles are fetched while these chains run
  const angle0 = acosOf4(cos0), angle1 = acosOf4(cos1), angle2 = acosOf4(cos2);
  const u0 = f32x4.mul(angle0, v128.load(derived)), v0 = f32x4.mul(angle0, v128.load(derived, 16)), w0 = f32x4.mul(angle0, v128.load(derived, 32)), m0 = v128.load(derived, 48);
  const u1 = f32x4.mul(angle1, v128.load(derived, 64)), v1 = f32x4.mul(angle1, v128.load(derived, 80)), w1 = f32x4.mul(angle1, v128.load(derived, 96)), m1 = v128.load(derived, 112);
  const u2 = f32x4.mul(angle2, v128.load(derived, 128)), v2 = f32x4.mul(angle2, v128.load(derived, 144)), w2 = f32x4.mul(angle2, v128.load(derived, 160)), m2 = v128.load(derived, 176);

  // triangle by triangle, for two of them may add to one sum
  const uvA = low(u0, v0), wmA = low(w0, m0), uvB = low(u1, v1), wmB = low(w1, m1), uvC = low(u2, v2), wmC = low(w2, m2);
  add(entriesOf(roots, t0, 4, out), first(uvA, wmA), first(uvB, wmB), first(uvC, wmC));
  if (count < 2) return;
  add(entriesOf(roots, t1, 4, out), second(uvA, wmA), second(uvB, wmB), second(uvC, wmC));
  if (count < 3) return;
  const uvD = high(u0, v0), wmD = high(w0, m0), uvE = high(u1, v1), wmE = high(w1, m1), uvF = high(u2, v2), wmF = high(w2, m2);
  add(entriesOf(roots, t2, 4, out), first(uvD, wmD), first(uvE, wmE), first(uvF, wmF));
  if (count < 4) return;
  add(entriesOf(roots, t3, 4, out), second(uvD, wmD), second(uvE, wmE), second(uvF, wmF));
}

/**
 * Cosine of the angle at a corner of four triangles, in the plane of the normal: from the edge that ends there and the edge
 * that starts there.
 */
// @ts-ignore: decorator
@inline
function cosine(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128, nx: v128, ny: v128, nz: v128): v128 {
  let d = dot3(ax, ay, az, nx, ny, nz);
  ax = removed(ax, d, nx); ay = removed(ay, d, ny); az = removed(az, d, nz);
  d = dot3(bx, by, bz, nx, ny, nz);
  bx = removed(bx, d, nx); by = removed(by, d, ny); bz = removed(bz, d, nz);
  const aa = dot3(ax, ay, az, ax, ay, az), bb = dot3(bx, by, bz, bx, by, bz);
  const one = constant(ONE), safe = constant(SAFE);
  let aScale = f32x4.div(one, f32x4.sqrt(aa)), bScale = f32x4.div(one, f32x4.sqrt(bb));
  if (i32x4.bitmask(v128.and(f32x4.gt(aa, safe), f32x4.gt(bb, safe))) != 15) {
    aScale = carefulScale(aScale, ax, ay, az);
    bScale = carefulScale(bScale, bx, by, bz);
  }
  ax = f32x4.mul(ax, aScale); ay = f32x4.mul(ay, aScale); az = f32x4.mul(az, aScale);
  bx = f32x4.mul(bx, bScale); by = f32x4.mul(by, bScale); bz = f32x4.mul(bz, bScale);
  // the edge that ends here comes from the corner before: its direction is turned round
  return f32x4.neg(dot3(ax, ay, az, bx, by, bz));
}

/**
 * One corner of four triangles: their normals there, derivatives along u and v, and where those of the triangles that opened
 * the groups are. Writes x, y, z of the derivatives along u in the corner's plane, unit, and the marks.
 */
// @ts-ignore: decorator
@inline
function corner(
  to: usize, nx: v128, ny: v128, nz: v128,
  sx: v128, sy: v128, sz: v128, tx: v128, ty: v128, tz: v128,
  oa: usize, ob: usize, oc: usize, od: usize,
): void {
  // both derivatives in the corner's plane, the first made unit
  let d = dot3(sx, sy, sz, nx, ny, nz);
  sx = removed(sx, d, nx); sy = removed(sy, d, ny); sz = removed(sz, d, nz);
  d = dot3(tx, ty, tz, nx, ny, nz);
  tx = removed(tx, d, nx); ty = removed(ty, d, ny); tz = removed(tz, d, nz);
  const ss = dot3(sx, sy, sz, sx, sy, sz), safe = constant(SAFE);
  let scale = f32x4.div(constant(ONE), f32x4.sqrt(ss));
  if (i32x4.bitmask(f32x4.gt(ss, safe)) != 15) scale = carefulScale(scale, sx, sy, sz);
  sx = f32x4.mul(sx, scale); sy = f32x4.mul(sy, scale); sz = f32x4.mul(sz, scale);
  v128.store(to, sx);
  v128.store(to, sy, 16);
  v128.store(to, sz, 32);

  // the guard: against the derivatives of the triangles that opened the groups
  let a = v128.load(oa), b = v128.load(ob), c = v128.load(oc), e = v128.load(od);
  let ab = low(a, b), cd = low(c, e);
  let inside = f32x4.gt(dot3(sx, sy, sz, first(ab, cd), second(ab, cd), first(high(a, b), high(c, e))), v128.load(cones));
  a = v128.load(oa, 16); b = v128.load(ob, 16); c = v128.load(oc, 16); e = v128.load(od, 16);
  ab = low(a, b); cd = low(c, e);
  const along = dot3(tx, ty, tz, first(ab, cd), second(ab, cd), first(high(a, b), high(c, e)));
  const square = dot3(tx, ty, tz, tx, ty, tz);
  // along > cone · |t|, squared
  inside = v128.and(inside, v128.and(f32x4.gt(along, f32x4.splat(0)), f32x4.gt(square, safe)));
  inside = v128.and(inside, f32x4.gt(f32x4.mul(along, along), f32x4.mul(v128.load(cones, 16), square)));
  v128.store(to, v128.andnot(constant(BEYOND), inside), 48);
}

/** Adds three terms to the sums at three places, which may be one. */
// @ts-ignore: decorator
@inline
function add(places: v128, x: v128, y: v128, z: v128): void {
  let p = <usize><u32>i32x4.extract_lane(places, 0);
  v128.store(p, f32x4.add(v128.load(p), x));
  p = <usize><u32>i32x4.extract_lane(places, 1);
  v128.store(p, f32x4.add(v128.load(p), y));
  p = <usize><u32>i32x4.extract_lane(places, 2);
  v128.store(p, f32x4.add(v128.load(p), z));
}

/** Normalises x, y, z of a sum as the reference does and gives it the sign w. */
export function finished(sum: v128, w: f32): v128 {
  const square = f32x4.mul(sum, sum);
  const x = f32x4.extract_lane(sum, 0), y = f32x4.extract_lane(sum, 1), z = f32x4.extract_lane(sum, 2);
  let unit = sum;
  if (abs<f32>(x) > FLT_MIN || abs<f32>(y) > FLT_MIN || abs<f32>(z) > FLT_MIN) {
    const l2 = (f32x4.extract_lane(square, 0) + f32x4.extract_lane(square, 1)) + f32x4.extract_lane(square, 2);
    unit = f32x4.mul(sum, f32x4.splat(<f32>1 / sqrt<f32>(l2)));
  }
  return f32x4.replace_lane(unit, 3, w);
}

/** Turns sums into tangents and gives every corner its group's. Returns false when memory ends. */
function finish(job: Job): bool {
  const roots = <usize>job.roots, out = <usize>job.out, corners = job.triangles * 3;
  const fallback = f32x4(1, 0, 0, -job.sign);
  let early = false;
  for (let c: u32 = 0; c < corners; c++) {
    const root = load<u32>(roots + (<usize>c << 2)), p = out + (<usize>c << 4);
    if (root < c) {
      v128.store(p, v128.load(out + (<usize>root << 4)));
    } else if (root == c) {
      const sum = v128.load(p), mark = f32x4.extract_lane(sum, 3);
      const w = load<u8>(<usize>job.flags + c / 3) & POSITIVE ? job.sign : -job.sign;
      if (mark == 0 && !job.spaces) v128.store(p, finished(sum, w));
      else if ((mark == 0 || mark >= OUTSIDE_CONE) && !evaluateSplitGroup(job, c, w, mark == 0)) return false;
      // else a member of a group that fell apart: done
    } else if (root >= FIRST_STATE) {
      v128.store(p, fallback);
    } else {
      early = true; // a UV-degenerate corner before the root of its group
    }
  }
  if (early) {
    for (let c: u32 = 0; c < corners; c++) {
      const root = load<u32>(roots + (<usize>c << 2));
      if (root > c && root < FIRST_STATE) v128.store(out + (<usize>c << 4), v128.load(out + (<usize>root << 4)));
    }
  }
  return true;
}

/** Corners of degenerate triangles take the tangent of the first good corner of their class, if there is one. */
function fillDegenerate(job: Job): void {
  const ids = <usize>job.ids, flags = <usize>job.flags, out = <usize>job.out, first = <usize>job.counts;
  const triangles = job.triangles;
  memory.fill(first, 0xff, <usize>job.classes << 2);
  for (let t = triangles; t-- > 0;) {
    if (load<u8>(flags + t) & DEGENERATE) continue;
    for (let c = t * 3 + 2, i = 0; i < 3; c--, i++) {
      store<u32>(first + (<usize>load<u32>(ids + (<usize>c << 2)) << 2), c);
    }
  }
  for (let t: u32 = 0; t < triangles; t++) {
    if (!(load<u8>(flags + t) & DEGENERATE)) continue;
    for (let c = t * 3, end = c + 3; c < end; c++) {
      const from = load<u32>(first + (<usize>load<u32>(ids + (<usize>c << 2)) << 2));
      if (from != NONE) v128.store(out + (<usize>c << 4), v128.load(out + (<usize>from << 4)));
    }
  }
}

/** Makes sums tangents and writes one for each corner. Returns false when memory ends. */
export function mikkFinish(j: usize, degenerate: u32): bool {
  const job = changetype<Job>(j);
  if (!finish(job)) return false;
  if (degenerate > 0 && !job.places) fillDegenerate(job);
  return true;
}
