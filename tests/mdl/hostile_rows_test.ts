/**
 * What `validate` says of a Source set for every kind of damage that the format's description lists. Each case spoils a
 * sound set of two LODs and two meshes in one place.
 */
import { assert, assertEquals } from "@std/assert";
import { validate } from "../../src/convert/validate.ts";
import {
  buildFixture,
  type Fixture,
  oneModel,
  square,
} from "./build_fixture.ts";

const sound = () => {
  const near = square(3);
  const vertices = near.vertices.map((v, i) => ({ ...v, lod: i < 3 ? 1 : 0 }));
  return buildFixture(oneModel([
    square(0, 0, { lod: 1 }),
    { vertices, triangles: [near.triangles[0], [0, 2, 1]] },
  ], { lods: 2, bones: [{ name: "a" }, { name: "b", parent: 0 }] }));
};

/** Writes words into a copy. */
function words(
  bytes: Uint8Array<ArrayBuffer>,
  ...list: [at: number, value: number][]
): Uint8Array<ArrayBuffer> {
  const out = bytes.slice();
  for (const [at, value] of list) {
    new DataView(out.buffer).setInt32(at, value, true);
  }
  return out;
}

const i32 = (bytes: Uint8Array<ArrayBuffer>, at: number) =>
  new DataView(bytes.buffer).getInt32(at, true);

/** Place of record `level` deep below a VTX's body parts: 1 model, 2 LOD, 3 mesh, 4 strip group, 5 strip; the first of each. */
function vtxPlace(vtx: Uint8Array<ArrayBuffer>, depth: number): number {
  let at = i32(vtx, 32);
  for (let d = 1; d <= depth; d++) {
    const field = d === 5 ? 16 : 0;
    at += i32(vtx, at + field + 4);
  }
  return at;
}

type Case = [
  condition: string,
  spoil: (set: Fixture) => Partial<Fixture>,
  severity: "error" | "warning" | "info",
  code: string,
];

const pointer = new TextEncoder().encode(
  "version https://git-lfs.example/spec/v1\noid sha256:0\nsize 1\n",
);
const magic = (bytes: Uint8Array<ArrayBuffer>, text: string) => {
  const out = bytes.slice();
  out.set(new TextEncoder().encode(text));
  return out;
};
const float = (value: number) =>
  new DataView(Float32Array.of(value).buffer).getInt32(0, true);
const firstVertex = (vvd: Uint8Array<ArrayBuffer>) => i32(vvd, 56);

