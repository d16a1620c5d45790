import { assert, assertEquals } from "@std/assert";
import { plainRecords, plainTangents, plainVvd } from "../vvd/plain_vvd.ts";
import {
  putHeightfield,
  putLods,
  putMorphs,
  skinnedPart,
  staticPart,
} from "../payload/plain_payload.ts";
import { cli, jsonLines } from "./fake_host.ts";
import { plainGlb, plainGltf } from "./plain_gltf.ts";

/** Keys that the contract asks of every inspection. */
const KEYS = ["schema", "file", "format", "bytes", "mesh"];
const MESH_KEYS = [
  "vertices",
  "triangles",
  "bounds",
  "materials",
  "uvChannels",
  "attributes",
  "joints",
  "maxInfluences",
  "morphTargets",
  "lods",
  "heightfield",
];

function checkKeys(object: unknown, keys: readonly string[]): void {
  for (const key of keys) assert(Object.hasOwn(object as object, key), key);
}

const vvd = plainVvd({
  checksum: 0xfedcba98,
  counts: [5, 3],
  fixups: [[1, 0, 2], [0, 3, 2], [1, 2, 1]],
  vertices: plainRecords(5),
  tangents: plainTangents(5),
});

const skinned = putLods(
  putMorphs(
    skinnedPart(4, [0, 1, 2, 2, 1, 3], [{ name: "hip", parent: -1 }, {
      name: "knee",
      parent: 0,
    }]),
    4,
    ["smile", "frown"],
    [[1, 0, 0, 0.5, 0, 0, 0, 0], [2, 0, 0, -2, 0.25, 0, 0, 0], [
      2,
      1,
      1,
      0,
      0,
      0,
      0,
      0,
    ]],
  ),
  [[12.5, [0, 1, 2]]],
).raw([9, 9, 9]).bytes;

const grid = putHeightfield(
  putLods(staticPart(4, [0, 1, 2, 2, 1, 3]), [[7, [0, 1, 2]]]),
  2,
  3,
  [0, 1, 2, 3, 4, 5],
).bytes;

Deno.test("inspect --json prints one object a line with the contract's keys", async () => {
  const files = { "a.vvd": vvd, "b.payload": skinned, "c.glb": plainGlb(3) };
  const { code, out, err } = await cli(
    "inspect a.vvd b.payload c.glb --json",
    { files },
  );
  assertEquals([code, err], [0, ""]);
  const rows = jsonLines(out);
  assertEquals(rows.length, 3);
  for (const [i, [name, bytes]] of Object.entries(files).entries()) {
    checkKeys(rows[i], KEYS);
    checkKeys(rows[i].mesh, MESH_KEYS);
    assertEquals(rows[i].schema, "meshwright/inspect/1");
    assertEquals(rows[i].file, name);
    assertEquals(rows[i].bytes, bytes.length);
  }
  assertEquals(rows.map((r) => r.format), ["vvd", "payload", "gltf"]);
});

Deno.test("inspect --json shows a VVD's header as stored", async () => {
  const { out } = await cli("inspect a.vvd --json", {
    files: { "a.vvd": vvd },
  });
  const [row] = jsonLines(out) as { vvd: Record<string, unknown> }[];
  checkKeys(row.vvd, [
    "version",
    "checksum",
    "numLODs",
    "numLODVertexes",
    "fixups",
    "vertexDataStart",
    "tangentDataStart",
  ]);
  assertEquals(row.vvd.checksum, 0xfedcba98); // unsigned
  assertEquals(row.vvd.numLODVertexes, [5, 3, 3, 3, 3, 3, 3, 3]);
  assertEquals(row.vvd.fixups, [
    { lod: 1, sourceVertexID: 0, numVertexes: 2 },
    { lod: 0, sourceVertexID: 3, numVertexes: 2 },
    { lod: 1, sourceVertexID: 2, numVertexes: 1 },
  ]);
  assertEquals(row.vvd.vertexDataStart, 112); // 64 + 3 · 12, up to a multiple of 16
  assertEquals(row.vvd.tangentDataStart, 112 + 5 * 48);
});

