/**
 * Makes a mesh from some of another's vertices, in any order: every stream and every morph target goes along.
 *
 * @module
 */
import { bitsOf } from "../core/bytes.ts";
import type { Mesh, MeshAttributes, SparseMorphs } from "../core/mesh.ts";

function pickWords<T extends Uint32Array | Uint16Array>(
  from: T,
  to: T,
  width: number,
  order: Uint32Array,
): T {
  for (let v = 0, at = 0; v < order.length; v++) {
    const first = order[v] * width;
    for (let k = 0; k < width; k++) to[at++] = from[first + k];
  }
  return to;
}

function pickFloats(
  from: Float32Array,
  width: number,
  order: Uint32Array,
): Float32Array {
  const words = pickWords<Uint32Array>(
    bitsOf(from),
    new Uint32Array(order.length * width),
    width,
    order,
  );
  return new Float32Array(words.buffer as ArrayBuffer);
}

function pickMorphs(morphs: SparseMorphs, order: Uint32Array): SparseMorphs {
  const offsets = new Uint32Array(order.length + 1);
  order.forEach((v, i) => {
    offsets[i + 1] = offsets[i] + morphs.offsets[v + 1] - morphs.offsets[v];
  });
  const entries = new Uint32Array(offsets[order.length]);
  let at = 0;
  for (const v of order) {
    for (let e = morphs.offsets[v]; e < morphs.offsets[v + 1]; e++) {
      entries[at++] = e;
    }
  }
  return {
    names: [...morphs.names],
    offsets,
    targets: entries.map((e) => morphs.targets[e]),
    position: pickFloats(morphs.position, 3, entries),
    normal: morphs.normal ? pickFloats(morphs.normal, 3, entries) : null,
  };
}

/**
 * The mesh whose vertex i is vertex `order[i]` of `mesh`. Indices are not touched: the caller knows what they become.
 *
 * @param mesh Any mesh.
 * @param order Vertices of `mesh`; some may be left out or repeat.
 *
 * @example
 * ```ts
 * import { payloadToMesh, readPayload } from "@meshwright/kit/payload";
 * import { remapVertices } from "@meshwright/kit/ops";
 *
 * const mesh = payloadToMesh(readPayload(Deno.readFileSync("samples/terrain.payload")));
 * const first = remapVertices(mesh, Uint32Array.of(0, 1, 2));
 * console.log(first.vertexCount); // 3
 * ```
 */
export function remapVertices(mesh: Mesh, order: Uint32Array): Mesh {
  const a = mesh.attributes;
  const attributes: MeshAttributes = {
    position: pickFloats(a.position, 3, order),
    uvs: a.uvs.map((uv) => pickFloats(uv, 2, order)),
  };
  if (a.normal) attributes.normal = pickFloats(a.normal, 3, order);
  if (a.tangent) attributes.tangent = pickFloats(a.tangent, 4, order);
  if (a.color) attributes.color = pickFloats(a.color, 4, order);
  if (a.joints) {
    attributes.joints = pickWords<Uint16Array>(
      a.joints,
      new Uint16Array(order.length * mesh.influences),
      mesh.influences,
      order,
    );
  }
  if (a.weights) {
    attributes.weights = pickFloats(a.weights, mesh.influences, order);
  }
  return {
    ...mesh,
    vertexCount: order.length,
    attributes,
    morphs: mesh.morphs ? pickMorphs(mesh.morphs, order) : null,
  };
}
