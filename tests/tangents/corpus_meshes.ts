/**
 * The triangles of the corpus that tangents can be made from.
 *
 * @module
 */
import type { TangentMesh } from "../../bench/tangent_meshes.ts";
import { MeshError } from "../../src/core/errors.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import { readGltf } from "../../src/formats/gltf/read.ts";
import { sourceModelToMesh } from "../../src/formats/mdl/mod.ts";
import { payloadToMesh, readPayload } from "../../src/formats/payload/mod.ts";
import { rebuildNormals } from "../../src/ops/rebuild_normals.ts";
import { corpusBytes, corpusFiles } from "../corpus.ts";
import { gltfFiles, jsonOf, resourcesOf } from "../gltf/corpus_files.ts";
import { mdlFiles, readCorpusModel } from "../mdl/corpus_models.ts";

/** A mesh and where it comes from. */
export type Found = [where: string, mesh: TangentMesh];

/**
 * The levels of a mesh that have triangles. Normals that are missing are made, and texture coordinates taken from x and y:
 * the generators need both, and shapes are shapes.
 */
function* levelsOf(where: string, mesh: Mesh): Generator<Found> {
  const { position, normal, uvs } =
    (mesh.attributes.normal ? mesh : rebuildNormals(mesh)).attributes;
  const planar = () =>
    Float32Array.from(
      { length: mesh.vertexCount * 2 },
      (_, i) => position[(i >> 1) * 3 + i % 2],
    );
  const uv = uvs[0] ?? planar();
  for (const [level, { indices }] of mesh.lods.entries()) {
    if (!indices || indices.length === 0 || indices.length % 3 !== 0) continue;
    if (indices.some((v) => v >= mesh.vertexCount)) continue;
    const found = { position, normal, uv, indices } as TangentMesh;
    yield [`${where}, LOD ${level}`, found];
  }
}

/** What a file holds; nothing where it can not be read, which is what the readers' tests are about. */
async function* readable(
  where: string,
  read: () => Mesh | Promise<Mesh>,
): AsyncGenerator<Found> {
  let mesh: Mesh;
  try {
    mesh = await read();
  } catch (error) {
    if (error instanceof MeshError) return;
    throw error;
  }
  yield* levelsOf(where, mesh);
}

/** Every glTF file up to a size. */
export async function* gltfMeshes(maxBytes = Infinity): AsyncGenerator<Found> {
  for (const path of gltfFiles()) {
    const bytes = corpusBytes(path);
    if (bytes.length > maxBytes) continue;
    const resources = resourcesOf(path, jsonOf(bytes));
    yield* readable(
      path,
      async () => (await readGltf(bytes, { resources })).mesh,
    );
  }
}

/** Every payload. */
export async function* payloadMeshes(): AsyncGenerator<Found> {
  for (const path of corpusFiles("payload", ".bin")) {
    yield* readable(path, () => payloadToMesh(readPayload(corpusBytes(path))));
  }
}

/** Every Source model, all models of its body parts together. */
export async function* sourceMeshes(): AsyncGenerator<Found> {
  for (const path of mdlFiles) {
    yield* readable(
      path,
      () => sourceModelToMesh(readCorpusModel(path), { alternatives: true }),
    );
  }
}
