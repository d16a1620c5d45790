/** What a conversion makes of the geometry that the input had not: levels of detail, heightfields, mended tangents. */
import { assert, assertEquals } from "@std/assert";
import { encode } from "fast-png";
import { convert } from "../../src/convert/convert.ts";
import { MeshError } from "../../src/core/errors.ts";
import { readGltf, writeGlb } from "../../src/formats/gltf/mod.ts";
import {
  deserialiseHeightfield,
  deserialiseWithLods,
  payloadToMesh,
  readPayload,
  writePayload,
} from "../../src/formats/payload/mod.ts";
import { buildLods } from "../../src/ops/mod.ts";
import { corpusBytes, corpusJson, corpusTest } from "../corpus.ts";
import { plainMesh } from "../ops/plain_mesh.ts";
import { assertSameBytes } from "../same_bytes.ts";
import { cli, jsonLines, sample } from "./fake_host.ts";

const terrain = sample("terrain.payload");
const files = {
  "a.vvd": sample("lantern.vvd"),
  "t.payload": terrain,
  "f.payload": sample("figure.payload"),
};

interface Report {
  from: string;
  bytes: { in: number };
  loss: { what: string; kind: string; count: number; why: string }[];
  added: { what: string; count: number; why: string }[];
}

/** One conversion: the report and the file. */
async function made(line: string, world: Record<string, Uint8Array> = files) {
  const ran = await cli(`${line} --json`, { files: world });
  assertEquals(ran.code, 0, ran.err + ran.out);
  const report = jsonLines(ran.out)[0] as unknown as Report;
  return { report, bytes: ran.files.get(line.split(" ")[2])! };
}

Deno.test("convert --build-lods makes levels in place of those of the input, and says so", async () => {
  const { report, bytes } = await made(
    "convert t.payload b.payload --build-lods 0.5,0.1 --switch-distances 7,9.5",
  );
  const { lodAlternates } = deserialiseWithLods(bytes);
  assertEquals(lodAlternates.map((l) => l.switchDistance), [7, 9.5]);
  lodAlternates.forEach(({ indices }, i) => {
    const wanted = [768, 153][i];
    const triangles = indices.length / 3;
    assert(triangles <= wanted && triangles > wanted - 8, `${triangles}`);
  });
  assertEquals(report.loss.map((l) => [l.what, l.count]), [
    ["levels of detail", 2],
  ]);
  assertEquals(report.added.map((a) => [a.what, a.count]), [
    ["levels of detail", 2],
  ]);
  assert(/meshoptimizer.*1536, 7\d\d, 1\d\d tri/.test(report.added[0].why));
});

Deno.test("convert --build-lods N --lod-rule payload is the cook's own, bit for bit", async () => {
  const { bytes } = await made(
    "convert t.payload b.payload --build-lods 4 --lod-rule payload",
  );
  const mesh = payloadToMesh(readPayload(terrain));
  const cook = buildLods({ ...mesh, lods: mesh.lods.slice(0, 1) }, {
    levels: 4,
  });
  assertEquals(payloadToMesh(readPayload(bytes)).lods, cook.lods);
});

Deno.test("convert --build-lods keeps skin and morph targets for every level, in the output's unit", async () => {
  const { bytes, report } = await made(
    "convert f.payload b.glb --build-lods 0.6,0.3",
  );
  const { mesh } = await readGltf(bytes);
  assertEquals(mesh.lods.length, 3);
  const source = payloadToMesh(readPayload(sample("figure.payload")));
  assertEquals(mesh.vertexCount, source.vertexCount);
  assertEquals(mesh.morphs!.targets.length, source.morphs!.targets.length);
  assertEquals(mesh.attributes.joints!.length, source.vertexCount * 4);
  assert(report.added.some((a) => a.what === "levels of detail"));
});

Deno.test("convert --build-lods refuses targets without levels, clouds, and details without it", async () => {
  const cases: [string, RegExp][] = [
    ["t.payload b.obj --build-lods 0.5", /gltf or payload or smd.*obj/],
    ["t.payload b.vvd --build-lods 2", /vvd holds none/],
    ["a.vvd b.glb --build-lods 0.5", /faces/],
    ["t.payload b.glb --build-lods 0.5,0.7", /smaller than the one before/],
    ["t.payload b.glb --build-lods half", /numbers.*"half"/],
    ["t.payload b.glb --build-lods 0.5,", /numbers/],
    ["t.payload b.glb --build-lods 0.5 --switch-distances 1,2", /2 found, 1/],
    ["t.payload b.glb --lod-rule payload", /--build-lods/],
    ["t.payload b.glb --lock-border", /--build-lods/],
    ["t.payload b.glb --build-lods 2 --lod-error -1", /0 or more/],
  ];
  for (const [line, message] of cases) {
    const ran = await cli(`convert ${line}`, { files });
    assertEquals([ran.code, ran.writes], [2, []], line);
    assert(message.test(ran.err), `${line}: ${ran.err}`);
  }
});

