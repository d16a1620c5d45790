/**
 * From a Source model to the mesh model.
 *
 * @module
 */
import { meshError } from "../../core/errors.ts";
import { type Limits, withLimits } from "../../core/limits.ts";
import type {
  MaterialGroup,
  Mesh,
  MeshAttributes,
  MeshJoint,
  MeshLod,
  MeshPart,
} from "../../core/mesh.ts";
import { gatherRecords } from "../../kernels/replay.ts";
import { vvdToMesh } from "../vvd/mesh.ts";
import { replayRuns } from "../vvd/replay.ts";
import { MaterialSlots } from "./materials.ts";
import { morphsOf, placedFlexes, shapesOf } from "./morphs.ts";
import { materialPaths } from "./read_mdl.ts";
import { VVC_COLOR_BYTES, VVC_UV_BYTES } from "./read_vvc.ts";
import {
  type Mdl,
  MDL_FLAG_EXTRA_VERTEX_DATA,
  MDL_FLAG_STATIC_PROP,
  type MdlBone,
  type SourceLod,
  type SourceModel,
} from "./types.ts";

/** Options of {@linkcode sourceModelToMesh}. */
export interface SourceMeshOptions {
  /** For every body part the model that is shown; 0 where left out. */
  choices?: readonly (number | undefined)[];
  /** Take the models that are not shown too, as alternatives. Default false. */
  alternatives?: boolean;
  /** Skin family that the materials are of. Default 0. */
  skin?: number;
  /** Keep the one bone of a static prop, and the weights that name it. Default false. */
  rigidBone?: boolean;
  /** Take the level that only casts shadows too. Default false. */
  shadow?: boolean;
  /** Take vertices with bones that do not exist, as bone 0, and a VVD whose fixups do not add up. Default false. */
  lenient?: boolean;
  /** Limits on size and counts. */
  limits?: Partial<Limits>;
}

const IDENTITY_POSE = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** True for the skeleton of a static prop: one bone that moves nothing. */
export function isRigid(mdl: Mdl): boolean {
  const { bones } = mdl;
  if (bones.length === 0) return true;
  return bones.length === 1 && (mdl.flags & MDL_FLAG_STATIC_PROP) !== 0 &&
    bones[0].poseToBone.every((x, i) => x === IDENTITY_POSE[i]);
}

function toJoint(bone: MdlBone, i: number): MeshJoint {
  const [x, y, z, w] = bone.quaternion;
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  const joint: MeshJoint = {
    name: bone.name,
    parent: bone.parent >= 0 && bone.parent < i ? bone.parent : -1,
    translation: [...bone.position],
    rotation: length > 0 && Number.isFinite(length)
      ? [x / length, y / length, z / length, w / length]
      : [0, 0, 0, 1],
    scale: [1, 1, 1],
  };
  if (bone.poseToBone.every(Number.isFinite)) {
    const inverse = new Float32Array(16);
    for (let row = 0; row < 3; row++) {
      for (let c = 0; c < 4; c++) {
        inverse[c * 4 + row] = bone.poseToBone[row * 4 + c];
      }
    }
    inverse[15] = 1;
    joint.inverseBind = inverse;
  }
  return joint;
}

/** Puts bone 0 where a vertex names none, or refuses. */
function checkBones(
  attributes: MeshAttributes,
  influences: number,
  bones: number,
  lenient: boolean,
): void {
  const { joints, weights } = attributes;
  if (!joints || !weights || bones === 0) return;
  for (let i = 0; i < joints.length; i++) {
    if (joints[i] < bones || weights[i] === 0) continue;
    if (!lenient) {
      const vertex = Math.floor(i / influences);
      throw meshError(
        "MDL-BONE-RANGE",
        `Use the files of one compile: vertex ${vertex} is weighted to bone ${
          joints[i]
        } of ${bones}`,
        {
          format: "mdl",
          path: `vertex ${vertex}`,
          found: joints[i],
          allowed: `< ${bones}`,
        },
      );
    }
    joints[i] = 0;
  }
}

