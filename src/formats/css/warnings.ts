/**
 * What the importer takes and the engine then changes, drops or shows wrongly.
 *
 * Every warning is given once a file, with the number of cases and the first one, except for deltas, which are named one
 * by one as the importer would name them if it measured their length.
 *
 * @module
 */
import { roughText } from "../../core/number_text.ts";
import { crossSquared, type Judgement, rowsByPoint } from "./judge.ts";
import type { RawCss } from "./parse.ts";
import { quoted, shown } from "./problems.ts";
import {
  CSS_DEGENERATE,
  CSS_MAX_DELTA,
  CSS_MAX_NAME,
  CSS_MORPH_THRESHOLD,
  CSS_POSITION_THRESHOLD,
  CSS_SUSPICIOUS_LARGE,
  CSS_SUSPICIOUS_SMALL,
  CSS_WEIGHT_STEP,
} from "./types.ts";

/** A number of cases and the first of them. */
class Cases {
  count = 0;
  first = -1;
  add(i: number): void {
    if (this.count++ === 0) this.first = i;
  }
}

function warnText(raw: RawCss, j: Judgement): void {
  if (raw.bom) {
    j.warn({
      code: "CSS-BOM",
      path: [],
      message: "Save the file without a byte order mark: it begins with one",
      found: "EF BB BF",
      allowed: "plain UTF-8",
    });
  }
  for (const [key, { path, count }] of raw.repeatedKeys) {
    j.warn({
      code: "CSS-KEY-REPEATED",
      path,
      message: `Write ${
        quoted(key)
      } once: the last of several values counts, ${count} do not`,
      found: count + 1,
      allowed: 1,
    });
  }
  if (raw.unknownKeys.size > 0) {
    const names = [...raw.unknownKeys.keys()];
    j.warn({
      code: "CSS-KEY-UNKNOWN",
      path: raw.unknownKeys.get(names[0])!,
      message: `Check the spelling: the importer ignores ${
        names.slice(0, 5).map(quoted).join(", ")
      }${names.length > 5 ? ` and ${names.length - 5} more` : ""}`,
      found: names.slice(0, 20).map(shown),
    });
  }
  const long = (name: unknown, path: (string | number)[]) => {
    if (typeof name !== "string" || name.length <= CSS_MAX_NAME) return;
    j.warn({
      code: "CSS-NAME-LENGTH",
      path,
      message:
        `Shorten the name: ${name.length} characters, the engine holds ${CSS_MAX_NAME}`,
      found: name.length,
      allowed: CSS_MAX_NAME,
    });
  };
  raw.bones.items.forEach((b, i) => long(b.name, ["bones", i, "name"]));
  raw.materials.items.forEach((name, i) => long(name, ["materials", i]));
}

function warnSize(raw: RawCss, j: Judgement): void {
  const { values } = raw.points;
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    const x = values[i];
    if (x < min[i % 3]) min[i % 3] = x;
    if (x > max[i % 3]) max[i % 3] = x;
  }
  const extent = Math.max(...max.map((x, k) => x - min[k]));
  const small = CSS_SUSPICIOUS_SMALL;
  const large = CSS_SUSPICIOUS_LARGE;
  if (!(extent > 0) || (extent >= small && extent <= large)) return;
  j.warn({
    code: "MESH-UNIT-SIZE",
    path: ["points"],
    message: `Check the unit, which is centimetres: the mesh is ${
      Number(extent.toPrecision(3))
    } cm across`,
    found: extent,
    allowed: [small, large],
  });
}

function warnUnused(raw: RawCss, j: Judgement): void {
  const usedWedges = new Uint8Array(raw.wedges.count);
  const usedPoints = new Uint8Array(raw.points.count);
  const { values } = raw.faces;
  for (let i = 0; i < values.length; i++) {
    if (i % 4 === 3 || values[i] >= usedWedges.length) continue;
    usedWedges[values[i]] = 1;
    const point = raw.wedges.points[values[i]];
    if (point < usedPoints.length) usedPoints[point] = 1;
  }
  for (
    const [key, name, used] of [
      ["points", "point", usedPoints],
      ["wedges", "wedge", usedWedges],
    ] as const
  ) {
    const cases = new Cases();
    used.forEach((u, i) => u === 0 && cases.add(i));
    if (cases.count === 0) continue;
    j.warn({
      code: key === "points" ? "CSS-UNUSED-POINT" : "CSS-UNUSED-WEDGE",
      path: [key, cases.first],
      message: `Leave out what no face uses: ${cases.count} ${
        cases.count === 1 ? name : key
      }, the first is ${name} ${cases.first}`,
      found: cases.count,
      allowed: 0,
    });
  }
}