Deno.test("inspect --lod describes the mesh at that LOD and refuses one that is not there", async () => {
  const files = { "a.vvd": vvd, "b.payload": skinned };
  type Row = { mesh: { vertices: number; triangles: number; lods: unknown } };
  const at = async (lod: number) => {
    const { out } = await cli(`inspect a.vvd b.payload --json --lod ${lod}`, {
      files,
    });
    return (jsonLines(out) as unknown as Row[]).map((r) => r.mesh);
  };
  const [vvd0, payload0] = await at(0);
  const [vvd1, payload1] = await at(1);
  assertEquals([vvd0.vertices, vvd1.vertices], [5, 3]);
  assertEquals([payload0.triangles, payload1.triangles], [2, 1]);
  // the list of levels is that of the file
  assertEquals(vvd1.lods, vvd0.lods);
  assertEquals(payload1.lods, [
    { level: 0, triangles: 2, vertices: 4, switchDistance: null },
    { level: 1, triangles: 1, vertices: 3, switchDistance: 12.5 },
  ]);
  const { code, out, err } = await cli("inspect a.vvd b.payload --lod 2", {
    files,
  });
  assertEquals([code, out], [2, ""]);
  assert(err.includes("found 2, the file has 0 to 1 [ARGUMENT"), err);
  assert(err.includes("found 2, the mesh has 0 to 1 [ARGUMENT"), err);
});

Deno.test("inspect --json shows a skinned payload's joints, morph targets and trailing bytes", async () => {
  const { out } = await cli("inspect b.payload --json", {
    files: { "b.payload": skinned },
  });
  const [row] = jsonLines(out) as {
    payload: unknown;
    mesh: { joints: number; maxInfluences: number; morphTargets: unknown };
  }[];
  assertEquals(row.payload, {
    kind: "skinned",
    trailingBytes: 3,
    morphBlock: "MRPS",
  });
  assertEquals([row.mesh.joints, row.mesh.maxInfluences], [2, 2]);
  assertEquals(row.mesh.morphTargets, [
    {
      name: "smile",
      movedVertices: 2,
      // the length of the delta of vertex 2
      largestDelta: Math.hypot(-2, 0.25),
      sample: [[1, 0, 0.5, 0], [2, 0, -2, 0.25]],
    },
    {
      name: "frown",
      movedVertices: 1,
      largestDelta: 1,
      sample: [[2, 1, 0, 0]],
    },
  ]);
});

Deno.test("inspect prints a table for people that says everything once", async () => {
  const { code, out, err } = await cli("inspect a.vvd b.payload c.payload", {
    files: { "a.vvd": vvd, "b.payload": skinned, "c.payload": grid },
  });
  assertEquals([code, err], [0, ""]);
  for (
    const line of [
      "a.vvd",
      "  size        432 bytes",
      "  header      version 4, checksum 0xfedcba98, 2 LODs, 3 fixups",
      "  mesh        5 vertices, no faces (a VTX has them)",
      "  LOD  vertices",
      "  1           3",
      "  fixup  lod  source  vertices",
      "  2        1       2         1",
      "  payload     skinned, 3 trailing bytes",
      "  mesh        4 vertices, 2 triangles",
      "  skin        2 joints, at most 2 influences a vertex",
      "  LOD  vertices  triangles  from distance",
      "  1           3          1           12.5",
      "  morph target  moves  largest delta",
      "  frown             1              1",
      "  heightfield  2 x 3",
    ]
  ) assert(out.includes(`${line}\n`), `${line}\nis not in\n${out}`);
  for (const line of out.split("\n")) assertEquals(line, line.trimEnd());
});

Deno.test("inspect writes one thing as one thing", async () => {
  const one = plainVvd({
    counts: [1],
    fixups: [[0, 0, 1]],
    vertices: plainRecords(1),
  });
  const { out } = await cli("inspect a.vvd b.payload", {
    files: {
      "a.vvd": one,
      "b.payload": skinnedPart(3, [0, 1, 2], [{ name: "x", parent: -1 }])
        .raw([0]).bytes,
    },
  });
  assert(out.includes("1 LOD, 1 fixup\n"), out);
  assert(out.includes("1 vertex, no faces"), out);
  assert(out.includes("1 joint, at most 1 influence a vertex"), out);
  assert(out.includes("3 vertices, 1 triangle\n"), out);
  assert(out.includes("1 trailing byte\n"), out);
});

Deno.test("inspect cuts a long fixup table and says how much is left", async () => {
  const file = plainVvd({
    counts: [25],
    fixups: Array.from({ length: 25 }, (_, i) => [0, i, 1] as const),
    vertices: plainRecords(25),
  });
  const { out } = await cli("inspect a.vvd", { files: { "a.vvd": file } });
  assert(out.includes("\n  19       0      19         1\n"), out);
  assert(!out.includes("\n  20  "), out);
  assert(out.includes("  … 5 more (--json)\n"), out);
});

Deno.test("inspect says whether a VVD without a pool should have one", async () => {
  const { code, out } = await cli("inspect a.vvd b.vvd", {
    files: {
      "a.vvd": plainVvd({ counts: [3], vertices: null }),
      "b.vvd": plainVvd({ counts: [0], vertices: null }),
    },
  });
  assertEquals(code, 0);
  assert(
    out.includes("the header counts 3 vertices, the file holds none"),
    out,
  );
  assert(out.includes("none: the file holds no vertices"), out);
});

