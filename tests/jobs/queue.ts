/**
 * Jobs on the real runtime of Cloudflare Workers, with its local bucket and queues, through `driver.mjs`.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { convert, type ConvertOptions } from "../../src/convert/convert.ts";
import type { Report } from "../../edge/jobs.ts";
import { sample, triangle } from "../batch/batches.ts";
import { plainGlb } from "../cli/plain_gltf.ts";
import { findProgram } from "../runtimes/programs.ts";

const root = new URL("../../", import.meta.url);
const tools = new URL("tools/", root).pathname;

/** What wrangler.jsonc says about queues. */
interface Wrangler {
  compatibility_date: string;
  queues: {
    producers: { binding: string; queue: string }[];
    consumers: {
      queue: string;
      max_batch_size: number;
      max_batch_timeout: number;
      max_retries: number;
      dead_letter_queue?: string;
    }[];
  };
}

/** The deployed configuration: comments stand on lines of their own. */
export function wrangler(): Wrangler {
  const text = Deno.readTextFileSync(new URL("edge/wrangler.jsonc", root));
  return JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, ""));
}

/** Why the tests can not run here, or null. */
export function missing(): string | null {
  if (findProgram("node") === undefined) return "Node is not installed";
  try {
    Deno.statSync(`${tools}node_modules/miniflare`);
    return null;
  } catch {
    return "miniflare is not installed: npm ci --prefix tools";
  }
}

interface Stored {
  sha256: string;
  uploaded: string;
  version: string;
}
interface Progress {
  objects: number;
  waiting: number;
  ok: number;
  dead: number;
  done: boolean;
  deadLetters: { key: string; code: string; message: string }[];
}
interface Answer<Body> {
  status: number;
  body: Body;
}
interface Found {
  failedToStart?: string;
  stranger: Answer<{ message: string }>[];
  refused: Answer<{ message: string }>[];
  posted: Answer<{ id: string; objects: number }>;
  again: Answer<{ id: string; objects: number }>;
  first: Progress;
  second: Progress;
  results: Record<string, Stored>;
  later: Record<string, Stored>;
  end: Record<string, Stored>;
  reports: Report[];
  unknown: Answer<unknown>;
  kills: number;
  healthy: number;
}

const hex = async (bytes: Uint8Array) =>
  new Uint8Array(
    await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>),
  ).toHex();

async function command(program: string, args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args,
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  assert(success, `${program}: ${text.decode(stderr)}`);
  return text.decode(stdout);
}

/** Models whose targets are several files. */
const MANIFOLD: readonly {
  key: string;
  bytes: () => Uint8Array;
  options: ConvertOptions;
  /** Names of the files, beside the first one. */
  files: readonly string[];
}[] = [
  {
    key: "in/many/figure.payload",
    bytes: () => sample("figure.payload"),
    options: { to: "smd" },
    files: ["figure.smd", "figure_lod1.smd", "figure.vta"],
  },
  {
    key: "in/many/terrain.payload",
    bytes: () => sample("terrain.payload"),
    options: { to: "obj" },
    files: ["terrain.obj", "terrain.mtl"],
  },
  {
    key: "in/many/strip.glb",
    bytes: () => plainGlb(33_000),
    options: { to: "payload", split: true },
    files: ["strip.0.payload", "strip.1.payload"],
  },
];

