import { assertEquals } from "@std/assert";
import { type Finding, Findings } from "../../src/core/findings.ts";
import { MAX_LISTED_FINDINGS } from "../../src/core/limits.ts";
import { readVvd, validateVvd } from "../../src/formats/vvd/mod.ts";
import { corpusBytes, corpusFiles, corpusTest } from "../corpus.ts";
import {
  plainExtraBlock,
  plainRecords,
  plainTangents,
  type PlainVvd,
  plainVvd,
  type Row,
} from "./plain_vvd.ts";

const usual: PlainVvd = {
  counts: [7, 3],
  fixups: [[1, 0, 2], [0, 3, 2], [1, 2, 1], [0, 5, 2]],
  vertices: plainRecords(7),
  tangents: plainTangents(7),
};

function findingsOf(changes: Partial<PlainVvd>): Findings {
  const findings = new Findings();
  validateVvd(readVvd(plainVvd({ ...usual, ...changes })), findings);
  return findings;
}

/** The only finding there is. */
function only(changes: Partial<PlainVvd>): Finding {
  const { list } = findingsOf(changes);
  assertEquals(list.length, 1, JSON.stringify(list.map((f) => f.code)));
  return list[0];
}

Deno.test("validateVvd() finds nothing when the file is as the compiler writes it", () => {
  assertEquals(findingsOf({}).list, []);
  assertEquals(findingsOf({ counts: [7], fixups: [] }).list, []);
  assertEquals(
    findingsOf({ counts: [0], fixups: [], vertices: null, tangents: null })
      .list,
    [],
  );
});

Deno.test("validateVvd() gives VVD-NO-VERTICES when the pool is absent", () => {
  const finding = only({
    counts: [7],
    fixups: [],
    vertices: null,
    tangents: null,
  });
  assertEquals(
    [finding.code, finding.severity, finding.where],
    ["VVD-NO-VERTICES", "error", "byte 56"],
  );
});

Deno.test("validateVvd() gives VVD-LOD-ORDER when a lower LOD needs more vertices", () => {
  const finding = only({ counts: [7, 2, 3], fixups: [] });
  assertEquals(
    [
      finding.code,
      finding.severity,
      finding.where,
      finding.found,
      finding.allowed,
    ],
    ["VVD-LOD-ORDER", "warning", "byte 24", 3, 2],
  );
});

Deno.test("validateVvd() gives VVD-FIXUP-SUM when the rows of a LOD do not add up", () => {
  const finding = only({ counts: [7, 4] });
  assertEquals(
    [
      finding.code,
      finding.severity,
      finding.where,
      finding.found,
      finding.allowed,
    ],
    ["VVD-FIXUP-SUM", "error", "byte 64", 3, 4],
  );
});

Deno.test("validateVvd() gives VVD-FIXUP-LOD when a row names a LOD that is not there", () => {
  for (const lod of [-1, 2]) {
    const fixups: Row[] = [[1, 0, 3], [lod, 3, 0], [0, 3, 4]];
    const finding = only({ fixups });
    assertEquals(
      [finding.code, finding.severity, finding.where, finding.found],
      ["VVD-FIXUP-LOD", "warning", "byte 76", lod],
    );
  }
});

Deno.test("validateVvd() gives VVD-FIXUP-OVERLAP and VVD-FIXUP-COVER when rows repeat vertices", () => {
  const fixups: Row[] = [[1, 0, 3], [0, 2, 4]];
  const { list } = findingsOf({ fixups });
  assertEquals(
    list.map((f) => [f.code, f.severity, f.where, f.found]),
    [
      ["VVD-FIXUP-OVERLAP", "warning", "byte 76", 1],
      ["VVD-FIXUP-COVER", "warning", "byte 64", 6],
    ],
  );
});

Deno.test("validateVvd() looks at a bounded number of vertices when many rows repeat the whole pool", () => {
  const findings = findingsOf({
    counts: [2000],
    fixups: Array.from({ length: 3000 }, (): Row => [0, 0, 2000]),
    vertices: plainRecords(2000),
    tangents: null,
  });
  const overlap = findings.list.find((f) => f.code === "VVD-FIXUP-OVERLAP")!;
  assertEquals(Number(overlap.found) <= 3 * 2000, true);
});

