/**
 * Which options of a conversion the page offers, and what it calls them.
 *
 * @module
 */
import type { ConvertOptionName } from "../src/convert/options.ts";
import type { FormatId } from "../src/core/formats.ts";

/** An option as the page shows it. */
export interface Shown {
  readonly label: string;
  /** What may be written there, for a text. */
  readonly example?: string;
  /** Inputs that it is for; any when left out. */
  readonly from?: FormatId;
  /** Outputs that it is for; any when left out. */
  readonly to?: readonly FormatId[];
}

/** The options that the page offers, in their order; the others are for the command line. */
export const PAGE_OPTIONS: Readonly<
  Partial<Record<ConvertOptionName, Shown>>
> = {
  lod: { label: "Level" },
  lods: { label: "Levels kept, 0 to", example: "all" },
  skin: { label: "Skin", from: "mdl" },
  bodygroup: { label: "Body groups", example: "hat=1, or all", from: "mdl" },
  scale: { label: "Scale" },
  basis: { label: "Axes" },
  tangents: { label: "Tangents" },
  normals: { label: "Normals" },
  "build-lods": {
    label: "New levels",
    example: "0.5,0.25 or 2",
    to: ["gltf", "payload", "smd"],
  },
  "lod-rule": { label: "New levels by", to: ["gltf", "payload", "smd"] },
  lenient: { label: "Take a mesh that its importer would refuse", from: "css" },
  split: {
    label: "Several payloads when one can not hold it",
    to: ["payload"],
  },
};
