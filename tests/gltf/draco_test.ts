import { assert, assertEquals, assertRejects } from "@std/assert";
import draco from "draco3dgltf";
import { MeshError } from "../../src/core/errors.ts";
import {
  type DracoDecoderModule,
  type GltfDecoders,
  readGltf,
} from "../../src/formats/gltf/mod.ts";
import { cli, jsonLines } from "../cli/fake_host.ts";
import { corpusBytes, corpusTest } from "../corpus.ts";
import { Random } from "../random.ts";
import { jsonOf, resourcesOf } from "./corpus_files.ts";
import { type Loose, PlainGltf, TYPE } from "./plain_gltf.ts";

const NAME = "KHR_draco_mesh_compression";
const encoderModule: Loose = await draco.createEncoderModule();
const decoders: GltfDecoders = {
  draco: await draco.createDecoderModule() as DracoDecoderModule,
};

/** Numbers of one grid of 5 x 4 points on a bowl, and what is drawn over them. */
function grid() {
  const random = new Random(7);
  const position: number[] = [];
  const uv: number[] = [];
  for (let row = 0; row < 4; row++) {
    for (let col = 0; col < 5; col++) {
      position.push(col, Math.fround(random.float()), row);
      uv.push(col / 4, row / 4);
    }
  }
  const indices: number[] = [];
  for (let row = 0; row < 3; row++) {
    for (let col = 0; col < 4; col++) {
      const v = row * 5 + col;
      indices.push(v, v + 5, v + 1, v + 1, v + 5, v + 6);
    }
  }
  const marks = Array.from({ length: 20 }, (_, v) => [v * 1000, 65535 - v])
    .flat();
  return { position, uv, indices, marks };
}

/** A Draco stream without quantisation, and the number of each attribute in it. */
function encoded(
  method: "sequential" | "edgebreaker",
  metadata = false,
): { bytes: number[]; ids: Record<string, number> } {
  const m = encoderModule;
  const { position, uv, indices, marks } = grid();
  const builder = new m.MeshBuilder();
  const mesh = new m.Mesh();
  const encoder = new m.Encoder();
  builder.AddFacesToMesh(mesh, indices.length / 3, Uint32Array.from(indices));
  const ids = {
    POSITION: builder.AddFloatAttributeToMesh(
      mesh,
      m.POSITION,
      20,
      3,
      Float32Array.from(position),
    ),
    TEXCOORD_0: builder.AddFloatAttributeToMesh(
      mesh,
      m.TEX_COORD,
      20,
      2,
      Float32Array.from(uv),
    ),
    TEXCOORD_1: builder.AddUInt16Attribute(
      mesh,
      m.GENERIC,
      20,
      2,
      Uint16Array.from(marks),
    ),
  };
  if (metadata) {
    const made = new m.Metadata();
    const about = new m.MetadataBuilder();
    about.AddStringEntry(made, "name", "bowl");
    about.AddIntEntry(made, "answer", 42);
    builder.AddMetadata(mesh, made);
  }
  encoder.SetEncodingMethod(
    method === "sequential"
      ? m.MESH_SEQUENTIAL_ENCODING
      : m.MESH_EDGEBREAKER_ENCODING,
  );
  const out = new m.DracoInt8Array();
  const size = encoder.EncodeMeshToDracoBuffer(mesh, out);
  const bytes = Array.from(
    { length: size },
    (_, i) => out.GetValue(i) & 0xff,
  );
  for (const x of [out, encoder, mesh, builder]) m.destroy(x);
  return { bytes, ids };
}

interface Made {
  bytes: number[];
  ids: Record<string, number>;
}

/** A GLB whose one primitive is compressed. */
function glbOf(
  { bytes, ids }: Made,
  change: (g: PlainGltf) => void = () => {},
): Uint8Array {
  const g = new PlainGltf();
  const view = g.view(bytes, TYPE.u8);
  const bare = (type: string, componentType: number, count: number) =>
    g.json.accessors.push({ type, componentType, count }) - 1;
  const mesh = g.mesh({
    POSITION: bare("VEC3", TYPE.f32, 20),
    TEXCOORD_0: bare("VEC2", TYPE.f32, 20),
  }, {
    indices: bare("SCALAR", TYPE.u16, 72),
    extensions: {
      [NAME]: {
        bufferView: view,
        attributes: { POSITION: ids.POSITION, TEXCOORD_0: ids.TEXCOORD_0 },
      },
    },
  });
  g.root({ mesh });
  g.json.extensionsUsed = g.json.extensionsRequired = [NAME];
  change(g);
  return g.glb();
}

