import "../kernels/build.ts";
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertGreater,
  assertThrows,
} from "@std/assert";
import { REGULAR } from "../../bench/tangent_meshes.ts";
import { BASES, type BasisId } from "../../src/core/basis.ts";
import { MeshError } from "../../src/core/errors.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import {
  convertBasis,
  countTangents,
  rebuildTangents,
  tangentSign,
} from "../../src/ops/mod.ts";
import { cli } from "../cli/fake_host.ts";
import {
  at,
  cross,
  dot,
  entriesOf,
  length,
  plainMesh,
  randomMesh,
} from "../ops/plain_mesh.ts";
import { Random } from "../random.ts";
import { generateTangents } from "../../src/kernels/tangents.ts";
import { writePayload } from "../../src/formats/payload/write.ts";
import { meshToPayload } from "../../src/formats/payload/mesh.ts";
import { readGltf } from "../../src/formats/gltf/read.ts";

/** A mirrored strip, indexed without duplicates on the seam x = 0: u = |x|. */
function mirrored(): Mesh {
  const position = [-1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 1, 0, 0, 1, 0, 1, 1, 0];
  return plainMesh(position, [0, 1, 3, 1, 4, 3, 1, 2, 4, 2, 5, 4], {
    attributes: {
      position: Float32Array.from(position),
      normal: Float32Array.from(position, (_, i) => i % 3 === 2 ? 1 : 0),
      uvs: [Float32Array.of(1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0)],
    },
  });
}

Deno.test("rebuildTangents() splits a vertex where its corners have different tangents, and only there", () => {
  const { mesh, split, zero, degenerate } = countTangents(mirrored());
  assertEquals([split, zero, degenerate], [2, 0, 0]);
  assertEquals(mesh.vertexCount, 8);
  const { tangent, position } = mesh.attributes;
  for (const v of mesh.lods[0].indices!) {
    // +u points away from the seam on both sides; the bitangent points up the image, +y here, on both
    const t = at(tangent!, v, 4);
    const b = cross([0, 0, 1], t).map((x) => x * tangent![v * 4 + 3]);
    assertEquals(b.map((x) => x + 0), [0, 1, 0]);
    if (position[v * 3] !== 0) assertEquals(t[0], Math.sign(position[v * 3]));
  }
  // no triangle mixes the two sides
  for (let i = 0; i < 12; i += 3) {
    const signs = [...mesh.lods[0].indices!.subarray(i, i + 3)]
      .map((v) => tangent![v * 4 + 3]);
    assertEquals(new Set(signs).size, 1);
  }
});

Deno.test("rebuildTangents() carries everything through the split", () => {
  const random = new Random(5);
  for (let k = 0; k < 20; k++) {
    const mesh = randomMesh(random, 30, 24);
    const out = rebuildTangents(mesh);
    assertGreater(out.vertexCount, mesh.vertexCount);
    // of each vertex of the result: the vertex it came from
    const source = new Map<number, number>();
    mesh.lods.forEach((lod, level) => {
      const indices = out.lods[level].indices!;
      assertEquals(out.lods[level].groups, lod.groups);
      assertEquals(out.lods[level].switchDistance, lod.switchDistance);
      lod.indices!.forEach((v, c) => {
        assertEquals(source.get(indices[c]) ?? v, v);
        source.set(indices[c], v);
      });
    });
    const widths = {
      position: 3,
      normal: 3,
      color: 4,
      joints: 4,
      weights: 4,
    } as const;
    const before = entriesOf(mesh.morphs!);
    const after = entriesOf(out.morphs!);
    for (const [v, from] of source) {
      for (const [name, width] of Object.entries(widths)) {
        const key = name as keyof typeof widths;
        assertEquals(
          out.attributes[key]!.slice(v * width, v * width + width),
          mesh.attributes[key]!.slice(from * width, from * width + width),
          name,
        );
      }
      out.attributes.uvs.forEach((uv, set) =>
        assertEquals(
          uv.slice(v * 2, v * 2 + 2),
          mesh.attributes.uvs[set].slice(from * 2, from * 2 + 2),
        )
      );
      assertEquals(
        after.filter((e) => e[0] === v).map((e) => e.slice(1)),
        before.filter((e) => e[0] === from).map((e) => e.slice(1)),
      );
    }
    // the corners of LOD 0 have exactly what the generator gave them
    const { position, normal, uvs } = mesh.attributes;
    const corners = generateTangents(
      position,
      normal!,
      uvs[0],
      mesh.lods[0].indices,
      { sign: -1 },
    );
    out.lods[0].indices!.forEach((v, c) =>
      assertEquals(
        out.attributes.tangent!.slice(v * 4, v * 4 + 4),
        corners.slice(c * 4, c * 4 + 4),
      )
    );
  }
});

