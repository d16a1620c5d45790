/**
 * From bytes to typed arrays: everything that can be said about one row alone, in f64, is said here.
 *
 * A key that stands twice counts as it stands last. Rows that do not fit are kept as NaN or {@linkcode NO_INDEX}, so that
 * row numbers stay; their problems are listed beside them.
 *
 * @module
 */
import { exactText } from "../../core/number_text.ts";
import { checkLimit, type Limits } from "../../core/limits.ts";
import { meshError } from "../../core/errors.ts";
import {
  type Path,
  type Problem,
  Problems,
  quoted,
  shown,
} from "./problems.ts";
import { JsonTokenizer, type Leaf } from "../../core/json_tokenizer.ts";
import {
  CSS_MAX_COORDINATE,
  CSS_MAX_DELTA,
  CSS_MAX_UV_CHANNELS,
} from "./types.ts";

/** Stands for an index that is none: negative, a fraction, no number, too large for 32 bits. */
export const NO_INDEX = 0xffffffff;

/** A top-level array as it was met. */
export interface RawArray {
  /** True when the value is an array. */
  isArray: boolean;
  /** Its value where it is none; undefined when the key is missing. */
  found: Leaf | undefined;
  /** Number of rows. */
  count: number;
  /** What is wrong with single rows. */
  problems: Problems;
}

/** A row of numbers inside a bone. */
export interface RawVector {
  /** Its first cells, NaN where a cell is no number. */
  cells: number[];
  /** Number of cells, −1 when it is no array. */
  length: number;
}

/** A bone as it was met. */
export interface RawBone {
  /** False when it is no object. */
  isObject: boolean;
  /** Its fields. */
  name: Leaf | undefined;
  parent: Leaf | undefined;
  translation: RawVector | undefined;
  rotation: RawVector | undefined;
  scale: RawVector | undefined;
}

/** A morph target as it was met. */
export interface RawMorph {
  /** False when it is no object. */
  isObject: boolean;
  /** Its name. */
  name: Leaf | undefined;
  /** The rows of its deltas. */
  deltas: RawArray;
  /** Point of each row. */
  points: Uint32Array;
  /** 3 f32 a row. */
  values: Float32Array;
}

/** A file as it was met. */
export interface RawCss {
  schema: Leaf | undefined;
  meshPackage: Leaf | undefined;
  skeletonPackage: Leaf | undefined;
  uvChannels: Leaf | undefined;
  bones: RawArray & { items: RawBone[] };
  materials: RawArray & { items: Leaf[] };
  points: RawArray & { values: Float32Array };
  /** `channels` is the number of channels that the rows were read with. */
  wedges: RawArray & {
    points: Uint32Array;
    uvs: Float32Array;
    channels: number;
  };
  faces: RawArray & { values: Uint32Array };
  influences: RawArray & {
    points: Uint32Array;
    bones: Uint32Array;
    weights: Float64Array;
  };
  normals: RawArray & { values: Float32Array };
  colors: RawArray & { values: Uint8Array };
  morphTargets: RawArray & { items: RawMorph[] };
  /** True when the file begins with a byte order mark. */
  bom: boolean;
  /** Keys that mean nothing, and where to look for them. */
  unknownKeys: Map<string, Path>;
  /** Keys that stand more than once in an object, where to look for them, and how many values do not count. */
  repeatedKeys: Map<string, { path: Path; count: number }>;
}

function rawArray(): RawArray {
  return {
    isArray: false,
    found: undefined,
    count: 0,
    problems: new Problems(),
  };
}

/** A file without any field. */
export function emptyRaw(): RawCss {
  return {
    schema: undefined,
    meshPackage: undefined,
    skeletonPackage: undefined,
    uvChannels: undefined,
    bones: { ...rawArray(), items: [] },
    materials: { ...rawArray(), items: [] },
    points: { ...rawArray(), values: new Float32Array(0) },
    wedges: {
      ...rawArray(),
      points: new Uint32Array(0),
      uvs: new Float32Array(0),
      channels: 1,
    },
    faces: { ...rawArray(), values: new Uint32Array(0) },
    influences: {
      ...rawArray(),
      points: new Uint32Array(0),
      bones: new Uint32Array(0),
      weights: new Float64Array(0),
    },
    normals: { ...rawArray(), values: new Float32Array(0) },
    colors: { ...rawArray(), values: new Uint8Array(0) },
    morphTargets: { ...rawArray(), items: [] },
    bom: false,
    unknownKeys: new Map(),
    repeatedKeys: new Map(),
  };
}

