/**
 * What `batch` needs of Node and Bun.
 *
 * @module
 */
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import process from "node:process";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import type { Reader } from "../files.ts";
import { nodeDisk } from "../node_disk.ts";
import type { BatchHost } from "./batch_host.ts";
import { diskBatch, type LockedFile } from "./disk_batch.ts";
import {
  type Answer,
  laneInPlace,
  workerLanes,
  type WorkerLike,
} from "./pool.ts";

const WORKER = new URL("./node_worker.ts", import.meta.url);

/** A thread of Node with the face of a worker of the web. */
function openWorker(module: URL): WorkerLike {
  const worker = new Worker(module);
  const like: WorkerLike = {
    onmessage: null,
    onerror: null,
    postMessage: (message) => worker.postMessage(message),
    terminate: () => void worker.terminate(),
  };
  worker.on("message", (data: Answer) => like.onmessage?.({ data }));
  worker.on(
    "error",
    ({ message }: Error) => like.onerror?.({ message, preventDefault() {} }),
  );
  return like;
}

/** An address that one process at a time can listen on, for a path. */
async function lockAddress(path: string): Promise<string> {
  const place = await fs.promises.realpath(path);
  const id = createHash("sha256").update(place).digest("hex").slice(0, 32);
  return process.platform === "win32"
    ? `\\\\.\\pipe\\meshwright-${id}`
    : `${tmpdir()}/meshwright-${id}.lock`;
}

/** A server on an address; null when somebody listens there. */
function listen(address: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(null);
      else reject(error);
    });
    server.listen(address, () => resolve(server.unref()));
  });
}

/** True when a process answers at an address; a socket file stays behind when its process is killed. */
function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** Node locks no files, so the lock is a local socket: the system closes it with the process, however that ends. */
async function lock(path: string): Promise<Server | null> {
  const address = await lockAddress(path);
  const server = await listen(address);
  if (server || await answers(address)) return server;
  await fs.promises.unlink(address).catch(() => {});
  return await listen(address);
}

async function openLocked(path: string): Promise<LockedFile | null> {
  const file = await promisify(fs.open)(path, "a");
  const server = await lock(path);
  if (!server) {
    fs.closeSync(file);
    return null;
  }
  return {
    async write(bytes) {
      const { bytesWritten } = await promisify(fs.write)(
        file,
        bytes,
        0,
        bytes.length,
        null,
      );
      return bytesWritten;
    },
    truncate: () => promisify(fs.ftruncate)(file, 0),
    close() {
      fs.closeSync(file);
      server.close();
    },
  };
}

/**
 * The host of `batch`.
 *
 * @param reader Reads inputs in this thread.
 */
export function nodeBatch(reader: Reader): BatchHost {
  return diskBatch({
    disk: nodeDisk,
    reader,
    cwd: () => process.cwd(),
    processors: availableParallelism(),
    terminal: () => process.stderr.isTTY === true,
    openLocked,
    async openLanes(count) {
      const lanes = count > 1
        ? await workerLanes(WORKER, count, openWorker)
        : null;
      return lanes ?? [laneInPlace(reader)];
    },
  });
}
