import { convert } from "../../src/convert/convert.ts";
import { putLods, putMorphs, skinnedPart } from "../payload/plain_payload.ts";
import { damage } from "./damage.ts";

Deno.test("readGltf() survives every prefix and bit flip of a skinned mesh with morph targets and levels", async () => {
  const part = skinnedPart(3, [0, 1, 2], [
    { name: "root", parent: -1 },
    { name: "tip", parent: 0 },
  ]);
  putMorphs(part, 3, ["smile"], [[1, 0, 1, 0, 0, 0, 0, 1]]);
  const { bytes } = putLods(part, [[8, [0, 2, 1]]]);
  const { outputs } = await convert(bytes, { to: "gltf" });
  await damage(outputs[0], "skinned mesh");
});
