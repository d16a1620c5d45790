import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { unzipSync } from "fflate";
import { createHandler } from "../../src/edge/mod.ts";
import { convert } from "../../src/convert/convert.ts";
import { kernelMemoryBytes } from "../../src/kernels/mod.ts";
import { plainGltf } from "../cli/plain_gltf.ts";
import { corpusBytes, corpusTest } from "../corpus.ts";
import { zip } from "./mixed.ts";

const sample = (name: string) =>
  Deno.readFileSync(new URL(`../../samples/${name}`, import.meta.url));
const NAMES = ["lantern.vvd", "terrain.payload", "figure.payload"];
const handler = createHandler();

function post(
  path: string,
  body: BodyInit,
  headers: Record<string, string> = {},
): Promise<Response> {
  return handler.fetch(
    new Request(`http://localhost${path}`, { method: "POST", body, headers }),
  );
}

const bytesOf = async (r: Response) => new Uint8Array(await r.arrayBuffer());

Deno.test("POST /convert gives the bytes of the library and a report", async () => {
  for (const name of NAMES) {
    const r = await post(`/convert?to=glb&name=${name}`, sample(name));
    assertEquals(r.status, 200);
    assertEquals(r.headers.get("content-type"), "model/gltf-binary");
    const report = JSON.parse(
      decodeURIComponent(r.headers.get("meshwright-report")!),
    );
    assertEquals(report.to, "gltf");
    const { outputs } = await convert(sample(name), { to: "gltf", name });
    assertEquals(await bytesOf(r), outputs[0]);
  }
});

Deno.test("POST /convert takes a file in a zip or in a form", async () => {
  const want = await bytesOf(
    await post("/convert?to=glb", sample("figure.payload")),
  );
  const zipped = await post(
    "/convert?to=glb",
    zip({ "figure.payload": sample("figure.payload") }),
  );
  assertEquals(await bytesOf(zipped), want);
  const form = new FormData();
  form.set("file", new File([sample("figure.payload")], "figure.payload"));
  assertEquals(await bytesOf(await post("/convert?to=glb", form)), want);
});

Deno.test("POST /convert and /batch read a glTF whose buffer lies beside it in the zip", async () => {
  const { json, bin } = plainGltf(4, "my%20data.bin");
  const set = {
    "set/strip.gltf": new TextEncoder().encode(json),
    "set/my data.bin": bin,
  };
  const { outputs: [want] } = await convert(set["set/strip.gltf"], {
    to: "payload",
    resources: { "my%20data.bin": bin },
  });
  const one = await post("/convert?to=payload", zip(set));
  assertEquals(one.status, 200);
  assertEquals(await bytesOf(one), want);
  const all = unzipSync(
    await bytesOf(await post("/batch?to=payload", zip(set))),
  );
  assertEquals(Object.keys(all).sort(), ["report.json", "set/strip.payload"]);
  assertEquals(all["set/strip.payload"], want);
});

Deno.test("POST /convert and /batch give every file when the target is several", async () => {
  const name = "figure.payload";
  const body = zip({ "a/figure.payload": sample(name) });
  for (
    const [to, files] of [
      ["obj", ["figure.obj", "figure.mtl"]],
      ["smd", ["figure.smd", "figure_lod1.smd", "figure.vta"]],
    ] as const
  ) {
    const { outputs } = await convert(sample(name), {
      to,
      name,
      outName: "figure",
    });
    const one = await post(`/convert?to=${to}&name=${name}`, sample(name));
    assertEquals(one.headers.get("content-type"), "application/zip");
    const got = unzipSync(await bytesOf(one));
    assertEquals(Object.keys(got).sort(), [...files].sort());
    files.forEach((file, i) => assertEquals(got[file], outputs[i], file));
    const { "report.json": text, ...all } = unzipSync(
      await bytesOf(await post(`/batch?to=${to}`, body)),
    );
    assertEquals(
      all,
      Object.fromEntries(files.map((file) => [`a/${file}`, got[file]])),
    );
    const report = JSON.parse(new TextDecoder().decode(text));
    assertEquals(report.results[0].outputs, files.map((f) => `a/${f}`));
  }
});

