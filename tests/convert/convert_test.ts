import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertGreater,
  assertLess,
  assertRejects,
} from "@std/assert";
import { convert, type ConvertOptions } from "../../src/convert/convert.ts";
import { MeshError } from "../../src/core/errors.ts";
import { readGltf } from "../../src/formats/gltf/mod.ts";
import { payloadToMesh, readPayload } from "../../src/formats/payload/mod.ts";
import { corpusJson, corpusTest } from "../corpus.ts";
import { assertClean } from "../gltf/khronos.ts";
import {
  CORNERS,
  type Loose,
  PlainGltf,
  triangle,
  TYPE,
} from "../gltf/plain_gltf.ts";
import { entriesOf, worldOf } from "../ops/plain_mesh.ts";
import {
  fields14,
  Put,
  putHeightfield,
  putLods,
  putMorphs,
  skinnedPart,
  staticPart,
} from "../payload/plain_payload.ts";
import { assertSameBytes } from "../same_bytes.ts";
import { plainRecords, plainVvd } from "../vvd/plain_vvd.ts";

const sample = (name: string) =>
  Deno.readFileSync(new URL(`../../samples/${name}`, import.meta.url));
const rowsOf = (rows: { kind?: string; what: string; count: number }[]) =>
  rows.map((l) => `${l.kind ? `${l.kind} ` : ""}${l.what} ${l.count}`);
/** Converts to a payload; gives the file and both lists of the report. */
async function toPayload(
  bytes: Uint8Array,
  options: Partial<ConvertOptions> = {},
) {
  const { outputs, report } = await convert(bytes, {
    ...options,
    to: "payload",
  });
  const file = readPayload(outputs[0]);
  return {
    file,
    mesh: payloadToMesh(file),
    loss: rowsOf(report.loss),
    added: rowsOf(report.added),
    report,
  };
}

Deno.test("convert() throws ARGUMENT for an option that no conversion can mean", async () => {
  const wrong: [path: string, options: Loose][] = [
    ...[0, -1, NaN, Infinity].map((scale): [string, Loose] => [
      "scale",
      { scale },
    ]),
    ...[-1, 0.5, NaN].map((lod): [string, Loose] => ["lod", { lod }]),
    ...[-1e-9, NaN].map((morphEpsilon): [string, Loose] => [
      "morphEpsilon",
      { morphEpsilon },
    ]),
    ...[0, 1.5, -4, NaN].map((maxInfluences): [string, Loose] => [
      "maxInfluences",
      { maxInfluences },
    ]),
    ...[-1, 0.5].map((lods): [string, Loose] => ["lods", { lods }]),
  ];
  for (const [path, options] of wrong) {
    const error = await assertRejects(
      () => convert(sample("terrain.payload"), { ...options, to: "gltf" }),
      MeshError,
    );
    assertEquals([error.code, error.path], ["ARGUMENT", path]);
    assertEquals(error.found, options[path]);
  }
});

Deno.test("convert() gives the same bytes and the same report each time", async () => {
  const inputs = [
    sample("lantern.vvd"),
    sample("terrain.payload"),
    sample("figure.payload"),
    (await convert(sample("figure.payload"), { to: "gltf" })).outputs[0],
  ];
  for (const bytes of inputs) {
    for (const to of ["gltf", "payload", "vvd"] as const) {
      const run = () =>
        convert(bytes.slice(), { to, gltfJson: false, maxInfluences: 2 });
      const [a, b] = [await run(), await run()];
      a.outputs.forEach((o, i) => assertSameBytes(o, b.outputs[i]));
      assertEquals(a.report, b.report);
    }
  }
});

Deno.test("convert() leaves the input as it was", async () => {
  for (const name of ["lantern.vvd", "terrain.payload", "figure.payload"]) {
    const bytes = sample(name);
    for (const to of ["gltf", "payload", "vvd"] as const) {
      await convert(bytes, { to, scale: 2, lod: 0 });
    }
    assertSameBytes(bytes, sample(name));
  }
});

