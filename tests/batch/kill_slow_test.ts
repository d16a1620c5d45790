import { assert } from "@std/assert";
import { killAndResume, type KillPlan } from "./kills.ts";

/** Together at least 200 instants of a batch of 300 files. */
const PLANS: readonly KillPlan[] = [
  { jobs: 1, seed: 11, replacing: false },
  { jobs: 2, seed: 12, replacing: true },
].map((plan) => ({ files: 300, kills: 100, killsOfOne: 6, ...plan }));

for (const plan of PLANS) {
  const name = `batch --jobs ${plan.jobs} of ${plan.files} files ${
    plan.replacing ? "over old ones " : ""
  }survives kill -9 at ${plan.kills} random instants`;
  Deno.test({
    name,
    ignore: Deno.build.os === "windows",
    async fn() {
      const { killed, midway } = await killAndResume(plan);
      console.log(`${killed} killed, ${midway} of them midway`);
      assert(killed >= plan.kills && midway >= plan.kills / 4);
    },
  });
}
