/**
 * Puts the files of a Source model together.
 *
 * A strip's vertex of mesh k, model m and body part b is vertex
 * `model.vertexIndex / 48 + mesh.vertexOffset + origMeshVertID` of the pool that the VVD's fixups give at root LOD 0. The
 * same pool serves every LOD; replaying at a higher root LOD moves the vertices, and the offsets must be computed anew
 * ({@linkcode rootLodView}).
 *
 * @module
 */
import type { Code } from "../../core/codes.ts";
import { meshError } from "../../core/errors.ts";
import { checkLimit, type Limits, withLimits } from "../../core/limits.ts";
import { checksumText } from "../../core/number_text.ts";
import { RECORD_BYTES, TANGENT_BYTES } from "../../kernels/replay.ts";
import { readVvd } from "../vvd/read.ts";
import { replayVvd } from "../vvd/replay.ts";
import type { Vvd } from "../vvd/types.ts";
import { readMdl } from "./read_mdl.ts";
import { readVtx } from "./read_vtx.ts";
import { readVvc } from "./read_vvc.ts";
import type { SourceNote } from "./tables.ts";
import { addTriangles, mostIndices } from "./triangles.ts";
import type {
  Mdl,
  MdlMesh,
  SourceLod,
  SourceModel,
  SourceRun,
  Vtx,
  VtxMesh,
  Vvc,
} from "./types.ts";

/** The files of a Source model. */
export interface SourceModelFiles {
  /** The .mdl. */
  mdl: Uint8Array;
  /** The .vvd; absent for a model without geometry. */
  vvd?: Uint8Array | null | undefined;
  /** The .vtx; any tier will do. */
  vtx?: Uint8Array | null | undefined;
  /** The .vvc of some games: colours and a second texture coordinate set. */
  vvc?: Uint8Array | null | undefined;
}

/** Options of {@linkcode readSourceModel}. */
export interface ReadSourceModelOptions {
  /** Take files that do not belong together: triangles that then name no vertex are left out. Default false. */
  force?: boolean;
  /** Names of the files, for messages. */
  names?: { mdl?: string; vvd?: string; vtx?: string; vvc?: string };
  /** Limits on size and counts. */
  limits?: Partial<Limits>;
}

/** Collects what is doubtful, each kind at one place once, with a count. */
class Notes {
  readonly list: SourceNote[] = [];

  add(
    code: Code,
    where: string,
    message: string,
    found: unknown,
    allowed: unknown,
  ): SourceNote {
    const note = { code, where, message, found, allowed };
    this.list.push(note);
    return note;
  }
}

/** Refuses, or with `force` notes, a companion of another compile. */
function checkChecksum(
  mdl: Mdl,
  kind: "vvd" | "vtx" | "vvc",
  checksum: number,
  options: ReadSourceModelOptions,
  notes: Notes,
): void {
  if (checksum === mdl.checksum) return;
  const own = options.names?.mdl ?? "the MDL";
  const other = options.names?.[kind] ?? `the ${kind.toUpperCase()}`;
  const message = `Use the files of one compile: ${own} carries checksum ${
    checksumText(mdl.checksum)
  }, ${other} ${checksumText(checksum)}`;
  if (!options.force) {
    throw meshError("MDL-CHECKSUM", message, {
      format: "mdl",
      path: kind,
      found: checksum,
      allowed: mdl.checksum,
    });
  }
  notes.add("MDL-CHECKSUM", kind, message, checksum, mdl.checksum);
}

function shape(
  notes: Notes,
  where: string,
  what: string,
  mdl: number,
  vtx: number,
): number {
  if (mdl !== vtx) {
    notes.add(
      "VTX-SHAPE",
      where,
      `Use the files of one compile: the MDL has ${mdl} ${what}, the VTX ${vtx}`,
      vtx,
      mdl,
    );
  }
  return Math.min(mdl, vtx);
}

/** A mesh of the MDL with its levels in the VTX. */
interface Pair {
  run: Omit<SourceRun, "start" | "count">;
  mesh: MdlMesh;
  /** First vertex in the pool. */
  first: number;
  /** For every level the mesh, or null where the level lacks it. */
  levels: (VtxMesh | null)[];
}