Deno.test("convert() makes normals and tangents for a bare mesh, by the payload's rule, and says so", async () => {
  const { file, loss, added } = await toPayload(triangle().glb());
  assertEquals([loss, added], [[], [
    ...["normals 3", "tangents 3", "texture coordinates 3", "colours 3"],
  ]]);
  assertEquals([...file.vertices.normal], [0, 0, 1, 0, 0, 1, 0, 0, 1]);
  assertEquals([...file.vertices.color], new Array(9).fill(1));
  assertEquals([...file.vertices.uv], new Array(6).fill(0));
  const vvd = await convert(triangle().glb(), { to: "vvd" });
  assertEquals(rowsOf(vvd.report.added), [
    ...["normals 3", "texture coordinates 3", "skin weights 3"],
  ]);
  const points = triangle({ mode: 0 });
  const { mesh } = await toPayload(points.glb());
  assertEquals([...mesh.attributes.normal!], [0, 1, 0, 0, 1, 0, 0, 1, 0]);
});

Deno.test("convert() names what a payload has no place for", async () => {
  const g = new PlainGltf();
  g.json.materials = [{ name: "a" }, { name: "b" }];
  const attributes = {
    POSITION: g.accessor("VEC3", CORNERS),
    NORMAL: g.accessor("VEC3", [0, 0, 1, 0, 0, 1, 0, 0, 1]),
    TANGENT: g.accessor("VEC4", [1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, -1]),
    TEXCOORD_0: g.accessor("VEC2", [0, 0, 1, 0, 0, 1]),
    TEXCOORD_1: g.accessor("VEC2", [0, 0, 1, 0, 0, 1]),
    TEXCOORD_2: g.accessor("VEC2", [0, 0, 1, 0, 0, 1]),
    COLOR_0: g.accessor("VEC4", [1, 1, 1, 1, 1, 0, 0, 0.5, 0, 1, 0, 0]),
    _JOINTS_0: g.accessor("VEC4", new Array(12).fill(0), TYPE.u8),
    _WEIGHTS_0: g.accessor("VEC4", new Array(12).fill(0.25)),
  };
  g.json.meshes.push({
    primitives: [{ attributes, material: 0 }, { attributes, material: 1 }],
  });
  g.root({ mesh: 0 });
  const { loss, added, file } = await toPayload(g.glb());
  assertEquals(loss, [
    "dropped texture coordinate sets 2",
    "dropped colour alphas 2",
    "dropped materials 2",
    // the texture is mirrored all over, so that -1 is found again, 1 not
    "dropped tangent signs 1",
    "dropped skin weights 3",
  ]);
  assertEquals(added, []);
  assertEquals([...file.vertices.color], [1, 1, 1, 1, 0, 0, 0, 1, 0]);
});

Deno.test("convert() gives a static mesh with morph targets a joint that stands still", async () => {
  const g = triangle({});
  g.json.meshes[0].primitives[0].targets = [{
    POSITION: g.sparse("VEC3", 3, [1], [0, 0, 1]),
  }];
  const { file, added, mesh } = await toPayload(g.glb());
  assertEquals(added, [
    ...["normals 3", "tangents 3", "joints 1"],
    ...["texture coordinates 3", "colours 3"],
  ]);
  assert(file.kind === "skinned");
  assertEquals(file.joints.length, 1);
  assertEquals(worldOf(mesh.skeleton!)[0], {
    m: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    t: [0, 0, 0],
  });
  assertEquals([...file.vertices.weights.subarray(0, 4)], [1, 0, 0, 0]);
  assertEquals(entriesOf(mesh.morphs!), [[1, 0, [0, 0, 1], [0, 0, 0]]]);
});

/** A triangle on one joint whose node and inverse bind a test sets. */
function onJoint(node: Loose, inverseBind?: number[]): PlainGltf {
  const g = new PlainGltf();
  const joint = g.root(node);
  g.json.skins = [{
    joints: [joint],
    ...(inverseBind
      ? { inverseBindMatrices: g.accessor("MAT4", inverseBind) }
      : {}),
  }];
  const weights = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];
  const mesh = g.mesh({
    POSITION: g.accessor("VEC3", CORNERS),
    JOINTS_0: g.accessor("VEC4", new Array(12).fill(0), TYPE.u8),
    WEIGHTS_0: g.accessor("VEC4", weights),
  });
  g.root({ mesh, skin: 0 });
  return g;
}

