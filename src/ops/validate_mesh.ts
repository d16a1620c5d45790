/**
 * Findings about the geometry of a mesh, the same for every format.
 *
 * @module
 */
import { BASES } from "../core/basis.ts";
import type { Findings } from "../core/findings.ts";
import {
  SUSPICIOUS_LARGE_METRES,
  SUSPICIOUS_SMALL_METRES,
  UNIT_LENGTH_TOLERANCE,
  WEIGHT_SUM_WARNING,
  WINDING_NOTE_SHARE,
} from "../core/limits.ts";
import { boundsOf, type Mesh } from "../core/mesh.ts";
import type { Code } from "../core/codes.ts";

/** Reports numbers that are none, once a vertex. Source's engine draws such models; other formats forbid them. */
function nonFinite(
  { basis }: Mesh,
  values: Float32Array | undefined,
  width: number,
  name: string,
  findings: Findings,
): void {
  if (!values) return;
  const severity = basis === "source" ? "warning" : "error";
  let last = -1;
  for (let i = 0; i < values.length; i++) {
    if (Number.isFinite(values[i])) continue;
    const v = Math.floor(i / width);
    if (v === last) continue;
    last = v;
    findings.add(
      "MESH-NON-FINITE",
      `vertex ${v}/${name}`,
      `Mend the source: ${name} of vertex ${v} is not finite`,
      { found: String(values[i]), allowed: "finite", severity },
    );
  }
}

/** Reports vectors without direction or of another length, as one finding each with the count. */
function lengths(
  values: Float32Array | undefined,
  width: number,
  name: string,
  zeroCode: Code,
  lengthCode: Code,
  findings: Findings,
): void {
  if (!values) return;
  const zero = { count: 0, first: -1 };
  const off = { count: 0, first: -1, worst: 1 };
  for (let i = 0; i < values.length; i += width) {
    const [x, y, z] = [values[i], values[i + 1], values[i + 2]];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!Number.isFinite(length)) continue; // MESH-NON-FINITE says it
    if (length === 0) {
      if (zero.count++ === 0) zero.first = i / width;
    } else if (Math.abs(length - 1) > UNIT_LENGTH_TOLERANCE) {
      if (off.count++ === 0) off.first = i / width;
      if (Math.abs(length - 1) > Math.abs(off.worst - 1)) off.worst = length;
    }
  }
  if (zero.count > 0) {
    findings.add(
      zeroCode,
      `vertex ${zero.first}`,
      `Rebuild the ${name}s: ${zero.count} have no direction, the first at vertex ${zero.first}`,
      { found: zero.count, allowed: 0 },
    );
  }
  if (off.count > 0) {
    findings.add(
      lengthCode,
      `vertex ${off.first}`,
      `Rebuild the ${name}s: ${off.count} are not of unit length, the worst has ${off.worst}`,
      { found: off.worst, allowed: `1 ± ${UNIT_LENGTH_TOLERANCE}` },
    );
  }
}

function tangentSigns(mesh: Mesh, findings: Findings): void {
  const { tangent } = mesh.attributes;
  if (!tangent) return;
  let count = 0;
  let first = -1;
  for (let i = 3; i < tangent.length; i += 4) {
    if (tangent[i] === 1 || tangent[i] === -1) continue;
    if (count++ === 0) first = (i - 3) / 4;
  }
  if (count > 0) {
    findings.add(
      "MESH-TANGENT-SIGN",
      `vertex ${first}`,
      `Rebuild the tangents: ${count} have a sign that is neither 1 nor -1`,
      { found: String(tangent[first * 4 + 3]), allowed: [1, -1] },
    );
  }
}

function skinWeights(mesh: Mesh, findings: Findings): void {
  const { joints, weights } = mesh.attributes;
  const k = mesh.influences;
  if (!joints || !weights || k === 0) return;
  for (let v = 0; v < mesh.vertexCount; v++) {
    let sum = 0;
    for (let i = v * k; i < (v + 1) * k; i++) {
      sum += weights[i];
      if (weights[i] < 0) {
        findings.add(
          "MESH-WEIGHT-NEGATIVE",
          `vertex ${v}/weights/${i - v * k}`,
          `Mend the weights: vertex ${v} has a weight of ${weights[i]}`,
          { found: weights[i], allowed: ">= 0" },
        );
      }
      for (let j = v * k; j < i; j++) {
        if (weights[i] > 0 && weights[j] > 0 && joints[i] === joints[j]) {
          findings.add(
            "MESH-INFLUENCE-DUPLICATE",
            `vertex ${v}/joints/${i - v * k}`,
            `Merge the influences: vertex ${v} names joint ${joints[i]} twice`,
            { found: joints[i], allowed: "each joint once" },
          );
          break;
        }
      }
    }
    if (!(Math.abs(sum - 1) <= WEIGHT_SUM_WARNING)) {
      findings.add(
        "MESH-WEIGHT-SUM",
        `vertex ${v}/weights`,
        `Normalise the weights: those of vertex ${v} sum to ${sum}`,
        {
          found: Number.isFinite(sum) ? sum : String(sum),
          allowed: `1 ± ${WEIGHT_SUM_WARNING}`,
        },
      );
    }
  }
}

