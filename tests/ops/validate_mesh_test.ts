import { assertAlmostEquals, assertEquals } from "@std/assert";
import { validateMesh } from "../../src/ops/mod.ts";
import { type Finding, Findings } from "../../src/core/findings.ts";
import type { Code } from "../../src/core/codes.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import { plainMesh, soundMesh } from "./plain_mesh.ts";

const sound = () => soundMesh();

function findingsOf(mesh: Mesh): Finding[] {
  const findings = new Findings();
  validateMesh(mesh, findings);
  return findings.list;
}

/** The one finding of a mesh. */
function only(mesh: Mesh, code: Code): Finding {
  const list = findingsOf(mesh);
  assertEquals(list.map((f) => f.code), [code]);
  return list[0];
}

Deno.test("validateMesh() finds nothing in a sound mesh, nor in points, nor in an empty one", () => {
  assertEquals(findingsOf(sound()), []);
  assertEquals(findingsOf(plainMesh([0, 0, 0], null)), []);
  assertEquals(findingsOf(plainMesh([], [])), []);
});

Deno.test("validateMesh() warns of MESH-NON-FINITE in a Source mesh, whose engine and exporters take it", () => {
  const mesh = { ...sound(), basis: "source" as const };
  mesh.attributes.position[3] = NaN;
  assertEquals(
    findingsOf(mesh).filter((f) => f.code === "MESH-NON-FINITE")
      .map((f) => [f.severity, f.where]),
    [["warning", "vertex 1/position"]],
  );
});

Deno.test("validateMesh() reports MESH-NON-FINITE once an element, with vertex and attribute", () => {
  const where = (change: (m: ReturnType<typeof sound>) => void) => {
    const mesh = sound();
    change(mesh);
    return findingsOf(mesh).filter((f) => f.code === "MESH-NON-FINITE")
      .map((f) => [f.severity, f.where, f.found]);
  };
  assertEquals(
    where((m) => m.attributes.position.set([NaN, Infinity], 3)),
    [["error", "vertex 1/position", "NaN"]],
  );
  assertEquals(
    where((m) => m.attributes.position.set([-Infinity], 11)),
    [["error", "vertex 3/position", "-Infinity"]],
  );
  assertEquals(
    where((m) => m.attributes.normal[8] = NaN),
    [["error", "vertex 2/normal", "NaN"]],
  );
  assertEquals(
    where((m) => {
      m.attributes.tangent[4] = NaN;
      m.attributes.tangent[8] = Infinity;
    }),
    [
      ["error", "vertex 1/tangent", "NaN"],
      ["error", "vertex 2/tangent", "Infinity"],
    ],
  );
  assertEquals(
    where((m) => m.attributes.color[5] = NaN),
    [["error", "vertex 1/color", "NaN"]],
  );
  assertEquals(
    where((m) => m.attributes.uvs[0][7] = Infinity),
    [["error", "vertex 3/uv0", "Infinity"]],
  );
  assertEquals(
    where((m) => m.attributes.weights[2] = NaN),
    [["error", "vertex 1/weights", "NaN"]],
  );
});

Deno.test("validateMesh() reports MESH-NORMAL-ZERO and MESH-NORMAL-LENGTH with counts", () => {
  const zero = sound();
  zero.attributes.normal.fill(0, 3, 9);
  assertEquals(only(zero, "MESH-NORMAL-ZERO").found, 2);
  assertEquals(only(zero, "MESH-NORMAL-ZERO").where, "vertex 1");
  const long = sound();
  long.attributes.normal[3] = 1.25;
  long.attributes.normal[7] = 0.999;
  const finding = only(long, "MESH-NORMAL-LENGTH");
  assertEquals([finding.where, finding.found], ["vertex 1", 1.25]);
  const near = sound();
  near.attributes.normal[3] = 1 + 4.9e-4;
  assertEquals(findingsOf(near), []);
});

Deno.test("validateMesh() reports MESH-TANGENT-ZERO, MESH-TANGENT-LENGTH and MESH-TANGENT-SIGN", () => {
  const zero = sound();
  zero.attributes.tangent.fill(0, 4, 7);
  assertEquals(only(zero, "MESH-TANGENT-ZERO").where, "vertex 1");
  const long = sound();
  long.attributes.tangent.set([0, 0, 0.5], 8);
  const finding = only(long, "MESH-TANGENT-LENGTH");
  assertEquals([finding.where, finding.found], ["vertex 2", 0.5]);
  const sign = sound();
  sign.attributes.tangent[3] = 0;
  sign.attributes.tangent[11] = NaN;
  const codes = findingsOf(sign).map((f) => f.code);
  assertEquals(codes, ["MESH-NON-FINITE", "MESH-TANGENT-SIGN"]);
  sign.attributes.tangent[11] = -1;
  assertEquals(only(sign, "MESH-TANGENT-SIGN").found, "0");
});

