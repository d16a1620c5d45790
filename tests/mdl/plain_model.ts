/**
 * A reader of whole Source models for the tests, on purpose the plainest one: offsets of the MDL, the pool replayed at root
 * LOD 0, one index after the other. Nothing of the library in it.
 *
 * @module
 */
import { corpusText } from "../corpus.ts";
import { plainReplay, plainSplit } from "../vvd/plain_vvd.ts";
import { type Layout, plainTriangles, type PlainVtx } from "./plain_vtx.ts";

/** A model as triangles over its pool. */
export interface PlainModel {
  /** 3 f32 a vertex of the pool. */
  position: Float32Array;
  /** 3 f32 a vertex of the pool. */
  normal: Float32Array;
  /** Levels of detail: all models of all body parts, in file order. */
  lods: { switchPoint: number; indices: number[] }[];
}

/** For every model and mesh of a body part the vertex of the pool that its numbers count from. */
function firstVertices(mdl: Uint8Array, bodyPart: number): number[][] {
  const view = new DataView(mdl.buffer, mdl.byteOffset, mdl.length);
  const i32 = (at: number) => view.getInt32(at, true);
  const part = i32(236) + bodyPart * 16;
  return Array.from({ length: i32(part + 4) }, (_, m) => {
    const model = part + i32(part + 12) + m * 148;
    return Array.from({ length: i32(model + 72) }, (_, k) => {
      const mesh = model + i32(model + 76) + k * 116;
      return i32(model + 84) / 48 + i32(mesh + 12);
    });
  });
}

/** Puts a model together. */
export function plainModel(
  mdl: Uint8Array,
  vvd: Uint8Array,
  vtx: PlainVtx,
): PlainModel {
  const { position, normal } = plainSplit(vvd, plainReplay(vvd, 0));
  const firsts = vtx.bodyParts.map((_, b) => firstVertices(mdl, b));
  return {
    position: new Float32Array(position.buffer),
    normal: new Float32Array(normal.buffer),
    lods: Array.from({ length: vtx.numLODs }, (_, level) => ({
      switchPoint: vtx.bodyParts[0].models[0].lods[level].switchPoint,
      indices: vtx.bodyParts.flatMap((part, b) =>
        part.models.flatMap((model, m) =>
          model.lods[level].meshes.flatMap((mesh, k) =>
            plainTriangles(mesh.groups).map((v) => firsts[b][m][k] + v)
          )
        )
      ),
    })),
  };
}

/** Every VTX of the corpus that has a model, with the layout that the list of sources states. */
export function vtxLayouts(): [path: string, layout: Layout][] {
  const [head, ...rows] = corpusText("source/SOURCES.tsv").trim().split("\n")
    .map((line) => line.split("\t"));
  const column = head.indexOf("vtx_layout");
  return rows.filter((row) => row[column]).map((row) => {
    const [strip, group] = row[column].split("/");
    return [`source/${row[0]}`, `${group}/${strip}` as Layout];
  });
}

/** How the triangles of a mesh lie to their normals. */
export interface Agreement {
  /** Triangles whose front is where the sum of their corners' normals points. */
  agree: number;
  /** Triangles that agree or oppose; those without area and those at right angles are neither. */
  counted: number;
  /** Triangles that oppose. */
  opposed: number[];
}

/**
 * Sets the triangles against the normals: the sign of the scalar product of the face normal and the sum of the corners'
 * normals.
 *
 * @param outward 1 where fronts are counter-clockwise, −1 where they are clockwise.
 */
export function agreementOf(
  { position: p, normal: n }: { position: Float32Array; normal: Float32Array },
  indices: ArrayLike<number>,
  outward: 1 | -1,
): Agreement {
  const out: Agreement = { agree: 0, counted: 0, opposed: [] };
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]];
    const [u, v] = [b, c].map((w) =>
      [0, 1, 2].map((k) => p[w * 3 + k] - p[a * 3 + k])
    );
    const side = [0, 1, 2].reduce((sum, k) => {
      const [j, l] = [(k + 1) % 3, (k + 2) % 3];
      const face = outward * (u[j] * v[l] - u[l] * v[j]);
      return sum + face * (n[a * 3 + k] + n[b * 3 + k] + n[c * 3 + k]);
    }, 0);
    if (side > 0) out.agree++;
    if (side < 0) out.opposed.push(i / 3);
    if (side !== 0) out.counted++;
  }
  return out;
}
