import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertGreater,
  assertLess,
  assertRejects,
} from "@std/assert";
import { decodersFor } from "../../src/cli/decoders.ts";
import { convert } from "../../src/convert/convert.ts";
import { readGltf } from "../../src/formats/gltf/mod.ts";
import { payloadToMesh, readPayload } from "../../src/formats/payload/mod.ts";
import { MeshError } from "../../src/core/errors.ts";
import { boundsOf } from "../../src/core/mesh.ts";
import { validate } from "../../src/convert/validate.ts";
import { corpusBytes, corpusTest } from "../corpus.ts";
import {
  at,
  cross,
  dot,
  entriesOf,
  length,
  sub,
  type V3,
} from "../ops/plain_mesh.ts";
import { gltfFiles, inventory, jsonOf, resourcesOf } from "./corpus_files.ts";
import { assertClean } from "./khronos.ts";
import type { Loose } from "./plain_gltf.ts";

const synthetic = (name: string) => corpusBytes(`gltf/synthetic/${name}`);
const read = async (name: string) => await readGltf(synthetic(name));

/** True when two primitives stand on the same accessors, whose vertices others count twice. */
function sharesVertices(json: Loose): boolean {
  const streams = (json.meshes ?? []).flatMap((m: Loose) =>
    m.primitives.map((p: Loose) => JSON.stringify([p.attributes, p.targets]))
  );
  return new Set(streams).size < streams.length;
}

corpusTest(
  "readGltf() reads every glTF file of the corpus or throws a MeshError, indices in range",
  async () => {
    const known = inventory();
    let accepted = 0;
    let counted = 0;
    for (const path of gltfFiles()) {
      const bytes = corpusBytes(path);
      const json = jsonOf(bytes);
      const row = known.get(path);
      try {
        const { mesh, notes } = await readGltf(bytes, {
          resources: resourcesOf(path, json),
          decoders: await decodersFor(json),
        });
        accepted++;
        for (const { indices } of mesh.lods) {
          assert(!indices?.some((v) => v >= mesh.vertexCount), path);
        }
        // where every mesh is shown once and nothing is left out, others count the same
        const apart = ["nodes", "meshes", "primitives", "line primitives"];
        if (!row || notes.some((n) => apart.includes(n.what))) continue;
        // a primitive of points counts as a triangle in the inventory
        if (mesh.lods[0].indices === null) continue;
        counted++;
        if (sharesVertices(json)) assert(mesh.vertexCount < row.vertices, path);
        else assertEquals(mesh.vertexCount, row.vertices, path);
        assertEquals(
          (mesh.lods[0].indices?.length ?? 0) / 3,
          row.triangles,
          path,
        );
      } catch (error) {
        if (!(error instanceof MeshError)) throw error;
        // of files without a fault only these are refused: a demanded extension, a buffer that stands nowhere, a type of
        // the file's own
        if (row?.errors !== 0 || error.code === "GLTF-UNSUPPORTED") continue;
        const placeholder = json.buffers?.some((
          b: { uri?: string },
          i: number,
        ) => b.uri === undefined && (i > 0 || path.endsWith(".gltf")));
        assert(
          placeholder || path.endsWith("accessor/unknown_type.gltf"),
          `${path}: ${error.message}`,
        );
      }
    }
    assertGreater(accepted, 250);
    assertGreater(counted, 80);
  },
);

