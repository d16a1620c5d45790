import { assert, assertEquals, assertGreater } from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import { validate } from "../../src/convert/validate.ts";
import { MeshError } from "../../src/core/errors.ts";
import { assertSaid, corpusOptions } from "../convert/said.ts";
import { corpusBytes, corpusFiles, corpusTest } from "../corpus.ts";
import { gltfFiles, inventory } from "./corpus_files.ts";
import { assertClean } from "./khronos.ts";

/** Files without a fault that are not read: their buffer stands nowhere, or they demand an extension of their own. */
const NOT_READ =
  /\/(integer_written_as_float|named_objects|unused_objects|ACMEBox)\.gltf$/;

corpusTest(
  "convert() writes every glTF file of the corpus that it reads again, so that Khronos finds no fault",
  async () => {
    let written = 0;
    for (const path of gltfFiles()) {
      const bytes = corpusBytes(path);
      const options = await corpusOptions(path, "gltf", bytes);
      try {
        const { outputs } = await convert(bytes, { ...options, to: "gltf" });
        await assertClean(outputs[0], path);
        written++;
        for (const to of ["payload", "vvd"] as const) {
          const there = await convert(bytes, { ...options, to, split: true });
          for (const part of there.outputs) {
            const again = await convert(part, { to: "gltf" });
            await assertClean(again.outputs[0], `${path} through a ${to}`);
          }
        }
      } catch (error) {
        if (!(error instanceof MeshError)) throw error;
      }
    }
    assertGreater(written, 250);
  },
);

corpusTest(
  "convert() makes GLB, payload, CSS and VVD of every sound glTF file of the corpus, each sound, its losses told",
  async () => {
    const known = inventory();
    const made = { gltf: 0, payload: 0, css: 0, vvd: 0 };
    for (const path of gltfFiles()) {
      const bytes = corpusBytes(path);
      const row = known.get(path);
      for (const to of ["gltf", "payload", "css", "vvd"] as const) {
        const outputs = await assertSaid(path, bytes, "gltf", to);
        const sound = row?.errors === 0 && row.vertices > 0;
        if (outputs instanceof MeshError) {
          if (!sound || NOT_READ.test(path)) continue;
          // what the targets do not hold, each under its own name
          const held = to === "payload"
            ? ["PAYLOAD-VERTEX-COUNT"]
            : to === "css"
            ? ["CSS-NO-FACES", "R-MORPH-RANGE"]
            : [];
          assert(held.includes(outputs.code), `${path} to ${to}: ${outputs}`);
          continue;
        }
        made[to]++;
        if (to === "gltf") await assertClean(outputs[0], path);
        else if (sound) {
          const { findings } = await validate(outputs[0], { from: to });
          const errors = findings.filter((f) => f.severity === "error");
          // a payload and a VVD take what is not finite, and keep it
          const own = errors.filter((f) => f.code !== "MESH-NON-FINITE");
          assertEquals(own, [], `${path} to ${to}`);
        }
      }
    }
    for (const [to, count] of Object.entries(made)) {
      assertGreater(count, to === "css" ? 90 : 250, to);
    }
  },
);

corpusTest(
  "convert() says what it loses of every larger vertex file of the corpus",
  async () => {
    let held = 0;
    for (const path of corpusFiles("source", ".vvd")) {
      const bytes = corpusBytes(path);
      if (bytes.length > 2 ** 22) continue;
      for (const to of ["gltf", "payload"] as const) {
        if (Array.isArray(await assertSaid(path, bytes, "vvd", to))) held++;
      }
    }
    assertGreater(held, 100);
  },
);
