import { assert, assertEquals } from "@std/assert";
import {
  plainGather,
  plainRecords,
  plainReplay,
  plainTangents,
  plainVvd,
} from "../vvd/plain_vvd.ts";
import { assertSameBytes } from "../same_bytes.ts";
import { cli, jsonLines, sample } from "./fake_host.ts";

/** Two meshes of a model with three LODs: the fixups interleave their vertices. */
const vertices = plainRecords(9);
const tangents = plainTangents(9);
const spread = plainVvd({
  checksum: 0x80000001,
  counts: [9, 6, 2],
  fixups: [[2, 0, 1], [1, 2, 2], [0, 6, 1], [2, 1, 1], [1, 4, 2], [0, 7, 2]],
  vertices,
  tangents,
});
const files = { "a.vvd": spread };

/** Header fields of a VVD, by the format's layout. */
function header(file: Uint8Array) {
  const view = new DataView(file.buffer, file.byteOffset);
  const i32 = (at: number) => view.getInt32(at, true);
  return {
    checksum: view.getUint32(8, true),
    numLODs: i32(12),
    counts: Array.from({ length: 8 }, (_, i) => i32(16 + 4 * i)),
    fixups: i32(48),
    vertexDataStart: i32(56),
    tangentDataStart: i32(60),
  };
}

Deno.test("replay writes what a plain replay gathers, at every root LOD", async () => {
  for (let lod = 0; lod < 3; lod++) {
    const { code, files: after, err } = await cli(
      `replay a.vvd b.vvd --lod ${lod}`,
      { files },
    );
    assertEquals(code, 0, err);
    const out = after.get("b.vvd")!;
    const want = plainReplay(spread, lod);
    const h = header(out);
    assertEquals(h.checksum, 0x80000001);
    assertEquals(h.fixups, 0);
    assertEquals(h.counts[0], want.length);
    assertSameBytes(
      out.subarray(h.vertexDataStart, h.vertexDataStart + want.length * 48),
      plainGather(vertices, 48, want),
    );
    assertSameBytes(
      out.subarray(h.tangentDataStart, h.tangentDataStart + want.length * 16),
      plainGather(tangents, 16, want),
    );
  }
});

Deno.test("replay takes root LOD 0 when none is given", async () => {
  const a = await cli("replay a.vvd b.vvd", { files });
  const b = await cli("replay a.vvd b.vvd --lod=0", { files });
  assertSameBytes(a.files.get("b.vvd")!, b.files.get("b.vvd")!);
});

Deno.test("replay writes a file that is read again and needs no more replay", async () => {
  const first = await cli("replay a.vvd b.vvd", { files });
  const again = await cli("replay b.vvd c.vvd", {
    files: { "b.vvd": first.files.get("b.vvd")! },
  });
  assertSameBytes(again.files.get("c.vvd")!, first.files.get("b.vvd")!);
  const judged = await cli("validate b.vvd", {
    files: { "b.vvd": first.files.get("b.vvd")! },
  });
  assertEquals(judged.code, 0, judged.out);
});

Deno.test("replay clamps a root LOD beyond the last and says so", async () => {
  const { code, err, files: after } = await cli("replay a.vvd b.vvd --lod 7", {
    files,
  });
  assertEquals(code, 0);
  assertEquals(
    err,
    "Replayed a.vvd at root LOD 2 (LOD 7 was asked for; the file has 0 to 2): 2 vertices of 9 in 1 run, 6 fixups resolved, to b.vvd\n",
  );
  const two = await cli("replay a.vvd b.vvd --lod 2", { files });
  assertSameBytes(after.get("b.vvd")!, two.files.get("b.vvd")!);
  assert(!two.err.includes("was asked for"), two.err);
});

Deno.test("replay --single-lod leaves out the counts of lower LODs", async () => {
  const many = await cli("replay a.vvd b.vvd", { files });
  const single = await cli("replay a.vvd b.vvd --single-lod", { files });
  const [m, s] = [many, single].map((r) => header(r.files.get("b.vvd")!));
  assertEquals([m.numLODs, s.numLODs], [3, 1]);
  assertEquals(m.counts, [9, 6, 2, 2, 2, 2, 2, 2]);
  assertEquals(s.counts, [9, 9, 9, 9, 9, 9, 9, 9]);
  assertSameBytes(
    single.files.get("b.vvd")!.subarray(s.vertexDataStart),
    many.files.get("b.vvd")!.subarray(m.vertexDataStart),
  );
});

