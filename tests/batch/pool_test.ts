import { assertEquals, assertRejects } from "@std/assert";
import {
  type Lane,
  LaneBroken,
  workerLanes,
} from "../../src/cli/batch/pool.ts";
import type { Job } from "../../src/cli/batch/work.ts";

const job = (name: string): Job => ({
  in: name,
  out: name,
  outDir: "out",
  options: { to: "gltf" },
  strict: false,
  before: null,
});

/** A worker that does what the name of the file says. */
const module = new URL(`data:text/javascript,${
  encodeURIComponent(`
  let files = 0;
  onmessage = ({ data }) => {
    if (data.in === "throw") throw new Error("uncaught");
    if (data.in === "say") return postMessage({ kind: "broken", message: "said" });
    postMessage({ kind: "done", done: { row: ++files, files: [], kept: false } });
  };
  postMessage({ kind: "ready" });
`)
}`);

Deno.test("workerLanes() give a file's failure when the worker breaks down, and a new worker for the next file", async () => {
  const [lane] = await workerLanes(module, 1) as Lane[];
  const count = async () => Number((await lane.run(job("x"))).row);
  try {
    assertEquals([await count(), await count()], [1, 2]);
    const thrown = await assertRejects(
      () => lane.run(job("throw")),
      LaneBroken,
    );
    assertEquals(thrown.message, "Uncaught Error: uncaught");
    assertEquals([await count(), await count()], [1, 2], "a new worker");
    const said = await assertRejects(() => lane.run(job("say")), LaneBroken);
    assertEquals(said.message, "said");
    assertEquals(await count(), 1, "another one");
  } finally {
    lane.close();
  }
});

Deno.test("workerLanes() give null when no worker starts", async () => {
  const broken = new URL("data:text/javascript,throw new Error('no')");
  assertEquals(await workerLanes(broken, 2), null);
});
