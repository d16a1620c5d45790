/**
 * The Khronos validator, the independent judge of every glTF that this library writes.
 *
 * @module
 */
import { AssertionError } from "@std/assert";
// @ts-types="./khronos_validator.d.ts"
import validator from "gltf-validator";

/** One message of the validator. */
export interface KhronosMessage {
  code: string;
  message: string;
  pointer?: string;
  severity: number;
}

/** What the validator says about a file. */
export interface KhronosReport {
  issues: {
    numErrors: number;
    numWarnings: number;
    numInfos: number;
    messages: KhronosMessage[];
    truncated: boolean;
  };
  info?: Record<string, unknown>;
}

/** Judges a GLB or glTF file. */
export function khronos(bytes: Uint8Array): Promise<KhronosReport> {
  const glb = String.fromCharCode(...bytes.subarray(0, 4)) === "glTF";
  return validator.validateBytes(bytes, {
    format: glb ? "glb" : "gltf",
    maxIssues: 50,
    writeTimestamp: false,
  });
}

/** Fails, naming the first faults, unless the validator finds neither errors nor warnings. */
export async function assertClean(
  bytes: Uint8Array,
  what: string,
): Promise<KhronosReport> {
  const report = await khronos(bytes);
  const { numErrors, numWarnings, messages } = report.issues;
  if (numErrors + numWarnings > 0) {
    const first = messages.filter((m) => m.severity < 2).slice(0, 5)
      .map((m) => `${m.code} ${m.pointer ?? ""}: ${m.message}`);
    throw new AssertionError(
      `${what}: ${numErrors} errors, ${numWarnings} warnings\n${
        first.join("\n")
      }`,
    );
  }
  return report;
}
