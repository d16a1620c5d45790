/**
 * Judges a file: the object that `validate --json` prints.
 *
 * @module
 */
import { hasByteOrderMark } from "../core/bytes.ts";
import { MeshError } from "../core/errors.ts";
import { type Finding, Findings } from "../core/findings.ts";
import type { FormatId } from "../core/formats.ts";
import { examineCss } from "../formats/css/validate.ts";
import { validatePayload } from "../formats/payload/validate.ts";
import { validateVvd } from "../formats/vvd/validate.ts";
import { validateMesh } from "../ops/validate_mesh.ts";
import { detectFormat } from "./detect.ts";
import { meshOf, readFile, type ReadOptions } from "./read.ts";
import { validateModelFile, wholeMesh } from "./source_model.ts";

/** Result of {@linkcode validate}. */
export interface Validation {
  /** Always this. */
  schema: "meshwright/validate/1";
  /** Name of the file. */
  file: string;
  /** Its format; null when it matches none. */
  format: FormatId | null;
  /** False exactly when there is an error. */
  ok: boolean;
  /** Errors in all. */
  errors: number;
  /** Warnings in all. */
  warnings: number;
  /** The first findings. */
  findings: Finding[];
  /** False when the file could not be read at all; its one finding says why. */
  readable: boolean;
}

/**
 * Judges a file. A file that can not be read gives a validation with one error, not an exception.
 *
 * @throws {MeshError} LIMIT-EXCEEDED alone.
 *
 * @example
 * ```ts
 * import { validate } from "@meshwright/kit";
 *
 * const { ok, findings } = await validate(Deno.readFileSync("samples/figure.payload"));
 * console.log(ok, findings.length);
 * ```
 */
export async function validate(
  bytes: Uint8Array,
  options: ReadOptions = {},
): Promise<Validation> {
  let findings = new Findings();
  const name = options.name ?? "";
  const format = options.from ?? detectFormat(bytes, name);
  let readable = true;
  if (format === "css") {
    ({ findings, readable } = examineCss(bytes, options));
    return judged(name, format, findings, readable);
  }
  try {
    // files of different compiles are a finding among others, not the end
    const file = await readFile(bytes, options, "force");
    if (file.format === "vvd") {
      validateVvd(file.vvd, findings);
      if (file.vvd.vertexData) {
        validateMesh(meshOf(file, 0, { lenient: true }), findings);
      }
    } else if (file.format === "mdl") {
      validateModelFile(file, findings);
      validateMesh(wholeMesh(file.model, true), findings);
    } else if (file.format === "payload") {
      validatePayload(file.payload, findings);
      validateMesh(meshOf(file, null), findings);
    } else if (file.format === "gltf") {
      if (hasByteOrderMark(bytes)) {
        findings.add(
          "GLTF-BOM",
          "",
          "Save the file without a byte order mark: it begins with one",
          { found: "EF BB BF" },
        );
      }
      for (const note of file.notes) {
        findings.add(
          "GLTF-NOTE",
          note.what,
          `Keep the file if more than its mesh is of use: conversions leave out ${note.what} (${note.count}), ${note.why}`,
          { found: note.count },
        );
      }
      if (file.mesh.vertexCount === 0) {
        findings.add(
          "GLTF-NO-MESH",
          "/meshes",
          "Export a mesh: the scene shows none",
          {
            severity: "warning",
          },
        );
      }
      validateMesh(file.mesh, findings);
    }
  } catch (error) {
    if (!(error instanceof MeshError) || error.code === "LIMIT-EXCEEDED") {
      throw error;
    }
    readable = false;
    findings.addError(error);
  }
  return judged(name, format, findings, readable);
}

function judged(
  name: string,
  format: FormatId | null,
  findings: Findings,
  readable: boolean,
): Validation {
  return {
    schema: "meshwright/validate/1",
    file: name,
    format,
    ok: findings.errors === 0,
    errors: findings.errors,
    warnings: findings.warnings,
    findings: findings.list,
    readable,
  };
}
