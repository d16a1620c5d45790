/**
 * npm's meshoptimizer, loaded for the files and the options that ask for it.
 *
 * @module
 */
import type { GltfDecoders } from "../formats/gltf/mod.ts";
import type { Simplifier } from "../ops/simplify_triangles.ts";
import type { ConvertOptions } from "./convert.ts";

/** The extensions that a glTF says it uses. */
export function extensionsOf(json: unknown): unknown[] {
  const used = (json as { extensionsUsed?: unknown } | null)?.extensionsUsed;
  return Array.isArray(used) ? used : [];
}

/** The codec where a glTF asks for it, and none for any other file. */
export async function meshoptFor(json: unknown): Promise<GltfDecoders> {
  const names = ["EXT_meshopt_compression", "KHR_meshopt_compression"];
  const used = extensionsOf(json);
  if (!names.some((name) => used.includes(name))) return {};
  const { MeshoptDecoder } = await import("meshoptimizer/decoder");
  await MeshoptDecoder.ready;
  return { meshopt: MeshoptDecoder.decodeGltfBuffer };
}

/** The simplifier. */
export async function loadSimplifier(): Promise<Simplifier> {
  const { MeshoptSimplifier } = await import("meshoptimizer/simplifier");
  await MeshoptSimplifier.ready;
  return MeshoptSimplifier;
}

/** The simplifier, where the options ask for levels of detail by its rule. */
export async function simplifierFor(
  { buildLods }: ConvertOptions,
): Promise<Pick<ConvertOptions, "simplifier">> {
  if (buildLods?.rule !== "meshoptimizer") return {};
  return { simplifier: await loadSimplifier() };
}
