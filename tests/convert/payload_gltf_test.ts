import { assert, assertEquals, assertGreater } from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import type { LossEntry } from "../../src/core/loss.ts";
import {
  type PayloadFile,
  readPayload,
  writePayload,
} from "../../src/formats/payload/mod.ts";
import { corpusBytes, corpusJson, corpusTest } from "../corpus.ts";
import { assertClean } from "../gltf/khronos.ts";
import {
  type PlainJoint,
  Put,
  putHeightfield,
  putLods,
  putMorphs,
  staticPart,
} from "../payload/plain_payload.ts";
import { Random } from "../random.ts";
import { assertSameBytes, firstDifference } from "../same_bytes.ts";

interface Row {
  file: string;
  tags: string[];
  ok: Record<string, boolean>;
}

const sample = (name: string) =>
  Deno.readFileSync(new URL(`../../samples/${name}`, import.meta.url));
const accepted = () =>
  corpusJson<Row[]>("payload/INDEX.json")
    .filter((row) => Object.values(row.ok).every(Boolean));
const rowsOf = (loss: LossEntry[]) =>
  loss.map((l) => `${l.kind} ${l.what} ${l.count}`);

/** There and back, every entry of a morph target kept. */
async function there(bytes: Uint8Array) {
  const out = await convert(bytes, { from: "payload", to: "gltf" });
  const back = await convert(out.outputs[0], {
    to: "payload",
    morphEpsilon: 0,
  });
  return { glb: out.outputs[0], report: out.report, back: back.outputs[0] };
}

/** What JSON does to a number: the sign of zero goes. */
const plain = (values: ArrayLike<number>) =>
  Float32Array.from(values, (x) => x + 0);

/**
 * The file as a round trip through glTF that loses nothing gives it back: numbers that glTF holds as JSON (joints, heights,
 * distances) have no negative zero, and dense morph targets are sparse.
 */
function asGltfHoldsIt(file: PayloadFile): PayloadFile {
  const common = {
    lodAlternates: file.lodAlternates.map((l) => ({
      ...l,
      switchDistance: l.switchDistance + 0,
    })),
  };
  if (file.kind === "static") {
    const { heightfield } = file;
    return {
      ...file,
      ...common,
      heightfield: heightfield &&
        { ...heightfield, heights: plain(heightfield.heights) },
    };
  }
  return {
    ...file,
    ...common,
    joints: file.joints.map((j) => ({
      ...j,
      translation: plain(j.translation),
      rotationDeg: plain(j.rotationDeg),
      scale: plain(j.scale),
    })),
    morphBlock: file.morphs.names.length > 0 ? "MRPS" : "none",
    denseMorphs: null,
  };
}

corpusTest(
  "convert() makes a GLB and a glTF without fault of every accepted payload",
  async () => {
    let count = 0;
    for (const row of accepted()) {
      const bytes = corpusBytes(`payload/${row.file}`);
      for (const gltfJson of [false, true]) {
        const { outputs } = await convert(bytes, {
          from: "payload",
          to: "gltf",
          gltfJson,
        });
        await assertClean(outputs[0], row.file);
        count++;
      }
    }
    assertGreater(count, 80);
  },
);

/**
 * What glTF cannot hold of the corpus, by the descriptions in its index. Files that are not here come back byte for byte.
 */
const LOSSES: Record<string, string[]> = {
  "static_index_out_of_range.bin": ["repaired triangles 1"],
  "static_nan_inf.bin": [
    "repaired positions 1",
    "repaired normals 1",
    "repaired tangents 1",
  ],
  "static_nan_payload_bits.bin": [
    "repaired positions 1",
    "repaired normals 1",
    "repaired tangents 1",
  ],
  "static_neg_zero.bin": ["repaired normals 1", "repaired tangents 1"],
  "static_65536_note.bin": [
    "repaired triangles 1",
    "repaired normals 4",
    "repaired tangents 4",
  ],
  "static_trailing_1byte.bin": ["dropped trailing bytes 1"],
  "static_trailing_junk.bin": ["dropped trailing bytes 8"],
  "static_lods_zero_alternates.bin": ["dropped LODS block 1"],
  "static_lods_nan_distance.bin": ["changed switch distances 1"],
  "static_lods_index_out_of_range.bin": ["repaired triangles 1"],
  "static_lods_twice.bin": ["dropped trailing bytes 22"],
  "static_hfld_before_lods.bin": ["dropped trailing bytes 22"],
  "static_hfld_trailing_junk.bin": ["dropped trailing bytes 4"],
  "skinned_parent_forward.bin": ["repaired joint parents 1"],
  "skinned_parent_minus42.bin": ["repaired joint parents 1"],
  "skinned_morph_unsorted_targets.bin": ["changed order of morph entries 1"],
  "skinned_morph_duplicate_entry.bin": ["changed morph entries 1"],
  "skinned_empty_morph.bin": ["dropped morph targets 1"],
  "skinned_lods_before_mrps.bin": ["dropped trailing bytes 93"],
  "skinned_hfld_ignored.bin": ["dropped trailing bytes 28"],
};

