/**
 * Reads skins: joints, parents first, and what binds vertices to them.
 *
 * @module
 */
import type { Node, Skin } from "@gltf-transform/core";
import { checkLimit } from "../../core/limits.ts";
import {
  composeTrs,
  decomposeTrs,
  multiply,
  quaternionFromEulerDegrees,
} from "../../core/matrix.ts";
import type { MeshJoint } from "../../core/mesh.ts";
import { readRotationDeg } from "./extras.ts";
import { inverseBindOf } from "./inverse_bind.ts";
import type { Json } from "./json.ts";
import { floats } from "./read_attributes.ts";
import type { Block, Reader } from "./reader.ts";

/** Largest difference between an inverse bind matrix and the inverse of the bind pose that counts as rounding. */
const BIND_TOLERANCE = 1e-4;
/** Joint nodes of all skins, parents first, each once. */
function orderJoints(reader: Reader, skins: readonly Skin[]): Node[] {
  const nodes = [...new Set(skins.flatMap((s) => reader.joints(s)))];
  const known = new Set(nodes);
  const parentOf = (n: Node): Node | null => {
    let p = n.getParentNode();
    while (p && !known.has(p)) p = p.getParentNode();
    return p;
  };
  const placed = new Set<Node>();
  const out: Node[] = [];
  // stable: passes over what is left until every parent stands before its children
  let left = nodes;
  while (left.length > 0) {
    const later: Node[] = [];
    for (const n of left) {
      const p = parentOf(n);
      if (!p || placed.has(p)) {
        placed.add(n);
        out.push(n);
      } else later.push(n);
    }
    left = later;
  }
  return out;
}

/** Inverse bind matrices by joint; the first skin that has one for a joint counts. */
function readInverseBinds(
  reader: Reader,
  skins: readonly Skin[],
): Map<Node, Float32Array> {
  const out = new Map<Node, Float32Array>();
  for (const skin of skins) {
    const matrices = skin.getInverseBindMatrices()?.getArray();
    if (!matrices) continue;
    reader.joints(skin).forEach((node, i) => {
      const m = Float32Array.from(matrices.subarray(i * 16, i * 16 + 16));
      const why = !m.every(Number.isFinite)
        ? "they are not finite; the bind pose gives them"
        : [0, 0, 0, 1].some((x, row) => m[row * 4 + 3] !== x)
        ? "their last row is not 0 0 0 1; it was set so"
        : null;
      if (why) reader.note("inverse bind matrices", 1, why);
      if (!m.every(Number.isFinite)) return;
      [0, 0, 0, 1].forEach((x, row) => m[row * 4 + 3] = x);
      const first = out.get(node);
      if (!first) out.set(node, m);
      else if (first.some((x, k) => x !== m[k])) {
        reader.note(
          "inverse bind matrices",
          1,
          "another skin binds the same joint elsewhere; the first one counts",
        );
      }
    });
  }
  return out;
}

export function readSkeleton(
  reader: Reader,
  skins: readonly Skin[],
): { joints: MeshJoint[]; index: Map<Node, number> } {
  const nodes = orderJoints(reader, skins);
  checkLimit("maxJoints", nodes.length, reader.limits.maxJoints, "gltf");
  const index = new Map(nodes.map((n, i) => [n, i]));
  const inverseBind = readInverseBinds(reader, skins);
  const joints = nodes.map((node): MeshJoint => {
    let parent = node.getParentNode();
    while (parent && !index.has(parent)) parent = parent.getParentNode();
    // nodes between two joints belong to the joint's own transform
    const between = reader.transform(node.getParentNode(), parent);
    const own = reader.trs(node);
    const trs = between
      ? decomposeTrs(
        multiply(
          between,
          composeTrs(own.translation, own.rotation, own.scale),
        ),
      )
      : own;
    const out: MeshJoint = {
      name: node.getName(),
      parent: parent ? index.get(parent)! : -1,
      ...trs,
    };
    const degrees = between ? null : readRotationDeg(node.getExtras() as Json);
    // angles from extras hold only while nobody has turned the node since
    if (degrees && sameRotation(degrees, out.rotation)) {
      out.rotationDeg = degrees;
    }
    return out;
  });
  const world: number[][] = [];
  joints.forEach((joint, i) => {
    const local = composeTrs(joint.translation, joint.rotation, joint.scale);
    world.push(
      joint.parent < 0 ? local : multiply(world[joint.parent], local),
    );
    const stored = inverseBind.get(nodes[i]);
    const computed = inverseBindOf(world[i]);
    const size = computed.reduce((m, x) => Math.max(m, Math.abs(x)), 1);
    if (
      stored &&
      Array.from(stored).some((x, k) =>
        !(Math.abs(x - computed[k]) <= BIND_TOLERANCE * size)
      )
    ) joint.inverseBind = stored;
  });
  return { joints, index };
}

function sameRotation(
  degrees: [number, number, number],
  rotation: readonly number[],
): boolean {
  return quaternionFromEulerDegrees(degrees)
    .every((x, k) => Math.fround(x) === Math.fround(rotation[k]));
}

/** Joints and weights of all blocks; `jointOf` turns a block's joint slot into a joint of the mesh, null when there is none. */
export function readInfluences(
  reader: Reader,
  prefix: "" | "_",
  jointOf: (block: Block, slot: number) => number | null,
): { joints: Uint16Array; weights: Float32Array; influences: number } | null {
  const setsOf = (b: Block) => {
    let n = 0;
    while (b.primitive.getAttribute(`${prefix}JOINTS_${n}`)) n++;
    return n;
  };
  const sets = reader.blocks.reduce((n, b) => Math.max(n, setsOf(b)), 0);
  if (sets === 0) return null;
  const influences = sets * 4;
  const joints = new Uint16Array(reader.vertexCount * influences);
  const weights = new Float32Array(reader.vertexCount * influences);
  let unknown = 0;
  for (const b of reader.blocks) {
    for (let set = 0; set < setsOf(b); set++) {
      const j = b.primitive.getAttribute(`${prefix}JOINTS_${set}`)!;
      const w = b.primitive.getAttribute(`${prefix}WEIGHTS_${set}`);
      if (!w) continue;
      const weight = floats(w, 4, 0);
      const joint = floats(j, 4, 0);
      for (let v = 0; v < b.count; v++) {
        for (let k = 0; k < 4; k++) {
          const at = (b.first + v) * influences + set * 4 + k;
          weights[at] = weight[v * 4 + k];
          const known = jointOf(b, joint[v * 4 + k]);
          if (known === null && weights[at] !== 0) unknown++;
          joints[at] = known ?? 0;
        }
      }
    }
  }
  reader.note(
    "joint numbers",
    unknown,
    "they name no joint of the skin, and became the first",
  );
  return { joints, weights, influences };
}
