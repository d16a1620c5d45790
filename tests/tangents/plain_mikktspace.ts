/**
 * MikkTSpace written the plainest way: lists, searches and f32 rounding, one step after the other, as slow as it likes to
 * be. It is checked against the outside generators where they reach, and stands in for them where they do not: quads and
 * angular thresholds.
 *
 * @module
 */
import type { TangentMesh } from "../../bench/tangent_meshes.ts";

const f = Math.fround;
const FLT_MIN = 1.1754943508222875e-38;
type V = [number, number, number];

const sub = (a: V, b: V): V => [f(a[0] - b[0]), f(a[1] - b[1]), f(a[2] - b[2])];
const add = (a: V, b: V): V => [f(a[0] + b[0]), f(a[1] + b[1]), f(a[2] + b[2])];
const scale = (s: number, a: V): V => [f(s * a[0]), f(s * a[1]), f(s * a[2])];
const dot = (a: V, b: V) =>
  f(f(f(a[0] * b[0]) + f(a[1] * b[1])) + f(a[2] * b[2]));
const length = (a: V) => f(Math.sqrt(dot(a, a)));
const some = (a: V) => a.some((x) => Math.abs(x) > FLT_MIN);
const unit = (a: V): V => some(a) ? scale(f(1 / length(a)), a) : a;
const equal = (a: readonly number[], b: readonly number[]) =>
  a.every((x, i) => x === b[i]);
const project = (v: V, n: V): V => unit(sub(v, scale(dot(n, v), n)));

interface Triangle {
  face: number;
  /** Corners of faces. */
  corners: number[];
  /** Welded corners. */
  ids: number[];
  degenerate: boolean;
  /** Other half of a quad is degenerate, this one is not, or the reverse. */
  half: boolean;
  positive: boolean;
  any: boolean;
  s: V;
  t: V;
  magnitudes: [number, number];
  area: number;
  neighbours: number[];
  groups: (Group | null)[];
}

interface Group {
  id: number;
  positive: boolean;
  members: Triangle[];
}

interface Space {
  s: V;
  t: V;
  magnitudes: [number, number];
  positive: boolean;
}

