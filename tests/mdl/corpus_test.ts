import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  readMdl,
  readVtx,
  rootLodView,
  type Vtx,
} from "../../src/formats/mdl/mod.ts";
import { splitVvd } from "../../src/formats/vvd/mod.ts";
import { corpusBytes, corpusJson, corpusTest } from "../corpus.ts";
import { asBytes } from "../same_bytes.ts";
import {
  companion,
  mdlFiles,
  mdlPath,
  oracleModels,
  readCorpusModel,
} from "./corpus_models.ts";
import { vtxLayouts } from "./plain_model.ts";
import { parseVtx, plainTriangles, plainVtx } from "./plain_vtx.ts";

async function sha256(bytes: Uint8Array): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", bytes.slice());
  return new Uint8Array(hash).toHex();
}

corpusTest("readMdl() gives what every oracle row says", () => {
  for (const [key, row] of oracleModels()) {
    const mdl = readMdl(corpusBytes(`source/${key}.mdl`));
    assertEquals(mdl.version, row.mdl_version, key);
    assertEquals(mdl.checksum, row.mdl_checksum, key);
    assertEquals(mdl.flags, row.mdl_flags, key);
    assertEquals(mdl.bones.length, row.bones, key);
    assertEquals(mdl.skinFamilies, row.skinFamilies, key);
    assertEquals(mdl.textures, row.textures, key);
    assertEquals(mdl.texturePaths, row.cdmaterials, key);
    assertEquals(
      mdl.bodyParts.map((part) => [
        part.name,
        part.models.map((model) => [
          model.name,
          model.vertexCount,
          model.vertexIndex / 48,
          model.meshes.map((mesh) => [
            mesh.material,
            mesh.vertexCount,
            mesh.vertexOffset,
            mesh.flexes.length,
          ]),
        ]),
      ]),
      row.bodyparts,
      key,
    );
    assertEquals(mdl.notes, [], key);
  }
});

corpusTest(
  "readSourceModel() gives triangles, vertices, bounds and indices of every LOD of every oracle row",
  async () => {
    let levels = 0;
    for (const [key, row] of oracleModels()) {
      const path = `source/${key}.mdl`;
      for (const [ending, vtx] of Object.entries(row.vtx)) {
        const at = `${key}${ending}`;
        const file = readVtx(companion(path, ending));
        assertEquals(file.checksum, vtx.checksum, at);
        assertEquals(file.checksum === row.mdl_checksum, vtx.matches_mdl, at);
        if (!vtx.matches_mdl) continue;
        assertEquals(file.layout, vtx.layout, at);
        const model = readCorpusModel(path, ending);
        const { position } = splitVvd(model.vvd!, 0);
        assertEquals(model.lods.length, vtx.lods.length, at);
        for (const [i, expected] of vtx.lods.entries()) {
          const lod = model.lods[i];
          const used = new Set(lod.indices);
          const min = [Infinity, Infinity, Infinity];
          const max = [-Infinity, -Infinity, -Infinity];
          for (const v of used) {
            for (let k = 0; k < 3; k++) {
              min[k] = Math.min(min[k], position[v * 3 + k]);
              max[k] = Math.max(max[k], position[v * 3 + k]);
            }
          }
          assertEquals(
            {
              triangles: lod.indices.length / 3,
              usedVertices: used.size,
              switchPoint: lod.switchPoint,
              min,
              max,
              indices_sha256: await sha256(asBytes(lod.indices)),
            },
            expected,
            `${at} LOD ${i}`,
          );
          levels++;
        }
      }
    }
    assert(levels > 200, `only ${levels} levels`);
  },
);

/** Every triangle list of a VTX, as numbers of mesh vertices, by body part, model, LOD and mesh. */
const listsOf = (vtx: Vtx) =>
  vtx.bodyParts.map((p) =>
    p.models.map((m) =>
      m.lods.map((l) =>
        l.meshes.map((k) =>
          k.stripGroups.flatMap((g) =>
            g.strips.flatMap((s) =>
              Array.from(
                g.indices.subarray(
                  s.indexOffset,
                  s.indexOffset + s.indexCount,
                ),
                (i) => g.vertices[i],
              )
            )
          )
        )
      )
    )
  );

corpusTest(
  "readVtx() finds the other stride when any corpus VTX is written again with it",
  () => {
    const files = vtxLayouts();
    assert(files.length >= 126, `only ${files.length} files`);
    for (const [path, layout] of files) {
      const bytes = corpusBytes(path);
      const plain = parseVtx(bytes, layout);
      const expected = plain.bodyParts.map((p) =>
        p.models.map((m) =>
          m.lods.map((l) => l.meshes.map((k) => plainTriangles(k.groups)))
        )
      );
      assertEquals(listsOf(readVtx(bytes)), expected, path);
      for (const other of ["25/27", "33/35"] as const) {
        const again = readVtx(plainVtx(plain, other));
        assertEquals(again.layout, other, path);
        assertEquals(listsOf(again), expected, `${path} as ${other}`);
      }
    }
  },
);

