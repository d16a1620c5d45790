import { assert, assertEquals } from "@std/assert";
import { validate } from "../../src/convert/validate.ts";
import { corpusBytes, corpusTest } from "../corpus.ts";
import {
  buildFixture,
  type Fixture,
  type FixtureSpec,
  fixtureVtx,
  oneModel,
  square,
} from "./build_fixture.ts";
import { companionsOf, mdlFiles } from "./corpus_models.ts";
import { plainVtx } from "./plain_vtx.ts";

/** Codes of the findings about a model and its two companions. */
async function codes(
  { mdl, vvd, vtx }: Fixture,
  more: Record<string, Uint8Array> = {},
): Promise<string[]> {
  const { findings } = await validate(mdl, {
    name: "box.mdl",
    resources: { "box.vvd": vvd, "box.dx90.vtx": vtx, ...more },
  });
  return findings.map((f) => f.code);
}

const good = oneModel([square()]);
const of = (spec: FixtureSpec) => codes(buildFixture(spec));

Deno.test("validate() finds nothing in a sound model", async () => {
  assertEquals(await of(good), []);
  assertEquals(
    await of(oneModel([{ ...square(), groups: 2 }, square(5)], { lods: 3 })),
    [],
  );
});

Deno.test("validate() says when a model has no geometry of its own", async () => {
  const { mdl } = buildFixture({ bodyParts: [] });
  const found = await validate(mdl, { name: "anims.mdl" });
  assertEquals([found.ok, found.findings.map((f) => f.code)], [
    true,
    ["MDL-NO-GEOMETRY"],
  ]);
});

Deno.test("validate() finds vertices of bones that the model has not", async () => {
  const strange = oneModel([square(), square(5, 0, { bones: [[3, 1]] })]);
  const { mdl, vvd, vtx } = buildFixture(strange);
  const { findings } = await validate(mdl, {
    name: "box.mdl",
    resources: { "box.vvd": vvd, "box.dx90.vtx": vtx },
  });
  // one for all four of them, at the first
  assertEquals(findings, [{
    severity: "error",
    code: "MDL-BONE-RANGE",
    where: "vertex 4",
    message:
      "Use the files of one compile: vertex 4 is weighted to bone 3 of 1, the first of 4 such vertices",
    found: 3,
    allowed: "< 1",
  }]);
});

Deno.test("validate() finds materials outside the skin table or the textures", async () => {
  assertEquals(await of(oneModel([{ ...square(), material: 1 }])), [
    "MDL-MATERIAL",
  ]);
  assertEquals(await of({ ...good, skins: [[0], [7]] }), ["MDL-MATERIAL"]);
});

Deno.test("validate() goes on behind files of different compiles", async () => {
  const files = buildFixture(good);
  const other = buildFixture({ ...good, checksum: 3 });
  for (const kind of ["vvd", "vtx"] as const) {
    const found = await validate(files.mdl, {
      name: "box.mdl",
      resources: {
        "box.vvd": files.vvd,
        "box.vtx": files.vtx,
        [`box.${kind}`]: other[kind],
      },
    });
    assertEquals(found.findings.map((f) => f.code), ["MDL-CHECKSUM"]);
    assertEquals([found.ok, found.readable], [false, true]);
  }
});

Deno.test("validate() warns of stale files that are not used", async () => {
  const stale = buildFixture({ ...good, checksum: 3 }).vtx;
  assertEquals(await codes(buildFixture(good), { "box.sw.vtx": stale }), [
    "MDL-COMPANION-UNUSED",
  ]);
  const { mdl, vvd, vtx } = buildFixture(good);
  const { findings } = await validate(mdl, {
    name: "box.mdl",
    resources: {
      "box.vvd": vvd,
      "box.dx90.vtx": vtx,
      "box.dx80.vtx": stale,
      "box.sw.vtx": Uint8Array.of(7, 0, 0, 0),
    },
  });
  assert(
    /box\.dx80\.vtx carries checksum 0x00000003, the MDL 0x[0-9a-f]{8}$/.test(
      findings[0].message,
    ),
  );
  assert(
    findings[1].message.endsWith("box.sw.vtx is too short to hold a checksum"),
  );
});

Deno.test("validate() names the files that are missing", async () => {
  const { mdl, vvd } = buildFixture(good);
  const found = await validate(mdl, {
    name: "Box.mdl",
    resources: { "box.vvd": vvd },
  });
  assertEquals(found.findings.map((f) => f.code), ["MDL-COMPANION"]);
  assert(found.findings[0].message.includes("Box.dx90.vtx"));
  assertEquals(found.readable, false);
});

Deno.test("validate() reports triangles without a vertex and what the VVD's fixups lack", async () => {
  const vtx = fixtureVtx(good);
  vtx.bodyParts[0].models[0].lods[0].meshes[0].groups[0].vertices[3][4] = 9;
  const files = buildFixture(good);
  assertEquals(await codes({ ...files, vtx: plainVtx(vtx, "25/27") }), [
    "VTX-VERTEX-RANGE",
  ]);
  const lods = buildFixture(oneModel([
    { ...square(0, 0, { lod: 1 }) },
    { ...square(5) },
  ], { lods: 2 }));
  new DataView(lods.vvd.buffer).setInt32(20, 3, true);
  assert((await codes(lods)).includes("VVD-FIXUP-SUM"));
});

Deno.test("validate() judges the geometry of all models", async () => {
  const turned = { ...square(), triangles: [[0, 1, 2, 0, 2, 3]] };
  assertEquals(
    await of({
      bodyParts: [{ models: [{ meshes: [] }, { meshes: [turned] }] }],
    }),
    ["MESH-WINDING"],
  );
  const nan = square(0, 0, { normal: [NaN, 0, 0] });
  assertEquals((await of(oneModel([nan]))).length, 4);
});

corpusTest("validate() finds no error in any set of the corpus", async () => {
  for (const path of mdlFiles) {
    const found = await validate(corpusBytes(path), {
      name: path,
      resources: companionsOf(path),
    });
    assertEquals(
      found.findings.filter((f) => f.severity === "error"),
      [],
      path,
    );
  }
});
