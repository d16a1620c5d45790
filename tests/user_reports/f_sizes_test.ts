/** Part F of the users' reports: index width, splitting, size. */
import { assert, assertEquals, assertLess, assertRejects } from "@std/assert";
import { denoHost } from "../../src/cli/deno_host.ts";
import { convert } from "../../src/convert/convert.ts";
import { MeshError } from "../../src/core/errors.ts";
import { writeCssMesh, writeCssMeshChunks } from "../../src/formats/css/mod.ts";
import { readGltf, writeGlb } from "../../src/formats/gltf/mod.ts";
import { payloadToMesh, readPayload } from "../../src/formats/payload/mod.ts";
import {
  rebuildTangents,
  sparsifyMorphs,
  splitMesh,
} from "../../src/ops/mod.ts";
import { sheet } from "../css/big_css.ts";
import { sample } from "../cli/fake_host.ts";
import { assertClean } from "../gltf/khronos.ts";
import { at, plainMesh } from "../ops/plain_mesh.ts";
import { grid, jsonChunk } from "./pieces.ts";

/** A fan of triangles over so many vertices, the last one among them. */
const vertices = (n: number) =>
  plainMesh(
    Float32Array.from({ length: n * 3 }, (_, i) => i % 3 === 2 ? 0 : i),
    [0, 1, n - 1],
  );
const indexType = async (n: number) => {
  const json = jsonChunk(await writeGlb(vertices(n)));
  return json.accessors[json.meshes[0].primitives[0].indices].componentType;
};

Deno.test("F1: 65535 is no index in glTF and an ordinary one in a payload", async () => {
  assertEquals([await indexType(65_535), await indexType(65_536)], [
    5123,
    5125,
  ]);
  const { outputs } = await convert(await writeGlb(vertices(65_536)), {
    to: "payload",
  });
  const mesh = payloadToMesh(readPayload(outputs[0]));
  assertEquals([mesh.vertexCount, mesh.lods[0].indices![2]], [65_536, 65_535]);
});

Deno.test("F2: more vertices than indices reach are refused with both numbers", async () => {
  const file = await writeGlb(vertices(70_225));
  const error = await assertRejects(
    () => convert(file, { to: "payload" }),
    MeshError,
  );
  assertEquals([error.code, error.found, error.allowed], [
    "PAYLOAD-VERTEX-COUNT",
    70_225,
    65_536,
  ]);
});

Deno.test("F3: a split has every triangle once, in order, and is the same each time", () => {
  const mesh = grid(40);
  const parts = splitMesh(mesh, 200);
  assertEquals(splitMesh(mesh, 200), parts);
  const corners = (m: typeof mesh) =>
    [...m.lods[0].indices!].map((v) => at(m.attributes.position, v));
  assertEquals(parts.flatMap(corners), corners(mesh));
});

Deno.test("F4: outputs pass the validator, levels of detail included", async () => {
  for (const name of ["terrain.payload", "figure.payload", "lantern.vvd"]) {
    const { outputs } = await convert(sample(name), { to: "gltf" });
    await assertClean(outputs[0], name);
  }
});

Deno.test("F5: one vertex over the line changes the type of every index of the file", async () => {
  const { mesh } = await readGltf(await writeGlb(vertices(65_536)));
  assertEquals([...mesh.lods[0].indices!], [0, 1, 65_535]);
  assertEquals(await indexType(65_537), 5125);
});

Deno.test("F6: a file over the limit is refused by its size, before it is read", async () => {
  const path = await Deno.makeTempFile();
  try {
    await Deno.truncate(path, 3 * 2 ** 30);
    const start = performance.now();
    const error = await assertRejects(
      () => denoHost([]).read(path, 2 ** 31),
      MeshError,
    );
    assertLess(performance.now() - start, 1000);
    assertEquals([error.code, error.found, error.allowed], [
      "LIMIT-EXCEEDED",
      3 * 2 ** 30,
      2 ** 31,
    ]);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("F7: CSS text is written in pieces, no piece as long as the whole", () => {
  const css = sheet(60, 14_400, 2);
  const pieces = [...writeCssMeshChunks(css)];
  const total = pieces.reduce((n, p) => n + p.length, 0);
  assert(pieces.length > 1);
  assertEquals(writeCssMesh(css).length, total);
});

Deno.test("F8: a kernel that may not take what it needs says so, and works afterwards", async () => {
  const dense = new Float32Array(6 * 500).fill(1);
  await assertRejects(
    // deno-lint-ignore require-await
    async () => sparsifyMorphs(dense, ["a"], 499),
    MeshError,
  );
  assertEquals(sparsifyMorphs(dense, ["a"], 500).targets.length, 500);
  const error = await assertRejects(
    () =>
      convert(sample("lantern.vvd"), {
        to: "gltf",
        limits: { maxKernelBytes: 1 },
      }),
    MeshError,
  );
  assertEquals(error.code, "KERNEL-MEMORY");
  assert(rebuildTangents(grid(5)).attributes.tangent);
});
