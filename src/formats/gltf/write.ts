/**
 * Writes glTF 2.0 through glTF-Transform.
 *
 * | mesh model            | glTF                                                                                   |
 * | --------------------- | -------------------------------------------------------------------------------------- |
 * | vertices, all LODs    | one set of accessors that every level's primitives share                               |
 * | material groups       | one primitive each                                                                     |
 * | LOD 1 and on          | nodes behind `MSFT_lod`; switch distances in the node's extras                         |
 * | no faces              | POINTS                                                                                 |
 * | skeleton              | skin with inverse binds computed from the bind pose, joints below one armature node    |
 * | influences, no joints | `_JOINTS_n`, `_WEIGHTS_n`: a skin needs a skeleton                                     |
 * | morph targets         | targets, sparse where that is smaller; names in `extras.targetNames` of the mesh       |
 * | heightfield           | extras of the node                                                                     |
 * | parts                 | one node a group with the choice that is shown; the others in a second scene           |
 * | variants              | `KHR_materials_variants`                                                               |
 *
 * @module
 */
import {
  type Accessor,
  type Buffer,
  Document,
  Format,
  Logger,
  type Material,
  type Mesh as GltfMesh,
  type Node,
  type Primitive,
  type PrimitiveTarget,
  type Skin,
  Verbosity,
  VertexLayout,
  WebIO,
} from "@gltf-transform/core";
import { ByteWriter } from "../../core/bytes.ts";
import { meshError } from "../../core/errors.ts";
import {
  checkLimit,
  GLTF_MAX_NODE_DEPTH,
  GLTF_MAX_U16_INDEX,
  type Limits,
  withLimits,
} from "../../core/limits.ts";
import { composeTrs, multiply } from "../../core/matrix.ts";
import type {
  Mesh,
  MeshJoint,
  MeshLod,
  MeshPart,
  SparseMorphs,
} from "../../core/mesh.ts";
import { Parts, wholeOf } from "../../core/pieces.ts";
import { firstNotBelow, firstNotFinite } from "../../core/scan.ts";
import { MaterialsVariants } from "./materials_variants.ts";
import { inverseBindOf } from "./inverse_bind.ts";
import { type Levels, MsftLod } from "./msft_lod.ts";
import { type NodeExtras, wrapExtras } from "./extras.ts";

/** Options of {@linkcode writeGlb}. */
export interface WriteGltfOptions {
  /** Limits on the output. */
  limits?: Partial<Limits>;
  /** What `asset.generator` says; the product and its version unless given. */
  generator?: string;
}

/** Slots of one JOINTS_n or WEIGHTS_n attribute. */
const SLOTS = 4;

function refuse(path: string, message: string, found?: unknown): never {
  throw meshError("ARGUMENT", message, { format: "gltf", path, found });
}

/** Refuses a skeleton whose node tree no reader here would take; the armature stands above its roots. */
function checkDepth(joints: readonly MeshJoint[]): void {
  const depth: number[] = [];
  joints.forEach(({ parent }, i) => {
    depth[i] = parent < 0 ? 1 : depth[parent] + 1;
    checkLimit("joint depth", depth[i], GLTF_MAX_NODE_DEPTH, "gltf");
  });
}

