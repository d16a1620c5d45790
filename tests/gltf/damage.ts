/**
 * Damages a GLB in every small way and watches what the reader makes of it.
 *
 * @module
 */
import { assert, assertEquals, assertLess } from "@std/assert";
import { readGltf } from "../../src/formats/gltf/mod.ts";
import { MeshError } from "../../src/core/errors.ts";

/** What the issue allows a hostile file to take. */
const PATIENCE_MS = 100;

/** Reads once; gives the time, and null or what is wrong. */
async function attempt(
  bytes: Uint8Array,
): Promise<{ ms: number; accepted: boolean; fault: string | null }> {
  const start = performance.now();
  let fault: string | null = null;
  let accepted = false;
  try {
    const { mesh } = await readGltf(bytes);
    accepted = true;
    for (const { indices } of mesh.lods) {
      if (indices?.some((v) => v >= mesh.vertexCount)) {
        fault = "an index out of range";
      }
    }
    if (mesh.attributes.position.length !== mesh.vertexCount * 3) {
      fault = "positions of another length";
    }
    const joints = mesh.skeleton?.length ?? 0;
    if (joints > 0 && mesh.attributes.joints?.some((j) => j >= joints)) {
      fault = "a joint out of range";
    }
  } catch (error) {
    if (!(error instanceof MeshError)) fault = String(error);
  }
  return { ms: performance.now() - start, accepted, fault };
}

/** Fails on a foreign exception or a file that takes too long; a busy machine gets two more tries. */
async function survive(bytes: Uint8Array, what: string): Promise<boolean> {
  let best = Infinity;
  for (let tries = 0; tries < 3 && best >= PATIENCE_MS; tries++) {
    const { ms, accepted, fault } = await attempt(bytes);
    assertEquals(fault, null, what);
    best = Math.min(best, ms);
    if (best < PATIENCE_MS) return accepted;
  }
  assertLess(best, PATIENCE_MS, what);
  return false;
}

/** Every prefix and every single bit flip of a file. */
export async function damage(glb: Uint8Array, what: string): Promise<void> {
  assert(glb.length < 3600, `${what} has ${glb.length} bytes`);
  assert(await survive(glb, what), `${what} is sound`);
  for (let n = 0; n < glb.length; n++) {
    assert(
      !(await survive(glb.subarray(0, n), `${what} cut to ${n} bytes`)),
      `${what} cut to ${n} bytes is refused`,
    );
  }
  const copy = glb.slice();
  for (let i = 0; i < glb.length; i++) {
    for (let bit = 0; bit < 8; bit++) {
      copy[i] = glb[i] ^ (1 << bit);
      await survive(copy, `${what}, bit ${bit} of byte ${i} flipped`);
    }
    copy[i] = glb[i];
  }
}