Deno.test("validateVvd() gives VVD-PLACEMENT when a table or pool stands elsewhere", () => {
  for (
    const changes of [
      { verticesAt: 128 },
      { tangentsAt: 112 + 7 * 48 + 4 },
      { fixupsAt: 68, verticesAt: 128 },
      { tangentsAt: 112, verticesAt: 112 + 7 * 16 },
    ]
  ) {
    const finding = only(changes);
    assertEquals(
      [finding.code, finding.severity],
      ["VVD-PLACEMENT", "info"],
    );
  }
});

Deno.test("validateVvd() gives VVD-OVERLAP when two regions share bytes", () => {
  const cases: [Partial<PlainVvd>, string][] = [
    [{ counts: [7], fixups: [], verticesAt: 62 }, "byte 62"],
    [{ verticesAt: 111, tangentsAt: 447 }, "byte 111"],
    [{ tangentsAt: 112 + 7 * 48 - 1 }, `byte ${112 + 7 * 48 - 1}`],
  ];
  for (const [changes, where] of cases) {
    const list = findingsOf(changes).list
      .filter((f) => f.code === "VVD-OVERLAP");
    assertEquals(
      list.map((f) => [f.severity, f.where]),
      [["warning", where]],
    );
  }
});

Deno.test("validateVvd() gives VVD-TRAILING when bytes follow the last pool", () => {
  for (const changes of [{}, { tangents: null }]) {
    const finding = only({ ...changes, tail: Uint8Array.of(1, 2, 3) });
    assertEquals(
      [finding.code, finding.severity, finding.found],
      ["VVD-TRAILING", "info", 3],
    );
  }
});

const block = () =>
  plainExtraBlock([
    { type: 1, bytesPerVertex: 8, data: new Uint8Array(56) },
  ]);

Deno.test("validateVvd() finds nothing when an extra-data block holds", () => {
  assertEquals(findingsOf({ tail: block() }).list, []);
});

Deno.test("validateVvd() gives VVD-TRAILING when bytes follow an extra-data block", () => {
  const finding = only({ tail: new Uint8Array([...block(), 1, 2, 3, 4, 5]) });
  assertEquals([finding.code, finding.found], ["VVD-TRAILING", 5]);
});

Deno.test("validateVvd() gives VVD-EXTRA when the index of an extra-data block does not hold", () => {
  const tail = block();
  new DataView(tail.buffer).setInt32(12, 999, true);
  const finding = only({ tail });
  assertEquals([finding.code, finding.severity], ["VVD-EXTRA", "warning"]);
});

Deno.test("validateVvd() gives VVD-BONE-COUNT when a vertex has 0 or more than 3 bones", () => {
  for (const bones of [0, 4, 255]) {
    const vertices = plainRecords(7);
    vertices[5 * 48 + 15] = bones;
    const finding = only({ vertices });
    assertEquals(
      [finding.code, finding.severity, finding.where, finding.found],
      ["VVD-BONE-COUNT", "warning", "vertex 5", bones],
    );
  }
});

Deno.test("validateVvd() lists the first findings and counts them all when there are many", () => {
  const n = MAX_LISTED_FINDINGS + 500;
  const findings = findingsOf({
    counts: [n],
    fixups: [],
    vertices: new Uint8Array(n * 48),
    tangents: null,
  });
  assertEquals(findings.list.length, MAX_LISTED_FINDINGS);
  assertEquals(findings.warnings, n);
});

corpusTest("validateVvd() finds no error in any corpus file", () => {
  for (const path of corpusFiles("source", ".vvd")) {
    if (path.endsWith("/buggy.vvd")) continue; // a Git LFS pointer
    const findings = new Findings();
    validateVvd(readVvd(corpusBytes(path)), findings);
    assertEquals(
      findings.list.filter((f) => f.severity !== "info"),
      [],
      path,
    );
    assertEquals(findings.list.map((f) => f.code), [], path);
  }
});