/** Attributes of the pool at root LOD 0: the VVD's, its extra texture coordinates, and the VVC's. */
function poolAttributes(
  model: SourceModel,
  options: SourceMeshOptions,
): { attributes: MeshAttributes; vertexCount: number; influences: number } {
  const { vvd, vvc, mdl } = model;
  if (!vvd?.vertexData) {
    return {
      attributes: { position: new Float32Array(0), uvs: [] },
      vertexCount: 0,
      influences: 0,
    };
  }
  const lenient = options.lenient === true;
  const { attributes, vertexCount, influences } = vvdToMesh(vvd, 0, {
    lenient,
    maxKernelBytes: withLimits(options.limits).maxKernelBytes,
  });
  const runs = replayRuns(vvd, 0, lenient);
  const floats = (data: Uint8Array, size: number) =>
    new Float32Array(gatherRecords(data, size, runs).slice().buffer);
  if (mdl.flags & MDL_FLAG_EXTRA_VERTEX_DATA) {
    for (const e of vvd.extra.toSorted((a, b) => a.type - b.type)) {
      if (e.type >= 0 && e.type <= 7 && e.bytesPerVertex === 8) {
        attributes.uvs.push(floats(e.data, e.bytesPerVertex));
      }
    }
  }
  if (vvc) {
    const pool = vvd.numLODVertexes[0];
    if (vvc.numLODVertexes[0] !== pool) {
      throw meshError(
        "VVC-COUNT",
        `Use the files of one compile: the VVC holds ${
          vvc.numLODVertexes[0]
        } vertices, the VVD ${pool}`,
        {
          format: "mdl",
          path: "vvc",
          found: vvc.numLODVertexes[0],
          allowed: pool,
        },
      );
    }
    if (vvc.uv2) attributes.uvs.push(floats(vvc.uv2, VVC_UV_BYTES));
    if (vvc.colors) {
      const bytes = gatherRecords(vvc.colors, VVC_COLOR_BYTES, runs);
      attributes.color = Float32Array.from(bytes, (b) => b / 255);
    }
  }
  return { attributes, vertexCount, influences };
}

/** Model of each body part that is shown, whatever was asked for. */
function shownModel(
  mdl: Mdl,
  options: SourceMeshOptions,
): (bodyPart: number) => number {
  return (b) =>
    Math.min(
      options.choices?.[b] ?? 0,
      Math.max(mdl.bodyParts[b].models.length - 1, 0),
    );
}

function listParts(
  mdl: Mdl,
  holds: (b: number, m: number) => boolean,
  shown: (b: number) => number,
): { parts: MeshPart[]; place: (b: number, m: number) => number } {
  const parts: MeshPart[] = [];
  const places = new Map<string, number>();
  mdl.bodyParts.forEach((part, b) =>
    part.models.forEach((model, m) => {
      if (!holds(b, m)) return;
      places.set(`${b}/${m}`, parts.length);
      parts.push({
        group: part.name,
        groupIndex: b,
        name: model.name,
        choice: m,
        shown: shown(b) === m,
      });
    })
  );
  return { parts, place: (b, m) => places.get(`${b}/${m}`)! };
}

/** What other formats keep as extras: eyeballs, ramps of the shapes, where textures may lie. All in Source's terms. */
function extrasOf(
  model: SourceModel,
  materials: readonly string[],
  holds: (b: number, m: number) => boolean,
): Record<string, unknown> {
  const { mdl } = model;
  const eyeballs = mdl.bodyParts.flatMap((part, b) =>
    part.models.flatMap((m, i) =>
      holds(b, i)
        ? m.eyeballs.map((eye, e) => ({
          ...eye,
          bodyPart: b,
          model: i,
          meshes: m.meshes.flatMap((mesh, k) =>
            mesh.isEyeball && mesh.eyeball === e ? [k] : []
          ),
        }))
        : []
    )
  );
  const ramps = new Map<string, number[]>();
  for (const { flex } of placedFlexes(model, holds)) {
    for (const row of shapesOf(flex, mdl.flexDescs.length)) {
      ramps.set(mdl.flexDescs[row], flex.targets);
    }
  }
  const finite = (x: unknown): boolean =>
    typeof x === "number" ? Number.isFinite(x) : true;
  return {
    ...(materials.length > 0
      ? {
        materialPaths: Object.fromEntries(
          materials.map((m) => [m, materialPaths(mdl.texturePaths, m)]),
        ),
      }
      : {}),
    ...(mdl.surfaceProp ? { surfaceProp: mdl.surfaceProp } : {}),
    ...(eyeballs.length > 0
      ? {
        eyeballs: JSON.parse(
          JSON.stringify(eyeballs, (_, x) => finite(x) ? x : null),
        ),
      }
      : {}),
    ...(ramps.size > 0
      ? {
        flexRamps: Object.fromEntries(
          [...ramps].map(([name, r]) => [
            name,
            r.map((x) => finite(x) ? x : null),
          ]),
        ),
      }
      : {}),
  };
}

