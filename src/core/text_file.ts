/**
 * Text files that are written line by line.
 *
 * @module
 */
import type { FormatId } from "./formats.ts";
import { checkLimit } from "./limits.ts";

/** Collects lines. They are joined in pieces: one join of millions of lines would hold them all twice. */
export class TextFile {
  readonly #pieces: Uint8Array[] = [];
  readonly #encoder = new TextEncoder();
  #lines: string[] = [];
  #size = 0;

  /**
   * @param most Largest size in bytes.
   * @param format Format named in errors.
   */
  constructor(readonly most: number, readonly format: FormatId) {}

  /** Adds a line; its end is added here. */
  add(line: string): void {
    if (this.#lines.push(line) >= 4096) this.#flush();
  }

  #flush(): void {
    const piece = this.#encoder.encode(this.#lines.join("\n") + "\n");
    this.#lines = [];
    this.#size += piece.length;
    checkLimit("maxOutputBytes", this.#size, this.most, this.format);
    this.#pieces.push(piece);
  }

  /** The file so far. */
  bytes(): Uint8Array<ArrayBuffer> {
    if (this.#lines.length > 0) this.#flush();
    const out = new Uint8Array(this.#size);
    let at = 0;
    for (const piece of this.#pieces) {
      out.set(piece, at);
      at += piece.length;
    }
    return out;
  }
}
