/**
 * The importer's rules, in the importer's order. What one row alone can break was found when it was read; counts, indices,
 * names, sums and geometry are looked at here.
 *
 * | order | rules |
 * | --- | --- |
 * | 1 | size of the file, `schema`, package types, prefixes, names, distinctness |
 * | 2 | each required array: there, not empty, within its limit; `uv_channels`; lengths of `normals` and `colors` |
 * | 3 | bones one by one, materials, points, wedges each with its normal and colour, faces, influences |
 * | 4 | weights of every point |
 * | 5 | morph targets |
 *
 * An index is looked at only where the array that it points into is there, so that one missing array is one finding.
 *
 * @module
 */
import { exactText } from "../../core/number_text.ts";
import type { Code } from "../../core/codes.ts";
import { meshError } from "../../core/errors.ts";
import { MAX_LISTED_FINDINGS } from "../../core/limits.ts";
import { NO_INDEX, type RawArray, type RawBone, type RawCss } from "./parse.ts";
import { type Path, type Problem, quoted, shown } from "./problems.ts";
import type { Leaf } from "../../core/json_tokenizer.ts";
import {
  CSS_DEGENERATE,
  CSS_MAX_BYTES,
  CSS_MAX_INFLUENCES,
  CSS_MAX_MORPHS,
  CSS_MAX_ROWS,
  CSS_MAX_UV_CHANNELS,
  CSS_MESH_PREFIX,
  CSS_NORMAL_TOLERANCE,
  CSS_SKELETON_PREFIX,
  CSS_SUM_TOLERANCE,
  REQUIRED_ARRAYS,
  type RequiredArray,
} from "./types.ts";

const f = Math.fround;

const MISSING = {
  bones: "R-ARRAY-MISSING:bones",
  points: "R-ARRAY-MISSING:points",
  wedges: "R-ARRAY-MISSING:wedges",
  faces: "R-ARRAY-MISSING:faces",
  influences: "R-ARRAY-MISSING:influences",
  materials: "R-ARRAY-MISSING:materials",
} as const satisfies Record<RequiredArray, Code>;

const EMPTY = {
  bones: "R-ARRAY-EMPTY:bones",
  points: "R-ARRAY-EMPTY:points",
  wedges: "R-ARRAY-EMPTY:wedges",
  faces: "R-ARRAY-EMPTY:faces",
  influences: "R-ARRAY-EMPTY:influences",
  materials: "R-ARRAY-EMPTY:materials",
} as const satisfies Record<RequiredArray, Code>;

const TOO_MANY = {
  bones: "R-LIMIT:bones",
  points: "R-LIMIT:points",
  wedges: "R-LIMIT:wedges",
  faces: "R-LIMIT:faces",
  influences: "R-LIMIT:influences",
  materials: "R-LIMIT:materials",
} as const satisfies Record<RequiredArray, Code>;

/** Collects broken rules: lists the first ones, counts every one. */
export class Judgement {
  /** The listed ones, in order. */
  readonly list: Problem[] = [];
  /** How many errors there are in all. */
  errors = 0;
  /** How many warnings there are in all. */
  warnings = 0;
  /** The first one that keeps the file from being read. */
  structural: Problem | null = null;

  /** @param noIndex True where {@linkcode NO_INDEX} was spoken of when the file was read. */
  constructor(readonly noIndex: boolean = true) {}

  /** Adds one error. */
  add(problem: Problem): void {
    this.errors++;
    if (this.list.length < MAX_LISTED_FINDINGS) this.list.push(problem);
    if (problem.structural) this.structural ??= problem;
  }

  /** Adds one error whose sentence is made only where it is listed. */
  addLazy(make: () => Problem, structural: boolean): void {
    if (
      this.list.length < MAX_LISTED_FINDINGS || (structural && !this.structural)
    ) this.add(make());
    else this.errors++;
  }

  /** Adds one warning. */
  warn(problem: Problem): void {
    this.warnings++;
    if (this.list.length < MAX_LISTED_FINDINGS) this.list.push(problem);
  }
}

