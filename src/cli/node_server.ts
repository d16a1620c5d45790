/**
 * Node's server on the loopback address, for requests and responses as the web has them.
 *
 * @module
 */
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { UsageError } from "./usage.ts";

const HOSTNAME = "127.0.0.1";

type Answer = (request: Request) => Promise<Response>;

/** What was asked; null where that is no address or no method of the web. */
function requestOf({ url, method, headers }: IncomingMessage): Request | null {
  try {
    const address = new URL(url ?? "/", `http://${headers.host ?? HOSTNAME}`);
    return new Request(address, { method: method ?? "GET" });
  } catch {
    return null;
  }
}

async function reply(
  answer: Answer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = requestOf(incoming);
  const response = request
    ? await answer(request)
    : new Response("Ask for an address\n", { status: 400 });
  const body = new Uint8Array(await response.arrayBuffer());
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(body);
}

/** Answers requests until the process ends; tells the address when it listens. */
export async function serve(
  port: number,
  answer: Answer,
  onListen: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer((incoming, outgoing) => {
    reply(answer, incoming, outgoing).catch(() => outgoing.destroy());
  });
  const ended = new Promise<void>((resolve, reject) => {
    server.once("close", resolve);
    server.once("error", reject);
  });
  const listens = new Promise<void>((resolve) =>
    server.listen(port, HOSTNAME, resolve)
  );
  try {
    await Promise.race([listens, ended]);
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== "EADDRINUSE") throw cause;
    throw new UsageError(
      `Choose another --port: something else listens on ${port}`,
    );
  }
  await onListen(
    `http://${HOSTNAME}:${(server.address() as AddressInfo).port}/`,
  );
  await ended;
}
