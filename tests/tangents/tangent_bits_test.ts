import "../kernels/build.ts";
import { assert, assertEquals, assertGreater } from "@std/assert";
import {
  ADVERSARIAL,
  OPPOSITE,
  REGULAR,
  unindexed,
} from "../../bench/tangent_meshes.ts";
import { corpusTest } from "../corpus.ts";
import { Random } from "../random.ts";
import { type Found, gltfMeshes, payloadMeshes } from "./corpus_meshes.ts";
import {
  allDegenerate,
  assertBothOracles,
  assertSameTangents,
  compareOddMeshes,
  compareRandomMeshes,
  correctedOracle,
  differingCorner,
  ours,
  oursUnindexed,
  referenceOracle,
} from "./oracles.ts";
import { plainTangents } from "./plain_mikktspace.ts";
import { quadGrid, smallMesh } from "./small_meshes.ts";

const FAMILIES = { ...REGULAR, ...ADVERSARIAL, "one opposite fan": OPPOSITE };
/** What the npm package can not do: it overflows its stack or traps. */
const TRAPS = ["nan", "coincident"];

for (const [name, make] of Object.entries(FAMILIES)) {
  Deno.test(`generateTangents() gives the corrected bits on ${name}`, () => {
    const mesh = make(700);
    assertSameTangents(ours(mesh), correctedOracle(mesh), "indexed");
    assertSameTangents(oursUnindexed(mesh), ours(mesh), "unindexed");
  });
  if (TRAPS.includes(name)) continue;
  Deno.test(`generateTangents() gives the reference's bits on ${name}`, () => {
    const mesh = make(300);
    const expected = referenceOracle(mesh);
    const mode = { mode: "reference" } as const;
    assertSameTangents(ours(mesh, mode), expected, "indexed");
    assertSameTangents(oursUnindexed(mesh, mode), expected, "unindexed");
  });
}

Deno.test("generateTangents() gives both generators' bits on random small meshes", () => {
  const { compared, apart } = compareRandomMeshes(0, 2500);
  assertGreater(compared, 2000);
  // the two modes are not one: the last bucket matters on some of these
  assertGreater(apart, 30);
});

Deno.test("generateTangents() gives the corrected bits where numbers are not finite and normals not unit", () => {
  compareOddMeshes(0, 2500);
});

Deno.test("the plain MikkTSpace of the tests is the corrected one", () => {
  for (let seed = 0; seed < 300; seed++) {
    const mesh = smallMesh(new Random(seed));
    if (mesh.indices.length > 90) continue;
    assertSameTangents(
      plainTangents(mesh),
      correctedOracle(mesh),
      `seed ${seed}`,
    );
  }
});

Deno.test("generateTangents() splits groups at any angular threshold", () => {
  let apart = 0;
  for (let seed = 0; seed < 800; seed++) {
    const random = new Random(seed);
    const mesh = smallMesh(random);
    if (mesh.indices.length > 90) continue;
    const angularThreshold = random.pick([0, 1, 45, 90, 120, 179.5, 180]);
    const found = ours(mesh, { angularThreshold });
    const expected = plainTangents(mesh, null, angularThreshold);
    assertSameTangents(found, expected, `seed ${seed}, ${angularThreshold}°`);
    if (differingCorner(found, ours(mesh)) >= 0) apart++;
  }
  assertGreater(apart, 50);
});

Deno.test("generateTangents() cuts, joins and averages quads", () => {
  let averaged = 0;
  for (let seed = 0; seed < 500; seed++) {
    const random = new Random(seed);
    const { mesh, sizes } = quadGrid(random);
    const angularThreshold = random.pick([180, 180, 60]);
    const options = { faceSizes: sizes, angularThreshold };
    const found = ours(mesh, options);
    const expected = plainTangents(mesh, sizes, angularThreshold);
    assertSameTangents(found, expected, `seed ${seed}`);
    assertSameTangents(oursUnindexed(mesh, options), found, `seed ${seed}`);
    if (sizes.includes(4)) averaged++;
  }
  assertGreater(averaged, 400);
});

