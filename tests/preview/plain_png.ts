/**
 * A reader for the PNG files that are written here, on nothing but zlib: eight bits, red, green and blue, no filter.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { crc32, inflateSync } from "node:zlib";

/** Width, height and three bytes a pixel. */
export interface PlainPng {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** Reads a PNG and checks every chunk's sum on the way. */
export function readPng(bytes: Uint8Array): PlainPng {
  const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  assertEquals([...bytes.subarray(0, 8)], signature);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const chunks: [type: string, data: Uint8Array][] = [];
  for (let at = 8; at < bytes.length;) {
    const length = view.getUint32(at);
    const body = bytes.subarray(at + 4, at + 8 + length);
    assertEquals(view.getUint32(at + 8 + length), crc32(body));
    chunks.push([
      String.fromCharCode(...body.subarray(0, 4)),
      body.subarray(4),
    ]);
    at += 12 + length;
  }
  assertEquals(chunks.map(([type]) => type), ["IHDR", "IDAT", "IEND"]);
  const header = chunks[0][1];
  const numbers = new DataView(header.buffer, header.byteOffset, 8);
  const [width, height] = [numbers.getUint32(0), numbers.getUint32(4)];
  assertEquals([...header.subarray(8)], [8, 2, 0, 0, 0]);
  const rows = inflateSync(chunks[1][1]);
  assertEquals(rows.length, height * (1 + width * 3));
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const start = y * (1 + width * 3);
    assert(rows[start] === 0, `row ${y} has filter ${rows[start]}`);
    pixels.set(rows.subarray(start + 1, start + 1 + width * 3), y * width * 3);
  }
  return { width, height, pixels };
}

/** Which pixels differ from the one in the corner. */
export function drawnPixels({ width, height, pixels }: PlainPng): boolean[][] {
  return Array.from(
    { length: height },
    (_, y) =>
      Array.from(
        { length: width },
        (_, x) =>
          [0, 1, 2].some((k) => pixels[(y * width + x) * 3 + k] !== pixels[k]),
      ),
  );
}

/** The box of drawn pixels, the last ones included, and how many there are. */
export function drawnBox(
  rows: boolean[][],
): { left: number; right: number; top: number; bottom: number; count: number } {
  const box = {
    left: Infinity,
    right: -Infinity,
    top: Infinity,
    bottom: -Infinity,
    count: 0,
  };
  rows.forEach((row, y) =>
    row.forEach((drawn, x) => {
      if (!drawn) return;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
      box.count++;
    })
  );
  return box;
}
