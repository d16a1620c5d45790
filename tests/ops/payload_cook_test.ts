import { assert, assertEquals } from "@std/assert";
import {
  buildLods,
  decimatePayload,
  defaultSwitchDistance,
  heightfieldMesh,
  lodRadius,
  payloadNormals,
  payloadTangents,
  targetTriangles,
} from "../../src/ops/mod.ts";
import {
  meshToPayload,
  payloadToMesh,
  readPayload,
  writePayload,
} from "../../src/formats/payload/mod.ts";
import { corpusBytes, corpusJson, corpusTest } from "../corpus.ts";

interface Geometry {
  normals_tangents: {
    name: string;
    positions: number[][];
    uvs: number[][];
    indices: number[];
    normals_bits: string[][];
    tangents_bits: string[][];
  }[];
  qem: {
    name: string;
    target: number;
    positions_bits: string[][];
    indices: number[];
    out: number[];
  }[];
  default_distance: { radius: number; level: number; bits: string }[];
  target_tris: [number, number, number][];
  heightfield: {
    width: number;
    height: number;
    red: number[];
    half_width: number;
    half_depth: number;
    subdivisions: number;
    elevation_min: number;
    elevation_max: number;
    positions_bits: string[][];
    normals_bits: string[][];
    tangents_bits: string[][];
    indices: number[];
    payload: string;
  }[];
}

const geometry = () => corpusJson<Geometry>("payload/COMPUTE_geometry.json");
const floats = (bits: string[][]) =>
  new Float32Array(
    Uint32Array.from(bits.flat(), (h) => parseInt(h, 16)).buffer,
  );
const hex = (values: Float32Array) =>
  Array.from(
    new Uint32Array(values.buffer, values.byteOffset, values.length),
    (x) => x.toString(16).padStart(8, "0"),
  );

corpusTest(
  "payloadNormals() and payloadTangents() give the cook's bits",
  () => {
    for (const c of geometry().normals_tangents) {
      const p = Float32Array.from(c.positions.flat());
      const indices = Uint32Array.from(c.indices);
      const n = payloadNormals(p, indices);
      const t = payloadTangents(p, n, Float32Array.from(c.uvs.flat()), indices);
      assertEquals(hex(n), c.normals_bits.flat(), c.name);
      assertEquals(hex(t), c.tangents_bits.flat(), c.name);
    }
  },
);

corpusTest("decimatePayload() gives the cook's triangles", () => {
  for (const c of geometry().qem) {
    const out = decimatePayload(
      floats(c.positions_bits),
      Uint32Array.from(c.indices),
      c.target,
    );
    assertEquals([...out], c.out, `${c.name} to ${c.target}`);
  }
});

corpusTest(
  "defaultSwitchDistance() and targetTriangles() give the cook's numbers",
  () => {
    for (const { radius, level, bits } of geometry().default_distance) {
      assertEquals(
        hex(Float32Array.of(defaultSwitchDistance(radius, level))),
        [bits],
      );
    }
    for (const [triangles, level, want] of geometry().target_tris) {
      assertEquals(targetTriangles(triangles, level), want);
    }
  },
);

corpusTest("heightfieldMesh() gives the cook's mesh and file", () => {
  for (const h of geometry().heightfield) {
    const mesh = heightfieldMesh({
      samples: h.red,
      width: h.width,
      height: h.height,
      halfWidth: h.half_width,
      halfDepth: h.half_depth,
      subdivisions: h.subdivisions,
      elevationMin: h.elevation_min,
      elevationMax: h.elevation_max,
    });
    assertEquals(hex(mesh.attributes.position), h.positions_bits.flat());
    assertEquals(hex(mesh.attributes.normal!), h.normals_bits.flat());
    const tangent = mesh.attributes.tangent!.filter((_, i) => i % 4 !== 3);
    assertEquals(hex(tangent), h.tangents_bits.flat());
    assertEquals([...mesh.lods[0].indices!], h.indices);
    assertEquals(
      writePayload(meshToPayload(mesh)),
      corpusBytes(`payload/${h.payload}`),
    );
  }
});

const terrain = () =>
  payloadToMesh(
    readPayload(
      Deno.readFileSync(
        new URL("../../samples/terrain.payload", import.meta.url),
      ),
    ),
  );

Deno.test("buildLods() halves the triangles, keeps the vertices and spaces the distances", () => {
  const mesh = terrain();
  const made = buildLods(mesh, { levels: 4 });
  assertEquals(made.attributes, mesh.attributes);
  const radius = lodRadius(mesh);
  made.lods.forEach((lod, level) => {
    if (level === 0) return;
    assertEquals(lod.switchDistance, defaultSwitchDistance(radius, level));
    assert(lod.indices!.length < made.lods[level - 1].indices!.length);
    assert(lod.indices!.every((v) => v < mesh.vertexCount));
  });
  assertEquals(buildLods(mesh, { levels: 99 }).lods.length <= 8, true);
  assertEquals(buildLods(mesh, { levels: 0 }).lods.length, 1);
  const given = buildLods(mesh, { levels: 2, switchDistances: [7] });
  assertEquals(given.lods[1].switchDistance, 7);
});

Deno.test("buildLods() stops where a level comes out empty", () => {
  const mesh = terrain();
  const sliver = {
    ...mesh,
    lods: [{
      ...mesh.lods[0],
      indices: Uint32Array.of(0, 1, 1, 2, 2, 2),
    }],
  };
  assertEquals(buildLods(sliver, { levels: 3 }).lods.length, 1);
});
