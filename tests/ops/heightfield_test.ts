import { assert, assertEquals, assertThrows } from "@std/assert";
import { encode } from "fast-png";
import { zlibSync } from "fflate";
import type { Code } from "../../src/core/codes.ts";
import { MeshError } from "../../src/core/errors.ts";
import {
  heightfieldMesh,
  heightfieldOf,
  type HeightfieldOptions,
  readHeightImage,
  remapVertices,
  weldMesh,
} from "../../src/ops/mod.ts";
import { payloadToMesh, readPayload } from "../../src/formats/payload/mod.ts";
import { Random } from "../random.ts";
import { at, plainMesh } from "./plain_mesh.ts";

const terrain = () =>
  payloadToMesh(
    readPayload(
      Deno.readFileSync(
        new URL("../../samples/terrain.payload", import.meta.url),
      ),
    ),
  );

function assertRefused(make: () => unknown, code: Code, word: RegExp): void {
  const e = assertThrows(make, MeshError);
  assertEquals(e.code, code);
  assert(word.test(e.message), e.message);
}

/** A grid of bare positions: `height(row, column)` at every place. */
function grid(
  rows: number,
  cols: number,
  height: (r: number, c: number) => number,
  place = (r: number, c: number): [number, number] => [c * 2 - 3, r * 3 + 1],
) {
  const position: number[] = [];
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      const [x, z] = place(r, c);
      position.push(x, height(r, c), z);
    }
  }
  return plainMesh(position, null);
}

Deno.test("heightfieldOf() reads rows along Z and columns along X of an oblong grid", () => {
  const mesh = terrain();
  assertEquals(heightfieldOf(mesh), mesh.heightfield);
  const [rows, cols] = [mesh.heightfield!.rows, mesh.heightfield!.cols];
  assert(rows !== cols, "a square would hide a transposed grid");
});

Deno.test("heightfieldOf() finds the grid in any order of vertices, corners written apart and cells merged", () => {
  const random = new Random(17);
  for (const [rows, cols] of [[2, 2], [2, 9], [7, 3], [5, 5]]) {
    const height = (r: number, c: number) => r * 100 + c + 0.25;
    const plain = grid(rows, cols, height);
    const order = Array.from(
      { length: plain.vertexCount * 2 },
      (_, i) => i % plain.vertexCount,
    ).sort(() => random.float() - 0.5);
    const got = heightfieldOf(remapVertices(plain, Uint32Array.from(order)));
    assertEquals([got.rows, got.cols], [rows, cols]);
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < cols; c++) {
        assertEquals(got.heights[r * cols + c], height(r, c));
      }
    }
    assertEquals(heightfieldOf(weldMesh(plain).mesh), got);
  }
});

Deno.test("heightfieldOf() takes the last bits that a matrix leaves, and no more than a thousandth of a cell", () => {
  const shifted = (by: number) =>
    grid(4, 6, () => 1, (r, c) => [c + (r === 2 && c === 3 ? by : 0), r]);
  assertEquals(heightfieldOf(shifted(0.0009)).cols, 6);
  assertRefused(
    () => heightfieldOf(shifted(0.002)),
    "HEIGHTFIELD-GRID",
    /vertices|places/,
  );
});

Deno.test("heightfieldOf() refuses vertices that form no grid", () => {
  const mesh = terrain();
  mesh.attributes.position[40 * 3] += 0.01;
  const none = "HEIGHTFIELD-GRID";
  assertRefused(() => heightfieldOf(mesh), none, /places/);
  const flat = () => 0;
  const few = plainMesh([0, 0, 0, 1, 0, 0, 0, 0, 1], null);
  assertRefused(() => heightfieldOf(few), none, /3 vertices/);
  assertRefused(() => heightfieldOf(plainMesh([], null)), none, /0 vertices/);
  const line = plainMesh([0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0], null);
  assertRefused(() => heightfieldOf(line), none, /no grid/);
  // columns 0, 1, 3: the engine spreads a grid evenly
  const uneven = grid(3, 3, flat, (r, c) => [c === 2 ? 3 : c, r]);
  assertRefused(() => heightfieldOf(uneven), none, /between/);
  const step = plainMesh(
    [0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0, 5, 0],
    null,
  );
  assertRefused(() => heightfieldOf(step), none, /row 0, column 0.*two/);
  const hole = plainMesh(
    [0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1],
    null,
  );
  assertRefused(() => heightfieldOf(hole), none, /row 1, column 1/);
  const bottomless = grid(2, 2, (r, c) => r + c === 2 ? NaN : 0);
  assertRefused(() => heightfieldOf(bottomless), none, /vertex 3.*height/);
  const nowhere = grid(2, 2, flat, (r, c) => [r + c === 2 ? NaN : c, r]);
  assertRefused(() => heightfieldOf(nowhere), none, /no grid/);
});

