/** Part D of the users' reports: morph targets. */
import { assert, assertEquals, assertLess } from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import { validate } from "../../src/convert/validate.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import { readCssMesh } from "../../src/formats/css/mod.ts";
import { readGltf, writeGlb } from "../../src/formats/gltf/mod.ts";
import { payloadToMesh, readPayload } from "../../src/formats/payload/mod.ts";
import {
  buildLods,
  splitMesh,
  transformMesh,
  weldMesh,
} from "../../src/ops/mod.ts";
import { bytesOf, triangle as cssTriangle } from "../css/plain_css.ts";
import {
  type Loose,
  type PlainGltf,
  triangle,
  TYPE,
} from "../gltf/plain_gltf.ts";
import { at, entriesOf, plainMorphs, type V3 } from "../ops/plain_mesh.ts";
import { cube, grid, jsonChunk, meshIn, scaling } from "./pieces.ts";

const DELTAS = [0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.3];
const f32 = (values: readonly number[]) => [...Float32Array.from(values)];

/** A triangle with named targets of the deltas given. */
function shaped(
  targets: Readonly<Record<string, readonly number[]>>,
): PlainGltf {
  const g = triangle();
  const [mesh] = g.json.meshes;
  mesh.primitives[0].targets = Object.values(targets).map((values) => ({
    POSITION: g.accessor("VEC3", values),
  }));
  mesh.extras = { targetNames: Object.keys(targets) };
  return g;
}

/** Position deltas of a target by name, dense. */
function dense(mesh: Mesh, name: string): number[] {
  const out = new Array(mesh.vertexCount * 3).fill(0);
  const t = mesh.morphs!.names.indexOf(name);
  for (const [v, target, delta] of entriesOf(mesh.morphs!)) {
    if (target === t) delta.forEach((x, k) => out[v * 3 + k] = x);
  }
  return out;
}

Deno.test("D1: dropped entries are counted and an emptied target is named", async () => {
  const g = shaped({ kept: DELTAS, tiny: DELTAS.map((x) => x * 1e-6) });
  const { outputs, report } = await convert(g.glb(), { to: "payload" });
  const entries = report.loss.find((l) => l.what === "morph entries");
  assertEquals([entries?.kind, entries?.count], ["dropped", 3]);
  const emptied = report.loss.find((l) => l.why.includes('"tiny"'));
  assertEquals(emptied?.count, 1);
  assertEquals(readPayload(outputs[0]).kind, "skinned");
  const { morphs } = payloadToMesh(readPayload(outputs[0]));
  assertEquals(morphs!.names, ["kept", "tiny"]);
});

Deno.test("D2: targets of two meshes are all there after they are merged", async () => {
  const g = shaped({ smile: DELTAS, both: DELTAS });
  const second = g.mesh({
    POSITION: g.accessor("VEC3", [0, 0, 1, 1, 0, 1, 0, 1, 1]),
  }, {
    targets: [{ POSITION: g.accessor("VEC3", DELTAS) }, {
      POSITION: g.accessor("VEC3", DELTAS),
    }],
  }, { extras: { targetNames: ["both", "frown"] } });
  g.root({ mesh: second });
  const mesh = await meshIn(g);
  assertEquals(mesh.morphs!.names, ["smile", "both", "frown"]);
  assertEquals(dense(mesh, "both"), f32([...DELTAS, ...DELTAS]));
});

Deno.test("D3: normal deltas go along", async () => {
  const mesh = {
    ...cube(),
    morphs: plainMorphs(24, ["a"], [[2, 0, [0, 1, 0], [0.5, 0.25, 0]]]),
  };
  for (const to of ["payload", "gltf"] as const) {
    const { outputs } = await convert(await writeGlb(mesh), { to });
    const again = to === "gltf"
      ? (await readGltf(outputs[0])).mesh
      : payloadToMesh(readPayload(outputs[0]));
    assertEquals(entriesOf(again.morphs!), entriesOf(mesh.morphs));
  }
});

Deno.test("D4: normalised byte and short deltas are decoded", async () => {
  for (const [type, most] of [[TYPE.i8, 127], [TYPE.i16, 32767]]) {
    const g = triangle();
    const stride = type === TYPE.i8 ? 4 : 8;
    const accessor = g.accessor("VEC3", [0, 0, 0, 0, 0, 0, 0, 0, 0]);
    const view = g.view([most, 0, -most, 0, 0, most, 0, 0, 0, 0, 0, 0], type);
    g.json.bufferViews[view].byteStride = stride;
    Object.assign(g.json.accessors[accessor], {
      bufferView: view,
      componentType: type,
      normalized: true,
    });
    g.json.meshes[0].primitives[0].targets = [{ POSITION: accessor }];
    assertEquals(entriesOf((await meshIn(g)).morphs!), [
      [0, 0, [1, 0, -1]],
      [1, 0, [0, 1, 0]],
    ]);
  }
});

