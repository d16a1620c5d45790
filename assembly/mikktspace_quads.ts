// Quads: cut into two triangles before, put together again after. A quad's triangles share two corners, and each of these
// gets the mean of two tangent spaces unless they are equal in every respect, so that T and the magnitudes count too.
import { FLT_MIN, Job, NONE, placeOf } from "./mikktspace_job";
import { ANY, DEGENERATE, finished, POSITIVE } from "./mikktspace";

/** Twice the signed UV area of a triangle, by its classes. */
function signedArea(job: Job, t: u32): f32 {
  const id = <usize>job.ids + <usize>t * 12, records = <usize>job.records;
  const a = records + (<usize>load<u32>(id) << 5), b = records + (<usize>load<u32>(id, 4) << 5), c = records + (<usize>load<u32>(id, 8) << 5);
  const x1 = load<f32>(b, 12) - load<f32>(a, 12), y1 = load<f32>(b, 28) - load<f32>(a, 28);
  const x2 = load<f32>(c, 12) - load<f32>(a, 12), y2 = load<f32>(c, 28) - load<f32>(a, 28);
  return x1 * y2 - y1 * x2;
}

// @ts-ignore: decorator
@inline
function length3(v: v128): f32 {
  const s = f32x4.mul(v, v);
  return sqrt<f32>((f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1)) + f32x4.extract_lane(s, 2));
}

/** Lengths of the derivatives along u and v per texture unit in lanes 0 and 1, and 1 in lane 2. */
export function magnitudes(job: Job, t: u32): v128 {
  const area = signedArea(job, t), one = f32x4(0, 0, 1, 0);
  if (!(abs<f32>(area) > FLT_MIN)) return one;
  const id = <usize>job.ids + <usize>t * 12, records = <usize>job.records;
  const a = records + (<usize>load<u32>(id) << 5), b = records + (<usize>load<u32>(id, 4) << 5), c = records + (<usize>load<u32>(id, 8) << 5);
  const x1 = load<f32>(b, 12) - load<f32>(a, 12), y1 = load<f32>(b, 28) - load<f32>(a, 28);
  const x2 = load<f32>(c, 12) - load<f32>(a, 12), y2 = load<f32>(c, 28) - load<f32>(a, 28);
  const d1 = f32x4.sub(v128.load(b), v128.load(a)), d2 = f32x4.sub(v128.load(c), v128.load(a));
  const s = f32x4.sub(f32x4.mul(f32x4.splat(y2), d1), f32x4.mul(f32x4.splat(y1), d2));
  const v = f32x4.add(f32x4.mul(f32x4.splat(-x2), d1), f32x4.mul(f32x4.splat(x1), d2));
  const size = abs<f32>(area);
  return f32x4.replace_lane(f32x4.replace_lane(one, 0, length3(s) / size), 1, length3(v) / size);
}

/** Squared distance of two corners of a face, of texture coordinates or positions. */
function squared(a: usize, b: usize, uv: bool): f32 {
  if (uv) {
    const x = load<f32>(b, 12) - load<f32>(a, 12), y = load<f32>(b, 28) - load<f32>(a, 28);
    return x * x + y * y;
  }
  const d = f32x4.sub(v128.load(b), v128.load(a)), s = f32x4.mul(d, d);
  return (f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1)) + f32x4.extract_lane(s, 2);
}

function put(job: Job, faceClasses: usize, triangle: u32, face: u32, first: u32, a: u32, b: u32, c: u32): void {
  const id = <usize>job.ids + <usize>triangle * 12, place = <usize>job.places + <usize>triangle * 12;
  store<u32>(place, first + a);
  store<u32>(place, first + b, 4);
  store<u32>(place, first + c, 8);
  store<u32>(id, load<u32>(faceClasses + (<usize>(first + a) << 2)));
  store<u32>(id, load<u32>(faceClasses + (<usize>(first + b) << 2)), 4);
  store<u32>(id, load<u32>(faceClasses + (<usize>(first + c) << 2)), 8);
  store<u32>(<usize>job.faces + (<usize>triangle << 2), face);
}

/**
 * Makes the triangle list: `sizes` has 3 or 4 for each face, `faceClasses` the class of each corner of a face. Quads are cut
 * along the shorter diagonal of the texture, or of space where those are equal, or from their first corner.
 */
export function mikkCutQuads(j: usize, sizes: usize, faces: u32, faceClasses: usize): void {
  const job = changetype<Job>(j), records = <usize>job.records;
  let first: u32 = 0, t: u32 = 0;
  for (let f: u32 = 0; f < faces; f++) {
    if (load<u8>(sizes + f) == 3) {
      put(job, faceClasses, t++, f, first, 0, 1, 2);
      first += 3;
      continue;
    }
    const p = faceClasses + (<usize>first << 2);
    const a = records + (<usize>load<u32>(p) << 5), b = records + (<usize>load<u32>(p, 4) << 5);
    const c = records + (<usize>load<u32>(p, 8) << 5), d = records + (<usize>load<u32>(p, 12) << 5);
    const ac = squared(a, c, true), bd = squared(b, d, true);
    const fromFirst = ac < bd || (!(bd < ac) && !(squared(b, d, false) < squared(a, c, false)));
    put(job, faceClasses, t++, f, first, 0, 1, fromFirst ? 2 : 3);
    put(job, faceClasses, t++, f, first, fromFirst ? 0 : 1, 2, 3);
    first += 4;
  }
}

