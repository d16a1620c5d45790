/**
 * Conversions of many models on Cloudflare: one message a model on a queue, models and results in R2.
 *
 * `POST /jobs` records the job and sends the messages; the consumer converts; `GET /jobs/ID` counts the reports. A message may
 * come twice, and a consumer may die at any point: a result carries the hash of everything that it was made from, so that it
 * is made once, and a report is the same whoever writes it. Where a target is several files (an OBJ with its materials, an
 * SMD with its levels, the parts of a payload), all of them are written, the one that lists the others last. A model that can not be converted is a dead letter at once, for
 * trying again would not mend it; anything else is tried again, and the queue's dead letter queue has a consumer that writes
 * down the reason.
 *
 * With `JOBS_TOKEN` set, both requests need `Authorization: Bearer TOKEN`.
 *
 * Everything of a job is below `jobs/ID/`: `job.json`, `reports/000000.json` and, while something fails, `trouble/`.
 *
 * @module
 */
import {
  convert,
  type Converted,
  type ConvertOptions,
} from "../src/convert/convert.ts";
import { meshoptFor, simplifierFor } from "../src/convert/meshopt.ts";
import {
  outputPaths,
  partPath,
  stemName,
  withExtension,
} from "../src/convert/output_paths.ts";
import { type FileReader, readSet } from "../src/convert/read_set.ts";
import { MeshError, meshError } from "../src/core/errors.ts";
import { sha256 } from "../src/core/hash.ts";
import { EDGE_LIMITS } from "../src/core/limits.ts";
import { VERSION } from "../src/core/version.ts";
import { errorResponse, json, RequestError } from "../src/edge/answers.ts";
import { bodyBytes } from "../src/edge/body.ts";
import { convertParameters } from "../src/edge/query.ts";
import type {
  Bucket,
  BucketObject,
  Environment,
  Message,
  MessageBatch,
  Task,
} from "./bindings.ts";

/** Most models of one job: Workers may send a thousand requests to R2 and Queues for one of ours, a hundred models each. */
const MAX_OBJECTS = 10_000;
/** Largest body of `POST /jobs`. */
const MAX_BODY_BYTES = 4 * 2 ** 20;
/** Messages that Queues takes at once: a hundred, and 256 kB in all. */
const SEND_AT_ONCE = 100;
const SEND_BYTES = 200_000;
/** The name of a part or a level: what stands before and behind its number is the name of the whole. */
const PART = /(?:\.\d+|_lod\d+)(\.[^./]+)$/;
/** Dead letters that `GET /jobs/ID` shows with their reasons. */
const SHOWN_LETTERS = 100;

/** One file of a result. */
export interface Output {
  /** Its key. */
  key: string;
  /** Its SHA-256. */
  sha256: string;
  /** Its size. */
  bytes: number;
}

/** What became of one model. */
export interface Report {
  /** Names this shape. */
  schema: "meshwright/job-report/1";
  /** Key of the input. */
  key: string;
  /** Key of the output, of its first file where there are several. */
  out: string;
  /** `dead` was given up. */
  status: "ok" | "dead";
  /** SHA-256 of input and output; null for what was not read or not written. */
  sha256: { in: string | null; out: string | null };
  /** Sizes, likewise; of all outputs together. */
  bytes: { in: number | null; out: number | null };
  /** Every file of the output, where there are several. */
  outputs?: Output[];
  /** Entries of the loss report. */
  losses: number;
  /** Why it was given up. */
  error: { code: string; message: string } | null;
}

interface Job {
  schema: "meshwright/job/1";
  id: string;
  objects: Omit<Task, "job" | "index">[];
}

const encoder = new TextEncoder();

const numbered = (i: number) => String(i).padStart(6, "0");
const reportKey = (task: Task) =>
  `jobs/${task.job}/reports/${numbered(task.index)}.json`;
const troubleKey = (task: Task) =>
  `jobs/${task.job}/trouble/${numbered(task.index)}.json`;

