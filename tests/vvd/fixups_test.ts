import { assert, assertEquals, assertThrows } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import {
  buildFixups,
  readVvd,
  replayVvd,
  splitVvd,
  type Vvd,
  writeVvd,
} from "../../src/formats/vvd/mod.ts";
import { Random } from "../random.ts";
import { assertSameBytes } from "../same_bytes.ts";
import { plainGather, plainRecords, plainTangents } from "./plain_vvd.ts";

/** A new VVD whose pool is the caller's records in another order. */
function poolOf(
  records: Uint8Array,
  tangents: Uint8Array,
  numLODs: number,
  built: ReturnType<typeof buildFixups>,
): Vvd {
  const order = [...built.poolOrder];
  return {
    version: 4,
    checksum: 77,
    numLODs,
    numLODVertexes: built.numLODVertexes,
    fixups: built.fixups,
    fixupTableStart: 0,
    vertexDataStart: 0,
    tangentDataStart: 0,
    vertexData: plainGather(records, 48, order),
    tangentData: plainGather(tangents, 16, order),
    extra: [],
    original: null,
  };
}

/** What the format text demands, by sorting: mesh by mesh, lowest detail first, otherwise as given. */
function expectedMeshOrder(meshes: readonly number[][]): [number, number][] {
  let first = 0;
  return meshes.flatMap((lods) => {
    const mesh = lods.map((lod, i): [number, number] => [first + i, lod]);
    first += lods.length;
    return mesh.toSorted((a, b) => b[1] - a[1] || a[0] - b[0]);
  });
}

/** The pool by sorting: lowest detail first, then mesh, otherwise as given. */
function expectedPool(meshes: readonly number[][]): number[] {
  let first = 0;
  return meshes.flatMap((lods, mesh) => {
    const start = first;
    first += lods.length;
    return lods.map((lod, i) => ({ lod, mesh, vertex: start + i }));
  }).toSorted((a, b) => b.lod - a.lod || a.mesh - b.mesh || a.vertex - b.vertex)
    .map((v) => v.vertex);
}

Deno.test("buildFixups() sorts by hand what a hand can check", () => {
  const built = buildFixups([[0, 1, 0], [1, 1, 0]], 2);
  assertEquals([...built.poolOrder], [1, 3, 4, 0, 2, 5]);
  assertEquals([...built.meshOrder], [1, 0, 2, 3, 4, 5]);
  assertEquals(built.numLODVertexes, [6, 3, 3, 3, 3, 3, 3, 3]);
  assertEquals(
    built.fixups.map((f) => [f.lod, f.sourceVertexID, f.numVertexes]),
    [[1, 0, 1], [0, 3, 2], [1, 1, 2], [0, 5, 1]],
  );
});

Deno.test("replayVvd() returns the mesh-ordered input when fixups were built from random meshes", () => {
  const random = new Random(11);
  let tables = 0;
  for (let round = 0; round < 120; round++) {
    const numLODs = 1 + random.below(8);
    const meshes = Array.from(
      { length: random.below(6) },
      () =>
        Array.from(
          { length: random.below(4) * random.below(60) },
          () => random.below(numLODs),
        ),
    );
    const total = meshes.flat().length;
    const built = buildFixups(meshes, numLODs);
    const mesh = expectedMeshOrder(meshes);
    assertEquals([...built.poolOrder], expectedPool(meshes));
    assertEquals([...built.meshOrder], mesh.map(([v]) => v));
    const counts = Array.from(
      { length: 8 },
      (_, r) =>
        mesh.filter(([, lod]) => lod >= Math.min(r, numLODs - 1)).length,
    );
    assertEquals(built.numLODVertexes, counts);
    assert(built.fixups.every((f) => f.numVertexes > 0), "an empty row");
    if (built.fixups.length > 0) tables++;

    const records = random.bytes(total * 48);
    const tangents = random.bytes(total * 16);
    const vvd = readVvd(
      writeVvd(poolOf(records, tangents, numLODs, built)),
    );
    for (let r = 0; r < numLODs; r++) {
      const order = mesh.filter(([, lod]) => lod >= r).map(([v]) => v);
      const flat = replayVvd(vvd, r);
      const what = `round ${round}, root LOD ${r}`;
      assertSameBytes(
        flat.vertexData!,
        plainGather(records, 48, order),
        `vertices of ${what}`,
      );
      assertSameBytes(
        flat.tangentData!,
        plainGather(tangents, 16, order),
        `tangents of ${what}`,
      );
    }
  }
  assert(tables > 40, `only ${tables} rounds had a table`);
});

