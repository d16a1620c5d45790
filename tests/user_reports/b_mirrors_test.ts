/** Part B of the users' reports: mirrored transforms, winding, normals. */
import { assert, assertEquals, assertLess } from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import { validate } from "../../src/convert/validate.ts";
import { basisChange } from "../../src/core/basis.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import { readGltf, writeGlb } from "../../src/formats/gltf/mod.ts";
import { normalMatrix } from "../../src/kernels/normals.ts";
import {
  convertBasis,
  diffMeshes,
  remapVertices,
  reverseWinding,
  transformMesh,
} from "../../src/ops/mod.ts";
import { drawMesh } from "../../src/preview/mod.ts";
import { PlainGltf, triangle } from "../gltf/plain_gltf.ts";
import {
  angle,
  apply,
  at,
  determinant,
  inverse,
  type M3,
  matrix16,
  plainMesh,
  times,
  transpose,
  unit,
} from "../ops/plain_mesh.ts";
import { Random } from "../random.ts";
import {
  cube,
  cubeIn,
  eightCubes,
  jsonChunk,
  meshIn,
  scaling,
  wrong,
} from "./pieces.ts";

const SOUND = { winding: 0, frames: 0, lengths: 0 };
const nine = (random: Random): M3 => {
  const row = () =>
    [
      random.between(-2, 2),
      random.between(-2, 2),
      random.between(-2, 2),
    ] as const;
  return [row(), row(), row()];
};

Deno.test("B1: baking turns triangles around exactly when the determinant is negative", () => {
  for (let i = 0; i < 8; i++) {
    const s = [0, 1, 2].map((k) => i >> k & 1 ? -1 : 1);
    const made = transformMesh(cube(), scaling(s[0], s[1], s[2]));
    assertEquals(made.windingReversed, s[0] * s[1] * s[2] < 0);
    assertEquals(wrong(made.mesh), SOUND);
  }
});

Deno.test("B2: a mesh shared by a mirrored and another node gives two, and its bytes stay", async () => {
  const g = new PlainGltf();
  const mesh = cubeIn(g);
  g.root({ mesh });
  g.root({ mesh, scale: [-1, 1, 1] });
  const file = g.glb();
  const before = file.slice();
  const { mesh: made } = await readGltf(file);
  assertEquals(file, before);
  assertEquals(made.vertexCount, 48);
  const [first, second] = [0, 36].map((i) =>
    [...made.lods[0].indices!.subarray(i, i + 3)].map((v) => v % 24)
  );
  assertEquals(second, first.toReversed());
  assertEquals(wrong(made), SOUND);
});

Deno.test("B3: the whole chain of nodes decides, above the mesh and above a skeleton", async () => {
  const under = async (outer: number, inner: number) => {
    const g = new PlainGltf();
    const child = g.node({ mesh: cubeIn(g), scale: [inner, 1, 1] });
    g.root({ children: [child], scale: [1, outer, 1] });
    return await meshIn(g);
  };
  for (const [outer, inner] of [[1, 1], [-1, 1], [1, -1], [-1, -1]]) {
    assertEquals(wrong(await under(outer, inner)), SOUND, `${outer} ${inner}`);
  }
  // a skinned mesh stands where its joints put it: the mirror goes into the joint, not into the faces
  const g = triangle({}, { skin: 0, scale: [-1, 1, 1] });
  const { attributes } = g.json.meshes[0].primitives[0];
  attributes.JOINTS_0 = g.accessor("VEC4", new Array(12).fill(0), 5121);
  attributes.WEIGHTS_0 = g.accessor("VEC4", [
    1,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
  ]);
  const joint = g.node({ name: "j" });
  g.root({ children: [joint], scale: [1, -1, 1] });
  g.json.skins = [{ joints: [joint] }];
  const skinned = await meshIn(g);
  assertEquals(skinned.lods[0].indices, Uint32Array.of(0, 1, 2));
  const { scale } = skinned.skeleton![0];
  assertLess(scale[0] * scale[1] * scale[2], 0);
});

