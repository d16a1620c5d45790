// Packing and welding: 32-byte records of the distinct vertices, and the class of each.
//
// Two vertices are one class when position, normal and texture coordinates are equal as numbers: −0 is 0, NaN is nothing.
// Adding 0 when packing turns −0 into 0, after which equality is equality of bits, and nothing later can tell.
import { Job, NONE } from "./mikktspace_job";

// A slot holds class + 1 in its lower bits and bits of the hash above them, so that a record is only looked at when it
// is most likely the one. The table grows when it is five eighths full.

/** Hash of a record, all bits of all lanes in its upper half. */
// @ts-ignore: decorator
@inline
function hashOf(a: v128, b: v128): u32 {
  const k0 = i32x4(0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f);
  const k1 = i32x4(0x165667b1, 0xd3a2646d, 0xfd7046c5, 0xb55a4f09);
  const sum = i64x2.add(
    i64x2.add(i64x2.extmul_low_i32x4_u(a, k0), i64x2.extmul_high_i32x4_u(a, k0)),
    i64x2.add(i64x2.extmul_low_i32x4_u(b, k1), i64x2.extmul_high_i32x4_u(b, k1)),
  );
  let h = <u64>i64x2.extract_lane(sum, 0) ^ rotr<u64>(<u64>i64x2.extract_lane(sum, 1), 23);
  h = (h ^ h >> 32) * 0x9e3779b97f4a7c15;
  return <u32>(h >> 32);
}

/** Classes that a table holds: at five eighths, probing is still short, and a table half as large misses the caches less. */
// @ts-ignore: decorator
@inline
function roomOf(slots: u32): u32 {
  return (slots >> 1) + (slots >> 3);
}

/** Makes the table large enough for what the first `seen` vertices foretell and enters all classes anew: they are distinct. */
function grow(job: Job, seen: u32): void {
  const table = <usize>job.table, tagMask = job.tagMask;
  const foretold = <u32>(<u64>job.classes * job.vertices / seen) + 1;
  let slots = job.slots << 1;
  while (roomOf(slots) < foretold) slots <<= 1;
  const mask = slots - 1;
  job.slots = slots;
  memory.fill(table, 0, <usize>slots << 2);
  let p = <usize>job.records;
  for (let c: u32 = 0; c < job.classes; c++, p += 32) {
    const a = v128.load(p), b = v128.load(p, 16);
    if (hasNan(a, b)) continue;
    const h = hashOf(a, b);
    let at = h & mask;
    while (load<u32>(table + (<usize>at << 2))) at = at + 1 & mask;
    store<u32>(table + (<usize>at << 2), (c + 1) | (h & tagMask));
  }
}

// @ts-ignore: decorator
@inline
function hasNan(a: v128, b: v128): bool {
  return !i32x4.all_true(v128.and(f32x4.eq(a, a), f32x4.eq(b, b)));
}

/**
 * Packs `count` vertices (12 bytes of position, 12 of normal, 8 of texture coordinates each), adds those that are new to
 * the records and writes each one's class to `to`. The table must have room for all vertices to come.
 */
export function mikkWeld(j: usize, position: usize, normal: usize, uv: usize, count: u32, to: usize): void {
  const job = changetype<Job>(j);
  const table = <usize>job.table, records = <usize>job.records, zero = f32x4.splat(0);
  let classes = job.classes, mask = job.slots - 1, limit = roomOf(job.slots);
  const tagMask = job.tagMask;
  for (const end = to + (<usize>count << 2); to < end; to += 4, position += 12, normal += 12, uv += 8) {
    const xyz = v128.load64_zero(position), n = v128.load64_zero(normal), t = v128.load64_zero(uv);
    const zz = v128.load32_lane(position, v128.load32_lane(normal, zero, 2, 8), 0, 8); // z . nz .
    const zu = v128.shuffle<f32>(zz, t, 0, 4, 2, 5); // z u nz v
    const a = f32x4.add(v128.shuffle<f64>(xyz, zu, 0, 2), zero);
    const b = f32x4.add(v128.shuffle<f64>(n, zu, 0, 3), zero);
    const h = hashOf(a, b);
    let at = h & mask, found = NONE;
    const tag = h & tagMask;
    let slot: u32 = 0;
    while ((slot = load<u32>(table + (<usize>at << 2)))) {
      if ((slot & tagMask) == tag) {
        const c = (slot & ~tagMask) - 1, p = records + (<usize>c << 5);
        if (!v128.any_true(v128.or(v128.xor(v128.load(p), a), v128.xor(v128.load(p, 16), b)))) {
          found = c;
          break;
        }
      }
      at = at + 1 & mask;
    }
    if (found == NONE) {
      found = classes++;
      const p = records + (<usize>found << 5);
      v128.store(p, a);
      v128.store(p, b, 16);
      // NaN equals nothing: never found, and a heap of equal NaN bits would make probing quadratic
      if (hasNan(a, b)) job.odd++;
      else store<u32>(table + (<usize>at << 2), classes | tag);
      if (classes > limit) {
        job.classes = classes;
        grow(job, job.seen + count - <u32>(end - to >> 2) + 1);
        mask = job.slots - 1;
        limit = roomOf(job.slots);
      }
    }
    store<u32>(to, found);
  }
  job.classes = classes;
  job.seen += count;
}

/** Turns vertex numbers into classes, in place. Returns the place of the first number that is not below `vertices`. */
export function mikkMapCorners(ids: usize, corners: u32, classOf: usize, vertices: u32): u32 {
  for (let i: u32 = 0; i < corners; i++, ids += 4) {
    const v = load<u32>(ids);
    if (v >= vertices) return i;
    store<u32>(ids, load<u32>(classOf + (<usize>v << 2)));
  }
  return NONE;
}
