/**
 * Random numbers that are the same on every run: a test that fails today fails tomorrow.
 *
 * @module
 */

/** A seeded generator: a Weyl sequence through two rounds of multiply and xor-shift. */
export class Random {
  #state: number;

  /** @param seed Any integer; equal seeds give equal numbers. */
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** The next 32 bits. */
  u32(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let x = this.#state;
    x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
    return (x ^ (x >>> 15)) >>> 0;
  }

  /** A number from 0 up to, but not including, 1. */
  float(): number {
    return this.u32() / 2 ** 32;
  }

  /** A number from `low` up to, but not including, `high`. */
  between(low: number, high: number): number {
    return low + (high - low) * this.float();
  }

  /** An integer from 0 to `count` − 1. */
  below(count: number): number {
    return Math.floor(this.float() * count);
  }

  /** One of the values. */
  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)];
  }

  /** `length` bytes. */
  bytes(length: number): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(length);
    for (let i = 0; i < length; i++) out[i] = this.u32() & 0xff;
    return out;
  }

  /** `length` f32 between two bounds. */
  floats(length: number, low: number, high: number): Float32Array<ArrayBuffer> {
    const out = new Float32Array(length);
    for (let i = 0; i < length; i++) out[i] = this.between(low, high);
    return out;
  }

  /** A vector of length 1, any direction. */
  unitVector(): [number, number, number] {
    for (;;) {
      const v = [
        this.between(-1, 1),
        this.between(-1, 1),
        this.between(-1, 1),
      ] as const;
      const length = Math.hypot(...v);
      if (length > 0.1 && length <= 1) {
        return [v[0] / length, v[1] / length, v[2] / length];
      }
    }
  }
}
