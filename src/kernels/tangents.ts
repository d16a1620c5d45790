/**
 * MikkTSpace tangents: one tangent for every corner of every triangle, bit for bit those of the reference.
 *
 * @module
 */
import { meshError } from "../core/errors.ts";
import { type Arena, withArena } from "./loader.ts";

/** Whose bits: the reference with its edges sorted completely, or exactly as it is. See assembly/mikktspace.md. */
export type TangentMode = "corrected" | "reference";

/** Vertices packed at once: 32 bytes each, 64 KiB, so that the copy stays in the cache. */
const CHUNK = 2048;
/** Tangents can not be made in pieces, so a call may take all that linear memory can hold. */
const MAX_BYTES = 0xffff0000;
/** What a large call may leave behind: its fresh pages would cost the next large call more than the tangents. */
const KEEP_BYTES = 2 ** 29;
const NONE = 0xffffffff;
/** The weld's table of unindexed meshes starts small and grows: most corners are welded away. */
const FIRST_SLOTS = 16384;

/** Options of {@linkcode generateTangents}. */
export interface GenerateTangentsOptions {
  /** `corrected` unless given. */
  mode?: TangentMode;
  /** Degrees beyond which the derivatives of two triangles are not joined; 180 unless given, which joins all but opposites. */
  angularThreshold?: number;
  /** w where the triangle keeps the texture's orientation: 1 unless given. */
  sign?: 1 | -1;
  /** Corners of each face, 3 or 4; all 3 unless given. */
  faceSizes?: Uint8Array;
  /** Largest kernel memory of the call. */
  maxKernelBytes?: number;
}

/** The `Job` of assembly/mikktspace_job.ts, in its order. */
const JOB_FIELDS = [
  "records",
  "ids",
  "triangles",
  "classes",
  "table",
  "slots",
  "derivatives",
  "flags",
  "counts",
  "entries",
  "left",
  "right",
  "roots",
  "out",
  "sign",
  "cone",
  "threshold",
  "faces",
  "odd",
  "tagMask",
  "vertices",
  "seen",
  "places",
  "spaces",
] as const;
type Job = Record<(typeof JOB_FIELDS)[number], number>;
const REAL_FIELDS: readonly string[] = ["sign", "cone", "threshold"];

type Streams = readonly [
  position: Float32Array,
  normal: Float32Array,
  uv: Float32Array,
];

function bad(path: string, found: number, allowed: string): never {
  throw meshError(
    "ARGUMENT",
    `Give ${path} ${allowed}: found ${found}`,
    { path, found, allowed },
  );
}

/** Checks the arguments and counts the triangles. */
function countTriangles(
  [position, normal, uv]: Streams,
  corners: number,
  { faceSizes, angularThreshold = 180 }: GenerateTangentsOptions,
): number {
  const vertices = position.length / 3;
  if (!Number.isInteger(vertices)) {
    bad("position", position.length, "3 numbers a vertex");
  }
  if (normal.length !== vertices * 3) {
    bad("normal", normal.length, `${vertices * 3} numbers`);
  }
  if (uv.length !== vertices * 2) {
    bad("uv", uv.length, `${vertices * 2} numbers`);
  }
  if (!(angularThreshold >= 0 && angularThreshold <= 180)) {
    bad("angularThreshold", angularThreshold, "from 0 to 180");
  }
  if (!faceSizes) {
    if (corners % 3 !== 0) bad("indices", corners, "three a triangle");
    return corners / 3;
  }
  let [triangles, sum] = [0, 0];
  faceSizes.forEach((size, f) => {
    if (size !== 3 && size !== 4) bad(`faceSizes/${f}`, size, "3 or 4");
    triangles += size - 2;
    sum += size;
  });
  if (sum !== corners) bad("faceSizes", sum, `summing to ${corners} corners`);
  return triangles;
}

/** A power of two that `n` entries fill at most by five eighths, as the weld wants it. */
function tableSlots(n: number): number {
  return 2 ** Math.max(4, Math.ceil(Math.log2((n + 1) * 1.6)));
}

