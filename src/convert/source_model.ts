/**
 * A Source model on its way through a conversion: reading it from its files, choosing body groups.
 *
 * @module
 */
import { MeshError, meshError } from "../core/errors.ts";
import type { Findings } from "../core/findings.ts";
import type { Limits } from "../core/limits.ts";
import type { LossKind, LossReport } from "../core/loss.ts";
import type { Mesh } from "../core/mesh.ts";
import { checksumText } from "../core/number_text.ts";
import { readSourceModel } from "../formats/mdl/model.ts";
import { sourceModelToMesh } from "../formats/mdl/mesh.ts";
import { readMdl } from "../formats/mdl/read_mdl.ts";
import {
  type Mdl,
  MDL_FLAG_EXTRA_VERTEX_DATA,
  type MdlModel,
  type SourceModel,
} from "../formats/mdl/types.ts";
import { strayBones } from "../formats/mdl/stray_bones.ts";
import { validateSourceModel } from "../formats/mdl/validate.ts";
import { readVvd } from "../formats/vvd/read.ts";
import { RECORD_BYTES } from "../kernels/replay.ts";
import { remapVertices } from "../ops/remap_vertices.ts";
import {
  chooseCompanions,
  type CompanionInfo,
  type Companions,
  requireCompanions,
} from "./companions.ts";

/** Options about the models of a Source model. */
export interface BodyGroupOptions {
  /**
   * Which model of each body part: its number by the part's name, or by the part's number where names repeat. "all" draws
   * every model. Model 0 where left out.
   */
  bodygroup?: Readonly<Record<string, number>> | "all";
  /** Skin family that the materials are of; 0 unless given. */
  skin?: number;
  /** Keep the level of detail that only casts shadows. */
  shadowLod?: boolean;
}

/** A Source model with the files that it was read from. */
export interface ModelFile {
  /** The model. */
  model: SourceModel;
  /** What stands beside the .mdl. */
  companions: Companions;
}

/** How to treat files that are missing or do not belong together. */
export type CompanionRule =
  /** Refuse them. */
  | "refuse"
  /** Take files of other compiles. */
  | "force"
  /** Leave out what does not fit, so that the rest can be described. */
  | "describe";

/**
 * Reads a Source model from its .mdl and the files beside it.
 *
 * @throws {MeshError} MDL-COMPANION, MDL-CHECKSUM, and what the readers throw.
 */
export function readModelFile(
  bytes: Uint8Array,
  name: string,
  files: Readonly<Record<string, Uint8Array>>,
  rule: CompanionRule,
  limits: Partial<Limits>,
): ModelFile {
  const mdl = readMdl(bytes, { limits });
  const companions = chooseCompanions(mdl, name, files);
  if (rule !== "describe") requireCompanions(companions, name);
  const options = {
    force: rule === "force",
    names: { mdl: name || "the MDL", ...companions.names },
    limits,
  };
  if (rule === "describe" && !fits(companions)) {
    for (const c of companions.list) c.used = false;
    return { model: withoutGeometry(mdl, companions, limits), companions };
  }
  const model = namingFile(
    companions,
    () => readSourceModel({ mdl: bytes, ...companions.files }, options),
  );
  return { model, companions };
}

/** What can be told of a model whose files are missing or stale: its own header, and that of the VVD if it belongs to it. */
function withoutGeometry(
  mdl: Mdl,
  companions: Companions,
  limits: Partial<Limits>,
): SourceModel {
  const bytes = companions.files.vvd;
  const own = companions.list.some((c) =>
    c.file === companions.names.vvd && c.matches
  );
  const vvd = bytes && own
    ? namingFile(companions, () => readVvd(bytes, { limits }))
    : null;
  return { mdl, vvd, vtx: null, vvc: null, lods: [], notes: mdl.notes };
}

