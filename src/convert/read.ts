/**
 * Reads any readable format: the file in its own terms, and the mesh that a conversion works on.
 *
 * @module
 */
import { inFormat, meshError } from "../core/errors.ts";
import type { FormatId } from "../core/formats.ts";
import { type Limits, withLimits } from "../core/limits.ts";
import type { LossReport } from "../core/loss.ts";
import type { Mesh } from "../core/mesh.ts";
import type { BasisId } from "../core/basis.ts";
import type { GltfDecoders } from "../formats/gltf/decoders.ts";
import { type GltfNote, readGltf } from "../formats/gltf/read.ts";
import { payloadToMesh } from "../formats/payload/mesh.ts";
import { readPayload } from "../formats/payload/read.ts";
import type { PayloadFile } from "../formats/payload/types.ts";
import { vvdToMesh } from "../formats/vvd/mesh.ts";
import { readVvd } from "../formats/vvd/read.ts";
import type { Vvd } from "../formats/vvd/types.ts";
import { selectLod } from "../ops/select_lod.ts";
import {
  type CssFile,
  type CssRule,
  readCssFile,
  reportCss,
} from "./css_file.ts";
import { requireFormat, requireReadable } from "./detect.ts";
import {
  type BodyGroupOptions,
  chosenMesh,
  type CompanionRule,
  type ModelFile,
  readModelFile,
  reportModel,
} from "./source_model.ts";

/** Options of everything that reads a file. */
export interface ReadOptions {
  /** Format of the input; found out when left out. */
  from?: FormatId;
  /** Name of the file, for messages and for ties between formats. */
  name?: string;
  /** Limits on size and counts. */
  limits?: Partial<Limits>;
  /** Bytes of the files that a glTF points to, by the URI it uses; of a Source model the files beside it, by name. */
  resources?: Readonly<Record<string, Uint8Array>>;
  /** Folder of a CSS authored mesh that its importer allows: `/Game/CSSAuthoring/` unless given. */
  packagePrefix?: string;
  /** Codecs for compressed glTF files. */
  decoders?: GltfDecoders;
  /** Put files of a Source model together that come from different compiles. */
  force?: boolean;
  /** Is told how many bytes of how many are read, while the text of a large CSS authored mesh is. */
  onProgress?: (done: number, total: number) => void;
  /**
   * Give the bytes away: a reader that has copied what it keeps frees them, and nobody may use them afterwards. With a
   * large CSS authored mesh that is half of the memory.
   */
  giveAway?: boolean;
}

/** Frees the memory of bytes that nobody uses any more, where the runtime can and nothing else shares it. */
function free(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (!(buffer instanceof ArrayBuffer) || bytes.length !== buffer.byteLength) {
    return;
  }
  (buffer as { transfer?: (size: number) => ArrayBuffer }).transfer?.(0);
}

/** A file in its own terms. */
export type SourceFile =
  | { format: "vvd"; bytes: Uint8Array; vvd: Vvd }
  | ({ format: "mdl"; bytes: Uint8Array } & ModelFile)
  | { format: "payload"; bytes: Uint8Array; payload: PayloadFile }
  | ({ format: "css" } & CssFile)
  | { format: "gltf"; bytes: Uint8Array; mesh: Mesh; notes: GltfNote[] };

/**
 * Reads a file of any readable format.
 *
 * @param rule How to treat the files of a Source model that are missing or do not belong together.
 * @param cssRule Which CSS authored meshes to take.
 * @throws {MeshError} FORMAT-UNKNOWN, FORMAT-UNSUPPORTED, and what the format's reader throws.
 */
export async function readFile(
  bytes: Uint8Array,
  options: ReadOptions = {},
  rule: CompanionRule = options.force ? "force" : "refuse",
  cssRule: CssRule = "any",
): Promise<SourceFile> {
  const format = options.from ?? requireFormat(bytes, options.name ?? "");
  requireReadable(format);
  return await inFormat(
    format,
    () => readAs(format, bytes, options, rule, cssRule),
  );
}

/** Reads a file as one of a format. */
async function readAs(
  format: FormatId,
  bytes: Uint8Array,
  options: ReadOptions,
  rule: CompanionRule,
  cssRule: CssRule,
): Promise<SourceFile> {
  const limits = { limits: options.limits ?? {} };
  if (format === "vvd") {
    return { format, bytes, vvd: readVvd(bytes, limits) };
  }
  if (format === "mdl") {
    const { name = "", resources = {} } = options;
    return {
      format,
      bytes,
      ...readModelFile(bytes, name, resources, rule, limits.limits),
    };
  }
  if (format === "payload") {
    return { format, bytes, payload: readPayload(bytes, limits) };
  }
  if (format === "css") {
    const file = readCssFile(bytes, options, cssRule);
    if (options.giveAway) free(bytes);
    return Object.assign(file, { format });
  }
  const { mesh, notes } = await readGltf(bytes, {
    ...limits,
    resources: options.resources ?? {},
    decoders: options.decoders ?? {},
  });
  return { format: "gltf", bytes, mesh, notes };
}