Deno.test("inspect goes on behind a bad file and gives the highest exit code", async () => {
  const files = { "a.vvd": vvd, "cut.vvd": vvd.subarray(0, 200) };
  const { code, out, err } = await cli(
    "inspect none.vvd cut.vvd a.vvd --json",
    { files },
  );
  assertEquals(code, 3);
  // --json has a line for every file
  const lines = jsonLines(out) as unknown as {
    schema: string;
    file: string;
    format: string | null;
    error?: { code: string; message: string; offset?: number };
  }[];
  assertEquals(
    lines.map((r) => [r.schema, r.file, r.format, r.error?.code]),
    [
      ["meshwright/inspect/1", "none.vvd", null, "FILE-READ"],
      ["meshwright/inspect/1", "cut.vvd", "vvd", "VVD-RANGE"],
      ["meshwright/inspect/1", "a.vvd", "vvd", undefined],
    ],
  );
  assert(err.includes(lines[1].error!.message), err);
  assert(err.includes(`byte ${lines[1].error!.offset}`), err);
  assert(err.includes("none.vvd") && err.includes("[FILE-READ]"), err);
  assert(/^error: cut\.vvd: .*\[VVD-RANGE, byte \d+\]$/m.test(err), err);
  // a limit is worse than a bad file, wherever it stands
  const limited = await cli("inspect a.vvd none.vvd", { files, maxBytes: 100 });
  assertEquals(limited.code, 4);
  assert(limited.err.includes("[LIMIT-EXCEEDED"), limited.err);
});

Deno.test("inspect starts its output without an empty line when the first file is bad", async () => {
  const { out } = await cli("inspect none.vvd a.vvd a.vvd", {
    files: { "a.vvd": vvd },
  });
  assert(out.startsWith("a.vvd\n"), out);
  assert(out.includes("\n\na.vvd\n"), out);
});

Deno.test("inspect reads stdin once", async () => {
  const { code, out } = await cli("inspect - --json", { stdin: vvd });
  assertEquals(code, 0);
  assertEquals(jsonLines(out)[0].file, "-");
  const twice = await cli("inspect - -", { stdin: vvd });
  assertEquals([twice.code, twice.out, twice.reads], [2, "", []]);
  assert(twice.err.includes("stdin can be read only once"), twice.err);
});

Deno.test("inspect takes the format from the content, not the extension", async () => {
  const files = {
    "a.bin": vvd,
    "b.vvd": skinned,
    "c.json": plainGlb(2),
    "d": grid,
    "e.vvd": grid,
    "f.glb": staticPart(1, []).bytes,
  };
  const { code, out } = await cli(
    "inspect a.bin b.vvd c.json d e.vvd f.glb --json",
    { files },
  );
  assertEquals(code, 0);
  assertEquals(jsonLines(out).map((r) => r.format), [
    "vvd",
    "payload",
    "gltf",
    "payload",
    "payload",
    "payload",
  ]);
});

Deno.test("inspect takes the format from the extension when the content leaves it open", async () => {
  const { code, err } = await cli("inspect a.vvd b.vvd c.glb", {
    files: {
      "a.vvd": new Uint8Array(200), // zeros: also a payload without vertices
      "b.vvd": new Uint8Array(0),
      "c.glb": vvd.subarray(8), // a header whose first bytes are lost
    },
  });
  assertEquals(code, 3);
  for (const wanted of ["VVD-ZERO", "VVD-EMPTY", "GLTF-"]) {
    assert(err.includes(`[${wanted}`), err);
  }
});

Deno.test("inspect --from overrides what the content says", async () => {
  const files = { "a.vvd": vvd };
  const { code, err } = await cli("inspect a.vvd --from payload", { files });
  assertEquals(code, 3);
  assert(err.includes("[PAYLOAD-TRUNCATED"), err);
  // a format that is written only
  const obj = await cli("inspect a.vvd --from obj", { files });
  assertEquals(obj.code, 3);
  assert(obj.err.includes("[FORMAT-UNSUPPORTED"), obj.err);
});

Deno.test("inspect exits 3 when nothing tells the format", async () => {
  const { code, out, err } = await cli("inspect x", {
    files: { x: "hello, mesh" },
  });
  assertEquals([code, out], [3, ""]);
  assert(err.includes("68 65 6c 6c 6f 2c 20 6d"), err);
  assert(err.endsWith("[FORMAT-UNKNOWN, byte 0]\n"), err);
});

