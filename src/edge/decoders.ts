/**
 * Codecs for compressed glTF, loaded for the files that ask for them.
 *
 * @module
 */
import { detectFormat } from "../convert/detect.ts";
import { gltfJson } from "../convert/resources.ts";
import type { FormatId } from "../core/formats.ts";
import type { GltfDecoders } from "../formats/gltf/mod.ts";
import type { HandlerLimits } from "./limits.ts";

/** The codecs that a file asks for. */
export async function decodersOf(
  bytes: Uint8Array,
  from: FormatId | undefined,
  { decoders }: HandlerLimits,
): Promise<GltfDecoders> {
  const format = from ?? detectFormat(bytes);
  return format === "gltf" ? await decoders(gltfJson(bytes)) : {};
}
