/**
 * Images of heights: PNG with 8 or 16 bits a channel, and raw samples.
 *
 * @module
 */
import { decode } from "fast-png";
import { Unzlib } from "fflate";
import { joinChunks } from "../core/bytes.ts";
import { MeshError, meshError } from "../core/errors.ts";
import { checkLimit, HEIGHT_IMAGE_MAX_SAMPLES } from "../core/limits.ts";

/** Samples of one channel, row by row, as {@linkcode heightfieldMesh} takes them. */
export interface HeightImage {
  /** Columns. */
  width: number;
  /** Rows. */
  height: number;
  /** width × height samples. */
  samples: Uint8Array | Uint16Array | Float32Array;
  /** The sample that stands for the highest place: 255, 65,535, or 1 for numbers. */
  white: number;
  /** Channels that say something else than the samples, and are left out: colours that are not grey, transparency. */
  unused: number;
}

/** Options of {@linkcode readHeightImage}. */
export interface ReadHeightImageOptions {
  /** Columns and rows of raw samples, which do not say themselves. */
  size?: readonly [width: number, height: number];
}

const PNG_MAGIC = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Channels by PNG colour type; a palette has no heights. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

function broken(message: string, found?: unknown, allowed?: unknown): never {
  throw meshError("HEIGHTFIELD-IMAGE", message, {
    ...(found === undefined ? {} : { found }),
    ...(allowed === undefined ? {} : { allowed }),
  });
}

/** Header, data and end of a PNG; what else stands in it may be compressed too, and is not needed. */
function pngChunks(bytes: Uint8Array): Map<string, Uint8Array[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const out = new Map<string, Uint8Array[]>([["IHDR", []], ["IDAT", []]]);
  let at = PNG_MAGIC.length;
  while (at + 12 <= bytes.length) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const end = at + 12 + length;
    if (end > bytes.length) break;
    out.get(type)?.push(bytes.subarray(at, end));
    if (type === "IEND") {
      out.set(type, [bytes.subarray(at, end)]);
      return out;
    }
    at = end;
  }
  return broken(`Get the image again: it ends inside a chunk, at byte ${at}`);
}

/** Refuses data that unpack to more or less than the header says, before anything is kept of them. */
function checkData(chunks: readonly Uint8Array[], wanted: number): void {
  let unpacked = 0;
  const unzlib = new Unzlib((piece) => {
    unpacked += piece.length;
    if (unpacked > wanted) {
      broken("Get the image again: its data are longer than its size says");
    }
  });
  for (const chunk of chunks) {
    unzlib.push(chunk.subarray(8, -4), chunk === chunks.at(-1));
  }
  if (unpacked < wanted) {
    broken(
      "Get the image again: its data are shorter than its size says",
      unpacked,
      wanted,
    );
  }
}

/** Bytes of the rows of a PNG, each with its filter byte; those of the seven passes of an interlaced one. */
function rowBytes(
  width: number,
  height: number,
  pixelBytes: number,
  interlaced: boolean,
): number {
  // first column and row, and steps, of each pass
  const passes = interlaced
    ? [
      [0, 0, 8, 8],
      [4, 0, 8, 8],
      [0, 4, 4, 8],
      [2, 0, 4, 4],
      [0, 2, 2, 4],
      [1, 0, 2, 2],
      [0, 1, 1, 2],
    ]
    : [[0, 0, 1, 1]];
  return passes.reduce((sum, [x, y, dx, dy]) => {
    const cols = Math.ceil((width - x) / dx);
    const rows = Math.ceil((height - y) / dy);
    return cols > 0 && rows > 0 ? sum + rows * (1 + cols * pixelBytes) : sum;
  }, 0);
}

function readPng(bytes: Uint8Array): HeightImage {
  const chunks = pngChunks(bytes);
  const [header] = chunks.get("IHDR")!;
  const data = chunks.get("IDAT")!;
  if (header?.length !== 25 || data.length === 0) {
    broken("Get the image again: it has no header or no data");
  }
  const view = new DataView(header.buffer, header.byteOffset, header.length);
  const [width, height] = [view.getUint32(8), view.getUint32(12)];
  const [depth, type] = [header[16], header[17]];
  const channels = CHANNELS[type];
  if (channels === undefined || (depth !== 8 && depth !== 16)) {
    broken(
      `Save the image with 8 or 16 bits a channel and without a palette: it has ${depth} bits, colour type ${type}`,
      { depth, type },
      { depth: [8, 16], type: [0, 2, 4, 6] },
    );
  }
  if (width === 0 || height === 0) broken("Get the image again: it is empty");
  checkLimit("samples of the image", width * height, HEIGHT_IMAGE_MAX_SAMPLES);
  const pixelBytes = channels * depth / 8;
  checkData(data, rowBytes(width, height, pixelBytes, header[20] === 1));
  const pieces = [
    Uint8Array.from(PNG_MAGIC),
    header,
    ...data,
    ...chunks.get("IEND")!,
  ];
  const size = pieces.reduce((sum, p) => sum + p.length, 0);
  const { data: values } = decode(joinChunks(pieces, size), {
    checkCrc: true,
  });
  const Samples = depth === 8 ? Uint8Array : Uint16Array;
  const samples = new Samples(width * height);
  for (let i = 0; i < samples.length; i++) samples[i] = values[i * channels];
  const white = depth === 8 ? 255 : 65_535;
  const unused = unusedChannels(samples, values, channels, white);
  return { width, height, samples, white, unused };
}