corpusTest(
  "rootLodView() shows the same triangles as the model itself at every root LOD",
  () => {
    let views = 0;
    for (const path of mdlFiles) {
      const model = readCorpusModel(path);
      if (model.vvd!.numLODs === 1) continue;
      const whole = splitVvd(model.vvd!, 0);
      // the compiler's own limit on root LODs would hide the lower ones
      const open = { ...model, mdl: { ...model.mdl, allowedRootLods: 0 } };
      for (let r = 0; r < model.vvd!.numLODs; r++) {
        const view = rootLodView(open, r);
        const part = splitVvd(view.vvd!, 0);
        assertEquals(
          view.lods.map((l) => l.level),
          [
            ...model.lods.keys(),
          ].slice(r),
        );
        for (const lod of view.lods) {
          const base = model.lods[lod.level].indices;
          assertEquals(lod.indices.length, base.length, path);
          for (let i = 0; i < base.length; i++) {
            for (let k = 0; k < 3; k++) {
              if (
                part.position[lod.indices[i] * 3 + k] !==
                  whole.position[base[i] * 3 + k]
              ) {
                throw new Error(
                  `${path} root ${r} LOD ${lod.level} index ${i}`,
                );
              }
            }
          }
          views++;
        }
      }
    }
    assert(views > 300, `only ${views} views`);
  },
);

/** The part of plumber_core's expected JSON that geometry needs. */
interface PlumberJson {
  version: number;
  name: string;
  flags: number;
  bones: {
    name: string;
    surface_prop: string;
    parent_bone_index: number;
    position: number[];
    position_scale: number[];
    rotation: number[];
    rotation_scale: number[];
  }[];
  texture_paths: string[];
  body_parts: { name: string; models: { name: string }[] }[];
}

for (
  const name of ["animated_cubes", "animated_monkey", "frame_animated_monkey"]
) {
  corpusTest(`readMdl() gives what plumber_core expects of ${name}`, () => {
    const folder = "source/lasa01+plumber_core/plumber_mdl/tests/csgo";
    const mdl = readMdl(corpusBytes(`${folder}/${name}.mdl`));
    const want = corpusJson<PlumberJson>(`${folder}/${name}.json`);
    assertEquals(mdl.version, want.version);
    assertEquals(mdl.name, want.name);
    assertEquals(mdl.flags, want.flags);
    assertEquals(mdl.texturePaths, want.texture_paths);
    assertEquals(
      mdl.bodyParts.map((p) => ({
        name: p.name,
        models: p.models.map((m) => ({ name: m.name })),
      })),
      want.body_parts,
    );
    assertEquals(mdl.bones.length, want.bones.length);
    want.bones.forEach((bone, i) => {
      const own = mdl.bones[i];
      assertEquals(own.name, bone.name);
      assertEquals(own.surfaceProp, bone.surface_prop);
      assertEquals(own.parent, bone.parent_bone_index);
      for (
        const [a, b] of [
          [own.position, bone.position],
          [own.positionScale, bone.position_scale],
          [own.rotation, bone.rotation],
          [own.rotationScale, bone.rotation_scale],
        ]
      ) {
        // the JSON holds seven digits
        a.forEach((x, k) => assertAlmostEquals(x, b[k], 1e-6));
      }
    });
  });
}

corpusTest(
  "readMdl() gives bones whose parent chains undo poseToBone in every corpus file",
  () => {
    let chains = 0;
    for (const path of mdlFiles) {
      const { bones } = readMdl(corpusBytes(path));
      const world: number[][] = [];
      bones.forEach((bone, i) => {
        const [x, y, z, w] = bone.quaternion;
        const local = [
          [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
          [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
          [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ].map((row, r) => [...row, bone.position[r]]);
        const times = (a: number[], b: number[][]) =>
          Array.from({ length: 12 }, (_, at) => {
            const [r, c] = [Math.floor(at / 4), at % 4];
            let sum = c === 3 ? a[r * 4 + 3] : 0;
            for (let k = 0; k < 3; k++) sum += a[r * 4 + k] * b[k][c];
            return sum;
          });
        world[i] = bone.parent < 0
          ? local.flat()
          : times(world[bone.parent], local);
        const rows = [0, 4, 8].map((r) => world[i].slice(r, r + 4));
        const product = times(Array.from(bone.poseToBone), rows);
        const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
        product.forEach((v, k) =>
          assertAlmostEquals(v, identity[k], 0.05, `${path} bone ${i}`)
        );
        chains++;
      });
    }
    assert(chains > mdlFiles.length);
  },
);

corpusTest("readSourceModel() reads every set of the corpus", () => {
  assert(mdlFiles.length >= 100, `only ${mdlFiles.length} sets`);
  for (const path of mdlFiles) {
    const model = readCorpusModel(path);
    assert(model.lods.length >= 1, path);
    assertEquals(model.notes, [], path);
  }
  assertEquals(mdlPath("laser_detector").includes("ACF"), true);
});
