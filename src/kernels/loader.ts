/**
 * Starts the WebAssembly kernels. Nobody on Deno, Node, Bun or in a browser has to call anything here: the embedded module
 * starts on first use. Runtimes that forbid compiling bytes (Cloudflare Workers) import `kernels.wasm` statically and hand
 * the module to {@linkcode initSync} or {@linkcode init}.
 *
 * @module
 */
import { meshError } from "../core/errors.ts";
import { ownKernels } from "./own_module.ts";

/** Anything that {@linkcode init} can turn into running kernels. */
export type KernelSource =
  | WebAssembly.Module
  | BufferSource
  | Response
  | URL
  | string;

/** The exports of kernels.wasm; addresses and sizes are bytes. */
export interface KernelExports {
  /** Linear memory; its buffer is replaced when it grows. */
  readonly memory: WebAssembly.Memory;
  /** Current top of the arena. */
  arenaMark(): number;
  /** Gives back what was allocated since the mark. */
  arenaRelease(mark: number): void;
  /** A block of memory, or 0. */
  arenaAlloc(bytes: number): number;
  /** See assembly/replay_split.ts. */
  replaySplit(
    records: number,
    tangents: number,
    runs: number,
    runCount: number,
    position: number,
    normal: number,
    uv: number,
    weights: number,
    bones: number,
    tangentOut: number,
  ): void;
  /** See assembly/morph_scan.ts. */
  morphScan(
    deltas: number,
    count: number,
    epsilon: number,
    index: number,
    kept: number,
  ): number;
  /** See assembly/morph_scan.ts. */
  morphPlace(
    index: number,
    kept: number,
    sizes: number,
    targets: number,
    vertices: number,
    base: number,
    ends: number,
    target: number,
    position: number,
    normal: number,
  ): void;
  /** See assembly/transform_normals.ts. */
  transformNormals(
    input: number,
    out: number,
    count: number,
    block: number,
    exact: number,
  ): number;
  /** See assembly/mikktspace_weld.ts. */
  mikkWeld(
    job: number,
    position: number,
    normal: number,
    uv: number,
    count: number,
    to: number,
  ): void;
  /** See assembly/mikktspace_weld.ts. */
  mikkMapCorners(
    ids: number,
    corners: number,
    classOf: number,
    vertices: number,
  ): number;
  /** See assembly/mikktspace.ts. */
  mikkDerive(job: number): number;
  /** See assembly/mikktspace.ts. */
  mikkNeighbours(job: number): void;
  /** See assembly/mikktspace_grid.ts. */
  mikkIsWide(job: number): number;
  /** See assembly/mikktspace_grid.ts. */
  mikkUnweld(job: number): number;
  /** See assembly/mikktspace_last_bucket.ts. */
  mikkLastBucket(job: number): number;
  /** See assembly/mikktspace.ts. */
  mikkGroups(job: number): void;
  /** See assembly/mikktspace.ts. */
  mikkAccumulate(job: number): void;
  /** See assembly/mikktspace.ts. */
  mikkFinish(job: number, degenerate: number): number;
  /** See assembly/mikktspace_quads.ts. */
  mikkCutQuads(
    job: number,
    sizes: number,
    faces: number,
    faceClasses: number,
  ): void;
  /** See assembly/mikktspace_quads.ts. */
  mikkOrientQuads(job: number): void;
  /** See assembly/mikktspace_quads.ts. */
  mikkFinishQuads(
    job: number,
    opened: number,
    faceOut: number,
    faceCorners: number,
  ): void;
  /** See assembly/mikktspace_acos.ts. */
  mikkAcos(values: number, count: number): void;
}

/** An instance whose memory has grown beyond this is dropped after the call: linear memory never shrinks. */
const KEEP_BYTES = 64 * 2 ** 20;

/** What a 32-bit address reaches; the kernels check the rest. */
const MOST_BYTES = 0xffff0000;

let compiled: WebAssembly.Module | undefined;
let instance: KernelExports | undefined;

/** instanceof fails for modules of another realm, as test runners and some edge simulators make them. */
function isModule(value: unknown): value is WebAssembly.Module {
  return Object.prototype.toString.call(value) ===
    "[object WebAssembly.Module]";
}

