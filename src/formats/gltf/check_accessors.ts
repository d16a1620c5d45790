/**
 * Checks buffer views and accessors of a glTF, in arithmetic that can not wrap.
 *
 * @module
 */
import { meshError } from "../../core/errors.ts";
import { checkLimit, type Limits } from "../../core/limits.ts";
import {
  fail,
  integer,
  isObject,
  type Json,
  objects,
  reference,
  told,
} from "./json.ts";

/** Bytes of a component by its glTF type number. */
export const COMPONENT_BYTES: Readonly<Record<number, number>> = {
  5120: 1,
  5121: 1,
  5122: 2,
  5123: 2,
  5125: 4,
  5126: 4,
};
/** Unsigned bytes, shorts and ints. */
const INDEX_TYPES: readonly number[] = [5121, 5123, 5125];
/** Components of an element. */
export const ELEMENT_SIZE: Readonly<Record<string, number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};

/** Elements that stand for themselves, without bytes in the file, may take this much memory. */
const UNBACKED_BYTES = 2 ** 20;

/** Buffer views that lie inside their buffers. */
export function checkViews(json: Json, buffers: readonly Uint8Array[]): Json[] {
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

/** Refuses a component type. */
function failComponentType(
  { componentType }: Json,
  path: string,
  allowed: readonly number[],
): never {
  return fail(
    "GLTF-STRUCTURE",
    `${path}/componentType`,
    `Export the file again: ${path}/componentType is ${
      told(componentType)
    }, allowed is ${allowed.join(", ")}`,
    componentType,
    allowed,
  );
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

/** Accessors that lie inside their views, and are not far longer than the file. */
export function checkAccessors(
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
    if (!component) {
      failComponentType(a, path, Object.keys(COMPONENT_BYTES).map(Number));
    }
    const size = typeof a.type === "string" &&
        Object.hasOwn(ELEMENT_SIZE, a.type)
      ? ELEMENT_SIZE[a.type]
      : undefined;
    if (!size) {
      const types = Object.keys(ELEMENT_SIZE);
      fail(
        "GLTF-STRUCTURE",
        `${path}/type`,
        `Export the file again: ${path}/type is ${told(a.type)}, allowed is ${
          types.join(", ")
        }`,
        a.type,
        types,
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
      failComponentType(sparse.indices, `${sparsePath}/indices`, INDEX_TYPES);
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

/** True for the component types of indices. */
export function isIndexType(componentType: unknown): boolean {
  return INDEX_TYPES.includes(componentType as number);
}
