/**
 * Takes EXT_meshopt_compression and KHR_meshopt_compression out of a glTF file: compressed buffer views become plain ones
 * over buffers of their own.
 *
 * @module
 */
import { meshError } from "../../core/errors.ts";
import { checkLimit, type Limits } from "../../core/limits.ts";
import type { GltfDecoders } from "./decoders.ts";
import { withoutNames } from "./extensions.ts";
import { integer, isObject, type Json, objects } from "./json.ts";
import { checkRatio } from "./ratio.ts";

/** Names of the extension: the ratified one first. Both have the same shape. */
const NAMES = ["KHR_meshopt_compression", "EXT_meshopt_compression"] as const;
/** Strides that each filter takes; the codec does not look. */
const FILTER_STRIDE: Readonly<Record<string, (stride: number) => boolean>> = {
  NONE: () => true,
  OCTAHEDRAL: (stride) => stride === 4 || stride === 8,
  QUATERNION: (stride) => stride === 8,
  EXPONENTIAL: (stride) => stride % 4 === 0,
  COLOR: (stride) => stride === 4 || stride === 8,
};

function extensionOf(value: Json): { name: string; of: Json } | null {
  if (!isObject(value.extensions)) return null;
  for (const name of NAMES) {
    const of = value.extensions[name];
    if (isObject(of)) return { name, of };
  }
  return null;
}

/** True when a file has compressed buffer views. */
export function usesMeshopt(json: Json): boolean {
  return objects(json, "bufferViews").some((v) => extensionOf(v) !== null);
}

/** The JSON with empty buffers in place of those that stand for data nobody wrote. */
export function withoutFallbacks(json: Json): Json {
  const buffers = objects(json, "buffers").map((b) =>
    extensionOf(b)?.of.fallback === true && b.uri === undefined
      ? { byteLength: 0, uri: "data:," }
      : b
  );
  return { ...json, buffers };
}

/** Strides that a mode allows. */
function allowsStride(mode: unknown, stride: number): boolean {
  if (mode === "ATTRIBUTES") return stride % 4 === 0;
  return (mode === "TRIANGLES" || mode === "INDICES") &&
    (stride === 2 || stride === 4);
}

/**
 * Decodes all compressed views.
 *
 * @param json The file, fallbacks taken out.
 * @param buffers Its buffers; decoded ones are added behind them.
 * @throws {MeshError} GLTF-STRUCTURE, LIMIT-EXCEEDED.
 */
export function inflateMeshopt(
  json: Json,
  buffers: Uint8Array[],
  decode: NonNullable<GltfDecoders["meshopt"]>,
  limits: Limits,
): Json {
  const described = objects(json, "buffers").slice();
  let total = 0;
  const bufferViews = objects(json, "bufferViews").map((view, i) => {
    const extension = extensionOf(view);
    if (!extension) return view;
    const c = extension.of;
    const path = `/bufferViews/${i}/extensions/${extension.name}`;
    const refuse = (message: string, found?: unknown, cause?: unknown) =>
      meshError("GLTF-STRUCTURE", `Export the file again: ${message}`, {
        format: "gltf",
        path,
        found,
        cause,
      });
    const from = buffers[integer(c, "buffer", path, 0, buffers.length - 1)];
    const offset = integer(c, "byteOffset", path, 0, from.length, 0);
    const length = integer(c, "byteLength", path, 0, from.length - offset);
    const stride = integer(c, "byteStride", path, 1, 256);
    const count = integer(c, "count", path, 0, limits.maxIndices);
    const filter = String(c.filter ?? "NONE");
    if (!allowsStride(c.mode, stride)) {
      throw refuse(`${path} has no mode with this stride`, [c.mode, stride]);
    }
    if (!Object.hasOwn(FILTER_STRIDE, filter)) {
      throw refuse(`${path}/filter is unknown`, filter);
    }
    if (!FILTER_STRIDE[filter](stride)) {
      throw refuse(`${path}/filter does not take this stride`, [
        filter,
        stride,
      ]);
    }
    const size = count * stride;
    total += size;
    checkLimit("maxInputBytes", total, limits.maxInputBytes, "gltf");
    checkRatio(size, length, path);
    const target = new Uint8Array(size);
    try {
      decode(
        target,
        count,
        stride,
        from.subarray(offset, offset + length),
        String(c.mode),
        filter,
      );
    } catch (cause) {
      throw refuse(`${path} does not decode`, undefined, cause);
    }
    described.push({ byteLength: size });
    const { extensions: _, byteOffset: __, ...rest } = view;
    return { ...rest, buffer: buffers.push(target) - 1, byteLength: size };
  });
  return { ...withoutNames(json, NAMES), buffers: described, bufferViews };
}
