/**
 * Bounded access to nested tables of fixed-size records, as MDL and VTX hold them: every offset counts from the record that
 * holds it, tables may share bytes, and nothing guarantees that the nesting ends.
 *
 * @module
 */
import type { Code } from "../../core/codes.ts";
import { meshError } from "../../core/errors.ts";
import { MDL_WORK_FACTOR, MDL_WORK_SPARE } from "../../core/limits.ts";

/** The codes that a file's reader uses. */
export interface TableCodes {
  /** A count is negative. */
  count: Code;
  /** A table ends behind the end of the file. */
  range: Code;
  /** Tables refer to the same bytes too often. */
  work: Code;
}

/** Something doubtful that was met while reading; `validate` lists it, reading goes on. */
export interface SourceNote {
  /** Code of the finding. */
  code: Code;
  /** Place. */
  where: string;
  /** Sentence for people. */
  message: string;
  /** The value met. */
  found: unknown;
  /** What is allowed. */
  allowed: unknown;
  /** Triangles that were left out for it. */
  triangles?: number;
}

/** Reads a file of nested tables. Every table is checked before it is touched, and its size counts against a budget. */
export class Tables {
  /** Notes in the order met. */
  readonly notes: SourceNote[] = [];
  readonly #view: DataView;
  #left: number;

  /**
   * @param bytes The whole file.
   * @param label What the file is called in messages.
   * @param codes Codes of the errors.
   * @param factor How often the tables may refer to the file's bytes in all.
   */
  constructor(
    readonly bytes: Uint8Array,
    readonly label: string,
    readonly codes: TableCodes,
    readonly factor: number = MDL_WORK_FACTOR,
  ) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    // Real files are trees: each byte is read once or, where LODs share, a few times.
    this.#left = bytes.length * factor + MDL_WORK_SPARE;
  }

  /** The u8 at a checked place. */
  u8(at: number): number {
    return this.#view.getUint8(at);
  }
  /** The u16 at a checked place. */
  u16(at: number): number {
    return this.#view.getUint16(at, true);
  }
  /** The i16 at a checked place. */
  i16(at: number): number {
    return this.#view.getInt16(at, true);
  }
  /** The i32 at a checked place. */
  i32(at: number): number {
    return this.#view.getInt32(at, true);
  }
  /** The f32 at a checked place. */
  f32(at: number): number {
    return this.#view.getFloat32(at, true);
  }
  /** `count` f32 from a checked place. */
  floats(at: number, count: number): number[] {
    return Array.from({ length: count }, (_, i) => this.f32(at + 4 * i));
  }

  /** Bytes that the tables may still refer to. */
  get left(): number {
    return this.#left;
  }

  /** Counts bytes that are about to be read. */
  spend(bytes: number, at: number): void {
    this.#left -= bytes;
    if (this.#left >= 0) return;
    throw meshError(
      this.codes.work,
      `Extract the file again: the tables of this ${this.label} refer to its ${this.bytes.length} bytes more than ${this.factor} times over`,
      {
        format: "mdl",
        offset: at,
        found: `> ${this.factor} times`,
        allowed: this.factor,
      },
    );
  }

  /**
   * Start of a table that was checked; 0 for an empty one, whose offset may be anything.
   *
   * @param field Name for messages.
   * @param at Place of the field that holds the offset.
   * @param start First byte of the table.
   * @param count Number of records.
   * @param size Bytes of a record.
   */
  table(
    field: string,
    at: number,
    start: number,
    count: number,
    size: number,
  ): number {
    if (count < 0) {
      throw meshError(
        this.codes.count,
        `Extract the file again: the ${this.label} counts ${count} ${field}`,
        {
          format: "mdl",
          offset: at,
          path: field,
          found: count,
          allowed: ">= 0",
        },
      );
    }
    if (count === 0) return 0;
    const end = start + count * size;
    const what =
      `the ${this.label}'s ${field}, ${count} of ${size} bytes each,`;
    const refuse = (message: string, found: number, allowed: string) =>
      meshError(this.codes.range, message, {
        format: "mdl",
        offset: at,
        path: field,
        found,
        allowed,
      });
    if (start < 0) {
      throw refuse(
        `Extract the file again: ${what} begin at byte ${start}`,
        start,
        ">= 0",
      );
    }
    if (end > this.bytes.length) {
      throw refuse(
        `Give the whole file: ${what} begin at byte ${start} and end at ${end}, the file has ${this.bytes.length}`,
        end,
        `<= ${this.bytes.length}`,
      );
    }
    this.spend(count * size, at);
    return start;
  }

  /** The text up to the next zero byte, at most `limit` bytes; null when it starts outside the file. */
  text(start: number, limit = Infinity): string | null {
    if (!(start >= 0 && start < this.bytes.length)) return null;
    const most = Math.min(start + limit, this.bytes.length);
    let end = start;
    while (end < most && this.bytes[end] !== 0) end++;
    this.spend(end - start, start);
    return decodeName(this.bytes.subarray(start, end));
  }

  /** Adds a note. */
  note(
    code: Code,
    where: string,
    message: string,
    found: unknown,
    allowed: unknown,
  ): void {
    this.notes.push({ code, where, message, found, allowed });
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A name as text: UTF-8, or Latin-1 where the bytes are no UTF-8. Tools of several decades wrote both. */
export function decodeName(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    let out = "";
    for (const b of bytes) out += String.fromCharCode(b);
    return out;
  }
}

/** True when every one of the first bytes is zero. */
export function isZero(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 64).every((b) => b === 0);
}

/** The ASCII text of some bytes. */
export function asciiAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

/** True for the small text that Git LFS leaves in place of a file. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  return asciiAt(bytes, 0, 19) === "version https://git";
}
