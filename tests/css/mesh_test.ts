import { assert, assertEquals, assertThrows } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import {
  type CssMesh,
  cssToMesh,
  meshToCss,
  readCssMesh,
  validateCssMesh,
  writeCssMesh,
} from "../../src/formats/css/mod.ts";
import { convertBasis } from "../../src/ops/convert_basis.ts";
import { transformMesh } from "../../src/ops/transform_mesh.ts";
import { Random } from "../random.ts";
import { bytesOf, changed } from "./plain_css.ts";
import { randomCss } from "./random_css.ts";

const PACKAGES = {
  meshPackage: "/Game/CSSAuthoring/Random/SK_Random",
  skeletonPackage: "/Game/CSSAuthoring/Random/SKEL_Random",
};

type Vec = [number, number, number];
const sub = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vec, b: Vec) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vec, b: Vec): Vec => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const at = (a: ArrayLike<number>, i: number): Vec => [
  a[i * 3],
  a[i * 3 + 1],
  a[i * 3 + 2],
];

/** A ball of unit radius in glTF's axes: outward faces, normals along the positions. */
function ball(): Mesh {
  const [rows, cols] = [8, 12];
  const position: number[] = [];
  const uv: number[] = [];
  for (let r = 0; r <= rows; r++) {
    for (let c = 0; c <= cols; c++) {
      const [a, b] = [Math.PI * r / rows, 2 * Math.PI * c / cols];
      position.push(
        Math.sin(a) * Math.cos(b),
        Math.cos(a),
        Math.sin(a) * Math.sin(b),
      );
      uv.push(c / cols, r / rows);
    }
  }
  const indices: number[] = [];
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      const a = r * (cols + 1) + c;
      const b = a + cols + 1;
      if (r > 0) indices.push(a, a + 1, b);
      if (r < rows - 1) indices.push(a + 1, b + 1, b);
    }
  }
  const p = Float32Array.from(position);
  return {
    name: "Ball",
    basis: "gltf",
    vertexCount: p.length / 3,
    attributes: {
      position: p,
      normal: p.slice(),
      uvs: [Float32Array.from(uv)],
    },
    influences: 0,
    lods: [{
      indices: Uint32Array.from(indices),
      groups: [],
      switchDistance: null,
    }],
    materials: [],
    morphs: null,
    skeleton: null,
    heightfield: null,
  };
}

/** What a renderer of the target sees, in f64: the outward side and the normals agree with the surface of the ellipsoid. */
function assertFacesOutward(css: CssMesh, inverse: (p: Vec) => Vec): void {
  for (let i = 0; i < css.faces.length; i += 4) {
    const w = [css.faces[i], css.faces[i + 1], css.faces[i + 2]];
    const [a, b, c] = w.map((x) => at(css.points, css.wedgePoints[x]));
    const outward = cross(sub(c, a), sub(b, a));
    const centre = [0, 1, 2].map((k) => (a[k] + b[k] + c[k]) / 3) as Vec;
    assert(dot(outward, centre) > 0, `face ${i / 4} looks inward`);
  }
  // the gradient of |M⁻¹p|² is M⁻ᵀM⁻¹p, found here by differences of M⁻¹ along the axes
  css.wedgePoints.forEach((p, w) => {
    const local = inverse(at(css.points, p));
    const gradient = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as Vec[]).map((e) =>
      dot(sub(inverse(e), inverse([0, 0, 0])), local)
    ) as Vec;
    const length = Math.hypot(...gradient);
    const n = at(css.normals!, w);
    gradient.forEach((x, k) => {
      assert(Math.abs(x / length - n[k]) < 2e-5, `normal of wedge ${w}`);
    });
  });
}

