/**
 * Reads glTF 2.0 into one mesh: the default scene's primitives merged, one material group each.
 *
 * The file is checked by `guard.ts` first; accessors are decoded by glTF-Transform. Node transforms are baked into meshes
 * without a skin (a skinned mesh stands where its skeleton puts it, whatever its node says). Strips and fans become lists;
 * lines are left out. What the mesh model does not hold is named in `notes`.
 *
 * @module
 */
import {
  type Accessor,
  type Document,
  type GLTF,
  Logger,
  type Node,
  type Primitive,
  type Skin,
  Verbosity,
  WebIO,
} from "@gltf-transform/core";
import { meshError } from "../../core/errors.ts";
import { checkLimit, type Limits, withLimits } from "../../core/limits.ts";
import { transformMesh } from "../../kernels/transform.ts";
import {
  composeTrs,
  decomposeTrs,
  determinant3,
  IDENTITY_MATRIX,
  type Mat4,
  multiply,
  quaternionFromEulerDegrees,
} from "../../core/matrix.ts";
import type {
  MaterialGroup,
  Mesh,
  MeshAttributes,
  MeshJoint,
  MeshLod,
  SparseMorphs,
} from "../../core/mesh.ts";
import {
  readEmptySkeleton,
  readHeightfield,
  readRotationDeg,
  readSwitchDistances,
} from "./extras.ts";
import {
  guardGltf,
  type Json,
  objects,
  READ_ATTRIBUTE,
  READ_EXTENSIONS,
} from "./guard.ts";
import { inverseBindOf } from "./inverse_bind.ts";
import type { GltfDecoders } from "./meshopt.ts";
import { type Levels, MsftLod } from "./msft_lod.ts";

/** Options of {@linkcode readGltf}. */
export interface ReadGltfOptions {
  /** Limits on size, counts and depth. */
  limits?: Partial<Limits>;
  /** Bytes of the files that the glTF points to, by the URI it uses. */
  resources?: Readonly<Record<string, Uint8Array>>;
  /** Codecs for compressed files; without the one that a file demands it is refused. */
  decoders?: GltfDecoders;
}

/** Something the file holds and the mesh does not. */
export interface GltfNote {
  /** What. */
  what: string;
  /** How many. */
  count: number;
  /** Why it was left out. */
  why: string;
}

/** Result of {@linkcode readGltf}. */
export interface GltfRead {
  /** The mesh, in glTF's axes. */
  mesh: Mesh;
  /** What was left out. */
  notes: GltfNote[];
}

/** Largest difference between an inverse bind matrix and the inverse of the bind pose that counts as rounding. */
const BIND_TOLERANCE = 1e-4;
/** Nodes times levels of detail that are read at most: each costs time, and few bytes ask for many. */
const MAX_LEVEL_NODES = 2 ** 18;

/** A block of vertices under construction: primitives that share accessors share a block. */
interface Block {
  primitive: Primitive;
  skin: Skin | null;
  /** World matrix to bake, or null for none. */
  matrix: Mat4 | null;
  /** First vertex in the merged mesh. */
  first: number;
  count: number;
  /** Names of its morph targets. */
  names: string[];
}

class Reader {
  readonly notes: GltfNote[] = [];
  readonly blocks: Block[] = [];
  readonly materials: string[] = [];
  readonly #materialIndex = new Map<unknown, number>();
  readonly #blocksAt = new Map<Accessor, Block[]>();
  readonly #nodes: Node[];
  readonly #local = new Map<Node, Mat4>();
  readonly #matrices = new Set<Node>();
  readonly #joints = new Map<Skin, Node[]>();
  vertexCount = 0;
  indexCount = 0;
  hasFaces = false;

