/**
 * Converts any readable format to any writable one, with a report of what was lost and why.
 *
 * @module
 */
import {
  BASES,
  type BasisChange,
  basisChange,
  type BasisId,
} from "../core/basis.ts";
import type { Code } from "../core/codes.ts";
import { meshError } from "../core/errors.ts";
import type { FormatId } from "../core/formats.ts";
import { PAYLOAD_MAX_JOINTS, PAYLOAD_MAX_VERTICES } from "../core/limits.ts";
import { type LossEntry, LossReport } from "../core/loss.ts";
import type { Mesh } from "../core/mesh.ts";
import { checksumText } from "../core/number_text.ts";
import { type Content, wholeOf } from "../core/pieces.ts";
import { VERSION } from "../core/version.ts";
import type { TangentMode } from "../kernels/tangents.ts";
import { writeGlbParts, writeGltf } from "../formats/gltf/write.ts";
import { meshToPayload } from "../formats/payload/mesh.ts";
import { writePayload } from "../formats/payload/write.ts";
import { writeObj } from "../formats/obj/write.ts";
import { writeSmd } from "../formats/smd/write.ts";
import { meshToVvd } from "../formats/vvd/mesh.ts";
import { writeVvd } from "../formats/vvd/write.ts";
import { noFaces } from "../formats/css/mesh_to_css.ts";
import { convertBasis } from "../ops/convert_basis.ts";
import { splitMesh } from "../ops/split_mesh.ts";
import { deriveTangentSigns } from "../ops/tangent_signs.ts";
import {
  type CssPackages,
  cssWarnings,
  meshToCssFile,
  rewriteCss,
} from "./css_file.ts";
import { requireWritable } from "./detect.ts";
import { editVvd, poolOf, vvdWithVertices } from "./edit_vvd.ts";
import {
  type MakeOptions,
  withImporterTangents,
  withNewData,
  withNewNormals,
  withNewTangents,
  withoutOldLods,
} from "./rebuild.ts";
import { type AddedEntry, fitMesh, type FitOptions } from "./fit.ts";
import { addNormals, dropTangents } from "./fit_parts.ts";
import {
  meshOf,
  type MeshOfOptions,
  readFile,
  type ReadOptions,
  reportUnread,
  type SourceFile,
} from "./read.ts";
import type { BodyGroupOptions } from "./source_model.ts";

/** Options of {@linkcode convert}. */
export interface ConvertOptions
  extends ReadOptions, FitOptions, MakeOptions, BodyGroupOptions, CssPackages {
  /** Target format. */
  to: FormatId;
  /** glTF target: JSON with an embedded buffer in place of GLB. */
  gltfJson?: boolean;
  /** One level of detail of the input; all of them when left out. */
  lod?: number;
  /** Keep levels of detail 0 to this one; all of them when left out. */
  lods?: "all" | number;
  /** Name of the output without its extension: an OBJ names its material library by it. */
  outName?: string;
  /** Metres in one Source unit (0.0254 unless given), of the input or of the output; a factor where neither or both have it. */
  scale?: number;
  /**
   * Keep tangents, rebuild them by MikkTSpace, or drop them. When left out they are kept, and a CSS mesh, which stores none,
   * gets on its way to glTF the ones that its importer would make.
   */
  tangents?: "keep" | "rebuild" | "drop";
  /** Whose bits rebuilt tangents have; `corrected` unless given. */
  tangentMode?: TangentMode;
  /** What becomes of rebuilt tangents that have no meaning: kept as they come (`reference`, the default), or repaired. */
  degenerate?: "reference" | "repair";
  /** Keep normals, or rebuild them from the faces by the payload's rule. */
  normals?: "keep" | "rebuild";
  /** Write several payloads when one can not hold the vertices, instead of refusing. */
  split?: boolean;
  /** Axes, unit and texture origin of the input where they are not its format's own: raw data out of Blender. */
  basis?: BasisId;
  /** Checksum of a VVD: unless given its own where the input is one, else 0. */
  checksum?: number;
  /** Take a CSS authored mesh that its importer would refuse, as far as it fits the model; the report warns of it. */
  lenient?: boolean;
}