/** Most of the triangles facing against their normals are reversed; of a few it is the normals that are off. */
function winding(
  level: number,
  agree: number,
  oppose: number,
  findings: Findings,
): void {
  const all = agree + oppose;
  const most = oppose > agree;
  if (!most && !(oppose > WINDING_NOTE_SHARE * all)) return;
  findings.add(
    "MESH-WINDING",
    `LOD ${level}`,
    `${
      most
        ? "Reverse the triangles or rebuild the normals"
        : "Check the normals"
    }: ${oppose} of ${all} triangles in LOD ${level} face against their normals`,
    {
      found: oppose / all,
      allowed: `<= ${WINDING_NOTE_SHARE}`,
      ...(most ? {} : { severity: "info" as const }),
    },
  );
}

function faces(mesh: Mesh, findings: Findings): void {
  const { position: p, normal: n } = mesh.attributes;
  const outward = BASES[mesh.basis].outward;
  mesh.lods.forEach(({ indices }, level) => {
    if (!indices) return;
    let degenerate = 0;
    let agree = 0;
    let oppose = 0;
    for (let i = 0; i + 2 < indices.length; i += 3) {
      const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]];
      if (Math.max(a, b, c) >= mesh.vertexCount) continue;
      const [ux, uy, uz] = [0, 1, 2].map((k) => p[b * 3 + k] - p[a * 3 + k]);
      const [vx, vy, vz] = [0, 1, 2].map((k) => p[c * 3 + k] - p[a * 3 + k]);
      const [x, y, z] = [
        uy * vz - uz * vy,
        uz * vx - ux * vz,
        ux * vy - uy * vx,
      ];
      if (x === 0 && y === 0 && z === 0) degenerate++;
      if (!n) continue;
      const side = [a, b, c].reduce(
        (s, v) => s + x * n[v * 3] + y * n[v * 3 + 1] + z * n[v * 3 + 2],
        0,
      ) * outward;
      if (side > 0) agree++;
      else if (side < 0) oppose++;
    }
    winding(level, agree, oppose, findings);
    if (degenerate > 0) {
      findings.add(
        "MESH-DEGENERATE",
        `LOD ${level}`,
        `Remove triangles without area: ${degenerate} in LOD ${level}`,
        { found: degenerate, allowed: 0 },
      );
    }
  });
}

function unitSize(mesh: Mesh, findings: Findings): void {
  const bounds = boundsOf(mesh.attributes.position);
  if (!bounds || mesh.vertexCount < 3) return;
  const extent = Math.max(...bounds.max.map((x, k) => x - bounds.min[k])) *
    BASES[mesh.basis].metres;
  if (
    extent > 0 &&
    (extent < SUSPICIOUS_SMALL_METRES || extent > SUSPICIOUS_LARGE_METRES)
  ) {
    findings.add(
      "MESH-UNIT-SIZE",
      "positions",
      `Check the unit: the mesh is ${Number(extent.toPrecision(3))} m across`,
      {
        found: extent,
        allowed: [SUSPICIOUS_SMALL_METRES, SUSPICIOUS_LARGE_METRES],
      },
    );
  }
}

/**
 * Adds the MESH findings: values that are not finite, directions without length, weights, winding against normals,
 * triangles without area, suspicious size.
 */
export function validateMesh(mesh: Mesh, findings: Findings): void {
  const a = mesh.attributes;
  nonFinite(mesh, a.position, 3, "position", findings);
  nonFinite(mesh, a.normal, 3, "normal", findings);
  nonFinite(mesh, a.tangent, 4, "tangent", findings);
  nonFinite(mesh, a.color, 4, "color", findings);
  a.uvs.forEach((uv, i) => nonFinite(mesh, uv, 2, `uv${i}`, findings));
  nonFinite(mesh, a.weights, Math.max(mesh.influences, 1), "weights", findings);
  lengths(
    a.normal,
    3,
    "normal",
    "MESH-NORMAL-ZERO",
    "MESH-NORMAL-LENGTH",
    findings,
  );
  lengths(
    a.tangent,
    4,
    "tangent",
    "MESH-TANGENT-ZERO",
    "MESH-TANGENT-LENGTH",
    findings,
  );
  tangentSigns(mesh, findings);
  skinWeights(mesh, findings);
  faces(mesh, findings);
  unitSize(mesh, findings);
}
