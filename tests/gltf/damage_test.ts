import { assert } from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import { readGltf } from "../../src/formats/gltf/mod.ts";
import { MeshError } from "../../src/core/errors.ts";
import { meshToPayload, writePayload } from "../../src/formats/payload/mod.ts";
import {
  putHeightfield,
  putLods,
  staticPart,
} from "../payload/plain_payload.ts";
import { damage } from "./damage.ts";
import { triangle, TYPE } from "./plain_gltf.ts";

const toGlb = async (payload: Uint8Array) =>
  (await convert(payload, { to: "gltf" })).outputs[0];

Deno.test("readGltf() survives every prefix and bit flip of a static mesh with levels and a heightfield", async () => {
  const payload = putHeightfield(
    putLods(staticPart(3, [0, 1, 2]), [[8, [0, 2, 1]]]),
    2,
    3,
    [-1, 0.5, 0.25, 1, 2, 2.5],
  );
  await damage(await toGlb(payload.bytes), "static mesh");
});

Deno.test("readGltf() survives every prefix and bit flip of a foreign file with sparse values, strides and a matrix", async () => {
  const g = triangle({}, {
    matrix: [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1],
  });
  const primitive = g.json.meshes[0].primitives[0];
  primitive.attributes.COLOR_0 = g.accessor(
    "VEC3",
    [255, 0, 0, 0, 255, 0, 0, 0, 255],
    TYPE.u8,
    { normalized: true },
  );
  const rows = g.view([255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0], TYPE.u8);
  g.json.bufferViews[rows].byteStride = 4;
  g.json.accessors[1].bufferView = rows;
  primitive.targets = [{ POSITION: g.sparse("VEC3", 3, [2], [0, 0, 1]) }];
  primitive.indices = g.accessor("SCALAR", [0, 1, 2], TYPE.u8);
  g.root({ children: [g.node({ mesh: 0, scale: [-1, 1, 1] })] });
  await damage(g.glb(), "foreign file");
});

Deno.test("what a flipped bit leaves readable can be written as a payload", async () => {
  const payload = putLods(staticPart(3, [0, 1, 2]), [[8, [0, 2, 1]]]);
  const glb = await toGlb(payload.bytes);
  let written = 0;
  for (let i = 0; i < glb.length; i += 3) {
    const copy = glb.slice();
    copy[i] ^= 1 << (i % 8);
    try {
      const { mesh } = await readGltf(copy);
      if (!mesh.attributes.normal || !mesh.attributes.tangent) continue;
      assert(writePayload(meshToPayload(mesh)).length > 0);
      written++;
    } catch (error) {
      assert(error instanceof MeshError, String(error));
    }
  }
  assert(written > 20);
});