const CASES: Case[] = [
  [
    "a VVD shorter than its header",
    ({ vvd }) => ({ vvd: vvd.slice(0, 40) }),
    "error",
    "VVD-TRUNCATED",
  ],
  [
    "another magic",
    ({ vvd }) => ({ vvd: magic(vvd, "ABCD") }),
    "error",
    "VVD-MAGIC",
  ],
  ["a Git LFS pointer", () => ({ vvd: pointer }), "error", "VVD-LFS-POINTER"],
  ["zero bytes", () => ({ vvd: new Uint8Array(64) }), "error", "VVD-ZERO"],
  [
    "a console's magic",
    ({ vvd }) => ({ vvd: magic(vvd, "VSDI") }),
    "error",
    "VVD-BIG-ENDIAN",
  ],
  [
    "another version",
    ({ vvd }) => ({ vvd: words(vvd, [4, 5]) }),
    "error",
    "VVD-VERSION",
  ],
  [
    "no LODs",
    ({ vvd }) => ({ vvd: words(vvd, [12, 0]) }),
    "error",
    "VVD-LOD-COUNT",
  ],
  [
    "nine LODs",
    ({ vvd }) => ({ vvd: words(vvd, [12, 9]) }),
    "error",
    "VVD-LOD-COUNT",
  ],
  [
    "a negative count",
    ({ vvd }) => ({ vvd: words(vvd, [16, -1]) }),
    "error",
    "VVD-COUNT-NEGATIVE",
  ],
  [
    "a count times a size past the end",
    ({ vvd }) => ({ vvd: words(vvd, [16, 0x00ffffff]) }),
    "error",
    "VVD-RANGE",
  ],
  [
    "a negative count in the MDL",
    ({ mdl }) => ({ mdl: words(mdl, [204, -1]) }),
    "error",
    "MDL-COUNT",
  ],
  [
    "a table of the MDL past the end",
    ({ mdl }) => ({ mdl: words(mdl, [204, 0x01000000]) }),
    "error",
    "MDL-RANGE",
  ],
  [
    "vertices absent",
    ({ vvd }) => ({ vvd: words(vvd, [56, 0]) }),
    "error",
    "MDL-VERTEX-RANGE",
  ],
  [
    "a fixup run past the pool",
    ({ vvd }) => ({ vvd: words(vvd, [64 + 4, 7]) }),
    "error",
    "VVD-FIXUP-RANGE",
  ],
  [
    "a fixup of an LOD below 0",
    ({ vvd }) => ({ vvd: words(vvd, [64, -1]) }),
    "warning",
    "VVD-FIXUP-LOD",
  ],
  [
    "a fixup of an LOD that is not there",
    ({ vvd }) => ({ vvd: words(vvd, [64, 2]) }),
    "warning",
    "VVD-FIXUP-LOD",
  ],
  [
    "fixups that do not add up",
    ({ vvd }) => ({ vvd: words(vvd, [64 + 8, 3]) }),
    "error",
    "VVD-FIXUP-SUM",
  ],
  [
    "fixups that overlap",
    ({ vvd }) => ({ vvd: words(vvd, [64 + 16, 0]) }),
    "warning",
    "VVD-FIXUP-OVERLAP",
  ],
  [
    "fixups that leave vertices out",
    ({ vvd }) => ({ vvd: words(vvd, [64 + 16, 0]) }),
    "warning",
    "VVD-FIXUP-COVER",
  ],
  [
    "a position that is no number",
    ({ vvd }) => ({ vvd: words(vvd, [firstVertex(vvd) + 16, 0x7fc00000]) }),
    "warning",
    "MESH-NON-FINITE",
  ],
  [
    "a position without end",
    ({ vvd }) => ({
      vvd: words(vvd, [firstVertex(vvd) + 20, float(Infinity)]),
    }),
    "warning",
    "MESH-NON-FINITE",
  ],
  [
    "a normal of no length",
    ({ vvd }) => ({ vvd: words(vvd, [firstVertex(vvd) + 36, 0]) }),
    "warning",
    "MESH-NORMAL-ZERO",
  ],
  [
    "a bone that the MDL has not",
    ({ vvd }) => {
      const out = vvd.slice();
      out[firstVertex(vvd) + 12] = 2;
      return { vvd: out };
    },
    "error",
    "MDL-BONE-RANGE",
  ],
  [
    "an index past its strip group",
    ({ vtx }) => {
      const group = vtxPlace(vtx, 4);
      const out = vtx.slice();
      out[group + i32(vtx, group + 12)] = 200;
      return { vtx: out };
    },
    "error",
    "VTX-INDEX-RANGE",
  ],
  [
    "a vertex past its mesh",
    ({ vtx }) => {
      const group = vtxPlace(vtx, 4);
      const out = vtx.slice();
      out[group + i32(vtx, group + 4) + 4] = 200;
      return { vtx: out };
    },
    "error",
    "VTX-VERTEX-RANGE",
  ],
  [
    "a list whose indices make no whole triangle",
    ({ vtx }) => ({ vtx: words(vtx, [vtxPlace(vtx, 5), 5]) }),
    "warning",
    "VTX-INDEX-TAIL",
  ],
  [
    "counts that multiply past the file",
    ({ vtx }) => ({ vtx: words(vtx, [vtxPlace(vtx, 4), 0x01000000]) }),
    "error",
    "VTX-RANGE",
  ],
  [
    "a negative count in the VTX",
    ({ vtx }) => ({ vtx: words(vtx, [vtxPlace(vtx, 4) + 8, -1]) }),
    "error",
    "VTX-COUNT",
  ],
  [
    "another checksum in the VVD",
    ({ vvd }) => ({ vvd: words(vvd, [8, 1]) }),
    "error",
    "MDL-CHECKSUM",
  ],
  [
    "another checksum in the VTX",
    ({ vtx }) => ({ vtx: words(vtx, [16, 1]) }),
    "error",
    "MDL-CHECKSUM",
  ],
  [
    "bytes behind everything",
    ({ vvd }) => {
      const out = new Uint8Array(vvd.length + 5).fill(1);
      out.set(vvd);
      return { vvd: out };
    },
    "info",
    "VVD-TRAILING",
  ],
];

const judge = ({ mdl, vvd, vtx }: Fixture) =>
  validate(mdl, {
    name: "box.mdl",
    resources: { "box.vvd": vvd, "box.dx90.vtx": vtx },
  });

Deno.test("validate() finds nothing in the set that the cases spoil", async () => {
  const { findings } = await judge(sound());
  assertEquals(findings, []);
});

for (const [condition, spoil, severity, code] of CASES) {
  Deno.test(`validate() says ${code} when a set has ${condition}`, async () => {
    const set = sound();
    const { findings, ok } = await judge({ ...set, ...spoil(set) });
    const found = findings.find((f) => f.code === code);
    assertEquals(found?.severity, severity, JSON.stringify(findings));
    assertEquals(ok, !findings.some((f) => f.severity === "error"));
    assert(found!.message.length > 0 && found!.where.length > 0);
  });
}

Deno.test("validate() takes tangents that are not there, and levels that share all their tables", async () => {
  const bare = buildFixture(oneModel([square()], { noTangents: true }));
  assertEquals((await judge(bare)).findings, []);
  const set = buildFixture(oneModel([square()], { lods: 2 }));
  const lod = vtxPlace(set.vtx, 2);
  // LOD 1 takes the meshes of LOD 0
  const vtx = words(set.vtx, [lod + 12 + 4, i32(set.vtx, lod + 4) - 12]);
  assertEquals((await judge({ ...set, vtx })).findings, []);
});
