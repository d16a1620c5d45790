import {
  isDebugBuild,
  kernelsBytes,
  kernelsUrl,
  startKernels,
} from "./build.ts";
import {
  assert,
  assertEquals,
  assertGreater,
  assertRejects,
  assertThrows,
} from "@std/assert";
import { encodeBase64 } from "./base64.ts";
import { createContext, runInContext } from "node:vm";
import { MeshError } from "../../src/core/errors.ts";
import {
  init,
  initSync,
  kernelMemoryBytes,
  KERNELS_SHA256,
  type KernelSource,
  replaySplit,
  sparsifyMorphs,
  transformNormals,
} from "../../src/kernels/mod.ts";
import { KERNELS_BASE64 } from "../../src/kernels/kernels_embed.ts";
import { withArena } from "../../src/kernels/loader.ts";
import { IDENTITY_MATRIX } from "../../src/core/matrix.ts";

/** Uses every kernel on something whose result is plain to see. */
function assertKernelsWork(): void {
  const records = Uint8Array.from({ length: 96 }, (_, i) => i);
  const { bones } = replaySplit(records, null, Uint32Array.of(1, 1, 0, 1));
  assertEquals([...bones], [60, 61, 62, 63, 12, 13, 14, 15]);
  const dense = new Float32Array(12);
  dense[8] = 1;
  assertEquals([...sparsifyMorphs(dense, ["a"], 2).offsets], [0, 0, 1]);
  const { normal } = transformNormals(
    Float32Array.of(0, 5, 0),
    IDENTITY_MATRIX,
  );
  assertEquals([...normal], [0, 1, 0]);
}

/** The smallest modules there are: nothing inside, and one import `env.abort`. */
const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const IMPORTING_MODULE = Uint8Array.of(
  ...EMPTY_MODULE,
  ...[1, 4, 1, 0x60, 0, 0], // type 0: no parameters, no results
  ...[2, 13, 1, 3, ...new TextEncoder().encode("env")],
  ...[5, ...new TextEncoder().encode("abort"), 0, 0],
);

const response = (bytes: BodyInit | null, type?: string, status = 200) =>
  new Response(bytes, {
    status,
    headers: type === undefined ? {} : { "content-type": type },
  });

Deno.test("initSync() starts the kernels when given a module, a buffer, a view, or nothing", () => {
  const within = new Uint8Array(kernelsBytes.length + 7);
  within.set(kernelsBytes, 3);
  for (
    const source of [
      new WebAssembly.Module(kernelsBytes),
      kernelsBytes,
      kernelsBytes.buffer,
      within.subarray(3, 3 + kernelsBytes.length),
      new DataView(kernelsBytes.buffer),
      undefined,
    ]
  ) {
    initSync(source);
    assertKernelsWork();
  }
});

Deno.test("init() starts the kernels when given each kind of source", async () => {
  const wasm = "application/wasm";
  const dataUrl = `data:${wasm};base64,${encodeBase64(kernelsBytes)}`;
  const sources: Record<
    string,
    () => KernelSource | PromiseLike<KernelSource>
  > = {
    module: () => new WebAssembly.Module(kernelsBytes),
    "a promise of a module": () => WebAssembly.compile(kernelsBytes),
    bytes: () => kernelsBytes,
    buffer: () => kernelsBytes.buffer,
    response: () => response(kernelsBytes, wasm),
    "response in capitals": () => response(kernelsBytes, "Application/WASM"),
    "response with a parameter": () =>
      response(kernelsBytes, `${wasm}; charset=binary`),
    "response of another type": () =>
      response(kernelsBytes, "application/octet-stream"),
    "response without a type": () => response(kernelsBytes),
    "a promise of a response": () => fetch(kernelsUrl),
    "file URL": () => kernelsUrl,
    "file URL as text": () => kernelsUrl.href,
    "data URL": () => new URL(dataUrl),
    "data URL as text": () => dataUrl,
  };
  for (const [name, source] of Object.entries(sources)) {
    // anything else would leave the kernels of the round before
    const before = kernelMemoryBytes();
    withArena(2 ** 24, (arena) => arena.alloc(2 ** 23));
    assertGreater(kernelMemoryBytes(), before);
    await init(source());
    assertEquals(kernelMemoryBytes(), before, `${name}: a new instance`);
    assertKernelsWork();
  }
  await init();
  assertKernelsWork();
});

