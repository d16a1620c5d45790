/**
 * Limits of the edge handler. The defaults fit an isolate of 128 MiB.
 *
 * @module
 */
import { EDGE_LIMITS, type Limits } from "../core/limits.ts";
import type { GltfDecoders } from "../formats/gltf/mod.ts";
import type { Simplifier } from "../ops/simplify_triangles.ts";

/** Limits of one request. */
export interface RequestLimits {
  /** Largest request body. */
  readonly maxBodyBytes: number;
  /** Most entries of a zip. */
  readonly maxEntries: number;
  /** Largest unpacked entry. */
  readonly maxEntryBytes: number;
  /** Unpacked entries of one request together. */
  readonly maxTotalBytes: number;
  /** Entries of a batch that wait for the rest of their model, together: a Source model, a glTF with its buffers. */
  readonly maxHeldBytes: number;
}

/** Options of `createHandler`. */
export interface HandlerOptions {
  /** Limits of one request; what is left out keeps its default. */
  request?: Partial<RequestLimits>;
  /** Limits of one conversion; `EDGE_LIMITS` unless given. */
  limits?: Partial<Limits>;
  /** Loads the codecs that a glTF asks for, from its JSON; without it a compressed file is refused by name. */
  decoders?: (json: unknown) => Promise<GltfDecoders>;
  /** Loads meshoptimizer's `MeshoptSimplifier` for new levels of detail; without it the payload's rule alone makes them. */
  simplifier?: () => Promise<Simplifier>;
}

/** Defaults: an upload of 64 MiB, 1,000 entries of 16 MiB, 256 MiB unpacked in all, of which 32 MiB wait at a time. */
export const DEFAULT_REQUEST_LIMITS: RequestLimits = Object.freeze({
  maxBodyBytes: 64 * 2 ** 20,
  maxEntries: 1000,
  maxEntryBytes: EDGE_LIMITS.maxInputBytes,
  maxTotalBytes: 256 * 2 ** 20,
  maxHeldBytes: 32 * 2 ** 20,
});

/** Limits and codecs of a handler, filled up. */
export interface HandlerLimits {
  /** Of a request. */
  readonly request: RequestLimits;
  /** Of a conversion. */
  readonly convert: Limits;
  /** Loads codecs for compressed glTF. */
  readonly decoders: NonNullable<HandlerOptions["decoders"]>;
  /** Loads meshoptimizer's simplifier, where there is one. */
  readonly simplifier: (() => Promise<Simplifier>) | null;
}

/** Fills up the limits of a handler. */
export function handlerLimits(options: HandlerOptions): HandlerLimits {
  return {
    request: { ...DEFAULT_REQUEST_LIMITS, ...options.request },
    convert: { ...EDGE_LIMITS, ...options.limits },
    decoders: options.decoders ?? (() => Promise.resolve({})),
    simplifier: options.simplifier ?? null,
  };
}
