/**
 * What the page and its worker say to each other.
 *
 * @module
 */
import type { ConvertOptions, ConvertReport } from "../src/convert/convert.ts";
import type { Inspection } from "../src/convert/inspect.ts";
import type { Validation } from "../src/convert/validate.ts";
import type { BasisId } from "../src/core/basis.ts";
import type { MeshLod, SparseMorphs } from "../src/core/mesh.ts";

/** A model with the files that belong to it. */
export interface ModelSet {
  /** Name of the file that is opened. */
  name: string;
  /** Its bytes. */
  bytes: Uint8Array;
  /** The other files, by the name that the model uses. */
  resources: Record<string, Uint8Array>;
}

/** A mesh as it is shown: in glTF's axes, with nothing in it that could not be drawn. */
export interface ShownMesh {
  /** Convention that it came from: it says where the front is. */
  basis: BasisId;
  vertexCount: number;
  position: Float32Array;
  normal: Float32Array | null;
  tangent: Float32Array | null;
  color: Float32Array | null;
  uv: Float32Array | null;
  joints: Uint16Array | null;
  weights: Float32Array | null;
  influences: number;
  lods: MeshLod[];
  materials: string[];
  morphs: SparseMorphs | null;
  jointNames: string[];
}

/** What can be asked for. */
export type Task =
  | { do: "open"; set: ModelSet }
  /** A VVD is another mesh at every level. */
  | { do: "level"; set: ModelSet; lod: number }
  | { do: "convert"; set: ModelSet; options: ConvertOptions; stem: string };

/** What went wrong. */
export interface Trouble {
  code: string;
  message: string;
}

/** Answer to "open": as much as could be read. */
export interface Opened {
  inspection: Inspection | null;
  validation: Validation | null;
  mesh: ShownMesh | null;
  /** Why something of the above is missing. */
  trouble: Trouble | null;
  /** What the codes of the findings mean and how to mend it. */
  explained: Record<string, { meaning: string; mend: string }>;
}

/** Answer to "convert". */
export interface ConvertedFiles {
  files: { name: string; bytes: Uint8Array; sha256: string }[];
  report: ConvertReport;
}

/** Answers by task. */
export interface Answers {
  open: Opened;
  level: ShownMesh;
  convert: ConvertedFiles;
}

/** A question with its number. */
export type Question = Task & { id: number };

/** What the worker says about a question: how much of it is done (0 to 1), the answer, or why there is none. */
export type Reply =
  | { id: number; stage: string; done: number }
  | { id: number; answer: Answers[keyof Answers] }
  | { id: number; trouble: Trouble };
