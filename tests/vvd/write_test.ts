import { assertEquals, assertThrows } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import {
  readVvd,
  replayVvd,
  type Vvd,
  writeVvd,
} from "../../src/formats/vvd/mod.ts";
import { assertSameBytes } from "../same_bytes.ts";
import {
  plainExtraBlock,
  plainRecords,
  plainTangents,
  plainVvd,
  type Row,
} from "./plain_vvd.ts";

const rows: Row[] = [[1, 0, 2], [0, 3, 2], [1, 2, 1], [0, 5, 2]];

function fresh(changes: Partial<Vvd> = {}): Vvd {
  return {
    version: 4,
    checksum: 0x1234abcd,
    numLODs: 2,
    numLODVertexes: [7, 3, 3, 3, 3, 3, 3, 3],
    fixups: rows.map(([lod, sourceVertexID, numVertexes]) => ({
      lod,
      sourceVertexID,
      numVertexes,
    })),
    fixupTableStart: 0,
    vertexDataStart: 0,
    tangentDataStart: 0,
    vertexData: plainRecords(7),
    tangentData: plainTangents(7),
    extra: [],
    original: null,
    ...changes,
  };
}

Deno.test("writeVvd() lays a new file out as the compiler does", () => {
  for (const count of [0, 1, 2, 3, 4]) {
    const fixups = rows.slice(0, count);
    const plain = {
      counts: [7, 3],
      fixups,
      vertices: plainRecords(7),
      tangents: plainTangents(7),
    };
    const vvd = fresh({ fixups: fresh().fixups.slice(0, count) });
    assertSameBytes(writeVvd(vvd), plainVvd(plain), `${count} fixups`);
  }
});

Deno.test("writeVvd() writes offset 0 when a pool is absent", () => {
  assertSameBytes(
    writeVvd(fresh({ tangentData: null })),
    plainVvd({ counts: [7, 3], fixups: rows, vertices: plainRecords(7) }),
  );
  const nothing = writeVvd(fresh({ vertexData: null, tangentData: null }));
  const view = new DataView(nothing.buffer);
  assertEquals(view.getInt32(56, true), 0);
  assertEquals(view.getInt32(60, true), 0);
});

Deno.test("writeVvd() writes extra arrays as one block behind the tangents", () => {
  const extra = [
    { type: 1, bytesPerVertex: 8, data: new Uint8Array(56).fill(1) },
    { type: 2, bytesPerVertex: 3, data: new Uint8Array(21).fill(2) },
  ];
  assertSameBytes(
    writeVvd(fresh({ extra })),
    plainVvd({
      counts: [7, 3],
      fixups: rows,
      vertices: plainRecords(7),
      tangents: plainTangents(7),
      tail: plainExtraBlock(extra),
    }),
  );
});

/** An odd but readable file: everything at an unusual place, filler between, bytes behind. */
const odd = () =>
  plainVvd({
    counts: [7, 3],
    fixups: rows,
    vertices: plainRecords(7),
    tangents: plainTangents(7),
    fixupsAt: 71,
    verticesAt: 150,
    tangentsAt: 501,
    filler: 0x77,
    tail: Uint8Array.of(1, 2, 3),
  });

Deno.test("writeVvd() keeps the layout when only values change", () => {
  const file = odd();
  const vvd = readVvd(file);
  vvd.checksum = 0xdeadbeef;
  vvd.vertexData = vvd.vertexData!.slice();
  vvd.vertexData[16] ^= 0xff;
  vvd.tangentData = vvd.tangentData!.slice();
  vvd.tangentData[0] ^= 0xff;
  vvd.fixups[1].lod = 1;
  vvd.numLODVertexes[1] = 5;
  const expected = file.slice();
  const view = new DataView(expected.buffer);
  view.setUint32(8, 0xdeadbeef, true);
  view.setInt32(20, 5, true);
  view.setInt32(71 + 12, 1, true);
  expected[150 + 16] ^= 0xff;
  expected[501] ^= 0xff;
  assertSameBytes(writeVvd(vvd), expected);
});

