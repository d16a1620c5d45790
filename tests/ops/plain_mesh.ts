/**
 * Meshes and f64 arithmetic for the tests of the operations, the plainest there are. Nothing of the library but its types.
 *
 * @module
 */
import type { BasisId } from "../../src/core/basis.ts";
import type {
  Mesh,
  MeshAttributes,
  MeshJoint,
  SparseMorphs,
} from "../../src/core/mesh.ts";
import type { Random } from "../random.ts";

/** Three numbers. */
export type V3 = readonly [number, number, number];

/** a + b. */
export const add = (
  a: V3,
  b: V3,
): V3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
/** a − b. */
export const sub = (
  a: V3,
  b: V3,
): V3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** a times a number. */
export const times = (a: V3, s: number): V3 => [a[0] * s, a[1] * s, a[2] * s];
/** Scalar product. */
export const dot = (a: V3, b: V3): number =>
  a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** Vector product. */
export const cross = (a: V3, b: V3): V3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
/** Length. */
export const length = (a: V3): number => Math.sqrt(dot(a, a));
/** The same direction with length 1. */
export const unit = (a: V3): V3 => times(a, 1 / length(a));
/** Angle between two directions, exact for small ones too. */
export const angle = (a: V3, b: V3): number =>
  Math.atan2(length(cross(a, b)), dot(a, b));

/** Element v of an array with `width` numbers an element, its first three numbers. */
export const at = (values: ArrayLike<number>, v: number, width = 3): V3 => [
  values[v * width],
  values[v * width + 1],
  values[v * width + 2],
];

/** A 3 × 3 matrix by rows. */
export type M3 = readonly [V3, V3, V3];

/** Matrix times vector. */
export const apply = (m: M3, v: V3): V3 => [
  dot(m[0], v),
  dot(m[1], v),
  dot(m[2], v),
];
/** Matrix product. */
export const product = (a: M3, b: M3): M3 =>
  a.map((row) =>
    [0, 1, 2].map((c) => dot(row, [b[0][c], b[1][c], b[2][c]]))
  ) as unknown as M3;
/** Determinant. */
export const determinant = (m: M3): number => dot(m[0], cross(m[1], m[2]));
/** Transpose. */
export const transpose = (m: M3): M3 =>
  [0, 1, 2].map((c) => [m[0][c], m[1][c], m[2][c]]) as unknown as M3;
/** Inverse. */
export const inverse = (m: M3): M3 =>
  transpose(
    [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])].map((row) =>
      times(row, 1 / determinant(m))
    ) as unknown as M3,
  );

/** Rows of a unit quaternion's rotation. */
export function rotationOf(q: ArrayLike<number>): M3 {
  const [x, y, z, w] = [q[0], q[1], q[2], q[3]];
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
}

/** A random unit quaternion. */
export function randomQuaternion(
  random: Random,
): [number, number, number, number] {
  const axis = random.unitVector();
  const half = random.between(0, Math.PI);
  const s = Math.sin(half);
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(half)];
}

/** A linear part and a translation as 16 numbers, column-major. */
export function matrix16(m: M3, t: V3 = [0, 0, 0]): number[] {
  return [
    ...[m[0][0], m[1][0], m[2][0], 0],
    ...[m[0][1], m[1][1], m[2][1], 0],
    ...[m[0][2], m[1][2], m[2][2], 0],
    ...[...t, 1],
  ];
}

/** An affine map. */
export interface Affine {
  m: M3;
  t: V3;
}

/** First b, then a. */
export const after = (a: Affine, b: Affine): Affine => ({
  m: product(a.m, b.m),
  t: add(apply(a.m, b.t), a.t),
});

/** A joint's transform relative to its parent. */
export function localOf(j: MeshJoint): Affine {
  const r = rotationOf(j.rotation);
  const s: M3 = [[j.scale[0], 0, 0], [0, j.scale[1], 0], [0, 0, j.scale[2]]];
  return { m: product(r, s), t: j.translation };
}

/** Transforms of all joints relative to the mesh. */
export function worldOf(joints: readonly MeshJoint[]): Affine[] {
  const out: Affine[] = [];
  for (const j of joints) {
    out.push(j.parent < 0 ? localOf(j) : after(out[j.parent], localOf(j)));
  }
  return out;
}

/** A mesh of bare positions; `changes` adds the rest. */
export function plainMesh(
  position: ArrayLike<number>,
  indices: readonly number[] | null,
  changes: Partial<Mesh> = {},
): Mesh {
  return {
    name: "",
    basis: "gltf",
    vertexCount: position.length / 3,
    influences: 0,
    lods: [{
      indices: indices && Uint32Array.from(indices),
      groups: [],
      switchDistance: null,
    }],
    materials: [],
    morphs: null,
    skeleton: null,
    heightfield: null,
    ...changes,
    attributes: {
      position: Float32Array.from(position),
      uvs: [],
      ...changes.attributes,
    },
  };
}