corpusTest(
  "readGltf() bakes eight mirrored instances so that every face looks outward and every frame fits",
  async () => {
    const { mesh } = await read("negative-scale-8.glb");
    const { position, normal, tangent, uvs } = mesh.attributes;
    const indices = mesh.lods[0].indices!;
    assertEquals([mesh.vertexCount, indices.length / 3], [8 * 36, 96]);
    let flipped = 0;
    for (let i = 0; i < indices.length; i += 3) {
      const corner = [0, 1, 2].map((k) => indices[i + k]);
      const [a, b, c] = corner.map((v) => at(position, v));
      const [e1, e2] = [sub(b, a), sub(c, a)];
      for (const v of corner) assert(dot(cross(e1, e2), at(normal!, v)) > 0);
      const t = corner.map((v) => [uvs[0][v * 2], uvs[0][v * 2 + 1]]);
      const [du1, dv1] = [t[1][0] - t[0][0], t[1][1] - t[0][1]];
      const [du2, dv2] = [t[2][0] - t[0][0], t[2][1] - t[0][1]];
      const det = du1 * dv2 - du2 * dv1;
      const dpdv = [0, 1, 2].map((k) =>
        (e2[k] * du1 - e1[k] * du2) / det
      ) as unknown as V3;
      for (const v of corner) {
        const w = tangent![v * 4 + 3];
        const side = w *
          dot(cross(at(normal!, v), at(tangent!, v, 4)), dpdv);
        // the unmirrored instance, the first 36 vertices, shows which side is meant
        const first = v % 36;
        const w0 = tangent![first * 4 + 3];
        if (w !== w0) flipped++;
        assert(Math.abs(side) > 1e-3);
        const reference = sideOf(first);
        assertEquals(Math.sign(side), Math.sign(reference));
      }
    }
    /** The same number for a vertex of the first instance. */
    function sideOf(v: number): number {
      const i = indices.findIndex((x) => x === v);
      const start = i - i % 3;
      const corner = [0, 1, 2].map((k) => indices[start + k]);
      const [a, b, c] = corner.map((x) => at(position, x));
      const [e1, e2] = [sub(b, a), sub(c, a)];
      const t = corner.map((x) => [uvs[0][x * 2], uvs[0][x * 2 + 1]]);
      const det = (t[1][0] - t[0][0]) * (t[2][1] - t[0][1]) -
        (t[2][0] - t[0][0]) * (t[1][1] - t[0][1]);
      const dpdv = [0, 1, 2].map((k) =>
        (e2[k] * (t[1][0] - t[0][0]) - e1[k] * (t[2][0] - t[0][0])) / det
      ) as unknown as V3;
      return tangent![v * 4 + 3] *
        dot(cross(at(normal!, v), at(tangent!, v, 4)), dpdv);
    }
    assertEquals(flipped, 4 * 36, "w turns in the four odd instances alone");
  },
);

corpusTest(
  "readGltf() keeps normals at right angles to sheared and squashed faces, and says which have none",
  async () => {
    const { mesh, notes } = await read("nonuniform-shear-singular.glb");
    const { position, normal } = mesh.attributes;
    const indices = mesh.lods[0].indices!;
    for (let i = 0; i < indices.length; i += 3) {
      const corner = [0, 1, 2].map((k) => indices[i + k]);
      if (corner[0] >= 72) continue; // the flat node
      const [a, b, c] = corner.map((v) => at(position, v));
      for (const v of corner) {
        const n = at(normal!, v);
        assertAlmostEquals(length(n), 1, 1e-6);
        assertLess(Math.abs(dot(n, sub(b, a))), 1e-6);
        assertLess(Math.abs(dot(n, sub(c, a))), 1e-6);
      }
    }
    assert(normal!.every(Number.isFinite));
    const note = notes.find((n) => n.what === "normals without direction");
    assertGreater(note!.count, 0);
  },
);

corpusTest(
  "convert() splits the seam of mirrored texture coordinates, tangents and signs as their halves say",
  async () => {
    const { outputs, report } = await convert(
      synthetic("mirrored-uv-seam.glb"),
      { to: "gltf", tangents: "rebuild" },
    );
    const { mesh } = await readGltf(outputs[0]);
    const { position, tangent } = mesh.attributes;
    assertEquals(mesh.vertexCount, 8);
    const sides = { left: new Set<string>(), right: new Set<string>() };
    const indices = mesh.lods[0].indices!;
    for (let i = 0; i < indices.length; i += 3) {
      const corner = [...indices.subarray(i, i + 3)];
      const middle = corner.reduce((x, v) => x + position[v * 3], 0);
      for (const v of corner) {
        sides[middle < 0 ? "left" : "right"].add(
          [...tangent!.subarray(v * 4, v * 4 + 4)].map((x) => x + 0).join(),
        );
      }
    }
    const [[left], [right]] = [[...sides.left], [...sides.right]];
    assertEquals([sides.left.size, sides.right.size], [1, 1]);
    assert(/^-1,0,0,(1|-1)$/.test(left), left);
    assertEquals(right, `1,0,0,${left.endsWith(",-1") ? 1 : -1}`);
    assertEquals(
      report.loss.map((l) => [l.kind, l.what, l.count]),
      [["changed", "vertices", 2]],
    );
  },
);