Deno.test("validateMesh() reports MESH-WEIGHT-SUM beyond 0.001 and MESH-WEIGHT-NEGATIVE", () => {
  const low = sound();
  low.attributes.weights.set([0.5, 0.25], 4);
  const finding = only(low, "MESH-WEIGHT-SUM");
  assertEquals([finding.where, finding.found], ["vertex 2/weights", 0.75]);
  const near = sound();
  near.attributes.weights.set([0.5, 0.4995], 4);
  assertEquals(findingsOf(near), []);
  const negative = sound();
  negative.attributes.weights.set([1.25, -0.25], 0);
  assertEquals(
    only(negative, "MESH-WEIGHT-NEGATIVE").where,
    "vertex 0/weights/1",
  );
});

Deno.test("validateMesh() reports MESH-INFLUENCE-DUPLICATE where both carry weight", () => {
  const mesh = sound();
  mesh.attributes.joints.set([3, 3], 6);
  assertEquals(
    only(mesh, "MESH-INFLUENCE-DUPLICATE").where,
    "vertex 3/joints/1",
  );
  mesh.attributes.weights.set([1, 0], 6);
  assertEquals(findingsOf(mesh), []);
});

Deno.test("validateMesh() reports MESH-WINDING with the share when most faces oppose their normals", () => {
  const mesh = sound();
  mesh.lods[0].indices!.reverse();
  const finding = only(mesh, "MESH-WINDING");
  assertEquals([finding.where, finding.found], ["LOD 0", 1]);
  // the same corners are right where the convention winds the other way
  mesh.basis = "source";
  for (const [i, x] of mesh.attributes.position.entries()) {
    mesh.attributes.position[i] = x * 40;
  }
  assertEquals(findingsOf(mesh), []);
  const half = sound();
  half.lods[0].indices!.set([0, 1, 2, 0, 3, 1]);
  const note = only(half, "MESH-WINDING");
  // half of them is not most of them
  assertEquals([note.severity, note.found], ["info", 0.5]);
});

Deno.test("validateMesh() leaves 1 in 100 triangles against their normals unmentioned", () => {
  const mesh = sound();
  const [a, b, c] = mesh.lods[0].indices!;
  const faces = (good: number) =>
    Uint32Array.from([
      ...Array.from({ length: good }, () => [a, b, c]).flat(),
      ...[c, b, a],
    ]);
  mesh.lods[0].indices = faces(99);
  assertEquals(findingsOf(mesh), []);
  mesh.lods[0].indices = faces(98);
  assertEquals(only(mesh, "MESH-WINDING").found, 1 / 99);
});

Deno.test("validateMesh() looks at every level of detail", () => {
  const mesh = sound();
  const turned = mesh.lods[0].indices!.slice().reverse();
  mesh.lods.push({ indices: turned, groups: [], switchDistance: 5 });
  assertEquals(only(mesh, "MESH-WINDING").where, "LOD 1");
});

Deno.test("validateMesh() reports MESH-DEGENERATE with the count and skips what names no vertex", () => {
  const mesh = sound();
  mesh.lods[0].indices = Uint32Array.of(
    ...mesh.lods[0].indices!,
    ...[0, 0, 1, 2, 2, 2, 1, 2, 99, 3],
  );
  const finding = only(mesh, "MESH-DEGENERATE");
  assertEquals([finding.severity, finding.found], ["info", 2]);
});

Deno.test("validateMesh() reports MESH-UNIT-SIZE below 1 cm and above 1 km, in the mesh's own unit", () => {
  const scaled = (factor: number, basis: Mesh["basis"]) => {
    const mesh = sound();
    mesh.basis = basis;
    if (basis === "source" || basis === "css") mesh.lods[0].indices!.reverse();
    mesh.attributes.position = mesh.attributes.position.map((x) => x * factor);
    return mesh;
  };
  assertAlmostEquals(
    only(scaled(0.009, "gltf"), "MESH-UNIT-SIZE").found as number,
    0.009,
    1e-9,
  );
  assertEquals(only(scaled(1024, "payload"), "MESH-UNIT-SIZE").found, 1024);
  assertEquals(findingsOf(scaled(0.011, "gltf")), []);
  assertEquals(findingsOf(scaled(999, "gltf")), []);
  // 0.009 m is 0.9 cm; 1.1 cm is fine; an inch is 2.54 cm
  only(scaled(0.9, "css"), "MESH-UNIT-SIZE");
  assertEquals(findingsOf(scaled(1.1, "css")), []);
  assertEquals(findingsOf(scaled(0.5, "source")), []);
  only(scaled(0.3, "source"), "MESH-UNIT-SIZE");
});

Deno.test("validateMesh() says nothing about the size of a mesh that has none", () => {
  assertEquals(findingsOf(plainMesh([1, 1, 1, 1, 1, 1, 1, 1, 1], null)), []);
  assertEquals(findingsOf(plainMesh([0, 0, 0, 1e-4, 0, 0], null)), []);
});