/** Tangents of the corners of all faces, x y z w, as the corrected reference gives them. */
export function plainTangents(
  mesh: TangentMesh,
  faceSizes: ArrayLike<number> | null = null,
  angularThreshold = 180,
): Float32Array {
  const threshold = f(Math.cos(f(f(angularThreshold * f(Math.PI)) / 180)));
  const { indices } = mesh;
  const pick = (from: Float32Array, width: number, corner: number) =>
    Array.from(from.subarray(indices[corner] * width).subarray(0, width));
  const P = (c: number) => pick(mesh.position, 3, c) as V;
  const N = (c: number) => pick(mesh.normal, 3, c) as V;
  const T = (c: number) => pick(mesh.uv, 2, c);
  const weld = (c: number) => {
    for (let d = 0; d < c; d++) {
      if (equal(P(c), P(d)) && equal(N(c), N(d)) && equal(T(c), T(d))) return d;
    }
    return c;
  };
  const ids = Array.from(indices, (_, c) => weld(c));

  // triangles of faces
  const all: Triangle[] = [];
  const push = (face: number, corners: number[]) =>
    all.push({
      face,
      corners,
      ids: corners.map((c) => ids[c]),
      degenerate: equal(P(corners[0]), P(corners[1])) ||
        equal(P(corners[0]), P(corners[2])) ||
        equal(P(corners[1]), P(corners[2])),
      half: false,
      positive: false,
      any: true,
      s: [0, 0, 0],
      t: [0, 0, 0],
      magnitudes: [0, 0],
      area: 0,
      neighbours: [-1, -1, -1],
      groups: [null, null, null],
    });
  const faces = faceSizes
    ? Array.from(faceSizes)
    : new Array(indices.length / 3).fill(3);
  let first = 0;
  faces.forEach((size, face) => {
    const [a, b, c, d] = [first, first + 1, first + 2, first + 3];
    if (size === 3) push(face, [a, b, c]);
    else {
      const uv = (x: number, y: number) => {
        const v: V = [f(T(y)[0] - T(x)[0]), f(T(y)[1] - T(x)[1]), 0];
        return dot(v, v);
      };
      const space = (x: number, y: number) => {
        const v = sub(P(y), P(x));
        return dot(v, v);
      };
      const ac = uv(a, c) < uv(b, d) ||
        (!(uv(b, d) < uv(a, c)) && !(space(b, d) < space(a, c)));
      push(face, ac ? [a, b, c] : [a, b, d]);
      push(face, ac ? [a, c, d] : [b, c, d]);
    }
    first += size;
  });
  for (let i = 0; i + 1 < all.length; i++) {
    const [a, b] = [all[i], all[i + 1]];
    if (a.face === b.face && a.degenerate !== b.degenerate) {
      a.half = b.half = true;
    }
  }
  const good = all.filter((t) => !t.degenerate);

  // derivatives
  for (const tri of good) {
    const [p1, p2, p3] = tri.ids.map(P);
    const [t1, t2, t3] = tri.ids.map(T);
    const [x1, y1] = [f(t2[0] - t1[0]), f(t2[1] - t1[1])];
    const [x2, y2] = [f(t3[0] - t1[0]), f(t3[1] - t1[1])];
    const [d1, d2] = [sub(p2, p1), sub(p3, p1)];
    const area = f(f(x1 * y2) - f(y1 * x2));
    tri.area = Math.abs(area);
    tri.positive = area > 0;
    if (!(Math.abs(area) > FLT_MIN)) continue;
    const s = sub(scale(y2, d1), scale(y1, d2));
    const t = add(scale(-x2, d1), scale(x1, d2));
    const sign = tri.positive ? 1 : -1;
    if (length(s) > FLT_MIN) tri.s = scale(f(sign / length(s)), s);
    if (length(t) > FLT_MIN) tri.t = scale(f(sign / length(t)), t);
    tri.magnitudes = [f(length(s) / tri.area), f(length(t) / tri.area)];
    tri.any = !tri.magnitudes.every((m) => m > FLT_MIN);
  }
  for (let i = 0; i + 1 < good.length; i++) {
    const [a, b] = [good[i], good[i + 1]];
    if (a.face !== b.face || a.positive === b.positive) continue;
    if (b.any || a.area >= b.area) b.positive = a.positive;
    else a.positive = b.positive;
  }

  // neighbours: the first later edge that runs the other way
  const edges = good.flatMap((tri, t) =>
    [0, 1, 2].map((k) => ({
      t,
      k,
      from: tri.ids[k],
      to: tri.ids[(k + 1) % 3],
    }))
  );
  edges.forEach((a, i) => {
    if (good[a.t].neighbours[a.k] >= 0) return;
    const b = edges.slice(i + 1).find((e) =>
      e.from === a.to && e.to === a.from && good[e.t].neighbours[e.k] < 0
    );
    if (!b) return;
    good[a.t].neighbours[a.k] = b.t;
    good[b.t].neighbours[b.k] = a.t;
  });

  // groups
  const groups: Group[] = [];
  const join = (tri: Triangle, group: Group): void => {
    const k = tri.ids.indexOf(group.id);
    if (tri.groups[k]) return;
    if (tri.any && tri.groups.every((g) => g === null)) {
      tri.positive = group.positive;
    }
    if (tri.positive !== group.positive) return;
    tri.groups[k] = group;
    group.members.push(tri);
    for (const next of [tri.neighbours[k], tri.neighbours[(k + 2) % 3]]) {
      if (next >= 0) join(good[next], group);
    }
  };
  for (const tri of good) {
    for (let k = 0; k < 3; k++) {
      if (tri.any || tri.groups[k]) continue;
      const group = { id: tri.ids[k], positive: tri.positive, members: [] };
      groups.push(group);
      join(tri, group);
    }
  }

  // spaces
  const spaces = new Map<number, Space>();
  for (const group of groups) {
    const n = N(group.id);
    for (const tri of group.members) {
      const [s, t] = [project(tri.s, n), project(tri.t, n)];
      const members = good.filter((other) =>
        group.members.includes(other) &&
        (other.any || tri.any || other.face === tri.face ||
          (dot(s, project(other.s, n)) > threshold &&
            dot(t, project(other.t, n)) > threshold))
      );
      const space = evaluate(members.filter((m) => !m.any), group, n, P);
      const corner = tri.corners[tri.ids.indexOf(group.id)];
      const old = spaces.get(corner);
      spaces.set(corner, old ? mean(old, space) : space);
    }
  }

  // what is degenerate copies
  for (const tri of all.filter((t) => t.degenerate && !t.half)) {
    tri.corners.forEach((corner, k) => {
      for (const other of good) {
        const at = other.ids.indexOf(tri.ids[k]);
        if (at < 0) continue;
        const space = spaces.get(other.corners[at]);
        if (space) spaces.set(corner, space);
        return;
      }
    });
  }
  for (const tri of good.filter((t) => t.half)) {
    const start = faces.slice(0, tri.face).reduce((sum, n) => sum + n, 0);
    const missing = [0, 1, 2, 3].map((k) => start + k)
      .find((c) => !tri.corners.includes(c))!;
    const source = tri.corners.find((c) => equal(P(c), P(missing)));
    const space = source === undefined ? undefined : spaces.get(source);
    if (space) spaces.set(missing, space);
  }
  const out = new Float32Array(indices.length * 4);
  for (let c = 0; c < indices.length; c++) {
    const space = spaces.get(c);
    out.set(
      space ? [...space.s, space.positive ? 1 : -1] : [1, 0, 0, -1],
      c * 4,
    );
  }
  return out;
}

