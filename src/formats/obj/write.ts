/**
 * Writes Wavefront OBJ and its material library.
 *
 * | line                  | content                                                                     |
 * | --------------------- | --------------------------------------------------------------------------- |
 * | `mtllib FILE`         | material library beside the file                                            |
 * | `o NAME`              | the mesh                                                                    |
 * | `v x y z`             | position; metres, +Y up                                                     |
 * | `vt u v`              | texture coordinates, v = 0 at the bottom                                    |
 * | `vn x y z`            | normal                                                                      |
 * | `g NAME`              | part                                                                        |
 * | `usemtl NAME`         | material of the faces that follow                                           |
 * | `f a/a/a b/b/b c/c/c` | triangle, counter-clockwise from the front, numbers from 1                  |
 * | `p a`                 | a vertex of a cloud of points                                               |
 *
 * Of a vertex an OBJ holds position, first texture coordinates and normal; of the levels of detail one.
 *
 * @module
 */
import { meshError } from "../../core/errors.ts";
import { type Limits, withLimits } from "../../core/limits.ts";
import type { Mesh, MeshLod } from "../../core/mesh.ts";
import { shortFloat } from "../../core/number_text.ts";
import { TextFile } from "../../core/text_file.ts";

/** Options of {@linkcode writeObj}. */
export interface WriteObjOptions {
  /** Name of the material library, as the OBJ refers to it; none unless given. */
  mtlName?: string;
  /** First line of both files, as a comment. */
  generator?: string;
  /** Limits on the output. */
  limits?: Partial<Limits>;
}

/** An OBJ and its material library. */
export interface ObjFiles {
  /** The OBJ. */
  obj: Uint8Array<ArrayBuffer>;
  /** The MTL. */
  mtl: Uint8Array<ArrayBuffer>;
}

/** A name as it fits on a line; empty where nothing of it does. */
export function lineName(name: string): string {
  // deno-lint-ignore no-control-regex
  return name.replace(/[\x00-\x1f\x7f]+/g, " ").trim();
}

function refuse(path: string, message: string, found: unknown): never {
  throw meshError("ARGUMENT", message, { format: "obj", path, found });
}

function numbers(values: Float32Array, at: number, count: number): string {
  let out = "";
  for (let k = at; k < at + count; k++) {
    if (!Number.isFinite(values[k])) {
      refuse(
        `values/${k}`,
        `Repair the mesh first (repairVectors): a text file holds no ${
          values[k]
        }`,
        String(values[k]),
      );
    }
    out += " " + shortFloat(values[k]);
  }
  return out;
}

/** Vertices that a level uses, in their own order; all of them for points. */
function usedOrder(mesh: Mesh, lod: MeshLod): Uint32Array {
  if (!lod.indices) {
    return Uint32Array.from({ length: mesh.vertexCount }, (_, v) => v);
  }
  const used = new Uint8Array(mesh.vertexCount);
  for (const v of lod.indices) {
    if (v >= mesh.vertexCount) {
      refuse(
        "indices",
        `Drop triangles out of range first (cleanTriangles): an index names vertex ${v} of ${mesh.vertexCount}`,
        v,
      );
    }
    used[v] = 1;
  }
  const order: number[] = [];
  for (let v = 0; v < used.length; v++) if (used[v]) order.push(v);
  return Uint32Array.from(order);
}

function materialName(mesh: Mesh, m: number): string {
  return lineName(mesh.materials[m] ?? "") || `material${m}`;
}

function addVertices(out: TextFile, mesh: Mesh, order: Uint32Array): string {
  const { position, normal, uvs } = mesh.attributes;
  for (const v of order) out.add(`v${numbers(position, v * 3, 3)}`);
  if (uvs.length > 0) {
    for (const v of order) out.add(`vt${numbers(uvs[0], v * 2, 2)}`);
  }
  if (normal) {
    for (const v of order) out.add(`vn${numbers(normal, v * 3, 3)}`);
  }
  if (uvs.length > 0) return normal ? "/#/#" : "/#";
  return normal ? "//#" : "";
}

function addFaces(
  out: TextFile,
  mesh: Mesh,
  lod: MeshLod,
  place: Uint32Array,
  tail: string,
): void {
  const indices = lod.indices!;
  const corner = (i: number) => {
    const n = String(place[indices[i]] + 1);
    return n + tail.replaceAll("#", n);
  };
  const groups = lod.groups.length > 0
    ? lod.groups
    : [{ start: 0, count: indices.length, material: 0 }];
  let part: number | undefined;
  for (const g of groups) {
    if (g.part !== undefined && g.part !== part) {
      part = g.part;
      const { group, groupIndex } = mesh.parts![part];
      out.add(`g ${lineName(group) || `part${groupIndex}`}`);
    }
    if (mesh.materials.length > 0) {
      out.add(`usemtl ${materialName(mesh, g.material)}`);
    }
    for (let i = g.start; i + 2 < g.start + g.count; i += 3) {
      out.add(`f ${corner(i)} ${corner(i + 1)} ${corner(i + 2)}`);
    }
  }
}

/**
 * Writes the first level of detail of a mesh as OBJ. The mesh is in the `obj` basis and free of what a text file can not
 * hold.
 *
 * @throws {MeshError} ARGUMENT for another basis, a number that is not finite or an index out of range; LIMIT-EXCEEDED.
 *
 * @example
 * ```ts
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { convertBasis } from "@meshwright/kit/ops";
 * import { writeObj } from "@meshwright/kit";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/terrain.payload")));
 * const { obj } = writeObj(convertBasis(mesh, "obj").mesh, { mtlName: "terrain.mtl" });
 * console.log(new TextDecoder().decode(obj).includes("mtllib terrain.mtl")); // true
 * ```
 */
export function writeObj(mesh: Mesh, options: WriteObjOptions = {}): ObjFiles {
  if (mesh.basis !== "obj") {
    refuse(
      "basis",
      `Move the mesh to OBJ's axes first (convertBasis): it is in ${mesh.basis}'s`,
      mesh.basis,
    );
  }
  const { maxOutputBytes } = withLimits(options.limits);
  const obj = new TextFile(maxOutputBytes, "obj");
  const mtl = new TextFile(maxOutputBytes, "obj");
  const comment = `# ${lineName(options.generator ?? "") || "meshwright"}`;
  obj.add(comment);
  mtl.add(comment);
  if (options.mtlName) obj.add(`mtllib ${options.mtlName}`);
  obj.add(`o ${lineName(mesh.name) || "mesh"}`);
  const lod = mesh.lods[0];
  const order = usedOrder(mesh, lod);
  const tail = addVertices(obj, mesh, order);
  const place = new Uint32Array(mesh.vertexCount);
  order.forEach((v, i) => place[v] = i);
  if (lod.indices) addFaces(obj, mesh, lod, place, tail);
  else order.forEach((_, i) => obj.add(`p ${i + 1}`));
  const names = new Set(mesh.materials.map((_, m) => materialName(mesh, m)));
  for (const name of names) {
    for (const line of ["", `newmtl ${name}`, "Kd 0.8 0.8 0.8", "illum 1"]) {
      mtl.add(line);
    }
  }
  return { obj: obj.bytes(), mtl: mtl.bytes() };
}
