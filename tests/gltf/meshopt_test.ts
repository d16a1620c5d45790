import { assert, assertEquals, assertRejects } from "@std/assert";
import { MeshoptDecoder } from "meshoptimizer/decoder";
import { MeshoptEncoder } from "meshoptimizer";
import { MeshError } from "../../src/core/errors.ts";
import { type GltfDecoders, readGltf } from "../../src/formats/gltf/mod.ts";
import { corpusBytes, corpusTest } from "../corpus.ts";
import { cli, jsonLines } from "../cli/fake_host.ts";
import { CORNERS, type Loose, PlainGltf, TYPE } from "./plain_gltf.ts";

await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
const decoders: GltfDecoders = { meshopt: MeshoptDecoder.decodeGltfBuffer };
const NAME = "EXT_meshopt_compression";

/** A triangle whose positions and indices are compressed over a buffer that nobody wrote. */
function compressed(
  change: (g: PlainGltf) => void = () => {},
  name = NAME,
): PlainGltf {
  const g = new PlainGltf();
  const put = (values: ArrayBufferView, stride: number, mode: string) => {
    const count = values.byteLength / stride;
    const bytes = MeshoptEncoder.encodeGltfBuffer(
      new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
      count,
      stride,
      mode,
    );
    const source = g.json.bufferViews[g.view([...bytes], TYPE.u8)];
    const extension = { ...source, count, byteStride: stride, mode };
    return g.json.bufferViews.push({
      buffer: 1,
      byteLength: values.byteLength,
      ...(mode === "ATTRIBUTES" ? { byteStride: stride } : {}),
      extensions: { [name]: extension },
    }) - 1;
  };
  const over = (bufferView: number, type: string, componentType: number) =>
    g.json.accessors.push({ bufferView, type, componentType, count: 3 }) - 1;
  const position = put(Float32Array.from(CORNERS), 12, "ATTRIBUTES");
  const indices = put(Uint16Array.of(0, 1, 2), 2, "TRIANGLES");
  const mesh = g.mesh({ POSITION: over(position, "VEC3", TYPE.f32) }, {
    indices: over(indices, "SCALAR", TYPE.u16),
  });
  g.root({ mesh });
  g.json.extensionsUsed = g.json.extensionsRequired = [name];
  change(g);
  return g;
}

/** The file as GLB, its second buffer a fallback without bytes. */
function glbOf(g: PlainGltf, name = NAME): Uint8Array {
  const { bin } = g;
  g.json.buffers = [
    { byteLength: bin.length },
    { byteLength: 64, extensions: { [name]: { fallback: true } } },
  ];
  return g.glb();
}

for (const name of [NAME, "KHR_meshopt_compression"]) {
  Deno.test(`readGltf() decodes ${name} with the decoder that it is given`, async () => {
    const file = glbOf(compressed(() => {}, name), name);
    const { mesh, notes } = await readGltf(file, { decoders });
    assertEquals([...mesh.attributes.position], CORNERS);
    // the codec may turn a triangle, never around
    const indices = [...mesh.lods[0].indices!].join("");
    assert("01201".includes(indices), indices);
    assertEquals(notes, []);
  });
}

Deno.test("readGltf() refuses EXT_meshopt_compression by name without a decoder, and Draco", async () => {
  const file = glbOf(compressed());
  const error = await assertRejects(() => readGltf(file), MeshError);
  assertEquals(error.code, "GLTF-UNSUPPORTED");
  assert(error.message.includes(NAME), error.message);
  const draco = glbOf(compressed((g) => {
    g.json.extensionsUsed = ["KHR_draco_mesh_compression"];
    g.json.extensionsRequired = ["KHR_draco_mesh_compression", NAME];
  }));
  const other = await assertRejects(
    () => readGltf(draco, { decoders }),
    MeshError,
  );
  assertEquals(other.code, "GLTF-UNSUPPORTED");
  assert(other.message.includes("KHR_draco_mesh_compression"), other.message);
});