Deno.test("meshToCss() gives outward faces and right normals when objects are plain, stretched, mirrored and mirrored twice", () => {
  const scales: Vec[] = [
    [1, 1, 1],
    [2, 0.5, 3],
    [-1, 1, 1],
    [1, -2, 0.25],
    [-1, -1, 1],
    [-3, 1, -0.5],
    [-1, -2, -3],
  ];
  for (const [sx, sy, sz] of scales) {
    const matrix = [sx, 0, 0, 0, 0, sy, 0, 0, 0, 0, sz, 0, 0, 0, 0, 1];
    const { mesh } = transformMesh(ball(), matrix);
    const { css } = meshToCss(convertBasis(mesh, "css").mesh);
    // CSS is 100 · (x, z, y) of glTF
    assertFacesOutward(css, ([x, y, z]) => [
      x / 100 / sx,
      z / 100 / sy,
      y / 100 / sz,
    ]);
    assertEquals(
      validateCssMesh(writeCssMesh(css)).list.filter((f) =>
        f.code === "MESH-WINDING"
      ),
      [],
    );
  }
});

Deno.test("meshToCss() gives outward faces when a mesh comes in Blender's axes", () => {
  // the same ball as Blender holds it: x, −z, y, and v from below
  const gltf = ball();
  const p = gltf.attributes.position;
  const blender = p.slice();
  for (let i = 0; i < p.length; i += 3) {
    blender[i + 1] = -p[i + 2];
    blender[i + 2] = p[i + 1];
  }
  const mesh: Mesh = {
    ...gltf,
    basis: "blender",
    attributes: {
      position: blender,
      normal: blender.slice(),
      uvs: [gltf.attributes.uvs[0].map((x, i) => i % 2 ? 1 - x : x)],
    },
  };
  const { mesh: moved, change } = convertBasis(mesh, "css");
  assertEquals([change.determinant, change.windingReversed], [-1, false]);
  const { css } = meshToCss(moved);
  const { css: same } = meshToCss(convertBasis(gltf, "css").mesh);
  assertFacesOutward(css, ([x, y, z]) => [x / 100, y / 100, z / 100]);
  assertEquals(css.points, same.points);
  // UE = (100x, −100y, 100z)
  moved.attributes.position.forEach((x, i) =>
    assertEquals(x, Math.fround([100, -100, 100][i % 3] * blender[i]))
  );
  css.wedgeUvs.forEach((x, i) => assert(Math.abs(x - same.wedgeUvs[i]) < 1e-6));
});

Deno.test("cssToMesh() and meshToCss() give the same file back when meshes are random", () => {
  const random = new Random(21);
  for (let i = 0; i < 30; i++) {
    const css = randomCss(random, 2 + random.below(5), 1 + random.below(4));
    const { mesh, unusedPoints, mergedWedges } = cssToMesh(css);
    assertEquals([unusedPoints, mergedWedges], [0, 0]);
    const back = meshToCss(mesh, PACKAGES);
    assertEquals(back.loss.entries, []);
    assertEquals(back.added, []);
    // faces come back in the order of their materials
    const faces = [...css.faces];
    const rows = Array.from(
      { length: faces.length / 4 },
      (_, f) => faces.slice(f * 4, f * 4 + 4),
    ).sort((a, b) => a[3] - b[3]);
    // vertices of a face come first where faces were moved, so numbers are followed to what they name
    const corners = (m: CssMesh, list: number[][]) =>
      list.map((f) => [
        ...f.slice(0, 3).flatMap((w) => [
          ...at(m.points, m.wedgePoints[w]),
          ...m.wedgeUvs.subarray(
            w * 2 * m.uvChannels,
            (w + 1) * 2 * m.uvChannels,
          ),
          ...at(m.normals!, w),
          ...m.colors!.subarray(w * 4, w * 4 + 4),
        ]),
        f[3],
      ]);
    const backRows = Array.from(
      { length: back.css.faces.length / 4 },
      (_, f) => [...back.css.faces.subarray(f * 4, f * 4 + 4)],
    );
    assertEquals(corners(back.css, backRows), corners(css, rows));
    assertEquals(back.css.bones, css.bones);
    assertEquals(back.css.influenceWeights, css.influenceWeights);
    assertEquals(back.css.morphTargets, css.morphTargets);
  }
});

