import { assert, assertEquals } from "@std/assert";
import {
  conversionMatrix,
  matrixText,
  SHAPES,
  strictRefuses,
} from "../../scripts/conversion_matrix.ts";
import { FORMATS } from "../../src/core/formats.ts";
import { formatInfo } from "../../src/core/formats.ts";
import { cli, jsonLines } from "../cli/fake_host.ts";

const cells = await conversionMatrix();
const named = (c: typeof cells[number]) => `${c.from} ${c.shape} to ${c.to}`;

Deno.test("docs/MATRIX.md says what the conversions do", () => {
  const place = new URL("../../docs/MATRIX.md", import.meta.url);
  assertEquals(Deno.readTextFileSync(place), matrixText(cells));
});

Deno.test("conversionMatrix() covers every readable and writable format on all four meshes", () => {
  const pairs = new Set(cells.map((c) => `${c.from} ${c.to}`));
  const [readable, writable] = [
    FORMATS.filter((f) => f.reads),
    FORMATS.filter((f) => f.writes),
  ];
  assertEquals(pairs.size, readable.length * writable.length);
  for (const shape of SHAPES) {
    for (const from of ["gltf", "payload", "mdl"]) {
      const found = cells.filter((c) => c.shape === shape && c.from === from);
      assertEquals(found.length, writable.length, `${from} ${shape}`);
    }
  }
});

Deno.test("convert() reports a loss whenever the output, read again, holds less", () => {
  for (const c of cells) {
    const all = [...c.fates].filter(([, fate]) => fate !== "kept");
    if (!c.report) continue;
    if (all.length > 0) assert(c.report.loss.length > 0, `${named(c)}: ${all}`);
    if (c.report.loss.length === 0) assertEquals(all, [], named(c));
  }
});

Deno.test("convert --strict writes nothing and gives 1 exactly where a loss is not demanded; --dry-run never writes", async () => {
  for (const c of cells) {
    const out = `out/hill${formatInfo(c.to).extensions[0]}`;
    const files = { [c.input.name]: c.input.bytes, ...c.input.resources };
    const line = ["convert", c.input.name, out, "--json"];
    const strict = await cli([...line, "--strict"], { files });
    const dry = await cli([...line, "--dry-run"], { files });
    assertEquals(dry.writes, [], named(c));
    if (!c.report) {
      assertEquals([strict.code, dry.code], [3, 3], named(c));
      assertEquals(strict.writes, [], named(c));
      continue;
    }
    assertEquals(strict.code, strictRefuses(c) ? 1 : 0, named(c));
    assertEquals(strict.writes.length, strictRefuses(c) ? 0 : 1, named(c));
    assertEquals(dry.code, 0, named(c));
    for (const ran of [strict, dry]) {
      assertEquals(jsonLines(ran.out)[0].loss, c.report.loss, named(c));
    }
  }
});
