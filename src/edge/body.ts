/**
 * Request bodies, read within their limit.
 *
 * @module
 */
import { joinChunks } from "../core/bytes.ts";
import { RequestError } from "./answers.ts";

function tooLarge(limit: number): RequestError {
  return new RequestError(
    413,
    `Send less: the body passes the limit of ${limit} bytes`,
  );
}

/** Refuses a body that says beforehand that it is too large. */
export function checkDeclared(request: Request, limit: number): void {
  const declared = Number(request.headers.get("content-length") ?? "0");
  if (declared > limit) throw tooLarge(limit);
}

/** The pieces of a body; a sender that goes away is a fault of the request. */
async function* received(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch {
    throw new RequestError(400, "Send the whole body: it broke off");
  }
}

/** The pieces of a body, counted. */
export async function* bodyChunks(
  request: Request,
  limit: number,
): AsyncGenerator<Uint8Array> {
  checkDeclared(request, limit);
  if (!request.body) return;
  let size = 0;
  for await (const chunk of received(request.body)) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    yield chunk;
  }
}

/** A whole body. */
export async function bodyBytes(
  request: Request,
  limit: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bodyChunks(request, limit)) {
    chunks.push(chunk);
    size += chunk.length;
  }
  if (chunks.length === 1) return chunks[0];
  return joinChunks(chunks, size);
}
