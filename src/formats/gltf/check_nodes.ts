/**
 * Checks nodes, scenes and skins of a glTF.
 *
 * @module
 */
import {
  checkLimit,
  GLTF_MAX_NODE_DEPTH,
  type Limits,
} from "../../core/limits.ts";
import {
  fail,
  isObject,
  type Json,
  objects,
  reference,
  references,
} from "./json.ts";

/** Nodes form trees: every child has one parent and no path returns to itself. */
export function checkNodes(json: Json, limits: Limits): void {
  const nodes = objects(json, "nodes");
  const meshes = objects(json, "meshes");
  const skins = objects(json, "skins");
  const parent = new Int32Array(nodes.length).fill(-1);
  nodes.forEach((node, n) => {
    const path = `/nodes/${n}`;
    reference(node, "mesh", path, meshes);
    reference(node, "skin", path, skins);
    for (
      const [key, size] of [
        ["translation", 3],
        ["rotation", 4],
        ["scale", 3],
        ["matrix", 16],
      ] as const
    ) {
      const value = node[key];
      if (value === undefined) continue;
      if (
        !Array.isArray(value) || value.length !== size ||
        !value.every((x) => Number.isFinite(x))
      ) {
        fail(
          "GLTF-STRUCTURE",
          `${path}/${key}`,
          `Export the file again: ${path}/${key} is not ${size} finite numbers`,
        );
      }
    }
    for (const child of references(node, "children", path, nodes)) {
      if (parent[child] >= 0) {
        fail(
          "GLTF-STRUCTURE",
          `${path}/children`,
          `Export the file again: node ${child} has two parents, ${
            parent[child]
          } and ${n}`,
          child,
        );
      }
      parent[child] = n;
    }
    const extensions = node.extensions;
    if (isObject(extensions) && extensions.MSFT_lod !== undefined) {
      if (!isObject(extensions.MSFT_lod)) {
        fail(
          "GLTF-STRUCTURE",
          `${path}/extensions/MSFT_lod`,
          "Export the file again: MSFT_lod is not an object",
        );
      }
      const ids = references(
        extensions.MSFT_lod,
        "ids",
        `${path}/extensions/MSFT_lod`,
        nodes,
      );
      checkLimit("maxLods", ids.length + 1, limits.maxLods, "gltf");
    }
  });
  for (let n = 0; n < nodes.length; n++) {
    let steps = 0;
    for (let p = parent[n]; p >= 0; p = parent[p]) {
      if (p === n || ++steps > nodes.length) {
        fail(
          "GLTF-STRUCTURE",
          `/nodes/${n}`,
          `Export the file again: node ${n} is its own ancestor`,
          n,
        );
      }
      // a chain is walked at most once a node; long chains are cut by their own length
      if (steps > GLTF_MAX_NODE_DEPTH) {
        fail(
          "GLTF-STRUCTURE",
          `/nodes/${n}`,
          `Flatten the node tree: node ${n} lies deeper than ${GLTF_MAX_NODE_DEPTH}`,
          steps,
          GLTF_MAX_NODE_DEPTH,
        );
      }
    }
  }
  objects(json, "scenes").forEach((scene, i) =>
    void references(scene, "nodes", `/scenes/${i}`, nodes)
  );
  reference(json, "scene", "", objects(json, "scenes"));
  const accessors = objects(json, "accessors");
  skins.forEach((skin, i) => {
    const path = `/skins/${i}`;
    const joints = references(skin, "joints", path, nodes);
    reference(skin, "skeleton", path, nodes);
    const inverse = reference(skin, "inverseBindMatrices", path, accessors);
    if (
      inverse !== null &&
      (accessors[inverse].type !== "MAT4" ||
        accessors[inverse].componentType !== 5126 ||
        (accessors[inverse].count as number) < joints.length)
    ) {
      fail(
        "GLTF-STRUCTURE",
        `${path}/inverseBindMatrices`,
        `Export the file again: ${path} needs one 4 x 4 matrix of floats a joint`,
      );
    }
  });
}
