/**
 * Valve's SMD and VTA source texts, written.
 *
 * @module
 */
export { type SmdFiles, writeSmd, type WriteSmdOptions } from "./write.ts";
