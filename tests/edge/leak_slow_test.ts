/** The handler as a server for a long time: what it holds stays the same. */
import { assert } from "@std/assert";
import { kinds, sendMixed } from "./mixed.ts";
import { hasProc, residentBytes, startServer } from "./server.ts";

const MIB = 2 ** 20;

Deno.test({
  name: hasProc
    ? "server holds no more memory after 2,500 requests, eight at once, than after 500"
    : "server holds no more memory after 2,500 requests [SKIPPED: no /proc here]",
  ignore: !hasProc,
  async fn() {
    const server = await startServer("tests/edge/measured.ts", [
      "--v8-flags=--expose-gc",
    ]);
    try {
      const list = await kinds();
      const measures: { heap: number; external: number; rss: number }[] = [];
      for (let round = 1; round <= 5; round++) {
        await sendMixed(server.url, list, {
          requests: 500,
          lanes: 8,
          seed: round,
        });
        const answer = await fetch(new URL("test/memory", server.url));
        const { heapUsed, external } = await answer.json();
        const rss = residentBytes(server.pid);
        measures.push({ heap: heapUsed, external, rss });
        const mib = (n: number) => (n / MIB).toFixed(1);
        console.log(
          `${round * 500} requests: heap ${mib(heapUsed)} MiB, external ${
            mib(external)
          } MiB, resident ${mib(rss)} MiB`,
        );
      }
      const [first, ...rest] = measures;
      const last = rest.at(-1)!;
      // 2,000 requests that each left a kilobyte would show
      assert(last.heap < first.heap + MIB, "the heap grows");
      assert(last.external < first.external + MIB, "buffers stay");
      // the system's allocator keeps what it had once; the first round warms it up
      assert(last.rss < rest[0].rss * 1.2, "the process grows");
    } finally {
      await server.stop();
    }
  },
});
