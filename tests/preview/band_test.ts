import { assert, assertEquals } from "@std/assert";
import { Band, SAMPLES } from "../../src/preview/band.ts";
import { Random } from "../random.ts";

const SIDE = 24;
const GRID = SIDE * SAMPLES;

/** A corner on the grid of sixteenths, so that rounding is no part of the question. */
const corner = (x: number, y: number, depth = 0) => ({
  x: Math.round(x * 16) / 16,
  y: Math.round(y * 16) / 16,
  depth,
});
type At = ReturnType<typeof corner>;

const side = (p: At, q: At, x: number, y: number) =>
  (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x);

/** Samples strictly inside a triangle, and those exactly on its border, counted the plainest way. */
function plainCount(a: At, b: At, c: At): { inside: number; border: number } {
  let [inside, border] = [0, 0];
  for (let y = 0.5; y < GRID; y++) {
    for (let x = 0.5; x < GRID; x++) {
      const s = [side(a, b, x, y), side(b, c, x, y), side(c, a, x, y)];
      const turned = side(a, b, c.x, c.y) < 0 ? s.map((v) => -v) : s;
      if (turned.every((v) => v > 0)) inside++;
      else if (turned.every((v) => v >= 0)) border++;
    }
  }
  return { inside, border };
}

/** How many samples a band colours for a triangle. */
function drawnCount(a: At, b: At, c: At): number {
  let count = 0;
  const band = new Band(SIDE, 0, SIDE, 0);
  band.triangle(a, b, c, (wa, wb, wc) => {
    count++;
    assert(Math.abs(wa + wb + wc - 1) < 1e-12);
    return 0xffffff;
  });
  return count;
}

Deno.test("Band.triangle() colours the samples inside when it is compared with a plain search", () => {
  const rng = new Random(41);
  const anywhere = () => corner(rng.float() * GRID, rng.float() * GRID);
  let seen = 0;
  for (let i = 0; i < 60; i++) {
    const [a, b, c] = [anywhere(), anywhere(), anywhere()];
    if (side(a, b, c.x, c.y) === 0) continue;
    const { inside, border } = plainCount(a, b, c);
    const drawn = drawnCount(a, b, c);
    assert(drawn >= inside && drawn <= inside + border, `${i}: ${drawn}`);
    seen += inside;
  }
  assert(seen > 1000);
});

Deno.test("Band.triangle() leaves neither gap nor overlap when triangles share edges through sample centres", () => {
  const rng = new Random(43);
  for (let i = 0; i < 30; i++) {
    // corners on sample centres: every edge case there is
    const whole = () => Math.floor(rng.float() * (GRID - 1)) + 0.5;
    const [left, right] = [whole(), whole()].sort((a, b) => a - b);
    const [top, bottom] = [whole(), whole()].sort((a, b) => a - b);
    if (left === right || top === bottom) continue;
    const ring = [
      corner(left, top),
      corner(right, top),
      corner(right, bottom),
      corner(left, bottom),
    ];
    const mid = corner(
      left + Math.floor((right - left) * rng.float()),
      top + Math.floor((bottom - top) * rng.float()),
    );
    const total = ring.reduce(
      (sum, p, k) => sum + drawnCount(p, ring[(k + 1) % 4], mid),
      0,
    );
    assertEquals(total, (right - left) * (bottom - top), `${i}`);
  }
});

Deno.test("Band.triangle() keeps the nearer of two when they are drawn in either order", () => {
  const at = (depth: number) =>
    [corner(0, 0, depth), corner(GRID, 0, depth), corner(0, GRID, depth)] as [
      At,
      At,
      At,
    ];
  for (const order of [[1, 2], [2, 1]]) {
    const band = new Band(SIDE, 0, SIDE, 0);
    for (const depth of order) {
      band.triangle(...at(depth), () => depth === 2 ? 0x0000ff : 0xff0000);
    }
    const pixels = new Uint8Array(SIDE * SIDE * 3);
    band.resolve(pixels);
    assertEquals([...pixels.subarray(0, 3)], [0, 0, 255]);
  }
});

Deno.test("Band.triangle() tells the distance to the nearest edge when it asks for a colour", () => {
  const [a, b, c] = [corner(2, 2), corner(62, 2), corner(2, 62)];
  let most = 0;
  const band = new Band(SIDE, 0, SIDE, 0);
  band.triangle(a, b, c, (_wa, wb, wc, edge) => {
    const [x, y] = [2 + wb * 60, 2 + wc * 60];
    const plain = Math.min(x - 2, y - 2, (64 - x - y) / Math.SQRT2);
    assert(Math.abs(plain - edge) < 1e-9, `${x} ${y}: ${edge}`);
    most = Math.max(most, edge);
    return 0;
  });
  // the radius of the circle inside is 60 − 30·√2
  assert(Math.abs(most - (60 - 30 * Math.SQRT2)) < 1, `${most}`);
});

Deno.test("Band.resolve() gives the mean of the samples when a triangle covers half of a pixel", () => {
  const band = new Band(1, 0, 1, 0);
  // the left third of the pixel
  band.line({ x: 0.5, y: 0, depth: 0 }, { x: 0.5, y: 3, depth: 0 }, 0.5, 0xff);
  const pixels = new Uint8Array(3);
  band.resolve(pixels);
  assertEquals([...pixels], [0, 0, 85]);
});