Deno.test("init() and initSync() accept a module of another realm", async () => {
  const realm = createContext({ bytes: kernelsBytes });
  const module = runInContext("new WebAssembly.Module(bytes)", realm);
  assert(!(module instanceof WebAssembly.Module));
  initSync(module);
  assertKernelsWork();
  await init(module);
  assertKernelsWork();
});

Deno.test("initSync() throws KERNEL-START when the source is no kernel module, and the kernels stay usable", () => {
  const damaged = kernelsBytes.slice();
  damaged[9] ^= 1; // the size of the first section
  const sources: Record<string, unknown> = {
    "no bytes": new Uint8Array(0),
    noise: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
    "a truncated module": kernelsBytes.subarray(0, kernelsBytes.length - 20),
    "a damaged module": damaged,
    "another module": EMPTY_MODULE,
    "another compiled module": new WebAssembly.Module(EMPTY_MODULE),
    "a module with imports": IMPORTING_MODULE,
    text: "kernels",
    number: 5,
  };
  assert(WebAssembly.validate(IMPORTING_MODULE));
  for (const [name, source] of Object.entries(sources)) {
    const error = assertThrows(
      () => initSync(source as BufferSource),
      MeshError,
      "initSync",
      name,
    );
    assertEquals(error.code, "KERNEL-START", name);
    assert(error.cause instanceof Error, name);
    assertKernelsWork();
  }
});

Deno.test("init() rejects with KERNEL-START when the source can not be had, and the kernels stay usable", async () => {
  const sources: Record<
    string,
    () => KernelSource | PromiseLike<KernelSource>
  > = {
    noise: () => Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
    "another module": () => EMPTY_MODULE,
    "a module with imports": () => IMPORTING_MODULE,
    "a page that is not there": () =>
      response(kernelsBytes, "application/wasm", 404),
    "a page instead of a module": () =>
      response("<!doctype html>", "text/html"),
    "noise of the right type": () => response("noise", "application/wasm"),
    "a body that was read": () => {
      const read = response(kernelsBytes, "application/wasm");
      read.body!.cancel();
      return read;
    },
    "a missing file": () => new URL("missing.wasm", kernelsUrl),
    "no URL": () => "no url",
    "a promise that fails": () => Promise.reject(new Error("offline")),
  };
  for (const [name, source] of Object.entries(sources)) {
    const error = await assertRejects(
      () => init(source()),
      MeshError,
      "initSync",
      name,
    );
    assertEquals(error.code, "KERNEL-START", name);
    assert(error.cause instanceof Error, name);
    assertKernelsWork();
  }
});

Deno.test("initSync() starts the embedded copy when a runtime has no Uint8Array.fromBase64", async () => {
  // Node 20 has none. The query makes a second copy of the module, whose kernels have not been started.
  const copy = new URL("../../src/kernels/loader.ts?old", import.meta.url);
  const loader: typeof import("../../src/kernels/loader.ts") = await import(
    copy.href
  );
  const name = "fromBase64";
  const native = Object.getOwnPropertyDescriptor(Uint8Array, name);
  assert(native);
  assertEquals(loader.kernelMemoryBytes(), 0);
  delete (Uint8Array as { [name]?: unknown })[name];
  try {
    loader.initSync();
  } finally {
    Object.defineProperty(Uint8Array, name, native);
  }
  assertGreater(loader.kernelMemoryBytes(), 0);
});

Deno.test("kernels hold the same memory after 10,000 calls, good and bad", () => {
  startKernels();
  const records = new Uint8Array(4000 * 48);
  const runs = Uint32Array.from({ length: 400 }, (_, i) => i % 2 ? 20 : i);
  const short = Uint32Array.from(
    { length: 400 },
    (_, i) => i % 2 ? 1 : 399 - i,
  );
  const dense = new Float32Array(2 * 500 * 6).fill(1);
  const normals = new Float32Array(300).fill(1);
  const round = () => {
    replaySplit(records, null, runs);
    replaySplit(records, records.subarray(0, 4000 * 16), short);
    sparsifyMorphs(dense, ["a", "b"], 500);
    transformNormals(normals, IDENTITY_MATRIX);
    assertThrows(() => replaySplit(records, null, runs, 1000), MeshError);
  };
  round();
  const memory = kernelMemoryBytes();
  const mark = withArena(1, (arena) => arena.exports.arenaMark());
  assertGreater(memory, 0);
  for (let i = 0; i < 2000; i++) round();
  assertEquals(kernelMemoryBytes(), memory);
  assertEquals(withArena(1, (arena) => arena.exports.arenaMark()), mark);
});

