/**
 * Makes attributes finite, normals and tangents unit length, tangent signs 1 or −1; leaves what already is.
 *
 * @module
 */
import { UNIT_LENGTH_TOLERANCE } from "../core/limits.ts";
import type { Mesh } from "../core/mesh.ts";
import { faceNormals } from "./rebuild_normals.ts";

/** Result of {@linkcode repairVectors}: how many elements were mended. */
export interface RepairedVectors {
  /** The mesh. */
  mesh: Mesh;
  /** Positions with a NaN or an infinity, now 0 in that place. */
  positions: number;
  /** Texture coordinates, colours and weights with a NaN or an infinity, now 0. */
  values: number;
  /** Normals without direction, replaced by that of the faces that use the vertex, weighted by area. */
  zeroNormals: number;
  /** Normals of another length, now unit. */
  normals: number;
  /** Tangents without direction, replaced by one at right angles to the normal. */
  zeroTangents: number;
  /** Tangents of another length, now unit. */
  tangents: number;
  /** Tangent signs that were neither 1 nor −1, now by their sign, 1 for 0 and NaN. */
  signs: number;
  /** Largest |length − 1| among the normals and tangents that had a direction. */
  largest: number;
}

function fixFinite(
  values: Float32Array,
  width: number,
): { values: Float32Array; count: number } {
  let count = 0;
  let last = -1;
  let out = values;
  for (let i = 0; i < values.length; i++) {
    if (Number.isFinite(values[i])) continue;
    if (out === values) out = values.slice();
    out[i] = 0;
    const element = Math.floor(i / width);
    if (element !== last) count++;
    last = element;
  }
  return { values: out, count };
}

/** A unit vector at right angles to n: the axis n is least along, made orthogonal. */
function perpendicular(
  nx: number,
  ny: number,
  nz: number,
): [number, number, number] {
  const [x, y, z] = [Math.abs(nx), Math.abs(ny), Math.abs(nz)];
  // axis × n for the smallest component of n
  const [cx, cy, cz] = x <= y && x <= z
    ? [0, -nz, ny]
    : y <= z
    ? [nz, 0, -nx]
    : [-ny, nx, 0];
  const length = Math.sqrt(cx * cx + cy * cy + cz * cz);
  return [cx / length, cy / length, cz / length];
}

/**
 * Repairs what formats with strict rules can not hold.
 *
 * @param mesh Any mesh.
 * @param up What a normal without direction becomes where no face with area uses the vertex.
 */
export function repairVectors(
  mesh: Mesh,
  up: readonly [number, number, number],
): RepairedVectors {
  const a = mesh.attributes;
  const out: RepairedVectors = {
    mesh,
    positions: 0,
    values: 0,
    zeroNormals: 0,
    normals: 0,
    zeroTangents: 0,
    tangents: 0,
    signs: 0,
    largest: 0,
  };
  const attributes = { ...a };
  const position = fixFinite(a.position, 3);
  attributes.position = position.values;
  out.positions = position.count;
  attributes.uvs = a.uvs.map((uv) => {
    const fixed = fixFinite(uv, 2);
    out.values += fixed.count;
    return fixed.values;
  });
  if (a.color) {
    const fixed = fixFinite(a.color, 4);
    out.values += fixed.count;
    attributes.color = fixed.values;
  }
  if (a.weights && mesh.influences > 0) {
    const fixed = fixFinite(a.weights, mesh.influences);
    out.values += fixed.count;
    attributes.weights = fixed.values;
  }
  /** Makes one vector unit in place; false when it has no direction. */
  const unit = (
    values: Float32Array,
    at: number,
    counted: "normals" | "tangents",
  ): boolean => {
    const [x, y, z] = [values[at], values[at + 1], values[at + 2]];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 0 && length < Infinity)) return false;
    const off = Math.abs(length - 1);
    if (off > UNIT_LENGTH_TOLERANCE) {
      out[counted]++;
      out.largest = Math.max(out.largest, off);
      values[at] = x / length;
      values[at + 1] = y / length;
      values[at + 2] = z / length;
    }
    return true;
  };
  if (a.normal) {
    const normal = a.normal.slice();
    let faces: Float32Array | null = null;
    for (let at = 0; at < normal.length; at += 3) {
      if (unit(normal, at, "normals")) continue;
      faces ??= faceNormals({ ...mesh, attributes }, "area", up);
      normal.set(faces.subarray(at, at + 3), at);
      out.zeroNormals++;
    }
    attributes.normal = normal;
  }
  if (a.tangent) {
    const tangent = a.tangent.slice();
    for (let v = 0, at = 0; at < tangent.length; v++, at += 4) {
      if (!unit(tangent, at, "tangents")) {
        const n = attributes.normal;
        tangent.set(
          n
            ? perpendicular(n[v * 3], n[v * 3 + 1], n[v * 3 + 2])
            : perpendicular(...up),
          at,
        );
        out.zeroTangents++;
      }
      const w = tangent[at + 3];
      if (w !== 1 && w !== -1) {
        tangent[at + 3] = w < 0 ? -1 : 1;
        out.signs++;
      }
    }
    attributes.tangent = tangent;
  }
  out.mesh = { ...mesh, attributes };
  return out;
}
