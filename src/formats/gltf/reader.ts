/**
 * What the parts of the glTF reader share: nodes with their transforms, blocks of vertices, materials, notes.
 *
 * @module
 */
import type {
  Accessor,
  Document,
  Material,
  Node,
  Primitive,
  Skin,
} from "@gltf-transform/core";
import { meshError } from "../../core/errors.ts";
import { checkLimit, type Limits } from "../../core/limits.ts";
import {
  composeTrs,
  decomposeTrs,
  IDENTITY_MATRIX,
  type Mat4,
  multiply,
} from "../../core/matrix.ts";
import type { MaterialGroup } from "../../core/mesh.ts";
import { type Json, objects } from "./json.ts";
import type { GltfNote } from "./note.ts";
import { type MaterialUvs, readMaterialUvs } from "./texture_transform.ts";

/** A block of vertices under construction: primitives that share accessors share a block. */
export interface Block {
  primitive: Primitive;
  skin: Skin | null;
  /** World matrix to bake, or null for none. */
  matrix: Mat4 | null;
  /** First vertex in the merged mesh. */
  first: number;
  count: number;
  /** Names of its morph targets. */
  names: string[];
  /** What its material does to texture coordinates. */
  uvMaps: MaterialUvs["maps"];
}

export class Reader {
  readonly notes: GltfNote[] = [];
  readonly blocks: Block[] = [];
  readonly materials: string[] = [];
  readonly #materialIndex = new Map<unknown, number>();
  readonly #blocksAt = new Map<Accessor, Block[]>();
  readonly #nodes: Node[];
  readonly #numbers: ReadonlyMap<Node, number>;
  readonly #isJoint: ReadonlySet<Node>;
  readonly #local = new Map<Node, Mat4>();
  readonly #matrices = new Set<Node>();
  readonly #joints = new Map<Skin, Node[]>();
  readonly #materialUvs = new Map<Material, MaterialUvs>();
  vertexCount = 0;
  indexCount = 0;
  hasFaces = false;

  /**
   * @param json The file as the library was given it.
   * @param original The file as stored.
   */
  constructor(
    doc: Document,
    json: Json,
    original: Json,
    readonly limits: Limits,
  ) {
    this.#nodes = doc.getRoot().listNodes();
    this.#numbers = new Map(this.#nodes.map((node, i) => [node, i]));
    objects(json, "nodes").forEach((def, i) => {
      const local = localMatrix(def);
      if (local) this.#local.set(this.#nodes[i], local);
      if (def.matrix !== undefined) this.#matrices.add(this.#nodes[i]);
    });
    // the library keeps a joint that a skin names twice once, which would shift the joint numbers behind it
    const skins = doc.getRoot().listSkins();
    objects(json, "skins").forEach((def, i) => {
      const numbers = def.joints as number[];
      this.#joints.set(skins[i], numbers.map((n) => this.#nodes[n]));
    });
    this.#isJoint = new Set([...this.#joints.values()].flat());
    const materials = doc.getRoot().listMaterials();
    readMaterialUvs(original).forEach((uvs, i) =>
      this.#materialUvs.set(materials[i], uvs)
    );
  }

  /** Number of a node in the file. */
  numberOf(node: Node): number {
    return this.#numbers.get(node)!;
  }

  /** True for a node that a skin names. */
  isJoint(node: Node): boolean {
    return this.#isJoint.has(node);
  }

  /** Joint nodes of a skin by joint number. */
  joints(skin: Skin): readonly Node[] {
    return this.#joints.get(skin)!;
  }

  /** Transform of a node relative to its parent, or null for the identity. */
  local(node: Node): Mat4 | null {
    return this.#local.get(node) ?? null;
  }

  /** The same as translation, rotation and scale. */
  trs(node: Node): ReturnType<typeof decomposeTrs> {
    if (this.#matrices.has(node)) {
      return decomposeTrs(this.local(node) ?? IDENTITY_MATRIX);
    }
    const [translation, rotation, scale] = [
      node.getTranslation(),
      node.getRotation(),
      node.getScale(),
    ];
    return { translation, rotation, scale };
  }

  /** Transform from a node to another above it, or to the scene. Null for the identity. */
  transform(node: Node | null, above: Node | null = null): Mat4 | null {
    let out: Mat4 | null = null;
    for (let n = node; n && n !== above; n = n.getParentNode()) {
      out = product(this.local(n), out);
    }
    return this.#finite(out, node);
  }

  /** Where a level of detail stands: in its own place of the tree, or else in that of the node whose level it is. */
  place(node: Node, base: Node): Mat4 | null {
    if (node === base || node.getParentNode()) return this.transform(node);
    const above = this.transform(base.getParentNode());
    return this.#finite(product(above, this.local(node)), node);
  }

