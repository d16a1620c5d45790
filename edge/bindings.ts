/**
 * The parts of Cloudflare's R2 and Queues that the jobs use, so that they can be checked without Cloudflare's types.
 *
 * @module
 */

/** What is known of an object without its bytes. */
export interface BucketObject {
  /** Its key. */
  readonly key: string;
  /** Its size. */
  readonly size: number;
  /** Texts stored with it. */
  readonly customMetadata?: Record<string, string>;
}

/** An R2 bucket. */
export interface Bucket {
  /** What is known of an object, or null. */
  head(key: string): Promise<BucketObject | null>;
  /** An object, or null. */
  get(key: string): Promise<
    (BucketObject & { arrayBuffer(): Promise<ArrayBuffer> }) | null
  >;
  /** Stores an object whole or not at all. */
  put(
    key: string,
    value: Uint8Array | string,
    options?: {
      customMetadata?: Record<string, string>;
      httpMetadata?: { contentType: string };
    },
  ): Promise<unknown>;
  /** Keys in order, a page at a time. */
  list(options: {
    prefix: string;
    delimiter?: string;
    cursor?: string;
    include?: ("customMetadata")[];
  }): Promise<
    { objects: BucketObject[]; truncated: boolean; cursor?: string }
  >;
}

/** The sending end of a queue. */
export interface Queue<Body> {
  /** Sends at most 100 messages. */
  sendBatch(messages: Iterable<{ body: Body }>): Promise<unknown>;
}

/** A message as a consumer gets it. */
export interface Message<Body> {
  /** What was sent. */
  readonly body: Body;
  /** It is done. */
  ack(): void;
  /** Deliver it again, or to the dead letter queue when that was tried often enough. */
  retry(): void;
}

/** Messages delivered together. */
export interface MessageBatch<Body> {
  /** Name of the queue. */
  readonly queue: string;
  /** The messages. */
  readonly messages: readonly Message<Body>[];
}

/** Bindings of the worker, as `wrangler.jsonc` names them. */
export interface Environment {
  /** Inputs, outputs and job records. */
  readonly MODELS: Bucket;
  /** One message a model. */
  readonly JOBS: Queue<Task>;
  /** A secret that `POST /jobs` and `GET /jobs/ID` ask for as a bearer token; without it whoever reaches the worker may use them. */
  readonly JOBS_TOKEN?: string;
}

/** One model to convert. */
export interface Task {
  /** Id of the job. */
  job: string;
  /** Place in the job's list. */
  index: number;
  /** Key of the input. */
  key: string;
  /** Key of the output. */
  out: string;
  /** Options of the conversion, under the names that a query string has. */
  options: Record<string, string>;
}
