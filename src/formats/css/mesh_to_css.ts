/**
 * From the mesh model to a CSS authored mesh.
 *
 * @module
 */
import { type MeshError, meshError } from "../../core/errors.ts";
import { WEIGHT_SUM_TOLERANCE } from "../../core/limits.ts";
import { LossReport } from "../../core/loss.ts";
import type { Mesh, MeshJoint } from "../../core/mesh.ts";
import { listChanges } from "../../core/unique_names.ts";
import { crossSquared } from "./judge.ts";
import { legalNames, legalPart } from "./legal_names.ts";
import {
  CSS_DEGENERATE,
  CSS_MAX_INFLUENCES,
  CSS_MAX_UV_CHANNELS,
  CSS_MESH_PREFIX,
  CSS_NORMAL_TOLERANCE,
  CSS_SUM_TOLERANCE,
  type CssBone,
  type CssMesh,
  type CssMorphTarget,
} from "./types.ts";
import { bitsOfNumber, mix, weld, type Welded } from "./weld.ts";

const f = Math.fround;

/** Options of {@linkcode meshToCss}. */
export interface MeshToCssOptions {
  /** Package of the mesh; made from the mesh's name when left out. */
  meshPackage?: string;
  /** Package of the skeleton; made from the mesh's name when left out. */
  skeletonPackage?: string;
  /** Folder of packages that are made: `/Game/CSSAuthoring/` unless given. */
  packagePrefix?: string;
  /**
   * Drop faces without area however many there are. Default false: many of them tell of a broken export. A model compiled
   * for a game may hold any number, and the game never draws them.
   */
  dropAllDegenerate?: boolean;
  /** Where to report losses; a report of its own when left out. */
  loss?: LossReport;
}

/** What the format needs and the mesh had not. */
export interface CssAddition {
  /** What. */
  what: string;
  /** How many. */
  count: number;
  /** By which rule. */
  why: string;
}

/** Result of {@linkcode meshToCss}. */
export interface MeshAsCss {
  /** The mesh. */
  css: CssMesh;
  /** What was lost or changed. */
  loss: LossReport;
  /** What was added. */
  added: CssAddition[];
}

/** Influences of every vertex: `counts[v]` of the eight slots from 8 · v on. */
interface Skin {
  counts: Uint8Array;
  bone: Uint32Array;
  weight: Float32Array;
}

/** Largest number of faces without area that are dropped from a mesh of `faces`. */
export function droppableFaces(faces: number): number {
  return Math.max(10, faces / 100);
}

/**
 * The error of a mesh that has nothing but vertices.
 *
 * @param instead What to give in its place.
 */
export function noFaces(
  vertices: number,
  instead = "Give a mesh with triangles",
): MeshError {
  return meshError(
    "CSS-NO-FACES",
    `${instead}: the mesh holds ${vertices} ${
      vertices === 1 ? "vertex" : "vertices"
    } and no face, and the format needs faces`,
    { format: "css", path: "faces", found: 0, allowed: ">= 1" },
  );
}

/** One conversion. */
class Maker {
  readonly added: CssAddition[] = [];
  constructor(
    readonly mesh: Mesh,
    readonly options: MeshToCssOptions,
    readonly loss: LossReport,
  ) {}

