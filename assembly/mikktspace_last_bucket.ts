// The reference's bits: its edge sort leaves the last bucket, the edges of the largest smaller number, as the first
// quicksort happened to leave it, and so misses some pairs there. Edges of all other buckets pair as everywhere.
//
// Which edges these are depends on the number that stands for a class: the corner that comes first after the reference's
// weld has swapped corners about in its search grid. Replaying all of that costs more than the rest of the tangents, so it
// is done in steps, and most meshes end after the second:
//   1. Some edge near the end of the mesh gives a lower bound for the largest smaller number. Only classes with a corner at
//      or behind it can take part: the candidates.
//   2. The search grid is replayed for the cells that hold candidates, which gives their numbers, and so the last bucket.
//      With fewer than three edges, or none that could pair, nothing can differ.
//   3. The grid is replayed for all cells, the quicksort only for the parts that hold the largest number.
// Scratch: the place of the tangents holds the grid, the place of the edge buckets the edges that are sorted.
import { arenaAlloc, arenaMark, arenaRelease } from "./arena";
import { Job, next, NONE, placeOf } from "./mikktspace_job";
import { DEGENERATE, pairBucket, unlink } from "./mikktspace";

const CELLS: u32 = 2048;
/** The reference's seed. */
const SEED: u32 = 39871946;
/** Good triangles at the end of the mesh that give the lower bound. */
const TAIL: u32 = 64;

/** Flags of a class. */
const CANDIDATE: u32 = 1;
const IN_CELL: u32 = 2;

/** Scratch of this pass. */
@unmanaged
class Replay {
  job: Job;
  /** 4 bytes a class: its first corner of a face, or NONE. */
  first: usize;
  /** 4 bytes a class: the corner of a face that stands for it, or NONE. */
  number: usize;
  /** One byte a class. */
  marks: usize;
  /** 4 bytes a cell and one more: where its corners begin. */
  cells: usize;
  /** Explicit stack: 12 bytes a range. */
  stack: usize;
  /** Extent of the mesh along its longest axis. */
  axis: u32;
  low: f32;
  high: f32;
}

// @ts-ignore: decorator
@inline
function classOf(job: Job, c: u32): u32 {
  return load<u32>(<usize>job.ids + (<usize>c << 2));
}

function firstCorners(r: Replay): void {
  const job = r.job;
  memory.fill(r.first, 0xff, <usize>job.classes << 2);
  for (let c = job.triangles * 3; c-- > 0;) {
    const p = r.first + (<usize>classOf(job, c) << 2), place = placeOf(job, c);
    if (place < load<u32>(p)) store<u32>(p, place);
  }
}

/** A number that the largest smaller number of an edge is not below. */
function lowerBound(r: Replay): u32 {
  const job = r.job;
  let bound: u32 = 0, seen: u32 = 0;
  for (let t = job.triangles; t-- > 0 && seen < TAIL;) {
    if (load<u8>(<usize>job.flags + t) & DEGENERATE) continue;
    seen++;
    const a = load<u32>(r.first + (<usize>classOf(job, t * 3) << 2));
    const b = load<u32>(r.first + (<usize>classOf(job, t * 3 + 1) << 2));
    const c = load<u32>(r.first + (<usize>classOf(job, t * 3 + 2) << 2));
    bound = max<u32>(bound, max<u32>(min<u32>(a, b), max<u32>(min<u32>(b, c), min<u32>(c, a))));
  }
  return bound;
}

/** The longest axis by the reference's rule. */
function longest(low: v128, high: v128): u32 {
  const d = f32x4.sub(high, low);
  const x = f32x4.extract_lane(d, 0), y = f32x4.extract_lane(d, 1), z = f32x4.extract_lane(d, 2);
  return y > x && y > z ? 1 : z > x ? 2 : 0;
}

