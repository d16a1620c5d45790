/**
 * Writes samples/: small files made from formulas alone.
 *
 * * `lantern.vvd`: a turned lantern of two meshes, glass and frame, with 3 LODs whose vertices need fixups.
 * * `terrain.payload`: a static 33 × 25 hill with 2 further LODs and its collision heightfield.
 * * `buoy.mdl`, `.vvd`, `.dx90.vtx`: a whole Source model, see `sample_model.ts`.
 * * `figure.payload`: a skinned, four-joint reed with three morph targets and a further LOD.
 *
 * Coordinates come from small rational formulas and {@linkcode sinCosDegrees}, so the bytes are the same on every machine.
 */
import { sinCosDegrees } from "../src/core/matrix.ts";
import { sparsifyMorphs } from "../src/kernels/morphs.ts";
import { payloadNormals, payloadTangents } from "../src/ops/payload_frames.ts";
import { buildFixups, writeVvd } from "../src/formats/vvd/mod.ts";
import { buoy } from "./sample_model.ts";
import {
  serialiseHeightfieldTrailer,
  serialiseSkinnedWithLods,
  serialiseWithLods,
} from "../src/formats/payload/mod.ts";

type Point = [number, number, number];

/** Distinguishes the sample's three files from real models at a glance. */
const CHECKSUM = 0x1a27e12d;

const unit = ([x, y, z]: Point): Point => {
  const length = Math.sqrt(x * x + y * y + z * z);
  return [x / length, y / length, z / length];
};

/** One vertex of the lantern and the lowest detail that still needs it. */
interface Turned {
  position: Point;
  normal: Point;
  tangent: Point;
  uv: [number, number];
  bones: [number, number];
  lower: number;
  lod: number;
}

/** Lowest detail that still has ring or segment `i`. */
const coarsest = (i: number) => i % 4 === 0 ? 2 : i % 2 === 0 ? 1 : 0;

/**
 * A surface of revolution about Source's up axis, in inches. Every fourth ring and segment survives to LOD 2, every second
 * to LOD 1.
 */
function turn(
  profile: readonly [number, number][],
  segments: number,
): Turned[] {
  const out: Turned[] = [];
  profile.forEach(([radius, height], ring) => {
    const before = profile[Math.max(0, ring - 1)];
    const after = profile[Math.min(profile.length - 1, ring + 1)];
    // the profile's outward normal: its direction turned by a quarter
    const [dr, dh] = [after[0] - before[0], after[1] - before[1]];
    for (let s = 0; s <= segments; s++) {
      const [sin, cos] = sinCosDegrees((s * 360) / segments);
      const keep = Math.min(coarsest(ring), coarsest(s));
      out.push({
        position: [radius * cos, radius * sin, height],
        normal: unit([dh * cos, dh * sin, -dr]),
        tangent: [-sin, cos, 0],
        uv: [s / segments, 1 - ring / (profile.length - 1)],
        bones: [0, 1],
        lower: Math.min(1, Math.max(0, 1 - height / 20)),
        lod: keep,
      });
    }
  });
  return out;
}

function lantern(): Uint8Array {
  const glass = turn(
    Array.from({ length: 17 }, (_, i): [number, number] => {
      const [sin] = sinCosDegrees(20 + (i * 140) / 16);
      return [5 * sin, 4 + i * 0.75];
    }),
    24,
  );
  const frame = turn(
    [
      [0.5, 0],
      [6, 0],
      [6.5, 0.5],
      [6.5, 1.5],
      [6, 2],
      [4, 3],
      [2.5, 17],
      [3, 18],
      [1, 20],
    ],
    16,
  );
  const meshes = [glass, frame];
  const all = meshes.flat();
  const { poolOrder, fixups, numLODVertexes } = buildFixups(
    meshes.map((mesh) => mesh.map((v) => v.lod)),
    3,
  );
  const vertexData = new Uint8Array(all.length * 48);
  const tangentData = new Uint8Array(all.length * 16);
  const vertices = new DataView(vertexData.buffer);
  const tangents = new DataView(tangentData.buffer);
  poolOrder.forEach((from, i) => {
    const v = all[from];
    const weights = [Math.fround(v.lower), 1 - Math.fround(v.lower)];
    const bones = weights[0] === 1 || weights[1] === 1 ? 1 : 2;
    const first = weights[0] === 0 ? 1 : 0;
    for (let k = 0; k < bones; k++) {
      vertices.setFloat32(
        i * 48 + 4 * k,
        bones === 1 ? 1 : weights[k],
        true,
      );
      vertexData[i * 48 + 12 + k] = v.bones[bones === 1 ? first : k];
    }
    vertexData[i * 48 + 15] = bones;
    v.position.forEach((x, k) =>
      vertices.setFloat32(i * 48 + 16 + 4 * k, x, true)
    );
    v.normal.forEach((x, k) =>
      vertices.setFloat32(i * 48 + 28 + 4 * k, x, true)
    );
    v.uv.forEach((x, k) => vertices.setFloat32(i * 48 + 40 + 4 * k, x, true));
    [...v.tangent, 1].forEach((x, k) =>
      tangents.setFloat32(i * 16 + 4 * k, x, true)
    );
  });
  return writeVvd({
    version: 4,
    checksum: CHECKSUM,
    numLODs: 3,
    numLODVertexes,
    fixups,
    fixupTableStart: 0,
    vertexDataStart: 0,
    tangentDataStart: 0,
    vertexData,
    tangentData,
    extra: [],
    original: null,
  });
}

