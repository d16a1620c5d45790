/** Part E of the users' reports: skinning. */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertRejects,
  assertThrows,
} from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import { validate } from "../../src/convert/validate.ts";
import { MeshError } from "../../src/core/errors.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import { readGltf, writeGlb } from "../../src/formats/gltf/mod.ts";
import { writeObj } from "../../src/formats/obj/mod.ts";
import { writeSmd } from "../../src/formats/smd/mod.ts";
import { capInfluences } from "../../src/ops/mod.ts";
import { cli } from "../cli/fake_host.ts";
import { CORNERS, PlainGltf, TYPE } from "../gltf/plain_gltf.ts";
import { plainMesh } from "../ops/plain_mesh.ts";
import { meshIn } from "./pieces.ts";

/** A triangle whose first vertex has these influences and whose others are rigid. */
function skinned(joints: number[], weights: number[], count = 8): Mesh {
  const k = joints.length;
  const rigid = Array.from({ length: k }, (_, i) => i === 0 ? 1 : 0);
  return plainMesh(CORNERS, [0, 1, 2], {
    influences: k,
    attributes: {
      position: Float32Array.from(CORNERS),
      uvs: [],
      joints: Uint16Array.from([
        ...joints,
        ...rigid.map(() => 0),
        ...rigid.map(() => 0),
      ]),
      weights: Float32Array.from([...weights, ...rigid, ...rigid]),
    },
    skeleton: Array.from({ length: count }, (_, i) => ({
      name: `j${i}`,
      parent: i - 1,
      translation: [0, 1, 0],
      rotation: [0, 0, 0, 1],
      scale: [1, 1, 1],
    })),
  });
}

const first = (mesh: Mesh) => {
  const k = mesh.influences;
  return [...mesh.attributes.weights!.subarray(0, k)].map((w, i) =>
    [mesh.attributes.joints![i], w] as const
  ).filter(([, w]) => w > 0);
};
const sum = (values: readonly (readonly [number, number])[]) =>
  values.reduce((s, [, w]) => s + w, 0);

Deno.test("E1: weights are normalised over all sets", async () => {
  const mesh = skinned([0, 1, 2, 3, 4, 5, 6, 7], new Array(8).fill(0.1));
  const { report } = await convert(await glbOf(mesh), { to: "gltf" });
  assert(
    report.loss.some((l) => l.what === "weights" && l.kind === "repaired"),
  );
  const capped = capInfluences(mesh, 8, 8).mesh;
  assertAlmostEquals(sum(first(capped)), 1, 1e-6);
  assertEquals(first(capped).length, 8);
});

/** The mesh as a file whose weights nobody mended. */
async function glbOf(mesh: Mesh): Promise<Uint8Array> {
  return await writeGlb(mesh);
}

Deno.test("E2: no weight makes a vertex rigid and a negative one counts for nothing, both named", async () => {
  const none = await convert(await glbOf(skinned([3, 0, 0, 0], [0, 0, 0, 0])), {
    to: "payload",
  });
  assert(
    none.report.loss.some((l) => l.why.includes("rigid") && l.count === 1),
  );
  const negative = skinned([0, 1, 2, 3], [0.75, 0.5, -0.25, 0]);
  const { findings } = await validate(await glbOf(negative));
  assert(findings.some((f) => f.code === "MESH-WEIGHT-NEGATIVE"));
  const mended = first(capInfluences(negative, 4, 8).mesh);
  assertEquals(mended.map(([j]) => j), [0, 1]);
  assertAlmostEquals(sum(mended), 1, 1e-6);
});

Deno.test("E3: the largest stay, the lost weight is given back, ties go to the lower joint", () => {
  const cut = capInfluences(
    skinned([0, 1, 2, 3, 4, 5, 6, 7], [
      0.3,
      0.25,
      0.15,
      0.1,
      0.08,
      0.06,
      0.04,
      0.02,
    ]),
    4,
    8,
  ).mesh;
  [0.375, 0.3125, 0.1875, 0.125].forEach((w, i) => {
    assertEquals(first(cut)[i][0], i);
    assertAlmostEquals(first(cut)[i][1], w, 1e-6);
  });
  const ties =
    capInfluences(skinned([7, 5, 3, 1, 2], [0.2, 0.2, 0.2, 0.2, 0.2]), 4, 8)
      .mesh;
  assertEquals(first(ties).map(([j]) => j).sort(), [1, 2, 3, 5]);
});

