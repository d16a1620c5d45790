import { assertEquals, assertThrows } from "@std/assert";
import {
  bitsOf,
  ByteReader,
  bytesOf,
  ByteWriter,
  joinChunks,
  wordsOf,
} from "../../src/core/bytes.ts";
import { MeshError } from "../../src/core/errors.ts";
import { Random } from "../random.ts";
import { assertSameBytes } from "../same_bytes.ts";

const reader = (bytes: Uint8Array) =>
  new ByteReader(bytes, "payload", "PAYLOAD-TRUNCATED", "mesh payload");

Deno.test("ByteReader reads every type at every alignment as a DataView does", () => {
  const random = new Random(51);
  const buffer = random.bytes(96).buffer;
  for (let start = 0; start < 8; start++) {
    const bytes = new Uint8Array(buffer, start, 80);
    const view = new DataView(buffer, start, 80);
    for (let at = 0; at < 8; at++) {
      const r = reader(bytes);
      r.offset = at;
      assertEquals(r.u32(), view.getUint32(at, true));
      assertEquals(r.i32(), view.getInt32(at + 4, true));
      assertEquals(r.f32(), view.getFloat32(at + 8, true));
      assertEquals(
        [...r.u32Array(3)],
        [0, 4, 8].map((k) => view.getUint32(at + 12 + k, true)),
      );
      assertEquals(
        [...bitsOf(r.f32Array(2))],
        [0, 4].map((k) => view.getUint32(at + 24 + k, true)),
      );
      assertEquals(
        [...r.u16Array(5)],
        [0, 2, 4, 6, 8].map((k) => view.getUint16(at + 32 + k, true)),
      );
      assertSameBytes(r.take(7), bytes.subarray(at + 42, at + 49));
      assertEquals(r.offset, at + 49);
      assertEquals(r.remaining, 80 - at - 49);
    }
  }
});

Deno.test("ByteReader gives copies from its arrays and a view from take()", () => {
  const bytes = new Uint8Array(16);
  const r = reader(bytes);
  const words = r.u32Array(1);
  const floats = r.f32Array(1);
  const shorts = r.u16Array(2);
  const taken = r.take(4);
  bytes.fill(9);
  assertEquals([words[0], floats[0], ...shorts], [0, 0, 0, 0]);
  assertEquals([...taken], [9, 9, 9, 9]);
});

Deno.test("ByteReader throws its own code with all numbers when bytes run out, and does not move", () => {
  const r = reader(new Uint8Array(10));
  r.offset = 7;
  const reads: [() => unknown, number][] = [
    [() => r.u32(), 4],
    [() => r.i32(), 4],
    [() => r.f32(), 4],
    [() => r.take(5), 5],
    [() => r.u16Array(2), 4],
    [() => r.u32Array(0xffffffff), 0xffffffff * 4],
    [() => r.f32Array(0x40000000), 2 ** 32],
    [() => r.take(2 ** 53), 2 ** 53],
  ];
  for (const [read, need] of reads) {
    const error = assertThrows(
      read,
      MeshError,
      `unexpected end of mesh payload: need ${need} bytes at offset 7, have 10`,
    );
    assertEquals(error.code, "PAYLOAD-TRUNCATED");
    assertEquals(error.format, "payload");
    assertEquals([error.offset, error.found, error.allowed], [7, 3, need]);
    assertEquals(r.offset, 7);
  }
  assertEquals(r.take(3).length, 3);
  assertEquals(r.take(0).length, 0);
});

Deno.test("ByteReader.peek() compares exactly and looks no further than the end", () => {
  const r = reader(new TextEncoder().encode("xLODSLOD"));
  r.offset = 1;
  assertEquals(r.peek("LODS"), true);
  assertEquals(r.peek("lods"), false);
  assertEquals(r.offset, 1);
  r.offset = 5;
  assertEquals(r.peek("LOD"), true);
  assertEquals(r.peek("LODS"), false);
});

Deno.test("ByteWriter writes what ByteReader reads", () => {
  const out = new ByteWriter(4 + 4 + 4 + 2 + 6 + 8 + 3);
  out.ascii("MRPS");
  out.u32(0xfedcba98);
  out.f32(-0.5);
  out.put(Uint8Array.of(1, 2));
  out.array(Uint16Array.of(1, 65535, 7));
  out.array(new Float32Array(Uint32Array.of(0x7f800001, 0xffc00123).buffer));
  out.put(Uint8Array.of(7, 8, 9));
  assertEquals(out.offset, out.bytes.length);
  const r = reader(out.bytes);
  assertEquals(r.peek("MRPS"), true);
  r.offset = 4;
  assertEquals(r.u32(), 0xfedcba98);
  assertEquals(r.f32(), -0.5);
  assertEquals([...r.take(2)], [1, 2]);
  assertEquals([...r.u16Array(3)], [1, 65535, 7]);
  assertEquals([...r.u32Array(2)], [0x7f800001, 0xffc00123]);
  assertEquals([...r.take(3)], [7, 8, 9]);
});

Deno.test("ByteWriter.u32() writes the bits of a negative number", () => {
  const out = new ByteWriter(4);
  out.u32(-2);
  assertEquals([...out.bytes], [0xfe, 0xff, 0xff, 0xff]);
});

Deno.test("wordsOf(), bytesOf() and bitsOf() keep bits at any alignment", () => {
  const wide = new Random(52).bytes(24);
  const odd = wide.subarray(3, 15);
  assertSameBytes(wordsOf(odd), odd);
  const floats = new Float32Array(wide.buffer, 4, 3);
  assertEquals(bytesOf(floats).byteOffset, 4);
  assertSameBytes(bytesOf(floats), wide.subarray(4, 16));
  assertSameBytes(bitsOf(floats), wide.subarray(4, 16));
  // both are views: what is written through one is seen through the other
  bitsOf(floats)[0] = 0x3f800000;
  assertEquals(floats[0], 1);
});

Deno.test("joinChunks() puts pieces one behind the other", () => {
  const pieces = [Uint8Array.of(1, 2), new Uint8Array(0), Uint8Array.of(3)];
  assertEquals(joinChunks(pieces, 3), Uint8Array.of(1, 2, 3));
  assertEquals(joinChunks([], 0), new Uint8Array(0));
});
