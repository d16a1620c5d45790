/**
 * A bounded reader and writer for little-endian bytes. The reader never looks past its input, never computes a size in
 * 32 bits and never reserves memory: it hands out views, and its caller copies what it keeps.
 *
 * @module
 */
import { meshError } from "./errors.ts";
import type { FormatId } from "./formats.ts";
import type { Code } from "./codes.ts";

/** Reads little-endian values from a byte array, front to back or at given places. */
export class ByteReader {
  /** Next byte to read. */
  offset = 0;
  readonly #view: DataView;

  /**
   * @param bytes The whole input.
   * @param format Format named in errors.
   * @param truncated Code of the error for reading past the end.
   * @param label What the input is called in messages.
   */
  constructor(
    readonly bytes: Uint8Array,
    readonly format: FormatId,
    readonly truncated: Code,
    readonly label: string,
  ) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Bytes left behind the cursor. */
  get remaining(): number {
    return this.bytes.length - this.offset;
  }

  /** A view of the next `length` bytes; throws when fewer are left. */
  take(length: number): Uint8Array {
    const start = this.offset;
    if (length > this.bytes.length - start) {
      throw meshError(
        this.truncated,
        `Give the whole file: unexpected end of ${this.label}: need ${length} bytes at offset ${start}, have ${this.bytes.length}`,
        {
          format: this.format,
          offset: start,
          found: this.bytes.length - start,
          allowed: length,
        },
      );
    }
    this.offset = start + length;
    return this.bytes.subarray(start, start + length);
  }

  /** True when the next bytes are the ASCII `magic`; does not move. */
  peek(magic: string): boolean {
    if (this.remaining < magic.length) return false;
    for (let i = 0; i < magic.length; i++) {
      if (this.bytes[this.offset + i] !== magic.charCodeAt(i)) return false;
    }
    return true;
  }

  /** Next u32. */
  u32(): number {
    this.take(4);
    return this.#view.getUint32(this.offset - 4, true);
  }

  /** Next i32. */
  i32(): number {
    return this.u32() | 0;
  }

  /** Next f32. */
  f32(): number {
    this.take(4);
    return this.#view.getFloat32(this.offset - 4, true);
  }

  /** Next `count` elements of 4 bytes as a fresh array of their bit patterns. */
  u32Array(count: number): Uint32Array<ArrayBuffer> {
    return wordsOf(this.take(count * 4));
  }

  /** Next `count` f32, bits untouched. */
  f32Array(count: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.u32Array(count).buffer);
  }

  /** Next `count` u16 as a fresh array. */
  u16Array(count: number): Uint16Array<ArrayBuffer> {
    return new Uint16Array(this.take(count * 2).slice().buffer);
  }
}

/** A copy of `bytes` (a multiple of 4) as words. The library runs on little-endian hosts, as WebAssembly's memory is. */
export function wordsOf(bytes: Uint8Array): Uint32Array<ArrayBuffer> {
  return new Uint32Array(bytes.slice().buffer);
}

/**
 * Pieces one behind the other, in a fresh array.
 *
 * @param chunks The pieces.
 * @param size Their bytes in all.
 */
export function joinChunks(
  chunks: Iterable<Uint8Array>,
  size: number,
): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    out.set(chunk, at);
    at += chunk.length;
  }
  return out;
}

/** The bytes of a typed array, without a copy. */
export function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** The bit patterns of an f32 array, without a copy: moving NaN through floating registers may change its bits. */
export function bitsOf(array: Float32Array): Uint32Array {
  return new Uint32Array(array.buffer, array.byteOffset, array.length);
}

/** Writes little-endian values into a buffer whose size is known beforehand. */
export class ByteWriter {
  /** Next byte to write. */
  offset = 0;
  /** The buffer. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;

  /** @param size Exact size of the output. */
  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.#view = new DataView(this.bytes.buffer);
  }

  /** Appends raw bytes. */
  put(bytes: Uint8Array): void {
    this.bytes.set(bytes, this.offset);
    this.offset += bytes.length;
  }

  /** Appends ASCII text. */
  ascii(text: string): void {
    for (let i = 0; i < text.length; i++) {
      this.bytes[this.offset++] = text.charCodeAt(i);
    }
  }

  /** Appends a u32 (or the bits of an i32). */
  u32(value: number): void {
    this.#view.setUint32(this.offset, value, true);
    this.offset += 4;
  }

  /** Appends an f32. */
  f32(value: number): void {
    this.#view.setFloat32(this.offset, value, true);
    this.offset += 4;
  }

  /** Appends a typed array, bits untouched. */
  array(values: Float32Array | Uint32Array | Uint16Array): void {
    this.put(bytesOf(values));
  }
}

/** True when a text begins with the byte order mark of UTF-8. */
export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
