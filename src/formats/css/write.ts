/**
 * Writes a CSS authored mesh in its canonical form: compact, keys in a fixed order, the shortest decimals that give the
 * same f32 back, one newline at the end.
 *
 * @module
 */
import type { Code } from "../../core/codes.ts";
import { meshError } from "../../core/errors.ts";
import { checkLimit, type Limits, withLimits } from "../../core/limits.ts";
import { type Pieces, wholeOf } from "../../core/pieces.ts";
import { f32Text } from "./float_text.ts";
import { checkedPrefix, judgeCss } from "./judge.ts";
import { rawOf, written } from "./model.ts";
import { pointer, type Problem } from "./problems.ts";
import { CSS_MAX_BYTES, type CssMesh } from "./types.ts";

/** Options of {@linkcode writeCssMesh}. */
export interface WriteCssOptions {
  /** Where the mesh must lie: `/Game/CSSAuthoring/` unless given. */
  packagePrefix?: string;
  /** Limits on the size of the output. */
  limits?: Partial<Limits>;
}

/** Characters of a chunk, about. */
const CHUNK = 65_536;

function refuse(problem: Problem): never {
  throw meshError(problem.code, problem.message, {
    format: "css",
    path: pointer(problem.path),
    found: problem.found,
    allowed: problem.allowed,
  });
}

/** Arrays whose lengths contradict each other, which no file could say. */
function checkLengths(mesh: CssMesh): void {
  const wrong = (code: Code, path: string, found: number, allowed: unknown) => {
    throw meshError(
      code,
      `Give arrays that belong together the same length: ${path} has ${found} numbers, not ${allowed}`,
      { format: "css", path, found, allowed },
    );
  };
  const wedges = mesh.wedgePoints.length;
  const influences = mesh.influencePoints.length;
  const whole = (path: string, length: number, width: number) => {
    if (length % width !== 0) {
      wrong("ARGUMENT", path, length, `a multiple of ${width}`);
    }
  };
  const same = (path: string, length: number, want: number) => {
    if (length !== want) wrong("ARGUMENT", path, length, want);
  };
  whole("points", mesh.points.length, 3);
  whole("faces", mesh.faces.length, 4);
  same("wedgeUvs", mesh.wedgeUvs.length, wedges * 2 * mesh.uvChannels);
  same("influenceBones", mesh.influenceBones.length, influences);
  same("influenceWeights", mesh.influenceWeights.length, influences);
  if (mesh.normals) whole("normals", mesh.normals.length, 3);
  if (mesh.colors) whole("colors", mesh.colors.length, 4);
  mesh.morphTargets?.forEach((target, t) =>
    same(
      `morphTargets/${t}/deltas`,
      target.deltas.length,
      target.points.length * 3,
    )
  );
}

const rowText = (values: Float32Array, at: number, width: number): string => {
  let text = f32Text(values[at]);
  for (let k = 1; k < width; k++) text += `,${f32Text(values[at + k])}`;
  return text;
};

/** The text of the whole file, in pieces of one row each. */
function* pieces(mesh: CssMesh): Generator<string> {
  const numbers = (v: readonly number[]) =>
    v.map((x) => f32Text(Math.fround(x))).join(",");
  yield `{"schema":1,"mesh_package":${
    JSON.stringify(mesh.meshPackage)
  },"skeleton_package":${JSON.stringify(mesh.skeletonPackage)},"bones":[`;
  for (const [i, bone] of mesh.bones.entries()) {
    yield `${i > 0 ? "," : ""}{"name":${
      JSON.stringify(bone.name)
    },"parent":${bone.parent},"translation":[${
      numbers(bone.translation)
    }],"rotation":[${numbers(bone.rotation)}],"scale":[${
      numbers(bone.scale)
    }]}`;
  }
  yield `],"materials":${JSON.stringify(mesh.materials)},"points":[`;
  for (let at = 0; at < mesh.points.length; at += 3) {
    yield `${at > 0 ? ",[" : "["}${rowText(mesh.points, at, 3)}]`;
  }
  yield mesh.uvChannels === 1
    ? '],"wedges":['
    : `],"uv_channels":${mesh.uvChannels},"wedges":[`;
  const width = 2 * mesh.uvChannels;
  for (let i = 0; i < mesh.wedgePoints.length; i++) {
    yield `${i > 0 ? ",[" : "["}${mesh.wedgePoints[i]},${
      rowText(mesh.wedgeUvs, i * width, width)
    }]`;
  }
  yield '],"faces":[';
  const { faces } = mesh;
  for (let at = 0; at < faces.length; at += 4) {
    yield `${at > 0 ? ",[" : "["}${faces[at]},${faces[at + 1]},${
      faces[at + 2]
    },${faces[at + 3]}]`;
  }
  if (mesh.normals) {
    yield '],"normals":[';
    for (let at = 0; at < mesh.normals.length; at += 3) {
      yield `${at > 0 ? ",[" : "["}${rowText(mesh.normals, at, 3)}]`;
    }
  }
  const { colors } = mesh;
  if (colors) {
    yield '],"colors":[';
    for (let at = 0; at < colors.length; at += 4) {
      yield `${at > 0 ? ",[" : "["}${colors[at]},${colors[at + 1]},${
        colors[at + 2]
      },${colors[at + 3]}]`;
    }
  }
  yield '],"influences":[';
  for (let i = 0; i < mesh.influencePoints.length; i++) {
    yield `${i > 0 ? ",[" : "["}${mesh.influencePoints[i]},${
      mesh.influenceBones[i]
    },${f32Text(mesh.influenceWeights[i])}]`;
  }
  if (mesh.morphTargets && mesh.morphTargets.length > 0) {
    yield '],"morph_targets":[';
    for (const [t, target] of mesh.morphTargets.entries()) {
      yield `${t > 0 ? "," : ""}{"name":${
        JSON.stringify(target.name)
      },"deltas":[`;
      for (let i = 0; i < target.points.length; i++) {
        yield `${i > 0 ? ",[" : "["}${target.points[i]},${
          rowText(target.deltas, i * 3, 3)
        }]`;
      }
      yield "]}";
    }
  }
  yield "]}\n";
}