Deno.test("D5: deltas come back bit for bit from an export", async () => {
  const mesh = await meshIn(
    shaped({ a: DELTAS, b: DELTAS.map((x) => -x / 3) }),
  );
  const again = (await readGltf(await writeGlb(mesh))).mesh;
  assertEquals(again.morphs, mesh.morphs);
});

Deno.test("D6: deltas are measured from the shape at rest, whichever shape the file shows", async () => {
  const g = shaped({ shown: DELTAS, other: [0, 0, 1, 0, 0, 1, 0, 0, 1] });
  const [mesh] = g.json.meshes;
  const rest = [1, 0, 0];
  mesh.primitives[0].attributes.NORMAL = g.accessor("VEC3", [
    ...rest,
    ...rest,
    ...rest,
  ]);
  mesh.weights = [1, 0.5];
  g.json.nodes[0].weights = [0, 1];
  const plain = await readGltf(triangle().glb());
  const { mesh: read, notes } = await readGltf(g.glb());
  assertEquals(read.attributes.position, plain.mesh.attributes.position);
  assertEquals([...read.attributes.normal!], [...rest, ...rest, ...rest]);
  const first = entriesOf(read.morphs!).filter((e) => e[1] === 0);
  assertEquals(first.flatMap((e) => e[2]), f32(DELTAS));
  assert(notes.some((n) => n.what === "default morph weights"));
});

Deno.test("D7: a target is written sparse where that is smaller, dense otherwise", async () => {
  const base = grid(20);
  const moving = (every: number): V3[] =>
    Array.from(
      { length: 400 },
      (_, v) => [0, v % every === 0 ? 1 : 0, 0] as V3,
    );
  const isSparse = async (every: number) => {
    const entries = moving(every).flatMap((d, v) =>
      d[1] ? [[v, 0, d] as const] : []
    );
    const json = jsonChunk(
      await writeGlb({ ...base, morphs: plainMorphs(400, ["a"], entries) }),
    );
    const { POSITION } = json.meshes[0].primitives[0].targets[0];
    return json.accessors[POSITION].sparse !== undefined;
  };
  assertEquals([await isSparse(1), await isSparse(50)], [false, true]);
});

Deno.test("D8: sparse values replace, they are not added", async () => {
  const g = triangle();
  const { POSITION } = g.json.meshes[0].primitives[0].attributes;
  const other = g.sparse("VEC3", 3, [1], [9, 9, 9]);
  g.json.accessors[POSITION].sparse = g.json.accessors[other].sparse;
  const { position } = (await meshIn(g)).attributes;
  assertEquals([...position], [0, 0, 0, 9, 9, 9, 0, 1, 0]);
});

Deno.test("D9: sparse accessors and morph targets work together", async () => {
  const g = triangle();
  g.json.meshes[0].primitives[0].targets = [{
    POSITION: g.sparse("VEC3", 3, [2], [1, 2, 3]),
  }];
  assertEquals(entriesOf((await meshIn(g)).morphs!), [[2, 0, [1, 2, 3]]]);
});

Deno.test("D10: deltas are no unit vectors", () => {
  const mesh = {
    ...cube(),
    morphs: plainMorphs(24, ["a"], [[0, 0, [0.25, 0, 0], [0, 0.25, 0]]]),
  };
  const made = transformMesh(mesh, scaling(2, 2, 2)).mesh.morphs!;
  assertEquals([...made.position], [0.5, 0, 0]);
  [0, 0.25, 0].forEach((x, k) => assert(Math.abs(made.normal![k] - x) < 0.04));
  assertLess(Math.hypot(...made.normal!), 0.3);
});

Deno.test("D11: vertices that differ in one delta alone stay apart", () => {
  const mesh = grid(2);
  const twice = { ...mesh, vertexCount: 4 };
  twice.attributes.position.fill(0);
  twice.attributes.uvs[0].fill(0);
  assertEquals(weldMesh(twice).mesh.vertexCount, 1);
  const moved = {
    ...twice,
    morphs: plainMorphs(4, ["a"], [[2, 0, [0, 0, 1e-6]]]),
  };
  assertEquals(weldMesh(moved).mesh.vertexCount, 2);
});

