import { assertEquals, assertThrows } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import {
  deserialiseSkinnedWithLods,
  deserialiseWithLods,
  type LodAlternate,
  packedWords,
  type PayloadJoint,
  type PayloadMorphs,
  readPayload,
  serialise,
  serialiseHeightfieldTrailer,
  serialiseSkinnedWithLods,
  serialiseWithLods,
  type SkinnedVertex,
  type Vertex,
  writePayload,
} from "../../src/formats/payload/mod.ts";
import { Random } from "../random.ts";
import { assertSameBytes } from "../same_bytes.ts";
import {
  fields14,
  Put,
  putHeightfield,
  putLods,
  putMorphs,
  skinnedPart,
  staticPart,
} from "./plain_payload.ts";

function vertex(v: number): Vertex {
  const f = fields14(v);
  const triple = (at: number): [number, number, number] => [
    f[at],
    f[at + 1],
    f[at + 2],
  ];
  return {
    pos: triple(0),
    normal: triple(3),
    tangent: triple(6),
    color: triple(9),
    uv: [f[12], f[13]],
  };
}

const vertices = (n: number) => Array.from({ length: n }, (_, v) => vertex(v));
const lod = (switchDistance: number, indices: number[]): LodAlternate => ({
  switchDistance,
  indices: Uint16Array.from(indices),
});

function skinnedVertices(n: number, joints: number): SkinnedVertex[] {
  return vertices(n).map((v, i) => ({
    ...v,
    joints: [i % joints, (i + 1) % joints, 0, 0],
    weights: [0.75, 0.25, 0, 0],
  }));
}

const JOINTS: PayloadJoint[] = [
  {
    name: "root",
    parent: -1,
    translation: [0, 1, 0],
    rotationDeg: [0, 90, 0],
    scale: [1, 1, 1],
  },
  {
    name: "tip",
    parent: 0,
    translation: Float32Array.of(0, 1, 0),
    rotationDeg: Float32Array.of(0, 90, 0),
    scale: Float32Array.of(1, 1, 1),
  },
];

const MORPHS: PayloadMorphs = {
  names: ["a", "b"],
  offsets: Uint32Array.of(0, 2, 2, 3),
  targets: Uint32Array.of(0, 1, 1),
  position: Float32Array.of(1, 2, 3, 7, 8, 9, 13, 14, 15),
  normal: Float32Array.of(4, 5, 6, 10, 11, 12, 16, 17, 18),
};

Deno.test("serialise() writes the plain layout when vertices come one by one", () => {
  assertSameBytes(
    serialise(vertices(3), [0, 1, 2]),
    staticPart(3, [0, 1, 2]).bytes,
  );
  assertSameBytes(serialise([], []), staticPart(0, []).bytes);
});

Deno.test("serialise() writes the same bytes when vertices come as arrays", () => {
  const { vertices: arrays } = deserialiseWithLods(staticPart(3, []).bytes);
  assertSameBytes(
    serialise(arrays, Uint16Array.of(2, 1, 0)),
    staticPart(3, [2, 1, 0]).bytes,
  );
});

Deno.test("serialiseWithLods() writes a LODS block exactly when there are levels", () => {
  assertSameBytes(
    serialiseWithLods(vertices(2), [0, 1], [lod(4, [1, 0, 1]), lod(8, [])]),
    putLods(staticPart(2, [0, 1]), [[4, [1, 0, 1]], [8, []]]).bytes,
  );
  assertSameBytes(
    serialiseWithLods(vertices(2), [0, 1], []),
    staticPart(2, [0, 1]).bytes,
  );
});

Deno.test("serialiseHeightfieldTrailer() writes magic, size and heights", () => {
  const heights = Float32Array.of(-1, 0.5, 0.25, 1, 2, 2.5);
  assertSameBytes(
    serialiseHeightfieldTrailer({ rows: 2, cols: 3, heights }),
    putHeightfield(new Put(), 2, 3, [...heights]).bytes,
  );
});

