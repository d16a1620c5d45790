/**
 * Reads MDL versions 44 to 49, as far as geometry needs them. Integers are little-endian; the header's offsets count from
 * the start of the file, all others from the record that holds them.
 *
 * | @   | type     | field                        | @   | type   | field                                     |
 * | --- | -------- | ---------------------------- | --- | ------ | ----------------------------------------- |
 * | 0   | u8[4]    | id `IDST`                    | 220 | i32    | numskinref                                |
 * | 4   | i32      | version                      | 224 | i32    | numskinfamilies                           |
 * | 8   | i32      | checksum                     | 228 | i32    | skinindex: u16[families][refs]            |
 * | 12  | u8[64]   | name                         | 232 | i32[2] | body parts: number, offset                |
 * | 76  | i32      | length                       | 260 | i32[2] | flexdescs: i32 name                       |
 * | 104 | f32[3]×2 | hull                         | 268 | i32[2] | flex controllers: 20 bytes                |
 * | 152 | i32      | flags                        | 308 | i32    | surface property, a name                  |
 * | 156 | i32[2]   | bones: number, offset        | 336 | i32[2] | include models: i32 label, i32 path       |
 * | 204 | i32[2]   | textures: 64 bytes           | 377 | u8     | rootLOD                                   |
 * | 212 | i32[2]   | texture folders: i32 name    | 378 | u8     | numAllowedRootLODs                        |
 * |     |          |                              | 392 | f32    | scale of fixed-point flex deltas          |
 *
 * Bone, 216 bytes: name 0, parent 4, pos 32, quat 44, rot 60, posscale 72, rotscale 84, poseToBone 96, flags 160, surface
 * property 176. Body part, 16: name 0, nummodels 4, base 8, modelindex 12. Model, 148: name[64] 0, nummeshes 72, meshindex
 * 76, numvertices 80, vertexindex 84, tangentsindex 88, numeyeballs 100, eyeballindex 104. Mesh, 116: material 0,
 * numvertices 8, vertexoffset 12, numflexes 16, flexindex 20, materialtype 24, materialparam 28, numLODVertexes[8] 52.
 * Flex, 60: flexdesc 0, targets f32[4] 4, numverts 20, vertindex 24, flexpair 28, vertanimtype 32. Entry, 16 or 18: u16
 * vertex 0, u8 speed 2, u8 side 3, 3 × 16 bits delta 4, 3 × 16 bits normal delta 10, and for wrinkles i16 16. Eyeball, 172:
 * name 0, bone 4, org 8, radius 24, up 28, forward 40, texture 52, iris scale 60.
 *
 * Of sequences, attachments, hit boxes and their like only the numbers in the header are read; they, and the second header,
 * can be damaged without harm.
 *
 * @module
 */
import type { Code } from "../../core/codes.ts";
import { meshError } from "../../core/errors.ts";
import { checkLimit, type Limits, withLimits } from "../../core/limits.ts";
import { readFlexes } from "./read_flexes.ts";
import { asciiAt, decodeName, isLfsPointer, isZero, Tables } from "./tables.ts";
import {
  type Mdl,
  MDL_FLAG_VERT_ANIM_SCALE,
  MDL_MAX_VERSION,
  MDL_MIN_VERSION,
  type MdlBodyPart,
  type MdlBone,
  type MdlEyeball,
  type MdlMesh,
  type MdlModel,
  type Vector3,
} from "./types.ts";

/** Bytes of the header. */
const HEADER_BYTES = 408;
const BONE_BYTES = 216;
const TEXTURE_BYTES = 64;
const BODY_PART_BYTES = 16;
const MODEL_BYTES = 148;
const MESH_BYTES = 116;
const EYEBALL_BYTES = 172;
const CONTROLLER_BYTES = 20;
/** Unit of fixed-point flex deltas when the header states none. */
const DEFAULT_VERT_ANIM_SCALE = 1 / 4096;

