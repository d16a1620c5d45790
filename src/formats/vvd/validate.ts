/**
 * What is doubtful in a VVD that can be read.
 *
 * @module
 */
import type { Findings } from "../../core/findings.ts";
import { RECORD_BYTES, TANGENT_BYTES } from "../../kernels/replay.ts";
import { endOfPools, extraBytes, extraIndex } from "./read.ts";
import { fixupSum } from "./replay.ts";
import { type Vvd, VVD_FIXUP_BYTES, VVD_HEADER_BYTES } from "./types.ts";

/** Adds the findings of the file's structure. Findings about the geometry come from the mesh. */
export function validateVvd(vvd: Vvd, findings: Findings): void {
  const pool = vvd.numLODVertexes[0];
  if (pool > 0 && !vvd.vertexData) {
    findings.add(
      "VVD-NO-VERTICES",
      "byte 56",
      `Use the complete file: the header counts ${pool} vertices, but vertexDataStart is 0`,
      { found: 0, allowed: "> 0" },
    );
  }
  validateCounts(vvd, findings);
  // Without vertices nothing backs the header's count, and a map of it could take any amount of memory.
  if (vvd.fixups.length > 0 && vvd.vertexData) validateFixups(vvd, findings);
  validatePlacement(vvd, findings);
  validateBoneCounts(vvd, findings);
}

function validateCounts(vvd: Vvd, findings: Findings): void {
  for (let i = 1; i < vvd.numLODs; i++) {
    const [above, here] = [vvd.numLODVertexes[i - 1], vvd.numLODVertexes[i]];
    if (here > above) {
      findings.add(
        "VVD-LOD-ORDER",
        `byte ${16 + 4 * i}`,
        `Check the counts: LOD ${i} needs ${here} vertices, more than the ${above} of LOD ${
          i - 1
        }`,
        { found: here, allowed: above },
      );
    }
  }
  for (let i = 0; i < vvd.numLODs; i++) {
    const want = vvd.numLODVertexes[i];
    if (vvd.fixups.length > 0) {
      const sum = fixupSum(vvd, i);
      if (sum !== want) {
        findings.add(
          "VVD-FIXUP-SUM",
          `byte ${vvd.fixupTableStart}`,
          `Compile the model again: the fixups of root LOD ${i} hold ${sum} vertices, numLODVertexes says ${want}`,
          { found: sum, allowed: want },
        );
      }
    }
  }
}

function validateFixups(vvd: Vvd, findings: Findings): void {
  const pool = vvd.numLODVertexes[0];
  const seen = new Uint8Array(pool);
  let overlap = 0;
  let first = -1;
  vvd.fixups.forEach((row, i) => {
    if (row.lod < 0 || row.lod >= vvd.numLODs) {
      findings.add(
        "VVD-FIXUP-LOD",
        `byte ${vvd.fixupTableStart + i * VVD_FIXUP_BYTES}`,
        `Compile the model again: fixup ${i} names LOD ${row.lod} of ${vvd.numLODs}`,
        { found: row.lod, allowed: `0 to ${vvd.numLODs - 1}` },
      );
    }
    // Many overlapping rows must not cost more than the pool: stop counting once everything repeats.
    if (overlap > pool) return;
    for (let v = 0; v < row.numVertexes; v++) {
      if (seen[row.sourceVertexID + v]) {
        overlap++;
        if (first < 0) first = i;
      } else seen[row.sourceVertexID + v] = 1;
    }
  });
  if (overlap > 0) {
    findings.add(
      "VVD-FIXUP-OVERLAP",
      `byte ${vvd.fixupTableStart + first * VVD_FIXUP_BYTES}`,
      `Compile the model again: fixup ${first} repeats vertices of an earlier one`,
      { found: overlap, allowed: 0 },
    );
  }
  const missing = seen.reduce((n, s) => n + (s ? 0 : 1), 0);
  if (missing > 0) {
    findings.add(
      "VVD-FIXUP-COVER",
      `byte ${vvd.fixupTableStart}`,
      `Compile the model again: the fixups leave out ${missing} of ${pool} vertices`,
      { found: pool - missing, allowed: pool },
    );
  }
}

function validatePlacement(vvd: Vvd, findings: Findings): void {
  const pool = vvd.numLODVertexes[0];
  const usualVertices = Math.ceil(
    (VVD_HEADER_BYTES + vvd.fixups.length * VVD_FIXUP_BYTES) / 16,
  ) * 16;
  const usualTangents = usualVertices + pool * RECORD_BYTES;
  if (
    (vvd.vertexData && vvd.vertexDataStart !== usualVertices) ||
    (vvd.tangentData && vvd.tangentDataStart !== usualTangents) ||
    (vvd.fixups.length > 0 && vvd.fixupTableStart !== VVD_HEADER_BYTES)
  ) {
    findings.add(
      "VVD-PLACEMENT",
      "byte 52",
      "Nothing to do: the tables stand elsewhere than the compiler puts them",
      {
        found: [
          vvd.fixupTableStart,
          vvd.vertexDataStart,
          vvd.tangentDataStart,
        ],
        allowed: [VVD_HEADER_BYTES, usualVertices, usualTangents],
      },
    );
  }
  const regions = [
    ["header", 0, VVD_HEADER_BYTES],
    [
      "fixups",
      vvd.fixupTableStart,
      vvd.fixups.length * VVD_FIXUP_BYTES,
    ],
    [
      "vertices",
      vvd.vertexDataStart,
      vvd.vertexData ? pool * RECORD_BYTES : 0,
    ],
    [
      "tangents",
      vvd.tangentDataStart,
      vvd.tangentData ? pool * TANGENT_BYTES : 0,
    ],
  ] as const;
  const used = regions.filter(([, , size]) => size > 0)
    .toSorted((a, b) => a[1] - b[1]);
  for (let i = 1; i < used.length; i++) {
    const [before, start, size] = used[i - 1];
    if (start + size > used[i][1]) {
      findings.add(
        "VVD-OVERLAP",
        `byte ${used[i][1]}`,
        `Extract the file again: ${
          used[i][0]
        } begin inside ${before}, which end at byte ${start + size}`,
        { found: used[i][1], allowed: start + size },
      );
    }
  }
  const end = endOfPools(vvd);
  const { original } = vvd;
  if (!original || original.length <= end) return;
  const blockStart = vvd.tangentDataStart + pool * TANGENT_BYTES;
  const index = vvd.tangentData ? extraIndex(original, blockStart, pool) : null;
  if (index === "broken") {
    findings.add(
      "VVD-EXTRA",
      `byte ${end}`,
      "Compile the model again: the extra-data block's index does not hold; its bytes are kept, not replayed",
    );
    return;
  }
  const last = index === null
    ? end
    : Math.max(end, blockStart + extraBytes(original, blockStart));
  if (original.length > last) {
    findings.add(
      "VVD-TRAILING",
      `byte ${last}`,
      `Nothing to do: ${
        original.length - last
      } bytes behind the last pool are kept`,
      { found: original.length - last, allowed: 0 },
    );
  }
}

function validateBoneCounts(vvd: Vvd, findings: Findings): void {
  const data = vvd.vertexData;
  if (!data) return;
  for (let v = 0, at = 15; at < data.length; v++, at += RECORD_BYTES) {
    if (data[at] >= 1 && data[at] <= 3) continue;
    findings.add(
      "VVD-BONE-COUNT",
      `vertex ${v}`,
      `Compile the model again: the vertex has ${
        data[at]
      } bones, read as ${(data[at] === 0 ? "rigid to bone 0" : "3")}`,
      { found: data[at], allowed: "1 to 3" },
    );
  }
}
