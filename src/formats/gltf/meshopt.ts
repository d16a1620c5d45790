/**
 * Takes EXT_meshopt_compression out of a glTF file: compressed buffer views become plain ones over buffers of their own.
 *
 * The codec itself is the caller's (`decoders`), so that nobody carries it who does not read such files.
 *
 * @module
 */
import { meshError } from "../../core/errors.ts";
import { checkLimit, type Limits } from "../../core/limits.ts";

/** Codecs that {@linkcode readGltf} is given. */
export interface GltfDecoders {
  /** `MeshoptDecoder.decodeGltfBuffer` of npm's meshoptimizer, once it is ready; throws for data that it can not decode. */
  meshopt?: (
    target: Uint8Array,
    count: number,
    size: number,
    source: Uint8Array,
    mode: string,
    filter?: string,
  ) => void;
}

type Json = Record<string, unknown>;

/** Name of the extension. */
export const MESHOPT = "EXT_meshopt_compression";
const FILTERS = ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"];
/** Most bytes that one byte becomes: the densest block of the codec says nothing but "all zero" for 256 elements. */
const MAX_RATIO = 1024;
/** Bytes that any stream may become, however short it is. */
const SPARE_BYTES = 4096;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const listOf = (json: Json, key: string): unknown[] =>
  Array.isArray(json[key]) ? json[key] as unknown[] : [];

function extensionOf(value: unknown): Json | null {
  if (!isObject(value) || !isObject(value.extensions)) return null;
  const extension = value.extensions[MESHOPT];
  return isObject(extension) ? extension : null;
}

/** True when a file has compressed buffer views. */
export function usesMeshopt(json: Json): boolean {
  return listOf(json, "bufferViews").some((v) => extensionOf(v) !== null);
}

/** The JSON with empty buffers in place of those that stand for data nobody wrote. */
export function withoutFallbacks(json: Json): Json {
  const buffers = listOf(json, "buffers").map((b) =>
    extensionOf(b)?.fallback === true && isObject(b) && b.uri === undefined
      ? { byteLength: 0, uri: "data:," }
      : b
  );
  return { ...json, buffers };
}

/** An integer of an extension object, within bounds. */
function integer(
  o: Json,
  key: string,
  path: string,
  low: number,
  high: number,
): number {
  const value = o[key] ?? (key === "byteOffset" ? 0 : undefined);
  if (
    typeof value !== "number" || !Number.isInteger(value) || value < low ||
    value > high
  ) {
    throw meshError(
      "GLTF-STRUCTURE",
      `Export the file again: ${path}/${key} is ${
        JSON.stringify(value)
      }, allowed is ${low} to ${high}`,
      {
        format: "gltf",
        path: `${path}/${key}`,
        found: value,
        allowed: [low, high],
      },
    );
  }
  return value;
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
  const described = listOf(json, "buffers").slice();
  let total = 0;
  const bufferViews = listOf(json, "bufferViews").map((view, i) => {
    const c = extensionOf(view);
    if (!c) return view;
    const path = `/bufferViews/${i}/extensions/${MESHOPT}`;
    const refuse = (message: string, found?: unknown, cause?: unknown) =>
      meshError("GLTF-STRUCTURE", `Export the file again: ${message}`, {
        format: "gltf",
        path,
        found,
        cause,
      });
    const from = buffers[integer(c, "buffer", path, 0, buffers.length - 1)];
    const offset = integer(c, "byteOffset", path, 0, from.length);
    const length = integer(c, "byteLength", path, 0, from.length - offset);
    const stride = integer(c, "byteStride", path, 1, 256);
    const count = integer(c, "count", path, 0, limits.maxIndices);
    const filter = c.filter ?? "NONE";
    if (!allowsStride(c.mode, stride)) {
      throw refuse(`${path} has no mode with this stride`, [c.mode, stride]);
    }
    if (!FILTERS.includes(String(filter))) {
      throw refuse(`${path}/filter is unknown`, filter);
    }
    const size = count * stride;
    total += size;
    checkLimit("maxInputBytes", total, limits.maxInputBytes, "gltf");
    if (size > length * MAX_RATIO + SPARE_BYTES) {
      throw refuse(`${path} claims ${size} bytes of ${length}`, size);
    }
    const target = new Uint8Array(size);
    try {
      decode(
        target,
        count,
        stride,
        from.subarray(offset, offset + length),
        String(c.mode),
        String(filter),
      );
    } catch (cause) {
      throw refuse(`${path} does not decode`, undefined, cause);
    }
    described.push({ byteLength: size });
    const { extensions: _, byteOffset: __, ...rest } = view as Json;
    return { ...rest, buffer: buffers.push(target) - 1, byteLength: size };
  });
  const others = (key: string): Json =>
    Array.isArray(json[key])
      ? { [key]: (json[key] as unknown[]).filter((x) => x !== MESHOPT) }
      : {};
  return {
    ...json,
    ...others("extensionsUsed"),
    ...others("extensionsRequired"),
    buffers: described,
    bufferViews,
  };
}
