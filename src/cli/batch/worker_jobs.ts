/**
 * What a worker of `meshwright batch` does: it reads and converts, the main thread writes.
 *
 * @module
 */
import type { Reader } from "../files.ts";
import type { Answer } from "./pool.ts";
import { type Job, work } from "./work.ts";

/** The two ends of a worker. */
export interface WorkerPort {
  /** Listens to the main thread. */
  onJob(listener: (job: Job) => void): void;
  /** Answers it. */
  post(answer: Answer, transfer: ArrayBuffer[]): void;
}

/** Says that it is ready, then works until the thread ends. */
export function serveJobs(reader: Reader, { onJob, post }: WorkerPort): void {
  onJob(async (job) => {
    try {
      const done = await work(reader, job);
      // an output may be a view of something larger, or two of the same
      for (const file of done.files) file.bytes = file.bytes.slice();
      post(
        { kind: "done", done },
        done.files.map(({ bytes }) => bytes.buffer as ArrayBuffer),
      );
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      post({ kind: "broken", message }, []);
    }
  });
  post({ kind: "ready" }, []);
}
