import { assert, assertEquals } from "@std/assert";
import { diffMeshes, remapVertices, weldMesh } from "../../src/ops/mod.ts";
import { payloadToMesh, readPayload } from "../../src/formats/payload/mod.ts";
import type { Mesh } from "../../src/core/mesh.ts";

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