Deno.test("B4: a change of axes counts in the determinant", () => {
  const toUnreal = basisChange("blender", "css");
  assertEquals(toUnreal.determinant, -1);
  assertEquals(toUnreal.windingReversed, false);
  assertEquals(toUnreal.scale, 100);
  // a second mirror, and the faces have to turn
  const file = { ...cube(), basis: "blender" as const };
  const mirrored = transformMesh(file, scaling(-1, 1, 1)).mesh;
  const [a, b] = [file, mirrored].map((
    m,
  ) => [...convertBasis(m, "css").mesh.lods[0].indices!.subarray(0, 3)]);
  assertEquals(b, a.toReversed());
});

Deno.test("B5: winding, normals and tangent signs change together", () => {
  const made = transformMesh(cube(), scaling(1, 1, -1)).mesh;
  assertEquals(wrong(made), SOUND);
  assert(made.attributes.tangent!.some((x, i) => i % 4 === 3 && x === -1));
});

Deno.test("B6: baked triangles are the ones that the node shows", async () => {
  const g = new PlainGltf();
  g.root({ mesh: cubeIn(g), scale: [-2, 1, 3], translation: [1, 2, 3] });
  const baked = await meshIn(g);
  const { position } = cube().attributes;
  for (let v = 0; v < 24; v++) {
    const [x, y, z] = at(position, v);
    assertEquals(at(baked.attributes.position, v), [
      1 - 2 * x,
      2 + y,
      3 + 3 * z,
    ]);
  }
});

Deno.test("B7: the preview shows a mirrored cube as the unmirrored one", async () => {
  const picture = async (scale: number[]) => {
    const g = new PlainGltf();
    g.root({ mesh: cubeIn(g), scale });
    return drawMesh(await meshIn(g), { width: 64, height: 64 }).pixels;
  };
  const plain = await picture([1, 1, 1]);
  for (const s of [[-1, 1, 1], [1, -1, 1], [-1, -1, -1]]) {
    assertEquals(await picture(s), plain, s.join());
  }
});

Deno.test("B8: an output has no negative scale and the same geometry", async () => {
  const file = eightCubes().glb();
  const { outputs } = await convert(file, { to: "gltf" });
  const { nodes } = jsonChunk(outputs[0]);
  assert(
    nodes.every((n: { scale?: number[] }) => !n.scale?.some((s) => s < 0)),
  );
  const [a, b] = [await readGltf(file), await readGltf(outputs[0])];
  assert(diffMeshes(a.mesh, b.mesh, { tolerance: 0 }).same);
});

Deno.test("B9: validate names a mesh whose faces oppose their normals, with the share", async () => {
  const mesh = cube();
  const good = await validate(await writeGlb(mesh));
  assertEquals(good.findings.filter((f) => f.code === "MESH-WINDING"), []);
  const flipped = { ...mesh, lods: mesh.lods.map(reverseWinding) };
  const bad = await validate(await writeGlb(flipped));
  const found = bad.findings.find((f) => f.code === "MESH-WINDING");
  assert(found, "the finding is there");
  assertEquals(found.severity, "warning");
  assert(/100|12/.test(found.message + String(found.found)), found.message);
});

Deno.test("B10: normals are of unit length after mirror and stretch", () => {
  const { normal } =
    transformMesh(cube(), scaling(-3, 0.01, 70)).mesh.attributes;
  for (let v = 0; v < 24; v++) {
    assertLess(Math.abs(Math.hypot(...at(normal!, v)) - 1), 1e-6);
  }
});

Deno.test("B11: normals go by the inverse transpose", () => {
  const shear: M3 = [[1, 0.5, 0], [0, 2, 0.25], [0, 0, 0.1]];
  const mesh = cube();
  const made = transformMesh(mesh, matrix16(shear)).mesh;
  for (let v = 0; v < 24; v++) {
    const want = apply(
      transpose(inverse(shear)),
      at(mesh.attributes.normal!, v),
    );
    assertLess(angle(at(made.attributes.normal!, v), want), 1e-6);
  }
  assertEquals(wrong(made).winding, 0);
});

