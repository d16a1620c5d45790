import { extensionsOf, meshoptFor } from "../convert/meshopt.ts";
import type { DracoDecoderModule, GltfDecoders } from "../formats/gltf/mod.ts";

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
  const usesDraco = extensionsOf(json).includes("KHR_draco_mesh_compression");
  return {
    ...await meshoptFor(json),
    ...(usesDraco ? await loadDraco() : {}),
  };
}
