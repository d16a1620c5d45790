/**
 * Checks a glTF before the library reads it: container, JSON depth, and every reference and size that reading depends on,
 * in arithmetic that can not wrap. What passes here makes the library neither throw nor reserve memory that the file does
 * not back.
 *
 * GLB: `glTF`, u32 version 2, u32 length; chunks of {u32 bytes, u32 type, data}: JSON (0x4E4F534A), then optionally BIN
 * (0x004E4942), each padded to 4.
 *
 * @module
 */
import { meshError } from "../../core/errors.ts";
import type { Code } from "../../core/codes.ts";
import type { Limits } from "../../core/limits.ts";
import {
  type GltfDecoders,
  inflateMeshopt,
  usesMeshopt,
  withoutFallbacks,
} from "./meshopt.ts";
import { checkLimit } from "../../core/limits.ts";

/** A JSON object. */
export type Json = Record<string, unknown>;

/** A checked file, ready for the library. */
export interface GuardedGltf {
  /** The JSON part as far as the mesh reader needs it. */
  json: Json;
  /** The JSON part as stored, to name what is left out. */
  original: Json;
  /** One entry a buffer: its bytes. */
  buffers: Uint8Array[];
}

const GLB_MAGIC = 0x46546c67;
const CHUNK_JSON = 0x4e4f534a;
const CHUNK_BIN = 0x004e4942;

/** Bytes of a component by its glTF type number. */
const COMPONENT_BYTES: Readonly<Record<number, number>> = {
  5120: 1,
  5121: 1,
  5122: 2,
  5123: 2,
  5125: 4,
  5126: 4,
};
/** Components of an element. */
const ELEMENT_SIZE: Readonly<Record<string, number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};

/** Extensions that this reader understands. */
export const READ_EXTENSIONS: readonly string[] = [
  "MSFT_lod",
  "KHR_mesh_quantization",
];
/** Attributes that this reader takes; the library is shown no others. */
export const READ_ATTRIBUTE: RegExp =
  /^(POSITION|NORMAL|TANGENT|COLOR_0|TEXCOORD_\d+|_?(JOINTS|WEIGHTS)_\d+)$/;
/** Extensions of materials, textures and lights: they change nothing that this reader looks at. */
const HARMLESS_EXTENSION =
  /^(KHR_(materials|texture|lights)|EXT_(texture|lights)|MSFT_texture)_/;

/** Elements that stand for themselves, without bytes in the file, may take this much memory. */
const UNBACKED_BYTES = 2 ** 20;

function fail(
  code: Code,
  path: string,
  message: string,
  found?: unknown,
  allowed?: unknown,
): never {
  throw meshError(code, message, { format: "gltf", path, found, allowed });
}

function splitGlb(bytes: Uint8Array): {
  json: Uint8Array;
  bin: Uint8Array | null;
} {
  const header = (offset: number, message: string, found: unknown): never => {
    throw meshError("GLTF-HEADER", message, { format: "gltf", offset, found });
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 20) {
    header(
      bytes.length,
      `Give the whole file: a GLB has at least 20 bytes, this one ${bytes.length}`,
      bytes.length,
    );
  }
  const version = view.getUint32(4, true);
  if (version !== 2) {
    throw meshError(
      "GLTF-VERSION",
      `Export as glTF 2.0: this GLB has version ${version}`,
      { format: "gltf", offset: 4, found: version, allowed: 2 },
    );
  }
  const length = view.getUint32(8, true);
  if (length > bytes.length || length < 20) {
    header(
      8,
      `Give the whole file: the header says ${length} bytes, the file has ${bytes.length}`,
      length,
    );
  }
  let at = 12;
  let json: Uint8Array | null = null;
  let bin: Uint8Array | null = null;
  while (at + 8 <= length) {
    const size = view.getUint32(at, true);
    const type = view.getUint32(at + 4, true);
    if (at + 8 + size > length) {
      header(
        at,
        `Give the whole file: a chunk of ${size} bytes at ${at} passes the end at ${length}`,
        size,
      );
    }
    const data = bytes.subarray(at + 8, at + 8 + size);
    if (json === null) {
      if (type !== CHUNK_JSON) {
        header(
          at + 4,
          "Export the file again: the first chunk is not JSON",
          type,
        );
      }
      json = data;
    } else if (type === CHUNK_BIN && bin === null) bin = data;
    at += 8 + size;
  }
  if (json === null) {
    return header(12, "Export the file again: it has no JSON chunk", null);
  }
  return { json, bin };
}