function pairUp(mdl: Mdl, vtx: Vtx, notes: Notes): Pair[] {
  const pairs: Pair[] = [];
  const parts = shape(
    notes,
    "vtx/bodyParts",
    "body parts",
    mdl.bodyParts.length,
    vtx.bodyParts.length,
  );
  for (let b = 0; b < parts; b++) {
    const at = `vtx/bodyParts/${b}`;
    const { models } = mdl.bodyParts[b];
    const others = vtx.bodyParts[b].models;
    const count = shape(notes, at, "models", models.length, others.length);
    for (let m = 0; m < count; m++) {
      const { lods } = others[m];
      const here = `${at}/models/${m}`;
      const levels = shape(notes, here, "LODs", vtx.numLODs, lods.length);
      const { meshes, vertexIndex } = models[m];
      for (let l = 0; l < levels; l++) {
        shape(
          notes,
          `${here}/lods/${l}`,
          "meshes",
          meshes.length,
          lods[l].meshes.length,
        );
      }
      meshes.forEach((mesh, k) => {
        pairs.push({
          run: { bodyPart: b, model: m, mesh: k },
          mesh,
          first: Math.floor(vertexIndex / RECORD_BYTES) + mesh.vertexOffset,
          levels: Array.from(
            { length: vtx.numLODs },
            (_, l) => (l < levels ? lods[l].meshes[k] : null) ?? null,
          ),
        });
      });
    }
  }
  return pairs;
}

/** The switch point of a level: of the first model that has it. */
function switchPoint(vtx: Vtx, level: number): number {
  for (const part of vtx.bodyParts) {
    for (const model of part.models) {
      if (model.lods[level]) return model.lods[level].switchPoint;
    }
  }
  return 0;
}

const placeOf = (run: Pair["run"], level: number) =>
  `vtx/bodyParts/${run.bodyPart}/models/${run.model}/lods/${level}/meshes/${run.mesh}`;

/** What is wrong with a triangle whose largest vertex of the mesh is `id`. */
function strayVertex(
  id: number,
  { mesh: { vertexCount }, first }: Pair,
  level: number,
  layout: Vtx["layout"],
  pool: number,
): Omit<SourceNote, "where"> {
  if (id >= vertexCount) {
    return {
      code: "VTX-VERTEX-RANGE",
      message:
        `Use the VTX of the same compile: LOD ${level} names vertex ${id} of a mesh of ${vertexCount}; the file is stale, or its layout is not ${layout}`,
      found: id,
      allowed: `< ${vertexCount}`,
    };
  }
  if (first < 0) {
    return {
      code: "MDL-VERTEX-RANGE",
      message:
        `Compile the model again: a mesh begins at vertex ${first} of the VVD`,
      found: first,
      allowed: ">= 0",
    };
  }
  return {
    code: "MDL-VERTEX-RANGE",
    message: `Use the VVD of the same compile: a mesh ends at vertex ${
      first + vertexCount
    }, the VVD holds ${pool}`,
    found: first + vertexCount,
    allowed: `<= ${pool}`,
  };
}

/** Moves a run's indices from its mesh to the pool; drops (with `force`) or refuses triangles without a vertex. */
function place(
  indices: Uint32Array,
  start: number,
  end: number,
  pair: Pair,
  pool: number,
  refuse: (id: number) => void,
): number {
  const { vertexCount } = pair.mesh;
  const allowed = Math.min(vertexCount, pool - pair.first);
  let to = start;
  for (let i = start; i < end; i += 3) {
    const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]];
    const top = Math.max(a, b, c);
    if (top >= allowed || pair.first < 0) {
      refuse(top);
      continue;
    }
    indices[to++] = pair.first + a;
    indices[to++] = pair.first + b;
    indices[to++] = pair.first + c;
  }
  return to;
}

