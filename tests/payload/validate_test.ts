import { assertEquals } from "@std/assert";
import { type Finding, Findings } from "../../src/core/findings.ts";
import { MAX_LISTED_FINDINGS } from "../../src/core/limits.ts";
import { readPayload, validatePayload } from "../../src/formats/payload/mod.ts";
import { corpusBytes, corpusJson, corpusTest } from "../corpus.ts";
import {
  type PlainEntry,
  type PlainJoint,
  Put,
  putHeightfield,
  putLods,
  putMorphs,
  skinnedPart,
  staticPart,
} from "./plain_payload.ts";

function findingsOf(put: Put): Findings {
  const findings = new Findings();
  validatePayload(readPayload(put.bytes), findings);
  return findings;
}

/** The only finding there is. */
function only(put: Put): Finding {
  const { list } = findingsOf(put);
  assertEquals(list.length, 1, JSON.stringify(list.map((f) => f.code)));
  return list[0];
}

const brief = (f: Finding) => [f.code, f.severity, f.where, f.found];

const TWO: PlainJoint[] = [
  { name: "root", parent: -1 },
  { name: "tip", parent: 0 },
];
const skinned = (joints = TWO) => skinnedPart(3, [0, 1, 2], joints);
const morphed = (names: string[], entries: PlainEntry[]) =>
  putMorphs(skinned(), 3, names, entries);
const big = [0.5, 0, 0, 0, 0, 0];

Deno.test("validatePayload() finds nothing when a payload is clean", () => {
  const clean = [
    staticPart(0, []),
    staticPart(3, [0, 1, 2]),
    putHeightfield(
      putLods(staticPart(3, [0, 1, 2]), [[1, [0, 1, 2]], [2, [2, 1, 0]]]),
      2,
      2,
      [0, 1, 2, 3],
    ),
    skinned(),
    putLods(
      morphed(["a", "b"], [[0, 0, ...big], [0, 1, ...big]]),
      [[1, [0, 1, 2]]],
    ),
  ];
  for (const put of clean) assertEquals(findingsOf(put).list, []);
});

Deno.test("validatePayload() gives PAYLOAD-INDEX-RANGE when an index is not below the vertex count", () => {
  assertEquals(brief(only(staticPart(3, [0, 3, 1]))), [
    "PAYLOAD-INDEX-RANGE",
    "error",
    "LOD 0/indices/1",
    3,
  ]);
  assertEquals(
    brief(only(putLods(staticPart(3, [0, 1, 2]), [[1, [0, 1, 65535]]]))),
    ["PAYLOAD-INDEX-RANGE", "error", "LOD 1/indices/2", 65535],
  );
});

Deno.test("validatePayload() gives PAYLOAD-INDEX-TAIL when indices make no whole triangles", () => {
  assertEquals(brief(only(staticPart(3, [0, 1, 2, 0]))), [
    "PAYLOAD-INDEX-TAIL",
    "warning",
    "LOD 0/indices",
    4,
  ]);
});

Deno.test("validatePayload() gives PAYLOAD-LOD-ORDER when distances are not finite, positive and ascending", () => {
  const face = [0, 1, 2];
  const cases: [number[], number, unknown][] = [
    [[0], 1, 0],
    [[-1], 1, -1],
    [[NaN], 1, "NaN"],
    [[Infinity], 1, "Infinity"],
    [[4, 4], 2, 4],
    [[4, 3, 8], 2, 3],
  ];
  for (const [distances, level, found] of cases) {
    const put = putLods(
      staticPart(3, face),
      distances.map((d) => [d, face] as const),
    );
    assertEquals(brief(only(put)), [
      "PAYLOAD-LOD-ORDER",
      "warning",
      `LOD ${level}/switchDistance`,
      found,
    ]);
  }
});

Deno.test("validatePayload() gives PAYLOAD-LOD-EMPTY when a level has no triangle", () => {
  assertEquals(brief(only(putLods(staticPart(3, [0, 1, 2]), [[1, []]]))), [
    "PAYLOAD-LOD-EMPTY",
    "warning",
    "LOD 1/indices",
    0,
  ]);
});

Deno.test("validatePayload() gives PAYLOAD-LODS-EMPTY when the block has no levels", () => {
  assertEquals(brief(only(putLods(staticPart(3, [0, 1, 2]), []))), [
    "PAYLOAD-LODS-EMPTY",
    "info",
    "LODS",
    0,
  ]);
});

Deno.test("validatePayload() gives PAYLOAD-JOINT-PARENT when a parent does not stand before its child", () => {
  for (const [parent, at] of [[1, 1], [7, 1], [-2, 1], [0, 0]] as const) {
    const joints = structuredClone(TWO);
    joints[at].parent = parent;
    assertEquals(brief(only(skinned(joints))), [
      "PAYLOAD-JOINT-PARENT",
      "warning",
      `joint ${at}`,
      parent,
    ]);
  }
});

