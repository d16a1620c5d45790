/**
 * The Source models of the corpus.
 *
 * @module
 */
import { isCompanion } from "../../src/convert/companions.ts";
import {
  readSourceModel,
  type SourceModel,
} from "../../src/formats/mdl/mod.ts";
import { corpusBytes, corpusFiles, corpusJson } from "../corpus.ts";

/** A row of ORACLE.json, the part about a model. */
export interface OracleModel {
  error?: string;
  mdl_version: number;
  mdl_checksum: number;
  mdl_flags: number;
  bones: number;
  skinFamilies: number[][];
  textures: string[];
  cdmaterials: string[];
  numLODs: number;
  bodyparts: unknown[];
  vtx: Record<string, {
    layout: "25/27" | "33/35";
    checksum: number;
    matches_mdl: boolean;
    lods: {
      triangles: number;
      usedVertices: number;
      switchPoint: number;
      min: number[];
      max: number[];
      indices_sha256: string;
    }[];
  }>;
}

/** All rows of the oracle that describe a model. */
export function oracleModels(): [key: string, row: OracleModel][] {
  const rows = corpusJson<Record<string, OracleModel>>("source/ORACLE.json");
  return Object.entries(rows).filter(([, row]) => !row.error);
}

const all = corpusFiles("source", "");

/** Paths of all .mdl files. */
export const mdlFiles: string[] = all.filter((f) => f.endsWith(".mdl"));

/** The .mdl whose path ends with a name, without its extension. */
export function mdlPath(name: string): string {
  const found = mdlFiles.filter((f) => f.endsWith(`/${name}.mdl`));
  if (found.length !== 1) throw new Error(`${name}: ${found.length} files`);
  return found[0];
}

/** Files beside an .mdl that may belong to it, by name. */
export function companionsOf(
  path: string,
): Record<string, Uint8Array<ArrayBuffer>> {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return Object.fromEntries(
    all.filter((f) =>
      f.startsWith(folder) && !f.slice(folder.length).includes("/") &&
      isCompanion(path, f.slice(folder.length))
    ).map((f) => [f.slice(folder.length), corpusBytes(f)]),
  );
}

/** The file beside an .mdl with an ending, whatever the case. */
export function companion(
  path: string,
  ending: string,
): Uint8Array<ArrayBuffer> {
  const want = path.replace(/\.mdl$/, ending).toLowerCase();
  const found = all.find((f) => f.toLowerCase() === want);
  if (!found) throw new Error(`no ${want}`);
  return corpusBytes(found);
}

/** Reads a model with one of its VTX. */
export function readCorpusModel(
  path: string,
  vtx = ".dx90.vtx",
): SourceModel {
  return readSourceModel({
    mdl: corpusBytes(path),
    vvd: companion(path, ".vvd"),
    vtx: companion(path, vtx),
  });
}
