import { assert, assertEquals } from "@std/assert";
import { formatInfo, FORMATS } from "../../src/core/formats.ts";
import { LossReport } from "../../src/core/loss.ts";

Deno.test("FORMATS lists every format of the contract once", () => {
  assertEquals(FORMATS.map((f) => f.id).toSorted(), [
    "css",
    "gltf",
    "mdl",
    "obj",
    "payload",
    "smd",
    "vvd",
  ]);
  for (const f of FORMATS) {
    assert(f.name !== "" && f.recognisedBy !== "", f.id);
    assert(f.extensions.every((e) => /^\.[a-z]+$/.test(e)), f.id);
    assertEquals(formatInfo(f.id), f);
  }
});

Deno.test("LossReport.add() keeps rows with elements and leaves out the others", () => {
  const report = new LossReport();
  report.add("dropped", "tangents", 0, "nothing to drop");
  report.add("changed", "positions", 4, "another unit", { largest: 0.5 });
  report.add("repaired", "weights", 2, "must sum to one", { demanded: true });
  assertEquals(report.entries, [
    {
      what: "positions",
      kind: "changed",
      count: 4,
      largest: 0.5,
      why: "another unit",
      demanded: false,
    },
    {
      what: "weights",
      kind: "repaired",
      count: 2,
      largest: null,
      why: "must sum to one",
      demanded: true,
    },
  ]);
});
