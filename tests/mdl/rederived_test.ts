/**
 * Every set of the corpus against a reader that shares nothing with the library: first that reader against the values that
 * the corpus brings for some of its sets, then the library against that reader for all of them.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import { inspect } from "../../src/convert/inspect.ts";
import { MeshError } from "../../src/core/errors.ts";
import { corpusBytes, corpusFiles, corpusTest } from "../corpus.ts";
import { asBytes } from "../same_bytes.ts";
import {
  companionsOf,
  mdlFiles,
  oracleModels,
  readCorpusModel,
} from "./corpus_models.ts";
import { plainSet } from "./plain_set.ts";

const sets = new Map<string, ReturnType<typeof plainSet>>();

/** A set, read once. */
function setOf(path: string): ReturnType<typeof plainSet> {
  if (!sets.has(path)) sets.set(path, plainSet(path));
  return sets.get(path)!;
}

corpusTest("plainSet() gives every row of ORACLE.json", async () => {
  let rows = 0;
  for (const [key, { ...want }] of oracleModels()) {
    const { row } = await setOf(`source/${key}.mdl`);
    const about = (r: typeof row) =>
      Object.fromEntries(
        Object.keys(row).map((k) => [k, r[k as keyof typeof r]]),
      );
    assertEquals(about(row), about(want), key);
    rows++;
  }
  assert(rows >= 75, `only ${rows} rows`);
});

corpusTest(
  "inspect() gives what the plain reader finds in every set, ORACLE.json or not",
  async () => {
    const known = new Set(oracleModels().map(([key]) => `source/${key}.mdl`));
    let others = 0;
    for (const path of mdlFiles) {
      const { row, companions, vertices, bones } = await setOf(path);
      const look = (lod: number) =>
        inspect(corpusBytes(path), {
          name: path,
          resources: companionsOf(path),
          lod,
        });
      const { mdl, mesh } = await look(0);
      assertEquals(
        [mdl!.version, mdl!.checksum, mdl!.flags, mdl!.bones],
        [row.mdl_version, row.mdl_checksum, row.mdl_flags, bones],
        path,
      );
      assertEquals(
        [mdl!.skinFamilies, mdl!.textures, mdl!.texturePaths],
        [row.skinFamilies, row.textures, row.cdmaterials],
        path,
      );
      type Part = [name: string, models: [string, number, number, unknown[]][]];
      assertEquals(
        mdl!.bodyparts,
        (row.bodyparts as Part[]).map(([name, models]) => ({
          name,
          models: models.map(([name, vertices, , meshes]) => ({
            name,
            vertices,
            meshes: meshes.length,
          })),
        })),
        path,
      );
      assertEquals(mdl!.companions, companions, path);
      assertEquals(mesh!.vertices, vertices, path);
      const used = companions.find((c) => c.kind === "vtx" && c.used)!;
      const stem = path.slice(path.lastIndexOf("/") + 1, -4);
      const { layout, lods } =
        row.vtx[used.file.slice(stem.length).toLowerCase()];
      assertEquals(mdl!.vtxLayout, layout, path);
      assertEquals(
        mesh!.lods.map((l) => [l.triangles, l.vertices, l.switchDistance]),
        lods.map((l) => [l.triangles, l.usedVertices, l.switchPoint]),
        path,
      );
      for (const [level, { min, max, triangles }] of lods.entries()) {
        const found = level === 0 ? mesh! : (await look(level)).mesh!;
        assertEquals([found.bounds, found.triangles], [
          { min, max },
          triangles,
        ], `${path} LOD ${level}`);
      }
      if (!known.has(path)) others++;
    }
    assert(others >= 30, `only ${others} sets beside ORACLE.json`);
  },
);

corpusTest(
  "readSourceModel() gives the indices that the plain reader finds in every VTX of every set",
  async () => {
    let levels = 0;
    for (const path of mdlFiles) {
      const { row } = await setOf(path);
      for (
        const [ending, { lods, layout, matches_mdl }] of Object.entries(row.vtx)
      ) {
        if (!matches_mdl) continue;
        const model = readCorpusModel(path, ending);
        assertEquals(model.vtx!.layout, layout, path);
        assertEquals(
          await Promise.all(model.lods.map(async ({ indices }) => {
            const hash = await crypto.subtle.digest(
              "SHA-256",
              asBytes(indices).slice(),
            );
            return new Uint8Array(hash).toHex();
          })),
          lods.map((l) => l.indices_sha256),
          path + ending,
        );
        levels += lods.length;
      }
    }
    assert(levels > 250, `only ${levels} levels`);
  },
);

corpusTest(
  "the corpus has 106 sets: 105 with an .mdl, and openmod's buggy, of which only Git LFS pointers were published",
  async () => {
    const stems = (ending: string) =>
      corpusFiles("source", "")
        .map((f) => f.toLowerCase())
        .filter((f) => f.endsWith(ending))
        .map((f) => f.slice(0, -ending.length));
    const sets = stems(".vvd");
    const models = new Set(stems(".mdl"));
    assertEquals([sets.length, models.size], [106, 105]);
    assertEquals(sets.filter((s) => !models.has(s)), [
      "source/team-extermus+openmod/models/buggy",
    ]);
    const folder = "source/Team-Extermus+openmod/models";
    for (const file of corpusFiles(folder, "")) {
      const bytes = corpusBytes(file);
      const begin = new TextDecoder().decode(bytes.subarray(0, 8));
      assertEquals([begin, bytes.length], ["version ", 131], file);
    }
    const error = await assertRejects(
      () =>
        convert(corpusBytes(`${folder}/buggy.vvd`), {
          name: "buggy.vvd",
          to: "gltf",
        }),
      MeshError,
    );
    assertEquals(error.code, "VVD-LFS-POINTER");
  },
);