/** Options of the readers of a Source model's files. */
export interface ReadSourceFileOptions {
  /** Limits on size and counts. */
  limits?: Partial<Limits>;
}

function fail(code: Code, message: string, found: unknown): never {
  throw meshError(code, message, {
    format: "mdl",
    offset: 0,
    found,
    allowed: "IDST",
  });
}

/** Refuses what is not an MDL by the name of what it looks like. */
function checkMagic(bytes: Uint8Array): void {
  if (bytes.length === 0) {
    fail("MDL-EMPTY", "Extract the file again: it is empty", "0 bytes");
  }
  const magic = asciiAt(bytes, 0, 4);
  if (magic === "IDST") return;
  if (isZero(bytes)) {
    fail(
      "MDL-ZERO",
      "Extract the file again: it holds only zero bytes",
      "zero bytes",
    );
  }
  if (isLfsPointer(bytes)) {
    fail(
      "MDL-LFS-POINTER",
      "Fetch the real file with `git lfs pull`: this is a Git LFS pointer text",
      "Git LFS pointer",
    );
  }
  if (magic === "TSDI") {
    fail(
      "MDL-BIG-ENDIAN",
      "Use the PC version of the model: this is a big-endian console file",
      magic,
    );
  }
  for (let at = 1; at <= 16; at++) {
    if (asciiAt(bytes, at, 4) === "IDST") {
      fail(
        "MDL-SHIFTED",
        `Extract the file again: the magic stands at byte ${at}, an unpacker damaged the file`,
        `IDST at byte ${at}`,
      );
    }
  }
  // the version that follows the magic is below 256 in every real file
  for (const lost of ["DST", "ST", "T"]) {
    const after = asciiAt(bytes, lost.length, 4);
    if (magic.startsWith(lost) && /^[\n-9]\0\0\0$/.test(after)) {
      fail(
        "MDL-SHIFTED",
        "Extract the file again: its first bytes are lost",
        JSON.stringify(magic),
      );
    }
  }
  const others: Record<string, string> = {
    IDPO: "a Quake model",
    IDP2: "a Quake II model",
    IDP3: "a Quake III model",
    IDSQ: "a GoldSrc sequence file",
    IDSV: "a Source vertex file; give its .mdl",
    IDAG: "an external animation file; give its .mdl",
    MDL7: "a 3D GameStudio model",
    MDL5: "a 3D GameStudio model",
    MDL4: "a 3D GameStudio model",
    MDL3: "a 3D GameStudio model",
    RAPO: "a Raven or Quake model of another make",
  };
  fail(
    "MDL-MAGIC",
    magic in others
      ? `Give a Source model: this is ${others[magic]}`
      : `Give a Source model: it begins with IDST, this file with ${
        JSON.stringify(magic)
      }`,
    magic,
  );
}

/** Why a version is not read. */
function versionReason(version: number): string {
  if (version === 10) return "this is a GoldSrc (Half-Life 1) model";
  if (version === 2531) {
    return "this is a Vampire: Bloodlines model, whose vertices are inside the MDL";
  }
  if (version >= 27 && version < MDL_MIN_VERSION) {
    return "this is a Half-Life 2 beta model, whose vertices are inside the MDL in this version";
  }
  if (version === 52) return "this is a Titanfall model";
  if (version === 53) {
    return "this is a Titanfall 2 model, whose vertex and index files are inside the MDL";
  }
  if (version >= 54 && version < 80) {
    return "this is an Apex Legends model with layouts of its own";
  }
  return "the version is unknown";
}

