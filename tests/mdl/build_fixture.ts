/**
 * Builds small Source models of any shape, as MDL, VVD and VTX files: what no public file shows can be tested with them.
 *
 * @module
 */
import { plainExtraBlock, plainVvd, type Row } from "../vvd/plain_vvd.ts";
import {
  Growing,
  type Layout,
  type PlainGroup,
  type PlainVtx,
  plainVtx,
} from "./plain_vtx.ts";

/** A vertex. */
export interface VertexSpec {
  position: readonly [number, number, number];
  normal?: readonly [number, number, number];
  uv?: readonly [number, number];
  /** Along x, the sign by the number of the vertex, unless given. */
  tangent?: readonly [number, number, number, number];
  /** Bones with their weights, at most three; bone 0 unless given. */
  bones?: readonly (readonly [bone: number, weight: number])[];
  /** Lowest-detail LOD that needs the vertex; vertices of a mesh go by this, highest first. */
  lod?: number;
}

/** One entry of a flex: vertex, side, position delta, normal delta, wrinkle. */
export interface FlexEntrySpec {
  vertex: number;
  side?: number;
  delta: readonly [number, number, number];
  normal?: readonly [number, number, number];
  wrinkle?: number;
}

/** A flex. */
export interface FlexSpec {
  desc: number;
  pair?: number;
  targets?: readonly [number, number, number, number];
  /** Entries carry wrinkles. */
  wrinkled?: boolean;
  entries: readonly FlexEntrySpec[];
}

/** A mesh. */
export interface MeshSpec {
  material?: number;
  vertices: readonly VertexSpec[];
  /** Triangles of every LOD as vertices of the mesh; the last list serves the LODs behind it. */
  triangles: readonly (readonly number[])[];
  /** Strip groups that the triangles are dealt out to; 1 unless given. */
  groups?: number;
  /** Strips of each group; 1 unless given. */
  strips?: number;
  /** Flags of the strip groups. */
  groupFlags?: number;
  /** Flags of the strips and, for other than 1, indices taken as they are: one strip a group. */
  stripFlags?: number;
  flexes?: readonly FlexSpec[];
  /** Number of the eyeball that the mesh is. */
  eyeball?: number;
}

/** A model. */
export interface ModelSpec {
  name?: string;
  meshes: readonly MeshSpec[];
  eyeballs?: readonly { name: string; radius: number }[];
}

/** A bone. */
export interface BoneSpec {
  name: string;
  parent?: number;
  position?: readonly [number, number, number];
  quaternion?: readonly [number, number, number, number];
  poseToBone?: readonly number[];
}

/** A whole model. */
export interface FixtureSpec {
  name?: string;
  version?: number;
  checksum?: number;
  flags?: number;
  layout?: Layout;
  bones?: readonly BoneSpec[];
  textures?: readonly string[];
  texturePaths?: readonly string[];
  skins?: readonly (readonly number[])[];
  flexDescs?: readonly string[];
  includeModels?: readonly string[];
  bodyParts: readonly { name?: string; models: readonly ModelSpec[] }[];
  /** Levels of detail; 1 unless given. */
  lods?: number;
  /** Switch point of each level. */
  switchPoints?: readonly number[];
  replacements?: readonly (readonly (readonly [number, string])[])[];
  /** Values of further texture coordinate sets, by type, two a vertex in mesh order. */
  extraUvs?: Readonly<Record<number, readonly number[]>>;
  /** Unit of fixed-point flex deltas, where the header states one. */
  vertAnimScale?: number;
  /** Leaves the tangents out. */
  noTangents?: boolean;
  allowedRootLods?: number;
  /** Makes the files that a console would have: all numbers of two and four bytes the other way around. */
  bigEndian?: boolean;
}

/** The files. */
export interface Fixture {
  mdl: Uint8Array<ArrayBuffer>;
  vvd: Uint8Array<ArrayBuffer>;
  vtx: Uint8Array<ArrayBuffer>;
}

const CHECKSUM = 0x5ca1ab1e;

/** A number as half float, for values that one holds exactly. */
export function halfBits(x: number): number {
  if (x === 0) return 0;
  const sign = x < 0 ? 0x8000 : 0;
  const value = Math.abs(x);
  const exponent = Math.max(-14, Math.floor(Math.log2(value)));
  const mantissa = value / 2 ** exponent;
  return sign |
    (mantissa < 1
      ? Math.round(mantissa * 1024)
      : (exponent + 15) << 10 | Math.round((mantissa - 1) * 1024));
}

const allMeshes = (spec: FixtureSpec) =>
  spec.bodyParts.flatMap((p) => p.models.flatMap((m) => m.meshes));

