/**
 * The small files that the fuzz tests damage: each below 1 kB, so that every bit and every length can be tried.
 *
 * @module
 */
import { corpusBytes, hasCorpus } from "../corpus.ts";
import {
  Put,
  putHeightfield,
  putLods,
  putMorphs,
  skinnedPart,
  staticPart,
} from "../payload/plain_payload.ts";
import {
  plainExtraBlock,
  plainRecords,
  plainTangents,
  plainVvd,
} from "../vvd/plain_vvd.ts";

/** A file and what it is for. */
export interface Small {
  name: string;
  bytes: Uint8Array;
}

const fromCorpus = (...paths: string[]): Small[] =>
  hasCorpus
    ? paths.map((path) => ({ name: path, bytes: corpusBytes(path) }))
    : [];

/** VVD files. */
export function smallVvds(): Small[] {
  return [
    {
      name: "fixups that move vertices, tangents",
      bytes: plainVvd({
        counts: [5, 2],
        fixups: [[1, 0, 1], [0, 2, 2], [1, 1, 1], [0, 4, 1]],
        vertices: plainRecords(5),
        tangents: plainTangents(5),
      }),
    },
    {
      name: "odd places, gaps, trailing bytes",
      bytes: plainVvd({
        counts: [3, 2, 1],
        fixups: [[2, 0, 1], [1, 1, 1], [0, 2, 1]],
        vertices: plainRecords(3),
        tangents: plainTangents(3),
        fixupsAt: 69,
        verticesAt: 111,
        tangentsAt: 266,
        filler: 0x55,
        tail: Uint8Array.of(1, 2, 3, 4, 5),
      }),
    },
    {
      name: "an extra-data block",
      bytes: plainVvd({
        counts: [2, 1],
        vertices: plainRecords(2),
        tangents: plainTangents(2),
        tail: plainExtraBlock([
          { type: 1, bytesPerVertex: 8, data: new Uint8Array(16).fill(7) },
          { type: 2, bytesPerVertex: 1, data: Uint8Array.of(8, 9) },
        ]),
      }),
    },
    {
      name: "several LODs without fixups or tangents",
      bytes: plainVvd({ counts: [4, 3, 1], vertices: plainRecords(4) }),
    },
    {
      name: "no vertices",
      bytes: plainVvd({ counts: [0], vertices: null }),
    },
    ...fromCorpus("source/wiremod+wire/models/cheeze/wires/amd_test.vvd"),
  ];
}

/** Payload files. */
export function smallPayloads(): Small[] {
  const joints = [{ name: "a", parent: -1 }, { name: "bé", parent: 0 }];
  return [
    {
      name: "static, LODs, heightfield, trailing bytes",
      bytes: putHeightfield(
        putLods(staticPart(3, [0, 1, 2]), [[1, [0, 1, 2]], [2, [2]]]),
        2,
        2,
        [0, 1, NaN, -1],
      ).ascii("end").bytes,
    },
    {
      name: "skinned, sparse morphs, LODs",
      bytes: putLods(
        putMorphs(skinnedPart(3, [0, 1, 2], joints), 3, ["m", "n"], [
          [0, 0, 1, 0, 0, 0, 0, 0],
          [2, 0, 0, 0, 0, 1, 0, 0],
          [2, 1, 0, 0, 2, 0, 0, 0],
        ]),
        [[4, [0, 1, 2]]],
      ).bytes,
    },
    {
      name: "skinned, legacy morphs, LODs",
      bytes: putLods(
        skinnedPart(2, [0, 1], joints).ascii("MRPH").u32(2).name("m").name("n")
          .f32(...Array.from({ length: 24 }, (_, i) => i % 5)),
        [[4, [0]]],
      ).bytes,
    },
    { name: "the smallest static one", bytes: staticPart(0, []).bytes },
    { name: "the smallest skinned one", bytes: skinnedPart(0, [], []).bytes },
    { name: "nothing", bytes: new Put().bytes },
    ...fromCorpus(
      "payload/skinned_2j_1m_lod1.bin",
      "payload/static_tri_lod1_hfld_2x3.bin",
    ),
  ];
}