/** Triangles of a grid that visits every `step`-th row and column, counter-clockwise from above. */
function gridTriangles(rows: number, cols: number, step: number): number[] {
  const out: number[] = [];
  for (let r = 0; r + step < rows; r += step) {
    for (let c = 0; c + step < cols; c += step) {
      const tl = r * cols + c;
      const [tr, bl] = [tl + step, tl + step * cols];
      out.push(tl, bl, tr, tr, bl, bl + step);
    }
  }
  return out;
}

function terrain(): Uint8Array {
  const [rows, cols] = [25, 33]; // rows along +Z, columns along +X
  const count = rows * cols;
  const pos = new Float32Array(count * 3);
  const color = new Float32Array(count * 3);
  const uv = new Float32Array(count * 2);
  const heights = new Float32Array(count);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      const i = r * cols + c;
      const [x, z] = [c - 16, r - 12];
      const ripple = sinCosDegrees(x * 20)[0] * sinCosDegrees(z * 25)[1];
      const height = 5 / (1 + (x * x + z * z) / 40) + ripple / 2;
      pos.set([x, height, z], i * 3);
      heights[i] = height;
      const snow = Math.min(1, Math.max(0, (height - 2) / 3));
      color.set([0.3 + snow * 0.6, 0.5 + snow * 0.4, 0.2 + snow * 0.7], i * 3);
      uv.set([c / (cols - 1), r / (rows - 1)], i * 2);
    }
  }
  const indices = gridTriangles(rows, cols, 1);
  const list = Uint32Array.from(indices);
  const normal = payloadNormals(pos, list);
  const tangent = payloadTangents(pos, normal, uv, list);
  const payload = serialiseWithLods(
    { count, pos, normal, tangent, color, uv },
    indices,
    [2, 4].map((step, i) => ({
      switchDistance: 60 * (i + 1),
      indices: Uint16Array.from(gridTriangles(rows, cols, step)),
    })),
  );
  const trailer = serialiseHeightfieldTrailer({ rows, cols, heights });
  const out = new Uint8Array(payload.length + trailer.length);
  out.set(payload);
  out.set(trailer, payload.length);
  return out;
}

function figure(): Uint8Array {
  const [rings, segments, joints] = [17, 12, 4];
  const cols = segments + 1;
  const count = rings * cols;
  const pos = new Float32Array(count * 3);
  const uv = new Float32Array(count * 2);
  const slots = new Uint16Array(count * 4);
  const weights = new Float32Array(count * 4);
  for (let r = 0; r < rings; r++) {
    const height = (r / (rings - 1)) * 2;
    const radius = 0.2 - height * 0.06;
    // between joints at 0, 0.5, 1 and 1.5 m the weight moves from one to the next
    const at = Math.min(height / 0.5, joints - 1);
    const lower = Math.floor(at);
    const upper = Math.fround(at - lower);
    for (let s = 0; s < cols; s++) {
      const i = r * cols + s;
      const [sin, cos] = sinCosDegrees((s * 360) / segments);
      pos.set([radius * cos, height, -radius * sin], i * 3);
      uv.set([s / segments, 1 - r / (rings - 1)], i * 2);
      slots.set([lower, upper > 0 ? lower + 1 : 0, 0, 0], i * 4);
      weights.set([1 - upper, upper, 0, 0], i * 4);
    }
  }
  const triangles = (step: number) => {
    const out: number[] = [];
    for (let r = 0; r + step < rings; r += step) {
      for (let s = 0; s + step < cols; s += step) {
        const low = r * cols + s;
        const high = low + step * cols;
        out.push(low, low + step, high, high, low + step, high + step);
      }
    }
    return out;
  };
  const indices = triangles(1);
  const list = Uint32Array.from(indices);
  const normal = payloadNormals(pos, list);
  const tangent = payloadTangents(pos, normal, uv, list);

  const names = ["bulge", "twist", "tip"];
  const dense = new Float32Array(names.length * count * 6);
  for (let i = 0; i < count; i++) {
    const [x, y, z] = pos.subarray(i * 3, i * 3 + 3);
    const bulge = Math.max(0, 1 - (y - 1) * (y - 1) * 4);
    dense.set([x * bulge, 0, z * bulge], i * 6);
    const [sin, cos] = sinCosDegrees(y * 30);
    dense.set(
      [x * cos - z * sin - x, 0, x * sin + z * cos - z],
      (count + i) * 6,
    );
    if (y > 1.7) dense.set([0, (y - 1.7) * 0.5, 0], (2 * count + i) * 6);
  }
  const morphs = sparsifyMorphs(dense, names, count);
  return serialiseSkinnedWithLods(
    {
      count,
      pos,
      normal,
      tangent,
      color: new Float32Array(count * 3).fill(1),
      uv,
      joints: slots,
      weights,
    },
    indices,
    Array.from({ length: joints }, (_, i) => ({
      name: ["root", "lower", "middle", "upper"][i],
      parent: i - 1,
      translation: [0, i === 0 ? 0 : 0.5, 0] as const,
      rotationDeg: [0, i === 2 ? 15 : 0, 0] as const,
      scale: [1, 1, 1] as const,
    })),
    { ...morphs, normal: morphs.normal! },
    [{ switchDistance: 12, indices: Uint16Array.from(triangles(2)) }],
  );
}

const out = new URL("../samples/", import.meta.url);
const model = buoy();
for (
  const [name, make] of [
    ["lantern.vvd", lantern],
    ["terrain.payload", terrain],
    ["figure.payload", figure],
    ["buoy.mdl", () => model.mdl],
    ["buoy.vvd", () => model.vvd],
    ["buoy.dx90.vtx", () => model.vtx],
  ] as const
) {
  const bytes = make();
  await Deno.writeFile(new URL(name, out), bytes);
  console.log(`samples/${name}: ${bytes.length} bytes`);
}
