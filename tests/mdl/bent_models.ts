/**
 * The corpus models of which fewer than 99 % of the triangles agree with their normals. In all of them the triangles are
 * wound as their neighbours are, and it is the stored normals that are off.
 *
 * @module
 */

/** One model: triangles that agree, and those that agree or oppose. */
export interface BentModel {
  /** In the files. */
  stored: [agree: number, counted: number];
  /** In the glTF that is made of them, where normals without direction took that of the faces. */
  written: [agree: number, counted: number];
  /** What is wrong with the normals. */
  why: string;
}

/** By the name of the model. */
export const BENT: Readonly<Record<string, BentModel>> = {
  "9m31f": {
    stored: [150, 408],
    written: [150, 408],
    why:
      "the list of sources notes it: the normals are those of parts turned otherwise",
  },
  tv_plasma_4_3: {
    stored: [44, 174],
    written: [44, 174],
    why:
      "the normals are a quarter turn about Z and a mirror image in Z away from the faces",
  },
  wedge: {
    stored: [3, 6],
    written: [3, 6],
    why: "corners have normals of neighbouring sides, of length pi / 2",
  },
  wiretool_input: {
    stored: [210, 216],
    written: [210, 216],
    why:
      "two of the three corners of a cap's six triangles have normals of the side",
  },
  fab250: {
    stored: [2053, 2112],
    written: [2053, 2112],
    why:
      "fins of two faces back to back share their normals, and slivers have those of the hull: 0.1 % of the surface",
  },
  aim54: {
    stored: [580, 600],
    written: [600, 608],
    why:
      "65 vertices have no normal; eight small triangles have those of their back",
  },
};