/** Runs work on a model's files: an error of one beside the .mdl says which it is. */
function namingFile<T>({ names }: Companions, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof MeshError)) throw error;
    const kind = error.code.slice(0, 3).toLowerCase();
    const file = names[kind as keyof typeof names];
    if (!file) throw error;
    const { code, message, format, offset, path, found, allowed } = error;
    throw meshError(code, `${message} (${file})`, {
      ...(format ? { format } : {}),
      ...(offset !== undefined ? { offset } : {}),
      ...(path !== undefined ? { path } : {}),
      found,
      allowed,
      cause: error,
    });
  }
}

/** True when a whole model can be read from the files that were chosen. */
function fits(companions: Companions): boolean {
  return companions.missing.length === 0 &&
    companions.list.every((c) => !c.used || c.matches);
}

/** Number of the model that is chosen of each body part. */
function choicesOf(
  mdl: Mdl,
  options: BodyGroupOptions,
): (number | undefined)[] {
  const choices: (number | undefined)[] = mdl.bodyParts.map(() => undefined);
  const { bodygroup } = options;
  if (!bodygroup || bodygroup === "all") return choices;
  const names = mdl.bodyParts.map((part) => part.name);
  for (const [key, choice] of Object.entries(bodygroup)) {
    const lower = key.toLowerCase();
    const byName = names.flatMap((n, i) =>
      n.toLowerCase() === lower ? [i] : []
    );
    const parts = byName.length > 0
      ? byName
      : /^\d+$/.test(key) && Number(key) < names.length
      ? [Number(key)]
      : [];
    if (parts.length !== 1) {
      throw meshError(
        "ARGUMENT",
        parts.length === 0
          ? `Choose a body group of the model: ${key} is none of ${
            names.join(", ") || "its body groups, since it has none"
          }`
          : `Choose the body group by its number: ${parts.length} are called ${key} (${
            parts.join(", ")
          })`,
        { format: "mdl", path: "bodygroup", found: key, allowed: names },
      );
    }
    const { models } = mdl.bodyParts[parts[0]];
    if (!(Number.isInteger(choice) && choice >= 0 && choice < models.length)) {
      throw meshError(
        "ARGUMENT",
        `Choose an existing model of body group ${key}: found ${choice}, it has 0 to ${
          models.length - 1
        }`,
        {
          format: "mdl",
          path: `bodygroup/${key}`,
          found: choice,
          allowed: `0 to ${models.length - 1}`,
        },
      );
    }
    choices[parts[0]] = choice;
  }
  return choices;
}

function checkSkin(mdl: Mdl, skin: number | undefined): void {
  const last = Math.max(mdl.skinFamilies.length, 1) - 1;
  if (skin === undefined || skin <= last) return;
  throw meshError(
    "ARGUMENT",
    `Choose an existing skin: found ${skin}, the model has 0 to ${last}`,
    { format: "mdl", path: "skin", found: skin, allowed: `0 to ${last}` },
  );
}

/** The run of pool vertices that a model owns. */
function rangeOf(model: MdlModel): [start: number, end: number] {
  const start = Math.floor(model.vertexIndex / RECORD_BYTES);
  const count = model.meshes.reduce(
    (most, mesh) => Math.max(most, mesh.vertexOffset + mesh.vertexCount),
    0,
  );
  return [start, start + count];
}

/** The mesh without the vertices that only models left out own. */
function withoutOthers(
  mesh: Mesh,
  mdl: Mdl,
  holds: (b: number, m: number) => boolean,
): Mesh {
  const other = new Uint8Array(mesh.vertexCount);
  const own = new Uint8Array(mesh.vertexCount);
  mdl.bodyParts.forEach((part, b) =>
    part.models.forEach((model, m) => {
      const [start, end] = rangeOf(model);
      (holds(b, m) ? own : other).fill(1, Math.max(start, 0), Math.max(end, 0));
    })
  );
  for (const lod of mesh.lods) for (const v of lod.indices ?? []) own[v] = 1;
  const order: number[] = [];
  const place = new Uint32Array(mesh.vertexCount);
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (other[v] && !own[v]) continue;
    place[v] = order.length;
    order.push(v);
  }
  if (order.length === mesh.vertexCount) return mesh;
  return {
    ...remapVertices(mesh, Uint32Array.from(order)),
    lods: mesh.lods.map((lod) => ({
      ...lod,
      indices: lod.indices?.map((v) => place[v]) ?? null,
    })),
  };
}

