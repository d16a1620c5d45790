/**
 * Draws a mesh without a graphics card: parallel projection, depth, light by the normals. The same mesh gives the same
 * pixels on every runtime; nothing here is computed by a function whose last bit is the runtime's choice.
 *
 * @module
 */
import { meshError } from "../core/errors.ts";
import type { Mesh } from "../core/mesh.ts";
import { convertBasis } from "../ops/convert_basis.ts";
import { Band, type Corner, SAMPLES, type Shade } from "./band.ts";
import {
  BACKGROUND,
  directionColor,
  lit,
  pointColor,
  WIRE_BACK,
  WIRE_FACE,
  WIRE_LINE,
} from "./colors.ts";
import { type ViewAxes, viewAxes, type ViewName } from "./views.ts";

/** How surfaces are drawn. */
export const MODES = ["solid", "wire", "normals"] as const;

/** How surfaces are drawn: lit, as lines with what they hide left out, or coloured by the direction of the normals. */
export type ModeName = (typeof MODES)[number];

/** Smallest and largest side of a picture, in pixels. */
export const SIDES = [16, 4096] as const;

/** Options of {@linkcode drawMesh}. */
export interface DrawOptions {
  /** Where it is seen from; "iso" unless given. */
  view?: ViewName;
  /** How it is drawn; "solid" unless given. */
  mode?: ModeName;
  /** Width in pixels, 800 unless given. */
  width?: number;
  /** Height in pixels, 600 unless given. */
  height?: number;
}

/** A picture: rows from the top, three bytes a pixel. */
export interface Picture {
  /** Pixels in a row. */
  width: number;
  /** Rows. */
  height: number;
  /** Red, green, blue. */
  pixels: Uint8Array;
}

/** Rows that are drawn at a time: bounds the memory of large pictures. */
const BAND_ROWS = 128;
/** How far a back lies behind a front in the same plane, as a part of the extent: rounding must not mix the two. */
const BACK_BEHIND = 1e-4;
/** Width of a line in pixels. */
const LINE_WIDTH = 1.1;

function checkSide(path: "width" | "height", found: number): void {
  const [least, most] = SIDES;
  if (Number.isInteger(found) && found >= least && found <= most) return;
  throw meshError(
    "ARGUMENT",
    `Give a ${path} of ${least} to ${most} pixels: found ${found}`,
    { path, found, allowed: `${least} to ${most}` },
  );
}

/** A triangle with where it is drawn. */
interface Face {
  corners: readonly [number, number, number];
  /** Number of its material's colour. */
  color: number;
  /** True when it turns its back. */
  back: boolean;
  /** True when it is seen edge-on. */
  edgeOn: boolean;
  top: number;
  bottom: number;
}

/** A mesh on its way into a picture. */
interface Stage {
  corners: Corner[];
  /** What backs are drawn farther away than they are. */
  behind: number;
  /** Whether a vertex has a place: all its coordinates are finite. */
  finite: (v: number) => boolean;
  /** The normal of a vertex in the picture's axes. */
  normals: Float64Array | null;
  /** The same in glTF's axes, for their colours. */
  world: Float32Array | null;
}

/** Projects vectors onto three axes. */
function project(
  values: Float32Array,
  axes: readonly (readonly [number, number, number])[],
): Float64Array {
  const out = new Float64Array(values.length);
  for (let i = 0; i < values.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const [x, y, z] = axes[k];
      out[i + k] = x * values[i] + y * values[i + 1] + z * values[i + 2];
    }
  }
  return out;
}

/** Places the vertices in the picture, the drawn ones in its middle and as large as its margin leaves. */
function stageOf(
  mesh: Mesh,
  { right, up, toward }: ViewAxes,
  drawn: Iterable<number>,
  width: number,
  height: number,
): Stage {
  const axes = [right, up, toward];
  const place = project(mesh.attributes.position, axes);
  const finite = (v: number) =>
    Number.isFinite(place[v * 3] + place[v * 3 + 1] + place[v * 3 + 2]);
  const min = [Infinity, Infinity];
  const max = [-Infinity, -Infinity];
  for (const v of drawn) {
    if (!finite(v)) continue;
    for (let k = 0; k < 2; k++) {
      min[k] = Math.min(min[k], place[v * 3 + k]);
      max[k] = Math.max(max[k], place[v * 3 + k]);
    }
  }
  const margin = 2 + 0.05 * Math.min(width, height);
  // an extent of nothing must not make the other one infinite
  const fit = Math.min(
    (width - 2 * margin) / (max[0] - min[0]),
    (height - 2 * margin) / (max[1] - min[1]),
  );
  const scale = SAMPLES * (Number.isFinite(fit) ? fit : 0);
  const middle = [0, 1].map((k) => min[k] / 2 + max[k] / 2);
  const corners = Array.from({ length: mesh.vertexCount }, (_, v) => ({
    x: width * SAMPLES / 2 + (place[v * 3] - middle[0]) * scale,
    y: height * SAMPLES / 2 - (place[v * 3 + 1] - middle[1]) * scale,
    depth: place[v * 3 + 2],
  }));
  const world = mesh.attributes.normal ?? null;
  const extent = Math.max(max[0] - min[0], max[1] - min[1]);
  return {
    corners,
    behind: Number.isFinite(extent) ? extent * BACK_BEHIND : 0,
    finite,
    normals: world ? project(world, axes) : null,
    world,
  };
}

/**
 * Number of each material's colour. Where there are sets of materials to choose from, a name has the same colour in all of
 * them, so that the choice shows.
 */
function colorNumbers({ materials, variants }: Mesh): number[] {
  if (!variants) return materials.map((_, slot) => slot);
  const names = [...new Set(variants.flatMap((v) => v.materials))];
  return materials.map((name, slot) => {
    const known = names.indexOf(name);
    return known < 0 ? slot : known;
  });
}

