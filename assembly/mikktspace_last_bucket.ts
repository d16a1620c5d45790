// The reference's bits: its edge sort leaves the last bucket, the edges of the largest smaller number, as the first
// quicksort happened to leave it, and so misses some pairs there. Edges of all other buckets pair as everywhere.
//
// Which edges these are depends on the number that stands for a class: the corner that comes first after the reference's
// weld has swapped corners about in its search grid. Replaying all of that costs more than the rest of the tangents, so it
// is done in steps, and most meshes end after the second:
//   1. A guess, or an edge near the end of the mesh, gives a bound for the largest smaller number. Only edges whose two
//      classes both have a corner at or behind it can reach it: the candidates.
//   2. The search grid is replayed for the cells that hold an end of such an edge, which gives their numbers. If the largest
//      is below the guess, it is the next one, and holds. Then the last bucket is known; with fewer than three edges, or
//      none that could pair, nothing can differ.
//   3. The grid is replayed for all cells, the quicksort only for the parts that hold the largest number.
// Scratch: the place of the tangents holds the grid, the place of the edge buckets the edges that are sorted.
import { arenaAlloc, arenaMark, arenaRelease } from "./arena";
import { CANDIDATE, classOf, Grid, markCells, NEEDED, openGrid, replayGrid } from "./mikktspace_grid";
import { Job, next, NONE, placeOf } from "./mikktspace_job";
import { DEGENERATE, pairBucket, unlink } from "./mikktspace";

/** The reference's seed. */
const SEED: u32 = 39871946;
/** Good triangles at the end of the mesh that give a lower bound. */
const TAIL: u32 = 64;
/** Corners at the end of the mesh among which both ends of some edge are expected, even where triangles are in random order. */
const GUESS: u32 = 192;

/** A number that the largest smaller number of an edge is not below. */
function lowerBound(r: Grid): u32 {
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

/** The smaller number of the two ends of an edge; 0 when an end is no candidate. */
function smallerNumber(r: Grid, e: u32): u32 {
  const a = classOf(r.job, e), b = classOf(r.job, next(e));
  return min<u32>(load<u32>(r.number + (<usize>a << 2)), load<u32>(r.number + (<usize>b << 2)));
}

function bothCandidates(r: Grid, e: u32): bool {
  return (load<u8>(r.marks + classOf(r.job, e)) & load<u8>(r.marks + classOf(r.job, next(e))) & CANDIDATE) != 0;
}

/** The class at the other end of an edge of class `owner`. */
function otherEnd(job: Job, e: u32, owner: u32): u32 {
  const a = classOf(job, e);
  return a == owner ? classOf(job, next(e)) : a;
}

/** Collects the edges of the last bucket to `to`, 8 bytes each: the other class, and edge and direction. Returns how many. */
function lastBucket(r: Grid, number: u32, to: usize, limit: u32): u32 {
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
function largestNumber(r: Grid): u32 {
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
function replaySort(r: Grid, edges: usize, count: u32, key: u32): void {
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

/** Pairs the last bucket as the reference does. Returns false when memory ends. */
export function mikkLastBucket(j: usize): bool {
  const job = changetype<Job>(j), mark = arenaMark();
  const done = run(job);
  arenaRelease(mark);
  return done;
}

/** Marks both ends of every edge whose classes both have a corner at or behind `bound`. */
function markEdges(r: Grid, bound: u32): void {
  const job = r.job, corners = job.triangles * 3, entries = <usize>job.entries, ends = <usize>job.counts;
  for (let c: u32 = job.places ? 0 : bound; c < corners; c++) {
    const p = r.marks + classOf(job, c);
    if (placeOf(job, c) >= bound) store<u8>(p, <u32>load<u8>(p) | CANDIDATE);
  }
  let from: u32 = 0;
  for (let c: u32 = 0; c < job.classes; c++) {
    const end = load<u32>(ends + (<usize>c << 2));
    if (load<u8>(r.marks + c) & CANDIDATE) {
      for (let i = from; i < end; i++) {
        const e = load<u32>(entries + (<usize>i << 3), 4) >> 1;
        if (!bothCandidates(r, e)) continue;
        store<u8>(r.marks + classOf(job, e), CANDIDATE | NEEDED);
        store<u8>(r.marks + classOf(job, next(e)), CANDIDATE | NEEDED);
      }
    }
    from = end;
  }
}

/** The largest smaller number of the edges that can reach `bound`; 0 when there are none. */
function largestFrom(r: Grid, bound: u32): u32 {
  markEdges(r, bound);
  markCells(r, NEEDED);
  replayGrid(r);
  return largestNumber(r);
}

/** The largest smaller number of all edges. */
function findLargest(r: Grid): u32 {
  const corners = r.job.triangles * 3, bound = lowerBound(r);
  const guess = max<u32>(bound, corners - min<u32>(corners, GUESS));
  const largest = largestFrom(r, guess);
  // what some edge has is a lower bound: the second time finds all that reach it
  return largest >= guess ? largest : largestFrom(r, max<u32>(bound, largest));
}

function run(job: Job): bool {
  const r = openGrid(job, job.classes, false), corners = job.triangles * 3;
  if (!r) return false;
  const largest = findLargest(r);
  let bucket = lastBucket(r, largest, 0, 0);
  if (bucket < 3) return true;
  const edges: usize = arenaAlloc(bucket << 2);
  if (edges == 0) return false;
  lastBucket(r, largest, edges, bucket);
  if (!anyPaired(job, edges, bucket)) return true;

  markCells(r, 0);
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
function pairAgain(r: Grid, bucket: usize, count: u32): void {
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

function ownerOf(r: Grid, e: u32, number: u32): u32 {
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
