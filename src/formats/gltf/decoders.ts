/**
 * Codecs for compressed files, as their npm packages shape them.
 *
 * @module
 */

/** Codecs that {@linkcode readGltf} is given, so that nobody carries them who does not read compressed files. */
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
  /** What `createDecoderModule()` of npm's draco3dgltf resolves to. */
  draco?: DracoDecoderModule;
}

/** The part of npm's draco3dgltf decoder module that is used. */
export interface DracoDecoderModule {
  /** Memory of the codec; replaced when it grows. */
  readonly HEAPU8: Uint8Array;
  /** Stands for components of type i8. */
  readonly DT_INT8: unknown;
  /** Stands for components of type u8. */
  readonly DT_UINT8: unknown;
  /** Stands for components of type i16. */
  readonly DT_INT16: unknown;
  /** Stands for components of type u16. */
  readonly DT_UINT16: unknown;
  /** Stands for components of type u32. */
  readonly DT_UINT32: unknown;
  /** Stands for components of type f32. */
  readonly DT_FLOAT32: unknown;
  /** Reads one mesh. */
  readonly Decoder: new () => DracoDecoder;
  /** Compressed bytes. */
  readonly DecoderBuffer: new () => {
    Init(bytes: Int8Array, length: number): void;
  };
  /** A decoded mesh. */
  readonly Mesh: new () => DracoMesh;
  /** Frees an object. */
  destroy(object: unknown): void;
  /** Reserves memory. */
  _malloc(bytes: number): number;
  /** Frees it. */
  _free(pointer: number): void;
}

/** A mesh as the codec holds it. */
export interface DracoMesh {
  /** Number of vertices. */
  num_points(): number;
  /** Number of triangles. */
  num_faces(): number;
}

/** The codec's decoder. */
export interface DracoDecoder {
  /** Decodes a mesh. */
  DecodeBufferToMesh(
    buffer: unknown,
    mesh: DracoMesh,
  ): { ok(): boolean; error_msg(): string };
  /** Finds an attribute. */
  GetAttributeByUniqueId(
    mesh: DracoMesh,
    id: number,
  ): { num_components(): number; ptr?: number };
  /** Copies an attribute into the codec's memory. */
  GetAttributeDataArrayForAllPoints(
    mesh: DracoMesh,
    attribute: unknown,
    type: unknown,
    bytes: number,
    pointer: number,
  ): boolean;
  /** Copies the indices into the codec's memory. */
  GetTrianglesUInt32Array(
    mesh: DracoMesh,
    bytes: number,
    pointer: number,
  ): boolean;
}
