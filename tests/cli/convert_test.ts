import { assert, assertEquals } from "@std/assert";
import { plainRecords, plainTangents, plainVvd } from "../vvd/plain_vvd.ts";
import { putLods, staticPart } from "../payload/plain_payload.ts";
import { assertSameBytes } from "../same_bytes.ts";
import { bytesOf, triangle } from "../css/plain_css.ts";
import { cli, jsonLines, sample } from "./fake_host.ts";
import { plainGlb, plainGltf } from "./plain_gltf.ts";

const lantern = sample("lantern.vvd");
const terrain = sample("terrain.payload");
const figure = sample("figure.payload");
const files = {
  "a.vvd": lantern,
  "t.payload": terrain,
  "f.payload": figure,
};

interface Report {
  schema: string;
  in: string;
  out: string;
  outputs?: string[];
  from: string;
  to: string;
  bytes: { in: number; out: number };
  basis: Record<string, unknown>;
  loss: { what: string; kind: string; count: number; why: string }[];
  written: boolean;
}

const report = (out: string) => jsonLines(out)[0] as unknown as Report;
const magic = (bytes: Uint8Array) =>
  new TextDecoder().decode(bytes.subarray(0, 4));

Deno.test("convert writes the format that the extension names, in any case", async () => {
  for (
    const [out, begins] of [
      ["b.glb", "glTF"],
      ["b.GLB", "glTF"],
      ["b.gltf", '{"as'],
      ["dir/b.VVD", "IDSV"],
    ]
  ) {
    const ran = await cli(["convert", "a.vvd", out], { files });
    assertEquals(ran.code, 0, ran.err);
    assertEquals(ran.writes, [[out]]);
    assertEquals(ran.out, "");
    assertEquals(magic(ran.files.get(out)!), begins);
  }
});

Deno.test("convert --to overrides the extension, and says so when neither names a format", async () => {
  const over = await cli("convert t.payload b.bin --to glb", { files });
  assertEquals(magic(over.files.get("b.bin")!), "glTF");
  const other = await cli("convert t.payload b.glb --to vvd", { files });
  assertEquals(magic(other.files.get("b.glb")!), "IDSV");
  for (
    const [out, to, begins] of [
      ["b.gltf", "glb", "glTF"],
      ["b.gltf", "gltf", '{"as'],
      ["b.glb", "gltf", "glTF"],
      ["b.glb", "gltf-json", '{"as'],
      ["b.bin", "gltf-json", '{"as'],
    ]
  ) {
    const ran = await cli(["convert", "t.payload", out, "--to", to], { files });
    assertEquals(magic(ran.files.get(out)!), begins, `${out} --to ${to}`);
  }
  for (
    const [out, want] of [
      [
        "b.bin",
        "Name the target with --to: the extension of b.bin says nothing",
      ],
      ["b", "Name the target with --to: the extension of b says nothing"],
      ["-", "Name the target with --to: stdout has no extension"],
      ["b.mdl", "this version does not write mdl"],
    ]
  ) {
    const { code, err, writes, reads } = await cli(["convert", "a.vvd", out], {
      files,
    });
    assertEquals([code, writes, reads], [2, [], []]);
    assert(err.includes(want), err);
  }
});

Deno.test("convert --from overrides what the content says", async () => {
  const ran = await cli("convert a.bin b.glb --from payload", {
    files: { "a.bin": lantern },
  });
  assertEquals([ran.code, ran.writes], [3, []]);
  assert(ran.err.includes("PAYLOAD-TRUNCATED"), ran.err);
});

Deno.test("convert copies a file of the same format byte for byte", async () => {
  const odd = plainVvd({
    counts: [2],
    vertices: plainRecords(2),
    verticesAt: 77,
    filler: 0xee,
    tail: Uint8Array.of(1, 2, 3),
  });
  const doubtful = putLods(staticPart(2, [0, 1, 9, 4]), [[-1, []]])
    .raw([5, 6, 7]).bytes;
  const ran = await cli("convert a.bin b.vvd --json", {
    files: { "a.bin": odd },
  });
  assertSameBytes(ran.files.get("b.vvd")!, odd);
  assertEquals(report(ran.out).loss, []);
  const other = await cli("convert a.bin b.payload --strict", {
    files: { "a.bin": doubtful },
  });
  assertEquals(other.code, 0);
  assertSameBytes(other.files.get("b.payload")!, doubtful);
});

