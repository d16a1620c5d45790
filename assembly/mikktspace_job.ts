// Where the data of one tangent generation lie. The host writes it as 32-bit words, in this order.

/** Smallest normal f32, the reference's zero test. */
export const FLT_MIN: f32 = 1.1754943508222875e-38;
/** No corner, no class, an empty slot. */
export const NONE: u32 = 0xffffffff;

@unmanaged
export class Job {
  /** 32 bytes a class: x y z u, nx ny nz v. */
  records: u32;
  /** Class of each corner. */
  ids: u32;
  /** Number of triangles. */
  triangles: u32;
  /** Number of classes; the weld counts it up. */
  classes: u32;
  /** Weld: hash table, 4 bytes a slot. */
  table: u32;
  /** Weld: slots in use, a power of two. */
  slots: u32;
  /** 32 bytes a triangle: unit derivatives of position along u and v, fourth lanes 0. */
  derivatives: u32;
  /** One byte a triangle. */
  flags: u32;
  /** 4 bytes a class: bucket sizes, then bucket ends, then first good corners. */
  counts: u32;
  /** 8 bytes an edge. */
  entries: u32;
  /** 4 bytes a corner: the next corner around the vertex, one way. */
  left: u32;
  /** And the other way. */
  right: u32;
  /** 4 bytes a corner: the group's root, or a state. */
  roots: u32;
  /** 16 bytes a corner: sums, then tangents. */
  out: u32;
  /** w of a group that keeps the orientation of the texture: 1 or −1. */
  sign: f32;
  /** Cosine to the root's derivative above which a group can have no sub-groups. */
  cone: f32;
  /** Cosine of the angular threshold. */
  threshold: f32;
  /** 0, or 4 bytes a triangle: the face that it is a part of. */
  faces: u32;
  /** Weld: vertices with a NaN. No two corners with a NaN are one class, even where they are one vertex. */
  odd: u32;
  /** Weld: the bits of a slot that hold a part of the hash. */
  tagMask: u32;
  /** Weld: all vertices. */
  vertices: u32;
  /** Weld: vertices of the calls so far. */
  seen: u32;
  /** Quads: 0, or 4 bytes a corner of a triangle: the corner of a face that it is. */
  places: u32;
  /** Quads: 32 bytes a corner: T x y z, its magnitude along u, along v. */
  spaces: u32;
}

/** The corner after `c` in its triangle. */
// @ts-ignore: decorator
@inline
export function next(c: u32): u32 {
  return c % 3 == 2 ? c - 2 : c + 1;
}

/** The corner before `c` in its triangle. */
// @ts-ignore: decorator
@inline
export function previous(c: u32): u32 {
  return c % 3 == 0 ? c + 2 : c - 1;
}

/** The corner of a face that corner `c` of a triangle is: a quad's two triangles share two. */
// @ts-ignore: decorator
@inline
export function placeOf(job: Job, c: u32): u32 {
  return job.places ? load<u32>(<usize>job.places + (<usize>c << 2)) : c;
}
