/**
 * The edge handler: conversion, inspection and validation over HTTP, in any runtime that has `Request` and `Response`.
 *
 * @module
 */
import {
  convert,
  type Converted,
  type ConvertOptions,
  type ConvertReport,
} from "../convert/convert.ts";
import { inspect } from "../convert/inspect.ts";
import {
  outputPaths,
  stemName,
  withExtension,
} from "../convert/output_paths.ts";
import { resourcesAmong } from "../convert/resources.ts";
import { validate } from "../convert/validate.ts";
import { joinChunks } from "../core/bytes.ts";
import { type FormatId, FORMATS } from "../core/formats.ts";
import { VERSION } from "../core/version.ts";
import { errorResponse, json, RequestError, statusOf } from "./answers.ts";
import { convertBatch } from "./batch.ts";
import { decodersOf } from "./decoders.ts";
import { bodyBytes, bodyChunks, checkDeclared } from "./body.ts";
import {
  type HandlerLimits,
  handlerLimits,
  type HandlerOptions,
} from "./limits.ts";
import { openApi } from "./openapi.ts";
import { convertParameters, readParameters, simplifierFor } from "./query.ts";
import { zipEntries } from "./unzip.ts";
import { ZipOut } from "./zip.ts";

/** A handler, as `deno serve` and Workers take it. */
export interface Handler {
  /** Answers a request. */
  fetch(request: Request): Promise<Response>;
}

/** A file with the files that it needs. */
interface Upload {
  name: string;
  bytes: Uint8Array;
  resources: Record<string, Uint8Array>;
}

const CONTENT_TYPE: Partial<Record<FormatId, string>> = {
  gltf: "model/gltf-binary",
  css: "application/json",
  obj: "model/obj",
  smd: "text/plain; charset=utf-8",
};

/** Longest report that goes into a header: proxies cut headers at 8 kB and more. */
const REPORT_HEADER_BYTES = 4096;

const isZip = (bytes: Uint8Array) =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;

/** The main file of a set: the .mdl, else the one that is not beside another. */
function mainOf(files: ReadonlyMap<string, Uint8Array>): string {
  const names = [...files.keys()];
  const models = names.filter((n) => /\.(mdl|gltf|glb)$/i.test(n));
  const main = models.length === 1
    ? models[0]
    : names.length === 1
    ? names[0]
    : null;
  if (main === null) {
    throw new RequestError(
      400,
      `Send one model in the zip, or use /batch: found ${names.length} files and ${models.length} models`,
    );
  }
  return main;
}

/** A body that is here already, as the stream that zip reading wants. */
async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

/** The file of a request: the body itself, or the main file of a zip or of a form with files. */
async function upload(
  request: Request,
  query: URLSearchParams,
  limits: HandlerLimits,
): Promise<Upload> {
  const type = request.headers.get("content-type") ?? "";
  const files = new Map<string, Uint8Array>();
  if (type.startsWith("multipart/form-data")) {
    checkDeclared(request, limits.request.maxBodyBytes);
    // the platform's parser holds the whole form; the body is counted before it gets it
    const body = await bodyBytes(request, limits.request.maxBodyBytes);
    let form: FormData;
    try {
      form = await new Response(body as Uint8Array<ArrayBuffer>, {
        headers: { "content-type": type },
      }).formData();
    } catch {
      throw new RequestError(400, "Send a whole form: it can not be read");
    }
    for (const [, value] of form) {
      if (typeof value === "string") continue;
      files.set(value.name, new Uint8Array(await value.arrayBuffer()));
    }
    if (files.size === 0) {
      throw new RequestError(400, "Send a file: the form holds none");
    }
  } else {
    const bytes = await bodyBytes(request, limits.request.maxBodyBytes);
    if (!isZip(bytes)) {
      return { name: query.get("name") ?? "", bytes, resources: {} };
    }
    for await (const entry of zipEntries(once(bytes), limits.request)) {
      if (entry.bytes === null) {
        throw new RequestError(
          400,
          `Leave out ${entry.name}: ${entry.problem}`,
        );
      }
      files.set(entry.name, entry.bytes);
    }
  }
  const name = mainOf(files);
  const bytes = files.get(name)!;
  const resources = Object.fromEntries(
    resourcesAmong(name, bytes, files.keys())
      .map((found) => [found.name, files.get(found.path)!]),
  );
  return { name, bytes, resources };
}

function reportHeader(report: ConvertReport): string {
  const whole = encodeURIComponent(JSON.stringify(report));
  if (whole.length <= REPORT_HEADER_BYTES) return whole;
  const { loss, added, ...rest } = report;
  return encodeURIComponent(
    JSON.stringify({
      ...rest,
      losses: loss.length,
      additions: added.length,
      cut: true,
    }),
  );
}

/** What a conversion is told by the query. */
async function conversionOptions(
  query: URLSearchParams,
  limits: HandlerLimits,
): Promise<ConvertOptions> {
  const options = convertParameters(query, limits.convert);
  return { ...options, ...await simplifierFor(options, limits.simplifier) };
}

/** The media type of one output. */
function typeOf({ to, gltfJson }: ConvertOptions): string {
  return gltfJson
    ? "model/gltf+json"
    : CONTENT_TYPE[to] ?? "application/octet-stream";
}