/** Formats that are written from a mesh. */
type MeshTarget = Parameters<typeof fitMesh>[1];

/** What `convert --json` prints, without the file names. */
export interface ConvertReport {
  /** Format read; of a terrain the kind of image that it was made from. */
  from: FormatId | "png" | "raw";
  /** Format written. */
  to: FormatId;
  /** Sizes. */
  bytes: { in: number; out: number };
  /** What happened to axes, unit, winding and texture origin. */
  basis: {
    from: string;
    to: string;
    determinant: 1 | -1;
    scale: number;
    windingReversed: boolean;
    uvFlipped: boolean;
  };
  /** What was lost; empty exactly when reading the output gives back everything that the input held. */
  loss: LossEntry[];
  /** What the target needs and the source had not. */
  added: AddedEntry[];
  /** What the output holds and its engine will not show; absent when there is nothing to warn of. */
  warnings?: { code: Code; message: string }[];
}

/** Result of {@linkcode convert}. */
export interface Converted {
  /** One output, or the parts of a split payload in order, or an output with the files that belong beside it. */
  outputs: Uint8Array[];
  /** Where files belong beside an output: what each name ends with in place of the output's extension. */
  endings?: string[];
  /** The report. */
  report: ConvertReport;
}

/** A conversion whose outputs need not have been made yet. */
export interface Conversion extends Omit<Converted, "outputs"> {
  /** As those of {@linkcode Converted}. The report counts the bytes of what was made. */
  outputs: Content[];
}

function basisReport(change: BasisChange): ConvertReport["basis"] {
  return {
    from: BASES[change.from].label,
    to: BASES[change.to].label,
    determinant: change.determinant,
    scale: change.scale,
    windingReversed: change.windingReversed,
    uvFlipped: change.uvFlipped,
  };
}

/** True where the options ask for another mesh than the one that was read, whichever of its levels that is. */
function asksForAnother(o: ConvertOptions): boolean {
  return o.scale !== undefined ||
    o.tangents === "drop" || o.tangents === "rebuild" ||
    o.normals === "rebuild" || o.maxInfluences !== undefined ||
    o.buildLods !== undefined || o.weld !== undefined ||
    o.heightfield === true;
}

/** Without the levels of detail behind the last one that is asked for; everything else as it is stored. */
function payloadWithFewerLods(
  { payload }: SourceFile & { format: "payload" },
  last: number,
  loss: LossReport,
): Uint8Array {
  reportFewerLods(payload.lodAlternates.length + 1, last, loss);
  const lodAlternates = payload.lodAlternates.slice(0, last);
  return writePayload({
    ...payload,
    lodAlternates,
    // without the block a reader would look for it in the bytes that follow
    hasLodsBlock: lodAlternates.length > 0 || payload.trailing.length > 0,
  });
}

/** The same format in and out, with nothing asked for that makes another mesh: the bytes themselves, doubtful content included. */
function unchanged(
  file: SourceFile,
  o: ConvertOptions,
  loss: LossReport,
): Content | null {
  const asked = asksForAnother(o) || o.lod !== undefined ||
    o.morphEpsilon !== undefined || o.basis !== undefined;
  if (file.format !== o.to || asked) return null;
  // every text of the same mesh becomes the same bytes
  if (file.format === "css") return rewriteCss(file.css, o, loss);
  if (file.format !== "payload") return null;
  const { vertices, lodAlternates } = file.payload;
  if (o.split && vertices.count > PAYLOAD_MAX_VERTICES) return null;
  return typeof o.lods === "number" && o.lods < lodAlternates.length
    ? payloadWithFewerLods(file, o.lods, loss)
    : file.bytes;
}