/** Refuses deep nesting before JSON.parse recurses into it. */
function checkDepth(text: Uint8Array, maxDepth: number): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (inString) {
      if (c === 0x5c) i++; // backslash: the next byte is escaped
      else if (c === 0x22) inString = false;
    } else if (c === 0x22) inString = true;
    else if (c === 0x7b || c === 0x5b) {
      if (++depth > maxDepth) {
        throw meshError(
          "GLTF-JSON",
          `Flatten the JSON: it is nested deeper than ${maxDepth} at byte ${i}`,
          { format: "gltf", offset: i, found: depth, allowed: maxDepth },
        );
      }
    } else if (c === 0x7d || c === 0x5d) depth--;
  }
}

function parse(text: Uint8Array, limits: Limits): Json {
  checkDepth(text, limits.maxJsonDepth);
  let value: unknown;
  try {
    // the decoder drops a byte order mark, which some exporters write
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
  } catch (cause) {
    throw meshError(
      "GLTF-JSON",
      `Export the file again: its JSON is not valid (${
        cause instanceof Error ? cause.message : cause
      })`,
      { format: "gltf", cause },
    );
  }
  if (!isObject(value)) {
    fail("GLTF-JSON", "", "Export the file again: its JSON is not an object");
  }
  return value;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A list of objects under a key; absent counts as empty. */
export function objects(json: Json, key: string): Json[] {
  const value = json[key];
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every(isObject)) {
    fail(
      "GLTF-STRUCTURE",
      `/${key}`,
      `Export the file again: ${key} is not a list of objects`,
    );
  }
  return value;
}

/** An integer from `low` to `high` under a key. */
function integer(
  o: Json,
  key: string,
  path: string,
  low: number,
  high: number,
  fallback?: number,
): number {
  const value = o[key];
  if (value === undefined && fallback !== undefined) return fallback;
  if (
    !Number.isInteger(value) ||
    !(value as number >= low && value as number <= high)
  ) {
    fail(
      "GLTF-STRUCTURE",
      `${path}/${key}`,
      `Export the file again: ${path}/${key} is ${
        JSON.stringify(value)
      }, allowed is ${low} to ${high}`,
      value,
      [low, high],
    );
  }
  return value as number;
}

/** A reference into a list, if it is there. */
function reference(
  o: Json,
  key: string,
  path: string,
  list: readonly unknown[],
): number | null {
  if (o[key] === undefined) return null;
  return integer(o, key, path, 0, list.length - 1);
}

/** A list of references. */
function references(
  o: Json,
  key: string,
  path: string,
  list: readonly unknown[],
): number[] {
  const value = o[key];
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    fail(
      "GLTF-STRUCTURE",
      `${path}/${key}`,
      `Export the file again: ${path}/${key} is not a list`,
    );
  }
  value.forEach((x, i) => {
    if (!Number.isInteger(x) || x < 0 || x >= list.length) {
      fail(
        "GLTF-STRUCTURE",
        `${path}/${key}/${i}`,
        `Export the file again: ${path}/${key}/${i} is ${
          JSON.stringify(x)
        }, allowed is 0 to ${list.length - 1}`,
        x,
        list.length - 1,
      );
    }
  });
  return value;
}

/** Text whose %XX became characters of that code. They are bytes, so UTF-8 plays no part. */
function percentDecoded(text: string): string {
  return text.replace(/%(.{0,2})/gs, (_, hex) => {
    if (!/^[0-9a-f]{2}$/i.test(hex)) throw new Error(`%${hex} is no byte`);
    return String.fromCharCode(parseInt(hex, 16));
  });
}

