import "../kernels/build.ts";
import { assertEquals, assertGreater } from "@std/assert";
import { digestOf, DIGESTS, QUESTIONS } from "./c_code.ts";
import { differingCorner, ours, oursUnindexed } from "./oracles.ts";

const mode = "reference";

for (const [kind, ask] of Object.entries(QUESTIONS)) {
  Deno.test(`generateTangents() answers as the C code for ${kind}`, async () => {
    const indexed = await digestOf(
      ask,
      ({ mesh, ...rest }) => ours(mesh, { mode, ...rest }),
    );
    assertEquals(indexed, DIGESTS[kind]);
    const unindexed = await digestOf(
      ask,
      ({ mesh, ...rest }) => oursUnindexed(mesh, { mode, ...rest }),
    );
    assertEquals(unindexed, DIGESTS[kind]);
  });
}

Deno.test("the C code's weld gives up on ranges without a finite middle, and that shows", () => {
  const ask = QUESTIONS["NaN, infinite and huge numbers"];
  let apart = 0;
  for (let seed = 0; seed < 2000; seed++) {
    const { mesh } = ask(seed);
    if (differingCorner(ours(mesh, { mode }), ours(mesh)) >= 0) apart++;
  }
  assertGreater(apart, 100);
});
