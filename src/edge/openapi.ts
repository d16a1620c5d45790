/**
 * The OpenAPI description of the handler.
 *
 * @module
 */
import { BASES } from "../core/basis.ts";
import { FORMATS } from "../core/formats.ts";
import { VERSION } from "../core/version.ts";
import type { HandlerLimits } from "./limits.ts";

const text = { type: "string" };
const number = { type: "number" };

function parameter(
  name: string,
  schema: unknown,
  description: string,
): unknown {
  return { name, in: "query", required: name === "to", schema, description };
}

function error(description: string): unknown {
  return {
    description,
    content: {
      "application/json": { schema: { $ref: "#/components/schemas/Error" } },
    },
  };
}

/** The description, for the limits that hold. */
export function openApi(limits: HandlerLimits): unknown {
  const readable = FORMATS.filter((f) => f.reads).map((f) => f.id);
  const writable = FORMATS.filter((f) => f.writes).map((f) => f.id);
  const reading = [
    parameter(
      "from",
      { enum: readable },
      "Format of the input; found out when left out",
    ),
    parameter(
      "name",
      text,
      "Name of the file, for messages and for ties between formats",
    ),
    parameter(
      "lod",
      { type: "integer", minimum: 0 },
      "Level of detail of the input",
    ),
  ];
  const converting = [
    parameter("to", { enum: [...writable, "glb"] }, "Target format"),
    ...reading,
    parameter(
      "lods",
      { oneOf: [{ const: "all" }, { type: "integer", minimum: 0 }] },
      "Highest level of detail to keep",
    ),
    parameter("scale", number, "Metres in a Source unit, else a factor"),
    parameter(
      "basis",
      { enum: Object.keys(BASES) },
      "Axes and unit of the input where they are not its format's own",
    ),
    parameter(
      "tangents",
      { enum: ["keep", "rebuild", "drop"] },
      "What becomes of tangents",
    ),
    parameter(
      "mode",
      { enum: ["corrected", "reference"] },
      "Whose bits rebuilt tangents have",
    ),
    parameter(
      "normals",
      { enum: ["keep", "rebuild"] },
      "What becomes of normals",
    ),
    parameter("morph-epsilon", number, "Drop morph deltas at or below this"),
    parameter(
      "max-influences",
      { type: "integer", minimum: 1 },
      "Influences a vertex keeps",
    ),
    parameter(
      "split",
      { type: "boolean" },
      "Several payloads when one can not hold the vertices",
    ),
  ];
  const binary = (type: string) => ({
    [type]: { schema: { type: "string", format: "binary" } },
  });
  const body = {
    required: true,
    content: {
      ...binary("application/octet-stream"),
      ...binary("application/zip"),
      "multipart/form-data": {
        schema: {
          type: "object",
          additionalProperties: { type: "string", format: "binary" },
        },
      },
    },
  };
  const failures = {
    "400": error("Wrong parameters, or a broken zip"),
    "413": error("A limit was passed"),
    "415": error("The format is unknown or not supported"),
    "422": error("The file can not be processed"),
  };
  const post = (summary: string, parameters: unknown[], ok: unknown) => ({
    post: {
      summary,
      parameters,
      requestBody: body,
      responses: { "200": ok, ...failures },
    },
  });
  const jsonOk = (description: string) => ({
    description,
    content: { "application/json": { schema: { type: "object" } } },
  });
  return {
    openapi: "3.1.0",
    info: {
      title: "meshwright",
      version: VERSION,
      description:
        `Game mesh files, converted exactly. A body has at most ${limits.request.maxBodyBytes} bytes, a zip at most ${limits.request.maxEntries} files.`,
    },
    paths: {
      "/convert": post(
        "Convert one file, or a zip with the files of one model",
        converting,
        {
          description:
            "The output, or a zip where it is several files; its report stands in the header meshwright-report",
          content: {
            ...binary("application/octet-stream"),
            ...binary("application/zip"),
          },
        },
      ),
      "/batch": post("Convert every file of a zip", converting, {
        description: "A zip with the outputs and report.json",
        content: binary("application/zip"),
      }),
      "/inspect": post(
        "Say what is in a file",
        reading,
        jsonOk("As inspect --json"),
      ),
      "/validate": post("Judge a file", reading, jsonOk("As validate --json")),
      "/formats": {
        get: {
          summary: "List the formats",
          responses: { "200": jsonOk("A list") },
        },
      },
      "/healthz": {
        get: {
          summary: "Say that the service runs",
          responses: { "200": jsonOk("ok") },
        },
      },
    },
    components: {
      schemas: {
        Error: {
          type: "object",
          required: ["schema", "ok", "message", "findings"],
          properties: {
            schema: { const: "meshwright/error/1" },
            ok: { const: false },
            message: text,
            findings: { type: "array", items: { type: "object" } },
          },
        },
      },
    },
  };
}
