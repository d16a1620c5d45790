/**
 * Small meshes and files for the tests of users' reports, and what is asked of them again and again.
 *
 * @module
 */
import type { Mesh } from "../../src/core/mesh.ts";
import { readGltf } from "../../src/formats/gltf/mod.ts";
import { type Loose, PlainGltf, TYPE } from "../gltf/plain_gltf.ts";
import {
  at,
  cross,
  dot,
  plainMesh,
  sub,
  times,
  type V3,
} from "../ops/plain_mesh.ts";

/** The identity with another diagonal and a translation, column-major. */
export const scaling = (
  x: number,
  y: number,
  z: number,
  [tx, ty, tz]: V3 = [0, 0, 0],
): number[] => [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, tx, ty, tz, 1];

/** Faces of a cube: the outward axis, the direction of +u, and that of up in the image; u × up is outward. */
const FACES: readonly (readonly [V3, V3, V3])[] = [
  [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  [[-1, 0, 0], [0, 0, 1], [0, 1, 0]],
  [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
  [[0, -1, 0], [1, 0, 0], [0, 0, 1]],
  [[0, 0, 1], [1, 0, 0], [0, 1, 0]],
  [[0, 0, -1], [0, 1, 0], [1, 0, 0]],
];

/** A cube of edge 2 in glTF's axes, every face with its own normals, tangents and texture. */
export function cube(): Mesh {
  const position: number[] = [];
  const normal: number[] = [];
  const tangent: number[] = [];
  const uv: number[] = [];
  const indices: number[] = [];
  for (const [n, u, up] of FACES) {
    const first = position.length / 3;
    for (const [s, t] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
      position.push(...n.map((x, k) => x + s * u[k] + t * up[k]));
      normal.push(...n);
      tangent.push(...u, 1);
      uv.push((s + 1) / 2, (1 - t) / 2);
    }
    indices.push(...[0, 1, 2, 0, 2, 3].map((i) => first + i));
  }
  return plainMesh(position, indices, {
    attributes: {
      position: Float32Array.from(position),
      normal: Float32Array.from(normal),
      tangent: Float32Array.from(tangent),
      uvs: [Float32Array.from(uv)],
    },
  });
}

/** The cube as a mesh of a glTF file under construction; gives its number. */
export function cubeIn(g: PlainGltf, primitive: Loose = {}): number {
  const { attributes: a, lods } = cube();
  return g.mesh({
    POSITION: g.accessor("VEC3", [...a.position]),
    NORMAL: g.accessor("VEC3", [...a.normal!]),
    TANGENT: g.accessor("VEC4", [...a.tangent!]),
    TEXCOORD_0: g.accessor("VEC2", [...a.uvs[0]]),
  }, {
    indices: g.accessor("SCALAR", [...lods[0].indices!], TYPE.u16),
    ...primitive,
  });
}

/** One cube under a node for every pattern of signs, ten units apart. */
export function eightCubes(): PlainGltf {
  const g = new PlainGltf();
  const mesh = cubeIn(g);
  for (let i = 0; i < 8; i++) {
    const scale = [0, 1, 2].map((k) => i >> k & 1 ? -1 : 1);
    g.root({ mesh, scale, translation: [10 * i, 0, 0] });
  }
  return g;
}

/** Corners that break an invariant: faces against their normals, frames against the texture, lengths off. */
export function wrong(mesh: Mesh): {
  winding: number;
  frames: number;
  lengths: number;
} {
  const { position, normal, tangent, uvs } = mesh.attributes;
  const indices = mesh.lods[0].indices!;
  const out = { winding: 0, frames: 0, lengths: 0 };
  for (let i = 0; i < indices.length; i += 3) {
    const corner = [...indices.subarray(i, i + 3)];
    const [a, b, c] = corner.map((v) => at(position, v));
    const [e, f] = [sub(b, a), sub(c, a)];
    for (const v of corner) {
      const n = at(normal!, v);
      if (!(dot(cross(e, f), n) > 0)) out.winding++;
      if (!(Math.abs(dot(n, n) - 1) < 2e-6)) out.lengths++;
      if (!tangent) continue;
      const [p, q, r] = corner.map((x) => [uvs[0][x * 2], uvs[0][x * 2 + 1]]);
      const [du, dv] = [q[0] - p[0], q[1] - p[1]];
      const [dU, dV] = [r[0] - p[0], r[1] - p[1]];
      // where v grows on the surface, times the area in the texture
      const down = sub(times(f, du), times(e, dU));
      const bitangent = times(cross(n, at(tangent, v, 4)), tangent[v * 4 + 3]);
      // glTF's bitangent points up in the image, against v
      if (!(dot(bitangent, down) * (du * dV - dU * dv) < 0)) out.frames++;
    }
  }
  return out;
}

/** The mesh of a glTF file under construction. */
export const meshIn = async (g: PlainGltf): Promise<Mesh> =>
  (await readGltf(g.glb())).mesh;

/** The JSON chunk of a GLB. */
export function jsonChunk(glb: Uint8Array): Loose {
  const view = new DataView(glb.buffer, glb.byteOffset);
  const text = glb.subarray(20, 20 + view.getUint32(12, true));
  return JSON.parse(new TextDecoder().decode(text));
}

/** A flat grid of side × side vertices in the plane y = 0, facing +Y. */
export function grid(side: number): Mesh {
  const n = side * side;
  const position = new Float32Array(n * 3);
  const normal = new Float32Array(n * 3);
  const uv = new Float32Array(n * 2);
  for (let v = 0; v < n; v++) {
    const [r, c] = [Math.floor(v / side), v % side];
    position.set([c, 0, r], v * 3);
    normal[v * 3 + 1] = 1;
    uv.set([c / side, r / side], v * 2);
  }
  const indices: number[] = [];
  for (let r = 0; r + 1 < side; r++) {
    for (let c = 0; c + 1 < side; c++) {
      const a = r * side + c;
      indices.push(a, a + side, a + 1, a + 1, a + side, a + side + 1);
    }
  }
  return plainMesh([], indices, {
    vertexCount: n,
    attributes: { position, normal, uvs: [uv] },
  });
}
