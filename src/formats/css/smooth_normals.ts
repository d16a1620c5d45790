/**
 * Normals for a mesh that brings none, as the engine makes them: one smoothing group over all faces.
 *
 * @module
 */
import type { CssMesh } from "./types.ts";
import { bitsOfNumber, mix, weld } from "./weld.ts";

/**
 * One unit normal a wedge. The outward normals of the faces are summed at each position, weighted by area and by the angle
 * of the corner; points on the same position share the sum, whatever their skin. A wedge without a face, or on which
 * everything cancels, gets +Z.
 *
 * @param mesh A mesh whose indices are in range.
 */
export function smoothNormals(mesh: CssMesh): Float32Array<ArrayBuffer> {
  const { points: p, faces, wedgePoints } = mesh;
  const count = p.length / 3;
  const { to, first } = weld(
    count,
    (i) =>
      mix(
        mix(mix(0, bitsOfNumber(p[i * 3])), bitsOfNumber(p[i * 3 + 1])),
        bitsOfNumber(p[i * 3 + 2]),
      ),
    (a, b) =>
      p[a * 3] === p[b * 3] && p[a * 3 + 1] === p[b * 3 + 1] &&
      p[a * 3 + 2] === p[b * 3 + 2],
  );
  const sum = new Float64Array(first.length * 3);
  /** Angle at a between b and c. */
  const angle = (a: number, b: number, c: number): number => {
    let [dot, bb, cc] = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const u = p[b * 3 + k] - p[a * 3 + k];
      const v = p[c * 3 + k] - p[a * 3 + k];
      dot += u * v;
      bb += u * u;
      cc += v * v;
    }
    const length = Math.sqrt(bb * cc);
    return length > 0 ? Math.acos(Math.min(1, Math.max(-1, dot / length))) : 0;
  };
  for (let f = 0; f < faces.length; f += 4) {
    const a = wedgePoints[faces[f]];
    const b = wedgePoints[faces[f + 1]];
    const c = wedgePoints[faces[f + 2]];
    const ux = p[b * 3] - p[a * 3];
    const uy = p[b * 3 + 1] - p[a * 3 + 1];
    const uz = p[b * 3 + 2] - p[a * 3 + 2];
    const vx = p[c * 3] - p[a * 3];
    const vy = p[c * 3 + 1] - p[a * 3 + 1];
    const vz = p[c * 3 + 2] - p[a * 3 + 2];
    // cross(C − A, B − A) points outward; its length is twice the area
    const x = vy * uz - vz * uy;
    const y = vz * ux - vx * uz;
    const z = vx * uy - vy * ux;
    const corners = [a, b, c];
    for (let k = 0; k < 3; k++) {
      const weight = angle(
        corners[k],
        corners[(k + 1) % 3],
        corners[(k + 2) % 3],
      );
      const at = to[corners[k]] * 3;
      sum[at] += x * weight;
      sum[at + 1] += y * weight;
      sum[at + 2] += z * weight;
    }
  }
  const out = new Float32Array(wedgePoints.length * 3);
  for (let w = 0; w < wedgePoints.length; w++) {
    const at = to[wedgePoints[w]] * 3;
    const [x, y, z] = [sum[at], sum[at + 1], sum[at + 2]];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length > 0 && length < Infinity) {
      out[w * 3] = x / length;
      out[w * 3 + 1] = y / length;
      out[w * 3 + 2] = z / length;
    } else out[w * 3 + 2] = 1;
  }
  return out;
}
