/**
 * The VVD file as data.
 *
 * @module
 */

/** Magic number of a VVD, "IDSV" read as a little-endian integer. */
export const MODEL_VERTEX_FILE_ID = 0x56534449;
/** A VVD describes at most this many levels of detail. */
export const MAX_NUM_LODS = 8;
/** The only version. */
export const VVD_VERSION = 4;
/** Bytes of the header. */
export const VVD_HEADER_BYTES = 64;
/** Bytes of one fixup. */
export const VVD_FIXUP_BYTES = 12;

/** One row of the fixup table: a run of vertices and the lowest-detail LOD that still needs it. */
export interface VvdFixup {
  /** Lowest-detail LOD that needs the run; a root LOD r keeps rows with lod ≥ r. */
  lod: number;
  /** First vertex of the run, counted from the start of the pool. */
  sourceVertexID: number;
  /** Vertices in the run. */
  numVertexes: number;
}

/** One array of the extra-data block: more data per vertex, in pool order. */
export interface VvdExtraArray {
  /** Kind; 0 to 7 is a texture coordinate set. */
  type: number;
  /** Bytes of one vertex. */
  bytesPerVertex: number;
  /** numLODVertexes[0] × bytesPerVertex bytes. */
  data: Uint8Array;
}

/** A VVD file. Pools are views of the input until the caller replaces them. */
export interface Vvd {
  /** Always 4. */
  version: number;
  /** Checksum that all files of a model share, unsigned. */
  checksum: number;
  /** Levels of detail, 1 to 8. */
  numLODs: number;
  /** Vertices needed when the root LOD is i; entry 0 is the size of the pool. Always eight entries, as stored. */
  numLODVertexes: number[];
  /** Fixups in table order; empty when the pool already is in mesh order. */
  fixups: VvdFixup[];
  /** Where the fixup table starts; not checked when there are no fixups. */
  fixupTableStart: number;
  /** Where the vertex pool starts; 0 when it is absent. */
  vertexDataStart: number;
  /** Where the tangent pool starts; 0 when it is absent. */
  tangentDataStart: number;
  /** numLODVertexes[0] records of 48 bytes, or null when absent. */
  vertexData: Uint8Array | null;
  /** numLODVertexes[0] records of 16 bytes, or null when absent. */
  tangentData: Uint8Array | null;
  /** Arrays of the extra-data block behind the tangents; empty when there is none. */
  extra: VvdExtraArray[];
  /**
   * The file that this was read from. `writeVvd` puts changed values over a copy of it, so that gaps, odd placement and
   * trailing bytes survive; null for a new file, which is laid out as the compiler does.
   */
  original: Uint8Array | null;
}
