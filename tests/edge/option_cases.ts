/**
 * A conversion for every option that HTTP and the page share with the command line, on which the option changes something.
 *
 * @module
 */
import { sha256 } from "../../src/core/hash.ts";
import { readPayload, writePayload } from "../../src/formats/payload/mod.ts";
import type { ConvertOptionName } from "../../src/convert/options.ts";
import { sample } from "../batch/batches.ts";
import { cli } from "../cli/fake_host.ts";
import { plainGlb } from "../cli/plain_gltf.ts";
import { bone, bytesOf, changed } from "../css/plain_css.ts";
import {
  buildFixture,
  type FixtureSpec,
  square,
} from "../mdl/build_fixture.ts";

/** Files by name; the first one is converted. */
export type Files = Readonly<Record<string, Uint8Array<ArrayBuffer>>>;

/** One conversion. */
export interface OptionCase {
  files: Files;
  /** Extension of the output. */
  to: string;
  /** Every option with its value; true is a flag. */
  options: Readonly<Record<string, string | true>>;
}

const spec: FixtureSpec = {
  lods: 3,
  switchPoints: [0, 10, -1],
  textures: ["a", "b"],
  skins: [[0, 1], [1, 0]],
  bodyParts: [
    { name: "body", models: [{ meshes: [square()] }] },
    { name: "hat", models: [{ meshes: [square(3)] }, { meshes: [square(5)] }] },
  ],
};

function model(vtx = buildFixture(spec).vtx): Files {
  const { mdl, vvd } = buildFixture(spec);
  const files = { "box.mdl": mdl, "box.vvd": vvd, "box.vtx": vtx };
  return files as Record<string, Uint8Array<ArrayBuffer>>;
}

const payload = (name: string): Files => ({ [name]: sample(name) });
const terrain = payload("terrain.payload");
const figure = payload("figure.payload");
const lantern = payload("lantern.vvd");

/** A grid of four vertices a side, apart by one. */
function gridObject(): Files {
  return { "strip.glb": plainGlb(4) as Uint8Array<ArrayBuffer> };
}

/** Two faces side by side, whose edge is written twice with a gap that nobody sees. */
const torn: Files = {
  "torn.json": bytesOf(changed((d) => {
    d.points.push([-0.001, 0, 0], [-0.001, 40, 0], [-50, 0, 0]);
    d.wedges.push([3, 0, 0], [4, 0, 1], [5, 1, 1]);
    d.faces.push([3, 5, 4, 0]);
    d.influences.push([3, 0, 1], [4, 0, 1], [5, 0, 1]);
  })),
};

/** A mesh with a face without area, which its importer refuses. */
const sliver: Files = {
  "sliver.json": bytesOf(changed((d) => d.faces.push([0, 0, 1, 0]))),
};

/** Vertices on four bones. */
const skinned: Files = {
  "skinned.json": bytesOf(changed((d) => {
    d.bones = [-1, 0, 1, 2].map((parent, i) => bone(`b${i}`, parent));
    d.influences = [0, 1, 2].flatMap((point) =>
      [0, 1, 2, 3].map((joint) => [point, joint, 0.25])
    );
  })),
};

/** The terrain with one attribute the same everywhere. */
function evenTerrain(attribute: "uv" | "normal"): Files {
  const mesh = readPayload(sample("terrain.payload"));
  if (mesh.kind !== "static") throw new Error("the terrain is static");
  const even = mesh.vertices[attribute].map((_, i) => i % 3 === 0 ? 1 : 0);
  const vertices = {
    ...mesh.vertices,
    [attribute]: attribute === "uv" ? even.fill(0) : even,
  };
  return {
    "even.payload": writePayload({ ...mesh, vertices }),
  } as unknown as Files;
}