corpusTest(
  "convert() reports of every payload what glTF cannot hold, and the rest comes back byte for byte",
  async () => {
    const unseen = new Set(Object.keys(LOSSES));
    for (const row of accepted()) {
      unseen.delete(row.file);
      const bytes = corpusBytes(`payload/${row.file}`);
      const { report, back } = await there(bytes);
      assertEquals(rowsOf(report.loss), LOSSES[row.file] ?? [], row.file);
      if (report.loss.length === 0) {
        const want = row.tags.includes("legacy")
          ? writePayload(asGltfHoldsIt(readPayload(bytes)))
          : bytes;
        assertSameBytes(back, want, row.file);
      } else {
        assert(
          back.length !== bytes.length || firstDifference(back, bytes) >= 0,
          `${row.file}: a loss was reported and nothing is lost`,
        );
      }
    }
    assertEquals([...unseen], []);
  },
);

corpusTest(
  "convert() changes of a doubtful payload only what it reports",
  async () => {
    for (const [file, rows] of Object.entries(LOSSES)) {
      const bytes = corpusBytes(`payload/${file}`);
      const [before, after] = [
        readPayload(bytes),
        readPayload((await there(bytes)).back),
      ];
      const named = (what: string) => rows.some((r) => r.includes(what));
      assertEquals(after.kind, before.kind);
      assertEquals(after.vertices.count, before.vertices.count, file);
      const streams = [
        ["pos", "positions"],
        ["normal", "normals"],
        ["tangent", "tangents"],
        ["color", "colours"],
        ["uv", "texture coordinates"],
      ] as const;
      for (const [stream, what] of streams) {
        if (named(what)) continue;
        assertSameBytes(
          after.vertices[stream],
          before.vertices[stream],
          `${file} ${stream}`,
        );
      }
      if (!named("triangles")) {
        assertEquals([...after.indices], [...before.indices], file);
        assertEquals(
          after.lodAlternates.map((l) => [...l.indices]),
          before.lodAlternates.map((l) => [...l.indices]),
        );
      }
      if (!named("switch distances")) {
        assertEquals(
          after.lodAlternates.map((l) => l.switchDistance),
          before.lodAlternates.map((l) => l.switchDistance),
        );
      }
      if (before.kind === "static" || after.kind === "static") continue;
      const joints = (f: typeof before) =>
        f.joints.map((j) => [
          j.name,
          named("joint parents") ? 0 : j.parent,
          ...j.translation,
          ...j.rotationDeg,
          ...j.scale,
        ]);
      assertEquals(joints(after), joints(before), file);
      assertSameBytes(after.vertices.joints, before.vertices.joints);
      assertSameBytes(after.vertices.weights, before.vertices.weights);
      if (!named("morph targets")) {
        assertEquals(after.morphs.names, before.morphs.names);
      }
    }
  },
);

Deno.test("convert() makes of each sample a GLB without fault that gives it back byte for byte", async () => {
  for (const name of ["terrain.payload", "figure.payload"]) {
    const bytes = sample(name);
    const { glb, report, back } = await there(bytes);
    await assertClean(glb, name);
    assertEquals(report.loss, []);
    assertSameBytes(back, bytes, name);
    // with the usual epsilon as well: the sample holds nothing that small
    const usual = await convert(glb, { to: "payload" });
    assertSameBytes(usual.outputs[0], bytes, name);
  }
});

/** Numbers that a file may hold and arithmetic may not keep. */
const SPECIAL = [0, -0, NaN, Infinity, -Infinity, 1e-45, 3e38, -1];

