/**
 * The OpenAPI description of the handler.
 *
 * @module
 */
import {
  type OptionInfo,
  SOURCE_WORDS,
  TARGET_WORDS,
} from "../convert/options.ts";
import { VERSION } from "../core/version.ts";
import type { HandlerLimits } from "./limits.ts";
import { CONVERT_PARAMETERS, READ_PARAMETERS } from "./query.ts";

const text = { type: "string" };

/** What a value may be. */
function schemaOf(info: OptionInfo): unknown {
  const { type, choices, min, max } = info;
  if (type === "flag") return { type: "boolean" };
  if (type === "text") return text;
  if (type === "choice") return { enum: choices };
  if (type === "format") return { enum: SOURCE_WORDS };
  if (type === "target") return { enum: TARGET_WORDS };
  return {
    type,
    ...(min === Number.MIN_VALUE
      ? { exclusiveMinimum: 0 }
      : min === undefined
      ? {}
      : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  };
}

/** Parameters of a query. */
function describe(table: Readonly<Record<string, OptionInfo>>): unknown[] {
  return Object.entries(table).map(([name, info]) => ({
    name,
    in: "query",
    required: name === "to",
    schema: schemaOf(info),
    description: info.help[0].toUpperCase() + info.help.slice(1),
  }));
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
  const reading = describe(READ_PARAMETERS);
  const converting = describe(CONVERT_PARAMETERS);
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
        jsonOk("What is in it"),
      ),
      "/validate": post("Judge a file", reading, jsonOk("The findings")),
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
