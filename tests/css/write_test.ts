import { assert, assertEquals, assertThrows } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import {
  type CssMesh,
  readCssMesh,
  validateCssMesh,
  writeCssMesh,
  writeCssMeshChunks,
} from "../../src/formats/css/mod.ts";
import { f32Text } from "../../src/formats/css/float_text.ts";
import { corpusBytes, corpusJson, corpusTest } from "../corpus.ts";
import { Random } from "../random.ts";
import { bytesOf, changed, type Doc, triangle, utf8 } from "./plain_css.ts";
import { randomCss } from "./random_css.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

Deno.test("readCssMesh() gives typed arrays of what JSON.parse gives, rounded to f32", () => {
  const doc = changed((d) => {
    d.points[1] = [0.1, 1e-40, -123.456789];
    d.uv_channels = 2;
    d.wedges = [[0, 0.1, 0.2, 0.3, 0.4], [1, 1, 2, 3, 4], [2, 5, 6, 7, 8]];
    d.normals = [[0, 0, 1], [0, 0.6, 0.8], [1, 0, 0]];
    d.colors = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 255]];
    d.morph_targets = [{ deltas: [[2, 0.1, 0, -0.5]], name: "Up" }];
    d.note = { any: [1, 2] };
    d.bones[0].extra = 1;
  });
  const mesh = readCssMesh(bytesOf(doc));
  const f32 = (rows: number[][], from = 0) =>
    Float32Array.from(rows.flatMap((r) => r.slice(from)));
  assertEquals(mesh.points, f32(doc.points));
  assertEquals([...mesh.wedgePoints], [0, 1, 2]);
  assertEquals(mesh.wedgeUvs, f32(doc.wedges, 1));
  assertEquals([...mesh.faces], doc.faces.flat());
  assertEquals(mesh.normals, f32(doc.normals));
  assertEquals([...mesh.colors!], doc.colors.flat());
  assertEquals([...mesh.influenceWeights], [1, 1, 1]);
  assertEquals(mesh.morphTargets, [{
    name: "Up",
    points: Uint32Array.of(2),
    deltas: Float32Array.of(0.1, 0, -0.5),
  }]);
  assertEquals(
    mesh.bones,
    doc.bones.map((b: Doc) => {
      const { extra: _, ...rest } = b;
      return rest;
    }),
  );
  assertEquals(mesh.unknownKeys, ["bones/extra", "note"]);
});

Deno.test("readCssMesh() reads what the importer refuses when it fits the model", () => {
  const cases: ((d: Doc) => void)[] = [
    (d) => d.mesh_package = "/Elsewhere/X",
    (d) => d.skeleton_package = d.mesh_package,
    (d) => d.faces.push([0, 0, 0, 0]),
    (d) => d.points[0][0] = 20000,
    (d) => d.influences.pop(),
    (d) => d.influences[0][2] = 0.5,
    (d) => d.bones[0].rotation = [0, 0, 0, 2],
    (d) => d.materials = ["A", "a"],
    (d) => d.normals = [[0, 0, 1], [0, 0, 2], [0, 0, 0]],
    (d) => d.morph_targets = [{ name: "a b", deltas: [[0, 500, 0, 0]] }],
  ];
  for (const change of cases) {
    const bytes = bytesOf(changed(change));
    const mesh = readCssMesh(bytes);
    const { list } = validateCssMesh(bytes);
    assertEquals(list[0].severity, "error", change.toString());
    // and the writer refuses it for the same reason
    const error = assertThrows(() => writeCssMesh(mesh), MeshError);
    assertEquals([error.code, error.path], [list[0].code, list[0].where]);
  }
});