/** What the judgement depends on. */
export interface JudgeOptions {
  /** Size of the file in bytes; 0 for a mesh that is none yet. */
  bytes: number;
  /** Where the mesh must lie. */
  packagePrefix: string;
  /** True to look only for what keeps the file from being read. */
  structureOnly: boolean;
  /**
   * For a model that is yet to be written: the exact f64 of an influence's weight in its text, where sums of f32 are too
   * near the bound to tell.
   */
  exactWeight?: (i: number) => number;
}

/** Hands out the problems of an array's rows in step with the rows. */
class RowProblems {
  #next = 0;
  constructor(readonly array: RawArray, readonly judgement: Judgement) {}

  /** Adds those of row `i`; `depth` is the place of the row number in their paths. */
  upTo(i: number, depth: number): void {
    const { items } = this.array.problems;
    while (
      this.#next < items.length && Number(items[this.#next].path[depth]) <= i
    ) {
      this.judgement.add(items[this.#next++]);
    }
  }

  /** Adds what is left and counts what was not listed. */
  rest(): void {
    const { items, count, structural } = this.array.problems;
    while (this.#next < items.length) this.judgement.add(items[this.#next++]);
    this.judgement.errors += count - items.length;
    if (structural) this.judgement.structural ??= structural;
  }
}

/** Engine names ignore case. */
export const folded = (name: string): string => name.toLowerCase();

/** True for a name of a package that the engine takes. */
export function isPackageName(name: string): boolean {
  return name.length >= 4 && name.startsWith("/") && !name.endsWith("/") &&
    !name.includes("//") && !/[\\:*?"<>|' ,.&!~\n\r\t@#]/.test(name);
}

/** A name that a morph target may have. */
export const MORPH_NAME = /^[A-Za-z0-9_]{1,64}$/;

function judgePackages(raw: RawCss, o: JudgeOptions, j: Judgement): void {
  if (raw.schema !== 1) {
    j.add({
      code: "R-SCHEMA",
      path: ["schema"],
      message: `Set schema to 1: found ${
        raw.schema !== undefined
          ? quoted(raw.schema)
          : raw.unknownKeys.has("asset")
          ? "nothing, and the key asset of a glTF"
          : "nothing, nor the key asset of a glTF"
      }`,
      found: shown(raw.schema),
      allowed: 1,
      structural: true,
    });
  }
  const names = [
    ["mesh_package", raw.meshPackage, o.packagePrefix, "R-PKG-MESH-PREFIX"],
    [
      "skeleton_package",
      raw.skeletonPackage,
      CSS_SKELETON_PREFIX,
      "R-PKG-SKEL-PREFIX",
    ],
  ] as const;
  for (const [key, value] of names) {
    if (typeof value === "string") continue;
    j.add({
      code: "R-PKG-TYPE",
      path: [key],
      message: `Give ${key} as a text: found ${quoted(value)}`,
      found: shown(value),
      allowed: "a text",
      structural: true,
    });
  }
  for (const [key, value, prefix, code] of names) {
    if (typeof value !== "string") continue;
    if (folded(value).startsWith(folded(prefix))) continue;
    j.add({
      code,
      path: [key],
      message: `Put ${key} below ${prefix}: found ${quoted(value)}`,
      found: shown(value),
      allowed: `${prefix}…`,
    });
  }
  for (const [key, value] of names) {
    if (typeof value !== "string" || isPackageName(value)) continue;
    j.add({
      code: "R-PKG-NAME",
      path: [key],
      message:
        `Name ${key} as the engine allows, parts between single slashes without spaces, points or signs: found ${
          quoted(value)
        }`,
      found: shown(value),
      allowed: "/Root/Path/Name",
    });
  }
  const [mesh, skeleton] = [raw.meshPackage, raw.skeletonPackage];
  if (
    typeof mesh === "string" && typeof skeleton === "string" &&
    folded(mesh) === folded(skeleton)
  ) {
    j.add({
      code: "R-PKG-DISTINCT",
      path: ["skeleton_package"],
      message: `Give the skeleton a package of its own: both are ${
        quoted(mesh)
      }`,
      found: shown(skeleton),
      allowed: "another path than mesh_package",
    });
  }
}

const mostRows = (raw: RawCss, name: RequiredArray): number =>
  name === "influences"
    ? CSS_MAX_INFLUENCES * raw.points.count
    : CSS_MAX_ROWS[name];

function judgeArrays(raw: RawCss, j: Judgement): void {
  for (const name of REQUIRED_ARRAYS) {
    const { isArray, found, count } = raw[name];
    const most = mostRows(raw, name);
    if (!isArray) {
      j.add({
        code: MISSING[name],
        path: [name],
        message: `Give the mesh an array of ${name}: found ${quoted(found)}`,
        found: shown(found),
        allowed: "an array",
        structural: true,
      });
    } else if (count === 0) {
      j.add({
        code: EMPTY[name],
        path: [name],
        message: `Give the mesh ${name}: the array is empty`,
        found: 0,
        allowed: ">= 1",
      });
    } else if (count > most && (name !== "influences" || most > 0)) {
      j.add({
        code: TOO_MANY[name],
        path: [name],
        message:
          `Reduce the mesh: ${count} ${name}, the importer takes ${most}`,
        found: count,
        allowed: most,
      });
    }
  }
}

function judgeChannels(raw: RawCss, j: Judgement): void {
  const c = raw.uvChannels;
  const good = c === undefined ||
    (typeof c === "number" && Number.isInteger(c) && c >= 1 &&
      c <= CSS_MAX_UV_CHANNELS);
  if (!good) {
    j.add({
      code: "R-UVCOUNT",
      path: ["uv_channels"],
      message: `Set uv_channels to 1, 2, 3 or 4, or leave it out: found ${
        quoted(c)
      }`,
      found: shown(c),
      allowed: "1 to 4",
      structural: true,
    });
  }
  for (
    const [name, code] of [
      ["normals", "R-NORMALS-COUNT"],
      ["colors", "R-COLORS-COUNT"],
    ] as const
  ) {
    const { isArray, found, count } = raw[name];
    if (!isArray && found === undefined) continue;
    if (isArray && (!raw.wedges.isArray || count === raw.wedges.count)) {
      continue;
    }
    j.add({
      code,
      path: [name],
      message: `Give every wedge one of the ${name}, or leave them out: found ${
        isArray ? count : quoted(found)
      } for ${raw.wedges.count} wedges`,
      found: isArray ? count : shown(found),
      allowed: raw.wedges.count,
      structural: true,
    });
  }
}

/** The names of an array as texts, with the rules for empty and repeated ones. */
function judgeName(
  name: Leaf | undefined,
  path: Path,
  what: string,
  codes: readonly [Code, Code],
  seen: Map<string, number>,
  j: Judgement,
): void {
  if (typeof name !== "string" || name === "") {
    j.add({
      code: codes[0],
      path,
      message: `Name the ${what}: found ${quoted(name)}`,
      found: shown(name),
      allowed: "a text that is not empty",
      structural: typeof name !== "string",
    });
    return;
  }
  const key = folded(name);
  const before = seen.get(key);
  if (before === undefined) {
    seen.set(key, Number(path.find((p) => typeof p === "number")));
    return;
  }
  j.add({
    code: codes[1],
    path,
    message: `Rename the ${what} ${
      quoted(name)
    }: number ${before} has that name too, since the engine ignores case`,
    found: shown(name),
    allowed: "a name of its own, whatever its case",
  });
}

function judgeVector(
  bone: RawBone,
  i: number,
  field: "translation" | "rotation" | "scale",
  want: number,
  code: Code,
  j: Judgement,
): number[] | null {
  const vector = bone[field];
  const path = ["bones", i, field];
  const bad = vector?.cells.findIndex((x) => !Number.isFinite(x)) ?? -1;
  if (vector && vector.length === want && bad < 0) return vector.cells;
  j.add({
    code,
    path: vector?.length === want ? [...path, bad] : path,
    message: `Give a bone's ${field} ${want} finite numbers: found ${
      vector === undefined
        ? "nothing"
        : vector.length < 0
        ? "no array"
        : vector.length !== want
        ? vector.length
        : "one that is no finite number"
    }`,
    found: vector === undefined
      ? "nothing"
      : vector.length < 0
      ? "no array"
      : vector.length !== want
      ? vector.length
      : shown(vector.cells[bad]),
    allowed: `${want} finite numbers`,
    structural: true,
  });
  return null;
}

function judgeBones(raw: RawCss, j: Judgement): void {
  const seen = new Map<string, number>();
  raw.bones.items.forEach((bone, i) => {
    if (!bone.isObject) {
      j.add({
        code: "R-BONE",
        path: ["bones", i],
        message: "Write a bone as an object: found another value",
        found: "no object",
        allowed: "an object",
        structural: true,
      });
      return;
    }
    judgeName(
      bone.name,
      ["bones", i, "name"],
      "bone",
      ["R-BONE-NAME", "R-BONE-DUP"],
      seen,
      j,
    );
    const { parent } = bone;
    const good = i === 0
      ? parent === -1
      : typeof parent === "number" && Number.isInteger(parent) &&
        parent >= 0 && parent < i;
    if (!good) {
      j.add({
        code: "R-BONE-PARENT",
        path: ["bones", i, "parent"],
        message: i === 0
          ? `Make bone 0 the root, with parent -1: found ${quoted(parent)}`
          : `Put bones behind their parents, with one root: bone ${i} names parent ${
            quoted(parent)
          }`,
        found: shown(parent),
        allowed: i === 0 ? -1 : `0 to ${i - 1}`,
        structural: true,
      });
    }
    judgeVector(bone, i, "translation", 3, "R-BONE-TRANSLATION", j);
    const q = judgeVector(bone, i, "rotation", 4, "R-BONE-ROTATION", j);
    if (q) {
      const square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
      if (Math.abs(square - 1) > CSS_SUM_TOLERANCE) {
        j.add({
          code: "R-BONE-QUAT-UNIT",
          path: ["bones", i, "rotation"],
          message:
            `Normalise the quaternion: the squares of bone ${i} sum to ${square}`,
          found: shown(square),
          allowed: `1 ± ${CSS_SUM_TOLERANCE}`,
        });
      }
    }
    const scale = judgeVector(bone, i, "scale", 3, "R-BONE-SCALE", j);
    const k = scale?.findIndex((x) => !(x > 0)) ?? -1;
    if (scale && k >= 0) {
      j.add({
        code: "R-BONE-SCALE",
        path: ["bones", i, "scale", k],
        message: `Give a bone scales above 0: found ${exactText(scale[k])}`,
        found: scale[k],
        allowed: "> 0",
      });
    }
  });
}

function judgeMaterials(raw: RawCss, j: Judgement): void {
  const seen = new Map<string, number>();
  raw.materials.items.forEach((name, i) => {
    judgeName(
      name,
      ["materials", i],
      "material",
      ["R-MATERIAL-NAME", "R-MATERIAL-DUP"],
      seen,
      j,
    );
  });
}

/** Adds a finding for an index that is whole but not below `count`. */
function judgeIndex(
  index: number,
  count: number,
  code: Code,
  what: string,
  path: () => Path,
  j: Judgement,
): boolean {
  if (index < count) return true;
  if (index === NO_INDEX && j.noIndex) return false; // said when it was read
  j.addLazy(() => ({
    code,
    path: path(),
    message: `Name a ${what} that is there: found ${index} of ${count}`,
    found: index,
    allowed: `< ${count}`,
    structural: true,
  }), true);
  return false;
}

function judgeWedges(raw: RawCss, o: JudgeOptions, j: Judgement): void {
  const { wedges, normals, colors } = raw;
  const points = raw.points.count;
  const ofWedges = new RowProblems(wedges, j);
  const ofNormals = new RowProblems(normals, j);
  const ofColors = new RowProblems(colors, j);
  const { values: n } = normals;
  for (let i = 0; i < Math.max(wedges.count, normals.count); i++) {
    ofWedges.upTo(i, 1);
    if (i < wedges.count && points > 0 && wedges.points[i] >= points) {
      judgeIndex(
        wedges.points[i],
        points,
        "R-WEDGE-POINT",
        "point",
        () => ["wedges", i, 0],
        j,
      );
    }
    ofNormals.upTo(i, 1);
    if (i < normals.count && !o.structureOnly) {
      const [x, y, z] = [n[i * 3], n[i * 3 + 1], n[i * 3 + 2]];
      const square = f(f(f(x * x) + f(y * y)) + f(z * z));
      if (Math.abs(f(square - 1)) > CSS_NORMAL_TOLERANCE) {
        j.addLazy(() => ({
          code: "R-NORMAL-UNIT",
          path: ["normals", i],
          message: `Normalise the normal: its squares sum to ${square} in f32`,
          found: shown(square),
          allowed: "1 ± 0.001",
        }), false);
      }
    }
    ofColors.upTo(i, 1);
  }
  ofWedges.rest();
  ofNormals.rest();
  ofColors.rest();
}

/** Squared length of cross(B − A, C − A), each step in f32, as the importer computes it. */
export function crossSquared(
  p: Float32Array,
  a: number,
  b: number,
  c: number,
): number {
  const ux = f(p[b * 3] - p[a * 3]);
  const uy = f(p[b * 3 + 1] - p[a * 3 + 1]);
  const uz = f(p[b * 3 + 2] - p[a * 3 + 2]);
  const vx = f(p[c * 3] - p[a * 3]);
  const vy = f(p[c * 3 + 1] - p[a * 3 + 1]);
  const vz = f(p[c * 3 + 2] - p[a * 3 + 2]);
  const x = f(f(uy * vz) - f(uz * vy));
  const y = f(f(uz * vx) - f(ux * vz));
  const z = f(f(ux * vy) - f(uy * vx));
  return f(f(f(x * x) + f(y * y)) + f(z * z));
}

function judgeFaces(raw: RawCss, o: JudgeOptions, j: Judgement): void {
  const { faces, wedges, points } = raw;
  const { values } = faces;
  const materials = raw.materials.count;
  const rows = new RowProblems(faces, j);
  for (let i = 0; i < faces.count; i++) {
    rows.upTo(i, 1);
    let whole = wedges.count > 0;
    for (let k = 0; k < 3 && wedges.count > 0; k++) {
      const w = values[i * 4 + k];
      if (w < wedges.count) continue;
      whole = false;
      judgeIndex(
        w,
        wedges.count,
        "R-FACE-WEDGE",
        "wedge",
        () => ["faces", i, k],
        j,
      );
    }
    if (materials > 0 && values[i * 4 + 3] >= materials) {
      judgeIndex(
        values[i * 4 + 3],
        materials,
        "R-FACE-MATERIAL",
        "material",
        () => ["faces", i, 3],
        j,
      );
    }
    if (!whole || o.structureOnly) continue;
    const a = wedges.points[values[i * 4]];
    const b = wedges.points[values[i * 4 + 1]];
    const c = wedges.points[values[i * 4 + 2]];
    if (a >= points.count || b >= points.count || c >= points.count) continue;
    const square = crossSquared(points.values, a, b, c);
    if (square < CSS_DEGENERATE) {
      j.addLazy(() => ({
        code: "R-FACE-DEGENERATE",
        path: ["faces", i],
        message:
          `Remove the face, or weld its points: it has no area, the squared cross product of its edges is ${square} in f32`,
        found: square,
        allowed: ">= 1e-12",
      }), false);
    }
  }
  rows.rest();
}

/** Rows of each point: row numbers `order[starts[p]]` to `order[starts[p + 1] - 1]`, ascending. */
export function rowsByPoint(
  rows: Uint32Array,
  points: number,
): { starts: Uint32Array; order: Uint32Array } {
  const starts = new Uint32Array(points + 2);
  for (const p of rows) if (p < points) starts[p + 2]++;
  for (let p = 2; p < starts.length; p++) starts[p] += starts[p - 1];
  const order = new Uint32Array(starts[points + 1]);
  rows.forEach((p, i) => {
    if (p < points) order[starts[p + 1]++] = i;
  });
  return { starts: starts.subarray(0, points + 1), order };
}

function judgeInfluences(raw: RawCss, o: JudgeOptions, j: Judgement): void {
  const { influences, points, bones } = raw;
  if (!influences.isArray) return;
  const rows = new RowProblems(influences, j);
  const { starts, order } = rowsByPoint(
    influences.points,
    o.structureOnly ? 0 : points.count,
  );
  const repeated = new Uint8Array(o.structureOnly ? 0 : influences.count);
  /** The point, plus one, that named a bone last. */
  const last = new Uint32Array(bones.count);
  for (let p = 0; p + 1 < starts.length; p++) {
    for (let k = starts[p]; k < starts[p + 1]; k++) {
      const bone = influences.bones[order[k]];
      if (bone >= bones.count) continue;
      if (last[bone] === p + 1) repeated[order[k]] = 1;
      last[bone] = p + 1;
    }
  }
  for (let i = 0; i < influences.count; i++) {
    rows.upTo(i, 1);
    const point = influences.points[i];
    const bone = influences.bones[i];
    if (point >= points.count && points.count > 0) {
      judgeIndex(
        point,
        points.count,
        "R-INFLUENCE-POINT",
        "point",
        () => ["influences", i, 0],
        j,
      );
    }
    if (bone >= bones.count && bones.count > 0) {
      judgeIndex(
        bone,
        bones.count,
        "R-INFLUENCE-BONE",
        "bone",
        () => ["influences", i, 1],
        j,
      );
    }
    if (repeated[i] === 1) {
      j.addLazy(() => ({
        code: "R-INFLUENCE-DUP",
        path: ["influences", i],
        message:
          `Merge the influences: point ${point} names bone ${bone} twice`,
        found: [point, bone],
        allowed: "each bone once a point",
      }), false);
    }
  }
  rows.rest();
  if (influences.count === 0) return;
  for (let p = 0; p + 1 < starts.length; p++) {
    let sum = 0;
    for (let k = starts[p]; k < starts[p + 1]; k++) {
      sum += influences.weights[order[k]];
    }
    const { exactWeight } = o;
    if (
      exactWeight && Math.abs(Math.abs(sum - 1) - CSS_SUM_TOLERANCE) < 1e-5
    ) {
      sum = 0;
      for (let k = starts[p]; k < starts[p + 1]; k++) {
        sum += exactWeight(order[k]);
      }
    }
    if (Math.abs(sum - 1) > CSS_SUM_TOLERANCE) {
      j.addLazy(() => ({
        code: "R-INFLUENCE-SUM",
        path: ["points", p],
        message: starts[p] === starts[p + 1]
          ? `Weight every point: point ${p} has no influence, used or not`
          : `Normalise the weights: those of point ${p} sum to ${sum}`,
        found: shown(sum),
        allowed: `1 ± ${CSS_SUM_TOLERANCE}`,
      }), false);
    }
    const count = starts[p + 1] - starts[p];
    if (count > CSS_MAX_INFLUENCES) {
      j.addLazy(() => ({
        code: "R-INFLUENCE-COUNT",
        path: ["points", p],
        message:
          `Keep the ${CSS_MAX_INFLUENCES} largest influences: point ${p} has ${count}`,
        found: count,
        allowed: CSS_MAX_INFLUENCES,
      }), false);
    }
  }
}

function judgeMorphs(raw: RawCss, o: JudgeOptions, j: Judgement): void {
  const { morphTargets: targets, points } = raw;
  if (!targets.isArray) {
    if (targets.found === undefined) return;
    j.add({
      code: "R-MORPH-COUNT",
      path: ["morph_targets"],
      message: `Write morph_targets as an array, or leave it out: found ${
        quoted(targets.found)
      }`,
      found: shown(targets.found),
      allowed: "an array",
      structural: true,
    });
    return;
  }
  if (targets.count > CSS_MAX_MORPHS) {
    j.add({
      code: "R-MORPH-COUNT",
      path: ["morph_targets"],
      message:
        `Reduce the morph targets: ${targets.count}, the importer takes ${CSS_MAX_MORPHS}`,
      found: targets.count,
      allowed: CSS_MAX_MORPHS,
    });
  }
  const seen = new Map<string, number>();
  /** The target, plus one, that moved a point last. */
  const last = new Uint32Array(o.structureOnly ? 0 : points.count);
  targets.items.forEach((target, t) => {
    const { name, deltas } = target;
    const path = ["morph_targets", t];
    if (
      !target.isObject || typeof name !== "string" || !MORPH_NAME.test(name)
    ) {
      j.add({
        code: "R-MORPH-NAME",
        path: target.isObject ? [...path, "name"] : path,
        message:
          `Name the morph target with 1 to 64 letters, digits and underscores: found ${
            target.isObject ? quoted(name) : "no object"
          }`,
        found: target.isObject ? shown(name) : "no object",
        allowed: "A-Z a-z 0-9 _",
        structural: typeof name !== "string",
      });
      if (!target.isObject) return;
    } else {
      const before = seen.get(folded(name));
      if (before === undefined) seen.set(folded(name), t);
      else {
        j.add({
          code: "R-MORPH-DUP",
          path: [...path, "name"],
          message:
            `Rename morph target ${name}: number ${before} has that name too, since the engine ignores case`,
          found: name,
          allowed: "a name of its own, whatever its case",
        });
      }
    }
    if (!deltas.isArray) {
      j.add({
        code: "R-MORPH-DELTA",
        path: [...path, "deltas"],
        message: `Give the morph target an array of deltas: found ${
          quoted(deltas.found)
        }`,
        found: shown(deltas.found),
        allowed: "an array",
        structural: true,
      });
      return;
    }
    const rows = new RowProblems(deltas, j);
    for (let i = 0; i < deltas.count; i++) {
      rows.upTo(i, 3);
      const point = target.points[i];
      if (points.count === 0) continue;
      const there = judgeIndex(
        point,
        points.count,
        "R-MORPH-POINT",
        "point",
        () => [...path, "deltas", i, 0],
        j,
      );
      if (!there || o.structureOnly) continue;
      if (last[point] === t + 1) {
        j.addLazy(() => ({
          code: "R-MORPH-POINT-DUP",
          path: [...path, "deltas", i],
          message: `Move a point once a target: point ${point} stands twice`,
          found: point,
          allowed: "each point once",
        }), false);
      }
      last[point] = t + 1;
    }
    rows.rest();
  });
}

/** Judges a file or mesh by every rule of the importer. */
export function judgeCss(raw: RawCss, options: JudgeOptions): Judgement {
  const j = new Judgement(options.exactWeight === undefined);
  if (options.bytes > CSS_MAX_BYTES) {
    j.add({
      code: "R-FILE",
      path: [],
      message:
        `Reduce the mesh: the file has ${options.bytes} bytes, the importer takes ${CSS_MAX_BYTES}`,
      found: options.bytes,
      allowed: CSS_MAX_BYTES,
    });
  }
  judgePackages(raw, options, j);
  judgeArrays(raw, j);
  judgeChannels(raw, j);
  judgeBones(raw, j);
  judgeMaterials(raw, j);
  const points = new RowProblems(raw.points, j);
  points.rest();
  judgeWedges(raw, options, j);
  judgeFaces(raw, options, j);
  judgeInfluences(raw, options, j);
  judgeMorphs(raw, options, j);
  return j;
}

/** What the options say where they say nothing. */
export const DEFAULT_PREFIX: string = CSS_MESH_PREFIX;

/** The prefix as given, or an error. */
export function checkedPrefix(prefix: string = DEFAULT_PREFIX): string {
  if (/^\/.*\/$/s.test(prefix)) return prefix;
  throw meshError(
    "ARGUMENT",
    `Begin and end the package prefix with a slash: found ${
      JSON.stringify(prefix)
    }`,
    { path: "packagePrefix", found: prefix, allowed: "/…/" },
  );
}
