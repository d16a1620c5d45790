import { assert, assertEquals } from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import { inspect } from "../../src/convert/inspect.ts";
import { validate } from "../../src/convert/validate.ts";
import { readGltf } from "../../src/formats/gltf/mod.ts";
import { payloadToMesh, readPayload } from "../../src/formats/payload/mod.ts";
import { corpusBytes, corpusTest } from "../corpus.ts";
import { assertClean } from "../gltf/khronos.ts";
import { BENT } from "./bent_models.ts";
import { companionsOf, mdlFiles } from "./corpus_models.ts";

const count = (text: string, line: RegExp) => text.match(line)?.length ?? 0;

for (const path of mdlFiles) {
  corpusTest(`convert() brings ${path} to every target`, async () => {
    const read = { name: path, resources: companionsOf(path) };
    const bytes = corpusBytes(path);
    const { mesh: seen } = await inspect(bytes, read);
    const { outputs: [glb] } = await convert(bytes, { ...read, to: "gltf" });
    await assertClean(glb, path);
    const { mesh } = await readGltf(glb);
    const triangles = mesh.lods.map((l) => l.indices!.length / 3);
    const visible = seen!.lods.filter((l) => !l.shadow);
    assertEquals(triangles.length, visible.length);

    const { position: p, normal: n, joints } = mesh.attributes;
    const indices = mesh.lods[0].indices!;
    let [agree, all] = [0, 0];
    for (let i = 0; i < indices.length; i += 3) {
      const [a, b, c] = indices.subarray(i, i + 3);
      const [u, v] = [b, c].map((w) =>
        [0, 1, 2].map((k) => p[w * 3 + k] - p[a * 3 + k])
      );
      const side = [0, 1, 2].reduce((s, k) => {
        const x = u[(k + 1) % 3] * v[(k + 2) % 3] -
          u[(k + 2) % 3] * v[(k + 1) % 3];
        return s + x * (n![a * 3 + k] + n![b * 3 + k] + n![c * 3 + k]);
      }, 0);
      if (side > 0) agree++;
      if (side !== 0) all++;
    }
    const name = path.slice(path.lastIndexOf("/") + 1, -4);
    assertEquals(agree / all < 0.99, name in BENT, `${agree / all}`);
    assert(joints?.every((j) => j < mesh.skeleton!.length) ?? true);

    const payload = await convert(bytes, {
      ...read,
      to: "payload",
      split: true,
    });
    const parts = payload.outputs.map((o) => payloadToMesh(readPayload(o)));
    triangles.forEach((want, level) =>
      assertEquals(
        parts.reduce((s, m) => s + m.lods[level].indices!.length / 3, 0),
        want,
      )
    );
    const css = await convert(bytes, { ...read, to: "css" });
    const judged = await validate(css.outputs[0], { name: "out.json" });
    assertEquals(judged.findings.filter((f) => f.severity === "error"), []);
    const texts = async (to: "obj" | "smd") =>
      (await convert(bytes, { ...read, to })).outputs.map((o) =>
        new TextDecoder().decode(o)
      );
    const [obj] = await texts("obj");
    assertEquals(count(obj, /^f /gm), triangles[0]);
    const smd = await texts("smd");
    triangles.forEach((want, level) => {
      const section = smd[level].slice(smd[level].indexOf("\ntriangles\n") + 1);
      assertEquals((section.split("\n").length - 3) / 4, want);
    });
  });
}