Deno.test("cssToMesh() makes missing normals smooth over equal positions, whatever their wedges", () => {
  // a roof of two quads at right angles; its ridge has two points on each end
  const css = readCssMesh(bytesOf(changed((d) => {
    d.points = [
      [0, 0, 0],
      [0, 100, 0],
      [100, 0, 100],
      [100, 100, 100],
      [100, 0, 100],
      [100, 100, 100],
      [200, 0, 0],
      [200, 100, 0],
    ];
    d.wedges = d.points.map((_: unknown, i: number) => [i, 0, 0]);
    d.influences = d.points.map((_: unknown, i: number) => [i, 0, 1]);
    d.faces = [[0, 1, 2, 0], [2, 1, 3, 0], [4, 5, 6, 0], [6, 5, 7, 0]];
  })));
  const { mesh, normalsMade } = cssToMesh(css);
  assertEquals(normalsMade, 8);
  const h = Math.SQRT1_2;
  const want: Vec[] = [
    [-h, 0, h],
    [-h, 0, h],
    [0, 0, 1],
    [0, 0, 1],
    [0, 0, 1],
    [0, 0, 1],
    [h, 0, h],
    [h, 0, h],
  ];
  want.forEach((n, v) => {
    n.forEach((x, k) => {
      // where areas and angles of two sides differ the ridge leans, but these are alike up to their diagonals
      assert(
        Math.abs(mesh.attributes.normal![v * 3 + k] - x) < 1e-6,
        `vertex ${v}`,
      );
    });
  });
});

Deno.test("meshToCss() adds what the format needs and the mesh lacks", () => {
  const mesh = convertBasis({
    ...ball(),
    attributes: { ...ball().attributes, uvs: [] },
  }, "css").mesh;
  const { css, added, loss } = meshToCss(mesh);
  assertEquals(added.map((a) => [a.what, a.count]), [
    ["mesh package", 1],
    ["skeleton package", 1],
    ["bones", 1],
    ["influences", mesh.vertexCount],
    ["texture coordinates", mesh.vertexCount],
    ["material slots", 1],
  ]);
  assertEquals(css.meshPackage, "/Game/CSSAuthoring/Ball/SK_Ball");
  assertEquals(css.bones.map((b) => [b.name, b.parent]), [["root", -1]]);
  // the poles lose the vertices of their missing half
  assertEquals(loss.entries.map((l) => [l.what, l.count]), [["vertices", 2]]);
});

/** A ball on joints. */
function skinned(change: (mesh: Mesh) => void): Mesh {
  const mesh = convertBasis(ball(), "css").mesh;
  const n = mesh.vertexCount;
  const joint = (name: string, parent: number) => ({
    name,
    parent,
    translation: [0, 0, 1] as Vec,
    rotation: [0, 0, 0, 1] as [number, number, number, number],
    scale: [1, 1, 1] as Vec,
  });
  mesh.skeleton = [joint("a", -1), joint("b", 0)];
  mesh.influences = 2;
  mesh.attributes.joints = new Uint16Array(n * 2).map((_, i) => i % 2);
  mesh.attributes.weights = new Float32Array(n * 2).fill(0.5);
  change(mesh);
  return mesh;
}

Deno.test("meshToCss() sets one root above several and makes names unlike", () => {
  const { css, added, loss } = meshToCss(skinned((m) => {
    m.skeleton![1].parent = -1;
    m.skeleton![0].name = "Root";
    m.skeleton![1].name = "";
  }));
  assertEquals(css.bones.map((b) => [b.name, b.parent]), [
    ["root", -1],
    ["Root_2", 0],
    ["bone_2", 0],
  ]);
  assertEquals([...new Set(css.influenceBones)].sort(), [1, 2]);
  assert(added.some((a) => a.why.includes("one root above 2")));
  assertEquals(loss.entries[0].what, "bone names");
  assertEquals(validateCssMesh(writeCssMesh(css)).errors, 0);
});