function checkHeader(t: Tables): void {
  const { bytes } = t;
  if (bytes.length < 8 || bytes.length < HEADER_BYTES) {
    const version = bytes.length >= 8 ? t.i32(4) : MDL_MIN_VERSION;
    if (version >= MDL_MIN_VERSION && version <= MDL_MAX_VERSION) {
      throw meshError(
        "MDL-TRUNCATED",
        `Give the whole file: the header takes ${HEADER_BYTES} bytes, the file has ${bytes.length}`,
        {
          format: "mdl",
          offset: bytes.length,
          found: bytes.length,
          allowed: HEADER_BYTES,
        },
      );
    }
  }
  const version = t.i32(4);
  if (version < MDL_MIN_VERSION || version > MDL_MAX_VERSION) {
    throw meshError(
      "MDL-VERSION",
      `Use a model of version ${MDL_MIN_VERSION} to ${MDL_MAX_VERSION}: the version is ${version}, ${
        versionReason(version)
      }`,
      {
        format: "mdl",
        offset: 4,
        path: "version",
        found: version,
        allowed: `${MDL_MIN_VERSION} to ${MDL_MAX_VERSION}`,
      },
    );
  }
}

/** The name that a field points to; a wrong offset gives an empty name and a note. */
function nameAt(t: Tables, base: number, field: number, what: string): string {
  const offset = t.i32(field);
  // the compiler writes no name at its own record: 0 stands for none
  const name = offset === 0 ? null : t.text(base + offset);
  if (name !== null) return name;
  t.note(
    "MDL-NAME",
    `byte ${field}`,
    `Compile the model again: the name of ${what} lies at ${
      base + offset
    }, the file has ${t.bytes.length} bytes; it is left empty`,
    offset,
    `1 to ${t.bytes.length - base - 1}`,
  );
  return "";
}

const triple = (t: Tables, at: number) => t.floats(at, 3) as Vector3;

/** Records of a table whose number and offset stand side by side in the record at `base`. */
function list<T>(
  t: Tables,
  field: string,
  base: number,
  at: number,
  size: number,
  read: (at: number, i: number) => T,
): T[] {
  const count = t.i32(at);
  const start = t.table(field, at, base + t.i32(at + 4), count, size);
  return Array.from({ length: count }, (_, i) => read(start + i * size, i));
}

function readBone(t: Tables, at: number, i: number): MdlBone {
  const parent = t.i32(at + 4);
  if (parent < -1 || parent >= i) {
    t.note(
      "MDL-BONE-PARENT",
      `byte ${at + 4}`,
      `Compile the model again: bone ${i} names bone ${parent} as its parent; it becomes a root`,
      parent,
      `-1 to ${i - 1}`,
    );
  }
  const surface = t.i32(at + 176);
  return {
    name: nameAt(t, at, at, `bone ${i}`),
    parent,
    position: triple(t, at + 32),
    quaternion: t.floats(at + 44, 4) as MdlBone["quaternion"],
    rotation: triple(t, at + 60),
    positionScale: triple(t, at + 72),
    rotationScale: triple(t, at + 84),
    poseToBone: Float32Array.from(t.floats(at + 96, 12)),
    flags: t.i32(at + 160),
    surfaceProp: surface === 0 ? "" : t.text(at + surface) ?? "",
  };
}

function readEyeball(t: Tables, at: number, i: number): MdlEyeball {
  return {
    name: nameAt(t, at, at, `eyeball ${i}`),
    bone: t.i32(at + 4),
    origin: triple(t, at + 8),
    radius: t.f32(at + 24),
    up: triple(t, at + 28),
    forward: triple(t, at + 40),
    texture: t.i32(at + 52),
    irisScale: t.f32(at + 60),
  };
}

function readMesh(t: Tables, at: number, mdl: Mdl): MdlMesh {
  const vertexCount = t.i32(at + 8);
  const vertexOffset = t.i32(at + 12);
  for (
    const [field, place, value] of [
      ["vertices of a mesh", at + 8, vertexCount],
      ["vertices before a mesh", at + 12, vertexOffset],
    ] as const
  ) {
    if (value >= 0) continue;
    throw meshError(
      "MDL-COUNT",
      `Extract the file again: the MDL counts ${value} ${field}`,
      {
        format: "mdl",
        offset: place,
        path: field,
        found: value,
        allowed: ">= 0",
      },
    );
  }
  return {
    material: t.i32(at),
    vertexCount,
    vertexOffset,
    lodVertexCounts: Array.from(
      { length: 8 },
      (_, i) => t.i32(at + 52 + 4 * i),
    ),
    isEyeball: t.i32(at + 24) === 1,
    eyeball: t.i32(at + 28),
    flexes: readFlexes(t, at, mdl, vertexCount),
  };
}

