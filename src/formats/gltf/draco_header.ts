/**
 * Reads the numbers that a Draco stream sizes its memory by.
 *
 * Stream 2.2: "DRACO", u8 major, u8 minor, u8 geometry (1 mesh), u8 method (0 sequential, 1 edgebreaker), u16 flags; with
 * flag 0x8000 metadata; then for edgebreaker u8 traversal, varint vertices, varint faces, for sequential varint faces,
 * varint vertices.
 *
 * @module
 */
import { fail } from "./json.ts";

const MAGIC = [...new TextEncoder().encode("DRACO")];
const HAS_METADATA = 0x8000;
/** Deepest metadata. Encoders write one level, names of attributes. */
const MAX_METADATA_DEPTH = 16;

class Cursor {
  #at = 0;
  constructor(readonly bytes: Uint8Array, readonly path: string) {}

  refuse(what: string): never {
    return fail(
      "GLTF-STRUCTURE",
      this.path,
      `Export the file again: ${this.path} does not decode (${what} at byte ${this.#at})`,
    );
  }

  byte(): number {
    if (this.#at >= this.bytes.length) this.refuse("the stream ends");
    return this.bytes[this.#at++];
  }

  skip(count: number): void {
    if (count > this.bytes.length - this.#at) this.refuse("the stream ends");
    this.#at += count;
  }

  /** A u32 of 7 bits a byte, low ones first. */
  varint(): number {
    let value = 0;
    for (let k = 0; k < 5; k++) {
      const b = this.byte();
      value += (b & 0x7f) * 2 ** (7 * k);
      if (b < 0x80) return value;
    }
    return this.refuse("a number without end");
  }

  /** One set of metadata: entries of name and data, then sets below it by name. */
  skipMetadata(depth = 0): void {
    if (depth > MAX_METADATA_DEPTH) this.refuse("metadata too deep");
    for (let n = this.varint(); n > 0; n--) {
      this.skip(this.byte());
      this.skip(this.varint());
    }
    for (let n = this.varint(); n > 0; n--) {
      this.skip(this.byte());
      this.skipMetadata(depth + 1);
    }
  }
}

/** Numbers of vertices (edgebreaker may repeat some later, on seams) and triangles. */
export function readDracoSizes(
  bytes: Uint8Array,
  path: string,
): { points: number; faces: number } {
  const cursor = new Cursor(bytes, path);
  if (MAGIC.some((c) => cursor.byte() !== c)) cursor.refuse("no Draco stream");
  const [major, minor] = [cursor.byte(), cursor.byte()];
  if (major !== 2 || minor !== 2) {
    cursor.refuse(`version ${major}.${minor}, glTF has 2.2`);
  }
  if (cursor.byte() !== 1) cursor.refuse("no mesh");
  const method = cursor.byte();
  const flags = cursor.byte() + cursor.byte() * 256;
  if (flags & HAS_METADATA) {
    for (let n = cursor.varint(); n > 0; n--) {
      cursor.varint(); // the attribute it belongs to
      cursor.skipMetadata();
    }
    cursor.skipMetadata();
  }
  if (method === 0) {
    const faces = cursor.varint();
    return { faces, points: cursor.varint() };
  }
  if (method !== 1) cursor.refuse("an unknown method");
  cursor.byte(); // traversal
  const points = cursor.varint();
  return { points, faces: cursor.varint() };
}
