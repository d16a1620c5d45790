/**
 * Damaged models (row 43 of the bug reports): whatever the bytes, only `MeshError` leaves, soon, and without asking for
 * memory out of proportion.
 *
 * @module
 */
import { assert } from "@std/assert";
import { Findings } from "../../src/core/findings.ts";
import {
  readSourceModel,
  rootLodView,
  sourceModelToMesh,
  validateSourceModel,
} from "../../src/formats/mdl/mod.ts";
import { Trial } from "../fuzz/exercise.ts";
import { AllocationWatch } from "../fuzz/watch.ts";
import { buildFixture, type Fixture, square } from "./build_fixture.ts";

const files: Fixture = buildFixture({
  layout: "33/35",
  flags: 0x04000000,
  lods: 2,
  textures: ["a", "b"],
  skins: [[0, 1], [1, 0]],
  flexDescs: ["x", "y"],
  includeModels: ["m.mdl"],
  replacements: [[], [[0, "c"]]],
  extraUvs: { 1: Array.from({ length: 24 }, (_, i) => i) },
  bones: [{ name: "r" }, { name: "t", parent: 0 }],
  bodyParts: [{
    models: [{
      eyeballs: [{ name: "e", radius: 1 }],
      meshes: [
        {
          ...square(0, 0, { lod: 1 }),
          flexes: [{
            desc: 0,
            pair: 1,
            wrinkled: true,
            entries: [{ vertex: 1, side: 9, delta: [1, 0, 0] }],
          }],
        },
        { ...square(3), groups: 2, material: 1 },
      ],
    }, {
      meshes: [{ ...square(6), triangles: [[0, 1, 2, 3]], stripFlags: 2 }],
    }],
  }],
});

/** Everything that `./mdl` does with a set. */
function exercise(set: Fixture, input: Uint8Array, trial: Trial): void {
  for (const force of [false, true]) {
    const model = trial.call(
      "readSourceModel",
      input,
      () => readSourceModel(set, { force }),
    );
    if (!model) continue;
    trial.call("validateSourceModel", input, () => {
      validateSourceModel(model, new Findings());
      return true;
    });
    trial.call(
      "sourceModelToMesh",
      input,
      () =>
        sourceModelToMesh(model, {
          alternatives: force,
          shadow: force,
          lenient: force,
        }),
    );
    trial.call("rootLodView", input, () => rootLodView(model, 1, { force }));
  }
}

function run(
  kind: keyof Fixture,
  bytes: Uint8Array<ArrayBuffer>,
  trial: Trial,
  what: string,
): void {
  try {
    exercise({ ...files, [kind]: bytes }, bytes, trial);
  } catch (cause) {
    throw new Error(
      `${kind}, ${what}: ${cause instanceof Error ? cause.message : cause}`,
      { cause },
    );
  }
}

/** Starts the kernels outside of the watch: their module is larger than these files. */
sourceModelToMesh(readSourceModel(files), { alternatives: true });

for (const kind of ["mdl", "vvd", "vtx"] as const) {
  const bytes = files[kind];

  Deno.test(`bug 43: readSourceModel() holds for every truncation of its ${kind}`, () => {
    using watch = new AllocationWatch();
    const trial = new Trial(watch);
    for (let n = 0; n <= bytes.length; n++) {
      run(kind, bytes.slice(0, n), trial, `cut to ${n} bytes`);
    }
    assert(trial.accepted > 0 && trial.refused > bytes.length / 2);
  });

  Deno.test(`bug 43: readSourceModel() holds for bit flips of its ${kind}`, () => {
    using watch = new AllocationWatch();
    const trial = new Trial(watch);
    // the top, the bottom and a middle bit of every byte
    for (let at = 0; at < bytes.length; at++) {
      for (const bit of [0, 4, 7]) {
        const damaged = bytes.slice();
        damaged[at] ^= 1 << bit;
        run(kind, damaged, trial, `bit ${bit} of byte ${at}`);
      }
    }
    assert(trial.accepted > 0 && trial.refused > 0);
  });

  Deno.test(`readSourceModel() holds for every count and offset of its ${kind}`, () => {
    using watch = new AllocationWatch();
    const trial = new Trial(watch);
    for (let at = 0; at + 4 <= bytes.length; at += kind === "vtx" ? 1 : 2) {
      for (const word of [0, -1, 0x7fffffff, 0x10000, 3, bytes.length]) {
        const damaged = bytes.slice();
        new DataView(damaged.buffer).setInt32(at, word, true);
        run(kind, damaged, trial, `word ${word} at byte ${at}`);
      }
    }
    assert(trial.accepted > 0 && trial.refused > 0);
  });
}