function vertexRecords(vertices: readonly VertexSpec[]): Uint8Array[] {
  return vertices.map((v) => {
    const out = new Uint8Array(48);
    const view = new DataView(out.buffer);
    const put = (at: number, values: readonly number[]) =>
      values.forEach((x, k) => view.setFloat32(at + 4 * k, x, true));
    const bones = v.bones ?? [[0, 1]];
    put(0, bones.map(([, weight]) => weight));
    bones.forEach(([bone], k) => out[12 + k] = bone);
    out[15] = bones.length;
    put(16, v.position);
    put(28, v.normal ?? [0, 0, 1]);
    put(40, v.uv ?? [0, 0]);
    return out;
  });
}

function tangentRecord(v: VertexSpec, i: number): Uint8Array {
  const out = new Uint8Array(16);
  const view = new DataView(out.buffer);
  (v.tangent ?? [1, 0, 0, i % 2 ? -1 : 1]).forEach((x, k) =>
    view.setFloat32(4 * k, x, true)
  );
  return out;
}

const concat = (list: readonly Uint8Array[], size: number) => {
  const out = new Uint8Array(list.length * size);
  list.forEach((x, i) => out.set(x, i * size));
  return out;
};

/** The VVD: the pool by LOD, lowest detail first, then mesh; fixups back to mesh order where there is more than one run. */
function buildVvd(spec: FixtureSpec): Uint8Array<ArrayBuffer> {
  const lods = spec.lods ?? 1;
  const meshes = allMeshes(spec).map((m) => m.vertices);
  const first: number[] = [];
  let total = 0;
  for (const vertices of meshes) {
    first.push(total);
    total += vertices.length;
    vertices.forEach((v, i) => {
      if (i > 0 && (v.lod ?? 0) > (vertices[i - 1].lod ?? 0)) {
        throw new Error("vertices of a mesh go by LOD, highest first");
      }
    });
  }
  const order: number[] = [];
  const rows: Row[][] = meshes.map(() => []);
  const counts: number[] = [];
  for (let lod = lods - 1; lod >= 0; lod--) {
    meshes.forEach((vertices, m) => {
      const start = order.length;
      vertices.forEach((v, i) => {
        if ((v.lod ?? 0) === lod) order.push(first[m] + i);
      });
      const count = order.length - start;
      if (count > 0) rows[m].push([lod, start, count]);
    });
    counts[lod] = order.length;
  }
  const fixups = rows.flat();
  const used = rows.filter((r) => r.length > 0).length;
  const records = vertexRecords(meshes.flat());
  const tangents = meshes.flat().map(tangentRecord);
  const extra = Object.entries(spec.extraUvs ?? {}).map(([type, values]) => {
    const data = new Uint8Array(total * 8);
    const view = new DataView(data.buffer);
    order.forEach((v, i) => {
      view.setFloat32(i * 8, values[v * 2], true);
      view.setFloat32(i * 8 + 4, values[v * 2 + 1], true);
    });
    return { type: Number(type), bytesPerVertex: 8, data };
  });
  return plainVvd({
    checksum: spec.checksum ?? CHECKSUM,
    counts,
    numLODs: lods,
    fixups: lods === 1 || used <= 1 || fixups.length <= 1 ? [] : fixups,
    vertices: concat(order.map((v) => records[v]), 48),
    tangents: spec.noTangents
      ? null
      : concat(order.map((v) => tangents[v]), 16),
    ...(extra.length > 0 ? { tail: plainExtraBlock(extra) } : {}),
  });
}

const vtxVertex = (id: number) =>
  Uint8Array.of(0, 1, 2, 1, id & 255, id >> 8, 0, 0, 0);

/** Strip groups of a mesh at a level: vertices of the mesh in the order they are first used. */
function groupsOf(mesh: MeshSpec, lod: number): PlainGroup[] {
  const triangles = mesh.triangles[Math.min(lod, mesh.triangles.length - 1)] ??
    [];
  const raw = mesh.stripFlags !== undefined && (mesh.stripFlags & 1) === 0;
  const parts = mesh.groups ?? 1;
  const perGroup = raw
    ? triangles.length
    : Math.ceil(triangles.length / 3 / parts) * 3;
  const out: PlainGroup[] = [];
  for (let at = 0; at < triangles.length; at += Math.max(perGroup, 1)) {
    const own = triangles.slice(at, at + perGroup);
    const ids = [...new Set(own)];
    const place = new Map(ids.map((v, i) => [v, i]));
    const indices = own.map((v) => place.get(v)!);
    const strips = raw ? 1 : mesh.strips ?? 1;
    const perStrip = raw ? own.length : Math.ceil(own.length / 3 / strips) * 3;
    const group: PlainGroup = {
      flags: mesh.groupFlags ?? 2,
      vertices: ids.map(vtxVertex),
      indices,
      strips: [],
    };
    for (let i = 0; i < own.length; i += Math.max(perStrip, 1)) {
      group.strips.push({
        indexOffset: i,
        indexCount: Math.min(perStrip, own.length - i),
        vertexOffset: 0,
        vertexCount: ids.length,
        numBones: 1,
        flags: mesh.stripFlags ?? 1,
        boneChanges: [],
      });
    }
    out.push(group);
  }
  return out;
}