/** Channels behind the first that are not the same grey, nor opaque throughout. */
function unusedChannels(
  samples: ArrayLike<number>,
  values: ArrayLike<number>,
  channels: number,
  white: number,
): number {
  let unused = 0;
  for (let c = 1; c < channels; c++) {
    const alpha = c === channels - 1 && channels % 2 === 0;
    for (let i = 0; i < samples.length; i++) {
      if (values[i * channels + c] === (alpha ? white : samples[i])) continue;
      unused++;
      break;
    }
  }
  return unused;
}

function readRaw(
  bytes: Uint8Array,
  size: ReadHeightImageOptions["size"],
): HeightImage {
  if (!size) {
    return broken(
      "Name the width and height of the raw samples, or give a PNG: the file is none",
    );
  }
  const [width, height] = size;
  const count = width * height;
  if (!size.every((n) => Number.isInteger(n) && n > 0)) {
    broken(
      `Give a width and height of 1 or more: found ${width} x ${height}`,
      [width, height],
      ">= 1",
    );
  }
  checkLimit("samples of the image", count, HEIGHT_IMAGE_MAX_SAMPLES);
  const sampleBytes = bytes.length / count;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const each = <T extends HeightImage["samples"]>(
    out: T,
    read: (i: number) => number,
  ): T => {
    for (let i = 0; i < count; i++) out[i] = read(i);
    return out;
  };
  if (sampleBytes === 1) {
    return { width, height, samples: bytes.slice(), white: 255, unused: 0 };
  }
  if (sampleBytes === 2) {
    const read = (i: number) => view.getUint16(i * 2, true);
    const samples = each(new Uint16Array(count), read);
    return { width, height, samples, white: 65_535, unused: 0 };
  }
  if (sampleBytes === 4) {
    const read = (i: number) => view.getFloat32(i * 4, true);
    const samples = each(new Float32Array(count), read);
    const bad = samples.findIndex((x) => !Number.isFinite(x));
    if (bad >= 0) {
      broken(
        `Mend the raw samples: row ${Math.floor(bad / width)}, column ${
          bad % width
        } is ${samples[bad]}`,
        String(samples[bad]),
        "finite",
      );
    }
    return { width, height, samples, white: 1, unused: 0 };
  }
  return broken(
    `Check the size: ${width} x ${height} raw samples take ${count}, ${
      count * 2
    } or ${count * 4} bytes (u8, u16, f32), the file has ${bytes.length}`,
    bytes.length,
    [count, count * 2, count * 4],
  );
}

/**
 * Reads an image of heights: a PNG with 8 or 16 bits a channel, of which the grey or red one counts as in the payload's
 * cook, or raw rows of u8, u16 or f32 in little-endian order, told apart by the length of the file.
 *
 * @param bytes The file.
 * @param options Width and height, where the samples are raw.
 * @throws {MeshError} HEIGHTFIELD-IMAGE for a broken image or one without heights; LIMIT-EXCEEDED beyond 2^26 samples.
 *
 * @example
 * ```ts
 * import { heightfieldMesh, readHeightImage } from "@meshwright/kit/ops";
 *
 * const raw = new Uint8Array(new Uint16Array([0, 65_535, 0, 0, 65_535, 0]).buffer);
 * const image = readHeightImage(raw, { size: [3, 2] });
 * const mesh = heightfieldMesh({ ...image, elevationMax: 40 });
 * console.log(image.white, mesh.heightfield?.rows); // 65535 65
 * ```
 */
export function readHeightImage(
  bytes: Uint8Array,
  options: ReadHeightImageOptions = {},
): HeightImage {
  if (!PNG_MAGIC.every((b, i) => bytes[i] === b)) {
    return readRaw(bytes, options.size);
  }
  try {
    return readPng(bytes);
  } catch (error) {
    // the codecs throw errors of their own
    if (error instanceof MeshError) throw error;
    return broken(
      `Get the image again: ${error instanceof Error ? error.message : error}`,
    );
  }
}