Deno.test("convert() takes the payload's rule where no simplifier is handed over", async () => {
  const { report } = await convert(terrain, {
    to: "gltf",
    buildLods: { ratios: [0.5] },
  });
  assert(report.added[0].why.includes("payload's own rule"));
  const wanting = await convert(terrain, {
    to: "gltf",
    buildLods: { ratios: [0.5], rule: "meshoptimizer" },
  }).catch((e) => e);
  assert(wanting instanceof MeshError && wanting.path === "simplifier");
});

Deno.test("convert --weld merges what exporters write apart, and reports how many", async () => {
  // two triangles of a square, corner by corner, one corner a hair off
  const position = [
    ...[0, 0, 0, 1, 0, 0, 1, 1, 0],
    ...[0, 0, 0, 1, 1, 0.001, 0, 1, 0],
  ];
  const square = plainMesh(position, [0, 1, 2, 3, 4, 5]);
  const world = { "s.glb": await writeGlb(square) };
  for (const [tolerance, vertices] of [["0", 5], ["0.01", 4]] as const) {
    const { report, bytes } = await made(
      `convert s.glb b.glb --weld ${tolerance}`,
      world,
    );
    assertEquals((await readGltf(bytes)).mesh.vertexCount, vertices);
    assertEquals(report.loss.map((l) => [l.what, l.count]), [
      ["vertices", 6 - vertices],
    ]);
  }
});

Deno.test("batch takes the options of convert", async () => {
  const help = await cli("help batch");
  const convertHelp = await cli("help convert");
  const options = (text: string) =>
    [...text.matchAll(/^ {2}(--\S+)/gm)].map((m) => m[1]);
  const own = ["--out-dir", "--jobs", "--resume"];
  const single = ["--mesh-package", "--skeleton-package"];
  assertEquals(
    options(help.out).filter((o) => !own.includes(o)),
    options(convertHelp.out).filter((o) => !single.includes(o)),
  );
});

Deno.test("convert --heightfield adds the grid of a mesh that is one, and refuses others", async () => {
  const plain = await made("convert t.payload b.glb");
  const { mesh } = await readGltf(plain.bytes);
  assert(mesh.heightfield !== null);
  const { report, bytes } = await made(
    "convert t.payload b.payload --heightfield --scale 2",
  );
  const grid = deserialiseHeightfield(bytes)!;
  assertEquals([grid.rows, grid.cols], [25, 33]);
  const source = readPayload(terrain);
  // heights are the vertices' own, in the output's unit
  grid.heights.forEach((h, v) =>
    assertEquals(h, 2 * source.vertices.pos[v * 3 + 1])
  );
  assert(report.added.some((a) => /25 rows.*33 columns/.test(a.why)));
  const figure = await cli("convert f.payload b.glb --heightfield", { files });
  assertEquals([figure.code, figure.writes], [3, []]);
  assert(figure.err.includes("[HEIGHTFIELD-GRID"), figure.err);
  const obj = await cli("convert t.payload b.obj --heightfield", { files });
  assertEquals([obj.code, obj.writes], [2, []]);
  assert(obj.err.includes("holds a heightfield"), obj.err);
});

/** A PNG whose sample at row r, column c is 10·r + c. */
const ramp = (width: number, height: number, depth: 8 | 16) => {
  const data = (depth === 8 ? Uint8Array : Uint16Array).from(
    Array.from(
      { length: width * height },
      (_, i) => 10 * Math.floor(i / width) + i % width,
    ),
  );
  return encode({ width, height, depth, channels: 1, data });
};

Deno.test("heightfield makes the same terrain of a PNG, of raw samples and of the grid mesh it became", async () => {
  const png = ramp(7, 5, 16);
  const raw = new Uint8Array(70);
  for (let i = 0; i < 35; i++) {
    const sample = 10 * Math.floor(i / 7) + i % 7;
    new DataView(raw.buffer).setUint16(i * 2, sample, true);
  }
  const world = { "h.png": png, "h.r16": raw };
  const options = "--elevation 65535 --extent 12,8 --cells image";
  const a = await made(`heightfield h.png b.payload ${options}`, world);
  const grid = deserialiseHeightfield(a.bytes)!;
  assertEquals([grid.rows, grid.cols], [5, 7]);
  grid.heights.forEach((h, i) =>
    assert(Math.abs(h - (10 * Math.floor(i / 7) + i % 7)) < 0.02, `${h}`)
  );
  assertEquals(a.report.bytes.in, png.length);
  assertEquals(a.report.added[0].what, "terrain");
  const { vertices } = readPayload(a.bytes);
  assertEquals([...vertices.pos.subarray(0, 3)], [-6, 0, -4]);
  const b = await made(`heightfield h.r16 b.payload --size 7x5 ${options}`, {
    ...world,
  });
  assertSameBytes(b.bytes, a.bytes);
  const glb = await made(`heightfield h.png b.glb ${options}`, world);
  const c = await made("heightfield m.glb b.payload", { "m.glb": glb.bytes });
  assertEquals(deserialiseHeightfield(c.bytes), grid);
});

