import { jobOnTheRuntime, missing } from "./queue.ts";

const why = missing();

Deno.test({
  name:
    `jobs on R2 and Queues convert 300 models once each, with a consumer that dies and messages that come twice${
      why ? ` [SKIPPED: ${why}]` : ""
    }`,
  ignore: why !== null,
  fn: () => jobOnTheRuntime({ models: 300, deadly: 20, seconds: 120 }),
});