/** A payload of random content; `odd` is the share of places that hold something doubtful. */
function randomPayload(random: Random, odd: number): Uint8Array {
  const strange = () => random.float() < odd;
  const number = (low: number, high: number) =>
    strange() ? random.pick(SPECIAL) : random.between(low, high);
  const unit = (): number[] =>
    strange()
      ? [number(-1, 1), number(-1, 1), number(-1, 1)]
      : random.unitVector();
  const skinned = random.float() < 0.6;
  const n = random.below(8);
  const jointCount = skinned ? random.below(5) : 0;
  const put = new Put();
  if (skinned) put.ascii("SKMV");
  put.u32(n);
  for (let v = 0; v < n; v++) {
    for (let k = 0; k < 3; k++) put.f32(number(-5, 5));
    put.f32(...unit(), ...unit());
    for (let k = 0; k < 3; k++) put.f32(number(0, 1));
    put.f32(number(-1, 2), number(-1, 2));
    if (!skinned) continue;
    // a third and two of a sixth do not sum to one in f32: within what is left alone
    const weights = random.pick([
      [1, 0, 0, 0],
      [0.5, 0.5, 0, 0],
      [1 / 3, 1 / 3, 1 / 6, 1 / 6],
    ]).map((w) => strange() ? random.pick(SPECIAL) : w);
    const joints = weights.map((w, k) =>
      strange()
        ? random.below(9)
        : w === 0
        ? 0
        : (v + k) % Math.max(jointCount, 1)
    );
    if (jointCount > 0 && jointCount < 4 && !strange()) {
      joints.fill(0);
      weights.splice(0, 4, 1, 0, 0, 0);
    }
    put.u16(...joints).f32(...weights);
  }
  const list = () => {
    const count = n === 0 ? 0 : random.below(4) * 3 + (strange() ? 1 : 0);
    return Array.from(
      { length: count },
      () => strange() ? random.below(n + 3) : random.below(n),
    );
  };
  const first = list();
  put.u32(first.length).u16(...first);
  if (skinned) {
    put.u32(jointCount);
    for (let j = 0; j < jointCount; j++) {
      const joint: PlainJoint = {
        name: random.pick(["root", "", "größe", "root", "a\u0000b"]),
        parent: strange() ? random.below(7) - 3 : random.below(j + 1) - 1,
        trs: [
          ...[number(-2, 2), number(-2, 2), number(-2, 2)],
          ...[number(-360, 360), number(-180, 180), number(-400, 400)],
          ...[number(0.5, 2), number(0.5, 2), number(0.5, 2)],
        ],
      };
      put.name(joint.name).u32(joint.parent).f32(...joint.trs!);
    }
    if (random.float() < 0.6) {
      const names = ["smile", "", "smile"].slice(0, 1 + random.below(3));
      const entries: [number, number, ...number[]][] = [];
      for (let v = 0; v < n; v++) {
        const targets = names.map((_, t) => t).filter(() =>
          random.float() < 0.5
        );
        if (strange()) targets.reverse();
        if (strange() && targets.length > 0) targets.push(targets[0]);
        for (const t of targets) {
          entries.push([
            v,
            t,
            ...Array.from({ length: 6 }, () => number(-1, 1)),
          ]);
        }
      }
      putMorphs(put, n, names, entries);
    }
  }
  if (random.float() < 0.5) {
    putLods(
      put,
      Array.from({ length: strange() ? 0 : 1 + random.below(2) }, () => [
        number(1, 50),
        list(),
      ]),
    );
  }
  if (!skinned && random.float() < 0.4) {
    const [rows, cols] = [random.below(3), random.below(4)];
    putHeightfield(
      put,
      rows,
      cols,
      Array.from({ length: rows * cols }, () => number(-9, 9)),
    );
  }
  if (strange()) put.raw([1, 2, 3]);
  return put.bytes;
}

Deno.test("convert() reports no loss exactly when a payload comes back whole from its GLB, for random payloads", async () => {
  const random = new Random(91);
  let [whole, lossy] = [0, 0];
  for (let round = 0; round < 500; round++) {
    const bytes = randomPayload(random, random.pick([0, 0, 0.01, 0.05, 0.3]));
    const what = `payload ${round}`;
    const { glb, report, back } = await there(bytes);
    if (round % 5 === 0) await assertClean(glb, what);
    const want = writePayload(asGltfHoldsIt(readPayload(bytes)));
    const same = back.length === want.length &&
      firstDifference(back, want) < 0;
    assertEquals(
      report.loss.length === 0,
      same,
      `${what}: ${rowsOf(report.loss)}`,
    );
    if (same) whole++;
    else lossy++;
  }
  assertGreater(whole, 100);
  assertGreater(lossy, 100);
});

