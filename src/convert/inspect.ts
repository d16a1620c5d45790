/**
 * What is in a file: the object that `inspect --json` prints.
 *
 * @module
 */
import type { Code } from "../core/codes.ts";
import { inFormat } from "../core/errors.ts";
import type { FormatId } from "../core/formats.ts";
import {
  type Bounds,
  boundsOf,
  maxInfluences,
  type Mesh,
  type MorphSummary,
  summariseMorphs,
  usedVertices,
} from "../core/mesh.ts";
import type { CssInspection } from "../formats/css/inspect.ts";
import { requireLod } from "../ops/select_lod.ts";
import { inspectCssFile } from "./css_file.ts";
import type { VvdFixup } from "../formats/vvd/types.ts";
import type { CompanionInfo } from "./companions.ts";
import { meshOf, readFile, type ReadOptions, type SourceFile } from "./read.ts";
import { type ModelFile, wholeMesh } from "./source_model.ts";

/** The `mesh` part of an inspection. */
export interface MeshInspection {
  /** Vertices. */
  vertices: number;
  /** Whole triangles of the level asked for. */
  triangles: number;
  /** Box of the finite positions, or null. */
  bounds: Bounds | null;
  /** Material names. */
  materials: string[];
  /** Texture coordinate sets. */
  uvChannels: number;
  /** Names of the vertex attributes. */
  attributes: string[];
  /** Joints of the skeleton; of a lone VVD the highest bone number in use + 1. */
  joints: number;
  /** Largest number of weighted influences on a vertex. */
  maxInfluences: number;
  /** One row a morph target. */
  morphTargets: MorphSummary[];
  /** One row a level of detail. */
  lods: {
    level: number;
    triangles: number;
    vertices: number;
    switchDistance: number | null;
    /** True for the level of a Source model that only casts shadows. */
    shadow?: true;
  }[];
  /** Size of the heightfield. */
  heightfield: { rows: number; cols: number } | null;
}

/** Result of {@linkcode inspect}. */
export interface Inspection {
  /** Always this. */
  schema: "meshwright/inspect/1";
  /** Name of the file. */
  file: string;
  /** Its format. */
  format: FormatId;
  /** Its size. */
  bytes: number;
  /** Its mesh; null where the vertices are absent. */
  mesh: MeshInspection | null;
  /** VVD header; of a Source model too, where its VVD is there and of the same compile. */
  vvd?: {
    version: number;
    checksum: number;
    numLODs: number;
    numLODVertexes: number[];
    fixups: VvdFixup[];
    fixupTableStart: number;
    vertexDataStart: number;
    tangentDataStart: number;
    extra: { type: number; bytesPerVertex: number }[];
  };
  /** MDL, and the files beside it. */
  mdl?: MdlInspection;
  /** CSS authored mesh. */
  css?: {
    schema: 1;
    meshPackage: string;
    skeletonPackage: string;
    /** What the importer would say: how many errors, and the first one's code. */
    importer: { accepts: boolean; errors: number; first: Code | null };
    report: CssInspection;
  };
  /** Payload. */
  payload?: {
    kind: "static" | "skinned";
    trailingBytes: number;
    morphBlock?: "none" | "MRPS" | "MRPH";
  };
}

/** The `mdl` part of an inspection. */
export interface MdlInspection {
  /** Version, 44 to 49. */
  version: number;
  /** Checksum that all files share. */
  checksum: number;
  /** Name in the header. */
  name: string;
  /** Flags. */
  flags: number;
  /** Names of the bones. */
  bones: string[];
  /** Body parts with their models. */
  bodyparts: {
    name: string;
    models: { name: string; vertices: number; meshes: number }[];
  }[];
  /** For every skin family the texture of each mesh material. */
  skinFamilies: number[][];
  /** Texture names. */
  textures: string[];
  /** Folders that textures are looked for in. */
  texturePaths: string[];
  /** Names of the shapes. */
  flexes: string[];
  /** Models whose animations belong to this one. */
  includeModels: string[];
  /** Root LOD that the compiler chose, and how many the engine may choose. */
  rootLod: { chosen: number; allowed: number };
  /** Layout of the VTX's strip headers; null without one. */
  vtxLayout: "25/27" | "33/35" | null;
  /** Files beside the .mdl. */
  companions: CompanionInfo[];
  /** Names of files that the model needs and that are not there; their endings where the .mdl has no name, as from stdin. */
  missing: string[];
}