function readModel(t: Tables, at: number, mdl: Mdl): MdlModel {
  const name = t.text(at, 64) ?? "";
  const vertexIndex = t.i32(at + 84);
  if (vertexIndex % 48 !== 0 || vertexIndex < 0) {
    t.note(
      "MDL-VERTEX-INDEX",
      `byte ${at + 84}`,
      `Compile the model again: model ${
        JSON.stringify(name)
      } begins at byte ${vertexIndex} of the pool, where no vertex begins`,
      vertexIndex,
      "a multiple of 48",
    );
  }
  return {
    name,
    vertexCount: t.i32(at + 80),
    vertexIndex,
    tangentIndex: t.i32(at + 88),
    meshes: list(
      t,
      "meshes",
      at,
      at + 72,
      MESH_BYTES,
      (m) => readMesh(t, m, mdl),
    ),
    eyeballs: list(
      t,
      "eyeballs",
      at,
      at + 100,
      EYEBALL_BYTES,
      (e, i) => readEyeball(t, e, i),
    ),
  };
}

function readBodyPart(
  t: Tables,
  at: number,
  i: number,
  mdl: Mdl,
): MdlBodyPart {
  const count = t.i32(at + 4);
  const start = t.table(
    "models",
    at + 4,
    at + t.i32(at + 12),
    count,
    MODEL_BYTES,
  );
  return {
    name: nameAt(t, at, at, `body part ${i}`),
    base: t.i32(at + 8),
    models: Array.from(
      { length: count },
      (_, m) => readModel(t, start + m * MODEL_BYTES, mdl),
    ),
  };
}

function readSkins(t: Tables): number[][] {
  const refs = t.i32(220);
  const families = t.i32(224);
  t.table("skin references", 220, 0, refs, 0);
  t.table("skin families", 224, 0, families, 0);
  const start = t.table("skin entries", 228, t.i32(228), refs * families, 2);
  // families without references are rows without columns; their number alone could be huge
  if (refs === 0) return [];
  return Array.from(
    { length: families },
    (_, f) =>
      Array.from(
        { length: refs },
        (_, r) => t.u16(start + 2 * (f * refs + r)),
      ),
  );
}

/** Tables that geometry does not need, by the place of their count in the header. */
const UNREAD: readonly [name: string, at: number][] = [
  ["sequences", 188],
  ["attachments", 240],
  ["hitbox sets", 172],
  ["bone controllers", 164],
  ["pose parameters", 300],
  ["IK chains", 284],
];

/** Counts what is not read; nonsense counts as nothing, since nothing depends on it. */
function countUnread(t: Tables): Record<string, number> {
  return Object.fromEntries(
    UNREAD.map(([name, at]) => [name, Math.max(0, t.i32(at))]),
  );
}

/**
 * Reads an MDL file.
 *
 * Names may be wrong or missing without harm: they become empty and a note says so. Everything else that leaves the file is
 * refused.
 *
 * @param bytes The whole file.
 * @throws {MeshError} MDL-EMPTY, MDL-ZERO, MDL-LFS-POINTER, MDL-BIG-ENDIAN, MDL-SHIFTED, MDL-MAGIC, MDL-TRUNCATED,
 * MDL-VERSION, MDL-COUNT, MDL-RANGE, MDL-WORK, LIMIT-EXCEEDED.
 *
 * @example
 * ```ts
 * import { MeshError } from "@meshwright/kit";
 * import { readMdl } from "@meshwright/kit/mdl";
 *
 * try {
 *   readMdl(new TextEncoder().encode("IDPO\x06\0\0\0"));
 * } catch (error) {
 *   if (!(error instanceof MeshError)) throw error;
 *   console.log(error.message); // Give a Source model: this is a Quake model
 * }
 * ```
 */
