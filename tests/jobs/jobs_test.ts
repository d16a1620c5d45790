import { assertEquals } from "@std/assert";
import type { Bucket, Environment } from "../../edge/bindings.ts";
import { jobsFetch } from "../../edge/jobs.ts";
import { jobOnTheRuntime, missing, wrangler } from "./queue.ts";

const why = missing();

Deno.test({
  name:
    `jobs on R2 and Queues convert 30 models once each, with a consumer that dies and messages that come twice${
      why ? ` [SKIPPED: ${why}]` : ""
    }`,
  ignore: why !== null,
  fn: () => jobOnTheRuntime({ models: 30, deadly: 20, seconds: 30 }),
});

Deno.test("wrangler.jsonc binds what the worker asks for and has a consumer for dead letters", () => {
  const { queues, compatibility_date, ...rest } = wrangler();
  assertEquals(queues.producers.map((p) => p.binding), ["JOBS"]);
  const [jobs, dead] = queues.consumers;
  assertEquals(jobs.queue, queues.producers[0].queue);
  assertEquals(jobs.dead_letter_queue, dead.queue);
  assertEquals(dead.queue.endsWith("-dead"), true);
  assertEquals(
    compatibility_date <= "2026-05-03",
    true,
    "miniflare's runtime knows no later date",
  );
  const { r2_buckets } = rest as unknown as {
    r2_buckets: { binding: string }[];
  };
  assertEquals(r2_buckets.map((b) => b.binding), ["MODELS"]);
});

Deno.test("jobsFetch() asks for the token where there is one", async () => {
  const no = () => Promise.reject(new Error("nobody may come so far"));
  const empty: Bucket = {
    head: () => Promise.resolve(null),
    get: no,
    put: no,
    list: no,
  };
  const env: Environment = { MODELS: empty, JOBS: { sendBatch: no } };
  const path = `http://localhost/jobs/${crypto.randomUUID()}`;
  const status = async (request: Request, token?: string) => {
    const answer = await jobsFetch(request, {
      ...env,
      ...(token === undefined ? {} : { JOBS_TOKEN: token }),
    });
    const headers = answer!.headers.get("www-authenticate");
    assertEquals(headers, answer!.status === 401 ? "Bearer" : null);
    return answer!.status;
  };
  const get = (authorization?: string) =>
    new Request(path, authorization ? { headers: { authorization } } : {});
  assertEquals(await status(get()), 404);
  assertEquals(await status(get(), "secret"), 401);
  for (const wrong of ["secret", "Bearer secre", "Bearer secret2", "Basic x"]) {
    assertEquals(await status(get(wrong), "secret"), 401, wrong);
  }
  assertEquals(await status(get("Bearer secret"), "secret"), 404);
  const post = new Request("http://localhost/jobs", {
    method: "POST",
    body: "{}",
  });
  assertEquals(await status(post, "secret"), 401);
  assertEquals(
    await jobsFetch(new Request("http://localhost/healthz"), env),
    null,
  );
});
