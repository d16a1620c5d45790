/**
 * Names what a glTF holds and the mesh does not.
 *
 * @module
 */
import type { Node } from "@gltf-transform/core";
import { nameOf, READ_EXTENSIONS } from "./extensions.ts";
import { isObject, type Json, objects } from "./json.ts";
import { levelNodes } from "./read_faces.ts";
import type { Reader } from "./reader.ts";
import { READ_ATTRIBUTE } from "./slim.ts";

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

/** Name of the extension for lights. */
const LIGHTS = "KHR_lights_punctual";

/** The object of an extension, if it is there. */
function extensionOf(o: Json, name: string): Json | null {
  const of = isObject(o.extensions) ? o.extensions[name] : undefined;
  return isObject(of) ? of : null;
}

function countLights(json: Json): number {
  const lights = extensionOf(json, LIGHTS)?.lights;
  return Array.isArray(lights) ? lights.length : 0;
}

/** Notes what the whole file holds beside meshes. */
export function noteRest(reader: Reader, json: Json): void {
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
  reader.note("textures", count("textures"), MATERIALS_NOTE);
  reader.note("images", count("images"), MATERIALS_NOTE);
  reader.note("cameras", count("cameras"), "the mesh model holds geometry");
  reader.note("lights", countLights(json), "the mesh model holds geometry");
  reader.note(
    "copyright",
    (json.asset as Json).copyright === undefined ? 0 : 1,
    "the mesh model has no place for it",
  );
  reader.note(
    "scenes",
    Math.max(0, count("scenes") - 1),
    "one scene is read",
  );
  const used = Array.isArray(json.extensionsUsed) ? json.extensionsUsed : [];
  for (const name of new Set(used.map(nameOf))) {
    if (READ_EXTENSIONS.includes(name) || name === LIGHTS) continue;
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

/** Notes the attributes that no stream takes, of vertices and of morph targets. */
export function noteAttributes(reader: Reader, json: Json): void {
  const primitives = objects(json, "meshes")
    .flatMap((mesh) => (mesh.primitives ?? []) as Json[]);
  for (const { attributes, targets } of primitives) {
    for (const name of Object.keys(attributes as Json)) {
      if (READ_ATTRIBUTE.test(name)) continue;
      reader.note(name, 1, "the mesh model has no such attribute");
    }
    for (const name of ((targets ?? []) as Json[]).flatMap(Object.keys)) {
      if (["POSITION", "NORMAL", "TANGENT"].includes(name)) continue;
      reader.note(`morph ${name}`, 1, "the mesh model has none");
    }
  }
}

/**
 * Notes nodes of the scene that stand for nothing that is read: no mesh, camera or light, no joint, and none of these
 * below them. Games hang things on such nodes.
 */
function noteEmptyNodes(
  reader: Reader,
  json: Json,
  scene: readonly Node[],
  holders: readonly Node[],
): void {
  const nodes = objects(json, "nodes");
  if (holders.length === 0) return;
  const used = new Set<Node>(holders);
  for (const node of scene) {
    const def = nodes[reader.numberOf(node)];
    if (!def) continue;
    const shows = def.camera !== undefined || extensionOf(def, LIGHTS);
    if (shows || reader.isJoint(node)) used.add(node);
  }
  for (const node of [...used]) {
    for (
      let n = node.getParentNode();
      n && !used.has(n);
      n = n.getParentNode()
    ) {
      used.add(n);
    }
  }
  reader.note(
    "nodes",
    scene.filter((node) => !used.has(node)).length,
    "they hold no mesh and no joint",
  );
}

/** Notes joint numbers and weights that no skin gives a meaning. */
export function noteBonelessSkin(reader: Reader): void {
  const named = reader.blocks.filter((b) =>
    b.primitive.getAttribute("JOINTS_0")
  );
  reader.note(
    "skin weights",
    named.reduce((n, b) => n + b.count, 0),
    "no skin says which joints they mean",
  );
}

/** Notes what happens to the node tree. */
export function noteNodes(
  reader: Reader,
  json: Json,
  meshes: readonly unknown[],
  scene: readonly Node[],
  holders: readonly Node[],
): void {
  noteEmptyNodes(reader, json, scene, holders);
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
