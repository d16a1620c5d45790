/**
 * Relations that hold for every mesh, whatever its numbers: each takes a generator and checks one case. What an operation
 * gives is compared with what it gives on the same mesh written otherwise; no expected value is stored.
 *
 * @module
 */
import { assert, assertEquals, assertLess } from "@std/assert";
import type { Mesh } from "../../src/core/mesh.ts";
import {
  diffMeshes,
  rebuildNormals,
  rebuildTangents,
  remapVertices,
  splitMesh,
  transformMesh,
  weldMesh,
} from "../../src/ops/mod.ts";
import { Random } from "../random.ts";
import { angle, at, plainMesh, randomMesh } from "./plain_mesh.ts";

/** A mesh of random streams and triangles, some vertices written twice. */
function anyMesh(random: Random): Mesh {
  const count = 6 + random.below(30);
  const mesh = randomMesh(random, count, 4 + random.below(40));
  const order = Uint32Array.from(
    { length: count },
    (_, v) => v > 0 && random.float() < 0.2 ? random.below(v) : v,
  );
  return remapVertices(mesh, order);
}

/** A sheet of hills: no triangle of it is so thin that rounding alone turns its normal. */
function hills(random: Random): Mesh {
  const side = 3 + random.below(4);
  const n = side * side;
  const indices: number[] = [];
  for (let r = 0; r + 1 < side; r++) {
    for (let c = 0; c + 1 < side; c++) {
      const a = r * side + c;
      indices.push(a, a + side, a + 1, a + 1, a + side, a + side + 1);
    }
  }
  const position = new Float32Array(n * 3);
  const uv = new Float32Array(n * 2);
  for (let v = 0; v < n; v++) {
    const jitter = () => random.between(-0.2, 0.2);
    const [r, c] = [Math.floor(v / side), v % side];
    position.set([c + jitter(), 2 * jitter(), r + jitter()], v * 3);
    uv.set([c / side + jitter() / 8, r / side + jitter() / 8], v * 2);
  }
  return plainMesh([], indices, {
    vertexCount: n,
    attributes: { position, uvs: [uv] },
  });
}

const words = (x: ArrayBufferView) =>
  new Uint8Array(x.buffer, x.byteOffset, x.byteLength);

/** Bit for bit; `Object.is` on bytes is quicker than a deep comparison. */
function assertBits(
  a: ArrayBufferView | null | undefined,
  b: ArrayBufferView | null | undefined,
  what: string,
): void {
  if (!a || !b) return assertEquals(a ?? null, b ?? null, what);
  const [x, y] = [words(a), words(b)];
  assertEquals(x.length, y.length, what);
  for (let i = 0; i < x.length; i++) {
    if (x[i] !== y[i]) throw new Error(`${what} differs at byte ${i}`);
  }
}

/** Every stream and every shape of two meshes. */
function assertStreams(a: Mesh, b: Mesh): void {
  const [p, q] = [a.attributes, b.attributes];
  assertEquals(a.vertexCount, b.vertexCount);
  assertBits(p.position, q.position, "position");
  assertBits(p.normal, q.normal, "normal");
  assertBits(p.tangent, q.tangent, "tangent");
  assertBits(p.color, q.color, "color");
  assertBits(p.joints, q.joints, "joints");
  assertBits(p.weights, q.weights, "weights");
  p.uvs.forEach((uv, i) => assertBits(uv, q.uvs[i], `uv${i}`));
  assertBits(a.morphs?.offsets, b.morphs?.offsets, "morph offsets");
  assertBits(a.morphs?.targets, b.morphs?.targets, "morph targets");
  assertBits(a.morphs?.position, b.morphs?.position, "morph position");
  assertBits(a.morphs?.normal, b.morphs?.normal, "morph normal");
}

/** What stands at the corners of a level, corner after corner: it does not depend on how vertices are numbered. */
const corners = (mesh: Mesh, level = 0) =>
  remapVertices(mesh, mesh.lods[level].indices!);