corpusTest(
  "readGltf() decodes quantised normals under a mirrored, stretched node",
  async () => {
    const { mesh } = await read("quantized-normals-mirrored.glb");
    const { position, normal } = mesh.attributes;
    const indices = mesh.lods[0].indices!;
    for (let i = 0; i < indices.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => at(position, indices[i + k]));
      const face = cross(sub(b, a), sub(c, a));
      for (let k = 0; k < 3; k++) {
        const n = at(normal!, indices[i + k]);
        assertAlmostEquals(length(n), 1, 1e-4);
        assertAlmostEquals(dot(n, face) / length(face), 1, 1e-4);
      }
    }
  },
);

corpusTest("readGltf() multiplies a chain of units to one", async () => {
  const { mesh } = await read("unit-scale-chain.glb");
  const lump = (await read("negative-scale-8.glb")).mesh;
  const first = boundsOf(lump.attributes.position.subarray(0, 36 * 3))!;
  const got = boundsOf(mesh.attributes.position)!;
  [0, 1, 2].forEach((k) => {
    const shift = k === 2 ? 50 : 0;
    assertAlmostEquals(got.min[k], first.min[k] + shift, 5e-5);
    assertAlmostEquals(got.max[k], first.max[k] + shift, 5e-5);
  });
});

corpusTest(
  "readGltf() reads a file with a byte order mark, names that repeat, and a NUL",
  async () => {
    assertEquals((await read("bom-crlf.gltf")).mesh.vertexCount, 36);
    const { mesh } = await read("duplicate-names.glb");
    assertEquals(mesh.materials, ["Skin", "Skin", "", ""]);
    const { outputs } = await convert(synthetic("bom-crlf.gltf"), {
      to: "gltf",
      gltfJson: true,
    });
    assertEquals(outputs[0][0], 0x7b, "written without a mark");
    assert(!outputs[0].includes(13));
    const { findings } = await validate(synthetic("bom-crlf.gltf"));
    assertEquals(findings.map((f) => [f.severity, f.code]), [
      ["warning", "GLTF-BOM"],
    ]);
    assertEquals((await validate(outputs[0])).findings, []);
  },
);

corpusTest(
  "convert() makes names unlike each other where the target tells things apart by them, and says so",
  async () => {
    const renamed: Record<string, number> = { css: 3, obj: 3, smd: 2 };
    for (const to of ["css", "obj", "smd"] as const) {
      const { outputs, report } = await convert(
        synthetic("duplicate-names.glb"),
        { to },
      );
      const row = report.loss.find((l) => l.what === "material names");
      assertEquals([row?.kind, row?.count], ["changed", renamed[to]], to);
      const text = new TextDecoder().decode(outputs[0]);
      // the hostile name, a NUL and "../", is no path and no line of its own
      assert(!text.includes("\0"), to);
      for (const out of outputs.slice(1)) assert(!out.includes(0), to);
    }
    const { outputs: [obj, mtl] } = await convert(
      synthetic("duplicate-names.glb"),
      { to: "obj" },
    );
    const names = (bytes: Uint8Array, line: RegExp) =>
      new Set(
        Array.from(
          new TextDecoder().decode(bytes).matchAll(line),
          (m) => m[1],
        ),
      );
    const want = ["Skin", "Skin_2", "material2", "material3"];
    assertEquals([...names(obj, /^usemtl (.*)$/gm)], want);
    assertEquals([...names(mtl, /^newmtl (.*)$/gm)], want);
    const { report } = await convert(synthetic("duplicate-names.glb"), {
      to: "smd",
    });
    assert(report.loss.some((l) => l.what === "materials" && l.count === 1));
  },
);

