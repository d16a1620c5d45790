/**
 * Takes out of a checked glTF what the mesh reader needs.
 *
 * @module
 */
import { isObject, type Json, objects, objectsAt } from "./json.ts";

/** Attributes that this reader takes; the library is shown no others. */
export const READ_ATTRIBUTE: RegExp =
  /^(POSITION|NORMAL|TANGENT|COLOR_0|TEXCOORD_\d+|_?(JOINTS|WEIGHTS)_\d+)$/;
/** The JSON without what the reader does not look at, and so without what the library could stumble over there. */
export function slim(json: Json): Json {
  const keep = (o: Json, keys: readonly string[]): Json =>
    Object.fromEntries(
      keys.filter((k) => o[k] !== undefined).map((k) => [k, o[k]]),
    );
  const lod = (o: Json): Json => {
    const extensions = o.extensions;
    return isObject(extensions) && extensions.MSFT_lod !== undefined
      ? { extensions: { MSFT_lod: extensions.MSFT_lod } }
      : {};
  };
  const usesLod = objects(json, "nodes").some((n) =>
    Object.keys(lod(n)).length > 0
  );
  const extras = (o: Json): Json =>
    isObject(o.extras) ? { extras: o.extras } : {};
  const name = (o: Json): Json =>
    typeof o.name === "string" ? { name: o.name } : {};
  // a file without a scene is a stock of nodes or meshes: all of them are read
  const nodes = json.scenes === undefined && json.nodes === undefined
    ? objects(json, "meshes").map((_, mesh): Json => ({ mesh }))
    : objects(json, "nodes");
  const children = new Set(nodes.flatMap((n) => n.children ?? []));
  const scenes = objects(json, "scenes").length > 0
    ? objects(json, "scenes")
    : [{ nodes: nodes.map((_, n) => n).filter((n) => !children.has(n)) }];
  const known = (attributes: Json): Json =>
    keep(
      attributes,
      Object.keys(attributes).filter((k) => READ_ATTRIBUTE.test(k)),
    );
  const accessors = objects(json, "accessors").map((a) =>
    keep(a, [
      "bufferView",
      "byteOffset",
      "componentType",
      "normalized",
      "count",
      "type",
      "sparse",
    ])
  );
  return {
    asset: { version: "2.0" },
    ...keep(json, ["scene"]),
    ...(usesLod ? { extensionsUsed: ["MSFT_lod"] } : {}),
    scenes: scenes.map((s) => ({
      ...name(s),
      ...keep(s, ["nodes"]),
    })),
    nodes: nodes.map((n) => ({
      ...name(n),
      ...extras(n),
      ...lod(n),
      ...keep(n, [
        "mesh",
        "skin",
        "children",
        "translation",
        "rotation",
        "scale",
        "matrix",
      ]),
    })),
    meshes: objects(json, "meshes").map((m) => ({
      ...name(m),
      ...extras(m),
      primitives: objectsAt(m, "primitives", "").map((p) => ({
        attributes: known(p.attributes as Json),
        targets: objectsAt(p, "targets", "").map(known),
        ...keep(p, ["indices", "material", "mode"]),
      })),
    })),
    skins: objects(json, "skins").map((s) => ({
      ...name(s),
      joints: s.joints ?? [],
      ...keep(s, ["skeleton", "inverseBindMatrices"]),
    })),
    materials: objects(json, "materials").map((m) => ({ ...name(m) })),
    buffers: objects(json, "buffers").map((b, i) => ({
      byteLength: b.byteLength,
      uri: `buffer${i}`,
    })),
    bufferViews: objects(json, "bufferViews").map((v) =>
      keep(v, ["buffer", "byteOffset", "byteLength", "byteStride"])
    ),
    accessors,
  };
}
