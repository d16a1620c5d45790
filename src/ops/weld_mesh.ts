/**
 * Merges vertices that are equal in every stream.
 *
 * @module
 */
import { bitsOf } from "../core/bytes.ts";
import type { Mesh } from "../core/mesh.ts";
import { remapVertices } from "./remap_vertices.ts";

/** Result of {@linkcode weldMesh}. */
export interface WeldedMesh {
  /** The mesh. */
  mesh: Mesh;
  /** Vertices merged into an earlier one. */
  merged: number;
}

/** The words of one vertex, stream after stream, morph entries last. */
function recordOf(mesh: Mesh): {
  width: number;
  read(v: number, into: Uint32Array): void;
} {
  const a = mesh.attributes;
  const streams: [Uint32Array | Uint16Array, number][] = [
    [bitsOf(a.position), 3],
    ...a.uvs.map((uv): [Uint32Array, number] => [bitsOf(uv), 2]),
  ];
  if (a.normal) streams.push([bitsOf(a.normal), 3]);
  if (a.tangent) streams.push([bitsOf(a.tangent), 4]);
  if (a.color) streams.push([bitsOf(a.color), 4]);
  if (a.joints) streams.push([a.joints, mesh.influences]);
  if (a.weights) streams.push([bitsOf(a.weights), mesh.influences]);
  return {
    width: streams.reduce((sum, [, w]) => sum + w, 0),
    read(v, into) {
      let at = 0;
      for (const [values, width] of streams) {
        for (let k = 0; k < width; k++) into[at++] = values[v * width + k];
      }
    },
  };
}

/** True when two vertices have the same morph entries, bit for bit. */
function sameMorphs(mesh: Mesh, a: number, b: number): boolean {
  const m = mesh.morphs;
  if (!m) return true;
  const count = m.offsets[a + 1] - m.offsets[a];
  if (count !== m.offsets[b + 1] - m.offsets[b]) return false;
  const position = bitsOf(m.position);
  const normal = m.normal ? bitsOf(m.normal) : null;
  for (let i = 0; i < count; i++) {
    const [e, f] = [m.offsets[a] + i, m.offsets[b] + i];
    if (m.targets[e] !== m.targets[f]) return false;
    for (let k = 0; k < 3; k++) {
      if (position[e * 3 + k] !== position[f * 3 + k]) return false;
      if (normal && normal[e * 3 + k] !== normal[f * 3 + k]) return false;
    }
  }
  return true;
}

/**
 * Merges vertices whose streams and morph entries are all equal, bit for bit, so that nothing is lost: what is drawn stays
 * the same to the last bit. The first of equal vertices stays, in order; indices follow.
 *
 * @param mesh A mesh with faces; a cloud of points comes back as it is, since its vertices are its content.
 *
 * @example
 * ```ts
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { weldMesh } from "@meshwright/kit/ops";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/terrain.payload")));
 * console.log(weldMesh(mesh).merged); // 0: every vertex has its own place
 * ```
 */
export function weldMesh(mesh: Mesh): WeldedMesh {
  const n = mesh.vertexCount;
  if (n === 0 || mesh.lods.some((l) => l.indices === null)) {
    return { mesh, merged: 0 };
  }
  const { width, read } = recordOf(mesh);
  // open addressing, at most half full, over vertex numbers + 1
  let size = 16;
  while (size < n * 2) size *= 2;
  const table = new Uint32Array(size);
  const remap = new Uint32Array(n);
  const order: number[] = [];
  const record = new Uint32Array(width);
  const other = new Uint32Array(width);
  for (let v = 0; v < n; v++) {
    read(v, record);
    let hash = 0;
    for (let k = 0; k < width; k++) {
      hash = Math.imul(hash ^ record[k], 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    let slot = hash & (size - 1);
    for (;; slot = (slot + 1) & (size - 1)) {
      if (table[slot] === 0) {
        table[slot] = v + 1;
        remap[v] = order.length;
        order.push(v);
        break;
      }
      const w = table[slot] - 1;
      read(w, other);
      if (record.every((x, k) => x === other[k]) && sameMorphs(mesh, v, w)) {
        remap[v] = remap[w];
        break;
      }
    }
  }
  if (order.length === n) return { mesh, merged: 0 };
  const welded = remapVertices(mesh, Uint32Array.from(order));
  return {
    mesh: {
      ...welded,
      lods: mesh.lods.map((l) => ({
        ...l,
        // an index out of range stays out of range
        indices: l.indices!.map((v) => v < n ? remap[v] : v),
      })),
    },
    merged: n - order.length,
  };
}