type Growable = Float32Array | Float64Array | Uint32Array | Uint8Array;

/** The array, or a longer copy that has room for `length`. */
function room<T extends Growable>(array: T, length: number): T {
  if (length <= array.length) return array;
  const make = array.constructor as new (n: number) => T;
  const longer = new make(Math.max(1024, Math.ceil(length * 1.5)));
  longer.set(array);
  return longer;
}

/** The first `length` elements; copied where much room is left over. */
function trimmed<T extends Growable>(array: T, length: number): T {
  return (array.length - length > array.length / 8
    ? array.slice(0, length)
    : array.subarray(0, length)) as T;
}

/** True when the first `n` cells are finite. */
function finite(cells: Float64Array, n: number): boolean {
  let sum = 0;
  // 0 · x is 0 for every finite x and NaN otherwise
  for (let k = 0; k < n; k++) sum += 0 * cells[k];
  return sum === 0;
}

/** An index of 32 bits, or {@linkcode NO_INDEX}. */
function index(x: number): number {
  return x >= 0 && x < NO_INDEX && x === Math.floor(x) ? x : NO_INDEX;
}

const SHAPES = {
  points: ["R-POINT", "point"],
  wedges: ["R-WEDGE", "wedge"],
  faces: ["R-FACE", "face"],
  influences: ["R-INFLUENCE", "influence"],
  normals: ["R-NORMAL", "normal"],
  colors: ["R-COLOR", "colour"],
  deltas: ["R-MORPH-DELTA", "delta"],
} as const;

/** True when the row read last is `want` finite numbers. */
function fits(t: JsonTokenizer, n: number, want: number): boolean {
  return n === want && t.badCell < 0 && finite(t.cells, n);
}

/** The problem of a row that is not `want` finite numbers. */
function shapeProblem(
  what: keyof typeof SHAPES,
  path: (string | number)[],
  t: JsonTokenizer,
  n: number,
  want: number,
): () => Problem {
  const bad = t.badCell;
  const cells = t.cells.slice(0, Math.max(0, n));
  return () => {
    const [code, name] = SHAPES[what];
    const common = {
      code,
      structural: true,
      allowed: `${want} finite numbers`,
    };
    const give = `Give a ${name} ${want} finite numbers`;
    if (n < 0) {
      return {
        ...common,
        path,
        message: `${give}: it is no array`,
        found: "no array",
      };
    }
    if (bad < 0 && n === want) {
      const k = cells.findIndex((x) => !Number.isFinite(x));
      return {
        ...common,
        path: [...path, k],
        message: `${give}: number ${k} is too large for any`,
        found: String(cells[k]),
      };
    }
    if (n !== want) {
      return {
        ...common,
        path,
        message: `${give}: found ${n}`,
        found: n,
      };
    }
    return {
      ...common,
      path: [...path, bad],
      message: `${give}: value ${bad} is no number`,
      found: "no number",
    };
  };
}

/** The problem of a number that is no index of 32 bits. */
function indexProblem(
  code: Problem["code"],
  path: (string | number)[],
  name: string,
  found: number,
): () => Problem {
  return () => ({
    code,
    path,
    message:
      `Name a ${name} by its place in the array: ${found} is no whole number of 0 or more`,
    found: shown(found),
    allowed: "a whole number of 0 or more",
    structural: true,
  });
}

/** Adds what a point's own numbers break. */
export function checkPoint(
  problems: Problems,
  i: number,
  x: number,
  y: number,
  z: number,
): void {
  const most = CSS_MAX_COORDINATE;
  if (Math.abs(x) <= most && Math.abs(y) <= most && Math.abs(z) <= most) return;
  for (const [k, c] of [x, y, z].entries()) {
    if (!(Math.abs(c) > most)) continue;
    problems.add(() => ({
      code: "R-POINT-RANGE",
      path: ["points", i, k],
      message:
        `Keep points within ${CSS_MAX_COORDINATE} cm of the origin: found ${
          exactText(c)
        }`,
      found: shown(c),
      allowed: `-${CSS_MAX_COORDINATE} to ${CSS_MAX_COORDINATE}`,
    }));
    return;
  }
}