async function putJson(
  bucket: Bucket,
  key: string,
  value: unknown,
  customMetadata: Record<string, string> = {},
): Promise<void> {
  await bucket.put(key, JSON.stringify(value), {
    customMetadata,
    httpMetadata: { contentType: "application/json" },
  });
}

async function getJson<T>(bucket: Bucket, key: string): Promise<T | null> {
  const object = await bucket.get(key);
  if (!object) return null;
  return JSON.parse(new TextDecoder().decode(await object.arrayBuffer()));
}

/** All objects below a prefix, page after page. */
async function* objects(
  bucket: Bucket,
  options: Parameters<Bucket["list"]>[0],
): AsyncGenerator<BucketObject> {
  let cursor: string | undefined;
  do {
    const page = await bucket.list({
      ...options,
      ...(cursor ? { cursor } : {}),
    });
    yield* page.objects;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor);
}

/** R2 as the file system from which a model is read with the files beside it. */
function bucketReader(bucket: Bucket): FileReader {
  let left = EDGE_LIMITS.maxInputBytes;
  return {
    async read(key, maxBytes) {
      const object = await bucket.get(key);
      if (!object) {
        throw meshError("FILE-READ", `Put the object there: no ${key}`, {
          path: key,
        });
      }
      if (object.size > Math.min(left, maxBytes)) {
        throw meshError(
          "LIMIT-EXCEEDED",
          `Convert ${key} on a machine: with what belongs to it, it passes the ${EDGE_LIMITS.maxInputBytes} bytes that a worker holds`,
          { path: key, found: object.size, allowed: left },
        );
      }
      left -= object.size;
      return new Uint8Array(await object.arrayBuffer());
    },
    async look(key) {
      return await bucket.head(key) ? "file" : null;
    },
    async list(folder) {
      const names: string[] = [];
      const options = { prefix: folder, delimiter: "/" };
      for await (const { key } of objects(bucket, options)) {
        names.push(key.slice(folder.length));
      }
      return names;
    },
  };
}

/** A key of R2 that stands for a file. */
function isKey(value: unknown): value is string {
  return typeof value === "string" && value !== "" &&
    encoder.encode(value).length <= 1024 && !value.endsWith("/") &&
    !value.split("/").includes("..");
}

function optionsOf(texts: Record<string, string>): ConvertOptions {
  return convertParameters(new URLSearchParams(texts), EDGE_LIMITS);
}

/** The models of a job, checked, each with its output and options. */
function jobObjects(body: unknown): Job["objects"] {
  const { objects, out = "", ...shared } = body as Record<string, unknown>;
  if (!Array.isArray(objects) || objects.length === 0) {
    throw new RequestError(400, 'Send {"objects": [{"key": …}, …], "to": …}');
  }
  if (objects.length > MAX_OBJECTS) {
    throw new RequestError(
      413,
      `Send at most ${MAX_OBJECTS} objects in one job: found ${objects.length}`,
    );
  }
  if (typeof out !== "string" || out.startsWith("jobs/")) {
    throw new RequestError(400, "Give out a prefix that is not below jobs/");
  }
  const taken = new Map<string, string>();
  const inputs = new Set(objects.map((object) => object?.key));
  const list = objects.map((object, i) => {
    const { key, ...own } = Object(object) as Record<string, unknown>;
    try {
      if (!isKey(key)) throw new RequestError(400, "Give the key of an object");
      const options = Object.fromEntries(
        Object.entries({ ...shared, ...own })
          .map(([name, value]) => [name, String(value)])
          .sort(([a], [b]) => a < b ? -1 : 1),
      );
      if ("name" in options) {
        throw new RequestError(400, "Leave out name: the key says it");
      }
      const { to, gltfJson } = optionsOf(options);
      const target = out + withExtension(key, to, gltfJson);
      const other = taken.get(target) ?? (inputs.has(target) ? target : null);
      if (other !== null) {
        throw new RequestError(400, `Rename it: ${other} already is ${target}`);
      }
      if (!isKey(target)) throw new RequestError(400, "Give a shorter out");
      taken.set(target, key);
      return { key, out: target, options };
    } catch (error) {
      if (error instanceof RequestError) {
        throw new RequestError(error.status, `objects/${i}: ${error.message}`);
      }
      throw error;
    }
  });
  for (const [i, { out }] of list.entries()) {
    const other = taken.get(out.replace(PART, "$1"));
    if (PART.test(out) && other !== undefined) {
      throw new RequestError(
        400,
        `objects/${i}: Rename it: ${out} may be a part of what ${other} gives`,
      );
    }
  }
  return list;
}