/** One pass over the faces whose corners are all there. */
function warnFaces(raw: RawCss, j: Judgement): void {
  const { faces, wedges, points, normals } = raw;
  const p = points.values;
  const n = normals.isArray && normals.count === wedges.count
    ? normals.values
    : null;
  const width = 2 * wedges.channels;
  let agree = 0;
  let oppose = 0;
  const merged = new Cases();
  const repeated = new Cases();
  const seam = new Cases();
  /** 1 where a plain triangle uses a wedge, 2 where a mirrored one does. */
  const sides = new Uint8Array(wedges.count);
  let size = 16;
  while (size < 2 * faces.count) size *= 2;
  /** Faces by their points, plus one. */
  const table = new Uint32Array(size);
  const corner = new Uint32Array(3);
  const pointsOf = (face: number): boolean => {
    for (let k = 0; k < 3; k++) {
      const w = faces.values[face * 4 + k];
      if (w >= wedges.count) return false;
      corner[k] = wedges.points[w];
      if (corner[k] >= points.count) return false;
    }
    return true;
  };
  const near = (a: number, b: number) =>
    Math.abs(p[a * 3] - p[b * 3]) <= CSS_POSITION_THRESHOLD &&
    Math.abs(p[a * 3 + 1] - p[b * 3 + 1]) <= CSS_POSITION_THRESHOLD &&
    Math.abs(p[a * 3 + 2] - p[b * 3 + 2]) <= CSS_POSITION_THRESHOLD;

  for (let face = 0; face < faces.count; face++) {
    if (!pointsOf(face)) continue;
    const a = corner[0];
    const b = corner[1];
    const c = corner[2];
    if (!(crossSquared(p, a, b, c) >= CSS_DEGENERATE)) continue; // said as an error
    if (near(a, b) || near(b, c) || near(c, a)) merged.add(face);

    // the same three points in the same turn, wherever the face begins
    const least = Math.min(a, b, c);
    const x = least;
    const y = least === a ? b : least === b ? c : a;
    const z = least === a ? c : least === b ? a : b;
    let slot = (Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b) ^
      Math.imul(z, 0xc2b2ae35)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & (size - 1);
    for (; table[slot] !== 0; slot = (slot + 1) & (size - 1)) {
      pointsOf(table[slot] - 1);
      const d = corner[0];
      const e = corner[1];
      const g = corner[2];
      const same = (d === x && e === y && g === z) ||
        (e === x && g === y && d === z) || (g === x && d === y && e === z);
      if (same) {
        repeated.add(face);
        break;
      }
    }
    if (table[slot] === 0) table[slot] = face + 1;

    const w0 = faces.values[face * 4];
    const w1 = faces.values[face * 4 + 1];
    const w2 = faces.values[face * 4 + 2];
    if (n) {
      const ux = p[b * 3] - p[a * 3];
      const uy = p[b * 3 + 1] - p[a * 3 + 1];
      const uz = p[b * 3 + 2] - p[a * 3 + 2];
      const vx = p[c * 3] - p[a * 3];
      const vy = p[c * 3 + 1] - p[a * 3 + 1];
      const vz = p[c * 3 + 2] - p[a * 3 + 2];
      // cross(C − A, B − A) points outward
      const side = (vy * uz - vz * uy) * (n[w0 * 3] + n[w1 * 3] + n[w2 * 3]) +
        (vz * ux - vx * uz) *
          (n[w0 * 3 + 1] + n[w1 * 3 + 1] + n[w2 * 3 + 1]) +
        (vx * uy - vy * ux) *
          (n[w0 * 3 + 2] + n[w1 * 3 + 2] + n[w2 * 3 + 2]);
      if (side > 0) agree++;
      else if (side < 0) oppose++;
    }
    const uv = wedges.uvs;
    const i = w0 * width;
    const k = w1 * width;
    const l = w2 * width;
    const turn = (uv[k] - uv[i]) * (uv[l + 1] - uv[i + 1]) -
      (uv[l] - uv[i]) * (uv[k + 1] - uv[i + 1]);
    if (turn !== 0) {
      for (let at = 0; at < 3; at++) {
        const w = faces.values[face * 4 + at];
        const before = sides[w];
        sides[w] |= turn > 0 ? 1 : 2;
        if (before !== 0 && before !== 3 && sides[w] === 3) seam.add(w);
      }
    }
  }
  if (oppose > agree) {
    j.warn({
      code: "MESH-WINDING",
      path: ["faces"],
      message:
        `Reverse the faces, which are clockwise from the front: ${oppose} of ${
          oppose + agree
        } face against their normals`,
      found: oppose / (oppose + agree),
      allowed: "<= 0.5",
    });
  }
  if (merged.count > 0) {
    j.warn({
      code: "CSS-FACE-MERGED",
      path: ["faces", merged.first],
      message:
        `Weld near points: the engine merges corners within ${CSS_POSITION_THRESHOLD} cm, removes ${
          merged.count === 1 ? "a face" : `${merged.count} faces`
        } for it, and the import fails`,
      found: merged.count,
      allowed: 0,
    });
  }
  if (repeated.count > 0) {
    j.warn({
      code: "CSS-FACE-REPEATED",
      path: ["faces", repeated.first],
      message:
        `Remove faces that stand twice on the same points: ${repeated.count}, the first is face ${repeated.first}`,
      found: repeated.count,
      allowed: 0,
    });
  }
  if (seam.count > 0) {
    j.warn({
      code: "CSS-MIRRORED-SEAM",
      path: ["wedges", seam.first],
      message: `Split wedges where the texture mirrors: ${
        seam.count === 1 ? "one belongs" : `${seam.count} belong`
      } to plain and mirrored faces, and the engine splits their tangents`,
      found: seam.count,
      allowed: 0,
    });
  }
}

