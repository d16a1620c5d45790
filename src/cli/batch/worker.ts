/**
 * A worker of `meshwright batch` in Deno.
 *
 * @module
 */
import { denoReader } from "../deno_host.ts";
import type { Answer } from "./pool.ts";
import type { Job } from "./work.ts";
import { serveJobs } from "./worker_jobs.ts";

/** The part of a worker's global scope that is used here. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Job>) => void) | null;
  postMessage(answer: Answer, transfer: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;

serveJobs(denoReader, {
  onJob: (listener) => scope.onmessage = ({ data }) => listener(data),
  post: (answer, transfer) => scope.postMessage(answer, transfer),
});
