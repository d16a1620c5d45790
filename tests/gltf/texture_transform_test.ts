import { assert, assertEquals, assertRejects } from "@std/assert";
import { Matrix3 } from "three";
import { MeshError } from "../../src/core/errors.ts";
import { readGltf } from "../../src/formats/gltf/mod.ts";
import { Random } from "../random.ts";
import { CORNERS, type Loose, PlainGltf, TYPE } from "./plain_gltf.ts";

const NAME = "KHR_texture_transform";
const UV = [0, 0, 1, 0, 0.25, 0.75];

/** A triangle for each material. */
function textured(materials: Loose[], attributes: Loose = {}): PlainGltf {
  const g = new PlainGltf();
  const shared = {
    POSITION: g.accessor("VEC3", CORNERS),
    TEXCOORD_0: g.accessor("VEC2", UV),
    TEXCOORD_1: g.accessor("VEC2", UV),
    ...attributes,
  };
  g.json.materials = materials;
  g.json.extensionsUsed = [NAME];
  g.json.meshes.push({
    primitives: materials.map((_, material) => ({
      attributes: shared,
      material,
    })),
  });
  g.root({ mesh: 0 });
  return g;
}

const info = (transform?: Loose, texCoord?: number): Loose => ({
  index: 0,
  ...(texCoord === undefined ? {} : { texCoord }),
  ...(transform ? { extensions: { [NAME]: transform } } : {}),
});
const based = (texture: Loose, rest: Loose = {}): Loose => ({
  name: "m",
  pbrMetallicRoughness: { baseColorTexture: texture },
  ...rest,
});

/** Coordinates through a matrix of three.js, which viewers use. */
function byThree(m: Matrix3): number[] {
  const e = m.elements;
  return [0, 2, 4].flatMap((i) => [
    e[0] * UV[i] + e[3] * UV[i + 1] + e[6],
    e[1] * UV[i] + e[4] * UV[i + 1] + e[7],
  ]);
}

const close = (got: ArrayLike<number>, want: readonly number[]) =>
  want.forEach((x, i) =>
    assert(Math.abs(got[i] - x) < 1e-6, `${i}: ${got[i]}`)
  );

Deno.test("readGltf() applies KHR_texture_transform of the base colour, as viewers draw it", async () => {
  const random = new Random(3);
  for (let n = 0; n < 50; n++) {
    const offset = [random.between(-2, 2), random.between(-2, 2)];
    const rotation = random.between(-4, 4);
    const s = random.between(0.1, 3);
    const g = textured([based(info({ offset, rotation, scale: [s, s] }))]);
    const { mesh, notes } = await readGltf(g.glb());
    const want = new Matrix3().setUvTransform(
      offset[0],
      offset[1],
      s,
      s,
      rotation,
      0,
      0,
    );
    close(mesh.attributes.uvs[0], byThree(want));
    assertEquals([...mesh.attributes.uvs[1]], UV, "the other set stays");
    assertEquals(
      notes.filter((x) => x.what === "texture transforms").map((x) => x.count),
      [1],
    );
    assert(!notes.some((x) => x.what === "extensions"));
  }
});

Deno.test("readGltf() scales texture coordinates before it turns and shifts them", async () => {
  const transform = { offset: [0.5, 0], rotation: Math.PI / 2, scale: [2, 3] };
  const g = textured([based(info(transform))]);
  const { mesh } = await readGltf(g.glb());
  // a quarter turn to the left as the image lies: +u goes up, which is -v, and +v to the right
  const want = [0, 2, 4].flatMap((i) => [3 * UV[i + 1] + 0.5, -2 * UV[i]]);
  close(mesh.attributes.uvs[0], want);
});

Deno.test("readGltf() gives quantised texture coordinates their size back", async () => {
  const g = new PlainGltf();
  const raw = [0, 0, 4095, 0, 1024, 2048];
  g.json.materials = [
    based(info({ offset: [-0.5, 0.25], scale: [32, 32] })),
  ];
  g.json.extensionsUsed = [NAME, "KHR_mesh_quantization"];
  g.json.extensionsRequired = [NAME, "KHR_mesh_quantization"];
  const mesh = g.mesh({
    POSITION: g.accessor("VEC3", CORNERS),
    TEXCOORD_0: g.accessor("VEC2", raw, TYPE.u16, { normalized: true }),
  }, { material: 0 });
  g.root({ mesh });
  const { mesh: read } = await readGltf(g.glb());
  close(
    read.attributes.uvs[0],
    raw.map((x, i) => x / 65535 * 32 + [-0.5, 0.25][i % 2]),
  );
});

Deno.test("readGltf() takes the set that the transform names, and the first texture where others differ", async () => {
  const g = textured([
    based(info({ scale: [2, 2], texCoord: 1 }, 0), {
      normalTexture: info({ scale: [3, 3] }, 1),
      emissiveTexture: info({ scale: [5, 5] }, 0),
    }),
  ]);
  const { mesh, notes } = await readGltf(g.glb());
  close(mesh.attributes.uvs[1], UV.map((x) => 2 * x));
  close(mesh.attributes.uvs[0], UV.map((x) => 5 * x));
  assertEquals(
    notes.filter((x) => x.what === "texture transforms").map((x) => x.count),
    [2, 1],
  );
});

Deno.test("readGltf() repeats vertices whose materials transform them differently, and only those", async () => {
  const twice = based(info({ scale: [2, 2] }));
  const g = textured([twice, { ...twice }, based(info()), { name: "bare" }]);
  const { mesh } = await readGltf(g.glb());
  assertEquals(mesh.vertexCount, 6);
  close(mesh.attributes.uvs[0], [...UV.map((x) => 2 * x), ...UV]);
});

Deno.test("readGltf() throws GLTF-STRUCTURE for a texture transform that is none", async () => {
  const wrong = [
    { scale: [1] },
    { scale: "large" },
    { offset: [0, null] },
    { rotation: "left" },
  ];
  for (const transform of wrong) {
    const g = textured([based(info(transform))]);
    const error = await assertRejects(() => readGltf(g.glb()), MeshError);
    assertEquals(error.code, "GLTF-STRUCTURE");
  }
});
