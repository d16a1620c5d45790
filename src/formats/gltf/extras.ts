/**
 * What meshwright keeps in `extras.meshwright`, since glTF has no place for it: enough to give a payload back as it was.
 *
 * @module
 */

/** Extras of the node that carries the mesh. */
export interface NodeExtras {
  /** Camera distances of LOD 1 and on, metres; null where the distance is not a finite number. */
  switchDistances?: (number | null)[];
  /** Collision heightfield: rows along +Z, columns along +X, row-major heights. */
  heightfield?: { rows: number; cols: number; heights: number[] };
  /** True for a skinned mesh whose skeleton has no joints: glTF has no skin without any. */
  emptySkeleton?: true;
  /** The choice of a body group that the node shows, or would show in place of another. */
  bodyGroup?: {
    group: string;
    groupIndex: number;
    name: string;
    choice: number;
    shown: boolean;
  };
  /** What only a Source model holds, in its own axes and inches: eyeballs, ramps of shapes, where textures may lie. */
  source?: unknown;
}

/** Extras of a joint node. */
export interface JointExtras {
  /** Pitch, yaw and roll in degrees that the rotation was made from. */
  rotationDeg: [number, number, number];
}

/** Wraps extras under the product's own key. */
export function wrapExtras(
  extras: NodeExtras | JointExtras,
): Record<string, unknown> {
  return Object.keys(extras).length > 0 ? { meshwright: extras } : {};
}

function own(extras: Record<string, unknown>): Record<string, unknown> {
  const value = extras["meshwright"];
  return typeof value === "object" && value !== null
    ? value as Record<string, unknown>
    : {};
}

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((x) => Number.isFinite(x));

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && value as number >= 0 &&
  value as number <= 0xffff_ffff;

/** Reads a joint's angles; anything malformed counts as absent. */
export function readRotationDeg(
  extras: Record<string, unknown>,
): [number, number, number] | null {
  const value = own(extras).rotationDeg;
  return isNumbers(value) && value.length === 3
    ? [value[0], value[1], value[2]]
    : null;
}

/** Reads switch distances; anything malformed counts as absent. */
export function readSwitchDistances(
  extras: Record<string, unknown>,
): (number | null)[] {
  const value = own(extras).switchDistances;
  return Array.isArray(value)
    ? value.map((x) => Number.isFinite(x) ? x as number : null)
    : [];
}

/** True when the mesh is skinned by a skeleton without joints. */
export function readEmptySkeleton(extras: Record<string, unknown>): boolean {
  return own(extras).emptySkeleton === true;
}

/** Reads a heightfield; anything malformed counts as absent. */
export function readHeightfield(
  extras: Record<string, unknown>,
): { rows: number; cols: number; heights: Float32Array } | null {
  const value = own(extras).heightfield as
    | { rows?: unknown; cols?: unknown; heights?: unknown }
    | undefined;
  if (typeof value !== "object" || value === null) return null;
  const { rows, cols, heights } = value;
  if (
    !isCount(rows) || !isCount(cols) || !isNumbers(heights) ||
    heights.length !== rows * cols
  ) return null;
  return { rows, cols, heights: Float32Array.from(heights) };
}