Deno.test("B12: the cofactor form is the inverse transpose, and defined where that is not", () => {
  const random = new Random(0xb12);
  for (let i = 0; i < 10_000; i++) {
    const m = nine(random);
    if (Math.abs(determinant(m)) < 1e-2) continue;
    const n = random.unitVector();
    const k = normalMatrix(matrix16(m));
    const got = [0, 1, 2].map((r) =>
      k[r * 3] * n[0] + k[r * 3 + 1] * n[1] + k[r * 3 + 2] * n[2]
    ) as unknown as readonly [number, number, number];
    const want = unit(apply(transpose(inverse(m)), n));
    assertLess(angle(unit(got), want), 1e-4);
  }
  const flat = transformMesh(cube(), scaling(1, 1, 0)).mesh.attributes.normal!;
  for (let v = 16; v < 24; v++) {
    assertEquals([...at(flat, v)].map(Math.abs), [0, 0, 1]);
  }
  assert(flat.every(Number.isFinite));
});

Deno.test("B13: a translation leaves normals bit for bit", () => {
  const made = transformMesh(cube(), scaling(1, 1, 1, [1e6, -1e6, 1e6])).mesh;
  assertEquals(made.attributes.normal, cube().attributes.normal);
});

/** A triangle of which some normals have no direction. */
function zeroNormals(): PlainGltf {
  const g = triangle();
  g.json.meshes[0].primitives[0].attributes.NORMAL = g.accessor(
    "VEC3",
    [0, 0, 0, 0, 0, 1, 0, 0, 0],
  );
  return g;
}

Deno.test("B14: a zero normal becomes no NaN, in binary or in text", async () => {
  for (const to of ["gltf", "payload", "css", "obj"] as const) {
    const { outputs } = await convert(zeroNormals().glb(), {
      to,
      outName: "a",
    });
    assert(!/nan|null/i.test(new TextDecoder().decode(outputs[0])), to);
  }
});

Deno.test("B15: the fallback of a normal without direction is counted once a vertex", async () => {
  const { outputs, report } = await convert(zeroNormals().glb(), {
    to: "gltf",
  });
  const rows = report.loss.filter((l) => l.what === "normals");
  assertEquals(rows.map((l) => [l.kind, l.count]), [["repaired", 2]]);
  const { mesh } = await readGltf(outputs[0]);
  for (let v = 0; v < 3; v++) {
    assertLess(
      Math.abs(Math.hypot(...at(mesh.attributes.normal!, v)) - 1),
      1e-6,
    );
  }
});

Deno.test("B16: the deviation of a lower level's normals can be measured at equal positions", () => {
  const base = cube();
  const bent = cube();
  bent.attributes.normal!.set(unit([1, 0.1, 0]), 0);
  const both: Mesh = {
    ...plainMesh([], [], {}),
    ...base,
    vertexCount: 48,
    attributes: {
      position: Float32Array.from([
        ...base.attributes.position,
        ...base.attributes.position,
      ]),
      normal: Float32Array.from([
        ...base.attributes.normal!,
        ...bent.attributes.normal!,
      ]),
      uvs: [],
    },
    lods: [0, 24].map((first) => ({
      ...base.lods[0],
      indices: base.lods[0].indices!.map((v) => v + first),
    })),
  };
  const level = (first: number) => ({
    ...remapVertices(
      both,
      Uint32Array.from({ length: 24 }, (_, i) => first + i),
    ),
    lods: base.lods,
  });
  const normals = diffMeshes(level(0), level(24)).attributes
    .find((a) => a.name === "normal")!;
  assertEquals(normals.count, 1);
  const step = times([1, 0.1, 0], 1 / Math.hypot(1, 0.1));
  assertLess(Math.abs(normals.largest! - step[1]), 1e-6);
});
