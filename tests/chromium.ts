/**
 * A real Chromium, for every test that wants one.
 *
 * @module
 */
import { findProgram } from "./runtimes/programs.ts";

/** Path of the browser; undefined where there is none. */
export const chromium: string | undefined = findProgram(
  "chromium",
  "chromium-browser",
  "google-chrome",
);

type Launch =
  typeof import("playwright-core")["chromium"]["launchPersistentContext"];

/** The browser as playwright has it. */
export type Browser = Awaited<ReturnType<Launch>>;

/** The part of playwright's page that the tests use. */
export type Page = Awaited<ReturnType<Browser["newPage"]>>;

/** A browser with a profile of its own. */
export interface Chromium {
  /** The browser. */
  browser: Browser;
  /** Ends it and removes its profile. */
  close(): Promise<void>;
}

/** Starts the browser; the options are playwright's: the size of the window, language, time zone. */
export async function startChromium(
  options: NonNullable<Parameters<Launch>[1]> = {},
): Promise<Chromium> {
  const playwright = await import("playwright-core");
  const profile = await Deno.makeTempDir({ prefix: "meshwright_chromium_" });
  const browser = await playwright.chromium.launchPersistentContext(profile, {
    executablePath: chromium!,
    headless: true,
    args: [
      "--no-sandbox", // CI runs as root
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
    ],
    ...options,
  });
  return {
    browser,
    async close() {
      await browser.close();
      await Deno.remove(profile, { recursive: true });
    },
  };
}

/** What a page complains about, as it comes. */
export function complaintsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return errors;
}