Deno.test("convert --json prints the report on stdout as one object with the contract's keys", async () => {
  const ran = await cli("convert a.vvd b.glb --json", { files });
  assertEquals([ran.code, ran.err], [0, ""]);
  assertEquals(ran.out.split("\n").length, 2);
  const row = report(ran.out);
  for (
    const key of ["schema", "in", "out", "from", "to", "bytes", "basis", "loss"]
  ) assert(Object.hasOwn(row, key), key);
  assertEquals(row.schema, "meshwright/convert/1");
  assertEquals([row.in, row.out, row.from, row.to], [
    "a.vvd",
    "b.glb",
    "vvd",
    "gltf",
  ]);
  assertEquals(row.bytes, {
    in: lantern.length,
    out: ran.files.get("b.glb")!.length,
  });
  assertEquals(Object.keys(row.basis), [
    "from",
    "to",
    "determinant",
    "scale",
    "windingReversed",
    "uvFlipped",
  ]);
  assertEquals(row.basis.scale, 0.0254);
  assertEquals(row.basis.determinant, 1);
  assertEquals(row.basis.windingReversed, true);
  for (const l of row.loss) {
    for (const key of ["what", "kind", "count", "largest", "why"]) {
      assert(Object.hasOwn(l, key), key);
    }
  }
  assertEquals(row.loss.map((l) => [l.kind, l.what, l.count]), [
    ["dropped", "checksum", 1],
    ["dropped", "levels of detail", 2],
    ["dropped", "fixups", 6],
  ]);
});

Deno.test("convert --json prints an object for a file that fails too", async () => {
  const { code, out, err } = await cli("convert none.vvd b.glb --json");
  assertEquals(code, 3);
  const [line] = jsonLines(out);
  assertEquals([line.schema, line.in, line.out, line.written], [
    "meshwright/convert/1",
    "none.vvd",
    "b.glb",
    false,
  ]);
  const error = line.error as { code: string; message: string };
  assertEquals(error.code, "FILE-READ");
  assert(err.includes(error.message), err);
});

Deno.test("convert says what was lost before it says what was added", async () => {
  const { err } = await cli("convert a.json b.glb", {
    files: { "a.json": bytesOf(triangle()) },
  });
  const kinds = err.split("\n").slice(1, -1).map((line) =>
    line.startsWith("  added ") ? "added" : "lost"
  );
  assert(kinds.length > 1, err);
  assertEquals(kinds, kinds.toSorted((a, b) => a < b ? 1 : -1), err);
});

Deno.test("convert reports losses on stderr for people", async () => {
  const ran = await cli("convert a.vvd b.glb", { files });
  assertEquals(ran.out, "");
  assert(
    /^Converted a\.vvd \(vvd, 36 KiB\) to b\.glb \(gltf, \d+ KiB\)\n/.test(
      ran.err,
    ),
    ran.err,
  );
  assert(
    ran.err.includes(
      "\n  dropped checksum (1): only a Source vertex file holds it\n",
    ),
    ran.err,
  );
  const none = await cli("convert t.payload b.glb", { files });
  assert(none.err.endsWith("\n  nothing lost\n"), none.err);
  const added = await cli("convert a.vvd b.payload", { files });
  assert(/^ {2}dropped tangent signs \(\d+\): /m.test(added.err), added.err);
  const fresh = await cli("convert a.glb b.payload", {
    files: { "a.glb": plainGlb(3) },
  });
  assert(/^ {2}added normals \(6\): /m.test(fresh.err), fresh.err);
});

