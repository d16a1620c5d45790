/**
 * Takes KHR_draco_mesh_compression out of a glTF file: compressed primitives get plain accessors over buffers of their own.
 *
 * The codec runs in memory of its own that a damaged stream may exhaust, so the numbers that size it are read first and
 * compared with the accessors that the file declares.
 *
 * @module
 */
import { meshError } from "../../core/errors.ts";
import { checkLimit, type Limits } from "../../core/limits.ts";
import { COMPONENT_BYTES, ELEMENT_SIZE } from "./check_accessors.ts";
import type { DracoDecoderModule } from "./decoders.ts";
import { readDracoSizes } from "./draco_header.ts";
import { refuseExtensions, withoutNames } from "./extensions.ts";
import {
  fail,
  integer,
  isObject,
  type Json,
  objects,
  objectsAt,
} from "./json.ts";
import { checkRatio } from "./ratio.ts";

const NAME = "KHR_draco_mesh_compression";

/** A compressed primitive, with what its JSON says about it. */
interface Compressed {
  path: string;
  bytes: Uint8Array;
  /** Attributes in the stream: where each goes, and what its accessor declares. */
  attributes: { key: string; id: number; accessor: Json }[];
}

function extensionOf(primitive: Json): Json | null {
  const { extensions } = primitive;
  const of = isObject(extensions) ? extensions[NAME] : undefined;
  return isObject(of) ? of : null;
}

const primitivesOf = (json: Json): Json[] =>
  objects(json, "meshes").flatMap((m, i) =>
    objectsAt(m, "primitives", `/meshes/${i}`)
  );

/** True when a file has compressed primitives. */
export function usesDraco(json: Json): boolean {
  return primitivesOf(json).some((p) => extensionOf(p) !== null);
}

/** Without a codec only primitives that are stored plainly too can be read; zeros would take the place of the others. */
export function requirePlain(json: Json): void {
  const accessors = objects(json, "accessors");
  for (const p of primitivesOf(json)) {
    const extension = extensionOf(p);
    const { attributes } = p;
    if (!extension || !isObject(attributes)) continue;
    const names = isObject(extension.attributes) ? extension.attributes : {};
    const used = [p.indices, ...Object.keys(names).map((k) => attributes[k])];
    for (const a of used.map((x) => accessors[x as number])) {
      if (a && a.bufferView === undefined) refuseExtensions([NAME]);
    }
  }
}

/** The JSON of one compressed primitive, checked. */
function compressedAt(
  json: Json,
  primitive: Json,
  extension: Json,
  buffers: readonly Uint8Array[],
  at: string,
): Compressed {
  const path = `${at}/extensions/${NAME}`;
  const views = objects(json, "bufferViews");
  const accessors = objects(json, "accessors");
  const view = views[
    integer(extension, "bufferView", path, 0, views.length - 1)
  ];
  const start = (view.byteOffset as number | undefined) ?? 0;
  const bytes = buffers[view.buffer as number]
    .subarray(start, start + (view.byteLength as number));
  const ids = extension.attributes;
  const { attributes } = primitive;
  if (!isObject(ids) || !isObject(attributes)) {
    return fail(
      "GLTF-STRUCTURE",
      path,
      `Export the file again: ${path} names no attributes`,
    );
  }
  const known = Object.keys(ids).filter((k) => attributes[k] !== undefined);
  return {
    path,
    bytes,
    attributes: known.map((key) => ({
      key,
      id: integer(ids, key, `${path}/attributes`, 0, 2 ** 32 - 1),
      accessor: accessors[
        integer(attributes, key, `${at}/attributes`, 0, accessors.length - 1)
      ],
    })),
  };
}

/** Bytes of an element, and its number of components. */
function elementOf(accessor: Json, path: string): { bytes: number; n: number } {
  const n = ELEMENT_SIZE[String(accessor.type)];
  const width = COMPONENT_BYTES[accessor.componentType as number];
  if (!n || !width) {
    fail("GLTF-STRUCTURE", path, `Export the file again: ${path} has no type`);
  }
  return { bytes: n * width, n };
}

/** Compares the stream's own numbers with the declared ones, before the codec believes them. */
function checkSizes(c: Compressed, limits: Limits): void {
  const { path, bytes } = c;
  const sizes = readDracoSizes(bytes, path);
  let size = sizes.faces * 12;
  checkLimit("maxIndices", sizes.faces * 3, limits.maxIndices, "gltf");
  for (const { key, accessor } of c.attributes) {
    const { bytes: element } = elementOf(accessor, `${path}/attributes/${key}`);
    const count = integer(accessor, "count", path, 1, limits.maxVertices);
    if (sizes.points > count) {
      fail(
        "GLTF-STRUCTURE",
        path,
        `Export the file again: ${path} holds ${sizes.points} vertices, its accessor ${count}`,
        sizes.points,
        count,
      );
    }
    size += count * element;
  }
  checkRatio(size, bytes.length, path);
  checkLimit("maxInputBytes", size, limits.maxInputBytes, "gltf");
}

/** One decoded primitive. */
interface Decoded {
  indices: Uint8Array;
  attributes: { key: string; accessor: Json; bytes: Uint8Array }[];
}