Deno.test("readCssMesh() throws the rule's code and place when a file does not fit the model", () => {
  const cases: [(d: Doc) => void, string, string][] = [
    [(d) => d.schema = 2, "R-SCHEMA", "/schema"],
    [(d) => delete d.faces, "R-ARRAY-MISSING:faces", "/faces"],
    [(d) => d.uv_channels = 9, "R-UVCOUNT", "/uv_channels"],
    [(d) => d.normals = [], "R-NORMALS-COUNT", "/normals"],
    [(d) => d.bones[0].parent = 0, "R-BONE-PARENT", "/bones/0/parent"],
    [(d) => d.points[1] = [1], "R-POINT", "/points/1"],
    [(d) => d.wedges[1][0] = 3, "R-WEDGE-POINT", "/wedges/1/0"],
    [(d) => d.faces[0][3] = 1, "R-FACE-MATERIAL", "/faces/0/3"],
    [(d) => d.influences[2][1] = 1, "R-INFLUENCE-BONE", "/influences/2/1"],
    [(d) => d.colors = [[1], [2], [3]], "R-COLOR", "/colors/0"],
    [
      (d) => d.morph_targets = [{ name: "A", deltas: [[3, 0, 0, 0]] }],
      "R-MORPH-POINT",
      "/morph_targets/0/deltas/0/0",
    ],
  ];
  for (const [change, code, path] of cases) {
    // something of no structure in front must not hide it
    const doc = changed((d) => {
      d.mesh_package = "/x";
      change(d);
    });
    const bytes = bytesOf(doc);
    const error = assertThrows(() => readCssMesh(bytes), MeshError);
    assertEquals([error.code, error.path, error.format], [code, path, "css"]);
    const found = validateCssMesh(bytes).list.find((f) => f.where === path)!;
    assertEquals(error.offset, found.offset);
  }
});

Deno.test("readCssMesh() gives the same mesh when the keys stand in another order", () => {
  const mesh = randomCss(new Random(3), 4, 3);
  const doc = JSON.parse(text(writeCssMesh(mesh)));
  const turned = Object.fromEntries(Object.entries(doc).reverse());
  assertEquals(readCssMesh(bytesOf(turned)), mesh);
  assertEquals(readCssMesh(utf8(JSON.stringify(doc, null, "\t"))), mesh);
});

Deno.test("writeCssMesh() keeps every value and is a fixed point when meshes are random", () => {
  const random = new Random(5);
  for (let i = 0; i < 40; i++) {
    const mesh = randomCss(random, 2 + random.below(5), 1 + random.below(4));
    const bytes = writeCssMesh(mesh);
    assertEquals(readCssMesh(bytes), mesh);
    assertEquals(writeCssMesh(readCssMesh(bytes)), bytes);
    assertEquals(validateCssMesh(bytes).errors, 0);
    // an independent reader finds the same numbers
    const doc = JSON.parse(text(bytes));
    assertEquals(Float32Array.from(doc.points.flat()), mesh.points);
    assertEquals(Float32Array.from(doc.normals.flat()), mesh.normals!);
    assertEquals(
      doc.bones.map((b: Doc) => b.name),
      mesh.bones.map((b) => b.name),
    );
  }
});

Deno.test("writeCssMesh() writes compact JSON, keys in order, one newline", () => {
  const bytes = writeCssMesh(readCssMesh(bytesOf(triangle())));
  assertEquals(text(bytes), JSON.stringify(triangle()) + "\n");
});

Deno.test("writeCssMeshChunks() gives the bytes of writeCssMesh() in small pieces", () => {
  const mesh = randomCss(new Random(6), 60);
  const chunks = [...writeCssMeshChunks(mesh)];
  assert(chunks.length > 3);
  assert(chunks.every((c) => c.length < 200_000));
  assertEquals(
    text(Uint8Array.from(chunks.flatMap((c) => [...c]))),
    text(writeCssMesh(mesh)),
  );
});