/** Sends the messages, as many at once as the queue takes. */
async function send(env: Environment, tasks: readonly Task[]): Promise<void> {
  let [batch, bytes]: [{ body: Task }[], number] = [[], 0];
  const flush = async () => {
    if (batch.length > 0) await env.JOBS.sendBatch(batch);
    [batch, bytes] = [[], 0];
  };
  for (const body of tasks) {
    const size = encoder.encode(JSON.stringify(body)).length;
    if (batch.length === SEND_AT_ONCE || bytes + size > SEND_BYTES) {
      await flush();
    }
    batch.push({ body });
    bytes += size;
  }
  await flush();
}

async function postJob(request: Request, env: Environment): Promise<Response> {
  let body: unknown;
  try {
    const bytes = await bodyBytes(request, MAX_BODY_BYTES);
    body = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new RequestError(400, "Send JSON: the body is none");
  }
  const id = crypto.randomUUID();
  const job: Job = {
    schema: "meshwright/job/1",
    id,
    objects: jobObjects(Object(body)),
  };
  // recorded first: a message without its job would count for nobody
  await putJson(env.MODELS, `jobs/${id}/job.json`, job, {
    objects: String(job.objects.length),
  });
  await send(
    env,
    job.objects.map((object, index) => ({ job: id, index, ...object })),
  );
  return json({ id, objects: job.objects.length }, 202, {
    location: `/jobs/${id}`,
  });
}

async function getJob(id: string, env: Environment): Promise<Response> {
  const job = await env.MODELS.head(`jobs/${id}/job.json`);
  if (!job) throw new RequestError(404, `Check the id: no job ${id}`);
  const total = Number(job.customMetadata?.objects);
  const counts = { ok: 0, dead: 0 };
  const letters: string[] = [];
  const reports = objects(env.MODELS, {
    prefix: `jobs/${id}/reports/`,
    include: ["customMetadata"],
  });
  for await (const { key, customMetadata } of reports) {
    if (customMetadata?.status === "dead") {
      counts.dead++;
      if (letters.length < SHOWN_LETTERS) letters.push(key);
    } else counts.ok++;
  }
  const done = counts.ok + counts.dead;
  const dead = await Promise.all(
    letters.map((key) => getJson<Report>(env.MODELS, key)),
  );
  return json({
    schema: "meshwright/job-progress/1",
    id,
    objects: total,
    waiting: total - done,
    ...counts,
    done: done === total,
    deadLetters: dead.filter((report) => report !== null)
      .map(({ key, error }) => ({ key, ...error })),
  });
}

async function putReport(
  bucket: Bucket,
  task: Task,
  report: Omit<Report, "schema" | "key" | "out">,
): Promise<void> {
  const whole: Report = {
    schema: "meshwright/job-report/1",
    key: task.key,
    out: task.out,
    ...report,
  };
  await putJson(bucket, reportKey(task), whole, { status: report.status });
}

/** A model that can not be converted. */
async function giveUp(
  bucket: Bucket,
  task: Task,
  code: string,
  message: string,
  input: { sha256: string; bytes: number } | null = null,
): Promise<void> {
  await putReport(bucket, task, {
    status: "dead",
    sha256: { in: input?.sha256 ?? null, out: null },
    bytes: { in: input?.bytes ?? null, out: null },
    losses: 0,
    error: { code, message },
  });
}

/** A result: its files, the first one first. */
interface Result {
  outputs: Output[];
  losses: number;
}

