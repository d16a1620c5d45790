import { assertGreater } from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import { MeshError } from "../../src/core/errors.ts";
import { corpusBytes, corpusTest } from "../corpus.ts";
import { gltfFiles, jsonOf, resourcesOf } from "./corpus_files.ts";
import { assertClean } from "./khronos.ts";

corpusTest(
  "convert() writes every glTF file of the corpus that it reads again, so that Khronos finds no fault",
  async () => {
    let written = 0;
    for (const path of gltfFiles()) {
      const bytes = corpusBytes(path);
      const resources = resourcesOf(path, jsonOf(bytes));
      try {
        const { outputs } = await convert(bytes, {
          from: "gltf",
          to: "gltf",
          resources,
        });
        await assertClean(outputs[0], path);
        written++;
        const payload = await convert(bytes, {
          from: "gltf",
          to: "payload",
          split: true,
          resources,
        });
        for (const part of payload.outputs) {
          const again = await convert(part, { to: "gltf" });
          await assertClean(again.outputs[0], `${path} through a payload`);
        }
        const vvd = await convert(bytes, {
          from: "gltf",
          to: "vvd",
          resources,
        });
        const last = await convert(vvd.outputs[0], { to: "gltf" });
        await assertClean(last.outputs[0], `${path} through a VVD`);
      } catch (error) {
        if (!(error instanceof MeshError)) throw error;
      }
    }
    assertGreater(written, 250);
  },
);
