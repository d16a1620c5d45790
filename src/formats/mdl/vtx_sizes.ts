/**
 * Sizes of the VTX's records (byte table: `read_vtx.ts`).
 *
 * @module
 */
import type { VtxLayout } from "./types.ts";

/** Header. */
export const HEADER_BYTES = 36;
/** Body part. */
export const BODY_PART_BYTES = 8;
/** Model. */
export const MODEL_BYTES = 8;
/** One level of a model. */
export const LOD_BYTES = 12;
/** Mesh. */
export const MESH_BYTES = 9;
/** Vertex. */
export const VERTEX_BYTES = 9;
/** Index. */
export const INDEX_BYTES = 2;
/** Bone state change. */
export const BONE_CHANGE_BYTES = 8;
/** List of material replacements. */
export const REPLACEMENT_LIST_BYTES = 8;
/** Material replacement. */
export const REPLACEMENT_BYTES = 6;
/** Most levels of detail. */
export const MAX_LODS = 8;

/** Sizes of the two records that differ. */
export const LAYOUT_BYTES: Readonly<
  Record<VtxLayout, { group: number; strip: number }>
> = {
  "25/27": { group: 25, strip: 27 },
  "33/35": { group: 33, strip: 35 },
};