Deno.test("writeVvd() changes extra arrays in place when they keep their size", () => {
  const extra = [{ type: 1, bytesPerVertex: 2, data: new Uint8Array(14) }];
  const file = plainVvd({
    counts: [7],
    vertices: plainRecords(7),
    tangents: plainTangents(7),
    tail: new Uint8Array([...plainExtraBlock(extra), 9, 9]),
  });
  const vvd = readVvd(file);
  vvd.extra[0].data = new Uint8Array(14).fill(5);
  const expected = file.slice();
  expected.fill(5, file.length - 16, file.length - 2);
  assertSameBytes(writeVvd(vvd), expected);
});

Deno.test("writeVvd() lays the file out anew when a region no longer fits its place", () => {
  const changes: ((vvd: Vvd) => void)[] = [
    (vvd) => vvd.tangentData = null,
    (vvd) => vvd.fixups.pop(),
    (vvd) => {
      vvd.numLODVertexes.fill(6);
      vvd.vertexData = plainRecords(6);
      vvd.tangentData = plainTangents(6);
      vvd.fixups = [];
    },
    (vvd) => {
      vvd.extra = [{ type: 0, bytesPerVertex: 1, data: new Uint8Array(7) }];
    },
    (vvd) => vvd.vertexDataStart = 160,
  ];
  for (const change of changes) {
    const vvd = readVvd(odd());
    change(vvd);
    const written = writeVvd(vvd);
    assertSameBytes(written, writeVvd({ ...vvd, original: null }));
    const again = readVvd(written);
    assertEquals(again.fixups, vvd.fixups);
    assertEquals(again.numLODVertexes, vvd.numLODVertexes);
    assertSameBytes(again.vertexData!, vvd.vertexData!);
    assertEquals(again.tangentData, vvd.tangentData);
    assertEquals(again.extra, vvd.extra);
  }
});

Deno.test("writeVvd() drops an extra array when the caller removed it", () => {
  const file = plainVvd({
    counts: [2],
    vertices: plainRecords(2),
    tangents: plainTangents(2),
    tail: plainExtraBlock([
      { type: 1, bytesPerVertex: 1, data: new Uint8Array(2) },
    ]),
  });
  const vvd = readVvd(file);
  vvd.extra = [];
  assertSameBytes(
    writeVvd(vvd),
    plainVvd({
      counts: [2],
      vertices: plainRecords(2),
      tangents: plainTangents(2),
    }),
  );
});

Deno.test("writeVvd() does not change its input", () => {
  const file = odd();
  const before = file.slice();
  const vvd = readVvd(file);
  vvd.checksum = 5;
  writeVvd(vvd).fill(0);
  replayVvd(vvd, 0).vertexData!.fill(0);
  assertSameBytes(file, before);
});

Deno.test("writeVvd() refuses arrays when they do not fit the counts", () => {
  const cases: [Partial<Vvd>, string][] = [
    [{ vertexData: plainRecords(6) }, "vertexData"],
    [{ tangentData: plainTangents(8) }, "tangentData"],
    [
      { extra: [{ type: 0, bytesPerVertex: 4, data: new Uint8Array(27) }] },
      "extra data",
    ],
    [{ numLODVertexes: [7, 3] }, "numLODVertexes"],
  ];
  for (const [changes, path] of cases) {
    const error = assertThrows(() => writeVvd(fresh(changes)), MeshError);
    assertEquals(error.code, "ARGUMENT");
    assertEquals(error.path, path);
    assertEquals(error instanceof TypeError, true);
  }
});

Deno.test("writeVvd() throws LIMIT-EXCEEDED when signed offsets can not reach the end", () => {
  // one array of nothing stands for 2 GiB: only its length is looked at before the size is known
  const count = 0x7fffffff;
  const data = new Uint8Array(0);
  Object.defineProperty(data, "length", { value: count });
  const error = assertThrows(
    () =>
      writeVvd(fresh({
        numLODVertexes: new Array(8).fill(count),
        fixups: [],
        vertexData: null,
        tangentData: null,
        extra: [{ type: 0, bytesPerVertex: 1, data }],
      })),
    MeshError,
  );
  assertEquals(error.code, "LIMIT-EXCEEDED");
  assertEquals(error.allowed, 0x7fffffff);
});
