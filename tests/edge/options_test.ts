import {
  assert,
  assertEquals,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { unzipSync } from "fflate";
import {
  CONVERT_OPTIONS,
  type ConvertOptionName,
} from "../../src/convert/options.ts";
import { convertCommand } from "../../src/cli/commands/convert.ts";
import { loadSimplifier } from "../../src/convert/meshopt.ts";
import { createHandler } from "../../src/edge/mod.ts";
import { COMMAND_ONLY, CONVERT_PARAMETERS } from "../../src/edge/query.ts";
import { sample } from "../batch/batches.ts";
import { bytesOf, changed } from "../css/plain_css.ts";
import { plainGlb } from "../cli/plain_gltf.ts";
import { zip } from "./mixed.ts";
import {
  byCommand,
  hashes,
  OPTION_CASES,
  type OptionCase,
  type Outcome,
} from "./option_cases.ts";

const handler = createHandler({ simplifier: loadSimplifier });
const NAMES = Object.keys(CONVERT_OPTIONS) as ConvertOptionName[];

function post(
  path: string,
  body: BodyInit,
  to = handler,
): Promise<Response> {
  return to.fetch(
    new Request(`http://localhost${path}`, { method: "POST", body }),
  );
}

/** What the handler makes of a case. */
async function byHttp({ files, to, options }: OptionCase): Promise<Outcome> {
  const query = new URLSearchParams({
    to: to === "json" ? "css" : to === "gltf" ? "gltf-json" : to,
  });
  for (const [name, value] of Object.entries(options)) {
    query.set(name, value === true ? "" : value);
  }
  const response = await post(`/convert?${query}`, zip(files));
  if (!response.ok) return (await response.json()).findings[0]?.code ?? "USAGE";
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.headers.get("content-type") === "application/zip") {
    return await hashes(unzipSync(bytes));
  }
  const [name] = Object.keys(files);
  return await hashes({ [name.replace(/\.[^.]*$/, `.${to}`)]: bytes });
}

Deno.test("POST /convert takes every option of the command's convert, or says why it is none here", () => {
  const known = [
    ...Object.keys(CONVERT_PARAMETERS),
    ...Object.keys(COMMAND_ONLY),
  ];
  assertEquals(
    known.filter((name) => name !== "name").sort(),
    [...convertCommand.options].sort(),
  );
  for (const [name, reason] of Object.entries(COMMAND_ONLY)) {
    assert(reason.length > 10, name);
  }
});

for (const name of NAMES) {
  Deno.test(`POST /convert gives the command line's bytes with ${name}`, async () => {
    const one = OPTION_CASES[name];
    const want = await byCommand(one);
    assertEquals(await byHttp(one), want);
    if (name === "to" || name === "mode") return; // nothing to leave out; the same bits on a sound mesh
    const { [name]: _, ...rest } = one.options;
    assertNotEquals(await byCommand({ ...one, options: rest }), want, name);
  });
}

Deno.test("POST /convert gives glTF as JSON for to=gltf-json", async () => {
  const one = { ...OPTION_CASES.scale, to: "gltf" };
  const want = await byCommand(one);
  assertEquals(Object.keys(want), ["terrain.gltf"]);
  assertEquals(await byHttp(one), want);
  const all = await post("/batch?to=gltf-json&scale=2", zip(one.files));
  const { "report.json": _, ...made } = unzipSync(
    new Uint8Array(await all.arrayBuffer()),
  );
  assertEquals(await hashes(made), want);
});

Deno.test("POST /convert refuses what needs a terminal or a disk by name", async () => {
  for (const [name, reason] of Object.entries(COMMAND_ONLY)) {
    const response = await post(`/convert?to=glb&${name}`, "x");
    assertEquals(response.status, 400);
    assertEquals(
      (await response.json()).message,
      `Leave out ${name}: ${reason}`,
    );
  }
});

Deno.test("POST /convert without a simplifier makes levels by the payload's rule, and says so", async () => {
  const plain = createHandler();
  const body = sample("terrain.payload");
  const refused = await post("/convert?to=glb&build-lods=2", body, plain);
  assertEquals(refused.status, 400);
  assertStringIncludes((await refused.json()).message, "lod-rule=payload");
  const path = "/convert?to=glb&build-lods=2&lod-rule=payload";
  assertEquals((await post(path, body, plain)).status, 200);
});

