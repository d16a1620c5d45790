/** Part I of the users' reports: hostile input and tool behaviour. */
import { assert, assertEquals, assertLess, assertRejects } from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import { inspect } from "../../src/convert/inspect.ts";
import { validate } from "../../src/convert/validate.ts";
import { MeshError } from "../../src/core/errors.ts";
import { readGltf, writeGlb } from "../../src/formats/gltf/mod.ts";
import {
  payloadToMesh,
  readPayload,
  serialiseHeightfieldTrailer,
} from "../../src/formats/payload/mod.ts";
import { initSync, KERNELS_SHA256 } from "../../src/kernels/mod.ts";
import * as library from "../../mod.ts";
import { heightfieldOf, rebuildNormals, weldMesh } from "../../src/ops/mod.ts";
import {
  batch,
  inFolder,
  manifest,
  put,
  triangle as payloadTriangle,
} from "../batch/batches.ts";
import { cli, jsonLines, sample } from "../cli/fake_host.ts";
import { triangle } from "../gltf/plain_gltf.ts";
import { plainMesh } from "../ops/plain_mesh.ts";
import { putLods, staticPart } from "../payload/plain_payload.ts";
import { assertSameBytes } from "../same_bytes.ts";
import { sourceFiles, withoutComments } from "../source_files.ts";
import { cube, grid } from "./pieces.ts";

const root = new URL("../../", import.meta.url);

Deno.test("I1: offsets and counts do not wrap", async () => {
  for (const count of [2 ** 31, 2 ** 32, 2 ** 53, 2 ** 62]) {
    for (const place of ["count", "byteOffset"]) {
      const g = triangle();
      g.json.accessors[0][place] = count;
      const start = performance.now();
      await assertRejects(() => readGltf(g.glb()), MeshError);
      assertLess(performance.now() - start, 100);
    }
    const g = triangle();
    g.json.bufferViews[0].byteStride = 252;
    g.json.accessors[0].count = count;
    await assertRejects(() => readGltf(g.glb()), MeshError);
  }
});

Deno.test("I2: what once broke a reader stays as a file, named by the error that it gives", async () => {
  const folder = new URL("tests/fuzz/regressions/", root);
  const names = [...Deno.readDirSync(folder)].map((entry) => entry.name);
  assert(names.length > 5);
  for (const name of names) {
    const bytes = Deno.readFileSync(new URL(name, folder));
    const error = await assertRejects(
      () => convert(bytes, { to: "payload", name }),
      MeshError,
      undefined,
      name,
    );
    assertEquals(error.code, name.slice(0, name.indexOf(".")), name);
  }
});

Deno.test("I3: the exit code is the verdict, and stdout holds data alone", async () => {
  const good = sample("terrain.payload");
  const files = {
    "a.payload": good,
    "b.payload": good.subarray(0, 99),
    "c.payload": staticPart(3, [0, 1, 9]).bytes,
  };
  const code = async (line: string) => (await cli(line, { files })).code;
  assertEquals([
    await code("validate a.payload"),
    await code("validate b.payload"),
    await code("validate c.payload"),
    await code("validate"),
  ], [0, 3, 1, 2]);
  const ran = await cli("validate a.payload b.payload c.payload --json", {
    files,
  });
  assertEquals(jsonLines(ran.out).length, 3);
});

Deno.test("I4: commands can be chained through - and -", async () => {
  const first = await cli("convert a.payload - --to gltf", {
    files: { "a.payload": sample("figure.payload") },
  });
  const second = await cli("convert - - --to payload", { stdin: first.bytes });
  assertSameBytes(second.bytes, sample("figure.payload"), "there and back");
});

Deno.test("I5: one bad file does not stop a batch", async () => {
  await inFolder(async (folder) => {
    const names = Array.from(
      { length: 30 },
      (_, i) => [`in/${i}.payload`, payloadTriangle(i)] as const,
    );
    put(folder, { ...Object.fromEntries(names), "in/7.payload": "no mesh" });
    const ran = await batch([
      `${folder}/in/*.payload`,
      "--out-dir",
      `${folder}/out`,
      "--to",
      "gltf",
    ]);
    assertEquals(ran.code, 3, ran.err);
    const written = [...Deno.readDirSync(`${folder}/out`)].filter((e) =>
      e.name.endsWith(".glb")
    );
    assertEquals(written.length, 29);
    assert(JSON.stringify(manifest(`${folder}/out`)).includes("7.payload"));
  });
});

Deno.test("I6: one run can do several operations", async () => {
  const files = { "a.payload": sample("terrain.payload") };
  const ran = await cli(
    "convert a.payload b.glb --normals rebuild --tangents rebuild --scale 2 --lods 1",
    { files },
  );
  assertEquals(ran.code, 0, ran.err);
  const { mesh } = await readGltf(ran.files.get("b.glb")!);
  assertEquals(mesh.lods.length, 2);
});

