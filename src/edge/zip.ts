/**
 * Writes a zip piece by piece, with the same bytes for the same entries.
 *
 * @module
 */
import { Zip, ZipDeflate } from "fflate";

/** Time stamp of every entry, so that the same input gives the same bytes: the first that a zip can hold. */
const MTIME = "1980-01-01T00:00:00";

/** A zip being written; what is packed so far can be taken out. */
export class ZipOut {
  readonly #packed: Uint8Array[] = [];
  readonly #zip: Zip;

  constructor() {
    this.#zip = new Zip((error, data) => {
      if (error) throw error;
      this.#packed.push(data);
    });
  }

  /** Adds a whole entry. */
  add(name: string, bytes: Uint8Array): void {
    const entry = new ZipDeflate(name, { level: 6 });
    entry.mtime = MTIME;
    this.#zip.add(entry);
    entry.push(bytes, true);
  }

  /** Closes the zip. */
  end(): void {
    this.#zip.end();
  }

  /** What is packed and was not taken yet. */
  take(): Uint8Array[] {
    return this.#packed.splice(0);
  }
}
