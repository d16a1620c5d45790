import { assert } from "@std/assert";
import { killAndResume } from "./kills.ts";

Deno.test({
  name:
    "batch ends with the same files and manifest when it was killed and gone on with",
  ignore: Deno.build.os === "windows",
  async fn() {
    const { midway } = await killAndResume({
      files: 60,
      kills: 5,
      killsOfOne: 5,
      jobs: 2,
      seed: 1,
      replacing: false,
    });
    assert(midway > 0, `${midway} of 5 kills hit a batch midway`);
  },
});
