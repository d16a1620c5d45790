/**
 * The outside generators that the bits are compared with, and how.
 *
 * @module
 */
import { AssertionError } from "@std/assert";
import { generateTangents as npmGenerate } from "mikktspace";
import { generateTangents as threeGenerate } from "three/mikktspace";
import { type TangentMesh, unindexed } from "../../bench/tangent_meshes.ts";
import {
  generateTangents,
  type GenerateTangentsOptions,
} from "../../src/kernels/tangents.ts";
import { Random } from "../random.ts";
import { smallMesh } from "./small_meshes.ts";

/** The reference with its edges sorted completely: three's port. */
export function correctedOracle(mesh: TangentMesh): Float32Array {
  const { position, normal, uv } = unindexed(mesh);
  return threeGenerate(position, normal, uv);
}

/** The reference as it is: the npm package, its C code compiled. It traps where every triangle is degenerate. */
export function referenceOracle(mesh: TangentMesh): Float32Array {
  const { position, normal, uv } = unindexed(mesh);
  return npmGenerate(position, normal, uv);
}

/** Ours, indexed. */
export function ours(
  mesh: TangentMesh,
  options: GenerateTangentsOptions = {},
): Float32Array {
  const { position, normal, uv, indices } = mesh;
  return generateTangents(position, normal, uv, indices, options);
}

/** Ours, unindexed. */
export function oursUnindexed(
  mesh: TangentMesh,
  options: GenerateTangentsOptions = {},
): Float32Array {
  const { position, normal, uv } = unindexed(mesh);
  return generateTangents(position, normal, uv, null, options);
}

/** True when every triangle has two corners at one position. */
export function allDegenerate(mesh: TangentMesh): boolean {
  const { position: p, indices } = mesh;
  const same = (a: number, b: number) =>
    p[a * 3] === p[b * 3] && p[a * 3 + 1] === p[b * 3 + 1] &&
    p[a * 3 + 2] === p[b * 3 + 2];
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = indices.subarray(i, i + 3);
    if (!same(a, b) && !same(b, c) && !same(c, a)) return false;
  }
  return true;
}

/** The first corner whose bits differ, or −1. NaN equals NaN: its payload is the machine's own. */
export function differingCorner(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return 0;
  const [x, y] = [a, b].map((f) =>
    new Uint32Array(f.buffer, f.byteOffset, f.length)
  );
  for (let i = 0; i < x.length; i++) {
    if (x[i] !== y[i] && !(Number.isNaN(a[i]) && Number.isNaN(b[i]))) {
      return i >> 2;
    }
  }
  return -1;
}

/** Fails, naming the first corner, when two generators disagree. */
export function assertSameTangents(
  actual: Float32Array,
  expected: Float32Array,
  what: string,
): void {
  const c = differingCorner(actual, expected);
  if (c >= 0) {
    throw new AssertionError(
      `${what}: corner ${c} is ${actual.slice(c * 4, c * 4 + 4)}, expected ${
        expected.slice(c * 4, c * 4 + 4)
      } (${actual.length / 4} corners, expected ${expected.length / 4})`,
    );
  }
}

/** Fails unless both modes give the bits of the generator that they are to equal. */
export function assertBothOracles(mesh: TangentMesh, what: string): void {
  const corrected = ours(mesh);
  assertSameTangents(corrected, correctedOracle(mesh), what);
  assertSameTangents(oursUnindexed(mesh), corrected, `${what}, unindexed`);
  const finite = [mesh.position, mesh.normal, mesh.uv].every((s) =>
    s.every(Number.isFinite)
  );
  // where the npm package overflows its stack or traps
  if (!finite || allDegenerate(mesh)) return;
  const reference = ours(mesh, { mode: "reference" });
  assertSameTangents(reference, referenceOracle(mesh), `${what}, reference`);
}

/** Compares small random meshes, from a seed on, with both generators. */
export function compareRandomMeshes(
  firstSeed: number,
  count: number,
): { compared: number; apart: number } {
  let [compared, apart] = [0, 0];
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const mesh = smallMesh(new Random(seed));
    assertBothOracles(mesh, `seed ${seed}`);
    if (allDegenerate(mesh)) continue;
    compared++;
    const reference = ours(mesh, { mode: "reference" });
    if (differingCorner(reference, ours(mesh)) >= 0) apart++;
  }
  return { compared, apart };
}

/** Compares small random meshes with NaN, infinities and any normals with the corrected generator. */
export function compareOddMeshes(firstSeed: number, count: number): void {
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const mesh = smallMesh(new Random(seed), true);
    assertSameTangents(ours(mesh), correctedOracle(mesh), `seed ${seed}`);
    assertSameTangents(oursUnindexed(mesh), ours(mesh), `seed ${seed}`);
  }
}
