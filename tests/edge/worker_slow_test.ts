/**
 * The worker for Cloudflare as it is deployed, in workerd: compressed glTF and new levels of detail, for which Workers take
 * WebAssembly as modules only.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { sample } from "../batch/batches.ts";
import { corpusBytes, hasCorpus } from "../corpus.ts";
import { findProgram } from "../runtimes/programs.ts";
import { serveWorker } from "../runtimes/workerd.ts";
import { byCommand, hashes, type OptionCase } from "./option_cases.ts";

const root = new URL("../../", import.meta.url);
const workerd = findProgram("workerd");
const FILES = [
  "cloudflare.js",
  "kernels.wasm",
  "meshopt_decoder.wasm",
  "meshopt_simplifier.wasm",
];

async function bundled(folder: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-prompt", "--allow-read", `--allow-write=${folder}`],
      ...[new URL("scripts/bundle_worker.ts", root).pathname, "--out", folder],
    ],
  }).output();
  assert(success, new TextDecoder().decode(stderr));
}

const missing = [workerd ? "" : "workerd", hasCorpus ? "" : "the corpus"]
  .filter((name) => name);

Deno.test({
  name:
    "the worker decodes a compressed glTF and makes levels of detail with the command line's bytes in workerd" +
    (missing.length > 0 ? ` [SKIPPED: not here: ${missing.join(", ")}]` : ""),
  ignore: missing.length > 0,
  async fn() {
    const folder = await Deno.makeTempDir({ prefix: "meshwright_worker_" });
    try {
      await bundled(folder);
      const place = new URL(`file://${folder}/`);
      await serveWorker(workerd!, place, { worker: FILES }, async (ports) => {
        const send = (query: string, body: BodyInit) =>
          fetch(`http://127.0.0.1:${ports.get("worker")}/convert?${query}`, {
            method: "POST",
            body,
          });
        const box = corpusBytes(
          "gltf/gltf-transform/extensions/test/in/BoxMeshopt.glb",
        );
        const cases: OptionCase[] = [
          { files: { "box.glb": box }, to: "payload", options: {} },
          {
            files: { "terrain.payload": sample("terrain.payload") },
            to: "glb",
            options: { "build-lods": "0.5,0.25" },
          },
        ];
        for (const one of cases) {
          const [[name, bytes]] = Object.entries(one.files);
          const out = name.replace(/\..*/, `.${one.to}`);
          const query = { to: one.to, name, ...one.options };
          const response = await send(
            String(new URLSearchParams(query as Record<string, string>)),
            bytes,
          );
          const made = new Uint8Array(await response.arrayBuffer());
          assertEquals(
            [response.status, await hashes({ [out]: made })],
            [200, await byCommand(one)],
          );
        }
        const draco = JSON.stringify({
          asset: { version: "2.0" },
          extensionsUsed: ["KHR_draco_mesh_compression"],
          extensionsRequired: ["KHR_draco_mesh_compression"],
        });
        const refused = await send("to=payload", draco);
        assertEquals(refused.status, 422);
        assertStringIncludes(
          (await refused.json()).message,
          "KHR_draco_mesh_compression",
        );
      });
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
