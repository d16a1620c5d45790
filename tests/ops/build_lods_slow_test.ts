import { assert, assertEquals } from "@std/assert";
import { MeshoptSimplifier } from "meshoptimizer/simplifier";
import { convert } from "../../src/convert/convert.ts";
import { MeshError } from "../../src/core/errors.ts";
import { readGltf } from "../../src/formats/gltf/read.ts";
import { corpusBytes, corpusTest } from "../corpus.ts";
import { gltfFiles, jsonOf, resourcesOf } from "../gltf/corpus_files.ts";
import { assertClean } from "../gltf/khronos.ts";

await MeshoptSimplifier.ready;

corpusTest(
  "every glTF of the corpus with faces gets levels of detail that Khronos' validator takes, by both rules",
  async () => {
    const made = { meshoptimizer: 0, payload: 0 };
    for (const path of gltfFiles()) {
      const bytes = corpusBytes(path);
      const resources = resourcesOf(path, jsonOf(bytes));
      const mesh = await readGltf(bytes, { resources })
        .then((file) => file.mesh, () => null); // broken on purpose
      if (!mesh?.lods[0].indices?.length) continue;
      for (const rule of ["meshoptimizer", "payload"] as const) {
        // the payload's rule knows no materials
        if (rule === "payload" && mesh.lods[0].groups.length > 1) continue;
        const result = await convert(bytes, {
          to: "gltf",
          resources,
          simplifier: MeshoptSimplifier,
          buildLods: { ratios: [0.5, 0.25, 0.1], rule },
        }).catch((error) => error);
        if (result instanceof Error) {
          // all of its triangles may be beyond repair
          assert(result instanceof MeshError, `${path}: ${result.stack}`);
          assertEquals(result.path, "lods/0/indices", `${path}: ${result}`);
          continue;
        }
        await assertClean(result.outputs[0], path);
        const { lods } = (await readGltf(result.outputs[0])).mesh;
        const triangles = lods.map((l) => l.indices!.length / 3);
        if (rule === "meshoptimizer") {
          triangles.slice(1).forEach((n, i) =>
            assert(n < triangles[i], `${path}: ${triangles}`)
          );
        }
        if (lods.length > 1) made[rule]++;
      }
    }
    // most files of the corpus are a triangle or two
    assert(made.meshoptimizer > 20, `${made.meshoptimizer}`);
    assert(made.payload > 20, `${made.payload}`);
  },
);
