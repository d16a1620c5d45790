import type { Conversion, ConvertOptions } from "../../convert/convert.ts";
import { detectFormat } from "../../convert/detect.ts";
import { numbersOf } from "../../convert/options.ts";
import { meshError } from "../../core/errors.ts";
import { TERRAIN_CELLS } from "../../core/limits.ts";
import { type LossEntry, LossReport } from "../../core/loss.ts";
import type { HeightfieldGrid, Mesh } from "../../core/mesh.ts";
import { meshToPayload } from "../../formats/payload/mesh.ts";
import { writePayload } from "../../formats/payload/write.ts";
import { heightfieldMesh } from "../../ops/heightfield.ts";
import { type HeightImage, readHeightImage } from "../../ops/height_image.ts";
import {
  CONVERSION_OPTIONS,
  CONVERSION_OWN,
  SINGLE_FILE_OPTIONS,
} from "../conversion_options.ts";
import { type Input, readInput } from "../files.ts";
import {
  type Command,
  COMMAND_LINE,
  type OptionValues,
  UsageError,
} from "../usage.ts";
import { conversionFailed, convertInput, runConversion } from "./convert.ts";

/** `WxH`, `R x C`: two whole numbers of 1 or more. */
function pairOf(option: string, text: string): [number, number] {
  const match = /^(\d+)x(\d+)$/.exec(text);
  const pair = [Number(match?.[1]), Number(match?.[2])];
  if (pair.every((n) => n > 0)) return pair as [number, number];
  throw new UsageError(
    `Give --${option} two whole numbers above 0, such as 257x513: found "${text}"`,
  );
}

/** Cells along Z and along X; a number beyond what the cook makes is refused, not cut. */
function cellsOf(
  text: string,
  { width, height }: HeightImage,
): [rows: number, cols: number] {
  // the cook has no smaller or larger ones, so that such an image is resampled
  if (text === "image") return [height - 1, width - 1];
  const cells = /^\d+$/.test(text)
    ? [Number(text), Number(text)] as [number, number]
    : pairOf("cells", text);
  const [least, most] = TERRAIN_CELLS;
  if (cells.every((n) => n >= least && n <= most)) return cells;
  throw new UsageError(
    `Give --cells ${least} to ${most} a side: found ${text}`,
  );
}

/** The terrain of an image, as the cook makes it. */
function terrainOf(image: HeightImage, o: OptionValues): Mesh {
  if (o.elevation === undefined) {
    throw new UsageError(
      "Say how high a white sample is with --elevation, in metres",
    );
  }
  const elevations = numbersOf("elevation", o.elevation, COMMAND_LINE, [1, 2]);
  const elevationMax = elevations.pop()!;
  const [elevationMin = 0] = elevations;
  if (elevationMax <= elevationMin) {
    throw new UsageError(
      `Give --elevation a white sample above the black one (${elevationMin}): found ${elevationMax}`,
    );
  }
  const [across, deep] = numbersOf(
    "extent",
    o.extent ?? "128,128",
    COMMAND_LINE,
    [2],
  );
  if (across <= 0 || deep <= 0) {
    throw new UsageError(
      `Give --extent two numbers above 0: found "${o.extent}"`,
    );
  }
  return heightfieldMesh({
    ...image,
    elevationMin,
    elevationMax,
    halfWidth: across / 2,
    halfDepth: deep / 2,
    subdivisions: cellsOf(o.cells ?? "64", image),
  });
}

/** What the terrain does not hold of its image, in front of what the conversion loses of the terrain. */
function imageLoss(
  { width, height, unused }: HeightImage,
  { rows, cols }: HeightfieldGrid,
): LossEntry[] {
  const loss = new LossReport();
  const resampled = rows !== height || cols !== width;
  const [least, most] = TERRAIN_CELLS.map((n) => n + 1);
  const fits = [width, height].every((n) => n >= least && n <= most);
  loss.add(
    "changed",
    "heights",
    resampled ? width * height : 0,
    `resampled: ${height} rows of ${width} samples became ${rows} rows of ${cols} heights; ${
      fits
        ? "the option cells=image keeps every sample"
        : `a terrain has ${least} to ${most} a side`
    }`,
  );
  loss.add(
    "dropped",
    "channels of the image",
    unused,
    "heights are its grey, or its red",
  );
  return loss.entries;
}

/** The image of an input, or null where it is a mesh. */
function imageOf(
  { name, bytes }: Input,
  { size, from }: OptionValues,
): HeightImage | null {
  if (size !== undefined) {
    return readHeightImage(bytes, { size: pairOf("size", size) });
  }
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return readHeightImage(bytes);
  // as everywhere, the content decides: a mesh may be called like a picture
  const mesh = from !== undefined || detectFormat(bytes, name) !== null;
  if (mesh || !/\.png$/i.test(name)) return null;
  throw meshError(
    "HEIGHTFIELD-IMAGE",
    "Get the image again, or say the option size of raw samples: it is no PNG",
  );
}

async function fromImage(
  input: Input,
  image: HeightImage,
  options: ConvertOptions,
  o: OptionValues,
): Promise<Conversion> {
  const terrain = terrainOf(image, o);
  const { rows, cols } = terrain.heightfield!;
  // as a payload every conversion can begin with it
  const bytes = writePayload(meshToPayload(terrain));
  const made = await convertInput(
    { ...input, bytes },
    { ...options, from: "payload" },
  );
  const { report } = made;
  report.from = o.size === undefined ? "png" : "raw";
  report.bytes.in = input.bytes.length;
  report.loss.unshift(...imageLoss(image, terrain.heightfield!));
  report.added.unshift({
    what: "terrain",
    count: 1,
    why:
      `${rows} rows of ${cols} heights, from ${image.height} rows of ${image.width} samples, by the generator's rule`,
  });
  return made;
}

/** `meshwright heightfield`. */
export const heightfieldCommand: Command = {
  name: "heightfield",
  args: "IN OUT",
  summary: "make terrain with its collision grid from an image or a grid mesh",
  details:
    "IN is a PNG with 8 or 16 bits a channel, whose grey or red counts; raw samples in rows (u8, u16 or\nf32, little-endian, told apart by the size of the file) with --size; or a mesh whose vertices form a\ngrid, rows along Z and columns along X, evenly apart. An image becomes a mesh as the payload's cook\nmakes one: 4 to 255 cells a side, heights between samples mixed\n(the report says so); an f32 sample of 1 is as high as --elevation says. A mesh stays as it is, and\nOUT is a payload or glTF; of an image it may be any format. The report is that of convert.",
  count: [2, 2],
  options: [
    "elevation",
    "extent",
    "cells",
    "size",
    ...CONVERSION_OPTIONS.filter((o) => o !== "heightfield"),
    ...SINGLE_FILE_OPTIONS,
  ],
  own: {
    ...CONVERSION_OWN,
    size: {
      type: "text",
      value: "WxH",
      help: "columns and rows of raw samples",
    },
  },
  failed: conversionFailed,
  run: (host, args, o) =>
    runConversion(host, args, o, async (options) => {
      const input = await readInput(host, args[0]);
      const image = imageOf(input, o);
      if (image) return await fromImage(input, image, options, o);
      const lone = (["elevation", "extent", "cells"] as const)
        .find((name) => o[name] !== undefined);
      if (lone !== undefined) {
        throw new UsageError(
          `Leave out --${lone}, which is about images, or say the --size of raw samples`,
        );
      }
      return await convertInput(input, { ...options, heightfield: true });
    }),
};