Deno.test("E4: weights are divided by their sum", () => {
  const made = first(capInfluences(skinned([0, 1], [0.757, 0.008]), 2, 8).mesh);
  assertAlmostEquals(made[1][1], 0.008 / 0.765, 1e-6);
});

Deno.test("E5: byte weights that do not reach 255 are divided by their sum", async () => {
  const g = new PlainGltf();
  const mesh = g.mesh({
    POSITION: g.accessor("VEC3", CORNERS),
    JOINTS_0: g.accessor("VEC4", [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], TYPE.u8),
    WEIGHTS_0: g.accessor(
      "VEC4",
      [127, 127, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0],
      TYPE.u8,
      { normalized: true },
    ),
  });
  const joints = [g.node({ name: "a" }), g.node({ name: "b" })];
  g.json.nodes[joints[0]].children = [joints[1]];
  g.json.skins = [{ joints }];
  g.root({ mesh, skin: 0 });
  g.json.scenes[0].nodes.push(joints[0]);
  const { outputs, report } = await convert(g.glb(), { to: "gltf" });
  assertEquals(
    report.loss.filter((l) => l.what === "weights").map((l) => l.count),
    [1],
  );
  assertEquals(first((await readGltf(outputs[0])).mesh), [[0, 0.5], [1, 0.5]]);
});

Deno.test("E6: influences over the limit are cut and counted", async () => {
  const mesh = skinned([0, 1, 2, 3, 4], [0.3, 0.25, 0.2, 0.15, 0.1]);
  const { report } = await convert(await glbOf(mesh), { to: "payload" });
  const row = report.loss.find((l) => l.what === "influences");
  assertEquals([row?.kind, row?.count], ["dropped", 1]);
  assertAlmostEquals(row!.largest!, 0.1, 1e-6);
});

Deno.test("E7: --target source1 cuts to three influences and refuses more than 128 bones", async () => {
  const files = {
    "a.glb": await glbOf(skinned([0, 1, 2, 3], [0.4, 0.3, 0.2, 0.1], 128)),
    "b.glb": await glbOf(skinned([0, 1, 2, 3], [0.4, 0.3, 0.2, 0.1], 129)),
  };
  const a = await cli("convert a.glb a.smd --target source1", { files });
  assertEquals(a.code, 0, a.err);
  assert(a.err.includes("3 largest"), a.err);
  const b = await cli("convert b.glb b.smd --target source1", { files });
  assertEquals([b.code, b.writes.length], [4, 0]);
  assert(b.err.includes("129") && b.err.includes("128"), b.err);
});

Deno.test("E8: joints of one name stay two joints", async () => {
  const mesh = skinned([0, 1], [0.5, 0.5], 2);
  mesh.skeleton!.forEach((j) => j.name = "same");
  const again = (await readGltf(await glbOf(mesh))).mesh;
  assertEquals(again.skeleton!.map((j) => [j.name, j.parent]), [["same", -1], [
    "same",
    0,
  ]]);
  assertEquals(first(again), [[0, 0.5], [1, 0.5]]);
});

Deno.test("E9: a skin needs no skeleton root", async () => {
  const g = new PlainGltf();
  const mesh = g.mesh({
    POSITION: g.accessor("VEC3", CORNERS),
    JOINTS_0: g.accessor("VEC4", new Array(12).fill(0), TYPE.u8),
    WEIGHTS_0: g.accessor("VEC4", [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]),
  });
  const joint = g.root({ name: "only" });
  g.json.skins = [{ joints: [joint] }];
  g.root({ mesh, skin: 0 });
  assertEquals((await meshIn(g)).skeleton!.map((j) => j.name), ["only"]);
});

Deno.test("E10: text formats write no NaN", async () => {
  const mesh = plainMesh(CORNERS, [0, 1, 2], {
    attributes: {
      position: Float32Array.from(CORNERS),
      uvs: [Float32Array.of(0, NaN, 1, 0, 0, Infinity)],
    },
  });
  assertThrows(() => writeObj(mesh), MeshError);
  assertThrows(() => writeSmd({ ...mesh, basis: "smd" }), MeshError);
  await assertRejects(() => writeGlb(mesh), MeshError);
});
