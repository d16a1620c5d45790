/**
 * Pictures of meshes without a graphics card.
 *
 * @module
 */
import { encode } from "fast-png";
import type { Picture } from "./draw.ts";

export {
  drawMesh,
  type DrawOptions,
  type ModeName,
  MODES,
  type Picture,
  SIDES,
} from "./draw.ts";
export {
  type Direction,
  type ViewAxes,
  viewAxes,
  type ViewName,
  VIEWS,
} from "./views.ts";

/** A picture as a PNG file; the same picture gives the same bytes on every runtime. */
export function writePng({ width, height, pixels }: Picture): Uint8Array {
  return encode(
    { width, height, data: pixels, channels: 3, depth: 8 },
    { zlib: { level: 9 } },
  );
}