/** Corners of all triangles, a text each, first corner first in some order of its own; sorted. */
function triangles(
  position: ArrayLike<number>,
  uv: ArrayLike<number>,
  indices: ArrayLike<number>,
): string[] {
  const corner = (v: number) =>
    [...[0, 1, 2].map((k) => position[v * 3 + k]), uv[v * 2], uv[v * 2 + 1]]
      .join();
  const out: string[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [0, 1, 2].map((k) => corner(indices[i + k]));
    const low = corners.indexOf(corners.slice().sort()[0]);
    out.push([0, 1, 2].map((k) => corners[(low + k) % 3]).join(" "));
  }
  return out.sort();
}

for (const method of ["sequential", "edgebreaker"] as const) {
  Deno.test(`readGltf() decodes KHR_draco_mesh_compression, ${method}`, async () => {
    for (const metadata of [false, true]) {
      const file = glbOf(encoded(method, metadata));
      const { mesh, notes } = await readGltf(file, { decoders });
      const want = grid();
      assertEquals(mesh.vertexCount, 20);
      assertEquals(
        triangles(
          mesh.attributes.position,
          mesh.attributes.uvs[0],
          mesh.lods[0].indices!,
        ),
        triangles(want.position, want.uv, want.indices),
      );
      assertEquals(notes, []);
    }
  });
}

Deno.test("readGltf() decodes Draco integers, keeps attributes that are stored plainly, and takes strips for lists", async () => {
  const made = encoded("sequential");
  const file = glbOf(made, (g) => {
    const [p] = g.json.meshes[0].primitives;
    p.mode = 5;
    p.attributes.TEXCOORD_1 = g.json.accessors.push({
      type: "VEC2",
      componentType: TYPE.u16,
      normalized: true,
      count: 20,
    }) - 1;
    p.extensions[NAME].attributes.TEXCOORD_1 = made.ids.TEXCOORD_1;
    p.attributes.NORMAL = g.accessor(
      "VEC3",
      new Array(20).fill([0, 1, 0]).flat(),
    );
  });
  const { mesh } = await readGltf(file, { decoders });
  assertEquals(mesh.lods[0].indices!.length, 72);
  assertEquals([...mesh.attributes.normal!.subarray(0, 3)], [0, 1, 0]);
  const { position, marks } = grid();
  for (let v = 0; v < 20; v++) {
    const [x, , z] = mesh.attributes.position.subarray(v * 3);
    const at = [...Array(20).keys()].find((i) =>
      position[i * 3] === x && position[i * 3 + 2] === z
    )!;
    assertEquals(
      [...mesh.attributes.uvs[1].subarray(v * 2, v * 2 + 2)],
      [marks[at * 2], marks[at * 2 + 1]].map((m) => Math.fround(m / 65535)),
    );
  }
});

Deno.test("readGltf() without a Draco decoder refuses compressed primitives by name, demanded or not, and says what helps", async () => {
  const made = encoded("edgebreaker");
  const optional = glbOf(made, (g) => delete g.json.extensionsRequired);
  for (const file of [glbOf(made), optional]) {
    const error = await assertRejects(() => readGltf(file), MeshError);
    assertEquals(error.code, "GLTF-UNSUPPORTED");
    assert(error.message.includes(NAME), error.message);
    assert(error.message.includes("decoders.draco"), error.message);
  }
  const plain = glbOf(made, (g) => {
    delete g.json.extensionsRequired;
    const [p] = g.json.meshes[0].primitives;
    const { position, uv, indices } = grid();
    p.attributes.POSITION = g.accessor("VEC3", position);
    p.attributes.TEXCOORD_0 = g.accessor("VEC2", uv);
    p.indices = g.accessor("SCALAR", indices, TYPE.u16);
  });
  const { mesh } = await readGltf(plain);
  assertEquals([...mesh.lods[0].indices!], grid().indices);
});