Deno.test("convert --quiet reports nothing but errors", async () => {
  const ran = await cli("convert a.vvd b.glb --quiet", { files });
  assertEquals([ran.code, ran.out, ran.err], [0, "", ""]);
  assertEquals(ran.writes, [["b.glb"]]);
  const bad = await cli("convert x.vvd b.glb --quiet", { files });
  assertEquals(bad.code, 3);
  assert(bad.err.includes("[FILE-READ]"));
});

Deno.test("convert colours its report where colours are shown, never its JSON", async () => {
  const ran = await cli("convert a.vvd b.glb", { files, color: true });
  assert(ran.err.includes("\x1b[33mdropped\x1b[39m checksum"), ran.err);
  const json = await cli("convert a.vvd b.glb --json", { files, color: true });
  assert(!json.out.includes("\x1b"));
});

Deno.test("convert refuses an OUT that exists, reads nothing and leaves it", async () => {
  const old = new TextEncoder().encode("old");
  const world = { files: { ...files, "b.glb": old } };
  const ran = await cli("convert a.vvd b.glb", world);
  assertEquals([ran.code, ran.out, ran.reads, ran.writes], [2, "", [], []]);
  assert(ran.err.includes("Pass --force to overwrite b.glb: it exists"));
  assertEquals(ran.files.get("b.glb"), old);
  for (const line of ["--force a.vvd b.glb", "a.vvd --force b.glb"]) {
    const forced = await cli(`convert ${line}`, world);
    assertEquals([forced.code, forced.writes], [0, [["b.glb"]]]);
  }
});

Deno.test("convert refuses an OUT that is a folder, --force or not", async () => {
  for (const force of [[], ["--force"]]) {
    const ran = await cli(["convert", "a.vvd", "d", "--to", "gltf", ...force], {
      files,
      folders: ["d"],
    });
    assertEquals([ran.code, ran.reads, ran.writes], [2, [], []]);
    assert(ran.err.includes("Name a file to write: d is a folder"), ran.err);
  }
});

Deno.test("convert --dry-run reports as usual and writes nothing", async () => {
  const ran = await cli("convert a.vvd b.glb --dry-run --force", {
    files: { ...files, "b.glb": "old" },
  });
  assertEquals([ran.code, ran.out, ran.writes], [0, "", []]);
  assert(ran.err.startsWith("Would convert a.vvd"), ran.err);
  const json = await cli("convert a.vvd b.glb --dry-run --json", { files });
  assertEquals(report(json.out).written, false);
  assertEquals(json.writes, []);
  const wet = await cli("convert a.vvd b.glb --json", { files });
  assertEquals({ ...report(json.out), written: true }, report(wet.out));
  const stdout = await cli("convert a.vvd - --to gltf --dry-run", { files });
  assertEquals([stdout.code, stdout.out], [0, ""]);
});

Deno.test("convert --strict exits 1 on a loss and writes nothing", async () => {
  const ran = await cli("convert a.vvd b.glb --strict", { files });
  assertEquals([ran.code, ran.out, ran.writes], [1, "", []]);
  assert(ran.err.startsWith("Refused (--strict) to convert a.vvd"), ran.err);
  const json = await cli("convert a.vvd b.glb --strict --json", { files });
  assertEquals([json.code, json.writes], [1, []]);
  assertEquals(report(json.out).written, false);
  assert(report(json.out).loss.length > 0);
  const stdout = await cli("convert a.vvd - --to gltf --strict", { files });
  assertEquals([stdout.code, stdout.out], [1, ""]);
});

Deno.test("convert --strict passes what is lossless, and repairs that the target demands", async () => {
  const lossless = await cli("convert t.payload b.glb --strict", { files });
  assertEquals([lossless.code, lossless.writes], [0, [["b.glb"]]]);
  const nan = staticPart(4, [0, 1, 2, 1, 2, 99]);
  const broken = nan.bytes;
  new DataView(broken.buffer).setFloat32(4 + 56 + 12, NaN, true); // a normal
  const ran = await cli("convert a.payload b.glb --strict --json", {
    files: { "a.payload": broken },
  });
  assertEquals(ran.code, 0);
  const row = report(ran.out);
  assertEquals(row.written, true);
  assert(row.loss.length >= 2, ran.out);
  for (const l of row.loss) assertEquals(l.kind, "repaired");
  assertEquals(
    row.loss.find((l) => l.what === "triangles")?.count,
    1,
  );
});