corpusTest(
  "convert() multiplies by 100 once on the way to centimetres",
  async () => {
    const { outputs } = await convert(synthetic("unit-scale-chain.glb"), {
      to: "css",
    });
    const { points } = JSON.parse(new TextDecoder().decode(outputs[0]));
    const { mesh } = await read("unit-scale-chain.glb");
    const size = (p: ArrayLike<number>) => {
      const { min, max } = boundsOf(Float32Array.from(p))!;
      return [0, 1, 2].map((k) => max[k] - min[k]).sort((a, b) => a - b);
    };
    const metres = size(mesh.attributes.position);
    size(points.flat(2)).forEach((cm, k) =>
      assertAlmostEquals(cm, metres[k] * 100, 1e-2)
    );
    // the lump moved by 50 along the glTF's Z, 5,000 cm in all
    const far = Math.max(...points.flat(2).map(Math.abs));
    assertGreater(far, 4_900);
    assertLess(far, 5_300);
  },
);

corpusTest(
  "convert() caps eight influences to four by the rule, each kind counted",
  async () => {
    const { mesh: before } = await read("skin-8-influences.glb");
    assertEquals(before.influences, 8);
    const names = before.skeleton!.map((j) => j.name);
    assertEquals(names, [
      ...["joint0", "joint1", "joint2", "joint3", "joint4"],
      ...["joint4", "joint6", "joint7"],
    ]);
    before.skeleton!.forEach((j, i) => assertEquals(j.parent, i - 1));
    const { outputs, report } = await convert(
      synthetic("skin-8-influences.glb"),
      {
        to: "payload",
      },
    );
    const mesh = payloadToMesh(readPayload(outputs[0]));
    const row = (v: number) =>
      [0, 1, 2, 3].map((k) => [
        mesh.attributes.joints![v * 4 + k],
        mesh.attributes.weights![v * 4 + k],
      ]).filter(([, w]) => w > 0);
    // slot s is joint 7 − s, since the skin lists children first
    const want = [[5, 0.375], [3, 0.3125], [1, 0.1875], [7, 0.125]];
    row(0).forEach(([joint, weight], k) => {
      assertEquals(joint, want[k][0]);
      assertAlmostEquals(weight, want[k][1], 1e-7);
    });
    row(1).forEach(([, weight], k) =>
      assertAlmostEquals(weight, [5 / 7, 2 / 7][k], 1e-7)
    );
    assertEquals(row(2), [[7, 1]]);
    assertEquals(row(4), [[5, 1]]);
    const loss = report.loss.map((l) => [l.kind, l.what, l.count]);
    // vertex 0 and 3 have eight; 1 sums to 0.7 and 3 to 2; 2 has none; 4 names a joint twice
    assert(loss.some((l) => String(l) === "dropped,influences,2"), `${loss}`);
    assert(loss.some((l) => String(l) === "repaired,influences,1"), `${loss}`);
    const weights = loss.filter(([, what]) => what === "weights");
    assertEquals(weights, [["repaired", "weights", 2], [
      "repaired",
      "weights",
      1,
    ]]);
  },
);

corpusTest(
  "convert() drops morph entries at or below the epsilon and says what is left of the targets",
  async () => {
    const bytes = synthetic("sparse-morphs.glb");
    const { mesh } = await readGltf(bytes);
    const long = `größe-with-a-name-longer-than-sixty-four-characters-${
      "0123456789-".repeat(2).slice(0, -1)
    }`;
    assertEquals(mesh.morphs!.names, ["Hips", "Hips", long, ""]);
    const { outputs, report } = await convert(bytes, { to: "payload" });
    const morphs = payloadToMesh(readPayload(outputs[0])).morphs!;
    assertEquals(morphs.names, mesh.morphs!.names);
    const second = entriesOf(morphs).filter((e) => e[1] === 1).map((e) => e[0]);
    assertEquals(second, [2, 9, 11]);
    const third = entriesOf(morphs).filter((e) => e[1] === 2);
    assertEquals(third.map((e) => [e[0], ...e[2]]), [[35, 120, 0, 0]]);
    assertEquals(entriesOf(morphs).filter((e) => e[1] === 3), []);
    const dropped = report.loss.find((l) => l.what === "morph entries")!;
    assertEquals([dropped.kind, dropped.count], ["dropped", 2]);
    assertEquals(dropped.largest, Math.fround(1e-6));
    // the third moves by more than a metre, which the importer refuses once it is in centimetres
    const error = await assertRejects(
      () => convert(bytes, { to: "css" }),
      MeshError,
    );
    assertEquals([error.code, error.found], ["R-MORPH-RANGE", 12_000]);
  },
);