/** A Source vertex file that stays one. */
function convertVvd(
  file: SourceFile & { format: "vvd" },
  o: ConvertOptions,
): Conversion {
  const loss = new LossReport();
  if (o.lod !== undefined) meshOf(file, o.lod, {}); // refuses a level that does not exist
  const vvd = editVvd(file.vvd, o, loss);
  if (!asksForAnother(o) && o.basis === undefined) {
    const bytes = vvd === file.vvd ? file.bytes : writeVvd(vvd);
    const change = basisChange("source", "source");
    return result(file, o, [bytes], change, loss, []);
  }
  const { lod: _, ...rest } = o;
  const pool = { ...file, vvd: poolOf(vvd) };
  const { mesh, change, added } = prepare(pool, rest, loss);
  const made = vvdWithVertices(vvd, mesh, loss);
  return result(file, o, [writeVvd(made)], change, loss, added);
}

function reportFewerLods(levels: number, last: number, loss: LossReport): void {
  loss.add(
    "dropped",
    "levels of detail",
    Math.max(0, levels - last - 1),
    `levels 0 to ${last} were asked for`,
  );
}

function prepare(
  file: SourceFile,
  o: ConvertOptions,
  loss: LossReport,
): { mesh: Mesh; change: BasisChange; added: AddedEntry[] } {
  const to = o.to as MeshTarget;
  const added: AddedEntry[] = [];
  const lod = o.lod ?? null;
  const choice: MeshOfOptions = {
    ...(o.limits ? { limits: o.limits } : {}),
    ...(o.bodygroup !== undefined ? { bodygroup: o.bodygroup } : {}),
    ...(o.skin !== undefined ? { skin: o.skin } : {}),
    ...(o.shadowLod !== undefined ? { shadowLod: o.shadowLod } : {}),
    ...(o.basis !== undefined ? { basis: o.basis } : {}),
    toCss: to === "css",
    alternatives: to === "gltf",
    lenient: file.format === "mdl" && o.force === true,
  };
  let mesh = meshOf(file, lod, choice);
  if (file.format === "vvd" && to === "css") {
    throw noFaces(
      mesh.vertexCount,
      "Convert the model's .mdl instead, which brings the faces of its VTX",
    );
  }
  // a Source vertex file that stays one keeps what no mesh holds
  if (file.format !== "vvd" || to !== "vvd") {
    reportUnread(file, lod, loss, choice);
  }
  if (file.format === "css" && !file.css.normals) {
    if (to === "css") {
      // what the importer is to make stays for it to make
      const { normal: _, ...rest } = mesh.attributes;
      mesh = { ...mesh, attributes: rest };
    } else {
      added.push({
        what: "normals",
        count: mesh.vertexCount,
        why: "smooth over equal positions, as the engine makes them",
      });
    }
  }
  if (typeof o.lods === "number") {
    reportFewerLods(mesh.lods.length, o.lods, loss);
    mesh = { ...mesh, lods: mesh.lods.slice(0, o.lods + 1) };
  }
  if (o.buildLods) mesh = withoutOldLods(mesh, to, loss);
  if (o.normals === "rebuild") {
    mesh = withNewNormals(mesh, file.format, loss, added);
  }
  if (o.tangents === "drop") mesh = dropTangents(mesh, loss, "asked for");
  if (o.tangents === "rebuild") {
    const choice = {
      mode: o.tangentMode ?? "corrected",
      degenerate: o.degenerate ?? "reference",
    };
    mesh = withNewTangents(mesh, file.format, choice, loss, added);
  } else if (
    o.tangents === undefined && file.format === "css" && to === "gltf"
  ) {
    mesh = withImporterTangents(mesh, added);
  }
  if (file.format === "payload" && to !== "payload") {
    const signs = deriveTangentSigns(mesh);
    mesh = signs.mesh;
    if (signs.mirrored > 0) {
      added.push({
        what: "tangent signs",
        count: signs.mirrored,
        why: "a payload stores none; the texture of these vertices is mirrored",
      });
    }
  }
  if (to === "vvd") mesh = addNormals(mesh, added);
  const moved = convertBasis(mesh, to === "vvd" ? "source" : to, {
    ...(o.scale === undefined ? {} : { unit: o.scale }),
  });
  const fitted = fitMesh(moved.mesh, to, loss, o);
  added.push(...fitted.added);
  return {
    mesh: withNewData(fitted.mesh, to, o, loss, added),
    change: moved.change,
    added,
  };
}