Deno.test("serialiseSkinnedWithLods() writes the plain layout", () => {
  const joints = [{ name: "root", parent: -1 }, { name: "tip", parent: 0 }];
  assertSameBytes(
    serialiseSkinnedWithLods(skinnedVertices(3, 2), [0, 1, 2], JOINTS),
    skinnedPart(3, [0, 1, 2], joints).bytes,
  );
  assertSameBytes(
    serialiseSkinnedWithLods(
      skinnedVertices(3, 2),
      [0, 1, 2],
      JOINTS,
      MORPHS,
      [lod(5, [0])],
    ),
    putLods(
      putMorphs(skinnedPart(3, [0, 1, 2], joints), 3, ["a", "b"], [
        [0, 0, 1, 2, 3, 4, 5, 6],
        [0, 1, 7, 8, 9, 10, 11, 12],
        [2, 1, 13, 14, 15, 16, 17, 18],
      ]),
      [[5, [0]]],
    ).bytes,
  );
});

Deno.test("serialiseSkinnedWithLods() gives back what random figures hold", () => {
  const random = new Random(21);
  for (let round = 0; round < 40; round++) {
    const n = random.below(30);
    const names = ["a", "b", "c"].slice(0, random.below(4));
    const offsets = new Uint32Array(names.length ? n + 1 : 0);
    for (let v = 0; v + 1 < offsets.length; v++) {
      offsets[v + 1] = offsets[v] + random.below(names.length + 1);
    }
    const entries = offsets.at(-1) ?? 0;
    const figure = {
      vertices: {
        count: n,
        pos: random.floats(n * 3, -9, 9),
        normal: random.floats(n * 3, -1, 1),
        tangent: random.floats(n * 3, -1, 1),
        color: random.floats(n * 3, 0, 1),
        uv: random.floats(n * 2, -2, 2),
        joints: Uint16Array.from({ length: n * 4 }, () => random.below(65536)),
        weights: random.floats(n * 4, 0, 1),
      },
      indices: Uint16Array.from(
        { length: random.below(9) },
        () => random.below(65536),
      ),
      joints: Array.from({ length: random.below(4) }, (_, i) => ({
        name: "j".repeat(random.below(5)),
        parent: random.below(9) - 4,
        translation: random.floats(3, -1, 1),
        rotationDeg: random.floats(3, -180, 180),
        scale: random.floats(3, i, 2),
      })),
      morphs: {
        names,
        offsets,
        targets: Uint32Array.from(
          { length: entries },
          () => random.below(names.length),
        ),
        position: random.floats(entries * 3, -1, 1),
        normal: random.floats(entries * 3, -1, 1),
      },
      lodAlternates: Array.from(
        { length: random.below(3) },
        (_, i) => lod(i + 0.5, [random.below(65536)]),
      ),
    };
    const bytes = serialiseSkinnedWithLods(
      figure.vertices,
      figure.indices,
      figure.joints,
      figure.morphs,
      figure.lodAlternates,
    );
    assertEquals(deserialiseSkinnedWithLods(bytes), figure);
  }
});

Deno.test("serialise functions refuse an index when it does not fit 16 bits", () => {
  for (const bad of [65536, -1, 1.5, NaN, 2 ** 32]) {
    const calls: [() => unknown, string][] = [
      [() => serialise(vertices(1), [0, bad]), "indices/1"],
      [
        () =>
          serialiseWithLods(vertices(1), [], [
            lod(1, []),
            { switchDistance: 2, indices: [bad] as unknown as Uint16Array },
          ]),
        "lodAlternates/1/indices/0",
      ],
      [
        () => serialiseSkinnedWithLods(skinnedVertices(1, 1), [bad], []),
        "indices/0",
      ],
      [
        () =>
          serialiseSkinnedWithLods(
            [{ ...skinnedVertices(1, 1)[0], joints: [0, 0, 0, bad] }],
            [],
            [],
          ),
        "joints/3",
      ],
    ];
    for (const [call, path] of calls) {
      const error = assertThrows(call, MeshError);
      assertEquals([error.code, error.path], ["PAYLOAD-INDEX-WIDTH", path]);
      assertEquals(error.found, bad);
      assertEquals(error.allowed, 65535);
    }
  }
  serialise(vertices(1), [65535]);
});

