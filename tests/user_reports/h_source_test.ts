/** Part H of the users' reports: VVD and the Source family. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import { inspect } from "../../src/convert/inspect.ts";
import { validate } from "../../src/convert/validate.ts";
import { MeshError } from "../../src/core/errors.ts";
import {
  meshToPayload,
  payloadToMesh,
  readPayload,
  writePayload,
} from "../../src/formats/payload/mod.ts";
import { readVvd, replayVvd } from "../../src/formats/vvd/mod.ts";
import { readSourceModel } from "../../src/formats/mdl/mod.ts";
import { sample } from "../cli/fake_host.ts";
import { buildFixture, oneModel, square } from "../mdl/build_fixture.ts";
import { assertSameBytes } from "../same_bytes.ts";
import {
  plainGather,
  plainRecords,
  plainReplay,
  plainTangents,
  plainVvd,
} from "../vvd/plain_vvd.ts";

const model = () => buildFixture(oneModel([square()]));
const beside = (vvd: Uint8Array, vtx: Uint8Array) => ({
  name: "a.mdl",
  resources: { "a.vvd": vvd, "a.dx90.vtx": vtx },
});

Deno.test("H1: fixups are replayed in the order of their table at every root LOD", () => {
  const vertices = plainRecords(10);
  const file = plainVvd({
    counts: [10, 6, 3],
    fixups: [[2, 7, 3], [1, 4, 3], [0, 0, 4]],
    vertices,
    tangents: plainTangents(10),
  });
  for (const root of [0, 1, 2]) {
    const order = plainReplay(file, root);
    assertSameBytes(
      replayVvd(readVvd(file), root).vertexData!,
      plainGather(vertices, 48, order),
      `LOD ${root}`,
    );
  }
  assertEquals(plainReplay(file, 0), [7, 8, 9, 4, 5, 6, 0, 1, 2, 3]);
});

Deno.test("H2: vertices that repeat stay as they are", async () => {
  const record = plainRecords(1);
  const file = plainVvd({
    counts: [3],
    vertices: new Uint8Array([...record, ...record, ...record]),
  });
  assertEquals((await inspect(file)).mesh!.vertices, 3);
  assertSameBytes(
    (await convert(file, { to: "vvd" })).outputs[0],
    file,
    "unchanged",
  );
});

Deno.test("H3: a vertex without bones is a finding that names it", async () => {
  const vertices = plainRecords(3);
  vertices.fill(0, 48, 60); // weights of vertex 1
  vertices[48 + 15] = 0;
  vertices[2 * 48 + 15] = 9;
  const { findings } = await validate(plainVvd({ counts: [3], vertices }));
  const named = findings.filter((f) =>
    f.code.startsWith("VVD-BONE") || f.code.startsWith("MESH-WEIGHT")
  );
  assert(
    named.some((f) => /\b1\b/.test(f.where)) ||
      named.some((f) => /\b2\b/.test(f.where)),
    JSON.stringify(findings),
  );
});

Deno.test("H4: every cut of a file is refused or read, in bounded time", async () => {
  const { mdl, vvd, vtx } = model();
  for (let n = 0; n < vvd.length; n++) {
    try {
      readVvd(vvd.subarray(0, n));
    } catch (error) {
      if (!(error instanceof MeshError)) throw error;
    }
  }
  for (let n = 0; n < mdl.length; n += 3) {
    const work = inspect(mdl.subarray(0, n), {
      from: "mdl",
      ...beside(vvd, vtx),
    });
    await work.catch((error) => {
      if (!(error instanceof MeshError)) throw error;
    });
  }
});

Deno.test("H5: inspect lists the levels of detail, and convert says how many it left", async () => {
  const lantern = sample("lantern.vvd");
  assertEquals((await inspect(lantern)).vvd!.numLODs, 3);
  const { report } = await convert(lantern, { to: "gltf" });
  assertEquals(
    report.loss.find((l) => l.what === "levels of detail")?.count,
    2,
  );
});

Deno.test("H6: an unknown version is refused by its number", () => {
  for (const version of [3, 5, 37, 2531]) {
    const file = plainVvd({ counts: [1], vertices: plainRecords(1), version });
    const error = assertThrows(() => readVvd(file), MeshError);
    assertEquals([error.code, error.found], ["VVD-VERSION", version]);
  }
});

Deno.test("H7: normals are kept, or rebuilt when asked", async () => {
  const terrain = sample("terrain.payload");
  const kept = await convert(terrain, { to: "gltf", normals: "keep" });
  assert(!kept.report.loss.some((l) => l.what === "normals"));
  // its own normals come from its faces by the same rule; two others are bent
  const bent = payloadToMesh(readPayload(terrain));
  for (const v of [0, 7]) bent.attributes.normal!.set([1, 0, 0], v * 3);
  const rebuilt = await convert(writePayload(meshToPayload(bent)), {
    to: "gltf",
    normals: "rebuild",
  });
  const row = rebuilt.report.loss.find((l) => l.what === "normals");
  assertEquals([row?.kind, row?.count], ["changed", 2]);
});

Deno.test("H8: companions of another compile are refused with both checksums", async () => {
  const { mdl, vtx } = model();
  const { vvd } = buildFixture({ ...oneModel([square()]), checksum: 77 });
  const error = await assertRejects(
    () => convert(mdl, { to: "gltf", ...beside(vvd, vtx) }),
    MeshError,
  );
  assert(/checksum/i.test(error.code + error.message), error.message);
  assert(
    JSON.stringify([error.found, error.allowed, error.message]).includes(
      "77",
    ) || /4d/i.test(error.message),
    error.message,
  );
});

Deno.test("H9: counts in the file are held against its bytes", () => {
  const { mdl, vvd, vtx } = model();
  // every word of the header that could be a count or an offset
  for (let at = 76; at + 4 <= 408; at += 4) {
    for (const value of [0, 1, 0x7fffffff, -1, -0x80000000]) {
      const bad = mdl.slice();
      new DataView(bad.buffer).setInt32(at, value, true);
      try {
        readSourceModel({ mdl: bad, vvd, vtx });
      } catch (error) {
        if (!(error instanceof MeshError)) throw error;
      }
    }
  }
});
