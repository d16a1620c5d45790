/**
 * Triangles of a VTX's strips.
 *
 * @module
 */
import type { VtxLayout, VtxMesh, VtxStrip } from "./types.ts";

const STRIP_IS_LIST = 1;
const STRIP_IS_STRIP_OR_QUADS = 2;
const STRIP_IS_QUADS = 4;

type Shape = "list" | "strip" | "quads";

/** What a strip's indices form. Flag 2 meant a triangle strip until the large layout came and made it quads. */
function shapeOf(flags: number, layout: VtxLayout): Shape {
  if (flags & STRIP_IS_LIST) return "list";
  if (flags & STRIP_IS_QUADS) return "quads";
  if (flags & STRIP_IS_STRIP_OR_QUADS) {
    return layout === "25/27" ? "strip" : "quads";
  }
  return "list";
}

/** Most indices that the triangles of a mesh take; joints of strips take fewer. */
export function mostIndices(mesh: VtxMesh, layout: VtxLayout): number {
  let sum = 0;
  for (const group of mesh.stripGroups) {
    for (const { flags, indexCount } of group.strips) {
      const shape = shapeOf(flags, layout);
      sum += shape === "list"
        ? indexCount - indexCount % 3
        : shape === "quads"
        ? Math.floor(indexCount / 4) * 6
        : Math.max(0, indexCount - 2) * 3;
    }
  }
  return sum;
}

function addStrip(
  out: Uint32Array,
  at: number,
  strip: VtxStrip,
  shape: Shape,
  corner: (i: number) => number,
): number {
  const n = strip.indexCount;
  const put = (a: number, b: number, c: number) => {
    out[at++] = a;
    out[at++] = b;
    out[at++] = c;
  };
  if (shape === "list") {
    for (let i = 0; i + 2 < n; i += 3) {
      put(corner(i), corner(i + 1), corner(i + 2));
    }
  } else if (shape === "quads") {
    for (let i = 0; i + 3 < n; i += 4) {
      put(corner(i), corner(i + 1), corner(i + 2));
      put(corner(i), corner(i + 2), corner(i + 3));
    }
  } else {
    for (let i = 0; i + 2 < n; i++) {
      // every other triangle of a strip runs the other way around
      const [a, b] = i % 2 === 0 ? [i, i + 1] : [i + 1, i];
      const [x, y, z] = [corner(a), corner(b), corner(i + 2)];
      // strips are joined by triangles without area
      if (x !== y && y !== z && z !== x) put(x, y, z);
    }
  }
  return at;
}

/**
 * Adds the triangles of a mesh: all strip groups, all strips, in file order and stored winding, as vertices of the mesh.
 *
 * @param out Room for {@linkcode mostIndices}.
 * @param at Where to begin.
 * @returns Where it ended.
 */
export function addTriangles(
  out: Uint32Array,
  at: number,
  mesh: VtxMesh,
  layout: VtxLayout,
): number {
  for (const { strips, indices, vertices } of mesh.stripGroups) {
    for (const strip of strips) {
      const corner = (i: number) => vertices[indices[strip.indexOffset + i]];
      at = addStrip(out, at, strip, shapeOf(strip.flags, layout), corner);
    }
  }
  return at;
}
