/**
 * What a reader of glTF tells beside the mesh; apart from the reader, so that its public types name no other package.
 *
 * @module
 */

/** Something the file holds and the mesh does not. */
export interface GltfNote {
  /** What. */
  what: string;
  /** How many. */
  count: number;
  /** Why it was left out. */
  why: string;
}
