/**
 * Checks a glTF before the library reads it: container, JSON depth, and every reference and size that reading depends on,
 * in arithmetic that can not wrap. What passes here makes the library neither throw nor reserve memory that the file does
 * not back.
 *
 * @module
 */
import { checkLimit, type Limits } from "../../core/limits.ts";
import { buffersOf } from "./buffers.ts";
import { checkAccessors, checkViews, isIndexType } from "./check_accessors.ts";
import { checkNodes } from "./check_nodes.ts";
import { readContainer } from "./container.ts";
import type { GltfDecoders } from "./decoders.ts";
import { inflateDraco, requirePlain, usesDraco } from "./draco.ts";
import { checkExtensions } from "./extensions.ts";
import {
  fail,
  integer,
  isObject,
  type Json,
  objects,
  objectsAt,
  reference,
  told,
} from "./json.ts";
import { inflateMeshopt, usesMeshopt, withoutFallbacks } from "./meshopt.ts";
import { slim } from "./slim.ts";

/** A checked file, ready for the library. */
export interface GuardedGltf {
  /** The JSON part as far as the mesh reader needs it. */
  json: Json;
  /** The JSON part as stored, to name what is left out. */
  original: Json;
  /** One entry a buffer: its bytes. */
  buffers: Uint8Array[];
}

function checkMeshes(json: Json, accessors: Json[], limits: Limits): void {
  const materials = objects(json, "materials");
  objects(json, "meshes").forEach((mesh, m) => {
    objectsAt(mesh, "primitives", `/meshes/${m}`).forEach((p, i) => {
      const path = `/meshes/${m}/primitives/${i}`;
      integer(p, "mode", path, 0, 6, 4);
      const indices = reference(p, "indices", path, accessors);
      if (indices !== null) {
        const { componentType, type } = accessors[indices];
        if (type !== "SCALAR" || !isIndexType(componentType)) {
          fail(
            "GLTF-STRUCTURE",
            `${path}/indices`,
            `Export the file again: ${path}/indices names an accessor of component type ${
              told(componentType)
            } and type ${told(type)}, allowed is SCALAR of 5121, 5123 or 5125`,
            [componentType, type],
          );
        }
      }
      reference(p, "material", path, materials);
      const sets = [p.attributes, ...objectsAt(p, "targets", path)];
      let vertices = -1;
      sets.forEach((set, s) => {
        const where = s === 0
          ? `${path}/attributes`
          : `${path}/targets/${s - 1}`;
        if (!isObject(set)) {
          fail(
            "GLTF-STRUCTURE",
            where,
            `Export the file again: ${where} is not an object`,
          );
        }
        for (const key of Object.keys(set)) {
          const a = integer(set, key, where, 0, accessors.length - 1);
          const count = accessors[a].count as number;
          if (vertices < 0) vertices = count;
          if (count !== vertices) {
            fail(
              "GLTF-STRUCTURE",
              `${where}/${key}`,
              `Export the file again: ${where}/${key} has ${count} elements, the others ${vertices}`,
              count,
              vertices,
            );
          }
        }
      });
      const targets = sets.length - 1;
      checkLimit("maxMorphTargets", targets, limits.maxMorphTargets, "gltf");
      checkLimit(
        "maxMorphDeltas",
        targets * vertices,
        limits.maxMorphDeltas,
        "gltf",
      );
    });
  });
}

function checkAsset(json: Json): void {
  if (!isObject(json.asset)) {
    fail(
      "GLTF-STRUCTURE",
      "/asset",
      json.asset === undefined
        ? "Give a glTF file: it has the key asset, this JSON object has neither that nor the key schema of a CSS authored mesh"
        : `Export the file again: asset is an object, found ${
          told(json.asset)
        }`,
      json.asset,
      "an object",
    );
  }
  if (!/^2\.\d+$/.test(String(json.asset.version))) {
    fail(
      "GLTF-VERSION",
      "/asset/version",
      `Export as glTF 2.0: this file says ${told(json.asset.version)}`,
      json.asset.version,
      "2.0",
    );
  }
}

/** The file with every compressed part plain, and its buffers. */
function decompressed(
  stored: Json,
  bin: Uint8Array | null,
  resources: Readonly<Record<string, Uint8Array>>,
  limits: Limits,
  { meshopt, draco }: GltfDecoders,
): { plain: Json; buffers: Uint8Array[] } {
  const inflates = meshopt !== undefined && usesMeshopt(stored);
  let plain = inflates ? withoutFallbacks(stored) : stored;
  const buffers = buffersOf(plain, bin, resources);
  if (inflates) plain = inflateMeshopt(plain, buffers, meshopt, limits);
  if (!usesDraco(plain)) return { plain, buffers };
  if (!draco) requirePlain(plain);
  else {
    checkViews(plain, buffers);
    plain = inflateDraco(plain, buffers, draco, limits);
  }
  return { plain, buffers };
}

/**
 * Checks a GLB or glTF file and takes out what the mesh reader needs: materials keep their names alone, images, textures
 * and animations are left out.
 *
 * @param bytes The file.
 * @param resources Bytes of other files by the URI that the JSON uses.
 * @param decoders Codecs for compressed files.
 */
export function guardGltf(
  bytes: Uint8Array,
  resources: Readonly<Record<string, Uint8Array>>,
  limits: Limits,
  decoders: GltfDecoders = {},
): GuardedGltf {
  checkLimit("maxInputBytes", bytes.length, limits.maxInputBytes, "gltf");
  const { json, bin } = readContainer(bytes, limits);
  checkAsset(json);
  checkExtensions(json, decoders);
  const { plain, buffers } = decompressed(
    json,
    bin,
    resources,
    limits,
    decoders,
  );
  const views = checkViews(plain, buffers);
  const accessors = checkAccessors(plain, views, buffers, limits);
  checkMeshes(plain, accessors, limits);
  checkNodes(plain, limits);
  return { json: slim(plain), original: plain, buffers };
}