function facesOf(mesh: Mesh, stage: Stage): Face[] {
  const { indices, groups } = mesh.lods[0];
  const faces: Face[] = [];
  if (!indices) return faces;
  const colors = colorNumbers(mesh);
  const runs = groups.length > 0
    ? groups
    : [{ start: 0, count: indices.length, material: 0 }];
  for (const { start, count, material, part } of runs) {
    if (part !== undefined && mesh.parts?.[part]?.shown === false) continue;
    for (let i = start; i + 2 < start + count; i += 3) {
      const corners = [indices[i], indices[i + 1], indices[i + 2]] as const;
      if (!corners.every((v) => v < mesh.vertexCount && stage.finite(v))) {
        continue;
      }
      const [a, b, c] = corners.map((v) => stage.corners[v]);
      // rows go down, so what is counter-clockwise has a negative area here
      const area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
      faces.push({
        corners,
        color: colors[material] ?? material,
        back: area > 0,
        edgeOn: area === 0,
        top: Math.min(a.y, b.y, c.y),
        bottom: Math.max(a.y, b.y, c.y),
      });
    }
  }
  return faces;
}

/** The flat normal of a face in the picture's axes. */
function faceNormal(
  [a, b, c]: readonly Corner[],
): [number, number, number] {
  const [px, py, pz] = [b.x - a.x, a.y - b.y, b.depth - a.depth];
  const [qx, qy, qz] = [c.x - a.x, a.y - c.y, c.depth - a.depth];
  return [py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx];
}

/** A colour for every place of a face. */
function shadeOf(face: Face, stage: Stage, mode: ModeName): Shade {
  if (mode === "wire") {
    const line = face.back ? WIRE_BACK : WIRE_LINE;
    const half = LINE_WIDTH / 2 * SAMPLES;
    return (_a, _b, _c, edge) => edge < half ? line : WIRE_FACE;
  }
  const values = mode === "normals" ? stage.world : stage.normals;
  const [i, j, k] = face.corners.map((v) => v * 3);
  const color = mode === "normals"
    ? directionColor
    : (x: number, y: number, z: number) => lit(x, y, z, face.color, face.back);
  if (!values) {
    const flat = faceNormal(face.corners.map((v) => stage.corners[v]));
    const one = color(...flat);
    return () => one;
  }
  return (a, b, c) =>
    color(
      a * values[i] + b * values[j] + c * values[k],
      a * values[i + 1] + b * values[j + 1] + c * values[k + 1],
      a * values[i + 2] + b * values[j + 2] + c * values[k + 2],
    );
}

function drawFace(band: Band, face: Face, stage: Stage, mode: ModeName): void {
  const away = face.back ? stage.behind : 0;
  const [a, b, c] = face.corners.map((v): Corner => {
    const { x, y, depth } = stage.corners[v];
    return { x, y, depth: depth - away };
  });
  const shade = shadeOf(face, stage, mode);
  if (!face.edgeOn) {
    band.triangle(a, b, c, shade);
    return;
  }
  // seen from the side a flat thing is still there
  const radius = LINE_WIDTH / 2 * SAMPLES;
  const color = shade(1 / 3, 1 / 3, 1 / 3, 0);
  for (const [p, q] of [[a, b], [b, c], [c, a]]) band.line(p, q, radius, color);
}

function drawPoint(
  band: Band,
  v: number,
  stage: Stage,
  radius: number,
  mode: ModeName,
): void {
  const n = (values: ArrayLike<number> | null) =>
    values
      ? [values[v * 3], values[v * 3 + 1], values[v * 3 + 2]] as const
      : [0, 0, 1] as const;
  const color = mode === "wire"
    ? WIRE_LINE
    : mode === "normals"
    ? directionColor(...n(stage.world))
    : pointColor(...n(stage.normals));
  band.disc(stage.corners[v], radius, color);
}

/** Radius of a point in samples: many small ones, few large ones. */
function pointRadius(count: number, width: number, height: number): number {
  const most = Math.min(width, height) / 150;
  const room = 0.4 * Math.sqrt(width * height / Math.max(1, count));
  return SAMPLES * Math.max(0.7, Math.min(most, room));
}

/**
 * Draws level 0 of a mesh; of a mesh without faces its vertices.
 *
 * @throws {MeshError} ARGUMENT for a size outside 16 to 4096 pixels.
 */
export function drawMesh(mesh: Mesh, options: DrawOptions = {}): Picture {
  const { view = "iso", mode = "solid", width = 800, height = 600 } = options;
  checkSide("width", width);
  checkSide("height", height);
  const moved = convertBasis(mesh, "gltf").mesh;
  const level = moved.lods[0].indices;
  const drawn = level
    ? level.filter((v) => v < mesh.vertexCount)
    : Uint32Array.from({ length: mesh.vertexCount }, (_, v) => v);
  const axes = viewAxes(mesh.basis, view);
  const stage = stageOf(moved, axes, drawn, width, height);
  const faces = facesOf(moved, stage);
  const points = level ? [] : [...drawn].filter(stage.finite);
  const radius = pointRadius(points.length, width, height);
  const pixels = new Uint8Array(width * height * 3);
  for (let top = 0; top < height; top += BAND_ROWS) {
    const rows = Math.min(BAND_ROWS, height - top);
    const band = new Band(width, top, rows, BACKGROUND);
    for (const face of faces) {
      if (band.touches(face.top - SAMPLES, face.bottom + SAMPLES)) {
        drawFace(band, face, stage, mode);
      }
    }
    for (const v of points) drawPoint(band, v, stage, radius, mode);
    band.resolve(pixels);
  }
  return { width, height, pixels };
}