function decodeDataUri(uri: string, path: string): Uint8Array | null {
  if (!uri.startsWith("data:")) return null;
  const match = /^data:[^,]*?(;base64)?,/.exec(uri);
  if (!match) {
    return fail(
      "GLTF-STRUCTURE",
      `${path}/uri`,
      `Export the file again: ${path}/uri is a data URI without a comma`,
    );
  }
  const body = uri.slice(match[0].length);
  try {
    const text = match[1] ? atob(percentDecoded(body)) : percentDecoded(body);
    return Uint8Array.from(text, (c) => c.charCodeAt(0));
  } catch (cause) {
    throw meshError(
      "GLTF-STRUCTURE",
      `Export the file again: ${path}/uri does not decode`,
      { format: "gltf", path: `${path}/uri`, cause },
    );
  }
}

function buffersOf(
  json: Json,
  bin: Uint8Array | null,
  resources: Readonly<Record<string, Uint8Array>>,
): Uint8Array[] {
  return objects(json, "buffers").map((buffer, i) => {
    const path = `/buffers/${i}`;
    const length = integer(
      buffer,
      "byteLength",
      path,
      0,
      Number.MAX_SAFE_INTEGER,
    );
    let bytes: Uint8Array | null = null;
    if (buffer.uri === undefined) {
      bytes = i === 0 ? bin : null;
    } else if (typeof buffer.uri === "string") {
      bytes = decodeDataUri(buffer.uri, path) ??
        (Object.hasOwn(resources, buffer.uri) ? resources[buffer.uri] : null);
      if (!bytes) {
        fail(
          "GLTF-EXTERNAL",
          `${path}/uri`,
          `Give the file ${
            JSON.stringify(buffer.uri.slice(0, 200))
          } too, or export as GLB: the buffer is stored there`,
          buffer.uri.slice(0, 200),
        );
      }
    }
    if (!bytes || bytes.length < length) {
      fail(
        "GLTF-STRUCTURE",
        path,
        `Give the whole file: buffer ${i} has ${
          bytes?.length ?? 0
        } bytes, ${length} needed`,
        bytes?.length ?? 0,
        length,
      );
    }
    return bytes.subarray(0, length);
  });
}

function checkViews(json: Json, buffers: readonly Uint8Array[]): Json[] {
  const views = objects(json, "bufferViews");
  views.forEach((view, i) => {
    const path = `/bufferViews/${i}`;
    const b = integer(view, "buffer", path, 0, buffers.length - 1);
    const offset = integer(
      view,
      "byteOffset",
      path,
      0,
      Number.MAX_SAFE_INTEGER,
      0,
    );
    const length = integer(
      view,
      "byteLength",
      path,
      0,
      Number.MAX_SAFE_INTEGER,
    );
    integer(view, "byteStride", path, 4, 252, 4);
    if (offset + length > buffers[b].length) {
      fail(
        "GLTF-STRUCTURE",
        path,
        `Export the file again: buffer view ${i} ends at ${
          offset + length
        }, its buffer at ${buffers[b].length}`,
        offset + length,
        buffers[b].length,
      );
    }
  });
  return views;
}

/** Checks that `count` elements from `offset` on fit a buffer view. */
function checkSpan(
  views: readonly Json[],
  view: number,
  offset: number,
  count: number,
  elementBytes: number,
  stride: number,
  alignment: number,
  path: string,
): void {
  if (count === 0) return;
  const end = offset + stride * (count - 1) + elementBytes;
  const length = views[view].byteLength as number;
  if (end > length) {
    fail(
      "GLTF-STRUCTURE",
      path,
      `Export the file again: ${path} ends at byte ${end} of a buffer view of ${length}`,
      end,
      length,
    );
  }
  const start = ((views[view].byteOffset as number | undefined) ?? 0) + offset;
  if (start % alignment !== 0 || stride % alignment !== 0) {
    fail(
      "GLTF-STRUCTURE",
      path,
      `Export the file again: ${path} is not aligned to ${alignment} bytes`,
      start,
      alignment,
    );
  }
}