/** One sparse morph entry: vertex, target, position delta, normal delta. */
export type Entry = readonly [
  vertex: number,
  target: number,
  position: V3,
  normal?: V3,
];

/** Sparse morphs from entries in vertex order. */
export function plainMorphs(
  vertices: number,
  names: string[],
  entries: readonly Entry[],
): SparseMorphs {
  const offsets = new Uint32Array(vertices + 1);
  for (let v = 0; v <= vertices; v++) {
    offsets[v] = entries.filter(([owner]) => owner < v).length;
  }
  const normals = entries.some((e) => e[3]);
  return {
    names,
    offsets,
    targets: Uint32Array.from(entries, (e) => e[1]),
    position: Float32Array.from(entries.flatMap((e) => e[2])),
    normal: normals
      ? Float32Array.from(entries.flatMap((e) => e[3] ?? [0, 0, 0]))
      : null,
  };
}

/** The entries of sparse morphs, as a list that compares by value. */
export function entriesOf(morphs: SparseMorphs): Entry[] {
  const out: Entry[] = [];
  for (let v = 0; v + 1 < morphs.offsets.length; v++) {
    for (let e = morphs.offsets[v]; e < morphs.offsets[v + 1]; e++) {
      const p = at(morphs.position, e);
      out.push(
        morphs.normal
          ? [v, morphs.targets[e], p, at(morphs.normal, e)]
          : [v, morphs.targets[e], p],
      );
    }
  }
  return out;
}

/** Vertices that an attribute, an influence or a morph entry of a random mesh can be told apart by. */
export function randomMesh(
  random: Random,
  vertices: number,
  triangles: number,
  basis: BasisId = "gltf",
): Mesh {
  const indices = Array.from(
    { length: triangles * 3 },
    () => random.below(vertices),
  );
  const lower = indices.slice(0, Math.ceil(triangles / 2) * 3);
  const units = (width: number) => {
    const out = new Float32Array(vertices * width);
    for (let v = 0; v < vertices; v++) {
      out.set(random.unitVector(), v * width);
      if (width === 4) out[v * 4 + 3] = random.pick([-1, 1]);
    }
    return out;
  };
  const entries: Entry[] = [];
  for (let v = 0; v < vertices; v++) {
    for (let t = 0; t < 3; t++) {
      if (random.float() < 0.7) continue;
      entries.push([v, t, random.unitVector(), random.unitVector()]);
    }
  }
  const mesh = plainMesh(random.floats(vertices * 3, -5, 5), indices, {
    basis,
    influences: 4,
    attributes: {
      position: random.floats(vertices * 3, -5, 5),
      normal: units(3),
      tangent: units(4),
      color: random.floats(vertices * 4, 0, 1),
      uvs: [
        random.floats(vertices * 2, -1, 2),
        random.floats(vertices * 2, 0, 1),
      ],
      joints: Uint16Array.from(
        { length: vertices * 4 },
        (_, i) => (i % 4 + Math.floor(i / 4)) % 5,
      ),
      weights: new Float32Array(vertices * 4).fill(0.25),
    },
    materials: ["a", "b"],
    morphs: plainMorphs(vertices, ["p", "q", "r"], entries),
  });
  const cut = Math.floor(triangles / 3) * 3;
  const groups = [
    { start: 0, count: cut, material: 1 },
    { start: cut, count: triangles * 3 - cut, material: 0 },
  ];
  return {
    ...mesh,
    lods: [
      { indices: Uint32Array.from(indices), groups, switchDistance: null },
      { indices: Uint32Array.from(lower), groups: [], switchDistance: 7.5 },
    ],
  };
}

/** A mesh with every attribute. */
export type WholeMesh = Mesh & { attributes: Required<MeshAttributes> };

/** A sound tetrahedron of a metre with frames and two joints a vertex, in glTF's axes. */
export function soundMesh(
  slots = 2,
  skeleton: MeshJoint[] | null = null,
): WholeMesh {
  const position = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
  const s = Math.sqrt(1 / 3);
  const each = <T>(values: readonly T[]) =>
    [values, values, values, values].flat();
  const padding = new Array<number>(slots - 2).fill(0);
  return plainMesh(position, [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], {
    influences: slots,
    skeleton,
    attributes: {
      position: Float32Array.from(position),
      normal: Float32Array.of(-s, -s, -s, 1, 0, 0, 0, 1, 0, 0, 0, 1),
      tangent: Float32Array.from(each([0, 0.6, 0.8, 1])),
      color: new Float32Array(16).fill(1),
      uvs: [new Float32Array(8)],
      joints: Uint16Array.from(each([0, 1, ...padding])),
      weights: Float32Array.from(each([0.5, 0.5, ...padding])),
    },
  }) as WholeMesh;
}
