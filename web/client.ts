/**
 * The page's side of the worker: one question at a time, progress, and a way to give up.
 *
 * @module
 */
import workerSource from "worker-source";
import type { Answers, Question, Reply, Task, Trouble } from "./protocol.ts";

/** What went wrong in the worker. */
export class TaskError extends Error {
  constructor(readonly trouble: Trouble) {
    super(trouble.message);
  }
}

/** Called as a task goes on: what it does, and how much of all is done, 0 to 1. */
export type OnProgress = (stage: string, done: number) => void;

let worker: Worker | null = null;
let cancelCurrent: (() => void) | null = null;
let count = 0;

function start(): Worker {
  // from a blob: a page opened as a file may not start a worker from a file
  const url = URL.createObjectURL(
    new Blob([workerSource], { type: "text/javascript" }),
  );
  const started = new Worker(url);
  URL.revokeObjectURL(url);
  return started;
}

/** Ends the running task; its promise is rejected. */
export function cancel(): void {
  cancelCurrent?.();
}

/** True while a task runs. */
export function busy(): boolean {
  return cancelCurrent !== null;
}

/** Runs a task in the worker; a running one is given up. */
export function ask<T extends Task>(
  task: T,
  onProgress: OnProgress,
): Promise<Answers[T["do"]]> {
  cancel();
  const id = ++count;
  const current = worker ??= start();
  return new Promise((resolve, reject) => {
    const done = () => cancelCurrent = null;
    const fail = (trouble: Trouble) => {
      done();
      reject(new TaskError(trouble));
    };
    cancelCurrent = () => {
      current.terminate();
      worker = null;
      fail({ code: "", message: "Cancelled" });
    };
    current.onerror = (event) => {
      current.terminate();
      worker = null;
      fail({ code: "", message: event.message || "The worker stopped" });
    };
    current.onmessage = ({ data }: MessageEvent<Reply>) => {
      if (data.id !== id) return;
      if ("stage" in data) onProgress(data.stage, data.done);
      else if ("trouble" in data) fail(data.trouble);
      else {
        done();
        resolve(data.answer as Answers[T["do"]]);
      }
    };
    current.postMessage({ ...task, id } as Question);
  });
}