Deno.test("rebuildTangents() gives a coarser LOD the copies that fit its triangles", () => {
  const base = mirrored();
  // LOD 1: one triangle on each side of the seam
  const mesh: Mesh = {
    ...base,
    lods: [base.lods[0], {
      indices: Uint32Array.of(0, 1, 3, 1, 2, 4),
      groups: [],
      switchDistance: 5,
    }],
  };
  const { mesh: out, split } = countTangents(mesh);
  assertEquals(split, 2);
  const [fine, coarse] = out.lods.map((l) => l.indices!);
  // the same corners of the same sides
  assertEquals([...coarse], [
    ...fine.subarray(0, 3),
    ...fine.subarray(6, 9),
  ]);
});

/** Four quadrants around vertex 0, the texture mirrored along both axes: four tangents there, two of each sign. */
function quadrants(): Mesh {
  const rim = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1]];
  const points = [[0, 0], ...rim, [1, -1]];
  const position = points.flatMap(([x, y]) => [x, y, 0]);
  const indices = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((k) => [0, k, k % 8 + 1]);
  return plainMesh(position, indices, {
    attributes: {
      position: Float32Array.from(position),
      normal: Float32Array.from(position, (_, i) => i % 3 === 2 ? 1 : 0),
      uvs: [Float32Array.from(points.flat(), Math.abs)],
    },
  });
}

Deno.test("rebuildTangents() splits vertices whose tangents differ in their sign alone", () => {
  const { mesh, split } = countTangents(quadrants());
  // the middle becomes four, the four ends of the seams two each
  assertEquals(split, 3 + 4);
  const { tangent, position } = mesh.attributes;
  const indices = mesh.lods[0].indices!;
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [...indices.subarray(i, i + 3)];
    const [x, y] = [0, 1].map((k) =>
      Math.sign(corners.reduce((sum, v) => sum + position[v * 3 + k], 0))
    );
    for (const v of corners) {
      // +u points outward, and w · cross(n, t) up the image, which is towards the smaller |y|
      assertEquals([...at(tangent!, v, 4), tangent![v * 4 + 3]], [
        ...[x, 0, 0],
        -x * y,
      ]);
    }
  }
});

Deno.test("rebuildTangents() gives a coarser LOD the nearest of several copies, of its own sign", () => {
  const base = quadrants();
  const indices = base.lods[0].indices!;
  // every other triangle: one of each quadrant
  const coarse = indices.filter((_, c) => Math.floor(c / 3) % 2 === 0);
  const { mesh, split } = countTangents({
    ...base,
    lods: [base.lods[0], { indices: coarse, groups: [], switchDistance: 5 }],
  });
  assertEquals(split, 3 + 4);
  const fine = mesh.lods[0].indices!;
  assertEquals(
    mesh.lods[1].indices!,
    fine.filter((_, c) => Math.floor(c / 3) % 2 === 0),
  );
});

Deno.test("rebuildTangents() keeps vertices, indices and leftover indices where nothing is split", () => {
  const { position, normal, uv } = REGULAR.blob(60);
  const indices = [...REGULAR.blob(60).indices, 1, 2];
  const mesh = plainMesh(position, indices, {
    attributes: { position, normal, uvs: [uv] },
  });
  const out = rebuildTangents(mesh);
  assertEquals([...out.lods[0].indices!].slice(-2), [1, 2]);
  assertEquals(out.vertexCount >= mesh.vertexCount, true);
  assertEquals(
    out.attributes.position.slice(0, position.length),
    position,
  );
});

