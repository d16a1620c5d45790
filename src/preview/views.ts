/**
 * Where a picture is taken from. Directions are in glTF's axes (+Y up), into which every mesh is moved before it is drawn.
 *
 * @module
 */
import type { BasisId } from "../core/basis.ts";

/** Names of the views. Left and right are the beholder's, seen from the front. */
export const VIEWS = [
  "front",
  "back",
  "left",
  "right",
  "top",
  "bottom",
  "iso",
] as const;

/** Name of a view. */
export type ViewName = (typeof VIEWS)[number];

/** A direction. */
export type Direction = readonly [number, number, number];

/** The picture's axes; right-handed and of unit length. */
export interface ViewAxes {
  /** To the right in the picture. */
  readonly right: Direction;
  /** Up in the picture. */
  readonly up: Direction;
  /** Out of the picture, towards the beholder. */
  readonly toward: Direction;
}

const UP: Direction = [0, 1, 0];

function combine(...terms: readonly [number, Direction][]): Direction {
  const sum = [0, 1, 2].map((k) =>
    terms.reduce((total, [factor, d]) => total + factor * d[k], 0)
  );
  return [sum[0], sum[1], sum[2]];
}

/**
 * Where the front of a model is, in glTF's axes. A Source model looks along +X, and +X stays +X; glTF says +Z, which the
 * other formats agree with once they are moved.
 */
function frontOf(basis: BasisId): Direction {
  return basis === "source" ? [1, 0, 0] : [0, 0, 1];
}

/**
 * The axes of a view.
 *
 * @param basis Convention that the mesh came from: it says where the front is.
 * @param view Name of the view.
 */
export function viewAxes(basis: BasisId, view: ViewName): ViewAxes {
  const front = frontOf(basis);
  // up × front: to the right of who stands before the model
  const right: Direction = [front[2], 0, -front[0]];
  const minus = (d: Direction) => combine([-1, d]);
  switch (view) {
    case "front":
      return { right, up: UP, toward: front };
    case "back":
      return { right: minus(right), up: UP, toward: minus(front) };
    case "left":
      return { right: front, up: UP, toward: minus(right) };
    case "right":
      return { right: minus(front), up: UP, toward: right };
    case "top":
      return { right, up: minus(front), toward: UP };
    case "bottom":
      return { right, up: front, toward: minus(UP) };
    case "iso": {
      const [half, third, sixth] = [1 / 2, 1 / 3, 1 / 6].map(Math.sqrt);
      return {
        right: combine([half, right], [-half, front]),
        up: combine([2 * sixth, UP], [-sixth, right], [-sixth, front]),
        toward: combine([third, front], [third, right], [third, UP]),
      };
    }
  }
}