  #add(what: string, count: number, why: string): void {
    if (count > 0) this.added.push({ what, count, why });
  }

  #packages(): Pick<CssMesh, "meshPackage" | "skeletonPackage"> {
    const prefix = this.options.packagePrefix ?? CSS_MESH_PREFIX;
    const name = legalPart(this.mesh.name).replace(/^SK_/i, "") || "Mesh";
    const made = (given: string | undefined, what: string, start: string) => {
      if (given !== undefined) return given;
      const path = `${prefix}${name}/${start}_${name}`;
      this.#add(what, 1, `${path}, from the mesh's name`);
      return path;
    };
    return {
      meshPackage: made(this.options.meshPackage, "mesh package", "SK"),
      skeletonPackage: made(
        this.options.skeletonPackage,
        "skeleton package",
        "SKEL",
      ),
    };
  }

  /** The bones, and how far joint numbers move for a root that was added. */
  #bones(): { bones: CssBone[]; shift: 0 | 1 } {
    const still = (name: string): MeshJoint => ({
      name,
      parent: -1,
      translation: [0, 0, 0],
      rotation: [0, 0, 0, 1],
      scale: [1, 1, 1],
    });
    let joints = this.mesh.skeleton ?? [];
    let shift: 0 | 1 = 0;
    if (joints.length === 0) {
      joints = [still("root")];
      this.#add(
        "bones",
        1,
        "the format needs a skeleton; the bone stands still",
      );
    } else if (joints.filter((j) => j.parent < 0).length > 1) {
      const roots = joints.filter((j) => j.parent < 0).length;
      joints = [
        still("root"),
        ...joints.map((j) => ({
          ...j,
          parent: j.parent < 0 ? 0 : j.parent + 1,
        })),
      ];
      shift = 1;
      this.#add(
        "bones",
        1,
        `one root above ${roots}, since the format has only one; it stands still`,
      );
    }
    const { names, changed } = legalNames(joints.map((j) => j.name), "bone");
    this.loss.add(
      "changed",
      "bone names",
      changed.length,
      `they must not be empty nor alike: ${listChanges(changed)}`,
      { demanded: true },
    );
    let turned = 0;
    let largest = 0;
    const bones = joints.map((joint, i): CssBone => {
      const q = joint.rotation;
      const square = q.reduce((sum, x) => sum + x * x, 0);
      const off = Math.abs(square - 1);
      let rotation = q.map(f);
      if (!(off <= CSS_SUM_TOLERANCE / 2)) {
        turned++;
        largest = Math.max(largest, Number.isFinite(off) ? off : 0);
        const length = Math.sqrt(square);
        rotation = length > 0 && length < Infinity
          ? q.map((x) => f(x / length))
          : [0, 0, 0, 1];
      }
      return {
        name: names[i],
        parent: joint.parent,
        translation: joint.translation.map(f) as CssBone["translation"],
        rotation: rotation as CssBone["rotation"],
        scale: joint.scale.map(f) as CssBone["scale"],
      };
    });
    this.loss.add(
      "repaired",
      "bone rotations",
      turned,
      "the quaternion was not of unit length",
      { demanded: true, largest },
    );
    return { bones, shift };
  }

  #skin(bones: number, shift: 0 | 1): Skin {
    const n = this.mesh.vertexCount;
    const slots = CSS_MAX_INFLUENCES;
    const counts = new Uint8Array(n);
    const bone = new Uint32Array(n * slots);
    const weight = new Float32Array(n * slots);
    const { joints, weights } = this.mesh.attributes;
    const k = this.mesh.influences;
    if (!joints || !weights || k === 0 || !this.mesh.skeleton?.length) {
      counts.fill(1);
      for (let v = 0; v < n; v++) weight[v * slots] = 1;
      this.#add("influences", n, "every point hangs on the root");
      return { counts, bone, weight };
    }
    let [capped, lost, weightless, normalised, off] = [0, 0, 0, 0, 0];
    let row: [bone: number, weight: number][] = [];
    for (let v = 0; v < n; v++) {
      row = [];
      for (let i = v * k; i < (v + 1) * k; i++) {
        const w = weights[i];
        if (!(w > 0 && w < Infinity)) continue;
        const b = joints[i] + shift;
        if (b >= bones) {
          throw meshError(
            "ARGUMENT",
            `Give weights to joints that exist: vertex ${v} names joint ${
              joints[i]
            } of ${this.mesh.skeleton.length}`,
            {
              format: "css",
              path: `vertex ${v}/joints`,
              found: joints[i],
              allowed: `< ${this.mesh.skeleton.length}`,
            },
          );
        }
        const twin = row.find((e) => e[0] === b);
        if (twin) twin[1] += w;
        else row.push([b, w]);
      }
      if (row.length > slots) {
        row.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
        capped++;
        lost = Math.max(
          lost,
          row.slice(slots).reduce((sum, e) => sum + e[1], 0),
        );
        row.length = slots;
      }
      if (row.length === 0) {
        weightless++;
        row.push([Math.min(joints[v * k] + shift, bones - 1), 1]);
      }
      const sum = row.reduce((s, e) => s + e[1], 0);
      if (
        Math.abs(sum - 1) > WEIGHT_SUM_TOLERANCE || row.some((e) => e[1] > 1)
      ) {
        normalised++;
        off = Math.max(off, Math.abs(sum - 1));
        let top = 0;
        let others = 0;
        row.forEach((e, i) => {
          e[1] = f(e[1] / sum);
          if (e[1] > row[top][1]) top = i;
        });
        row.forEach((e, i) => {
          if (i !== top) others += e[1];
        });
        // the largest takes up what rounding left over
        row[top][1] = f(1 - others);
        row = row.filter((e) => e[1] > 0);
      }
      counts[v] = row.length;
      row.forEach(([b, w], i) => {
        bone[v * slots + i] = b;
        weight[v * slots + i] = w;
      });
    }
    this.loss.add(
      "dropped",
      "influences",
      capped,
      `points keep their ${slots} largest`,
      { largest: lost },
    );
    this.loss.add(
      "repaired",
      "weights",
      weightless,
      "vertices without weight hang on their first joint",
      { demanded: true },
    );
    this.loss.add(
      "repaired",
      "weights",
      Math.max(0, normalised - capped),
      "they did not sum to one and were divided by their sum",
      { demanded: true, largest: off },
    );
    return { counts, bone, weight };
  }

  /** Unit normals, or null. */
  #normals(): Float32Array | null {
    const { normal } = this.mesh.attributes;
    if (!normal) return null;
    let out = normal;
    let [zero, off, largest] = [0, 0, 0];
    for (let i = 0; i < normal.length; i += 3) {
      const x = normal[i];
      const y = normal[i + 1];
      const z = normal[i + 2];
      const square = f(f(f(x * x) + f(y * y)) + f(z * z));
      // half the bound, so that printing and reading stay within it
      if (Math.abs(f(square - 1)) <= CSS_NORMAL_TOLERANCE / 2) continue;
      if (out === normal) out = normal.slice();
      const length = Math.sqrt(x * x + y * y + z * z);
      if (length > 0 && length < Infinity) {
        off++;
        largest = Math.max(largest, Math.abs(length - 1));
        out[i] = x / length;
        out[i + 1] = y / length;
        out[i + 2] = z / length;
      } else {
        zero++;
        out.set([0, 0, 1], i);
      }
    }
    this.loss.add("repaired", "normals", off, "they were not of unit length", {
      demanded: true,
      largest,
    });
    this.loss.add(
      "repaired",
      "normals",
      zero,
      "they had no direction and became the up axis",
      { demanded: true },
    );
    return out;
  }

  /** Colours as bytes, rounded half to even, or null. */
  #colors(): Uint8Array | null {
    const { color } = this.mesh.attributes;
    if (!color) return null;
    const out = new Uint8Array(color.length);
    let [inexact, largest, before] = [0, 0, -1];
    for (let i = 0; i < color.length; i++) {
      const scaled = Math.min(1, Math.max(0, color[i])) * 255;
      const down = Math.floor(scaled);
      const part = scaled - down;
      const up = part > 0.5 || (part === 0.5 && down % 2 === 1);
      out[i] = up ? down + 1 : down;
      if (f(out[i] / 255) === color[i]) continue;
      largest = Math.max(largest, Math.abs(out[i] / 255 - color[i]));
      if (before !== i >> 2) inexact++;
      before = i >> 2;
    }
    this.loss.add(
      "approximated",
      "colours",
      inexact,
      "the format stores bytes",
      { largest },
    );
    return out;
  }

  /** The first four texture coordinate sets; zeros where there is none. */
  #uvs(): Float32Array[] {
    const { uvs } = this.mesh.attributes;
    this.loss.add(
      "dropped",
      "texture coordinate sets",
      uvs.length - Math.min(uvs.length, CSS_MAX_UV_CHANNELS),
      `the format holds ${CSS_MAX_UV_CHANNELS}`,
    );
    if (uvs.length > 0) return uvs.slice(0, CSS_MAX_UV_CHANNELS);
    this.#add(
      "texture coordinates",
      this.mesh.vertexCount,
      "the format needs one set; all are 0",
    );
    return [new Float32Array(this.mesh.vertexCount * 2)];
  }

  /** Vertices that the same point can stand for: position, influences and deltas. */
  #points(skin: Skin, order: Uint32Array): Welded {
    const { position } = this.mesh.attributes;
    const { morphs } = this.mesh;
    const { counts, bone, weight } = skin;
    const hash = (i: number) => {
      const v = order[i];
      let h = mix(0, bitsOfNumber(position[v * 3]));
      h = mix(h, bitsOfNumber(position[v * 3 + 1]));
      h = mix(h, bitsOfNumber(position[v * 3 + 2]));
      for (let k = v * 8; k < v * 8 + counts[v]; k++) {
        h = mix(mix(h, bone[k]), bitsOfNumber(weight[k]));
      }
      return h;
    };
    const equal = (i: number, k: number) => {
      const [a, b] = [order[i], order[k]];
      if (counts[a] !== counts[b]) return false;
      for (let c = 0; c < 3; c++) {
        if (position[a * 3 + c] !== position[b * 3 + c]) return false;
      }
      for (let s = 0; s < counts[a]; s++) {
        if (
          bone[a * 8 + s] !== bone[b * 8 + s] ||
          weight[a * 8 + s] !== weight[b * 8 + s]
        ) return false;
      }
      if (!morphs) return true;
      const [from, to] = [morphs.offsets[a], morphs.offsets[b]];
      const entries = morphs.offsets[a + 1] - from;
      if (morphs.offsets[b + 1] - to !== entries) return false;
      for (let e = 0; e < entries; e++) {
        if (morphs.targets[from + e] !== morphs.targets[to + e]) return false;
        for (let c = 0; c < 3; c++) {
          if (
            morphs.position[(from + e) * 3 + c] !==
              morphs.position[(to + e) * 3 + c]
          ) return false;
        }
      }
      return true;
    };
    return weld(order.length, hash, equal);
  }

  #materials(): string[] {
    const { materials, lods } = this.mesh;
    const last = lods[0].groups.reduce((m, g) => Math.max(m, g.material), 0);
    const names = [...materials];
    while (names.length <= last) names.push("");
    if (materials.length < names.length) {
      this.#add(
        "material slots",
        names.length - materials.length,
        "every face needs one",
      );
      names.forEach((name, i) => {
        if (i >= materials.length && name === "") names[i] = `material_${i}`;
      });
    }
    const legal = legalNames(names, "material");
    this.loss.add(
      "changed",
      "material names",
      legal.changed.length,
      `they must not be empty nor alike: ${listChanges(legal.changed)}`,
      { demanded: true },
    );
    return legal.names;
  }

  /** Material of each triangle. */
  #materialOf(triangles: number): Uint32Array {
    const out = new Uint32Array(triangles);
    for (const g of this.mesh.lods[0].groups) {
      out.fill(
        g.material,
        Math.floor(g.start / 3),
        Math.floor((g.start + g.count) / 3),
      );
    }
    return out;
  }

  #morphs(welded: Welded, order: Uint32Array): CssMorphTarget[] | null {
    const { morphs } = this.mesh;
    if (!morphs || morphs.names.length === 0) return null;
    const { names, changed } = legalNames(morphs.names, "morph");
    this.loss.add(
      "changed",
      "morph target names",
      changed.length,
      `letters, digits and underscores alone, 64 at most, none alike: ${
        listChanges(changed)
      }`,
    );
    const counts = new Uint32Array(names.length);
    let still = 0;
    let doubled = 0;
    const moves = (e: number) =>
      morphs.position[e * 3] !== 0 || morphs.position[e * 3 + 1] !== 0 ||
      morphs.position[e * 3 + 2] !== 0;
    /** Entries of a vertex, each target once; a later one is added to an earlier one. */
    const rows = (v: number): Map<number, number[]> => {
      const row = new Map<number, number[]>();
      for (let e = morphs.offsets[v]; e < morphs.offsets[v + 1]; e++) {
        if (!moves(e)) {
          still++;
          continue;
        }
        const delta = [...morphs.position.subarray(e * 3, e * 3 + 3)];
        const twin = row.get(morphs.targets[e]);
        if (twin) {
          doubled++;
          delta.forEach((x, k) => twin[k] = f(twin[k] + x));
        } else row.set(morphs.targets[e], delta);
      }
      return row;
    };
    for (const i of welded.first) {
      for (const t of rows(order[i]).keys()) counts[t]++;
    }
    const entriesStill = still;
    const entriesDoubled = doubled;
    const targets = names.map((name, t): CssMorphTarget => ({
      name,
      points: new Uint32Array(counts[t]),
      deltas: new Float32Array(counts[t] * 3),
    }));
    const next = new Uint32Array(names.length);
    welded.first.forEach((i, point) => {
      for (const [t, delta] of rows(order[i])) {
        targets[t].points[next[t]] = point;
        targets[t].deltas.set(delta, next[t]++ * 3);
      }
    });
    this.loss.add(
      "dropped",
      "morph entries",
      entriesStill,
      "they move nothing in position",
    );
    this.loss.add(
      "changed",
      "morph entries",
      entriesDoubled,
      "a vertex had two for one target; they were added",
    );
    if (morphs.normal) {
      this.loss.add(
        "dropped",
        "morph normals",
        morphs.targets.length,
        "the format holds none; the engine derives them",
      );
    }
    const kept = targets.filter((t) => t.points.length > 0);
    this.loss.add(
      "dropped",
      "morph targets",
      targets.length - kept.length,
      `they move no point, and the importer fails on such: ${
        targets.filter((t) => t.points.length === 0).map((t) => t.name).join(
          ", ",
        )
      }`,
      { demanded: true },
    );
    return kept;
  }

  make(): CssMesh {
    const { mesh, loss } = this;
    const { position, tangent } = mesh.attributes;
    const indices = mesh.lods[0].indices ?? new Uint32Array(0);
    const total = Math.floor(indices.length / 3);
    if (total === 0) throw noFaces(mesh.vertexCount);
    for (let i = 0; i < total * 3; i++) {
      if (indices[i] < mesh.vertexCount) continue;
      throw meshError(
        "ARGUMENT",
        `Drop triangles out of range first: index ${i} names vertex ${
          indices[i]
        } of ${mesh.vertexCount}`,
        {
          format: "css",
          path: `lods/0/indices/${i}`,
          found: indices[i],
          allowed: `< ${mesh.vertexCount}`,
        },
      );
    }
    loss.add(
      "dropped",
      "levels of detail",
      mesh.lods.length - 1,
      "the format holds none",
    );
    if (mesh.heightfield) {
      loss.add("dropped", "heightfield", 1, "the format holds none");
    }
    if (tangent) {
      loss.add(
        "dropped",
        "tangents",
        mesh.vertexCount,
        "the format holds none; the importer rebuilds them",
      );
    }
    const packages = this.#packages();
    const { bones, shift } = this.#bones();
    const skin = this.#skin(bones.length, shift);
    const normals = this.#normals();
    const colors = this.#colors();
    const uvs = this.#uvs();
    const materials = this.#materials();
    const materialOf = this.#materialOf(total);

    const good = new Uint8Array(total);
    const used = new Uint8Array(mesh.vertexCount);
    let degenerate = 0;
    for (let t = 0; t < total; t++) {
      const a = indices[t * 3];
      const b = indices[t * 3 + 1];
      const c = indices[t * 3 + 2];
      if (!(crossSquared(position, a, b, c) >= CSS_DEGENERATE)) {
        degenerate++;
        continue;
      }
      good[t] =
        used[a] =
        used[b] =
        used[c] =
          1;
    }
    if (degenerate === total) {
      throw noFaces(
        mesh.vertexCount,
        "Give a mesh whose triangles have an area",
      );
    }
    if (
      degenerate > droppableFaces(total) && !this.options.dropAllDegenerate
    ) {
      throw meshError(
        "CSS-DEGENERATE-COUNT",
        `Mend the mesh: ${degenerate} of ${total} faces have no area, at most ${
          Math.floor(droppableFaces(total))
        } are dropped`,
        {
          format: "css",
          path: "faces",
          found: degenerate,
          allowed: Math.floor(droppableFaces(total)),
        },
      );
    }
    loss.add(
      "repaired",
      "faces",
      degenerate,
      "they have no area in f32, and were left out",
      { demanded: true },
    );
    const order = new Uint32Array(used.reduce((n, u) => n + u, 0));
    const place = new Uint32Array(mesh.vertexCount);
    let next = 0;
    used.forEach((u, v) => {
      if (u === 0) return;
      place[v] = next;
      order[next++] = v;
    });
    loss.add(
      "dropped",
      "vertices",
      mesh.vertexCount - order.length,
      "no face uses them",
    );

    const welded = this.#points(skin, order);
    const wedges = weld(
      order.length,
      (i) => {
        const v = order[i];
        let h = mix(0, welded.to[i]);
        for (let k = 0; k < 3 && normals; k++) {
          h = mix(h, bitsOfNumber(normals[v * 3 + k]));
        }
        for (const uv of uvs) {
          h = mix(mix(h, bitsOfNumber(uv[v * 2])), bitsOfNumber(uv[v * 2 + 1]));
        }
        return h;
      },
      (i, k) => {
        const [a, b] = [order[i], order[k]];
        if (welded.to[i] !== welded.to[k]) return false;
        for (let c = 0; c < 3 && normals; c++) {
          if (normals[a * 3 + c] !== normals[b * 3 + c]) return false;
        }
        for (const uv of uvs) {
          if (uv[a * 2] !== uv[b * 2] || uv[a * 2 + 1] !== uv[b * 2 + 1]) {
            return false;
          }
        }
        for (let c = 0; c < 4 && colors; c++) {
          if (colors[a * 4 + c] !== colors[b * 4 + c]) return false;
        }
        return true;
      },
    );

    const points = new Float32Array(welded.first.length * 3);
    let rows = 0;
    welded.first.forEach((i, p) => {
      const v = order[i];
      for (let k = 0; k < 3; k++) points[p * 3 + k] = position[v * 3 + k];
      rows += skin.counts[v];
    });
    const influencePoints = new Uint32Array(rows);
    const influenceBones = new Uint32Array(rows);
    const influenceWeights = new Float32Array(rows);
    let row = 0;
    welded.first.forEach((i, p) => {
      const v = order[i];
      for (let k = 0; k < skin.counts[v]; k++, row++) {
        influencePoints[row] = p;
        influenceBones[row] = skin.bone[v * 8 + k];
        influenceWeights[row] = skin.weight[v * 8 + k];
      }
    });

    const count = wedges.first.length;
    const width = 2 * uvs.length;
    const wedgePoints = wedges.first.map((i) => welded.to[i]);
    const wedgeUvs = new Float32Array(count * width);
    const wedgeNormals = normals ? new Float32Array(count * 3) : null;
    const wedgeColors = colors ? new Uint8Array(count * 4) : null;
    wedges.first.forEach((i, w) => {
      const v = order[i];
      uvs.forEach((uv, c) => {
        wedgeUvs[w * width + c * 2] = uv[v * 2];
        wedgeUvs[w * width + c * 2 + 1] = uv[v * 2 + 1];
      });
      for (let k = 0; k < 3 && wedgeNormals; k++) {
        wedgeNormals[w * 3 + k] = normals![v * 3 + k];
      }
      for (let k = 0; k < 4 && wedgeColors; k++) {
        wedgeColors[w * 4 + k] = colors![v * 4 + k];
      }
    });

    const faces = new Uint32Array((total - degenerate) * 4);
    let face = 0;
    for (let t = 0; t < total; t++) {
      if (good[t] === 0) continue;
      for (let k = 0; k < 3; k++) {
        faces[face++] = wedges.to[place[indices[t * 3 + k]]];
      }
      faces[face++] = materialOf[t];
    }
    return {
      ...packages,
      bones,
      materials,
      points,
      uvChannels: uvs.length,
      wedgePoints,
      wedgeUvs,
      faces,
      influencePoints,
      influenceBones,
      influenceWeights,
      normals: wedgeNormals,
      colors: wedgeColors,
      morphTargets: this.#morphs(welded, order),
      unknownKeys: [],
    };
  }
}

