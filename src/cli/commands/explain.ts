import { type Code, CODES } from "../../core/codes.ts";
import type { Host } from "../host.ts";
import { paint, severityStyle, table } from "../text.ts";
import { type Command, hint, UsageError } from "../usage.ts";

function named(asked: string, codes: readonly Code[]): Code {
  const code = codes.find((c) => c.toUpperCase() === asked.toUpperCase());
  if (code) return code;
  throw new UsageError(
    `Give a code that meshwright prints: ${asked} is none${hint(asked, codes)}`,
  );
}

function explain(host: Host, code: Code): string {
  const { severity, meaning, mend } = CODES[code];
  return `${paint(host, "bold", code)} (${
    paint(host, severityStyle(severity), severity)
  })\n\n  ${meaning}\n\n  To mend it: ${mend}\n`;
}

/** `meshwright explain`. */
export const explainCommand: Command = {
  name: "explain",
  args: "[CODE...]",
  summary: "tell what a finding or error means and how to mend it",
  details: "Without a code: the list of all codes.",
  count: [0, Infinity],
  options: ["json"],
  words: () => Object.keys(CODES),
  async run(host, asked, o) {
    const codes = Object.keys(CODES) as Code[];
    const json = (some: readonly Code[]) =>
      some.map((code) =>
        JSON.stringify({
          schema: "meshwright/explain/1",
          code,
          ...CODES[code],
        })
      ).join("\n");
    if (asked.length === 0) {
      const rows = codes.map((code) => [
        code,
        CODES[code].severity,
        CODES[code].meaning,
      ]);
      await host.out((o.json ? json(codes) : table(rows)) + "\n");
      return 0;
    }
    // all of them are looked up before any is printed
    const found = asked.map((name) => named(name, codes));
    await host.out(
      o.json
        ? json(found) + "\n"
        : found.map((code) => explain(host, code)).join("\n"),
    );
    return 0;
  },
};
