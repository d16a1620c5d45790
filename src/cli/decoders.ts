import type { DracoDecoderModule, GltfDecoders } from "../formats/gltf/mod.ts";

/** The extensions that a glTF says it uses. */
function extensionsOf(json: unknown): unknown[] {
  const used = (json as { extensionsUsed?: unknown } | null)?.extensionsUsed;
  return Array.isArray(used) ? used : [];
}

async function loadMeshopt(): Promise<GltfDecoders> {
  const { MeshoptDecoder } = await import("meshoptimizer/decoder");
  await MeshoptDecoder.ready;
  return { meshopt: MeshoptDecoder.decodeGltfBuffer };
}

/** A codec for one file: damage in a file may leave it unusable, and its memory never shrinks. */
async function loadDraco(): Promise<GltfDecoders> {
  try {
    const { default: package_ } = await import("draco3dgltf");
    const draco = await package_.createDecoderModule() as DracoDecoderModule;
    return { draco };
  } catch {
    // the package reads its WebAssembly from a file; where that is not allowed, the file is refused by name
    return {};
  }
}

/** Loads the codecs that a glTF asks for, and none for any other file. */
export async function decodersFor(json: unknown): Promise<GltfDecoders> {
  const used = extensionsOf(json);
  const uses = (...names: string[]) => names.some((x) => used.includes(x));
  return {
    ...(uses("EXT_meshopt_compression", "KHR_meshopt_compression")
      ? await loadMeshopt()
      : {}),
    ...(uses("KHR_draco_mesh_compression") ? await loadDraco() : {}),
  };
}
