/**
 * How much compressed data may claim to become.
 *
 * @module
 */
import { fail } from "./json.ts";

/** Most bytes that one byte becomes: meshopt's densest block says nothing but "all zero" for 256 elements. */
const MAX_RATIO = 1024;
/** Bytes that any stream may become, however short it is. */
const SPARE_BYTES = 4096;

/**
 * Refuses a few bytes that claim gigabytes.
 *
 * @throws {MeshError} GLTF-STRUCTURE.
 */
export function checkRatio(size: number, length: number, path: string): void {
  const allowed = length * MAX_RATIO + SPARE_BYTES;
  if (size <= allowed) return;
  fail(
    "GLTF-STRUCTURE",
    path,
    `Export the file again: ${path} claims ${size} bytes of ${length}`,
    size,
    allowed,
  );
}