/** Vertices that some level draws. */
function usedByAny(mesh: Mesh): number {
  if (mesh.lods[0].indices === null) return mesh.vertexCount;
  const used = new Uint8Array(mesh.vertexCount);
  for (const { indices } of mesh.lods) indices?.forEach((v) => used[v] = 1);
  return used.reduce((sum, u) => sum + u, 0);
}

function payloadParts(
  mesh: Mesh,
  o: ConvertOptions,
  loss: LossReport,
  added: AddedEntry[],
): Uint8Array[] {
  if (mesh.vertexCount <= PAYLOAD_MAX_VERTICES || !o.split) {
    return [writePayload(meshToPayload(mesh))];
  }
  const parts = splitMesh(mesh, PAYLOAD_MAX_VERTICES);
  const total = parts.reduce((sum, p) => sum + p.vertexCount, 0);
  const used = usedByAny(mesh);
  loss.add(
    "dropped",
    "vertices",
    mesh.vertexCount - used,
    "no triangle uses them, so no part took them",
  );
  if (total > used) {
    added.push({
      what: "vertices",
      count: total - used,
      why: `repeated on the cuts between ${parts.length} parts`,
    });
  }
  return parts.map((p) => writePayload(meshToPayload(p)));
}

function checkOptions(o: ConvertOptions): void {
  const bad = (path: string, found: unknown, allowed: string): never => {
    throw meshError(
      "ARGUMENT",
      `Give ${path} ${allowed}: found ${found}`,
      { path, found, allowed },
    );
  };
  if (o.scale !== undefined && !(o.scale > 0 && Number.isFinite(o.scale))) {
    bad("scale", o.scale, "a number above 0");
  }
  if (
    o.lod !== undefined && !(Number.isInteger(o.lod) && o.lod >= 0)
  ) bad("lod", o.lod, "a whole number of 0 or more");
  if (o.morphEpsilon !== undefined && !(o.morphEpsilon >= 0)) {
    bad("morphEpsilon", o.morphEpsilon, "a number of 0 or more");
  }
  if (
    typeof o.lods === "number" && !(Number.isInteger(o.lods) && o.lods >= 0)
  ) bad("lods", o.lods, "a whole number of 0 or more");
  if (
    o.maxInfluences !== undefined &&
    !(Number.isInteger(o.maxInfluences) && o.maxInfluences >= 1)
  ) bad("maxInfluences", o.maxInfluences, "a whole number of 1 or more");
}

/**
 * Converts a file.
 *
 * @param bytes The input.
 * @param options Target format and what to do on the way.
 * @returns The output, and the report of what was lost.
 * @throws {MeshError} FORMAT-UNKNOWN, FORMAT-UNSUPPORTED, PAYLOAD-VERTEX-COUNT, ARGUMENT, LIMIT-EXCEEDED, and what the
 * reader of the input throws.
 *
 * @example
 * ```ts
 * import { convert } from "@meshwright/kit";
 *
 * const { outputs, report } = await convert(Deno.readFileSync("samples/lantern.vvd"), { to: "gltf" });
 * console.log(outputs[0].length > 0, report.basis.scale); // true 0.0254
 * ```
 */
export async function convert(
  bytes: Uint8Array,
  options: ConvertOptions,
): Promise<Converted> {
  const made = await convertInPieces(bytes, options);
  const outputs = made.outputs.map(wholeOf);
  made.report.bytes.out = outputs.reduce((sum, o) => sum + o.length, 0);
  return { ...made, outputs };
}

/**
 * Converts a file as {@linkcode convert} does, and leaves large texts to be made as they are written. Such an output counts
 * as no bytes in the report.
 */
export async function convertInPieces(
  bytes: Uint8Array,
  options: ConvertOptions,
): Promise<Conversion> {
  checkOptions(options);
  requireWritable(options.to);
  const size = bytes.length;
  const file = await readFile(
    bytes,
    options,
    options.force ? "force" : "refuse",
    options.lenient ? "lenient" : "importable",
  );
  const made = await convertFile(file, options);
  made.report.bytes.in = size;
  return made;
}