/** Everything that a Source model holds, as one mesh: all models of all body parts, the shadow level too. */
export function wholeMesh(model: SourceModel, lenient: boolean): Mesh {
  return sourceModelToMesh(model, {
    alternatives: true,
    rigidBone: true,
    shadow: true,
    lenient,
  });
}

/**
 * The mesh that a conversion works on: of every body part the chosen model, or all of them as alternatives.
 *
 * @param alternatives Keep the models that are not chosen, told apart by `parts`.
 * @throws {MeshError} ARGUMENT for a body group, model or skin that does not exist; as {@linkcode sourceModelToMesh}.
 */
export function chosenMesh(
  model: SourceModel,
  alternatives: boolean,
  options: BodyGroupOptions & { lenient?: boolean; limits?: Partial<Limits> },
): Mesh {
  const { mdl } = model;
  const choices = choicesOf(mdl, options);
  checkSkin(mdl, options.skin);
  const all = alternatives || options.bodygroup === "all";
  const mesh = sourceModelToMesh(model, {
    choices,
    alternatives: all,
    shadow: options.shadowLod ?? false,
    lenient: options.lenient ?? false,
    ...(options.skin !== undefined ? { skin: options.skin } : {}),
    limits: options.limits ?? {},
  });
  if (!all) return withoutOthers(mesh, mdl, (b, m) => (choices[b] ?? 0) === m);
  if (options.bodygroup !== "all" || !mesh.parts) return mesh;
  return { ...mesh, parts: mesh.parts.map((p) => ({ ...p, shown: true })) };
}

/** What becomes of the models of a body group that are not its first choice. */
function fateOfOthers(
  inScenes: boolean,
  { bodygroup }: BodyGroupOptions,
): [LossKind, why: string] {
  if (inScenes && bodygroup === "all") {
    return [
      "changed",
      "all are drawn at once, as asked for; their choice is kept in extras, which this program does not read back",
    ];
  }
  if (inScenes) {
    return [
      "changed",
      "they stand in a second scene; what reads one scene, as this program does, sees only their vertices",
    ];
  }
  return bodygroup === "all"
    ? ["changed", "all are drawn at once: the target has no choice"]
    : [
      "dropped",
      "one model of each body group is shown; the option bodygroup chooses",
    ];
}

/**
 * Reports models and materials to choose from.
 *
 * @param gltf The target is a glTF, which holds them all, in a form that is not read back.
 */
function reportChoices(
  { model: { mdl } }: ModelFile,
  gltf: boolean,
  options: BodyGroupOptions,
  loss: LossReport,
): void {
  const [kind, why] = fateOfOthers(gltf, options);
  loss.add(
    kind,
    "alternative models of body groups",
    mdl.bodyParts.reduce(
      (n, part) => n + Math.max(0, part.models.length - 1),
      0,
    ),
    why,
  );
  loss.add(
    gltf ? "changed" : "dropped",
    "skin families",
    mdl.textures.length > 0 ? Math.max(0, mdl.skinFamilies.length - 1) : 0,
    gltf
      ? "they are material variants; what reads no variants, as this program, sees the chosen family"
      : "one skin is shown; the option skin chooses",
  );
}