Deno.test("writeCssMeshChunks() refuses before the first chunk what the importer would refuse", () => {
  const mesh = () => randomCss(new Random(7));
  const cases: [(m: CssMesh) => void, string, string][] = [
    [(m) => m.points[4] = NaN, "R-POINT", "/points/1/1"],
    [(m) => m.points[4] = Infinity, "R-POINT", "/points/1/1"],
    [(m) => m.wedgeUvs[0] = NaN, "MESH-NON-FINITE", "/wedges/0/1"],
    [(m) => m.wedgePoints[1] = 99, "R-WEDGE-POINT", "/wedges/1/0"],
    [(m) => m.wedgePoints[1] = 2 ** 32 - 1, "R-WEDGE-POINT", "/wedges/1/0"],
    [(m) => m.faces[7] = 3, "R-FACE-MATERIAL", "/faces/1/3"],
    [(m) => m.faces[5] = m.faces[4], "R-FACE-DEGENERATE", "/faces/1"],
    [(m) => m.influenceWeights[0] = 0, "R-INFLUENCE-WEIGHT", "/influences/0/2"],
    [(m) => m.normals![2] = NaN, "R-NORMAL", "/normals/0/2"],
    [(m) => m.normals![2] = 3, "R-NORMAL-UNIT", "/normals/0"],
    [(m) => m.bones[0].scale[0] = NaN, "R-BONE-SCALE", "/bones/0/scale/0"],
    [(m) => m.bones[3].name = "", "R-BONE-NAME", "/bones/3/name"],
    [
      (m) => m.morphTargets![0].deltas[1] = NaN,
      "R-MORPH-DELTA",
      "/morph_targets/0/deltas/0",
    ],
    [(m) => m.normals = new Float32Array(3), "R-NORMALS-COUNT", "/normals"],
    [(m) => m.points = m.points.slice(0, 7), "ARGUMENT", "points"],
    [(m) => m.wedgeUvs = m.wedgeUvs.slice(1), "ARGUMENT", "wedgeUvs"],
    [
      (m) => m.influenceBones = new Uint32Array(1),
      "ARGUMENT",
      "influenceBones",
    ],
  ];
  for (const [change, code, path] of cases) {
    const broken = mesh();
    change(broken);
    const error = assertThrows(() => writeCssMeshChunks(broken), MeshError);
    assertEquals([error.code, error.path], [code, path], change.toString());
  }
});

Deno.test("writeCssMesh() judges weights as they are written when their sum is at the bound", () => {
  const mesh = readCssMesh(bytesOf(triangle()));
  const f = Math.fround;
  for (let i = -6; i <= 6; i++) {
    mesh.influenceWeights[0] = f(f(0.999) + i * 2 ** -24);
    // 0.999 is refused and f32(0.999), which is a little more, is not: the text decides
    const doc = changed((d) => {
      d.influences[0][2] = Number(f32Text(mesh.influenceWeights[0]));
    });
    let written = true;
    try {
      assertEquals(validateCssMesh(writeCssMesh(mesh)).errors, 0);
    } catch (error) {
      assert(error instanceof MeshError && error.code === "R-INFLUENCE-SUM");
      written = false;
    }
    assertEquals(validateCssMesh(bytesOf(doc)).errors === 0, written, `${i}`);
  }
});

Deno.test("writeCssMesh() gives LIMIT-EXCEEDED when the text passes the limit", () => {
  const mesh = readCssMesh(bytesOf(triangle()));
  const { length } = writeCssMesh(mesh);
  writeCssMesh(mesh, { limits: { maxOutputBytes: length } });
  const error = assertThrows(
    () => writeCssMesh(mesh, { limits: { maxOutputBytes: length - 1 } }),
    MeshError,
  );
  assertEquals(error.code, "LIMIT-EXCEEDED");
});

corpusTest(
  "writeCssMesh() reaches its fixed point at once for every file that the corpus accepts",
  () => {
    const expect = corpusJson<{ file: string; accept: boolean }[]>(
      "css/EXPECT.json",
    );
    let same = 0;
    for (const { file } of expect.filter((e) => e.accept)) {
      const bytes = corpusBytes(`css/${file}`);
      const mesh = readCssMesh(bytes);
      const written = writeCssMesh(mesh);
      assertEquals(readCssMesh(written), mesh, file);
      assertEquals(writeCssMesh(readCssMesh(written)), written, file);
      if (text(written) === text(bytes)) same++;
    }
    assert(same >= 3, `${same} files are canonical as they stand`);
  },
);
