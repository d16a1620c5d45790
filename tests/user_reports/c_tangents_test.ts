/** Part C of the users' reports: tangents. */
import { assert, assertEquals, assertLess } from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import { validate } from "../../src/convert/validate.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import { readGltf, writeGlb } from "../../src/formats/gltf/mod.ts";
import {
  countTangents,
  rebuildTangents,
  remapVertices,
} from "../../src/ops/mod.ts";
import { kernelMemoryBytes } from "../../src/kernels/mod.ts";
import { cli } from "../cli/fake_host.ts";
import { assertClean } from "../gltf/khronos.ts";
import { triangle } from "../gltf/plain_gltf.ts";
import { at, dot, plainMesh, plainMorphs } from "../ops/plain_mesh.ts";
import { plainRecords, plainTangents, plainVvd } from "../vvd/plain_vvd.ts";
import { cube, grid } from "./pieces.ts";

/**
 * Two triangles of which one is a sliver without area, in space and in the texture; its normals lie along the axis that
 * MikkTSpace falls back on.
 */
const slivers = (): Mesh =>
  plainMesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 5, 0, 6, 6, 0, 7, 7, 0], [
    0,
    1,
    2,
    3,
    4,
    5,
  ], {
    attributes: {
      position: Float32Array.of(
        0,
        0,
        0,
        1,
        0,
        0,
        0,
        1,
        0,
        5,
        5,
        0,
        6,
        6,
        0,
        7,
        7,
        0,
      ),
      normal: Float32Array.of(
        0,
        0,
        1,
        0,
        0,
        1,
        0,
        0,
        1,
        1,
        0,
        0,
        1,
        0,
        0,
        1,
        0,
        0,
      ),
      uvs: [Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0)],
    },
  });

function assertUnit(mesh: Mesh): void {
  const { normal, tangent } = mesh.attributes;
  for (let v = 0; v < mesh.vertexCount; v++) {
    const t = at(tangent!, v, 4);
    assertLess(Math.abs(Math.hypot(...t) - 1), 1e-6);
    assertLess(Math.abs(dot(t, at(normal!, v))), 1e-3);
    assertEquals(Math.abs(tangent![v * 4 + 3]), 1);
  }
}

/** Two quads side by side whose textures mirror each other at x = 0; they share two vertices. */
function seam(): Mesh {
  const position = [-1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 1, 0, 0, 1, 0, 1, 1, 0];
  return plainMesh(position, [0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4], {
    attributes: {
      position: Float32Array.from(position),
      normal: Float32Array.from({ length: 18 }, (_, i) => i % 3 === 2 ? 1 : 0),
      uvs: [Float32Array.of(1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0)],
    },
  });
}

Deno.test("C1: slivers get unit tangents at right angles to the normal, and are counted", async () => {
  const { mesh, repaired } = countTangents(slivers(), { degenerate: "repair" });
  assertUnit(mesh);
  assert(repaired >= 3);
  await assertClean(await writeGlb(mesh), "slivers");
});

Deno.test("C2: convert --tangents rebuild leaves no zero tangent", async () => {
  const { outputs } = await convert(await writeGlb(slivers()), {
    to: "gltf",
    tangents: "rebuild",
  });
  const { tangent } = (await readGltf(outputs[0])).mesh.attributes;
  for (let v = 0; v * 4 < tangent!.length; v++) {
    assertLess(Math.abs(Math.hypot(...at(tangent!, v, 4)) - 1), 1e-6);
  }
  const strict = countTangents(slivers(), { mode: "reference" });
  assert(
    strict.degenerate >= 3,
    "the reference's own bits are kept on request",
  );
});

Deno.test("C3: none, one and two triangles, degenerate ones too, give a result", () => {
  for (const count of [0, 1, 2]) {
    const all = {
      ...seam(),
      lods: [{
        ...seam().lods[0],
        indices: seam().lods[0].indices!.slice(0, count * 3),
      }],
    };
    assertEquals(rebuildTangents(all).lods[0].indices!.length, count * 3);
    const flat = structuredClone(all);
    flat.attributes.position.fill(0);
    assertEquals(rebuildTangents(flat).lods[0].indices!.length, count * 3);
  }
});

Deno.test("C4: the sort of all edges is the default, the C code's bits are an option", () => {
  const mesh = grid(12);
  const is = (m: Mesh) => [...m.attributes.tangent!];
  assertEquals(
    is(rebuildTangents(mesh)),
    is(rebuildTangents(mesh, { mode: "corrected" })),
  );
  assertUnit(rebuildTangents(mesh, { mode: "reference" }));
});

Deno.test("C5: the kernels' memory does not grow from call to call", () => {
  const mesh = grid(12);
  rebuildTangents(mesh);
  const before = kernelMemoryBytes();
  for (let i = 0; i < 500; i++) rebuildTangents(mesh);
  assertEquals(kernelMemoryBytes(), before);
});

Deno.test("C6: v and w turned around together give the same frame", () => {
  const mesh = cube();
  const turned = structuredClone(mesh);
  turned.attributes.uvs[0] = turned.attributes.uvs[0].map((x, i) =>
    i % 2 ? 1 - x : x
  );
  const [a, b] = [mesh, turned].map((m) =>
    rebuildTangents(m).attributes.tangent!
  );
  assertEquals(a.length, b.length);
  a.forEach((x, i) =>
    assertLess(Math.abs((i % 4 === 3 ? -b[i] : b[i]) - x), 1e-6)
  );
});