export function readMdl(
  bytes: Uint8Array,
  options: ReadSourceFileOptions = {},
): Mdl {
  const limits = withLimits(options.limits);
  checkLimit("maxInputBytes", bytes.length, limits.maxInputBytes, "mdl");
  checkMagic(bytes);
  const t = new Tables(bytes, "MDL", {
    count: "MDL-COUNT",
    range: "MDL-RANGE",
    work: "MDL-WORK",
  });
  checkHeader(t);
  checkLimit("maxJoints", t.i32(156), limits.maxJoints, "mdl");
  const flags = t.i32(152);
  const mdl: Mdl = {
    version: t.i32(4),
    checksum: t.i32(8) >>> 0,
    name: decodeName(cutAtZero(bytes.subarray(12, 76))),
    length: t.i32(76),
    flags,
    hull: { min: triple(t, 104), max: triple(t, 116) },
    bones: list(t, "bones", 0, 156, BONE_BYTES, (at, i) => readBone(t, at, i)),
    textures: list(
      t,
      "textures",
      0,
      204,
      TEXTURE_BYTES,
      (at, i) => nameAt(t, at, at, `texture ${i}`),
    ),
    texturePaths: list(
      t,
      "texture folders",
      0,
      212,
      4,
      (at, i) => nameAt(t, 0, at, `texture folder ${i}`),
    ),
    skinFamilies: readSkins(t),
    bodyParts: [],
    flexDescs: list(
      t,
      "flexdescs",
      0,
      260,
      4,
      (at, i) => nameAt(t, at, at, `flexdesc ${i}`),
    ),
    flexControllers: list(
      t,
      "flex controllers",
      0,
      268,
      CONTROLLER_BYTES,
      (at, i) => ({
        type: nameAt(t, at, at, `the type of flex controller ${i}`),
        name: nameAt(t, at, at + 4, `flex controller ${i}`),
        min: t.f32(at + 12),
        max: t.f32(at + 16),
      }),
    ),
    surfaceProp: t.i32(308) === 0 ? "" : t.text(t.i32(308)) ?? "",
    includeModels: list(t, "include models", 0, 336, 8, (at, i) => ({
      label: t.i32(at) === 0 ? "" : t.text(at + t.i32(at)) ?? "",
      path: nameAt(t, at, at + 4, `include model ${i}`),
    })),
    rootLod: t.u8(377),
    allowedRootLods: t.u8(378),
    vertAnimScale: flags & MDL_FLAG_VERT_ANIM_SCALE
      ? t.f32(392)
      : DEFAULT_VERT_ANIM_SCALE,
    unread: countUnread(t),
    notes: t.notes,
  };
  mdl.bodyParts = list(
    t,
    "body parts",
    0,
    232,
    BODY_PART_BYTES,
    (at, i) => readBodyPart(t, at, i, mdl),
  );
  if (mdl.length !== bytes.length) {
    t.note(
      "MDL-LENGTH",
      "byte 76",
      `Extract the file again if it fails: the header says ${mdl.length} bytes, the file has ${bytes.length}`,
      mdl.length,
      bytes.length,
    );
  }
  return mdl;
}

function cutAtZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

/**
 * The files that a texture name may stand for, in the order the engine looks: every folder with the name behind it, in
 * lower case with forward slashes.
 *
 * @example
 * ```ts
 * import { materialPaths } from "@meshwright/kit/mdl";
 *
 * console.log(materialPaths(["models\\Props", ""], "Lamp_01"));
 * // ["materials/models/props/lamp_01.vmt", "materials/lamp_01.vmt"]
 * ```
 */
export function materialPaths(
  texturePaths: readonly string[],
  texture: string,
): string[] {
  return texturePaths.map((folder) => {
    const path = `${folder}/${texture}`.replaceAll("\\", "/")
      .replace(/\/{2,}/g, "/").replace(/^\//, "").toLowerCase();
    return `materials/${path}.vmt`;
  });
}