function component(v: v128, axis: u32): f32 {
  return axis == 0 ? f32x4.extract_lane(v, 0) : axis == 1 ? f32x4.extract_lane(v, 1) : f32x4.extract_lane(v, 2);
}

/** Bounds of all corners: pmin and pmax keep what they have against a NaN, as the reference's comparisons do. */
function measure(r: Replay): void {
  const job = r.job, records = <usize>job.records;
  let low = v128.load(records + (<usize>classOf(job, 0) << 5)), high = low;
  for (let c: u32 = 0; c < job.classes; c++) {
    if (load<u32>(r.first + (<usize>c << 2)) == NONE) continue;
    const p = v128.load(records + (<usize>c << 5));
    low = f32x4.pmin(low, p);
    high = f32x4.pmax(high, p);
  }
  r.axis = longest(low, high);
  r.low = component(low, r.axis);
  r.high = component(high, r.axis);
}

function cellOf(r: Replay, class_: u32): u32 {
  const value = load<f32>(<usize>r.job.records + (<usize>class_ << 5) + (<usize>r.axis << 2));
  const at = <f32>CELLS * ((value - r.low) / (r.high - r.low));
  const cell = at < 0 ? 0 : <i32>at;
  return cell < <i32>CELLS ? cell : CELLS - 1;
}

/** Replays the grid for the classes marked IN_CELL: all corners of a cell, or none, must be marked. */
function replayGrid(r: Replay): void {
  const job = r.job, corners = job.triangles * 3, grid = <usize>job.out;
  memory.fill(r.cells, 0, <usize>(CELLS + 1) << 2);
  // counted one cell further on, so that the sums are starts, and ends once the corners are in
  for (let c: u32 = 0; c < corners; c++) {
    const class_ = classOf(job, c);
    if (!(load<u8>(r.marks + class_) & IN_CELL)) continue;
    const p = r.cells + (<usize>(cellOf(r, class_) + 1) << 2);
    store<u32>(p, load<u32>(p) + 1);
  }
  for (let k: u32 = 1; k <= CELLS; k++) {
    const p = r.cells + (<usize>k << 2);
    store<u32>(p, load<u32>(p) + load<u32>(p - 4));
  }
  for (let c: u32 = 0; c < corners; c++) {
    const class_ = classOf(job, c);
    if (!(load<u8>(r.marks + class_) & IN_CELL)) continue;
    const p = r.cells + (<usize>cellOf(r, class_) << 2);
    const at = load<u32>(p);
    store<u32>(p, at + 1);
    const position = v128.load(<usize>job.records + (<usize>class_ << 5));
    v128.store(grid + (<usize>at << 4), i32x4.replace_lane(position, 3, c));
  }
  let from: u32 = 0;
  for (let k: u32 = 0; k < CELLS; k++) {
    const to = load<u32>(r.cells + (<usize>k << 2));
    if (to > from) replayCell(r, grid, from, to - 1);
    from = to;
  }
}