Deno.test("POST /convert takes the command line's options by their names", async () => {
  const name = "terrain.payload";
  const same = async (query: string, options: object) => {
    const { outputs } = await convert(sample(name), {
      to: "gltf",
      name,
      ...options,
    });
    const response = await post(
      `/convert?to=glb&name=${name}&${query}`,
      sample(name),
    );
    assertEquals(await bytesOf(response), outputs[0], query);
  };
  await same("lods=0", { lods: 0 });
  await same("lods=all", {});
  await same("tangents=rebuild&mode=reference", {
    tangents: "rebuild",
    tangentMode: "reference",
  });
  await same("basis=blender&scale=2", { basis: "blender", scale: 2 });
  await same("split", { split: true });
  await same("split=false", {});
  assertEquals(
    (await post("/convert?to=glb&split=maybe", sample(name))).status,
    400,
  );
});

Deno.test("POST /batch leaves out what waits for the rest of its model beyond the limit", async () => {
  const small = createHandler({ request: { maxHeldBytes: 40_000 } });
  const body = zip({
    "a.vvd": sample("lantern.vvd"),
    "b.vvd": sample("lantern.vvd"),
    "figure.payload": sample("figure.payload"),
  });
  const response = await small.fetch(
    new Request("http://localhost/batch?to=glb", { method: "POST", body }),
  );
  const out = unzipSync(await bytesOf(response));
  assertEquals(Object.keys(out).sort(), ["a.glb", "figure.glb", "report.json"]);
  const report = JSON.parse(new TextDecoder().decode(out["report.json"]));
  assertStringIncludes(report.results[0].message, "another batch");
});

corpusTest(
  "POST /convert and /batch decode a compressed glTF when they are given the codecs",
  async () => {
    const { default: server } = await import("../../edge/deno.ts");
    const send = (path: string, body: BodyInit) =>
      server.fetch(
        new Request(`http://localhost${path}`, { method: "POST", body }),
      );
    const box = corpusBytes(
      "gltf/gltf-transform/extensions/test/in/BoxMeshopt.glb",
    );
    const refused = await post("/convert?to=payload", box);
    assertEquals(refused.status, 422);
    assertEquals((await refused.json()).findings[0].code, "GLTF-UNSUPPORTED");
    const one = await send("/convert?to=payload", box);
    assertEquals(one.status, 200);
    const all = unzipSync(
      await bytesOf(await send("/batch?to=payload", zip({ "box.glb": box }))),
    );
    assertEquals(all["box.payload"], await bytesOf(one));
  },
);

Deno.test("POST /inspect and /validate answer as the command line does", async () => {
  const inspected = await (await post(
    "/inspect?name=lantern.vvd",
    sample("lantern.vvd"),
  )).json();
  assertEquals(inspected.schema, "meshwright/inspect/1");
  assertEquals(inspected.file, "lantern.vvd");
  assertEquals(inspected.vvd.fixups.length, 6);
  const cut = sample("lantern.vvd").subarray(0, 1000);
  const judged = await post("/validate", cut);
  assertEquals(judged.status, 422);
  const body = await judged.json();
  assertEquals(body.ok, false);
  assertEquals(body.findings[0].code, "VVD-RANGE");
  assertEquals((await post("/validate", sample("lantern.vvd"))).status, 200);
});

Deno.test("GET /formats, /openapi.json and /healthz answer", async () => {
  const get = (path: string) =>
    handler.fetch(new Request(`http://localhost${path}`));
  assert((await (await get("/formats")).json()).length >= 5);
  assertEquals((await (await get("/healthz")).json()).ok, true);
  const api = await (await get("/openapi.json")).json();
  for (const path of ["/convert", "/batch", "/inspect", "/validate"]) {
    assert(api.paths[path].post, path);
  }
});

