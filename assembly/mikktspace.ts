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
/** Squares above this are far from f32's subnormal range, and so is at least one component. */
const SAFE_SQUARE: f32 = 1e-30;

/** True when two of three positions are equal; the fourth lane is ignored. */
function isDegenerate(a: v128, b: v128, c: v128): bool {
  const fourth = i32x4(0, 0, 0, -1);
  return i32x4.all_true(v128.or(f32x4.eq(a, b), fourth)) ||
    i32x4.all_true(v128.or(f32x4.eq(a, c), fourth)) ||
    i32x4.all_true(v128.or(f32x4.eq(b, c), fourth));
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
    if (isDegenerate(pa, pb, pc)) {
      store<u8>(flag, DEGENERATE);
      degenerate++;
      continue;
    }
    let slot = counts + (<usize>min32(a, b) << 2);
    store<u32>(slot, load<u32>(slot) + 1);
    slot = counts + (<usize>min32(b, c) << 2);
    store<u32>(slot, load<u32>(slot) + 1);
    slot = counts + (<usize>min32(c, a) << 2);
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

/** Gives every corner its group, named by the corner that opened it. A group is a path or a circle around one vertex. */
export function mikkGroups(j: usize): void {
  const job = changetype<Job>(j);
  const flags = <usize>job.flags, roots = <usize>job.roots, triangles = job.triangles;
  const left = <usize>job.left, right = <usize>job.right;
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

/** 1 / length where a component is above FLT_MIN, else 1: what a vector is multiplied with to become unit. */
function unitScale(x: v128, y: v128, z: v128, square: v128): v128 {
  const one = f32x4.splat(1);
  const scale = f32x4.div(one, f32x4.sqrt(square));
  if (i32x4.all_true(f32x4.gt(square, f32x4.splat(SAFE_SQUARE)))) return scale;
  const min = f32x4.splat(FLT_MIN);
  const some = v128.or(v128.or(f32x4.gt(f32x4.abs(x), min), f32x4.gt(f32x4.abs(y), min)), f32x4.gt(f32x4.abs(z), min));
  return v128.bitselect(scale, one, some);
}

/** Adds a term to the sum of a group. The root is the first that comes: its sum starts from 0 and needs no clearing. */
// @ts-ignore: decorator
@inline
function add(out: usize, roots: usize, c: u32, term: v128): void {
  const root = load<u32>(roots + (<usize>c << 2)), p = out + (<usize>root << 4);
  v128.store(p, f32x4.add(v128.and(v128.load(p), i32x4.splat(i32(root == c) - 1)), term));
}

/** Record of corner `k` of a triangle. */
// @ts-ignore: decorator
@inline
function recordOf(records: usize, ids: usize, t: u32, k: u32): usize {
  return records + (<usize>load<u32>(ids + (<usize>(t * 3 + k) << 2)) << 5);
}

/** Derivatives of the triangle that opened the group of corner `c`. */
// @ts-ignore: decorator
@inline
function openerOf(derivatives: usize, roots: usize, c: u32): usize {
  return derivatives + (<usize>(load<u32>(roots + (<usize>c << 2)) / 3) << 5);
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

/** Three scratch vectors for each of three corners: the terms of four triangles, by component. */
const terms = memory.data(144, 16);
const marks = memory.data(48, 16);

/**
 * Adds what each corner contributes, its angle times the projected derivative along u, to the sum of its group, in triangle
 * order. Four triangles are four lanes. A group whose members all lie inside one cone around its root's derivatives has no
 * opposite pair and so no sub-groups; a member outside marks the sum.
 */
export function mikkAccumulate(j: usize): void {
  const job = changetype<Job>(j);
  const flags = <usize>job.flags, triangles = job.triangles;
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
  const cone = f32x4.splat(job.cone), coneSquare = f32x4.splat(job.cone * job.cone);
  const zero = f32x4.splat(0), safe = f32x4.splat(SAFE_SQUARE), outside = f32x4.splat(OUTSIDE_CONE);

  // derivatives of the triangles, and positions of their corners
  let p0 = derivatives + (<usize>t0 << 5), p1 = derivatives + (<usize>t1 << 5), p2 = derivatives + (<usize>t2 << 5), p3 = derivatives + (<usize>t3 << 5);
  let ab = low(v128.load(p0), v128.load(p1)), cd = low(v128.load(p2), v128.load(p3));
  const sx = first(ab, cd), sy = second(ab, cd), sz = first(high(v128.load(p0), v128.load(p1)), high(v128.load(p2), v128.load(p3)));
  ab = low(v128.load(p0, 16), v128.load(p1, 16)); cd = low(v128.load(p2, 16), v128.load(p3, 16));
  const tx = first(ab, cd), ty = second(ab, cd), tz = first(high(v128.load(p0, 16), v128.load(p1, 16)), high(v128.load(p2, 16), v128.load(p3, 16)));

  p0 = recordOf(records, ids, t0, 2); p1 = recordOf(records, ids, t1, 2); p2 = recordOf(records, ids, t2, 2); p3 = recordOf(records, ids, t3, 2);
  ab = low(v128.load(p0), v128.load(p1)); cd = low(v128.load(p2), v128.load(p3));
  let beforeX = first(ab, cd), beforeY = second(ab, cd), beforeZ = first(high(v128.load(p0), v128.load(p1)), high(v128.load(p2), v128.load(p3)));
  p0 = recordOf(records, ids, t0, 0); p1 = recordOf(records, ids, t1, 0); p2 = recordOf(records, ids, t2, 0); p3 = recordOf(records, ids, t3, 0);
  ab = low(v128.load(p0), v128.load(p1)); cd = low(v128.load(p2), v128.load(p3));
  let hereX = first(ab, cd), hereY = second(ab, cd), hereZ = first(high(v128.load(p0), v128.load(p1)), high(v128.load(p2), v128.load(p3)));

  for (let k: u32 = 0; k < 3; k++) {
    const ra = p0, rb = p1, rc = p2, rd = p3;
    const after = k == 2 ? 0 : k + 1;
    p0 = recordOf(records, ids, t0, after); p1 = recordOf(records, ids, t1, after); p2 = recordOf(records, ids, t2, after); p3 = recordOf(records, ids, t3, after);
    ab = low(v128.load(p0), v128.load(p1)); cd = low(v128.load(p2), v128.load(p3));
    const afterX = first(ab, cd), afterY = second(ab, cd), afterZ = first(high(v128.load(p0), v128.load(p1)), high(v128.load(p2), v128.load(p3)));
    ab = low(v128.load(ra, 16), v128.load(rb, 16)); cd = low(v128.load(rc, 16), v128.load(rd, 16));
    const nx = first(ab, cd), ny = second(ab, cd), nz = first(high(v128.load(ra, 16), v128.load(rb, 16)), high(v128.load(rc, 16), v128.load(rd, 16)));

    // edges to the previous and to the next corner, in the corner's plane, unit
    let ax = f32x4.sub(beforeX, hereX), ay = f32x4.sub(beforeY, hereY), az = f32x4.sub(beforeZ, hereZ);
    let d = dot3(ax, ay, az, nx, ny, nz);
    ax = removed(ax, d, nx); ay = removed(ay, d, ny); az = removed(az, d, nz);
    let scale = unitScale(ax, ay, az, dot3(ax, ay, az, ax, ay, az));
    ax = f32x4.mul(ax, scale); ay = f32x4.mul(ay, scale); az = f32x4.mul(az, scale);
    let bx = f32x4.sub(afterX, hereX), by = f32x4.sub(afterY, hereY), bz = f32x4.sub(afterZ, hereZ);
    d = dot3(bx, by, bz, nx, ny, nz);
    bx = removed(bx, d, nx); by = removed(by, d, ny); bz = removed(bz, d, nz);
    scale = unitScale(bx, by, bz, dot3(bx, by, bz, bx, by, bz));
    bx = f32x4.mul(bx, scale); by = f32x4.mul(by, scale); bz = f32x4.mul(bz, scale);
    const angle = acosOf4(dot3(ax, ay, az, bx, by, bz));

    d = dot3(sx, sy, sz, nx, ny, nz);
    let ux = removed(sx, d, nx), uy = removed(sy, d, ny), uz = removed(sz, d, nz);
    scale = unitScale(ux, uy, uz, dot3(ux, uy, uz, ux, uy, uz));
    ux = f32x4.mul(ux, scale); uy = f32x4.mul(uy, scale); uz = f32x4.mul(uz, scale);
    d = dot3(tx, ty, tz, nx, ny, nz);
    const vx = removed(tx, d, nx), vy = removed(ty, d, ny), vz = removed(tz, d, nz);

    // the guard: against the derivatives of the triangles that opened the groups
    const oa = openerOf(derivatives, roots, t0 * 3 + k), ob = openerOf(derivatives, roots, t1 * 3 + k);
    const oc = openerOf(derivatives, roots, t2 * 3 + k), od = openerOf(derivatives, roots, t3 * 3 + k);
    ab = low(v128.load(oa), v128.load(ob)); cd = low(v128.load(oc), v128.load(od));
    let inside = f32x4.gt(dot3(ux, uy, uz, first(ab, cd), second(ab, cd), first(high(v128.load(oa), v128.load(ob)), high(v128.load(oc), v128.load(od)))), cone);
    ab = low(v128.load(oa, 16), v128.load(ob, 16)); cd = low(v128.load(oc, 16), v128.load(od, 16));
    const along = dot3(vx, vy, vz, first(ab, cd), second(ab, cd), first(high(v128.load(oa, 16), v128.load(ob, 16)), high(v128.load(oc, 16), v128.load(od, 16))));
    const square = dot3(vx, vy, vz, vx, vy, vz);
    // along > cone · |v|, squared
    inside = v128.and(inside, v128.and(f32x4.gt(along, zero), f32x4.gt(square, safe)));
    inside = v128.and(inside, f32x4.gt(f32x4.mul(along, along), f32x4.mul(coneSquare, square)));

    const to = terms + <usize>k * 48;
    v128.store(to, f32x4.mul(angle, ux));
    v128.store(to, f32x4.mul(angle, uy), 16);
    v128.store(to, f32x4.mul(angle, uz), 32);
    v128.store(marks + <usize>(k << 4), v128.andnot(outside, inside));
    beforeX = hereX; beforeY = hereY; beforeZ = hereZ;
    hereX = afterX; hereY = afterY; hereZ = afterZ;
  }

  // triangle by triangle, for two of them may add to one sum
  const x0 = v128.load(terms), y0 = v128.load(terms, 16), z0 = v128.load(terms, 32), m0 = v128.load(marks);
  const x1 = v128.load(terms, 48), y1 = v128.load(terms, 64), z1 = v128.load(terms, 80), m1 = v128.load(marks, 16);
  const x2 = v128.load(terms, 96), y2 = v128.load(terms, 112), z2 = v128.load(terms, 128), m2 = v128.load(marks, 32);
  const xyA = low(x0, y0), zmA = low(z0, m0), xyB = low(x1, y1), zmB = low(z1, m1), xyC = low(x2, y2), zmC = low(z2, m2);
  let c = t0 * 3;
  add(out, roots, c, first(xyA, zmA));
  add(out, roots, c + 1, first(xyB, zmB));
  add(out, roots, c + 2, first(xyC, zmC));
  if (count < 2) return;
  c = t1 * 3;
  add(out, roots, c, second(xyA, zmA));
  add(out, roots, c + 1, second(xyB, zmB));
  add(out, roots, c + 2, second(xyC, zmC));
  if (count < 3) return;
  const xyD = high(x0, y0), zmD = high(z0, m0), xyE = high(x1, y1), zmE = high(z1, m1), xyF = high(x2, y2), zmF = high(z2, m2);
  c = t2 * 3;
  add(out, roots, c, first(xyD, zmD));
  add(out, roots, c + 1, first(xyE, zmE));
  add(out, roots, c + 2, first(xyF, zmF));
  if (count < 4) return;
  c = t3 * 3;
  add(out, roots, c, second(xyD, zmD));
  add(out, roots, c + 1, second(xyE, zmE));
  add(out, roots, c + 2, second(xyF, zmF));
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