async function convertFile(
  file: SourceFile,
  options: ConvertOptions,
): Promise<Conversion> {
  if (file.format === "vvd" && options.to === "vvd") {
    return convertVvd(file, options);
  }
  const loss = new LossReport();
  const same = unchanged(file, options, loss);
  if (same) {
    const basis = file.format === "css" ? "css" : "payload";
    return result(
      file,
      options,
      [same],
      basisChange(basis, basis),
      loss,
      [],
    );
  }
  const { mesh, change, added } = prepare(file, options, loss);
  if (file.format === "css") file.release();
  const write = {
    generator: `meshwright ${VERSION}`,
    limits: options.limits ?? {},
  };
  if (options.to === "obj") {
    const { obj, mtl } = writeObj(mesh, {
      ...write,
      mtlName: `${options.outName ?? (mesh.name || "mesh")}.mtl`,
    });
    return {
      ...result(file, options, [obj, mtl], change, loss, added),
      endings: [".obj", ".mtl"],
    };
  }
  if (options.to === "smd") {
    const { lods, vta } = writeSmd(mesh, write);
    return {
      ...result(
        file,
        options,
        vta ? [...lods, vta] : lods,
        change,
        loss,
        added,
      ),
      endings: [
        ...lods.map((_, level) => level === 0 ? ".smd" : `_lod${level}.smd`),
        ...(vta ? [".vta"] : []),
      ],
    };
  }
  if (options.to === "css") {
    const stem = (options.outName ?? options.name ?? "")
      .replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "");
    const source = file.format === "css" ? file.css : null;
    const made = meshToCssFile(
      mesh,
      options,
      stem,
      source,
      loss,
      file.format === "mdl",
    );
    added.push(...made.added);
    return result(file, options, [made.text], change, loss, added);
  }
  const outputs: Content[] = options.to === "payload"
    ? payloadParts(mesh, options, loss, added)
    : options.to === "vvd"
    ? [writeVvd(meshToVvd(mesh, options.checksum ?? 0))]
    : [
      await (options.gltfJson
        ? writeGltf(mesh, write)
        : writeGlbParts(mesh, write)),
    ];
  const made = result(file, options, outputs, change, loss, added);
  const joints = mesh.skeleton?.length ?? 0;
  if (options.to === "payload" && joints > PAYLOAD_MAX_JOINTS) {
    made.report.warnings = [...made.report.warnings ?? [], {
      code: "PAYLOAD-JOINT-COUNT",
      message:
        `Reduce the skeleton: it has ${joints} joints, the payload's engine uploads ${PAYLOAD_MAX_JOINTS} and cuts the rest`,
    }];
  }
  return made;
}

/** Files of other compiles that were taken since `force` said so. */
function forcedFiles(file: SourceFile): ConvertReport["warnings"] & unknown[] {
  if (file.format !== "mdl") return [];
  return file.companions.list.filter((c) => c.used && !c.matches).map((c) => ({
    code: "MDL-CHECKSUM" as const,
    message:
      `Check the result: ${c.file} comes from another compile than the .mdl, checksum ${
        c.checksum === null ? "none" : checksumText(c.checksum)
      } against ${
        checksumText(file.model.mdl.checksum)
      }, and was taken by force`,
  }));
}

function result(
  file: SourceFile,
  options: ConvertOptions,
  outputs: Content[],
  change: BasisChange,
  loss: LossReport,
  added: AddedEntry[],
): Conversion {
  const warnings = [
    ...forcedFiles(file),
    ...(file.format === "css" ? cssWarnings(file) : []),
  ];
  return {
    outputs,
    report: {
      from: file.format,
      to: options.to,
      bytes: {
        in: 0, // the caller knows
        out: outputs.reduce(
          (sum, o) => sum + (o instanceof Uint8Array ? o.length : 0),
          0,
        ),
      },
      basis: basisReport(change),
      loss: loss.entries,
      added: added.filter((a) => a.count > 0),
      ...(warnings.length > 0 ? { warnings } : {}),
    },
  };
}
