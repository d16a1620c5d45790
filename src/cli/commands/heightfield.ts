import type { Conversion, ConvertOptions } from "../../convert/convert.ts";
import { meshToPayload } from "../../formats/payload/mesh.ts";
import { writePayload } from "../../formats/payload/write.ts";
import { heightfieldMesh } from "../../ops/heightfield.ts";
import { type HeightImage, readHeightImage } from "../../ops/height_image.ts";
import {
  CONVERSION_OPTIONS,
  CONVERSION_OWN,
  numbersOf,
} from "../conversion_options.ts";
import { type Input, readInput } from "../files.ts";
import { type Command, type OptionValues, UsageError } from "../usage.ts";
import { convertInput, runConversion } from "./convert.ts";

/** `WxH`, `R x C`: two whole numbers of 1 or more. */
function pairOf(option: string, text: string): [number, number] {
  const match = /^(\d+)x(\d+)$/.exec(text);
  const pair = [Number(match?.[1]), Number(match?.[2])];
  if (pair.every((n) => n > 0)) return pair as [number, number];
  throw new UsageError(
    `Give --${option} two whole numbers above 0, such as 257x513: found "${text}"`,
  );
}

function subdivisionsOf(
  text: string,
  { width, height }: HeightImage,
): number | [number, number] {
  if (text === "image") return [height - 1, width - 1];
  if (/^\d+$/.test(text)) return Number(text);
  return pairOf("cells", text);
}

/** The terrain of an image as a payload, which every conversion can begin with. */
function terrainOf(image: HeightImage, o: OptionValues): Uint8Array {
  if (o.elevation === undefined) {
    throw new UsageError(
      "Say how high a white sample is with --elevation, in metres",
    );
  }
  const elevations = numbersOf("elevation", o.elevation, [1, 2]);
  const elevationMax = elevations.pop()!;
  const [elevationMin = 0] = elevations;
  const [across, deep] = numbersOf("extent", o.extent ?? "128,128", [2]);
  return writePayload(meshToPayload(heightfieldMesh({
    ...image,
    elevationMin,
    elevationMax,
    halfWidth: across / 2,
    halfDepth: deep / 2,
    subdivisions: subdivisionsOf(o.cells ?? "64", image),
  })));
}

async function fromImage(
  input: Input,
  image: HeightImage,
  options: ConvertOptions,
  o: OptionValues,
): Promise<Conversion> {
  const bytes = terrainOf(image, o);
  const made = await convertInput(
    { ...input, bytes },
    { ...options, from: "payload" },
  );
  made.report.bytes.in = input.bytes.length;
  made.report.added.unshift({
    what: "terrain",
    count: 1,
    why:
      `from ${image.width} x ${image.height} samples of the image, by the generator's rule`,
  });
  return made;
}

/** `meshwright heightfield`. */
export const heightfieldCommand: Command = {
  name: "heightfield",
  args: "IN OUT",
  summary: "make terrain with its collision grid from an image or a grid mesh",
  details:
    "IN is a PNG with 8 or 16 bits a channel, whose grey or red counts; raw samples in rows (u8, u16 or\nf32, little-endian, told apart by the size of the file) with --size; or a mesh whose vertices form a\ngrid, rows along Z and columns along X, evenly apart. An image becomes a mesh as the payload's cook\nmakes one: 4 to 255 cells a side, heights between samples mixed; an f32 sample of 1 is --elevation.\nA mesh stays as it is, and OUT is a payload or glTF; of an image it may be any format. The report is\nthat of convert.",
  count: [2, 2],
  options: [
    "elevation",
    "extent",
    "cells",
    "size",
    ...CONVERSION_OPTIONS.filter((o) => o !== "heightfield"),
  ],
  own: {
    ...CONVERSION_OWN,
    size: {
      type: "text",
      value: "WxH",
      help: "columns and rows of raw samples",
    },
  },
  run: (host, args, o) =>
    runConversion(host, args, o, async (options) => {
      const input = await readInput(host, args[0]);
      const isPng = input.bytes[0] === 0x89 && input.bytes[1] === 0x50;
      if (isPng || o.size !== undefined) {
        const size = o.size === undefined ? {} : {
          size: pairOf("size", o.size),
        };
        const image = readHeightImage(input.bytes, size);
        return await fromImage(input, image, options, o);
      }
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
