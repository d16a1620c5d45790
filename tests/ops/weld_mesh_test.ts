import { assert, assertEquals, assertThrows } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import { diffMeshes, remapVertices, weldMesh } from "../../src/ops/mod.ts";
import { payloadToMesh, readPayload } from "../../src/formats/payload/mod.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import { Random } from "../random.ts";
import { entriesOf, plainMesh, randomMesh } from "./plain_mesh.ts";

const sample = (name: string): Mesh =>
  payloadToMesh(
    readPayload(
      Deno.readFileSync(new URL(`../../samples/${name}`, import.meta.url)),
    ),
  );

/** Every corner of LOD 0 gets a vertex of its own; lower levels point at the first copy. */
function unwelded(mesh: Mesh): Mesh {
  const corners = mesh.lods[0].indices!;
  const first = new Map<number, number>();
  corners.forEach((v, i) => first.has(v) || first.set(v, i));
  return {
    ...remapVertices(mesh, corners),
    lods: mesh.lods.map((l, level) => ({
      ...l,
      indices: level === 0
        ? corners.map((_, i) => i)
        : l.indices!.map((v) => first.get(v)!),
    })),
  };
}

Deno.test("weldMesh() undoes an unwelded mesh, morph targets and skin included", () => {
  for (const name of ["terrain.payload", "figure.payload"]) {
    const mesh = sample(name);
    const loose = unwelded(mesh);
    const { mesh: welded, merged } = weldMesh(loose);
    assertEquals(welded.vertexCount, mesh.vertexCount);
    assertEquals(merged, loose.vertexCount - mesh.vertexCount);
    assert(diffMeshes(mesh, welded, { tolerance: 0 }).same);
    assertEquals(weldMesh(welded).merged, 0);
  }
});

Deno.test("weldMesh() keeps vertices apart that differ in one stream or one delta alone", () => {
  const base = unwelded(sample("figure.payload"));
  const count = weldMesh(base).mesh.vertexCount;
  // two corners of one vertex, told apart in a single place
  const corners = sample("figure.payload").lods[0].indices!;
  const v = corners.findIndex((c, i) => corners.indexOf(c) !== i);
  const changes: Record<string, (m: Mesh) => void> = {
    position: (m) => m.attributes.position[v * 3] += 1,
    normal: (m) => m.attributes.normal![v * 3] += 0.5,
    tangent: (m) => m.attributes.tangent![v * 4 + 3] = -1,
    color: (m) => m.attributes.color![v * 4] = 0.5,
    uv: (m) => m.attributes.uvs[0][v * 2] += 1,
    joints: (m) => m.attributes.joints![v * 4 + 3] = 2,
    weights: (m) => m.attributes.weights![v * 4] = 0.25,
  };
  for (const [name, change] of Object.entries(changes)) {
    const m = structuredClone(base);
    change(m);
    assertEquals(weldMesh(m).mesh.vertexCount, count + 1, name);
  }
  const morphed = structuredClone(base);
  const moved = corners.findIndex((_, i) =>
    base.morphs!.offsets[i + 1] > base.morphs!.offsets[i] &&
    corners.indexOf(corners[i]) !== i
  );
  morphed.morphs!.position[base.morphs!.offsets[moved] * 3] += 0.5;
  assertEquals(weldMesh(morphed).mesh.vertexCount, count + 1, "morph delta");
});

Deno.test("weldMesh() leaves a cloud of points and an empty mesh as they are", () => {
  const mesh = sample("terrain.payload");
  const points = {
    ...remapVertices(mesh, Uint32Array.of(0, 0, 1)),
    lods: [{ indices: null, groups: [], switchDistance: null }],
  };
  assertEquals(weldMesh(points).mesh.vertexCount, 3);
  const none = remapVertices(mesh, new Uint32Array(0));
  assertEquals(weldMesh(none).merged, 0);
});

/** Three vertices at one place and a fourth elsewhere, with one index that names no vertex. */
function heap(entries: readonly number[][]): Mesh {
  const targets = entries.flat();
  const offsets = Uint32Array.of(0, 0, 0, 0, 0);
  entries.forEach((list, v) => offsets[v + 1] = offsets[v] + list.length);
  return {
    ...plainMesh([1, 2, 3, 1, 2, 3, 1, 2, 3, 4, 5, 6], [0, 1, 3, 2, 3, 9]),
    morphs: {
      names: ["a", "b"],
      offsets,
      targets: Uint32Array.from(targets),
      position: new Float32Array(targets.length * 3).fill(0.5),
      normal: null,
    },
  };
}

Deno.test("weldMesh() keeps vertices apart when one has the other's morph entries and more", () => {
  for (
    const [entries, left] of [
      [[[0], [0, 1], [0], [0]], 3],
      [[[0, 1], [0], [], [0]], 4],
      [[[], [0], [0, 1], [0]], 4],
      [[[0], [1], [0], [0]], 3],
      [[[0, 1], [0, 1], [0, 1], []], 2],
    ] as [number[][], number][]
  ) {
    assertEquals(weldMesh(heap(entries)).mesh.vertexCount, left);
  }
});

