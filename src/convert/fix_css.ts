/**
 * Safe repairs of a CSS authored mesh: `validate --fix OUT`.
 *
 * @module
 */
import { type LossEntry, LossReport } from "../core/loss.ts";
import { meshError } from "../core/errors.ts";
import type { Pieces } from "../core/pieces.ts";
import { crossSquared, rowsByPoint } from "../formats/css/judge.ts";
import { droppableFaces } from "../formats/css/mesh_to_css.ts";
import { readCssMesh } from "../formats/css/read.ts";
import {
  CSS_DEGENERATE,
  CSS_NORMAL_TOLERANCE,
  CSS_SUM_TOLERANCE,
  type CssMesh,
} from "../formats/css/types.ts";
import { cssText, type WriteCssOptions } from "../formats/css/write.ts";

const f = Math.fround;

/** Largest |sum of weights − 1| that is mended: more is no rounding but a mistake. */
const MENDABLE_SUM = 0.01;

/** Result of {@linkcode fixCss}. */
export interface FixedCss {
  /** The mended file, made as it is written. */
  text: Pieces;
  /** What was mended. */
  loss: LossEntry[];
}

function fixWeights(css: CssMesh, loss: LossReport): CssMesh {
  const { starts, order } = rowsByPoint(
    css.influencePoints,
    css.points.length / 3,
  );
  const weights = css.influenceWeights.slice();
  let [count, largest] = [0, 0];
  for (let p = 0; p + 1 < starts.length; p++) {
    const rows = order.subarray(starts[p], starts[p + 1]);
    const sum = rows.reduce((s, i) => s + weights[i], 0);
    const off = Math.abs(sum - 1);
    if (off <= CSS_SUM_TOLERANCE / 2 || off > MENDABLE_SUM) continue;
    if (rows.some((i) => !(weights[i] > 0))) continue; // for a person to mend
    count++;
    largest = Math.max(largest, off);
    let top = rows[0];
    let others = 0;
    for (const i of rows) {
      weights[i] = weights[i] / sum;
      if (weights[i] > weights[top]) top = i;
    }
    for (const i of rows) if (i !== top) others += weights[i];
    // the largest takes up what rounding left over
    weights[top] = 1 - others;
  }
  loss.add(
    "repaired",
    "weights of points",
    count,
    "they summed to one within 1 % and were divided by their sum",
    { largest, demanded: true },
  );
  return { ...css, influenceWeights: weights };
}

function fixNormals(css: CssMesh, loss: LossReport): CssMesh {
  if (!css.normals) return css;
  const n = css.normals.slice();
  let [count, largest] = [0, 0];
  for (let i = 0; i < n.length; i += 3) {
    const square = f(
      f(f(n[i] * n[i]) + f(n[i + 1] * n[i + 1])) + f(n[i + 2] * n[i + 2]),
    );
    if (Math.abs(f(square - 1)) <= CSS_NORMAL_TOLERANCE) continue;
    const length = Math.sqrt(n[i] ** 2 + n[i + 1] ** 2 + n[i + 2] ** 2);
    if (!(length > 0)) continue; // no direction: for a person to mend
    count++;
    largest = Math.max(largest, Math.abs(length - 1));
    for (let k = 0; k < 3; k++) n[i + k] = n[i + k] / length;
  }
  loss.add("repaired", "normals", count, "they were not of unit length", {
    largest,
    demanded: true,
  });
  return { ...css, normals: n };
}

function fixFaces(css: CssMesh, loss: LossReport): CssMesh {
  const { faces, wedgePoints: w, points: p } = css;
  const total = faces.length / 4;
  const bad = new Uint8Array(total);
  let count = 0;
  for (let i = 0; i < total; i++) {
    const [a, b, c] = [0, 1, 2].map((k) => w[faces[i * 4 + k]]);
    bad[i] = crossSquared(p, a, b, c) < CSS_DEGENERATE ? 1 : 0;
    count += bad[i];
  }
  if (count === 0) return css;
  const most = Math.min(Math.floor(droppableFaces(total)), total - 1);
  if (count > most) {
    throw meshError(
      "CSS-DEGENERATE-COUNT",
      `Mend the source: ${count} of ${total} faces have no area, at most ${most} are dropped`,
      { format: "css", path: "/faces", found: count, allowed: most },
    );
  }
  loss.add(
    "repaired",
    "faces",
    count,
    "they have no area in f32, and were left out",
    { demanded: true },
  );
  return {
    ...css,
    faces: faces.filter((_, i) => bad[Math.floor(i / 4)] === 0),
  };
}

function fixWinding(css: CssMesh, loss: LossReport): CssMesh {
  const { faces, wedgePoints: w, points: p, normals: n } = css;
  if (!n) return css;
  let agree = 0;
  let oppose = 0;
  for (let i = 0; i < faces.length; i += 4) {
    const corners = [faces[i], faces[i + 1], faces[i + 2]];
    const [a, b, c] = corners.map((x) => w[x] * 3);
    const u = [0, 1, 2].map((k) => p[b + k] - p[a + k]);
    const v = [0, 1, 2].map((k) => p[c + k] - p[a + k]);
    // cross(C − A, B − A) points outward
    const side = [0, 1, 2].reduce((sum, k) => {
      const [x, y] = [(k + 1) % 3, (k + 2) % 3];
      const out = v[x] * u[y] - v[y] * u[x];
      return sum + corners.reduce((s, q) => s + out * n[q * 3 + k], 0);
    }, 0);
    if (side > 0) agree++;
    else if (side < 0) oppose++;
  }
  if (oppose <= agree) return css;
  const turned = faces.slice();
  for (let i = 0; i < faces.length; i += 4) {
    turned[i] = faces[i + 2];
    turned[i + 2] = faces[i];
  }
  loss.add(
    "repaired",
    "faces",
    faces.length / 4,
    `${oppose} of ${
      oppose + agree
    } faced against their normals, so all were turned around`,
  );
  return { ...css, faces: turned };
}

/**
 * Mends what can be mended without a choice: weights that sum to one within 1 %, normals that are not of unit length, a few
 * faces without area, and a whole mesh whose faces oppose its normals by majority. Everything else stays, and is refused
 * when the importer would refuse it.
 *
 * @throws {MeshError} As {@linkcode readCssMesh} and {@linkcode cssText}; CSS-DEGENERATE-COUNT.
 */
export function fixCss(
  bytes: Uint8Array,
  options: WriteCssOptions = {},
): FixedCss {
  const loss = new LossReport();
  let css = readCssMesh(
    bytes,
    options.limits ? { limits: options.limits } : {},
  );
  loss.add(
    "dropped",
    "keys",
    css.unknownKeys.length,
    `the importer ignores them: ${css.unknownKeys.slice(0, 5).join(", ")}`,
  );
  css = fixWeights(css, loss);
  css = fixNormals(css, loss);
  css = fixFaces(css, loss);
  css = fixWinding(css, loss);
  return { text: cssText(css, options), loss: loss.entries };
}