Deno.test("inspect shows names from a file without their control characters", async () => {
  const file = putMorphs(
    skinnedPart(3, [0, 1, 2], [{ name: "x", parent: -1 }]),
    3,
    ["\x1b]0;owned\x07"],
    [[0, 0, 1, 0, 0, 0, 0, 0]],
  ).bytes;
  const { out } = await cli("inspect a.payload", {
    files: { "a.payload": file },
  });
  assert(!out.includes("\x1b") && !out.includes("\x07"));
  assert(out.includes("\\u001b]0;owned\\u0007"), out);
});

Deno.test("inspect reads the buffer beside a glTF, whatever the glTF is called", async () => {
  const { json, bin } = plainGltf(4, "part%20one/m%C3%A9sh.bin");
  for (const name of ["dir/a.gltf", "dir/a.txt"]) {
    const { code, out, reads, err } = await cli(["inspect", name, "--json"], {
      files: { [name]: json, "dir/part one/mésh.bin": bin },
    });
    assertEquals(code, 0, err);
    assertEquals(reads, [name, "dir/part one/mésh.bin"]);
    const [{ mesh }] = jsonLines(out) as { mesh: Record<string, unknown> }[];
    assertEquals([mesh.vertices, mesh.triangles], [8, 6]);
    assertEquals(mesh.bounds, { min: [0, 0, 0], max: [3, 1, 0] });
  }
});

Deno.test("inspect reads the buffer beside a GLB that keeps it outside", async () => {
  const { code, out } = await cli("inspect a.glb --json", {
    files: { "a.glb": plainGlb(4, "a.bin"), "a.bin": plainGltf(4, "").bin },
  });
  assertEquals(code, 0);
  assertEquals((jsonLines(out)[0].mesh as { vertices: number }).vertices, 8);
});

Deno.test("inspect reads no buffer outside the glTF's own folder", async () => {
  const { bin } = plainGltf(2, "");
  for (
    const uri of [
      "../b.bin",
      "sub/../../b.bin",
      "..\\b.bin",
      "%2e%2e/b.bin",
      "%2E%2E%2Fb.bin",
      "/b.bin",
      "\\b.bin",
      "%2Fb.bin",
      "C:\\b.bin",
      "file:///b.bin",
      "FILE:b.bin",
      "http://127.0.0.1/b.bin",
      "%",
      "",
    ]
  ) {
    const { json } = plainGltf(2, uri);
    const files: Record<string, Uint8Array | string> = { "dir/a.gltf": json };
    // every place that a careless reader could take it from
    for (const prefix of ["", "dir/"]) {
      files[prefix + uri] ??= bin;
      files[prefix + unescapeUri(uri)] ??= bin;
    }
    files["b.bin"] = files["/b.bin"] = bin;
    const { code, err, reads } = await cli("inspect dir/a.gltf", { files });
    assertEquals(reads, ["dir/a.gltf"], uri);
    assertEquals(code, 3, uri);
    assert(err.includes("[GLTF-EXTERNAL"), `${uri}: ${err}`);
  }
});

function unescapeUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

Deno.test("inspect reads no buffers for a glTF on stdin", async () => {
  const { json, bin } = plainGltf(2, "a.bin");
  const { code, reads, err } = await cli("inspect -", {
    stdin: new TextEncoder().encode(json),
    files: { "a.bin": bin },
  });
  assertEquals([code, reads], [3, ["-"]]);
  assert(err.includes("[GLTF-EXTERNAL"), err);
});

Deno.test("inspect counts the buffers of a glTF towards the limit on its size", async () => {
  const { json, bin } = plainGltf(2, "a.bin");
  const { code, err } = await cli("inspect a.gltf", {
    files: { "a.gltf": json, "a.bin": bin },
    maxBytes: bin.length - 1,
  });
  assertEquals(code, 4);
  assert(err.includes("[LIMIT-EXCEEDED"), err);
});

Deno.test("inspect gives a reader's error for a glTF whose JSON is broken or odd", async () => {
  const texts = [
    '{"asset":{"version":"2.0"},"buffers":[{"uri":"a\nb"}]}',
    '{"asset":{"version":"2.0"},"buffers":',
    '{"asset":{"version":"2.0"},"buffers":{"uri":"a.bin"}}',
    '{"asset":{"version":"2.0"},"buffers":[null,7,{"uri":7}]}',
    "glTF\x02\0\0\0",
    "glTF" + "\xff".repeat(30),
  ];
  for (const text of texts) {
    const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
    const { code, err } = await cli("inspect a.gltf", {
      files: { "a.gltf": bytes },
    });
    assertEquals(code, 3, text);
    assert(/\[GLTF-[A-Z-]+/.test(err), `${text}: ${err}`);
  }
});
