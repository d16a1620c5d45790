/**
 * The Cloudflare worker with a consumer that dies: at operations on the bucket that chance picks, before or after they are
 * done, nothing behind them runs any more, as when the process is killed. Every message is sent twice.
 *
 * @module
 */
import type { Bucket, Environment, Queue, Task } from "../../edge/bindings.ts";
import worker, { type JobsWorker } from "../../edge/cloudflare.ts";
import { Random } from "../random.ts";

/** Bindings of the test. */
interface TestEnvironment extends Environment {
  /** Of a thousand operations on the bucket, how many kill the consumer; "0" for none. */
  readonly DEADLY: string;
}

let random: Random | null = null;
let kills = 0;

/** A bucket on which operations kill. */
function deadly(
  bucket: Bucket,
  rate: number,
  kill: (at: string) => void,
): Bucket {
  const never = new Promise<never>(() => {});
  const wrap = (name: "head" | "get" | "put" | "list") =>
  // deno-lint-ignore no-explicit-any
  async (...args: any[]): Promise<any> => {
    const fate = random!.below(1000);
    if (fate < rate && fate % 2 === 0) {
      kill(`before ${name}`);
      await never;
    }
    // deno-lint-ignore no-explicit-any
    const result = await (bucket[name] as any)(...args);
    if (fate < rate) {
      kill(`after ${name}`);
      await never;
    }
    return result;
  };
  return {
    head: wrap("head"),
    get: wrap("get"),
    put: wrap("put"),
    list: wrap("list"),
  };
}

/** A queue that delivers everything twice. */
function twice(queue: Queue<Task>): Queue<Task> {
  return {
    async sendBatch(messages) {
      const all = [...messages];
      await queue.sendBatch(all);
      return await queue.sendBatch(all);
    },
  };
}

const test: JobsWorker = {
  async fetch(request, env) {
    const bound = env as TestEnvironment;
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/kills") return Response.json(kills);
    // The test looks at the bucket through the worker: miniflare's own proxy answers at once or fails when all cores are busy.
    if (pathname === "/test/list") {
      return Response.json(
        await bound.MODELS.list({
          prefix: searchParams.get("prefix")!,
          ...(searchParams.has("cursor")
            ? { cursor: searchParams.get("cursor")! }
            : {}),
        }),
      );
    }
    if (pathname === "/test/object") {
      const object = await bound.MODELS.get(searchParams.get("key")!);
      return new Response(await object!.arrayBuffer());
    }
    return await worker.fetch(request, { ...bound, JOBS: twice(bound.JOBS) });
  },
  async queue(batch, env) {
    const { DEADLY, MODELS } = env as TestEnvironment;
    random ??= new Random(1);
    const dead = batch.queue.endsWith("-dead");
    await new Promise<void>((resolve, reject) => {
      const bucket = deadly(
        MODELS,
        dead ? 0 : Number(DEADLY),
        (at) => {
          kills++;
          reject(new Error(`killed ${at}`));
        },
      );
      worker.queue(batch, { ...env, MODELS: bucket }).then(resolve, reject);
    });
  },
};
export default test;