/** Adds a finding for the first texture coordinate that f32 can not hold. */
export function checkUvs(
  problems: Problems,
  i: number,
  uvs: ArrayLike<number>,
  at: number,
  count: number,
): void {
  for (let k = 0; k < count; k++) {
    if (Number.isFinite(Math.fround(uvs[at + k]))) continue;
    problems.add(() => ({
      code: "MESH-NON-FINITE",
      path: ["wedges", i, k + 1],
      message: `Mend the texture coordinate: ${uvs[at + k]} does not fit f32`,
      found: shown(uvs[at + k]),
      allowed: "finite as f32",
    }));
    return;
  }
}

/** Adds what an influence's weight breaks. */
export function checkWeight(
  problems: Problems,
  i: number,
  weight: number,
): void {
  if (weight > 0 && weight <= 1) return;
  problems.add(() => ({
    code: "R-INFLUENCE-WEIGHT",
    path: ["influences", i, 2],
    message: `Give a weight above 0 and at most 1: found ${exactText(weight)}`,
    found: shown(weight),
    allowed: "> 0 and <= 1",
  }));
}

/** Adds what the components of a delta break. */
export function checkDelta(
  problems: Problems,
  target: number,
  i: number,
  x: number,
  y: number,
  z: number,
): void {
  const most = CSS_MAX_DELTA;
  if (Math.abs(x) <= most && Math.abs(y) <= most && Math.abs(z) <= most) return;
  for (const [k, c] of [x, y, z].entries()) {
    if (!(Math.abs(c) > most)) continue;
    problems.add(() => ({
      code: "R-MORPH-RANGE",
      path: ["morph_targets", target, "deltas", i, k + 1],
      message:
        `Move a point by at most ${CSS_MAX_DELTA} cm along each axis: found ${
          exactText(c)
        }`,
      found: shown(c),
      allowed: `-${CSS_MAX_DELTA} to ${CSS_MAX_DELTA}`,
    }));
    return;
  }
}

/** A key's name for people, and the nearest place that a pointer leads to. */
function named(inside: string, key: string): { name: string; path: Path } {
  const name = key || "(a long key)";
  if (inside !== "") return { name: `${inside}/${name}`, path: [inside] };
  return { name, path: key === "" ? [] : [key] };
}

/** Is told how many bytes of how many are read. */
export type OnProgress = (done: number, total: number) => void;

/** Rows between two reports of the progress. */
const PROGRESS_ROWS = 2 ** 16;

/** Reads one file. */
class Parser {
  readonly raw = emptyRaw();
  readonly #t: JsonTokenizer;
  readonly #limits: Limits;
  readonly #onProgress: OnProgress;
  #wedgesAt = -1;

  constructor(bytes: Uint8Array, limits: Limits, onProgress: OnProgress) {
    this.#t = new JsonTokenizer(bytes, limits.maxJsonDepth);
    this.#limits = limits;
    this.#onProgress = onProgress;
  }

  read(): RawCss {
    const t = this.#t;
    const { raw } = this;
    const [a, b, c] = t.bytes;
    if (a === 0xef && b === 0xbb && c === 0xbf) {
      raw.bom = true;
      t.offset = 3;
    }
    if (t.peek() !== 0x7b) {
      const { offset } = t;
      const found = t.leaf();
      this.#end();
      throw meshError(
        "R-ROOT",
        `Put the mesh into one JSON object, as CSS authored meshes and glTF are: the top level is ${
          quoted(found)
        }`,
        { format: "css", offset, found: shown(found), allowed: "an object" },
      );
    }
    const seen = new Set<string>();
    t.object((key) => {
      this.#count("", seen, key);
      this.#member(key);
    });
    this.#end();
    this.#resolveChannels();
    this.#onProgress(t.bytes.length, t.bytes.length);
    return raw;
  }