Deno.test("fetch() answers wrong requests with a 4xx and what to do", async () => {
  const cases: [string, RequestInit, number, string][] = [
    ["/nothing", {}, 404, "/convert"],
    ["/convert", {}, 405, "POST"],
    ["/convert", { method: "POST", body: "x" }, 400, "to="],
    ["/convert?to=pdf", { method: "POST", body: "x" }, 400, "gltf"],
    ["/convert?to=glb&bogus=1", { method: "POST", body: "x" }, 400, "bogus"],
    ["/convert?to=glb&lod=x", { method: "POST", body: "x" }, 400, "lod"],
    ["/convert?to=glb&lod=-1", { method: "POST", body: "x" }, 400, "lod"],
    [
      "/convert?to=glb&tangents=x",
      { method: "POST", body: "x" },
      400,
      "tangents",
    ],
    ["/convert?to=glb", { method: "POST", body: "???" }, 415, "format"],
    ["/convert?to=glb&from=vvd", { method: "POST", body: "IDSV" }, 422, "file"],
    ["/convert?to=glb", { method: "POST" }, 415, "empty"],
    ["/batch?to=glb", { method: "POST", body: "no zip" }, 400, "zip"],
    ["/batch?to=glb", { method: "POST" }, 400, "empty"],
  ];
  for (const [path, init, status, word] of cases) {
    const r = await handler.fetch(new Request(`http://localhost${path}`, init));
    assertEquals(r.status, status, path);
    assertEquals(r.headers.get("allow"), status === 405 ? "POST" : null);
    const body = await r.json();
    assertEquals(body.schema, "meshwright/error/1");
    assertStringIncludes(JSON.stringify(body), word);
  }
});

Deno.test("POST /batch converts every file, reports each and gives the same bytes twice", async () => {
  const input = zip({
    "a/lantern.vvd": sample("lantern.vvd"),
    "terrain.payload": sample("terrain.payload"),
    "broken.vvd": sample("lantern.vvd").subarray(0, 500),
    "notes.txt": new TextEncoder().encode("hello"),
    "figure.payload": sample("figure.payload"),
  });
  const run = async () => await bytesOf(await post("/batch?to=glb", input));
  const first = await run();
  assertEquals(await run(), first);
  const out = unzipSync(first);
  assertEquals(Object.keys(out).sort(), [
    "a/lantern.glb",
    "figure.glb",
    "report.json",
    "terrain.glb",
  ]);
  for (const name of NAMES) {
    const { outputs } = await convert(sample(name), { to: "gltf", name });
    const entry = Object.keys(out).find((k) =>
      k.endsWith(name.replace(/\.\w+$/, ".glb"))
    )!;
    assertEquals(out[entry], outputs[0]);
  }
  const report = JSON.parse(new TextDecoder().decode(out["report.json"]));
  assertEquals([report.files, report.failed], [5, 2]);
  const broken = report.results.find((r: { in: string }) =>
    r.in === "broken.vvd"
  );
  assertEquals(broken.findings[0].code, "VVD-RANGE");
});

Deno.test("POST /batch leaves out names that lead elsewhere and outputs that collide", async () => {
  const r = await post(
    "/batch?to=glb",
    zip({
      "../up.payload": sample("figure.payload"),
      "/root.payload": sample("figure.payload"),
      "c:/x.payload": sample("figure.payload"),
      "same.payload": sample("figure.payload"),
      "same.bin": sample("figure.payload"),
    }),
  );
  const out = unzipSync(await bytesOf(r));
  assertEquals(Object.keys(out).sort(), ["report.json", "same.glb"]);
  const report = JSON.parse(new TextDecoder().decode(out["report.json"]));
  assertEquals(report.failed, 4);
});

