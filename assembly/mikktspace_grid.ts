// The search grid of the reference's weld, replayed: for the corner that stands for a class, which depends on how the weld
// swaps corners about, and for ranges of the grid that it gives up on and leaves unwelded.
// Scratch: the place of the tangents holds the grid.
import { arenaAlloc, arenaMark, arenaRelease } from "./arena";
import { Job, NONE, placeOf } from "./mikktspace_job";

const CELLS: u32 = 2048;
/** Explicit stack: a range waits for one of half its size, and there are fewer than 2^32. */
const STACK_BYTES: usize = 64 * 12;
/** Half of the largest f32: the middle of two values of this size is a number. */
const HALF_MAX: f32 = 1.7014117331926443e38;

/** Flags of a class. */
export const CANDIDATE: u32 = 1;
const IN_CELL: u32 = 2;
export const NEEDED: u32 = 4;

@unmanaged
export class Grid {
  job: Job;
  /** 4 bytes a class: its first corner of a face, or NONE. */
  first: usize;
  /** 4 bytes a class: the corner of a face that stands for it, or NONE. */
  number: usize;
  /** One byte a class. */
  marks: usize;
  /** 4 bytes a cell and one more: where its corners begin. */
  cells: usize;
  /** 12 bytes a range. */
  stack: usize;
  /** 0, or 4 bytes a corner of a face: its class, or NONE as long as it was not taken apart. */
  apart: usize;
  /** Extent of the mesh along its longest axis. */
  axis: u32;
  low: f32;
  high: f32;
}

// @ts-ignore: decorator
@inline
export function classOf(job: Job, c: u32): u32 {
  return load<u32>(<usize>job.ids + (<usize>c << 2));
}

/** A grid with room for `classes` and its extent, or null when memory ends. `apart` also asks for places of their own. */
export function openGrid(job: Job, classes: usize, apart: bool): Grid | null {
  const bytes = <u64>classes * (apart ? 13 : 9) + <u64>(CELLS + 1) * 4 + STACK_BYTES + 512;
  const block: usize = bytes > 0xffff0000 ? 0 : arenaAlloc(<u32>bytes);
  if (block == 0) return null;
  const g = changetype<Grid>(block);
  g.job = job;
  g.first = block + 64;
  g.number = g.first + (classes << 2);
  g.cells = g.number + (classes << 2);
  g.stack = g.cells + (<usize>(CELLS + 1) << 2);
  g.apart = apart ? g.stack + STACK_BYTES : 0;
  g.marks = g.stack + STACK_BYTES + (apart ? classes << 2 : 0);
  memory.fill(g.number, 0xff, classes << 2);
  memory.fill(g.marks, 0, classes);
  if (apart) memory.fill(g.apart, 0xff, classes << 2);
  firstCorners(g);
  measure(g);
  return g;
}