/** Rows of all arrays: about as many as {@linkcode pieces} gives pieces. */
function rowCount(mesh: CssMesh): number {
  return mesh.points.length / 3 + mesh.wedgePoints.length +
    mesh.faces.length / 4 + mesh.influencePoints.length +
    (mesh.normals?.length ?? 0) / 3 + (mesh.colors?.length ?? 0) / 4 +
    (mesh.morphTargets ?? []).reduce((n, t) => n + t.points.length, 0);
}

/** The text of a mesh that was judged. */
class CssText implements Pieces {
  #rows = 0;
  constructor(readonly mesh: CssMesh, readonly limits: Limits) {}

  get done(): number {
    return Math.min(1, this.#rows / rowCount(this.mesh));
  }

  *[Symbol.iterator](): Generator<Uint8Array> {
    const encoder = new TextEncoder();
    const most = Math.min(this.limits.maxOutputBytes, CSS_MAX_BYTES);
    this.#rows = 0;
    let size = 0;
    let text = "";
    const flush = () => {
      const bytes = encoder.encode(text);
      text = "";
      size += bytes.length;
      checkLimit("bytes of the file", size, most, "css");
      return bytes;
    };
    for (const piece of pieces(this.mesh)) {
      text += piece;
      this.#rows++;
      if (text.length >= CHUNK) yield flush();
    }
    if (text.length > 0) yield flush();
  }
}

/**
 * The file as a text that is made when it is iterated. Refuses at once what the importer would refuse, except for the size.
 *
 * @throws {MeshError} As {@linkcode writeCssMesh}.
 */
export function cssText(mesh: CssMesh, options: WriteCssOptions = {}): Pieces {
  const limits = withLimits(options.limits);
  const packagePrefix = checkedPrefix(options.packagePrefix);
  checkLengths(mesh);
  const { list } = judgeCss(rawOf(mesh), {
    bytes: 0,
    packagePrefix,
    structureOnly: false,
    exactWeight: (i) => written(mesh.influenceWeights[i]),
  });
  if (list.length > 0) refuse(list[0]);
  return new CssText(mesh, limits);
}

/**
 * The file in chunks, for meshes whose text should not stand in memory at once. Everything that the importer would refuse
 * is refused by this call, before the first chunk is asked for; only the size of the text shows while it is written.
 *
 * @throws {MeshError} As {@linkcode writeCssMesh}.
 */
export function writeCssMeshChunks(
  mesh: CssMesh,
  options: WriteCssOptions = {},
): Generator<Uint8Array> {
  const text = cssText(mesh, options);
  return (function* () {
    yield* text;
  })();
}

/**
 * Writes a mesh. What {@linkcode readCssMesh} gives is written so that it reads back the same, bit for bit, and written
 * again gives the same bytes. Numbers that are no f32 are rounded to one.
 *
 * @param mesh A mesh that the importer takes.
 * @throws {MeshError} The rule's code for what the importer would refuse; ARGUMENT for arrays whose lengths contradict each
 * other; LIMIT-EXCEEDED for a text of more than 512 MiB.
 *
 * @example
 * ```ts
 * import { meshToCss, readCssMesh, writeCssMesh } from "@meshwright/kit/css";
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { convertBasis } from "@meshwright/kit/ops";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/figure.payload")));
 * const { css } = meshToCss(convertBasis(mesh, "css").mesh);
 * const bytes = writeCssMesh({ ...css, meshPackage: "/Game/CSSAuthoring/Demo/SK_Figure" });
 * console.log(readCssMesh(bytes).meshPackage); // /Game/CSSAuthoring/Demo/SK_Figure
 * ```
 */
export function writeCssMesh(
  mesh: CssMesh,
  options: WriteCssOptions = {},
): Uint8Array<ArrayBuffer> {
  return wholeOf(cssText(mesh, options));
}