function assembleLevel(
  pairs: readonly Pair[],
  level: number,
  vtx: Vtx,
  pool: number,
  force: boolean,
  notes: Notes,
): SourceLod {
  let most = 0;
  for (const { levels } of pairs) {
    const mesh = levels[level];
    if (mesh) most += mostIndices(mesh, vtx.layout);
  }
  const room = new Uint32Array(most);
  const runs: SourceRun[] = [];
  let at = 0;
  for (const pair of pairs) {
    const mesh = pair.levels[level];
    if (!mesh) continue;
    const where = placeOf(pair.run, level);
    const end = addTriangles(room, at, mesh, vtx.layout);
    const needed = pair.mesh.lodVertexCounts[level];
    let late = 0;
    for (let i = at; i < end && level > 0; i++) if (room[i] >= needed) late++;
    if (late > 0 && needed > 0) {
      notes.add(
        "VTX-LOD-VERTEX",
        where,
        `Compile the model again: ${late} indices of LOD ${level} name a vertex past the ${needed} that the mesh keeps there`,
        late,
        0,
      );
    }
    let told: SourceNote | null = null;
    const stop = place(room, at, end, pair, pool, (id) => {
      const { code, message, found, allowed } = strayVertex(
        id,
        pair,
        level,
        vtx.layout,
        pool,
      );
      if (!force) {
        throw meshError(code, message, {
          format: "mdl",
          path: where,
          found,
          allowed,
        });
      }
      told ??= notes.add(code, where, message, found, allowed);
      told.triangles = (told.triangles ?? 0) + 1;
    });
    runs.push({ ...pair.run, start: at, count: stop - at });
    at = stop;
  }
  const point = switchPoint(vtx, level);
  return {
    level,
    switchPoint: point,
    shadow: point < 0,
    indices: room.length === at ? room : room.slice(0, at),
    runs,
  };
}

/**
 * Assembles the levels of detail of files that were read.
 *
 * @param pool Vertices that the replayed VVD holds.
 */
function assemble(
  mdl: Mdl,
  vtx: Vtx,
  pool: number,
  from: number,
  options: ReadSourceModelOptions,
  notes: Notes,
): SourceLod[] {
  const limits = withLimits(options.limits);
  const pairs = pairUp(mdl, vtx, notes);
  const lods: SourceLod[] = [];
  let total = 0;
  for (let level = from; level < vtx.numLODs; level++) {
    for (const { levels } of pairs) {
      const mesh = levels[level];
      if (mesh) total += mostIndices(mesh, vtx.layout);
    }
    checkLimit("maxIndices", total, limits.maxIndices, "mdl");
    lods.push(
      assembleLevel(pairs, level, vtx, pool, options.force === true, notes),
    );
  }
  return lods;
}

/** True when the MDL has something to draw, so that a missing VVD or VTX is a fault. */
export function needsGeometry(mdl: Mdl): boolean {
  return mdl.bodyParts.some((part) =>
    part.models.some((model) =>
      model.meshes.some((mesh) => mesh.vertexCount > 0)
    )
  );
}

/** Puts files that were read together: the second half of {@linkcode readSourceModel}. */
export function assembleSourceModel(
  files: { mdl: Mdl; vvd: Vvd | null; vtx: Vtx | null; vvc: Vvc | null },
  options: ReadSourceModelOptions = {},
): SourceModel {
  const { mdl, vvd, vtx, vvc } = files;
  const notes = new Notes();
  for (const kind of ["vvd", "vtx", "vvc"] as const) {
    const file = files[kind];
    if (file) checkChecksum(mdl, kind, file.checksum, options, notes);
  }
  if (needsGeometry(mdl) && !(vvd && vtx)) {
    const missing = [vvd ? "" : ".vvd", vtx ? "" : ".vtx"].filter((x) => x);
    throw meshError(
      "MDL-COMPANION",
      `Give the ${
        missing.join(" and the ")
      } of the model: its geometry is in there`,
      {
        format: "mdl",
        path: missing.join(","),
        found: null,
        allowed: missing,
      },
    );
  }
  const pool = vvd?.vertexData ? vvd.numLODVertexes[0] : 0;
  return {
    mdl,
    vvd,
    vtx,
    vvc,
    lods: vvd && vtx ? assemble(mdl, vtx, pool, 0, options, notes) : [],
    notes: [...mdl.notes, ...vtx?.notes ?? [], ...notes.list],
  };
}

