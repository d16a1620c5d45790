/**
 * Responses, and errors as responses with the findings that the command line prints.
 *
 * @module
 */
import type { Code } from "../core/codes.ts";
import { MeshError } from "../core/errors.ts";
import { type Finding, Findings } from "../core/findings.ts";

/** A fault of the request itself, not of a mesh. */
export class RequestError extends Error {
  override name = "RequestError";

  /**
   * @param status HTTP status.
   * @param message What to do about it.
   * @param headers Headers of the answer.
   */
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

/** A JSON response. */
export function json(
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify(value) + "\n", {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
  });
}

/** Status of errors that are not "the file can not be processed" (422). */
const STATUS: Partial<Record<Code, number>> = {
  ARGUMENT: 400,
  "FORMAT-UNKNOWN": 415,
  "FORMAT-UNSUPPORTED": 415,
  "LIMIT-EXCEEDED": 413,
  "KERNEL-MEMORY": 413,
  "PAYLOAD-VERTEX-COUNT": 413,
};

/** HTTP status of an error, or of the finding that tells of it. */
export function statusOf({ code }: { readonly code: string }): number {
  return STATUS[code as Code] ?? 422;
}

/** An error as the finding that `validate --json` would list. */
export function findingOf(error: MeshError): Finding {
  const findings = new Findings();
  findings.addError(error);
  return findings.list[0];
}

/**
 * Turns an error into a response; faults of the handler itself are thrown on, so that the platform logs them.
 */
export function errorResponse(error: unknown): Response {
  if (error instanceof RequestError) {
    return json(
      {
        schema: "meshwright/error/1",
        ok: false,
        message: error.message,
        findings: [],
      },
      error.status,
      error.headers,
    );
  }
  if (error instanceof MeshError) {
    return json({
      schema: "meshwright/error/1",
      ok: false,
      message: error.message,
      findings: [findingOf(error)],
    }, statusOf(error));
  }
  throw error;
}
