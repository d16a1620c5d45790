import { createHash } from "node:crypto";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import { f32Text } from "../../src/formats/css/float_text.ts";
import {
  readCssMesh,
  validateCssMesh,
  writeCssMesh,
} from "../../src/formats/css/mod.ts";
import { CSS_MAX_BYTES } from "../../src/formats/css/types.ts";
import { Random } from "../random.ts";
import { sheet } from "./big_css.ts";
import { bone, triangle, utf8 } from "./plain_css.ts";

/** The triangle's text with rows put behind the last one of some arrays. */
function grown(
  extra: Record<string, [row: string, count: number]>,
): Uint8Array {
  const doc = triangle();
  doc.bones = Array.from({ length: 8 }, (_, i) => bone(`b${i}`, i - 1));
  const parts: Uint8Array[] = [];
  const entries = Object.entries(doc);
  entries.forEach(([key, value], i) => {
    const text = `${i === 0 ? "{" : ","}"${key}":${JSON.stringify(value)}`;
    const [row, count] = extra[key] ?? ["", 0];
    if (count === 0) {
      parts.push(utf8(text));
      return;
    }
    parts.push(utf8(text.slice(0, -1)));
    if (count >= 1000) {
      const thousand = utf8(`,${row}`.repeat(1000));
      for (let n = 0; n < Math.floor(count / 1000); n++) parts.push(thousand);
    }
    parts.push(utf8(`,${row}`.repeat(count % 1000) + "]"));
  });
  parts.push(utf8("}"));
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

const errorsOf = (bytes: Uint8Array) =>
  validateCssMesh(bytes).list.filter((f) => f.severity === "error");

Deno.test("f32Text() gives the same f32 back for a million random bit patterns", () => {
  const words = new Uint32Array(1);
  const float = new Float32Array(words.buffer);
  const random = new Random(61);
  for (let i = 0; i < 1_000_000; i++) {
    words[0] = random.u32();
    const x = float[0];
    if (!Number.isFinite(x)) continue;
    assert(Object.is(Math.fround(JSON.parse(f32Text(x))), x), String(x));
  }
});

Deno.test("validateCssMesh() takes a million points with eight influences each, and gives R-LIMIT one past it", () => {
  // points beyond the triangle's three stand on the origin; faces repeat
  const points = 1_000_000 - 3;
  const influences: string[] = [];
  for (let p = 3; p < 1_000_000; p++) {
    for (let b = 0; b < 8; b++) influences.push(`[${p},${b},0.125]`);
  }
  for (const [more, code] of [[0, null], [1, "R-LIMIT:points"]] as const) {
    const bytes = grown({
      points: ["[0,0,0]", points + more],
      wedges: ["[0,0,0]", 5_999_997],
      faces: ["[0,2,1,0]", 1_999_999],
      influences: [influences.join(","), 1],
    });
    assertEquals(errorsOf(bytes)[0]?.code ?? null, code);
  }
});

Deno.test("validateCssMesh() gives R-LIMIT when wedges, faces or points are too many", () => {
  for (
    const [key, row, count, code] of [
      ["wedges", "[0,0,0]", 5_999_998, "R-LIMIT:wedges"],
      ["faces", "[0,2,1,0]", 2_000_000, "R-LIMIT:faces"],
      ["points", "[0,0,0]", 1_200_000, "R-LIMIT:points"],
    ] as const
  ) {
    assertEquals(errorsOf(grown({ [key]: [row, count] }))[0].code, code);
    if (key === "points") continue;
    assertEquals(errorsOf(grown({ [key]: [row, count - 1] })), []);
  }
});

Deno.test("validateCssMesh() takes a file of 512 MiB, beyond the longest string, and gives R-FILE one byte past it", () => {
  const text = utf8(JSON.stringify(triangle()));
  const bytes = new Uint8Array(CSS_MAX_BYTES + 1).fill(0x20);
  bytes.set(text);
  assertThrows(() => new TextDecoder().decode(bytes), Error); // no string is that long
  assertEquals(validateCssMesh(bytes.subarray(0, CSS_MAX_BYTES)).list, []);
  const [first] = errorsOf(bytes);
  assertEquals([first.code, first.found], ["R-FILE", CSS_MAX_BYTES + 1]);
  // it can be read all the same
  assertEquals(readCssMesh(bytes).points.length, 9);
});

Deno.test("writeCssMesh() gives LIMIT-EXCEEDED when a mesh within all limits makes more than 512 MiB of text", () => {
  const mesh = sheet(1000, 6_000_000, 4);
  const error = assertThrows(() => writeCssMesh(mesh), MeshError);
  assertEquals([error.code, error.path], [
    "LIMIT-EXCEEDED",
    "bytes of the file",
  ]);
});

Deno.test("readCssMesh() reads a number of 400 million digits in flat memory", () => {
  const n = 400_000_000;
  const text = JSON.stringify(triangle());
  const at = text.indexOf("[50,0,0]") + 4;
  const bytes = new Uint8Array(text.length + n).fill(0x33);
  bytes.set(utf8(text.slice(0, at) + "0."));
  bytes.set(utf8(text.slice(at + 1)), at + n + 1);
  const before = Deno.memoryUsage().rss;
  assertEquals(readCssMesh(bytes).points[4], Math.fround(1 / 3));
  const grownBy = (Deno.memoryUsage().rss - before) / 2 ** 20;
  assert(grownBy < 64, `${grownBy} MiB more`);
});

const GIB_AND_A_HALF = 1536;

/** Runs one mode of big_css.ts; gives what it prints, line by line. */
async function big(...args: string[]) {
  const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", new URL("big_css.ts", import.meta.url).href, ...args],
    stderr: "piped",
  }).output();
  const err = new TextDecoder().decode(stderr);
  assert(success, `${args}: ${err}`);
  const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
  const last = JSON.parse(lines.at(-1)!);
  console.log(args[0], args[1], JSON.stringify(last));
  assert(last.peak < GIB_AND_A_HALF, `${args}: ${last.peak} MiB`);
  return { last, lines, err };
}