/** Options of {@linkcode inspect}. */
export interface InspectOptions extends ReadOptions {
  /** Level of detail that `mesh` describes; 0 unless given. */
  lod?: number;
}

function attributeNames(mesh: Mesh): string[] {
  const a = mesh.attributes;
  return [
    "position",
    ...(a.normal ? ["normal"] : []),
    ...(a.tangent ? ["tangent"] : []),
    ...(a.color ? ["color"] : []),
    ...a.uvs.map((_, i) => `uv${i}`),
    ...(a.joints ? ["joints"] : []),
    ...(a.weights ? ["weights"] : []),
  ];
}

function jointCount(mesh: Mesh): number {
  if (mesh.skeleton) return mesh.skeleton.length;
  const { joints, weights } = mesh.attributes;
  if (!joints || !weights) return 0;
  let top = -1;
  for (let i = 0; i < joints.length; i++) {
    if (weights[i] !== 0 && joints[i] > top) top = joints[i];
  }
  return top + 1;
}

const triangles = (mesh: Mesh, level: number) =>
  Math.floor((mesh.lods[level].indices?.length ?? 0) / 3);

/** All models of all body parts; the box is that of the level's own vertices. */
function inspectModelMesh(
  { model }: ModelFile,
  lod: number,
): MeshInspection | null {
  if (!model.vvd?.vertexData || !model.vtx) return null;
  const mesh = wholeMesh(model, true);
  const described = describeMesh(mesh, lod);
  const { position } = mesh.attributes;
  const used = new Float32Array((mesh.lods[lod].indices?.length ?? 0) * 3);
  mesh.lods[lod].indices?.forEach((v, i) => {
    used.set(position.subarray(v * 3, v * 3 + 3), i * 3);
  });
  return {
    ...described,
    bounds: boundsOf(used),
    lods: described.lods.map((l) => ({
      ...l,
      switchDistance: model.lods[l.level]?.switchPoint ?? null,
      ...(model.lods[l.level]?.shadow ? { shadow: true as const } : {}),
    })),
  };
}

function inspectMdl({ model, companions }: ModelFile): MdlInspection {
  const { mdl } = model;
  return {
    version: mdl.version,
    checksum: mdl.checksum,
    name: mdl.name,
    flags: mdl.flags,
    bones: mdl.bones.map((b) => b.name),
    bodyparts: mdl.bodyParts.map((part) => ({
      name: part.name,
      models: part.models.map((m) => ({
        name: m.name,
        vertices: m.vertexCount,
        meshes: m.meshes.length,
      })),
    })),
    skinFamilies: mdl.skinFamilies,
    textures: mdl.textures,
    texturePaths: mdl.texturePaths,
    flexes: mdl.flexDescs,
    includeModels: mdl.includeModels.map((m) => m.path),
    rootLod: { chosen: mdl.rootLod, allowed: mdl.allowedRootLods },
    vtxLayout: model.vtx?.layout ?? null,
    companions: companions.list,
    missing: companions.missing,
  };
}