Deno.test("replay --json prints one object", async () => {
  const { code, out, err, files: after } = await cli(
    "replay a.vvd b.vvd --lod 1 --json",
    { files },
  );
  assertEquals([code, err], [0, ""]);
  assertEquals(jsonLines(out), [{
    schema: "meshwright/replay/1",
    in: "a.vvd",
    out: "b.vvd",
    rootLod: 1,
    asked: 1,
    clamped: false,
    vertices: 6,
    tangents: true,
    fixups: 6,
    runs: 4,
    bytes: { in: spread.length, out: after.get("b.vvd")!.length },
    written: true,
  }]);
  const beyond = await cli("replay a.vvd c.vvd --lod 9 --json", { files });
  const [line] = jsonLines(beyond.out);
  assertEquals([line.asked, line.clamped], [9, true]);
  assert((line.rootLod as number) < 9);
  const failed = await cli("replay none.vvd c.vvd --json", { files });
  const [{ written, error }] = jsonLines(failed.out);
  assertEquals(
    [failed.code, written, (error as { code: string }).code],
    [3, false, "FILE-READ"],
  );
});

Deno.test("replay --dry-run writes nothing and says would", async () => {
  const { code, err, writes } = await cli(
    "replay a.vvd b.vvd --dry-run --force",
    {
      files: { ...files, "b.vvd": "old" },
    },
  );
  assertEquals([code, writes], [0, []]);
  assert(
    err.startsWith("Would replay a.vvd at root LOD 0: 9 vertices of 9"),
    err,
  );
  const json = await cli("replay a.vvd - --dry-run", { files });
  assertEquals([json.code, json.out], [0, ""]);
});

Deno.test("replay --quiet says nothing", async () => {
  const { code, out, err, writes } = await cli("replay a.vvd b.vvd --quiet", {
    files,
  });
  assertEquals([code, out, err, writes], [0, "", "", [["b.vvd"]]]);
});

Deno.test("replay refuses an existing OUT without --force, and a folder always", async () => {
  const world = { files: { ...files, "b.vvd": "old" }, folders: ["d"] };
  const kept = await cli("replay a.vvd b.vvd", world);
  assertEquals([kept.code, kept.reads, kept.writes], [2, [], []]);
  assertEquals((await cli("replay a.vvd b.vvd --force", world)).code, 0);
  assertEquals((await cli("replay a.vvd d --force", world)).code, 2);
});

Deno.test("replay goes from stdin to stdout", async () => {
  const file = await cli("replay a.vvd b.vvd", { files });
  const { code, bytes, err } = await cli("replay - -", { stdin: spread });
  assertEquals(code, 0);
  assertSameBytes(bytes, file.files.get("b.vvd")!);
  assert(err.startsWith("Replayed - at root LOD 0"), err);
  const json = await cli("replay - - --json", { stdin: spread });
  assertEquals([json.code, json.reads], [2, []]);
});

Deno.test("replay refuses what is no VVD, or none that adds up", async () => {
  const off = plainVvd({
    counts: [3],
    fixups: [[0, 0, 1]],
    vertices: plainRecords(3),
  });
  for (
    const [name, bytes, code] of [
      ["t.payload", sample("terrain.payload"), "VVD-MAGIC"],
      ["sum.vvd", off, "VVD-FIXUP-SUM"],
      [
        "none.vvd",
        plainVvd({ counts: [3], vertices: null }),
        "VVD-NO-VERTICES",
      ],
      ["cut.vvd", spread.subarray(0, 300), "VVD-RANGE"],
    ] as const
  ) {
    const ran = await cli(["replay", name, "b.vvd"], {
      files: { [name]: bytes },
    });
    assertEquals([ran.code, ran.writes], [3, []], name);
    assert(ran.err.includes(`[${code}`), ran.err);
  }
});

Deno.test("replay exits 5 when the output can not be written", async () => {
  const { code, err } = await cli("replay a.vvd b.vvd", { files, full: true });
  assertEquals(code, 5);
  assert(err.endsWith("[FILE-WRITE]\n"), err);
});

Deno.test("replay refuses an OUT that is called like another format, and takes unknown extensions", async () => {
  const glb = await cli("replay a.vvd b.GLB", { files });
  assertEquals([glb.code, glb.writes, glb.reads], [2, [], []]);
  assert(glb.err.includes("this writes vvd, b.GLB is called like gltf"));
  for (const out of ["b.bin", "b", "b.VVD"]) {
    assertEquals((await cli(["replay", "a.vvd", out], { files })).code, 0, out);
  }
});
