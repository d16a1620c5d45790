/**
 * What the commands do with a CSS authored mesh that its importer would refuse: conversions refuse it with the importer's
 * first error, `--lenient` takes what fits the model, inspections show it and say so.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import { readFile } from "../../src/convert/read.ts";
import { MeshError } from "../../src/core/errors.ts";
import { corpusBytes, corpusJson, corpusTest } from "../corpus.ts";
import { cli, jsonLines } from "../cli/fake_host.ts";
import { bytesOf, changed, triangle } from "./plain_css.ts";

interface Expected {
  file: string;
  accept: boolean;
  rule: string | null;
}

/** Rules after which nothing is left to show: what is no such file, does not fit the model, or has no mesh. */
const NEVER =
  /^R-(FILE|JSON|ROOT|SCHEMA|PKG-TYPE|UVCOUNT|ARRAY-MISSING:.*|ARRAY-EMPTY:(points|wedges|faces)|NORMALS-COUNT|COLORS-COUNT|BONE-PARENT|BONE-TRANSLATION|POINT|WEDGE|WEDGE-POINT|COLOR-BYTE|FACE|FACE-WEDGE|FACE-MATERIAL|INFLUENCE|INFLUENCE-POINT|MORPH-POINT|MORPH-DELTA)$/;

corpusTest(
  "convert refuses every file of the corpus that the importer refuses, with the same first error, and converts the others",
  async () => {
    for (
      const { file, accept, rule } of corpusJson<Expected[]>("css/EXPECT.json")
    ) {
      const files = { [file]: corpusBytes(`css/${file}`) };
      for (const out of ["o.glb", "o.json", "o.payload"]) {
        const { code, err, writes } = await cli(["convert", file, out], {
          files,
        });
        if (accept) {
          assertEquals([code, writes], [0, [[out]]], `${file} ${out} ${err}`);
          continue;
        }
        const exit = rule!.startsWith("R-LIMIT") ? 4 : 3;
        assertEquals([code, writes], [exit, []], `${file} ${out} ${err}`);
        assert(err.includes(`[${rule}, byte `), `${file}: ${err}`);
      }
    }
  },
);

corpusTest(
  "convert --lenient converts the refused files that fit the model and names each broken rule",
  async () => {
    for (
      const { file, accept, rule } of corpusJson<Expected[]>("css/EXPECT.json")
    ) {
      if (accept) continue;
      // a name of another kind than text is no name
      const never = NEVER.test(rule!) || file === "bad_44_material_number.json";
      const { code, out, err, writes } = await cli(
        ["convert", file, "o.glb", "--lenient", "--json"],
        { files: { [file]: corpusBytes(`css/${file}`) } },
      );
      const [line] = jsonLines(out) as unknown as {
        written: boolean;
        warnings?: { code: string }[];
        error?: { code: string };
      }[];
      assertEquals([code, line.written], never ? [3, false] : [0, true], file);
      if (never) {
        assertEquals([line.error!.code, writes], [rule, []], `${file}: ${err}`);
      } else assertEquals(line.warnings![0].code, rule, file);
    }
  },
);

corpusTest(
  "inspect shows every file of the corpus that fits the model and says whether the importer takes it",
  async () => {
    for (
      const { file, accept, rule } of corpusJson<Expected[]>("css/EXPECT.json")
    ) {
      const { code, out } = await cli(["inspect", "--json", file], {
        files: { [file]: corpusBytes(`css/${file}`) },
      });
      const [line] = jsonLines(out) as unknown as {
        css?: { importer: { accepts: boolean; errors: number; first: string } };
        error?: { code: string };
      }[];
      if (line.error) {
        assertEquals([code, accept, line.error.code], [3, false, rule], file);
        continue;
      }
      const { accepts, errors, first } = line.css!.importer;
      assertEquals([code, accepts, first], [0, accept, rule], file);
      assertEquals(errors === 0, accept, file);
    }
  },
);

