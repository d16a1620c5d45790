/**
 * Colours of vertices: what each mode shows.
 *
 * @module
 */
import { MATERIALS } from "../src/preview/colors.ts";
import type { ShownMesh } from "./protocol.ts";

/** How the mesh is shown. */
export const MODES = [
  "solid",
  "wire",
  "normals",
  "tangents",
  "uv",
  "weights",
] as const;

/** Name of a mode. */
export type Mode = (typeof MODES)[number];

type Rgb = [number, number, number];

/** Display value (0 to 1) to the linear one that three.js expects of vertex colours. */
const linear = (x: number) => x * x;

function directions(values: Float32Array, width: number): Float32Array {
  const out = new Float32Array(values.length / width * 3);
  for (let v = 0; v * width < values.length; v++) {
    for (let k = 0; k < 3; k++) {
      out[v * 3 + k] = linear(0.5 + 0.5 * values[v * width + k]);
    }
  }
  return out;
}

/** From blue for 0 over green and yellow to red for 1. */
export function heat(weight: number): Rgb {
  const stops: readonly Rgb[] = [
    [0.13, 0.2, 0.42],
    [0.1, 0.55, 0.6],
    [0.45, 0.75, 0.25],
    [0.95, 0.8, 0.2],
    [0.85, 0.2, 0.15],
  ];
  const at = Math.min(1, Math.max(0, weight)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(at));
  const mix = (k: number) =>
    stops[i][k] + (at - i) * (stops[i + 1][k] - stops[i][k]);
  return [mix(0), mix(1), mix(2)];
}

/** A colour a joint, neighbours far apart. */
function jointColor(joint: number): Rgb {
  const hue = (joint * 0.618034) % 1;
  const channel = (shift: number) =>
    0.55 + 0.35 * Math.cos(2 * Math.PI * (hue + shift));
  return [channel(0), channel(1 / 3), channel(2 / 3)];
}

/** Weights of one joint as heat, or every joint in its own colour. */
function weightColors(mesh: ShownMesh, joint: number | null): Float32Array {
  const out = new Float32Array(mesh.vertexCount * 3);
  const { joints, weights, influences } = mesh;
  for (let v = 0; v < mesh.vertexCount; v++) {
    const sum: Rgb = [0, 0, 0];
    let own = 0;
    for (let i = v * influences; i < (v + 1) * influences; i++) {
      const weight = weights![i];
      if (joints![i] === joint) own += weight;
      jointColor(joints![i]).forEach((c, k) => sum[k] += weight * c);
    }
    const color = joint === null ? sum : heat(own);
    out.set(color.map(linear), v * 3);
  }
  return out;
}

/** Points have no faces to be lit: their light is in their colour. */
function litPoints(mesh: ShownMesh): Float32Array {
  const out = new Float32Array(mesh.vertexCount * 3);
  const base = MATERIALS[2];
  for (let v = 0; v < mesh.vertexCount; v++) {
    const n = mesh.normal?.subarray(v * 3, v * 3 + 3) ?? [0, 1, 0];
    const light = 0.6 + 0.35 * n[1] + 0.25 * Math.abs(n[2] + n[0]) / 2;
    out.set(base.map((c) => c * light), v * 3);
  }
  return out;
}

/** Colours for a mode, three numbers a vertex; null where the material's own colour is shown. */
export function colorsFor(
  mesh: ShownMesh,
  mode: Mode,
  joint: number | null,
): Float32Array | null {
  if (mode === "normals" && mesh.normal) return directions(mesh.normal, 3);
  if (mode === "tangents" && mesh.tangent) return directions(mesh.tangent, 4);
  if (mode === "weights" && mesh.weights) return weightColors(mesh, joint);
  const points = mesh.lods[0].indices === null;
  if (points && mode === "uv" && mesh.uv) {
    const out = new Float32Array(mesh.vertexCount * 3);
    const wrap = (x: number) => linear(x - Math.floor(x));
    for (let v = 0; v < mesh.vertexCount; v++) {
      out.set([wrap(mesh.uv[v * 2]), wrap(mesh.uv[v * 2 + 1]), 0.1], v * 3);
    }
    return out;
  }
  return points ? litPoints(mesh) : null;
}

/** True when a mesh has what a mode shows. */
export function hasMode(mesh: ShownMesh, mode: Mode): boolean {
  switch (mode) {
    case "normals":
      return mesh.normal !== null;
    case "tangents":
      return mesh.tangent !== null;
    case "uv":
      return mesh.uv !== null;
    case "weights":
      return mesh.weights !== null && mesh.influences > 0;
    default:
      return true;
  }
}