Deno.test("heightfield says what it was made from, and how many heights are resampled to how large a grid", async () => {
  const options = "--elevation 20000";
  const row = async (name: string, image: Uint8Array, more: string) => {
    const { report } = await made(
      `heightfield ${name} b.payload ${options}${more}`,
      { [name]: image },
    );
    return report;
  };
  // all samples have their vertices
  const whole = await row("h.png", ramp(7, 5, 16), " --cells 4x6");
  assertEquals([whole.from, whole.loss], ["png", []]);
  const coarse = await row("h.png", ramp(7, 5, 16), "");
  assertEquals(
    coarse.loss.map((l) => [l.what, l.kind, l.count]),
    [["heights", "changed", 35]],
  );
  assert(coarse.added[0].why.startsWith("65 rows of 65 heights"));
  assert(coarse.loss[0].why.endsWith("cells=image keeps every sample"));
  // more, or fewer, samples than a terrain has places
  for (
    const [width, height, grid] of [[300, 5, "5 rows of 256"], [
      4,
      9,
      "9 rows of 5",
    ]] as const
  ) {
    const raw = new Uint8Array(width * height);
    const size = ` --size ${width}x${height} --cells image`;
    const report = await row("h.raw", raw, size);
    assertEquals(report.from, "raw");
    assertEquals(report.loss.map((l) => l.count), [width * height]);
    assert(report.loss[0].why.endsWith("a terrain has 5 to 256 a side"));
    assert(report.added[0].why.startsWith(grid), report.added[0].why);
  }
  const { code, writes } = await cli(
    "heightfield h.png b.payload --elevation 9 --strict",
    { files: { "h.png": ramp(7, 5, 16) } },
  );
  assertEquals([code, writes], [1, []]);
});

Deno.test("heightfield drops channels that say something else than the grey, and says so", async () => {
  const dropped = async (pixel: (i: number) => number[]) => {
    const [width, height] = [5, 5];
    const data = Uint8Array.from(
      Array.from({ length: 25 }, (_, i) => pixel(i)).flat(),
    );
    const png = encode({
      width,
      height,
      depth: 8,
      channels: (data.length / 25) as 1 | 2 | 3 | 4,
      data,
    });
    const { report } = await made(
      "heightfield h.png b.payload --elevation 9 --cells image",
      { "h.png": png },
    );
    return report.loss.map((l) => [l.kind, l.count]);
  };
  assertEquals(await dropped((i) => [i]), []);
  assertEquals(await dropped((i) => [i, 255]), []);
  assertEquals(await dropped((i) => [i, i, i, 255]), []);
  assertEquals(await dropped((i) => [i, i, 7, 255]), [["dropped", 1]]);
  assertEquals(await dropped((i) => [i, i, i, i]), [["dropped", 1]]);
  assertEquals(await dropped((i) => [i, 1, 2, 3]), [["dropped", 3]]);
});

corpusTest(
  "heightfield reproduces the generator's file from its image",
  async () => {
    const { heightfield } = corpusJson<{
      heightfield: {
        width: number;
        height: number;
        red: number[];
        half_width: number;
        half_depth: number;
        subdivisions: number;
        elevation_min: number;
        elevation_max: number;
        payload: string;
      }[];
    }>("payload/COMPUTE_geometry.json");
    for (const h of heightfield) {
      const { width, height } = h;
      // red alone counts
      const data = Uint8Array.from(h.red.flatMap((red, i) => [red, i, 7, 9]));
      const world = {
        "h.png": encode({ width, height, depth: 8, channels: 4, data }),
      };
      const { bytes } = await made(
        `heightfield h.png b.payload --elevation ${h.elevation_min},${h.elevation_max} --extent ${
          h.half_width * 2
        },${h.half_depth * 2} --cells ${h.subdivisions}`,
        world,
      );
      assertSameBytes(bytes, corpusBytes(`payload/${h.payload}`));
    }
  },
);