corpusTest(
  "validate() and convert() find, count and repair what is not finite or has no direction",
  async () => {
    const bytes = synthetic("nan-inf-zero-normals.glb");
    const { findings } = await validate(bytes);
    const nonFinite = findings.filter((f) => f.code === "MESH-NON-FINITE");
    assertEquals(nonFinite.map((f) => f.where), [
      "vertex 3/position",
      "vertex 4/position",
      "vertex 5/position",
    ]);
    assertEquals(
      findings.find((f) => f.code === "MESH-NORMAL-ZERO")!.found,
      2,
    );
    assert(findings.some((f) => f.code === "MESH-NORMAL-LENGTH"));
    const { outputs, report } = await convert(bytes, { to: "gltf" });
    await assertClean(outputs[0], "nan-inf-zero-normals");
    const rows = report.loss.map((l) => [l.what, l.count]);
    assertEquals(rows, [
      ["triangles", 1],
      ["positions", 3],
      ["normals", 2],
      ["normals", 1],
    ]);
  },
);

corpusTest(
  "convert() makes no NaN and no short tangent of degenerate triangles",
  async () => {
    const bytes = synthetic("degenerate-triangles.glb");
    const { outputs } = await convert(bytes, { to: "payload" });
    const { normal, tangent } =
      payloadToMesh(readPayload(outputs[0])).attributes;
    for (let v = 0; v < 7; v++) {
      assertAlmostEquals(length(at(normal!, v)), 1, 1e-6);
      assertAlmostEquals(length(at(tangent!, v, 4)), 1, 1e-6);
    }
    await assertClean(
      (await convert(outputs[0], { to: "gltf" })).outputs[0],
      "degenerate triangles",
    );
  },
);

corpusTest(
  "convert() refuses 70,225 vertices for one payload with both numbers, and splits them when asked",
  async () => {
    const bytes = synthetic("grid-70225.glb");
    const error = await assertRejects(
      () => convert(bytes, { to: "payload" }),
      MeshError,
    );
    assertEquals(
      [error.code, error.found, error.allowed],
      ["PAYLOAD-VERTEX-COUNT", 70_225, 65_536],
    );
    assert(/70225.*65536/.test(error.message));
    const { outputs, report } = await convert(bytes, {
      to: "payload",
      split: true,
    });
    assertEquals(outputs.length, 2);
    const whole = (await readGltf(bytes)).mesh;
    let i = 0;
    let vertices = 0;
    for (const part of outputs) {
      const mesh = payloadToMesh(readPayload(part));
      assert(mesh.vertexCount <= 65_536);
      vertices += mesh.vertexCount;
      const [p, q] = [mesh.attributes.position, whole.attributes.position];
      for (const v of mesh.lods[0].indices!) {
        const w = whole.lods[0].indices![i++];
        if (
          p[v * 3] !== q[w * 3] || p[v * 3 + 1] !== q[w * 3 + 1] ||
          p[v * 3 + 2] !== q[w * 3 + 2]
        ) throw new Error(`corner ${i - 1} differs`);
      }
    }
    assertEquals(i, 139_392 * 3);
    assertEquals(report.loss.filter((l) => l.what === "vertices"), []);
    const repeated = report.added.find((a) => a.what === "vertices")!;
    assertEquals(repeated.count, vertices - 70_225);
  },
);