/** Copies the vertices in chunks and welds them; `classes` takes one number a vertex. */
function weld(
  arena: Arena,
  job: number,
  [position, normal, uv]: Streams,
  classes: number,
  stage: readonly [number, number, number],
): void {
  const vertices = position.length / 3;
  const views = [
    arena.f32(stage[0], CHUNK * 3),
    arena.f32(stage[1], CHUNK * 3),
    arena.f32(stage[2], CHUNK * 2),
  ];
  for (let v = 0; v < vertices; v += CHUNK) {
    const n = Math.min(CHUNK, vertices - v);
    views[0].set(position.subarray(v * 3, (v + n) * 3));
    views[1].set(normal.subarray(v * 3, (v + n) * 3));
    views[2].set(uv.subarray(v * 2, (v + n) * 2));
    arena.exports.mikkWeld(
      job,
      stage[0],
      stage[1],
      stage[2],
      n,
      classes + v * 4,
    );
  }
}

/** One generation. Null when corners that share a vertex may have to be told apart: those of a NaN, or of wide positions. */
function generate(
  arena: Arena,
  streams: Streams,
  indices: Uint32Array | null,
  corners: number,
  triangles: number,
  options: GenerateTangentsOptions,
): Float32Array<ArrayBuffer> | null {
  const f = Math.fround;
  const { exports } = arena;
  const vertices = streams[0].length / 3;
  const angle = options.angularThreshold ?? 180;
  const slots = tableSlots(vertices);
  const quads = options.faceSizes !== undefined && triangles * 3 !== corners;
  const reference = options.mode === "reference";
  const job = arena.alloc(JOB_FIELDS.length * 4);
  const stage = [12, 12, 8].map((bytes) => arena.alloc(CHUNK * bytes + 16)) as [
    number,
    number,
    number,
  ];
  const records = arena.alloc(vertices * 32);
  const faceClasses = arena.alloc(corners * 4);
  // what is dead when the next is written shares a place
  const table = arena.alloc(Math.max(slots * 4, triangles * 32));
  const entries = arena.alloc(
    Math.max(indices ? vertices * 4 : 0, triangles * 24 + 64),
  );
  const fields: Job = {
    records,
    ids: quads ? arena.alloc(triangles * 12) : faceClasses,
    triangles,
    classes: 0,
    table,
    slots: indices ? slots : Math.min(slots, FIRST_SLOTS),
    derivatives: table,
    flags: arena.alloc(triangles),
    counts: arena.alloc(vertices * 4 + 4),
    entries,
    left: arena.alloc(triangles * 12),
    right: arena.alloc(triangles * 12),
    roots: entries,
    out: arena.alloc(triangles * 48),
    sign: options.sign ?? 1,
    cone: angle === 180 ? 0.01 : Math.cos(angle * Math.PI / 360) + 1e-3,
    threshold: f(Math.cos(f(f(angle * f(Math.PI)) / 180))),
    faces: quads ? arena.alloc(triangles * 4) : 0,
    odd: 0,
    tagMask: -(2 ** (32 - Math.clz32(vertices))),
    vertices,
    seen: 0,
    places: quads ? arena.alloc(triangles * 12) : 0,
    spaces: quads ? arena.alloc(triangles * 96) : 0,
  };
  const sizes = quads ? arena.alloc(options.faceSizes!.length) : 0;
  const opened = quads ? arena.alloc(triangles * 12) : 0;
  const faceOut = quads ? arena.alloc(corners * 16) : fields.out;

  const words = arena.u32(job, JOB_FIELDS.length);
  const reals = arena.f32(job, JOB_FIELDS.length);
  JOB_FIELDS.forEach((name, i) => {
    (REAL_FIELDS.includes(name) ? reals : words)[i] = fields[name];
  });
  arena.u8(table, fields.slots * 4).fill(0);
  weld(arena, job, streams, indices ? entries : faceClasses, stage);
  if (indices) {
    if (words[JOB_FIELDS.indexOf("odd")] > 0) return null;
    if (reference && exports.mikkIsWide(job)) return null;
    arena.u32(faceClasses, corners).set(indices);
    const wrong =
      exports.mikkMapCorners(faceClasses, corners, entries, vertices) >>> 0;
    if (wrong !== NONE) {
      bad(`indices/${wrong}`, indices[wrong], `below ${vertices}`);
    }
  }
  if (quads) {
    const { faceSizes } = options;
    arena.u8(sizes, faceSizes!.length).set(faceSizes!);
    exports.mikkCutQuads(job, sizes, faceSizes!.length, faceClasses);
  }
  let done = 1;
  if (reference && !indices && exports.mikkIsWide(job)) {
    done = exports.mikkUnweld(job);
  }
  const degenerate = exports.mikkDerive(job);
  if (quads) exports.mikkOrientQuads(job);
  exports.mikkNeighbours(job);
  if (done && reference && degenerate < triangles) {
    done = exports.mikkLastBucket(job);
  }
  if (done) {
    exports.mikkGroups(job);
    if (quads) {
      arena.u32(opened, triangles * 3).set(
        arena.u32(fields.roots, triangles * 3),
      );
    }
    exports.mikkAccumulate(job);
    done = exports.mikkFinish(job, degenerate);
  }
  if (!done) {
    throw meshError(
      "KERNEL-MEMORY",
      `Split the mesh: its tangents need more memory than the runtime gives (${triangles} triangles)`,
      { found: triangles },
    );
  }
  if (quads) exports.mikkFinishQuads(job, opened, faceOut, corners);
  return arena.f32(faceOut, corners * 4).slice();
}

