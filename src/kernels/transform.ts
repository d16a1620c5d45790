/**
 * Transforms a mesh by any 4 × 4 matrix. It stands beside the kernels since readers bake node transforms with it.
 *
 * @module
 */
import { meshError } from "../core/errors.ts";
import { determinant3, type Mat4 } from "../core/matrix.ts";
import { type Mesh, reverseWinding, type SparseMorphs } from "../core/mesh.ts";
import { transformNormals } from "./normals.ts";

/** Result of {@linkcode transformMesh}. */
export interface TransformedMesh {
  /** The mesh. */
  mesh: Mesh;
  /** Normals without direction before or after, replaced by +Z. */
  repairedNormals: number;
  /** True when the determinant is negative and every triangle was turned around. */
  windingReversed: boolean;
}

/** The linear part applied to vectors of `width` numbers; numbers past the third stay. */
function linear(
  values: Float32Array,
  width: number,
  m: Mat4,
  translate: 0 | 1,
): Float32Array {
  const out = values.slice();
  for (let i = 0; i < values.length; i += width) {
    const [x, y, z] = [values[i], values[i + 1], values[i + 2]];
    for (let r = 0; r < 3; r++) {
      out[i + r] = m[r] * x + m[4 + r] * y + m[8 + r] * z +
        translate * m[12 + r];
    }
  }
  return out;
}

function unitTangents(tangent: Float32Array): void {
  for (let i = 0; i < tangent.length; i += 4) {
    const [x, y, z] = [tangent[i], tangent[i + 1], tangent[i + 2]];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 0 && length < Infinity)) continue;
    tangent[i] = x / length;
    tangent[i + 1] = y / length;
    tangent[i + 2] = z / length;
  }
}

/** Normal deltas: the transformed sum of base and delta, minus the transformed base. */
function morphNormals(
  morphs: SparseMorphs,
  base: Float32Array,
  newBase: Float32Array,
  m: Mat4,
): Float32Array | null {
  if (!morphs.normal) return null;
  const sum = new Float32Array(morphs.normal.length);
  const owner = new Uint32Array(morphs.targets.length);
  for (let v = 0; v + 1 < morphs.offsets.length; v++) {
    owner.fill(v, morphs.offsets[v], morphs.offsets[v + 1]);
  }
  for (let i = 0; i < sum.length; i++) {
    sum[i] = base[owner[Math.floor(i / 3)] * 3 + i % 3] + morphs.normal[i];
  }
  const turned = transformNormals(sum, m).normal;
  // A zero delta stays zero, whatever rounding does to the two sides
  return turned.map((x, i) => {
    const e = Math.floor(i / 3) * 3;
    const still = morphs.normal![e] === 0 && morphs.normal![e + 1] === 0 &&
      morphs.normal![e + 2] === 0;
    return still ? 0 : x - newBase[owner[e / 3] * 3 + i % 3];
  });
}

/**
 * Positions by the matrix; normals by its inverse transpose, unit; tangents by the matrix, unit, their sign by the sign of
 * the determinant; morph deltas by the linear part, their normals as the difference of transformed shapes; triangles turned
 * around when the determinant is negative. A matrix whose linear part is the identity leaves directions as they are, bit
 * for bit.
 *
 * @param mesh A mesh without skeleton: the bind pose of a skin can not hold every matrix.
 * @param matrix Column-major.
 * @throws {MeshError} ARGUMENT for a mesh with a skeleton or a matrix that is not finite.
 *
 * @example
 * ```ts
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { transformMesh } from "@meshwright/kit/ops";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/terrain.payload")));
 * const mirror = [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
 * console.log(transformMesh(mesh, mirror).windingReversed); // true
 * ```
 */
export function transformMesh(mesh: Mesh, matrix: Mat4): TransformedMesh {
  if (mesh.skeleton && mesh.skeleton.length > 0) {
    throw meshError(
      "ARGUMENT",
      "Transform the node that carries a skinned mesh, not its vertices: the mesh has a skeleton",
      { path: "skeleton", found: mesh.skeleton.length, allowed: 0 },
    );
  }
  if (matrix.length !== 16 || !Array.from(matrix).every(Number.isFinite)) {
    throw meshError("ARGUMENT", "Give a matrix of 16 finite numbers", {
      path: "matrix",
      found: Array.from(matrix, String),
    });
  }
  const a = mesh.attributes;
  const still = [0, 1, 2, 4, 5, 6, 8, 9, 10].every((i) =>
    matrix[i] === (i % 5 === 0 ? 1 : 0)
  );
  const windingReversed = determinant3(matrix) < 0;
  const attributes = { ...a, position: linear(a.position, 3, matrix, 1) };
  let repairedNormals = 0;
  let morphs = mesh.morphs;
  if (!still) {
    if (a.normal) {
      const turned = transformNormals(a.normal, matrix);
      attributes.normal = turned.normal;
      repairedNormals = turned.repaired;
    }
    if (a.tangent) {
      const tangent = linear(a.tangent, 4, matrix, 0);
      unitTangents(tangent);
      if (windingReversed) {
        for (let i = 3; i < tangent.length; i += 4) tangent[i] = -tangent[i];
      }
      attributes.tangent = tangent;
    }
    if (morphs) {
      morphs = {
        ...morphs,
        position: linear(morphs.position, 3, matrix, 0),
        normal: a.normal
          ? morphNormals(morphs, a.normal, attributes.normal!, matrix)
          : morphs.normal,
      };
    }
  }
  return {
    mesh: {
      ...mesh,
      attributes,
      morphs,
      lods: windingReversed ? mesh.lods.map(reverseWinding) : mesh.lods,
    },
    repairedNormals,
    windingReversed,
  };
}
