/**
 * Lanes of work: each converts one file at a time, in a worker of its own or in place.
 *
 * @module
 */
import type { Reader } from "../files.ts";
import { type Done, type Job, work } from "./work.ts";

/** One lane. */
export interface Lane {
  /** Converts a file. Rejects with a {@linkcode LaneBroken} when the worker breaks down; the next call has a new one. */
  run(job: Job): Promise<Done>;
  /** Ends its worker. */
  close(): void;
}

/** A worker broke down on a file. */
export class LaneBroken extends Error {
  override name = "LaneBroken";
}

/** What a worker posts. */
export type Answer =
  | { kind: "ready" }
  | { kind: "done"; done: Done }
  | { kind: "broken"; message: string };

/** The part of a worker of the web that is used here. */
export interface WorkerLike {
  /** Is called with what the worker posts. */
  onmessage: ((event: { data: Answer }) => void) | null;
  /** Is called when it breaks down. */
  onerror:
    | ((event: { message: string; preventDefault(): void }) => void)
    | null;
  /** Hands it a job. */
  postMessage(job: Job): void;
  /** Ends it. */
  terminate(): void;
}

/** Opens a worker that runs a module. */
export type OpenWorker = (module: URL) => WorkerLike;

const webWorker: OpenWorker = (module) =>
  new Worker(module.href, { type: "module" }) as WorkerLike;

const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : String(error);

/** A lane in this very thread. */
export function laneInPlace(reader: Reader): Lane {
  return {
    async run(job) {
      try {
        return await work(reader, job);
      } catch (error) {
        throw new LaneBroken(messageOf(error));
      }
    },
    close() {},
  };
}

/** A worker that has said that it is there. */
async function startWorker(
  module: URL,
  open: OpenWorker,
): Promise<WorkerLike> {
  const worker = open(module);
  try {
    await new Promise<void>((resolve, reject) => {
      worker.onmessage = () => resolve();
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new LaneBroken(event.message));
      };
    });
    return worker;
  } catch (error) {
    worker.terminate();
    throw error;
  }
}

/** A lane with a worker of its own, which is replaced when it breaks down. */
class WorkerLane implements Lane {
  #worker: WorkerLike | null;

  constructor(
    readonly module: URL,
    readonly open: OpenWorker,
    worker: WorkerLike,
  ) {
    this.#worker = worker;
  }

  async run(job: Job): Promise<Done> {
    const worker = this.#worker ??= await startWorker(this.module, this.open);
    try {
      return await new Promise<Done>((resolve, reject) => {
        worker.onmessage = ({ data }) => {
          if (data.kind === "done") resolve(data.done);
          if (data.kind === "broken") reject(new LaneBroken(data.message));
        };
        worker.onerror = (event) => {
          event.preventDefault();
          reject(new LaneBroken(event.message));
        };
        worker.postMessage(job);
      });
    } catch (error) {
      // what it holds is in doubt
      this.close();
      throw error;
    }
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
  }
}

/**
 * Opens lanes with workers; null when the runtime can not start them.
 *
 * @param module What each worker runs.
 * @param count How many.
 * @param open How the runtime opens a worker, where it has none of the web's kind.
 */
export async function workerLanes(
  module: URL,
  count: number,
  open: OpenWorker = webWorker,
): Promise<Lane[] | null> {
  const started = await Promise.allSettled(
    Array.from({ length: count }, () => startWorker(module, open)),
  );
  const lanes = started.filter((s) => s.status === "fulfilled")
    .map(({ value }) => new WorkerLane(module, open, value));
  return lanes.length > 0 ? lanes : null;
}