/** Halves a range at the middle of its longest axis until all positions of a part are one; the first corner of a class counts. */
function replayCell(r: Replay, grid: usize, first: u32, last: u32): void {
  let depth = r.stack;
  store<u32>(depth, first);
  store<u32>(depth, last, 4);
  depth += 8;
  while (depth > r.stack) {
    depth -= 8;
    const from = load<u32>(depth), to = load<u32>(depth, 4);
    let low = v128.load(grid + (<usize>from << 4)), high = low;
    for (let l = from + 1; l <= to; l++) {
      const p = v128.load(grid + (<usize>l << 4));
      low = f32x4.pmin(low, p);
      high = f32x4.pmax(high, p);
    }
    const axis = longest(low, high), top = component(high, axis), bottom = component(low, axis);
    const middle = <f32>0.5 * (top + bottom);
    if (!(middle < top && middle > bottom)) {
      for (let l = from; l <= to; l++) {
        const c = load<u32>(grid + (<usize>l << 4), 12);
        const p = r.number + (<usize>classOf(r.job, c) << 2);
        if (load<u32>(p) == NONE) store<u32>(p, placeOf(r.job, c));
      }
      continue;
    }
    // two pointers that swap what stands on the wrong side
    let left = <i32>from, right = <i32>to;
    const column = grid + (<usize>axis << 2);
    while (left < right) {
      while (left < right && load<f32>(column + (<usize>left << 4)) < middle) left++;
      while (left < right && !(load<f32>(column + (<usize>right << 4)) < middle)) right--;
      if (left < right) {
        const a = grid + (<usize>left << 4), b = grid + (<usize>right << 4), v = v128.load(a);
        v128.store(a, v128.load(b));
        v128.store(b, v);
        left++;
        right--;
      }
    }
    if (left == right) {
      if (load<f32>(column + (<usize>right << 4)) < middle) left++;
      else right--;
    }
    // the larger part waits, so that the stack stays as short as a logarithm
    if (<u32>right - from > to - <u32>left) {
      depth = pushRange(depth, from, <u32>right);
      depth = pushRange(depth, <u32>left, to);
    } else {
      depth = pushRange(depth, <u32>left, to);
      depth = pushRange(depth, from, <u32>right);
    }
  }
}

function pushRange(depth: usize, from: u32, to: u32): usize {
  store<u32>(depth, from);
  store<u32>(depth, to, 4);
  return depth + 8;
}

/** The smaller number of the two ends of an edge; 0 when an end is no candidate. */
function smallerNumber(r: Replay, e: u32): u32 {
  const a = classOf(r.job, e), b = classOf(r.job, next(e));
  return min<u32>(load<u32>(r.number + (<usize>a << 2)), load<u32>(r.number + (<usize>b << 2)));
}

function bothCandidates(r: Replay, e: u32): bool {
  return (load<u8>(r.marks + classOf(r.job, e)) & load<u8>(r.marks + classOf(r.job, next(e))) & CANDIDATE) != 0;
}

/** The class at the other end of an edge of class `owner`. */
function otherEnd(job: Job, e: u32, owner: u32): u32 {
  const a = classOf(job, e);
  return a == owner ? classOf(job, next(e)) : a;
}

/** Collects the edges of the last bucket to `to`, 8 bytes each: the other class, and edge and direction. Returns how many. */
function lastBucket(r: Replay, number: u32, to: usize, limit: u32): u32 {
  const job = r.job, entries = <usize>job.entries, ends = <usize>job.counts;
  let count: u32 = 0, from: u32 = 0;
  for (let c: u32 = 0; c < job.classes; c++) {
    const end = load<u32>(ends + (<usize>c << 2));
    if (load<u8>(r.marks + c) & CANDIDATE) {
      for (let i = from; i < end; i++) {
        const e = load<u32>(entries + (<usize>i << 3), 4) >> 1;
        if (!bothCandidates(r, e) || smallerNumber(r, e) != number) continue;
        if (count < limit) store<u32>(to + (<usize>count << 2), e);
        count++;
      }
    }
    from = end;
  }
  return count;
}

/** The largest smaller number of any edge between candidates. */
function largestNumber(r: Replay): u32 {
  const job = r.job, entries = <usize>job.entries, ends = <usize>job.counts;
  let largest: u32 = 0, from: u32 = 0;
  for (let c: u32 = 0; c < job.classes; c++) {
    const end = load<u32>(ends + (<usize>c << 2));
    if (load<u8>(r.marks + c) & CANDIDATE) {
      for (let i = from; i < end; i++) {
        const e = load<u32>(entries + (<usize>i << 3), 4) >> 1;
        if (bothCandidates(r, e)) largest = max<u32>(largest, smallerNumber(r, e));
      }
    }
    from = end;
  }
  return largest;
}

