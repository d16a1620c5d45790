/**
 * A band of a picture's rows with depth: triangles, lines and discs are drawn on a grid finer than the pixels, and each
 * pixel becomes the mean of its samples.
 *
 * Corners lie on a grid of sixteenths of a sample and coverage is decided in whole numbers, so that triangles that share an
 * edge leave neither gap nor overlap, and every runtime draws the same.
 *
 * @module
 */

/** Samples along one side of a pixel. */
export const SAMPLES = 3;
/** Grid steps along one side of a sample. */
const STEPS = 16;

/** A corner, in samples from the top left of the picture; a larger depth is nearer. */
export interface Corner {
  readonly x: number;
  readonly y: number;
  readonly depth: number;
}

/**
 * Gives the colour (0xRRGGBB) at a place inside a triangle.
 *
 * @param a Weight of the first corner; the three add up to 1.
 * @param edge Distance to the nearest edge, in samples.
 */
export type Shade = (a: number, b: number, c: number, edge: number) => number;

/** Rows of a picture. */
export class Band {
  readonly #columns: number;
  readonly #rows: number;
  /** First sample row. */
  readonly #top: number;
  readonly #depth: Float32Array;
  readonly #color: Uint32Array;

  /**
   * @param width Pixels in a row.
   * @param top First row.
   * @param height Number of rows.
   * @param background Colour where nothing is drawn.
   */
  constructor(
    readonly width: number,
    readonly top: number,
    readonly height: number,
    background: number,
  ) {
    this.#columns = width * SAMPLES;
    this.#rows = height * SAMPLES;
    this.#top = top * SAMPLES;
    this.#depth = new Float32Array(this.#columns * this.#rows).fill(-Infinity);
    this.#color = new Uint32Array(this.#depth.length).fill(background);
  }

  /** True when something between these sample rows may show. */
  touches(y0: number, y1: number): boolean {
    return y1 >= this.#top && y0 <= this.#top + this.#rows;
  }

  /** Draws a triangle; one without area is not seen. */
  triangle(a: Corner, b: Corner, c: Corner, shade: Shade): void {
    if (!this.touches(Math.min(a.y, b.y, c.y), Math.max(a.y, b.y, c.y))) return;
    const [ax, ay, bx, by, cx, cy] = [a.x, a.y, b.x, b.y, c.x, c.y]
      .map((v) => Math.round(v * STEPS));
    let area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (area === 0) return;
    const turn = area < 0 ? -1 : 1;
    area *= turn;
    // how each weight changes with a step to the right and down, from corner to opposite edge
    const right = [by - cy, cy - ay, ay - by].map((d) => d * turn);
    const down = [cx - bx, ax - cx, bx - ax].map((d) => d * turn);
    // what lies exactly on an edge belongs to one of its two sides
    const least = right.map((dx, i) =>
      dx > 0 || (dx === 0 && down[i] > 0) ? 0 : 1
    );
    const size = right.map((dx, i) => {
      const length = Math.sqrt(dx * dx + down[i] * down[i]);
      return 1 / (length * STEPS);
    });
    // sample centres lie half a sample in
    const first = (low: number) => Math.floor(low / STEPS - 0.5);
    const last = (high: number) => Math.ceil(high / STEPS - 0.5);
    const x0 = Math.max(0, first(Math.min(ax, bx, cx)));
    const x1 = Math.min(this.#columns - 1, last(Math.max(ax, bx, cx)));
    const y0 = Math.max(0, first(Math.min(ay, by, cy)) - this.#top);
    const y1 = Math.min(
      this.#rows - 1,
      last(Math.max(ay, by, cy)) - this.#top,
    );
    const px = x0 * STEPS + STEPS / 2;
    const py = (y0 + this.#top) * STEPS + STEPS / 2;
    const start = [[bx, by], [cx, cy], [ax, ay]].map(([qx, qy], i) =>
      right[i] * (px - qx) + down[i] * (py - qy)
    );
    for (let y = y0; y <= y1; y++) {
      let [wa, wb, wc] = start;
      const row = y * this.#columns;
      for (let x = x0; x <= x1; x++) {
        if (wa >= least[0] && wb >= least[1] && wc >= least[2]) {
          const [ta, tb, tc] = [wa / area, wb / area, wc / area];
          const depth = ta * a.depth + tb * b.depth + tc * c.depth;
          if (depth > this.#depth[row + x]) {
            this.#depth[row + x] = depth;
            this.#color[row + x] = shade(
              ta,
              tb,
              tc,
              Math.min(wa * size[0], wb * size[1], wc * size[2]),
            );
          }
        }
        wa += right[0] * STEPS;
        wb += right[1] * STEPS;
        wc += right[2] * STEPS;
      }
      for (let i = 0; i < 3; i++) start[i] += down[i] * STEPS;
    }
  }

  /** Draws a disc that faces the beholder. */
  disc(at: Corner, radius: number, color: number): void {
    if (!this.touches(at.y - radius, at.y + radius)) return;
    const cy = at.y - this.#top;
    const x0 = Math.max(0, Math.floor(at.x - radius));
    const x1 = Math.min(this.#columns - 1, Math.ceil(at.x + radius));
    const y0 = Math.max(0, Math.floor(cy - radius));
    const y1 = Math.min(this.#rows - 1, Math.ceil(cy + radius));
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        const [dx, dy] = [x + 0.5 - at.x, y + 0.5 - cy];
        const i = y * this.#columns + x;
        if (dx * dx + dy * dy > radius * radius) continue;
        if (at.depth <= this.#depth[i]) continue;
        this.#depth[i] = at.depth;
        this.#color[i] = color;
      }
    }
  }

  /** Draws a line with round ends. */
  line(a: Corner, b: Corner, radius: number, color: number): void {
    const longest = Math.max(Math.abs(b.x - a.x), Math.abs(b.y - a.y));
    const steps = Math.max(1, Math.ceil(longest));
    for (let i = 0; i <= steps; i++) {
      const t = i / steps;
      const mix = (p: number, q: number) => p + t * (q - p);
      this.disc(
        { x: mix(a.x, b.x), y: mix(a.y, b.y), depth: mix(a.depth, b.depth) },
        radius,
        color,
      );
    }
  }

  /** Writes the pixels, three bytes each, into a picture of the whole. */
  resolve(pixels: Uint8Array): void {
    const count = SAMPLES * SAMPLES;
    for (let y = 0; y < this.height; y++) {
      for (let x = 0; x < this.width; x++) {
        let [red, green, blue] = [0, 0, 0];
        for (let s = 0; s < count; s++) {
          const row = y * SAMPLES + Math.floor(s / SAMPLES);
          const color =
            this.#color[row * this.#columns + x * SAMPLES + s % SAMPLES];
          red += color >> 16;
          green += (color >> 8) & 255;
          blue += color & 255;
        }
        const at = ((this.top + y) * this.width + x) * 3;
        pixels[at] = Math.round(red / count);
        pixels[at + 1] = Math.round(green / count);
        pixels[at + 2] = Math.round(blue / count);
      }
    }
  }
}
