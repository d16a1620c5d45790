/**
 * Progress on a terminal: one line about the file that is being read, checked or written, which the next line replaces and
 * which is gone when something else is printed.
 *
 * @module
 */
import { type Content, Counted } from "../core/pieces.ts";
import type { Host } from "./host.ts";
import { clean, size } from "./text.ts";

/**
 * The one line of a terminal that each next line replaces; "" takes it away.
 *
 * @param write Writes before anything else can run, for what takes long does not wait.
 */
export function statusLine(
  write: (text: string) => void,
): (line: string) => void {
  let shown = false;
  return (line) => {
    if (!shown && line === "") return;
    shown = line !== "";
    try {
      write(ERASE_LINE + line);
    } catch {
      // nobody looks any more
    }
  };
}

/** Takes the line away that the cursor stands in. */
export const ERASE_LINE = "\r\x1b[K";
/** Milliseconds between two looks of a progress line. */
export const PROGRESS_MS = 100;
/** A file smaller than this is done before anyone could read about it. */
const BIG = 2 ** 24;
/** Longest name that is shown: a line that is too long could not be taken away. */
const LONGEST_NAME = 32;

/** Bytes a second for people. */
export function rate(bytes: number, milliseconds: number): string {
  return `${size(Math.round(bytes / Math.max(milliseconds, 1) * 1000))}/s`;
}

function shortName(path: string): string {
  const name = path === "-" ? "stdin" : path.replace(/^.*[\\/]/, "");
  return clean(
    name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name,
  );
}

/** One job on one file. */
class Meter {
  readonly #start = performance.now();
  #shown = -Infinity;

  constructor(
    readonly status: (line: string) => void,
    readonly what: string,
    readonly path: string,
  ) {}

  /**
   * Shows how far the job is.
   *
   * @param total Bytes in all, null while nobody knows.
   * @param share What is done of the whole, null while nobody knows.
   */
  show(
    done: number,
    total: number | null,
    share: number | null = total === null ? null : done / Math.max(total, 1),
  ): void {
    const now = performance.now();
    const early = now - this.#shown < PROGRESS_MS && share !== 1;
    if (Math.max(done, total ?? 0) < BIG || early) return;
    this.#shown = now;
    const whole = total === null ? "" : ` of ${size(total)}`;
    const far = share === null ? "" : ` (${Math.floor(share * 100)} %)`;
    this.status(
      `${this.what} ${shortName(this.path)}: ${size(done)}${whole}${far}, ${
        rate(done, now - this.#start)
      }`,
    );
  }
}

/** A file that is written, with its progress. */
class Shown extends Counted {
  constructor(content: Content, readonly meter: Meter) {
    super(content);
  }

  override *[Symbol.iterator](): Generator<Uint8Array> {
    for (const chunk of super[Symbol.iterator]()) {
      yield chunk;
      this.meter.show(this.size, this.total, this.done);
    }
  }
}

/** A host that shows on its terminal how far reading, checking and writing are; the host itself where it has none. */
export function withProgress(host: Host): Host {
  const { status } = host;
  if (!status) return host;
  /** Runs a job and takes its line away. */
  const during = async <T>(job: Promise<T>): Promise<T> => {
    try {
      return await job;
    } finally {
      status("");
    }
  };
  return {
    ...host,
    read(path, maxBytes) {
      const meter = new Meter(status, "Reading", path);
      return during(
        host.read(path, maxBytes, (done, total) => meter.show(done, total)),
      );
    },
    checking(path) {
      const meter = new Meter(status, "Checking", path);
      return (done, total) => meter.show(done, total);
    },
    write: (files) =>
      during(host.write(files.map(({ path, bytes }) => ({
        path,
        bytes: new Shown(bytes, new Meter(status, "Writing", path)),
      })))),
    out(data) {
      status("");
      return host.out(data);
    },
    err(text) {
      status("");
      return host.err(text);
    },
  };
}