/** Bytes of a component type, or undefined for anything that is none. */
function componentBytes(type: unknown): number | undefined {
  return typeof type === "number" ? COMPONENT_BYTES[type] : undefined;
}

/** Sparse values replace elements that exist. */
function checkSparseIndices(
  bytes: Uint8Array,
  width: number,
  entries: number,
  count: number,
  path: string,
): void {
  for (let i = 0; i < entries; i++) {
    let index = 0;
    for (let k = width - 1; k >= 0; k--) {
      index = index * 256 + bytes[i * width + k];
    }
    if (index < count) continue;
    throw meshError(
      "GLTF-INDEX-RANGE",
      `Export the file again: ${path} names element ${index} of ${count}`,
      { format: "gltf", path, found: index, allowed: `< ${count}` },
    );
  }
}

function checkAccessors(
  json: Json,
  views: Json[],
  buffers: readonly Uint8Array[],
  limits: Limits,
): Json[] {
  const accessors = objects(json, "accessors");
  const stored = buffers.reduce((sum, b) => sum + b.length, 0);
  let reserved = 0;
  let unbacked = 0;
  let unbackedAllowed = UNBACKED_BYTES;
  accessors.forEach((a, i) => {
    const path = `/accessors/${i}`;
    const component = componentBytes(a.componentType);
    const size = Object.hasOwn(ELEMENT_SIZE, String(a.type))
      ? ELEMENT_SIZE[a.type as string]
      : undefined;
    if (!component || !size) {
      fail(
        "GLTF-STRUCTURE",
        path,
        `Export the file again: accessor ${i} has component type ${
          JSON.stringify(a.componentType)
        } and type ${JSON.stringify(a.type)}`,
        [a.componentType, a.type],
      );
    }
    const count = integer(a, "count", path, 1, Number.MAX_SAFE_INTEGER);
    const elementBytes = component * size;
    const view = reference(a, "bufferView", path, views);
    const offset = integer(
      a,
      "byteOffset",
      path,
      0,
      Number.MAX_SAFE_INTEGER,
      0,
    );
    if (view !== null) {
      const stride = (views[view].byteStride as number | undefined) ??
        elementBytes;
      checkSpan(
        views,
        view,
        offset,
        count,
        elementBytes,
        stride,
        component,
        path,
      );
    }
    // Without a view, and with overlapping ones, elements are not backed by bytes of their own.
    checkLimit("maxIndices", count, limits.maxIndices, "gltf");
    reserved += count * elementBytes;
    if (view === null) {
      // Sparse morph targets are like this, each about as long as the positions that they move. Anything far longer
      // than the file is a few digits that ask for gigabytes.
      unbacked += count * elementBytes;
      unbackedAllowed += 2 * stored;
      checkLimit(
        "bytes of accessors without a buffer view",
        unbacked,
        unbackedAllowed,
        "gltf",
      );
    }
    if (a.sparse === undefined) return;
    const sparse = a.sparse;
    const sparsePath = `${path}/sparse`;
    if (
      !isObject(sparse) || !isObject(sparse.indices) || !isObject(sparse.values)
    ) {
      fail(
        "GLTF-STRUCTURE",
        sparsePath,
        `Export the file again: ${sparsePath} is not complete`,
      );
    }
    const entries = integer(sparse, "count", sparsePath, 1, count);
    const indexBytes = componentBytes(sparse.indices.componentType);
    if (!indexBytes || !isIndexType(sparse.indices.componentType)) {
      fail(
        "GLTF-STRUCTURE",
        `${sparsePath}/indices`,
        `Export the file again: ${sparsePath}/indices have component type ${
          JSON.stringify(sparse.indices.componentType)
        }`,
      );
    }
    for (
      const [key, bytes, alignment] of [
        ["indices", indexBytes, indexBytes],
        ["values", elementBytes, component],
      ] as const
    ) {
      const part = sparse[key] as Json;
      const partPath = `${sparsePath}/${key}`;
      const partView = integer(
        part,
        "bufferView",
        partPath,
        0,
        views.length - 1,
      );
      const partOffset = integer(
        part,
        "byteOffset",
        partPath,
        0,
        Number.MAX_SAFE_INTEGER,
        0,
      );
      checkSpan(
        views,
        partView,
        partOffset,
        entries,
        bytes,
        bytes,
        alignment,
        partPath,
      );
      if (key === "values") continue;
      const { buffer, byteOffset } = views[partView];
      checkSparseIndices(
        buffers[buffer as number].subarray(
          (byteOffset as number | undefined ?? 0) + partOffset,
        ),
        bytes,
        entries,
        count,
        partPath,
      );
    }
  });
  checkLimit("maxInputBytes", reserved, limits.maxInputBytes, "gltf");
  return accessors;
}

