import type { GltfDecoders } from "../formats/gltf/mod.ts";

/** The extensions that a glTF says it uses. */
function extensionsOf(json: unknown): unknown[] {
  const used = (json as { extensionsUsed?: unknown } | null)?.extensionsUsed;
  return Array.isArray(used) ? used : [];
}

/** Loads the codecs that a glTF asks for, and none for any other file. */
export async function decodersFor(json: unknown): Promise<GltfDecoders> {
  if (!extensionsOf(json).includes("EXT_meshopt_compression")) return {};
  const { MeshoptDecoder } = await import("meshoptimizer/decoder");
  await MeshoptDecoder.ready;
  return { meshopt: MeshoptDecoder.decodeGltfBuffer };
}