  #finite(m: Mat4 | null, node: Node | null): Mat4 | null {
    if (!m || Array.from(m).every(Number.isFinite)) return m;
    const path = `/nodes/${this.numberOf(node!)}`;
    throw meshError(
      "GLTF-STRUCTURE",
      `Export the file again: the transforms above ${path} multiply to more than numbers hold`,
      { format: "gltf", path },
    );
  }

  note(what: string, count: number, why: string): void {
    if (count === 0) return;
    const known = this.notes.find((n) => n.what === what && n.why === why);
    if (known) known.count += count;
    else this.notes.push({ what, count, why });
  }

  /** The block of a primitive; the same accessors under the same transform give the same block. */
  block(
    primitive: Primitive,
    node: Node,
    matrix: Mat4 | null,
    names: string[],
  ): Block {
    const skin = node.getSkin();
    const material = primitive.getMaterial();
    const uvs = material && this.#materialUvs.get(material);
    const uvMaps = uvs?.maps ?? null;
    const position = primitive.getAttribute("POSITION")!;
    const near = this.#blocksAt.get(position) ?? [];
    const same = near.find((b) =>
      b.skin === skin && b.uvMaps === uvMaps &&
      sameMatrix(b.matrix, matrix) &&
      sameAccessors(b.primitive, primitive)
    );
    if (same) return same;
    const count = position.getCount();
    const made: Block = {
      primitive,
      skin,
      matrix,
      first: this.vertexCount,
      count,
      names,
      uvMaps,
    };
    this.note(
      "texture transforms",
      uvMaps?.size ?? 0,
      "they are applied to the texture coordinates",
    );
    this.note(
      "texture transforms",
      uvs?.others ?? 0,
      "another texture of the material has another one, which counts",
    );
    this.vertexCount += count;
    checkLimit(
      "maxVertices",
      this.vertexCount,
      this.limits.maxVertices,
      "gltf",
    );
    this.blocks.push(made);
    this.#blocksAt.set(position, [...near, made]);
    return made;
  }

  material(primitive: Primitive): number {
    const material = primitive.getMaterial();
    let index = this.#materialIndex.get(material);
    if (index === undefined) {
      index = this.materials.length;
      this.#materialIndex.set(material, index);
      this.materials.push(material?.getName() ?? "");
    }
    return index;
  }

  /** Numbers the materials as the file does, in place of by first use; primitives without one come last. */
  sortMaterials(
    inFile: readonly unknown[],
    levels: readonly { groups: readonly MaterialGroup[] }[],
  ): void {
    const used = [...inFile, null].map((m) => this.#materialIndex.get(m))
      .filter((i) => i !== undefined);
    const place = new Map(used.map((old, i) => [old, i]));
    const names = used.map((old) => this.materials[old]);
    this.materials.splice(0, Infinity, ...names);
    for (const group of levels.flatMap((l) => l.groups)) {
      group.material = place.get(group.material)!;
    }
  }
}

/** A node's own transform; null for the identity. The library would force shear out of a matrix, so the JSON is asked. */
function localMatrix(def: Json): Mat4 | null {
  if (def.matrix !== undefined) {
    const m = def.matrix as number[];
    return m.every((x, i) => x === IDENTITY_MATRIX[i]) ? null : m;
  }
  const t = (def.translation ?? [0, 0, 0]) as number[];
  const r = (def.rotation ?? [0, 0, 0, 1]) as number[];
  const s = (def.scale ?? [1, 1, 1]) as number[];
  const still = t.every((x) => x === 0) && s.every((x) => x === 1) &&
    r.every((x, k) => x === (k < 3 ? 0 : 1));
  return still ? null : composeTrs(t, r, s);
}

/** a · b, where null is the identity. */
function product(a: Mat4 | null, b: Mat4 | null): Mat4 | null {
  return a && b ? multiply(a, b) : a ?? b;
}

function sameMatrix(a: Mat4 | null, b: Mat4 | null): boolean {
  if (a === null || b === null) return a === b;
  return Array.from(a).every((x, i) => x === b[i]);
}

function sameAccessors(a: Primitive, b: Primitive): boolean {
  const semantics = a.listSemantics();
  const [ta, tb] = [a.listTargets(), b.listTargets()];
  return semantics.length === b.listSemantics().length &&
    semantics.every((s) => a.getAttribute(s) === b.getAttribute(s)) &&
    ta.length === tb.length &&
    ta.every((t, i) =>
      t.listSemantics().length === tb[i].listSemantics().length &&
      t.listSemantics().every((s) =>
        t.getAttribute(s) === tb[i].getAttribute(s)
      )
    );
}
