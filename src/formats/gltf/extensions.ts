/**
 * Which extensions of glTF are read, and by which codec those that compress.
 *
 * @module
 */
import type { GltfDecoders } from "./decoders.ts";
import { fail, type Json, told } from "./json.ts";

/** Extensions that compress, and the codec that each takes. */
export const CODEC_OF: Readonly<Record<string, keyof GltfDecoders>> = {
  EXT_meshopt_compression: "meshopt",
  KHR_meshopt_compression: "meshopt",
  KHR_draco_mesh_compression: "draco",
};

/** Extensions that this reader understands. */
export const READ_EXTENSIONS: readonly string[] = [
  "MSFT_lod",
  "KHR_mesh_quantization",
  "KHR_texture_transform",
];
/** Extensions of materials, textures and lights: they change nothing that this reader looks at. */
const HARMLESS_EXTENSION =
  /^(KHR_(materials|texture|lights)|EXT_(texture|lights)|MSFT_texture)_/;

/** An extension's name; what is none is told as it is. */
export function nameOf(name: unknown): string {
  return typeof name === "string" ? name : told(name);
}

/** Refuses a file for its extensions. */
export function refuseExtensions(names: readonly unknown[]): never {
  const words = names.map(nameOf);
  const codecs = words.filter((x) => Object.hasOwn(CODEC_OF, x))
    .map((x) => CODEC_OF[x]);
  const how = codecs.length > 0 && codecs.length === names.length
    ? `, or give readGltf the codec (decoders.${
      [...new Set(codecs)].join(", decoders.")
    }), or convert it with the meshwright command, which has it: the file is compressed`
    : ": the file demands it, and this version does not read it";
  fail(
    "GLTF-UNSUPPORTED",
    "/extensionsRequired",
    `Export without ${words.join(", ")}${how}`,
    names,
    READ_EXTENSIONS,
  );
}

/** Refuses a file that demands what is not read, or what takes a codec that nobody gave. */
export function checkExtensions(json: Json, decoders: GltfDecoders): void {
  const required = json.extensionsRequired;
  if (required === undefined) return;
  const isRead = (name: string) =>
    READ_EXTENSIONS.includes(name) || HARMLESS_EXTENSION.test(name) ||
    (Object.hasOwn(CODEC_OF, name) && decoders[CODEC_OF[name]] !== undefined);
  const unknown = Array.isArray(required)
    ? required.filter((x) => !isRead(nameOf(x)))
    : [required];
  if (unknown.length > 0) refuseExtensions(unknown);
}

/** The JSON without the names of extensions that are decoded. */
export function withoutNames(json: Json, names: readonly string[]): Json {
  const out = { ...json };
  for (const key of ["extensionsUsed", "extensionsRequired"]) {
    const list = json[key];
    if (Array.isArray(list)) out[key] = list.filter((x) => !names.includes(x));
  }
  return out;
}
