/**
 * What every conversion keeps and loses, found by converting: each readable format to each writable one, on a static, a
 * skinned, a morphed and a multi-LOD mesh. `build_matrix.ts` writes the result down, a test compares.
 *
 * For a target that is read too the output is read again and compared with the input; of OBJ and SMD, which are not, the
 * loss report is taken at its word.
 */
import { MeshError } from "../src/core/errors.ts";
import { convert, type ConvertReport } from "../src/convert/convert.ts";
import { meshOf, readFile } from "../src/convert/read.ts";
import { type FormatId, FORMATS } from "../src/core/formats.ts";
import type { Mesh } from "../src/core/mesh.ts";
import { sparsifyMorphs } from "../src/kernels/morphs.ts";
import { writeGlb } from "../src/formats/gltf/write.ts";
import { convertBasis } from "../src/ops/convert_basis.ts";
import { diffMeshes } from "../src/ops/diff_meshes.ts";
import { rebuildNormals } from "../src/ops/rebuild_normals.ts";
import { deriveTangentSigns } from "../src/ops/tangent_signs.ts";
import { rebuildTangents } from "../src/ops/rebuild_tangents.ts";
import { buildFixture, type Fixture } from "../tests/mdl/build_fixture.ts";

/** The four meshes, in the order of the issue. */
export const SHAPES = ["static", "skinned", "morphed", "multi-LOD"] as const;
/** One of the four. */
export type Shape = typeof SHAPES[number];

/** What became of a part of the input. */
export type Fate = "kept" | "changed" | "lost" | "refused";

/** One conversion. */
export interface Cell {
  from: FormatId;
  to: FormatId;
  shape: Shape;
  /** What the input holds, by name, and what became of it. */
  fates: Map<string, Fate>;
  /** The report; null where the conversion is refused. */
  report: ConvertReport | null;
  /** Why it is refused. */
  refusal?: MeshError;
  /** The files that went in, the main one first. */
  input: SourceFiles;
}

/** A file and those beside it. */
export interface SourceFiles {
  name: string;
  bytes: Uint8Array;
  resources: Record<string, Uint8Array>;
}

const [ROWS, COLS] = [5, 5];

/** A hilly grid in glTF's axes, its texture mirrored down the middle, in two materials, every stream filled. */
function madeMesh(shape: Shape): Mesh {
  const n = ROWS * COLS;
  const position = new Float32Array(n * 3);
  const color = new Float32Array(n * 4);
  const [uv0, uv1] = [new Float32Array(n * 2), new Float32Array(n * 2)];
  for (let v = 0; v < n; v++) {
    const [r, c] = [Math.floor(v / COLS), v % COLS];
    position.set([c / 2, (r * c) / 16, r / 2], v * 3);
    color.set([r / 4, c / 4, 0.5, v === 7 ? 0.5 : 1], v * 4);
    uv0.set([Math.abs(c - 2) / 2, r / 4], v * 2);
    uv1.set([r / 8, c / 8], v * 2);
  }
  const grid = (step: number) => {
    const out: number[] = [];
    for (let r = 0; r + step < ROWS; r += step) {
      for (let c = 0; c + step < COLS; c += step) {
        const a = r * COLS + c;
        const [b, d] = [a + step, a + step * COLS];
        out.push(a, d, b, b, d, d + step);
      }
    }
    return Uint32Array.from(out);
  };
  const lod = (step: number, switchDistance: number | null) => {
    const indices = grid(step);
    const half = Math.floor(indices.length / 6) * 3;
    return {
      indices,
      groups: [
        { start: 0, count: half, material: 0 },
        { start: half, count: indices.length - half, material: 1 },
      ],
      switchDistance,
    };
  };
  let mesh: Mesh = {
    name: "hill",
    basis: "gltf",
    vertexCount: n,
    attributes: { position, color, uvs: [uv0, uv1] },
    influences: 0,
    lods: [lod(1, null), ...(shape === "multi-LOD" ? [lod(2, 40)] : [])],
    materials: ["moss", "stone"],
    morphs: null,
    skeleton: null,
    heightfield: null,
  };
  mesh = rebuildTangents(rebuildNormals(mesh));
  if (shape === "morphed") {
    const dense = new Float32Array(2 * mesh.vertexCount * 6);
    for (let v = 0; v < mesh.vertexCount; v++) {
      const [x, , z] = mesh.attributes.position.subarray(v * 3, v * 3 + 3);
      if (x > 1) dense.set([0, x / 4, 0, 0.125, 0, 0], v * 6);
      if (z > 1) dense.set([z / 8, 0, 0], (mesh.vertexCount + v) * 6);
    }
    mesh.morphs = sparsifyMorphs(dense, ["rise", "lean"], mesh.vertexCount);
  }
  if (shape === "skinned") {
    mesh.influences = 4;
    mesh.attributes.joints = new Uint16Array(mesh.vertexCount * 4);
    mesh.attributes.weights = new Float32Array(mesh.vertexCount * 4);
    for (let v = 0; v < mesh.vertexCount; v++) {
      const four = v % 5 === 0;
      mesh.attributes.joints.set(four ? [0, 1, 2, 3] : [v % 4, 0, 0, 0], v * 4);
      mesh.attributes.weights.set(
        four ? [0.5, 0.25, 0.125, 0.125] : [1, 0, 0, 0],
        v * 4,
      );
    }
    mesh.skeleton = ["root", "spine", "arm", "hand"].map((name, i) => ({
      name,
      parent: i - 1,
      translation: i === 0 ? [0, 0, 0] : [0.5, 0.25, 0],
      // a quarter turn about +Z at the arm
      rotation: i === 2 ? [0, 0, Math.SQRT1_2, Math.SQRT1_2] : [0, 0, 0, 1],
      scale: [1, 1, 1],
    }));
  }
  return mesh;
}