/** Bilinear heights in f64, as a reader of the rule would write them. */
function plainHeights(o: HeightfieldOptions, rows: number, cols: number) {
  const out: number[] = [];
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      const x = c / (cols - 1) * (o.width - 1);
      const y = r / (rows - 1) * (o.height - 1);
      let value = 0;
      for (let j = 0; j < o.height; j++) {
        for (let i = 0; i < o.width; i++) {
          value += o.samples[j * o.width + i] *
            Math.max(0, 1 - Math.abs(x - i)) * Math.max(0, 1 - Math.abs(y - j));
        }
      }
      const low = o.elevationMin ?? 0;
      out.push(low + value / (o.white ?? 255) * (o.elevationMax - low));
    }
  }
  return out;
}

Deno.test("heightfieldMesh() samples any image as f64 does, on square and oblong grids", () => {
  const random = new Random(18);
  for (const subdivisions of [4, 9, [4, 7], [11, 5]] as const) {
    for (const [width, height] of [[1, 1], [2, 5], [6, 3], [1, 4]]) {
      const white = random.pick([255, 65_535, 1]);
      const options: HeightfieldOptions = {
        width,
        height,
        white,
        samples: Array.from(
          { length: width * height },
          () => random.float() * white,
        ),
        elevationMin: -3,
        elevationMax: 17,
        halfWidth: 5,
        halfDepth: 8,
        subdivisions,
      };
      const mesh = heightfieldMesh(options);
      const [rows, cols] = typeof subdivisions === "number"
        ? [subdivisions + 1, subdivisions + 1]
        : [subdivisions[0] + 1, subdivisions[1] + 1];
      const wanted = plainHeights(options, rows, cols);
      assertEquals(mesh.vertexCount, rows * cols);
      assertEquals(mesh.lods[0].indices!.length, (rows - 1) * (cols - 1) * 6);
      for (let v = 0; v < mesh.vertexCount; v++) {
        const [x, y, z] = at(mesh.attributes.position, v);
        const [r, c] = [Math.floor(v / cols), v % cols];
        assert(Math.abs(y - wanted[v]) < 1e-4, `${y} is not ${wanted[v]}`);
        assert(Math.abs(x - (c / (cols - 1) * 10 - 5)) < 1e-5);
        assert(Math.abs(z - (r / (rows - 1) * 16 - 8)) < 1e-5);
      }
      // what the mesh says is what the collider gets
      assertEquals(heightfieldOf(mesh), mesh.heightfield);
    }
  }
});

Deno.test("heightfieldMesh() gives every sample a vertex when there is one cell less a side", () => {
  const samples = Array.from({ length: 7 * 5 }, (_, i) => i * 3 % 97);
  const { heightfield } = heightfieldMesh({
    samples,
    width: 7,
    height: 5,
    elevationMax: 255,
    subdivisions: [4, 6],
  });
  assertEquals([heightfield!.rows, heightfield!.cols], [5, 7]);
  heightfield!.heights.forEach((h, i) =>
    assert(Math.abs(h - samples[i]) < 1e-4)
  );
});

