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
  type Document,
  type GLTF,
  Logger,
  type Node,
  Verbosity,
  WebIO,
} from "@gltf-transform/core";
import { meshError } from "../../core/errors.ts";
import { type Limits, withLimits } from "../../core/limits.ts";
import type { Mesh, MeshAttributes, MeshLod } from "../../core/mesh.ts";
import { transformMesh } from "../../kernels/transform.ts";
import type { GltfDecoders } from "./decoders.ts";
import {
  readEmptySkeleton,
  readHeightfield,
  readSwitchDistances,
} from "./extras.ts";
import { guardGltf } from "./guard.ts";
import type { Json } from "./json.ts";
import { MsftLod } from "./msft_lod.ts";
import { readAttributes } from "./read_attributes.ts";
import { joined, readLevels } from "./read_faces.ts";
import { readMorphs } from "./read_morphs.ts";
import {
  noteAttributes,
  noteBonelessSkin,
  noteNodes,
  noteRest,
} from "./read_notes.ts";
import { readInfluences, readSkeleton } from "./read_skeleton.ts";
import type { GltfNote } from "./note.ts";
import { Reader } from "./reader.ts";

export type { GltfNote };

/** Options of {@linkcode readGltf}. */
export interface ReadGltfOptions {
  /** Limits on size, counts and depth. */
  limits?: Partial<Limits>;
  /** Bytes of the files that the glTF points to, by the URI it uses. */
  resources?: Readonly<Record<string, Uint8Array>>;
  /** Codecs for compressed files; without the one that a file demands it is refused. */
  decoders?: GltfDecoders;
}

/** Result of {@linkcode readGltf}. */
export interface GltfRead {
  /** The mesh, in glTF's axes. */
  mesh: Mesh;
  /** What was left out. */
  notes: GltfNote[];
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
  const reader = new Reader(doc, json, original, limits);
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
  noteNodes(reader, original, root.listMeshes(), found, holders);
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
  if (!skeleton) noteBonelessSkin(reader);
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