/** Refuses what glTF can not hold: `convertMesh` and the operations repair it first, and report that. */
function check(mesh: Mesh): void {
  if (mesh.basis !== "gltf" && mesh.basis !== "payload") {
    refuse(
      "basis",
      `Move the mesh to glTF's axes first (convertBasis): it is in ${mesh.basis}'s`,
      mesh.basis,
    );
  }
  const a = mesh.attributes;
  const streams: [string, Float32Array | undefined][] = [
    ["position", a.position],
    ["normal", a.normal],
    ["tangent", a.tangent],
    ["color", a.color],
    ["weights", a.weights],
    ["morphs/position", mesh.morphs?.position],
    ["morphs/normal", mesh.morphs?.normal ?? undefined],
    ["heightfield", mesh.heightfield?.heights],
    ...(mesh.skeleton ?? []).map((j, i): [string, Float32Array] => [
      `skeleton/${i}`,
      Float32Array.of(
        ...j.translation,
        ...j.rotation,
        ...j.scale,
        ...j.inverseBind ?? [],
      ),
    ]),
    ...a.uvs.map((uv, i) => [`uv${i}`, uv] as [string, Float32Array]),
  ];
  for (const [name, values] of streams) {
    const bad = values ? firstNotFinite(values) : -1;
    if (bad >= 0) {
      refuse(
        `${name}/${bad}`,
        `Repair the mesh first (repairVectors): ${name} holds ${values![bad]}`,
        String(values![bad]),
      );
    }
  }
  mesh.lods.forEach((lod, level) => {
    if (!lod.indices) return;
    if (lod.indices.length % 3 !== 0) {
      refuse(
        `lods/${level}/indices`,
        `Drop leftover indices first (cleanTriangles): LOD ${level} has ${lod.indices.length}`,
        lod.indices.length,
      );
    }
    const bad = firstNotBelow(lod.indices, mesh.vertexCount);
    if (bad >= 0) {
      refuse(
        `lods/${level}/indices/${bad}`,
        `Drop triangles out of range first (cleanTriangles): LOD ${level} names vertex ${
          lod.indices[bad]
        } of ${mesh.vertexCount}`,
        lod.indices[bad],
      );
    }
  });
  checkDepth(mesh.skeleton ?? []);
}

class GltfBuilder {
  readonly doc: Document;
  #buffer: Buffer | undefined;
  readonly #materials = new Map<number, Material>();
  /** Materials that only variants use, by name. */
  readonly #others = new Map<string, Material>();
  #variants: MaterialsVariants | undefined;
  readonly #attributes: [string, Accessor][] = [];
  readonly #targets: { name: string; attributes: [string, Accessor][] }[] = [];

  constructor(readonly mesh: Mesh, generator: string) {
    this.doc = new Document().setLogger(new Logger(Verbosity.SILENT));
    this.doc.getRoot().getAsset().generator = generator;
    if (mesh.vertexCount > 0) {
      this.#buildAttributes();
      if (mesh.morphs) this.#buildTargets(mesh.morphs);
      this.#buildMaterials();
    }
  }

  /** Materials in the mesh's order, however the levels come to use them. */
  #buildMaterials(): void {
    const used = new Set(
      this.mesh.lods.flatMap((lod) =>
        lod.groups.length > 0 ? lod.groups.map((g) => g.material) : [0]
      ),
    );
    this.mesh.materials.forEach((_, m) => used.has(m) && this.#material(m));
  }