  #end(): void {
    if (this.#t.peek() >= 0) {
      throw this.#t.fail("End the file behind its one value");
    }
  }

  /** Notes a key that stands again in the same object; `inside` is the array that the object belongs to, if any. */
  #count(inside: string, seen: Set<string>, key: string): void {
    if (!seen.has(key)) {
      seen.add(key);
      return;
    }
    const { name, path } = named(inside, key);
    const { repeatedKeys } = this.raw;
    const known = repeatedKeys.get(name);
    if (known) known.count++;
    else if (repeatedKeys.size < 1000) {
      repeatedKeys.set(name, { path, count: 1 });
    }
  }

  #unknown(inside: string, key: string): void {
    this.#t.skip();
    const { name, path } = named(inside, key);
    const { unknownKeys } = this.raw;
    if (unknownKeys.size < 1000) unknownKeys.set(name, path);
  }

  #member(key: string): void {
    const t = this.#t;
    const { raw } = this;
    switch (key) {
      case "schema":
        raw.schema = t.leaf();
        break;
      case "mesh_package":
        raw.meshPackage = t.leaf();
        break;
      case "skeleton_package":
        raw.skeletonPackage = t.leaf();
        break;
      case "uv_channels":
        raw.uvChannels = t.leaf();
        break;
      case "bones":
        this.#bones();
        break;
      case "materials":
        this.#materials();
        break;
      case "points":
        this.#points();
        break;
      case "wedges":
        this.#wedges(this.#declaredChannels());
        break;
      case "faces":
        this.#faces();
        break;
      case "influences":
        this.#influences();
        break;
      case "normals":
        this.#normals();
        break;
      case "colors":
        this.#colors();
        break;
      case "morph_targets":
        this.#morphTargets();
        break;
      default:
        this.#unknown("", key);
    }
  }

  /** Begins an array anew; calls `element` for each row where it is one. */
  #array<T extends RawArray>(
    into: T,
    element: (i: number, problems: Problems) => void,
  ): void {
    into.problems = new Problems();
    into.count = 0;
    into.isArray = this.#t.peek() === 0x5b;
    if (!into.isArray) {
      into.found = this.#t.leaf();
      return;
    }
    into.found = undefined;
    const { problems } = into;
    const t = this.#t;
    into.count = t.array((i) => {
      if (i % PROGRESS_ROWS === 0) this.#onProgress(t.offset, t.bytes.length);
      element(i, problems);
    });
  }

  #points(): void {
    const t = this.#t;
    const { points } = this.raw;
    const { maxVertices } = this.#limits;
    let values = new Float32Array(0);
    this.#array(points, (i, problems) => {
      if (i >= maxVertices) checkLimit("points", i + 1, maxVertices, "css");
      const at = i * 3;
      values = room(values, at + 3);
      const n = t.row();
      if (!fits(t, n, 3)) {
        problems.add(shapeProblem("points", ["points", i], t, n, 3));
        values.fill(NaN, at, at + 3);
        return;
      }
      const { cells } = t;
      values[at] = cells[0];
      values[at + 1] = cells[1];
      values[at + 2] = cells[2];
      checkPoint(problems, i, cells[0], cells[1], cells[2]);
    });
    points.values = trimmed(values, points.count * 3);
  }

  /** The number of channels that the file has declared so far, if any. */
  #declaredChannels(): number | null {
    const c = this.raw.uvChannels;
    return typeof c === "number" && Number.isInteger(c) && c >= 1 &&
        c <= CSS_MAX_UV_CHANNELS
      ? c
      : null;
  }

  /** Reads the wedges with as many channels as declared, else with as many as the first row has. */
  #wedges(declared: number | null): void {
    const t = this.#t;
    const { wedges } = this.raw;
    const { maxVertices } = this.#limits;
    this.#wedgesAt = t.offset;
    let channels = declared;
    let points = new Uint32Array(0);
    let uvs = new Float32Array(0);
    this.#array(wedges, (i, problems) => {
      if (i >= maxVertices) checkLimit("wedges", i + 1, maxVertices, "css");
      const n = t.row();
      channels ??= [3, 5, 7, 9].includes(n) ? (n - 1) / 2 : 1;
      const width = 2 * channels;
      points = room(points, i + 1);
      uvs = room(uvs, (i + 1) * width);
      if (!fits(t, n, width + 1)) {
        problems.add(shapeProblem("wedges", ["wedges", i], t, n, width + 1));
        points[i] = NO_INDEX;
        uvs.fill(NaN, i * width, (i + 1) * width);
        return;
      }
      const { cells } = t;
      points[i] = index(cells[0]);
      if (points[i] === NO_INDEX) {
        problems.add(
          indexProblem("R-WEDGE-POINT", ["wedges", i, 0], "point", cells[0]),
        );
      }
      let sum = 0;
      for (let k = 0; k < width; k++) {
        uvs[i * width + k] = cells[k + 1];
        sum += 0 * uvs[i * width + k]; // NaN where f32 made it infinite
      }
      if (sum !== 0) checkUvs(problems, i, cells, 1, width);
    });
    wedges.channels = channels ?? 1;
    wedges.points = trimmed(points, wedges.count);
    wedges.uvs = trimmed(uvs, wedges.count * 2 * wedges.channels);
  }

  /** `uv_channels` may stand behind the wedges: where the guess was wrong, they are read again. */
  #resolveChannels(): void {
    const { wedges, uvChannels } = this.raw;
    const channels = uvChannels === undefined ? 1 : this.#declaredChannels();
    if (channels === null || !wedges.isArray || wedges.channels === channels) {
      return;
    }
    this.#t.offset = this.#wedgesAt;
    this.#wedges(channels);
  }

  #faces(): void {
    const t = this.#t;
    const { faces } = this.raw;
    const { maxIndices } = this.#limits;
    let values = new Uint32Array(0);
    this.#array(faces, (i, problems) => {
      if (i * 3 + 3 > maxIndices) {
        checkLimit("corners", i * 3 + 3, maxIndices, "css");
      }
      const at = i * 4;
      values = room(values, at + 4);
      const n = t.row();
      if (!fits(t, n, 4)) {
        problems.add(shapeProblem("faces", ["faces", i], t, n, 4));
        values.fill(NO_INDEX, at, at + 4);
        return;
      }
      for (let k = 0; k < 4; k++) {
        const x = t.cells[k];
        values[at + k] = index(x);
        if (values[at + k] !== NO_INDEX) continue;
        problems.add(
          indexProblem(
            k < 3 ? "R-FACE-WEDGE" : "R-FACE-MATERIAL",
            ["faces", i, k],
            k < 3 ? "wedge" : "material",
            x,
          ),
        );
      }
    });
    faces.values = trimmed(values, faces.count * 4);
  }

  #influences(): void {
    const t = this.#t;
    const { influences } = this.raw;
    let points = new Uint32Array(0);
    let bones = new Uint32Array(0);
    let weights = new Float64Array(0);
    this.#array(influences, (i, problems) => {
      points = room(points, i + 1);
      bones = room(bones, i + 1);
      weights = room(weights, i + 1);
      const n = t.row();
      if (!fits(t, n, 3)) {
        problems.add(shapeProblem("influences", ["influences", i], t, n, 3));
        points[i] = bones[i] = NO_INDEX;
        weights[i] = NaN;
        return;
      }
      const point = t.cells[0];
      const bone = t.cells[1];
      const weight = t.cells[2];
      points[i] = index(point);
      bones[i] = index(bone);
      weights[i] = weight;
      if (points[i] === NO_INDEX) {
        problems.add(
          indexProblem(
            "R-INFLUENCE-POINT",
            ["influences", i, 0],
            "point",
            point,
          ),
        );
      }
      if (bones[i] === NO_INDEX) {
        problems.add(
          indexProblem("R-INFLUENCE-BONE", ["influences", i, 1], "bone", bone),
        );
      }
      checkWeight(problems, i, weight);
    });
    influences.points = trimmed(points, influences.count);
    influences.bones = trimmed(bones, influences.count);
    influences.weights = trimmed(weights, influences.count);
  }

  #normals(): void {
    const t = this.#t;
    const { normals } = this.raw;
    let values = new Float32Array(0);
    this.#array(normals, (i, problems) => {
      const at = i * 3;
      values = room(values, at + 3);
      const n = t.row();
      if (!fits(t, n, 3)) {
        problems.add(shapeProblem("normals", ["normals", i], t, n, 3));
        values.fill(NaN, at, at + 3);
        return;
      }
      values[at] = t.cells[0];
      values[at + 1] = t.cells[1];
      values[at + 2] = t.cells[2];
    });
    normals.values = trimmed(values, normals.count * 3);
  }

  #colors(): void {
    const t = this.#t;
    const { colors } = this.raw;
    let values = new Uint8Array(0);
    this.#array(colors, (i, problems) => {
      const at = i * 4;
      values = room(values, at + 4);
      const n = t.row();
      // any number is looked at as a byte, so that 1e999 is no colour but four numbers are
      if (n !== 4 || t.badCell >= 0) {
        problems.add(shapeProblem("colors", ["colors", i], t, n, 4));
        return;
      }
      for (let k = 0; k < 4; k++) {
        const x = t.cells[k];
        values[at + k] = x;
        if (values[at + k] === x) continue;
        problems.add(() => ({
          code: "R-COLOR-BYTE",
          path: ["colors", i, k],
          message: `Write colours as whole numbers of 0 to 255: found ${x}`,
          found: shown(x),
          allowed: "0 to 255",
          structural: true,
        }));
        return;
      }
    });
    colors.values = trimmed(values, colors.count * 4);
  }

  #materials(): void {
    const { materials } = this.raw;
    const items: Leaf[] = [];
    this.#array(materials, (i) => {
      if (i >= 65_536) checkLimit("materials", i + 1, 65_536, "css");
      items.push(this.#t.leaf());
    });
    materials.items = items;
  }

  #vector(): RawVector {
    const t = this.#t;
    const length = t.row();
    const cells = Array.from(t.cells.subarray(0, Math.max(0, length)));
    if (t.badCell >= 0 && t.badCell < cells.length) cells[t.badCell] = NaN;
    return { cells, length };
  }

  #bones(): void {
    const t = this.#t;
    const { bones } = this.raw;
    const { maxJoints } = this.#limits;
    const items: RawBone[] = [];
    this.#array(bones, (i) => {
      if (i >= maxJoints) checkLimit("bones", i + 1, maxJoints, "css");
      const bone: RawBone = {
        isObject: t.peek() === 0x7b,
        name: undefined,
        parent: undefined,
        translation: undefined,
        rotation: undefined,
        scale: undefined,
      };
      items.push(bone);
      if (!bone.isObject) {
        t.skip();
        return;
      }
      const seen = new Set<string>();
      t.object((key) => {
        this.#count("bones", seen, key);
        if (key === "name" || key === "parent") bone[key] = t.leaf();
        else if (
          key === "translation" || key === "rotation" || key === "scale"
        ) bone[key] = this.#vector();
        else this.#unknown("bones", key);
      });
    });
    bones.items = items;
  }

  #morphTargets(): void {
    const t = this.#t;
    const { morphTargets } = this.raw;
    const { maxMorphTargets } = this.#limits;
    const items: RawMorph[] = [];
    this.#array(morphTargets, (i) => {
      if (i >= maxMorphTargets) {
        checkLimit("morph targets", i + 1, maxMorphTargets, "css");
      }
      const morph: RawMorph = {
        isObject: t.peek() === 0x7b,
        name: undefined,
        deltas: rawArray(),
        points: new Uint32Array(0),
        values: new Float32Array(0),
      };
      items.push(morph);
      if (!morph.isObject) {
        t.skip();
        return;
      }
      const seen = new Set<string>();
      t.object((key) => {
        this.#count("morph_targets", seen, key);
        if (key === "name") morph.name = t.leaf();
        else if (key === "deltas") this.#deltas(i, morph);
        else this.#unknown("morph_targets", key);
      });
    });
    morphTargets.items = items;
  }

  #deltas(target: number, morph: RawMorph): void {
    const t = this.#t;
    let points = new Uint32Array(0);
    let values = new Float32Array(0);
    this.#array(morph.deltas, (i, problems) => {
      const at = i * 3;
      points = room(points, i + 1);
      values = room(values, at + 3);
      const n = t.row();
      if (!fits(t, n, 4)) {
        const path = ["morph_targets", target, "deltas", i];
        problems.add(shapeProblem("deltas", path, t, n, 4));
        points[i] = NO_INDEX;
        values.fill(NaN, at, at + 3);
        return;
      }
      const { cells } = t;
      points[i] = index(cells[0]);
      values[at] = cells[1];
      values[at + 1] = cells[2];
      values[at + 2] = cells[3];
      if (points[i] === NO_INDEX) {
        problems.add(
          indexProblem(
            "R-MORPH-POINT",
            ["morph_targets", target, "deltas", i, 0],
            "point",
            cells[0],
          ),
        );
      }
      checkDelta(problems, target, i, cells[1], cells[2], cells[3]);
    });
    morph.points = trimmed(points, morph.deltas.count);
    morph.values = trimmed(values, morph.deltas.count * 3);
  }
}

/**
 * Reads a file as it is.
 *
 * @throws {MeshError} R-FILE, R-JSON, R-ROOT, LIMIT-EXCEEDED.
 */
export function parseCss(
  bytes: Uint8Array,
  limits: Limits,
  onProgress: OnProgress = () => {},
): RawCss {
  checkLimit("maxInputBytes", bytes.length, limits.maxInputBytes, "css");
  if (bytes.length === 0) {
    throw meshError("R-FILE", "Export the mesh again: the file has no bytes", {
      format: "css",
      offset: 0,
      found: 0,
      allowed: ">= 1",
    });
  }
  return new Parser(bytes, limits, onProgress).read();
}