Deno.test("convert reads stdin and writes stdout, binary and pure", async () => {
  const file = await cli("convert a.vvd b.glb", { files });
  const ran = await cli("convert - - --to gltf", { stdin: lantern });
  assertEquals([ran.code, ran.writes, ran.reads], [0, [], ["-"]]);
  assertSameBytes(ran.bytes, file.files.get("b.glb")!);
  assert(ran.err.startsWith("Converted - (vvd, "), ran.err);
  // a binary file of any content
  const copy = await cli("convert - - --to payload --quiet", { stdin: figure });
  assertSameBytes(copy.bytes, figure);
  assertEquals(copy.err, "");
});

Deno.test("convert goes through three commands in a pipe and comes back equal", async () => {
  const a = await cli("convert - - --to gltf", { stdin: figure });
  const b = await cli("convert - - --to payload", { stdin: a.bytes });
  const c = await cli("inspect - --json", { stdin: b.bytes });
  assertEquals([a.code, b.code, c.code], [0, 0, 0]);
  assertSameBytes(b.bytes, figure);
  assertEquals(jsonLines(c.out)[0].format, "payload");
});

Deno.test("convert refuses options that would both write to stdout, or write parts to it", async () => {
  const json = await cli("convert a.vvd - --to gltf --json", { files });
  assertEquals([json.code, json.reads], [2, []]);
  assert(json.err.includes("both would go to stdout"), json.err);
  const split = await cli("convert a.vvd - --to payload --split", { files });
  assertEquals([split.code, split.out], [2, ""]);
  assert(split.err.includes("--split makes several"), split.err);
  // an OBJ has its MTL beside it, an SMD its VTA
  const several = await cli("convert - - --to obj", { stdin: figure });
  assertEquals([several.code, several.bytes.length], [2, 0]);
  assert(several.err.includes("takes 2 files"), several.err);
});

Deno.test("convert exits 5 when the output can not be written", async () => {
  const ran = await cli("convert a.vvd b.glb", { files, full: true });
  assertEquals([ran.code, ran.out], [5, ""]);
  assertEquals(ran.err, "error: Check free space: b.glb [FILE-WRITE]\n");
  assert(!ran.files.has("b.glb"));
});