/**
 * What the first file of a result says about it. It is written last: when it is there, the others were.
 *
 * R2 holds 8 kB of such texts at an object, so that hashes of the other files stand at those.
 */
interface Note extends Record<string, string> {
  /** Hash of everything that the result was made from. */
  source: string;
  sha256: string;
  bytes: string;
  losses: string;
  /** JSON of the other files' keys. */
  others: string;
}

/** The result of the same source, where it is whole; null where it must be made. */
async function resultOf(
  bucket: Bucket,
  task: Task,
  source: string,
): Promise<Result | null> {
  for (const key of [task.out, partPath(task.out, 0)]) {
    const note = (await bucket.head(key))?.customMetadata as Note | undefined;
    if (note?.source !== source || note.others === undefined) continue;
    const keys: string[] = [key, ...JSON.parse(note.others)];
    const found = await Promise.all(keys.map((k) => bucket.head(k)));
    if (found.some((o) => o?.customMetadata?.source !== source)) return null;
    return {
      outputs: found.map((object, i) => ({
        key: keys[i],
        sha256: object!.customMetadata!.sha256,
        bytes: object!.size,
      })),
      losses: Number(note.losses),
    };
  }
  return null;
}

/** Refuses to write over what no job made. */
async function checkPlace(bucket: Bucket, key: string): Promise<void> {
  const found = await bucket.head(key);
  if (found && found.customMetadata?.source === undefined) {
    throw meshError(
      "ARGUMENT",
      `Choose another out: ${key} is there and no job made it`,
      { path: key },
    );
  }
}

/** Writes a result, its first file last. */
async function putResult(
  bucket: Bucket,
  task: Task,
  source: string,
  made: Converted,
): Promise<Result> {
  const keys = outputPaths(task.out, made);
  // its own place was looked at before the conversion
  for (const key of keys) if (key !== task.out) await checkPlace(bucket, key);
  const outputs = await Promise.all(
    made.outputs.map(async (bytes, i): Promise<Output> => ({
      key: keys[i],
      sha256: await sha256(bytes),
      bytes: bytes.length,
    })),
  );
  const [first, ...others] = outputs;
  for (const [i, { key, sha256 }] of others.entries()) {
    await bucket.put(key, made.outputs[i + 1], {
      customMetadata: { source, sha256 },
    });
  }
  const losses = made.report.loss.length;
  const note: Note = {
    source,
    sha256: first.sha256,
    bytes: String(first.bytes),
    losses: String(losses),
    others: JSON.stringify(others.map(({ key }) => key)),
  };
  await bucket.put(first.key, made.outputs[0], { customMetadata: note });
  return { outputs, losses };
}

/** Converts one model, unless its result is there already. Throws for what may be better next time. */
async function convertTask(bucket: Bucket, task: Task): Promise<void> {
  let input: { sha256: string; bytes: number } | null = null;
  try {
    const reader = bucketReader(bucket);
    const { bytes, resources, json } = await readSet(reader, task.key);
    input = { sha256: await sha256(bytes), bytes: bytes.length };
    const rest = await Promise.all(
      Object.entries(resources).sort(([a], [b]) => a < b ? -1 : 1)
        .map(async ([name, data]) => [name, await sha256(data)]),
    );
    // everything that the bytes of the result depend on
    const source = await sha256(
      JSON.stringify([VERSION, task.key, task.options, input.sha256, rest]),
    );
    await checkPlace(bucket, task.out);
    const options = optionsOf(task.options);
    const { outputs, losses } = await resultOf(bucket, task, source) ??
      await putResult(
        bucket,
        task,
        source,
        await convert(bytes, {
          ...options,
          ...await simplifierFor(options),
          name: task.key,
          outName: stemName(task.out),
          resources,
          decoders: await meshoptFor(json),
        }),
      );
    await putReport(bucket, { ...task, out: outputs[0].key }, {
      status: "ok",
      sha256: { in: input.sha256, out: outputs[0].sha256 },
      bytes: {
        in: input.bytes,
        out: outputs.reduce((sum, { bytes }) => sum + bytes, 0),
      },
      ...(outputs.length > 1 ? { outputs } : {}),
      losses,
      error: null,
    });
  } catch (error) {
    // an object that is not there yet may be there soon
    if (!(error instanceof MeshError) || error.code === "FILE-READ") {
      throw error;
    }
    await giveUp(bucket, task, error.code, error.message, input);
  }
}