Deno.test("convert() stores a joint's rotation as Euler angles and names those that lose more than rounding", async () => {
  const half = (degrees: number) => degrees * Math.PI / 360;
  const fine = await toPayload(
    onJoint({ rotation: [0, Math.sin(half(33)), 0, Math.cos(half(33))] }).glb(),
  );
  assertEquals(fine.loss, []);
  assert(fine.file.kind === "skinned");
  assertAlmostEquals(fine.file.joints[0].rotationDeg[1], 33, 1e-5);
  // pitch 90° less 0.004°: the cook takes it for locked and sets roll to 0
  const [p, r] = [half(90 - 0.004), half(20)];
  const [sx, cx, sz, cz] = [
    Math.sin(p),
    Math.cos(p),
    Math.sin(r),
    Math.cos(r),
  ];
  const locked = await toPayload(
    onJoint({ rotation: [sx * cz, -sx * sz, cx * sz, cx * cz] }).glb(),
  );
  assertEquals(locked.loss, ["approximated joint rotations 1"]);
  const { largest } = locked.report.loss[0];
  assert(largest! > 1e-6 && largest! < 1e-4, `${largest}`);
});

Deno.test("convert() moves a bind pose that disagrees with its inverse binds, and says by how much it can not", async () => {
  const moved = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -5, 0, 0, 1];
  const { loss, mesh } = await toPayload(onJoint({}, moved).glb());
  assertEquals(loss, ["changed joints 1"]);
  assertEquals(mesh.skeleton![0].translation, [5, 0, 0]);
  const shear = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const sheared = await toPayload(onJoint({}, shear).glb());
  assertGreater(sheared.report.loss[0].largest!, 0.05);
});

Deno.test("convert() makes joint rotations unit length for glTF, and says so", async () => {
  const bytes = onJoint({ rotation: [0, 0, 0, 1.01] }).glb();
  const { outputs, report } = await convert(bytes, { to: "gltf" });
  await assertClean(outputs[0], "rotation");
  assertEquals(rowsOf(report.loss), ["repaired joint rotations 1"]);
  const zero = await convert(onJoint({ rotation: [0, 0, 0, 0] }).glb(), {
    to: "gltf",
  });
  await assertClean(zero.outputs[0], "zero rotation");
  const { mesh } = await readGltf(zero.outputs[0]);
  assertEquals(mesh.skeleton![0].rotation, [0, 0, 0, 1]);
});

Deno.test("convert() repairs joints and heights that are not finite for glTF", async () => {
  const part = skinnedPart(3, [0, 1, 2], [
    { name: "a", parent: -1, trs: [NaN, 0, 0, 0, 0, 0, 1, 1, 1] },
    { name: "b", parent: 0, trs: [0, 1, 0, 0, Infinity, 0, 1, 1, 1] },
    { name: "c", parent: 1, trs: [0, 1, 0, 10, 20, 30, 1, NaN, 1] },
    { name: "d", parent: 1, trs: [0, 1, 0, 10, 20, 30, 1, 1, 1] },
  ]);
  const { outputs, report } = await convert(part.bytes, { to: "gltf" });
  await assertClean(outputs[0], "joints");
  assertEquals(rowsOf(report.loss), ["repaired joints 3"]);
  const { skeleton } = (await readGltf(outputs[0])).mesh;
  assertEquals(skeleton![0].translation, [0, 0, 0]);
  assertEquals(skeleton![1].rotation, [0, 0, 0, 1]);
  assertEquals(skeleton![2].scale, [1, 1, 1]);
  assertEquals(skeleton![2].rotationDeg, [10, 20, 30]);
  const grid = putHeightfield(staticPart(3, [0, 1, 2]), 2, 2, [
    ...[1, NaN, -Infinity, 4],
  ]);
  const other = await convert(grid.bytes, { to: "gltf" });
  assertEquals(rowsOf(other.report.loss), ["repaired heights 2"]);
  const { heightfield } = (await readGltf(other.outputs[0])).mesh;
  assertEquals([...heightfield!.heights], [1, 0, 0, 4]);
});