/** The VTX as data, for tests that bend it before it is written. */
export function fixtureVtx(spec: FixtureSpec): PlainVtx {
  const lods = spec.lods ?? 1;
  return {
    checksum: spec.checksum ?? CHECKSUM,
    numLODs: lods,
    bodyParts: spec.bodyParts.map((part) => ({
      models: part.models.map((model) => ({
        lods: Array.from({ length: lods }, (_, lod) => ({
          switchPoint: spec.switchPoints?.[lod] ?? lod * 10,
          meshes: model.meshes.map((mesh) => ({
            flags: 0,
            groups: groupsOf(mesh, lod),
          })),
        })),
      })),
    })),
    ...(spec.replacements
      ? {
        replacements: spec.replacements.map((l) =>
          l.map(([m, n]): [number, string] => [m, n])
        ),
      }
      : {}),
  };
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** The names and tables that an MDL ends with: offsets are from the record that holds them. */
function putName(out: Growing, base: number, field: number, text: string) {
  out.i32(field, out.text(text) - base);
}

function putFlexes(out: Growing, at: number, mesh: MeshSpec, flags: number) {
  const flexes = mesh.flexes ?? [];
  const start = out.room(flexes.length * 60);
  out.i32(at + 16, flexes.length, start - at);
  const bits = (x: number) => flags & 0x4000 ? x : halfBits(x);
  flexes.forEach((flex, f) => {
    const own = start + f * 60;
    const size = flex.wrinkled ? 18 : 16;
    const entries = out.room(flex.entries.length * size);
    out.i32(own, flex.desc);
    out.f32(own + 4, ...(flex.targets ?? [-11, -10, 0, 1]));
    out.i32(own + 20, flex.entries.length, entries - own, flex.pair ?? 0);
    out.u8(own + 32, flex.wrinkled ? 1 : 0);
    flex.entries.forEach((entry, e) => {
      const place = entries + e * size;
      out.i16(place, entry.vertex);
      out.u8(place + 2, 128, entry.side ?? 0);
      out.i16(place + 4, ...entry.delta.map(bits));
      out.i16(place + 10, ...(entry.normal ?? [0, 0, 0]).map(bits));
      if (flex.wrinkled) out.i16(place + 16, entry.wrinkle ?? 0);
    });
  });
}

function buildMdl(spec: FixtureSpec): Uint8Array<ArrayBuffer> {
  const out = new Growing(!spec.bigEndian);
  out.room(408);
  const flags = spec.flags ?? 0;
  const lods = spec.lods ?? 1;
  out.i32(0, 0x54534449); // IDST
  out.i32(4, spec.version ?? 48, spec.checksum ?? CHECKSUM);
  out.u8(12, ...new TextEncoder().encode(spec.name ?? "test/fixture.mdl"));
  out.i32(152, flags);
  const bones = spec.bones ?? [{ name: "root" }];
  const boneStart = out.room(bones.length * 216);
  out.i32(156, bones.length, boneStart);
  bones.forEach((bone, i) => {
    const at = boneStart + i * 216;
    putName(out, at, at, bone.name);
    out.i32(at + 4, bone.parent ?? -1);
    out.f32(at + 32, ...(bone.position ?? [0, 0, 0]));
    out.f32(at + 44, ...(bone.quaternion ?? [0, 0, 0, 1]));
    out.f32(at + 96, ...(bone.poseToBone ?? IDENTITY));
  });
  const textures = spec.textures ?? ["skin"];
  const textureStart = out.room(textures.length * 64);
  out.i32(204, textures.length, textureStart);
  textures.forEach((name, i) =>
    putName(out, textureStart + i * 64, textureStart + i * 64, name)
  );
  const folders = spec.texturePaths ?? ["models\\test\\"];
  const folderStart = out.room(folders.length * 4);
  out.i32(212, folders.length, folderStart);
  folders.forEach((name, i) => putName(out, 0, folderStart + i * 4, name));
  const skins = spec.skins ?? [textures.map((_, i) => i)];
  const refs = skins[0]?.length ?? 0;
  const skinStart = out.room(skins.length * refs * 2);
  out.i32(220, refs, skins.length, skinStart);
  out.i16(skinStart, ...skins.flat());
  const descs = spec.flexDescs ?? [];
  const descStart = out.room(descs.length * 4);
  out.i32(260, descs.length, descStart);
  descs.forEach((name, i) =>
    putName(out, descStart + i * 4, descStart + i * 4, name)
  );
  const includes = spec.includeModels ?? [];
  const includeStart = out.room(includes.length * 8);
  out.i32(336, includes.length, includeStart);
  includes.forEach((path, i) => {
    const at = includeStart + i * 8;
    putName(out, at, at, "");
    putName(out, at, at + 4, path);
  });
  out.u8(378, spec.allowedRootLods ?? 0);
  if (spec.vertAnimScale !== undefined) out.f32(392, spec.vertAnimScale);

  const partStart = out.room(spec.bodyParts.length * 16);
  out.i32(232, spec.bodyParts.length, partStart);
  let vertex = 0;
  spec.bodyParts.forEach((part, b) => {
    const at = partStart + b * 16;
    putName(out, at, at, part.name ?? `part${b}`);
    const models = out.room(part.models.length * 148);
    out.i32(at + 4, part.models.length, 1, models - at);
    part.models.forEach((model, m) => {
      const own = models + m * 148;
      out.u8(own, ...new TextEncoder().encode(model.name ?? `model${m}.smd`));
      const meshes = out.room(model.meshes.length * 116);
      out.i32(own + 72, model.meshes.length, meshes - own);
      const first = vertex;
      model.meshes.forEach((mesh, k) => {
        const place = meshes + k * 116;
        const count = mesh.vertices.length;
        out.i32(place, mesh.material ?? 0);
        out.i32(place + 8, count, vertex - first);
        putFlexes(out, place, mesh, flags);
        if (mesh.eyeball !== undefined) out.i32(place + 24, 1, mesh.eyeball);
        out.i32(place + 32, k);
        for (let lod = 0; lod < 8; lod++) {
          const level = Math.min(lod, lods - 1);
          out.i32(
            place + 52 + 4 * lod,
            mesh.vertices.filter((v) => (v.lod ?? 0) >= level).length,
          );
        }
        vertex += count;
      });
      out.i32(own + 80, vertex - first, first * 48, first * 16);
      const eyes = model.eyeballs ?? [];
      const eyeStart = out.room(eyes.length * 172);
      out.i32(own + 100, eyes.length, eyeStart - own);
      eyes.forEach((eye, e) => {
        const place = eyeStart + e * 172;
        putName(out, place, place, eye.name);
        out.f32(place + 24, eye.radius);
      });
    });
  });
  out.i32(76, out.length);
  return out.bytes();
}

/** Swaps the bytes of every number of a VVD; bone numbers are bytes and stay. */
function swapVvd(vvd: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const from = new DataView(vvd.buffer);
  const out = vvd.slice();
  const to = new DataView(out.buffer);
  for (let at = 0; at + 4 <= vvd.length; at += 4) {
    to.setUint32(at, from.getUint32(at, true));
  }
  const [count, start] = [16, 56].map((at) => from.getInt32(at, true));
  for (let v = 0; v < count; v++) {
    const bones = start + v * 48 + 12;
    out.set(vvd.subarray(bones, bones + 4), bones);
  }
  return out;
}

/** Builds the three files of a model. */
export function buildFixture(spec: FixtureSpec): Fixture {
  const { layout = "25/27", bigEndian = false } = spec;
  const vvd = buildVvd(spec);
  return {
    mdl: buildMdl(spec),
    vvd: bigEndian ? swapVvd(vvd) : vvd,
    vtx: plainVtx(fixtureVtx(spec), layout, !bigEndian),
  };
}

/** A square of four vertices in the plane z, from (x, 0) on; two triangles, clockwise seen from above. */
export function square(
  x = 0,
  z = 0,
  more: Partial<VertexSpec> = {},
): MeshSpec {
  const at = (dx: number, y: number): VertexSpec => ({
    position: [x + dx, y, z],
    uv: [dx, 1 - y],
    ...more,
  });
  return {
    vertices: [at(0, 0), at(1, 0), at(1, 1), at(0, 1)],
    triangles: [[0, 2, 1, 0, 3, 2]],
  };
}

/** A model of one body part, one model and the given meshes. */
export function oneModel(
  meshes: readonly MeshSpec[],
  more: Partial<FixtureSpec> = {},
): FixtureSpec {
  return { bodyParts: [{ name: "body", models: [{ meshes }] }], ...more };
}
