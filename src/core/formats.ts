/**
 * The formats by id, and what each can do in this version.
 *
 * @module
 */

/** Id of a format, as `--from` and `--to` take it. */
export type FormatId =
  | "vvd"
  | "mdl"
  | "payload"
  | "css"
  | "gltf"
  | "obj"
  | "smd";

/** One row of `meshwright formats`. */
export interface FormatInfo {
  /** The id. */
  readonly id: FormatId;
  /** What people call it. */
  readonly name: string;
  /** Usual extensions, the first one for output. */
  readonly extensions: readonly string[];
  /** True when this version reads it. */
  readonly reads: boolean;
  /** True when this version writes it. */
  readonly writes: boolean;
  /** How it is recognised. */
  readonly recognisedBy: string;
}

/** All formats the product is for; `reads` and `writes` say what this version does. */
export const FORMATS: readonly FormatInfo[] = [
  {
    id: "vvd",
    name: "Source vertex file (pool of vertices with LOD fixups)",
    extensions: [".vvd"],
    reads: true,
    writes: true,
    recognisedBy: "magic IDSV",
  },
  {
    id: "payload",
    name: "Packed mesh payload (static or skinned, LODs, heightfield, morphs)",
    extensions: [".payload"],
    reads: true,
    writes: true,
    recognisedBy: "magic SKMV, or the structure of a static payload",
  },
  {
    id: "gltf",
    name: "glTF 2.0 binary (GLB) and JSON",
    extensions: [".glb", ".gltf"],
    reads: true,
    writes: true,
    recognisedBy: "magic glTF, or a JSON object with `asset`",
  },
  {
    id: "mdl",
    name: "Source model (MDL with VVD and VTX)",
    extensions: [".mdl"],
    reads: true,
    writes: false,
    recognisedBy: "magic IDST",
  },
  {
    id: "css",
    name: "CSS authored mesh (JSON for an Unreal importer)",
    extensions: [".json"],
    reads: true,
    writes: true,
    recognisedBy: "a JSON object with `schema`",
  },
  {
    id: "obj",
    name: "Wavefront OBJ",
    extensions: [".obj"],
    reads: false,
    writes: true,
    recognisedBy: "extension",
  },
  {
    id: "smd",
    name: "Valve SMD source text",
    extensions: [".smd"],
    reads: false,
    writes: true,
    recognisedBy: "extension",
  },
];

/** The row of one format. */
export function formatInfo(id: FormatId): FormatInfo {
  return FORMATS.find((f) => f.id === id)!;
}