Deno.test("POST /batch holds its limits against bombs", async () => {
  const small = createHandler({
    request: {
      maxEntries: 4,
      maxEntryBytes: 100_000,
      maxTotalBytes: 300_000,
      maxBodyBytes: 200_000,
    },
  });
  const send = (body: Uint8Array<ArrayBuffer>) =>
    small.fetch(
      new Request("http://localhost/batch?to=glb", { method: "POST", body }),
    );
  const zeros = new Uint8Array(20_000_000);
  const one = await send(zip({ "bomb.vvd": zeros }));
  assertEquals(one.status, 413);
  await one.body?.cancel();
  const modest = await send(zip({ "large.vvd": zeros.subarray(0, 150_000) }));
  assertEquals(modest.status, 200);
  const report = JSON.parse(
    new TextDecoder().decode(
      unzipSync(await bytesOf(modest))["report.json"],
    ),
  );
  assertStringIncludes(report.results[0].message, "100000");
  const many = Object.fromEntries(
    Array.from({ length: 9 }, (_, i) => [`${i}.vvd`, new Uint8Array(4)]),
  );
  const crowd = await send(zip(many));
  assert(crowd.status === 413, String(crowd.status));
  await crowd.body?.cancel();
  const heavy = await send(
    new Uint8Array(250_000) as Uint8Array<ArrayBuffer>,
  );
  assertEquals(heavy.status, 413);
});

Deno.test("POST /batch refuses an entry that declares gigabytes", async () => {
  const body = zip({ "big.vvd": new Uint8Array(100) });
  // the local header's unpacked size stands at byte 22, and in the central directory
  new DataView(body.buffer).setUint32(22, 5_000_000_000 % 2 ** 32, true);
  const r = await post("/batch?to=glb", body);
  const out = unzipSync(await bytesOf(r), {
    filter: (f) => f.name === "report.json",
  });
  const report = JSON.parse(new TextDecoder().decode(out["report.json"]));
  assertStringIncludes(report.results[0].message, "unpacks to");
});

Deno.test("fetch() serves 200 mixed requests, eight at once, with steady memory", async () => {
  const bad = sample("lantern.vvd").subarray(0, 777);
  const kinds: [string, () => BodyInit, number][] = [
    ["/convert?to=glb", () => sample("lantern.vvd"), 200],
    ["/convert?to=payload", () => sample("lantern.vvd"), 200],
    ["/inspect", () => sample("figure.payload"), 200],
    ["/validate", () => bad, 422],
    ["/convert?to=glb", () => bad, 422],
    [
      "/batch?to=glb",
      () => zip({ "f.payload": sample("figure.payload") }),
      200,
    ],
    ["/convert?to=nothing", () => "x", 400],
  ];
  let next = 0;
  const first = new Map<number, string>();
  const memory: number[] = [];
  const worker = async () => {
    while (next < 200) {
      const kind = next++ % kinds.length;
      const [path, body, status] = kinds[kind];
      const r = await post(path, body());
      assertEquals(r.status, status, path);
      const text = (await bytesOf(r)).join();
      if (!first.has(kind)) first.set(kind, text);
      assertEquals(text === first.get(kind), true, path);
      memory.push(kernelMemoryBytes());
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  assertEquals(memory.at(-1), memory[20], "kernel memory stays the same");
});

Deno.test("POST /batch stops working when the client goes away", async () => {
  const files = Object.fromEntries(
    Array.from(
      { length: 50 },
      (_, i) => [`${i}.payload`, sample("figure.payload")],
    ),
  );
  const r = await post("/batch?to=glb", zip(files));
  const reader = r.body!.getReader();
  await reader.read();
  await reader.cancel();
  assertEquals((await reader.read()).done, true);
});

Deno.test("POST /inspect and /validate answer an unknown or unsupported format with the same status", async () => {
  for (
    const [name, body, status] of [
      ["", '{"tasks": {}}', 415],
      ["a.bin", "hello", 415],
      ["a.obj", "o cube", 415],
    ] as const
  ) {
    for (const path of ["inspect", "validate"]) {
      const response = await post(`/${path}?name=${name}`, body);
      await response.body?.cancel();
      assertEquals(response.status, status, `${path} ${name}`);
    }
  }
});

Deno.test("POST /convert names the words of to and of a switch that it takes", async () => {
  const said = async (query: string) =>
    (await (await post(`/convert?${query}`, "x")).json()).message;
  assertEquals(
    await said("to=xx"),
    'Give to one of vvd, payload, gltf, glb, gltf-json, css, obj, smd: found "xx"',
  );
  assertEquals(
    await said("to=glb&split=maybe"),
    'Give split 1 or true or 0 or false: found "maybe"',
  );
});
