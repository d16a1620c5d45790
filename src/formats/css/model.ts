/**
 * Between a file as it was met and the typed model.
 *
 * @module
 */
import {
  checkDelta,
  checkPoint,
  checkUvs,
  checkWeight,
  emptyRaw,
  type RawArray,
  type RawCss,
} from "./parse.ts";
import { f32Text } from "./float_text.ts";
import { type Problem, shown } from "./problems.ts";
import type { CssBone, CssMesh } from "./types.ts";

/** The model of a file that breaks no structural rule. */
export function modelOf(raw: RawCss): CssMesh {
  const vector = (cells: number[]) => cells.map(Math.fround);
  return {
    meshPackage: raw.meshPackage as string,
    skeletonPackage: raw.skeletonPackage as string,
    bones: raw.bones.items.map((bone) => ({
      name: bone.name as string,
      parent: bone.parent as number,
      translation: vector(
        bone.translation!.cells,
      ) as CssBone["translation"],
      rotation: vector(bone.rotation!.cells) as CssBone["rotation"],
      scale: vector(bone.scale!.cells) as CssBone["scale"],
    })),
    materials: raw.materials.items as string[],
    points: raw.points.values,
    uvChannels: raw.wedges.channels,
    wedgePoints: raw.wedges.points,
    wedgeUvs: raw.wedges.uvs,
    faces: raw.faces.values,
    influencePoints: raw.influences.points,
    influenceBones: raw.influences.bones,
    influenceWeights: Float32Array.from(raw.influences.weights),
    normals: raw.normals.isArray ? raw.normals.values : null,
    colors: raw.colors.isArray ? raw.colors.values : null,
    morphTargets: raw.morphTargets.isArray
      ? raw.morphTargets.items.map((target) => ({
        name: target.name as string,
        points: target.points,
        deltas: target.values,
      }))
      : null,
    unknownKeys: [...raw.unknownKeys.keys()],
  };
}

/** The f64 that a reader gets for an f32 as it is written. */
export const written = (x: number): number =>
  Number.isFinite(x) ? Number(f32Text(x)) : x;

/** Looks for a value that JSON or f32 can not hold. */
function checkFinite(
  into: RawArray,
  code: Problem["code"],
  name: string,
  values: Float32Array,
  width: number,
): void {
  for (let i = 0; i < values.length; i++) {
    if (Number.isFinite(values[i])) continue;
    const row = Math.floor(i / width);
    into.problems.add(() => ({
      code,
      path: [name, row, i % width],
      message: `Mend the numbers: found ${values[i]}`,
      found: shown(values[i]),
      allowed: "finite",
      structural: true,
    }));
    i = row * width + width - 1;
  }
}

/** A model as a file would be met that holds it, with the problems of its rows. */
export function rawOf(mesh: CssMesh): RawCss {
  const raw = emptyRaw();
  const rows = (into: RawArray, count: number) => {
    into.isArray = true;
    into.count = count;
  };
  raw.schema = 1;
  raw.meshPackage = mesh.meshPackage;
  raw.skeletonPackage = mesh.skeletonPackage;
  raw.uvChannels = mesh.uvChannels;
  rows(raw.bones, mesh.bones.length);
  const vector = (v: readonly number[]) => ({
    cells: v.map((x) => written(Math.fround(x))),
    length: v.length,
  });
  raw.bones.items = mesh.bones.map((bone) => ({
    isObject: true,
    name: bone.name,
    parent: bone.parent,
    translation: vector(bone.translation),
    rotation: vector(bone.rotation),
    scale: vector(bone.scale),
  }));
  rows(raw.materials, mesh.materials.length);
  raw.materials.items = mesh.materials;

  rows(raw.points, Math.floor(mesh.points.length / 3));
  raw.points.values = mesh.points;
  checkFinite(raw.points, "R-POINT", "points", mesh.points, 3);
  for (let i = 0; i < raw.points.count; i++) {
    const [x, y, z] = [
      mesh.points[i * 3],
      mesh.points[i * 3 + 1],
      mesh.points[i * 3 + 2],
    ];
    if (Number.isFinite(x + y + z)) checkPoint(raw.points.problems, i, x, y, z);
  }

  rows(raw.wedges, mesh.wedgePoints.length);
  raw.wedges.points = mesh.wedgePoints;
  raw.wedges.uvs = mesh.wedgeUvs;
  raw.wedges.channels = mesh.uvChannels;
  const width = 2 * mesh.uvChannels;
  for (let i = 0; i < raw.wedges.count; i++) {
    checkUvs(raw.wedges.problems, i, mesh.wedgeUvs, i * width, width);
  }

  rows(raw.faces, Math.floor(mesh.faces.length / 4));
  raw.faces.values = mesh.faces;

  rows(raw.influences, mesh.influencePoints.length);
  raw.influences.points = mesh.influencePoints;
  raw.influences.bones = mesh.influenceBones;
  raw.influences.weights = Float64Array.from(mesh.influenceWeights);
  mesh.influenceWeights.forEach((w, i) =>
    checkWeight(raw.influences.problems, i, w)
  );

  if (mesh.normals) {
    rows(raw.normals, Math.floor(mesh.normals.length / 3));
    raw.normals.values = mesh.normals;
    checkFinite(raw.normals, "R-NORMAL", "normals", mesh.normals, 3);
  }
  if (mesh.colors) {
    rows(raw.colors, Math.floor(mesh.colors.length / 4));
    raw.colors.values = mesh.colors;
  }
  if (mesh.morphTargets) {
    rows(raw.morphTargets, mesh.morphTargets.length);
    raw.morphTargets.items = mesh.morphTargets.map((target, t) => {
      const deltas: RawArray = { ...emptyRaw().points };
      rows(deltas, target.points.length);
      for (let i = 0; i < deltas.count; i++) {
        const [x, y, z] = [
          target.deltas[i * 3],
          target.deltas[i * 3 + 1],
          target.deltas[i * 3 + 2],
        ];
        if (Number.isFinite(x + y + z)) {
          checkDelta(deltas.problems, t, i, x, y, z);
        } else {
          deltas.problems.add(() => ({
            code: "R-MORPH-DELTA",
            path: ["morph_targets", t, "deltas", i],
            message: "Mend the delta: it is not finite",
            found: [x, y, z].map(shown),
            allowed: "finite",
            structural: true,
          }));
        }
      }
      return {
        isObject: true,
        name: target.name,
        deltas,
        points: target.points,
        values: target.deltas,
      };
    });
  }
  return raw;
}