  #accessor(
    type: "SCALAR" | "VEC2" | "VEC3" | "VEC4" | "MAT4",
    array: Float32Array | Uint32Array | Uint16Array | Uint8Array,
  ): Accessor {
    // made on first use: a buffer without bytes is not allowed
    this.#buffer ??= this.doc.createBuffer();
    return this.doc.createAccessor().setType(type).setBuffer(this.#buffer)
      .setArray(array as Float32Array<ArrayBuffer>);
  }

  #buildAttributes(): void {
    const { attributes: a, skeleton, influences, vertexCount } = this.mesh;
    const add = (name: string, accessor: Accessor) =>
      void this.#attributes.push([name, accessor]);
    add("POSITION", this.#accessor("VEC3", a.position));
    if (a.normal) add("NORMAL", this.#accessor("VEC3", a.normal));
    if (a.tangent) add("TANGENT", this.#accessor("VEC4", a.tangent));
    if (a.color) {
      const opaque = a.color.every((x, i) => i % 4 !== 3 || x === 1);
      add(
        "COLOR_0",
        opaque
          ? this.#accessor("VEC3", a.color.filter((_, i) => i % 4 !== 3))
          : this.#accessor("VEC4", a.color),
      );
    }
    a.uvs.forEach((uv, i) => add(`TEXCOORD_${i}`, this.#accessor("VEC2", uv)));
    if (!a.joints || !a.weights || influences === 0) return;
    const prefix = skeleton && skeleton.length > 0 ? "" : "_";
    const Narrow = a.joints.every((j) => j < 256) ? Uint8Array : Uint16Array;
    for (let first = 0; first < influences; first += SLOTS) {
      const joints = new Narrow(vertexCount * SLOTS);
      const weights = new Float32Array(vertexCount * SLOTS);
      const width = Math.min(SLOTS, influences - first);
      for (let v = 0; v < vertexCount; v++) {
        for (let k = 0; k < width; k++) {
          joints[v * SLOTS + k] = a.joints[v * influences + first + k];
          weights[v * SLOTS + k] = a.weights[v * influences + first + k];
        }
      }
      const set = first / SLOTS;
      add(`${prefix}JOINTS_${set}`, this.#accessor("VEC4", joints));
      add(`${prefix}WEIGHTS_${set}`, this.#accessor("VEC4", weights));
    }
  }

  /** One stream of one target: dense, or sparse where 12 bytes and an index an entry take less than 12 a vertex. */
  #targetStream(
    owners: Uint32Array,
    entries: Uint32Array,
    values: Float32Array,
  ): Accessor {
    const dense = new Float32Array(this.mesh.vertexCount * 3);
    let moved = 0;
    entries.forEach((e, i) => {
      const v = owners[i];
      dense.set(values.subarray(e * 3, e * 3 + 3), v * 3);
      if (dense[v * 3] || dense[v * 3 + 1] || dense[v * 3 + 2]) moved++;
    });
    const indexBytes = this.mesh.vertexCount <= 255
      ? 1
      : this.mesh.vertexCount <= 65_535
      ? 2
      : 4;
    // about 160 bytes of JSON describe the sparse parts
    const sparseBytes = moved * (12 + indexBytes) + 160;
    return this.#accessor("VEC3", dense)
      .setSparse(sparseBytes < dense.byteLength);
  }

  #buildTargets(morphs: SparseMorphs): void {
    // entries sorted by target, each with the vertex that owns it: one pass, however many targets there are
    const count = morphs.targets.length;
    const starts = new Uint32Array(morphs.names.length + 1);
    for (const t of morphs.targets) starts[t + 1]++;
    for (let t = 0; t < morphs.names.length; t++) starts[t + 1] += starts[t];
    const next = starts.slice();
    const entries = new Uint32Array(count);
    const owners = new Uint32Array(count);
    for (let v = 0; v < this.mesh.vertexCount; v++) {
      for (let e = morphs.offsets[v]; e < morphs.offsets[v + 1]; e++) {
        const to = next[morphs.targets[e]]++;
        entries[to] = e;
        owners[to] = v;
      }
    }
    morphs.names.forEach((name, t) => {
      const own = owners.subarray(starts[t], starts[t + 1]);
      const list = entries.subarray(starts[t], starts[t + 1]);
      const attributes: [string, Accessor][] = [
        ["POSITION", this.#targetStream(own, list, morphs.position)],
      ];
      if (morphs.normal && this.mesh.attributes.normal) {
        attributes.push([
          "NORMAL",
          this.#targetStream(own, list, morphs.normal),
        ]);
      }
      this.#targets.push({ name, attributes });
    });
  }

  #material(m: number): Material {
    const known = this.#materials.get(m);
    if (known) return known;
    const material = this.doc.createMaterial(this.mesh.materials[m] ?? "");
    this.#materials.set(m, material);
    return material;
  }

  /** The material of a name, wherever the mesh uses it; a new one where it does not. */
  #named(name: string): Material {
    const slot = this.mesh.materials.indexOf(name);
    if (slot >= 0) return this.#material(slot);
    const known = this.#others.get(name);
    if (known) return known;
    const material = this.doc.createMaterial(name);
    this.#others.set(name, material);
    return material;
  }

  /** Which variants put which material in place of slot `m`. */
  #addVariants(to: Primitive, m: number): void {
    const { variants } = this.mesh;
    if (!variants || variants.length < 2) return;
    const users = new Map<Material, number[]>();
    variants.forEach((variant, i) => {
      const name = variant.materials[m];
      const material = name === this.mesh.materials[m]
        ? this.#material(m)
        : this.#named(name);
      users.set(material, [...users.get(material) ?? [], i]);
    });
    if (!this.#variants) {
      this.#variants = this.doc.createExtension(MaterialsVariants);
      this.#variants.names = variants.map((v) => v.name);
    }
    const mappings = this.#variants.createMappings();
    for (const [material, list] of users) mappings.addMapping(material, list);
    to.setExtension(MaterialsVariants.EXTENSION_NAME, mappings);
  }

  #target(name: string, attributes: [string, Accessor][]): PrimitiveTarget {
    const target = this.doc.createPrimitiveTarget(name);
    for (const [semantic, accessor] of attributes) {
      target.setAttribute(semantic, accessor);
    }
    return target;
  }

  /** The glTF mesh of one level, or of one part of it; null when there is nothing to draw. */
  levelMesh(lod: MeshLod, name: string, part?: number): GltfMesh | null {
    const { vertexCount, materials, morphs } = this.mesh;
    if (vertexCount === 0) return null;
    const out = this.doc.createMesh(name);
    const primitive = (indices: Uint32Array | null, material: number) => {
      const p = this.doc.createPrimitive();
      if (indices === null) p.setMode(0); // POINTS
      else {
        const narrow = firstNotBelow(indices, GLTF_MAX_U16_INDEX + 1) < 0;
        p.setIndices(
          this.#accessor(
            "SCALAR",
            narrow ? Uint16Array.from(indices) : indices,
          ),
        );
      }
      if (materials.length > 0) {
        p.setMaterial(this.#material(material));
        this.#addVariants(p, material);
      }
      for (const [semantic, a] of this.#attributes) p.setAttribute(semantic, a);
      for (const t of this.#targets) {
        p.addTarget(this.#target(t.name, t.attributes));
      }
      out.addPrimitive(p);
    };
    if (part !== undefined) {
      for (const g of lod.indices ? lod.groups : []) {
        if (g.count > 0 && g.part === part) {
          primitive(
            lod.indices!.slice(g.start, g.start + g.count),
            g.material,
          );
        }
      }
    } else if (lod.indices === null) primitive(null, 0);
    else if (!lod.groups.some((g) => g.count > 0)) {
      if (lod.indices.length > 0) primitive(lod.indices, 0);
      // vertices that no face uses are kept as points, but for a lower level they would repeat
      else if (lod === this.mesh.lods[0]) primitive(null, 0);
    } else {
      for (const g of lod.groups) {
        if (g.count > 0) {
          primitive(
            lod.indices.slice(g.start, g.start + g.count),
            g.material,
          );
        }
      }
    }
    if (out.listPrimitives().length === 0) {
      out.dispose();
      return null;
    }
    if (morphs && morphs.names.length > 0) {
      out.setExtras({ targetNames: [...morphs.names] });
      out.setWeights(morphs.names.map(() => 0));
    }
    return out;
  }

  /** Joint nodes below an armature node, and the skin over them. */
  skin(joints: readonly MeshJoint[]): { skin: Skin; armature: Node } {
    const armature = this.doc.createNode("armature");
    const skin = this.doc.createSkin("skin");
    const nodes: Node[] = [];
    const world: number[][] = [];
    const inverse = new Float32Array(joints.length * 16);
    joints.forEach((joint, i) => {
      const node = this.doc.createNode(joint.name)
        .setTranslation(joint.translation)
        .setRotation(joint.rotation)
        .setScale(joint.scale);
      if (joint.rotationDeg) {
        node.setExtras(wrapExtras({ rotationDeg: joint.rotationDeg }));
      }
      (joint.parent < 0 ? armature : nodes[joint.parent]).addChild(node);
      nodes.push(node);
      skin.addJoint(node);
      const local = composeTrs(
        joint.translation,
        joint.rotation,
        joint.scale,
      );
      world.push(
        joint.parent < 0 ? local : multiply(world[joint.parent], local),
      );
      inverse.set(joint.inverseBind ?? inverseBindOf(world[i]), i * 16);
    });
    skin.setInverseBindMatrices(this.#accessor("MAT4", inverse))
      .setSkeleton(armature);
    return { skin, armature };
  }
}

function nodeExtras(mesh: Mesh): NodeExtras {
  const extras: NodeExtras = {};
  if (mesh.lods.length > 1) {
    extras.switchDistances = mesh.lods.slice(1).map((lod) =>
      Number.isFinite(lod.switchDistance) ? lod.switchDistance : null
    );
  }
  if (mesh.skeleton?.length === 0) extras.emptySkeleton = true;
  if (mesh.extras?.source) extras.source = mesh.extras.source;
  if (mesh.heightfield) {
    const { rows, cols, heights } = mesh.heightfield;
    extras.heightfield = { rows, cols, heights: Array.from(heights) };
  }
  return extras;
}

/** The only shown choice of a group goes by the group's name, another one also by its own. */
function partLabel(part: MeshPart, parts: readonly MeshPart[]): string {
  const group = part.group || `part${part.groupIndex}`;
  const alone = part.shown &&
    parts.every((p) =>
      p === part || !p.shown || p.groupIndex !== part.groupIndex
    );
  return alone ? group : `${group}: ${part.name || part.choice}`;
}

function partExtras(
  part: MeshPart,
  extras: { [K in keyof NodeExtras]: NodeExtras[K] | undefined },
): NodeExtras {
  const { group, groupIndex, name, choice, shown } = part;
  const bodyGroup = { group, groupIndex, name, choice, shown };
  const rest = Object.entries(extras).filter(([, x]) => x !== undefined);
  return { bodyGroup, ...Object.fromEntries(rest) };
}

function build(mesh: Mesh, options: WriteGltfOptions): Document {
  check(mesh);
  checkLimit(
    "maxMorphDeltas",
    (mesh.morphs?.names.length ?? 0) * mesh.vertexCount,
    withLimits(options.limits).maxMorphDeltas,
    "gltf",
  );
  const builder = new GltfBuilder(mesh, options.generator ?? "meshwright");
  const { doc } = builder;
  const scene = doc.createScene();
  doc.getRoot().setDefaultScene(scene);
  const name = mesh.name || "mesh";
  let skin: Skin | null = null;
  let armature: Node | null = null;
  if (mesh.skeleton && mesh.skeleton.length > 0) {
    const built = builder.skin(mesh.skeleton);
    armature = built.armature;
    if (mesh.attributes.joints && mesh.vertexCount > 0) skin = built.skin;
    else built.skin.dispose();
  }
  let extension: MsftLod | undefined;
  /** A node with the levels of the mesh or of one part of it. */
  const nodeOf = (label: string, extras: NodeExtras, part?: number): Node => {
    const node = doc.createNode(label).setExtras(wrapExtras(extras));
    const fill = (to: Node, lod: MeshLod, text: string): void => {
      const level = builder.levelMesh(lod, text, part);
      if (!level) return;
      to.setMesh(level);
      if (skin) to.setSkin(skin);
    };
    fill(node, mesh.lods[0], label);
    if (mesh.lods.length === 1) return node;
    extension ??= doc.createExtension(MsftLod);
    const levels: Levels = extension.createLevels();
    mesh.lods.slice(1).forEach((lod, i) => {
      const text = `${label}_LOD${i + 1}`;
      const to = doc.createNode(text);
      fill(to, lod, text);
      levels.addLevel(to);
    });
    node.setExtension(MsftLod.EXTENSION_NAME, levels);
    return node;
  };
  const extras = nodeExtras(mesh);
  const others: Node[] = [];
  if (!mesh.parts || mesh.parts.length === 0) {
    scene.addChild(nodeOf(name, extras));
  } else {
    mesh.parts.forEach((part, i, parts) => {
      const own = i === 0
        ? extras
        : { switchDistances: extras.switchDistances };
      const node = nodeOf(partLabel(part, parts), partExtras(part, own), i);
      if (part.shown) scene.addChild(node);
      else others.push(node);
    });
  }
  if (armature) scene.addChild(armature);
  if (others.length > 0) {
    const alternatives = doc.createScene("alternatives");
    for (const node of others) alternatives.addChild(node);
    // joints must be in every scene that shows what they move
    if (armature) alternatives.addChild(armature);
  }
  return doc;
}

function io(): WebIO {
  return new WebIO().setLogger(new Logger(Verbosity.SILENT))
    .setVertexLayout(VertexLayout.SEPARATE).registerExtensions([
      MsftLod,
      MaterialsVariants,
    ]);
}

/** The pad that brings a length to a whole number of words. */
function padding(length: number, byte: number): Uint8Array {
  return new Uint8Array((4 - length % 4) % 4).fill(byte);
}

/**
 * Writes a mesh as {@linkcode writeGlb} does, without a copy of the buffer: of a large mesh it is most of the file.
 */
export async function writeGlbParts(
  mesh: Mesh,
  options: WriteGltfOptions = {},
): Promise<Parts> {
  const { json, resources } = await io().writeJSON(build(mesh, options), {
    format: Format.GLB,
  });
  const text = new TextEncoder().encode(JSON.stringify(json));
  const chunks: [type: string, ...parts: Uint8Array[]][] = [
    ["JSON", text, padding(text.length, 0x20)],
  ];
  const [buffer] = Object.values(resources);
  if (buffer?.length > 0) {
    chunks.push(["BIN\0", buffer, padding(buffer.length, 0)]);
  }
  const parts = chunks.flatMap(([type, ...content]) => {
    const head = new ByteWriter(8);
    head.u32(new Parts(content).length);
    head.ascii(type);
    return [head.bytes, ...content];
  });
  const head = new ByteWriter(12);
  head.ascii("glTF");
  head.u32(2);
  head.u32(12 + new Parts(parts).length);
  const file = new Parts([head.bytes, ...parts]);
  const { maxOutputBytes } = withLimits(options.limits);
  checkLimit("maxOutputBytes", file.length, maxOutputBytes, "gltf");
  return file;
}

/**
 * Writes a mesh as GLB. The mesh is in glTF's or the payload's axes and free of what glTF can not hold; `convertMesh`
 * brings any mesh into that form and reports what it took.
 *
 * @throws {MeshError} ARGUMENT for such content, LIMIT-EXCEEDED for too large an output or a chain of more than 1,000 joints.
 *
 * @example
 * ```ts
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { writeGlb } from "@meshwright/kit/gltf";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/terrain.payload")));
 * const glb = await writeGlb(mesh);
 * console.log(new TextDecoder().decode(glb.subarray(0, 4))); // glTF
 * ```
 */
export async function writeGlb(
  mesh: Mesh,
  options: WriteGltfOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  return wholeOf(await writeGlbParts(mesh, options));
}

/** Base64 in pieces: one call with all bytes would overflow the stack of arguments. */
function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 8190) {
    binary += String.fromCharCode(...bytes.subarray(i, i + 8190));
  }
  return btoa(binary);
}

/**
 * Writes a mesh as glTF JSON with the buffer embedded, under the same conditions as {@linkcode writeGlb}.
 *
 * @throws {MeshError} ARGUMENT, LIMIT-EXCEEDED.
 */
export async function writeGltf(
  mesh: Mesh,
  options: WriteGltfOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { json, resources } = await io().writeJSON(build(mesh, options), {
    basename: "mesh",
  });
  for (const buffer of json.buffers ?? []) {
    const bytes = buffer.uri === undefined ? undefined : resources[buffer.uri];
    if (bytes) {
      buffer.uri = `data:application/octet-stream;base64,${base64(bytes)}`;
    }
  }
  const text = new TextEncoder().encode(JSON.stringify(json) + "\n");
  const limits = withLimits(options.limits);
  checkLimit("maxOutputBytes", text.length, limits.maxOutputBytes, "gltf");
  return text;
}
