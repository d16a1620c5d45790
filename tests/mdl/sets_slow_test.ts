import { assert, assertEquals } from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import { inspect } from "../../src/convert/inspect.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import { validate } from "../../src/convert/validate.ts";
import { readGltf } from "../../src/formats/gltf/mod.ts";
import { payloadToMesh, readPayload } from "../../src/formats/payload/mod.ts";
import { corpusBytes, corpusTest } from "../corpus.ts";
import { assertClean } from "../gltf/khronos.ts";
import { BENT } from "./bent_models.ts";
import { companionsOf, mdlFiles } from "./corpus_models.ts";
import { agreementOf } from "./plain_model.ts";
import { assertLossTold } from "./told_loss.ts";

/** The triangles of a level by the places of their corners, the smallest first. */
function trianglesOf(mesh: Mesh, level: number): string[] {
  const { position } = mesh.attributes;
  const indices = mesh.lods[level].indices!;
  const places = Array.from(
    indices,
    (v) => position.subarray(v * 3, v * 3 + 3).join(),
  );
  return Array.from({ length: indices.length / 3 }, (_, t) => {
    const [a, b, c] = places.slice(t * 3, t * 3 + 3);
    return [[a, b, c], [b, c, a], [c, a, b]].map((x) => x.join(" ")).sort()[0];
  });
}

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

    const { position, normal, joints } = mesh.attributes;
    const { agree, counted } = agreementOf(
      { position, normal: normal! },
      mesh.lods[0].indices!,
      1,
    );
    const bent = BENT[path.slice(path.lastIndexOf("/") + 1, -4)];
    if (bent) assertEquals([agree, counted], bent.written);
    else assert(agree / counted >= 0.99, `${agree} of ${counted}`);
    assert(joints?.every((j) => j < mesh.skeleton!.length) ?? true);

    const payload = await convert(bytes, {
      ...read,
      to: "payload",
      split: true,
    });
    const parts = payload.outputs.map((o) => payloadToMesh(readPayload(o)));
    triangles.forEach((_, level) =>
      assertEquals(
        parts.flatMap((part) => trianglesOf(part, level)).sort(),
        trianglesOf(mesh, level).sort(),
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
    for (const to of ["gltf", "payload", "css"] as const) {
      await assertLossTold(bytes, read, to);
    }
  });
}