Deno.test("I7: the same input gives the same bytes", async () => {
  for (const to of ["gltf", "css", "obj", "smd"] as const) {
    const made = () => convert(sample("figure.payload"), { to, outName: "a" });
    assertEquals((await made()).outputs, (await made()).outputs);
  }
});

Deno.test("I8: welding merges nothing that differs, hard edges stay", () => {
  assertEquals(weldMesh(cube()).merged, 0);
  const soft = cube();
  soft.attributes.normal!.fill(1);
  assertEquals(weldMesh(soft).merged, 0, "tangents and texture still differ");
});

Deno.test("I9: the library and the command give one verdict", async () => {
  const bytes = staticPart(3, [0, 1, 9]).bytes;
  const { readable: _, ...want } = await validate(bytes, { name: "a.payload" });
  const ran = await cli("validate a.payload --json", {
    files: { "a.payload": bytes },
  });
  assertEquals(jsonLines(ran.out)[0], JSON.parse(JSON.stringify(want)));
});

Deno.test("I10: the package publishes its library, its command and nothing that needs a build", () => {
  const { exports, publish } = JSON.parse(
    Deno.readTextFileSync(new URL("deno.json", root)),
  );
  assertEquals([exports["."], exports["./cli"]], ["./mod.ts", "./cli.ts"]);
  for (const path of ["mod.ts", "cli.ts", "src/", "kernels.wasm"]) {
    assert(publish.include.includes(path), path);
  }
});

Deno.test("I11: a caller can hand over a compiled module", () => {
  const bytes = Deno.readFileSync(new URL("kernels.wasm", root));
  initSync(new WebAssembly.Module(bytes));
  assertEquals(rebuildNormals(cube()).vertexCount, 24);
});

Deno.test("I12: the kernels are in the code, nothing is fetched", () => {
  assertEquals(KERNELS_SHA256.length, 64);
  for (const [path, text] of sourceFiles("src")) {
    // the page for browsers is another program; the handler's own method is called fetch
    if (/page_embed|src\/edge/.test(path)) continue;
    const fetches = withoutComments(text).match(/(?<!\.)\bfetch\(/g) ?? [];
    // the loader fetches where a caller hands it an address, never by itself
    assertEquals(
      fetches.length,
      path.endsWith("kernels/loader.ts") ? 1 : 0,
      path,
    );
  }
});

Deno.test("I13: an oblong heightfield keeps its rows along +Z and columns along +X", async () => {
  const [rows, cols] = [3, 5];
  const position = Array.from(
    { length: rows * cols },
    (_, i) => [i % cols, i * i, Math.floor(i / cols)],
  ).flat();
  const field = heightfieldOf(plainMesh(position, null, { basis: "payload" }));
  assertEquals([field.rows, field.cols], [rows, cols]);
  assertEquals([...field.heights], Array.from({ length: 15 }, (_, i) => i * i));
  const bytes = new Uint8Array([
    ...staticPart(3, [0, 1, 2]).bytes,
    ...serialiseHeightfieldTrailer(field),
  ]);
  const glb = (await convert(bytes, { to: "gltf" })).outputs[0];
  const { mesh } = await readGltf(glb);
  assertEquals(mesh.heightfield, field);
});

Deno.test("I14: distances of levels are finite and grow, or it is said", async () => {
  const judged = async (...distances: number[]) => {
    const file =
      putLods(staticPart(3, [0, 1, 2]), distances.map((d) => [d, [0, 1, 2]]))
        .bytes;
    return (await validate(file)).findings.some((f) =>
      f.code === "PAYLOAD-LOD-ORDER"
    );
  };
  assertEquals([
    await judged(10, 20),
    await judged(10, 10),
    await judged(20, 10),
    await judged(NaN, 20),
  ], [false, true, true, true]);
});

Deno.test("I15: everything that the command does is a function of the library", () => {
  for (
    const name of [
      "convert",
      "inspect",
      "validate",
      "replayVvd",
      "readGltf",
      "writeGlb",
    ]
  ) {
    assertEquals(
      typeof (library as Record<string, unknown>)[name],
      "function",
      name,
    );
  }
});

Deno.test("I16: loading merges and orders nothing", async () => {
  const mesh = grid(4);
  mesh.attributes.position.fill(0);
  mesh.attributes.uvs[0].fill(0);
  const { mesh: again } = await readGltf(await writeGlb(mesh));
  assertEquals(again.vertexCount, 16);
  assertEquals(again.lods[0].indices, mesh.lods[0].indices);
  const payload = sample("terrain.payload");
  assertEquals(
    (await inspect(payload)).mesh!.vertices,
    payloadToMesh(readPayload(payload)).vertexCount,
  );
});