function warnWeights(raw: RawCss, j: Judgement): void {
  const { influences, points } = raw;
  const { starts, order } = rowsByPoint(influences.points, points.count);
  const cases = new Cases();
  for (let p = 0; p + 1 < starts.length; p++) {
    let near = false;
    // a point with more rows than eight is an error already
    const end = Math.min(starts[p + 1], starts[p] + 8);
    for (let a = starts[p]; a < end && !near; a++) {
      for (let b = a + 1; b < end && !near; b++) {
        const gap = Math.abs(
          Math.fround(influences.weights[order[a]]) -
            Math.fround(influences.weights[order[b]]),
        );
        near = gap > 0 && gap < CSS_WEIGHT_STEP;
      }
    }
    if (near) cases.add(p);
  }
  if (cases.count === 0) return;
  j.warn({
    code: "CSS-WEIGHTS-CLOSE",
    path: ["points", cases.first],
    message: `Set weights a step of 1/65535 apart, or equal: on ${
      cases.count === 1 ? "a point" : `${cases.count} points`
    } two are nearer and may change places in the engine`,
    found: cases.count,
    allowed: 0,
  });
}

function warnMorphs(raw: RawCss, j: Judgement): void {
  raw.morphTargets.items.forEach((target, t) => {
    if (!target.isObject || !target.deltas.isArray) return;
    const { values } = target;
    let longest = 0;
    for (let i = 0; i < values.length; i += 3) {
      const [x, y, z] = [values[i], values[i + 1], values[i + 2]];
      const length = Math.sqrt(x * x + y * y + z * z);
      if (length > longest) longest = length;
      const most = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
      if (!(length > CSS_MAX_DELTA && most <= CSS_MAX_DELTA)) continue;
      j.warn({
        code: "CSS-MORPH-LENGTH",
        path: ["morph_targets", t, "deltas", i / 3],
        message: `Shorten the delta: it is ${
          roughText(length)
        } cm long, and it is not known whether the importer measures components or length`,
        found: length,
        allowed: CSS_MAX_DELTA,
      });
    }
    if (longest > CSS_MORPH_THRESHOLD) return;
    j.warn({
      code: "CSS-MORPH-DROPPED",
      path: ["morph_targets", t],
      message: `Leave out morph target ${
        quoted(target.name)
      }, or move it more: the longest delta is ${
        roughText(longest)
      } cm, the engine drops targets within ${CSS_MORPH_THRESHOLD} cm, and the import fails`,
      found: longest,
      allowed: `> ${CSS_MORPH_THRESHOLD}`,
    });
  });
}

/** Adds the warnings of a file to its judgement. */
export function warnCss(raw: RawCss, j: Judgement): void {
  warnText(raw, j);
  warnSize(raw, j);
  warnUnused(raw, j);
  warnFaces(raw, j);
  warnWeights(raw, j);
  warnMorphs(raw, j);
}