/** One vertex a corner: corners with a NaN are never one, even where the vertex is. */
function pick(
  from: Float32Array,
  width: number,
  indices: Uint32Array,
): Float32Array {
  const to = new Float32Array(indices.length * width);
  for (let c = 0, at = 0; c < indices.length; c++) {
    for (let k = 0; k < width; k++) to[at++] = from[indices[c] * width + k];
  }
  return to;
}

/**
 * MikkTSpace tangents of triangles, or of triangles and quads: 4 f32 a corner, x y z and w. Raw bits of the reference,
 * degenerate corners included: (1, 0, 0, −sign) where it has nothing to say, zero or NaN where its arithmetic ends there.
 *
 * @param position 3 f32 a vertex.
 * @param normal 3 f32 a vertex, unit.
 * @param uv 2 f32 a vertex.
 * @param indices Three vertices a triangle; null when every corner has a vertex of its own.
 * @throws {MeshError} ARGUMENT for lengths and indices that do not fit, KERNEL-MEMORY.
 *
 * @example
 * ```ts
 * import { generateTangents } from "@meshwright/kit/kernels";
 *
 * const position = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
 * const normal = Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1);
 * const uv = Float32Array.of(0, 0, 1, 0, 0, 1);
 * console.log([...generateTangents(position, normal, uv, null).subarray(0, 4)]); // [1, 0, 0, 1]
 * ```
 */
export function generateTangents(
  position: Float32Array,
  normal: Float32Array,
  uv: Float32Array,
  indices: Uint32Array | null,
  options: GenerateTangentsOptions = {},
): Float32Array<ArrayBuffer> {
  const streams = [position, normal, uv] as const;
  const corners = indices ? indices.length : position.length / 3;
  const triangles = countTriangles(streams, corners, options);
  if (triangles === 0) return new Float32Array(0);
  const tangents = withArena(
    options.maxKernelBytes ?? MAX_BYTES,
    (arena) => generate(arena, streams, indices, corners, triangles, options),
    KEEP_BYTES,
  );
  if (tangents) return tangents;
  const vertices = position.length / 3;
  const wrong = indices!.findIndex((v) => v >= vertices);
  if (wrong >= 0) bad(`indices/${wrong}`, indices![wrong], `below ${vertices}`);
  return generateTangents(
    pick(position, 3, indices!),
    pick(normal, 3, indices!),
    pick(uv, 2, indices!),
    null,
    options,
  );
}
