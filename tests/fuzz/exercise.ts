/**
 * Puts bytes through everything that a format's module offers and checks what must hold for any input: only `MeshError`
 * leaves, an accepted file is rewritten byte for byte, no call is slow, no request for memory is out of proportion.
 *
 * @module
 */
import { AssertionError } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import { Findings } from "../../src/core/findings.ts";
import {
  densifyMorphs,
  deserialise,
  deserialiseHeightfield,
  deserialiseSkinned,
  deserialiseSkinnedWithLods,
  deserialiseWithLods,
  looksLikeStaticPayload,
  meshToPayload,
  packedWords,
  payloadToMesh,
  readPayload,
  validatePayload,
  writePayload,
} from "../../src/formats/payload/mod.ts";
import {
  meshToVvd,
  readVvd,
  replayVvd,
  splitVvd,
  validateVvd,
  vvdToMesh,
  writeVvd,
} from "../../src/formats/vvd/mod.ts";
import { kernelMemoryBytes } from "../../src/kernels/mod.ts";
import { assertSameBytes } from "../same_bytes.ts";
import type { AllocationWatch } from "./watch.ts";

const SPARE_BYTES = 2 ** 20;

/** Calls with one input, under one watch. */
export class Trial {
  /** Calls that gave a value. */
  accepted = 0;
  /** Calls that threw a MeshError. */
  refused = 0;

  /**
   * @param watch The active watch.
   * @param milliseconds What every call may take.
   */
  constructor(readonly watch: AllocationWatch, readonly milliseconds = 100) {}

  /** The value of a call, or null when it threw a MeshError. */
  call<T>(what: string, input: Uint8Array, work: () => T): T | null {
    const allowed = 2 * input.length + SPARE_BYTES;
    const kernels = kernelMemoryBytes();
    this.watch.reset();
    let value: T | null = null;
    const once = () => {
      const begin = performance.now();
      try {
        value = work();
      } catch (error) {
        if (!(error instanceof MeshError)) throw error;
        value = null;
      }
      return performance.now() - begin;
    };
    let took = once();
    // another process may have held the processor: only what is slow every time is slow
    for (let i = 0; i < 5 && took >= this.milliseconds; i++) took = once();
    if (took >= this.milliseconds) {
      throw new AssertionError(`${what} took ${took} ms`);
    }
    const largest = Math.max(
      this.watch.largest,
      kernelMemoryBytes() - kernels,
    );
    if (largest > allowed) {
      throw new AssertionError(
        `${what} asked for ${largest} bytes at once, allowed are ${allowed}`,
      );
    }
    if (value === null) this.refused++;
    else this.accepted++;
    return value;
  }
}

/** Everything that `./vvd` does with a file. */
export function exerciseVvd(bytes: Uint8Array, trial: Trial): void {
  const vvd = trial.call("readVvd", bytes, () => readVvd(bytes));
  if (!vvd) return;
  const written = trial.call("writeVvd", bytes, () => writeVvd(vvd));
  if (!written) throw new AssertionError("a file that was read is not written");
  assertSameBytes(written, bytes, "rewritten VVD");
  assertSameBytes(writeVvd(readVvd(written)), written, "VVD written twice");
  trial.call(
    "validateVvd",
    bytes,
    () => validateVvd(vvd, new Findings()) ?? true,
  );
  for (let r = 0; r < vvd.numLODs; r++) {
    for (const lenient of [false, true]) {
      const flat = trial.call(
        "replayVvd",
        bytes,
        () => replayVvd(vvd, r, { lenient }),
      );
      const split = trial.call(
        "splitVvd",
        bytes,
        () => splitVvd(vvd, r, { lenient }),
      );
      if (!flat !== !split) {
        throw new AssertionError("replay and split do not agree");
      }
      if (!flat) continue;
      const file = trial.call("writeVvd", bytes, () => writeVvd(flat))!;
      const again = trial.call("readVvd", bytes, () => readVvd(file))!;
      for (const pool of ["vertexData", "tangentData"] as const) {
        const [a, b] = [again[pool], flat[pool]];
        if (!a !== !b) throw new AssertionError(`${pool} came or went`);
        if (a && b) assertSameBytes(a, b, `${pool} read again`);
      }
      const mesh = trial.call(
        "vvdToMesh",
        bytes,
        () => vvdToMesh(vvd, r, { lenient }),
      )!;
      trial.call("meshToVvd", bytes, () => meshToVvd(mesh));
    }
  }
}

/** Everything that `./payload` does with a file. */
export function exercisePayload(bytes: Uint8Array, trial: Trial): void {
  for (
    const read of [
      looksLikeStaticPayload,
      deserialise,
      deserialiseWithLods,
      deserialiseHeightfield,
      deserialiseSkinned,
      deserialiseSkinnedWithLods,
    ]
  ) trial.call(read.name, bytes, () => read(bytes));
  const file = trial.call("readPayload", bytes, () => readPayload(bytes));
  if (!file) return;
  const written = trial.call("writePayload", bytes, () => writePayload(file));
  if (!written) throw new AssertionError("a file that was read is not written");
  assertSameBytes(written, bytes, "rewritten payload");
  assertSameBytes(
    writePayload(readPayload(written)),
    written,
    "payload written twice",
  );
  trial.call(
    "validatePayload",
    bytes,
    () => validatePayload(file, new Findings()) ?? true,
  );
  const mesh = trial.call("payloadToMesh", bytes, () => payloadToMesh(file));
  if (!mesh) throw new AssertionError("a file that was read gives no mesh");
  const back = trial.call("meshToPayload", bytes, () => meshToPayload(mesh));
  if (back) trial.call("writePayload", bytes, () => writePayload(back));
  if (file.kind === "skinned") {
    trial.call("packedWords", bytes, () => packedWords(file.morphs));
    trial.call(
      "densifyMorphs",
      bytes,
      () => densifyMorphs(file.morphs, file.vertices.count),
    );
  }
}
