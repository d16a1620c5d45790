/**
 * Writes SMD and VTA, the source text of Valve's model compiler: inches, +Z up, v = 0 at the bottom, triangles
 * counter-clockwise from the front.
 *
 * | section           | lines                                                                                    |
 * | ----------------- | ---------------------------------------------------------------------------------------- |
 * | `version 1`       |                                                                                          |
 * | `nodes`           | `number "name" parent`                                                                   |
 * | `skeleton`        | `time 0`, then `number x y z rx ry rz`: position and Euler angles (x, then y, then z) in |
 * |                   | radians, relative to the parent                                                          |
 * | `triangles`       | a line with the material, then three of                                                  |
 * |                   | `bone x y z nx ny nz u v links (bone weight)…`                                           |
 * | `vertexanimation` | VTA only: `time 0` with every vertex, then one time a shape with the vertices it moves:  |
 * |                   | `vertex x y z nx ny nz`, not relative                                                    |
 *
 * Every section ends with `end`.
 *
 * @module
 */
import { meshError } from "../../core/errors.ts";
import { type Limits, SMD_PRECISION, withLimits } from "../../core/limits.ts";
import { composeTrs } from "../../core/matrix.ts";
import type { Mesh, MeshJoint, MeshLod } from "../../core/mesh.ts";
import { shortFloat } from "../../core/number_text.ts";
import { TextFile } from "../../core/text_file.ts";

/** Options of {@linkcode writeSmd}. */
export interface WriteSmdOptions {
  /** Limits on the output. */
  limits?: Partial<Limits>;
}

/** The files of one mesh. */
export interface SmdFiles {
  /** One SMD a level of detail. */
  lods: Uint8Array<ArrayBuffer>[];
  /** Morph targets of the first level, or null when there are none. */
  vta: Uint8Array<ArrayBuffer> | null;
}

function refuse(path: string, message: string, found: unknown): never {
  throw meshError("ARGUMENT", message, { format: "smd", path, found });
}

function number(x: number): string {
  if (Number.isFinite(x)) return shortFloat(x);
  return refuse(
    "values",
    `Repair the mesh first (repairVectors): a text file holds no ${x}`,
    String(x),
  );
}

/** An angle; its last digits may differ from one engine to the next and are left out. */
function angle(x: number): string {
  return String(Number(x.toFixed(SMD_PRECISION)) + 0);
}

/** Euler angles of a rotation Rz · Ry · Rx, radians. */
function eulerOf(q: readonly number[]): [number, number, number] {
  const m = composeTrs([0, 0, 0], q, [1, 1, 1]); // column-major
  const cosY = Math.sqrt(m[0] * m[0] + m[1] * m[1]);
  const y = Math.atan2(-m[2], cosY);
  // at the lock x and z turn about one axis: all of it goes to x
  if (cosY < 1e-6) return [Math.atan2(-m[9], m[5]), y, 0];
  return [Math.atan2(m[6], m[10]), y, Math.atan2(m[1], m[0])];
}

/** A name between quotes, on one line. */
function quoted(name: string): string {
  // deno-lint-ignore no-control-regex
  return `"${name.replace(/[\x00-\x1f\x7f"]/g, "_")}"`;
}

/** Name of a material on a line of its own, by its place where it has none; "end" would close the section. */
export function smdMaterial(name: string, place: number): string {
  // deno-lint-ignore no-control-regex
  const line = name.replace(/[\x00-\x1f\x7f]/g, " ").trim();
  return line === "" || line === "end" ? `material${place}` : line;
}

const STILL: MeshJoint = {
  name: "root",
  parent: -1,
  translation: [0, 0, 0],
  rotation: [0, 0, 0, 1],
  scale: [1, 1, 1],
};

function jointsOf(mesh: Mesh): readonly MeshJoint[] {
  return mesh.skeleton && mesh.skeleton.length > 0 ? mesh.skeleton : [STILL];
}

function header(mesh: Mesh): string[] {
  return [
    "version 1",
    "nodes",
    ...jointsOf(mesh).map((j, i) => `${i} ${quoted(j.name)} ${j.parent}`),
    "end",
  ];
}

function skeleton(mesh: Mesh): string[] {
  return [
    "skeleton",
    "time 0",
    ...jointsOf(mesh).map((j, i) =>
      [i, ...j.translation.map(number), ...eulerOf(j.rotation).map(angle)]
        .join(" ")
    ),
    "end",
  ];
}

/** Position and normal of a vertex, moved by a delta. */
function placed(mesh: Mesh, v: number, delta?: readonly number[]): string {
  const { position, normal } = mesh.attributes;
  const out: string[] = [];
  for (let k = 0; k < 3; k++) {
    out.push(number(position[v * 3 + k] + (delta?.[k] ?? 0)));
  }
  for (let k = 0; k < 3; k++) {
    out.push(number((normal?.[v * 3 + k] ?? 0) + (delta?.[3 + k] ?? 0)));
  }
  return out.join(" ");
}

