/**
 * Finds the bytes that JSON pointers lead to. Rows do not carry their offsets; a file with findings is read once more.
 *
 * @module
 */
import { hasByteOrderMark } from "../../core/bytes.ts";
import type { Path } from "./problems.ts";
import { JsonTokenizer } from "../../core/json_tokenizer.ts";

/** A place in the text. */
export interface Place {
  /** Byte offset of the value. */
  offset: number;
  /** Line, from 1. */
  line: number;
  /** Character of the line, from 1. */
  column: number;
}

/** A key or index that is looked for, and what is looked for below it. */
class Wanted {
  readonly below = new Map<string | number, Wanted>();
  /** Largest index below. */
  last = -1;
  offset = -1;

  child(key: string | number): Wanted {
    let node = this.below.get(key);
    if (!node) {
      node = new Wanted();
      this.below.set(key, node);
      if (typeof key === "number") this.last = Math.max(this.last, key);
    }
    return node;
  }
}

function walk(t: JsonTokenizer, node: Wanted): void {
  const c = t.peek();
  node.offset = t.offset;
  if (node.below.size === 0) t.skipKnown();
  else if (c === 0x7b) {
    t.object((key) => {
      const below = node.below.get(key);
      // of a key that stands twice the last one counts
      if (below) walk(t, below);
      else t.skipKnown();
    });
  } else if (c === 0x5b) {
    t.array((i) => {
      const below = i <= node.last ? node.below.get(i) : undefined;
      if (below) walk(t, below);
      else t.skipKnown();
    });
  } else t.skipKnown();
}

/** Lines and columns of ascending offsets. */
function lines(bytes: Uint8Array, offsets: readonly number[]): Place[] {
  const out: Place[] = [];
  let at = hasByteOrderMark(bytes) ? 3 : 0;
  let line = 1;
  let column = 1;
  for (const offset of offsets) {
    for (; at < offset; at++) {
      if (bytes[at] === 0x0a) {
        line++;
        column = 1;
      } else if ((bytes[at] & 0xc0) !== 0x80) column++;
    }
    out.push({ offset, line, column });
  }
  return out;
}

/** Line and column of one offset. */
export function placeOf(bytes: Uint8Array, offset: number): Place {
  return lines(bytes, [offset])[0];
}

/**
 * The places that paths lead to, in their order. A path to what is not there leads to the nearest thing around it.
 *
 * @param bytes A file that was read before without an error.
 */
export function locate(
  bytes: Uint8Array,
  paths: readonly Path[],
  maxDepth: number,
): Place[] {
  if (paths.length === 0) return [];
  const root = new Wanted();
  for (const path of paths) path.reduce<Wanted>((n, key) => n.child(key), root);
  const t = new JsonTokenizer(bytes, maxDepth);
  if (hasByteOrderMark(bytes)) t.offset = 3;
  walk(t, root);
  const offsets = paths.map((path) => {
    let node = root;
    let { offset } = root;
    for (const key of path) {
      node = node.below.get(key)!;
      if (node.offset < 0) break;
      offset = node.offset;
    }
    return offset;
  });
  const sorted = [...new Set(offsets)].sort((a, b) => a - b);
  const places = new Map(
    lines(bytes, sorted).map((place) => [place.offset, place]),
  );
  return offsets.map((offset) => places.get(offset)!);
}
