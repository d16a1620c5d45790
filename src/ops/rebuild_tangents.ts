/**
 * Rebuilds vertex tangents from positions, normals and the first texture coordinates.
 *
 * @module
 */
import { BASES, type BasisId } from "../core/basis.ts";
import { bitsOf } from "../core/bytes.ts";
import { meshError } from "../core/errors.ts";
import { UNIT_LENGTH_TOLERANCE } from "../core/limits.ts";
import type { Mesh, MeshLod } from "../core/mesh.ts";
import { generateTangents, type TangentMode } from "../kernels/tangents.ts";
import { payloadTangents } from "./payload_frames.ts";
import { remapVertices } from "./remap_vertices.ts";

/** Options of {@linkcode rebuildTangents}. */
export interface RebuildTangentsOptions {
  /**
   * `mikktspace` unless given: what bakers and engines agree on. `payload`: texture gradients summed at the corners of
   * LOD 0, as the payload's cook does, bit for bit; signs 1, no vertex is split.
   */
  rule?: "mikktspace" | "payload";
  /** MikkTSpace with all its edges sorted (`corrected`, the default), or bit for bit as its C code (`reference`). */
  mode?: TangentMode;
  /** Degrees beyond which MikkTSpace does not join the derivatives of two triangles; 180 unless given. */
  angularThreshold?: number;
  /** `basis`, the default: the sign that the mesh's convention asks for. `mikktspace`: the generator's own. */
  signConvention?: "basis" | "mikktspace";
  /**
   * What becomes of tangents that MikkTSpace leaves without meaning (zero, NaN, or a fixed axis where all texture
   * coordinates are one): `reference`, the default, keeps them; `repair` makes them unit and orthogonal to the normal.
   */
  degenerate?: "reference" | "repair";
}

/** What {@linkcode countTangents} gives. */
export interface RebuiltTangents {
  /** The mesh. */
  mesh: Mesh;
  /** Vertices that were added because corners of one vertex have different tangents. */
  split: number;
  /** Vertices whose tangent is zero or not finite, before any repair. */
  zero: number;
  /** Vertices whose tangent is not at right angles to the normal, or not unit, before any repair; the zero ones included. */
  degenerate: number;
  /** Vertices whose tangent was repaired. */
  repaired: number;
}

/** How far from a right angle (as a cosine) a tangent may be that the generator projected into the normal's plane. */
const RIGHT_ANGLE_TOLERANCE = 1e-3;
/** Copies of a vertex that a coarser LOD compares; more only come from fans of contradicting triangles. */
const MAX_COMPARED = 16;
const NONE = 0xffffffff;

/**
 * w where a triangle keeps the orientation of the texture, in a convention. MikkTSpace's own sign follows the stored v and
 * the winding; the convention says which way v and the front face go, and whether the bitangent is to point up the image.
 */
export function tangentSign(basis: BasisId): 1 | -1 {
  const b = BASES[basis];
  const up = b.uvOrigin === "bottom" ? 1 : -1;
  return (b.outward * up * b.bitangent) as 1 | -1;
}

/** The vertices of the result: those of the mesh, in place, then copies with other tangents. */
class Copies {
  /** Vertex of the mesh that each is a copy of. */
  readonly source: number[] = [];
  /** Four words each, copies only. */
  readonly bits: number[] = [];
  /** Tangents of the vertices in place, 4 words each. */
  readonly first: Uint32Array;
  /** 1 for each vertex in place that has a tangent. */
  readonly known: Uint8Array;
  /** Next copy of the same vertex, by vertex or copy. */
  readonly #next: number[] = [];
  readonly #head = new Map<number, number>();
  #table = new Uint32Array(64);

  constructor(readonly vertexCount: number) {
    this.first = new Uint32Array(vertexCount * 4);
    this.known = new Uint8Array(vertexCount);
  }

  #slot(v: number, a: number, b: number, c: number, d: number): number {
    const mask = this.#table.length - 1;
    let h = Math.imul(v ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(a, 0xc2b2ae35) ^
      Math.imul(b, 0x27d4eb2f) ^ Math.imul(c, 0x165667b1) ^ d;
    h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
    let at = (h ^ (h >>> 13)) & mask;
    for (;;) {
      const copy = this.#table[at] - 1;
      if (copy < 0) return at;
      const p = copy * 4;
      const { bits } = this;
      if (
        this.source[copy] === v && bits[p] === a && bits[p + 1] === b &&
        bits[p + 2] === c && bits[p + 3] === d
      ) return at;
      at = (at + 1) & mask;
    }
  }