Deno.test("D12: levels of detail keep every vertex, and with it its deltas", () => {
  const mesh = {
    ...grid(9),
    morphs: plainMorphs(81, ["a"], [[40, 0, [0, 1, 0]]]),
  };
  const made = buildLods(mesh, { levels: 3 });
  assertEquals(made.lods.length, 3);
  assertEquals([made.morphs, made.vertexCount], [mesh.morphs, 81]);
  assert(made.lods[1].indices!.length < mesh.lods[0].indices!.length);
});

Deno.test("D13: names are data, whatever their characters", async () => {
  const names = ["Ünïcode 骨", "a/b", "", "key_0", "a\u0301"];
  const g = shaped(
    Object.fromEntries(
      names.map((n, i) => [n, DELTAS.map((x) => x * (i + 1))]),
    ),
  );
  const order = (await meshIn(g)).morphs!.names;
  assertEquals(order, names);
  const glb = await convert(g.glb(), { to: "gltf" });
  assertEquals((await readGltf(glb.outputs[0])).mesh.morphs!.names, names);
  const payload = await convert(g.glb(), { to: "payload" });
  assertEquals(
    payloadToMesh(readPayload(payload.outputs[0])).morphs!.names,
    names,
  );
});

Deno.test("D14: names that the CSS schema forbids are changed by rule and reported, or refused on input", async () => {
  const g = shaped({
    "sm ile": DELTAS,
    sm_ile: DELTAS,
    ["x".repeat(80)]: DELTAS,
  });
  const { outputs, report } = await convert(g.glb(), {
    to: "css",
    outName: "a",
  });
  const { morphTargets } = readCssMesh(outputs[0]) as Loose;
  const names: string[] = morphTargets.map((t: { name: string }) => t.name);
  assertEquals(new Set(names).size, 3);
  assert(names.every((n) => /^[A-Za-z0-9_]{1,64}$/.test(n)), names.join());
  assert(names.includes("sm_ile"), "a legal name keeps its bearer");
  assert(
    report.loss.some((l) => l.what === "morph target names" && l.count === 2),
  );
  const doc = cssTriangle();
  doc.morph_targets = [{ name: "not legal", deltas: [[0, 1, 0, 0]] }];
  const { ok, findings } = await validate(bytesOf(doc));
  assert(
    !ok && findings.some((f) => f.code.startsWith("R-MORPH")),
    findings.map((f) => f.code).join(),
  );
});

Deno.test("D15: deltas follow their vertices through a split, onto both sides of the cut", () => {
  const base = grid(30);
  const entries = Array.from(
    { length: 900 },
    (_, v) => [v, 0, [0, v + 1, 0]] as const,
  );
  const mesh = { ...base, morphs: plainMorphs(900, ["a"], entries) };
  const parts = splitMesh(mesh, 100);
  assert(parts.length > 8);
  for (const part of parts) {
    for (const [v, , delta] of entriesOf(part.morphs!)) {
      const [x, , z] = at(part.attributes.position, v);
      assertEquals(delta[1], z * 30 + x + 1);
    }
    assertEquals(part.morphs!.targets.length, part.vertexCount);
  }
});

Deno.test("D16: targets of several bodies are merged by name, not by number", async () => {
  const g = shaped({ a: DELTAS, b: DELTAS.map((x) => x * 2) });
  const second = g.mesh({ POSITION: g.accessor("VEC3", DELTAS) }, {
    targets: [2, 1].map((s) => ({
      POSITION: g.accessor("VEC3", DELTAS.map((x) => x * s)),
    })),
  }, { extras: { targetNames: ["b", "a"] } });
  g.root({ mesh: second });
  const mesh = await meshIn(g);
  assertEquals(mesh.morphs!.names, ["a", "b"]);
  assertEquals(dense(mesh, "a"), f32([...DELTAS, ...DELTAS]));
  assertEquals(dense(mesh, "b"), f32([...DELTAS, ...DELTAS].map((x) => x * 2)));
});

Deno.test("D17: deltas alone are enough for a target", async () => {
  const doc = cssTriangle();
  doc.morph_targets = [{ name: "up", deltas: [[2, 0, 0, 5]] }];
  const { outputs } = await convert(bytesOf(doc), { to: "gltf" });
  const { mesh } = await readGltf(outputs[0]);
  assertEquals(mesh.morphs!.names, ["up"]);
  assertEquals(mesh.morphs!.targets.length, 1);
});