  constructor(doc: Document, json: Json, readonly limits: Limits) {
    this.#nodes = doc.getRoot().listNodes();
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
    const path = `/nodes/${this.#nodes.indexOf(node!)}`;
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
    const position = primitive.getAttribute("POSITION")!;
    const near = this.#blocksAt.get(position) ?? [];
    const same = near.find((b) =>
      b.skin === skin && sameMatrix(b.matrix, matrix) &&
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
    };
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
  sortMaterials(inFile: readonly unknown[], levels: readonly Level[]): void {
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

/** Decoded values of an accessor with `width` numbers an element, to read only; missing numbers become `fill`. */
function floats(
  accessor: Accessor,
  width: number,
  fill: number,
): Float32Array<ArrayBuffer> {
  const count = accessor.getCount();
  const array = accessor.getArray();
  if (
    array instanceof Float32Array && accessor.getElementSize() === width
  ) return array as Float32Array<ArrayBuffer>;
  const out = new Float32Array(count * width).fill(fill);
  const element: number[] = [];
  const n = Math.min(width, accessor.getElementSize());
  for (let v = 0; v < count; v++) {
    accessor.getElement(v, element);
    for (let k = 0; k < n; k++) out[v * width + k] = element[k];
  }
  return out;
}

/** Triangle list of a primitive's indices, or null when it has no triangles. */
function triangleList(
  reader: Reader,
  primitive: Primitive,
  count: number,
): Uint32Array<ArrayBuffer> | null {
  const accessor = primitive.getIndices();
  const mode = primitive.getMode();
  if (mode < 4) return null;
  const source = accessor
    ? new Uint32Array(accessor.getArray()!)
    : new Uint32Array(count).map((_, i) => i);
  const bad = source.findIndex((v) => v >= count);
  if (bad >= 0) {
    throw meshError(
      "GLTF-INDEX-RANGE",
      `Export the file again: index ${bad} names vertex ${
        source[bad]
      } of ${count}`,
      {
        format: "gltf",
        path: "indices",
        found: source[bad],
        allowed: `< ${count}`,
      },
    );
  }
  if (mode === 4) {
    const rest = source.length % 3;
    reader.note("indices", rest, "they make no whole triangle");
    return source.slice(0, source.length - rest);
  }
  const triangles = Math.max(0, source.length - 2);
  const out = new Uint32Array(triangles * 3);
  for (let t = 0; t < triangles; t++) {
    const corners = mode === 6
      ? [source[0], source[t + 1], source[t + 2]]
      // every other triangle of a strip winds the other way
      : [
        source[t],
        source[t + 1 + t % 2],
        source[t + 2 - t % 2],
      ];
    out.set(corners, t * 3);
  }
  return out;
}

function targetNames(extras: Json, count: number): string[] {
  const names = extras["targetNames"];
  return Array.from({ length: count }, (_, i) => {
    const name = Array.isArray(names) ? names[i] : undefined;
    return typeof name === "string" ? name : `target_${i}`;
  });
}

/** A level of detail under construction. */
interface Level {
  indices: Uint32Array[];
  groups: MaterialGroup[];
  size: number;
}

/** Reads one node's primitives into a level. A lower level outside the tree stands where the node `base` stands. */
function readNode(
  reader: Reader,
  node: Node,
  base: Node,
  level: Level,
): void {
  const mesh = node.getMesh();
  if (!mesh) return;
  const matrix = node.getSkin() ? null : reader.place(node, base);
  for (const primitive of mesh.listPrimitives()) {
    const mode = primitive.getMode();
    if (!primitive.getAttribute("POSITION")) {
      reader.note("primitives", 1, "they have no positions");
      continue;
    }
    if (mode >= 1 && mode <= 3) {
      reader.note("line primitives", 1, "the mesh model holds triangles");
      continue;
    }
    const block = reader.block(
      primitive,
      node,
      matrix,
      targetNames(mesh.getExtras() as Json, primitive.listTargets().length),
    );
    const list = triangleList(reader, primitive, block.count);
    if (!list) continue;
    reader.hasFaces = true;
    if (matrix && determinant3(matrix) < 0) {
      for (let i = 0; i < list.length; i += 3) {
        [list[i], list[i + 2]] = [list[i + 2], list[i]];
      }
    }
    level.indices.push(list.map((v) => v + block.first));
    level.groups.push({
      start: level.size,
      count: list.length,
      material: reader.material(primitive),
    });
    level.size += list.length;
    reader.indexCount += list.length;
    checkLimit(
      "maxIndices",
      reader.indexCount,
      reader.limits.maxIndices,
      "gltf",
    );
  }
}

function joined(level: Level): Uint32Array {
  const out = new Uint32Array(level.size);
  let at = 0;
  for (const part of level.indices) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** Fills a stream from all blocks; null when a block with vertices lacks the attribute. */
function stream(
  reader: Reader,
  semantic: string,
  width: number,
  fill: number,
  missing: "drop" | "fill",
): Float32Array<ArrayBuffer> | null {
  const holders = reader.blocks.filter((b) =>
    b.primitive.getAttribute(semantic)
  );
  if (holders.length === 0) return null;
  if (holders.length < reader.blocks.length) {
    if (missing === "drop") {
      reader.note(semantic, holders.length, "other primitives have none");
      return null;
    }
  }
  const out = new Float32Array(reader.vertexCount * width).fill(fill);
  for (const b of holders) {
    out.set(
      floats(b.primitive.getAttribute(semantic)!, width, fill),
      b.first * width,
    );
  }
  return out;
}

function readAttributes(reader: Reader): MeshAttributes {
  const a: MeshAttributes = {
    position: stream(reader, "POSITION", 3, 0, "fill") ?? new Float32Array(0),
    uvs: [],
  };
  const normal = stream(reader, "NORMAL", 3, 0, "drop");
  if (normal) a.normal = normal;
  const tangent = stream(reader, "TANGENT", 4, 1, "drop");
  if (tangent) a.tangent = tangent;
  const color = stream(reader, "COLOR_0", 4, 1, "fill");
  if (color) a.color = color;
  for (let i = 0;; i++) {
    const uv = stream(reader, `TEXCOORD_${i}`, 2, 0, "fill");
    if (!uv) break;
    a.uvs.push(uv);
  }
  return a;
}

/** Joint nodes of all skins, parents first, each once. */
function orderJoints(reader: Reader, skins: readonly Skin[]): Node[] {
  const nodes = [...new Set(skins.flatMap((s) => reader.joints(s)))];
  const known = new Set(nodes);
  const parentOf = (n: Node): Node | null => {
    let p = n.getParentNode();
    while (p && !known.has(p)) p = p.getParentNode();
    return p;
  };
  const placed = new Set<Node>();
  const out: Node[] = [];
  // stable: passes over what is left until every parent stands before its children
  let left = nodes;
  while (left.length > 0) {
    const later: Node[] = [];
    for (const n of left) {
      const p = parentOf(n);
      if (!p || placed.has(p)) {
        placed.add(n);
        out.push(n);
      } else later.push(n);
    }
    left = later;
  }
  return out;
}

/** Inverse bind matrices by joint; the first skin that has one for a joint counts. */
function readInverseBinds(
  reader: Reader,
  skins: readonly Skin[],
): Map<Node, Float32Array> {
  const out = new Map<Node, Float32Array>();
  for (const skin of skins) {
    const matrices = skin.getInverseBindMatrices()?.getArray();
    if (!matrices) continue;
    reader.joints(skin).forEach((node, i) => {
      const m = Float32Array.from(matrices.subarray(i * 16, i * 16 + 16));
      const why = !m.every(Number.isFinite)
        ? "they are not finite; the bind pose gives them"
        : [0, 0, 0, 1].some((x, row) => m[row * 4 + 3] !== x)
        ? "their last row is not 0 0 0 1; it was set so"
        : null;
      if (why) reader.note("inverse bind matrices", 1, why);
      if (!m.every(Number.isFinite)) return;
      [0, 0, 0, 1].forEach((x, row) => m[row * 4 + 3] = x);
      const first = out.get(node);
      if (!first) out.set(node, m);
      else if (first.some((x, k) => x !== m[k])) {
        reader.note(
          "inverse bind matrices",
          1,
          "another skin binds the same joint elsewhere; the first one counts",
        );
      }
    });
  }
  return out;
}

function readSkeleton(
  reader: Reader,
  skins: readonly Skin[],
): { joints: MeshJoint[]; index: Map<Node, number> } {
  const nodes = orderJoints(reader, skins);
  checkLimit("maxJoints", nodes.length, reader.limits.maxJoints, "gltf");
  const index = new Map(nodes.map((n, i) => [n, i]));
  const inverseBind = readInverseBinds(reader, skins);
  const joints = nodes.map((node): MeshJoint => {
    let parent = node.getParentNode();
    while (parent && !index.has(parent)) parent = parent.getParentNode();
    // nodes between two joints belong to the joint's own transform
    const between = reader.transform(node.getParentNode(), parent);
    const own = reader.trs(node);
    const trs = between
      ? decomposeTrs(
        multiply(
          between,
          composeTrs(own.translation, own.rotation, own.scale),
        ),
      )
      : own;
    const out: MeshJoint = {
      name: node.getName(),
      parent: parent ? index.get(parent)! : -1,
      ...trs,
    };
    const degrees = between ? null : readRotationDeg(node.getExtras() as Json);
    // angles from extras hold only while nobody has turned the node since
    if (degrees && sameRotation(degrees, out.rotation)) {
      out.rotationDeg = degrees;
    }
    return out;
  });
  const world: number[][] = [];
  joints.forEach((joint, i) => {
    const local = composeTrs(joint.translation, joint.rotation, joint.scale);
    world.push(
      joint.parent < 0 ? local : multiply(world[joint.parent], local),
    );
    const stored = inverseBind.get(nodes[i]);
    const computed = inverseBindOf(world[i]);
    const size = computed.reduce((m, x) => Math.max(m, Math.abs(x)), 1);
    if (
      stored &&
      Array.from(stored).some((x, k) =>
        !(Math.abs(x - computed[k]) <= BIND_TOLERANCE * size)
      )
    ) joint.inverseBind = stored;
  });
  return { joints, index };
}

function sameRotation(
  degrees: [number, number, number],
  rotation: readonly number[],
): boolean {
  return quaternionFromEulerDegrees(degrees)
    .every((x, k) => Math.fround(x) === Math.fround(rotation[k]));
}

/** Joints and weights of all blocks; `jointOf` turns a block's joint slot into a joint of the mesh, null when there is none. */
function readInfluences(
  reader: Reader,
  prefix: "" | "_",
  jointOf: (block: Block, slot: number) => number | null,
): { joints: Uint16Array; weights: Float32Array; influences: number } | null {
  const setsOf = (b: Block) => {
    let n = 0;
    while (b.primitive.getAttribute(`${prefix}JOINTS_${n}`)) n++;
    return n;
  };
  const sets = reader.blocks.reduce((n, b) => Math.max(n, setsOf(b)), 0);
  if (sets === 0) return null;
  const influences = sets * 4;
  const joints = new Uint16Array(reader.vertexCount * influences);
  const weights = new Float32Array(reader.vertexCount * influences);
  let unknown = 0;
  for (const b of reader.blocks) {
    for (let set = 0; set < setsOf(b); set++) {
      const j = b.primitive.getAttribute(`${prefix}JOINTS_${set}`)!;
      const w = b.primitive.getAttribute(`${prefix}WEIGHTS_${set}`);
      if (!w) continue;
      const weight = floats(w, 4, 0);
      const joint = floats(j, 4, 0);
      for (let v = 0; v < b.count; v++) {
        for (let k = 0; k < 4; k++) {
          const at = (b.first + v) * influences + set * 4 + k;
          weights[at] = weight[v * 4 + k];
          const known = jointOf(b, joint[v * 4 + k]);
          if (known === null && weights[at] !== 0) unknown++;
          joints[at] = known ?? 0;
        }
      }
    }
  }
  reader.note(
    "joint numbers",
    unknown,
    "they name no joint of the skin, and became the first",
  );
  return { joints, weights, influences };
}

/**
 * Morph targets of all blocks, merged by name; any delta that is not zero is kept. Two passes, one that counts and one that
 * fills, so that dense targets never stand in memory together.
 */
function readMorphs(reader: Reader): SparseMorphs | null {
  // Blocks share targets by name; two of one name in a block stay two: the second is told apart by its number.
  const keysOf = (b: Block) => {
    const seen = new Map<string, number>();
    return b.names.map((name) => {
      const nth = seen.get(name) ?? 0;
      seen.set(name, nth + 1);
      return `${nth} ${name}`;
    });
  };
  const numbers = new Map<string, number>();
  for (const key of reader.blocks.flatMap(keysOf)) {
    if (!numbers.has(key)) numbers.set(key, numbers.size);
  }
  if (numbers.size === 0) return null;
  const names = [...numbers.keys()].map((k) => k.slice(k.indexOf(" ") + 1));
  checkLimit(
    "maxMorphTargets",
    names.length,
    reader.limits.maxMorphTargets,
    "gltf",
  );
  checkLimit(
    "maxMorphDeltas",
    names.length * reader.vertexCount,
    reader.limits.maxMorphDeltas,
    "gltf",
  );
  /** Calls `visit` for every delta that is not zero, targets ascending within a vertex. */
  const eachDelta = (
    visit: (
      vertex: number,
      target: number,
      position: Float32Array | null,
      normal: Float32Array | null,
      at: number,
    ) => void,
  ) => {
    for (const b of reader.blocks) {
      const targets = b.primitive.listTargets();
      const own = keysOf(b).map((key, t) => ({ t, target: numbers.get(key)! }))
        .sort((x, y) => x.target - y.target);
      for (const { t, target } of own) {
        const p = targets[t].getAttribute("POSITION");
        const n = targets[t].getAttribute("NORMAL");
        const position = p ? floats(p, 3, 0) : null;
        const normal = n ? floats(n, 3, 0) : null;
        const moves = (a: Float32Array | null, at: number) =>
          a !== null && (a[at] !== 0 || a[at + 1] !== 0 || a[at + 2] !== 0);
        for (let v = 0, at = 0; v < b.count; v++, at += 3) {
          if (moves(position, at) || moves(normal, at)) {
            visit(b.first + v, target, position, normal, at);
          }
        }
      }
    }
  };
  const offsets = new Uint32Array(reader.vertexCount + 1);
  eachDelta((v) => offsets[v + 1]++);
  for (let v = 0; v < reader.vertexCount; v++) offsets[v + 1] += offsets[v];
  const has = (semantic: string) =>
    reader.blocks.reduce(
      (n, b) =>
        n + b.primitive.listTargets().filter((t) => t.getAttribute(semantic))
          .length,
      0,
    );
  reader.note("morph tangents", has("TANGENT"), "the mesh model has none");
  const entries = offsets[reader.vertexCount];
  const targets = new Uint32Array(entries);
  const position = new Float32Array(entries * 3);
  const normal = has("NORMAL") > 0 ? new Float32Array(entries * 3) : null;
  const next = offsets.slice();
  eachDelta((v, target, p, n, at) => {
    const e = next[v]++;
    targets[e] = target;
    if (p) position.set(p.subarray(at, at + 3), e * 3);
    if (n) normal!.set(n.subarray(at, at + 3), e * 3);
  });
  return { names, offsets, targets, position, normal };
}

async function decode(
  bytes: Uint8Array,
  options: ReadGltfOptions,
  limits: Limits,
): Promise<{ doc: Document; json: Json; original: Json }> {
  const { json, original, buffers } = guardGltf(
    bytes,
    options.resources ?? {},
    limits,
    options.decoders ?? {},
  );
  const resources = Object.fromEntries(
    buffers.map((b, i) => [`buffer${i}`, b.slice()]),
  );
  try {
    const io = new WebIO().setLogger(new Logger(Verbosity.SILENT))
      .registerExtensions([MsftLod]);
    const doc = await io.readJSON({
      json: json as unknown as GLTF.IGLTF,
      resources,
    });
    return { doc, json, original };
  } catch (cause) {
    throw meshError(
      "GLTF-STRUCTURE",
      `Run the file through the Khronos validator: it can not be read (${
        cause instanceof Error ? cause.message : cause
      })`,
      { format: "gltf", cause },
    );
  }
}

const MATERIALS_NOTE = "materials keep their names alone";

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null &&
    Object.keys(value).length === 0;
}

/** Keys of an object's extras, without those that are read. */
function foreignExtras(o: Json): number {
  const { extras } = o;
  if (extras === undefined) return 0;
  if (typeof extras !== "object" || extras === null) return 1;
  return Object.keys(extras)
    .filter((k) => k !== "meshwright" && k !== "targetNames").length;
}

/** Notes what the whole file holds beside meshes. */
function noteRest(reader: Reader, json: Json): void {
  const count = (key: string) => objects(json, key).length;
  reader.note(
    "animations",
    count("animations"),
    "the mesh model holds a bind pose",
  );
  reader.note(
    "material settings",
    objects(json, "materials").filter((m) =>
      Object.entries(m).some(([key, value]) =>
        key !== "name" && key !== "extras" && !isEmptyObject(value)
      )
    ).length,
    MATERIALS_NOTE,
  );
  reader.note("images", count("images"), MATERIALS_NOTE);
  reader.note("cameras", count("cameras"), "the mesh model holds geometry");
  reader.note(
    "scenes",
    Math.max(0, count("scenes") - 1),
    "one scene is read",
  );
  const used = Array.isArray(json.extensionsUsed) ? json.extensionsUsed : [];
  for (const name of new Set(used.map(String))) {
    if (READ_EXTENSIONS.includes(name)) continue;
    reader.note("extensions", 1, `${name} is not read`);
  }
  const lists = ["scenes", "nodes", "meshes", "materials", "accessors"];
  const holders = [json, ...lists.flatMap((key) => objects(json, key))];
  reader.note(
    "extras",
    holders.reduce((n, o) => n + foreignExtras(o), 0),
    "they mean something to their writer alone",
  );
  reader.note(
    "default morph weights",
    [...objects(json, "meshes"), ...objects(json, "nodes")].filter((o) =>
      Array.isArray(o.weights) && o.weights.some((w) => w !== 0)
    ).length,
    "the mesh model holds targets at rest",
  );
}

/** Notes the attributes that no stream takes. */
function noteAttributes(reader: Reader, json: Json): void {
  const primitives = objects(json, "meshes")
    .flatMap((mesh) => (mesh.primitives ?? []) as Json[]);
  for (const { attributes } of primitives) {
    for (const name of Object.keys(attributes as Json)) {
      if (READ_ATTRIBUTE.test(name)) continue;
      reader.note(name, 1, "the mesh model has no such attribute");
    }
  }
}

/** A node and the lower levels of detail that stand in for it. */
function levelNodes(node: Node): Node[] {
  const lower = node.getExtension<Levels>(MsftLod.EXTENSION_NAME);
  return [node, ...(lower?.listLevels() ?? [])];
}

/** Reads every level of detail; a node with fewer levels keeps its last one where others get coarser. */
function readLevels(reader: Reader, holders: readonly Node[]): Level[] {
  const chains = holders.map(levelNodes);
  const count = chains.reduce((n, c) => Math.max(n, c.length), 1);
  checkLimit("maxLods", count, reader.limits.maxLods, "gltf");
  checkLimit(
    "nodes of all levels of detail",
    count * chains.length,
    MAX_LEVEL_NODES,
    "gltf",
  );
  return Array.from({ length: count }, (_, i) => {
    const level: Level = { indices: [], groups: [], size: 0 };
    for (const chain of chains) {
      readNode(reader, chain[Math.min(i, chain.length - 1)], chain[0], level);
    }
    return level;
  });
}

/** Notes what happens to the node tree. */
function noteNodes(
  reader: Reader,
  meshes: readonly unknown[],
  holders: readonly Node[],
): void {
  const shown = new Set(
    holders.flatMap(levelNodes).map((n) => n.getMesh()).filter((m) => m),
  );
  reader.note(
    "meshes",
    meshes.length - shown.size,
    "the scene does not show them",
  );
  const nodes = holders.filter((n) => n.getMesh());
  if (nodes.length > 1) {
    reader.note("nodes", nodes.length, "their meshes are merged into one");
  }
  reader.note(
    "node transforms",
    nodes.filter((n) => !n.getSkin() && reader.transform(n)).length,
    "they are applied to the vertices",
  );
}

/**
 * Reads a GLB or glTF file as one mesh in glTF's axes.
 *
 * @param bytes The file; other files that it points to go into `options.resources`.
 * @throws {MeshError} GLTF-HEADER, GLTF-VERSION, GLTF-JSON, GLTF-STRUCTURE, GLTF-INDEX-RANGE, GLTF-UNSUPPORTED,
 * GLTF-EXTERNAL, LIMIT-EXCEEDED.
 *
 * @example
 * ```ts
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { readGltf, writeGlb } from "@meshwright/kit/gltf";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/terrain.payload")));
 * const { mesh: again } = await readGltf(await writeGlb(mesh));
 * console.log(again.vertexCount === mesh.vertexCount); // true
 * ```
 */
export async function readGltf(
  bytes: Uint8Array,
  options: ReadGltfOptions = {},
): Promise<GltfRead> {
  const limits = withLimits(options.limits);
  const { doc, json, original } = await decode(bytes, options, limits);
  const reader = new Reader(doc, json, limits);
  const root = doc.getRoot();
  const chosen = root.getDefaultScene() ?? root.listScenes()[0] ?? null;
  const found: Node[] = [];
  chosen?.traverse((node) => void found.push(node));
  const holders = found.filter((n) =>
    n.getMesh() || n.getExtension(MsftLod.EXTENSION_NAME) ||
    "meshwright" in n.getExtras()
  );
  const levels = readLevels(reader, holders);
  reader.sortMaterials(root.listMaterials(), levels);
  let distances: (number | null)[] = [];
  let heightfield: Mesh["heightfield"] = null;
  let emptySkeleton = false;
  for (const node of holders) {
    const extras = node.getExtras() as Json;
    if (distances.length === 0) distances = readSwitchDistances(extras);
    heightfield ??= readHeightfield(extras);
    emptySkeleton ||= readEmptySkeleton(extras);
  }
  noteRest(reader, original);
  noteNodes(reader, root.listMeshes(), holders);
  noteAttributes(reader, original);

  const attributes = readAttributes(reader);
  const skins = [
    ...new Set(reader.blocks.map((b) => b.skin).filter((s) => s !== null)),
  ];
  const skeleton = skins.length === 0 ? null : readSkeleton(reader, skins);
  const influences = skeleton
    ? readInfluences(reader, "", (b, slot) => {
      const joint = b.skin && reader.joints(b.skin)[slot];
      return joint ? skeleton.index.get(joint)! : null;
    })
    : readInfluences(
      reader,
      "_",
      (_, slot) => Number.isInteger(slot) && slot <= 0xffff ? slot : null,
    );
  if (influences) {
    attributes.joints = influences.joints;
    attributes.weights = influences.weights;
  }
  const faceless = !reader.hasFaces && levels.length === 1;
  const mesh: Mesh = {
    name: holders[0]?.getName() ?? "",
    basis: "gltf",
    vertexCount: reader.vertexCount,
    attributes,
    influences: influences?.influences ?? 0,
    lods: levels.map((level, i): MeshLod => ({
      indices: faceless ? null : joined(level),
      groups: reader.materials.length > 1 || reader.materials[0]
        ? level.groups
        : [],
      switchDistance: i === 0 ? null : distances[i - 1] ?? null,
    })),
    materials: reader.materials.length > 1 || reader.materials[0]
      ? reader.materials
      : [],
    morphs: readMorphs(reader),
    skeleton: skeleton?.joints ?? (emptySkeleton ? [] : null),
    heightfield,
  };
  return { mesh: bake(reader, mesh), notes: reader.notes };
}

/** Applies node transforms to the blocks that need one; the triangles were turned when they were read. */
function bake(reader: Reader, mesh: Mesh): Mesh {
  for (const { matrix, first, count } of reader.blocks) {
    if (!matrix) continue;
    const a = mesh.attributes;
    const cut = (values: Float32Array, width: number) =>
      values.subarray(first * width, (first + count) * width);
    const part: MeshAttributes = { position: cut(a.position, 3), uvs: [] };
    if (a.normal) part.normal = cut(a.normal, 3);
    if (a.tangent) part.tangent = cut(a.tangent, 4);
    const morphs = mesh.morphs;
    const entry = morphs?.offsets[first] ?? 0;
    const end = morphs?.offsets[first + count] ?? 0;
    const { mesh: turned, repairedNormals } = transformMesh({
      ...mesh,
      vertexCount: count,
      attributes: part,
      lods: [],
      skeleton: null,
      morphs: morphs && {
        ...morphs,
        offsets: morphs.offsets.slice(first, first + count + 1)
          .map((o) => o - entry),
        targets: morphs.targets.subarray(entry, end),
        position: morphs.position.subarray(entry * 3, end * 3),
        normal: morphs.normal?.subarray(entry * 3, end * 3) ?? null,
      },
    }, matrix);
    a.position.set(turned.attributes.position, first * 3);
    if (a.normal) a.normal.set(turned.attributes.normal!, first * 3);
    if (a.tangent) a.tangent.set(turned.attributes.tangent!, first * 4);
    if (morphs) {
      morphs.position.set(turned.morphs!.position, entry * 3);
      if (morphs.normal) {
        morphs.normal.set(turned.morphs!.normal!, entry * 3);
      }
    }
    reader.note(
      "normals without direction",
      repairedNormals,
      "a node's transform leaves them none; they became +Z",
    );
  }
  return mesh;
}