Deno.test("validatePayload() gives PAYLOAD-JOINT-NAME when a name is empty or repeats", () => {
  for (const name of ["", "root"]) {
    assertEquals(
      brief(only(skinned([TWO[0], { name, parent: 0 }]))),
      ["PAYLOAD-JOINT-NAME", "warning", "joint 1", name],
    );
  }
});

Deno.test("validatePayload() gives PAYLOAD-JOINT-COUNT when there are more than 64 joints", () => {
  const joints = (n: number) =>
    Array.from({ length: n }, (_, i) => ({ name: `j${i}`, parent: i - 1 }));
  assertEquals(findingsOf(skinned(joints(64))).list, []);
  assertEquals(brief(only(skinned(joints(65)))), [
    "PAYLOAD-JOINT-COUNT",
    "warning",
    "joints",
    65,
  ]);
});

Deno.test("validatePayload() gives PAYLOAD-JOINT-RANGE when a weighted joint does not exist", () => {
  // every vertex hangs on joints v mod 1 = 0 twice; without joints both slots are out of range
  const { list } = findingsOf(skinnedPart(1, [], []));
  assertEquals(list.map(brief), [
    ["PAYLOAD-JOINT-RANGE", "error", "vertex 0/joints/0", 0],
    ["PAYLOAD-JOINT-RANGE", "error", "vertex 0/joints/1", 0],
  ]);
  // a slot without weight may hold anything
  const put = new Put().ascii("SKMV").u32(1);
  put.u32(...new Array(14).fill(0)).u16(0, 9, 65535, 1).f32(1, 0, 0, 0);
  put.u32(0).u32(1).name("j").u32(0xffffffff).f32(...new Array(9).fill(1));
  assertEquals(findingsOf(put).list, []);
});

Deno.test("validatePayload() gives PAYLOAD-MORPH-NAME when a target's name is empty or repeats", () => {
  for (const name of ["", "a"]) {
    const put = morphed(["a", name], [[0, 0, ...big], [1, 1, ...big]]);
    assertEquals(brief(only(put)), [
      "PAYLOAD-MORPH-NAME",
      "warning",
      "morph target 1",
      name,
    ]);
  }
});

Deno.test("validatePayload() gives PAYLOAD-MORPH-DUPLICATE when a vertex has two entries for a target", () => {
  assertEquals(
    brief(only(morphed(["a"], [[1, 0, ...big], [1, 0, ...big]]))),
    ["PAYLOAD-MORPH-DUPLICATE", "warning", "vertex 1", 0],
  );
});

Deno.test("validatePayload() gives PAYLOAD-MORPH-ORDER when a vertex's entries are unsorted", () => {
  assertEquals(
    brief(only(morphed(["a", "b"], [[1, 1, ...big], [1, 0, ...big]]))),
    ["PAYLOAD-MORPH-ORDER", "info", "vertex 1", null],
  );
});

Deno.test("validatePayload() gives PAYLOAD-MORPH-EMPTY when a target moves nothing", () => {
  assertEquals(brief(only(morphed(["a", "b"], [[1, 0, ...big]]))), [
    "PAYLOAD-MORPH-EMPTY",
    "warning",
    "morph target 1",
    0,
  ]);
});

Deno.test("validatePayload() gives PAYLOAD-MORPH-TINY when a writer would have dropped entries", () => {
  const epsilon = Math.fround(1e-6);
  const entries: PlainEntry[] = [
    [0, 0, epsilon, -epsilon, 0, 0, 0, epsilon],
    [1, 0, 0, 0, 0, 0, 0, 0],
    [2, 0, 0, 0, 0, 0, 0, epsilon * (1 + 2 ** -23)],
  ];
  assertEquals(brief(only(morphed(["a"], entries))), [
    "PAYLOAD-MORPH-TINY",
    "info",
    "morphs",
    2,
  ]);
});

Deno.test("validatePayload() gives PAYLOAD-HEIGHTFIELD-SIZE when a grid has fewer than 2 rows or columns", () => {
  for (const [rows, cols] of [[0, 5], [1, 1], [1, 3], [3, 1]]) {
    const put = putHeightfield(
      staticPart(3, [0, 1, 2]),
      rows,
      cols,
      new Array(rows * cols).fill(0),
    );
    assertEquals(brief(only(put)), [
      "PAYLOAD-HEIGHTFIELD-SIZE",
      "warning",
      "heightfield",
      [rows, cols],
    ]);
  }
});