Deno.test("buildFixups() writes no table when one LOD, one mesh or one run is all there is", () => {
  const cases: [number[][], number][] = [
    [[[0, 0], [0, 0, 0]], 1],
    [[[2, 0, 1, 0]], 3],
    [[[], [1, 0], []], 2],
    [[], 2],
    [[[], []], 4],
  ];
  for (const [meshes, numLODs] of cases) {
    const built = buildFixups(meshes, numLODs);
    assertEquals(built.fixups, []);
    assertEquals(
      [...built.poolOrder],
      [...built.meshOrder],
      JSON.stringify(meshes),
    );
  }
  assertEquals(buildFixups([[1], [1]], 2).fixups.length, 2);
});

Deno.test("buildFixups() uses 32-bit numbers when three LODs of 70,000 vertices pass the 16-bit edge", () => {
  const each = 70_000;
  const numLODs = 3;
  // in every mesh 70,000 vertices of each LOD, interleaved: no two neighbours share a LOD
  const mesh = Uint8Array.from({ length: each * numLODs }, (_, v) => v % 3);
  const small = Uint8Array.of(0, 1, 2);
  const meshes = [small, mesh, small];
  const total = mesh.length + 2 * small.length;
  const records = plainRecords(total);
  const tangents = plainTangents(total);
  const built = buildFixups(meshes, numLODs);
  assertEquals(built.numLODVertexes.slice(0, 3), [
    3 * each + 6,
    2 * each + 4,
    each + 2,
  ]);
  assert(built.fixups.some((f) => f.sourceVertexID > 0xffff));
  assert(built.fixups.some((f) => f.numVertexes > 0xffff));

  const file = writeVvd(poolOf(records, tangents, numLODs, built));
  const vvd = readVvd(file);
  assertSameBytes(writeVvd(vvd), file);
  const all = expectedMeshOrder(meshes.map((m) => [...m]));
  for (let r = 0; r < numLODs; r++) {
    const order = all.filter(([, lod]) => lod >= r).map(([v]) => v);
    const flat = replayVvd(vvd, r);
    assertSameBytes(flat.vertexData!, plainGather(records, 48, order));
    assertSameBytes(flat.tangentData!, plainGather(tangents, 16, order));
    const split = splitVvd(vvd, r);
    assertEquals(split.count, order.length);
    // the builder's records carry their number in x
    assertSameBytes(
      Float32Array.from(
        { length: split.count },
        (_, i) => split.position[i * 3],
      ),
      Float32Array.from(order),
    );
  }
});

Deno.test("buildFixups() refuses LODs when they are out of range", () => {
  const cases: [number[][], number, string][] = [
    [[[0]], 0, "numLODs"],
    [[[0]], 9, "numLODs"],
    [[[0]], 1.5, "numLODs"],
    [[[0], [0, 2]], 2, "meshes/1/1"],
    [[[-1]], 2, "meshes/0/0"],
    [[[0.5]], 2, "meshes/0/0"],
    [[[NaN]], 2, "meshes/0/0"],
  ];
  for (const [meshes, numLODs, path] of cases) {
    const error = assertThrows(() => buildFixups(meshes, numLODs), MeshError);
    assertEquals(error.code, "ARGUMENT");
    assertEquals(error.path, path);
  }
});
