/**
 * A worker of `meshwright batch`: it reads and converts, the main thread writes.
 *
 * @module
 */
import { denoReader } from "../deno_host.ts";
import type { Answer } from "./pool.ts";
import { type Job, work } from "./work.ts";

/** The part of a worker's global scope that is used here. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Job>) => void) | null;
  postMessage(answer: Answer, transfer?: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.onmessage = async ({ data: job }) => {
  try {
    const done = await work(denoReader, job);
    // an output may be a view of something larger, or two of the same
    for (const file of done.files) file.bytes = file.bytes.slice();
    scope.postMessage(
      { kind: "done", done },
      done.files.map(({ bytes }) => bytes.buffer as ArrayBuffer),
    );
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    scope.postMessage({ kind: "broken", message });
  }
};
scope.postMessage({ kind: "ready" });
