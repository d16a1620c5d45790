/**
 * What a Source set holds, read the plainest way: the values of a row of ORACLE.json, for any set of the corpus. Nothing of
 * the library in it; which of the two strides a VTX has is what the list of sources says.
 *
 * @module
 */
import { corpusBytes, corpusFiles } from "../corpus.ts";
import type { OracleModel } from "./corpus_models.ts";
import { plainModel, vtxLayouts } from "./plain_model.ts";
import { type Layout, parseVtx } from "./plain_vtx.ts";

/** Which VTX is taken when several carry the model's checksum. */
const TIERS = [".dx90.vtx", ".vtx", ".dx80.vtx", ".sw.vtx"];

/** A file beside an .mdl. */
export interface PlainCompanion {
  file: string;
  kind: "vvd" | "vtx";
  checksum: number;
  matches: boolean;
  used: boolean;
}

/** A set. */
export interface PlainSet {
  /** The values of its row. */
  row: OracleModel;
  /** The files beside its .mdl. */
  companions: PlainCompanion[];
  /** Vertices of the pool. */
  vertices: number;
  /** Names of the bones. */
  bones: string[];
}

/** The header's tables: everything of a row but the VTX. */
function plainMdl(
  mdl: Uint8Array,
): Omit<OracleModel, "vtx" | "numLODs" | "bones"> & { bones: string[] } {
  const view = new DataView(mdl.buffer, mdl.byteOffset, mdl.length);
  const i32 = (at: number) => view.getInt32(at, true);
  const text = (at: number, most = Infinity) => {
    let out = "";
    for (let i = at; mdl[i] !== 0 && i < at + most; i++) {
      out += String.fromCharCode(mdl[i]);
    }
    return out;
  };
  const rows = <T>(
    count: number,
    start: number,
    size: number,
    read: (at: number) => T,
  ) => Array.from({ length: count }, (_, i) => read(start + i * size));
  const [refs, families, skins] = [220, 224, 228].map(i32);
  return {
    mdl_version: i32(4),
    mdl_checksum: view.getUint32(8, true),
    mdl_flags: i32(152),
    bones: rows(i32(156), i32(160), 216, (at) => text(at + i32(at))),
    textures: rows(i32(204), i32(208), 64, (at) => text(at + i32(at))),
    cdmaterials: rows(i32(212), i32(216), 4, (at) => text(i32(at))),
    skinFamilies: rows(
      families,
      skins,
      refs * 2,
      (at) => rows(refs, at, 2, (ref) => view.getUint16(ref, true)),
    ),
    bodyparts: rows(i32(232), i32(236), 16, (part) => [
      text(part + i32(part)),
      rows(i32(part + 4), part + i32(part + 12), 148, (model) => [
        text(model, 64),
        i32(model + 80),
        i32(model + 84) / 48,
        rows(
          i32(model + 72),
          model + i32(model + 76),
          116,
          (mesh) => [0, 8, 12, 16].map((field) => i32(mesh + field)),
        ),
      ]),
    ]),
  };
}

async function plainLevels(
  mdl: Uint8Array,
  vvd: Uint8Array,
  vtx: Uint8Array,
  layout: Layout,
): Promise<OracleModel["vtx"][string]["lods"]> {
  const { position, lods } = plainModel(mdl, vvd, parseVtx(vtx, layout));
  return await Promise.all(lods.map(async ({ switchPoint, indices }) => {
    const bytes = new Uint8Array(indices.length * 4);
    const view = new DataView(bytes.buffer);
    indices.forEach((g, i) => view.setUint32(i * 4, g, true));
    const hash = await crypto.subtle.digest("SHA-256", bytes);
    const used = new Set(indices);
    const [min, max] = [[Infinity, Infinity, Infinity], [
      -Infinity,
      -Infinity,
      -Infinity,
    ]];
    for (const g of used) {
      for (let k = 0; k < 3; k++) {
        min[k] = Math.min(min[k], position[g * 3 + k]);
        max[k] = Math.max(max[k], position[g * 3 + k]);
      }
    }
    return {
      triangles: indices.length / 3,
      usedVertices: used.size,
      switchPoint,
      min,
      max,
      indices_sha256: new Uint8Array(hash).toHex(),
    };
  }));
}

/** Reads the set of an .mdl of the corpus. */
export async function plainSet(path: string): Promise<PlainSet> {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const stem = path.slice(folder.length, -".mdl".length).toLowerCase();
  const layouts = new Map(vtxLayouts());
  const mdl = corpusBytes(path);
  const { bones, ...tables } = plainMdl(mdl);
  const beside = corpusFiles(folder.slice(0, -1), "")
    .map((f) => f.slice(folder.length))
    .filter((f) => f.toLowerCase().startsWith(`${stem}.`))
    .map((file) => ({
      file,
      ending: file.slice(stem.length).toLowerCase(),
      bytes: corpusBytes(folder + file),
    }));
  const u32 = (bytes: Uint8Array, at: number) =>
    new DataView(bytes.buffer).getUint32(at, true);
  const vvd = beside.find(({ ending }) => ending === ".vvd")!;
  const vtx: OracleModel["vtx"] = {};
  const companions: PlainCompanion[] = [{
    file: vvd.file,
    kind: "vvd",
    checksum: u32(vvd.bytes, 8),
    matches: u32(vvd.bytes, 8) === tables.mdl_checksum,
    used: true,
  }];
  for (const ending of TIERS) {
    const found = beside.find((f) => f.ending === ending);
    if (!found) continue;
    const checksum = u32(found.bytes, 16);
    const matches = checksum === tables.mdl_checksum;
    const layout = layouts.get(folder + found.file)!;
    vtx[ending] = {
      layout,
      checksum,
      matches_mdl: matches,
      lods: matches
        ? await plainLevels(mdl, vvd.bytes, found.bytes, layout)
        : [],
    };
    companions.push({
      file: found.file,
      kind: "vtx",
      checksum,
      matches,
      used: matches && !companions.some((c) => c.kind === "vtx" && c.used),
    });
  }
  return {
    row: { ...tables, bones: bones.length, numLODs: u32(vvd.bytes, 12), vtx },
    companions,
    vertices: u32(vvd.bytes, 16),
    bones,
  };
}