/** The stem of the path in the header: the file's usual name. */
function nameOf(mdl: Mdl): string {
  return mdl.name.replace(/^.*[\\/]/, "").replace(/\.mdl$/i, "");
}

/**
 * A Source model as a mesh in Source's axes and inches. All vertices of the pool stay, in the order of replay at root LOD 0,
 * and serve every level.
 *
 * One material group a mesh. Of every body part the chosen model is taken, and with `alternatives` the others too, told
 * apart by `parts`. A static prop has no skeleton. Morph targets carry the names of their shapes.
 *
 * @param model A Source model.
 * @throws {MeshError} MDL-BONE-RANGE, VVC-COUNT, LIMIT-EXCEEDED, and as the replay of a VVD.
 *
 * @example
 * ```ts
 * import { convertBasis } from "@meshwright/kit/ops";
 * import { readSourceModel, sourceModelToMesh } from "@meshwright/kit/mdl";
 *
 * const model = readSourceModel({
 *   mdl: Deno.readFileSync("samples/buoy.mdl"),
 *   vvd: Deno.readFileSync("samples/buoy.vvd"),
 *   vtx: Deno.readFileSync("samples/buoy.dx90.vtx"),
 * });
 * const { mesh } = convertBasis(sourceModelToMesh(model), "gltf");
 * console.log(mesh.skeleton?.map((joint) => joint.name)); // [ "hull", "mast" ]
 * ```
 */
export function sourceModelToMesh(
  model: SourceModel,
  options: SourceMeshOptions = {},
): Mesh {
  const { mdl } = model;
  const shown = shownModel(mdl, options);
  const holds = (b: number, m: number) =>
    options.alternatives === true || shown(b) === m;
  const levels = model.lods.filter((l) => options.shadow || !l.shadow);
  const slots = new MaterialSlots(model);
  const meshOf = (r: SourceLod["runs"][number]) =>
    mdl.bodyParts[r.bodyPart].models[r.model].meshes[r.mesh];
  for (const { level, runs } of levels) {
    for (const run of runs) {
      if (run.count > 0 && holds(run.bodyPart, run.model)) {
        slots.use(meshOf(run), level);
      }
    }
  }
  const { materials, variants } = slots.close(options.skin ?? 0);
  const many = mdl.bodyParts.length > 1 ||
    mdl.bodyParts.some((p) => p.models.length > 1);
  const { parts, place } = listParts(mdl, holds, shown);
  const lods = levels.map((lod, i): MeshLod => {
    const taken = lod.runs.filter((r) =>
      r.count > 0 && holds(r.bodyPart, r.model)
    );
    const count = taken.reduce((sum, r) => sum + r.count, 0);
    const indices = count === lod.indices.length
      ? lod.indices
      : new Uint32Array(count);
    const groups: MaterialGroup[] = [];
    let at = 0;
    for (const run of taken) {
      if (indices !== lod.indices) {
        indices.set(
          lod.indices.subarray(run.start, run.start + run.count),
          at,
        );
      }
      groups.push({
        start: at,
        count: run.count,
        material: slots.place(meshOf(run), lod.level),
        ...(many ? { part: place(run.bodyPart, run.model) } : {}),
      });
      at += run.count;
    }
    return {
      indices,
      groups,
      switchDistance: i === 0 ? null : lod.switchPoint,
    };
  });
  if (lods.length === 0) {
    lods.push({
      indices: new Uint32Array(0),
      groups: [],
      switchDistance: null,
    });
  }
  const { attributes, vertexCount, influences } = poolAttributes(
    model,
    options,
  );
  checkBones(
    attributes,
    influences,
    mdl.bones.length,
    options.lenient === true,
  );
  const source = extrasOf(model, materials, holds);
  const rigid = isRigid(mdl) &&
    !(options.rigidBone === true && mdl.bones.length > 0);
  if (rigid) {
    delete attributes.joints;
    delete attributes.weights;
  }
  return {
    name: nameOf(mdl),
    basis: "source",
    vertexCount,
    attributes,
    influences: rigid ? 0 : influences,
    lods,
    materials,
    morphs: morphsOf(
      model,
      placedFlexes(model, holds),
      vertexCount,
      options.limits,
    ),
    skeleton: rigid ? null : mdl.bones.map(toJoint),
    heightfield: null,
    ...(many ? { parts } : {}),
    ...(variants.length > 0 ? { variants } : {}),
    ...(Object.keys(source).length > 0 ? { extras: { source } } : {}),
  };
}