async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of (await Deno.open(path)).readable) {
    hash.update(chunk);
  }
  return hash.digest("hex");
}

Deno.test("a mesh of a million points and 500 MB of text is read, judged, written and converted within 1.5 GiB", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/big.json`;
    const { last: written } = await big("write", path);
    assert(written.size > 500e6 && written.size <= CSS_MAX_BYTES);
    const { last: read } = await big("read", path);
    assertEquals([read.points, read.errors, read.same], [1_000_000, 0, true]);
    for (
      const line of [
        `convert ${path} ${folder}/out.glb`,
        `convert ${path} ${folder}/out.payload --split`,
      ]
    ) {
      const { last, err } = await big("run", ...line.split(" "));
      assertEquals(last.code, 0, `${line}: ${err}`);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a text of more than 512 MiB is read, judged as the importer does, and written below it within 1.5 GiB", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const [path, out] = [`${folder}/big.json`, `${folder}/small.json`];
    const { last: made } = await big("lines", path);
    assert(made.size > CSS_MAX_BYTES, `${made.size}`);
    // the importer's first error, and its only one
    const judged = await big("run", "validate", "--json", path);
    const verdict = JSON.parse(judged.lines[0]);
    assertEquals([judged.last.code, verdict.errors], [1, 1]);
    const { code, found, allowed } = verdict.findings[0];
    assertEquals([code, found, allowed], ["R-FILE", made.size, CSS_MAX_BYTES]);
    // written again it is small enough, and the same mesh
    const converted = await big("run", "convert", "--json", path, out);
    const report = JSON.parse(converted.lines[0]);
    assertEquals([converted.last.code, report.loss], [0, []], converted.err);
    assertEquals(
      report.warnings.map((w: { code: string }) => w.code),
      ["R-FILE"],
    );
    assertEquals(report.bytes, { in: made.size, out: Deno.statSync(out).size });
    const { last: written } = await big("write", `${folder}/same.json`);
    assertEquals(report.bytes.out, written.size);
    assertEquals(await sha256(out), await sha256(`${folder}/same.json`));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