/**
 * A CSS authored mesh from a mesh in CSS axes and centimetres (`convertBasis(mesh, "css")` makes it one). Vertices that
 * agree in position, influences and deltas share a point, those that agree in everything a wedge. What the format can not
 * hold is reported, what it needs and the mesh lacks is added:
 *
 * * more than eight influences: the largest stay; weights sum to one after rounding;
 * * several roots get one above them, a mesh without a skeleton one bone; names are made legal and unlike each other;
 * * faces without area in f32 are dropped; more than 10 and a hundredth of all is an error;
 * * colours become bytes, rounded half to even; no normals stay none, for the importer makes them.
 *
 * Counts beyond the importer's limits stay, and {@linkcode writeCssMesh} refuses them.
 *
 * @throws {MeshError} CSS-NO-FACES; CSS-DEGENERATE-COUNT; ARGUMENT for another basis, an index or a joint out of range.
 */
export function meshToCss(
  mesh: Mesh,
  options: MeshToCssOptions = {},
): MeshAsCss {
  if (mesh.basis !== "css") {
    throw meshError(
      "ARGUMENT",
      `Move the mesh to CSS axes first: it is in those of ${mesh.basis}`,
      { format: "css", path: "basis", found: mesh.basis, allowed: "css" },
    );
  }
  const loss = options.loss ?? new LossReport();
  const maker = new Maker(mesh, options, loss);
  return { css: maker.make(), loss, added: maker.added };
}