Deno.test("convert() keeps a payload to itself byte for byte, doubtful content included", async () => {
  const random = new Random(92);
  for (let round = 0; round < 100; round++) {
    const bytes = randomPayload(random, 0.3);
    const { outputs, report } = await convert(bytes, {
      from: "payload",
      to: "payload",
    });
    assertSameBytes(outputs[0], bytes);
    assertEquals([report.loss, report.added], [[], []]);
  }
});

Deno.test("convert() counts a repair once for every vertex or triangle that needed it", async () => {
  const put = new Put().u32(5);
  const rows: [pos: number[], normal: number[], tangent: number[]][] = [
    [[0, 0, 0], [0, 0, 1], [1, 0, 0]],
    [[1, 0, 0], [0, 0, 0], [1, 0, 0]],
    [[0, 1, 0], [0, 0, 2], [0, 0, 0]],
    [[NaN, Infinity, 0], [NaN, 0, 1], [0, NaN, 0]],
    [[0, 0, NaN], [0, 0, 1], [0.5, 0, 0]],
  ];
  for (const [pos, normal, tangent] of rows) {
    put.f32(...pos, ...normal, ...tangent, 2, -1, NaN, NaN, 0.5);
  }
  put.u32(13).u16(0, 1, 2, 0, 1, 5, 0, 1, 3, 2, 1, 4, 0);
  const { outputs, report } = await convert(put.bytes, { to: "gltf" });
  await assertClean(outputs[0], "repairs");
  assertEquals(
    report.loss.map((l) => [l.kind, l.what, l.count, l.largest, l.demanded]),
    [
      ["repaired", "triangles", 1, null, true],
      ["repaired", "triangles", 2, null, true],
      ["repaired", "indices", 1, null, true],
      ["repaired", "positions", 2, null, true],
      ["repaired", "texture coordinates, colours and weights", 10, null, true],
      ["repaired", "normals", 2, null, true],
      ["repaired", "tangents", 2, null, true],
      ["repaired", "normals", 1, 1, true],
      ["repaired", "tangents", 1, 1, true],
      ["changed", "colours", 10, 1, true],
    ],
  );
});

Deno.test("convert() gives mirrored textures their sign, and a payload made of it has lost nothing else", async () => {
  // fields14() maps v along −u, so that every triangle of 0, 1, 2 is mirrored or flat
  const put = new Put().u32(3);
  const corners = [[0, 0, 0, 0, 0], [1, 0, 0, 1, 0], [0, 1, 0, 0, 1]];
  for (const [x, y, z, u, v] of corners) {
    put.f32(x, y, z, 0, 0, 1, 1, 0, 0, 1, 1, 1, u, v);
  }
  put.u32(3).u16(0, 1, 2);
  const { outputs, report } = await convert(put.bytes, { to: "gltf" });
  assertEquals(report.loss, []);
  assertEquals(report.added.map((a) => [a.what, a.count]), [
    ["tangent signs", 3],
  ]);
  const back = await convert(outputs[0], { to: "payload" });
  assertSameBytes(back.outputs[0], put.bytes);
  assertEquals(back.report.loss, []);
});

Deno.test("convert() writes all levels, or the one that is asked for", async () => {
  const bytes = putLods(staticPart(4, [0, 1, 2, 1, 3, 2]), [
    [8, [0, 2, 1]],
    [16, [1, 2, 3]],
  ]).bytes;
  const all = readPayload((await there(bytes)).back);
  assertEquals(all.lodAlternates.length, 2);
  const one = await convert(bytes, { to: "gltf", lod: 1 });
  assertEquals(rowsOf(one.report.loss), ["dropped levels of detail 2"]);
  const again = await convert(one.outputs[0], { to: "payload" });
  const file = readPayload(again.outputs[0]);
  assertEquals([[...file.indices], file.lodAlternates], [[0, 2, 1], []]);
  const same = await convert(bytes, { to: "payload", lod: 2 });
  assertEquals([...readPayload(same.outputs[0]).indices], [1, 2, 3]);
});