Deno.test("serialise functions refuse arrays when their lengths do not belong together", () => {
  const bytes = putMorphs(
    skinnedPart(2, [], [{ name: "a", parent: -1 }]),
    2,
    ["m"],
    [[0, 0, 1, 1, 1, 1, 1, 1]],
  ).bytes;
  const good = deserialiseSkinnedWithLods(bytes);
  const skinned = (
    v: Partial<typeof good.vertices>,
    m: Partial<PayloadMorphs> = {},
  ) =>
  () =>
    serialiseSkinnedWithLods(
      { ...good.vertices, ...v },
      [],
      good.joints,
      { ...good.morphs, ...m },
    );
  const f32 = (n: number) => new Float32Array(n);
  const cases: [() => unknown, string, number, number][] = [
    [skinned({ pos: f32(5) }), "pos", 5, 6],
    [skinned({ normal: f32(7) }), "normal", 7, 6],
    [skinned({ tangent: f32(8) }), "tangent", 8, 6],
    [skinned({ color: f32(0) }), "color", 0, 6],
    [skinned({ uv: f32(6) }), "uv", 6, 4],
    [skinned({ joints: new Uint16Array(7) }), "joints", 7, 8],
    [skinned({ weights: f32(9) }), "weights", 9, 8],
    [skinned({}, { offsets: Uint32Array.of(0, 1) }), "morphs/offsets", 2, 3],
    [skinned({}, { position: f32(2) }), "morphs/position", 2, 3],
    [skinned({}, { normal: f32(4) }), "morphs/normal", 4, 3],
    [skinned({}, { names: [] }), "morphs/targets", 1, 0],
    [
      () => serialise({ ...good.vertices, count: 3 }, []),
      "pos",
      6,
      9,
    ],
    [
      () => serialiseHeightfieldTrailer({ rows: 2, cols: 2, heights: f32(3) }),
      "heightfield/heights",
      3,
      4,
    ],
  ];
  skinned({})();
  for (const [call, path, found, allowed] of cases) {
    const error = assertThrows(call, MeshError, path);
    assertEquals(error.code, "PAYLOAD-LENGTH");
    assertEquals([error.path, error.found, error.allowed], [
      path,
      found,
      allowed,
    ]);
  }
});

Deno.test("serialiseSkinnedWithLods() refuses a morph table when a reader would", () => {
  const write = (changes: Partial<PayloadMorphs>) => () =>
    serialiseSkinnedWithLods(skinnedVertices(3, 2), [], JOINTS, {
      ...MORPHS,
      ...changes,
    });
  for (
    const changes of [
      { offsets: Uint32Array.of(1, 2, 2, 3) },
      { offsets: Uint32Array.of(0, 2, 1, 3) },
      { offsets: Uint32Array.of(0, 2, 2, 2) },
      { targets: Uint32Array.of(0, 1, 2) },
    ]
  ) {
    assertEquals(
      assertThrows(write(changes), MeshError).code,
      "PAYLOAD-MORPH-TABLE",
    );
  }
});

Deno.test("writePayload() adds a block when the caller gave the file one", () => {
  const file = readPayload(staticPart(3, [0, 1, 2]).ascii("!").bytes);
  if (file.kind !== "static") throw new Error("not static");
  file.lodAlternates.push(lod(4, [2, 1, 0]));
  file.heightfield = { rows: 1, cols: 2, heights: Float32Array.of(3, 4) };
  assertSameBytes(
    writePayload(file),
    putHeightfield(
      putLods(staticPart(3, [0, 1, 2]), [[4, [2, 1, 0]]]),
      1,
      2,
      [3, 4],
    ).ascii("!").bytes,
  );
});

Deno.test("packedWords() is empty when there are no targets", () => {
  const { morphs } = deserialiseSkinnedWithLods(skinnedPart(1, [], []).bytes);
  assertEquals(packedWords(morphs).length, 0);
});

Deno.test("packedWords() keeps the bits of every delta", () => {
  const position = new Float32Array(
    Uint32Array.of(0x7f800001, 0xffc12345, 0x80000000).buffer,
  );
  const words = packedWords({
    names: ["a"],
    offsets: Uint32Array.of(0, 1),
    targets: Uint32Array.of(0),
    position,
    normal: position,
  });
  const bits = [0x7f800001, 0xffc12345, 0x80000000];
  assertEquals([...words], [0, 1, 0, 0, 0, ...bits, ...bits]);
});
