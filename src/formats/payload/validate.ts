/**
 * What is doubtful in a payload that can be read. The reference reader checks none of this.
 *
 * @module
 */
import type { Findings } from "../../core/findings.ts";
import { MORPH_DELTA_EPSILON, PAYLOAD_MAX_JOINTS } from "../../core/limits.ts";
import type { PayloadFile, PayloadJoint, PayloadMorphs } from "./types.ts";

/** Adds the findings of the file's structure. Findings about the geometry come from the mesh. */
export function validatePayload(file: PayloadFile, findings: Findings): void {
  const levels = [
    { name: "LOD 0", indices: file.indices },
    ...file.lodAlternates.map((lod, i) => ({
      name: `LOD ${i + 1}`,
      indices: lod.indices,
    })),
  ];
  for (const level of levels) {
    validateIndices(level.name, level.indices, file.vertices.count, findings);
  }
  validateLods(file, findings);
  if (file.kind === "skinned") {
    validateJoints(file.joints, findings);
    validateJointSlots(
      file.vertices.joints,
      file.vertices.weights,
      file.joints.length,
      findings,
    );
    validateMorphs(file.morphs, findings);
    if (file.morphBlock === "MRPH") {
      findings.add(
        "PAYLOAD-LEGACY-MORPHS",
        "morphs",
        "Convert through glTF to update: the morph targets are stored in the older dense block MRPH",
        { found: "MRPH", allowed: "MRPS" },
      );
    }
  } else if (file.heightfield) {
    const { rows, cols } = file.heightfield;
    if (rows < 2 || cols < 2) {
      findings.add(
        "PAYLOAD-HEIGHTFIELD-SIZE",
        "heightfield",
        `Bake a grid of at least 2 x 2: found ${rows} x ${cols}`,
        { found: [rows, cols], allowed: [2, 2] },
      );
    }
    const bad = file.heightfield.heights.findIndex((h) => !Number.isFinite(h));
    if (bad >= 0) {
      findings.add(
        "MESH-NON-FINITE",
        `heightfield/heights/${bad}`,
        "Bake the heightfield again: a height is not a finite number",
        { found: String(file.heightfield.heights[bad]), allowed: "finite" },
      );
    }
  }
  validateTrailing(file, findings);
}

function validateIndices(
  name: string,
  indices: Uint16Array,
  vertices: number,
  findings: Findings,
): void {
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] < vertices) continue;
    findings.addLazy("PAYLOAD-INDEX-RANGE", () => ({
      where: `${name}/indices/${i}`,
      message: `Build the payload again: ${name} names vertex ${
        indices[i]
      } of ${vertices}`,
      found: indices[i],
      allowed: `< ${vertices}`,
    }));
  }
  if (indices.length % 3 !== 0) {
    findings.add(
      "PAYLOAD-INDEX-TAIL",
      `${name}/indices`,
      `Build the payload again: ${name} has ${indices.length} indices, the last ${
        indices.length % 3
      } make no triangle`,
      { found: indices.length, allowed: "a multiple of 3" },
    );
  }
}

function validateLods(file: PayloadFile, findings: Findings): void {
  let before = 0;
  file.lodAlternates.forEach((lod, i) => {
    const where = `LOD ${i + 1}/switchDistance`;
    const d = lod.switchDistance;
    if (!(d > before) || d === Infinity) {
      findings.add(
        "PAYLOAD-LOD-ORDER",
        where,
        `Give ascending positive distances: LOD ${
          i + 1
        } begins at ${d}, the level before at ${before}`,
        {
          found: Number.isFinite(d) ? d : String(d),
          allowed: `> ${before}`,
        },
      );
    }
    if (Number.isFinite(d)) before = d;
    if (lod.indices.length < 3) {
      findings.add(
        "PAYLOAD-LOD-EMPTY",
        `LOD ${i + 1}/indices`,
        `Remove LOD ${i + 1}: it has no triangle`,
        { found: lod.indices.length, allowed: ">= 3" },
      );
    }
  });
  if (file.hasLodsBlock && file.lodAlternates.length === 0) {
    findings.add(
      "PAYLOAD-LODS-EMPTY",
      "LODS",
      "Nothing to do: the LODS block holds no levels",
      { found: 0, allowed: ">= 1" },
    );
  }
}

function validateNames(
  names: readonly string[],
  what: string,
  code: "PAYLOAD-JOINT-NAME" | "PAYLOAD-MORPH-NAME",
  findings: Findings,
): void {
  const first = new Map<string, number>();
  names.forEach((name, i) => {
    const before = first.get(name);
    if (name === "" || before !== undefined) {
      findings.add(
        code,
        `${what} ${i}`,
        name === ""
          ? `Name the ${what}: number ${i} has an empty name`
          : `Rename a ${what}: numbers ${before} and ${i} are both called ${
            JSON.stringify(name)
          }`,
        { found: name, allowed: "a name of its own" },
      );
    } else first.set(name, i);
    // deno-lint-ignore no-control-regex
    if (/[\x00-\x1f\x7f]/.test(name)) {
      findings.add(
        code,
        `${what} ${i}`,
        `Rename the ${what}: number ${i} has a control character in its name`,
        { found: name, allowed: "characters that print" },
      );
    }
  });
}