Deno.test("readGltf() decodes filtered attributes of KHR_meshopt_compression as the codec does", async () => {
  const KHR = "KHR_meshopt_compression";
  // 16 bits a channel
  const colors = Float32Array.of(1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1);
  const filtered = MeshoptEncoder.encodeFilterColor(colors, 3, 8, 16);
  const bytes = MeshoptEncoder.encodeGltfBuffer(filtered, 3, 8, "ATTRIBUTES");
  const g = compressed((g) => {
    const source = g.json.bufferViews[g.view([...bytes], TYPE.u8)];
    const bufferView = g.json.bufferViews.push({
      buffer: 1,
      byteLength: 24,
      byteStride: 8,
      extensions: {
        [KHR]: {
          ...source,
          count: 3,
          byteStride: 8,
          mode: "ATTRIBUTES",
          filter: "COLOR",
        },
      },
    }) - 1;
    g.json.meshes[0].primitives[0].attributes.COLOR_0 = g.json.accessors.push({
      bufferView,
      type: "VEC4",
      componentType: TYPE.u16,
      normalized: true,
      count: 3,
    }) - 1;
  }, KHR);
  const { mesh } = await readGltf(glbOf(g, KHR), { decoders });
  mesh.attributes.color!.forEach((x, i) =>
    assert(Math.abs(x - colors[i]) < 1e-3, `${i}: ${x}`)
  );
});

Deno.test("readGltf() throws GLTF-STRUCTURE for compressed views that do not hold", async () => {
  const wrong: [string, unknown][] = [
    ["buffer", 7],
    ["byteOffset", -1],
    ["byteLength", 1e9],
    ["byteStride", 3],
    ["byteStride", 260],
    ["count", 1e9],
    ["count", -3],
    ["count", 2 ** 53],
    ["mode", "NONE"],
    ["filter", "BLUR"],
    // positions are 12 bytes wide
    ["filter", "OCTAHEDRAL"],
    ["filter", "QUATERNION"],
    ["filter", "COLOR"],
    ["filter", "toString"],
    ["byteLength", 2],
  ];
  for (const [key, value] of wrong) {
    const file = glbOf(compressed((g) => {
      const view = g.json.bufferViews.find((v: Loose) => v.extensions);
      view.extensions[NAME][key] = value;
    }));
    const error = await assertRejects(
      () => readGltf(file, { decoders }),
      MeshError,
      undefined,
      `${key} ${value}`,
    );
    assert(
      ["GLTF-STRUCTURE", "LIMIT-EXCEEDED"].includes(error.code),
      `${key} ${value}: ${error.code}`,
    );
  }
});

Deno.test("readGltf() survives every prefix and bit flip of a compressed file", async () => {
  const file = glbOf(compressed());
  const hold = async (bytes: Uint8Array) => {
    try {
      const { mesh } = await readGltf(bytes, { decoders });
      assert(!mesh.lods[0].indices?.some((v) => v >= mesh.vertexCount));
    } catch (error) {
      if (!(error instanceof MeshError)) throw error;
    }
  };
  for (let n = 0; n < file.length; n++) await hold(file.subarray(0, n));
  for (let bit = 0; bit < file.length * 8; bit += 5) {
    const flipped = file.slice();
    flipped[bit >> 3] ^= 1 << (bit & 7);
    await hold(flipped);
  }
});

Deno.test("the command reads compressed files by itself", async () => {
  const files = { "a.glb": glbOf(compressed()) };
  const ran = await cli("inspect a.glb --json", { files });
  assertEquals(ran.code, 0, ran.err);
  const { mesh } = jsonLines(ran.out)[0] as Loose;
  assertEquals([mesh.vertices, mesh.triangles], [3, 1]);
  for (
    const line of [
      "validate a.glb",
      "convert a.glb b.payload",
      "diff a.glb a.glb",
      "preview a.glb b.png",
    ]
  ) {
    assertEquals((await cli(line, { files })).code, 0, line);
  }
});

corpusTest(
  "readGltf() gives the box of a compressed corpus file",
  async () => {
    const folder = "gltf/gltf-transform/extensions/test/in";
    const { mesh } = await readGltf(corpusBytes(`${folder}/BoxMeshopt.glb`), {
      decoders,
    });
    assertEquals(mesh.lods[0].indices!.length / 3, 12);
    assertEquals(mesh.vertexCount, 24);
    const { position } = mesh.attributes;
    // a cube: every coordinate is at one of two places, within the 14 bits or so of its quantisation
    const [low, high] = [Math.min(...position), Math.max(...position)];
    assert(high > low);
    position.forEach((x) =>
      assert(Math.min(x - low, high - x) < (high - low) / 1000, `${x}`)
    );
  },
);