/** Writes down why a try failed, for the day on which the message is a dead letter. */
async function recordTrouble(
  bucket: Bucket,
  task: Task,
  error: unknown,
): Promise<void> {
  const code = error instanceof MeshError ? error.code : "BATCH-WORKER";
  const message = error instanceof Error ? error.message : String(error);
  await putJson(bucket, troubleKey(task), { code, message });
}

async function consume(env: Environment, message: Message<Task>) {
  const { body: task } = message;
  try {
    await convertTask(env.MODELS, task);
    message.ack();
  } catch (error) {
    try {
      await recordTrouble(env.MODELS, task, error);
    } catch {
      // R2 itself is in trouble: the reason is lost, the message is not
    }
    message.retry();
  }
}

/** A message that was tried as often as the queue allows. */
async function bury(env: Environment, message: Message<Task>) {
  const { body: task } = message;
  const status = (await env.MODELS.head(reportKey(task)))?.customMetadata
    ?.status;
  // one of two deliveries may have been lucky
  if (status === undefined) {
    const trouble = await getJson<{ code: string; message: string }>(
      env.MODELS,
      troubleKey(task),
    );
    await giveUp(
      env.MODELS,
      task,
      trouble?.code ?? "BATCH-WORKER",
      trouble?.message ??
        "Convert it on a machine: the worker broke down every time, most likely for want of memory or time",
    );
  }
  message.ack();
}

/** Refuses a request without the token. Hashes are compared, all of them, so that time tells nothing about the token. */
async function checkToken(request: Request, token: string): Promise<void> {
  const given = request.headers.get("authorization") ?? "";
  const [want, have] = await Promise.all(
    [`Bearer ${token}`, given].map(sha256),
  );
  let different = 0;
  for (let i = 0; i < want.length; i++) {
    different |= want.charCodeAt(i) ^ have.charCodeAt(i);
  }
  if (different !== 0) {
    throw new RequestError(
      401,
      given === ""
        ? "Send Authorization: Bearer TOKEN: jobs need the token of this service"
        : "Check the token: it is not the one of this service",
      { "www-authenticate": "Bearer" },
    );
  }
}

/**
 * Answers `POST /jobs` and `GET /jobs/ID`; null for any other path.
 *
 * @param request The request.
 * @param env Bucket and queue.
 */
export async function jobsFetch(
  request: Request,
  env: Environment,
): Promise<Response | null> {
  const { pathname } = new URL(request.url);
  const id = /^\/jobs\/([0-9a-f-]{36})$/.exec(pathname)?.[1];
  if (pathname !== "/jobs" && !pathname.startsWith("/jobs/")) return null;
  try {
    if (env.JOBS_TOKEN) await checkToken(request, env.JOBS_TOKEN);
    if (pathname === "/jobs" && request.method === "POST") {
      return await postJob(request, env);
    }
    if (id !== undefined && request.method === "GET") {
      return await getJob(id, env);
    }
    throw new RequestError(
      id !== undefined || pathname === "/jobs" ? 405 : 404,
      `Use POST /jobs or GET /jobs/ID: found ${request.method} ${pathname}`,
    );
  } catch (error) {
    return errorResponse(error);
  }
}

/**
 * Consumes the queue and its dead letter queue, whose name ends with `-dead`.
 *
 * @param batch Messages.
 * @param env Bucket and queue.
 */
export async function jobsQueue(
  batch: MessageBatch<Task>,
  env: Environment,
): Promise<void> {
  const dead = batch.queue.endsWith("-dead");
  for (const message of batch.messages) {
    await (dead ? bury : consume)(env, message);
  }
}