/**
 * Reads a whole Source model: the MDL, and of the files beside it the VVD and one VTX. A model without geometry (animations
 * for other models) needs neither.
 *
 * @throws {MeshError} MDL-CHECKSUM for files of different compiles, MDL-COMPANION for a missing one, VTX-VERTEX-RANGE and
 * MDL-VERTEX-RANGE for a VTX or VVD that does not fit, and what {@linkcode readMdl}, {@linkcode readVtx}, `readVvd` and
 * `readVvc` throw.
 *
 * @example
 * ```ts
 * import { readSourceModel } from "@meshwright/kit/mdl";
 *
 * const { mdl, lods } = readSourceModel({
 *   mdl: Deno.readFileSync("samples/buoy.mdl"),
 *   vvd: Deno.readFileSync("samples/buoy.vvd"),
 *   vtx: Deno.readFileSync("samples/buoy.dx90.vtx"),
 * });
 * console.log(mdl.bodyParts.map((part) => part.models.length)); // [ 1, 3 ]
 * console.log(lods.length); // 2
 * ```
 */
export function readSourceModel(
  files: SourceModelFiles,
  options: ReadSourceModelOptions = {},
): SourceModel {
  const limits = { limits: options.limits ?? {} };
  return assembleSourceModel({
    mdl: readMdl(files.mdl, limits),
    vvd: files.vvd ? readVvd(files.vvd, limits) : null,
    vtx: files.vtx ? readVtx(files.vtx, limits) : null,
    vvc: files.vvc ? readVvc(files.vvc, limits) : null,
  }, options);
}

/** The counts and offsets of an MDL as the engine sets them after loading at a root LOD. */
function atRootLod(mdl: Mdl, root: number): Mdl {
  let first = 0;
  return {
    ...mdl,
    bodyParts: mdl.bodyParts.map((part) => ({
      ...part,
      models: part.models.map((model) => {
        const start = first;
        const meshes = model.meshes.map((mesh): MdlMesh => {
          const vertexOffset = first - start;
          // at LOD 0 the mesh's own count is right, below it bounds what may be nonsense
          const vertexCount = root === 0 ? mesh.vertexCount : Math.max(
            0,
            Math.min(mesh.lodVertexCounts[root], mesh.vertexCount),
          );
          first += vertexCount;
          return { ...mesh, vertexOffset, vertexCount };
        });
        return {
          ...model,
          meshes,
          vertexCount: first - start,
          vertexIndex: start * RECORD_BYTES,
          tangentIndex: start * TANGENT_BYTES,
        };
      }),
    })),
  };
}

/**
 * What the engine holds after loading the model at a root LOD: fewer vertices, replayed for that level, and offsets
 * computed anew. Levels above the root are gone. The root is clamped as the engine does: by the number of root LODs that the
 * MDL allows, then by the VVD's levels.
 *
 * @param model A model with geometry; another is returned as it is.
 * @param rootLod Root LOD, 0 or more.
 * @throws {MeshError} ARGUMENT; as `replayVvd`; VTX-VERTEX-RANGE when the mesh's LOD counts do not hold.
 */
export function rootLodView(
  model: SourceModel,
  rootLod: number,
  options: ReadSourceModelOptions = {},
): SourceModel {
  const { vvd, vtx } = model;
  if (!vvd || !vtx) return model;
  const { allowedRootLods } = model.mdl;
  const asked = allowedRootLods > 0
    ? Math.min(rootLod, allowedRootLods - 1)
    : rootLod;
  const replayed = replayVvd(vvd, asked);
  const root = Math.min(asked, vvd.numLODs - 1);
  const mdl = atRootLod(model.mdl, root);
  const notes = new Notes();
  return {
    ...model,
    mdl,
    vvd: replayed,
    lods: assemble(
      mdl,
      vtx,
      replayed.numLODVertexes[0],
      root,
      options,
      notes,
    ),
    notes: [...model.notes, ...notes.list],
  };
}