/** Unsigned bytes, shorts and ints. */
function isIndexType(componentType: unknown): boolean {
  return [5121, 5123, 5125].includes(componentType as number);
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
            `Export the file again: ${path}/indices has component type ${componentType} and type ${
              JSON.stringify(type)
            }`,
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

function objectsAt(o: Json, key: string, path: string): Json[] {
  const value = o[key];
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every(isObject)) {
    fail(
      "GLTF-STRUCTURE",
      `${path}/${key}`,
      `Export the file again: ${path}/${key} is not a list of objects`,
    );
  }
  return value;
}

/** Nodes form trees: every child has one parent and no path returns to itself. */
function checkNodes(json: Json, limits: Limits): void {
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
      if (steps > MAX_NODE_DEPTH) {
        fail(
          "GLTF-STRUCTURE",
          `/nodes/${n}`,
          `Flatten the node tree: node ${n} lies deeper than ${MAX_NODE_DEPTH}`,
          steps,
          MAX_NODE_DEPTH,
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

/** Deepest node tree: real rigs stay below 100, and the library recurses. */
const MAX_NODE_DEPTH = 1000;

function checkExtensions(json: Json): void {
  const required = json.extensionsRequired;
  if (required === undefined) return;
  const unknown = Array.isArray(required)
    ? required.filter((x) =>
      !READ_EXTENSIONS.includes(x) && !HARMLESS_EXTENSION.test(String(x))
    )
    : [required];
  if (unknown.length > 0) {
    fail(
      "GLTF-UNSUPPORTED",
      "/extensionsRequired",
      `Export without ${
        unknown.join(", ")
      }: the file demands it, and this version does not read it`,
      unknown,
      READ_EXTENSIONS,
    );
  }
}

/**
 * Checks a GLB or glTF file and takes out what the mesh reader needs: materials keep their names alone, images, textures
 * and animations are left out.
 *
 * @param bytes The file.
 * @param resources Bytes of other files by the URI that the JSON uses.
 * @param decoders Codecs for compressed buffer views.
 */
export function guardGltf(
  bytes: Uint8Array,
  resources: Readonly<Record<string, Uint8Array>>,
  limits: Limits,
  decoders: GltfDecoders = {},
): GuardedGltf {
  checkLimit("maxInputBytes", bytes.length, limits.maxInputBytes, "gltf");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const isGlb = bytes.length >= 4 && view.getUint32(0, true) === GLB_MAGIC;
  const { json: text, bin } = isGlb
    ? splitGlb(bytes)
    : { json: bytes, bin: null };
  let json = parse(text, limits);
  if (!isObject(json.asset)) {
    fail(
      "GLTF-STRUCTURE",
      "/asset",
      "Export the file again: it has no asset object",
    );
  }
  if (!/^2\.\d+$/.test(String(json.asset.version))) {
    fail(
      "GLTF-VERSION",
      "/asset/version",
      `Export as glTF 2.0: this file says ${
        JSON.stringify(json.asset.version)
      }`,
      json.asset.version,
      "2.0",
    );
  }
  const { meshopt } = decoders;
  const compressed = meshopt !== undefined && usesMeshopt(json);
  if (!compressed) checkExtensions(json);
  else json = withoutFallbacks(json);
  const buffers = buffersOf(json, bin, resources);
  if (compressed) {
    json = inflateMeshopt(json, buffers, meshopt, limits);
    checkExtensions(json);
  }
  const views = checkViews(json, buffers);
  const accessors = checkAccessors(json, views, buffers, limits);
  checkMeshes(json, accessors, limits);
  checkNodes(json, limits);
  return { json: slim(json), original: json, buffers };
}

/** The JSON without what the reader does not look at, and so without what the library could stumble over there. */
function slim(json: Json): Json {
  const keep = (o: Json, keys: readonly string[]): Json =>
    Object.fromEntries(
      keys.filter((k) => o[k] !== undefined).map((k) => [k, o[k]]),
    );
  const lod = (o: Json): Json => {
    const extensions = o.extensions;
    return isObject(extensions) && extensions.MSFT_lod !== undefined
      ? { extensions: { MSFT_lod: extensions.MSFT_lod } }
      : {};
  };
  const usesLod = objects(json, "nodes").some((n) =>
    Object.keys(lod(n)).length > 0
  );
  const extras = (o: Json): Json =>
    isObject(o.extras) ? { extras: o.extras } : {};
  const name = (o: Json): Json =>
    typeof o.name === "string" ? { name: o.name } : {};
  // a file without a scene is a stock of nodes or meshes: all of them are read
  const nodes = json.scenes === undefined && json.nodes === undefined
    ? objects(json, "meshes").map((_, mesh): Json => ({ mesh }))
    : objects(json, "nodes");
  const children = new Set(nodes.flatMap((n) => n.children ?? []));
  const scenes = objects(json, "scenes").length > 0
    ? objects(json, "scenes")
    : [{ nodes: nodes.map((_, n) => n).filter((n) => !children.has(n)) }];
  const known = (attributes: Json): Json =>
    keep(
      attributes,
      Object.keys(attributes).filter((k) => READ_ATTRIBUTE.test(k)),
    );
  const accessors = objects(json, "accessors").map((a) =>
    keep(a, [
      "bufferView",
      "byteOffset",
      "componentType",
      "normalized",
      "count",
      "type",
      "sparse",
    ])
  );
  return {
    asset: { version: "2.0" },
    ...keep(json, ["scene"]),
    ...(usesLod ? { extensionsUsed: ["MSFT_lod"] } : {}),
    scenes: scenes.map((s) => ({
      ...name(s),
      ...keep(s, ["nodes"]),
    })),
    nodes: nodes.map((n) => ({
      ...name(n),
      ...extras(n),
      ...lod(n),
      ...keep(n, [
        "mesh",
        "skin",
        "children",
        "translation",
        "rotation",
        "scale",
        "matrix",
      ]),
    })),
    meshes: objects(json, "meshes").map((m) => ({
      ...name(m),
      ...extras(m),
      primitives: objectsAt(m, "primitives", "").map((p) => ({
        attributes: known(p.attributes as Json),
        targets: objectsAt(p, "targets", "").map(known),
        ...keep(p, ["indices", "material", "mode"]),
      })),
    })),
    skins: objects(json, "skins").map((s) => ({
      ...name(s),
      joints: s.joints ?? [],
      ...keep(s, ["skeleton", "inverseBindMatrices"]),
    })),
    materials: objects(json, "materials").map((m) => ({ ...name(m) })),
    buffers: objects(json, "buffers").map((b, i) => ({
      byteLength: b.byteLength,
      uri: `buffer${i}`,
    })),
    bufferViews: objects(json, "bufferViews").map((v) =>
      keep(v, ["buffer", "byteOffset", "byteLength", "byteStride"])
    ),
    accessors,
  };
}
