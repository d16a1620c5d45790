/**
 * Wavefront OBJ, written.
 *
 * @module
 */
export { type ObjFiles, writeObj, type WriteObjOptions } from "./write.ts";