Deno.test("C7: w is kept as a fourth number of 1 or -1, others are repaired and counted", async () => {
  const g = triangle();
  const { attributes } = g.json.meshes[0].primitives[0];
  attributes.NORMAL = g.accessor("VEC3", [0, 0, 1, 0, 0, 1, 0, 0, 1]);
  attributes.TANGENT = g.accessor("VEC4", [
    1,
    0,
    0,
    0.4,
    1,
    0,
    0,
    -0.5,
    1,
    0,
    0,
    -1,
  ]);
  const { outputs, report } = await convert(g.glb(), { to: "gltf" });
  assertEquals(
    report.loss.filter((l) => l.what === "tangent signs").map((l) => l.count),
    [2],
  );
  const { tangent } = (await readGltf(outputs[0])).mesh.attributes;
  assertEquals([3, 7, 11].map((i) => tangent![i]), [1, -1, -1]);
});

Deno.test("C8: vertices on a seam of mirrored textures are split", () => {
  const made = countTangents(seam());
  assertEquals([made.mesh.vertexCount, made.split], [8, 2]);
  const { tangent } = made.mesh.attributes;
  for (const v of made.mesh.lods[0].indices!) {
    const x = made.mesh.attributes.position[v * 3];
    if (x < 0) assertEquals(tangent![v * 4], -1);
    if (x > 0) assertEquals(tangent![v * 4], 1);
  }
});

Deno.test("C9: an indexed mesh is taken as it is, and gives what its corners alone give", () => {
  const mesh = grid(9);
  const corners = mesh.lods[0].indices!;
  const loose = {
    ...remapVertices(mesh, corners),
    lods: [{ ...mesh.lods[0], indices: corners.map((_, i) => i) }],
  };
  const [a, b] = [rebuildTangents(mesh), rebuildTangents(loose)];
  corners.forEach((_, i) => {
    const [v, w] = [a.lods[0].indices![i], b.lods[0].indices![i]];
    assertEquals(
      at(a.attributes.tangent!, v, 4),
      at(b.attributes.tangent!, w, 4),
    );
  });
});

Deno.test("C10: one command splits and indexes again", async () => {
  const files = { "a.glb": await writeGlb(seam()) };
  const ran = await cli("tangents a.glb b.glb", { files });
  assertEquals(ran.code, 0, ran.err);
  const { mesh } = await readGltf(ran.files.get("b.glb")!);
  assertEquals([mesh.vertexCount, mesh.lods[0].indices!.length], [8, 12]);
});

Deno.test("C11: rebuilt tangents stay with shared vertices", () => {
  const made = rebuildTangents(grid(9));
  assertEquals(made.vertexCount, 81);
  assertUnit(made);
});

Deno.test("C12: a zero tangent is never written", async () => {
  const g = triangle();
  const { attributes } = g.json.meshes[0].primitives[0];
  attributes.NORMAL = g.accessor("VEC3", [0, 0, 1, 0, 0, 1, 0, 0, 1]);
  attributes.TANGENT = g.accessor("VEC4", [
    0,
    0,
    0,
    1,
    1,
    0,
    0,
    1,
    0,
    0,
    0,
    -1,
  ]);
  const { outputs, report } = await convert(g.glb(), { to: "gltf" });
  assertUnit((await readGltf(outputs[0])).mesh);
  assert(report.loss.some((l) => l.what === "tangents" && l.count === 2));
});

Deno.test("C13: shapes go along when new tangents split vertices; their own tangents are named as dropped", async () => {
  const mesh = {
    ...seam(),
    morphs: plainMorphs(6, ["a"], [[1, 0, [0, 0, 1]]]),
  };
  const made = rebuildTangents(mesh);
  const moved = [...made.morphs!.offsets].map((o, v) =>
    made.morphs!.offsets[v + 1] - o
  )
    .slice(0, -1).filter((n) => n === 1);
  assertEquals(moved.length, 2, "both copies of the vertex move");
  const g = triangle();
  const zero = new Array(9).fill(0.5);
  const [primitive] = g.json.meshes[0].primitives;
  primitive.attributes.NORMAL = g.accessor("VEC3", [0, 0, 1, 0, 0, 1, 0, 0, 1]);
  primitive.attributes.TANGENT = g.accessor("VEC4", [
    1,
    0,
    0,
    1,
    1,
    0,
    0,
    1,
    1,
    0,
    0,
    1,
  ]);
  primitive.targets = [{
    POSITION: g.accessor("VEC3", zero),
    TANGENT: g.accessor("VEC3", zero),
  }];
  const { report } = await convert(g.glb(), { to: "gltf" });
  assert(
    report.loss.some((l) => l.kind === "dropped" && /tangent/.test(l.what)),
  );
});

Deno.test("C14: validate finds a NaN among a vertex file's tangents", async () => {
  const tangents = plainTangents(3);
  new DataView(tangents.buffer).setFloat32(16, NaN, true);
  const file = plainVvd({ counts: [3], vertices: plainRecords(3), tangents });
  const { findings } = await validate(file);
  const found = findings.filter((f) => f.code === "MESH-NON-FINITE");
  assert(
    found.some((f) =>
      /tangent/.test(f.where + f.message) && /1/.test(f.where + f.message)
    ),
  );
});