Deno.test("convert exits 3 for an input that is missing, damaged or of an unread format", async () => {
  const ran = await cli("convert cut.vvd b.glb", {
    files: { "cut.vvd": lantern.subarray(0, 100) },
  });
  assertEquals([ran.code, ran.writes], [3, []]);
  assert(/^error: cut\.vvd: .*\[VVD-/.test(ran.err), ran.err);
  assertEquals((await cli("convert none.vvd b.glb")).code, 3);
  // a format that is written only
  const obj = await cli("convert a.obj b.glb", {
    files: { "a.obj": "v 0 0 0" },
  });
  assertEquals(obj.code, 3);
  assert(obj.err.includes("[FORMAT-UNSUPPORTED"), obj.err);
});

Deno.test("convert --lod takes one level and refuses one that is not there", async () => {
  for (const [name, top] of [["a.vvd", 2], ["t.payload", 2]] as const) {
    for (let lod = 0; lod <= top; lod++) {
      const ran = await cli(`convert ${name} b.glb --lod ${lod}`, { files });
      assertEquals(ran.code, 0, ran.err);
      const seen = await cli("inspect b.glb --json", {
        files: { "b.glb": ran.files.get("b.glb")! },
      });
      const { mesh } = jsonLines(seen.out)[0] as {
        mesh: { vertices: number; triangles: number; lods: unknown[] };
      };
      assertEquals(mesh.lods.length, 1);
      if (name === "a.vvd") {
        assertEquals(mesh.vertices, [578, 162, 50][lod]);
      } else assertEquals(mesh.triangles, [1536, 384, 96][lod]);
    }
    const ran = await cli(`convert ${name} b.glb --lod 3`, { files });
    assertEquals([ran.code, ran.writes], [2, []]);
    assert(ran.err.includes("found 3, the"), ran.err);
    assert(ran.err.includes("has 0 to 2 [ARGUMENT"), ran.err);
  }
});

Deno.test("convert --scale replaces the unit of Source and multiplies elsewhere", async () => {
  const top = async (line: string) => {
    const ran = await cli(`convert ${line} b.glb`, { files });
    assertEquals(ran.code, 0, ran.err);
    const seen = await cli("inspect b.glb --json", {
      files: { "b.glb": ran.files.get("b.glb")! },
    });
    const { mesh } = jsonLines(seen.out)[0] as {
      mesh: { bounds: { max: number[] } };
    };
    return mesh.bounds.max;
  };
  // the lantern is 20 units high, along Source's z
  assertEquals((await top("a.vvd --scale 1"))[1], 20);
  assertEquals((await top("a.vvd --scale=0.5"))[1], 10);
  assertEquals((await top("a.vvd"))[1], Math.fround(20 * 0.0254));
  assertEquals((await top("t.payload --scale 2"))[0], 32);
});

Deno.test("convert --tangents, --normals, --morph-epsilon, --max-influences and --checksum do what they say", async () => {
  const inspected = async (line: string, out: string) => {
    const ran = await cli(`convert ${line} ${out}`, { files });
    assertEquals(ran.code, 0, ran.err);
    const seen = await cli(`inspect ${out} --json`, {
      files: { [out]: ran.files.get(out)! },
    });
    return { err: ran.err, row: jsonLines(seen.out)[0] } as {
      err: string;
      row: {
        mesh: {
          attributes: string[];
          maxInfluences: number;
          morphTargets: { movedVertices: number }[];
        };
        vvd: { checksum: number };
      };
    };
  };
  const kept = await inspected("t.payload --tangents keep", "b.glb");
  assert(kept.row.mesh.attributes.includes("tangent"));
  const dropped = await inspected("t.payload --tangents drop", "b.glb");
  assert(!dropped.row.mesh.attributes.includes("tangent"));
  assert(dropped.err.includes("dropped tangents (825): asked for"));
  // its normals come from this very rule
  const rebuilt = await inspected("t.payload --normals rebuild", "b.glb");
  assert(rebuilt.err.includes("nothing lost"), rebuilt.err);
  const one = await inspected("f.payload --max-influences 1", "b.glb");
  assertEquals(one.row.mesh.maxInfluences, 1);
  const all = await inspected("f.payload", "b.glb");
  const few = await inspected("f.payload --morph-epsilon 0.1", "b.glb");
  const moved = (x: typeof all) =>
    x.row.mesh.morphTargets.reduce((n, t) => n + t.movedVertices, 0);
  assert(moved(few) < moved(all) && moved(few) > 0);
  const vvd = await inspected("t.payload --checksum 0xfedcba98", "b.vvd");
  assertEquals(vvd.row.vvd.checksum, 0xfedcba98);
});

Deno.test("convert writes .gltf as JSON with its buffer inside, and reads it back equal", async () => {
  const there = await cli("convert f.payload b.gltf --strict", { files });
  assertEquals(there.code, 0, there.err);
  const json = JSON.parse(
    new TextDecoder().decode(there.files.get("b.gltf")!),
  );
  assert(
    json.buffers[0].uri.startsWith("data:application/octet-stream;base64,"),
  );
  const back = await cli("convert b.gltf c.payload", {
    files: { "b.gltf": there.files.get("b.gltf")! },
  });
  assertEquals([back.code, back.reads], [0, ["b.gltf"]]);
  assertSameBytes(back.files.get("c.payload")!, figure);
});

Deno.test("convert reads a .gltf with its buffer beside it as the same mesh as the GLB", async () => {
  const { json, bin } = plainGltf(5, "data/strip.bin");
  const beside = await cli("convert x/a.gltf b.payload", {
    files: { "x/a.gltf": json, "x/data/strip.bin": bin },
  });
  const whole = await cli("convert a.glb b.payload", {
    files: { "a.glb": plainGlb(5) },
  });
  assertEquals([beside.code, whole.code], [0, 0], beside.err + whole.err);
  assertSameBytes(
    beside.files.get("b.payload")!,
    whole.files.get("b.payload")!,
  );
});

/** Vertex and index counts of a static payload, by the format's layout. */
function counts(payload: Uint8Array): [vertices: number, indices: number] {
  const view = new DataView(payload.buffer, payload.byteOffset);
  const vertices = view.getUint32(0, true);
  return [vertices, view.getUint32(4 + vertices * 56, true)];
}

Deno.test("convert refuses more than 65,536 vertices for a payload with both numbers", async () => {
  const ran = await cli("convert a.glb b.payload", {
    files: { "a.glb": plainGlb(32_769) },
  });
  assertEquals([ran.code, ran.writes], [4, []]);
  assert(ran.err.includes("65538") && ran.err.includes("65536"), ran.err);
  assert(ran.err.includes("[PAYLOAD-VERTEX-COUNT"), ran.err);
  assert(ran.err.includes("--split"), ran.err);
  const fits = await cli("convert a.glb b.payload --quiet", {
    files: { "a.glb": plainGlb(32_768) },
  });
  assertEquals([fits.code, fits.writes], [0, [["b.payload"]]]);
  assertEquals(counts(fits.files.get("b.payload")!), [65_536, 32_767 * 6]);
});

Deno.test("convert --split writes OUT.0.payload and so on, all triangles in them", async () => {
  const columns = 40_000;
  const world = { files: { "a.glb": plainGlb(columns) } };
  const ran = await cli(
    "convert a.glb out.dir/b.payload --split --json",
    world,
  );
  assertEquals(ran.code, 0, ran.err);
  const parts = ["out.dir/b.0.payload", "out.dir/b.1.payload"];
  assertEquals(ran.writes, [parts]); // together
  const row = report(ran.out);
  assertEquals(row.out, "out.dir/b.payload");
  assertEquals(row.outputs, parts);
  const sizes = parts.map((p) => ran.files.get(p)!.length);
  assertEquals(row.bytes.out, sizes[0] + sizes[1]);
  const [a, b] = parts.map((p) => counts(ran.files.get(p)!));
  assertEquals(a[1] + b[1], (columns - 1) * 6);
  assert(a[0] <= 65_536 && b[0] <= 65_536);
  // two vertices are on the cut
  assertEquals(a[0] + b[0], columns * 2 + 2);
  // existing parts are refused like an existing OUT
  const again = await cli("convert a.glb b.payload --split", {
    files: { ...world.files, "b.1.payload": "old" },
  });
  assertEquals([again.code, again.writes], [2, []]);
  assert(again.err.includes("overwrite b.1.payload"), again.err);
});

Deno.test("convert --split cuts a VVD's points, and leaves a mesh that fits in one file", async () => {
  const many = plainVvd({
    counts: [70_000],
    vertices: plainRecords(70_000),
    tangents: plainTangents(70_000),
  });
  const ran = await cli("convert a.vvd b --to payload --split", {
    files: { "a.vvd": many },
  });
  assertEquals(ran.code, 0, ran.err);
  assertEquals(ran.writes, [["b.0", "b.1"]]);
  assertEquals(
    ["b.0", "b.1"].map((p) => counts(ran.files.get(p)!)[0]),
    [65_536, 70_000 - 65_536],
  );
  assert(ran.err.includes("to b.0, b.1 (payload"), ran.err);
  const one = await cli("convert a.vvd b.payload --split", { files });
  assertEquals(one.writes, [["b.payload"]]);
});