/** Decodes one primitive; whatever the codec throws leaves as it is. */
function decode(module: DracoDecoderModule, c: Compressed): Decoded {
  const owned: unknown[] = [];
  const own = <T>(object: T): T => {
    owned.push(object);
    return object;
  };
  const copied = (
    size: number,
    fill: (pointer: number) => boolean,
  ): Uint8Array => {
    const pointer = module._malloc(size);
    try {
      if (!fill(pointer)) throw new Error("the stream lacks a part");
      return module.HEAPU8.slice(pointer, pointer + size);
    } finally {
      module._free(pointer);
    }
  };
  const types: Readonly<Record<number, unknown>> = {
    5120: module.DT_INT8,
    5121: module.DT_UINT8,
    5122: module.DT_INT16,
    5123: module.DT_UINT16,
    5125: module.DT_UINT32,
    5126: module.DT_FLOAT32,
  };
  try {
    const decoder = own(new module.Decoder());
    const buffer = own(new module.DecoderBuffer());
    buffer.Init(
      new Int8Array(c.bytes.buffer, c.bytes.byteOffset, c.bytes.length),
      c.bytes.length,
    );
    const mesh = own(new module.Mesh());
    const status = decoder.DecodeBufferToMesh(buffer, mesh);
    if (!status.ok()) throw new Error(status.error_msg());
    const points = mesh.num_points();
    const attributes = c.attributes.map(({ key, id, accessor }) => {
      const { bytes, n } = elementOf(accessor, c.path);
      const attribute = decoder.GetAttributeByUniqueId(mesh, id);
      if (attribute.ptr === 0 || attribute.num_components() !== n) {
        throw new Error(`the stream has no such ${key}`);
      }
      if (points !== accessor.count) {
        throw new Error(
          `the stream holds ${points} vertices, the accessor ${accessor.count}`,
        );
      }
      return {
        key,
        accessor,
        bytes: copied(
          points * bytes,
          (pointer) =>
            decoder.GetAttributeDataArrayForAllPoints(
              mesh,
              attribute,
              types[accessor.componentType as number],
              points * bytes,
              pointer,
            ),
        ),
      };
    });
    const size = mesh.num_faces() * 12;
    const indices = copied(
      size,
      (pointer) => decoder.GetTrianglesUInt32Array(mesh, size, pointer),
    );
    return { indices, attributes };
  } finally {
    owned.forEach((object) => module.destroy(object));
  }
}

/**
 * Decodes all compressed primitives.
 *
 * @param json The file, its buffer views checked.
 * @param buffers Its buffers; decoded ones are added behind them.
 * @throws {MeshError} GLTF-STRUCTURE, LIMIT-EXCEEDED.
 */
export function inflateDraco(
  json: Json,
  buffers: Uint8Array[],
  module: DracoDecoderModule,
  limits: Limits,
): Json {
  const described = objects(json, "buffers").slice();
  const views = objects(json, "bufferViews").slice();
  const accessors = objects(json, "accessors").slice();
  let total = 0;
  const addAccessor = (bytes: Uint8Array, accessor: Json): number => {
    total += bytes.length;
    checkLimit("maxInputBytes", total, limits.maxInputBytes, "gltf");
    described.push({ byteLength: bytes.length });
    const buffer = buffers.push(bytes) - 1;
    const bufferView = views.push({ buffer, byteLength: bytes.length }) - 1;
    return accessors.push({ ...accessor, bufferView, byteOffset: 0 }) - 1;
  };
  const inflate = (primitive: Json, at: string): Json => {
    const extension = extensionOf(primitive);
    if (!extension) return primitive;
    const c = compressedAt(json, primitive, extension, buffers, at);
    checkSizes(c, limits);
    let decoded: Decoded;
    try {
      decoded = decode(module, c);
    } catch (cause) {
      throw meshError(
        "GLTF-STRUCTURE",
        `Export the file again: ${c.path} does not decode (${
          cause instanceof Error ? cause.message : cause
        })`,
        { format: "gltf", path: c.path, cause },
      );
    }
    const { indices } = decoded;
    const { extensions: _, ...rest } = primitive;
    return {
      ...rest,
      // strips too are decoded as a list
      mode: 4,
      attributes: {
        ...primitive.attributes as Json,
        ...Object.fromEntries(
          decoded.attributes.map((
            { key, accessor, bytes },
          ) => [key, addAccessor(bytes, accessor)]),
        ),
      },
      ...(indices.length > 0
        ? {
          indices: addAccessor(indices, {
            type: "SCALAR",
            componentType: 5125,
            count: indices.length / 4,
          }),
        }
        : {}),
    };
  };
  const meshes = objects(json, "meshes").map((mesh, m) => ({
    ...mesh,
    primitives: objectsAt(mesh, "primitives", `/meshes/${m}`).map((p, i) =>
      inflate(p, `/meshes/${m}/primitives/${i}`)
    ),
  }));
  return {
    ...withoutNames(json, [NAME]),
    meshes,
    accessors,
    buffers: described,
    bufferViews: views,
  };
}