/** By option: its conversion, and the option's value there. */
export const OPTION_CASES: Readonly<Record<ConvertOptionName, OptionCase>> = {
  from: { files: terrain, to: "glb", options: { from: "vvd" } },
  to: { files: lantern, to: "obj", options: {} },
  lod: { files: lantern, to: "glb", options: { lod: "1" } },
  lods: { files: model(), to: "glb", options: { lods: "0" } },
  "build-lods": {
    files: terrain,
    to: "glb",
    options: { "build-lods": "0.5,0.25" },
  },
  "lod-rule": {
    files: terrain,
    to: "payload",
    options: { "build-lods": "2", "lod-rule": "payload" },
  },
  "lod-error": {
    files: terrain,
    to: "glb",
    options: { "build-lods": "0.2", "lod-error": "0.0001" },
  },
  "lock-border": {
    files: terrain,
    to: "glb",
    options: { "build-lods": "0.05", "lock-border": true },
  },
  "switch-distances": {
    files: terrain,
    to: "payload",
    options: { "build-lods": "0.5", "switch-distances": "7" },
  },
  "shadow-lod": { files: model(), to: "glb", options: { "shadow-lod": true } },
  bodygroup: { files: model(), to: "obj", options: { bodygroup: "hat=1" } },
  skin: { files: model(), to: "obj", options: { skin: "1" } },
  target: { files: skinned, to: "smd", options: { target: "source1" } },
  tangents: { files: terrain, to: "glb", options: { tangents: "rebuild" } },
  mode: {
    files: figure,
    to: "glb",
    options: { tangents: "rebuild", mode: "reference" },
  },
  degenerate: {
    files: evenTerrain("uv"),
    to: "payload",
    options: { tangents: "rebuild", degenerate: "repair" },
  },
  normals: {
    files: evenTerrain("normal"),
    to: "glb",
    options: { normals: "rebuild" },
  },
  weld: { files: torn, to: "glb", options: { weld: "0.01", tangents: "drop" } },
  heightfield: {
    files: gridObject(),
    to: "payload",
    options: { heightfield: true },
  },
  scale: { files: terrain, to: "glb", options: { scale: "2" } },
  "morph-epsilon": {
    files: figure,
    to: "payload",
    options: { "morph-epsilon": "0.05" },
  },
  "max-influences": {
    files: figure,
    to: "glb",
    options: { "max-influences": "1" },
  },
  split: {
    files: { "strip.glb": plainGlb(33_000) as Uint8Array<ArrayBuffer> },
    to: "payload",
    options: { split: true },
  },
  checksum: { files: figure, to: "vvd", options: { checksum: "7" } },
  basis: { files: terrain, to: "glb", options: { basis: "blender" } },
  "package-prefix": {
    files: figure,
    to: "json",
    options: { "package-prefix": "/Game/Other/" },
  },
  "mesh-package": {
    files: figure,
    to: "json",
    options: { "mesh-package": "/Game/CSSAuthoring/F/SK_Other" },
  },
  "skeleton-package": {
    files: figure,
    to: "json",
    options: { "skeleton-package": "/Game/CSSAuthoring/F/SKEL_Other" },
  },
  lenient: { files: sliver, to: "glb", options: { lenient: true } },
  force: {
    files: model(buildFixture({ ...spec, checksum: 1 }).vtx),
    to: "glb",
    options: { force: true },
  },
};

/** What a conversion gave: SHA-256 of files by name, or the code of its error. */
export type Outcome = Record<string, string> | string;

/** The hash of every file. */
export async function hashes(
  files: Readonly<Record<string, Uint8Array>>,
): Promise<Record<string, string>> {
  return Object.fromEntries(
    await Promise.all(
      Object.entries(files).map(async ([name, bytes]) =>
        [name, await sha256(bytes)] as const
      ),
    ),
  );
}

/** What the command line makes of a case. */
export async function byCommand(
  { files, to, options }: OptionCase,
): Promise<Outcome> {
  const [name] = Object.keys(files);
  const out = name.replace(/\.[^.]*$/, `.${to}`);
  const line = Object.entries(options).flatMap(([option, value]) =>
    value === true ? [`--${option}`] : [`--${option}`, value]
  );
  const folder = "out";
  const ran = await cli(
    ["convert", name, `${folder}/${out}`, "--json", ...line],
    { files, folders: [folder] },
  );
  if (ran.code !== 0) {
    return JSON.parse(ran.out || '{"error":{"code":"USAGE"}}').error.code;
  }
  return await hashes(Object.fromEntries(
    ran.writes.flat().map((path) => [
      path.slice(folder.length + 1),
      ran.files.get(path)!,
    ]),
  ));
}