function validateJoints(
  joints: readonly PayloadJoint[],
  findings: Findings,
): void {
  joints.forEach((joint, i) => {
    if (joint.parent < -1 || joint.parent >= i) {
      findings.add(
        "PAYLOAD-JOINT-PARENT",
        `joint ${i}`,
        `Order joints parents first: joint ${i} names parent ${joint.parent}, the engine takes it for a root`,
        { found: joint.parent, allowed: `-1 to ${i - 1}` },
      );
    }
    for (const field of ["translation", "rotationDeg", "scale"] as const) {
      const bad = Array.from(joint[field]).find((x) => !Number.isFinite(x));
      if (bad !== undefined) {
        findings.add(
          "MESH-NON-FINITE",
          `joint ${i}/${field}`,
          `Mend the bind pose: ${field} of joint ${i} is not finite`,
          { found: String(bad), allowed: "finite" },
        );
      }
    }
  });
  validateNames(
    joints.map((j) => j.name),
    "joint",
    "PAYLOAD-JOINT-NAME",
    findings,
  );
  if (joints.length > PAYLOAD_MAX_JOINTS) {
    findings.add(
      "PAYLOAD-JOINT-COUNT",
      "joints",
      `Reduce the skeleton: ${joints.length} joints, the engine uploads ${PAYLOAD_MAX_JOINTS}`,
      { found: joints.length, allowed: PAYLOAD_MAX_JOINTS },
    );
  }
}

function validateJointSlots(
  slots: Uint16Array,
  weights: Float32Array,
  joints: number,
  findings: Findings,
): void {
  for (let i = 0; i < slots.length; i++) {
    if (slots[i] < joints || weights[i] === 0) continue;
    findings.addLazy("PAYLOAD-JOINT-RANGE", () => ({
      where: `vertex ${i >> 2}/joints/${i & 3}`,
      message: `Build the payload again: vertex ${
        i >> 2
      } is weighted to joint ${slots[i]} of ${joints}`,
      found: slots[i],
      allowed: `< ${joints}`,
    }));
  }
}

function validateMorphs(morphs: PayloadMorphs, findings: Findings): void {
  const { names, offsets, targets, position, normal } = morphs;
  validateNames(names, "morph target", "PAYLOAD-MORPH-NAME", findings);
  const moved = new Uint32Array(names.length);
  const lastVertex = new Int32Array(names.length).fill(-1);
  let tiny = 0;
  let unordered = -1;
  for (let v = 0; v + 1 < offsets.length; v++) {
    for (let e = offsets[v]; e < offsets[v + 1]; e++) {
      const t = targets[e];
      moved[t]++;
      if (lastVertex[t] === v) {
        findings.addLazy("PAYLOAD-MORPH-DUPLICATE", () => ({
          where: `vertex ${v}`,
          message:
            `Build the payload again: vertex ${v} has two entries for morph target ${t}`,
          found: t,
          allowed: "one entry a target",
        }));
      }
      lastVertex[t] = v;
      if (e > offsets[v] && t < targets[e - 1] && unordered < 0) unordered = v;
      let kept = false;
      for (let k = 0; k < 3; k++) {
        kept ||= Math.abs(position[e * 3 + k]) > MORPH_DELTA_EPSILON ||
          Math.abs(normal[e * 3 + k]) > MORPH_DELTA_EPSILON;
        const i = e * 3 + k;
        const odd = Number.isFinite(position[i]) ? normal[i] : position[i];
        if (!Number.isFinite(odd)) {
          findings.addLazy("MESH-NON-FINITE", () => ({
            where: `morph entry ${e}`,
            message:
              `Mend the morph target: entry ${e} of vertex ${v} is not finite`,
            found: String(odd),
            allowed: "finite",
          }));
        }
      }
      if (!kept) tiny++;
    }
  }
  moved.forEach((n, t) => {
    if (n === 0) {
      findings.add(
        "PAYLOAD-MORPH-EMPTY",
        `morph target ${t}`,
        `Remove morph target ${JSON.stringify(names[t])}: it moves nothing`,
        { found: 0, allowed: ">= 1 entry" },
      );
    }
  });
  if (unordered >= 0) {
    findings.add(
      "PAYLOAD-MORPH-ORDER",
      `vertex ${unordered}`,
      "Nothing to do: entries of a vertex are not in order of their targets",
    );
  }
  if (tiny > 0) {
    findings.add(
      "PAYLOAD-MORPH-TINY",
      "morphs",
      `Nothing to do: ${tiny} entries lie at or below the epsilon`,
      { found: tiny, allowed: MORPH_DELTA_EPSILON },
    );
  }
}

function validateTrailing(file: PayloadFile, findings: Findings): void {
  const { trailing } = file;
  if (trailing.length === 0) return;
  const tag = String.fromCharCode(...trailing.subarray(0, 4));
  if (["LODS", "HFLD", "MRPS", "MRPH"].includes(tag)) {
    findings.add(
      "PAYLOAD-HIDDEN-BLOCK",
      "trailing bytes",
      `Write the blocks in order: ${tag} stands where no reader looks for it`,
      { found: tag },
    );
  } else {
    findings.add(
      "PAYLOAD-TRAILING",
      "trailing bytes",
      `Nothing to do: ${trailing.length} bytes behind the last block are kept`,
      { found: trailing.length, allowed: 0 },
    );
  }
}
