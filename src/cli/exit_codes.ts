/**
 * Exit codes: 0 fine, 1 findings or losses, 2 wrong use, 3 input unreadable or invalid, 4 a limit exceeded, 5 output could
 * not be written, 130 interrupted.
 *
 * @module
 */
import type { Code } from "../core/codes.ts";
import type { MeshError } from "../core/errors.ts";

/** Codes that do not mean "input unreadable or invalid". */
const EXITS: Partial<Record<Code, number>> = {
  ARGUMENT: 2,
  "LIMIT-EXCEEDED": 4,
  "KERNEL-MEMORY": 4,
  "PAYLOAD-VERTEX-COUNT": 4,
  "PAYLOAD-INDEX-WIDTH": 4,
  "R-LIMIT:bones": 4,
  "R-LIMIT:points": 4,
  "R-LIMIT:wedges": 4,
  "R-LIMIT:faces": 4,
  "R-LIMIT:influences": 4,
  "R-LIMIT:materials": 4,
  "FILE-WRITE": 5,
  "BATCH-COLLISION": 2,
  "BATCH-STRICT": 1,
  "BATCH-WORKER": 4,
};

/** The exit code of an error. */
export function exitCodeOf(error: MeshError): number {
  return EXITS[error.code] ?? 3;
}