/** Both halves of a quad get one orientation: that of the larger in the texture, if they differ. After mikkDerive. */
export function mikkOrientQuads(j: usize): void {
  const job = changetype<Job>(j), flags = <usize>job.flags, faces = <usize>job.faces;
  for (let t: u32 = 0; t + 1 < job.triangles; t++) {
    if (load<u32>(faces + (<usize>t << 2)) != load<u32>(faces + (<usize>t << 2), 4)) continue;
    const a: u32 = load<u8>(flags + t), b: u32 = load<u8>(flags + t, 1);
    if ((a | b) & DEGENERATE || (a & POSITIVE) == (b & POSITIVE)) continue;
    const keepFirst = b & ANY || abs<f32>(signedArea(job, t)) >= abs<f32>(signedArea(job, t + 1));
    if (keepFirst) store<u8>(flags + t, b & ~POSITIVE | a & POSITIVE, 1);
    else store<u8>(flags + t, a & ~POSITIVE | b & POSITIVE);
  }
}

function equalSpaces(job: Job, c: u32, d: u32): bool {
  const out = <usize>job.out, spaces = <usize>job.spaces;
  const s = f32x4.eq(v128.load(out + (<usize>c << 4)), v128.load(out + (<usize>d << 4)));
  const p = spaces + (<usize>c << 5), q = spaces + (<usize>d << 5);
  const t = f32x4.eq(v128.load(p), v128.load(q)), m = f32x4.eq(v128.load(p, 16), v128.load(q, 16));
  return (i32x4.bitmask(s) & i32x4.bitmask(t) & 7) == 7 && (i32x4.bitmask(m) & 3) == 3;
}

/**
 * Gathers the tangents of the corners of faces in `faceOut`, 16 bytes each. `opened` holds, for each corner of a triangle,
 * the root of its group before groups fell apart, or a number above all corners.
 */
export function mikkFinishQuads(j: usize, opened: usize, faceOut: usize, faceCorners: u32): void {
  const job = changetype<Job>(j), out = <usize>job.out, flags = <usize>job.flags;
  const corners = job.triangles * 3;
  const writer = <usize>job.left; // dead by now: the first corner that wrote a place
  memory.fill(writer, 0xff, <usize>faceCorners << 2);
  for (let k: u32 = 0; k < faceCorners; k++) v128.store(faceOut + (<usize>k << 4), f32x4(1, 0, 0, -job.sign));
  for (let c: u32 = 0; c < corners; c++) {
    const root = load<u32>(opened + (<usize>c << 2));
    if (root >= corners) continue;
    const place = placeOf(job, c), to = faceOut + (<usize>place << 4), p = writer + (<usize>place << 2);
    const other = load<u32>(p), mine = v128.load(out + (<usize>c << 4));
    if (other == NONE) {
      store<u32>(p, c);
      v128.store(to, mine);
      continue;
    }
    // the group that was opened first gives equal spaces, the other one the sign
    const theirs = v128.load(out + (<usize>other << 4));
    const later = load<u32>(opened + (<usize>other << 2)) > root;
    const sign = f32x4.extract_lane(later ? theirs : mine, 3), space = later ? mine : theirs;
    v128.store(to, equalSpaces(job, other, c) ? f32x4.replace_lane(space, 3, sign) : finished(f32x4.add(theirs, mine), sign));
  }
  fillDegenerateFaces(job, flags, faceOut);
}

function samePlace(job: Job, a: u32, b: u32): bool {
  const records = <usize>job.records;
  return (i32x4.bitmask(f32x4.eq(v128.load(records + (<usize>a << 5)), v128.load(records + (<usize>b << 5)))) & 7) == 7;
}

/** Corners without a tangent take one: of the quad's good half at the same position, or of the first good corner of their class. */
function fillDegenerateFaces(job: Job, flags: usize, faceOut: usize): void {
  const ids = <usize>job.ids, faces = <usize>job.faces, first = <usize>job.counts, triangles = job.triangles;
  memory.fill(first, 0xff, <usize>job.classes << 2);
  for (let t = triangles; t-- > 0;) {
    if (load<u8>(flags + t) & DEGENERATE) continue;
    for (let k: u32 = 0; k < 3; k++) {
      const c = t * 3 + 2 - k;
      store<u32>(first + (<usize>load<u32>(ids + (<usize>c << 2)) << 2), placeOf(job, c));
    }
  }
  for (let pass = 0; pass < 2; pass++) {
    for (let t: u32 = 0; t < triangles; t++) {
      if (!(load<u8>(flags + t) & DEGENERATE)) continue;
      const face = load<u32>(faces + (<usize>t << 2));
      let twin = NONE;
      if (t > 0 && load<u32>(faces + (<usize>(t - 1) << 2)) == face) twin = t - 1;
      if (t + 1 < triangles && load<u32>(faces + (<usize>(t + 1) << 2)) == face) twin = t + 1;
      const half = twin != NONE && !(load<u8>(flags + twin) & DEGENERATE);
      if (half != (pass == 1)) continue;
      for (let c = t * 3, end = c + 3; c < end; c++) {
        const class_ = load<u32>(ids + (<usize>c << 2));
        let from = NONE;
        if (!half) from = load<u32>(first + (<usize>class_ << 2));
        else if (!hasPlace(job, twin, placeOf(job, c))) from = twinPlace(job, twin, class_);
        if (from != NONE) v128.store(faceOut + (<usize>placeOf(job, c) << 4), v128.load(faceOut + (<usize>from << 4)));
      }
    }
  }
}

function hasPlace(job: Job, t: u32, place: u32): bool {
  return placeOf(job, t * 3) == place || placeOf(job, t * 3 + 1) == place || placeOf(job, t * 3 + 2) == place;
}

function twinPlace(job: Job, t: u32, class_: u32): u32 {
  for (let c = t * 3, end = c + 3; c < end; c++) {
    if (samePlace(job, load<u32>(<usize>job.ids + (<usize>c << 2)), class_)) return placeOf(job, c);
  }
  return NONE;
}