/** True when an edge of the bucket has a partner now: only then can the order within the bucket matter. */
function anyPaired(job: Job, edges: usize, count: u32): bool {
  for (let i: u32 = 0; i < count; i++) {
    const e = load<u32>(edges + (<usize>i << 2));
    if (load<u32>(<usize>job.left + (<usize>e << 2)) != NONE) return true;
  }
  return false;
}

/** One step of the reference's generator, and the seed of the next level. */
function nextSeed(seed: u32): u32 {
  const t = seed & 31;
  return seed + (seed << t | seed >> (32 - t & 31)) + 3;
}

// @ts-ignore: decorator
@inline
function keyAt(edges: usize, i: i32): u32 {
  return load<u32>(edges + (<usize>i << 3));
}

function swapEdges(edges: usize, a: i32, b: i32): void {
  const p = edges + (<usize>a << 3), q = edges + (<usize>b << 3), v = load<u64>(p);
  store<u64>(p, load<u64>(q));
  store<u64>(q, v);
}

/** Replays the quicksort of {number, edge} pairs, but only in ranges that hold `key`, the largest of all. */
function replaySort(r: Replay, edges: usize, count: u32, key: u32): void {
  let depth = r.stack;
  store<u32>(depth, 0);
  store<u32>(depth, count - 1, 4);
  store<u32>(depth, SEED, 8);
  depth += 12;
  while (depth > r.stack) {
    depth -= 12;
    const first = load<i32>(depth), last = load<i32>(depth, 4);
    const size = last - first + 1;
    if (size < 2) continue;
    if (size == 2) {
      if (keyAt(edges, first) > keyAt(edges, last)) swapEdges(edges, first, last);
      continue;
    }
    let some = false;
    for (let i = last; i >= first && !some; i--) some = keyAt(edges, i) == key;
    if (!some) continue;
    const seed = nextSeed(load<u32>(depth, 8));
    const pivot = keyAt(edges, first + <i32>(seed % <u32>size));
    let left = first, right = last;
    do {
      while (keyAt(edges, left) < pivot) left++;
      while (keyAt(edges, right) > pivot) right--;
      if (left <= right) {
        swapEdges(edges, left, right);
        left++;
        right--;
      }
    } while (left <= right);
    if (right - first > last - left) {
      depth = pushPart(depth, first, right, seed);
      depth = pushPart(depth, left, last, seed);
    } else {
      depth = pushPart(depth, left, last, seed);
      depth = pushPart(depth, first, right, seed);
    }
  }
}

function pushPart(depth: usize, first: i32, last: i32, seed: u32): usize {
  if (first >= last) return depth;
  store<i32>(depth, first);
  store<i32>(depth, last, 4);
  store<u32>(depth, seed, 8);
  return depth + 12;
}

/** Marks the classes of a cell that holds a candidate, or all. */
function markCells(r: Replay, all: bool): void {
  const job = r.job, classes = job.classes, cells = r.cells;
  memory.fill(cells, 0, CELLS);
  if (!all) {
    for (let c: u32 = 0; c < classes; c++) {
      if (load<u8>(r.marks + c) & CANDIDATE) store<u8>(cells + cellOf(r, c), 1);
    }
  }
  for (let c: u32 = 0; c < classes; c++) {
    if (all || load<u8>(cells + cellOf(r, c))) store<u8>(r.marks + c, <u32>load<u8>(r.marks + c) | IN_CELL);
  }
}

/** Pairs the last bucket as the reference does. Returns false when memory ends. */
export function mikkLastBucket(j: usize): bool {
  const job = changetype<Job>(j), mark = arenaMark();
  const done = run(job);
  arenaRelease(mark);
  return done;
}