Deno.test("GET /openapi.json describes every parameter with its values", async () => {
  const response = await handler.fetch(
    new Request("http://localhost/openapi.json"),
  );
  const { paths } = await response.json();
  for (const path of ["/convert", "/batch"]) {
    const parameters: { name: string; schema: Record<string, unknown> }[] =
      paths[path].post.parameters;
    assertEquals(
      parameters.map((p) => p.name).sort(),
      Object.keys(CONVERT_PARAMETERS).sort(),
    );
    const schema = (name: string) =>
      parameters.find((p) => p.name === name)!.schema;
    assertEquals(schema("lenient"), { type: "boolean" });
    assertEquals(schema("tangents"), { enum: ["keep", "rebuild", "drop"] });
    assertEquals(schema("max-influences"), { type: "integer", minimum: 1 });
    assertEquals(schema("scale"), { type: "number", exclusiveMinimum: 0 });
    assert((schema("to").enum as string[]).includes("gltf-json"));
    assert(!(schema("from").enum as string[]).includes("obj"));
  }
});

Deno.test("fetch() names no option of the command line in any message", async () => {
  const sliver = bytesOf(changed((d) => d.faces.push([0, 0, 1, 0])));
  const model = OPTION_CASES.force.files;
  const alone = { "box.mdl": model["box.mdl"] };
  const requests: [path: string, body: BodyInit][] = [
    ["/convert?to=glb", "???"],
    ["/convert?to=glb", new Uint8Array([5, 0, 0, 0, 1, 2])],
    ["/convert?to=glb", ""],
    ["/convert?to=glb&name=a.vtx", "x"],
    ["/convert?to=glb&name=sliver.json", sliver],
    ["/convert?to=css&name=lantern.vvd", sample("lantern.vvd")],
    ["/convert?to=payload", plainGlb(33_000) as Uint8Array<ArrayBuffer>],
    ["/convert?to=glb", zip(alone)],
    ["/convert?to=glb", zip(model)],
    ["/convert?to=glb", zip({ "a.vvd": sliver, "b.vvd": sliver })],
    ["/convert?to=smd&target=source2", sample("figure.payload")],
    ["/convert?to=glb&lods=some", "x"],
    ["/convert?to=glb&bodygroup=hat", "x"],
    ["/convert?to=glb&lod-error=1", "x"],
    ["/convert?to=glb&switch-distances=x&build-lods=2", "x"],
    ["/convert?to=glb&lod=9", sample("lantern.vvd")],
    ["/convert?to=glb&from=vvd", sample("terrain.payload")],
    ["/convert?to=glb&split=maybe", "x"],
    ["/convert?to=glb&to=css", "x"],
    ["/convert?to=glb&lod=1&lod=2", "x"],
    ["/convert?to=mdl", "x"],
    ["/inspect?to=glb", "x"],
    ["/inspect?lod=99", sample("lantern.vvd")],
    ["/validate", sliver],
    ["/validate", zip(model)],
    ["/validate?package-prefix=x", sliver],
    ["/batch?to=glb", "x"],
  ];
  for (const [path, body] of requests) {
    const response = await post(path, body);
    const said = await response.text();
    assert(response.status >= 400 || path.startsWith("/validate"), path);
    assert(!said.includes("--"), `${path}: ${said}`);
    assert(!/stdin|command line/.test(said), `${path}: ${said}`);
  }
  // reports of what was lost, too
  const lossy = await post(
    "/convert?to=obj&force",
    zip(model),
  );
  const report = decodeURIComponent(lossy.headers.get("meshwright-report")!);
  assertStringIncludes(report, "the option bodygroup");
  assert(!report.includes("--"), report);
  const flat = OPTION_CASES.degenerate;
  const rebuilt = await post(
    "/convert?to=glb&tangents=rebuild",
    zip(flat.files),
  );
  const told = decodeURIComponent(rebuilt.headers.get("meshwright-report")!);
  assertStringIncludes(told, "degenerate=repair");
  assert(!told.includes("--"), told);
});

Deno.test("POST /batch names no option of the command line in its report", async () => {
  const body = zip({
    ...OPTION_CASES.force.files,
    "a.vtx": new TextEncoder().encode("x"),
    "b.bin": new TextEncoder().encode("?"),
    "sliver.json": bytesOf(changed((d) => d.faces.push([0, 0, 1, 0]))),
  });
  const response = await post("/batch?to=payload", body);
  const out = unzipSync(new Uint8Array(await response.arrayBuffer()));
  const report = new TextDecoder().decode(out["report.json"]);
  assertEquals(JSON.parse(report).failed, 4);
  assert(!report.includes("--"), report);
});