Deno.test("heightfieldMesh() clamps the subdivisions as the cook does", () => {
  const side = (subdivisions: number) =>
    heightfieldMesh({
      samples: [1],
      width: 1,
      height: 1,
      elevationMax: 1,
      subdivisions,
    }).heightfield!.rows;
  assertEquals([0, 3, 4, 255, 300].map(side), [5, 5, 5, 256, 256]);
});

Deno.test("heightfieldMesh() refuses an image without samples and an extent of nothing", () => {
  const base = { samples: new Uint8Array(4), width: 2, height: 2 };
  for (const [width, height, n] of [[0, 2, 4], [2, 2, 3], [1.5, 2, 9]]) {
    assertRefused(
      () =>
        heightfieldMesh({
          samples: new Uint8Array(n),
          width,
          height,
          elevationMax: 1,
        }),
      "HEIGHTFIELD-IMAGE",
      new RegExp(`${n} found`),
    );
  }
  for (
    const wrong of [
      { halfWidth: 0 },
      { halfDepth: NaN },
      { white: -1 },
      { elevationMax: Infinity },
      { subdivisions: [8, NaN] as const },
    ]
  ) {
    assertRefused(
      () => heightfieldMesh({ ...base, elevationMax: 1, ...wrong }),
      "ARGUMENT",
      new RegExp(
        "above 0|finite",
      ),
    );
  }
});

Deno.test("readHeightImage() takes the first channel of PNGs with 8 and 16 bits, whatever their channels", () => {
  const random = new Random(19);
  for (const depth of [8, 16] as const) {
    for (const channels of [1, 2, 3, 4] as const) {
      const white = depth === 8 ? 255 : 65_535;
      const [width, height] = [5, 3];
      const Samples = depth === 8 ? Uint8Array : Uint16Array;
      const data = Samples.from(
        Array.from(
          { length: width * height * channels },
          () => random.below(white + 1),
        ),
      );
      const got = readHeightImage(
        encode({ width, height, data, depth, channels }),
      );
      assertEquals([got.width, got.height, got.white], [width, height, white]);
      assertEquals(
        [...got.samples],
        [...data].filter((_, i) => i % channels === 0),
      );
    }
  }
});

Deno.test("readHeightImage() tells u8, u16 and f32 apart by the length, in little-endian order", () => {
  const size = [3, 2] as const;
  const bytes = Uint8Array.of(0, 1, 2, 253, 254, 255);
  assertEquals(readHeightImage(bytes, { size }), {
    width: 3,
    height: 2,
    samples: bytes,
    white: 255,
    unused: 0,
  });
  const raw = new Uint8Array(12);
  new DataView(raw.buffer).setUint16(2, 0x1234, true);
  const words = readHeightImage(raw, { size });
  assertEquals([words.samples[1], words.white], [0x1234, 65_535]);
  const floats = new Uint8Array(24);
  new DataView(floats.buffer).setFloat32(20, -7.5, true);
  // bytes that do not begin where a float may
  const shifted = new Uint8Array(25);
  shifted.set(floats, 1);
  const numbers = readHeightImage(shifted.subarray(1), { size });
  assertEquals([numbers.samples[5], numbers.white], [-7.5, 1]);
});

Deno.test("readHeightImage() refuses raw samples without a size, of another size, and not finite ones", () => {
  const none = "HEIGHTFIELD-IMAGE";
  const raw = new Uint8Array(16);
  assertRefused(() => readHeightImage(raw), none, /width and height/);
  assertRefused(
    () => readHeightImage(raw, { size: [3, 3] }),
    none,
    /9, 18 or 36.*16/,
  );
  for (const size of [[0, 4], [2.5, 2], [-4, -4]] as const) {
    assertRefused(() => readHeightImage(raw, { size }), none, /1 or more/);
  }
  new DataView(raw.buffer).setFloat32(12, NaN, true);
  assertRefused(
    () => readHeightImage(raw, { size: [2, 2] }),
    none,
    /row 1, column 1 is NaN/,
  );
  assertRefused(
    () => readHeightImage(raw, { size: [2 ** 20, 2 ** 20] }),
    "LIMIT-EXCEEDED",
    /samples/,
  );
});

