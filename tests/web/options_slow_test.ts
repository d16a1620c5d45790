/**
 * Every option of the page, against the command line. Skipped, saying so, where there is no Chromium.
 */
import { assertEquals } from "@std/assert";
import type { ConvertOptionName } from "../../src/convert/options.ts";
import { PAGE_OPTIONS } from "../../web/option_labels.ts";
import { byCommand, OPTION_CASES } from "../edge/option_cases.ts";
import { byPage, openOptions } from "./options.ts";
import { pageTest, usePage } from "./page.ts";

usePage();

pageTest(
  "page gives the command line's bytes with each of its options",
  async (page) => {
    await openOptions(page);
    for (const name of Object.keys(PAGE_OPTIONS) as ConvertOptionName[]) {
      const one = OPTION_CASES[name];
      assertEquals(await byPage(page, one), await byCommand(one), name);
    }
  },
);