/** The same hill as a Source model, in inches: what only a compiler makes can not be converted into. */
function sourceModel(shape: Shape): Fixture {
  const vertices = Array.from({ length: ROWS * COLS }, (_, v) => {
    const [r, c] = [Math.floor(v / COLS), v % COLS];
    const lasts = r % 2 === 0 && c % 2 === 0;
    return {
      v,
      position: [c * 20, -r * 20, (r * c) / 16 * 40] as const,
      normal: [0, 0, 1] as const,
      uv: [Math.abs(c - 2) / 2, r / 4] as const,
      tangent: [1, 0, 0, -1] as const,
      bones: shape === "skinned" && c === 2
        ? [[0, 0.5], [1, 0.5]] as const
        : [[shape === "skinned" && c > 2 ? 1 : 0, 1]] as const,
      lod: shape === "multi-LOD" && lasts ? 1 : 0,
    };
  }).sort((a, b) => b.lod - a.lod || a.v - b.v);
  const place = new Map(vertices.map(({ v }, i) => [v, i]));
  const grid = (step: number) => {
    const out: number[] = [];
    for (let r = 0; r + step < ROWS; r += step) {
      for (let c = 0; c + step < COLS; c += step) {
        const a = r * COLS + c;
        const [b, d] = [a + step, a + step * COLS];
        // clockwise from above
        out.push(a, b, d, b, d + step, d);
      }
    }
    return out.map((v) => place.get(v)!);
  };
  const levels = shape === "multi-LOD" ? 2 : 1;
  return buildFixture({
    name: "hill.mdl",
    lods: levels,
    ...(levels > 1 ? { switchPoints: [0, 40] } : {}),
    textures: ["moss"],
    bones: shape === "skinned"
      ? [{ name: "root" }, {
        name: "spine",
        parent: 0,
        position: [20, 0, 10],
        poseToBone: [1, 0, 0, -20, 0, 1, 0, 0, 0, 0, 1, -10],
      }]
      : [{ name: "root" }],
    ...(shape === "morphed" ? { flexDescs: ["rise"] } : {}),
    bodyParts: [{
      name: "body",
      models: [{
        name: "hill.smd",
        meshes: [{
          vertices,
          triangles: levels > 1 ? [grid(1), grid(2)] : [grid(1)],
          ...(shape === "morphed"
            ? {
              flexes: [{
                desc: 0,
                entries: [3, 4, 8, 9].map((v) => ({
                  vertex: place.get(v)!,
                  delta: [0, 0, 8] as const,
                })),
              }],
            }
            : {}),
        }],
      }],
    }],
  });
}

const alone = (name: string, bytes: Uint8Array): SourceFiles => ({
  name,
  bytes,
  resources: {},
});

/** The mesh of a shape as a file of a readable format; null where the format has no such mesh. */
async function sourceFiles(
  from: FormatId,
  shape: Shape,
): Promise<SourceFiles | null> {
  if (from === "mdl" || from === "vvd") {
    // a vertex file knows of influences and levels alone
    if (from === "vvd" && shape === "morphed") return null;
    const { mdl, vvd, vtx } = sourceModel(shape);
    return from === "vvd" ? alone("hill.vvd", vvd) : {
      name: "hill.mdl",
      bytes: mdl,
      resources: { "hill.vvd": vvd, "hill.dx90.vtx": vtx },
    };
  }
  const glb = await writeGlb(madeMesh(shape));
  if (from === "gltf") return alone("hill.glb", glb);
  // the importer has one level of detail only
  if (from === "css" && shape === "multi-LOD") return null;
  const { outputs } = await convert(glb, { to: from, outName: "hill" });
  return alone(from === "css" ? "hill.json" : "hill.payload", outputs[0]);
}