/** Options of {@linkcode meshOf}. */
export interface MeshOfOptions extends BodyGroupOptions {
  /** Take what the engine would refuse. */
  lenient?: boolean;
  /** Keep all models of a Source model. */
  alternatives?: boolean;
  /** Axes, unit and texture origin of the data where they are not the format's own. */
  basis?: BasisId;
  /** The target is a CSS authored mesh too: what only such a file holds is kept. */
  toCss?: boolean;
  /** Limits on size and counts. */
  limits?: Partial<Limits>;
}

/**
 * The mesh of a file, in the format's own axes.
 *
 * @param file A file.
 * @param lod Level of detail: the root LOD of a VVD; one level alone of another format, all levels when left out.
 * @param options `lenient` takes a VVD whose fixups do not add up; `alternatives` keeps all models of a Source model.
 * @throws {MeshError} As the replay of a VVD; ARGUMENT for a level that does not exist.
 */
export function meshOf(
  file: SourceFile,
  lod: number | null,
  options: MeshOfOptions = {},
): Mesh {
  if (file.format === "vvd") {
    const { vvd } = file;
    const root = lod ?? 0;
    if (root >= vvd.numLODs) {
      throw meshError(
        "ARGUMENT",
        `Choose an existing level of detail: found ${root}, the file has 0 to ${
          vvd.numLODs - 1
        }`,
        {
          format: "vvd",
          path: "lod",
          found: root,
          allowed: `0 to ${vvd.numLODs - 1}`,
        },
      );
    }
    const points = vvdToMesh(vvd, root, {
      lenient: options.lenient ?? false,
      maxKernelBytes: withLimits(options.limits).maxKernelBytes,
    });
    return options.basis ? { ...points, basis: options.basis } : points;
  }
  const mesh = file.format === "mdl"
    ? chosenMesh(
      file.model,
      options.alternatives === true,
      withShadow(options, lod),
    )
    : file.format === "payload"
    ? payloadToMesh(file.payload)
    : file.format === "css"
    ? file.asMesh().mesh
    : file.mesh;
  const based = options.basis ? { ...mesh, basis: options.basis } : mesh;
  return lod === null ? based : selectLod(based, lod);
}

/** A level that is asked for by its number counts as `inspect` counts, the shadow level among them. */
function withShadow(
  options: MeshOfOptions,
  lod: number | null,
): MeshOfOptions {
  return lod === null ? options : { ...options, shadowLod: true };
}

/** Reports what a file holds and its mesh does not. */
export function reportUnread(
  file: SourceFile,
  lod: number | null,
  loss: LossReport,
  options: MeshOfOptions = {},
): void {
  if (file.format === "mdl") {
    const choice = withShadow(options, lod);
    reportModel(file, options.alternatives === true, choice, loss);
    loss.add(
      "dropped",
      "levels of detail",
      lod === null ? 0 : file.model.lods.length - 1,
      `level ${lod} was asked for`,
    );
  } else if (file.format === "vvd") reportVvd(file.vvd, lod ?? 0, loss);
  else if (file.format === "payload") reportPayload(file.payload, lod, loss);
  else if (file.format === "css") reportCss(file, options.toCss === true, loss);
  else {
    for (const note of file.notes) {
      loss.add("dropped", note.what, note.count, note.why);
    }
  }
}

function reportVvd(vvd: Vvd, lod: number, loss: LossReport): void {
  const only = "only a Source vertex file holds it";
  loss.add("dropped", "checksum", 1, only);
  loss.add("dropped", "levels of detail", vvd.numLODs - 1, only);
  loss.add("dropped", "fixups", vvd.fixups.length, only);
  loss.add(
    "dropped",
    "vertices of higher detail",
    vvd.numLODVertexes[0] - vvd.numLODVertexes[lod],
    `root LOD ${lod} was asked for`,
  );
  loss.add("dropped", "extra-data arrays", vvd.extra.length, only);
}

function reportPayload(
  file: PayloadFile,
  lod: number | null,
  loss: LossReport,
): void {
  loss.add(
    "dropped",
    "trailing bytes",
    file.trailing.length,
    "no reader knows them",
  );
  loss.add(
    "dropped",
    "LODS block",
    file.hasLodsBlock && file.lodAlternates.length === 0 ? 1 : 0,
    "it lists no levels",
  );
  if (lod !== null) {
    loss.add(
      "dropped",
      "levels of detail",
      file.lodAlternates.length,
      `level ${lod} was asked for`,
    );
  }
  if (file.kind === "skinned") {
    const odd = file.joints.filter((j, i) => j.parent < -1 || j.parent >= i);
    loss.add(
      "repaired",
      "joint parents",
      odd.length,
      "a parent that does not stand before its joint is none, as in the engine",
      { demanded: true },
    );
  }
}