function evaluate(
  members: Triangle[],
  group: Group,
  n: V,
  P: (c: number) => V,
): Space {
  let [s, t]: V[] = [[0, 0, 0], [0, 0, 0]];
  let [magS, magT, angles] = [0, 0, 0];
  for (const tri of members) {
    const k = tri.ids.indexOf(group.id);
    const at = P(tri.ids[k]);
    const a = project(sub(P(tri.ids[(k + 2) % 3]), at), n);
    const b = project(sub(P(tri.ids[(k + 1) % 3]), at), n);
    const cosine = dot(a, b);
    const angle = f(
      Math.acos(cosine > 1 ? 1 : cosine < -1 ? -1 : cosine),
    );
    s = add(s, scale(angle, project(tri.s, n)));
    t = add(t, scale(angle, project(tri.t, n)));
    magS = f(magS + f(angle * tri.magnitudes[0]));
    magT = f(magT + f(angle * tri.magnitudes[1]));
    angles = f(angles + angle);
  }
  if (angles > 0) [magS, magT] = [f(magS / angles), f(magT / angles)];
  return {
    s: unit(s),
    t: unit(t),
    magnitudes: [magS, magT],
    positive: group.positive,
  };
}

/** Of two spaces at one corner of a quad: theirs if they are equal, else the mean; the sign of the second. */
function mean(a: Space, b: Space): Space {
  const { positive } = b;
  if (
    equal(a.s, b.s) && equal(a.t, b.t) && equal(a.magnitudes, b.magnitudes)
  ) return { ...a, positive };
  return {
    s: unit(add(a.s, b.s)),
    t: unit(add(a.t, b.t)),
    magnitudes: [
      f(0.5 * f(a.magnitudes[0] + b.magnitudes[0])),
      f(0.5 * f(a.magnitudes[1] + b.magnitudes[1])),
    ],
    positive,
  };
}