Deno.test("validatePayload() gives MESH-NON-FINITE when a height, bind pose or morph delta is not finite", () => {
  const cases: [Put, string][] = [
    [
      putHeightfield(staticPart(0, []), 2, 2, [0, 0, NaN, 0]),
      "heightfield/heights/2",
    ],
    ...[0, 3, 6].map((at): [Put, string] => [
      skinned([{
        name: "root",
        parent: -1,
        trs: Object.assign([0, 1, 0, 0, 90, 0, 1, 1, 1], { [at]: -Infinity }),
      }, TWO[1]]),
      `joint 0/${["translation", "rotationDeg", "scale"][at / 3]}`,
    ]),
    [morphed(["a"], [[1, 0, 0, NaN, 0, 1, 0, 0]]), "morph entry 0"],
    [morphed(["a"], [[1, 0, 1, 0, 0, 0, Infinity, 0]]), "morph entry 0"],
  ];
  for (const [put, where] of cases) {
    const finding = only(put);
    assertEquals(
      [finding.code, finding.severity, finding.where],
      ["MESH-NON-FINITE", "error", where],
    );
    assertEquals(
      ["NaN", "Infinity", "-Infinity"].includes(String(finding.found)),
      true,
      `found ${finding.found}`,
    );
  }
});

Deno.test("validatePayload() gives PAYLOAD-LEGACY-MORPHS when the morphs are in the dense block", () => {
  const put = skinned().ascii("MRPH").u32(1).name("a")
    .f32(...big, ...big, ...big);
  assertEquals(brief(only(put)), [
    "PAYLOAD-LEGACY-MORPHS",
    "info",
    "morphs",
    "MRPH",
  ]);
});

Deno.test("validatePayload() gives PAYLOAD-HIDDEN-BLOCK when a known block stands where no reader looks", () => {
  const triangle = () => staticPart(3, [0, 1, 2]);
  const face = [0, 1, 2];
  const cases: [Put, string][] = [
    [putLods(putLods(triangle(), [[1, face]]), [[1, face]]), "LODS"],
    [
      putHeightfield(
        putHeightfield(triangle(), 2, 2, [0, 0, 0, 0]),
        2,
        2,
        [0, 0, 0, 0],
      ),
      "HFLD",
    ],
    [putMorphs(triangle(), 3, ["a"], []), "MRPS"],
    [putHeightfield(skinned(), 2, 2, [0, 0, 0, 0]), "HFLD"],
    [skinned().ascii("MRPH").u32(1), "MRPH"],
  ];
  for (const [put, tag] of cases) {
    assertEquals(brief(only(put)), [
      "PAYLOAD-HIDDEN-BLOCK",
      "warning",
      "trailing bytes",
      tag,
    ]);
  }
});

Deno.test("validatePayload() gives PAYLOAD-TRAILING when unknown bytes are left over", () => {
  for (const text of ["!", "LOD", "lods0000"]) {
    assertEquals(brief(only(staticPart(3, [0, 1, 2]).ascii(text))), [
      "PAYLOAD-TRAILING",
      "info",
      "trailing bytes",
      text.length,
    ]);
  }
});

Deno.test("validatePayload() lists the first findings and counts them all when there are many", () => {
  const n = MAX_LISTED_FINDINGS + 200;
  const findings = findingsOf(staticPart(0, new Array(n - n % 3).fill(9)));
  assertEquals(findings.list.length, MAX_LISTED_FINDINGS);
  assertEquals(findings.errors, n - n % 3);
});

corpusTest(
  "validatePayload() has something to say about every file that the corpus calls suspect or not canonical",
  () => {
    const index = corpusJson<{ file: string; tags: string[] }[]>(
      "payload/INDEX.json",
    );
    let checked = 0;
    for (const { file, tags } of index) {
      const doubtful = tags.includes("suspect") ||
        tags.includes("noncanonical");
      // vertices that are not finite belong to the checks of the mesh
      if (!doubtful || /^static_nan_(inf|payload)/.test(file)) continue;
      // a NUL in a name is odd, but no rule forbids it
      if (file === "skinned_name_embedded_nul.bin") continue;
      const findings = new Findings();
      validatePayload(readPayload(corpusBytes(`payload/${file}`)), findings);
      assertEquals(findings.list.length > 0, true, file);
      checked++;
    }
    assertEquals(checked > 20, true, `only ${checked} files`);
  },
);

Deno.test("validatePayload() gives PAYLOAD-JOINT-NAME when a name holds a control character", () => {
  const file = readPayload(
    Deno.readFileSync(
      new URL("../../samples/figure.payload", import.meta.url),
    ),
  );
  if (file.kind !== "skinned") throw new Error("the sample is skinned");
  file.joints[1].name = "lo\0wer";
  const findings = new Findings();
  validatePayload(file, findings);
  assertEquals(findings.list.map((f) => [f.code, f.where]), [
    ["PAYLOAD-JOINT-NAME", "joint 1"],
  ]);
});