Deno.test("convert says what else is wrong, where, and that --lenient takes the file", async () => {
  const file = bytesOf(changed((d) => {
    d.bones[0].scale = [1, 0, 1];
    d.points[1][0] = 20_000;
  }));
  const { err } = await cli("convert a.json b.glb", {
    files: { "a.json": file },
  });
  assert(
    /\(line 1, column \d+; validate lists 2 errors; --lenient /.test(err),
    err,
  );
  const lenient = await cli("convert a.json b.glb --lenient", {
    files: { "a.json": file },
  });
  assertEquals(lenient.code, 0);
  for (const code of ["R-BONE-SCALE", "R-POINT-RANGE"]) {
    assert(lenient.err.includes(`  warning ${code}: `), lenient.err);
  }
  // to its own format it can not go
  const css = await cli("convert a.json b.json --lenient", {
    files: { "a.json": file },
  });
  assertEquals([css.code, css.writes], [3, []]);
  assert(css.err.includes("[R-BONE-SCALE"), css.err);
});

Deno.test("convert counts the cases of each rule in its warnings", async () => {
  const file = bytesOf(changed((d) => {
    for (const point of d.points) point[2] = 20_000;
  }));
  const { report } = await convert(file, { to: "gltf", lenient: true });
  assertEquals(report.warnings!.map((w) => w.code), ["R-POINT-RANGE"]);
  assert(report.warnings![0].message.endsWith("(/points/0/2, and 2 more)"));
});

Deno.test("convert judges the packages that the output will have", async () => {
  const moved = bytesOf(changed((d) => d.mesh_package = "/Game/CSS/A/SK"));
  const files = { "a.json": moved };
  const exit = async (line: string) => (await cli(line, { files })).code;
  assertEquals(await exit("convert a.json b.glb"), 3);
  assertEquals(
    await exit("convert a.json b.glb --package-prefix /Game/CSS/"),
    0,
  );
  assertEquals(
    await exit(
      "convert a.json b.json --mesh-package /Game/CSSAuthoring/A/SK_A",
    ),
    0,
  );
});

Deno.test("convert names the importer's first error, not the first that keeps a file from being read", async () => {
  const file = bytesOf(changed((d) => {
    d.mesh_package = "/Game/Other/SK";
    d.faces[0][0] = 9;
  }));
  const error = await assertRejects(
    () => convert(file, { to: "gltf" }),
    MeshError,
  );
  assertEquals(error.code, "R-PKG-MESH-PREFIX");
  assert(!error.message.includes("--lenient"), error.message);
  // leniently, it is the other that counts
  const left = await assertRejects(
    () => convert(file, { to: "gltf", lenient: true }),
    MeshError,
  );
  assertEquals(left.code, "R-FACE-WEDGE");
});

Deno.test("convert gives CSS-NO-FACES and names the .mdl when a VVD is to become a CSS mesh", async () => {
  const vvd = Deno.readFileSync("samples/lantern.vvd");
  const { code, err, writes } = await cli("convert a.vvd b.json", {
    files: { "a.vvd": vvd },
  });
  assertEquals([code, writes], [3, []]);
  assert(err.includes("[CSS-NO-FACES, faces]") && err.includes(".mdl"), err);
  // any other mesh without triangles: points of a glTF, of which there is no .mdl
  const points = await convert(vvd, { to: "gltf" });
  const error = await assertRejects(
    () => convert(points.outputs[0], { to: "css" }),
    MeshError,
  );
  assertEquals(error.code, "CSS-NO-FACES");
  assert(!error.message.includes(".mdl"), error.message);
});

Deno.test("convert gives CSS-NO-FACES when no triangle of a mesh has an area", async () => {
  const flat = bytesOf(
    changed((d) => d.points = d.points.map(() => [1, 2, 3])),
  );
  const error = await assertRejects(
    () => convert(flat, { to: "css", lenient: true, scale: 2 }),
    MeshError,
  );
  assertEquals(error.code, "CSS-NO-FACES");
});

Deno.test("readFile() frees bytes that were given away, and those alone", async () => {
  const bytes = bytesOf(triangle());
  await readFile(bytes, {});
  assert(bytes.length > 0);
  // a part of a larger buffer is not the reader's to free
  const larger = new Uint8Array(bytes.length + 8);
  larger.set(bytes, 8);
  await readFile(larger.subarray(8), { giveAway: true });
  assertEquals(larger.length, bytes.length + 8);
  const file = await readFile(bytes, { giveAway: true });
  assertEquals(bytes.length, 0);
  assert(file.format === "css" && file.css.points.length === 9);
});
