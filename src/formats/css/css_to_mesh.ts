/**
 * From a CSS authored mesh to the mesh model.
 *
 * @module
 */
import type { MaterialGroup, Mesh, SparseMorphs } from "../../core/mesh.ts";
import { rowsByPoint } from "./judge.ts";
import { smoothNormals } from "./smooth_normals.ts";
import type { CssMesh } from "./types.ts";
import { bitsOfNumber, mix, weld } from "./weld.ts";

/** Result of {@linkcode cssToMesh}. */
export interface CssAsMesh {
  /** The mesh, in CSS axes and centimetres. */
  mesh: Mesh;
  /** Normals that the file left to the engine: one a vertex, or 0. */
  normalsMade: number;
  /** Points on which no wedge stands; the mesh has no place for them. */
  unusedPoints: number;
  /** Wedges that repeated another one in everything. */
  mergedWedges: number;
}

/** Wedges that are the same in point, normal, texture coordinates and colour become one vertex. */
function weldWedges(mesh: CssMesh, normals: Float32Array) {
  const width = 2 * mesh.uvChannels;
  const { wedgePoints, wedgeUvs, colors } = mesh;
  return weld(
    wedgePoints.length,
    (i) => {
      let hash = mix(0, wedgePoints[i]);
      for (let k = 0; k < 3; k++) {
        hash = mix(hash, bitsOfNumber(normals[i * 3 + k]));
      }
      for (let k = 0; k < width; k++) {
        hash = mix(hash, bitsOfNumber(wedgeUvs[i * width + k]));
      }
      return hash;
    },
    (a, b) => {
      if (wedgePoints[a] !== wedgePoints[b]) return false;
      for (let k = 0; k < 3; k++) {
        if (normals[a * 3 + k] !== normals[b * 3 + k]) return false;
      }
      for (let k = 0; k < width; k++) {
        if (!Object.is(wedgeUvs[a * width + k], wedgeUvs[b * width + k])) {
          return false;
        }
      }
      for (let k = 0; k < 4 && colors; k++) {
        if (colors[a * 4 + k] !== colors[b * 4 + k]) return false;
      }
      return true;
    },
  );
}

/** Faces as a triangle list, in the order of their materials. */
function triangles(mesh: CssMesh, vertexOf: Uint32Array) {
  const { faces } = mesh;
  const counts = new Uint32Array(mesh.materials.length);
  for (let f = 3; f < faces.length; f += 4) counts[faces[f]] += 3;
  const groups: MaterialGroup[] = [];
  const next = new Uint32Array(counts.length);
  let start = 0;
  counts.forEach((count, material) => {
    next[material] = start;
    if (count > 0) groups.push({ start, count, material });
    start += count;
  });
  const indices = new Uint32Array(start);
  for (let f = 0; f < faces.length; f += 4) {
    for (let k = 0; k < 3; k++) {
      indices[next[faces[f + 3]]++] = vertexOf[faces[f + k]];
    }
  }
  return { indices, groups };
}

function morphsOf(mesh: CssMesh, points: Uint32Array): SparseMorphs | null {
  const targets = mesh.morphTargets;
  if (!targets || targets.length === 0) return null;
  const count = mesh.points.length / 3;
  const rows = targets.reduce((n, t) => n + t.points.length, 0);
  const point = new Uint32Array(rows);
  const target = new Uint32Array(rows);
  const delta = new Float32Array(rows * 3);
  let at = 0;
  targets.forEach((t, i) => {
    point.set(t.points, at);
    target.fill(i, at, at + t.points.length);
    delta.set(t.deltas, at * 3);
    at += t.points.length;
  });
  const { starts, order } = rowsByPoint(point, count);
  const offsets = new Uint32Array(points.length + 1);
  points.forEach((p, v) => {
    offsets[v + 1] = offsets[v] + starts[p + 1] - starts[p];
  });
  const entries = offsets[points.length];
  const out = new Uint32Array(entries);
  const position = new Float32Array(entries * 3);
  points.forEach((p, v) => {
    for (let k = starts[p], e = offsets[v]; k < starts[p + 1]; k++, e++) {
      const row = order[k];
      out[e] = target[row];
      position[e * 3] = delta[row * 3];
      position[e * 3 + 1] = delta[row * 3 + 1];
      position[e * 3 + 2] = delta[row * 3 + 2];
    }
  });
  return {
    names: targets.map((t) => t.name),
    offsets,
    targets: out,
    position,
    normal: null,
  };
}

/**
 * A CSS authored mesh as a mesh: left-handed, +Z up, centimetres, clockwise from the front. Wedges become vertices, equal
 * ones one; every vertex has its point's position, influences and deltas. Faces are grouped by material in the order of
 * the slots. Missing normals are made as the engine makes them; colours are divided by 255.
 *
 * @param css A mesh that fits the model, as {@linkcode readCssMesh} gives it.
 */
export function cssToMesh(css: CssMesh): CssAsMesh {
  const normals = css.normals ?? smoothNormals(css);
  const { first, to } = weldWedges(css, normals);
  const n = first.length;
  const points = first.map((w) => css.wedgePoints[w]);
  const position = new Float32Array(n * 3);
  const normal = new Float32Array(n * 3);
  const uvs = Array.from(
    { length: css.uvChannels },
    () => new Float32Array(n * 2),
  );
  const color = css.colors ? new Float32Array(n * 4) : null;
  const width = 2 * css.uvChannels;
  for (let v = 0; v < n; v++) {
    const w = first[v];
    for (let k = 0; k < 3; k++) {
      position[v * 3 + k] = css.points[points[v] * 3 + k];
      normal[v * 3 + k] = normals[w * 3 + k];
    }
    for (let c = 0; c < width; c++) {
      uvs[c >> 1][v * 2 + (c & 1)] = css.wedgeUvs[w * width + c];
    }
    for (let k = 0; k < 4 && color; k++) {
      color[v * 4 + k] = css.colors![w * 4 + k] / 255;
    }
  }

  const rows = rowsByPoint(css.influencePoints, css.points.length / 3);
  const { starts, order } = rows;
  let influences = 1;
  for (const p of points) {
    influences = Math.max(influences, starts[p + 1] - starts[p]);
  }
  const joints = new Uint16Array(n * influences);
  const weights = new Float32Array(n * influences);
  points.forEach((p, v) => {
    for (let k = starts[p], at = v * influences; k < starts[p + 1]; k++, at++) {
      joints[at] = css.influenceBones[order[k]];
      weights[at] = css.influenceWeights[order[k]];
    }
  });

  const used = new Uint8Array(css.points.length / 3);
  for (const p of css.wedgePoints) used[p] = 1;
  return {
    mesh: {
      name: css.meshPackage.slice(css.meshPackage.lastIndexOf("/") + 1),
      basis: "css",
      vertexCount: n,
      attributes: {
        position,
        normal,
        ...(color ? { color } : {}),
        uvs,
        joints,
        weights,
      },
      influences,
      lods: [{ ...triangles(css, to), switchDistance: null }],
      materials: [...css.materials],
      morphs: morphsOf(css, points),
      skeleton: css.bones.map((bone) => ({ ...bone })),
      heightfield: null,
    },
    normalsMade: css.normals ? 0 : n,
    unusedPoints: used.reduce((sum, u) => sum + (u === 0 ? 1 : 0), 0),
    mergedWedges: css.wedgePoints.length - n,
  };
}
