/**
 * Reads JSON from bytes, a value at a time, without a string of the whole and without objects for rows of numbers.
 *
 * Why not a parser from the registry: of the kept ones `@streamparser/json` 0.0.26 knows byte offsets, but it makes a
 * string of every number and an object of every row (0.6 times the speed of `JSON.parse` on a file of 36 MB, where this
 * reader has 1.1 to 1.7 times, typed arrays and checks included; `bench/css_bench.ts` measures it), sets no bound on depth
 * or on the length of a token, and takes numbers by
 * `parseFloat`. `stream-json` reads Node streams only.
 *
 * | rule | |
 * | --- | --- |
 * | grammar | RFC 8259, as `JSON.parse`; bytes that are not UTF-8 are an error |
 * | numbers | the value that `JSON.parse` gives, for any number of digits |
 * | depth | at most `maxDepth` open arrays and objects |
 * | memory | strings only of keys and values that the caller asks for |
 *
 * @module
 */
import { type MeshError, meshError } from "./errors.ts";
import { checkLimit } from "./limits.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** 10^0 to 10^22: the powers of ten that f64 holds exactly. */
const POWERS = Float64Array.from(
  { length: 23 },
  (_, i) => Number(`1e${i}`),
);

/** Digits behind which a decimal fraction can not change the nearest f64, except by not being zero. */
const DECISIVE_DIGITS = 800;

/** Longest string that is kept, bytes: the engine's names end at 1023 characters. */
const MAX_STRING = 65_536;

/** Cells of a row that are kept; the longest row of the format has nine. */
const MAX_CELLS = 16;

/** The exact rounding error of a · b, by splitting both factors in halves of 26 bits. */
function productError(a: number, b: number, product: number): number {
  const sa = a * 134_217_729;
  const ah = sa - (sa - a);
  const al = a - ah;
  const sb = b * 134_217_729;
  const bh = sb - (sb - b);
  const bl = b - bh;
  return ((ah * bh - product) + ah * bl + al * bh) + al * bl;
}

/**
 * (head · 10^more + tail) / 10^scale rounded once, or NaN where this method can not tell which neighbour is nearer.
 *
 * The numerator is held exactly as the sum of two f64. The quotient's first part leaves a remainder that is exact, the
 * second part is the remainder's own quotient, wrong by less than 2^-50 of itself; if moving it by 2^-40 of itself either
 * way gives the same sum, rounding is settled.
 */
function quotient(
  head: number,
  more: number,
  tail: number,
  scale: number,
): number {
  const product = head * POWERS[more];
  const error = productError(head, POWERS[more], product);
  const sum = product + tail;
  const rest = tail - (sum - product) + error;
  const high = sum + rest;
  const low = rest - (high - sum);
  if (scale === 0) return high;
  const divisor = POWERS[scale];
  const first = high / divisor;
  const back = first * divisor;
  const second = ((high - back) - productError(first, divisor, back) + low) /
    divisor;
  const nudge = second * 2 ** -40;
  const value = first + second;
  return first + (second + nudge) === value &&
      first + (second - nudge) === value
    ? value
    : NaN;
}

/** What a JSON value is, where it is not kept: found values of findings. */
export type Leaf = number | string | boolean | null | "an array" | "an object";

/** Reads one JSON text from front to back. */
export class JsonTokenizer {
  /** Next byte to look at. */
  offset = 0;
  /** The row that {@linkcode row} read last: its first cells. */
  readonly cells: Float64Array = new Float64Array(MAX_CELLS);
  /** Number of its first cell that is no number, or −1. */
  badCell = -1;
  #depth = 0;

  /**
   * @param bytes The whole text.
   * @param maxDepth Most open arrays and objects.
   */
  constructor(readonly bytes: Uint8Array, readonly maxDepth: number) {}

  /** An R-JSON error at a byte. */
  fail(message: string, offset: number = this.offset): MeshError {
    const at = this.bytes[offset];
    const found = at === undefined
      ? "the end of the file"
      : at > 0x20 && at < 0x7f
      ? String.fromCharCode(at)
      : `byte 0x${at.toString(16).padStart(2, "0")}`;
    return meshError("R-JSON", `${message}: found ${found}`, {
      format: "css",
      offset,
      found,
    });
  }