Deno.test("meshToCss() keeps eight influences whose weights sum to one in f32", () => {
  const random = new Random(22);
  const mesh = skinned((m) => {
    m.influences = 12;
    m.skeleton = Array.from({ length: 12 }, (_, i) => ({
      ...m.skeleton![0],
      name: `j${i}`,
      parent: i - 1,
    }));
    m.attributes.joints = new Uint16Array(m.vertexCount * 12)
      .map((_, i) => i % 12);
    m.attributes.weights = random.floats(m.vertexCount * 12, 0.1, 1);
  });
  const { css, loss } = meshToCss(mesh);
  const dropped = loss.entries.find((l) => l.kind === "dropped")!;
  assertEquals([dropped.what, dropped.count], ["influences", mesh.vertexCount]);
  const points = css.points.length / 3;
  const sums = new Float64Array(points);
  const counts = new Uint8Array(points);
  css.influencePoints.forEach((p, i) => {
    sums[p] += css.influenceWeights[i];
    counts[p]++;
  });
  for (let p = 0; p < points; p++) {
    assertEquals([Math.fround(sums[p]), counts[p]], [1, 8]);
  }
  assertEquals(validateCssMesh(writeCssMesh(css)).errors, 0);
});

Deno.test("meshToCss() makes morph names legal by its rule and drops targets that move nothing", () => {
  const names = ["Smile", "smile", "jaw open", "", "é".repeat(70), "still"];
  const mesh = skinned((m) => {
    const n = m.vertexCount;
    const moving = names.length - 1;
    m.morphs = {
      names,
      offsets: new Uint32Array(n + 1).map((_, v) => v * moving),
      targets: new Uint32Array(n * moving).map((_, e) => e % moving),
      position: new Float32Array(n * moving * 3).fill(0.5),
      normal: new Float32Array(n * moving * 3),
    };
  });
  const { css, loss } = meshToCss(mesh);
  assertEquals(css.morphTargets!.map((t) => t.name), [
    "Smile",
    "smile_2",
    "jaw_open",
    "morph_3",
    "_".repeat(64),
  ]);
  assertEquals(
    css.morphTargets!.map((t) => t.points.length),
    new Array(5).fill(css.points.length / 3),
  );
  const rows = loss.entries.map((l) => [l.kind, l.what]);
  assertEquals(rows, [
    ["dropped", "vertices"],
    ["changed", "morph target names"],
    ["dropped", "morph normals"],
    ["dropped", "morph targets"],
  ]);
  assertEquals(validateCssMesh(writeCssMesh(css)).errors, 0);
});

Deno.test("meshToCss() drops ten faces without area, and gives CSS-DEGENERATE-COUNT when they are more", () => {
  const flat = (count: number) =>
    skinned((m) => {
      const lod = m.lods[0];
      lod.indices = Uint32Array.from([
        ...lod.indices!,
        ...new Array(count * 3).fill(20),
      ]);
    });
  const whole = meshToCss(flat(0)).css.faces.length;
  const { css, loss } = meshToCss(flat(10));
  assertEquals(css.faces.length, whole);
  const row = loss.entries.find((l) => l.what === "faces")!;
  assertEquals([row.kind, row.count, row.demanded], ["repaired", 10, true]);
  const error = assertThrows(() => meshToCss(flat(11)), MeshError);
  assertEquals([error.code, error.found], ["CSS-DEGENERATE-COUNT", 11]);
});

Deno.test("meshToCss() writes colours as bytes, rounded half to even", () => {
  const mesh = skinned((m) => {
    m.attributes.color = new Float32Array(m.vertexCount * 4).map((_, i) =>
      (i % 256) / 255
    );
  });
  const exact = meshToCss(mesh);
  assertEquals(exact.loss.entries.filter((l) => l.what === "colours"), []);
  // 0.5 / 255 and 1.5 / 255 lie half way
  mesh.attributes.color!.fill(0).set([0.1, -3, 7, 128.5 / 255], 4 * 14);
  const { css, loss } = meshToCss(mesh);
  const row = loss.entries.find((l) => l.what === "colours")!;
  assertEquals([row.kind, row.count], ["approximated", 1]);
  const bytes = new Set(css.colors);
  assertEquals([...bytes].sort((a, b) => a - b).slice(-3), [26, 128, 255]);
});

Deno.test("meshToCss() gives ARGUMENT when a mesh is in other axes or names what is not there", () => {
  const cases: Mesh[] = [
    ball(),
    skinned((m) => m.lods[0].indices![4] = 9999),
    skinned((m) => m.attributes.joints![0] = 2),
  ];
  for (const mesh of cases) {
    const error = assertThrows(() => meshToCss(mesh), MeshError);
    assertEquals(error.code, "ARGUMENT");
  }
});