Deno.test("rebuildTangents() gives the sign that each convention asks for", () => {
  const { position, normal, uv, indices } = REGULAR.terrain(200);
  const gltf = plainMesh(position, [...indices], {
    attributes: { position, normal, uvs: [uv] },
  });
  const up = Array.from(indices, (_, i) => i - i % 3 + [0, 2, 1][i % 3]);
  // the grid of the bench winds downwards in glTF's axes; turn it
  const turned = {
    ...gltf,
    lods: [{ ...gltf.lods[0], indices: indices.map((_, i) => indices[up[i]]) }],
  };
  const expected = rebuildTangents(turned);
  for (const basis of ["source", "css", "payload", "blender"] as BasisId[]) {
    // rebuilding after the change of axes is the change of axes after rebuilding
    const direct = rebuildTangents(convertBasis(turned, basis).mesh);
    const moved = convertBasis(expected, basis).mesh;
    const signs = (m: Mesh) => {
      const w = m.attributes.tangent!;
      return Array.from(m.lods[0].indices!, (v) => w[v * 4 + 3]);
    };
    // corners may change their order with the winding: compare triangle by triangle
    const byTriangle = (list: number[]) =>
      list.map((_, i) => list.slice(i - i % 3, i - i % 3 + 3).sort().join());
    assertEquals(byTriangle(signs(direct)), byTriangle(signs(moved)), basis);
  }
  assertEquals(tangentSign("gltf"), -1);
  // what w means: w · cross(normal, tangent) points up the image
  const { tangent } = expected.attributes;
  const out = expected.attributes;
  const faces = expected.lods[0].indices!;
  for (let i = 0; i < faces.length; i += 3) {
    const [a, b, c] = faces.subarray(i, i + 3);
    const e1 = [0, 1, 2].map((k) =>
      out.position[b * 3 + k] - out.position[a * 3 + k]
    );
    const e2 = [0, 1, 2].map((k) =>
      out.position[c * 3 + k] - out.position[a * 3 + k]
    );
    const t = out.uvs[0];
    const [x1, y1] = [t[b * 2] - t[a * 2], t[b * 2 + 1] - t[a * 2 + 1]];
    const [x2, y2] = [t[c * 2] - t[a * 2], t[c * 2 + 1] - t[a * 2 + 1]];
    const area = x1 * y2 - y1 * x2;
    // dP/dv, v downwards
    const down = [0, 1, 2].map((k) => (-x2 * e1[k] + x1 * e2[k]) / area);
    const w = tangent![a * 4 + 3];
    const bitangent = cross(at(out.normal!, a), at(tangent!, a, 4))
      .map((x) => x * w) as [number, number, number];
    assert(
      dot(bitangent, down as unknown as [number, number, number]) < 0,
      `triangle ${i / 3}`,
    );
  }
  assertEquals(BASES.gltf.bitangent, 1);
});

Deno.test("rebuildTangents() gives MikkTSpace's own sign when asked", () => {
  const mesh = mirrored();
  const own = rebuildTangents(mesh, { signConvention: "mikktspace" });
  const basis = rebuildTangents(mesh);
  assertEquals(
    own.attributes.tangent!.map((x, i) => i % 4 === 3 ? -x : x),
    basis.attributes.tangent,
  );
});

/** Collinear corners, and a triangle with one texture coordinate and a normal along +x. */
function awkward(): Mesh {
  const position = [2, 0, 0, 3, 0, 0, 4, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1];
  return plainMesh(position, [0, 1, 2, 3, 4, 5], {
    attributes: {
      position: Float32Array.from(position),
      normal: Float32Array.of(
        ...[1, 0, 0, 1, 0, 0, 1, 0, 0],
        ...[1, 0, 0, 1, 0, 0, 1, 0, 0],
      ),
      uvs: [Float32Array.of(0, 0, 1, 0, 0, 1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5)],
    },
  });
}