function run(job: Job): bool {
  const classes = <usize>job.classes, corners = job.triangles * 3;
  const stackBytes: u32 = 64 * 12; // a range waits for one of half its size, and there are fewer than 2^32
  const bytes = <u64>classes * 9 + <u64>(CELLS + 1) * 4 + stackBytes + 512;
  const block: usize = bytes > 0xffff0000 ? 0 : arenaAlloc(<u32>bytes);
  if (block == 0) return false;
  const r = changetype<Replay>(block);
  r.job = job;
  r.first = block + 64;
  r.number = r.first + (classes << 2);
  r.cells = r.number + (classes << 2);
  r.stack = r.cells + (<usize>(CELLS + 1) << 2);
  r.marks = r.stack + stackBytes;
  memory.fill(r.number, 0xff, classes << 2);
  memory.fill(r.marks, 0, classes);
  firstCorners(r);
  const bound = lowerBound(r);
  for (let c: u32 = job.places ? 0 : bound; c < corners; c++) {
    if (placeOf(job, c) >= bound) store<u8>(r.marks + classOf(job, c), CANDIDATE);
  }
  measure(r);
  markCells(r, false);
  replayGrid(r);
  const largest = largestNumber(r);
  let bucket = lastBucket(r, largest, 0, 0);
  if (bucket < 3) return true;
  const edges: usize = arenaAlloc(bucket << 2);
  if (edges == 0) return false;
  lastBucket(r, largest, edges, bucket);
  if (!anyPaired(job, edges, bucket)) return true;

  memory.fill(r.number, 0xff, classes << 2);
  markCells(r, true);
  replayGrid(r);
  const sorted = <usize>job.entries;
  let count: u32 = 0;
  for (let e: u32 = 0; e < corners; e++) {
    if (load<u8>(<usize>job.flags + e / 3) & DEGENERATE) continue;
    const p = sorted + (<usize>count << 3);
    count++;
    store<u32>(p, smallerNumber(r, e));
    store<u32>(p, e, 4);
  }
  replaySort(r, sorted, count, largest);
  pairAgain(r, sorted + (<usize>(count - bucket) << 3), bucket);
  return true;
}

/** Pairs the edges of the last bucket in the order that the sort left: only neighbours in it that are one edge can meet. */
function pairAgain(r: Replay, bucket: usize, count: u32): void {
  const job = r.job, left = <usize>job.left, right = <usize>job.right;
  const end = bucket + (<usize>count << 3);
  const owner = ownerOf(r, load<u32>(bucket, 4), load<u32>(bucket));
  for (let p = bucket; p < end; p += 8) {
    const e = load<u32>(p, 4), other = otherEnd(job, e, owner);
    unlink(left, right, e);
    store<u32>(p, other);
    store<u32>(p, e << 1 | u32(classOf(job, e) == owner), 4);
  }
  for (let p = bucket; p < end;) {
    let q = p + 8;
    while (q < end && load<u32>(q) == load<u32>(p)) q += 8;
    // every run but the last is put in triangle order
    if (q < end) sortRun(p, q);
    pairBucket(job, p, q);
    p = q;
  }
}

function ownerOf(r: Replay, e: u32, number: u32): u32 {
  const a = classOf(r.job, e);
  return load<u32>(r.number + (<usize>a << 2)) == number ? a : classOf(r.job, next(e));
}

/** Heap sort of 8-byte entries of one class by edge. */
function sortRun(p: usize, end: usize): void {
  const n = <u32>((end - p) >> 3);
  for (let i = n >> 1; i-- > 0;) sink(p, i, n);
  for (let last = n; last-- > 1;) {
    swapEdges(p, 0, <i32>last);
    sink(p, 0, last);
  }
}

function sink(p: usize, i: u32, n: u32): void {
  for (;;) {
    let child = i * 2 + 1;
    if (child >= n) return;
    if (child + 1 < n && load<u64>(p + (<usize>child << 3)) < load<u64>(p + (<usize>(child + 1) << 3))) child++;
    if (load<u64>(p + (<usize>i << 3)) >= load<u64>(p + (<usize>child << 3))) return;
    swapEdges(p, <i32>i, <i32>child);
    i = child;
  }
}
