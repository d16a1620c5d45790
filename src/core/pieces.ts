/**
 * Files that are made piece by piece, so that a large one never stands in memory whole.
 *
 * @module
 */
import { joinChunks } from "./bytes.ts";

/** A file as it is made. Iterated again, it is made again. */
export interface Pieces extends Iterable<Uint8Array> {
  /** Share of the whole that the last iteration has made so far, 0 to 1. */
  readonly done: number;
}

/** What a file holds. */
export type Content = Uint8Array | Pieces;

/** A file whose parts stand in memory, not side by side. */
export class Parts implements Pieces {
  #done = 0;
  constructor(readonly parts: readonly Uint8Array[]) {}

  get done(): number {
    return this.#done;
  }

  /** Bytes of all parts. */
  get length(): number {
    return this.parts.reduce((sum, part) => sum + part.length, 0);
  }

  *[Symbol.iterator](): Generator<Uint8Array> {
    const { length } = this;
    let size = 0;
    for (const part of this.parts) {
      for (const chunk of chunksOf(part)) {
        size += chunk.length;
        this.#done = size / length;
        yield chunk;
      }
    }
  }
}

/** Bytes that are held until the size is known. */
const HELD = 2 ** 26;

/** The whole file. A large one is made twice rather than held twice. */
export function wholeOf(content: Content): Uint8Array<ArrayBuffer> {
  if (content instanceof Uint8Array) return content as Uint8Array<ArrayBuffer>;
  if (content instanceof Parts) return joinChunks(content, content.length);
  let chunks: Uint8Array[] = [];
  let size = 0;
  for (const chunk of content) {
    size += chunk.length;
    if (size <= HELD) chunks.push(chunk);
    else chunks = [];
  }
  return joinChunks(size <= HELD ? chunks : content, size);
}

/** Counts the bytes that pass. */
export class Counted implements Pieces {
  #size = 0;
  constructor(readonly content: Content) {}

  /** Bytes so far. */
  get size(): number {
    return this.#size;
  }

  /** Bytes of the whole, null where they show only when it is made. */
  get total(): number | null {
    const { content } = this;
    if (content instanceof Uint8Array || content instanceof Parts) {
      return content.length;
    }
    return content instanceof Counted ? content.total : null;
  }

  get done(): number {
    return this.content instanceof Uint8Array
      ? this.#size / Math.max(1, this.content.length)
      : this.content.done;
  }

  *[Symbol.iterator](): Generator<Uint8Array> {
    this.#size = 0;
    for (const chunk of chunksOf(this.content)) {
      this.#size += chunk.length;
      yield chunk;
    }
  }
}

/** Bytes of a chunk where the content is not made in chunks. */
const CHUNK = 2 ** 22;

/** The content chunk by chunk. */
export function* chunksOf(content: Content): Generator<Uint8Array> {
  if (!(content instanceof Uint8Array)) return yield* content;
  for (let at = 0; at < content.length; at += CHUNK) {
    yield content.subarray(at, at + CHUNK);
  }
}
