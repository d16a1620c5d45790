/**
 * Batches that are killed (kill -9) at random instants and gone on with.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { Random } from "../random.ts";
import {
  ended,
  inFolder,
  put,
  snapshot,
  spawnBatch,
  triangle,
} from "./batches.ts";

const JOURNAL = ".meshwright-batch.journal";
const TEMPORARY = /(^|\/)\.meshwright-[0-9a-f]{8}\.tmp$/;

/** How much a run is put through. */
export interface KillPlan {
  /** Models in the batch. */
  files: number;
  /** Kills in all. */
  kills: number;
  /** Kills of one batch before it may end. */
  killsOfOne: number;
  /** Value of --jobs. */
  jobs: number;
  /** Seed of the instants. */
  seed: number;
  /** Targets exist beforehand, with other content, and --force is given. */
  replacing: boolean;
  /** Starts `meshwright batch`; on Deno unless given. */
  spawn?: typeof spawnBatch;
}

/** What happened. */
export interface KillCount {
  /** Processes that were killed. */
  killed: number;
  /** Of these, such that had written something and were not done: the ones that prove something. */
  midway: number;
}

/** Kills a process some time after `begun` holds, or ends with it; true when it did not end by itself. */
async function killAfter(
  child: Deno.ChildProcess,
  begun: () => boolean,
  milliseconds: number,
): Promise<boolean> {
  let running = true;
  const output = child.output().then((ended) => {
    running = false;
    return ended;
  });
  while (running && !begun()) await wait(2);
  await Promise.race([output, wait(milliseconds)]);
  try {
    child.kill("SIGKILL");
  } catch {
    // it has ended by itself
  }
  return (await output).signal === "SIGKILL";
}

const wait = (milliseconds: number) =>
  new Promise<void>((go) => setTimeout(go, milliseconds));

/** Size of a file; 0 for none. */
function sizeOf(path: string): number {
  try {
    return Deno.statSync(path).size;
  } catch {
    return 0;
  }
}

/** Kills batches, looks at what is left, goes on, and compares the end with a batch that nobody killed. */
export async function killAndResume(plan: KillPlan): Promise<KillCount> {
  const { spawn = spawnBatch } = plan;
  const random = new Random(plan.seed);
  const count: KillCount = { killed: 0, midway: 0 };
  await inFolder(async (folder) => {
    const files: Record<string, Uint8Array> = {};
    const old: Record<string, string> = {};
    for (let i = 0; i < plan.files; i++) {
      files[`in/${i % 7}/${i}.payload`] = triangle(i);
      if (plan.replacing) old[`${i % 7}/${i}.glb`] = `old ${i}`;
    }
    files["in/bad.payload"] = new Uint8Array([1, 2, 3]);
    put(folder, files);
    const line = (out: string) => [
      ...["in/**/*", "--out-dir", out, "--to", "glb", "--quiet"],
      ...["--jobs", String(plan.jobs), ...(plan.replacing ? ["--force"] : [])],
    ];
    const start = performance.now();
    const whole = await ended(spawn(line("whole"), { cwd: folder }));
    const time = performance.now() - start;
    assertEquals(whole.code, 3, whole.err);
    const want = await snapshot(`${folder}/whole`);
    assertEquals(Object.keys(want).length, plan.files + 1);

    for (let batch = 0; count.killed < plan.kills; batch++) {
      const out = `${folder}/out${batch}`;
      put(out, old);
      if (!plan.replacing) Deno.mkdirSync(out);
      const before = await snapshot(out);
      for (let i = 0; i < plan.killsOfOne && count.killed < plan.kills; i++) {
        const child = spawn([...line(`out${batch}`), "--resume"], {
          cwd: folder,
        });
        // most once the first files are done, some while it still starts
        const journal = `${out}/${JOURNAL}`;
        const size = sizeOf(journal);
        const hit = await killAfter(
          child,
          () => i % 4 === 3 || sizeOf(journal) > size + 1000,
          random.float() * 0.25 * time,
        );
        if (hit) count.killed++;
        const left = await snapshot(out);
        let fresh = 0;
        for (const [name, hash] of Object.entries(left)) {
          if (name === JOURNAL || TEMPORARY.test(name)) continue;
          // whole, or what stood there before
          assert(
            hash === want[name] || hash === before[name],
            `${name} is neither new nor old`,
          );
          if (hash === want[name]) fresh++;
        }
        for (const name of Object.keys(before)) {
          assert(name in left, `${name} was there and is gone`);
        }
        if (hit && fresh > 0 && !("manifest.json" in left)) count.midway++;
      }
      const rest = await ended(
        spawn([...line(`out${batch}`), "--resume"], { cwd: folder }),
      );
      assertEquals(rest.code, 3, rest.err);
      assertEquals(await snapshot(out), want, "the end, and no stray files");
      Deno.removeSync(out, { recursive: true });
    }
  });
  return count;
}