function assertLevels(a: Mesh, b: Mesh): void {
  assertEquals(a.lods.length, b.lods.length);
  a.lods.forEach((_, level) =>
    assertStreams(corners(a, level), corners(b, level))
  );
}

function shuffled(random: Random, count: number): Uint32Array {
  const out = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}

/** The mesh with its vertices in another order: vertex i is vertex `order[i]`. */
function permuted(mesh: Mesh, order: Uint32Array): Mesh {
  const place = new Uint32Array(order.length);
  order.forEach((v, i) => place[v] = i);
  return {
    ...remapVertices(mesh, order),
    lods: mesh.lods.map((l) => ({
      ...l,
      indices: l.indices!.map((v) => place[v]),
    })),
  };
}

/** The mesh with a vertex of its own for every corner of level 0. */
function unwelded(mesh: Mesh): Mesh {
  return {
    ...corners(mesh),
    lods: [{
      ...mesh.lods[0],
      indices: mesh.lods[0].indices!.map((_, i) => i),
    }],
  };
}

/** Mirroring twice leaves triangles and every number but the last bits of directions, which are normalised each time. */
export function mirrorTwice(random: Random): void {
  const mesh = anyMesh(random);
  const axis = random.below(3);
  const mirror = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  mirror[axis * 5] = -1;
  const once = transformMesh(mesh, mirror);
  assert(once.windingReversed);
  const twice = transformMesh(once.mesh, mirror).mesh;
  assertBits(twice.attributes.position, mesh.attributes.position, "position");
  assertBits(twice.morphs!.position, mesh.morphs!.position, "morph position");
  mesh.lods.forEach((l, i) =>
    assertBits(twice.lods[i].indices, l.indices, `indices of LOD ${i}`)
  );
  for (let v = 0; v < mesh.vertexCount; v++) {
    for (const [name, width] of [["normal", 3], ["tangent", 4]] as const) {
      const [a, b] = [mesh, twice].map((m) => m.attributes[name]!);
      assertLess(angle(at(a, v, width), at(b, v, width)), 1e-6, name);
      if (width === 4) assertEquals(a[v * 4 + 3], b[v * 4 + 3]);
    }
  }
}

/** A scale of 2^k changes exponents alone: positions there and back, and normals and tangents not at all. */
export function scaleByPowerOfTwo(random: Random): void {
  // below 2^-8 faces are so small that the payload's rule gives them no normal
  const k = random.below(21) - 8;
  const by = (s: number) => [s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, 0, 0, 0, 1];
  const mesh = anyMesh(random);
  const scaled = transformMesh(mesh, by(2 ** k)).mesh;
  mesh.attributes.position.forEach((x, i) =>
    assertEquals(scaled.attributes.position[i], x * 2 ** k)
  );
  const back = transformMesh(scaled, by(2 ** -k)).mesh;
  assertBits(back.attributes.position, mesh.attributes.position, "position");
  assertBits(back.morphs!.position, mesh.morphs!.position, "morph position");
  const sheet = hills(random);
  const large = transformMesh(sheet, by(2 ** k)).mesh;
  const [a, b] = [sheet, large].map((m) => rebuildTangents(rebuildNormals(m)));
  assertBits(a.attributes.normal, b.attributes.normal, "rebuilt normals");
  assertBits(a.attributes.tangent, b.attributes.tangent, "rebuilt tangents");
}

/** The order of vertices says nothing: what is computed for a corner stays. */
export function permuteVertices(random: Random): void {
  const mesh = anyMesh(random);
  const other = permuted(mesh, shuffled(random, mesh.vertexCount));
  assertLevels(mesh, other);
  assertEquals(weldMesh(mesh).merged, weldMesh(other).merged);
  const sheet = hills(random);
  const moved = permuted(sheet, shuffled(random, sheet.vertexCount));
  const [a, b] = [sheet, moved].map((m) => rebuildNormals(m));
  assertLevels(a, b);
  assert(diffMeshes(a, b, { tolerance: 0 }).same);
  const [s, t] = [a, b].map((m) => corners(rebuildTangents(m)));
  for (let v = 0; v < s.vertexCount; v++) {
    const [x, y] = [s, t].map((m) => at(m.attributes.tangent!, v, 4));
    assertLess(angle(x, y), 1e-4);
    assertEquals(
      s.attributes.tangent![v * 4 + 3],
      t.attributes.tangent![v * 4 + 3],
    );
  }
}