const close = (a: number | null, b: number | null) =>
  a === null || b === null ? a === b : Math.abs(a - b) <= 1e-5 * Math.abs(a);

/** Streams of {@linkcode diffMeshes} by the names of the table. */
const STREAMS: [stream: string, name: string][] = [
  ["normal", "normals"],
  ["tangent", "tangents"],
  ["color", "colours"],
  ["uv0", "texture coordinates"],
  ["uv1", "second texture coordinates"],
  ["weights", "skin weights"],
  ["morphs", "morph deltas"],
];

/** What the first mesh holds and the second holds of it. */
function compare(first: Mesh, second: Mesh): Map<string, Fate> {
  const a = convertBasis(first, "gltf").mesh;
  const b = convertBasis(second, "gltf").mesh;
  const diff = diffMeshes(a, b);
  const out = new Map<string, Fate>();
  const fate = (name: string, lost: boolean, same: boolean) =>
    out.set(name, lost ? "lost" : same ? "kept" : "changed");
  const streamSame = (stream: string) =>
    diff.attributes.find((x) => x.name === stream)?.count === 0;
  fate(
    "vertices",
    b.vertexCount === 0,
    streamSame("position") &&
      [...diff.unpaired, ...diff.unused].every((n) => n === 0),
  );
  if (a.lods[0].indices) {
    const { missing, extra, reversed } = diff.lods[0];
    fate("triangles", !b.lods[0].indices, missing + extra + reversed === 0);
  }
  for (const [stream, name] of STREAMS) {
    if (diff.only.a.includes(stream)) fate(name, true, false);
    else if (diff.attributes.some((x) => x.name === stream)) {
      fate(name, false, streamSame(stream));
    }
  }
  if (a.materials.length > 0) {
    const same = JSON.stringify(a.materials) === JSON.stringify(b.materials);
    fate("materials", b.materials.length === 0, same);
  }
  if (a.lods.length > 1) {
    const same = a.lods.length === b.lods.length &&
      diff.lods.every((l) => l.missing + l.extra + l.reversed === 0);
    fate("levels of detail", b.lods.length === 1, same);
    const distances = (m: Mesh) => m.lods.slice(1).map((l) => l.switchDistance);
    const [da, db] = [distances(a), distances(b)];
    if (da.some((d) => d !== null)) {
      fate(
        "switch distances",
        db.every((d) => d === null),
        da.length === db.length && da.every((d, i) => close(d, db[i])),
      );
    }
  }
  if (a.morphs) {
    const same = JSON.stringify(a.morphs.names) ===
      JSON.stringify(b.morphs?.names);
    fate("morph names", !b.morphs, same);
  }
  if (a.skeleton && a.skeleton.length > 0) {
    const bone = /joint|skeleton|bone/i;
    fate(
      "joints",
      !b.skeleton || b.skeleton.length === 0,
      !diff.notes.some((note) => bone.test(note)),
    );
  }
  return out;
}

/** Rows of a loss report by the names of the table. */
const REPORTED: Record<string, string> = {
  tangents: "tangents",
  colours: "colours",
  "texture coordinate sets": "second texture coordinates",
  materials: "materials",
  "levels of detail": "levels of detail",
  "switch distances": "switch distances",
  joints: "joints",
  "skin weights": "skin weights",
  "morph targets": "morph names",
  triangles: "triangles",
  vertices: "vertices",
};

/** The same from a loss report, for a target that is not read. */
function reported(input: Mesh, report: ConvertReport): Map<string, Fate> {
  const out = compare(input, input);
  for (const { what, kind } of report.loss) {
    const name = REPORTED[what];
    if (name === undefined || !out.has(name)) continue;
    out.set(name, kind === "dropped" ? "lost" : "changed");
    if (what === "vertices") {
      // with the vertices goes what they carry
      for (const part of out.keys()) out.set(part, "lost");
    }
    if (what === "morph targets") out.set("morph deltas", "lost");
    if (what === "levels of detail" && out.has("switch distances")) {
      out.set("switch distances", "lost");
    }
  }
  return out;
}