/** The checksum of a PNG chunk. */
function crc(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const b of bytes) {
    c ^= b;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  }
  return (c ^ 0xffffffff) >>> 0;
}

/** A PNG of any header and data, its checksums right. */
function png(
  width: number,
  height: number,
  depth: number,
  type: number,
  data: Uint8Array,
): Uint8Array {
  const chunk = (name: string, body: Uint8Array) => {
    const out = new Uint8Array(12 + body.length);
    const view = new DataView(out.buffer);
    view.setUint32(0, body.length);
    out.set(new TextEncoder().encode(name), 4);
    out.set(body, 8);
    view.setUint32(8 + body.length, crc(out.subarray(4, 8 + body.length)));
    return out;
  };
  const header = new Uint8Array(13);
  new DataView(header.buffer).setUint32(0, width);
  new DataView(header.buffer).setUint32(4, height);
  header.set([depth, type, 0, 0, 0], 8);
  return Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk("IHDR", header),
    ...chunk("IDAT", data),
    ...chunk("IEND", new Uint8Array(0)),
  ]);
}

Deno.test("readHeightImage() refuses PNGs that are broken or hold no heights", () => {
  const none = "HEIGHTFIELD-IMAGE";
  const rows = (n: number) => zlibSync(new Uint8Array(n));
  const good = png(2, 2, 8, 0, rows(6));
  assertEquals([...readHeightImage(good).samples], [0, 0, 0, 0]);
  for (const [depth, type] of [[8, 3], [4, 0], [1, 0], [8, 7]]) {
    const bytes = png(2, 2, depth, type, rows(6));
    assertRefused(() => readHeightImage(bytes), none, /palette/);
  }
  const refused = (bytes: Uint8Array, word: RegExp) =>
    assertRefused(() => readHeightImage(bytes), none, word);
  refused(png(0, 2, 8, 0, rows(2)), /empty/);
  refused(png(2, 2, 8, 0, rows(5)), /shorter/);
  refused(png(2, 2, 8, 0, Uint8Array.of(1, 2, 3)), /again/);
  refused(good.subarray(0, 30), /ends inside/);
  const flipped = good.slice();
  flipped[43] ^= 4; // inside the data
  refused(flipped, /again/);
  const header = good.slice();
  header[19] = 3; // the width, whose checksum no longer fits
  refused(header, /again/);
  for (let length = 0; length < good.length; length++) {
    const e = assertThrows(
      () => readHeightImage(good.slice(0, length)),
      MeshError,
    );
    assertEquals(e.code, none);
  }
  assertRefused(
    () => readHeightImage(png(60_000, 60_000, 8, 0, rows(6))),
    "LIMIT-EXCEEDED",
    /samples/,
  );
});

Deno.test("readHeightImage() stops unpacking where the size says that the data end", () => {
  // 16 MiB out of 16 KiB, for an image of 4 samples
  const bomb = png(2, 2, 8, 0, zlibSync(new Uint8Array(2 ** 24)));
  assertRefused(() => readHeightImage(bomb), "HEIGHTFIELD-IMAGE", /longer/);
});

Deno.test("readHeightImage() reads interlaced PNGs", () => {
  const samples = [[1, 2, 3], [4, 5, 6], [7, 8, 9]];
  const passes = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ];
  const data: number[] = [];
  for (const [x, y, dx, dy] of passes) {
    for (let r = y; r < 3; r += dy) {
      const row: number[] = [];
      for (let c = x; c < 3; c += dx) row.push(samples[r][c]);
      if (row.length > 0) data.push(0, ...row);
    }
  }
  const bytes = png(3, 3, 8, 0, zlibSync(Uint8Array.from(data)));
  bytes[28] = 1; // interlaced; the checksum of the header follows
  assertRefused(() => readHeightImage(bytes), "HEIGHTFIELD-IMAGE", /again/);
  new DataView(bytes.buffer).setUint32(29, crc(bytes.subarray(12, 29)));
  assertEquals([...readHeightImage(bytes).samples], samples.flat());
});