function inspectMesh(
  file: Exclude<SourceFile, { format: "css" }>,
  lod: number,
): MeshInspection | null {
  if (file.format === "mdl") return inspectModelMesh(file, lod);
  if (file.format === "vvd" && !file.vvd.vertexData) return null;
  // Only a VVD is another mesh at another level; of the others one level is looked at.
  const mesh = meshOf(file, file.format === "vvd" ? lod : null, {
    lenient: true,
  });
  if (file.format !== "vvd") return describeMesh(mesh, lod);
  return {
    ...describeMesh(mesh, 0),
    lods: Array.from({ length: file.vvd.numLODs }, (_, level) => ({
      level,
      triangles: 0,
      vertices: file.vvd.numLODVertexes[level],
      switchDistance: null,
    })),
  };
}

/** A mesh with one of its levels looked at. */
function describeMesh(mesh: Mesh, lod: number): MeshInspection {
  requireLod(lod, mesh.lods.length);
  return {
    vertices: mesh.vertexCount,
    triangles: triangles(mesh, lod),
    bounds: boundsOf(mesh.attributes.position),
    materials: mesh.materials,
    uvChannels: mesh.attributes.uvs.length,
    attributes: attributeNames(mesh),
    joints: jointCount(mesh),
    maxInfluences: maxInfluences(mesh),
    morphTargets: summariseMorphs(mesh.morphs),
    lods: mesh.lods.map((l, level) => ({
      level,
      triangles: triangles(mesh, level),
      vertices: usedVertices(l, mesh.vertexCount),
      switchDistance: l.switchDistance,
    })),
    heightfield: mesh.heightfield
      ? { rows: mesh.heightfield.rows, cols: mesh.heightfield.cols }
      : null,
  };
}

/**
 * Describes a file.
 *
 * @throws {MeshError} What the format's reader throws; ARGUMENT for a level that does not exist.
 *
 * @example
 * ```ts
 * import { inspect } from "@meshwright/kit";
 *
 * const { mesh } = await inspect(Deno.readFileSync("samples/terrain.payload"));
 * console.log(mesh?.heightfield);
 * ```
 */
export async function inspect(
  bytes: Uint8Array,
  options: InspectOptions = {},
): Promise<Inspection> {
  const size = bytes.length; // before they are given away
  const file = await readFile(bytes, options, "describe");
  return await inFormat(file.format, () => inspectFile(file, size, options));
}

/** Describes a file that is read. */
function inspectFile(
  file: SourceFile,
  size: number,
  { name = "", lod = 0 }: InspectOptions,
): Inspection {
  const out: Inspection = {
    schema: "meshwright/inspect/1",
    file: name,
    format: file.format,
    bytes: size,
    mesh: null,
  };
  if (file.format === "css") {
    requireLod(lod, 1);
    const { mesh, css } = inspectCssFile(file.css);
    out.mesh = mesh;
    out.css = {
      schema: 1,
      meshPackage: file.css.meshPackage,
      skeletonPackage: file.css.skeletonPackage,
      importer: {
        accepts: file.errors === 0,
        errors: file.errors,
        first: file.broken[0]?.code ?? null,
      },
      report: css,
    };
  } else out.mesh = inspectMesh(file, lod);
  if (file.format === "mdl") out.mdl = inspectMdl(file);
  const vvd = file.format === "vvd"
    ? file.vvd
    : file.format === "mdl"
    ? file.model.vvd
    : null;
  if (vvd) {
    out.vvd = {
      version: vvd.version,
      checksum: vvd.checksum,
      numLODs: vvd.numLODs,
      numLODVertexes: vvd.numLODVertexes,
      fixups: vvd.fixups,
      fixupTableStart: vvd.fixupTableStart,
      vertexDataStart: vvd.vertexDataStart,
      tangentDataStart: vvd.tangentDataStart,
      extra: vvd.extra.map(({ type, bytesPerVertex }) => ({
        type,
        bytesPerVertex,
      })),
    };
  }
  if (file.format === "payload") {
    const { payload } = file;
    out.payload = {
      kind: payload.kind,
      trailingBytes: payload.trailing.length,
      ...(payload.kind === "skinned" ? { morphBlock: payload.morphBlock } : {}),
    };
  }
  return out;
}