/** Runs every conversion. */
export async function conversionMatrix(): Promise<Cell[]> {
  const cells: Cell[] = [];
  const readable = FORMATS.filter((f) => f.reads).map((f) => f.id);
  const writable = FORMATS.filter((f) => f.writes).map((f) => f.id);
  for (const from of readable) {
    for (const shape of SHAPES) {
      const input = await sourceFiles(from, shape);
      if (!input) continue;
      const { name, bytes, resources } = input;
      const file = await readFile(bytes, { name, resources });
      const stored = meshOf(file, null);
      for (const to of writable) {
        const base = { from, to, shape, input };
        // a payload has no signs to lose: other formats get those that its texture coordinates give
        const before = from === "payload" && to !== "payload"
          ? deriveTangentSigns(stored).mesh
          : stored;
        const made = await convert(bytes, {
          to,
          name,
          resources,
          outName: "hill",
        }).catch((error) => {
          if (error instanceof MeshError) return error;
          throw error;
        });
        if (made instanceof MeshError) {
          const fates = compare(before, before);
          for (const part of fates.keys()) fates.set(part, "refused");
          if (file.format === "vvd" && file.vvd.numLODs > 1) {
            fates.set("levels of detail", "refused");
          }
          cells.push({ ...base, fates, report: null, refusal: made });
          continue;
        }
        const { outputs, report } = made;
        const read = FORMATS.some((f) => f.id === to && f.reads);
        const fates = read
          ? compare(
            before,
            meshOf(await readFile(outputs[0], { from: to }), null),
          )
          : reported(before, report);
        // the mesh of a vertex file is that of one root LOD
        if (file.format === "vvd" && file.vvd.numLODs > 1) {
          const lost = report.loss.some((l) => l.what === "levels of detail");
          fates.set("levels of detail", lost ? "lost" : "kept");
        }
        cells.push({ ...base, fates, report });
      }
    }
  }
  return cells;
}

/** True when `--strict` refuses a conversion: anything but a repair that the target demands was lost. */
export function strictRefuses({ report }: Cell): boolean {
  return report === null ||
    report.loss.some((l) => l.kind !== "repaired" || !l.demanded);
}

/** A table with its columns padded, as the formatter leaves it. */
function table(rows: string[][]): string {
  const widths = rows[0].map((_, c) =>
    Math.max(...rows.map((r) => r[c].length), 3)
  );
  const line = (cells: string[]) =>
    `| ${cells.map((x, c) => x.padEnd(widths[c])).join(" | ")} |`;
  return [
    line(rows[0]),
    line(widths.map((w) => "-".repeat(w))),
    ...rows.slice(1).map(line),
  ].join("\n");
}

/** The matrix as Markdown. */
export function matrixText(cells: readonly Cell[]): string {
  const out = [
    "# What each conversion keeps and loses",
    "Written by `scripts/build_matrix.ts` from conversions that it ran; a test runs them again. The mesh is a small hill " +
    "with two materials, two sets of texture coordinates, colours, normals and tangents, as far as the format read holds " +
    'them. "kept" is equal within the default tolerance of `diff`. `--strict` refuses a conversion that loses anything but what is a repair that the target demands.',
    "A vertex file (`vvd`) holds no shapes and a CSS authored mesh no further levels: those tables are missing. OBJ and " +
    "SMD are written only, so that their columns follow the loss report; all others were read back and compared.",
  ];
  for (const from of new Set(cells.map((c) => c.from))) {
    out.push(`## From ${from}`);
    for (const shape of SHAPES) {
      const row = cells.filter((c) => c.from === from && c.shape === shape);
      if (row.length === 0) continue;
      out.push(`### ${from}, ${shape}`);
      const names = [...row[0].fates.keys()];
      out.push(table([
        ["", ...row.map((c) => c.to)],
        ...names.map((n) => [n, ...row.map((c) => c.fates.get(n)!)]),
        [
          "`--strict`",
          ...row.map((c) =>
            !c.report ? "–" : strictRefuses(c) ? "refuses" : "passes"
          ),
        ],
      ]));
      // one line a reason, with the targets that share it
      const reasons = new Map<string, string[]>();
      for (const { to, report, refusal } of row) {
        const lines = report
          ? report.loss.map((l) => `${l.kind} ${l.what}: ${l.why}`)
          : [`refused, ${refusal!.code}: ${refusal!.message}`];
        for (const key of lines) {
          const targets = reasons.get(key) ?? [];
          if (!targets.includes(to)) targets.push(to);
          reasons.set(key, targets);
        }
      }
      if (reasons.size > 0) {
        out.push(
          [...reasons].map(([why, to]) => `- ${to.join(", ")}: ${why}`)
            .join("\n"),
        );
      }
    }
  }
  return out.join("\n\n") + "\n";
}