Deno.test("convert() drops for glTF what it holds only beside normals, and clamps colours", async () => {
  const g = new PlainGltf();
  const POSITION = g.accessor("VEC3", CORNERS);
  g.root({
    mesh: g.mesh({
      POSITION,
      TANGENT: g.accessor("VEC4", [1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1]),
      COLOR_0: g.accessor("VEC3", [0, 1, 1.5, -0.25, 0, 0, 0, 0, 0]),
    }, {
      targets: [{
        POSITION,
        NORMAL: g.accessor("VEC3", [0, 0, 0, 0, 0, 1, 0, 0, 0]),
      }],
    }),
  });
  const { outputs, report } = await convert(g.glb(), { to: "gltf" });
  await assertClean(outputs[0], "without normals");
  assertEquals(rowsOf(report.loss), [
    "dropped tangents 3",
    "changed colours 2",
    "dropped morph normals 2",
  ]);
  assertEquals(report.loss[1].largest, 0.5);
});

Deno.test("convert() drops joints, morph targets and nothing else of a skinned payload without vertices", async () => {
  const part = skinnedPart(0, [], [{ name: "a", parent: -1 }]);
  const { bytes } = putMorphs(part, 0, ["smile", "blink"], []);
  const { outputs, report } = await convert(bytes, { to: "gltf" });
  await assertClean(outputs[0], "no vertices");
  assertEquals(rowsOf(report.loss), [
    "dropped joints 1",
    "dropped morph targets 2",
  ]);
});

Deno.test("convert() leaves the heightfield of a mesh that needs a skinned payload", async () => {
  const g = onJoint({});
  g.json.nodes[1].extras = {
    meshwright: { heightfield: { rows: 1, cols: 1, heights: [2] } },
  };
  assertEquals((await toPayload(g.glb())).loss, ["dropped heightfield 1"]);
});

Deno.test("convert() drops tangents or rebuilds normals when asked, and reports it as asked for", async () => {
  const bytes = staticPart(3, [0, 1, 2]).bytes;
  const dropped = await convert(bytes, { to: "gltf", tangents: "drop" });
  assertEquals(rowsOf(dropped.report.loss), ["dropped tangents 3"]);
  const { mesh } = await readGltf(dropped.outputs[0]);
  assertEquals(mesh.attributes.tangent, undefined);
  const put = new Put().u32(3);
  [[0, 0, 0], [1, 0, 0], [0, 0, 1]].forEach((p, v) =>
    put.f32(...p, ...fields14(v).slice(3))
  );
  const tilted = put.u32(3).u16(0, 1, 2).bytes;
  const rebuilt = await toPayload(tilted, { normals: "rebuild" });
  assertEquals(rebuilt.loss, ["changed normals 3"]);
  assertEquals([...rebuilt.file.vertices.normal], [
    ...[0, -1, 0, 0, -1, 0, 0, -1, 0],
  ]);
});

Deno.test("convert() caps influences to fewer than the format holds, counted once", async () => {
  const put = new Put().ascii("SKMV").u32(2);
  put.f32(...fields14(0)).u16(0, 1, 2, 3).f32(0.4, 0.3, 0.2, 0.1);
  put.f32(...fields14(1)).u16(0, 1, 0, 0).f32(0.5, 0.5, 0, 0);
  put.u32(0).u32(4);
  for (let j = 0; j < 4; j++) {
    put.name(`j${j}`).u32(-1).f32(0, 0, 0, 0, 0, 0, 1, 1, 1);
  }
  for (const to of ["gltf", "payload"] as const) {
    const { outputs, report } = await convert(put.bytes, {
      to,
      maxInfluences: 2,
    });
    assertEquals(rowsOf(report.loss), ["dropped influences 1"], to);
    assertAlmostEquals(report.loss[0].largest!, 0.3, 1e-7);
    const mesh = to === "gltf"
      ? (await readGltf(outputs[0])).mesh
      : payloadToMesh(readPayload(outputs[0]));
    const weights = [...mesh.attributes.weights!];
    [4 / 7, 3 / 7, 0, 0, 0.5, 0.5, 0, 0].forEach((w, k) =>
      assertAlmostEquals(weights[k], w, 1e-7)
    );
  }
});

