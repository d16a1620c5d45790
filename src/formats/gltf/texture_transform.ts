/**
 * Reads KHR_texture_transform. Quantised texture coordinates mean nothing without it, so it is applied to them.
 *
 * A transform scales, then turns anticlockwise as one sees the image (v grows downwards), then shifts:
 * u' = cos · sx · u + sin · sy · v + ox, v' = −sin · sx · u + cos · sy · v + oy. The extension's own text shows the other
 * direction in its code; this is what viewers draw.
 *
 * @module
 */
import { fail, isObject, type Json, objects } from "./json.ts";

const NAME = "KHR_texture_transform";

/** u' = a · u + b · v + c, v' = d · u + e · v + f. */
export type UvMap = readonly [
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
];

/** What the textures of one material do to texture coordinates. */
export interface MaterialUvs {
  /** Transform by number of the texture coordinate set; sets that stay as they are have none. Null when all do. */
  maps: ReadonlyMap<number, UvMap> | null;
  /** Textures that transform a set in another way than the texture that counts. */
  others: number;
}

const IDENTITY: UvMap = [1, 0, 0, 0, 1, 0];

/** Numbers under a key. */
function numbers(
  o: Json,
  key: string,
  fallback: readonly number[],
  path: string,
): readonly number[] {
  const value = o[key] ?? fallback;
  if (
    !Array.isArray(value) || value.length !== fallback.length ||
    !value.every((x) => Number.isFinite(x))
  ) {
    fail(
      "GLTF-STRUCTURE",
      `${path}/${key}`,
      `Export the file again: ${path}/${key} is not ${fallback.length} finite numbers`,
    );
  }
  return value;
}

function mapOf(transform: Json, path: string): UvMap {
  const [ox, oy] = numbers(transform, "offset", [0, 0], path);
  const [sx, sy] = numbers(transform, "scale", [1, 1], path);
  const [angle] = numbers(
    { rotation: [transform.rotation ?? 0] },
    "rotation",
    [0],
    path,
  );
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [cos * sx, sin * sy, ox, -sin * sx, cos * sy, oy];
}

/** Textures of a material, those that show most first. */
function texturesOf(material: Json): [path: string, info: Json][] {
  const pbr = isObject(material.pbrMetallicRoughness)
    ? material.pbrMetallicRoughness
    : {};
  const inPbr = "pbrMetallicRoughness/";
  const all: [string, unknown][] = [
    [`${inPbr}baseColorTexture`, pbr.baseColorTexture],
    ["normalTexture", material.normalTexture],
    [`${inPbr}metallicRoughnessTexture`, pbr.metallicRoughnessTexture],
    ["occlusionTexture", material.occlusionTexture],
    ["emissiveTexture", material.emissiveTexture],
  ];
  return all.filter((entry): entry is [string, Json] => isObject(entry[1]));
}

/** The number of the set that a texture takes, and what it does to it. */
function useOf(info: Json, path: string): [set: unknown, map: UvMap] {
  const transform = isObject(info.extensions) ? info.extensions[NAME] : null;
  if (!isObject(transform)) return [info.texCoord ?? 0, IDENTITY];
  return [
    transform.texCoord ?? info.texCoord ?? 0,
    mapOf(transform, `${path}/extensions/${NAME}`),
  ];
}

function materialUvs(material: Json, path: string): MaterialUvs {
  const maps = new Map<number, UvMap>();
  let others = 0;
  for (const [name, info] of texturesOf(material)) {
    const [set, map] = useOf(info, `${path}/${name}`);
    if (typeof set !== "number") continue;
    const first = maps.get(set);
    if (!first) maps.set(set, map);
    else if (String(first) !== String(map)) others++;
  }
  for (const [set, map] of maps) {
    if (String(map) === String(IDENTITY)) maps.delete(set);
  }
  return { maps: maps.size > 0 ? maps : null, others };
}

/**
 * What every material does to texture coordinates, by its number. Of the textures that share a set the first counts, base
 * colour before the others. Equal transforms are one object.
 */
export function readMaterialUvs(json: Json): MaterialUvs[] {
  const known = new Map<string, MaterialUvs["maps"]>();
  return objects(json, "materials").map((material, i) => {
    const { maps, others } = materialUvs(material, `/materials/${i}`);
    const key = JSON.stringify([...maps ?? []]);
    if (!known.has(key)) known.set(key, maps);
    return { maps: known.get(key)!, others };
  });
}

/** Transformed coordinates. */
export function mapUvs(uv: Float32Array, map: UvMap): Float32Array {
  const [a, b, c, d, e, f] = map;
  const out = new Float32Array(uv.length);
  for (let i = 0; i < uv.length; i += 2) {
    out[i] = a * uv[i] + b * uv[i + 1] + c;
    out[i + 1] = d * uv[i] + e * uv[i + 1] + f;
  }
  return out;
}
