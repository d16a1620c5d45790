/**
 * Which conversions every runtime runs: of the samples, and of the corpus where it is.
 *
 * @module
 */
import { isCompanion } from "../../src/convert/companions.ts";
import { FORMATS } from "../../src/core/formats.ts";
import { corpusFiles, corpusUrl } from "../corpus.ts";
import type { ConvertOptions } from "../../src/convert/convert.ts";
import type { Conversion, Step } from "./conversions.ts";

/** The folders that files are in, by the first part of their paths. */
export const FOLDERS: Readonly<Record<string, URL>> = {
  samples: new URL("../../samples/", import.meta.url),
  corpus: corpusUrl(""),
};

/** Where a file of a conversion is. */
export function urlOf(path: string): URL {
  const [folder, ...rest] = path.split("/");
  return new URL(rest.map(encodeURIComponent).join("/"), FOLDERS[folder]);
}

/** Largest file of the corpus that takes part. */
const MOST_BYTES = 60_000;
/** Files of each kind of the corpus that take part, chosen evenly. */
const MOST_FILES = 6;

const SAMPLES = ["lantern.vvd", "terrain.payload", "figure.payload", "buoy.mdl"]
  .map((name) => `samples/${name}`);
const TARGETS = FORMATS.filter((f) => f.writes).map((f) => f.id);
/** Formats that are written and read again. */
const BETWEEN = FORMATS.filter((f) => f.writes && f.reads).map((f) => f.id);

/** Settings that make a conversion compute more than another format's axes. */
const SETTINGS: readonly Omit<ConvertOptions, "to">[] = [
  { tangents: "rebuild" },
  { tangents: "rebuild", tangentMode: "reference" },
  { tangents: "rebuild", degenerate: "repair" },
  { normals: "rebuild" },
  { normals: "rebuild", tangents: "rebuild", scale: 0.3 },
  { lod: 1 },
  { scale: 1 / 3 },
  { weld: { positionTolerance: 1e-3 } },
  { buildLods: { ratios: [0.5], rule: "payload" } },
];

/** Files that belong to a Source model. */
function companionsOf(path: string): string[] {
  if (!path.endsWith(".mdl")) return [];
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return Array.from(Deno.readDirSync(urlOf(folder)), ({ name }) => name)
    .filter((name) => isCompanion(path, name)).sort()
    .map((name) => folder + name);
}

/** Some files of the corpus that are small, from all over it. */
function some(folder: string, ending: string): string[] {
  const files = corpusFiles(folder, ending)
    .filter((path) => !path.includes("/bad_"))
    .filter((path) => Deno.statSync(corpusUrl(path)).size <= MOST_BYTES);
  const step = Math.max(1, files.length / MOST_FILES);
  return Array.from(
    { length: Math.min(MOST_FILES, files.length) },
    (_, i) => `corpus/${files[Math.floor(i * step)]}`,
  );
}

/** Every sample to every format that can hold it, and a replay: 24 in all. */
export function quickPlan(): Conversion[] {
  const plan: Conversion[] = SAMPLES.flatMap((file) =>
    // a VVD alone has no faces, without which there is no CSS mesh
    TARGETS.filter((to) => to !== "css" || !file.endsWith(".vvd"))
      .map((to) => ({ file, resources: companionsOf(file), steps: [{ to }] }))
  );
  plan.push({
    file: "samples/lantern.vvd",
    resources: [],
    steps: [{ replay: 1 }],
  });
  return plan;
}

/** All pairs of formats over the samples and the corpus, and everything that is computed anew. */
export function fullPlan(): Conversion[] {
  const plan = quickPlan();
  const add = (file: string, ...steps: Step[]) =>
    plan.push({ file, resources: companionsOf(file), steps });
  for (const file of SAMPLES) {
    for (const between of BETWEEN) {
      for (const to of TARGETS) add(file, { to: between }, { to });
    }
    for (const setting of SETTINGS) {
      for (const to of ["gltf", "payload", "smd", "obj"] as const) {
        add(file, { to, ...setting });
      }
    }
  }
  for (const file of ["samples/lantern.vvd", "samples/buoy.vvd"]) {
    for (const lod of [0, 2, 3]) add(file, { replay: lod });
  }
  for (
    const file of [
      ...some("source", ".mdl"),
      ...some("payload", ".bin"),
      ...some("css", ".json"),
      ...some("gltf", ".glb"),
    ]
  ) {
    for (const to of TARGETS) add(file, { to });
    add(file, { to: "gltf", tangents: "rebuild", normals: "rebuild" });
  }
  for (const file of some("source", ".vvd")) add(file, { replay: 1 });
  return plan;
}
