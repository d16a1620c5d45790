/**
 * Drops triangles that most formats can not hold: indices out of range, leftover indices, corners that are not finite.
 *
 * @module
 */
import type { MaterialGroup, Mesh, MeshLod } from "../core/mesh.ts";

/** Result of {@linkcode cleanTriangles}. */
export interface CleanedTriangles {
  /** The mesh. */
  mesh: Mesh;
  /** Triangles dropped for an index that is not below the vertex count. */
  outOfRange: number;
  /** Triangles dropped for a corner whose position is NaN or infinite. */
  nonFinite: number;
  /** Indices dropped behind the last whole triangle. */
  leftover: number;
}

/**
 * Drops triangles with an index out of range or a corner that is not finite, and indices that make no whole triangle.
 * Material groups follow. Vertices stay.
 */
export function cleanTriangles(mesh: Mesh): CleanedTriangles {
  const { position } = mesh.attributes;
  const finite = new Uint8Array(mesh.vertexCount);
  for (let v = 0; v < mesh.vertexCount; v++) {
    finite[v] = Number.isFinite(
        position[v * 3] + position[v * 3 + 1] + position[v * 3 + 2],
      )
      ? 1
      : 0;
  }
  const out = { outOfRange: 0, nonFinite: 0, leftover: 0 };
  const clean = (lod: MeshLod): MeshLod => {
    if (!lod.indices) return lod;
    const { indices } = lod;
    out.leftover += indices.length % 3;
    const kept = new Uint32Array(indices.length);
    // where each triangle of the input begins in the output, to move the groups
    const starts = new Uint32Array(Math.floor(indices.length / 3) + 1);
    let n = 0;
    for (let i = 0, t = 0; i + 2 < indices.length; i += 3, t++) {
      starts[t] = n;
      const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]];
      if (Math.max(a, b, c) >= mesh.vertexCount) out.outOfRange++;
      else if (!(finite[a] && finite[b] && finite[c])) out.nonFinite++;
      else {
        kept[n] = a;
        kept[n + 1] = b;
        kept[n + 2] = c;
        n += 3;
      }
    }
    starts[starts.length - 1] = n;
    if (n === indices.length) return lod;
    const groups: MaterialGroup[] = [];
    for (const g of lod.groups) {
      const start = starts[Math.floor(g.start / 3)];
      const end = starts[
        Math.min(Math.floor((g.start + g.count) / 3), starts.length - 1)
      ];
      if (end > start) {
        groups.push({ ...g, start, count: end - start });
      }
    }
    return { ...lod, indices: kept.slice(0, n), groups };
  };
  const lods = mesh.lods.map(clean);
  return { mesh: { ...mesh, lods }, ...out };
}
