import { assert, assertEquals, assertThrows } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import {
  readVvd,
  replayVvd,
  splitVvd,
  writeVvd,
} from "../../src/formats/vvd/mod.ts";
import { corpusBytes, corpusFiles, corpusJson, corpusTest } from "../corpus.ts";
import { assertSameBytes } from "../same_bytes.ts";
import { plainReplay, plainSplit } from "./plain_vvd.ts";

/** The part of a row of ORACLE.json that a VVD alone can answer. */
interface OracleRow {
  error?: string;
  vvd_sha256: string;
  checksum: number;
  numLODs: number;
  numLODVertexes: number[];
  numFixups: number;
  vertexDataStart: number;
  tangentDataStart: number;
  replay: {
    count: number;
    vertices_sha256: string;
    tangents_sha256: string | null;
  }[];
}

const LFS_POINTER = "source/Team-Extermus+openmod/models/buggy.vvd";

const files = corpusFiles("source", ".vvd");
const readable = files.filter((f) => f !== LFS_POINTER);

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  return new Uint8Array(hash).toHex();
}

corpusTest(
  "replayVvd() gives the expected records at every root LOD of every oracle row",
  async () => {
    const oracle = corpusJson<Record<string, OracleRow>>("source/ORACLE.json");
    let lods = 0;
    for (const [key, row] of Object.entries(oracle)) {
      const bytes = corpusBytes(`source/${key}.vvd`);
      assertEquals(await sha256(bytes), row.vvd_sha256, key);
      if (row.error) {
        assertThrows(() => readVvd(bytes), MeshError);
        continue;
      }
      const vvd = readVvd(bytes);
      assertEquals(vvd.checksum, row.checksum, key);
      assertEquals(vvd.numLODs, row.numLODs, key);
      assertEquals(vvd.numLODVertexes, row.numLODVertexes, key);
      assertEquals(vvd.fixups.length, row.numFixups, key);
      assertEquals(vvd.vertexDataStart, row.vertexDataStart, key);
      assertEquals(vvd.tangentDataStart, row.tangentDataStart, key);
      assertEquals(row.replay.length, row.numLODs, key);
      for (const [r, expected] of row.replay.entries()) {
        const at = `${key} at root LOD ${r}`;
        const flat = replayVvd(vvd, r);
        assertEquals(flat.numLODVertexes[0], expected.count, at);
        assertEquals(flat.vertexData!.length, expected.count * 48, at);
        assertEquals(
          await sha256(flat.vertexData!.slice()),
          expected.vertices_sha256,
          at,
        );
        assertEquals(
          flat.tangentData && await sha256(flat.tangentData.slice()),
          expected.tangents_sha256,
          at,
        );
        lods++;
      }
    }
    assert(lods > Object.keys(oracle).length, "no row has several LODs");
  },
);

corpusTest("readVvd() names a Git LFS pointer when it is given one", () => {
  const error = assertThrows(
    () => readVvd(corpusBytes(LFS_POINTER)),
    MeshError,
    "git lfs pull",
  );
  assertEquals(error.code, "VVD-LFS-POINTER");
});

corpusTest("writeVvd() gives every corpus file byte for byte", () => {
  assert(readable.length >= 100, `only ${readable.length} files`);
  for (const path of readable) {
    const bytes = corpusBytes(path);
    assertSameBytes(writeVvd(readVvd(bytes)), bytes, path);
  }
});

corpusTest(
  "replayVvd() written and read again gives the same records for every corpus file",
  () => {
    for (const path of readable) {
      const vvd = readVvd(corpusBytes(path));
      for (let r = 0; r < vvd.numLODs; r++) {
        const flat = replayVvd(vvd, r);
        const again = readVvd(writeVvd(flat));
        assertEquals(again.fixups, [], path);
        assertEquals(again.checksum, vvd.checksum, path);
        assertEquals(again.numLODVertexes, flat.numLODVertexes, path);
        assertSameBytes(again.vertexData!, flat.vertexData!, path);
        assertSameBytes(again.tangentData!, flat.tangentData!, path);
        // what was replayed once does not move again
        assertSameBytes(
          replayVvd(again, 0).vertexData!,
          flat.vertexData!,
          path,
        );
      }
    }
  },
);

corpusTest(
  "splitVvd() agrees with a plain reader at every root LOD of every corpus file",
  () => {
    for (const path of readable) {
      const bytes = corpusBytes(path);
      const vvd = readVvd(bytes);
      for (let r = 0; r < vvd.numLODs; r++) {
        const at = `${path} at root LOD ${r}`;
        const order = plainReplay(bytes, r);
        const expected = plainSplit(bytes, order);
        const split = splitVvd(vvd, r);
        assertEquals(split.count, order.length, at);
        for (
          const name of [
            "position",
            "normal",
            "uv",
            "weights",
            "bones",
          ] as const
        ) {
          assertSameBytes(split[name], expected[name], `${name} of ${at}`);
        }
        assertEquals(split.tangent === null, expected.tangent === null, at);
        if (split.tangent) {
          assertSameBytes(split.tangent, expected.tangent!, `tangent of ${at}`);
        }
      }
    }
  },
);

/** A copy of a file whose vertices carry their own number in the first word of the position. */
function numbered(file: Uint8Array): Uint8Array {
  const copy = file.slice();
  const view = new DataView(copy.buffer);
  const start = view.getInt32(56, true);
  for (let v = 0; v < view.getInt32(16, true); v++) {
    view.setUint32(start + v * 48 + 16, v, true);
  }
  return copy;
}

function numbersOf(records: Uint8Array): number[] {
  const view = new DataView(records.buffer, records.byteOffset);
  return Array.from(
    { length: records.length / 48 },
    (_, v) => view.getUint32(v * 48 + 16, true),
  );
}

corpusTest(
  "replayVvd() permutes the pool at LOD 0 and keeps its order at every other LOD",
  () => {
    let moved = 0;
    for (const path of readable) {
      const vvd = readVvd(numbered(corpusBytes(path)));
      const full = numbersOf(replayVvd(vvd, 0).vertexData!);
      const pool = vvd.numLODVertexes[0];
      assertEquals(full.length, pool, path);
      assertEquals(new Set(full).size, pool, path);
      assertEquals(full.every((v) => v < pool), true, path);
      if (full.some((v, i) => v !== i)) moved++;
      const place = new Uint32Array(pool);
      full.forEach((v, i) => place[v] = i);
      for (let r = 1; r < vvd.numLODs; r++) {
        const part = numbersOf(replayVvd(vvd, r).vertexData!);
        assertEquals(part.length, vvd.numLODVertexes[r], `${path} LOD ${r}`);
        for (let i = 1; i < part.length; i++) {
          if (place[part[i]] <= place[part[i - 1]]) {
            throw new Error(`${path} LOD ${r}: vertex ${i} out of order`);
          }
        }
      }
    }
    assert(moved > 10, `only ${moved} files have fixups that move vertices`);
  },
);
