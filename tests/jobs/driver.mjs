/**
 * Runs under Node: starts the worker on the real runtime with a local bucket and queues, puts models, posts a job, waits, and
 * writes what it found as JSON. Arguments: folder of the worker, file with the plan.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";

const [folder, planFile, tools] = process.argv.slice(2);
const require = createRequire(`${tools}/package.json`);
const { Miniflare } = await import(
  pathToFileURL(require.resolve("miniflare")).href
);
const plan = JSON.parse(readFileSync(planFile, "utf8"));
const { queues, compatibilityDate } = plan;

const mf = new Miniflare({
  modules: [
    { type: "ESModule", path: `${folder}/cloudflare.js` },
    ...["kernels", "meshopt_decoder", "meshopt_simplifier"].map((name) => ({
      type: "CompiledWasm",
      path: `${folder}/${name}.wasm`,
    })),
  ],
  modulesRoot: folder,
  compatibilityDate,
  bindings: { DEADLY: String(plan.deadly), JOBS_TOKEN: plan.token },
  r2Buckets: ["MODELS"],
  queueProducers: { JOBS: queues.producer },
  queueConsumers: queues.consumers,
  handleRuntimeStdio(stdout, stderr) {
    // the runtime tells of every killed consumer
    stdout.resume();
    stderr.resume();
  },
  log: undefined,
});

const wait = (ms) => new Promise((go) => setTimeout(go, ms));
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

const known = { authorization: `Bearer ${plan.token}` };

async function answer(path, init) {
  const response = await mf.dispatchFetch(`http://localhost${path}`, init);
  return { status: response.status, body: await response.json() };
}

function post(manifest, headers = known) {
  const body = JSON.stringify(manifest);
  return answer("/jobs", { method: "POST", body, headers });
}

function progress(id, headers = known) {
  return answer(`/jobs/${id}`, { headers });
}

/** Waits for a job; the last answer. */
async function done(id) {
  const end = Date.now() + plan.seconds * 1000;
  for (;;) {
    const { body } = await progress(id);
    if (body.done || Date.now() > end) return body;
    await wait(100);
  }
}

async function look(path, parameters) {
  const query = new URLSearchParams(parameters);
  return await mf.dispatchFetch(`http://localhost/test/${path}?${query}`);
}

async function bytesOf(key) {
  return new Uint8Array(await (await look("object", { key })).arrayBuffer());
}

/** Every object below a prefix: hash, and when it was stored. */
async function stored(prefix) {
  const out = {};
  let cursor;
  do {
    const page = await (await look("list", {
      prefix,
      ...(cursor ? { cursor } : {}),
    })).json();
    for (const { key, uploaded, version } of page.objects) {
      out[key] = { sha256: sha256(await bytesOf(key)), uploaded, version };
    }
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor);
  return out;
}

try {
  await mf.ready;
} catch (error) {
  console.log(JSON.stringify({ failedToStart: String(error) }));
  process.exit(0);
}
try {
  const bucket = await mf.getR2Bucket("MODELS");
  for (const [key, file] of Object.entries(plan.objects)) {
    await bucket.put(key, new Uint8Array(readFileSync(file)));
  }
  const refused = [];
  for (const manifest of plan.refused) refused.push(await post(manifest));
  const nobody = "00000000-0000-0000-0000-000000000000";
  const stranger = [
    await post(plan.manifest, {}),
    await post(plan.manifest, { authorization: `Bearer ${nobody}` }),
    await progress(nobody, { authorization: plan.token }),
  ];
  const posted = await post(plan.manifest);
  const first = await done(posted.body.id);
  const results = await stored("out/");
  // messages that were delivered twice may still be on their way
  await wait(plan.settle);
  const later = await stored("out/");
  // some of the same job again, and what was given up: nothing is converted a second time
  const dead = new Set(first.deadLetters.map(({ key }) => key));
  const again = await post({
    ...plan.manifest,
    objects: plan.manifest.objects.filter(({ key }, i) =>
      i < 10 || key.startsWith("in/many/") || dead.has(key)
    ),
  });
  const second = await done(again.body.id);
  const end = await stored("out/");
  const reports = {};
  for (
    const key of Object.keys(
      await stored(`jobs/${posted.body.id}/reports/`),
    )
  ) {
    reports[key] = JSON.parse(new TextDecoder().decode(await bytesOf(key)));
  }
  console.log(JSON.stringify({
    refused,
    stranger,
    posted,
    first,
    again,
    second,
    results,
    later,
    end,
    reports: Object.values(reports),
    unknown: await progress(nobody),
    kills: await (await mf.dispatchFetch("http://localhost/kills")).json(),
    healthy: (await mf.dispatchFetch("http://localhost/healthz")).status,
  }));
} finally {
  await mf.dispose();
}