  /** The next byte that is no white space, unread; −1 at the end. */
  peek(): number {
    const { bytes } = this;
    let p = this.offset;
    let c = bytes[p];
    while (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) {
      c = bytes[++p];
    }
    this.offset = p;
    return p < bytes.length ? c : -1;
  }

  #enter(): void {
    this.offset++;
    checkLimit("maxJsonDepth", ++this.#depth, this.maxDepth, "css");
  }

  #leave(): void {
    this.offset++;
    this.#depth--;
  }

  /** Reads an array: `element` is called before each element and must read it. Gives their number. */
  array(element: (i: number) => void): number {
    this.#enter();
    let n = 0;
    if (this.peek() === CLOSE_ARRAY) {
      this.#leave();
      return 0;
    }
    for (;;) {
      element(n++);
      const c = this.peek();
      if (c === COMMA) {
        this.offset++;
        continue;
      }
      if (c !== CLOSE_ARRAY) throw this.fail("Put , or ] behind an element");
      this.#leave();
      return n;
    }
  }

  /**
   * Reads an object: `member` is called with each key and must read the value. A key of more than 100 bytes is given as
   * the empty string, since no key that anyone asks for is that long.
   */
  object(member: (key: string) => void): void {
    this.#enter();
    if (this.peek() === CLOSE_OBJECT) {
      this.#leave();
      return;
    }
    for (;;) {
      if (this.peek() !== QUOTE) throw this.fail("Put a key in quotes");
      const start = this.offset;
      this.skipString();
      const key = this.offset - start > 102 ? "" : this.#text(start);
      if (this.peek() !== COLON) throw this.fail("Put : behind a key");
      this.offset++;
      this.peek();
      member(key);
      const c = this.peek();
      if (c === COMMA) {
        this.offset++;
        continue;
      }
      if (c !== CLOSE_OBJECT) throw this.fail("Put , or } behind a member");
      this.#leave();
      return;
    }
  }

  /**
   * Reads one element as a row of numbers into {@linkcode cells}. Gives the number of its cells, or −1 when it is no array.
   * A number may be infinite (1e999); a cell of another kind sets {@linkcode badCell}.
   */
  row(): number {
    this.badCell = -1;
    if (this.peek() !== OPEN_ARRAY) {
      this.skip();
      return -1;
    }
    this.#enter();
    const { bytes, cells } = this;
    let n = 0;
    let c = this.peek();
    if (c === CLOSE_ARRAY) {
      this.#leave();
      return 0;
    }
    for (;;) {
      if (c === MINUS || (c >= ZERO && c <= NINE)) {
        const x = this.number();
        if (n < MAX_CELLS) cells[n] = x;
      } else {
        this.skip();
        if (this.badCell < 0) this.badCell = n;
      }
      n++;
      c = bytes[this.offset];
      if (c !== COMMA && c !== CLOSE_ARRAY) c = this.peek();
      if (c === CLOSE_ARRAY) {
        this.#leave();
        return n;
      }
      if (c !== COMMA) throw this.fail("Put , or ] behind an element");
      c = bytes[++this.offset];
      if (c <= 0x20) c = this.peek();
    }
  }

  /** Reads a number. */
  number(): number {
    const { bytes } = this;
    const start = this.offset;
    let p = start;
    let c = bytes[p];
    const negative = c === MINUS;
    if (negative) c = bytes[++p];
    // The first 15 digits that count go to the head, the next 4 to the tail; zeros in front do not count.
    let head = 0;
    let tail = 0;
    let digits = 0;
    let scale = 0;
    if (c === ZERO) {
      c = bytes[++p];
      if (c >= ZERO && c <= NINE) {
        throw this.fail("Write a number without zeros in front", p);
      }
    } else {
      if (!(c > ZERO && c <= NINE)) {
        throw this.fail(negative ? "Write a number" : "Write a JSON value", p);
      }
      while (c >= ZERO && c <= NINE) {
        if (digits < 15) head = head * 10 + (c - ZERO);
        else if (digits < 19) tail = tail * 10 + (c - ZERO);
        digits++;
        c = bytes[++p];
      }
    }
    if (c === DOT) {
      c = bytes[++p];
      if (!(c >= ZERO && c <= NINE)) {
        throw this.fail("Put a digit behind the point", p);
      }
      const first = p;
      while (c >= ZERO && c <= NINE) {
        if (digits < 15) {
          head = head * 10 + (c - ZERO);
          if (head !== 0) digits++;
        } else {
          if (digits < 19) tail = tail * 10 + (c - ZERO);
          digits++;
        }
        c = bytes[++p];
      }
      scale = p - first;
    }
    if (c === 0x65 || c === 0x45) {
      c = bytes[++p];
      const down = c === MINUS;
      if (down || c === 0x2b) c = bytes[++p];
      if (!(c >= ZERO && c <= NINE)) {
        throw this.fail("Put a digit into the exponent", p);
      }
      let exponent = 0;
      while (c >= ZERO && c <= NINE) {
        exponent = Math.min(exponent * 10 + (c - ZERO), 1e12);
        c = bytes[++p];
      }
      scale += down ? exponent : -exponent;
    }
    this.offset = p;
    let value = NaN;
    if (digits <= 15) {
      // both operands are exact, so the one rounding of the operation is the right one
      if (head === 0 || scale === 0) value = head;
      else if (scale > 0 && scale <= 22) value = head / POWERS[scale];
      else if (scale < 0 && scale >= -22) value = head * POWERS[-scale];
    } else if (digits <= 19 && scale >= 0 && scale <= 22) {
      value = quotient(head, digits - 15, tail, scale);
    }
    if (value !== value) return this.#slowNumber(start, p, digits, scale);
    return negative ? -value : value;
  }

  /** Any number by the runtime's own conversion; of very long ones the digits that can decide. */
  #slowNumber(start: number, end: number, digits: number, scale: number) {
    const { bytes } = this;
    if (digits <= DECISIVE_DIGITS && end - start <= 2 * DECISIVE_DIGITS) {
      return Number(String.fromCharCode(...bytes.subarray(start, end)));
    }
    let text = bytes[start] === MINUS ? "-" : "";
    let kept = 0;
    let dropped = 0;
    let rest = false;
    for (let p = start; p < end; p++) {
      const c = bytes[p];
      if (c === 0x65 || c === 0x45) break;
      if (c < ZERO || c > NINE || (kept === 0 && c === ZERO)) continue;
      if (kept < DECISIVE_DIGITS) {
        text += String.fromCharCode(c);
        kept++;
      } else {
        dropped++;
        if (c !== ZERO) rest = true;
      }
    }
    if (kept === 0) return text === "-" ? -0 : 0;
    // one more digit stands for everything behind
    return Number(`${text}${rest ? 1 : 0}e${dropped - 1 - scale}`);
  }

  /** Reads a string. */
  string(): string {
    const start = this.offset;
    this.skipString();
    checkLimit("bytes of a string", this.offset - start, MAX_STRING, "css");
    return this.#text(start);
  }

  /** The text of the string token from `start` to here, whose bytes were looked at. */
  #text(start: number): string {
    const { bytes, offset } = this;
    let plain = true;
    for (let p = start; p < offset; p++) {
      const c = bytes[p];
      if (c === BACKSLASH || c >= 0x80) plain = false;
    }
    if (plain && offset - start <= 1024) {
      return String.fromCharCode(...bytes.subarray(start + 1, offset - 1));
    }
    // with its quotes, so that a byte order mark inside does not count as one
    return JSON.parse(new TextDecoder().decode(bytes.subarray(start, offset)));
  }

  /** Passes a string, and looks at every byte: escapes, control characters, UTF-8. */
  skipString(): void {
    const { bytes } = this;
    let p = this.offset + 1;
    for (;;) {
      const c = bytes[p];
      if (c === QUOTE) break;
      if (c === BACKSLASH) {
        const escape = bytes[p + 1];
        if (escape === 0x75) {
          for (let k = p + 2; k < p + 6; k++) {
            const hex = bytes[k] | 0x20;
            const is = (bytes[k] >= ZERO && bytes[k] <= NINE) ||
              (hex >= 0x61 && hex <= 0x66);
            if (!is) throw this.fail("Give an escape four hex digits", k);
          }
          p += 6;
        } else if (
          escape === QUOTE || escape === BACKSLASH || escape === 0x2f ||
          escape === 0x62 || escape === 0x66 || escape === 0x6e ||
          escape === 0x72 || escape === 0x74
        ) p += 2;
        else throw this.fail("Use an escape that JSON knows", p + 1);
      } else if (c >= 0x20 && c < 0x80) p++;
      else if (c >= 0x80) p = this.#skipCharacter(p);
      else throw this.fail("Close a string, and escape control characters", p);
    }
    this.offset = p + 1;
  }

  /** Passes one UTF-8 sequence of two to four bytes. */
  #skipCharacter(p: number): number {
    const { bytes } = this;
    const c = bytes[p];
    const follow = c >= 0xc2 && c < 0xe0
      ? 1
      : c >= 0xe0 && c < 0xf0
      ? 2
      : c >= 0xf0 && c < 0xf5
      ? 3
      : 0;
    // overlong forms, surrogates and what lies behind U+10FFFF show in the second byte
    const second = bytes[p + 1];
    const least = c === 0xe0 ? 0xa0 : c === 0xf0 ? 0x90 : 0x80;
    const most = c === 0xed ? 0x9f : c === 0xf4 ? 0x8f : 0xbf;
    let good = follow > 0 && second >= least && second <= most;
    for (let k = 2; k <= follow; k++) {
      good &&= bytes[p + k] >= 0x80 && bytes[p + k] <= 0xbf;
    }
    if (!good) throw this.fail("Save the file as UTF-8", p);
    return p + follow + 1;
  }

  #literal(word: string): void {
    for (let k = 0; k < word.length; k++) {
      if (this.bytes[this.offset + k] !== word.charCodeAt(k)) {
        throw this.fail("Write a JSON value", this.offset + k);
      }
    }
    this.offset += word.length;
  }

  /** Reads a value that is kept when it is a leaf; of arrays and objects only the kind. */
  leaf(): Leaf {
    switch (this.peek()) {
      case QUOTE:
        return this.string();
      case OPEN_ARRAY:
        this.skip();
        return "an array";
      case OPEN_OBJECT:
        this.skip();
        return "an object";
      case 0x74:
        this.#literal("true");
        return true;
      case 0x66:
        this.#literal("false");
        return false;
      case 0x6e:
        this.#literal("null");
        return null;
      default:
        return this.number();
    }
  }

  /** Passes one value of any kind; nothing of it is kept, and depth costs no stack. */
  skip(): void {
    /** Kinds of the open containers, true for objects. */
    const open: boolean[] = [];
    for (;;) {
      let c = this.peek();
      if (c === OPEN_ARRAY || c === OPEN_OBJECT) {
        const object = c === OPEN_OBJECT;
        this.#enter();
        c = this.peek();
        if (c !== (object ? CLOSE_OBJECT : CLOSE_ARRAY)) {
          open.push(object);
          if (object) this.#skipKey();
          continue;
        }
        this.#leave();
      } else if (c === QUOTE) this.skipString();
      else if (c === 0x74) this.#literal("true");
      else if (c === 0x66) this.#literal("false");
      else if (c === 0x6e) this.#literal("null");
      else this.number();
      // behind a value: close what ends here, and go on with what does not
      for (;;) {
        if (open.length === 0) return;
        const object = open[open.length - 1];
        c = this.peek();
        if (c === COMMA) {
          this.offset++;
          if (object) this.#skipKey();
          break;
        }
        if (c !== (object ? CLOSE_OBJECT : CLOSE_ARRAY)) {
          throw this.fail(`Put , or ${object ? "}" : "]"} behind a value`);
        }
        open.pop();
        this.#leave();
      }
    }
  }

  /** Passes one value of a text that was read before: only brackets and quotes are looked at. */
  skipKnown(): void {
    const { bytes } = this;
    const first = this.peek();
    if (first !== OPEN_ARRAY && first !== OPEN_OBJECT) {
      this.skip();
      return;
    }
    let p = this.offset;
    let depth = 0;
    do {
      const c = bytes[p++];
      if (c === OPEN_ARRAY || c === OPEN_OBJECT) depth++;
      else if (c === CLOSE_ARRAY || c === CLOSE_OBJECT) depth--;
      else if (c === QUOTE) {
        while (bytes[p] !== QUOTE) p += bytes[p] === BACKSLASH ? 2 : 1;
        p++;
      }
    } while (depth > 0);
    this.offset = p;
  }

  #skipKey(): void {
    if (this.peek() !== QUOTE) throw this.fail("Put a key in quotes");
    this.skipString();
    if (this.peek() !== COLON) throw this.fail("Put : behind a key");
    this.offset++;
  }
}