  /** The vertex with the tangent at `i` of `words`: the one in place when it has none yet or the same, else a copy. */
  of(v: number, words: Uint32Array, i: number): number {
    const [a, b, c, d] = [words[i], words[i + 1], words[i + 2], words[i + 3]];
    const { first, known } = this;
    const p = v * 4;
    if (known[v] === 0) {
      known[v] = 1;
      first[p] = a;
      first[p + 1] = b;
      first[p + 2] = c;
      first[p + 3] = d;
      return v;
    }
    if (
      first[p] === a && first[p + 1] === b && first[p + 2] === c &&
      first[p + 3] === d
    ) return v;
    let at = this.#slot(v, a, b, c, d);
    if (this.#table[at] > 0) return this.vertexCount + this.#table[at] - 1;
    if (this.source.length * 2 >= this.#table.length) {
      this.#table = new Uint32Array(this.#table.length * 2);
      this.source.forEach((source, copy) => {
        const q = copy * 4;
        const { bits } = this;
        const slot = this.#slot(
          source,
          bits[q],
          bits[q + 1],
          bits[q + 2],
          bits[q + 3],
        );
        this.#table[slot] = copy + 1;
      });
      at = this.#slot(v, a, b, c, d);
    }
    const copy = this.source.push(v) - 1;
    this.bits.push(a, b, c, d);
    this.#table[at] = copy + 1;
    this.#next.push(this.#head.get(v) ?? NONE);
    this.#head.set(v, copy);
    return this.vertexCount + copy;
  }

  /** Vertex `v` and its copies, at most {@linkcode MAX_COMPARED}. */
  all(v: number): number[] {
    if (this.known[v] === 0) return [];
    const out = [v];
    let copy = this.#head.get(v) ?? NONE;
    while (copy !== NONE && out.length < MAX_COMPARED) {
      out.push(this.vertexCount + copy);
      copy = this.#next[copy];
    }
    return out;
  }

  /** Tangents of all vertices, `missing` for those that no triangle uses. */
  tangents(missing: readonly number[]): Float32Array<ArrayBuffer> {
    const words = new Uint32Array(
      (this.vertexCount + this.source.length) * 4,
    );
    words.set(this.first);
    words.set(this.bits, this.vertexCount * 4);
    const out = new Float32Array(words.buffer);
    for (let v = 0; v < this.vertexCount; v++) {
      if (this.known[v] === 0) out.set(missing, v * 4);
    }
    return out;
  }
}

/** The copy of `v` that fits a coarser LOD's own tangent best: the same sign, and the nearest direction. */
function nearest(
  copies: Copies,
  v: number,
  tangent: Float32Array,
  i: number,
): number {
  const scratch = new Uint32Array(4);
  const floats = new Float32Array(scratch.buffer);
  let best = -1;
  let closest = -Infinity;
  for (const vertex of copies.all(v)) {
    const p = (vertex < copies.vertexCount ? v : vertex - copies.vertexCount) *
      4;
    const from = vertex < copies.vertexCount ? copies.first : copies.bits;
    for (let k = 0; k < 4; k++) scratch[k] = from[p + k];
    if (floats[3] !== tangent[i + 3]) continue;
    const cosine = floats[0] * tangent[i] + floats[1] * tangent[i + 1] +
      floats[2] * tangent[i + 2];
    if (cosine > closest || best < 0) [best, closest] = [vertex, cosine];
  }
  return best;
}

/** Gives the corners of one LOD their vertices. */
function indexLod(
  mesh: Mesh,
  lod: MeshLod,
  level: number,
  copies: Copies,
  options: RebuildTangentsOptions,
  sign: 1 | -1,
): MeshLod {
  if (!lod.indices) return lod;
  const whole = lod.indices.length - lod.indices.length % 3;
  const { position, normal, uvs } = mesh.attributes;
  const tangent = generateTangents(
    position,
    normal!,
    uvs[0],
    lod.indices.subarray(0, whole),
    {
      sign,
      ...(options.mode ? { mode: options.mode } : {}),
      ...(options.angularThreshold === undefined
        ? {}
        : { angularThreshold: options.angularThreshold }),
    },
  );
  const words = bitsOf(tangent);
  const indices = lod.indices.slice();
  for (let c = 0; c < whole; c++) {
    const v = indices[c];
    const reused = level > 0 ? nearest(copies, v, tangent, c * 4) : -1;
    indices[c] = reused < 0 ? copies.of(v, words, c * 4) : reused;
  }
  return { ...lod, indices };
}

/** A unit vector at right angles to n, from t if that leaves one, else any. */
function orthogonal(
  [nx, ny, nz]: readonly number[],
  [tx, ty, tz]: readonly number[],
): [number, number, number] {
  const square = nx * nx + ny * ny + nz * nz;
  const unit = (x: number, y: number, z: number) => {
    const length = Math.sqrt(x * x + y * y + z * z);
    return length > RIGHT_ANGLE_TOLERANCE && length < Infinity
      ? [x / length, y / length, z / length] as [number, number, number]
      : null;
  };
  if (!(square > 0 && square < Infinity)) return [1, 0, 0];
  const along = (tx * nx + ty * ny + tz * nz) / square;
  const from = unit(tx - along * nx, ty - along * ny, tz - along * nz);
  if (from) return from;
  // the axis that n is least along, crossed with it
  const scale = 1 / Math.sqrt(square);
  const [x, y, z] = [nx * scale, ny * scale, nz * scale];
  const [ax, ay, az] = [x, y, z].map(Math.abs);
  return (ax <= ay && ax <= az
    ? unit(0, -z, y)
    : ay <= az
    ? unit(z, 0, -x)
    : unit(-y, x, 0)) ?? [1, 0, 0];
}

