/**
 * Light and colours of a preview. Square roots stand in for the display's gamma: unlike powers they have the same bits on
 * every runtime.
 *
 * @module
 */

/** A linear colour. */
export type Rgb = readonly [number, number, number];

/** Colour where nothing is drawn. */
export const BACKGROUND = 0x20252d;
/** Faces between the lines of a wire model. */
export const WIRE_FACE = 0x282e38;
/** Lines of a wire model. */
export const WIRE_LINE = 0x9cc4f0;
/** Lines of a wire model whose triangle turns its back. */
export const WIRE_BACK = 0x5a6f88;

/** One calm colour a material, in turn; the first is the neutral one. */
export const MATERIALS: readonly Rgb[] = [
  [0.62, 0.63, 0.66],
  [0.66, 0.53, 0.36],
  [0.38, 0.52, 0.66],
  [0.44, 0.58, 0.4],
  [0.64, 0.42, 0.42],
  [0.5, 0.44, 0.64],
  [0.36, 0.58, 0.58],
  [0.66, 0.62, 0.42],
];

/** The inside of a surface: reversed triangles are seen at once. */
export const BACK: Rgb = [0.5, 0.2, 0.12];

/** The light, over the beholder's left shoulder; a unit vector in the picture's axes. */
const KEY = [-0.48, 0.6, 0.64] as const;

function pack(red: number, green: number, blue: number): number {
  const byte = (x: number) =>
    Math.round(255 * Math.sqrt(Math.min(1, Math.max(0, x))));
  return byte(red) * 0x10000 + byte(green) * 0x100 + byte(blue);
}

/** How much light a surface gives back; its normal is of unit length and in the picture's axes. */
function light(x: number, y: number, z: number): number {
  const key = Math.max(0, x * KEY[0] + y * KEY[1] + z * KEY[2]);
  const sky = 0.5 + 0.5 * y;
  return 0.1 + 0.2 * sky + 0.72 * key + 0.1 * Math.max(0, z);
}

/** The normal scaled to unit length; one without direction faces the beholder. */
function unit(x: number, y: number, z: number): Rgb {
  const length = Math.sqrt(x * x + y * y + z * z);
  return length > 0 && length < Infinity
    ? [x / length, y / length, z / length]
    : [0, 0, 1];
}

/**
 * Colour of a lit surface.
 *
 * @param x Normal in the picture's axes, of any length.
 * @param back True when the triangle turns its back.
 */
export function lit(
  x: number,
  y: number,
  z: number,
  material: number,
  back: boolean,
): number {
  const [nx, ny, nz] = unit(x, y, z);
  const turn = back ? -1 : 1;
  const l = light(turn * nx, turn * ny, turn * nz);
  const [red, green, blue] = back
    ? BACK
    : MATERIALS[material % MATERIALS.length];
  return pack(red * l, green * l, blue * l);
}

/** Colour of a point; those that face away are darker. */
export function pointColor(x: number, y: number, z: number): number {
  const [nx, ny, nz] = unit(x, y, z);
  const [red, green, blue] = MATERIALS[2];
  const l = nz < 0 ? 0.2 : 0.3 + light(nx, ny, nz);
  return pack(red * l, green * l, blue * l);
}

/** A direction as a colour: −1 to 1 become 0 to 255. */
export function directionColor(x: number, y: number, z: number): number {
  const byte = (v: number) => Math.round(127.5 + 127.5 * v);
  const [nx, ny, nz] = unit(x, y, z);
  return byte(nx) * 0x10000 + byte(ny) * 0x100 + byte(nz);
}
