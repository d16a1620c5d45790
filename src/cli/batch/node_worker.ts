/**
 * A worker of `meshwright batch` on Node and Bun.
 *
 * @module
 */
import { parentPort } from "node:worker_threads";
import { nodeReader } from "../node_host.ts";
import { serveJobs } from "./worker_jobs.ts";

serveJobs(nodeReader, {
  onJob: (listener) => parentPort!.on("message", listener),
  post: (answer, transfer) => parentPort!.postMessage(answer, transfer),
});
