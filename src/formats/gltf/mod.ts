/**
 * glTF 2.0: read GLB and glTF into the mesh model, write GLB and glTF from it.
 *
 * @module
 */
export {
  type GltfNote,
  type GltfRead,
  readGltf,
  type ReadGltfOptions,
} from "./read.ts";
export { writeGlb, writeGltf, type WriteGltfOptions } from "./write.ts";
export type {
  DracoDecoder,
  DracoDecoderModule,
  DracoMesh,
  GltfDecoders,
} from "./decoders.ts";
