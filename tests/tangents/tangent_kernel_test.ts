import "../kernels/build.ts";
import {
  assertEquals,
  assertGreater,
  assertLessOrEqual,
  assertThrows,
} from "@std/assert";
import { ADVERSARIAL, OPPOSITE, REGULAR } from "../../bench/tangent_meshes.ts";
import { MeshError } from "../../src/core/errors.ts";
import { kernelMemoryBytes, withArena } from "../../src/kernels/loader.ts";
import { generateTangents } from "../../src/kernels/tangents.ts";
import { assertSameBytes } from "../same_bytes.ts";
import { ours } from "./oracles.ts";

Deno.test("generateTangents() gives the same bytes twice, whatever came before", () => {
  const mesh = REGULAR.blob(500);
  const first = ours(mesh);
  ours(ADVERSARIAL.fan(300));
  ours(OPPOSITE(60), { mode: "reference" });
  assertSameBytes(ours(mesh), first);
});

Deno.test("generateTangents() leaves its input alone", () => {
  const mesh = REGULAR.terrain(200);
  const before = structuredClone(mesh);
  ours(mesh, { mode: "reference", sign: -1 });
  assertEquals(mesh, before);
});

Deno.test("generateTangents() turns every sign around, and only signs, for sign -1", () => {
  const mesh = ADVERSARIAL.degenerate(300);
  const [plus, minus] = [ours(mesh), ours(mesh, { sign: -1 })];
  assertEquals(plus.map((x, i) => i % 4 === 3 ? -x : x), minus);
});

Deno.test("generateTangents() gives nothing for nothing", () => {
  const empty = new Float32Array(0);
  assertEquals(generateTangents(empty, empty, empty, null).length, 0);
  const { position, normal, uv } = REGULAR.blob(20);
  const none = new Uint32Array(0);
  assertEquals(generateTangents(position, normal, uv, none).length, 0);
});

Deno.test("generateTangents() throws ARGUMENT for lengths, indices and thresholds that do not fit", () => {
  const { position: p, normal: n, uv: t, indices: i } = REGULAR.blob(20);
  const changed = i.slice();
  changed[4] = p.length / 3;
  const nan = p.slice();
  nan[0] = NaN;
  const cases: [string, () => unknown][] = [
    ["position", () => generateTangents(p.subarray(1), n, t, i)],
    ["normal", () => generateTangents(p, n.subarray(3), t, i)],
    ["uv", () => generateTangents(p, n, t.subarray(2), i)],
    ["indices", () => generateTangents(p, n, t, i.subarray(1))],
    ["indices/4", () => generateTangents(p, n, t, changed)],
    ["indices/4", () => generateTangents(nan, n, t, changed)],
    [
      "angularThreshold",
      () => generateTangents(p, n, t, i, { angularThreshold: 181 }),
    ],
    [
      "angularThreshold",
      () => generateTangents(p, n, t, i, { angularThreshold: NaN }),
    ],
    [
      "faceSizes/1",
      () => generateTangents(p, n, t, i, { faceSizes: Uint8Array.of(3, 5) }),
    ],
    [
      "faceSizes",
      () => generateTangents(p, n, t, i, { faceSizes: Uint8Array.of(3, 4) }),
    ],
  ];
  for (const [path, call] of cases) {
    const error = assertThrows(call, MeshError);
    assertEquals([error.code, error.path], ["ARGUMENT", path]);
  }
});

Deno.test("generateTangents() throws KERNEL-MEMORY when it may not take what it needs", () => {
  const mesh = REGULAR.blob(2000);
  const error = assertThrows(
    () => ours(mesh, { maxKernelBytes: 100_000 }),
    MeshError,
  );
  assertEquals(error.code, "KERNEL-MEMORY");
});

Deno.test("generateTangents() keeps the memory of its kernels constant over 10,000 calls, failing ones included", () => {
  const good = REGULAR.blob(24);
  const split = OPPOSITE(12);
  const broken = { ...good, indices: good.indices.map((v) => v + 1) };
  const step = () => {
    ours(good);
    ours(split, { mode: "reference" });
    assertThrows(() => ours(broken), MeshError);
  };
  step();
  const bytes = kernelMemoryBytes();
  for (let k = 0; k < 3334; k++) step();
  assertEquals(kernelMemoryBytes(), bytes);
});

Deno.test("generateTangents() leaves a large instance to the next large call, and a small call lets it go", () => {
  const large = REGULAR.terrain(450_000);
  ours(large);
  const bytes = kernelMemoryBytes();
  assertGreater(bytes, 64 * 2 ** 20);
  ours(large);
  assertEquals(kernelMemoryBytes(), bytes);
  ours(REGULAR.blob(24));
  assertEquals(kernelMemoryBytes(), 0);
});

Deno.test("generateTangents() works in at most 160 bytes a triangle above input and output", async () => {
  // a kernel's memory never shrinks, so each size is measured in a process of its own
  for (const family of ["soup", "blob", "fan", "degenerate"]) {
    for (const indexed of [true, false]) {
      const code = `
        import { ADVERSARIAL, REGULAR, unindexed } from ${
        JSON.stringify(
          new URL("../../bench/tangent_meshes.ts", import.meta.url),
        )
      };
        import { generateTangents } from ${
        JSON.stringify(
          new URL("../../src/kernels/tangents.ts", import.meta.url),
        )
      };
        import { kernelMemoryBytes } from ${
        JSON.stringify(new URL("../../src/kernels/loader.ts", import.meta.url))
      };
        const made = { ...REGULAR, ...ADVERSARIAL }.${family}(60000);
        const m = ${indexed} ? made : unindexed(made);
        generateTangents(m.position, m.normal, m.uv, ${indexed} ? m.indices : null);
        console.log(kernelMemoryBytes(), m.indices.length / 3, m.position.length / 3);`;
      const { stdout } = await new Deno.Command(Deno.execPath(), {
        args: ["eval", "--no-check", code],
      }).output();
      const [bytes, triangles, vertices] = new TextDecoder().decode(stdout)
        .trim().split(" ").map(Number);
      const input = vertices * 32 + (indexed ? triangles * 12 : 0);
      const work = (bytes - input - triangles * 48) / triangles;
      // the module's own pages and the stage are about 6 bytes a triangle here
      assertLessOrEqual(work, 160, `${family}, indexed ${indexed}`);
    }
  }
});

Deno.test("mikkAcos() rounds as acos in f64 does", () => {
  const floats = new Float32Array(1 << 16);
  const words = new Uint32Array(floats.buffer);
  const one = 0x3f800000;
  // every 32,771st float of [-1, 1], the ends and the joints of the approximation, and what must stay NaN
  for (let i = 0; i < words.length; i++) {
    words[i] = ((i & 1) << 31 >>> 0) + (i * 32771 / 2 >>> 0) % (one + 1);
  }
  for (let k = 0; k < 64; k++) {
    words[k] = one - k;
    words[64 + k] = 0x3f000000 - 32 + k;
    words[128 + k] = 0xbf000000 - 32 + k;
    words[192 + k] = 0xbf800000 - k;
  }
  floats[300] = NaN;
  const expected = floats.map((x) => Math.acos(x));
  const found = withArena(1 << 20, (arena) => {
    const p = arena.alloc(floats.byteLength);
    arena.f32(p, floats.length).set(floats);
    arena.exports.mikkAcos(p, floats.length);
    return arena.f32(p, floats.length).slice();
  });
  assertSameBytes(
    found.filter((x) => x === x),
    expected.filter((x) => x === x),
  );
  assertEquals(found[300], NaN);
});
