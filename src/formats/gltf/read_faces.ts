/**
 * Reads triangles, level by level.
 *
 * @module
 */
import type { Node, Primitive } from "@gltf-transform/core";
import { meshError } from "../../core/errors.ts";
import { checkLimit } from "../../core/limits.ts";
import { firstNotBelow } from "../../core/scan.ts";
import { determinant3 } from "../../core/matrix.ts";
import type { MaterialGroup } from "../../core/mesh.ts";
import type { Json } from "./json.ts";
import { type Levels, MsftLod } from "./msft_lod.ts";
import type { Reader } from "./reader.ts";

/** Nodes times levels of detail that are read at most: each costs time, and few bytes ask for many. */
const MAX_LEVEL_NODES = 2 ** 18;

/** Triangle list of a primitive's indices, or null when it has no triangles. */
function triangleList(
  reader: Reader,
  primitive: Primitive,
  count: number,
): Uint32Array<ArrayBuffer> | null {
  const accessor = primitive.getIndices();
  const mode = primitive.getMode();
  if (mode < 4) return null;
  const source = accessor
    ? new Uint32Array(accessor.getArray()!)
    : new Uint32Array(count).map((_, i) => i);
  const bad = firstNotBelow(source, count);
  if (bad >= 0) {
    throw meshError(
      "GLTF-INDEX-RANGE",
      `Export the file again: index ${bad} names vertex ${
        source[bad]
      } of ${count}`,
      {
        format: "gltf",
        path: "indices",
        found: source[bad],
        allowed: `< ${count}`,
      },
    );
  }
  if (mode === 4) {
    const rest = source.length % 3;
    reader.note("indices", rest, "they make no whole triangle");
    return source.subarray(0, source.length - rest);
  }
  const triangles = Math.max(0, source.length - 2);
  const out = new Uint32Array(triangles * 3);
  for (let t = 0; t < triangles; t++) {
    const corners = mode === 6
      ? [source[0], source[t + 1], source[t + 2]]
      // every other triangle of a strip winds the other way
      : [
        source[t],
        source[t + 1 + t % 2],
        source[t + 2 - t % 2],
      ];
    out.set(corners, t * 3);
  }
  return out;
}

function targetNames(extras: Json, count: number): string[] {
  const names = extras["targetNames"];
  return Array.from({ length: count }, (_, i) => {
    const name = Array.isArray(names) ? names[i] : undefined;
    return typeof name === "string" ? name : `target_${i}`;
  });
}

/** A level of detail under construction. */
export interface Level {
  indices: Uint32Array[];
  groups: MaterialGroup[];
  size: number;
}

/** Reads one node's primitives into a level. A lower level outside the tree stands where the node `base` stands. */
function readNode(
  reader: Reader,
  node: Node,
  base: Node,
  level: Level,
): void {
  const mesh = node.getMesh();
  if (!mesh) return;
  const matrix = node.getSkin() ? null : reader.place(node, base);
  for (const primitive of mesh.listPrimitives()) {
    const mode = primitive.getMode();
    if (!primitive.getAttribute("POSITION")) {
      reader.note("primitives", 1, "they have no positions");
      continue;
    }
    if (mode >= 1 && mode <= 3) {
      reader.note("line primitives", 1, "the mesh model holds triangles");
      continue;
    }
    const block = reader.block(
      primitive,
      node,
      matrix,
      targetNames(mesh.getExtras() as Json, primitive.listTargets().length),
    );
    const list = triangleList(reader, primitive, block.count);
    if (!list) continue;
    reader.hasFaces = true;
    if (matrix && determinant3(matrix) < 0) {
      for (let i = 0; i < list.length; i += 3) {
        [list[i], list[i + 2]] = [list[i + 2], list[i]];
      }
    }
    for (let i = 0; i < list.length; i++) list[i] += block.first;
    level.indices.push(list);
    level.groups.push({
      start: level.size,
      count: list.length,
      material: reader.material(primitive),
    });
    level.size += list.length;
    reader.indexCount += list.length;
    checkLimit(
      "maxIndices",
      reader.indexCount,
      reader.limits.maxIndices,
      "gltf",
    );
  }
}

/** All indices of a level. */
export function joined(level: Level): Uint32Array {
  if (level.indices.length === 1) return level.indices[0];
  const out = new Uint32Array(level.size);
  let at = 0;
  for (const part of level.indices) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A node and the lower levels of detail that stand in for it. */
export function levelNodes(node: Node): Node[] {
  const lower = node.getExtension<Levels>(MsftLod.EXTENSION_NAME);
  return [node, ...(lower?.listLevels() ?? [])];
}

/** Reads every level of detail; a node with fewer levels keeps its last one where others get coarser. */
export function readLevels(reader: Reader, holders: readonly Node[]): Level[] {
  const chains = holders.map(levelNodes);
  const count = chains.reduce((n, c) => Math.max(n, c.length), 1);
  checkLimit("maxLods", count, reader.limits.maxLods, "gltf");
  checkLimit(
    "nodes of all levels of detail",
    count * chains.length,
    MAX_LEVEL_NODES,
    "gltf",
  );
  return Array.from({ length: count }, (_, i) => {
    const level: Level = { indices: [], groups: [], size: 0 };
    for (const chain of chains) {
      readNode(reader, chain[Math.min(i, chain.length - 1)], chain[0], level);
    }
    return level;
  });
}
