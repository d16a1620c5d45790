/**
 * Which corpus models have triangles against their normals, and why. Everything is measured on the bytes of the files by
 * the tests' own reader.
 */
import { assert, assertEquals } from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import { validate } from "../../src/convert/validate.ts";
import { readGltf } from "../../src/formats/gltf/mod.ts";
import { corpusBytes, corpusTest } from "../corpus.ts";
import { companion, companionsOf, mdlFiles, mdlPath } from "./corpus_models.ts";
import {
  agreementOf,
  type PlainModel,
  plainModel,
  vtxLayouts,
} from "./plain_model.ts";
import { parseVtx } from "./plain_vtx.ts";
import { BENT } from "./bent_models.ts";

const layouts = () => new Map(vtxLayouts());

function plainCorpusModel(
  path: string,
  known: ReadonlyMap<string, "25/27" | "33/35">,
): PlainModel {
  const vtx = path.replace(/\.mdl$/, ".dx90.vtx").toLowerCase();
  const [, layout] = [...known].find(([p]) => p.toLowerCase() === vtx)!;
  return plainModel(
    corpusBytes(path),
    companion(path, ".vvd"),
    parseVtx(companion(path, ".dx90.vtx"), layout),
  );
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1, -4);

corpusTest(
  "at least 99 % of the triangles in the files agree with their normals, save in the models listed",
  () => {
    const known = layouts();
    for (const path of mdlFiles) {
      const model = plainCorpusModel(path, known);
      const { agree, counted } = agreementOf(model, model.lods[0].indices, -1);
      const bent = BENT[nameOf(path)];
      if (bent) assertEquals([agree, counted], bent.stored, path);
      else assert(agree / counted >= 0.99, `${path}: ${agree} of ${counted}`);
    }
  },
);

for (const name of Object.keys(BENT)) {
  corpusTest(
    `triangles of ${name} that oppose their normals are wound as their neighbours: the normals are off`,
    () => {
      const { lods: [{ indices }], ...vectors } = plainCorpusModel(
        mdlPath(name),
        layouts(),
      );
      const place = (corner: number) => {
        const v = indices[corner] * 3;
        return vectors.position.subarray(v, v + 3).join();
      };
      const edgesOf = (triangle: number) =>
        [0, 1, 2].map((k) => {
          const [a, b] = [k, (k + 1) % 3].map((c) => place(triangle * 3 + c));
          return { edge: `${a} ${b}`, back: `${b} ${a}` };
        });
      const times = new Map<string, number>();
      for (let t = 0; t < indices.length / 3; t++) {
        for (const { edge } of edgesOf(t)) {
          times.set(edge, (times.get(edge) ?? 0) + 1);
        }
      }
      const { opposed } = agreementOf(vectors, indices, -1);
      assert(opposed.length > 0);
      // a neighbour that is wound the other way runs through the common edge in the same direction
      const contrary = opposed.filter((t) =>
        edgesOf(t).some(({ edge, back }) =>
          times.get(edge)! > 1 && !times.has(back)
        )
      );
      assertEquals(contrary, []);
      const met = opposed.filter((t) =>
        edgesOf(t).some(({ back }) => times.has(back))
      );
      assertEquals(met.length, opposed.length);
    },
  );

  corpusTest(
    `convert() and validate() say how many triangles of ${name} oppose their normals`,
    async () => {
      const path = mdlPath(name);
      const read = { name: path, resources: companionsOf(path) };
      const { stored, written } = BENT[name];
      const { outputs: [glb] } = await convert(corpusBytes(path), {
        ...read,
        to: "gltf",
      });
      const { attributes: { position, normal }, lods } =
        (await readGltf(glb)).mesh;
      const { agree, counted } = agreementOf(
        { position, normal: normal! },
        lods[0].indices!,
        1,
      );
      assertEquals([agree, counted], written);
      const { findings } = await validate(corpusBytes(path), read);
      const finding = findings.find((f) =>
        f.code === "MESH-WINDING" && f.where === "LOD 0"
      );
      const share = (stored[1] - stored[0]) / stored[1];
      assertEquals(
        [finding?.severity, finding?.found],
        [share > 0.5 ? "warning" : "info", share],
      );
    },
  );
}

corpusTest(
  "all normals of tv_plasma_4_3 agree once they are turned about Z and mirrored in Z",
  () => {
    const { position, normal, lods } = plainCorpusModel(
      mdlPath("tv_plasma_4_3"),
      layouts(),
    );
    const turned = normal.map((_, i) =>
      i % 3 === 0 ? -normal[i + 1] : i % 3 === 1 ? normal[i - 1] : -normal[i]
    );
    const { agree, counted } = agreementOf(
      { position, normal: turned },
      lods[0].indices,
      -1,
    );
    assertEquals([agree, counted], [184, 184]);
  },
);
