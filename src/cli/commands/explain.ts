import { type Code, CODES } from "../../core/codes.ts";
import { paint, severityStyle, table } from "../text.ts";
import { type Command, hint, UsageError } from "../usage.ts";

/** `meshwright explain`. */
export const explainCommand: Command = {
  name: "explain",
  args: "[CODE]",
  summary: "tell what a finding or error means and how to mend it",
  details: "Without a code: the list of all codes.",
  count: [0, 1],
  options: ["json"],
  async run(host, [asked], o) {
    const codes = Object.keys(CODES) as Code[];
    if (asked === undefined) {
      const text = o.json
        ? codes.map((code) => JSON.stringify({ code, ...CODES[code] })).join(
          "\n",
        )
        : table(
          codes.map((code) => [
            code,
            CODES[code].severity,
            CODES[code].meaning,
          ]),
        );
      await host.out(text + "\n");
      return 0;
    }
    const code = codes.find((c) => c.toUpperCase() === asked.toUpperCase());
    if (!code) {
      throw new UsageError(
        `Give a code that meshwright prints: ${asked} is none${
          hint(asked, codes)
        }`,
      );
    }
    const { severity, meaning, mend } = CODES[code];
    await host.out(
      o.json
        ? JSON.stringify({ code, ...CODES[code] }) + "\n"
        : `${paint(host, "bold", code)} (${
          paint(host, severityStyle(severity), severity)
        })\n\n  ${meaning}\n\n  To mend it: ${mend}\n`,
    );
    return 0;
  },
};