/** Converts models by a job whose consumer is killed and whose messages come twice, and judges what is left. */
export async function jobOnTheRuntime(
  o: { models: number; deadly: number; seconds: number },
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "meshwright_jobs_" });
  try {
    await command(Deno.execPath(), [
      ...["run", "--no-prompt", "--allow-read", `--allow-write=${folder}`],
      ...[new URL("scripts/bundle_worker.ts", root).pathname],
      ...["--out", folder, "--entry", "tests/jobs/worker.ts"],
    ]);
    const files: Record<string, string> = {};
    const want: Record<string, string> = {};
    const list: { key: string; to?: string; split?: boolean }[] = [];
    const put = (
      key: string,
      bytes: Uint8Array,
      options: Partial<ConvertOptions> = {},
    ) => {
      const file = `${folder}/${list.length}`;
      Deno.writeFileSync(file, bytes);
      files[key] = file;
      list.push({ key, ...options });
    };
    for (let i = 0; i < o.models; i++) {
      const [key, bytes] = [`in/${i % 5}/${i}.payload`, triangle(i)];
      put(key, bytes);
      const { outputs } = await convert(bytes, { to: "gltf", name: key });
      want[`out/${key.replace("payload", "glb")}`] = await hex(outputs[0]);
    }
    for (const { key, bytes, options, files } of MANIFOLD) {
      put(key, bytes(), options);
      const { outputs } = await convert(bytes(), {
        ...options,
        name: key,
        outName: files[0].replace(/\..*/, ""),
      });
      assertEquals(outputs.length, files.length);
      for (const [i, file] of files.entries()) {
        want[`out/in/many/${file}`] = await hex(outputs[i]);
      }
    }
    const good = o.models + MANIFOLD.length;
    put("in/bad.vvd", new Uint8Array(100));
    put("in/cut.payload", triangle(1).subarray(0, 60));
    list.push({ key: "in/missing.payload" });
    const bad = ["in/bad.vvd", "in/cut.payload", "in/missing.payload"];

    const { compatibility_date, queues } = wrangler();
    const consumers = queues.consumers.map((c) => [c.queue, {
      maxBatchSize: c.max_batch_size,
      // seconds of waiting are the deployment's, not the test's
      maxBatchTimeout: 0,
      maxRetries: c.max_retries,
      retryDelay: 0,
      ...(c.dead_letter_queue ? { deadLetterQueue: c.dead_letter_queue } : {}),
    }]);
    const plan = {
      compatibilityDate: compatibility_date,
      queues: {
        producer: queues.producers[0].queue,
        consumers: Object.fromEntries(consumers),
      },
      deadly: o.deadly,
      token: crypto.randomUUID(),
      seconds: o.seconds,
      settle: 500,
      objects: files,
      manifest: { objects: list, to: "glb", out: "out/" },
      refused: [
        { objects: [] },
        { objects: [{ key: "a.vvd" }] },
        { objects: [{ key: "../a.vvd" }], to: "glb" },
        { objects: [{ key: "a.vvd", lood: 1 }], to: "glb" },
        { objects: [{ key: "a.vvd" }, { key: "a.payload" }], to: "glb" },
        { objects: [{ key: "a.vvd" }], to: "glb", out: "jobs/" },
        {
          objects: [{ key: "a.payload" }, { key: "a_lod1.payload" }],
          to: "smd",
        },
      ],
    };
    Deno.writeTextFileSync(`${folder}/plan.json`, JSON.stringify(plan));
    const found: Found = JSON.parse(
      await command(findProgram("node")!, [
        new URL("driver.mjs", import.meta.url).pathname,
        ...[folder, `${folder}/plan.json`, tools],
      ]),
    );
    if (found.failedToStart !== undefined) {
      console.log(
        `NOT TESTED, the runtime does not start: ${found.failedToStart}`,
      );
      return;
    }

    assertEquals(
      found.refused.map((r) => r.status),
      plan.refused.map(() => 400),
    );
    assertStringIncludes(found.refused[4].body.message, "objects/1: Rename it");
    assertStringIncludes(found.refused[6].body.message, "objects/1: Rename it");
    assertEquals(found.stranger.map((r) => r.status), [401, 401, 401]);
    assertEquals([found.unknown.status, found.healthy], [404, 200]);
    assertEquals(found.posted.status, 202);
    assertEquals(found.posted.body.objects, good + bad.length);

    const { first, second, results, later, end } = found;
    console.log(
      `${found.kills} consumers killed, ${first.deadLetters.length} dead letters`,
    );
    assert(found.kills >= o.models / 20, `${found.kills} kills`);
    assert(first.done, `${first.waiting} of ${first.objects} are waiting`);
    // some may have died of being killed too often: then with that reason, and never without a result or a letter
    const killed = first.deadLetters.filter(({ key }) => !bad.includes(key));
    for (const { message } of killed) {
      assertStringIncludes(message, "broke down every time");
    }
    assertEquals(first.ok + killed.length, good);
    assert(killed.length <= good / 10, `${killed.length} killed`);
    assertEquals(
      first.deadLetters.filter(({ key }) => bad.includes(key))
        .map(({ key, code }) => [key, code]),
      [
        ["in/bad.vvd", "VVD-ZERO"],
        ["in/cut.payload", "PAYLOAD-TRUNCATED"],
        ["in/missing.payload", "FILE-READ"],
      ],
    );
    for (const { message } of first.deadLetters) assert(message.length > 20);

    const hashes = (all: Record<string, Stored>) =>
      Object.fromEntries(Object.entries(all).map(([k, v]) => [k, v.sha256]));
    for (const [key, { sha256 }] of Object.entries(results)) {
      assertEquals(sha256, want[key], key);
    }
    for (const report of found.reports) {
      if (report.status !== "ok") continue;
      assertEquals(report.sha256.out, want[report.out], report.key);
      const many = MANIFOLD.find(({ key }) => key === report.key);
      assertEquals(
        report.outputs?.map(({ key, sha256 }) => [key, sha256]),
        many?.files.map((file) => {
          const key = `out/in/many/${file}`;
          return [key, want[key]];
        }),
        report.key,
      );
    }
    // neither late messages nor a second job store a result again
    for (const [key, { version }] of Object.entries(results)) {
      assertEquals(later[key].version, version, key);
      assertEquals(end[key].version, version, key);
    }
    assert(second.done);
    assertEquals(
      hashes(end),
      want,
      "after the second job every model is there",
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