Deno.test("withArena() gives memory back when the work throws", () => {
  startKernels();
  const mark = withArena(1, (arena) => arena.exports.arenaMark());
  for (let i = 0; i < 1000; i++) {
    assertThrows(
      () =>
        withArena(2 ** 20, (arena) => {
          arena.alloc(2 ** 19);
          throw new Error("on the way");
        }),
      Error,
      "on the way",
    );
  }
  assertEquals(withArena(1, (arena) => arena.exports.arenaMark()), mark);
  assertGreater(2 ** 21, kernelMemoryBytes());
});

Deno.test("Arena.alloc() throws KERNEL-MEMORY when a request passes the limit or 32 bits, and the kernels stay usable", () => {
  startKernels();
  const memory = kernelMemoryBytes();
  const requests: [limit: number, sizes: number[]][] = [
    [100, [101]],
    [100, [50, 50, 1]],
    [Infinity, [2 ** 32 + 16]], // would be 16 in 32 bits
    [Infinity, [2 ** 32 - 1]],
    [Infinity, [0xffff0000]], // more than is left beside the stack and the heap's start
    [2 ** 40, [2 ** 31, 2 ** 31, 2 ** 31]],
  ];
  for (const [limit, sizes] of requests) {
    const error = assertThrows(
      () =>
        withArena(limit, (arena) => {
          for (const size of sizes) arena.alloc(size);
        }),
      MeshError,
    );
    assertEquals(error.code, "KERNEL-MEMORY");
    assert(error instanceof RangeError);
    assertKernelsWork();
  }
  // what could not be had was not kept either
  assertEquals(kernelMemoryBytes(), memory);
});

Deno.test("Arena.alloc() gives blocks of 16-byte alignment that do not overlap", () => {
  withArena(2 ** 20, (arena) => {
    let end = 0;
    for (const size of [1, 16, 17, 0, 3, 70_000, 15]) {
      const at = arena.alloc(size);
      assertEquals(at % 16, 0);
      assert(at >= end);
      end = at + size;
      assertGreater(arena.exports.memory.buffer.byteLength + 1, end);
    }
  });
});

Deno.test("withArena() lets a large instance go after the call and starts a small one for the next", () => {
  startKernels();
  withArena(2 ** 28, (arena) => {
    const at = arena.alloc(80 * 2 ** 20);
    arena.u8(at, 1)[0] = 1;
    assertGreater(kernelMemoryBytes(), 80 * 2 ** 20);
  });
  assertEquals(kernelMemoryBytes(), 0);
  assertKernelsWork();
  assertGreater(2 ** 20, kernelMemoryBytes());
});

Deno.test("withArena() starts again without compiling when a runtime forbids that", () => {
  // Cloudflare Workers: the module came compiled, and no other may be made while a request runs
  startKernels();
  const { Module } = WebAssembly;
  WebAssembly.Module = class extends Module {
    constructor() {
      super(EMPTY_MODULE);
      throw new Error("Wasm code generation disallowed by embedder");
    }
  };
  try {
    withArena(2 ** 28, (arena) => arena.alloc(80 * 2 ** 20));
    assertEquals(kernelMemoryBytes(), 0);
    assertKernelsWork();
  } finally {
    WebAssembly.Module = Module;
  }
});

Deno.test("kernels.wasm imports nothing", () => {
  assertEquals(
    WebAssembly.Module.imports(new WebAssembly.Module(kernelsBytes)),
    [],
  );
});

Deno.test({
  name: "KERNELS_SHA256 and the embedded copy are those of kernels.wasm",
  ignore: isDebugBuild, // the embedded copy is the shipped build
  fn: async () => {
    const digest = await crypto.subtle.digest("SHA-256", kernelsBytes);
    const hex = Array.from(
      new Uint8Array(digest),
      (b) => b.toString(16).padStart(2, "0"),
    );
    assertEquals(KERNELS_SHA256, hex.join(""));
    assertEquals(KERNELS_BASE64, encodeBase64(kernelsBytes));
  },
});
