/**
 * The command line's host for Node and Bun.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { writeSync } from "node:fs";
import process from "node:process";
import { nodeBatch } from "./batch/node_batch.ts";
import { AtomicWriter, diskReader, stdoutError } from "./disk.ts";
import type { Reader } from "./files.ts";
import type { Host } from "./host.ts";
import { nodeDisk } from "./node_disk.ts";
import { serve } from "./node_server.ts";
import { statusLine } from "./progress.ts";

/** The part of a stream that is used here. */
type Output = Pick<NodeJS.WriteStream, "write" | "once" | "off">;

/** Writes to a stream and waits until it is gone, so that nothing is lost when the process ends. */
function pass(stream: Output, data: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => {
    // an error without a listener would end the process
    stream.once("error", reject);
    const bytes = typeof data === "string" ? data : Buffer.from(data);
    stream.write(bytes, (error) => {
      if (error) return reject(error);
      stream.off("error", reject);
      resolve();
    });
  });
}

async function writeOut(data: Uint8Array | string): Promise<void> {
  try {
    await pass(process.stdout, data);
  } catch (cause) {
    // a reader that closed the pipe (head, less) has what it wanted
    if ((cause as { code?: unknown }).code === "EPIPE") return;
    throw stdoutError(nodeDisk, cause);
  }
}

const writer = new AtomicWriter(nodeDisk);
let listening = false;

/** Ctrl-C, and a polite kill, remove unfinished files. */
function removePendingOnSignals(): void {
  if (listening) return;
  listening = true;
  for (const [signal, exit] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    process.on(signal, () => {
      writer.abandon();
      process.exit(exit);
    });
  }
}

/** Reading alone, for workers: no signals, no arguments. */
export const nodeReader: Reader = diskReader(nodeDisk);

/**
 * The host of the running Node or Bun process. Ctrl-C removes unfinished files and exits with 130.
 *
 * @param args Arguments behind the program's name.
 */
export function nodeHost(
  args: readonly string[] = process.argv.slice(2),
): Host {
  removePendingOnSignals();
  const { stdout, stderr, env } = process;
  return {
    args,
    // both, for a pipe behind either must not get escape sequences
    color: !env.NO_COLOR && stdout.isTTY === true && stderr.isTTY === true,
    ...nodeReader,
    write: (files) => writer.write(files),
    checkWrite: (paths) => writer.check(paths),
    serve,
    out: writeOut,
    // where a message can not go, there is nobody to tell
    err: (text) => pass(stderr, text).catch(() => {}),
    ...(stderr.isTTY
      ? { status: statusLine((text) => void writeSync(stderr.fd, text)) }
      : {}),
    batch: nodeBatch(nodeReader),
  };
}