Deno.test("rebuildTangents() counts tangents without meaning, and repairs them when asked", () => {
  const kept = countTangents(awkward());
  assertEquals([kept.degenerate, kept.repaired], [6, 0]);
  assertEquals(kept.zero, 3);
  // all texture coordinates one: the default axis, here the normal
  assertEquals([...kept.mesh.attributes.tangent!.subarray(12, 16)], [
    1,
    0,
    0,
    1,
  ]);
  const mended = countTangents(awkward(), { degenerate: "repair" });
  assertEquals(
    [mended.zero, mended.degenerate, mended.repaired],
    [kept.zero, 6, 6],
  );
  const { tangent, normal } = mended.mesh.attributes;
  for (let v = 0; v < mended.mesh.vertexCount; v++) {
    assertAlmostEquals(length(at(tangent!, v, 4)), 1, 1e-6);
    assertAlmostEquals(dot(at(tangent!, v, 4), at(normal!, v)), 0, 1e-6);
    assertEquals(Math.abs(tangent![v * 4 + 3]), 1);
  }
});

Deno.test("rebuildTangents() throws ARGUMENT, naming it, when something is missing", () => {
  const mesh = mirrored();
  const { normal: _, ...bare } = mesh.attributes;
  const cases: [string, Mesh][] = [
    ["normal", { ...mesh, attributes: bare }],
    ["uvs", { ...mesh, attributes: { ...mesh.attributes, uvs: [] } }],
    ["lods/0/indices", {
      ...mesh,
      lods: [{ ...mesh.lods[0], indices: null }],
    }],
  ];
  for (const [path, broken] of cases) {
    const error = assertThrows(() => rebuildTangents(broken), MeshError);
    assertEquals([error.code, error.path], ["ARGUMENT", path]);
  }
});

/** A payload whose tangents are not what a rebuild gives: the first is turned around. */
const payload = () => {
  const mesh = rebuildTangents({ ...mirrored(), basis: "payload" });
  const { tangent } = mesh.attributes;
  for (let k = 0; k < 3; k++) tangent![k] = -tangent![k];
  return writePayload(meshToPayload(mesh));
};

Deno.test("tangents rebuilds, splits and reports", async () => {
  const ran = await cli("tangents a.payload b.glb --json", {
    files: { "a.payload": payload() },
  });
  assertEquals(ran.code, 0, ran.err);
  const report = JSON.parse(ran.out);
  assertEquals(
    report.loss.map((l: { what: string; count: number }) => [l.what, l.count]),
    [["tangents", 1]],
  );
  const { mesh } = await readGltf(ran.files.get("b.glb")!);
  assertEquals(mesh.vertexCount, 8);
  const w = mesh.attributes.tangent!.filter((_, i) => i % 4 === 3);
  assertEquals(new Set(w), new Set([1, -1]));
});

Deno.test("tangents takes --mode corrected or reference and nothing else", async () => {
  const world = { files: { "a.payload": payload() } };
  for (const mode of ["corrected", "reference"]) {
    const ran = await cli(`tangents a.payload b.glb --mode ${mode}`, world);
    assertEquals(ran.code, 0, ran.err);
    assert(ran.err.includes(mode), ran.err);
  }
  assertEquals(
    (await cli("tangents a.payload b.glb --mode best", world)).code,
    2,
  );
});

Deno.test("tangents says what a file without faces lacks", async () => {
  const lantern = Deno.readFileSync(
    new URL("../../samples/lantern.vvd", import.meta.url),
  );
  const ran = await cli("tangents a.vvd b.glb", {
    files: { "a.vvd": lantern },
  });
  assert(ran.code !== 0);
  assert(ran.err.includes("no faces"), ran.err);
  assertEquals(ran.writes, []);
});

Deno.test("normals rebuilds normals", async () => {
  const ran = await cli("normals a.payload b.glb", {
    files: { "a.payload": payload() },
  });
  assertEquals(ran.code, 0, ran.err);
  const { mesh } = await readGltf(ran.files.get("b.glb")!);
  for (let v = 0; v < mesh.vertexCount; v++) {
    assertEquals(at(mesh.attributes.normal!, v), [0, 0, 1]);
  }
});