Deno.test("weldMesh() leaves an index that names no vertex naming none", () => {
  const { mesh, merged } = weldMesh(heap([[], [], [], []]));
  assertEquals(merged, 2);
  assertEquals([...mesh.lods[0].indices!], [0, 0, 1, 0, 1, 9]);
});

Deno.test("weldMesh() with tolerances equals the plain rule: the first kept vertex that is near in every stream", () => {
  const random = new Random(71);
  for (let round = 0; round < 60; round++) {
    const positionTolerance = random.pick([0, 0.01, 0.3]);
    const attributeTolerance = random.pick([0, 0.02]);
    const base = randomMesh(random, 12, 10);
    const order = Uint32Array.from({ length: 60 }, () => random.below(12));
    const mesh = remapVertices(base, order);
    mesh.lods = [{
      ...base.lods[0],
      groups: [],
      indices: order.map((_, i) => i),
    }];
    // copies moved a little: some near enough, some not
    const shake = (values: Float32Array, by: number) =>
      values.forEach((x, i) => {
        if (random.float() < 0.2) values[i] = x + random.between(-by, by);
      });
    shake(mesh.attributes.position, positionTolerance * 1.2);
    shake(mesh.attributes.uvs[0], attributeTolerance * 1.2);
    shake(mesh.morphs!.position, positionTolerance * 1.2);
    const floats = (m: Mesh) => {
      const { position, ...rest } = m.attributes;
      return { position: [position], rest: Object.values(rest).flat() };
    };
    const entries = entriesOf(mesh.morphs!);
    const near = (a: number, b: number) => {
      const close = (streams: ArrayLike<number>[], tolerance: number) =>
        streams.every((s) => {
          const width = s.length / mesh.vertexCount;
          return Array.from(
            { length: width },
            (_, k) => Math.abs(s[a * width + k] - s[b * width + k]),
          ).every((d) => d <= tolerance);
        });
      const { position, rest } = floats(mesh);
      const own = (v: number) => entries.filter((e) => e[0] === v);
      const [p, q] = [own(a), own(b)];
      return close(position, positionTolerance) &&
        close(rest, attributeTolerance) && p.length === q.length &&
        p.every((e, i) =>
          e[1] === q[i][1] &&
          e[2].every((x, k) => Math.abs(x - q[i][2][k]) <= positionTolerance) &&
          e[3]!.every((x, k) => Math.abs(x - q[i][3]![k]) <= attributeTolerance)
        );
    };
    const kept: number[] = [];
    const want = Array.from(order, (_, v) => {
      const found = kept.findIndex((w) => near(v, w));
      return found >= 0 ? found : kept.push(v) - 1;
    });
    const got = weldMesh(mesh, { positionTolerance, attributeTolerance });
    assertEquals([...got.mesh.lods[0].indices!], want);
    assertEquals(got.merged, 60 - kept.length);
    assertEquals(
      got.mesh.attributes,
      remapVertices(mesh, Uint32Array.from(kept)).attributes,
    );
  }
});

Deno.test("weldMesh() never merges through vertices in between, and takes 0 and -0 for near", () => {
  const line = plainMesh(
    [0, 0, 0, 0.9, 0, 0, 1.8, 0, 0, -0, 0, 0],
    [0, 1, 2, 3, 2, 1],
  );
  const { mesh } = weldMesh(line, { positionTolerance: 1 });
  assertEquals([...mesh.lods[0].indices!], [0, 0, 1, 0, 1, 0]);
  assertEquals(weldMesh(line, { attributeTolerance: 0.1 }).merged, 1);
  assertEquals(weldMesh(line).merged, 0);
});

Deno.test("weldMesh() throws ARGUMENT for a tolerance that is negative or not finite", () => {
  const mesh = sample("terrain.payload");
  for (const wrong of [-1, NaN, Infinity]) {
    for (const name of ["positionTolerance", "attributeTolerance"]) {
      const e = assertThrows(
        () => weldMesh(mesh, { [name]: wrong }),
        MeshError,
      );
      assertEquals([e.code, e.path], ["ARGUMENT", name]);
    }
  }
});

Deno.test("weldMesh() compares few vertices even when the tolerance covers the whole mesh", () => {
  const n = 60_000;
  const uv = new Float32Array(n * 2).map((_, i) => i);
  const mesh = plainMesh([], Array.from({ length: n }, (_, i) => i), {
    vertexCount: n,
    attributes: { position: new Float32Array(n * 3), uvs: [uv] },
  });
  // each with each would be 1.8 billion comparisons
  assertEquals(weldMesh(mesh, { positionTolerance: 100 }).merged, 0);
});