/** The first corner of a triangle is as good as the second. */
export function rotateTriangles(random: Random): void {
  const turn = (mesh: Mesh): Mesh => ({
    ...mesh,
    lods: mesh.lods.map((l) => {
      const indices = l.indices!.slice();
      for (let i = 0; i + 2 < indices.length; i += 3) {
        const by = random.below(3);
        for (let c = 0; c < 3; c++) {
          indices[i + c] = l.indices![i + (c + by) % 3];
        }
      }
      return { ...l, indices };
    }),
  });
  const mesh = anyMesh(random);
  const other = turn(mesh);
  assert(diffMeshes(mesh, other, { tolerance: 0 }).same);
  assertEquals(weldMesh(mesh).merged, weldMesh(other).merged);
  const sheet = hills(random);
  const [a, b] = [sheet, turn(sheet)].map((m) => rebuildNormals(m));
  for (let v = 0; v < sheet.vertexCount; v++) {
    const [x, y] = [a, b].map((m) => at(m.attributes.normal!, v));
    assertLess(angle(x, y), 1e-5);
  }
}

/** Parts of a split put together again are the mesh, corner for corner. */
export function splitThenJoin(random: Random): void {
  const mesh = anyMesh(random);
  const parts = splitMesh(mesh, 3 + random.below(mesh.vertexCount));
  let done = 0;
  for (const part of parts) {
    const list = mesh.lods[0].indices!.subarray(
      done,
      done += part.lods[0].indices!.length,
    );
    assertStreams(corners(part), remapVertices(mesh, list));
  }
  assertEquals(done, mesh.lods[0].indices!.length);
  // a lower level is dealt out by place: its triangles are all there, in some order
  const texts = (m: Mesh) => {
    const { position } = corners(m, 1).attributes;
    return Array.from(
      { length: position.length / 9 },
      (_, t) => position.subarray(t * 9, t * 9 + 9).join(),
    );
  };
  assertEquals(parts.flatMap(texts).sort(), texts(mesh).sort());
}

/** Welding what was cut into corners gives the welded mesh, and nothing shown changes. */
export function weldThenUnweld(random: Random): void {
  const mesh = anyMesh(random);
  const welded = weldMesh(mesh).mesh;
  assertLevels(mesh, welded);
  assertEquals(weldMesh(welded).merged, 0);
  const loose = unwelded(welded);
  const again = weldMesh(loose).mesh;
  assertStreams(corners(again), corners(mesh));
  assertEquals(again.vertexCount, new Set(welded.lods[0].indices!).size);
}

/** The relations by name. */
export const RELATIONS: readonly [string, (random: Random) => void][] = [
  ["mirroring twice changes nothing", mirrorTwice],
  ["a scale by a power of two changes exponents alone", scaleByPowerOfTwo],
  ["the order of vertices says nothing", permuteVertices],
  ["the first corner of a triangle says nothing", rotateTriangles],
  ["a split joined again is the mesh", splitThenJoin],
  ["a weld undoes an unweld", weldThenUnweld],
];

/** Registers the relations with so many cases each, seeded. */
export function checkRelations(cases: number, seed: number): void {
  for (const [name, relation] of RELATIONS) {
    Deno.test(`${name}, in ${cases} cases`, () => {
      for (let i = 0; i < cases; i++) {
        try {
          relation(new Random(seed + i));
        } catch (error) {
          throw new Error(`seed ${seed + i}`, { cause: error });
        }
      }
    });
  }
}
