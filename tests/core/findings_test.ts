import { assertEquals } from "@std/assert";
import { meshError } from "../../src/core/errors.ts";
import { Findings, whereOf } from "../../src/core/findings.ts";
import { MAX_LISTED_FINDINGS } from "../../src/core/limits.ts";

Deno.test("Findings.add() takes the code's severity unless it is given one", () => {
  const findings = new Findings();
  findings.add("VVD-RANGE", "byte 56", "an error", { found: 9, allowed: 8 });
  findings.add("VVD-LOD-ORDER", "byte 20", "a warning");
  findings.add("VVD-TRAILING", "byte 64", "a note");
  findings.add("VVD-TRAILING", "byte 65", "worse", { severity: "error" });
  assertEquals(findings.list, [
    {
      severity: "error",
      code: "VVD-RANGE",
      where: "byte 56",
      message: "an error",
      found: 9,
      allowed: 8,
    },
    {
      severity: "warning",
      code: "VVD-LOD-ORDER",
      where: "byte 20",
      message: "a warning",
      found: null,
      allowed: null,
    },
    {
      severity: "info",
      code: "VVD-TRAILING",
      where: "byte 64",
      message: "a note",
      found: null,
      allowed: null,
    },
    {
      severity: "error",
      code: "VVD-TRAILING",
      where: "byte 65",
      message: "worse",
      found: null,
      allowed: null,
    },
  ]);
  assertEquals([findings.errors, findings.warnings], [2, 1]);
});

Deno.test("Findings.add() keeps the byte offset when it is given one", () => {
  const findings = new Findings();
  findings.add("VVD-TRAILING", "fixup 3", "text", { offset: 0 });
  assertEquals(findings.list[0].offset, 0);
  findings.add("VVD-TRAILING", "fixup 3", "text");
  assertEquals("offset" in findings.list[1], false);
});

Deno.test("Findings.add() lists the first thousand and counts every one", () => {
  const findings = new Findings();
  for (let i = 0; i < MAX_LISTED_FINDINGS + 5; i++) {
    findings.add("VVD-LOD-ORDER", `byte ${i}`, "text");
    findings.add("VVD-RANGE", `byte ${i}`, "text");
  }
  assertEquals(findings.list.length, 1000);
  assertEquals(findings.list.at(-1)!.where, "byte 499");
  assertEquals([findings.errors, findings.warnings], [1005, 1005]);
});

Deno.test("Findings.addError() keeps an error's code, place and values", () => {
  const findings = new Findings();
  findings.addError(
    meshError("VVD-FIXUP-LOD", "text", { offset: 64, found: 0 }),
  );
  // a warning as a finding, but this one stopped the reader
  assertEquals(findings.list, [{
    severity: "error",
    code: "VVD-FIXUP-LOD",
    where: "byte 64",
    message: "text",
    found: 0,
    allowed: null,
  }]);
  findings.addError(meshError("ARGUMENT", "text", { allowed: "more" }));
  assertEquals(findings.list[1].allowed, "more");
  assertEquals(findings.list[1].found, null);
  assertEquals(findings.errors, 2);
});

Deno.test("whereOf() gives the byte, else the path, else the file", () => {
  assertEquals(
    whereOf(meshError("VVD-RANGE", "", { offset: 0, path: "x" })),
    "byte 0",
  );
  assertEquals(whereOf(meshError("VVD-RANGE", "", { path: "x" })), "x");
  assertEquals(whereOf(meshError("VVD-RANGE", "")), "file");
});

Deno.test("Findings.addLazy() counts every finding and makes those alone that are listed", () => {
  const findings = new Findings();
  let made = 0;
  for (let i = 0; i < 5000; i++) {
    findings.addLazy("PAYLOAD-INDEX-RANGE", () => {
      made++;
      return { where: `index ${i}`, message: "Mend it", found: i };
    });
  }
  assertEquals([findings.errors, findings.list.length, made], [
    5000,
    1000,
    1000,
  ]);
  const { severity, where, found } = findings.list[999];
  assertEquals([severity, where, found], ["error", "index 999", 999]);
  assertEquals(findings.list[0].allowed, null);
});