Deno.test("heightfield refuses images that it can not place, and says which option helps", async () => {
  const world = {
    ...files,
    "h.png": ramp(4, 3, 8),
    "h.raw": terrain,
    "text.png": "hi\n",
  };
  const cases: [string, number, RegExp][] = [
    ["h.png b.payload", 2, /--elevation/],
    ["h.png b.payload --elevation 1,2,3", 2, /1 or 2 numbers/],
    ["h.png b.payload --elevation 9 --extent 5", 2, /--extent 2 numbers/],
    ["h.png b.payload --elevation 9 --extent 0,4", 2, /--extent two numbers/],
    ["h.png b.payload --elevation 0", 2, /--elevation a white sample above/],
    ["h.png b.payload --elevation 5,-5", 2, /black one \(5\): found -5/],
    ["text.png b.payload --elevation 9", 3, /no PNG \[HEIGHTFIELD-IMAGE\]/],
    ["h.png b.payload --elevation 9 --cells 4x", 2, /--cells two/],
    ["h.png b.payload --elevation 9 --cells 256", 2, /--cells 4 to 255/],
    ["h.png b.payload --elevation 9 --cells 64x256", 2, /found 64x256/],
    ["h.png b.payload --elevation 9 --cells 3x64", 2, /--cells 4 to 255/],
    ["h.raw b.payload --elevation 9 --size 0x4", 2, /--size two/],
    ["h.raw b.payload --elevation 9 --size 4x4", 3, /HEIGHTFIELD-IMAGE/],
    ["t.payload b.payload --elevation 9", 2, /--elevation/],
    ["f.payload b.glb", 3, /HEIGHTFIELD-GRID/],
    ["f.payload b.payload", 2, /skinned payload holds no heightfield/],
  ];
  for (const [line, code, message] of cases) {
    const ran = await cli(`heightfield ${line}`, { files: world });
    assertEquals([ran.code, ran.writes], [code, []], `${line}: ${ran.err}`);
    assert(message.test(ran.err), `${line}: ${ran.err}`);
  }
});

Deno.test("convert --degenerate repair gives every rebuilt tangent a direction, and both choices count them", async () => {
  // every texture coordinate the same: no direction of u anywhere
  const mesh = readPayload(terrain);
  const flat = {
    ...mesh.vertices,
    uv: new Float32Array(mesh.vertices.count * 2),
  };
  const bytes = writePayload({ ...mesh, vertices: flat } as typeof mesh);
  const tangents = async (choice: string) => {
    const { report, bytes: out } = await made(
      `convert t.payload b.payload --tangents rebuild${choice}`,
      { "t.payload": bytes },
    );
    const { vertices } = readPayload(out);
    let off = 0;
    for (let v = 0; v < vertices.count; v++) {
      const [n, t] = [vertices.normal, vertices.tangent].map((a) =>
        a.subarray(v * 3, v * 3 + 3)
      );
      const dot = n[0] * t[0] + n[1] * t[1] + n[2] * t[2];
      const length = Math.hypot(...t);
      if (Math.abs(dot) > 1e-3 || Math.abs(length - 1) > 1e-3) off++;
    }
    const row = report.added.find((a) => a.what === "degenerate tangents");
    return { off, counted: row?.count ?? 0 };
  };
  const kept = await tangents("");
  assert(kept.off > 0);
  assertEquals(await tangents(" --degenerate reference"), kept);
  assertEquals(await tangents(" --degenerate repair"), {
    off: 0,
    counted: kept.counted,
  });
  assert(kept.counted >= kept.off);
  const regular = await made("convert t.payload b.payload --tangents rebuild");
  assertEquals(
    regular.report.added.filter((a) => a.what === "degenerate tangents"),
    [],
  );
});

Deno.test("convert --scale towards a VVD is the length of its unit, and there and back gives the positions", async () => {
  const { bytes } = await made("convert a.vvd b.glb --scale 0.02");
  const back = await made("convert b.glb c.vvd --scale 0.02", {
    "b.glb": bytes,
  });
  const bounds = async (name: string, content: Uint8Array) => {
    const seen = await cli(`inspect ${name} --json`, {
      files: { [name]: content },
    });
    const { mesh } = jsonLines(seen.out)[0] as {
      mesh: { bounds: { min: number[]; max: number[] } };
    };
    return [...mesh.bounds.min, ...mesh.bounds.max];
  };
  const [a, b] = [
    await bounds("a.vvd", files["a.vvd"]),
    await bounds("c.vvd", back.bytes),
  ];
  a.forEach((x, k) => assert(Math.abs(x - b[k]) < 1e-4, `${x} ${b[k]}`));
  // both sides in Source units: a factor
  const twice = await made("convert a.vvd d.vvd --scale 2");
  (await bounds("d.vvd", twice.bytes)).forEach((x, k) =>
    assertEquals(x, 2 * a[k])
  );
});