/** What a glTF keeps in extras, and no other target at all. */
function reportExtras(
  { model: { mdl } }: ModelFile,
  gltf: boolean,
  loss: LossReport,
): void {
  const models = mdl.bodyParts.flatMap((part) => part.models);
  const flexes = models.flatMap((m) => m.meshes.flatMap((k) => k.flexes));
  const rows = [
    ["eyeballs", models.reduce((n, m) => n + m.eyeballs.length, 0)],
    ["flex ramps", new Set(flexes.map((f) => f.flexDesc)).size],
    ["material folders", mdl.texturePaths.length],
    ["surface property", mdl.surfaceProp === "" ? 0 : 1],
  ] as const;
  for (const [what, count] of rows) {
    loss.add(
      gltf ? "changed" : "dropped",
      what,
      count,
      gltf
        ? "kept in extras, which this program does not read back"
        : "only a Source model holds it",
    );
  }
}

/** Reports what a Source model holds and the mesh does not. */
export function reportModel(
  file: ModelFile,
  gltf: boolean,
  options: BodyGroupOptions,
  loss: LossReport,
): void {
  const { mdl, vvd, lods, notes } = file.model;
  const only = "only a Source model holds it";
  loss.add("dropped", "checksum", 1, only);
  reportChoices(file, gltf, options, loss);
  loss.add(
    "dropped",
    "shadow levels of detail",
    options.shadowLod ? 0 : lods.filter((l) => l.shadow).length,
    "they are never seen; the option shadow-lod keeps them",
  );
  const flexes = mdl.bodyParts.flatMap((p) =>
    p.models.flatMap((m) => m.meshes.flatMap((mesh) => mesh.flexes))
  );
  loss.add(
    "dropped",
    "wrinkle deltas",
    flexes.reduce((n, f) => n + (f.wrinkle?.length ?? 0), 0),
    "the mesh model has none",
  );
  reportExtras(file, gltf, loss);
  loss.add("dropped", "flex controllers", mdl.flexControllers.length, only);
  for (const [what, count] of Object.entries(mdl.unread)) {
    loss.add("dropped", what, count, only);
  }
  loss.add(
    "dropped",
    "surface properties of bones",
    mdl.bones.filter((b) => b.surfaceProp !== mdl.surfaceProp).length,
    only,
  );
  loss.add("dropped", "included models", mdl.includeModels.length, only);
  const handled = (mdl.flags & MDL_FLAG_EXTRA_VERTEX_DATA) !== 0;
  loss.add(
    "dropped",
    "extra-data arrays",
    vvd?.extra.filter((e) => !(handled && e.type < 8 && e.bytesPerVertex === 8))
      .length ?? 0,
    only,
  );
  loss.add(
    "dropped",
    "triangles without a vertex",
    notes.reduce((n, note) => n + (note.triangles ?? 0), 0),
    "of all levels; they name vertices that the files do not hold, which are not of one compile",
  );
  const { weighted } = strayBones(file.model);
  loss.add(
    "repaired",
    "influences of bones that the model has not",
    weighted,
    "their weight went to bone 0",
  );
  loss.add(
    "dropped",
    "flex entries without a vertex",
    notes.filter((n) => n.code === "MDL-FLEX-VERTEX")
      .reduce((n, note) => n + Number(note.found), 0),
    "they name a vertex that the mesh has not",
  );
}

/** What is wrong with a file beside the .mdl that is not read. */
function whyUnused({ file, content, checksum }: CompanionInfo, mdl: Mdl) {
  if (content) {
    return `Fetch the file again or remove it: ${file} holds ${content}`;
  }
  if (checksum === null) {
    return `Fetch the file again or remove it: ${file} is too short to hold a checksum`;
  }
  return `Remove the stale file or compile the model again: ${file} carries checksum ${
    checksumText(checksum)
  }, the MDL ${checksumText(mdl.checksum)}`;
}

/** Adds the findings of a model and of the files beside it. */
export function validateModelFile(
  { model, companions }: ModelFile,
  findings: Findings,
): void {
  for (const c of companions.list) {
    if (c.used || c.matches || c.kind === "vvc") continue;
    findings.add(
      "MDL-COMPANION-UNUSED",
      c.file,
      whyUnused(c, model.mdl),
      { found: c.checksum, allowed: model.mdl.checksum },
    );
  }
  validateSourceModel(model, findings);
}