function firstCorners(g: Grid): void {
  const job = g.job;
  memory.fill(g.first, 0xff, <usize>job.classes << 2);
  for (let c = job.triangles * 3; c-- > 0;) {
    const p = g.first + (<usize>classOf(job, c) << 2), place = placeOf(job, c);
    if (place < load<u32>(p)) store<u32>(p, place);
  }
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
function measure(g: Grid): void {
  const job = g.job, records = <usize>job.records;
  let low = v128.load(records + (<usize>classOf(job, 0) << 5)), high = low;
  for (let c: u32 = 0; c < job.classes; c++) {
    if (load<u32>(g.first + (<usize>c << 2)) == NONE) continue;
    const p = v128.load(records + (<usize>c << 5));
    low = f32x4.pmin(low, p);
    high = f32x4.pmax(high, p);
  }
  g.axis = longest(low, high);
  g.low = component(low, g.axis);
  g.high = component(high, g.axis);
}

function cellOf(g: Grid, class_: u32): u32 {
  const value = load<f32>(<usize>g.job.records + (<usize>class_ << 5) + (<usize>g.axis << 2));
  const at = <f32>CELLS * ((value - g.low) / (g.high - g.low));
  const cell = at < 0 ? 0 : <i32>at;
  return cell < <i32>CELLS ? cell : CELLS - 1;
}

/** Replays the grid for the classes marked IN_CELL: all corners of a cell, or none, must be marked. */
export function replayGrid(g: Grid): void {
  const job = g.job, corners = job.triangles * 3, grid = <usize>job.out;
  memory.fill(g.cells, 0, <usize>(CELLS + 1) << 2);
  // counted one cell further on, so that the sums are starts, and ends once the corners are in
  for (let c: u32 = 0; c < corners; c++) {
    const class_ = classOf(job, c);
    if (!(load<u8>(g.marks + class_) & IN_CELL)) continue;
    const p = g.cells + (<usize>(cellOf(g, class_) + 1) << 2);
    store<u32>(p, load<u32>(p) + 1);
  }
  for (let k: u32 = 1; k <= CELLS; k++) {
    const p = g.cells + (<usize>k << 2);
    store<u32>(p, load<u32>(p) + load<u32>(p - 4));
  }
  for (let c: u32 = 0; c < corners; c++) {
    const class_ = classOf(job, c);
    if (!(load<u8>(g.marks + class_) & IN_CELL)) continue;
    const p = g.cells + (<usize>cellOf(g, class_) << 2);
    const at = load<u32>(p);
    store<u32>(p, at + 1);
    const position = v128.load(<usize>job.records + (<usize>class_ << 5));
    v128.store(grid + (<usize>at << 4), i32x4.replace_lane(position, 3, c));
  }
  let from: u32 = 0;
  for (let k: u32 = 0; k < CELLS; k++) {
    const to = load<u32>(g.cells + (<usize>k << 2));
    if (to > from) replayCell(g, grid, from, to - 1);
    from = to;
  }
}

/** The first corner of a class stands for it. */
function numberOf(g: Grid, c: u32): void {
  const p = g.number + (<usize>classOf(g.job, c) << 2);
  if (load<u32>(p) == NONE) store<u32>(p, placeOf(g.job, c));
}

/** Gives a corner a class of its own, unless it is the first of its class; the triangles of a quad share their corners. */
function takeApart(g: Grid, c: u32): void {
  const job = g.job, place = placeOf(job, c), known = g.apart + (<usize>place << 2);
  let class_ = load<u32>(known);
  if (class_ == NONE) {
    class_ = classOf(job, c);
    if (load<u32>(g.number + (<usize>class_ << 2)) != NONE) {
      const records = <usize>job.records;
      memory.copy(records + (<usize>job.classes << 5), records + (<usize>class_ << 5), 32);
      class_ = job.classes++;
    }
    store<u32>(g.number + (<usize>class_ << 2), place);
    store<u32>(known, class_);
  }
  store<u32>(<usize>job.ids + (<usize>c << 2), class_);
}

/** Halves a range at the middle of its longest axis until all positions of a part are one; the first corner of a class counts. */
function replayCell(g: Grid, grid: usize, first: u32, last: u32): void {
  let depth = g.stack;
  store<u32>(depth, first);
  store<u32>(depth, last, 4);
  depth += 8;
  while (depth > g.stack) {
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
        if (!g.apart) numberOf(g, c);
        else if (middle - middle != 0) takeApart(g, c);
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

/** Marks the classes of every cell that holds one with the flag, or all with flag 0. */
export function markCells(g: Grid, flag: u32): void {
  const job = g.job, classes = job.classes, cells = g.cells;
  memory.fill(cells, flag ? 0 : 1, CELLS);
  if (flag) {
    for (let c: u32 = 0; c < classes; c++) {
      if (load<u8>(g.marks + c) & flag) store<u8>(cells + cellOf(g, c), 1);
    }
  }
  for (let c: u32 = 0; c < classes; c++) {
    if (!flag || load<u8>(cells + cellOf(g, c))) store<u8>(g.marks + c, <u32>load<u8>(g.marks + c) | IN_CELL);
  }
}

/** True when some position is so large, or no number, that the middle of a range may be none. */
export function mikkIsWide(j: usize): bool {
  const job = changetype<Job>(j), most = f32x4.splat(HALF_MAX), fourth = i32x4(0, 0, 0, -1);
  let p = <usize>job.records;
  for (const end = p + (<usize>job.classes << 5); p < end; p += 32) {
    if (!i32x4.all_true(v128.or(f32x4.le(f32x4.abs(v128.load(p)), most), fourth))) return true;
  }
  return false;
}

/** Takes apart what the reference leaves unwelded. Every corner has a vertex of its own. Returns false when memory ends. */
export function mikkUnweld(j: usize): bool {
  const job = changetype<Job>(j), mark = arenaMark();
  const g = openGrid(job, job.vertices, true);
  if (!g) return false;
  markCells(g, 0);
  replayGrid(g);
  arenaRelease(mark);
  return true;
}
