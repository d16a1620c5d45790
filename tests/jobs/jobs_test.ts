import { assertEquals } from "@std/assert";
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
