/**
 * Random meshes that the importer takes, for round trips.
 *
 * @module
 */
import type { CssMesh, CssMorphTarget } from "../../src/formats/css/mod.ts";
import type { Random } from "../random.ts";

const f = Math.fround;

/** Weights that sum to one in f32. */
function weights(random: Random, count: number): number[] {
  const raw = Array.from({ length: count }, () => random.between(0.1, 1));
  const sum = raw.reduce((a, b) => a + b);
  const out = raw.map((w) => f(w / sum));
  out[0] = f(1 - out.slice(1).reduce((a, b) => a + b, 0));
  return out;
}

/** A mesh of points on a bumpy sheet, every part of the format in use. */
export function randomCss(random: Random, side = 5, channels = 2): CssMesh {
  const n = side * side;
  const points = new Float32Array(n * 3);
  for (let i = 0; i < n; i++) {
    points[i * 3] = (i % side) * 20 + random.between(-5, 5);
    points[i * 3 + 1] = Math.floor(i / side) * 20 + random.between(-5, 5);
    points[i * 3 + 2] = random.between(-9, 9);
  }
  const faces: number[] = [];
  for (let y = 0; y + 1 < side; y++) {
    for (let x = 0; x + 1 < side; x++) {
      const a = y * side + x;
      const b = a + side;
      faces.push(
        a,
        b,
        a + 1,
        random.below(3),
        a + 1,
        b,
        b + 1,
        random.below(3),
      );
    }
  }
  const rows: [number, number, number][] = [];
  for (let p = 0; p < n; p++) {
    const bones = [0, 1, 2, 3, 4, 5, 6, 7, 8].filter(() => random.below(2))
      .slice(0, 8);
    if (bones.length === 0) bones.push(random.below(9));
    weights(random, bones.length).forEach((w, i) =>
      rows.push([p, bones[i], w])
    );
  }
  const target = (name: string): CssMorphTarget => {
    const moved = Array.from({ length: n }, (_, p) => p)
      .filter(() => random.below(3) === 0);
    if (moved.length === 0) moved.push(0);
    return {
      name,
      points: Uint32Array.from(moved),
      deltas: random.floats(moved.length * 3, -3, 3),
    };
  };
  const normals = new Float32Array(n * 3);
  for (let i = 0; i < n; i++) {
    const v = random.unitVector();
    normals.set([v[0], v[1], Math.abs(v[2])], i * 3);
  }
  const q = random.unitVector();
  return {
    meshPackage: "/Game/CSSAuthoring/Random/SK_Random",
    skeletonPackage: "/Game/CSSAuthoring/Random/SKEL_Random",
    bones: Array.from({ length: 9 }, (_, i) => ({
      name: `bone "${i}" é`,
      parent: i === 0 ? -1 : random.below(i),
      translation: [f(random.between(-9, 9)), f(i), f(0.1)],
      rotation: i === 0 ? [0, 0, 0, 1] : [f(q[0]), f(q[1]), f(q[2]), 0],
      scale: [1, f(1.1), f(random.between(0.5, 2))],
    })),
    materials: ["Body", "Cloth \\ 2", "Hair\u2028"],
    points,
    uvChannels: channels,
    wedgePoints: Uint32Array.from({ length: n }, (_, i) => i),
    wedgeUvs: random.floats(n * 2 * channels, -2, 2),
    faces: Uint32Array.from(faces),
    influencePoints: Uint32Array.from(rows, (r) => r[0]),
    influenceBones: Uint32Array.from(rows, (r) => r[1]),
    influenceWeights: Float32Array.from(rows, (r) => r[2]),
    normals,
    colors: random.bytes(n * 4),
    morphTargets: [target("Hips"), target("Waist_2")],
    unknownKeys: [],
  };
}