/** V8 does not compile a DataView, although it is a BufferSource. */
function plainBytes(source: BufferSource): BufferSource {
  if (!ArrayBuffer.isView(source)) return source;
  const { buffer, byteOffset, byteLength } = source;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function startError(cause: unknown): Error {
  return meshError(
    "KERNEL-START",
    'Start the kernels: this runtime refused the WebAssembly module. Import "@meshwright/kit/kernels.wasm" statically and pass it to initSync()',
    { cause },
  );
}

const FUNCTIONS = [
  "arenaMark",
  "arenaRelease",
  "arenaAlloc",
  "replaySplit",
  "morphScan",
  "transformNormals",
];

/** Instantiates a module; what ran before stays when that fails. */
function adopt(module: WebAssembly.Module): void {
  const exports = new WebAssembly.Instance(module, {}).exports;
  for (const name of FUNCTIONS) {
    if (typeof exports[name] !== "function") {
      throw new Error(`This is another module: it does not export ${name}`);
    }
  }
  compiled = module;
  instance = exports as unknown as KernelExports;
}

/**
 * Starts the kernels at once.
 *
 * @param source A compiled module, or the bytes of `kernels.wasm`; the embedded copy when left out.
 * @throws {MeshError} KERNEL-START when the runtime does not compile or accept it.
 *
 * @example
 * ```ts
 * import { initSync } from "@meshwright/kit/kernels";
 *
 * initSync(); // optional: everything starts on first use
 * ```
 */
export function initSync(source?: WebAssembly.Module | BufferSource): void {
  if (source === undefined && instance) return;
  try {
    const s = source ?? compiled ?? ownKernels();
    adopt(isModule(s) ? s : new WebAssembly.Module(plainBytes(s)));
  } catch (cause) {
    throw startError(cause);
  }
}

/**
 * Starts the kernels without blocking: streams from a Response or URL where it can.
 *
 * @param source A module, bytes, a Response, a URL, or a promise of one; the embedded copy when left out.
 * @throws {MeshError} KERNEL-START when the source can not be fetched, compiled or accepted.
 */
export async function init(
  source?: KernelSource | PromiseLike<KernelSource>,
): Promise<void> {
  if (source === undefined && instance) return;
  try {
    let s: KernelSource = await (source ?? compiled ?? ownKernels());
    if (typeof s === "string" || s instanceof URL) s = await fetch(s);
    if (s instanceof Response) {
      if (!s.ok) throw new Error(`HTTP status ${s.status}`);
      // compileStreaming insists on exactly this type
      const type = s.headers.get("content-type")?.trim().toLowerCase();
      s = type === "application/wasm" &&
          typeof WebAssembly.compileStreaming === "function"
        ? await WebAssembly.compileStreaming(s)
        : await s.arrayBuffer();
    }
    adopt(isModule(s) ? s : await WebAssembly.compile(plainBytes(s)));
  } catch (cause) {
    throw startError(cause);
  }
}

/** Blocks of kernel memory handed to a call. Views are made only when everything is allocated, since growth moves them. */
export class Arena {
  #mark: number;
  #used = 0;

  /**
   * @param exports The running kernels.
   * @param maxBytes Largest memory of this call.
   */
  constructor(readonly exports: KernelExports, readonly maxBytes: number) {
    this.#mark = exports.arenaMark();
  }

  /** Bytes reserved so far. */
  get used(): number {
    return this.#used;
  }

  /** Reserves `bytes`; throws KERNEL-MEMORY when that passes the limit or the runtime refuses. */
  alloc(bytes: number): number {
    this.#used += bytes;
    const address = this.#used <= Math.min(this.maxBytes, MOST_BYTES)
      ? this.exports.arenaAlloc(bytes) >>> 0
      : 0;
    if (address === 0) {
      throw meshError(
        "KERNEL-MEMORY",
        `Give the kernels smaller pieces: ${this.#used} bytes of kernel memory are needed, the limit is ${this.maxBytes}`,
        { found: this.#used, allowed: this.maxBytes },
      );
    }
    return address;
  }

  /** Bytes at an address. */
  u8(address: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(
      this.exports.memory.buffer as ArrayBuffer,
      address,
      length,
    );
  }

  /** u32 at an address. */
  u32(address: number, length: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(
      this.exports.memory.buffer as ArrayBuffer,
      address,
      length,
    );
  }

  /** f32 at an address. */
  f32(address: number, length: number): Float32Array<ArrayBuffer> {
    return new Float32Array(
      this.exports.memory.buffer as ArrayBuffer,
      address,
      length,
    );
  }

  /** f64 at an address. */
  f64(address: number, length: number): Float64Array<ArrayBuffer> {
    return new Float64Array(
      this.exports.memory.buffer as ArrayBuffer,
      address,
      length,
    );
  }

  /** Gives everything back. */
  release(): void {
    this.exports.arenaRelease(this.#mark);
  }
}

/**
 * Runs `work` with an arena and gives the memory back afterwards, whatever happens.
 *
 * @param maxBytes Largest memory of this call.
 * @param work What to do.
 * @param keepBytes A call that takes more than 64 MiB may leave an instance up to this size behind for the next like it; the
 * next smaller call lets it go.
 */
export function withArena<T>(
  maxBytes: number,
  work: (arena: Arena) => T,
  keepBytes: number = KEEP_BYTES,
): T {
  if (!instance) initSync();
  const kernels = instance!;
  const arena = new Arena(kernels, maxBytes);
  try {
    return work(arena);
  } finally {
    arena.release();
    const keep = arena.used > KEEP_BYTES ? keepBytes : KEEP_BYTES;
    if (kernels.memory.buffer.byteLength > keep) instance = undefined;
  }
}

/**
 * Kernels with a memory of their own, which nobody else makes grow.
 *
 * @throws {MeshError} KERNEL-START when the runtime does not start them.
 */
export function ownInstance(): KernelExports {
  if (!compiled) initSync();
  try {
    const { exports } = new WebAssembly.Instance(compiled!, {});
    return exports as unknown as KernelExports;
  } catch (cause) {
    throw startError(cause);
  }
}

/** Bytes of linear memory that the kernels hold now: constant over any number of calls. */
export function kernelMemoryBytes(): number {
  return instance ? instance.memory.buffer.byteLength : 0;
}
