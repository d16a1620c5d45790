/**
 * A real Chromium for the tests of the page, and what they do with it again and again.
 *
 * @module
 */
import { decode } from "fast-png";
import { findProgram } from "../runtimes/programs.ts";

/** Path of the browser; undefined where there is none. */
export const chromium: string | undefined = findProgram(
  "chromium",
  "chromium-browser",
  "google-chrome",
);

type Browser = Awaited<
  ReturnType<
    typeof import("playwright-core")["chromium"]["launchPersistentContext"]
  >
>;

/** The part of playwright's page that the tests use. */
export type Page = Awaited<ReturnType<Browser["newPage"]>>;

let browser: Browser | undefined;
let profile = "";

/** Starts the browser; one serves all tests, for starting it takes longer than most of them. */
export async function startBrowser(): Promise<void> {
  const playwright = await import("playwright-core");
  profile = await Deno.makeTempDir({ prefix: "meshwright_page_" });
  browser = await playwright.chromium.launchPersistentContext(profile, {
    executablePath: chromium!,
    headless: true,
    viewport: { width: 900, height: 420 },
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
  });
}

/** Ends the browser. */
export async function stopBrowser(): Promise<void> {
  await browser?.close();
  if (profile) await Deno.remove(profile, { recursive: true });
}

/** Runs work on a fresh page; `errors` collects what the page complains about. */
export async function withPage(
  address: string,
  work: (page: Page, errors: string[]) => Promise<void>,
): Promise<void> {
  const page = await browser!.newPage();
  try {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(address);
    await page.evaluate("try { localStorage.clear() } catch {}");
    await work(page, errors);
  } finally {
    await page.close();
  }
}

/** Waits until an expression is true. The page's policy forbids playwright's own way, which evaluates inside the page. */
export async function until(page: Page, expression: string): Promise<void> {
  for (let i = 0; i < 300; i++) {
    if (await page.evaluate(`Boolean(${expression})`)) return;
    await page.waitForTimeout(50);
  }
  const status = await page.evaluate("document.body.innerText");
  throw new Error(`never true: ${expression}; the page says: ${status}`);
}

/** Waits until nothing runs and everything is drawn. */
export async function settled(page: Page): Promise<void> {
  await until(page, "document.getElementById('progress').hidden");
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
  );
}

/** Drops files on the page, as a hand would. */
export async function drop(
  page: Page,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<void> {
  const list = Object.entries(files).map((
    [name, bytes],
  ) => [name, bytes.toBase64()]);
  await page.evaluate(`{
    const transfer = new DataTransfer();
    for (const [name, text] of ${JSON.stringify(list)}) {
      const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
    }
    const options = { dataTransfer: transfer, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent("dragenter", options));
    document.body.dispatchEvent(new DragEvent("drop", options));
  }`);
  const [first] = Object.keys(files);
  const stem = JSON.stringify(first.replace(/\..*$/, ""));
  await until(
    page,
    `document.getElementById("file-name").textContent.startsWith(${stem})`,
  );
  await until(
    page,
    '/\\d|\\[/.test(document.getElementById("status").value)',
  );
  await settled(page);
}

/** The picture of the model without what lies over it. */
export interface Seen {
  /** Pixels that are not background. */
  drawn: number;
  /** Different colours among them. */
  colors: number;
  /** Background: red, green, blue. */
  background: number[];
  /** All pixels, to tell two pictures apart. */
  key: string;
}

/** Looks at the picture. */
export async function look(page: Page): Promise<Seen> {
  await settled(page);
  const png = await page.locator("#canvas").screenshot();
  const { data, channels, width, height } = decode(png);
  const at = (x: number, y: number) => {
    const i = (y * width + x) * channels;
    return [data[i], data[i + 1], data[i + 2]];
  };
  const background = at(2, height - 2);
  const colors = new Set<string>();
  let drawn = 0;
  // the notice lies over the uppermost rows
  for (let y = 60; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const color = at(x, y);
      if (color.every((c, k) => Math.abs(c - background[k]) < 6)) continue;
      drawn++;
      colors.add(color.join());
    }
  }
  const digest = await crypto.subtle.digest("SHA-256", data as BufferSource);
  return {
    drawn,
    colors: colors.size,
    background,
    key: new Uint8Array(digest).toHex(),
  };
}

/** Converts what is open to a format and gives the first file as it is downloaded. */
export async function download(
  page: Page,
  to: string,
): Promise<{ name: string; bytes: Uint8Array }> {
  await page.locator("#to").selectOption(to);
  await page.locator("#convert button[type=submit]").click();
  await until(page, "document.querySelector('#result a, #result .error')");
  const waiting = page.waitForEvent("download");
  await page.locator("#result a").first().click();
  const file = await waiting;
  return {
    name: file.suggestedFilename(),
    bytes: await Deno.readFile(await file.path()),
  };
}
