import { assert, assertEquals } from "@std/assert";
import { validate } from "../../src/convert/validate.ts";
import type { Code } from "../../src/core/codes.ts";
import { meshToPayload, writePayload } from "../../src/formats/payload/mod.ts";
import { meshToVvd, writeVvd } from "../../src/formats/vvd/mod.ts";
import { convertBasis } from "../../src/ops/mod.ts";
import { PlainGltf, TYPE } from "../gltf/plain_gltf.ts";
import { soundMesh, type WholeMesh } from "../ops/plain_mesh.ts";

/** With four slots a vertex, and the two joints. */
const sound = () =>
  soundMesh(
    4,
    [0, 1].map((i) => ({
      name: `j${i}`,
      parent: i - 1,
      translation: [0, 0, 0],
      rotation: [0, 0, 0, 1],
      scale: [1, 1, 1],
    })),
  );

/** The bytes of a format, written as the mesh is, with nothing repaired on the way. */
const WRITERS: Record<string, (mesh: WholeMesh) => Uint8Array> = {
  payload: (mesh) => writePayload(meshToPayload({ ...mesh, basis: "payload" })),
  vvd: (mesh) => {
    const three = {
      ...mesh,
      influences: 3,
      attributes: { ...mesh.attributes },
    };
    const firstThree = (_: number, i: number) => i % 4 < 3;
    three.attributes.joints = mesh.attributes.joints.filter(firstThree);
    three.attributes.weights = mesh.attributes.weights.filter(firstThree);
    return writeVvd(meshToVvd(convertBasis(three, "source").mesh, 0));
  },
  gltf: ({ attributes: a, lods, skeleton }) => {
    const g = new PlainGltf();
    const joints = skeleton!.map((j) => g.node({ name: j.name }));
    g.json.nodes[joints[0]].children = [joints[1]];
    g.json.scenes[0].nodes.push(joints[0]);
    g.json.skins = [{ joints }];
    const mesh = g.mesh({
      POSITION: g.accessor("VEC3", [...a.position]),
      NORMAL: g.accessor("VEC3", [...a.normal]),
      TANGENT: g.accessor("VEC4", [...a.tangent]),
      TEXCOORD_0: g.accessor("VEC2", [...a.uvs[0]]),
      JOINTS_0: g.accessor("VEC4", [...a.joints], TYPE.u8),
      WEIGHTS_0: g.accessor("VEC4", [...a.weights]),
    }, {
      indices: g.accessor("SCALAR", [...lods[0].indices!], TYPE.u16),
    });
    g.root({ mesh, skin: 0 });
    return g.glb();
  },
};

/** A defect for each finding, and the formats that have no place for it. */
const DEFECTS: [code: Code, make: (mesh: WholeMesh) => void, not: string[]][] =
  [
    ["MESH-NON-FINITE", (m) => m.attributes.uvs[0].set([NaN], 3), []],
    ["MESH-NORMAL-ZERO", (m) => m.attributes.normal.fill(0, 3, 6), []],
    ["MESH-NORMAL-LENGTH", (m) => m.attributes.normal.set([2], 3), []],
    ["MESH-TANGENT-ZERO", (m) => m.attributes.tangent.fill(0, 4, 7), []],
    ["MESH-TANGENT-LENGTH", (m) => m.attributes.tangent.set([9], 4), []],
    // a payload has no signs
    ["MESH-TANGENT-SIGN", (m) => m.attributes.tangent.set([0.5], 7), [
      "payload",
    ]],
    ["MESH-WEIGHT-SUM", (m) => m.attributes.weights.set([0.1], 4), []],
    [
      "MESH-WEIGHT-NEGATIVE",
      (m) => m.attributes.weights.set([-0.5, 1.5], 4),
      [],
    ],
    ["MESH-INFLUENCE-DUPLICATE", (m) => m.attributes.joints.set([1, 1], 4), []],
    // a vertex file has no faces
    ["MESH-WINDING", (m) => m.lods[0].indices!.reverse(), ["vvd"]],
    ["MESH-DEGENERATE", (m) => m.lods[0].indices!.set([1, 1, 1]), ["vvd"]],
    [
      "MESH-UNIT-SIZE",
      (m) =>
        m.attributes.position.set(m.attributes.position.map((x) => x * 1e4)),
      [],
    ],
  ];

for (const [format, write] of Object.entries(WRITERS)) {
  Deno.test(`validate() finds each defect of geometry in a ${format}, and none in a sound one`, async () => {
    const codesOf = async (mesh: WholeMesh) => {
      const { findings } = await validate(write(mesh), { name: `a.${format}` });
      return [...new Set(findings.map((f) => f.code))]
        .filter((code) => code.startsWith("MESH-"));
    };
    assertEquals(await codesOf(sound()), []);
    for (const [code, make, not] of DEFECTS) {
      if (not.includes(format)) continue;
      const mesh = sound();
      make(mesh);
      assert((await codesOf(mesh)).includes(code), code);
    }
  });
}