Deno.test("generateTangents() averages spaces of a quad that differ in their magnitudes alone", () => {
  let apart = 0;
  for (let seed = 0; seed < 200; seed++) {
    // a rhombus ABCD, u along AC: its halves have the same angles and directions, and with v = 2 at D one of them is
    // twice as long along v. A triangle without texture area takes the diagonal's first side, so that they stay apart.
    const random = new Random(seed);
    const [b, d] = [random.below(40) - 20, random.below(40) - 20];
    const points = [[0, 0], [b, d], [b + d, b + d], [d, b], [3, 100]];
    const [equal, longer] = [1, 2].map((v) => {
      const mesh = {
        position: Float32Array.from(points.flatMap((p) => [...p, 0])),
        normal: Float32Array.from(points.flatMap(() => [0, 0, 1])),
        uv: Float32Array.of(0, 0, 0.5, -1, 1, 0, 0.5, v, 2, 0),
        indices: Uint32Array.of(0, 2, 4, 0, 1, 2, 3),
      };
      const faceSizes = Uint8Array.of(3, 4);
      const found = ours(mesh, { faceSizes });
      assertSameTangents(found, plainTangents(mesh, faceSizes), `seed ${seed}`);
      return found;
    });
    if (differingCorner(equal, longer) >= 0) apart++;
  }
  assertGreater(apart, 20);
});

Deno.test("generateTangents() finds the reference's last bucket before a tail of degenerate triangles", () => {
  let apart = 0;
  for (let seed = 0; seed < 400; seed++) {
    const mesh = smallMesh(new Random(seed));
    if (allDegenerate(mesh)) continue;
    const tail = Array.from(
      { length: 210 },
      (_, i) => mesh.indices[i % 3 && 1],
    );
    mesh.indices = Uint32Array.of(...mesh.indices, ...tail);
    const reference = ours(mesh, { mode: "reference" });
    assertSameTangents(reference, referenceOracle(mesh), `seed ${seed}`);
    if (differingCorner(reference, ours(mesh)) >= 0) apart++;
  }
  assertGreater(apart, 3);
});

Deno.test("generateTangents() gives the corrected bits where the weld's table grows", () => {
  const mesh = REGULAR.terrain(20_000);
  assertGreater(mesh.position.length / 3, 10_000);
  assertSameTangents(oursUnindexed(mesh), correctedOracle(mesh), "unindexed");
  assertSameTangents(ours(mesh), correctedOracle(mesh), "indexed");
});

Deno.test("generateTangents() gives defaults where every position is NaN", () => {
  const mesh = ADVERSARIAL.nan(2048);
  const tangent = ours(mesh);
  for (let i = 0; i < tangent.length; i += 4) {
    assertEquals([...tangent.subarray(i, i + 4)], [1, 0, 0, -1]);
  }
});

Deno.test("generateTangents() gives defaults where every triangle is degenerate", () => {
  const mesh = ADVERSARIAL.coincident(5);
  for (const mode of ["corrected", "reference"] as const) {
    const tangent = ours(mesh, { mode, sign: -1 });
    for (let i = 0; i < tangent.length; i += 4) {
      assertEquals([...tangent.subarray(i, i + 4)], [1, 0, 0, 1]);
    }
  }
});

/** Compares the meshes that a quick test has time for: the npm package is slow. */
async function compareSmall(meshes: AsyncIterable<Found>): Promise<number> {
  let compared = 0;
  for await (const [where, mesh] of meshes) {
    if (mesh.indices.length > 60_000) continue;
    assertBothOracles(mesh, where);
    compared++;
  }
  return compared;
}

corpusTest(
  "generateTangents() gives both generators' bits on small files of the glTF corpus",
  async () => {
    assertGreater(await compareSmall(gltfMeshes(200_000)), 30);
  },
);

corpusTest(
  "generateTangents() gives both generators' bits on the payload corpus",
  async () => {
    assertGreater(await compareSmall(payloadMeshes()), 10);
  },
);

Deno.test("unindexed() repeats vertices and nothing else", () => {
  const mesh = REGULAR.blob(50);
  const flat = unindexed(mesh);
  assertEquals(flat.indices.length, mesh.indices.length);
  assert(
    mesh.indices.every((v, c) => mesh.uv[v * 2] === flat.uv[c * 2]),
  );
});