/** One output as it is, several as a zip: an OBJ with its materials, an SMD with its levels, the parts of a payload. */
function convertedBody(
  made: Converted,
  out: string,
  options: ConvertOptions,
): { body: Uint8Array; type: string } {
  if (made.outputs.length === 1) {
    return { body: made.outputs[0], type: typeOf(options) };
  }
  const zip = new ZipOut();
  outputPaths(out, made).forEach((path, i) => zip.add(path, made.outputs[i]));
  zip.end();
  const pieces = zip.take();
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return { body: joinChunks(pieces, size), type: "application/zip" };
}

async function convertOne(
  request: Request,
  query: URLSearchParams,
  limits: HandlerLimits,
): Promise<Response> {
  const options = await conversionOptions(query, limits);
  const file = await upload(request, query, limits);
  const stem = stemName(file.name) || "model";
  const made = await convert(file.bytes, {
    ...options,
    ...(file.name ? { name: file.name } : {}),
    outName: stem,
    resources: file.resources,
    decoders: await decodersOf(file.bytes, options.from, limits),
  });
  const out = withExtension(stem, options.to, options.gltfJson);
  const { body, type } = convertedBody(made, out, options);
  return new Response(body as Uint8Array<ArrayBuffer>, {
    headers: {
      "content-type": type,
      "meshwright-report": reportHeader(made.report),
    },
  });
}

async function batch(
  request: Request,
  query: URLSearchParams,
  limits: HandlerLimits,
): Promise<Response> {
  const options = await conversionOptions(query, limits);
  const pieces = convertBatch(
    zipEntries(
      bodyChunks(request, limits.request.maxBodyBytes),
      limits.request,
    ),
    options,
    limits,
  );
  // The first piece decides the status: a body that is no zip, or too large, is still refused with a 4xx.
  let next = await pieces.next();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        if (next.done) return controller.close();
        controller.enqueue(next.value);
        next = await pieces.next();
        if (next.done) controller.close();
      } catch (error) {
        controller.error(error);
      }
    },
    async cancel() {
      await pieces.return(undefined);
    },
  }, { highWaterMark: 1 });
  return new Response(stream, {
    headers: { "content-type": "application/zip" },
  });
}

async function look(
  request: Request,
  query: URLSearchParams,
  limits: HandlerLimits,
  how: "inspect" | "validate",
): Promise<Response> {
  const options = readParameters(query);
  const file = await upload(request, query, limits);
  const all = {
    ...options,
    ...(file.name ? { name: file.name } : {}),
    resources: file.resources,
    decoders: await decodersOf(file.bytes, options.from, limits),
    limits: limits.convert,
  };
  if (how === "inspect") return json(await inspect(file.bytes, all));
  const { readable, ...validation } = await validate(file.bytes, all);
  // the one finding of what can not be read is the error that /inspect answers with
  return json(validation, readable ? 200 : statusOf(validation.findings[0]));
}

type Route = (
  request: Request,
  query: URLSearchParams,
  limits: HandlerLimits,
) => Response | Promise<Response>;

const ROUTES: Readonly<Record<string, { method: "GET" | "POST"; run: Route }>> =
  {
    "/convert": { method: "POST", run: convertOne },
    "/batch": { method: "POST", run: batch },
    "/inspect": {
      method: "POST",
      run: (r, q, l) => look(r, q, l, "inspect"),
    },
    "/validate": {
      method: "POST",
      run: (r, q, l) => look(r, q, l, "validate"),
    },
    "/formats": { method: "GET", run: () => json(FORMATS) },
    "/openapi.json": { method: "GET", run: (_r, _q, l) => json(openApi(l)) },
    "/healthz": {
      method: "GET",
      run: () => json({ ok: true, version: VERSION }),
    },
  };

/**
 * Makes a handler.
 *
 * @param options Limits; the defaults fit an isolate of 128 MiB.
 *
 * @example
 * ```ts
 * import { createHandler } from "@meshwright/kit/edge";
 *
 * const handler = createHandler();
 * const response = await handler.fetch(
 *   new Request("http://localhost/convert?to=glb", {
 *     method: "POST",
 *     body: Deno.readFileSync("samples/terrain.payload"),
 *   }),
 * );
 * console.log(response.status, response.headers.get("content-type")); // 200 model/gltf-binary
 * ```
 */
export function createHandler(options: HandlerOptions = {}): Handler {
  const limits = handlerLimits(options);
  return {
    async fetch(request: Request): Promise<Response> {
      const url = new URL(request.url);
      const route = Object.hasOwn(ROUTES, url.pathname)
        ? ROUTES[url.pathname]
        : null;
      try {
        if (!route) {
          throw new RequestError(
            404,
            `Ask for one of ${
              Object.keys(ROUTES).join(", ")
            }: ${url.pathname} is not there`,
          );
        }
        const asked = request.method === "HEAD" ? "GET" : request.method;
        if (asked !== route.method) {
          throw new RequestError(
            405,
            `Use ${route.method} for ${url.pathname}: found ${request.method}`,
            { allow: route.method === "GET" ? "GET, HEAD" : route.method },
          );
        }
        return await route.run(request, url.searchParams, limits);
      } catch (error) {
        // an unread body would keep the connection busy
        if (request.body && !request.bodyUsed) {
          await request.body.cancel().catch(() => {});
        }
        return errorResponse(error);
      }
    },
  };
}