function vertexLine(mesh: Mesh, v: number): string {
  const { uvs, joints, weights } = mesh.attributes;
  const k = mesh.influences;
  const links: [number, number][] = [];
  if (mesh.skeleton && joints && weights) {
    for (let i = v * k; i < (v + 1) * k; i++) {
      if (weights[i] > 0) links.push([joints[i], weights[i]]);
    }
  }
  const uv = [0, 1].map((i) => number(uvs[0]?.[v * 2 + i] ?? 0)).join(" ");
  const bones = links.map(([j, w]) => ` ${j} ${number(w)}`).join("");
  return `${links[0]?.[0] ?? 0} ${
    placed(mesh, v)
  } ${uv} ${links.length}${bones}`;
}

function encode(
  lines: Iterable<string>,
  most: number,
): Uint8Array<ArrayBuffer> {
  const out = new TextFile(most, "smd");
  for (const line of lines) out.add(line);
  return out.bytes();
}

function smdLines(mesh: Mesh, lod: MeshLod, known: string[]): string[] {
  const indices = lod.indices ?? new Uint32Array(0);
  const lines = [...header(mesh), ...skeleton(mesh), "triangles"];
  const groups = lod.groups.length > 0
    ? lod.groups
    : [{ start: 0, count: indices.length, material: 0 }];
  for (const g of groups) {
    const material = smdMaterial(mesh.materials[g.material] ?? "", g.material);
    for (let i = g.start; i + 2 < g.start + g.count; i += 3) {
      lines.push(material);
      for (const v of indices.subarray(i, i + 3)) {
        if (v >= mesh.vertexCount) {
          refuse(
            "indices",
            `Drop triangles out of range first (cleanTriangles): an index names vertex ${v} of ${mesh.vertexCount}`,
            v,
          );
        }
        lines.push(known[v] ??= vertexLine(mesh, v));
      }
    }
  }
  lines.push("end");
  return lines;
}

function vtaLines(mesh: Mesh): string[] | null {
  const { morphs } = mesh;
  if (!morphs || morphs.names.length === 0) return null;
  const used = new Uint8Array(mesh.vertexCount);
  for (const v of mesh.lods[0].indices ?? []) used[v] = 1;
  const frames: string[][] = morphs.names.map(() => []);
  const basis: string[] = [];
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (!used[v]) continue;
    basis.push(`${v} ${placed(mesh, v)}`);
    for (let e = morphs.offsets[v]; e < morphs.offsets[v + 1]; e++) {
      const delta = [0, 1, 2, 3, 4, 5].map((k) =>
        k < 3 ? morphs.position[e * 3 + k] : morphs.normal?.[e * 3 + k - 3] ?? 0
      );
      frames[morphs.targets[e]].push(`${v} ${placed(mesh, v, delta)}`);
    }
  }
  const lines = [...header(mesh), "skeleton", "time 0 # basis shape key"];
  morphs.names.forEach((name, t) =>
    // deno-lint-ignore no-control-regex
    lines.push(`time ${t + 1} # ${name.replace(/[\x00-\x1f\x7f]/g, "_")}`)
  );
  lines.push("end", "vertexanimation", "time 0");
  for (const line of basis) lines.push(line);
  frames.forEach((frame, t) => {
    lines.push(`time ${t + 1}`);
    for (const line of frame) lines.push(line);
  });
  lines.push("end");
  return lines;
}

/**
 * Writes a mesh as SMD, one file a level of detail, and its morph targets as VTA. The mesh is in the `smd` basis, its bind
 * pose is that of its joints (`rebindSkeleton`), and it is free of what a text file can not hold. A mesh without
 * a skeleton gets one bone that stands still; a cloud of points has no triangles.
 *
 * @throws {MeshError} ARGUMENT for another basis, a number that is not finite or an index out of range; LIMIT-EXCEEDED.
 *
 * @example
 * ```ts
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { convertBasis } from "@meshwright/kit/ops";
 * import { writeSmd } from "@meshwright/kit";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/figure.payload")));
 * const { lods, vta } = writeSmd(convertBasis(mesh, "smd").mesh);
 * console.log(lods.length === mesh.lods.length, vta !== null); // true true
 * ```
 */
export function writeSmd(mesh: Mesh, options: WriteSmdOptions = {}): SmdFiles {
  if (mesh.basis !== "smd") {
    refuse(
      "basis",
      `Move the mesh to SMD's axes first (convertBasis): it is in ${mesh.basis}'s`,
      mesh.basis,
    );
  }
  const { maxOutputBytes } = withLimits(options.limits);
  // levels share vertices: each is put into words once
  const known = new Array<string>(mesh.vertexCount);
  const lods = mesh.lods.map((lod) =>
    encode(smdLines(mesh, lod, known), maxOutputBytes)
  );
  const vta = vtaLines(mesh);
  return { lods, vta: vta && encode(vta, maxOutputBytes) };
}