/** Counts the tangents without meaning, and repairs them if asked. */
function judge(
  tangent: Float32Array,
  normal: Float32Array,
  repair: boolean,
): Pick<RebuiltTangents, "zero" | "degenerate" | "repaired"> {
  const out = { zero: 0, degenerate: 0, repaired: 0 };
  for (let t = 0, n = 0; t < tangent.length; t += 4, n += 3) {
    const [x, y, z] = [tangent[t], tangent[t + 1], tangent[t + 2]];
    const [nx, ny, nz] = [normal[n], normal[n + 1], normal[n + 2]];
    const length = Math.sqrt(x * x + y * y + z * z);
    const zero = !(length > 0 && length < Infinity);
    if (zero) out.zero++;
    const unit = Math.abs(length - 1) <= UNIT_LENGTH_TOLERANCE;
    const tilt = Math.abs(x * nx + y * ny + z * nz);
    if (unit && tilt <= RIGHT_ANGLE_TOLERANCE) continue;
    out.degenerate++;
    if (!repair) continue;
    tangent.set(
      orthogonal([nx, ny, nz], zero ? [0, 0, 0] : [x, y, z]),
      t,
    );
    out.repaired++;
  }
  return out;
}

function need(mesh: Mesh, what: string, there: boolean, why: string): void {
  if (there) return;
  throw meshError("ARGUMENT", why, { path: what, found: mesh.name });
}

function byPayloadRule(mesh: Mesh): RebuiltTangents {
  const { position, normal, uvs } = mesh.attributes;
  const three = payloadTangents(
    position,
    normal!,
    uvs[0] ?? new Float32Array(mesh.vertexCount * 2),
    mesh.lods[0].indices ?? new Uint32Array(0),
  );
  const tangent = new Float32Array(mesh.vertexCount * 4).fill(1);
  for (let v = 0; v < mesh.vertexCount; v++) {
    tangent.set(three.subarray(v * 3, v * 3 + 3), v * 4);
  }
  return {
    mesh: { ...mesh, attributes: { ...mesh.attributes, tangent } },
    split: 0,
    ...judge(tangent, normal!, false),
  };
}

/**
 * {@linkcode rebuildTangents}, with counts of what it met.
 *
 * @throws {MeshError} As {@linkcode rebuildTangents}.
 */
export function countTangents(
  mesh: Mesh,
  options: RebuildTangentsOptions = {},
): RebuiltTangents {
  const { normal, uvs } = mesh.attributes;
  need(
    mesh,
    "normal",
    normal !== undefined,
    "Rebuild the normals first: tangents need them",
  );
  if (options.rule === "payload") return byPayloadRule(mesh);
  need(
    mesh,
    "uvs",
    uvs.length > 0,
    "Give the mesh texture coordinates: MikkTSpace tangents follow them",
  );
  need(
    mesh,
    "lods/0/indices",
    mesh.lods[0]?.indices != null,
    "Give the mesh faces: MikkTSpace tangents come from triangles",
  );
  const sign = options.signConvention === "mikktspace"
    ? 1
    : tangentSign(mesh.basis);
  const copies = new Copies(mesh.vertexCount);
  const lods = mesh.lods.map((lod, level) =>
    indexLod(mesh, lod, level, copies, options, sign)
  );
  const tangent = copies.tangents([1, 0, 0, -sign]);
  const { tangent: _, ...rest } = mesh.attributes;
  let out: Mesh = { ...mesh, attributes: rest, lods };
  if (copies.source.length > 0) {
    const order = new Uint32Array(mesh.vertexCount + copies.source.length);
    for (let v = 0; v < mesh.vertexCount; v++) order[v] = v;
    order.set(copies.source, mesh.vertexCount);
    out = remapVertices(out, order);
  }
  const counts = judge(
    tangent,
    out.attributes.normal!,
    options.degenerate === "repair",
  );
  out = { ...out, attributes: { ...out.attributes, tangent } };
  return { mesh: out, split: copies.source.length, ...counts };
}

/**
 * The mesh with new tangents. Vertices keep their numbers; where the corners of one vertex have different tangents, copies
 * follow behind the last vertex, with skin weights, morph targets, texture coordinates and colours. Coarser LODs take, of
 * the copies of a vertex, the one that fits their own triangles.
 *
 * @param mesh A mesh with faces, normals and texture coordinates.
 * @param options Rule, mode, threshold, sign, repair.
 * @throws {MeshError} ARGUMENT when normals, texture coordinates or faces are missing, when an index names no vertex, or
 * for a threshold outside 0 to 180; KERNEL-MEMORY.
 *
 * @example
 * ```ts
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { rebuildTangents } from "@meshwright/kit/ops";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/terrain.payload")));
 * const { tangent } = rebuildTangents(mesh, { degenerate: "repair" }).attributes;
 * console.log(tangent!.length > 0); // true
 * ```
 */
export function rebuildTangents(
  mesh: Mesh,
  options: RebuildTangentsOptions = {},
): Mesh {
  return countTangents(mesh, options).mesh;
}
