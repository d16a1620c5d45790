/**
 * What the MikkTSpace C code answers where no generator on npm reaches: numbers that are not finite, quads, angular
 * thresholds. The code itself is not here; the digests of its answers are.
 *
 * They were taken from the C code compiled with `gcc -O2 -ffp-contract=off` on x86-64, its weld leaving a range alone whose middle
 * is not finite, as its present revision does.
 *
 * @module
 */
import type { TangentMesh } from "../../bench/tangent_meshes.ts";
import { Random } from "../random.ts";
import { quadGrid, smallMesh } from "./small_meshes.ts";

/** A mesh with the options that matter to the C code. */
export interface Question {
  /** Triangles or faces. */
  mesh: TangentMesh;
  /** Corners of each face; all 3 unless given. */
  faceSizes?: Uint8Array;
  /** Degrees. */
  angularThreshold: number;
}

const THRESHOLDS = [0, 1, 45, 90, 120, 179.5, 180];

/** Kinds of questions, and question number `seed` of each. */
export const QUESTIONS: Readonly<Record<string, (seed: number) => Question>> = {
  "finite numbers": (seed) => ({
    mesh: smallMesh(new Random(seed)),
    angularThreshold: 180,
  }),
  "NaN, infinite and huge numbers": (seed) => ({
    mesh: smallMesh(new Random(seed), true),
    angularThreshold: 180,
  }),
  "thresholds": (seed) => {
    const random = new Random(seed);
    const mesh = smallMesh(random, seed % 2 === 1);
    return { mesh, angularThreshold: random.pick(THRESHOLDS) };
  },
  "quads": (seed) => {
    const random = new Random(seed);
    const { mesh, sizes } = quadGrid(random, seed % 2 === 1);
    const angularThreshold = random.pick([180, 180, 60]);
    return { mesh, faceSizes: sizes, angularThreshold };
  },
};

/** SHA-256 of the C code's answers to the questions 0 to 1,999 of each kind. */
export const DIGESTS: Readonly<Record<string, string>> = {
  "finite numbers":
    "8e8ba72097e56d1ee81626d20e1b99fb1819f168ade36e55e498ae77be687ca6",
  "NaN, infinite and huge numbers":
    "f0d664f14def1a88d1ee9990217a06ae154387cd933d12d3a8a367f7b0287a02",
  "thresholds":
    "7dd4d2fe4091bb8079395a73a2467af82d842538a6eb01fa6bb111beebc67f6c",
  "quads": "c991bf1277a99f44578f28fbee5432d660faf50c0125e76deead1636a67f38af",
};

/** SHA-256 of the answers to the questions 0 to 1,999, in order; any NaN counts as the same. */
export async function digestOf(
  ask: (seed: number) => Question,
  answer: (question: Question) => Float32Array,
): Promise<string> {
  const answers = Array.from({ length: 2000 }, (_, seed) => answer(ask(seed)));
  const all = new Float32Array(answers.reduce((sum, a) => sum + a.length, 0));
  let at = 0;
  for (const a of answers) {
    all.set(a, at);
    at += a.length;
  }
  const words = new Uint32Array(all.buffer);
  all.forEach((x, i) => {
    if (Number.isNaN(x)) words[i] = 0x7fc00000;
  });
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", words));
  return Array.from(digest, (b) => b.toString(16).padStart(2, "0")).join("");
}