Deno.test("convert() takes --morph-epsilon in place of the target's own", async () => {
  const part = skinnedPart(3, [0, 1, 2], [{ name: "a", parent: -1 }, {
    name: "b",
    parent: 0,
  }]);
  const { bytes } = putMorphs(part, 3, ["m"], [
    [0, 0, 1e-7, 0, 0, 0, 0, 0],
    [1, 0, 0.01, 0, 0, 0, 0, 0],
    [2, 0, 0.02, 0, 0, 0, 0, 0],
  ]);
  const entries = async (morphEpsilon?: number) => {
    const { outputs, report } = await convert(bytes, {
      to: "gltf",
      ...(morphEpsilon === undefined ? {} : { morphEpsilon }),
    });
    const { mesh } = await readGltf(outputs[0]);
    return [mesh.morphs!.targets.length, rowsOf(report.loss)];
  };
  assertEquals(await entries(), [3, []]);
  assertEquals(await entries(1e-6), [2, ["dropped morph entries 1"]]);
  assertEquals(await entries(0.01), [1, ["dropped morph entries 2"]]);
  assertEquals(await entries(1), [0, [
    "dropped morph entries 3",
    "dropped morph targets' last entries 1",
  ]]);
});

Deno.test("convert() scales positions, joints, distances and heights of a payload together", async () => {
  const bytes = putHeightfield(
    putLods(staticPart(3, [0, 1, 2]), [[8, [0, 2, 1]]]),
    1,
    2,
    [1.5, -2],
  ).bytes;
  const { file, report } = await toPayload(bytes, { scale: 4 });
  assertEquals(report.basis.scale, 4);
  assert(file.kind === "static");
  assertEquals(file.vertices.pos[3], 4);
  assertEquals(file.lodAlternates[0].switchDistance, 32);
  assertEquals([...file.heightfield!.heights], [6, -8]);
  const figure = sample("figure.payload");
  const [before, after] = [
    readPayload(figure),
    (await toPayload(figure, { scale: 2 })).file,
  ];
  assert(before.kind === "skinned" && after.kind === "skinned");
  after.joints.forEach((joint, j) => {
    const was = before.joints[j];
    assertEquals([...joint.rotationDeg], [...was.rotationDeg], "bit for bit");
    assertEquals(
      [...joint.translation],
      [...was.translation].map((x) => Math.fround(2 * x)),
    );
  });
});

Deno.test("convert() splits what one payload can not hold: triangles once, unused vertices named", async () => {
  const n = 65_536 + 300;
  const g = new PlainGltf();
  const view = { buffer: 0, byteOffset: 0, byteLength: n * 12 };
  const position = new Float32Array(n * 3).map((_, i) => i % 3 ? 0 : i / 3);
  // triangles of three neighbours; the last 100 vertices stay unused
  const indices = new Uint32Array((n - 100 - 2) * 3).map((_, i) =>
    Math.floor(i / 3) + i % 3
  );
  const bin = new Uint8Array(n * 12 + indices.length * 4);
  bin.set(new Uint8Array(position.buffer));
  bin.set(new Uint8Array(indices.buffer), n * 12);
  Object.assign(g.json, {
    bufferViews: [view, {
      buffer: 0,
      byteOffset: n * 12,
      byteLength: indices.length * 4,
    }],
    accessors: [
      { bufferView: 0, componentType: TYPE.f32, type: "VEC3", count: n },
      {
        bufferView: 1,
        componentType: TYPE.u32,
        type: "SCALAR",
        count: indices.length,
      },
    ],
    buffers: [{ byteLength: bin.length, uri: "mesh.bin" }],
  });
  g.root({ mesh: g.mesh({ POSITION: 0 }, { indices: 1 }) });
  const options = { resources: { "mesh.bin": bin }, to: "payload" } as const;
  const error = await assertRejects(
    () => convert(g.gltf(), options),
    MeshError,
  );
  assertEquals(
    [error.code, error.found, error.allowed],
    ["PAYLOAD-VERTEX-COUNT", n, 65_536],
  );
  const { outputs, report } = await convert(g.gltf(), {
    ...options,
    split: true,
  });
  const parts = outputs.map((o) => readPayload(o));
  assertEquals(parts.map((p) => p.vertices.count), [65_536, 200 + 2]);
  const corners = parts.flatMap((p) =>
    Array.from(p.indices, (v) => p.vertices.pos[v * 3])
  );
  assertEquals(corners.length, indices.length);
  assert(corners.every((x, i) => x === indices[i]));
  assertEquals(rowsOf(report.loss), ["dropped vertices 100"]);
  assert(rowsOf(report.added).includes("vertices 2"));
  assertEquals(
    report.bytes.out,
    outputs.reduce((sum, o) => sum + o.length, 0),
  );
});