Deno.test("readGltf() throws GLTF-STRUCTURE for Draco streams that do not hold what the file says", async () => {
  const sequential = encoded("sequential");
  const edges = encoded("edgebreaker");
  const patched = (made: Made, at: number, ...values: number[]): Made => {
    const bytes = made.bytes.slice();
    values.forEach((x, i) => bytes[at + i] = x);
    return { ...made, bytes };
  };
  const primitive = (g: PlainGltf) => g.json.meshes[0].primitives[0];
  const wrong: [string, Uint8Array][] = [
    ["magic", glbOf(patched(edges, 0, 0x58))],
    ["version", glbOf(patched(edges, 6, 1))],
    ["a point cloud", glbOf(patched(edges, 7, 0))],
    ["method", glbOf(patched(edges, 8, 9))],
    // 2^32 - 1 faces of a sequential stream, 2^32 - 1 vertices of an edgebreaker one
    ["faces", glbOf(patched(sequential, 11, 255, 255, 255, 255, 15))],
    ["vertices", glbOf(patched(edges, 12, 255, 255, 255, 255, 15))],
    [
      "a number without end",
      glbOf(patched(edges, 12, ...new Array(6).fill(255))),
    ],
    ["metadata without end", glbOf(patched(edges, 10, 0x80, 255, 255, 255))],
    ["empty", glbOf({ ...edges, bytes: [0] })],
    [
      "attribute",
      glbOf(
        edges,
        (g) => primitive(g).extensions[NAME].attributes.POSITION = 77,
      ),
    ],
    [
      "width",
      glbOf(edges, (g) => g.json.accessors[0].type = "VEC4"),
    ],
    [
      "count",
      glbOf(edges, (g) => g.json.accessors.forEach((a: Loose) => a.count = 21)),
    ],
    ["view", glbOf(edges, (g) => primitive(g).extensions[NAME].bufferView = 9)],
    [
      "names",
      glbOf(edges, (g) => primitive(g).extensions[NAME].attributes = 1),
    ],
  ];
  for (const [what, file] of wrong) {
    const error = await assertRejects(
      () => readGltf(file, { decoders }),
      MeshError,
      undefined,
      what,
    );
    assert(
      ["GLTF-STRUCTURE", "LIMIT-EXCEEDED"].includes(error.code),
      `${what}: ${error.code}`,
    );
  }
});

Deno.test("readGltf() survives every prefix and bit flip of a Draco stream", async () => {
  for (const method of ["sequential", "edgebreaker"] as const) {
    const made = encoded(method);
    const hold = async (bytes: number[]) => {
      try {
        const { mesh } = await readGltf(glbOf({ ...made, bytes }), {
          decoders,
        });
        assert(!mesh.lods[0].indices!.some((v) => v >= mesh.vertexCount));
      } catch (error) {
        if (!(error instanceof MeshError)) throw error;
      }
    };
    for (let n = 1; n < made.bytes.length; n += 3) {
      await hold(made.bytes.slice(0, n));
    }
    for (let bit = 0; bit < made.bytes.length * 8; bit += 7) {
      const bytes = made.bytes.slice();
      bytes[bit >> 3] ^= 1 << (bit & 7);
      await hold(bytes);
    }
  }
});

Deno.test("the command reads Draco files by itself", async () => {
  const files = { "a.glb": glbOf(encoded("edgebreaker")) };
  const ran = await cli("inspect a.glb --json", { files });
  assertEquals(ran.code, 0, ran.err);
  const { mesh } = jsonLines(ran.out)[0] as Loose;
  assertEquals([mesh.vertices, mesh.triangles], [20, 24]);
  const made = await cli("convert a.glb b.glb --strict", { files });
  assertEquals(made.code, 0, made.err);
});

corpusTest(
  "readGltf() gives Draco meshes of the corpus the bounds that their files state",
  async () => {
    let held = 0;
    for (
      const path of [
        "gltf/playcanvas/heart_draco.glb",
        "gltf/gltf-transform/extensions/test/in/BoxDraco.gltf",
        "gltf/gltf-transform/extensions/test/in/DracoSparseMesh.gltf",
      ]
    ) {
      const bytes = corpusBytes(path);
      const json = jsonOf(bytes);
      const { mesh } = await readGltf(bytes, {
        decoders,
        resources: resourcesOf(path, json),
      });
      const [{ attributes }] = json.meshes[0].primitives;
      const { min, max } = json.accessors[attributes.POSITION];
      const [node] = json.nodes.filter((n: Loose) => n.mesh === 0);
      // only files whose node does not move the mesh say its bounds in its own axes
      if (node.matrix || node.scale || node.rotation || node.translation) {
        continue;
      }
      held++;
      const { position } = mesh.attributes;
      [0, 1, 2].forEach((k) => {
        const along = position.filter((_, i) => i % 3 === k);
        // streams are quantised
        const near = (max[k] - min[k]) / 1000;
        assert(Math.abs(Math.min(...along) - min[k]) <= near, path);
        assert(Math.abs(Math.max(...along) - max[k]) <= near, path);
      });
    }
    assert(held > 0);
  },
);
