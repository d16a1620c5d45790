/**
 * The page's worker: reads, judges and converts, so that the page stays awake.
 *
 * @module
 */
import { MeshoptDecoder } from "meshoptimizer/decoder";
import { convertInPieces } from "../src/convert/convert.ts";
import { inspect } from "../src/convert/inspect.ts";
import { simplifierFor } from "../src/convert/meshopt.ts";
import { outputPaths, withExtension } from "../src/convert/output_paths.ts";
import { meshOf, readFile, type ReadOptions } from "../src/convert/read.ts";
import { validate } from "../src/convert/validate.ts";
import { joinChunks } from "../src/core/bytes.ts";
import { CODES } from "../src/core/codes.ts";
import { MeshError } from "../src/core/errors.ts";
import { sha256 } from "../src/core/hash.ts";
import type { Mesh } from "../src/core/mesh.ts";
import { Counted } from "../src/core/pieces.ts";
import { convertBasis } from "../src/ops/convert_basis.ts";
import type {
  ConvertedFiles,
  ModelSet,
  Opened,
  Question,
  Reply,
  ShownMesh,
  Trouble,
} from "./protocol.ts";

/** The part of a worker's scope that is used; the checker knows windows only. */
const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<Question>) => void;
  postMessage(reply: Reply, transfer?: Transferable[]): void;
};

/** Says what is done, and how much of all, 0 to 1. */
type Tell = (stage: string, done: number) => void;

function troubleOf(error: unknown): Trouble {
  if (error instanceof MeshError) {
    const place = error.offset !== undefined
      ? ` (byte ${error.offset})`
      : error.path
      ? ` (${error.path})`
      : "";
    return { code: error.code, message: error.message + place };
  }
  return {
    code: "",
    message: error instanceof Error ? error.message : String(error),
  };
}

/** What helps, where it is an option of the command line that the page may have, too. */
function asHere(mend: string): string {
  return mend.replaceAll(/`--([a-z-]+)[^`]*`/g, "the option $1");
}

/** Values without NaN and infinities, which no graphics card draws. */
function finite(values: Float32Array): Float32Array {
  return values.map((x) => Number.isFinite(x) ? x : 0);
}

/** Triangles whose corners all exist. */
function soundIndices(indices: Uint32Array, vertexCount: number): Uint32Array {
  if (indices.every((v) => v < vertexCount) && indices.length % 3 === 0) {
    return indices;
  }
  // places stay, for material groups count them; a triangle in one point is not seen
  const out = indices.slice(0, indices.length - indices.length % 3);
  for (let i = 0; i < out.length; i += 3) {
    if (out.subarray(i, i + 3).some((v) => v >= vertexCount)) {
      out.fill(0, i, i + 3);
    }
  }
  return out;
}

function shown(mesh: Mesh): ShownMesh {
  const moved = convertBasis(mesh, "gltf").mesh;
  const a = moved.attributes;
  return {
    basis: mesh.basis,
    vertexCount: moved.vertexCount,
    position: finite(a.position),
    normal: a.normal ? finite(a.normal) : null,
    tangent: a.tangent ? finite(a.tangent) : null,
    color: a.color ? finite(a.color) : null,
    uv: a.uvs[0] ? finite(a.uvs[0]) : null,
    joints: a.joints ?? null,
    weights: a.weights ?? null,
    influences: moved.influences,
    lods: moved.lods.map((lod) => ({
      ...lod,
      indices: lod.indices
        ? soundIndices(lod.indices, moved.vertexCount)
        : null,
    })),
    materials: moved.materials,
    morphs: moved.morphs,
    jointNames: moved.skeleton?.map((j, i) => j.name || `joint ${i}`) ?? [],
  };
}

/** What the readers are given: the files, and the codecs that a glTF may ask for. */
async function sourceOf({ name, resources }: ModelSet) {
  await MeshoptDecoder.ready;
  const decoders = { meshopt: MeshoptDecoder.decodeGltfBuffer };
  return { name, resources, decoders };
}

async function meshAt(
  set: ModelSet,
  lod: number | null,
  progress: Pick<ReadOptions, "onProgress"> = {},
): Promise<ShownMesh> {
  const source = { ...await sourceOf(set), ...progress };
  const file = await readFile(set.bytes, source);
  return shown(meshOf(file, lod, { lenient: true }));
}

async function open(set: ModelSet, tell: Tell): Promise<Opened> {
  const out: Opened = {
    inspection: null,
    validation: null,
    mesh: null,
    trouble: null,
    explained: {},
  };
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      out.trouble ??= troubleOf(error);
    }
  };
  const third = (stage: string, nth: number) => ({
    onProgress: (done: number, total: number) =>
      tell(stage, (nth + done / total) / 3),
  });
  tell("Reading", 0);
  await attempt(async () => {
    out.mesh = await meshAt(set, null, third("Reading", 0));
  });
  tell("Describing", 1 / 3);
  await attempt(async () => {
    const source = { ...await sourceOf(set), ...third("Describing", 1) };
    out.inspection = await inspect(set.bytes, source);
  });
  tell("Checking", 2 / 3);
  await attempt(async () => {
    const source = { ...await sourceOf(set), ...third("Checking", 2) };
    out.validation = await validate(set.bytes, source);
  });
  for (const { code } of out.validation?.findings ?? []) {
    const { meaning, mend } = CODES[code];
    out.explained[code] = { meaning, mend: asHere(mend) };
  }
  return out;
}

async function convertSet(
  { set, options, stem }: Extract<Question, { do: "convert" }>,
  tell: Tell,
): Promise<ConvertedFiles> {
  tell("Reading", 0);
  const made = await convertInPieces(set.bytes, {
    ...options,
    ...await simplifierFor(options),
    ...await sourceOf(set),
    outName: stem,
    onProgress: (done, total) => tell("Reading", done / total / 2),
  });
  const outputs: Uint8Array[] = [];
  for (const [i, content] of made.outputs.entries()) {
    const counted = new Counted(content);
    const chunks: Uint8Array[] = [];
    for (const chunk of counted) {
      chunks.push(chunk);
      const share = (i + counted.done) / made.outputs.length;
      tell("Writing", 0.5 + share / 2);
    }
    outputs.push(joinChunks(chunks, counted.size));
  }
  const report = { ...made.report };
  report.bytes.out = outputs.reduce((sum, { length }) => sum + length, 0);
  const out = withExtension(`${stem}.`, options.to, options.gltfJson);
  const paths = outputPaths(out, made);
  const files = await Promise.all(outputs.map(async (bytes, i) => ({
    name: paths[i],
    bytes,
    sha256: await sha256(bytes),
  })));
  return { files, report };
}

scope.onmessage = async ({ data }) => {
  const { id } = data;
  let told = "";
  const tell: Tell = (stage, done) => {
    // once a percent is enough
    const now = `${stage} ${Math.floor(done * 100)}`;
    if (now === told) return;
    told = now;
    scope.postMessage({ id, stage, done });
  };
  try {
    const answer = data.do === "open"
      ? await open(data.set, tell)
      : data.do === "level"
      ? await meshAt(data.set, data.lod)
      : await convertSet(data, tell);
    scope.postMessage({ id, answer });
  } catch (error) {
    scope.postMessage({ id, trouble: troubleOf(error) });
  }
};