Deno.test("convert() holds to the limits that it is given", async () => {
  const code = async (
    options: ConvertOptions,
    bytes: Uint8Array = sample("figure.payload"),
  ) => {
    const error = await assertRejects(() => convert(bytes, options), MeshError);
    return [error.code, error.path];
  };
  assertEquals(await code({ to: "gltf", limits: { maxInputBytes: 9 } }), [
    "LIMIT-EXCEEDED",
    "maxInputBytes",
  ]);
  assertEquals(await code({ to: "gltf", limits: { maxOutputBytes: 99 } }), [
    "LIMIT-EXCEEDED",
    "maxOutputBytes",
  ]);
  const glb = (await convert(sample("figure.payload"), { to: "gltf" }))
    .outputs[0];
  assertEquals(await code({ to: "payload", limits: { maxVertices: 3 } }, glb), [
    "LIMIT-EXCEEDED",
    "maxVertices",
  ]);
});

corpusTest(
  "convert() spaces levels without distances by the cook's rule",
  async () => {
    const rows = corpusJson<{
      default_distance: { radius: number; level: number; bits: string }[];
    }>("payload/COMPUTE_geometry.json").default_distance;
    const bits = (x: number) =>
      new Uint32Array(Float32Array.of(x).buffer)[0].toString(16).padStart(
        8,
        "0",
      );
    for (const { radius, level, bits: want } of rows) {
      // two points whose box has that half diagonal, and `level` further levels
      const g = new PlainGltf();
      const box = g.accessor("VEC3", [-radius, 0, 0, radius, 0, 0, 0, 0, 0]);
      const mesh = g.mesh({ POSITION: box });
      const ids = Array.from({ length: level }, () => g.node({ mesh }));
      g.root({ mesh, extensions: { MSFT_lod: { ids } } });
      const { file, added } = await toPayload(g.glb());
      if (level === 0) continue;
      assertEquals(
        bits(file.lodAlternates[level - 1].switchDistance),
        want,
        `radius ${radius}, level ${level}`,
      );
      assert(added.includes(`switch distances ${level}`));
    }
  },
);

Deno.test("convert() passes a mesh on through all formats without growing errors", async () => {
  const bytes = sample("figure.payload");
  const before = readPayload(bytes).vertices.pos;
  const glb = await convert(bytes, { to: "gltf" });
  const vvd = await convert(glb.outputs[0], { to: "vvd" });
  const again = await convert(vvd.outputs[0], { to: "gltf" });
  const last = await convert(again.outputs[0], { to: "payload" });
  readPayload(last.outputs[0]).vertices.pos.forEach((x, i) =>
    assertLess(Math.abs(x - before[i]), 2 ** -22 * Math.abs(before[i]) + 1e-30)
  );
});

Deno.test("convert() reads a VVD whose name says something else", async () => {
  const vvd = plainVvd({ counts: [3], vertices: plainRecords(3) });
  const { report } = await convert(vvd, { name: "x.payload", to: "gltf" });
  assertEquals(report.from, "vvd");
});
