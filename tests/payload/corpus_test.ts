import {
  assert,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import { bitsOf } from "../../src/core/bytes.ts";
import {
  densifyMorphs,
  deserialise,
  deserialiseHeightfield,
  deserialiseSkinned,
  deserialiseSkinnedWithLods,
  deserialiseWithLods,
  looksLikeStaticPayload,
  packedWords,
  readPayload,
  serialise,
  serialiseHeightfieldTrailer,
  serialiseSkinnedWithLods,
  serialiseWithLods,
  type SkinnedPayload,
  sparsifyMorphs,
  type StaticPayload,
  type VertexArrays,
  writePayload,
} from "../../src/formats/payload/mod.ts";
import { corpusBytes, corpusJson, corpusTest } from "../corpus.ts";
import { assertSameBytes } from "../same_bytes.ts";

type Reader = "static" | "heightfield" | "skinned";

interface IndexRow {
  file: string;
  tags: string[];
  ok: Partial<Record<Reader, boolean>>;
  error: Partial<Record<Reader, string>>;
}

interface LodReference {
  switch_distance_bits: string;
  indices: number[];
}
interface StaticReference {
  vertex_count: number;
  vertices_bits: string[][];
  indices: number[];
  lods: LodReference[];
}
interface SkinnedReference {
  vertex_count: number;
  vertices: {
    f14_bits: string[];
    joints: number[];
    weights_bits: string[];
  }[];
  indices: number[];
  joints: {
    name: string;
    parent: number;
    translation_bits: string[];
    rotation_deg_bits: string[];
    scale_bits: string[];
  }[];
  morphs: {
    names: string[];
    offsets: number[];
    entries: {
      target: number;
      position_bits: string[];
      normal_bits: string[];
    }[];
    packed_words: string[];
  };
  lods: LodReference[];
}
interface Reference {
  bytes: number;
  reference: {
    static?: StaticReference;
    heightfield?: {
      grid: { rows: number; cols: number; heights_bits: string[] } | null;
    };
    skinned?: SkinnedReference;
  };
  rewrite_is_byte_identical?: boolean;
}

const READERS: Record<Reader, (bytes: Uint8Array) => unknown> = {
  static: deserialiseWithLods,
  heightfield: deserialiseHeightfield,
  skinned: deserialiseSkinnedWithLods,
};

const index = () => corpusJson<IndexRow[]>("payload/INDEX.json");
const bytesOf = (row: IndexRow) => corpusBytes(`payload/${row.file}`);
const accepted = () =>
  index().filter((row) => Object.values(row.ok).every(Boolean));
const referenceOf = (row: IndexRow) =>
  corpusJson<Reference>(`payload/${row.file.replace(/bin$/, "json")}`);

const hex = (bits: number) => bits.toString(16).padStart(8, "0");
const hexOf = (values: Float32Array | Uint32Array) =>
  Array.from(
    values instanceof Float32Array ? bitsOf(values) : values,
    hex,
  );

/** The 14 floats of one vertex, as the reference lists them. */
function vertexHex(v: VertexArrays, i: number): string[] {
  return [
    ...[v.pos, v.normal, v.tangent, v.color].flatMap((a) =>
      hexOf(a.subarray(i * 3, i * 3 + 3))
    ),
    ...hexOf(v.uv.subarray(i * 2, i * 2 + 2)),
  ];
}

function lodHex(
  lods: StaticPayload["lodAlternates"],
): LodReference[] {
  return lods.map((lod) => ({
    switch_distance_bits: hex(
      lod.switchDistanceBits ?? bitsOf(Float32Array.of(lod.switchDistance))[0],
    ),
    indices: [...lod.indices],
  }));
}

const lodReference = (lods: LodReference[]) =>
  lods.map(({ switch_distance_bits, indices }) => ({
    switch_distance_bits,
    indices,
  }));

function checkStatic(got: StaticPayload, want: StaticReference, at: string) {
  assertEquals(got.vertices.count, want.vertex_count, at);
  want.vertices_bits.forEach((v, i) =>
    assertEquals(vertexHex(got.vertices, i), v, `vertex ${i} of ${at}`)
  );
  assertEquals([...got.indices], want.indices, at);
  assertEquals(lodHex(got.lodAlternates), lodReference(want.lods), at);
}

function checkSkinned(
  got: SkinnedPayload,
  want: SkinnedReference,
  at: string,
) {
  assertEquals(got.vertices.count, want.vertex_count, at);
  want.vertices.forEach((v, i) => {
    const where = `vertex ${i} of ${at}`;
    assertEquals(vertexHex(got.vertices, i), v.f14_bits, where);
    assertEquals(
      [...got.vertices.joints.subarray(i * 4, i * 4 + 4)],
      v.joints,
      where,
    );
    assertEquals(
      hexOf(got.vertices.weights.subarray(i * 4, i * 4 + 4)),
      v.weights_bits,
      where,
    );
  });
  assertEquals([...got.indices], want.indices, at);
  assertEquals(
    got.joints.map((j) => ({
      name: j.name,
      parent: j.parent,
      translation_bits: hexOf(j.translation as Float32Array),
      rotation_deg_bits: hexOf(j.rotationDeg as Float32Array),
      scale_bits: hexOf(j.scale as Float32Array),
    })),
    want.joints,
    at,
  );
}

function checkMorphs(got: SkinnedPayload, want: SkinnedReference, at: string) {
  const { morphs } = got;
  assertEquals(morphs.names, want.morphs.names, at);
  assertEquals([...morphs.offsets], want.morphs.offsets, at);
  assertEquals(
    Array.from(morphs.targets, (target, e) => ({
      target,
      position_bits: hexOf(morphs.position.subarray(e * 3, e * 3 + 3)),
      normal_bits: hexOf(morphs.normal.subarray(e * 3, e * 3 + 3)),
    })),
    want.morphs.entries,
    at,
  );
  assertEquals(hexOf(packedWords(morphs)), want.morphs.packed_words, at);
  assertEquals(lodHex(got.lodAlternates), lodReference(want.lods), at);
}

corpusTest(
  "payload readers accept and refuse every indexed file as the reference does",
  () => {
    let [yes, no] = [0, 0];
    for (const row of index()) {
      const bytes = bytesOf(row);
      for (const [reader, ok] of Object.entries(row.ok)) {
        const at = `${row.file}, ${reader} reader`;
        const read = READERS[reader as Reader];
        if (ok) {
          read(bytes);
          yes++;
          continue;
        }
        const error = assertThrows(() => read(bytes), MeshError, "", at);
        assertEquals(error.format, "payload", at);
        no++;
        const said = row.error[reader as Reader];
        // the reference aborts on two files, and says two things in words of its own language
        if (!said || said.includes("size overflow")) continue;
        const [own] = said.split(": invalid utf-8");
        assertStringIncludes(error.message, own, at);
      }
    }
    assert(yes > 60 && no > 50, `${yes} accepted, ${no} refused`);
  },
);

corpusTest("payload readers give the reference's values bit for bit", () => {
  let checked = 0;
  for (const row of accepted()) {
    const bytes = bytesOf(row);
    const { reference, bytes: size } = referenceOf(row);
    assertEquals(bytes.length, size, row.file);
    if (reference.static) {
      checkStatic(deserialiseWithLods(bytes), reference.static, row.file);
      const { vertices, indices } = deserialise(bytes);
      checkStatic(
        { vertices, indices, lodAlternates: [] },
        { ...reference.static, lods: [] },
        row.file,
      );
      checked++;
    }
    if (reference.heightfield) {
      const got = deserialiseHeightfield(bytes);
      const want = reference.heightfield.grid;
      assertEquals(
        got && [got.rows, got.cols, hexOf(got.heights)],
        want && [want.rows, want.cols, want.heights_bits],
        row.file,
      );
      checked++;
    }
    if (reference.skinned) {
      const got = deserialiseSkinnedWithLods(bytes);
      checkSkinned(got, reference.skinned, row.file);
      assertEquals(deserialiseSkinned(bytes), { ...got, lodAlternates: [] });
      // the reference no longer reads the legacy block and loses what stands behind it; this library does read it
      if (!row.tags.includes("legacy")) {
        checkMorphs(got, reference.skinned, row.file);
      }
      checked++;
    }
  }
  assert(checked > 60, `only ${checked} readings`);
});

corpusTest(
  "readPayload() holds what the single readers give, and its trailing bytes begin where they stop",
  () => {
    for (const row of accepted()) {
      const bytes = bytesOf(row);
      const file = readPayload(bytes);
      if (file.kind === "static") {
        const { vertices, indices, lodAlternates } = file;
        assertEquals(
          { vertices, indices, lodAlternates },
          deserialiseWithLods(bytes),
        );
        assertEquals(file.heightfield, deserialiseHeightfield(bytes));
        assert(looksLikeStaticPayload(bytes), row.file);
      } else {
        const { vertices, indices, lodAlternates, joints, morphs } = file;
        assertEquals(
          { vertices, indices, joints, morphs, lodAlternates },
          deserialiseSkinnedWithLods(bytes),
        );
      }
      const consumed = bytes.length - file.trailing.length;
      assertSameBytes(file.trailing, bytes.subarray(consumed));
      if (!row.tags.includes("noncanonical")) {
        assertEquals(file.trailing.length, 0, row.file);
      }
    }
  },
);

corpusTest(
  "readPayload() refuses a file when any of its blocks is broken",
  () => {
    for (const row of index().filter((row) => row.tags.includes("reject"))) {
      // a static payload under the skinned reader: nothing is wrong with the file
      if (row.file === "bad_skinned_static_given.bin") continue;
      assertThrows(() => readPayload(bytesOf(row)), MeshError, "", row.file);
    }
  },
);

corpusTest("writePayload() gives every accepted file byte for byte", () => {
  const rows = accepted();
  assert(rows.length > 40, `only ${rows.length} files`);
  for (const row of rows) {
    const bytes = bytesOf(row);
    assertSameBytes(writePayload(readPayload(bytes)), bytes, row.file);
  }
});

corpusTest(
  "serialise functions give every canonical file byte for byte",
  () => {
    let checked = 0;
    for (const row of accepted()) {
      if (!referenceOf(row).rewrite_is_byte_identical) continue;
      const bytes = bytesOf(row);
      checked++;
      if (row.ok.skinned) {
        const p = deserialiseSkinnedWithLods(bytes);
        assertSameBytes(
          serialiseSkinnedWithLods(
            p.vertices,
            p.indices,
            p.joints,
            p.morphs,
            p.lodAlternates,
          ),
          bytes,
          row.file,
        );
        continue;
      }
      const p = deserialiseWithLods(bytes);
      assertSameBytes(
        serialiseWithLods(p.vertices, p.indices, p.lodAlternates),
        bytes,
        row.file,
      );
      if (p.lodAlternates.length === 0) {
        assertSameBytes(serialise(p.vertices, p.indices), bytes, row.file);
      }
    }
    assert(checked > 25, `only ${checked} files`);
  },
);

corpusTest(
  "serialiseHeightfieldTrailer() appended gives the files with a heightfield byte for byte",
  () => {
    const rows = index().filter((row) => row.tags.includes("canonical-hfld"));
    assert(rows.length >= 2);
    for (const row of rows) {
      const bytes = bytesOf(row);
      const p = deserialiseWithLods(bytes);
      const written = [
        ...serialiseWithLods(p.vertices, p.indices, p.lodAlternates),
        ...serialiseHeightfieldTrailer(deserialiseHeightfield(bytes)!),
      ];
      assertSameBytes(Uint8Array.from(written), bytes, row.file);
    }
  },
);

corpusTest(
  "deserialiseSkinnedWithLods() reads the legacy dense morph block and the levels behind it",
  () => {
    const bytes = corpusBytes("payload/skinned_legacy_mrph.bin");
    // by hand, from the 357th byte on: where the reference stops
    const view = new DataView(bytes.buffer);
    const tag = String.fromCharCode(...bytes.subarray(357, 361));
    assertEquals(tag, "MRPH");
    const vertices = view.getUint32(4, true);
    let at = 361;
    const u32 = () => view.getUint32((at += 4) - 4, true);
    const names: string[] = [];
    for (let left = u32(); left > 0; left--) {
      const length = u32();
      names.push(new TextDecoder().decode(bytes.subarray(at, at + length)));
      at += length;
    }
    const dense: string[] = [];
    for (let i = 0; i < names.length * vertices * 6; i++) {
      dense.push(hex(u32()));
    }
    assert(dense.some((bits) => bits !== "00000000"));

    const file = readPayload(bytes);
    assert(file.kind === "skinned");
    assertEquals(file.morphBlock, "MRPH");
    assertEquals(file.morphs.names, names);
    assertEquals(hexOf(file.denseMorphs!), dense);
    // none of this file's deltas lies between zero and the epsilon
    assertEquals(hexOf(densifyMorphs(file.morphs, vertices)), dense);
    const rest = bytes.subarray(at);
    assertEquals(
      file.trailing.length + (file.hasLodsBlock ? 1 : 0) > 0,
      rest.length > 0,
    );
    if (rest.length > 0) {
      assertEquals(String.fromCharCode(...rest.subarray(0, 4)), "LODS");
      assertEquals(file.lodAlternates.length, view.getUint32(at + 4, true));
      assertEquals(file.trailing.length, 0);
    }
  },
);

corpusTest(
  "payload readers treat every prefix of three files as the reference does",
  () => {
    const truncation = corpusJson<
      Record<string, {
        reader: Reader;
        length: number;
        ranges: {
          from: number;
          to: number;
          ok: boolean;
          message_without_have: string;
        }[];
      }>
    >("payload/TRUNCATION.json");
    for (
      const [name, { reader, length, ranges }] of Object.entries(truncation)
    ) {
      const bytes = corpusBytes(`payload/${name}.bin`);
      assertEquals(bytes.length, length, name);
      let seen = 0;
      for (const range of ranges) {
        for (let n = range.from; n <= range.to; n++, seen++) {
          const at = `${name} cut to ${n} bytes`;
          const prefix = bytes.subarray(0, n);
          if (range.ok) {
            READERS[reader](prefix);
            assertSameBytes(writePayload(readPayload(prefix)), prefix, at);
            continue;
          }
          const error = assertThrows(
            () => READERS[reader](prefix),
            MeshError,
            range.message_without_have,
            at,
          );
          if (range.message_without_have.startsWith("unexpected end")) {
            assertEquals(error.code, "PAYLOAD-TRUNCATED", at);
            assertStringIncludes(error.message, `have ${n}`, at);
          }
          assertThrows(() => readPayload(prefix), MeshError, "", at);
        }
      }
      assertEquals(seen, length + 1, `${name}: not every prefix was tried`);
    }
  },
);

interface MorphVectors {
  single_component: { name: string; bits: string; kept: boolean }[];
  two_targets_three_vertices: {
    dense_target_major: [number[], number[]][];
    offsets: number[];
    entries: [number, number[], number[]][];
    packed_words: string[];
  };
  entry_word_base: [vertices: number, base: number][];
  wrong_length_error: string;
}

const vectors = () =>
  corpusJson<MorphVectors>("payload/COMPUTE_morph_weights.json");

corpusTest(
  "sparsifyMorphs() keeps and drops a single component at every boundary of the epsilon",
  () => {
    for (const { name, bits, kept } of vectors().single_component) {
      for (let component = 0; component < 6; component++) {
        const dense = new Float32Array(6);
        bitsOf(dense)[component] = parseInt(bits, 16);
        const sparse = sparsifyMorphs(dense, ["t"], 1);
        const at = `${name} in component ${component}`;
        assertEquals([...sparse.offsets], [0, kept ? 1 : 0], at);
        if (kept) {
          assertEquals(
            [...hexOf(sparse.position), ...hexOf(sparse.normal!)],
            hexOf(dense),
            at,
          );
        }
      }
    }
  },
);

corpusTest(
  "sparsifyMorphs() and packedWords() give the reference's table for two targets",
  () => {
    const want = vectors().two_targets_three_vertices;
    const dense = Float32Array.from(want.dense_target_major.flat(2));
    const sparse = sparsifyMorphs(dense, ["a", "b"], 3);
    assertEquals([...sparse.offsets], want.offsets);
    assertEquals(
      Array.from(sparse.targets, (t, e) => [
        t,
        [...sparse.position.subarray(e * 3, e * 3 + 3)],
        [...sparse.normal!.subarray(e * 3, e * 3 + 3)],
      ]),
      want.entries,
    );
    assertEquals(
      hexOf(packedWords({ ...sparse, normal: sparse.normal! })),
      want.packed_words,
    );
    assertEquals(hexOf(densifyMorphs(sparse, 3)), hexOf(dense));
  },
);

corpusTest(
  "packedWords() begins the entries at the reference's word for every vertex count",
  () => {
    for (const [vertices, base] of vectors().entry_word_base) {
      const offsets = new Uint32Array(vertices + 1);
      const words = packedWords({
        names: ["t"],
        offsets: offsets.fill(1, 1),
        targets: Uint32Array.of(0xabcd),
        position: Float32Array.of(1, 2, 3),
        normal: Float32Array.of(4, 5, 6),
      });
      assertEquals(words.length, base + 7, `${vertices} vertices`);
      assertEquals(words[base], 0xabcd, `${vertices} vertices`);
      assertEquals(
        [...new Float32Array(words.buffer, base * 4 + 4)],
        [1, 2, 3, 4, 5, 6],
      );
      assertEquals(
        [...words.subarray(vertices + 1, base)].every((w) => w === 0),
        true,
      );
    }
  },
);

corpusTest(
  "sparsifyMorphs() names entries, targets, vertices and the number required when the length is wrong",
  () => {
    const error = assertThrows(
      () => sparsifyMorphs(new Float32Array(6), ["t"], 3),
      MeshError,
    );
    assertEquals(error.code, "PAYLOAD-LENGTH");
    const numbers = (text: string) => text.match(/\d+/g)!.map(Number);
    assertEquals(numbers(error.message), numbers(vectors().wrong_length_error));
  },
);

interface HeightfieldVector {
  positions_bits: string[][];
  normals_bits: string[][];
  indices: number[];
}

corpusTest(
  "readPayload() gives the generated heightfield's vertices and grid",
  () => {
    const bytes = corpusBytes("payload/heightfield_4x3_sub4.bin");
    const [want] = corpusJson<{ heightfield: HeightfieldVector[] }>(
      "payload/COMPUTE_geometry.json",
    ).heightfield;
    const file = readPayload(bytes);
    assert(file.kind === "static" && file.heightfield);
    assertEquals(hexOf(file.vertices.pos), want.positions_bits.flat());
    assertEquals(hexOf(file.vertices.normal), want.normals_bits.flat());
    assertEquals([...file.indices], want.indices);
    const { rows, cols, heights } = file.heightfield;
    assertEquals([rows, cols], [5, 5]);
    assertEquals(hexOf(heights), want.positions_bits.map(([, y]) => y));
    assertSameBytes(writePayload(file), bytes);
  },
);
